//! Stores that are no combination of an encoding and a set.

mod auto;
mod tree;

pub use auto::Auto;
pub use tree::Tree;
