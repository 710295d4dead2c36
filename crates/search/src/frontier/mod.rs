//! The frontiers of breadth-first search: the states that were found and wait to be expanded.
//!
//! Where the store can be read in the order of insertion it is the queue (`store_order.rs`). Where it gives states back by their ids,
//! ids wait (`id_queue.rs`). Elsewhere the states themselves do (`state_queue.rs`), as over a store that evicts states which wait.

mod blocks;
mod id_queue;
mod state_queue;
mod store_order;

pub use id_queue::IdQueue;
pub use state_queue::StateQueue;
pub use store_order::StoreOrder;

use std::sync::Arc;
use tightrope_core::{Budget, Frontier, Store};

/// The frontier that takes the least memory over a store.
pub(crate) fn frontier_over(store: &mut dyn Store, budget: &Arc<Budget>) -> Box<dyn Frontier> {
    let keeps = store.evicts().is_none_or(|evicts| evicts.keeps_frontier());
    match (store.ordered().is_some(), keeps && store.can_read()) {
        (true, _) => Box::new(StoreOrder::default()),
        (false, true) => Box::new(IdQueue::new(budget)),
        (false, false) => Box::new(StateQueue::new(budget)),
    }
}

#[cfg(test)]
mod tests;
