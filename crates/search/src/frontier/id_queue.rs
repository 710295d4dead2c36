//! The frontier of a breadth-first search as a queue of the ids of states.
//!
//! For stores that are not ordered but give every state back by its id: eight bytes wait instead of a state. Ids lie in
//! blocks, which are given back as soon as they are read. Bytes per waiting state: eight.

use super::blocks::Blocks;
use std::sync::Arc;
use tightrope_core::{Budget, Frontier, Refused, StateId, Store};

/// The ids in a block, and in one near the end of the budget.
const BLOCKS: [usize; 2] = [8 << 10, 512];

/// The ids of states that wait, oldest first.
pub struct IdQueue {
    ids: Blocks<StateId>,
    waiting: u64,
}

impl IdQueue {
    /// An empty queue.
    pub fn new(budget: &Arc<Budget>) -> Self {
        IdQueue { ids: Blocks::new(budget), waiting: 0 }
    }
}

impl Frontier for IdQueue {
    fn push(&mut self, id: StateId, _state: &[u8]) -> Result<(), Refused> {
        self.ids.with_room(1, BLOCKS)?.push(id);
        self.waiting += 1;
        Ok(())
    }

    fn pop(&mut self, store: &mut dyn Store, out: &mut Vec<u8>) -> Result<Option<StateId>, Refused> {
        let Some(first) = self.ids.first().filter(|_| self.waiting > 0) else { return Ok(None) };
        let id = first[self.ids.read];
        self.ids.read += 1;
        self.waiting -= 1;
        self.ids.drop_read();
        if store.read(id, out) { Ok(Some(id)) } else { Err(Refused::Other("the store does not give back its states")) }
    }

    fn len(&self) -> u64 {
        self.waiting
    }

    fn bytes(&self) -> u64 {
        self.ids.bytes()
    }
}
