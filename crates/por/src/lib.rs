//! Partial-order reduction.
//!
//! - `closure.rs`: stubborn sets, one algorithm for `processes/` and `rules/`, which say what depends on what in a state;
//! - `sleep.rs`: sleep sets for depth-first search, and the path that they belong to;
//! - `proviso.rs`: what keeps steps from being put off for ever, by name;
//! - `check.rs`: declared effects against what steps really did.
//!
//! What transitions and rules may read and write comes from [`tightrope_ir::effects`]. The definitions and theorems are in
//! `docs/partial-orders.md`.

#![forbid(unsafe_code)]

mod check;
mod closure;
mod model;
mod processes;
mod proviso;
mod rules;
mod sleep;

pub use model::WithStubbornSets;
pub use proviso::{QueueProviso, StackProviso};
pub use sleep::PorStack;
