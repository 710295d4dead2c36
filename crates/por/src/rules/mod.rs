//! Stubborn sets of rules.
//!
//! The entities are rules with values for their parameters. Two of them depend on each other if one writes a byte that the other
//! reads or writes.
//!
//! What rules read and write is known from their texts (`ir/effects/rules.rs`), byte by byte. Whether a rule is not enabled because
//! an automaton is elsewhere, or which part of its tests is not true, is found in the state at hand; what is then needed to
//! enable it are the rules that move the automaton, or store something with which that part may be true (`tables.rs`).
//! Where several reasons can be given, the one is taken that adds the fewest enabled rules.
//!
//! A test that runs into trouble makes a step that fails. So a rule that is not enabled may become so if a test which is
//! made before the one that is not true runs into trouble, and what those read counts as well. A rule that is enabled
//! depends on everything that decides whether it fails, since that is among what it reads. Nothing is left out in a state
//! from which a step fails.
//!
//! In Murphi a state is stuck if all its steps lead back to it. Such steps commute with everything there, so that such
//! states are found as well, as long as no step is ignored for ever.

mod closure;
mod entity;
mod tables;
#[cfg(test)]
mod tests;
mod visible;
mod within;

pub use closure::RuleChoice;

use tables::Tables;
use tightrope_ir::{Program, RuleSet};

/// What is known of the rules of a program.
pub struct RuleEffects(Option<Tables>);

impl RuleEffects {
    /// Reads the rules of a program.
    pub fn new(program: &Program, rules: &RuleSet) -> RuleEffects {
        RuleEffects(Tables::new(program, rules))
    }

    /// Whether enough is known to leave anything out.
    pub fn may_reduce(&self) -> bool {
        self.0.is_some()
    }
}
