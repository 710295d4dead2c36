//! States in a row, linked through their entries.

use crate::cache::entry::CacheEntry;

const NONE: u32 = u32::MAX;

/// The two ends of a row.
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    oldest: u32,
    newest: u32,
}

impl Chain {
    /// An empty row.
    pub const EMPTY: Chain = Chain { oldest: NONE, newest: NONE };

    /// Adds a state as the newest.
    #[inline]
    pub fn push(&mut self, number: u32, entries: &mut [CacheEntry]) {
        let entry = &mut entries[number as usize];
        (entry.before, entry.after) = (self.newest, NONE);
        match self.newest {
            NONE => self.oldest = number,
            newest => entries[newest as usize].after = number,
        }
        self.newest = number;
    }

    /// Takes a state out, wherever it is.
    #[inline]
    pub fn remove(&mut self, number: u32, entries: &mut [CacheEntry]) {
        let CacheEntry { before, after, .. } = entries[number as usize];
        match before {
            NONE => self.oldest = after,
            before => entries[before as usize].after = after,
        }
        match after {
            NONE => self.newest = before,
            after => entries[after as usize].before = before,
        }
    }

    /// The oldest state.
    #[inline]
    pub fn oldest(&self) -> Option<u32> {
        (self.oldest != NONE).then_some(self.oldest)
    }

    /// The newest state.
    #[inline]
    pub fn newest(&self) -> Option<u32> {
        (self.newest != NONE).then_some(self.newest)
    }
}
