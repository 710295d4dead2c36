//! The frontier of a breadth-first search without a queue: the store is read in the order of insertion.
//!
//! The states that wait are those behind the last one read. Bytes per state: none. Only for stores that are
//! [`tightrope_core::Ordered`], and for searches that expand first what they found first.

use tightrope_core::{Frontier, Refused, StateId, Store};

/// A frontier that reads on in the store.
#[derive(Default)]
pub struct StoreOrder {
    last: Option<StateId>,
    waiting: u64,
}

impl Frontier for StoreOrder {
    fn push(&mut self, _id: StateId, _state: &[u8]) -> Result<(), Refused> {
        self.waiting += 1;
        Ok(())
    }

    fn pop(&mut self, store: &mut dyn Store, out: &mut Vec<u8>) -> Result<Option<StateId>, Refused> {
        if self.waiting == 0 {
            return Ok(None);
        }
        let next = store.ordered().map_or(Ok(None), |ordered| ordered.next(self.last, out))?;
        let id = next.ok_or(Refused::Other("the store does not give back its states in order"))?;
        self.last = Some(id);
        self.waiting -= 1;
        Ok(Some(id))
    }

    fn len(&self) -> u64 {
        self.waiting
    }

    fn bytes(&self) -> u64 {
        0
    }
}
