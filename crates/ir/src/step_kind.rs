//! The kinds of steps that type-oriented replacement tells apart.

use tightrope_core::StepClass;

/// What a step does (Godefroid, Holzmann & Pirottin 1995, §5), in the order of the classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StepKind {
    /// A test or a jump: control moves, data does not.
    Control,
    /// A receive.
    Receive,
    /// A send.
    Send,
    /// An assignment.
    Assign,
    /// Anything else: starting and ending of processes, mixtures.
    Other,
}

impl StepKind {
    /// Its class, for replacement strategies.
    pub fn class(self) -> StepClass {
        match self {
            StepKind::Other => StepClass::LAST,
            kind => StepClass::new(kind as u8),
        }
    }
}
