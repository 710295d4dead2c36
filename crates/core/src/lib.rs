//! The contracts between the parts of Tightrope. Read this crate first.
//!
//! A **model** says what the initial states are and which steps lead from a state to which others. A **store**
//! remembers states. A **frontier** keeps those that wait to be expanded. A **search** (crate `tightrope-search`)
//! drives the three and tells an **observer** what it sees. None of them knows how another is built: a search does
//! not know which language it explores, a store does not know which search uses it.
//!
//! States are byte strings whose length may vary from state to state. What the bytes mean is in the model's
//! [`Schema`], which encoders and printers read; searches and sets never look inside.
//!
//! Everything that grows with the state space asks the one [`Budget`] before it allocates, and treats a refusal
//! ([`Refused::Memory`]) as an ordinary result. That is how the promise of `--memory` is kept.

#![forbid(unsafe_code)]

mod budget;
mod config;
mod delegate;
mod evict;
mod footprint;
mod frontier;
pub mod leb128;
mod model;
mod observe;
mod reduction;
mod refused;
mod reservation;
mod schema;
pub mod steps;
mod store;
mod successors;
mod symmetry;
mod verdict;

pub use budget::{Budget, resident_bytes};
pub use config::{Interrupt, SearchConfig};
pub use evict::{CacheStats, Evicts, Pins, SnapshotStats};
pub use footprint::{Access, AccessKind, Footprints, Resource, independent};
pub use frontier::{Frontier, Spill};
pub use model::{
    Fault, FaultKind, Fired, Model, Place, Scratch, Statements, Step, StepClass, StepText, Terminal, moves,
};
pub use observe::{Observe, Progress};
pub use reduction::{ModelSupport, Reduction, SearchSupport};
pub use refused::Refused;
pub use reservation::{BudgetVec, Reservation, ask_for_memory, is_asking_for_memory};
pub use schema::{Component, Field, Format, ProcessKind, Repr, Schema};
pub use steps::Steps;
pub use store::{
    Claim, Delays, Edge, Edges, Found, Ordered, Parent, Parents, Rebuilding, Reencoded, Remap, Resolved, StateId,
    Store, insert_each,
};
pub use successors::{Extent, Successor, Successors};
pub use symmetry::{Bag, Block, Leaf, Symmetry, sort_slots};
pub use verdict::{Figures, Outcome, Reason, RunClaim, Trace, Verdict, Violation};
