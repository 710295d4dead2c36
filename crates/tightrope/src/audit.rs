//! Looks over a search's shoulder: counts states independently of what it remembers, and checks in every state what stubborn
//! sets take for granted.

use std::sync::Arc;
use tightrope_core::{Budget, Found, Observe, Scratch, StateId, Step};
use tightrope_por::WithStubbornSets;
use tightrope_store::{Hash, Set};

/// Watches a search and keeps every state that it sees, outside the budget.
pub struct Audit<'m> {
    seen: Hash,
    /// With stubborn sets: what chooses them, and what was found wrong with what it says of the steps of a state.
    stubborn: Option<&'m WithStubbornSets<'m>>,
    scratch: Scratch,
    defect: Option<String>,
}

impl<'m> Audit<'m> {
    /// Nothing seen yet.
    pub fn new(stubborn: Option<&'m WithStubbornSets<'m>>) -> Self {
        let seen = Hash::new(&Arc::new(Budget::unlimited()));
        Audit { seen, stubborn, scratch: Scratch::default(), defect: None }
    }

    /// How many different states were seen, and what is wrong with the declared effects of steps, if anything is.
    pub fn finish(self) -> (u64, Option<String>) {
        (self.seen.len(), self.defect)
    }

    fn see(&mut self, state: &[u8]) {
        self.seen.insert(state).expect("no budget, no refusal");
    }
}

impl Observe for Audit<'_> {
    fn expand(&mut self, _id: StateId, state: &[u8], _degree: usize) {
        if let (Some(stubborn), None) = (self.stubborn, &self.defect) {
            self.defect = stubborn.check_relations(state, &mut self.scratch).err();
        }
    }

    fn initial(&mut self, _found: Found, state: &[u8]) {
        self.see(state);
    }

    fn step(&mut self, _from: StateId, _step: Step, _to: Found, state: &[u8]) {
        self.see(state);
    }
}
