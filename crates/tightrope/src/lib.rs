//! Tightrope, an explicit-state model checker, as a library.
//!
//! Implement [`core::Model`] for a type of your own and give it to [`check`], or put the parts together yourself: any
//! [`store`] under any [`search`], with any observer. `examples/own_model.rs` and
//! `examples/own_store.rs` show both.

#![forbid(unsafe_code)]

pub use tightrope_aut as aut;
pub use tightrope_core as core;
pub use tightrope_disk as disk;
pub use tightrope_dve as dve;
pub use tightrope_ir as ir;
pub use tightrope_murphi as murphi;
pub use tightrope_por as por;
pub use tightrope_promela as promela;
pub use tightrope_reduce as reduce;
pub use tightrope_search as search;
pub use tightrope_store as store;
pub use tightrope_syntax as syntax;
pub use tightrope_trace as trace;

use std::sync::Arc;
use tightrope_core::{Budget, Model, Outcome, SearchConfig, Successors};

/// Checks a model breadth-first with the plain exact store, within `memory` bytes.
pub fn check(model: &dyn Model, memory: u64) -> Outcome {
    let budget = Arc::new(Budget::new(memory));
    let mut store = tightrope_store::make(
        "hash",
        tightrope_store::Site { schema: model.schema(), budget: &budget, seed: 1, model: None },
    )
    .expect("`hash` is in the table");
    let config = SearchConfig::checking();
    let mut successors = Successors::new();
    let task = tightrope_search::Task::new(model, store.as_mut(), &config, &budget, &mut successors);
    tightrope_search::bfs(task, &mut ())
}
