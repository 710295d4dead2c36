//! The nodes at one place of the tree, each once, numbered in the order of arrival.
//!
//! A node is some words: the bytes of a leaf, or one word with the numbers of the two nodes that it joins. They lie one
//! after the other; a table of [`Slots`] leads from their hashes to their numbers.
//!
//! Invariant: everything is in the words. The table is thrown away before a larger one is made from them.
//!
//! Bytes per node: its words, an eighth more where the memory just grew, and 12 to 24 of table; less, and slower, when
//! the budget refuses more. There are few nodes, so they are made to be found quickly.

use crate::memory::prefetch::prefetch;
use crate::memory::region::Region;
use crate::memory::slots::Slots;
use std::sync::Arc;
use tightrope_core::{Budget, Refused, Reservation};

/// No node has that number.
pub const UNKNOWN: u32 = u32::MAX;

const FIRST_SLOTS: usize = 64;
/// From so many slots on tables grow by a half instead of doubling.
const LARGE_SLOTS: usize = 1 << 16;
/// How many nodes are entered together when a table is made.
const BATCH: usize = 32;
const FIRST_FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND_FACTOR: u64 = 0xd6e8_feb8_6659_fd93;

/// A hash of the words of a node; the highest bits are the best.
#[inline(always)]
pub fn hash(words: impl Iterator<Item = u64>) -> u64 {
    let hash = words.fold(0, |hash: u64, word| (hash ^ hash >> 32 ^ word).wrapping_mul(FIRST_FACTOR));
    (hash ^ hash >> 32).wrapping_mul(SECOND_FACTOR)
}

/// Nodes by number.
pub struct Nodes {
    /// The words of each node.
    stride: usize,
    words: Region<u64>,
    len: usize,
    /// The most there can be: numbers are below the one that stands for none.
    most: usize,
    table: Slots,
    reservation: Reservation,
}

impl Nodes {
    /// None yet, of so many words each; at least one.
    pub fn new(words: usize, budget: &Arc<Budget>) -> Self {
        let stride = words.max(1);
        let (words, table, reservation) = (Region::new(), Slots::new(), Reservation::new(budget.clone()));
        Nodes { stride, words, len: 0, most: UNKNOWN as usize, table, reservation }
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }

    /// The words of a node.
    #[inline(always)]
    pub fn words(&self, number: u32) -> &[u64] {
        &self.words[number as usize * self.stride..][..self.stride]
    }

    /// Whether a node is there and has these words, as many as nodes have here.
    #[inline(always)]
    pub fn is(&self, number: u32, words: &[u64]) -> bool {
        let there = self.words.get(number as usize * self.stride..).and_then(|there| there.get(..words.len()));
        there.is_some_and(|there| there.iter().zip(words).fold(0, |all, (one, other)| all | (one ^ other)) == 0)
    }

    /// The same, where nodes have `W` words.
    #[inline(always)]
    pub fn has<const W: usize>(&self, number: u32, words: &[u64; W]) -> bool {
        let there = self.words.get(number as usize * W..).and_then(|words| words.first_chunk::<W>());
        there.is_some_and(|there| there.iter().zip(words).fold(0, |all, (one, other)| all | (one ^ other)) == 0)
    }

    /// Brings near what will be looked at for a hash.
    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        self.table.prefetch(self.table.home(hash));
    }

    /// A node that probably has that hash, or [`UNKNOWN`]; its words are brought near.
    #[inline(always)]
    pub fn guess(&self, hash: u64) -> u32 {
        if self.len == 0 {
            return UNKNOWN;
        }
        // A free slot leads to one before the first.
        let number = self.table.seek(hash, self.table.home(hash)).1.place() as u32;
        let at = (number as usize).wrapping_mul(self.stride);
        prefetch(&self.words, at);
        prefetch(&self.words, at.wrapping_add(self.stride - 1));
        number
    }

    /// The number of the node with these words; a new one if there is none.
    #[inline]
    pub fn number(&mut self, words: &[u64], hash: u64) -> Result<u32, Refused> {
        if self.len > 0 {
            let mut at = self.table.home(hash);
            loop {
                let (found, slot) = self.table.seek(hash, at);
                if slot.is_free() {
                    break;
                }
                if self.is(slot.place() as u32, words) {
                    return Ok(slot.place() as u32);
                }
                at = self.table.after(found);
            }
        }
        self.add(words, hash)
    }

    #[inline(never)]
    fn add(&mut self, words: &[u64], hash: u64) -> Result<u32, Refused> {
        if self.len >= self.most {
            return Err(Refused::Limit("a table of the store `tree` has as many nodes as it can have, 2³²"));
        }
        if (self.len + 1) * 3 > self.table.len() * 2 {
            self.grow()?;
        }
        let start = self.len * self.stride;
        if start + self.stride > self.words.len() {
            self.lengthen(start + self.stride)?;
        }
        self.words[start..start + words.len()].copy_from_slice(words);
        self.table.enter(hash, self.len as u64);
        self.len += 1;
        Ok(self.len as u32 - 1)
    }

    /// Sees to it that there are `needed` words, and some more if they can be had.
    #[cold]
    fn lengthen(&mut self, needed: usize) -> Result<(), Refused> {
        let mut refused = Refused::Memory;
        for lookup in [(needed + needed / 8).max(32 * self.stride), needed] {
            let asked = 8 * (lookup - self.words.len()) as u64;
            match self.reservation.take(asked) {
                Ok(()) if self.words.grow(lookup) => return Ok(()),
                Ok(()) => self.reservation.give_back(asked),
                Err(over) => refused = over,
            }
        }
        Err(refused)
    }

    /// Makes the table longer; where the budget refuses, it is filled further than is good for speed.
    #[cold]
    fn grow(&mut self) -> Result<(), Refused> {
        let (slots, needed) = (self.table.len(), self.len + 1);
        // What is left will be needed for other things, too: a table takes at most an eighth of it, until it is crowded.
        let spare = self.reservation.budget().left() / 8;
        let most = if slots < LARGE_SLOTS { slots.max(FIRST_SLOTS) } else { slots / 2 };
        let crowded = needed * 8 > slots * 7;
        let step = match [most, slots / 4, slots / 16].into_iter().find(|&step| step > 0 && 8 * step as u64 <= spare) {
            Some(step) => step,
            None if crowded => slots / 16 + 16,
            None => return Ok(()),
        };
        let result = self.make_table(slots + step);
        if result.is_err() && needed * 20 <= slots * 19 { Ok(()) } else { result }
    }

    fn make_table(&mut self, slots: usize) -> Result<(), Refused> {
        let asked = 8 * (slots - self.table.len()) as u64;
        self.reservation.take(asked)?;
        let Some(table) = Slots::with(slots, u64::from(UNKNOWN)) else {
            self.reservation.give_back(asked);
            return Err(Refused::Memory);
        };
        // The old one is gone before the new one takes any memory.
        self.table = table;
        let mut hashes = [0; BATCH];
        let mut from = 0;
        while from < self.len {
            let count = BATCH.min(self.len - from);
            for (at, of) in hashes[..count].iter_mut().enumerate() {
                *of = hash(self.words((from + at) as u32).iter().copied());
                self.prefetch(*of);
            }
            hashes[..count].iter().enumerate().for_each(|(at, &hash)| self.table.enter(hash, (from + at) as u64));
            from += count;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u64, words: usize) -> Vec<u64> {
        let mut key = vec![0; words];
        key[0] = number.wrapping_mul(number) << 32 | number;
        key[words - 1] |= (number % 3) << 60;
        key
    }

    fn number(nodes: &mut Nodes, key: &[u64]) -> Result<u32, Refused> {
        let hash = hash(key.iter().copied());
        let guess = nodes.guess(hash);
        let number = nodes.number(key, hash)?;
        assert!(guess == number || !nodes.is(guess, key));
        Ok(number)
    }

    #[test]
    fn nodes_keep_their_numbers() {
        for words in 1..=6 {
            let budget = Arc::new(Budget::unlimited());
            let mut nodes = Nodes::new(words, &budget);
            let numbers: Vec<u32> =
                (0..60_000).map(|lookup| number(&mut nodes, &key(lookup, words)).unwrap()).collect();
            assert!(numbers.iter().copied().eq(0..60_000));
            for lookup in 0..60_000 {
                assert_eq!(number(&mut nodes, &key(lookup, words)).unwrap(), lookup as u32);
                assert!(nodes.is(lookup as u32, &key(lookup, words)));
            }
            assert_eq!(nodes.bytes(), budget.used());
            let beside = nodes.bytes() as f64 / 60_000.0 - 8.0 * words as f64;
            assert!(beside < 25.0 + words as f64, "{beside} bytes per node beside its words");
        }
    }

    #[test]
    fn there_are_no_more_than_there_are_numbers() {
        // Not a length at which the table grows.
        let mut nodes = Nodes { most: 100, ..Nodes::new(1, &Arc::new(Budget::unlimited())) };
        assert!((0..100).all(|lookup| number(&mut nodes, &key(lookup, 1)) == Ok(lookup as u32)));
        assert!(matches!(number(&mut nodes, &key(100, 1)), Err(Refused::Limit(what)) if what.contains("2³²")));
        assert_eq!(number(&mut nodes, &key(99, 1)), Ok(99));
    }

    #[test]
    fn a_refusal_changes_nothing() {
        for limit in [0, 600, 5000, 10_000, 100_000, 1_000_000] {
            let budget = Arc::new(Budget::new(limit));
            let mut nodes = Nodes::new(1, &budget);
            let mut count = 0;
            while number(&mut nodes, &key(count, 1)).is_ok() {
                count += 1;
            }
            assert!(budget.peak() <= limit);
            assert_eq!(nodes.bytes(), budget.used());
            assert!(limit < 5000 || count > limit / 20, "{count} with {limit}");
            assert!((0..count).all(|lookup| number(&mut nodes, &key(lookup, 1)) == Ok(lookup as u32)));
            assert!(number(&mut nodes, &key(count, 1)).is_err());
        }
    }
}
