//! Guarded-command programs: what every language is lowered to, and the interpreters that execute them.
//!
//! A [`Program`] comes in one of two forms, over the same types and expressions:
//! - **processes** ([`process`]): types of processes with locations and transitions, which are created and end at run time,
//!   and communicate over channels. Promela is lowered to these.
//! - **rules** ([`rule`]): guarded commands with parameters and routines, optionally over automata with locations. Murphi
//!   and DVE are lowered to these.
//!
//! [`ProgramModel`] is either as a [`tightrope_core::Model`]. [`effects`] says statically what a program reads and writes.

pub mod access_log;
pub mod context;
pub mod effects;
pub mod expr;
pub mod process;
pub mod program;
mod program_model;
pub mod rule;
mod step_kind;
pub mod types;

pub use effects::read_write_set::{Object, ReadWriteSet};
pub use expr::{Argument, Base, Binary, Call, ChanRef, Expr, Fold, Index, Quantified, Run, Unary, Variable};
pub use process::{
    Action, Channel, Escape, IndivisibleCode, IndivisibleNode, InitialProcess, Location, Monitor, MonitorEvent,
    OwnedChannel, Pattern, Print, Process, Receive, Send, Transition, validate,
};
pub use program::{Program, Source};
pub use program_model::ProgramModel;
pub use rule::{
    Automaton, AutomatonLocation, Invariant, Multiset, NativeRules, Parameter, Participant, PrintItem, Routine, Rule,
    RuleSet, Stmt, StmtKind, Test,
};
pub use step_kind::StepKind;
pub use types::{Domain, Type};
