//! What the victim `level` goes by: two bytes for every slot.
//!
//! Transitions are local (Tronci et al. 2001, §2): most of those that lead to a state found before lead to one of the level before,
//! the same or the next level. So what was found at the least level is met again least likely, but for the states that transitions
//! from later levels did lead to: those are met again, from ever later levels, since a protocol comes back to where it began. A mark
//! has the level at which a state was found and how often a transition from a later level led to it; each of the first
//! [`MOST_HITS`] counts as much as [`WORTH`] levels.
//!
//! Where the last two levels alone would fill more than [`CROWDED`] percent of the cache, what is evicted by its level are all the
//! states of the levels before, and every transition back to one of them visits it again, and much of what comes after it. Then the marks
//! are no help, and any state is evicted. What comes of all this is in `docs/caching.md`.

use crate::memory::budget_region::BudgetRegion;
use std::sync::Arc;
use tightrope_core::{Budget, Refused};

/// Bits for hits; the others are for the level.
const HIT_BITS: u32 = 2;
/// So many transitions from later levels are counted.
const MOST_HITS: u16 = (1 << HIT_BITS) - 1;
/// So many levels later a state may be evicted for each of them.
const WORTH: u16 = 32;
/// With so many percent of the cache for the last two levels, levels do not tell what to evict.
const CROWDED: u64 = 60;
/// Levels are counted in a ring: a state that was not evicted for so many levels looks new, which costs time, nothing else.
const LEVELS: u16 = u16::MAX >> HIT_BITS;

/// The marks.
pub struct Marks {
    marks: BudgetRegion<u16>,
    budget: Arc<Budget>,
    /// The level that states are found at now.
    level: u16,
    /// The states found at that level so far, and at the one before.
    widths: [u64; 2],
}

impl Marks {
    /// None yet.
    pub fn new(budget: &Arc<Budget>) -> Self {
        Marks { marks: BudgetRegion::sparing(budget), budget: budget.clone(), level: 0, widths: [0; 2] }
    }

    /// Makes so many marks.
    pub fn allocate(&mut self, slots: usize) -> Result<(), Refused> {
        self.marks.make_room(slots)
    }

    /// The same levels for so many other slots.
    pub fn for_slots(&self, slots: usize) -> Result<Marks, Refused> {
        let mut marks = Marks { level: self.level, widths: self.widths, ..Marks::new(&self.budget) };
        marks.allocate(slots)?;
        Ok(marks)
    }

    /// The slot has what was in the slot `from` of others.
    pub fn copy(&mut self, slot: usize, others: &Marks, from: usize) {
        self.marks[slot] = others.marks[from];
    }

    /// A state is found and put into the slot.
    #[inline]
    pub fn found(&mut self, slot: usize) {
        self.marks[slot] = self.level << HIT_BITS;
        self.widths[0] += 1;
    }

    /// A transition led to the state in the slot: from the level before the one that states are found at now.
    #[inline]
    pub fn met(&mut self, slot: usize) {
        let mark = &mut self.marks[slot];
        *mark += u16::from(self.level.wrapping_sub(*mark >> HIT_BITS) & LEVELS >= 2 && *mark & MOST_HITS < MOST_HITS);
    }

    /// Whether the last two levels take most of a cache that holds so many states.
    #[inline]
    pub fn is_crowded(&self, holds: u64) -> bool {
        (self.widths[0] + self.widths[1]) * 100 > holds * CROWDED
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
        self.widths = [0, self.widths[0]];
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
