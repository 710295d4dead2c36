//! States as coloured hypergraphs over the elements of the scalarsets.
//!
//! A leaf of a state (a number, or the mark of a bag's slot) belongs to elements, its *owners*, as an entry of arrays that they
//! index; its value may stand for an element as well. A leaf that does not hold its default value is an *incidence*: a hyperedge
//! between these elements, with a label that no permutation changes. Most leaves hold their default value most of the time.
//! So incidences are few, and are found by comparing the state with the *default state*, many bytes at a time.
//!
//! The default value of a leaf stands for no element, and is the same for all leaves that a permutation moves to each other. So
//! every permutation leaves the default state as it is, and a permuted state is the default state with the incidences written
//! elsewhere. Leaves that no permutation changes are left out.
//!
//! A search with symmetry spends its time here: the work for each leaf has no branch that depends on the state. A missing owner
//! or element is a *pseudo-element*, whose colour tells nothing and which never moves.

use crate::byte_difference::each_differing_byte;
use std::collections::HashMap;
use std::num::NonZeroU32;
use tightrope_core::{Bag, Repr, Symmetry};

/// The pseudo-elements: for no element as a value, for no first and for no second owner. They come after all elements.
pub(crate) const PSEUDO_ELEMENTS: usize = 3;

/// A leaf with its owners. It fills a cache line.
#[repr(align(64))]
pub(crate) struct IndexedLeaf {
    /// Equal for leaves that a permutation moves to each other.
    pub path: u64,
    /// Its owners, as bits.
    owner_bits: u64,
    offset: u32,
    /// The first two owners, and how far apart the entries of neighbouring elements are.
    pub owners: [u32; 2],
    strides: [i32; 2],
    /// The other owners: a range of the list of all.
    others: (u32, u32),
    /// The number of the bag's slot that it is in.
    pub slot: Option<NonZeroU32>,
    default_value: i32,
    /// The values that stand for elements: the number of a list of ranges.
    element_ranges: u32,
    repr: Repr,
}

/// A leaf that does not hold its default value.
#[derive(Clone, Copy)]
pub(crate) struct Incidence {
    pub leaf: u32,
    value: i32,
    /// The element that the value stands for, or a pseudo-element.
    pub element: u32,
    /// A hash of the path and of the value, or of the scalarset where the value stands for an element. No permutation changes
    /// it. Zero for the default value.
    pub label: u64,
    /// The incident elements, as bits.
    pub elements: u64,
}

/// The element that a value of a leaf stands for, or a pseudo-element; and the label of the incidence.
#[derive(Clone, Copy)]
struct ValueLabel {
    element: u32,
    label: u64,
}

/// For so many values of each leaf the labels are in a table.
const TABULATED: usize = 16;

/// The leaves of a model's states.
pub(crate) struct LeafTable {
    /// Zero where no permutation changes anything.
    default_state: Vec<u8>,
    /// All bits set in the bytes that no permutation changes.
    fixed: Vec<u8>,
    /// The other bytes, as bits, 64 to a number.
    permuted_bytes: Vec<u64>,
    pub leaves: Vec<IndexedLeaf>,
    pub bags: Vec<Bag>,
    /// The leaf of each byte.
    leaf_of_byte: Vec<u32>,
    /// The owners of all leaves beyond the second, with the distances between their entries.
    others: Vec<(u32, i32)>,
    /// The labels of the first values, leaf after leaf.
    value_labels: Vec<ValueLabel>,
    /// The values that stand for elements, as in [`tightrope_core::Leaf::elements`]: each different list once.
    element_ranges: Vec<Vec<(i32, u32, u32)>>,
    /// The scalarset of each element.
    set_of: Vec<u32>,
}

/// An element as a bit. Elements that are 64 apart share one.
#[inline]
pub(crate) fn bit(element: u32) -> u64 {
    1 << (element % 64)
}

/// A hash of two numbers and their order: the two halves of a product, folded.
#[inline]
pub(crate) fn pair(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd1b5_4a32_d192_ed03);
    product as u64 ^ (product >> 64) as u64
}

impl LeafTable {
    /// The leaves of states with this symmetry. The default values are those of `example` where they can be.
    pub fn new(symmetry: &Symmetry, example: &[u8]) -> LeafTable {
        let end = symmetry.blocks.iter().map(|block| block.offset + block.size).max().unwrap_or(0);
        let mut owners = vec![&[][..]; end as usize];
        for block in &symmetry.blocks {
            owners[block.offset as usize..(block.offset + block.size) as usize].fill(&block.owners);
        }
        let sets = symmetry.sets.iter().enumerate();
        let mut made = LeafTable {
            default_state: vec![0; end as usize],
            fixed: vec![0; end as usize],
            permuted_bytes: vec![u64::MAX; end as usize / 64 + 1],
            leaves: Vec::new(),
            bags: symmetry.bags.clone(),
            leaf_of_byte: vec![u32::MAX; end as usize],
            others: Vec::new(),
            value_labels: Vec::new(),
            element_ranges: Vec::new(),
            set_of: sets.flat_map(|(set, &size)| (0..size).map(move |_| set as u32)).collect(),
        };
        let mut first_slot = Vec::new();
        let mut slots = 1;
        for bag in &symmetry.bags {
            first_slot.push(slots);
            for slot in 0..bag.count {
                let offset = bag.offset + slot * bag.size;
                made.add(offset, Repr::U8, bag.path, owners[offset as usize], NonZeroU32::new(slots + slot), &[]);
            }
            slots += bag.count;
        }
        for leaf in &symmetry.leaves {
            let slot = leaf.bag.and_then(|(bag, slot)| NonZeroU32::new(first_slot[bag as usize] + slot));
            made.add(leaf.offset, leaf.repr, leaf.path, owners[leaf.offset as usize], slot, &leaf.elements);
        }
        made.leaves.sort_by_key(|leaf| leaf.offset);
        for (number, leaf) in made.leaves.iter().enumerate() {
            let bytes = leaf.offset as usize..leaf.offset as usize + leaf.repr.size();
            made.leaf_of_byte[bytes.clone()].fill(number as u32);
            let is_owned = leaf.owners[0] < made.no_element();
            if leaf.slot.is_none() && !is_owned && made.element_ranges[leaf.element_ranges as usize].is_empty() {
                made.fixed[bytes.clone()].fill(u8::MAX);
                bytes.for_each(|byte| made.permuted_bytes[byte / 64] &= !(1 << (byte % 64)));
            }
        }
        assert!(!made.leaf_of_byte.contains(&u32::MAX), "leaves and bags cover the state");
        made.choose_defaults(example);
        let tabulated = |leaf| (0..TABULATED).map(move |value| (leaf, value as i32));
        made.value_labels =
            made.leaves.iter().flat_map(tabulated).map(|(leaf, value)| made.value_label(leaf, value)).collect();
        made
    }

    fn add(
        &mut self,
        offset: u32,
        repr: Repr,
        path: u64,
        owners: &[(u32, u32)],
        slot: Option<NonZeroU32>,
        element_ranges: &[(i32, u32, u32)],
    ) {
        let start = self.others.len() as u32;
        self.others.extend(owners.iter().skip(2).map(|&(owner, stride)| (owner, stride as i32)));
        let others = (start, self.others.len() as u32);
        let owner_bits = owners.iter().fold(0, |bits, &(owner, _)| bits | bit(owner));
        let nth = |nth: usize| owners.get(nth).copied().unwrap_or((self.no_element() + 1 + nth as u32, 0));
        let (owners, strides) = ([nth(0).0, nth(1).0], [nth(0).1 as i32, nth(1).1 as i32]);
        let known = self.element_ranges.iter().position(|known| known == element_ranges);
        let element_ranges = known.unwrap_or_else(|| {
            self.element_ranges.push(element_ranges.to_vec());
            self.element_ranges.len() - 1
        }) as u32;
        self.leaves.push(IndexedLeaf {
            path,
            owner_bits,
            offset,
            owners,
            strides,
            others,
            slot,
            default_value: 0,
            element_ranges,
            repr,
        });
    }

    /// Sets the default values: for each path the value of its first leaf in the example. Zero in bags, whose empty slots are
    /// zero, and where that value stands for an element.
    fn choose_defaults(&mut self, example: &[u8]) {
        let is_element = |leaf: &IndexedLeaf, value| self.element(leaf, value).is_some();
        let mut of_path = HashMap::new();
        for leaf in &self.leaves {
            of_path.entry(leaf.path).or_insert_with(|| leaf.repr.load(example, leaf.offset as usize));
        }
        for leaf in &self.leaves {
            assert!(!is_element(leaf, 0), "zero stands for no element");
            if is_element(leaf, of_path[&leaf.path]) {
                of_path.insert(leaf.path, 0);
            }
        }
        let fixed = &self.fixed;
        let is_fixed = |leaf: &IndexedLeaf| fixed[leaf.offset as usize] != 0;
        for leaf in self.leaves.iter_mut().filter(|leaf| leaf.slot.is_none() && !is_fixed(leaf)) {
            leaf.repr.store(&mut self.default_state, leaf.offset as usize, of_path[&leaf.path]);
            leaf.default_value = leaf.repr.load(&self.default_state, leaf.offset as usize);
        }
    }

    /// The length of a state.
    pub fn length(&self) -> usize {
        self.default_state.len()
    }

    /// The pseudo-element for values. Those for owners follow.
    #[inline]
    pub fn no_element(&self) -> u32 {
        self.set_of.len() as u32
    }

    /// An incidence that changes no colour.
    pub fn no_incidence(&self) -> Incidence {
        Incidence { leaf: 0, value: 0, element: self.no_element(), label: 0, elements: 0 }
    }

    /// The scalarset of an element.
    #[inline]
    pub fn set_of(&self, element: u32) -> u32 {
        self.set_of[element as usize]
    }

    /// The owners of a leaf beyond the second.
    #[inline]
    pub fn others(&self, leaf: &IndexedLeaf) -> &[(u32, i32)] {
        &self.others[leaf.others.0 as usize..leaf.others.1 as usize]
    }

    /// Calls `each` with the leaves where the states differ, with their incidence in the new one, in the order of leaves.
    #[inline]
    pub fn each_changed_leaf(&self, old: &[u8], new: &[u8], mut each: impl FnMut(&IndexedLeaf, Incidence)) {
        let mut last = u32::MAX;
        each_differing_byte(old, new, &self.permuted_bytes, |byte| {
            let number = self.leaf_of_byte[byte];
            if number == last {
                return;
            }
            last = number;
            let leaf = &self.leaves[number as usize];
            let value = if leaf.is_byte() { i32::from(new[byte]) } else { leaf.load(new, leaf.offset as usize) };
            let value_label = match value as usize {
                value if value < TABULATED => self.value_labels[number as usize * TABULATED + value],
                _ => self.value_label(leaf, value),
            };
            let ValueLabel { element, label } = value_label;
            each(leaf, Incidence { leaf: number, value, element, label, elements: leaf.owner_bits | bit(element) });
        });
    }

    /// Calls `each` with all incidences of a state, in the order of leaves.
    #[inline]
    pub fn each_incidence(&self, state: &[u8], each: impl FnMut(&IndexedLeaf, Incidence)) {
        self.each_changed_leaf(&self.default_state, state, each);
    }

    /// Sets a state to the default state, except where no permutation changes anything.
    pub fn reset(&self, state: &mut [u8]) {
        for ((byte, fixed), default) in state.iter_mut().zip(&self.fixed).zip(&self.default_state) {
            *byte = *byte & fixed | default;
        }
    }

    /// The element that a value of a leaf stands for.
    fn element(&self, leaf: &IndexedLeaf, value: i32) -> Option<u32> {
        self.element_ranges[leaf.element_ranges as usize].iter().find_map(|&(first, element, count)| {
            let position = value.wrapping_sub(first) as u32;
            (position < count).then(|| element + position)
        })
    }

    /// The label of a value of a leaf.
    fn value_label(&self, leaf: &IndexedLeaf, value: i32) -> ValueLabel {
        if value == leaf.default_value {
            return ValueLabel { element: self.no_element(), label: 0 };
        }
        let Some(element) = self.element(leaf, value) else {
            return ValueLabel { element: self.no_element(), label: pair(leaf.path, u64::from(value as u32)) };
        };
        // A loop, where the value stands for the owner, differs from an edge to another element of the same colour.
        let role = leaf.owners.iter().position(|&owner| owner == element).map_or(0, |nth| nth as u64 + 1);
        ValueLabel { element, label: pair(leaf.path, 1 << 63 | role << 40 | u64::from(self.set_of(element))) }
    }

    /// Adds a label to the colours of the owners of a leaf: a different multiple for each, so that owners are told apart. Adding
    /// the negative label undoes it.
    #[inline]
    pub fn add_to_owners(&self, leaf: &IndexedLeaf, label: u64, colours: &mut [u64]) {
        const FACTOR: u64 = 0xd6e8_feb8_6659_fd93;
        add(colours, leaf.owners[0], label.wrapping_mul(FACTOR));
        add(colours, leaf.owners[1], label.wrapping_mul(FACTOR + 2));
        for (nth, &(owner, _)) in self.others(leaf).iter().enumerate() {
            add(colours, owner, label.wrapping_mul(FACTOR + 4 + 2 * nth as u64));
        }
    }

    /// Where an incidence is in the permuted state, and its value there. A permutation is given by how far each element moves.
    #[inline]
    fn permuted(&self, incidence: &Incidence, shift: impl Fn(u32) -> i32) -> (&IndexedLeaf, usize, i32) {
        let leaf = &self.leaves[incidence.leaf as usize];
        let mut at = leaf.offset as i32;
        at += shift(leaf.owners[0]) * leaf.strides[0] + shift(leaf.owners[1]) * leaf.strides[1];
        for &(owner, stride) in self.others(leaf) {
            at += shift(owner) * stride;
        }
        (leaf, at as usize, incidence.value + shift(incidence.element))
    }

    /// Whether a state has the permuted incidence.
    #[inline]
    pub fn has_permuted(&self, state: &[u8], incidence: &Incidence, shift: impl Fn(u32) -> i32) -> bool {
        let (leaf, at, value) = self.permuted(incidence, shift);
        if leaf.is_byte() { i32::from(state[at]) == value } else { leaf.load(state, at) == value }
    }

    /// Writes the permuted incidence to a state.
    #[inline]
    pub fn write_permuted(&self, state: &mut [u8], incidence: &Incidence, shift: impl Fn(u32) -> i32) {
        let (leaf, at, value) = self.permuted(incidence, shift);
        if leaf.is_byte() {
            state[at] = value as u8;
        } else {
            leaf.store(state, at, value);
        }
    }
}

impl IndexedLeaf {
    /// Whether it is a byte, as nearly all are.
    #[inline]
    fn is_byte(&self) -> bool {
        self.repr == Repr::U8
    }

    /// The value at `at` of a leaf that is no byte: a function of its own, so that the code for bytes stays short.
    #[cold]
    fn load(&self, state: &[u8], at: usize) -> i32 {
        self.repr.load(state, at)
    }

    #[cold]
    fn store(&self, state: &mut [u8], at: usize, value: i32) {
        self.repr.store(state, at, value);
    }
}

/// Adds a label to the colour of an element.
#[inline]
pub(crate) fn add(colours: &mut [u64], element: u32, label: u64) {
    let colour = &mut colours[element as usize];
    *colour = colour.wrapping_add(label);
}
