//! Breadth-first search with its queue and its log on disk, over every store, compared with the naive checker.
//!
//! Blocks are so small that a few states fill one, and that most levels go through many files. `TIGHTROPE_SEED=17` looks at one
//! program, as in `conformance.rs`.

mod suite;

use std::cell::Cell;
use std::collections::HashSet;
use std::sync::Arc;
use suite::programs::{each_program, tiny_models};
use suite::replays;
use tightrope_core::{
    Budget, Claim, Found, Model, Observe, Outcome, Reason, SearchConfig, StateId, Step, Successors, Verdict,
};
use tightrope_disk::{DiskLog, DiskQueue, Room};
use tightrope_search::{SEARCHES, Search, Task};
use tightrope_store::{Site, make};
use tightrope_testkit::naive::{self, Explored};
use tightrope_testkit::{random, random_rules, tiny};

/// Programs with more states than this are left out.
const MOST_STATES: usize = 2_000;

/// The states a search saw and expanded.
#[derive(Default)]
struct Collect {
    found: HashSet<Vec<u8>>,
    expanded: HashSet<Vec<u8>>,
}

impl Observe for Collect {
    fn initial(&mut self, _: Found, state: &[u8]) {
        self.found.insert(state.to_vec());
    }

    fn expand(&mut self, _: StateId, state: &[u8], _: usize) {
        assert!(self.expanded.insert(state.to_vec()), "it is expanded twice");
    }

    fn step(&mut self, _: StateId, _: Step, _: Found, state: &[u8]) {
        self.found.insert(state.to_vec());
    }
}

/// Every exact store, and `auto` that re-encodes after some states.
fn stores() -> Vec<String> {
    let mut stores = suite::exact_stores();
    stores.extend(["auto:2", "auto:30"].map(String::from));
    stores
}

/// The searches that have a queue.
fn searches() -> impl Iterator<Item = &'static Search> {
    SEARCHES.iter().filter(|search| search.guarantees.levels)
}

struct OnDisk {
    /// The bytes of a block.
    block: usize,
    with_thread: bool,
    quota: Option<u64>,
}

/// Searches with the disk. Says how many bytes were written, too.
fn run(
    (search, store): (&Search, &str),
    on_disk: &OnDisk,
    model: &dyn Model,
    config: &SearchConfig,
    budget: &Arc<Budget>,
    observer: &mut dyn Observe,
) -> (Outcome, u64) {
    let room = Room::open(&std::env::temp_dir(), on_disk.quota).expect("temporary files");
    let site = Site { schema: model.schema(), budget, seed: 1, model: None };
    let mut store = make(store, site).expect("every store can be made");
    let mut successors = Successors::new();
    let mut task = Task::new(model, store.as_mut(), config, budget, &mut successors);
    task.frontier = Some(Box::new(DiskQueue::with_blocks(&room, budget, on_disk.block, on_disk.with_thread)));
    task.spill = Some(Box::new(DiskLog::new(&room, budget)));
    let outcome = (search.run)(task, observer);
    assert_eq!(room.bytes(), 0, "nothing is left on disk");
    assert!(on_disk.quota.is_none_or(|quota| room.peak() <= quota));
    (outcome, room.written())
}

/// Explores and checks over every store, and says how often something was written.
fn agrees(stores: &[String], model: &dyn Model, explored: &Explored) -> u64 {
    let mut wrote = 0;
    for search in searches() {
        for (number, store) in stores.iter().enumerate() {
            let on_disk = OnDisk { block: [16, 50, 200][number % 3], with_thread: number % 4 == 0, quota: None };
            let label = format!("{} over {store}", search.name);
            let mut seen = Collect::default();
            let (budget, config) = (Arc::new(Budget::unlimited()), SearchConfig::measuring());
            let (outcome, written) = run((search, store), &on_disk, model, &config, &budget, &mut seen);
            wrote += u64::from(written > 0);
            assert_eq!(outcome.verdict, Verdict::Holds(Claim::Exact), "{label}");
            assert_eq!((&seen.found, &seen.expanded), (&explored.states, &explored.states), "{label}");
            let figures = outcome.figures;
            assert_eq!((figures.transitions, figures.fired), (explored.transitions, explored.fired), "{label}");
            assert_eq!(figures.levels, explored.levels.len() as u64, "{label}");
            assert_eq!(Some(figures.widest_level), explored.levels.iter().copied().max(), "{label}");
            for all in [false, true] {
                let config = SearchConfig { all, ..SearchConfig::checking() };
                let budget = Arc::new(Budget::unlimited());
                let (outcome, _) = run((search, store), &on_disk, model, &config, &budget, &mut ());
                assert_eq!(budget.used(), 0, "{label}");
                match (outcome.verdict, explored.shortest_fault(true)) {
                    (Verdict::Holds(Claim::Exact), None) => {}
                    (Verdict::Violated(violation), Some(shortest)) => {
                        assert_eq!(violation.trace.steps.len() as u64, shortest, "{label}");
                        replays(model, &violation);
                    }
                    (verdict, expected) => panic!("{label}: {verdict:?}, but {expected:?}"),
                }
            }
        }
    }
    wrote
}

/// With any quota and any memory a search is right or says what it lacked.
fn limits_are_honest(model: &dyn Model, explored: &Explored) {
    for search in searches() {
        for (quota, memory) in
            (0..12).map(|part| (Some(part * 90), None)).chain((0..12).map(|part| (None, Some(part * 30_000))))
        {
            let budget = Arc::new(memory.map_or_else(Budget::unlimited, Budget::new));
            let on_disk = OnDisk { block: 24, with_thread: quota.or(memory).is_some_and(|part| part % 20 == 0), quota };
            let (outcome, _) = run((search, "tree"), &on_disk, model, &SearchConfig::checking(), &budget, &mut ());
            let label = format!("{} with {quota:?} on disk, {memory:?} in memory", search.name);
            assert!(budget.used() == 0 && memory.is_none_or(|memory| budget.peak() <= memory), "{label}");
            match outcome.verdict {
                Verdict::Holds(_) => {
                    assert_eq!(explored.shortest_fault(true), None, "{label}");
                    assert_eq!(outcome.figures.states, explored.states.len() as u64, "{label}");
                }
                Verdict::Violated(violation) => replays(model, &violation),
                Verdict::Undecided(Reason::Memory) => assert!(memory.is_some(), "{label}"),
                Verdict::Undecided(Reason::Disk(kind)) => {
                    assert!(quota.is_some() && kind == std::io::ErrorKind::QuotaExceeded, "{label}: {kind}");
                }
                Verdict::Undecided(reason) => panic!("{label}: {reason:?}"),
            }
        }
    }
}

#[test]
fn tiny_models_agree() {
    tiny_models(|model, explored| {
        agrees(&stores(), model, explored);
        limits_are_honest(model, explored);
    });
}

#[test]
fn random_programs_agree() {
    let (stores, wrote) = (stores(), Cell::new(0));
    let check = |model: &dyn Model, explored: &Explored| {
        wrote.set(wrote.get() + agrees(&stores, model, explored));
        limits_are_honest(model, explored);
    };
    each_program(random::program, 0..60, MOST_STATES, |_, model, explored| check(model, explored));
    each_program(random_rules::automata, 0..30, MOST_STATES, |_, model, explored| check(model, explored));
    let alone = std::env::var("TIGHTROPE_SEED").is_ok();
    assert!(alone || wrote.get() > 200, "only {} searches wrote to the disk", wrote.get());
}

/// The log of this model has many blocks, and the only counterexample goes back through all of them.
#[test]
fn the_log_is_read_back_from_the_disk() {
    let model = tiny::far_corner();
    let explored = naive::explore(&model, 125_000).expect("fifty by fifty by fifty");
    let stores = ["hash", "tree", "collapse", "auto:1000"].map(String::from);
    let wrote = agrees(&stores, &model, &explored);
    assert_eq!(wrote, (searches().count() * stores.len()) as u64, "every search wrote");
}
