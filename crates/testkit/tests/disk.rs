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
use suite::seen::Seen;
use tightrope_core::{
    Budget, Claim, Found, Model, Observe, Outcome, Reason, SearchConfig, StateId, Step, Store, Successors, Verdict,
};
use tightrope_disk::{DiskLog, DiskQueue, SpillSpace};
use tightrope_search::{SEARCHES, Search, Task};
use tightrope_store::{Bound, Caching, Site, SnapshotPlan, make, make_caching, make_with_snapshots};
use tightrope_testkit::naive::{self, Explored};
use tightrope_testkit::{random, random_rules, tiny};

/// Programs with more states than this are left out.
const MOST_STATES: usize = 2_000;
/// So many bytes suffice for them, the blocks of the queue included.
const MUCH: u64 = 4 << 20;
/// Searches with a cache that visit more are given up; those with snapshots end.
const MOST_VISITS: u64 = 30_000;

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

/// What states are kept in.
enum Kept<'k> {
    /// A store that keeps all.
    All(&'k str),
    /// A cache for so many, with a replacement strategy, and an encoding.
    Cache(&'k str, &'k str, u64),
    /// Snapshots, with an encoding.
    Snapshots(&'k str, &'k str),
}

impl Kept<'_> {
    fn make<'a>(&self, site: Site<'a>) -> Box<dyn Store + 'a> {
        let made = match *self {
            Kept::All(store) => make(store, site),
            Kept::Cache(encoding, replace, states) => {
                let caching = Caching { bound: Bound::States(states), replace: replace.into() };
                make_caching(encoding, &caching, site)
            }
            Kept::Snapshots(encoding, stream) => {
                let plan = SnapshotPlan { stream: stream.parse().expect("a stream"), backtrack: true };
                make_with_snapshots(encoding, &plan, site)
            }
        };
        made.expect("every store can be made")
    }
}

struct OnDisk {
    /// The bytes of a block.
    block: usize,
    with_thread: bool,
    quota: Option<u64>,
}

/// Searches with the disk. Says how many bytes were written, too.
fn run(
    (search, kept): (&Search, &Kept<'_>),
    on_disk: &OnDisk,
    model: &dyn Model,
    config: &SearchConfig,
    budget: &Arc<Budget>,
    observer: &mut dyn Observe,
) -> (Outcome, u64) {
    let space = SpillSpace::open(&std::env::temp_dir(), on_disk.quota).expect("temporary files");
    let site = Site { schema: model.schema(), budget, seed: 1, model: Some(model) };
    let mut store = kept.make(site);
    let mut successors = Successors::new();
    let mut task = Task::new(model, store.as_mut(), config, budget, &mut successors);
    task.frontier = Some(Box::new(DiskQueue::with_blocks(&space, budget, on_disk.block, on_disk.with_thread)));
    task.spill = Some(Box::new(DiskLog::new(&space, budget)));
    let outcome = (search.run)(task, observer);
    assert_eq!(space.bytes(), 0, "nothing is left on disk");
    assert!(on_disk.quota.is_none_or(|quota| space.peak() <= quota));
    (outcome, space.written())
}

/// Explores and checks over every store, and says how often something was written.
fn agrees(stores: &[String], model: &dyn Model, explored: &Explored) -> u64 {
    let mut wrote = 0;
    for search in searches().filter(|search| !search.guarantees.samples_levels) {
        for (number, store) in stores.iter().enumerate() {
            let kept = &Kept::All(store);
            let on_disk = OnDisk { block: [16, 50, 200][number % 3], with_thread: number % 4 == 0, quota: None };
            let label = format!("{} over {store}", search.name);
            let mut seen = Collect::default();
            let (budget, config) = (Arc::new(Budget::unlimited()), SearchConfig::measuring());
            let (outcome, written) = run((search, kept), &on_disk, model, &config, &budget, &mut seen);
            wrote += u64::from(written > 0);
            assert_eq!(outcome.verdict, Verdict::Holds(Claim::Exact), "{label}");
            assert_eq!((&seen.found, &seen.expanded), (&explored.states, &explored.states), "{label}");
            let figures = outcome.figures;
            let fired = figures.fired - figures.rebuilt;
            assert_eq!((figures.transitions, fired), (explored.transitions, explored.fired), "{label}");
            assert_eq!(figures.levels, explored.levels.len() as u64, "{label}");
            assert_eq!(Some(figures.widest_level), explored.levels.iter().copied().max(), "{label}");
            for all in [false, true] {
                let config = SearchConfig { all, ..SearchConfig::checking() };
                let budget = Arc::new(Budget::unlimited());
                let (outcome, _) = run((search, kept), &on_disk, model, &config, &budget, &mut ());
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

/// Explores and checks with caches and with snapshots, which visit states again, with and without stubborn sets. Says how often
/// something was written.
fn evicting_stores_agree(model: &dyn Model, explored: &Explored) -> u64 {
    let most = explored.states.len() as u64 * 3 / 4 + 2;
    let caches = [("full", "level"), ("bits", "direct"), ("collapse", "lru"), ("compress", "stratified:2")];
    let streams = [("full", "frontier-safety-net"), ("bits", "pebble"), ("collapse", "frontier:2")];
    let caches = caches.map(|(encoding, replace)| (Kept::Cache(encoding, replace, most), encoding, replace));
    let streams = streams.map(|(encoding, stream)| (Kept::Snapshots(encoding, stream), encoding, stream));
    let mut wrote = 0;
    for (number, (kept, encoding, how)) in caches.into_iter().chain(streams).enumerate() {
        let samples = matches!(kept, Kept::Snapshots(..));
        let search = searches().find(|search| search.guarantees.samples_levels == samples).expect("there is one");
        let on_disk = OnDisk { block: [16, 50, 200][number % 3], with_thread: number % 4 == 1, quota: None };
        let mut seen = Seen { most: if samples { u64::MAX } else { MOST_VISITS }, ..Seen::default() };
        let (budget, config) = (Arc::new(Budget::unlimited()), SearchConfig::measuring());
        let config =
            SearchConfig { max_collision: (!samples).then_some(0.9), interrupt: seen.interrupt.clone(), ..config };
        let (outcome, written) = run((search, &kept), &on_disk, model, &config, &budget, &mut seen);
        wrote += u64::from(written > 0);
        let label = format!("{encoding} with {how}");
        let ended = outcome.stopped.is_none();
        assert!(ended || !samples, "{label}: it ends with snapshots");
        if ended {
            assert_eq!(outcome.verdict, Verdict::Holds(Claim::Exact), "{label}");
            assert_eq!((&seen.found, &seen.expanded), (&explored.states, &explored.states), "{label}");
            assert_eq!(outcome.figures.visits, seen.visits, "{label}");
        } else {
            assert!(seen.found.is_subset(&explored.states), "{label}");
        }
        for stubborn in [false, true] {
            let mut seen = Seen { most: seen.most, ..Seen::default() };
            let config = SearchConfig { stubborn, ..SearchConfig::checking() };
            let config =
                SearchConfig { max_collision: (!samples).then_some(0.9), interrupt: seen.interrupt.clone(), ..config };
            let (outcome, _) = run((search, &kept), &on_disk, model, &config, &budget, &mut seen);
            let label = format!("{label}, stubborn {stubborn}");
            match (outcome.verdict, explored.shortest_fault(true)) {
                (Verdict::Holds(Claim::Exact), None) => {}
                (Verdict::Violated(violation), Some(shortest)) => {
                    assert!(stubborn || violation.trace.steps.len() as u64 == shortest, "{label}");
                    replays(model, &violation);
                }
                (Verdict::Undecided(Reason::CollisionRate | Reason::Interrupted), _) if !samples => {}
                (verdict, expected) => panic!("{label}: {verdict:?}, but {expected:?}"),
            }
        }
        assert_eq!(budget.used(), 0, "{label}");
    }
    wrote
}

/// With any quota and any memory a search is right or says what it lacked: something where there is none, nothing where there is
/// much. Says how often it was the disk.
fn limits_are_honest(model: &dyn Model, explored: &Explored) -> u64 {
    let mut short_of_disk = 0;
    for search in searches().filter(|search| !search.guarantees.samples_levels) {
        for (quota, memory) in (0..12)
            .map(|part| (Some(part * 90), None))
            .chain([0, 30_000, 150_000, MUCH].map(|bytes| (None, Some(bytes))))
        {
            let budget = Arc::new(memory.map_or_else(Budget::unlimited, Budget::new));
            let on_disk = OnDisk { block: 24, with_thread: quota.or(memory).is_some_and(|part| part % 20 == 0), quota };
            let kept = &Kept::All("tree");
            let (outcome, written) = run((search, kept), &on_disk, model, &SearchConfig::checking(), &budget, &mut ());
            let label = format!("{} with {quota:?} on disk, {memory:?} in memory", search.name);
            assert_eq!(budget.used(), 0, "{label}");
            assert!(quota != Some(0) || written == 0, "{label}");
            assert!(memory != Some(0) || outcome.verdict == Verdict::Undecided(Reason::Memory), "{label}");
            match outcome.verdict {
                Verdict::Holds(_) => {
                    assert_eq!(explored.shortest_fault(true), None, "{label}");
                    assert_eq!(outcome.figures.states, explored.states.len() as u64, "{label}");
                }
                Verdict::Violated(violation) => {
                    assert_eq!(Some(violation.trace.steps.len() as u64), explored.shortest_fault(true), "{label}");
                    replays(model, &violation);
                }
                Verdict::Undecided(Reason::Memory) => {
                    assert!(memory.is_some_and(|memory| memory < MUCH), "{label}: that is enough");
                }
                Verdict::Undecided(Reason::Disk(kind)) => {
                    assert!(quota.is_some() && kind == std::io::ErrorKind::QuotaExceeded, "{label}: {kind}");
                    short_of_disk += 1;
                }
                Verdict::Undecided(reason) => panic!("{label}: {reason:?}"),
            }
        }
    }
    short_of_disk
}

#[test]
fn tiny_models_agree() {
    tiny_models(|model, explored| {
        agrees(&stores(), model, explored);
        evicting_stores_agree(model, explored);
        limits_are_honest(model, explored);
    });
}

#[test]
fn random_programs_agree() {
    let (stores, wrote, evicting_wrote, short) = (stores(), Cell::new(0), Cell::new(0), Cell::new(0));
    let check = |model: &dyn Model, explored: &Explored| {
        wrote.set(wrote.get() + agrees(&stores, model, explored));
        evicting_wrote.set(evicting_wrote.get() + evicting_stores_agree(model, explored));
        short.set(short.get() + limits_are_honest(model, explored));
    };
    each_program(random::program, 0..60, MOST_STATES, |_, model, explored| check(model, explored));
    each_program(random_rules::automata, 0..30, MOST_STATES, |_, model, explored| check(model, explored));
    let alone = std::env::var("TIGHTROPE_SEED").is_ok();
    let wrote = (wrote.get(), evicting_wrote.get());
    assert!(alone || wrote.0 > 200 && wrote.1 > 50, "only {wrote:?} searches wrote to the disk");
    assert!(alone || short.get() > 50, "only {} searches used up their quota", short.get());
}

/// The log of this model has many blocks, and the only counterexample goes back through all of them.
#[test]
fn the_log_is_read_back_from_the_disk() {
    let model = tiny::far_corner();
    let explored = naive::explore(&model, 125_000).expect("fifty by fifty by fifty");
    let stores = ["hash", "tree", "collapse", "auto:1000"].map(String::from);
    let wrote = agrees(&stores, &model, &explored);
    assert_eq!(wrote, stores.len() as u64, "every search wrote");
}
