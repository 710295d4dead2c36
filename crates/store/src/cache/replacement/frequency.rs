//! By how often states were met: `lfu`, `mfu`.
//!
//! A row for every number of times up to 255, beyond which nobody counts; in a row, the state that was left or met longest ago is
//! the first to be evicted. A set of bits says which rows are not empty. Bytes per state: none beside the entry.

use super::chain::Chain;
use super::eviction_order::{EvictionOrder, Random};
use crate::cache::entry::CacheEntry;

const COUNTS: usize = 256;

/// Rows of states.
pub struct Frequency {
    rows: Box<[Chain; COUNTS]>,
    taken: [u128; 2],
    len: usize,
    /// Those that were met most are evicted first.
    most_first: bool,
}

impl Frequency {
    fn new(most_first: bool) -> Self {
        Frequency { rows: Box::new([Chain::EMPTY; COUNTS]), taken: [0; 2], len: 0, most_first }
    }

    /// The state that was met least often is evicted first.
    pub fn lfu() -> Self {
        Frequency::new(false)
    }

    /// The state that was met most often.
    pub fn mfu() -> Self {
        Frequency::new(true)
    }

    /// The row to evict from.
    fn row(&self) -> Option<usize> {
        let [low, high] = self.taken;
        match (self.most_first, low, high) {
            (_, 0, 0) => None,
            (true, low, 0) => Some(127 - low.leading_zeros() as usize),
            (true, _, high) => Some(255 - high.leading_zeros() as usize),
            (false, 0, high) => Some(128 + high.trailing_zeros() as usize),
            (false, low, _) => Some(low.trailing_zeros() as usize),
        }
    }
}

impl EvictionOrder for Frequency {
    fn enter(&mut self, number: u32, entries: &mut [CacheEntry]) {
        let uses = usize::from(entries[number as usize].uses);
        self.rows[uses].push(number, entries);
        self.taken[uses / 128] |= 1 << (uses % 128);
        self.len += 1;
    }

    fn leave(&mut self, number: u32, entries: &mut [CacheEntry]) {
        let uses = usize::from(entries[number as usize].uses);
        self.rows[uses].remove(number, entries);
        if self.rows[uses].oldest().is_none() {
            self.taken[uses / 128] &= !(1 << (uses % 128));
        }
        self.len -= 1;
    }

    fn meet(&mut self, number: u32, entries: &mut [CacheEntry]) {
        self.leave(number, entries);
        entries[number as usize].use_once();
        self.enter(number, entries);
    }

    fn next(&mut self, entries: &mut [CacheEntry], _random: &mut Random) -> Option<u32> {
        let number = self.rows[self.row()?].oldest()?;
        self.leave(number, entries);
        Some(number)
    }

    fn len(&self) -> usize {
        self.len
    }
}
