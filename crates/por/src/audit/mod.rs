//! The audit of declared effects and relations against what steps do at run time, in one state.
//!
//! Three things are checked:
//! - the footprint of every step lies within its static effects (`process_footprints.rs`, `rule_footprints.rs`);
//! - a disabled transition stays disabled after every step outside of each of its necessary enabling sets (`relations.rs`);
//! - steps that do not depend on each other commute (`relations.rs`).
//!
//! Tests do this in the states of random programs; `--audit` does it in the states of a user's model. LTSmin checks the
//! dependency matrices of its front ends in the same way.

mod process_footprints;
mod relations;
mod rule_footprints;

pub use process_footprints::VariableExtents;
pub use relations::RelationAudit;
