//! Which parts of a state may be renamed.

use crate::Repr;

/// Sets of interchangeable elements (Murphi's scalarsets), and where they occur in states: as values, and as indices of
/// arrays. Renaming the elements of a set everywhere gives a state that behaves alike.
///
/// Elements are numbered through over all sets, set after set. States must have a fixed length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symmetry {
    /// The number of elements of each set.
    pub sets: Vec<u32>,
    /// The name of each set, where sets have names.
    pub names: Vec<String>,
    /// The blocks of a state: bytes that move together when elements are renamed. They cover the state.
    pub blocks: Vec<Block>,
    /// Every number in the state, and what it means to the elements.
    pub leaves: Vec<Leaf>,
    /// The multisets: slots whose order does not count.
    pub bags: Vec<Bag>,
}

/// Bytes that belong to the same elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Where it is.
    pub offset: u32,
    /// How many bytes.
    pub size: u32,
    /// The elements it belongs to as an array's entry, and how far apart the entries of neighbouring elements are.
    pub owners: Vec<(u32, u32)>,
}

/// A number in the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Where it is.
    pub offset: u32,
    /// How it lies there.
    pub repr: Repr,
    /// The elements to whose entries it belongs.
    pub owners: Vec<u32>,
    /// Which place it is, up to renaming: equal for leaves that a renaming moves to each other.
    pub path: u64,
    /// The numbers that stand for elements: the first such number, the first element, and how many. Zero never does.
    pub elements: Vec<(i32, u32, u32)>,
    /// The bag it is in, and the slot.
    pub bag: Option<(u32, u32)>,
}

/// A multiset: its slots may stand in any order, and are kept sorted, the largest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bag {
    /// Where it is.
    pub offset: u32,
    /// The number of slots.
    pub count: u32,
    /// The bytes of a slot; the first is zero if the slot is empty.
    pub size: u32,
    /// The elements to whose entries it belongs.
    pub owners: Vec<u32>,
    /// Which place it is, up to renaming.
    pub path: u64,
}

impl Bag {
    /// Sorts the slots of the bag in a state.
    pub fn sort(&self, state: &mut [u8]) {
        let (at, size) = (self.offset as usize, self.size as usize);
        if let Some(slots) = state.get_mut(at..at + size * self.count as usize) {
            sort_slots(slots, size);
        }
    }
}

/// Sorts the slots of a multiset, `size` bytes each, the largest first, so that equal multisets have equal bytes. A slot
/// whose first byte is zero is empty: whatever else is in it is wiped out.
pub fn sort_slots(slots: &mut [u8], size: usize) {
    slots.chunks_mut(size).filter(|slot| slot[0] == 0).for_each(|slot| slot.fill(0));
    // Few slots, nearly always in order: insertion.
    for slot in 1..slots.len() / size {
        let mut slot = slot;
        while slot > 0 && slots[(slot - 1) * size..slot * size] < slots[slot * size..(slot + 1) * size] {
            let (before, after) = slots.split_at_mut(slot * size);
            before[(slot - 1) * size..].swap_with_slice(&mut after[..size]);
            slot -= 1;
        }
    }
}
