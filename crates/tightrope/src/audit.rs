//! Counts states independently of what the search remembers.

use std::sync::Arc;
use tightrope_core::{Budget, Found, Observe, StateId, Step};
use tightrope_store::{Hash, Set};

/// Watches a search and keeps every state that it sees, outside the budget.
pub struct Audit(Hash);

impl Audit {
    /// Nothing seen yet.
    pub fn new() -> Self {
        Audit(Hash::new(&Arc::new(Budget::unlimited())))
    }

    /// How many different states were seen.
    pub fn states(&self) -> u64 {
        self.0.len()
    }

    fn see(&mut self, state: &[u8]) {
        self.0.insert(state).expect("no budget, no refusal");
    }
}

impl Observe for Audit {
    fn initial(&mut self, _found: Found, state: &[u8]) {
        self.see(state);
    }

    fn step(&mut self, _from: StateId, _step: Step, _to: Found, state: &[u8]) {
        self.see(state);
    }
}
