//! Looks over a search's shoulder: counts states independently of what it remembers, and checks in every state what stubborn
//! sets take for granted.

use crate::Failure;
use std::sync::Arc;
use tightrope_core::{Budget, Found, Observe, Scratch, StateId, Step, Store};
use tightrope_por::WithStubbornSets;
use tightrope_store::HashTable;

/// Watches a search and keeps every state that it sees, outside the budget.
pub struct Audit<'m> {
    seen: HashTable,
    /// With stubborn sets: what chooses them, and what was found wrong with what it says of the steps of a state.
    stubborn: Option<&'m WithStubbornSets<'m>>,
    scratch: Scratch,
    defect: Option<String>,
}

impl<'m> Audit<'m> {
    /// Nothing seen yet.
    pub fn new(stubborn: Option<&'m WithStubbornSets<'m>>) -> Self {
        let seen = HashTable::new(&Arc::new(Budget::unlimited()));
        Audit { seen, stubborn, scratch: Scratch::default(), defect: None }
    }

    /// How many different states were seen; a failure if the declared effects of steps are wrong.
    pub fn finish(self) -> Result<u64, Failure> {
        match self.defect {
            None => Ok(self.seen.len()),
            Some(defect) => Err(Failure::Defect(format!(
                "tightrope: the audit found a defect of the partial-order reduction: {defect}"
            ))),
        }
    }

    fn see(&mut self, state: &[u8]) {
        self.seen.insert(state, None).expect("no budget, no refusal");
    }
}

impl Observe for Audit<'_> {
    fn expand(&mut self, _id: StateId, state: &[u8], _degree: usize) {
        if let (Some(stubborn), None) = (self.stubborn, &self.defect) {
            self.defect = stubborn.audit(state, &mut self.scratch).err();
        }
    }

    fn initial(&mut self, _found: Found, state: &[u8]) {
        self.see(state);
    }

    fn step(&mut self, _from: StateId, _step: Step, _to: Found, state: &[u8]) {
        self.see(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_defect_is_a_failure() {
        let mut audit = Audit::new(None);
        audit.see(b"a state");
        assert_eq!(audit.finish(), Ok(1));
        let audit = Audit { defect: Some("a step writes what it does not declare".into()), ..Audit::new(None) };
        assert!(matches!(audit.finish(), Err(Failure::Defect(why)) if why.contains("does not declare")));
    }
}
