//! A set of numbers in a table with linear probing, at most four fifths full. Eight bytes per slot.
//!
//! For what is a number and nothing else: the keys that overflow their buckets in the tree, the sample of signatures of a
//! cache. It has the slots that it was made with; whoever needs more makes another one.

use super::probe::{after, home};
use super::region::Region;

/// Spreads numbers over slots: the golden ratio, as Knuth has it.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A set of numbers below 2⁶⁴ − 1.
pub struct NumberSet {
    /// Each is 0 or a number plus one.
    slots: Region<u64>,
    len: usize,
}

impl NumberSet {
    /// Without members and memory.
    pub const fn new() -> Self {
        NumberSet { slots: Region::new(), len: 0 }
    }

    /// An empty one with so many slots; none if the system refuses.
    pub fn with(slots: usize) -> Option<Self> {
        let mut region = Region::new();
        region.grow(slots).then_some(NumberSet { slots: region, len: 0 })
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
        let mut at = home(number.wrapping_mul(SPREAD), self.slots.len());
        while self.slots[at] != 0 && self.slots[at] != number + 1 {
            at = after(at, self.slots.len());
        }
        at
    }

    /// Whether `number` is a member.
    pub fn contains(&self, number: u64) -> bool {
        self.len > 0 && self.slots[self.seek(number)] != 0
    }

    /// Adds a number, for which there is room; whether it is new.
    pub fn insert(&mut self, number: u64) -> bool {
        let at = self.seek(number);
        let new = self.slots[at] == 0;
        self.slots[at] = number + 1;
        self.len += usize::from(new);
        new
    }

    /// All members.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.slots.iter().filter(|&&slot| slot != 0).map(|&slot| slot - 1)
    }

    /// Drops all members but those that are to be kept.
    pub fn retain(&mut self, keep: impl Fn(u64) -> bool) {
        let kept: Vec<u64> = self.iter().filter(|&number| keep(number)).collect();
        self.slots.fill(0);
        self.len = 0;
        kept.into_iter().for_each(|number| _ = self.insert(number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_stay_until_they_are_dropped() {
        let mut set = NumberSet::with(NumberSet::slots_for(1000)).expect("some memory");
        let numbers = || (0..1000u64).map(|number| if number == 0 { u64::MAX - 1 } else { number * number });
        assert!(numbers().all(|number| !set.contains(number) && set.insert(number)));
        assert!(numbers().all(|number| set.contains(number) && !set.insert(number)));
        assert!(set.len() == 1000 && !set.has_room());
        set.retain(|number| number % 2 == 1);
        assert!(numbers().all(|number| set.contains(number) == (number % 2 == 1)));
        assert_eq!((set.len(), set.iter().count()), (500, 500));
    }
}
