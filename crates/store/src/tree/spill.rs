//! Numbers that found no place elsewhere.
//!
//! A plain table with linear probing, at most four fifths full; there are few of them. Eight bytes per slot.

use crate::region::Region;

/// A set of numbers below 2⁶³.
pub struct Spill {
    /// Each is 0 or a number plus one.
    slots: Region<u64>,
    len: usize,
}

impl Spill {
    /// Without members and memory.
    pub const fn new() -> Self {
        Spill { slots: Region::new(), len: 0 }
    }

    /// An empty one with so many slots; none if the system refuses.
    pub fn with(slots: usize) -> Option<Self> {
        let mut region = Region::new();
        region.grow(slots).then_some(Spill { slots: region, len: 0 })
    }

    /// The slots that so many members need.
    pub fn slots_for(len: usize) -> usize {
        if len == 0 { 0 } else { len + len / 4 + 8 }
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is room for one more.
    pub fn has_room(&self) -> bool {
        Self::slots_for(self.len + 1) <= self.slots.len()
    }

    /// The slot of `number`, or the free one where it would be. There is a slot.
    #[inline]
    fn seek(&self, number: u64) -> usize {
        let hash = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut at = ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize;
        while self.slots[at] != 0 && self.slots[at] != number + 1 {
            at = if at + 1 == self.slots.len() { 0 } else { at + 1 };
        }
        at
    }

    /// Whether `number` is a member.
    pub fn contains(&self, number: u64) -> bool {
        self.len > 0 && self.slots[self.seek(number)] != 0
    }

    /// Adds a number that is not a member, where there is room.
    pub fn insert(&mut self, number: u64) {
        let at = self.seek(number);
        self.slots[at] = number + 1;
        self.len += 1;
    }

    /// All members.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.slots.iter().filter(|&&slot| slot != 0).map(|&slot| slot - 1)
    }
}
