//! Static effects: what transitions and rules may read, write, enable and disable, in whatever state.
//!
//! [`operations`] is the one walk over the intermediate representation that says what an expression, an action or a statement
//! reads and writes. Everything that is said about effects elsewhere is made from it:
//! - [`read_write_set`] names the variables and channels for people (`show`);
//! - [`processes`] gives the accesses of an action to what processes share, for partial orders;
//! - machine code derives from it which routines change the state, and what slots hold.
//!
//! [`rules`] is an abstract interpreter for rules: it follows a rule with what is known of its parameters, so that elements
//! of arrays are distinguished, and gives the bytes that the rule may read and write.
//!
//! The dynamic counterpart is the footprint ([`tightrope_core::Footprints`]), recorded while a step is executed. The tests of
//! partial orders check for every step that its footprint lies within the static effects.

pub mod bits;
pub mod operations;
pub mod processes;
pub mod read_write_set;
pub mod rules;
mod statements;
