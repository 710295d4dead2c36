//! Pairs of numbers, one after the other, each in as many bits as the greatest so far needs.
//!
//! A pair is a word: its high and its low half. Where one needs more bits than any before, all are written again in
//! place, from the last to the first. The memory grows in small steps, in place.

use super::form::width;
use crate::prefetch::prefetch;
use crate::region::Region;
use tightrope_core::{Holding, OverBudget};

/// A growing sequence of pairs.
pub struct Keys {
    words: Region<u64>,
    len: usize,
    high: u32,
    low: u32,
}

#[inline]
fn mask(bits: u32) -> u64 {
    u64::MAX.checked_shr(64 - bits).unwrap_or(0)
}

/// The words that `len` pairs of `bits` bits need; one beyond the end may be looked at.
fn words_for(len: usize, bits: u32) -> usize {
    (len * bits as usize).div_ceil(64) + 1
}

impl Keys {
    /// An empty sequence.
    pub const fn new() -> Self {
        Keys { words: Region::new(), len: 0, high: 0, low: 1 }
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Brings a pair near.
    #[inline]
    pub fn prefetch(&self, number: usize) {
        prefetch(&self.words, number * (self.high + self.low) as usize / 64);
    }

    /// The pair of that number.
    #[inline]
    pub fn get(&self, number: usize) -> u64 {
        let bits = self.high + self.low;
        let at = number * bits as usize;
        let (word, shift) = (at / 64, at % 64);
        let both = (self.words[word] >> shift | self.words[word + 1] << 1 << (63 - shift)) & mask(bits);
        (both >> self.low) << 32 | both & mask(self.low)
    }

    fn put(&mut self, number: usize, key: u64) {
        let bits = self.high + self.low;
        let both = (key >> 32) << self.low | key & mask(self.low);
        let at = number * bits as usize;
        let (word, shift) = (at / 64, at % 64);
        self.words[word] = self.words[word] & !(mask(bits) << shift) | both << shift;
        if shift + bits as usize > 64 {
            let taken = 64 - shift as u32;
            self.words[word + 1] = self.words[word + 1] & !(mask(bits) >> taken) | both >> taken;
        }
    }

    /// Adds a pair and returns its number. What it takes is in `holding`.
    pub fn push(&mut self, key: u64, holding: &mut Holding) -> Result<usize, OverBudget> {
        let (high, low) = (self.high.max(width(key >> 32)), self.low.max(width(key & mask(32))));
        if words_for(self.len + 1, high + low) > self.words.len() || (high, low) != (self.high, self.low) {
            self.make_room(high, low, holding)?;
        }
        self.put(self.len, key);
        self.len += 1;
        Ok(self.len - 1)
    }

    #[cold]
    fn make_room(&mut self, high: u32, low: u32, holding: &mut Holding) -> Result<(), OverBudget> {
        let needed = words_for(self.len + 1, high + low);
        if needed > self.words.len() {
            let generous = (needed + needed / 8).max(32);
            self.enlarge(generous, holding).or_else(|_| self.enlarge(needed, holding))?;
        }
        if (high, low) != (self.high, self.low) {
            // A pair is written at or behind where it was, hence over none that is still to be read.
            let old = Keys { words: Region::new(), ..*self };
            for number in (0..self.len).rev() {
                (self.high, self.low) = (old.high, old.low);
                let key = self.get(number);
                (self.high, self.low) = (high, low);
                self.put(number, key);
            }
            (self.high, self.low) = (high, low);
        }
        Ok(())
    }

    fn enlarge(&mut self, words: usize, holding: &mut Holding) -> Result<(), OverBudget> {
        let asked = 8 * (words - self.words.len()) as u64;
        holding.take(asked)?;
        if self.words.grow(words) {
            return Ok(());
        }
        holding.give_back(asked);
        Err(OverBudget { asked, left: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tightrope_core::Budget;

    #[test]
    fn pairs_come_back_whatever_widths_follow() {
        let mut holding = Holding::new(Arc::new(Budget::unlimited()));
        let mut keys = Keys::new();
        let key = |number: usize| {
            let hash = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            hash & mask((number as u32 / 400).min(32)) | (hash >> 32 & mask((number as u32 / 1000).min(32))) << 32
        };
        for number in 0..40_000 {
            assert_eq!(keys.push(key(number), &mut holding).unwrap(), number);
            assert_eq!(keys.get(number), key(number));
        }
        assert!((0..40_000).all(|number| keys.get(number) == key(number)));
        assert_eq!(holding.bytes(), 8 * keys.words.len() as u64);
    }
}
