//! What forgets states on purpose.

use crate::{StateId, StepKind};

/// A store that holds a bounded number of states and forgets some to make room for others (state-space caching:
/// Godefroid, Holzmann & Pirottin 1995). A search finds it through [`crate::Store::forgets`].
///
/// # Contract
/// - What is pinned is not forgotten, and its name stays valid. Any other name is valid only until the next insertion or
///   release; it may belong to another state afterwards. A state that was forgotten is new when it comes again.
/// - Pins nest: a state is free to be forgotten when it was released as often as it was pinned. A state is not pinned
///   when it is inserted.
/// - Where everything is pinned the store grows beyond its bound, as far as the budget goes, and no longer than it has to. A refusal is passed on only if
///   forgetting does not help.
/// - The number of pins is the depth of the search, for strategies that go by it.
///
/// A search that visits every state that was new, and pins those it is not done with, visits every reachable state, and
/// ends, if a path without a repeated state is never longer than what can be pinned. Depth-first search does; a search
/// that pins nothing must not be given such a store.
pub trait Forgets {
    /// Keeps the state of that name until it is released.
    fn pin(&mut self, id: StateId);

    /// Takes one pin away.
    fn release(&mut self, id: StateId);

    /// Whether it wants to be told by which kinds of steps states were reached.
    fn wants_kinds(&self) -> bool {
        false
    }

    /// A step of that kind led to the state, which was inserted just now or found.
    fn reached(&mut self, _id: StateId, _kind: StepKind) {}

    /// What came of it so far.
    fn forgetting(&self) -> Forgetting;
}

/// The figures of a store that forgets.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Forgetting {
    /// The states it may hold, where its bound is a number of states or memory made it one.
    pub limit: Option<u64>,
    /// The states it was made to hold at most could not be had: it forgets earlier, for want of memory.
    pub short_of_memory: bool,
    /// How often a state was forgotten.
    pub evicted: u64,
    /// The most states it held at one time.
    pub peak: u64,
    /// The most states it held at one time beyond its bound, and how many it held then; none if it never did.
    pub grown: Option<u64>,
    /// The most states that were pinned at one time.
    pub pinned_peak: u64,
    /// How often a state was new to it.
    pub inserted: u64,
    /// How many different states that were, as far as it can tell; exact as long as none was forgotten.
    pub distinct: Option<u64>,
    /// The share of the states that were new to it lately although they had been there before.
    pub lately: Option<f64>,
}

impl Forgetting {
    /// The share of the states that were new although they had been there before, as far as it can be told.
    pub fn repeated(&self) -> Option<f64> {
        let distinct = self.distinct?;
        Some(if self.inserted == 0 { 0.0 } else { (1.0 - distinct as f64 / self.inserted as f64).max(0.0) })
    }
}
