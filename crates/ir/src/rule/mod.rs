//! Programs of rules: what they are, and how they are executed.
//!
//! | question | file |
//! |---|---|
//! | what a program is made of | `rule_set.rs`, `stmt.rs`; `validate.rs` and `references.rs` say what must be true of it |
//! | what an expression, a test, a statement means | `machine.rs`, `memory.rs`, `statements.rs`, `call.rs` (`height.rs` bounds the stack) |
//! | which rules are tried in a state | `dispatch.rs` |
//! | for which parameters a rule is enabled | `combinations.rs` |
//! | which steps a state has | `steps.rs`, `fire.rs` for a single one |
//! | what steps depend on | `footprints.rs` |
//! | the model, and where machine code takes part | `model.rs`, with `describe.rs` for words |

mod call;
mod combinations;
mod describe;
mod dispatch;
mod fire;
mod footprints;
pub mod height;
mod machine;
mod memory;
mod model;
mod references;
mod rule_set;
mod statements;
mod steps;
mod stmt;
mod validate;
mod walk;

pub use call::{MAX_CALLS, MAX_LEVELS};
pub use combinations::{parameter_values, rule_of};
pub use dispatch::{Dispatch, PriorityLevel, RuleGroup};
pub use machine::RuleMachine;
pub use memory::RuleMemory;
pub(crate) use memory::ordinal;
pub use model::{NativeRules, RuleModel};
pub use rule_set::{
    Automaton, AutomatonLocation, Invariant, Multiset, Parameter, Participant, Routine, Rule, RuleSet, Test,
};
pub use statements::MAX_ROUNDS;
pub use steps::RuleScratch;
pub use stmt::{PrintItem, Stmt, StmtKind};
pub(crate) use validate::validate;
