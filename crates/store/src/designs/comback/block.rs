//! A block of states that wait and were rebuilt together.

use std::sync::Arc;
use tightrope_core::{Budget, BudgetVec, Refused};

/// The states of successive identifiers, which come in any order.
pub struct Block {
    first: u32,
    /// Where each begins and ends; both 0 where it has not come yet.
    places: BudgetVec<(usize, usize)>,
    bytes: BudgetVec<u8>,
}

impl Block {
    /// An empty one.
    pub fn new(budget: &Arc<Budget>) -> Self {
        Block { first: 0, places: BudgetVec::new(budget.clone()), bytes: BudgetVec::new(budget.clone()) }
    }

    /// An empty one for the `count` states from `first` on.
    pub fn for_states(first: u32, count: u32, budget: &Arc<Budget>) -> Result<Self, Refused> {
        let mut block = Block { first, ..Block::new(budget) };
        block.places.make_room(count as usize)?;
        for _ in 0..count {
            block.places.push((0, 0))?;
        }
        Ok(block)
    }

    /// The bytes taken.
    pub fn memory(&self) -> u64 {
        self.places.bytes() + self.bytes.bytes()
    }

    /// Adds the state of that identifier.
    pub fn add(&mut self, id: u32, state: &[u8]) -> Result<(), Refused> {
        let start = self.bytes.len();
        self.bytes.extend(state)?;
        self.places[(id - self.first) as usize] = (start, self.bytes.len());
        Ok(())
    }

    /// The state of that identifier, if it is there.
    #[inline]
    pub fn get(&self, id: u32) -> Option<&[u8]> {
        let (start, end) = *self.places.get(id.checked_sub(self.first)? as usize)?;
        (end > start).then(|| &self.bytes[start..end])
    }
}
