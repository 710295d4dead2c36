//! Searches with caches, compared with the naive checker, on tiny models and random programs.
//!
//! Every replacement strategy, every encoding, caches from one that holds everything down to less than the path needs:
//! always all states, always the right verdict. `TIGHTROPE_SEED=17` looks at one program, as in `conformance.rs`.

mod suite;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use suite::programs::{every_kind, tiny_models};
use suite::seen::Seen;
use suite::{encodings, replays};
use tightrope_core::{Budget, CacheStats, Claim, Model, Outcome, Reason, SearchConfig, Successors, Verdict};
use tightrope_search::{SEARCHES, Search, Task};
use tightrope_store::{Bound, Caching, REPLACEMENTS, Site, goes_by_class, make_caching};
use tightrope_testkit::graph::Graph;
use tightrope_testkit::naive::Explored;

/// Programs with more states than this are left out: with a cache that is too small they are visited again and again.
const MOST_STATES: usize = 300;
/// So many bytes suffice for a hundred of their states, and for all that wait.
const MUCH: u64 = 1 << 20;
/// Searches that take more visits than this are given up: nothing wrong may have been found until then.
const MOST_VISITS: u64 = 30_000;
/// The same for searches that need not end, and do not with the smallest caches.
const MOST_VISITS_WITHOUT_PINS: u64 = 4_000;

/// Every strategy of the table, and some of two tiers.
fn replacements() -> Vec<String> {
    let single = REPLACEMENTS.iter().map(|entry| entry.name.to_string());
    single
        .chain(
            ["mfu:25,lru:75", "random:50,lru:50", "type:30,stratified:2:70", "level:3", "direct:1"].map(String::from),
        )
        .collect()
}

struct Run {
    outcome: Outcome,
    seen: Seen,
    stats: CacheStats,
}

fn run(
    search: &Search,
    (encoding, bound, replace): (&str, Bound, &str),
    model: &dyn Model,
    config: SearchConfig,
    budget: &Arc<Budget>,
) -> Run {
    let site = Site { schema: model.schema(), budget, seed: 1, model: None };
    let caching = Caching { bound, replace: replace.into() };
    let mut store = make_caching(encoding, &caching, site).expect("every combination can be made");
    let mut successors = Successors::new();
    let most_visits = if search.guarantees.pins { MOST_VISITS } else { MOST_VISITS_WITHOUT_PINS };
    let mut seen = Seen::at_most(most_visits, &config.interrupt);
    let task = Task::new(model, store.as_mut(), &config, budget, &mut successors);
    let outcome = (search.run)(task, &mut seen);
    assert!(store.bytes() <= budget.used(), "everything a store has is on the budget");
    let stats = store.evicts().expect("a cache").cache_stats();
    Run { outcome, seen, stats }
}

/// The searches for which a replacement strategy is. Snapshots evict states by themselves.
fn searches(replace: &str) -> impl Iterator<Item = &'static Search> {
    let in_slots = ["level", "direct"].contains(&replace.split(':').next().expect("a name"));
    let by_class = goes_by_class(replace);
    let searches = SEARCHES.iter().filter(|search| !search.guarantees.samples_levels);
    searches.filter(move |search| if search.guarantees.pins { !in_slots } else { !by_class })
}

thread_local! {
    /// Of the searches that need not end, those that did, and all, by the strategy of their cache.
    static ENDED: RefCell<HashMap<String, (u32, u32)>> = RefCell::default();
}

fn note_end(replace: &str, ended: bool) {
    ENDED.with_borrow_mut(|all| {
        let (ends, searches) = all.entry(replace.into()).or_default();
        *ends += u32::from(ended);
        *searches += 1;
    });
}

/// Of the searches that need not end, enough did with each strategy.
fn enough_ended() {
    if std::env::var("TIGHTROPE_SEED").is_ok() {
        return;
    }
    ENDED.with_borrow(|all| {
        let tried: HashSet<String> = all.keys().cloned().collect();
        let breadth_first = replacements().into_iter().filter(|replace| !goes_by_class(replace));
        assert_eq!(tried, breadth_first.collect(), "every strategy was tried");
        for (replace, &(ended, searches)) in all {
            assert!(ended * 2 > searches, "{replace}: only {ended} of {searches} ended");
        }
    });
}

/// All searches that may be given a cache of this kind.
fn agree(model: &dyn Model, explored: &Explored, cache: (&str, Bound, &str)) {
    for search in searches(cache.2) {
        let pins = search.guarantees.pins;
        let label = format!("{} with {cache:?}", search.name);
        let unlimited = Arc::new(Budget::unlimited());
        let Run { outcome, seen, stats } = run(search, cache, model, SearchConfig::measuring(), &unlimited);
        let figures = outcome.figures;
        if !pins {
            note_end(cache.2, outcome.stopped.is_none());
        }
        if outcome.stopped == Some(Reason::Interrupted) {
            let holds_all = matches!(cache.1, Bound::States(most) if most >= explored.states.len() as u64);
            assert!(!holds_all || !pins && stats.evicted > 0, "{label}: nothing need be visited again");
            assert!(seen.found.is_subset(&explored.states), "{label}");
            continue;
        }
        assert_eq!(outcome.verdict, Verdict::Holds(Claim::Exact), "{label}");
        assert_eq!(seen.found, explored.states, "{label}");
        assert_eq!(seen.expanded, explored.states, "{label}");
        assert!(figures.states <= explored.states.len() as u64 && figures.visits >= explored.states.len() as u64);
        assert_eq!(stats.inserted, figures.visits, "{label}");
        assert_eq!(figures.visits, seen.visits, "{label}");
        assert_eq!(stats.distinct, Some(explored.states.len() as u64), "{label}: few enough to be counted");
        assert_eq!(stats.pinned_peak, if pins { figures.frontier_peak } else { 0 }, "{label}");
        if let Bound::States(most) = cache.1 {
            assert!(figures.stored_peak <= most.max(stats.pinned_peak), "{label}: {stats:?}");
            assert_eq!(stats.grown.is_some(), stats.pinned_peak > most, "{label}: {stats:?}");
            // A code may only be in a few of the slots.
            if most >= explored.states.len() as u64 && (pins || stats.evicted == 0) {
                assert_eq!((stats.evicted, figures.visits), (0, explored.states.len() as u64), "{label}");
                assert_eq!(figures.transitions, explored.transitions, "{label}");
            }
        }

        // Sleep sets lead to the same states, whatever is forgotten.
        let config = SearchConfig { sleep: search.guarantees.path, ..SearchConfig::measuring() };
        let asleep = run(search, cache, model, config, &unlimited);
        if asleep.outcome.stopped != Some(Reason::Interrupted) {
            assert_eq!(asleep.seen.expanded, explored.states, "{label}, with sleep sets");
        }

        for (sleep, stubborn) in [(false, false), (false, true), (true, true)] {
            if sleep && !search.guarantees.path {
                continue;
            }
            let config = SearchConfig { sleep, stubborn, ..SearchConfig::checking() };
            let Run { outcome, .. } = run(search, cache, model, config, &unlimited);
            let label = format!("{label}, sleep {sleep}, stubborn {stubborn}");
            match outcome.verdict {
                Verdict::Holds(claim) => {
                    assert_eq!((claim, explored.shortest_fault(true)), (Claim::Exact, None), "{label}")
                }
                Verdict::Violated(violation) => {
                    assert!(explored.faults.contains_key(violation.fault.kind.name()), "{label}");
                    replays(model, &violation);
                    if search.guarantees.levels && !stubborn {
                        let length = violation.trace.steps.len() as u64;
                        assert_eq!(
                            Some(length),
                            explored.shortest_fault(true),
                            "{label}: a shortest one, whatever is evicted"
                        );
                    }
                }
                Verdict::Undecided(Reason::Interrupted) if sleep || stubborn || !pins => {}
                Verdict::Undecided(reason) => panic!("{label}: {reason:?} without a limit"),
            }
        }
    }
}

/// The longest path of a search that remembers everything.
fn depth_of(model: &dyn Model) -> u64 {
    let everything = ("full", Bound::States(u64::MAX), "random");
    let search = SEARCHES.iter().find(|search| search.guarantees.pins).expect("there is one");
    run(search, everything, model, SearchConfig::measuring(), &Arc::new(Budget::unlimited()))
        .outcome
        .figures
        .frontier_peak
        - 1
}

/// Everything with everything.
fn all_caches(model: &dyn Model, explored: &Explored) {
    let states = explored.states.len() as u64;
    let depth = depth_of(model);
    let sizes = [states, states * 2 / 3 + 1, depth + 2, 2];
    for replace in &replacements() {
        for encoding in encodings() {
            for size in sizes {
                agree(model, explored, (encoding, Bound::States(size), replace));
            }
        }
        agree(model, explored, ("bits", Bound::Bytes(40 * states), replace));
    }
}

/// Every strategy, every encoding and every size, but each with one of the others only, as the seed says.
fn some_caches(model: &dyn Model, explored: &Explored, seed: usize) {
    let states = explored.states.len() as u64;
    let depth = depth_of(model);
    let sizes = [states, states * 2 / 3 + 1, states / 2 + 1, depth + 2, 2];
    let encodings: Vec<&str> = encodings().collect();
    for (at, replace) in replacements().iter().enumerate() {
        let (size, encoding) = (sizes[(seed + at) % sizes.len()], encodings[(seed / 5 + at) % encodings.len()]);
        agree(model, explored, (encoding, Bound::States(size), replace));
    }
}

/// With little memory a search says so, or is right; with enough it is right.
fn budgets_are_kept(model: &dyn Model, explored: &Explored) {
    for replace in ["random", "mfu:25,lru:75", "level", "direct:2"] {
        for search in searches(replace) {
            for bytes in [0, 2500, 10_000, 60_000, MUCH] {
                let budget = Arc::new(Budget::new(bytes));
                let cache = ("bits", Bound::States(100), replace);
                let Run { outcome, seen, .. } = run(search, cache, model, SearchConfig::checking(), &budget);
                let label = format!("{} with {replace} in {bytes} bytes", search.name);
                match outcome.verdict {
                    Verdict::Holds(_) => {
                        assert_eq!(explored.shortest_fault(true), None, "{label}");
                        assert_eq!(seen.expanded, explored.states, "{label}");
                    }
                    Verdict::Violated(violation) => {
                        assert!(explored.faults.contains_key(violation.fault.kind.name()), "{label}");
                        replays(model, &violation);
                    }
                    Verdict::Undecided(Reason::Memory) => {
                        assert!(bytes < MUCH, "{label}: that is enough for so few states");
                        continue;
                    }
                    Verdict::Undecided(reason) => assert_eq!(reason, Reason::Interrupted, "{label}"),
                }
                assert!(bytes > 0, "{label}: nothing can be remembered");
            }
        }
    }
}

/// A ring is followed for ever where its beginning is forgotten; a walk that leads nowhere back is not, whatever is evicted.
#[test]
fn a_collision_rate_that_is_too_high_ends_the_search() {
    let (ring, walk) = (Graph::lasso(0, 1500), Graph::lasso(1500, 1));
    for replace in replacements() {
        for search in searches(&replace).filter(|search| !search.guarantees.pins) {
            let explore = |model: &dyn Model| {
                let config = SearchConfig { max_collision: Some(0.5), ..SearchConfig::measuring() };
                let cache = ("bits", Bound::States(20), replace.as_str());
                run(search, cache, model, config, &Arc::new(Budget::unlimited()))
            };
            // Of those that stay the first states may be some.
            let Run { outcome, stats, .. } = explore(&ring);
            if !replace.starts_with("mru") && !replace.starts_with("lfu") && !replace.starts_with("mfu") {
                assert_eq!(outcome.verdict, Verdict::Undecided(Reason::CollisionRate), "{replace}");
                assert!(stats.collision_rate() > 0.5 && stats.repeated() > Some(0.5), "{replace}: {stats:?}");
            }
            let Run { outcome, stats, .. } = explore(&walk);
            assert_eq!(outcome.verdict, Verdict::Holds(Claim::Exact), "{replace}");
            assert!(stats.collision_rate() > 0.9, "{replace}: {stats:?}");
        }
    }
}

#[test]
fn tiny_models_agree() {
    tiny_models(|model, explored| {
        all_caches(model, explored);
        budgets_are_kept(model, explored);
    });
    enough_ended();
}

fn random_programs(first: u64, counts: [u64; 4]) {
    let mut number = 0;
    every_kind(20_000, first, counts, |model, explored| {
        number += 1;
        if explored.states.len() <= MOST_STATES {
            some_caches(model, explored, number);
            budgets_are_kept(model, explored);
        }
    });
}

#[test]
fn random_programs_agree() {
    random_programs(0, [150, 60, 60, 60]);
    enough_ended();
}

#[test]
#[ignore = "takes minutes"]
fn many_random_programs_agree() {
    random_programs(1_000_000, [10_000, 2_000, 2_000, 2_000]);
}
