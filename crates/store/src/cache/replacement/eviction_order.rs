//! What a replacement strategy is: an order in which states are evicted.

use crate::cache::entry::CacheEntry;
use tightrope_core::Refused;

/// The states that may be evicted, in an order that says which one is next. It keeps what it needs in their entries, and
/// everything is done in constant time.
pub trait EvictionOrder {
    /// Makes room for so many states in all.
    fn make_room(&mut self, _states: usize) -> Result<(), Refused> {
        Ok(())
    }

    /// The state may be evicted from now on. There is room.
    fn enter(&mut self, number: u32, entries: &mut [CacheEntry]);

    /// It may no longer be.
    fn leave(&mut self, number: u32, entries: &mut [CacheEntry]);

    /// A step led to it; counts that.
    fn meet(&mut self, number: u32, entries: &mut [CacheEntry]) {
        entries[number as usize].use_once();
    }

    /// Takes the state out that is to be evicted; none if there is none.
    fn next(&mut self, entries: &mut [CacheEntry], random: &mut Random) -> Option<u32>;

    /// How many there are.
    fn len(&self) -> usize;

    /// The bytes taken.
    fn bytes(&self) -> u64 {
        0
    }
}

/// Random numbers (SplitMix64: Steele, Lea & Flood 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers that belong to a seed.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// A number below `bound`, which is not 0.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        ((u128::from(bits) * bound as u128) >> 64) as usize
    }
}
