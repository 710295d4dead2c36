//! What comes out of a search.

use crate::{Claim, Fault, Steps};
use std::io::ErrorKind;

/// A run from an initial state: which one, and the steps from there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The number of the initial state, in the order in which the model gives them.
    pub initial: u32,
    /// The steps.
    pub steps: Steps,
}

/// Something wrong and how to get there. The last step of the trace is the faulty one, or leads to the faulty state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What is wrong.
    pub fault: Fault,
    /// How to get there.
    pub trace: Trace,
}

/// A claim about infinite runs that a model makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunClaim {
    /// `ltl`, `never`, `accept` or `property`.
    pub kind: &'static str,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// For people.
    pub text: String,
}

/// Why a search ended before it was through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The budget refused.
    Memory,
    /// A structure can hold no more, whatever the memory: which, in words.
    Limit(&'static str),
    /// The disk is full, its quota is used up, or it failed.
    Disk(ErrorKind),
    /// Anything else, in words.
    Other(&'static str),
    /// The time was up.
    Time,
    /// States beyond the depth limit were left.
    Depth,
    /// Somebody interrupted.
    Interrupted,
    /// The model asks for something that is not checked.
    Property,
    /// It is too likely that states were taken for others, and left out.
    Omission,
    /// A cache evicted a state for too many of those that it was given: the search might not end.
    CollisionRate,
}

impl Reason {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Memory => "memory",
            Reason::Limit(_) => "limit",
            Reason::Disk(_) => "disk",
            Reason::Other(_) => "other",
            Reason::Time => "time",
            Reason::Depth => "depth",
            Reason::Interrupted => "interrupted",
            Reason::Property => "property",
            Reason::Omission => "omission",
            Reason::CollisionRate => "collision rate",
        }
    }
}

/// The answer. An unfinished run is never called success.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Nothing wrong was found, and everything was looked at, as far as the claim goes.
    Holds(Claim),
    /// Something is wrong.
    Violated(Box<Violation>),
    /// The search did not finish, and found nothing wrong so far.
    Undecided(Reason),
}

/// The figures of a search. `docs/report.md` says what each counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Distinct states.
    pub states: u64,
    /// States expanded, revisits included. At the depth limit those that have no steps.
    pub visits: u64,
    /// Steps taken between stored states.
    pub transitions: u64,
    /// Steps that led to a state found stored.
    pub matched: u64,
    /// Every execution of a step, rebuilding of states included.
    pub fired: u64,
    /// Those of them that rebuilt states.
    pub rebuilt: u64,
    /// Breadth-first levels; 0 for other searches.
    pub levels: u64,
    /// States in the widest level; 0 for other searches.
    pub widest_level: u64,
    /// The statements of the longest path (depth-first), or the last level's distance in steps (breadth-first).
    pub depth: u64,
    /// States with no way forward that may not end there.
    pub deadlocks: u64,
    /// States with no way forward that may end there.
    pub ends: u64,
    /// Violations found.
    pub violations: u64,
    /// The most states remembered at one time.
    pub stored_peak: u64,
    /// The most states that waited at one time.
    pub frontier_peak: u64,
    /// The most bytes of the frontier, stack or queue and the record of how states were reached.
    pub frontier_bytes: u64,
}

/// Everything a search returns.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// The figures.
    pub figures: Figures,
    /// Why the search ended early, if it did. Beside a violation, which is an answer all the same, when the search
    /// went on after it (`--all`) and did not finish.
    pub stopped: Option<Reason>,
    /// With `--all`, what was violated and how often: the first [`Outcome::MOST_FAULTS`] that are not the same.
    pub faults: Vec<(Fault, u64)>,
}

impl Outcome {
    /// How many different faults are told apart.
    pub const MOST_FAULTS: usize = 100;
}
