//! What machine code does in the place of the interpreter, which remains the reference.

use crate::rule_steps::RuleWork;
use crate::{Program, RuleSet};
use tightrope_core::Successors;

/// Machine code for rules.
pub trait NativeRules: Send + Sync {
    /// Adds to `out` exactly what [`crate::rule_steps::expand`] does, which it asks wherever there is trouble.
    ///
    /// # Safety
    /// The program and its rules must be those that the code was made from, and the working space must be theirs.
    unsafe fn expand(
        &self,
        program: &Program,
        rules: &RuleSet,
        work: &mut RuleWork,
        state: &[u8],
        out: &mut Successors,
    );

    /// Whether all invariants hold in a state for certain. If not, the interpreter has to look.
    fn holds(&self, state: &[u8]) -> bool;
}
