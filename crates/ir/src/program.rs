//! Programs.

use crate::{Action, Expr, Pattern, RuleSet, Type};
use std::sync::Arc;
use tightrope_core::{Place, Schema, StepKind};

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
    /// The processes that are there from the start.
    pub start: Vec<Start>,
    /// Where in the fixed part the number of the process that moved last is kept, if the program asks for it.
    pub last_mover: Option<u32>,
    /// Whether priorities decide who may move; if not, they are not kept.
    pub priorities: bool,
    /// Watches messages.
    pub monitor: Option<Monitor>,
    /// Rules, where the program is made of them and not of processes.
    pub rules: Option<RuleSet>,
    /// What no state of the processes should satisfy, as somebody sees them who is no process; and what it means if one
    /// does, for people. Where evaluating it is an error it is not satisfied. Rules have invariants for this.
    pub goal: Option<(Expr, String)>,
}

/// A place in the source, for people.
pub fn place_of(program: &Program, source: Source) -> Place {
    Place { file: program.files.get(source.file as usize).cloned().unwrap_or_default(), line: source.line }
}

/// A type of channel. Its body in the state is the number of messages in a byte, then the slots; empty slots are zero.
/// A channel without slots has no body.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// The number of slots.
    pub capacity: u8,
    /// The fields of a message.
    pub fields: Vec<Type>,
}

impl Channel {
    /// The bytes of one slot.
    pub fn slot_size(&self) -> u32 {
        self.fields.iter().map(|field| field.size()).sum()
    }

    /// The bytes of the body.
    pub fn size(&self) -> u32 {
        if self.capacity == 0 { 0 } else { 1 + u32::from(self.capacity) * self.slot_size() }
    }
}

/// A channel at its place in the fixed part or in a process's body.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnedChannel {
    /// Its type: an index into [`Program::channels`].
    pub channel: u32,
    /// The place of its body.
    pub offset: u32,
    /// Its name for people.
    pub name: String,
}

/// A process that is there from the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// Its kind.
    pub kind: u8,
    /// Its priority.
    pub priority: u8,
}

/// A type of process. The body begins with the location (`pc`), then, if priorities count, a byte of priority.
#[derive(Clone, Debug, Default)]
pub struct Process {
    /// Its name.
    pub name: String,
    /// The declared names of its variables.
    pub variables: Vec<String>,
    /// The location's type: one byte, or two.
    pub wide_pc: bool,
    /// The offset of the priority.
    pub priority: Option<u32>,
    /// The body of a fresh instance, before parameters and initialisers.
    pub body: Vec<u8>,
    /// The places of the parameters.
    pub params: Vec<(u32, Type)>,
    /// Executed in order when an instance is made, as by the instance itself.
    pub initialisers: Vec<Action>,
    /// The channels it owns, in the order of their names.
    pub channels: Vec<OwnedChannel>,
    /// It may move only while this is not zero.
    pub provided: Option<Expr>,
    /// At most one transition should be possible at a time: a second one is a fault.
    pub deterministic: bool,
    /// Its locations. Number 0 is where it starts.
    pub locations: Vec<Location>,
    /// Its transitions; those of one location stand together, in the order in which they are tried.
    pub transitions: Vec<Transition>,
    /// Statements that were left out because no location leads to them, for people.
    pub dead: Vec<(String, Source)>,
}

/// A location.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Location {
    /// Its first transition.
    pub first: u32,
    /// How many it has.
    pub count: u32,
    /// The process may end here.
    pub end: bool,
    /// Marked as progress.
    pub progress: bool,
    /// Marked as accepting.
    pub accept: bool,
    /// Labels, for people.
    pub labels: Vec<String>,
    /// Where it is written.
    pub source: Source,
}

impl Location {
    /// The numbers of its transitions.
    pub fn transitions(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// The number of an escape group; 0 is none. If a transition of a group is possible, only transitions of that group
/// are.
pub type Escape = u32;

/// A transition.
#[derive(Clone, Debug)]
pub struct Transition {
    /// What it does.
    pub action: Action,
    /// The location it leads to.
    pub target: u32,
    /// The process keeps control after it: no other process moves in between unless it blocks.
    pub keeps_control: bool,
    /// The escape group.
    pub escape: Escape,
    /// Its class.
    pub kind: StepKind,
    /// The statement, for people.
    pub text: String,
    /// Where it is written.
    pub source: Source,
}

/// Watches the messages on some channels: an automaton whose state is part of the program's state. A message on a
/// watched channel must match a transition of its current location.
#[derive(Clone, Debug, Default)]
pub struct Monitor {
    /// The place of its location in the fixed part (one byte).
    pub offset: u32,
    /// Its locations: the events possible in each, where they lead, and whether it may end there.
    pub locations: Vec<(Vec<(MonitorEvent, u32)>, bool)>,
    /// The global channels whose sends it watches.
    pub sends: Vec<u32>,
    /// The global channels whose receives it watches.
    pub receives: Vec<u32>,
    /// True for a forbidden sequence: completing it is the fault, an event that does not match ends the watch.
    pub forbidden: bool,
    /// Where it is written.
    pub source: Source,
}

/// An event of a [`Monitor`].
#[derive(Clone, Debug, PartialEq)]
pub enum MonitorEvent {
    /// A send on a global channel whose fields match.
    Send(u32, Vec<Pattern>),
    /// A receive on a global channel whose fields match.
    Receive(u32, Vec<Pattern>),
}
