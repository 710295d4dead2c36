//! Why a structure could not grow.

use crate::Reason;
use std::fmt;
use std::io::ErrorKind;

/// A refusal. An ordinary result: the caller tries something smaller, or the search ends undecided with this as its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The budget has too little left, or the system gave no memory.
    Memory,
    /// A structure can hold no more, however much memory there is: which one, in words.
    Limit(&'static str),
    /// The disk is full, its quota is used up, or it failed.
    Disk(ErrorKind),
    /// Anything else, in words.
    Other(&'static str),
}

impl From<Refused> for Reason {
    fn from(refused: Refused) -> Reason {
        match refused {
            Refused::Memory => Reason::Memory,
            Refused::Limit(what) => Reason::Limit(what),
            Refused::Disk(why) => Reason::Disk(why),
            Refused::Other(what) => Reason::Other(what),
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Memory => f.write_str("the memory does not suffice"),
            Refused::Limit(what) | Refused::Other(what) => f.write_str(what),
            Refused::Disk(why) => write!(f, "the disk: {why}"),
        }
    }
}

impl std::error::Error for Refused {}
