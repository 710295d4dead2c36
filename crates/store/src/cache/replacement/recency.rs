//! By when states were left or met: `fifo`, `lru`, `mru`.
//!
//! A row of states; a state joins it as the newest when the search leaves it. Bytes per state: none beside the entry.

use super::chain::Chain;
use super::eviction_order::{EvictionOrder, Random};
use crate::cache::entry::CacheEntry;

/// A row of states.
pub struct Recency {
    chain: Chain,
    len: usize,
    /// A state that is met becomes the newest.
    renewed: bool,
    /// The newest is evicted, not the oldest.
    newest_first: bool,
}

impl Recency {
    fn new(renewed: bool, newest_first: bool) -> Self {
        Recency { chain: Chain::EMPTY, len: 0, renewed, newest_first }
    }

    /// The state that was left first is evicted first.
    pub fn fifo() -> Self {
        Recency::new(false, false)
    }

    /// The state that was neither left nor met for the longest time.
    pub fn lru() -> Self {
        Recency::new(true, false)
    }

    /// The state that was left or met last.
    pub fn mru() -> Self {
        Recency::new(true, true)
    }
}

impl EvictionOrder for Recency {
    fn enter(&mut self, number: u32, entries: &mut [CacheEntry]) {
        self.chain.push(number, entries);
        self.len += 1;
    }

    fn leave(&mut self, number: u32, entries: &mut [CacheEntry]) {
        self.chain.remove(number, entries);
        self.len -= 1;
    }

    fn meet(&mut self, number: u32, entries: &mut [CacheEntry]) {
        entries[number as usize].use_once();
        if self.renewed {
            self.chain.remove(number, entries);
            self.chain.push(number, entries);
        }
    }

    fn next(&mut self, entries: &mut [CacheEntry], _random: &mut Random) -> Option<u32> {
        let number = if self.newest_first { self.chain.newest() } else { self.chain.oldest() }?;
        self.leave(number, entries);
        Some(number)
    }

    fn len(&self) -> usize {
        self.len
    }
}
