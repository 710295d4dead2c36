//! Ways of visiting the states of a model.
//!
//! A search gets a [`Task`] (a model, a store, limits, the budget) and an observer, and returns an outcome. All that
//! exist are in the table [`SEARCHES`]. What is the same for all (counting, limits, which violation is kept) is in
//! `visit.rs`; a search is only the order in which it visits.

#![forbid(unsafe_code)]

mod ahead;
mod ancestry;
mod bfs;
mod dfs;
mod in_store;
mod measure;
mod names;
mod queue;
mod record;
mod stack;
mod visit;
mod widths;

pub use ancestry::Ancestry;
pub use bfs::bfs;
pub use dfs::dfs;
pub use in_store::InStore;
pub use measure::{Measure, Shape, Share};
pub use names::Names;
pub use queue::Queue;
pub use record::{Record, Tell};
pub use stack::Stack;
pub use widths::LevelWidths;

use std::sync::Arc;
use tightrope_core::{Budget, Limits, Model, Observe, Outcome, Store, Successors};

/// What a search is to do.
pub struct Task<'a> {
    /// What to explore.
    pub model: &'a dyn Model,
    /// What remembers the states; empty at the start.
    pub store: &'a mut dyn Store,
    /// When to stop, and what counts as wrong.
    pub limits: &'a Limits,
    /// The account of memory.
    pub budget: &'a Arc<Budget>,
    /// The buffer to expand states into. The model's working space stays in it for [`Model::unreached`].
    pub successors: &'a mut Successors,
}

/// A line of the table of searches.
pub struct Search {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// It says what must not be forgotten ([`tightrope_core::Forgets`]), so that it can be given a store that forgets.
    pub pins: bool,
    /// Runs it.
    pub run: fn(Task<'_>, &mut dyn Observe) -> Outcome,
}

/// Every search there is. The first is the default.
pub static SEARCHES: &[Search] = &[
    Search {
        name: "bfs",
        about: "breadth-first: shortest counterexamples",
        pins: false,
        run: |task, observer| bfs(task, observer),
    },
    Search {
        name: "dfs",
        about: "depth-first: deep errors early, memory for one path",
        pins: true,
        run: |task, observer| dfs(task, observer),
    },
];

/// The search of that name. The error is a sentence for people.
pub fn find(name: &str) -> Result<&'static Search, String> {
    SEARCHES.iter().find(|search| search.name == name).ok_or_else(|| {
        let names: Vec<&str> = SEARCHES.iter().map(|search| search.name).collect();
        format!("there is no search `{name}`; there are {}", names.join(", "))
    })
}
