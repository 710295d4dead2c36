//! Which steps of a state suffice: stubborn sets of rules (Valmari 1991, "Stubborn sets for reduced state space
//! generation").
//!
//! A set of rules is stubborn in a state if, first, for every rule of it that is enabled there, it contains all rules that
//! have to do with that one: what one writes the other reads or writes. Second, for every rule of it that is not enabled,
//! it contains all rules of which one must come first before that one can be. Then whatever rules outside of it do first,
//! the enabled rules inside stay enabled and come to the same later, and the others inside stay disabled. So the steps of
//! those that are enabled suffice to find all deadlocks; and all faults, if no step is put off for ever, which the search
//! sees to. Where invariants ask about states, rules that change what is asked are left out only together with all others.
//!
//! What rules read and write is known from their texts (`reader.rs`), byte by byte. Whether a rule is not enabled because
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
//! states are found as well, as long as no step is put off for ever.

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
}
