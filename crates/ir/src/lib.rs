//! Guarded-command programs: what every language is lowered to, and the interpreter that runs them.
//!
//! A [`Program`] has global variables, channels, and types of processes. A process is an automaton: locations, and
//! transitions with an [`Action`] that may block, do something, and lead on. How transitions of different processes
//! combine into the steps of a model (interleaving, indivisible sequences, handshakes, escapes, priorities, process
//! creation and death) is the same for all and lives in [`machine`].
//!
//! The split that matters for speed: [`eval`] and [`exec`] say what a single action means, [`machine`] says how
//! actions combine. Machine code replaces the former and keeps the latter.

pub mod action;
pub mod context;
pub mod desk;
pub mod dispatch;
pub mod effects;
pub mod eval;
pub mod exec;
pub mod expr;
pub mod interpreter;
pub mod machine;
pub mod native;
pub mod program;
pub mod rule_height;
pub mod rule_machine;
pub mod rule_model;
mod rule_places;
pub mod rule_steps;
mod rule_validate;
pub mod rules;
pub mod shape;
pub mod trace;
pub mod types;
pub mod validate;

pub use action::{Action, Code, CodeNode, Pattern, Print, Receive, Send};
pub use effects::access::{Access, Object};
pub use expr::{Argument, Base, Binary, Call, ChanRef, Expr, Fold, Index, Over, Run, Unary, Variable};
pub use interpreter::Interpreter;
pub use native::NativeRules;
pub use program::{
    Channel, Escape, Location, Monitor, MonitorEvent, OwnedChannel, Process, Program, Source, Start, Transition,
};
pub use rules::{
    Automaton, Does, Invariant, Multiset, Parameter, Part, Piece, Routine, Rule, RuleSet, Spot, Stmt, Test,
};
pub use types::{Domain, Type};
pub use validate::validate;
