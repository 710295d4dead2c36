//! Error recovery: which errors a parser reports, and when it stops.
//!
//! After an error a parser skips to a token where something new can start (panic-mode recovery) and goes on, so that
//! one run finds several mistakes. What it then meets may be wrong only because of the first error. Such follow-on
//! errors are not reported: of several errors at one place the first is kept, and what looks misplaced while the parser
//! [recovers](Recovery::active) is taken for a consequence.

use crate::Span;
use rustc_hash::FxHashSet;

/// An error was reported. Whoever gets this synchronises: it looks for a token to go on at.
#[derive(Clone, Copy, Debug)]
pub struct Reported;

/// What was parsed, unless there was an error.
pub type Parsed<T> = Result<T, Reported>;

/// What a parser remembers of the errors it reported.
#[derive(Debug, Default)]
pub struct Recovery {
    /// Places that have an error already.
    reported: FxHashSet<Span>,
    /// An error was reported since the last unit of the language (a process, a rule) that had none. What then seems to
    /// stand outside of units is a follow-on error.
    pub active: bool,
    /// The parser has stopped: nothing more is reported.
    pub stopped: bool,
}

impl Recovery {
    /// Whether an error at this place is worth reporting: the first one there, and before the parser stopped.
    pub fn is_first_at(&mut self, place: Span) -> bool {
        !self.stopped && self.reported.insert(place)
    }

    /// Takes a place for one that has an error already.
    pub fn suppress(&mut self, place: Span) {
        self.reported.insert(place);
    }

    /// Whether nothing was reported so far.
    pub fn is_unused(&self) -> bool {
        self.reported.is_empty()
    }
}
