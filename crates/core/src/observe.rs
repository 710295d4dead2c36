//! What watches a search.

use crate::{Edge, Fault, Found, Reason, StateId, Step};

/// What a search tells about its progress, now and then.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// States found so far.
    pub states: u64,
    /// Transitions so far.
    pub transitions: u64,
    /// States that wait, or the depth of the stack.
    pub frontier: u64,
    /// The level or depth at work.
    pub depth: u64,
    /// Bytes of the store and the frontier.
    pub bytes: u64,
    /// The share of the states that were visited lately although they had been visited before, where the store evicts
    /// and can tell.
    pub repeated: Option<f64>,
}

/// Watches a search: progress lines, statistics, files that record the transition system. Every method has an empty
/// default, so that an observer says only what it wants to hear; a search is compiled for its observer, so that
/// nothing is paid for the rest.
pub trait Observe {
    /// An initial state.
    fn initial(&mut self, _found: Found, _state: &[u8]) {}

    /// A breadth-first search begins to expand the states at this distance from the initial ones.
    fn level(&mut self, _depth: u64, _width: u64) {}

    /// Whether it wants to hear of [`Observe::expand`] and [`Observe::step`]. A search may ask once, when it begins, and
    /// then say nothing of them.
    fn watches_steps(&self) -> bool {
        true
    }

    /// Whether it can do without knowing at once which states are new and what their ids are. If not, a store that decides later
    /// ([`crate::Delays`]) decides at once.
    fn takes_undecided(&self) -> bool {
        true
    }

    /// A state is about to be expanded; `degree` steps from it lead to a state.
    fn expand(&mut self, _id: StateId, _state: &[u8], _degree: usize) {}

    /// A step that leads to a state. In a breadth-first search, from the state being expanded; in a depth-first one, from
    /// a state that was expanded earlier.
    fn step(&mut self, _from: StateId, _step: Step, _to: Found, _state: &[u8]) {}

    /// A candidate, of which [`Observe::step`] or [`Observe::initial`] said that the store had not decided
    /// ([`Found::Undecided`]), turned out to be a new state.
    fn resolved(&mut self, _id: StateId, _via: Option<Edge>, _state: &[u8]) {}

    /// Why the search should end, where this observer wants it to. Asked between states, and once more after the search by
    /// whoever goes by what was observed: the last steps may be after the last question.
    #[inline]
    fn stop(&self) -> Option<Reason> {
        None
    }

    /// The search has ended; what follows is that its memory is given back.
    fn ended(&mut self) {}

    /// A violation was found, and its trace is about to be made.
    fn violation(&mut self, _fault: &Fault) {}

    /// Called every so often: every 512 states, unless they take long.
    fn progress(&mut self, _progress: Progress) {}
}

/// Watches nothing.
impl Observe for () {
    fn watches_steps(&self) -> bool {
        false
    }
}
