//! How many different states there were, and how many came again: an estimate from a sample.
//!
//! Adaptive sampling (Wegman; Flajolet 1990): of all signatures, those are kept whose lowest bits are zero, one bit more each time
//! there are too many. How many there are, times two to the number of bits, is the number of different states, within two
//! percent or so; exact as long as all signatures fit. A state that is new to the cache and whose signature is kept already has
//! been there before.
//!
//! Bytes: 64 KiB, where that is a small part of the budget; else there is no estimate.

use crate::memory::number_set::NumberSet;
use rapidhash::v3::{RapidSecrets, rapidhash_v3_seeded};
use std::sync::Arc;
use tightrope_core::{Budget, CacheStats, Reservation};

const SLOTS: usize = 8192;
const MOST: usize = SLOTS / 2;
/// What share of the budget it may take: one of so many.
const SHARE: u64 = 32;
/// The sampled states over which "lately" extends.
const WINDOW: u64 = 512;

/// A sample of the states that were new.
pub struct Distinct {
    secrets: RapidSecrets,
    signatures: NumberSet,
    /// The lowest bits of them, which are zero.
    bits: u32,
    /// Sampled states of the present window, and those of them that had been there before.
    seen: u64,
    again: u64,
    lately: Option<f64>,
    reservation: Reservation,
}

impl Distinct {
    /// An empty sample; none where there is no memory for it.
    pub fn new(seed: u64, budget: &Arc<Budget>) -> Option<Self> {
        let bytes = 8 * SLOTS as u64;
        let mut reservation = Reservation::new(budget.clone());
        if bytes > budget.limit() / SHARE || reservation.take(bytes).is_err() {
            return None;
        }
        let (secrets, signatures) = (RapidSecrets::seed(seed), NumberSet::with(SLOTS)?);
        Some(Distinct { secrets, signatures, bits: 0, seen: 0, again: 0, lately: None, reservation })
    }

    /// A state was new.
    #[inline]
    pub fn add(&mut self, code: &[u8]) {
        let signature = rapidhash_v3_seeded(code, &self.secrets).min(u64::MAX - 1);
        if signature & ((1 << self.bits) - 1) == 0 {
            self.add_signature(signature);
        }
    }

    fn add_signature(&mut self, signature: u64) {
        let new = self.signatures.insert(signature);
        self.seen += 1;
        self.again += u64::from(!new);
        if self.seen == WINDOW {
            self.lately = Some(self.again as f64 / WINDOW as f64);
            (self.seen, self.again) = (0, 0);
        }
        while self.signatures.len() > MOST {
            self.bits += 1;
            let mask = (1 << self.bits) - 1;
            self.signatures.retain(|signature| signature & mask == 0);
        }
    }

    /// How many different states there were.
    pub fn count(&self) -> u64 {
        (self.signatures.len() as u64) << self.bits
    }

    /// The share of the states that were new lately, but had been there before.
    pub fn lately(&self) -> Option<f64> {
        self.lately
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }
}

/// The figures of a cache, with how many different states there were as far as a sample tells: exactly while none was evicted.
pub fn with_sample(figures: CacheStats, sample: Option<&Distinct>) -> CacheStats {
    let none_evicted = (figures.evicted == 0).then_some(figures.inserted);
    let distinct = none_evicted.or(sample.map(|sample| sample.count().min(figures.inserted)));
    CacheStats { distinct, lately: sample.and_then(Distinct::lately), ..figures }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_is_near() {
        let mut farthest = 0f64;
        for seed in 0..20 {
            let mut distinct = Distinct::new(seed, &Arc::new(Budget::unlimited())).expect("unlimited");
            for number in 0..200_000u64 {
                distinct.add(&number.to_le_bytes());
                assert!(number >= MOST as u64 || distinct.count() == number + 1);
                if number % 2 == 0 {
                    distinct.add(&(number / 2).to_le_bytes());
                }
            }
            farthest = farthest.max((distinct.count() as f64 / 200_000.0 - 1.0).abs());
            let lately = distinct.lately().expect("many were seen");
            assert!((0.25..0.42).contains(&lately), "{lately} instead of a third");
        }
        assert!(farthest < 0.07, "{farthest}");
    }

    #[test]
    fn it_takes_a_small_part_of_the_budget() {
        assert!(Distinct::new(1, &Arc::new(Budget::new(1 << 20))).is_none());
        let budget = Arc::new(Budget::new(4 << 20));
        let distinct = Distinct::new(1, &budget).expect("there is room");
        assert_eq!(distinct.bytes(), budget.used());
    }
}
