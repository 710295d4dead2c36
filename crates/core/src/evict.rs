//! Stores that evict states: what must stay, and what came of it.

use crate::{StateId, StepClass};

/// A store that can be told which states must stay. A search finds it through [`crate::Store::pins`].
///
/// # Contract
/// - What is pinned is not evicted, and its id stays valid.
/// - Pins nest: a state may be evicted when it was released as often as it was pinned. A state is not pinned when it is
///   inserted.
/// - The number of pins is the depth of the search, for strategies that go by it.
pub trait Pins {
    /// Keeps the state of that id until it is released.
    fn pin(&mut self, id: StateId);

    /// Takes one pin away.
    fn release(&mut self, id: StateId);
}

/// A store that holds a bounded number of states and evicts some to make room for others (state-space caching:
/// Godefroid, Holzmann & Pirottin 1995). A search finds it through [`crate::Store::evicts`].
///
/// # Contract
/// - The id of a state that is not pinned ([`Pins`]) is valid only until the next insertion or release; it may belong to
///   another state afterwards. A state that was evicted is new when it comes again.
/// - While every state is pinned the store exceeds its bound, up to the budget, and shrinks back once states are released. A
///   refusal is passed on only if eviction does not help.
///
/// A search that visits every state that was new visits every reachable state, if it ends. A depth-first search ends if it pins the
/// states of its path, and a path without a repeated state is never longer than what can be pinned. A breadth-first search need not
/// end: it is stopped where too much is evicted ([`crate::SearchConfig::max_collision`]), or the store evicts in such a way that no
/// state is found new infinitely often.
pub trait Evicts {
    /// Whether it wants to be told by steps of which classes states were reached.
    fn wants_classes(&self) -> bool {
        false
    }

    /// A step of that class led to the state, which was inserted just now or found.
    fn reached(&mut self, _id: StateId, _class: StepClass) {}

    /// A breadth-first search begins to expand the next level: what is inserted from now on is one step farther away.
    fn next_level(&mut self) {}

    /// Whether every state that a breadth-first search finds stays, and its id with it, until the level in which it is expanded has
    /// ended ([`Evicts::next_level`]). Where that is so a queue of ids suffices; elsewhere the states that wait are kept beside.
    fn keeps_frontier(&self) -> bool {
        false
    }

    /// So many bytes belong to its states and lie elsewhere, for a store with a bound in bytes.
    fn count_beside(&mut self, _bytes: u64) {}

    /// What came of it so far.
    fn cache_stats(&self) -> CacheStats;
}

/// The figures of a store that evicts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CacheStats {
    /// The states it may hold, where its bound is a number of states or memory made it one.
    pub limit: Option<u64>,
    /// The memory does not suffice for as many states as it may hold: it evicts earlier.
    pub short_of_memory: bool,
    /// How often a state was evicted.
    pub evicted: u64,
    /// The most states it held at one time.
    pub peak: u64,
    /// The most states it held at one time, where that was more than its bound; none if it never was.
    pub grown: Option<u64>,
    /// The most states that were pinned at one time.
    pub pinned_peak: u64,
    /// How often a state was new to it.
    pub inserted: u64,
    /// How many different states that were, as far as it can tell; exact as long as none was evicted.
    pub distinct: Option<u64>,
    /// The share of the states that were new to it lately although they had been there before.
    pub lately: Option<f64>,
    /// The figures of its snapshots, where it remembers levels.
    pub snapshots: Option<SnapshotStats>,
}

/// The figures of a store that remembers some of the levels of a breadth-first search: snapshots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SnapshotStats {
    /// How many levels were sampled.
    pub taken: u64,
    /// How many snapshots it has now.
    pub held: u64,
    /// The most that it had at one time.
    pub held_peak: u64,
    /// How many of them are never removed.
    pub kept_for_good: u64,
    /// The states in the backtracking set.
    pub backtracking: u64,
}

impl CacheStats {
    /// The share of the insertions for which a state was evicted: the collision rate of Tronci et al. 2001.
    pub fn collision_rate(&self) -> f64 {
        if self.inserted == 0 { 0.0 } else { self.evicted as f64 / self.inserted as f64 }
    }

    /// The share of the states that were new although they had been there before, as far as it can be told.
    pub fn repeated(&self) -> Option<f64> {
        let distinct = self.distinct?;
        Some(if self.inserted == 0 { 0.0 } else { (1.0 - distinct as f64 / self.inserted as f64).max(0.0) })
    }
}
