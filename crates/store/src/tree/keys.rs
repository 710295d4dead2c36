//! What nodes are, one after the other, in just the bits that are needed.
//!
//! [`Pairs`] are words, of which the high and the low half each take as many bits as the greatest so far needs; where
//! one needs more, all are written again in place, from the last to the first. [`Strings`] have a number of bits that is
//! given. The memory grows in small steps, in place.

use super::form::width;
use crate::prefetch::prefetch;
use crate::region::Region;
use tightrope_core::{Holding, OverBudget};

/// A growing sequence of keys, each named by its number.
pub trait Keys {
    /// What they are.
    type Key: Copy + PartialEq;

    /// How many there are.
    fn len(&self) -> usize;

    /// Brings a key near.
    fn prefetch(&self, number: usize);

    /// The key of that number.
    fn get(&self, number: usize) -> Self::Key;

    /// Adds a key and returns its number. What it takes is in `holding`.
    fn push(&mut self, key: Self::Key, holding: &mut Holding) -> Result<usize, OverBudget>;

    /// A hash of a key.
    fn hash(key: Self::Key) -> u64;
}

/// Up to 256 bits, zeros behind.
pub type Wide = [u64; 4];

const FIRST_FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND_FACTOR: u64 = 0xd6e8_feb8_6659_fd93;

/// Sees to it that there are `needed` words, and some more if they can be had.
fn enlarge(words: &mut Region<u64>, needed: usize, holding: &mut Holding) -> Result<(), OverBudget> {
    let mut refused = OverBudget { asked: 0, left: 0 };
    for wanted in [(needed + needed / 8).max(32), needed] {
        let asked = 8 * (wanted - words.len()) as u64;
        match holding.take(asked) {
            Ok(()) if words.grow(wanted) => return Ok(()),
            Ok(()) => holding.give_back(asked),
            Err(over) => refused = over,
        }
    }
    Err(refused)
}

/// The 64 bits from the bit `at` on.
#[inline(always)]
fn read(words: &[u64], at: usize) -> u64 {
    let (word, shift) = (at / 64, at % 64);
    words[word] >> shift | words[word + 1] << 1 << (63 - shift)
}

/// Writes `bits` bits, at the bit `at`.
#[inline(always)]
fn write(words: &mut [u64], at: usize, bits: u32, value: u64) {
    let (word, shift) = (at / 64, at % 64);
    words[word] = words[word] & !(mask(bits) << shift) | value << shift;
    if shift + bits as usize > 64 {
        let taken = 64 - shift as u32;
        words[word + 1] = words[word + 1] & !(mask(bits) >> taken) | value >> taken;
    }
}

/// Strings of bits, all of the same length.
pub struct Strings {
    words: Region<u64>,
    len: usize,
    bits: u32,
    /// The bits of each word of a key.
    masks: Wide,
}

impl Strings {
    /// None yet, of so many bits each.
    pub fn new(bits: u32) -> Self {
        let masks = [0, 64, 128, 192].map(|before: u32| mask(bits.saturating_sub(before).min(64)));
        Strings { words: Region::new(), len: 0, bits, masks }
    }
}

impl Keys for Strings {
    type Key = Wide;

    #[inline]
    fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn prefetch(&self, number: usize) {
        let first = number * self.bits as usize / 64;
        prefetch(&self.words, first);
        prefetch(&self.words, first + self.bits as usize / 64);
    }

    #[inline]
    fn get(&self, number: usize) -> Wide {
        let at = number * self.bits as usize;
        let (word, shift) = (at / 64, at % 64);
        let words: &[u64; 5] = self.words[word..].first_chunk().expect("four words beyond the end");
        let part =
            |number: usize| (words[number] >> shift | words[number + 1] << 1 << (63 - shift)) & self.masks[number];
        [part(0), part(1), part(2), part(3)]
    }

    fn push(&mut self, key: Wide, holding: &mut Holding) -> Result<usize, OverBudget> {
        // A key is read as five words, whatever its length.
        let needed = words_for(self.len + 1, self.bits) + 4;
        if needed > self.words.len() {
            enlarge(&mut self.words, needed, holding)?;
        }
        let (mut at, mut left) = (self.len * self.bits as usize, self.bits);
        for word in key {
            if left == 0 {
                break;
            }
            let bits = left.min(64);
            write(&mut self.words, at, bits, word);
            at += 64;
            left -= bits;
        }
        self.len += 1;
        Ok(self.len - 1)
    }

    #[inline]
    fn hash(key: Wide) -> u64 {
        let mut hash = key[0].wrapping_mul(FIRST_FACTOR);
        hash = (hash ^ hash >> 32 ^ key[1]).wrapping_mul(SECOND_FACTOR);
        hash = (hash ^ hash >> 32 ^ key[2]).wrapping_mul(FIRST_FACTOR);
        (hash ^ hash >> 32 ^ key[3].wrapping_mul(FIRST_FACTOR)).wrapping_mul(SECOND_FACTOR)
    }
}

/// Pairs of numbers below 2³².
pub struct Pairs {
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

impl Pairs {
    /// None yet.
    pub const fn new() -> Self {
        Pairs { words: Region::new(), len: 0, high: 0, low: 1 }
    }

    fn put(&mut self, number: usize, key: u64) {
        let bits = self.high + self.low;
        let both = (key >> 32) << self.low | key & mask(self.low);
        write(&mut self.words, number * bits as usize, bits, both);
    }

    #[cold]
    fn make_room(&mut self, high: u32, low: u32, holding: &mut Holding) -> Result<(), OverBudget> {
        let needed = words_for(self.len + 1, high + low);
        if needed > self.words.len() {
            enlarge(&mut self.words, needed, holding)?;
        }
        if (high, low) != (self.high, self.low) {
            // A pair is written at or behind where it was, hence over none that is still to be read.
            let old = (self.high, self.low);
            for number in (0..self.len).rev() {
                (self.high, self.low) = old;
                let key = self.get(number);
                (self.high, self.low) = (high, low);
                self.put(number, key);
            }
            (self.high, self.low) = (high, low);
        }
        Ok(())
    }
}

impl Keys for Pairs {
    type Key = u64;

    #[inline]
    fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn prefetch(&self, number: usize) {
        prefetch(&self.words, number * (self.high + self.low) as usize / 64);
    }

    #[inline]
    fn get(&self, number: usize) -> u64 {
        let bits = self.high + self.low;
        let both = read(&self.words, number * bits as usize) & mask(bits);
        (both >> self.low) << 32 | both & mask(self.low)
    }

    fn push(&mut self, key: u64, holding: &mut Holding) -> Result<usize, OverBudget> {
        let (high, low) = (self.high.max(width(key >> 32)), self.low.max(width(key & mask(32))));
        if words_for(self.len + 1, high + low) > self.words.len() || (high, low) != (self.high, self.low) {
            self.make_room(high, low, holding)?;
        }
        self.put(self.len, key);
        self.len += 1;
        Ok(self.len - 1)
    }

    #[inline]
    fn hash(key: u64) -> u64 {
        let hash = key.wrapping_mul(FIRST_FACTOR);
        (hash ^ hash >> 32).wrapping_mul(SECOND_FACTOR)
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
        let mut keys = Pairs::new();
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

    #[test]
    fn strings_of_all_lengths_come_back() {
        for bits in [0, 1, 7, 63, 64, 65, 100, 128, 129, 191, 192, 193, 256] {
            let mut holding = Holding::new(Arc::new(Budget::unlimited()));
            let mut strings = Strings::new(bits);
            let key = |number: u64| {
                let hash = (number + 1).wrapping_mul(FIRST_FACTOR);
                let part = |word: u32| hash.rotate_left(9 * word) & mask(bits.saturating_sub(64 * word).min(64));
                [part(0), part(1), part(2), part(3)]
            };
            for number in 0..500 {
                strings.push(key(number), &mut holding).unwrap();
            }
            assert!((0..500).all(|number| strings.get(number) == key(number as u64)));
        }
    }
}
