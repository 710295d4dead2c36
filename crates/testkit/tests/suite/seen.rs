//! What a search saw, where states may be expanded again and again.

use std::collections::HashSet;
use tightrope_core::{Found, Interrupt, Observe, Reason, StateId, Step};

/// The states a search found and expanded; raises the interrupt when it takes too long.
#[derive(Default)]
pub struct Seen {
    /// Each state that was found.
    pub found: HashSet<Vec<u8>>,
    /// Each state that was expanded.
    pub expanded: HashSet<Vec<u8>>,
    /// How often one was.
    pub visits: u64,
    /// How often one may be.
    pub most: u64,
    /// Raised then.
    pub interrupt: Interrupt,
}

impl Seen {
    /// Nothing yet.
    pub fn at_most(most: u64, interrupt: &Interrupt) -> Self {
        Seen { most, interrupt: interrupt.clone(), ..Seen::default() }
    }
}

impl Observe for Seen {
    fn initial(&mut self, _: Found, state: &[u8]) {
        self.found.insert(state.to_vec());
    }

    fn expand(&mut self, _: StateId, state: &[u8], _: usize) {
        self.expanded.insert(state.to_vec());
        self.visits += 1;
        if self.visits > self.most {
            self.interrupt.raise(Reason::Interrupted);
        }
    }

    fn step(&mut self, _: StateId, _: Step, _: Found, state: &[u8]) {
        self.found.insert(state.to_vec());
    }
}
