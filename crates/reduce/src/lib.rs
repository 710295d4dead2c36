//! Reductions: models that wrap a model, show fewer states, and mean the same. A wrapper never knows what it wraps.

#![forbid(unsafe_code)]

mod beside;
mod canonical;
mod difference;
mod places;
mod symmetry;

pub use beside::Beside;
pub use canonical::Canonical;
pub use symmetry::Symmetric;

/// A line of the table of reductions.
pub struct Reduction {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
}

/// Every reduction there is.
pub static REDUCTIONS: &[Reduction] = &[
    Reduction { name: "symmetry", about: "one state for all that differ by renaming (Murphi's scalarsets)" },
    Reduction { name: "sleep", about: "sleep sets: every state, by fewer transitions (depth-first)" },
    Reduction {
        name: "stubborn",
        about: "stubborn sets: fewer states; deadlocks, faults, invariants and goals are preserved",
    },
];
