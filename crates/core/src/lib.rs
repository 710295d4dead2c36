//! The contracts between the parts of Tightrope. Read this crate first.
//!
//! A **model** says what the initial states are and which steps lead from a state to which others. A **store**
//! remembers states. A **frontier** keeps those that wait to be expanded. A **search** (crate `tightrope-search`)
//! drives the three and tells an **observer** what it sees. Nobody here knows anyone else's insides: a search does
//! not know which language it explores, a store does not know who searches.
//!
//! States are byte strings whose length may vary from state to state. What the bytes mean is in the model's
//! [`Schema`], which encoders and printers read; searches and sets never look inside.
//!
//! Everything that grows with the state space asks the one [`Budget`] before it allocates, and treats a refusal
//! ([`OverBudget`]) as an ordinary result. That is how the promise of `--memory` is kept.

#![forbid(unsafe_code)]

mod budget;
mod footprint;
mod forget;
mod frontier;
mod held;
mod limits;
mod model;
mod observe;
mod schema;
pub mod steps;
mod store;
mod successors;
mod symmetry;
mod verdict;

pub use budget::{Budget, OverBudget, resident_bytes};
pub use footprint::{Footprints, How, Mark, Thing, independent};
pub use forget::{Forgets, Forgetting};
pub use frontier::Frontier;
pub use held::{Held, Holding, ask_for_memory, is_asking_for_memory};
pub use limits::{Interrupt, Limits};
pub use model::moves;
pub use model::{Fault, FaultKind, Fired, Model, Place, Scratch, Step, StepKind, StepText, Stuck};
pub use observe::{Observe, Progress};
pub use schema::{Component, Field, Format, ProcessKind, Repr, Schema};
pub use steps::Steps;
pub use store::{Claim, Edge, Found, Ordered, Parent, Renamed, Shrunk, StateId, Store};
pub use successors::{Extent, Refusal, Successor, Successors};
pub use symmetry::{Bag, Block, Leaf, Symmetry, sort_slots};
pub use verdict::{Figures, Outcome, Reason, RunClaim, Trace, Verdict, Violation};
