//! Signatures in the slots: hash compaction in a cache (Stern & Dill 1995; Tronci et al. 2001, §3).
//!
//! A new code that meets an equal signature in one of its slots is taken for one that was seen, and lost. Every comparison goes wrong
//! with probability 2⁻ᵇ; comparisons are counted, as in `sets/compact.rs`, and the sum bounds the probability that any went wrong.
//! Bytes per slot: those of a signature.

use super::{CodeHash, Contents};
use crate::memory::budget_region::BudgetRegion;
use crate::memory::prefetch::prefetch;
use crate::sets::omission;
use std::sync::Arc;
use tightrope_core::{Budget, Claim, Refused};

/// The signatures.
pub struct Signatures {
    /// The bits of a signature, and the bytes it takes.
    bits: u32,
    width: usize,
    /// All zero in a free slot; and room for a word behind the last.
    bytes: BudgetRegion<u8>,
    /// How many signatures codes were compared with that were not theirs.
    compared: u64,
}

impl Signatures {
    /// Of so many bits, from 8 to 64.
    pub fn new(bits: u32, budget: &Arc<Budget>) -> Self {
        Signatures { bits, width: bits.div_ceil(8) as usize, bytes: BudgetRegion::sparing(budget), compared: 0 }
    }

    /// How many comparisons there were.
    #[cfg(test)]
    pub fn compared(&self) -> u64 {
        self.compared
    }

    #[inline]
    fn get(&self, slot: usize) -> u64 {
        let word = self.bytes[slot * self.width..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
        word & u64::MAX >> (64 - 8 * self.width)
    }

    /// What is compared of a hash. Zero is for free slots.
    #[inline]
    fn signature(&self, hash: CodeHash) -> u64 {
        (hash.signature >> (64 - self.bits)).max(1)
    }
}

impl Contents for Signatures {
    fn allocate(&mut self, slots: usize) -> Result<(), Refused> {
        self.bytes.make_room(slots * self.width + 8)
    }

    fn bytes_for(&self, _length: usize) -> (u64, u64) {
        (self.width as u64, 0)
    }

    #[inline]
    fn is_free(&self, slot: usize) -> bool {
        self.get(slot) == 0
    }

    #[inline]
    fn is_in(&mut self, slot: usize, hash: CodeHash, _code: &[u8]) -> bool {
        let is_in = self.get(slot) == self.signature(hash);
        self.compared += u64::from(!is_in);
        is_in
    }

    fn put(&mut self, slot: usize, hash: CodeHash, _code: &[u8]) -> Result<(), Refused> {
        let signature = self.signature(hash).to_le_bytes();
        self.bytes[slot * self.width..][..self.width].copy_from_slice(&signature[..self.width]);
        Ok(())
    }

    fn clear(&mut self, slot: usize) -> u64 {
        self.bytes[slot * self.width..][..self.width].fill(0);
        0
    }

    #[inline]
    fn prefetch(&self, slot: usize) {
        prefetch(&self.bytes, slot * self.width);
    }

    fn bytes(&self) -> u64 {
        self.bytes.bytes()
    }

    fn claim(&self) -> Claim {
        omission(self.bits, self.compared)
    }
}
