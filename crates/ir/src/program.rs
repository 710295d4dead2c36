//! Programs.

use crate::{Action, Channel, Expr, InitialProcess, Monitor, OwnedChannel, Process, RuleSet};
use std::sync::Arc;
use tightrope_core::{Place, Schema};

/// A place in the source: a file's number in [`Program::files`] and a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Source {
    /// The file.
    pub file: u32,
    /// The line, from 1.
    pub line: u32,
}

/// A whole program. [`crate::validate()`] says what must be true of it; front ends guarantee it.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The names of the source files.
    pub files: Vec<String>,
    /// The layout of states.
    pub schema: Arc<Schema>,
    /// The declared names of the global variables, for `declared` in variables and for people.
    pub globals: Vec<String>,
    /// Initial values of the fixed part, before the initialisers run.
    pub fixed: Vec<u8>,
    /// Byte ranges of the fixed part that are no part of a state's identity: reset at the end of every step.
    pub hidden: Vec<(u32, u32)>,
    /// Initialisers of globals, executed in order before the first process starts.
    pub initialisers: Vec<Action>,
    /// The types of channels.
    pub channels: Vec<Channel>,
    /// The global channels: the place in the fixed part and the type of each.
    pub global_channels: Vec<OwnedChannel>,
    /// The types of processes; parallel to the schema's kinds.
    pub processes: Vec<Process>,
    /// The processes of the initial state.
    pub start: Vec<InitialProcess>,
    /// Where in the fixed part the number of the process that moved last is kept, if the program reads it.
    pub last_mover: Option<u32>,
    /// Whether priorities decide which processes may move; if not, they are not kept.
    pub priorities: bool,
    /// The trace assertion.
    pub monitor: Option<Monitor>,
    /// Rules, where the program is made of them and not of processes.
    pub rules: Option<RuleSet>,
    /// What no state of the processes should satisfy, evaluated by an observer that is none of them; and what it means
    /// if one does, for people. Where its evaluation is an error it is not satisfied. Rules have invariants for this.
    pub goal: Option<(Expr, String)>,
}

/// A place in the source, for people.
pub fn place_of(program: &Program, source: Source) -> Place {
    Place { file: program.files.get(source.file as usize).cloned().unwrap_or_default(), line: source.line }
}
