//! Numbers for byte strings of one length, in the order in which they first come.
//!
//! The strings lie one after the other; an open-addressed table of numbers finds them. Both grow by a half; the system
//! moves page tables then, not strings, as soon as they are large. Bytes per string: its own, and 6 to 9 of table, all up to
//! half as much again right after growth.

use crate::arena::same;
use crate::hashing::hash_of;
use std::sync::Arc;
use tightrope_core::{Budget, Holding, OverBudget};

const FIRST_SLOTS: usize = 16;

/// The strings met so far.
pub struct Numbering {
    /// The length of each.
    size: usize,
    strings: Vec<u8>,
    /// The number of the string whose home this is or was near, plus one; 0 where there is none.
    slots: Vec<u32>,
    count: u32,
    holding: Holding,
}

impl Numbering {
    /// None met yet; all will have that length.
    pub fn new(size: usize, budget: &Arc<Budget>) -> Self {
        Numbering { size, strings: Vec::new(), slots: Vec::new(), count: 0, holding: Holding::new(budget.clone()) }
    }

    /// How many there are.
    pub fn len(&self) -> u32 {
        self.count
    }

    /// The string of that number, which [`Numbering::number`] gave.
    #[inline]
    pub fn get(&self, number: u32) -> &[u8] {
        let at = number as usize * self.size;
        &self.strings[at..at + self.size]
    }

    /// The slot at which a search for a string begins.
    #[inline]
    fn home(&self, string: &[u8]) -> usize {
        ((u128::from(hash_of(string)) * self.slots.len() as u128) >> 64) as usize
    }

    /// The number of a string, which has the right length.
    #[inline]
    pub fn number(&mut self, string: &[u8]) -> Result<u32, OverBudget> {
        debug_assert_eq!(string.len(), self.size);
        if !self.slots.is_empty() {
            let mut at = self.home(string);
            while let Some(number) = self.slots[at].checked_sub(1) {
                if same(self.get(number), string) {
                    return Ok(number);
                }
                at = if at + 1 == self.slots.len() { 0 } else { at + 1 };
            }
        }
        self.add(string)
    }

    #[cold]
    fn add(&mut self, string: &[u8]) -> Result<u32, OverBudget> {
        if self.count >= u32::MAX - 1 {
            return Err(OverBudget { asked: self.size as u64, left: 0 });
        }
        if (self.count as usize + 1) * 3 > self.slots.len() * 2 {
            self.grow_slots()?;
        }
        if self.strings.len() + self.size > self.strings.capacity() {
            self.grow_strings()?;
        }
        self.strings.extend_from_slice(string);
        self.enter(self.count);
        self.count += 1;
        Ok(self.count - 1)
    }

    fn enter(&mut self, number: u32) {
        let mut at = self.home(self.get(number));
        while self.slots[at] != 0 {
            at = if at + 1 == self.slots.len() { 0 } else { at + 1 };
        }
        self.slots[at] = number + 1;
    }

    fn grow_slots(&mut self) -> Result<(), OverBudget> {
        let old = self.slots.len();
        let slots = (old + old / 2).max(FIRST_SLOTS);
        // What is there is made again from the strings, so that there are never two of them.
        grow(&mut self.holding, &mut self.slots, slots - old)?;
        self.slots.clear();
        self.slots.resize(slots, 0);
        (0..self.count).for_each(|number| self.enter(number));
        Ok(())
    }

    fn grow_strings(&mut self) -> Result<(), OverBudget> {
        let more = (self.strings.capacity() / 2).max(4 * self.size);
        grow(&mut self.holding, &mut self.strings, more)
            .or_else(|_| grow(&mut self.holding, &mut self.strings, self.size))
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        self.holding.bytes()
    }
}

/// Makes room for exactly so many items more.
fn grow<T>(holding: &mut Holding, items: &mut Vec<T>, more: usize) -> Result<(), OverBudget> {
    let room = items.capacity() - items.len();
    let bytes = (more.saturating_sub(room) * size_of::<T>()) as u64;
    holding.take(bytes)?;
    if items.try_reserve_exact(more).is_err() {
        holding.give_back(bytes);
        return Err(OverBudget { asked: bytes, left: 0 });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_keep_their_numbers() {
        let budget = Arc::new(Budget::unlimited());
        for size in [0, 1, 3, 8, 25] {
            let mut numbering = Numbering::new(size, &budget);
            let string = |n: u32| (0..size).map(|at| (n >> (8 * at.min(3))) as u8).collect::<Vec<u8>>();
            let different = [1, 256, 20_000][size.min(2)];
            for round in 0..3 {
                for n in 0..different {
                    let number = numbering.number(&string(n)).unwrap();
                    assert_eq!((number, round), (n, round));
                    assert_eq!(numbering.get(number), string(n));
                }
            }
            assert_eq!(numbering.len(), different);
        }
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn a_refusal_changes_nothing() {
        for limit in [0, 100, 1000, 20_000] {
            let budget = Arc::new(Budget::new(limit));
            let mut numbering = Numbering::new(4, &budget);
            let mut kept = 0u32;
            while numbering.number(&kept.to_le_bytes()).is_ok() {
                kept += 1;
            }
            assert!(budget.peak() <= limit);
            assert!((0..kept).all(|n| numbering.number(&n.to_le_bytes()) == Ok(n)));
            assert_eq!(numbering.len(), kept);
        }
    }
}
