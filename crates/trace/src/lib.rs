//! Counterexamples: replayed through the model before anybody sees them, and made readable.
//!
//! [`replay()`] fires the steps of a trace one by one and makes sure that the fault shows where it is claimed. What comes
//! out is plain data; [`text::render`] makes a page for people of it, the command line makes JSON. [`Saved`] is what a
//! trace file contains.

#![forbid(unsafe_code)]

pub mod difference;
pub mod replay;
pub mod saved;
pub mod text;

pub use difference::{Change, Value, differences, values};
pub use replay::{Replayed, ReplayedStep, replay};
pub use saved::{Saved, SavedStep};
