//! Numbers for byte strings of one length, in the order in which they first come.
//!
//! The strings lie one after the other; a table with linear probing finds their numbers. Both grow by a half; the system
//! moves page tables then, not strings, as soon as they are large. In front of it is a small table for what was sought lately,
//! where a string has just one place: what is found there, nearly everything, takes no branch that is hard to guess. The table
//! behind it is seldom asked, so its slots have no tag: four bytes instead of the six or eight of [`crate::memory::slots`].
//! Bytes per string: its own, and 6 to 9 of table, all up to half as much again right after growth; and 32 to 64 for the
//! first few thousand.

use crate::memory::arena::same;
use crate::memory::hashing::hash_of;
use crate::memory::prefetch::prefetch;
use crate::memory::probe;
use std::sync::Arc;
use tightrope_core::{Budget, Refused, Reservation};

const FIRST_SLOTS: usize = 16;
/// The sizes of the table in front.
const FIRST_RECENT: usize = 16;
const MOST_RECENT: usize = 1 << 14;
/// From here on the table is too large for the processor's nearer caches.
const FAR_SLOTS: usize = 1 << 16;
/// Spreads keys over places: the golden ratio, as Knuth has it.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
/// The number of none.
const NONE: u32 = u32::MAX;

/// The strings met so far.
pub struct Numbering {
    /// The length of each.
    size: usize,
    strings: Vec<u8>,
    /// The number of the string whose home this is or was near, plus one; 0 where there is none.
    slots: Vec<u32>,
    count: u32,
    /// What was sought lately, at the place of its key. As many as a power of two, or none.
    recent: Vec<Recent>,
    /// The high bits of a product that are no place in it.
    shift: u32,
    reservation: Reservation,
}

/// A string that was sought lately.
#[derive(Clone, Copy)]
struct Recent {
    /// The string, or its hash if it is longer.
    key: u64,
    number: u32,
}

/// The string, if it has at most eight bytes; otherwise its hash.
#[inline]
fn key_of(string: &[u8]) -> u64 {
    if string.len() > size_of::<u64>() {
        return hash_of(string);
    }
    // Where there are enough bytes, those of two halves that overlap.
    match (string.first_chunk(), string.last_chunk()) {
        (Some(first), Some(last)) => {
            let half = |chunk: &[u8; 4]| u64::from(u32::from_le_bytes(*chunk));
            half(first) | half(last) << (8 * (string.len() - 4))
        }
        _ => string.iter().rev().fold(0, |key, &byte| key << 8 | u64::from(byte)),
    }
}

impl Numbering {
    /// None met yet; all will have that length.
    pub fn new(size: usize, budget: &Arc<Budget>) -> Self {
        Numbering {
            size,
            strings: Vec::new(),
            slots: Vec::new(),
            count: 0,
            recent: Vec::new(),
            shift: 0,
            reservation: Reservation::new(budget.clone()),
        }
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
        probe::home(hash_of(string), self.slots.len())
    }

    /// What was sought lately and has the place of this key.
    #[inline]
    fn recent(&self, key: u64) -> Option<u32> {
        let place = key.wrapping_mul(SPREAD) >> self.shift;
        let recent = self.recent.get(place as usize)?;
        ((recent.key == key) & (recent.number != NONE)).then_some(recent.number)
    }

    /// The number of a string, which has the right length.
    #[inline]
    pub fn number(&mut self, string: &[u8]) -> Result<u32, Refused> {
        let key = key_of(string);
        match self.recent(key) {
            Some(number) if self.size <= size_of::<u64>() || same(self.get(number), string) => Ok(number),
            _ => self.look_up(key, string),
        }
    }

    /// The numbers of several strings. Where there are so many that they are far away, all are fetched before any is waited for.
    #[inline]
    pub fn number_all<'a>(
        &mut self,
        strings: impl Iterator<Item = &'a [u8]> + Clone,
        numbers: &mut [u32],
    ) -> Result<(), Refused> {
        if self.slots.len() >= FAR_SLOTS {
            strings.clone().for_each(|string| prefetch(&self.slots, self.home(string)));
            for string in strings.clone() {
                let number = self.slots[self.home(string)].saturating_sub(1);
                prefetch(&self.strings, number as usize * self.size);
            }
        }
        for (number, string) in numbers.iter_mut().zip(strings) {
            *number = self.number(string)?;
        }
        Ok(())
    }

    /// The number of a string of at most eight bytes: those of `word`, the others are zero.
    #[inline]
    pub fn number_of_word(&mut self, word: u64) -> Result<u32, Refused> {
        match self.recent(word) {
            Some(number) => Ok(number),
            None => self.look_up(word, &word.to_le_bytes()[..self.size]),
        }
    }

    /// The number of a string that was not sought lately.
    fn look_up(&mut self, key: u64, string: &[u8]) -> Result<u32, Refused> {
        let number = self.find_or_add(string)?;
        let place = key.wrapping_mul(SPREAD) >> self.shift;
        if let Some(recent) = self.recent.get_mut(place as usize) {
            *recent = Recent { key, number };
        }
        Ok(number)
    }

    #[inline]
    fn find_or_add(&mut self, string: &[u8]) -> Result<u32, Refused> {
        debug_assert_eq!(string.len(), self.size);
        if !self.slots.is_empty() {
            let mut at = self.home(string);
            while let Some(number) = self.slots[at].checked_sub(1) {
                if same(self.get(number), string) {
                    return Ok(number);
                }
                at = probe::after(at, self.slots.len());
            }
        }
        self.add(string)
    }

    #[cold]
    fn add(&mut self, string: &[u8]) -> Result<u32, Refused> {
        if self.count >= u32::MAX - 1 {
            return Err(Refused::Limit("a table of the encoding has as many entries as it can have, 2³²"));
        }
        if (self.count as usize + 1) * 3 > self.slots.len() * 2 {
            self.grow_slots()?;
        }
        if self.strings.len() + self.size > self.strings.capacity() {
            self.grow_strings()?;
        }
        if self.count as usize >= self.recent.len() / 2 && self.recent.len() < MOST_RECENT {
            self.grow_recent();
        }
        self.strings.extend_from_slice(string);
        self.enter(self.count);
        self.count += 1;
        Ok(self.count - 1)
    }

    fn enter(&mut self, number: u32) {
        let mut at = self.home(self.get(number));
        while self.slots[at] != 0 {
            at = probe::after(at, self.slots.len());
        }
        self.slots[at] = number + 1;
    }

    fn grow_slots(&mut self) -> Result<(), Refused> {
        let old = self.slots.len();
        let slots = (old + old / 2).max(FIRST_SLOTS);
        // What is there is made again from the strings, so that there are never two of them.
        grow(&mut self.reservation, &mut self.slots, slots - old)?;
        self.slots.clear();
        self.slots.resize(slots, 0);
        (0..self.count).for_each(|number| self.enter(number));
        Ok(())
    }

    /// Makes the table in front larger, if there is memory to spare. What was in it will come again.
    fn grow_recent(&mut self) {
        let old = self.recent.len();
        let wanted = (2 * old).max(FIRST_RECENT);
        if self.reservation.budget().left() / 8 < (wanted * size_of::<Recent>()) as u64
            || grow(&mut self.reservation, &mut self.recent, wanted - old).is_err()
        {
            return;
        }
        self.recent.clear();
        self.recent.resize(wanted, Recent { key: 0, number: NONE });
        self.shift = 64 - wanted.ilog2();
    }

    fn grow_strings(&mut self) -> Result<(), Refused> {
        let more = (self.strings.capacity() / 2).max(4 * self.size);
        grow(&mut self.reservation, &mut self.strings, more)
            .or_else(|_| grow(&mut self.reservation, &mut self.strings, self.size))
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }
}

/// Makes room for exactly so many items more.
fn grow<T>(reservation: &mut Reservation, items: &mut Vec<T>, more: usize) -> Result<(), Refused> {
    let room = items.capacity() - items.len();
    let bytes = (more.saturating_sub(room) * size_of::<T>()) as u64;
    reservation.take(bytes)?;
    if tightrope_core::ask_for_memory(|| items.try_reserve_exact(more)).is_err() {
        reservation.give_back(bytes);
        return Err(Refused::Memory);
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
            assert_eq!(numbering.count, different);
        }
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn the_end_of_the_numbers_is_told_from_want_of_memory() {
        let mut numbering = Numbering::new(4, &Arc::new(Budget::unlimited()));
        numbering.count = u32::MAX - 1;
        assert!(matches!(numbering.number(&[1, 2, 3, 4]), Err(Refused::Limit(what)) if what.contains("2³²")));
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
            assert_eq!(numbering.count, kept);
        }
    }
}
