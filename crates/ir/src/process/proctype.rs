//! Types of processes: automata with locations and transitions.

use crate::{Action, Expr, OwnedChannel, Source, StepKind, Type};

/// A process that exists in the initial state.
#[derive(Clone, Debug, PartialEq)]
pub struct InitialProcess {
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
    /// At most one transition may be enabled at a time: a second one is a fault (`D_proctype`).
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

/// The number of an escape group; 0 is none. If a transition of a group is enabled, only transitions of that group are.
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
