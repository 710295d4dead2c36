//! Counterexamples: replayed through the model before anybody sees them, and made readable.
//!
//! [`replay()`] fires the steps of a trace one by one and makes sure that the fault shows where it is claimed. A [`Replay`]
//! does the same for whoever wants to see the steps: [`text::write`] makes a page for people of it, the command line makes
//! JSON. No more than one step is in memory at a time.

#![forbid(unsafe_code)]

pub mod difference;
pub mod replay;
pub mod text;

pub use difference::{Change, Value, differences, values};
pub use replay::{Replay, Taken, replay};
