//! Stubborn sets of rules.
//!
//! The structural transitions are *rule instances*: rules with values for their parameters (`instance.rs`). Two of them depend on
//! each other if one writes a byte that the other reads or writes (`dependency.rs`). What rules read and write is known from
//! their texts, byte by byte (`ir/effects/rules.rs`).
//!
//! A disabled instance has a necessary enabling set for each conjunct of its guard that is false in the state, and for each
//! automaton that is at another location than the rule starts from (`necessary_enabling.rs`). The one is taken that adds the
//! fewest enabled instances.
//!
//! A guard whose evaluation fails makes a step that fails. So a disabled instance is enabled also where a conjunct before the
//! false one fails, and what that one reads counts as well. An enabled instance reads all that decides whether it fails.
//! Nothing is left out in a state from which a step fails.
//!
//! In Murphi a state is a deadlock if all its steps lead back to it. Such steps commute with all others there, so that these
//! deadlocks are found as well, as long as no step is ignored for ever.

mod dependency;
mod instance;
mod necessary_enabling;
mod relation;
#[cfg(test)]
mod tests;
mod visibility;

pub use dependency::ANALYSIS_LIMIT;
pub use instance::{RuleInstance, guard_conjuncts, location_bytes};
pub use relation::RuleWorkspace;

use dependency::RuleTables;
use tightrope_ir::{Program, RuleSet};

/// The static effects of the rules of a program, and the relations that follow from them; none if nothing can be left out.
pub struct RuleEffects(pub(crate) Option<RuleTables>);

impl RuleEffects {
    /// Those of a program.
    pub fn new(program: &Program, rules: &RuleSet) -> RuleEffects {
        RuleEffects(RuleTables::new(program, rules))
    }

    /// Whether enough is known to leave steps out.
    pub fn may_reduce(&self) -> bool {
        self.0.is_some()
    }
}
