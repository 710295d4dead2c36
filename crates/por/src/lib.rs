//! Partial-order reduction.
//!
//! - `stubborn/`: stubborn sets; `closure.rs` computes them.
//! - `processes/`, `rules/`: what the closure needs to know of the two forms of programs, each in files of the same names:
//!   `dependency.rs` (which transitions depend on each other), `necessary_enabling.rs` (necessary enabling sets),
//!   `visibility.rs` (which transitions are visible).
//! - `por_stack.rs`: the path of a depth-first search with sleep sets (`sleep_sets.rs`), stubborn sets, or both
//!   (`stored_sleep_sets.rs`).
//! - `proviso.rs`: the provisos that solve the ignoring problem.
//! - `audit/`: declared effects and relations against what steps do at run time.
//! - `model.rs`: the model that offers stubborn sets to a search.
//!
//! What transitions and rules may read and write comes from [`tightrope_ir::effects`]. The definitions and theorems are in
//! `docs/partial-orders.md`.

#![forbid(unsafe_code)]

mod audit;
mod model;
mod por_stack;
mod processes;
mod proviso;
mod rules;
mod sleep_sets;
mod stored_sleep_sets;
mod stubborn;

pub use model::WithStubbornSets;
pub use por_stack::PorStack;
pub use proviso::{
    AnswerProviso, NewProviso, PROVISOS, PathProviso, PathStates, Proviso, Provisos, QueueProviso, StackProviso,
};

use tightrope_core::{ModelSupport, Reduction, SearchSupport};

/// Sleep sets ([`PorStack`]): the search does it all.
pub static SLEEP_SETS: Reduction = Reduction {
    name: "sleep",
    about: "sleep sets: every state, by fewer transitions (depth-first)",
    model: ModelSupport::Effects,
    search: SearchSupport::Path,
    configure: |config| config.sleep = true,
};

/// Stubborn sets: the search explores a [`WithStubbornSets`] and asks it for them.
pub static STUBBORN_SETS: Reduction = Reduction {
    name: "stubborn",
    about: "stubborn sets: fewer states; deadlocks, faults, invariants and goals are preserved",
    model: ModelSupport::Effects,
    search: SearchSupport::Any,
    configure: |config| config.stubborn = true,
};
