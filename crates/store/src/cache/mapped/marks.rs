//! What the victim `level` goes by: two bytes for every slot.
//!
//! Transitions are local (Tronci et al. 2001, §2): most of those that lead to a state found before lead to one of the level before,
//! the same or the next level. So what was found at the least level is met again least likely, but for the states that transitions
//! from later levels did lead to: those are met again, from ever later levels, since a protocol comes back to where it began. A mark
//! has the level at which a state was found and how often a transition from a later level led to it; each of the first
//! [`MOST_HITS`] counts as much as [`WORTH`] levels. Of the variants tried (age alone, the last time met, hits of any distance,
//! without a bound) this one repeats least on the models of the paper (`docs/caching.md`).

use crate::memory::budget_region::BudgetRegion;
use std::sync::Arc;
use tightrope_core::{Budget, Refused};

/// Bits for hits; the others are for the level.
const HIT_BITS: u32 = 2;
/// So many transitions from later levels are counted.
const MOST_HITS: u16 = (1 << HIT_BITS) - 1;
/// So many levels later a state may be evicted for each of them.
const WORTH: u16 = 32;
/// Levels are counted in a ring: a state that was not evicted for so many levels looks new, which costs time, nothing else.
const LEVELS: u16 = u16::MAX >> HIT_BITS;

/// The marks.
pub struct Marks {
    marks: BudgetRegion<u16>,
    /// The level that states are found at now.
    level: u16,
}

impl Marks {
    /// None yet.
    pub fn new(budget: &Arc<Budget>) -> Self {
        Marks { marks: BudgetRegion::sparing(budget), level: 0 }
    }

    /// Makes so many marks.
    pub fn allocate(&mut self, slots: usize) -> Result<(), Refused> {
        self.marks.make_room(slots)
    }

    /// A state is found and put into the slot.
    #[inline]
    pub fn found(&mut self, slot: usize) {
        self.marks[slot] = self.level << HIT_BITS;
    }

    /// A transition led to the state in the slot: from the level before the one that states are found at now.
    #[inline]
    pub fn met(&mut self, slot: usize) {
        let mark = &mut self.marks[slot];
        *mark += u16::from(self.level.wrapping_sub(*mark >> HIT_BITS) & LEVELS >= 2 && *mark & MOST_HITS < MOST_HITS);
    }

    /// How much sooner than others the state in the slot is to be evicted.
    #[inline]
    pub fn age(&self, slot: usize) -> i32 {
        let mark = self.marks[slot];
        let levels = self.level.wrapping_sub(mark >> HIT_BITS) & LEVELS;
        i32::from(levels) - i32::from(WORTH * (mark & MOST_HITS))
    }

    /// What is found from now on is a level farther away.
    pub fn next_level(&mut self) {
        self.level = (self.level + 1) & LEVELS;
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        self.marks.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_back_edges_keep_a_state_for_some_levels() {
        let mut marks = Marks::new(&Arc::new(Budget::unlimited()));
        marks.allocate(3).unwrap();
        marks.found(0);
        marks.found(1);
        marks.next_level();
        // Met from its own level, then from the one after it.
        marks.met(1);
        assert_eq!((marks.age(0), marks.age(1)), (1, 1));
        marks.next_level();
        marks.met(1);
        marks.found(2);
        assert_eq!((marks.age(0), marks.age(1), marks.age(2)), (2, 2 - i32::from(WORTH), 0));
        for _ in 0..10 {
            marks.met(1);
        }
        assert_eq!(marks.age(1), 2 - i32::from(MOST_HITS * WORTH));
        // The ring of levels turns round once.
        (0..LEVELS).for_each(|_| marks.next_level());
        assert_eq!(marks.age(2), i32::from(LEVELS));
        marks.next_level();
        assert_eq!(marks.age(2), 0);
    }
}
