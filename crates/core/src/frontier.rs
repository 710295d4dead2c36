//! What waits to be expanded.

use crate::{OverBudget, StateId, Store};

/// States that were found and wait to be expanded, first in, first out.
///
/// A frontier may lean on the store (a store that can be read in order *is* the queue), which is why `pop` gets it.
/// The caller passes the same store each time, and pushes exactly the states that the store called new, in that order.
pub trait Frontier {
    /// Adds a state at the end.
    fn push(&mut self, id: StateId, state: &[u8]) -> Result<(), OverBudget>;

    /// Takes the state at the front into `out`.
    fn pop(&mut self, store: &mut dyn Store, out: &mut Vec<u8>) -> Option<StateId>;

    /// How many wait.
    fn len(&self) -> u64;

    /// Whether none waits.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes it has allocated in memory.
    fn bytes(&self) -> u64;
}
