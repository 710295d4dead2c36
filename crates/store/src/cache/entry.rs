//! What is known of a state in a cache, beside its code.

use crate::memory::code_heap::Placed;
use crate::memory::region::Plain;
use tightrope_core::StepClass;

/// Sixteen bytes per state.
#[derive(Clone, Copy, Debug, Default)]
pub struct CacheEntry {
    /// The place of its code. Of a number that no state has, the next such number.
    pub place: u32,
    /// Free to be evicted: the state before it in its chain, or its place in its bag. Pinned: how often.
    pub before: u32,
    /// The state after it in its chain.
    pub after: u32,
    /// How often a step led to it, as far as that can be counted here.
    pub uses: u8,
    /// The least class of those steps.
    pub class: u8,
    /// 1 if the depth at which it was found is one of those that are kept longest, else 0.
    pub stratum: u8,
    /// The tier of the cache that it is in, or [`PINNED`].
    pub tier: u8,
}

/// Where a tier would stand.
pub const PINNED: u8 = u8::MAX;

impl Plain for CacheEntry {}

impl Placed for CacheEntry {
    #[inline]
    fn set_place(&mut self, place: u32) {
        self.place = place;
    }
}

impl CacheEntry {
    /// A step led to it once more.
    #[inline]
    pub fn use_once(&mut self) {
        self.uses = self.uses.saturating_add(1);
    }

    /// A step of that class led to it.
    #[inline]
    pub fn reach(&mut self, class: StepClass) {
        self.class = self.class.min(class.number());
    }
}
