//! Stores that are no combination of an encoding and a set.

mod auto;
mod comback;
mod tree;

pub use auto::Auto;
pub use comback::{ComBack, ComBackPlan};
pub use tree::Tree;
