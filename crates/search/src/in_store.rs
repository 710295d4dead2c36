//! No queue at all: the store is read in the order of insertion.
//!
//! The states that wait are those behind the last one read. Bytes per state: none. Only for stores that are
//! [`tightrope_core::Ordered`], and for searches that expand first what they found first.

use tightrope_core::{Frontier, OverBudget, StateId, Store};

/// A frontier that reads on in the store.
#[derive(Default)]
pub struct InStore {
    last: Option<StateId>,
    waiting: u64,
}

impl Frontier for InStore {
    fn push(&mut self, _id: StateId, _state: &[u8]) -> Result<(), OverBudget> {
        self.waiting += 1;
        Ok(())
    }

    fn pop(&mut self, store: &mut dyn Store, out: &mut Vec<u8>) -> Option<StateId> {
        if self.waiting == 0 {
            return None;
        }
        let id = store.ordered()?.next(self.last, out)?;
        self.last = Some(id);
        self.waiting -= 1;
        Some(id)
    }

    fn len(&self) -> u64 {
        self.waiting
    }

    fn bytes(&self) -> u64 {
        0
    }
}
