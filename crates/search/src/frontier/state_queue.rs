//! The frontier of a breadth-first search as a queue of states in memory.
//!
//! States lie one after the other in blocks, which are given back as soon as they are read. A state takes its bytes,
//! a length and the distance of its id from the one before (two to four bytes together). For stores that cannot be
//! read in order; where they can, [`crate::StoreOrder`] costs nothing.

use super::blocks::Blocks;
use std::sync::Arc;
use tightrope_core::{Budget, Frontier, Refused, StateId, Store, leb128};

/// The bytes of a block, and of one near the end of the budget.
const BLOCKS: [usize; 2] = [64 << 10, 4 << 10];

/// States that wait, oldest first.
pub struct StateQueue {
    bytes: Blocks<u8>,
    last_pushed: u64,
    last_popped: u64,
    waiting: u64,
}

impl StateQueue {
    /// An empty queue.
    pub fn new(budget: &Arc<Budget>) -> Self {
        StateQueue { bytes: Blocks::new(budget), last_pushed: 0, last_popped: 0, waiting: 0 }
    }

    /// What is not read of the first block.
    fn unread(&self) -> &[u8] {
        &self.bytes.first().expect("a state waits")[self.bytes.read..]
    }

    fn number(&mut self) -> u64 {
        let (number, len) = leb128::decode(self.unread()).expect("a number that was put there");
        self.bytes.read += len;
        number
    }
}

fn put_number(block: &mut Vec<u8>, number: u64) {
    let (bytes, len) = leb128::encode(number);
    block.extend_from_slice(&bytes[..len]);
}

impl Frontier for StateQueue {
    fn push(&mut self, id: StateId, state: &[u8]) -> Result<(), Refused> {
        let most = state.len() + 2 * leb128::LONGEST;
        let block = self.bytes.with_room(most, BLOCKS)?;
        put_number(block, id.0.wrapping_sub(self.last_pushed));
        put_number(block, state.len() as u64);
        block.extend_from_slice(state);
        self.last_pushed = id.0;
        self.waiting += 1;
        Ok(())
    }

    fn pop(&mut self, _store: &mut dyn Store, out: &mut Vec<u8>) -> Result<Option<StateId>, Refused> {
        if self.waiting == 0 {
            return Ok(None);
        }
        self.bytes.drop_read();
        self.last_popped = self.last_popped.wrapping_add(self.number());
        let length = self.number() as usize;
        out.clear();
        out.extend_from_slice(&self.unread()[..length]);
        self.bytes.read += length;
        self.waiting -= 1;
        Ok(Some(StateId(self.last_popped)))
    }

    fn len(&self) -> u64 {
        self.waiting
    }

    fn bytes(&self) -> u64 {
        self.bytes.bytes()
    }
}
