//! Ways of visiting the states of a model.
//!
//! A search gets a [`Task`] (a model, a store, a configuration, the budget) and an observer, and returns an outcome. All that
//! exist are in the table [`SEARCHES`]. What is the same for all (counting, limits, which violation is kept) is in
//! `exploration.rs`; a search is only the order in which it visits.

#![forbid(unsafe_code)]

mod batch;
mod bfs;
mod counterexample;
mod dfs;
mod exploration;
mod frontier;
mod level_widths;
mod locality;
mod lts_recorder;
mod measure;
mod stack;

pub use bfs::bfs;
pub use counterexample::ParentLog;
pub use dfs::dfs;
pub use frontier::{IdQueue, StateQueue, StoreOrder};
pub use level_widths::LevelWidths;
pub use locality::{BackEdges, Histogram, Locality, Share};
pub use lts_recorder::{EachTransition, LtsRecorder};
pub use measure::{Measure, StateSpaceShape};
pub use stack::Stack;
pub use tightrope_por::Provisos;

use std::sync::Arc;
use tightrope_core::{Budget, Frontier, Model, Observe, Outcome, SearchConfig, Spill, Store, Successors};

/// What a search is to do.
pub struct Task<'a> {
    /// What to explore.
    pub model: &'a dyn Model,
    /// What remembers the states; empty at the start.
    pub store: &'a mut dyn Store,
    /// When to stop, and what counts as wrong.
    pub config: &'a SearchConfig,
    /// The account of memory.
    pub budget: &'a Arc<Budget>,
    /// The provisos of stubborn sets.
    pub provisos: Provisos,
    /// Where the states of a breadth-first search wait; none for what takes the least memory over the store. One that is given keeps
    /// the bytes of states, so that it does not depend on what the store still has.
    pub frontier: Option<Box<dyn Frontier + 'a>>,
    /// Where the log that counterexamples are reconstructed from may put what it does not need in memory.
    pub spill: Option<Box<dyn Spill + 'a>>,
    /// The buffer to expand states into. The model's working space stays in it for [`Model::unreached`].
    pub successors: &'a mut Successors,
}

impl<'a> Task<'a> {
    /// A task with the default provisos.
    pub fn new(
        model: &'a dyn Model,
        store: &'a mut dyn Store,
        config: &'a SearchConfig,
        budget: &'a Arc<Budget>,
        successors: &'a mut Successors,
    ) -> Self {
        let provisos = Provisos::default();
        Task { model, store, config, budget, provisos, frontier: None, spill: None, successors }
    }
}

/// A line of the table of searches.
pub struct Search {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// What it guarantees.
    pub guarantees: Guarantees,
    /// Runs it.
    pub run: fn(Task<'_>, &mut dyn Observe) -> Outcome,
}

/// What a search guarantees, which others rely on.
#[derive(Clone, Copy, Debug)]
pub struct Guarantees {
    /// It has the path to the present state at hand, as sleep sets need it.
    pub path: bool,
    /// It pins the states that it is not done with ([`tightrope_core::Pins`]), and ends whatever else is evicted.
    pub pins: bool,
    /// It visits states level by level, and numbers them in that order.
    pub levels: bool,
    /// It is run over a set that remembers some of the levels ([`tightrope_core::CacheStats::snapshots`]) instead of all states.
    pub samples_levels: bool,
}

/// Every search there is. The first is the default.
pub static SEARCHES: &[Search] = &[
    Search {
        name: "bfs",
        about: "breadth-first: shortest counterexamples",
        guarantees: Guarantees { path: false, pins: false, levels: true, samples_levels: false },
        run: |task, observer| bfs(task, observer),
    },
    Search {
        name: "dfs",
        about: "depth-first: deep errors early, memory for one path",
        guarantees: Guarantees { path: true, pins: true, levels: false, samples_levels: false },
        run: |task, observer| dfs(task, observer),
    },
    Search {
        name: "snapshots",
        about: "breadth-first, but only some of the levels are remembered: less memory, states are visited again",
        guarantees: Guarantees { path: false, pins: false, levels: true, samples_levels: true },
        run: |task, observer| bfs(task, observer),
    },
];

/// The searches that are run over any store.
pub fn searches_over_any_store() -> impl Iterator<Item = &'static Search> + Clone {
    SEARCHES.iter().filter(|search| !search.guarantees.samples_levels)
}

/// The search of that name. The error is a sentence for people.
pub fn find(name: &str) -> Result<&'static Search, String> {
    SEARCHES.iter().find(|search| search.name == name).ok_or_else(|| {
        let names: Vec<&str> = SEARCHES.iter().map(|search| search.name).collect();
        format!("there is no search `{name}`; there are {}", names.join(", "))
    })
}
