//! How many states a ComBack store keeps in full, by its plan and by the memory there is.

use super::block::Block;
use super::plan::{Amount, Second};
use super::{Candidates, ComBack, candidates};

/// The share of the budget, in percents, that is for states in full where sizes are automatic; and how it is split among the cache, the
/// candidates and a block of the queue (Evangelista et al. 2009, §5.3).
const IN_FULL: u64 = 40;
const SPLIT: [u64; 3] = [55, 30, 15];
/// After so many halvings of what is kept it is as little as can be.
const MOST_HALVINGS: u32 = 24;
/// The most states of a block.
const MOST_IN_BLOCK: u64 = 1 << 20;

impl ComBack<'_> {
    /// The bytes of a state on average.
    pub(super) fn mean(&self) -> u64 {
        self.total_bytes / u64::from(self.len).max(1) + 1
    }

    /// How many states fit into a share of the memory that is for states in full.
    pub(super) fn fitting(&self, share: u64, beside: u64) -> u64 {
        let bytes = u128::from(self.budget.limit()) * u128::from(IN_FULL * share) / 10_000;
        ((bytes as u64 >> self.halvings) / (self.mean() + beside)).min(u64::from(u32::MAX))
    }

    /// The states of the cache, both parts together.
    pub(super) fn cache_size(&self) -> u64 {
        let size: u64 = match self.plan.cache {
            Amount::Automatic => return self.fitting(SPLIT[0], 16),
            Amount::States(states) => states.min(u64::from(u32::MAX)),
            Amount::Percents(percents) => (f64::from(self.len) * percents / 100.0) as u64,
        };
        size >> self.halvings
    }

    /// The states of its part for those found last. Strategies that choose among those that were expanded get nothing to choose from in
    /// a search that does not read states in order.
    pub(super) fn fifo_size(&self) -> u64 {
        match (self.reading, self.plan.strategy.second) {
            (None, Some(Second::Heuristic | Second::Distance)) => self.cache_size(),
            _ => self.cache_size() * u64::from(self.plan.strategy.fifo) / 100,
        }
    }

    /// The states of its second part.
    pub(super) fn second_size(&self) -> usize {
        let size = self.cache_size();
        (size - size * u64::from(self.plan.strategy.fifo) / 100) as usize
    }

    pub(super) fn most_candidates(&self) -> u64 {
        let size = match self.plan.candidates {
            Amount::Automatic => return self.fitting(SPLIT[1], candidates::BESIDE as u64).max(1),
            Amount::States(states) => states,
            Amount::Percents(percents) => return ((self.cache_size() as f64 * percents / 100.0) as u64).max(1),
        };
        (size >> self.halvings).max(1)
    }

    pub(super) fn block_size(&self) -> u64 {
        self.fitting(SPLIT[2], 16).clamp(1, MOST_IN_BLOCK)
    }

    /// Drops the states found last that are too many, unless they wait.
    pub(super) fn trim(&mut self) {
        let first = self.len - u64::from(self.len).min(self.fifo_size()) as u32;
        let waiting = self.reading.filter(|_| self.keeps_queue).unwrap_or(u32::MAX);
        self.kept.window.drop_before(first.min(waiting));
    }

    /// Keeps less, if it can: false if it keeps as little as it can.
    pub(super) fn squeeze(&mut self) -> bool {
        if self.halvings >= MOST_HALVINGS {
            return false;
        }
        // First the states that wait beyond those that are kept anyway, then half of everything.
        if self.keeps_queue && self.reading.is_some() {
            self.keeps_queue = false;
        } else {
            self.halvings += 1;
        }
        self.trim();
        let size = self.second_size();
        if let Some(cache) = self.kept.cache.as_mut().filter(|cache| cache.len() > size) {
            // It is filled again with what is chosen from now on.
            cache.clear(&self.budget);
        }
        if self.kept.block.memory() > 0 && self.reading.is_none_or(|next| self.kept.block.get(next).is_none()) {
            self.kept.block = Block::new(&self.budget);
        }
        if self.candidates.len() == 0 {
            self.candidates = Candidates::new(&self.budget);
        }
        self.rebuilder.release();
        true
    }
}
