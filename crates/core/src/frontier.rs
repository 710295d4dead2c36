//! What waits to be expanded, and what is put aside.

use crate::{Refused, StateId, Store};

/// States that were found and wait to be expanded, first in, first out.
///
/// A frontier may lean on the store (a store that can be read in order *is* the queue), which is why `pop` gets it.
/// The caller passes the same store each time, and pushes exactly the states that the store called new, in that order.
pub trait Frontier {
    /// Adds a state at the end.
    fn push(&mut self, id: StateId, state: &[u8]) -> Result<(), Refused>;

    /// Takes the state at the front into `out`; none if nothing waits.
    fn pop(&mut self, store: &mut dyn Store, out: &mut Vec<u8>) -> Result<Option<StateId>, Refused>;

    /// How many wait.
    fn len(&self) -> u64;

    /// Whether none waits.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes it has allocated in memory.
    fn bytes(&self) -> u64;
}

/// A place outside of memory for blocks that are written once and seldom read again.
pub trait Spill {
    /// Puts a block aside; blocks are numbered from 0 in the order in which they come. All have the same length.
    fn put(&mut self, block: &[u8]) -> Result<(), Refused>;

    /// Reads the block of that number into `out`.
    fn get(&mut self, number: u64, out: &mut Vec<u8>) -> Result<(), Refused>;

    /// The bytes it has allocated in memory.
    fn bytes(&self) -> u64;
}
