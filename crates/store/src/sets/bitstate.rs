//! Bit-state hashing: a few bits per state in one large array of bits.
//!
//! Holzmann's supertrace (1987): a code sets `k` bits of an array, which its hash names; a code whose bits are all set is taken for
//! one that was seen. Codes are lost, more of them as the array fills, and whatever only they lead to is lost with them. A new code
//! is lost with the probability that all its bits are set by others, which is known at every moment and only grows. The claim is
//! that any of `n` codes was lost with at most `n` times the last probability.
//!
//! The array cannot grow, for nothing tells whose bits are set. So there is a row of arrays, each twice as large as all before
//! together (Almeida and others: scalable Bloom filters); bits are set in the last one, and looked for in all. An array is
//! kept so empty that hardly one of as many codes is lost as would fit into the memory at a hundred bytes each. When the budget
//! gives nothing more the last one is filled further: such a search never ends for want of memory.
//!
//! Bytes per state: several hundred as long as there is memory, less than one when there is none left. Not where one of the
//! others fits.

use super::insert_probed;
use crate::memory::prefetch::prefetch;
use crate::memory::region::Region;
use rapidhash::v3::{RapidSecrets, rapidhash_v3_seeded};
use std::sync::Arc;
use tightrope_core::{Budget, Claim, Edge, Found, Parent, Refused, Reservation, StateId, Store, Successors};

/// The words of the first array.
const FIRST_WORDS: usize = 1 << 14;
/// The words of the first array, where there is hardly any memory.
const LEAST_WORDS: usize = 1024;

/// A set that remembers bits.
pub struct Bitstate {
    /// The bits that a code sets.
    bits: u32,
    secrets: RapidSecrets,
    arrays: Vec<BitArray>,
    len: u64,
    /// The share of the bits of an array that are set when the next one begins.
    full: f64,
    reservation: Reservation,
}

/// A Bloom filter that is filled once.
struct BitArray {
    words: Region<u64>,
    /// How many of them are set.
    ones: u64,
}

impl BitArray {
    /// The word and the bit of the `index`-th bit of a code. One hash gives all, each from all its bits (the finaliser of
    /// SplitMix64): places that were made of parts of it would coincide together.
    #[inline]
    fn place(&self, hash: u64, index: u64) -> (usize, u64) {
        let mut mixed = hash.wrapping_add(index.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let at = (u128::from(mixed) * (64 * self.words.len() as u128)) >> 64;
        ((at >> 6) as usize, 1 << (at & 63))
    }

    fn has(&self, hash: u64, bits: u32) -> bool {
        (0..u64::from(bits)).all(|index| {
            let (word, bit) = self.place(hash, index);
            self.words[word] & bit != 0
        })
    }

    fn put(&mut self, hash: u64, bits: u32) {
        for index in 0..u64::from(bits) {
            let (word, bit) = self.place(hash, index);
            self.ones += u64::from(self.words[word] & bit == 0);
            self.words[word] |= bit;
        }
    }

    /// The share of the bits that are set.
    fn share(&self) -> f64 {
        self.ones as f64 / (64 * self.words.len()) as f64
    }
}

/// The words of all arrays together under a limit of memory: the rest is for the program and for the frontier. What is left at some
/// moment does not matter, since that differs from run to run.
fn most_words(limit: u64) -> usize {
    const PROGRAM: u64 = 12 << 20;
    ((limit - (limit / 2).min(PROGRAM)) / 8 / 8 * 5) as usize
}

impl Bitstate {
    /// The default number of bits that a code sets.
    pub const BITS: u32 = 3;

    /// An empty set in which a code sets so many bits.
    pub fn new(bits: u32, seed: u64, budget: &Arc<Budget>) -> Self {
        // So that of as many codes as have a hundred bytes each, hardly one is lost. What is allowed decides, not what is left of
        // it: that differs from run to run.
        let codes = (budget.limit() as f64 / 100.0).clamp(1e3, 1e12);
        let full = (2e-3 / codes).powf(1.0 / f64::from(bits)).min(0.2);
        Bitstate {
            bits,
            secrets: RapidSecrets::seed(seed),
            arrays: Vec::new(),
            len: 0,
            full,
            reservation: Reservation::new(budget.clone()),
        }
    }

    /// Adds an array if the last one is full enough and the budget has room for one; the first must be had.
    fn make_room(&mut self) -> Result<(), Refused> {
        if self.arrays.last().is_some_and(|last| last.share() < self.full) {
            return Ok(());
        }
        let all: usize = self.arrays.iter().map(|array| array.words.len()).sum();
        let most = most_words(self.reservation.budget().limit());
        let least = LEAST_WORDS.max(all / 8);
        let mut words = (2 * all).max(FIRST_WORDS).min(most.saturating_sub(all));
        if all == 0 {
            words = words.max(least);
        }
        let mut result = Err(Refused::Memory);
        while result.is_err() && words >= least {
            result = self.add_array(words);
            words /= 2;
        }
        let Some(last) = self.arrays.last() else { return result };
        if result.is_err() {
            // It is tried again when the last one is fuller by a quarter.
            self.full = last.share() * 1.25;
        }
        Ok(())
    }

    fn add_array(&mut self, words: usize) -> Result<(), Refused> {
        let bytes = 8 * words as u64;
        self.reservation.take(bytes)?;
        let mut region = Region::new();
        if !region.grow(words) {
            self.reservation.give_back(bytes);
            return Err(Refused::Memory);
        }
        self.arrays.push(BitArray { words: region, ones: 0 });
        Ok(())
    }

    /// The probability that a new code is taken for one that was seen.
    fn lost(&self) -> f64 {
        let lost = self.arrays.iter().map(|array| array.share().powi(self.bits as i32));
        1.0 - lost.map(|lost| 1.0 - lost).product::<f64>()
    }

    fn insert_hash(&mut self, hash: u64) -> Result<Found, Refused> {
        self.make_room()?;
        if self.arrays.iter().rev().any(|array| array.has(hash, self.bits)) {
            return Ok(Found::Seen(StateId::NAMELESS));
        }
        if let Some(last) = self.arrays.last_mut() {
            last.put(hash, self.bits);
        }
        self.len += 1;
        Ok(Found::New(StateId::NAMELESS))
    }
}

impl Store for Bitstate {
    fn insert(&mut self, code: &[u8], _via: Option<Edge>) -> Result<Found, Refused> {
        self.insert_hash(rapidhash_v3_seeded(code, &self.secrets))
    }

    fn insert_all(&mut self, codes: &Successors, _parents: &[Parent], found: &mut Vec<Found>) -> Result<(), Refused> {
        let probe = |set: &Self, code: &[u8]| {
            let hash = rapidhash_v3_seeded(code, &set.secrets);
            for array in &set.arrays {
                (0..u64::from(set.bits)).for_each(|index| prefetch(&array.words, array.place(hash, index).0));
            }
            hash
        };
        insert_probed(self, codes, found, probe, |set, hash, _| set.insert_hash(hash))
    }

    fn len(&self) -> u64 {
        self.len
    }

    fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }

    fn claim(&self) -> Claim {
        Claim::Hashed { omission: (self.len as f64 * self.lost()).min(1.0) }
    }

    fn loss(&self) -> Option<f64> {
        Some(self.lost())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_lost_than_it_says() {
        for (limit, bits) in [(1 << 28, 3), (100_000, 3), (100_000, 1), (1 << 20, 2), (1 << 24, 3)] {
            let (mut new, mut said) = (0.0, 0.0);
            for seed in 0..5 {
                let budget = Arc::new(Budget::new(limit));
                let mut set = Bitstate::new(bits, seed, &budget);
                for number in 0..100_000u64 {
                    new += f64::from(u8::from(matches!(set.insert(&number.to_le_bytes(), None), Ok(Found::New(_)))));
                }
                said += 1.0 - set.loss().unwrap();
                let Claim::Hashed { omission } = set.claim() else { panic!("it is not exact") };
                assert!(omission < 0.01 || limit < 1 << 28, "{omission}");
                assert!(budget.peak() <= limit);
            }
            let (new, said) = (new / 500_000.0, said / 5.0);
            assert!(new >= said - 0.003, "{new} of all were new, it says at least {said}");
        }
    }

    /// In a large array hardly anything is lost, which needs places that do not coincide together.
    #[test]
    fn a_large_array_loses_nothing() {
        let budget = Arc::new(Budget::new(1 << 30));
        let mut set = Bitstate::new(3, 7, &budget);
        let new = (0..400_000u64)
            .filter(|number| matches!(set.insert(&number.to_le_bytes(), None), Ok(Found::New(_))))
            .count();
        assert!(new >= 399_999, "{new} of 400,000 are new");
    }

    #[test]
    fn what_was_inserted_is_seen() {
        let mut set = Bitstate::new(3, 1, &Arc::new(Budget::unlimited()));
        for number in 0..300_000u64 {
            let _ = set.insert(&number.to_le_bytes(), None).unwrap();
            assert!(matches!(set.insert(&number.to_le_bytes(), None), Ok(Found::Seen(_))));
        }
        assert!((0..300_000u64).all(|number| matches!(set.insert(&number.to_le_bytes(), None), Ok(Found::Seen(_)))));
    }
}
