//! Stubborn sets, with every search that takes them.

use super::sleep::is_right_in;
use super::{Access, Collect, replays, run, run_with};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;
use tightrope_core::{Budget, Model, Observe, Outcome, Reason, Scratch, SearchConfig, Successors, Verdict};
use tightrope_por::PROVISOS;
use tightrope_search::{Provisos, Search, searches_over_any_store};
use tightrope_testkit::naive::Explored;

/// The stores that searches are tried with: one that is its own queue, one that has ids only, one that re-encodes
/// in the midst of things, and one of each other kind.
const EXACT: [(&str, Access); 10] = [
    ("hash", Access::Own),
    ("full+hash", Access::Named),
    ("full+hash", Access::None),
    ("tree", Access::Own),
    ("collapse", Access::Own),
    ("auto:2", Access::Own),
    ("auto:7", Access::Own),
    // Without ids.
    ("mdd", Access::Own),
    ("bdd", Access::Own),
    // So many bits that no two states of a small program are taken for one.
    ("compact:64", Access::Own),
];
/// The same with so much memory that nothing is lost, and without ids.
const EXACT_IF_UNLIMITED: (&str, Access) = ("bitstate:16", Access::Own);
const LOSSY: [&str; 3] = ["compact:8", "collapse+compact", "bitstate:1"];

fn tried(
    search: &'static Search,
    (store, access): (&str, Access),
    model: &dyn Model,
    config: &SearchConfig,
) -> Outcome {
    tried_within(search, (store, access), model, config, &Arc::new(Budget::unlimited()), &mut ())
}

fn tried_within(
    search: &'static Search,
    (store, access): (&str, Access),
    model: &dyn Model,
    config: &SearchConfig,
    budget: &Arc<Budget>,
    observer: &mut dyn Observe,
) -> Outcome {
    run(&(search, store.into(), access), model, config, budget, observer)
}

/// Sleep sets go with a search that has a path.
fn with_sleep(search: &Search) -> &'static [bool] {
    if search.guarantees.path { &[false, true] } else { &[false] }
}

/// With stubborn sets a search finds a deadlock where there is one, and every kind of fault that there is; with and without
/// sleep sets. Returns how many states each search left out.
pub fn stubborn_sets_agree(model: &dyn Model, explored: &Explored) -> Vec<u64> {
    check_persistence(model, explored);
    stubborn_searches_agree(model, explored)
}

/// The same, for models in which a step is not known by its name in another state.
pub fn stubborn_searches_agree(model: &dyn Model, explored: &Explored) -> Vec<u64> {
    let mut all_left_out = Vec::new();
    for search in searches_over_any_store() {
        let mut left_out = u64::MAX;
        for &sleep in with_sleep(search) {
            for (deadlock, all) in [(true, false), (false, false), (true, true)] {
                let config = SearchConfig { deadlock, all, sleep, stubborn: true, ..SearchConfig::checking() };
                let label = format!("{}, sleep {sleep}, deadlock {deadlock}, all {all}", search.name);
                let outcome = tried(search, EXACT[0], model, &config);
                left_out = left_out.min(is_right(model, explored, &config, outcome, &label));
            }
            every_kind_is_found(search, sleep, model, explored);
            for proviso in PROVISOS {
                let mut provisos = Provisos::default();
                (proviso.choose)(&mut provisos);
                let config = SearchConfig { sleep, stubborn: true, ..SearchConfig::checking() };
                for (store, access) in &EXACT[..2] {
                    let (which, budget) = ((search, String::from(*store), *access), Arc::new(Budget::unlimited()));
                    let outcome = run_with(provisos, &which, model, &config, &budget, &mut ());
                    let label = format!("{} over {store}, sleep {sleep}, proviso {}", search.name, proviso.name);
                    is_right(model, explored, &config, outcome, &label);
                }
            }
        }
        let stores = EXACT.into_iter().chain([EXACT_IF_UNLIMITED]);
        for (store, &sleep) in stores.flat_map(|store| with_sleep(search).iter().map(move |sleep| (store, sleep))) {
            let config = SearchConfig { all: true, stubborn: true, sleep, ..SearchConfig::checking() };
            let mut seen = Collect::default();
            let outcome = tried_within(search, store, model, &config, &Arc::new(Budget::unlimited()), &mut seen);
            let label = format!("{} over {store:?}, sleep {sleep}", search.name);
            assert_eq!(outcome.figures.states, seen.states.len() as u64, "{label}");
            if !sleep {
                let figures = &outcome.figures;
                assert_eq!((figures.visits, figures.transitions), (seen.expanded, seen.steps), "{label}");
            }
            assert!(seen.states.is_subset(&explored.states), "{label}");
            is_right(model, explored, &config, outcome, &label);
        }
        for (store, &sleep) in LOSSY.into_iter().flat_map(|store| with_sleep(search).iter().map(move |at| (store, at)))
        {
            let config = SearchConfig { stubborn: true, sleep, ..SearchConfig::checking() };
            let outcome = tried(search, (store, Access::Own), model, &config);
            assert!(outcome.figures.states <= explored.states.len() as u64, "{} over {store}", search.name);
            if let Verdict::Violated(violation) = outcome.verdict {
                replays(model, &violation);
            }
        }
        all_left_out.push(left_out);
    }
    all_left_out
}

/// The verdict of a reduced search without limits is right; all deadlocks and ends are found where all are looked for.
/// Returns how many states it left out.
fn is_right(model: &dyn Model, explored: &Explored, config: &SearchConfig, outcome: Outcome, label: &str) -> u64 {
    let states = explored.states.len() as u64;
    assert!(outcome.figures.states <= states, "{label}");
    match outcome.verdict {
        Verdict::Holds(_) => assert_eq!(explored.shortest_fault(config.deadlock), None, "{label}"),
        Verdict::Violated(violation) => {
            assert!(explored.faults.contains_key(violation.fault.kind.name()), "{label}");
            replays(model, &violation);
        }
        Verdict::Undecided(reason) => panic!("{label}: {reason:?} without a limit"),
    }
    if !config.all {
        return u64::MAX;
    }
    assert_eq!(outcome.figures.deadlocks, explored.deadlocks, "{label}: all deadlocks are found");
    assert_eq!(outcome.figures.ends, explored.ends, "{label}: all ends are found");
    states - outcome.figures.states
}

/// Whoever looks for faults of one kind only finds one if there is one.
fn every_kind_is_found(search: &'static Search, sleep: bool, model: &dyn Model, explored: &Explored) {
    for kind in tightrope_core::FaultKind::ALL.into_iter().filter(|kind| kind.name() != "deadlock") {
        let there = explored.faults.contains_key(kind.name());
        if !there && kind.name() != "goal" {
            continue;
        }
        let config =
            SearchConfig { only: Some(kind), deadlock: false, sleep, stubborn: true, ..SearchConfig::checking() };
        let outcome = tried(search, EXACT[0], model, &config);
        let found = matches!(&outcome.verdict, Verdict::Violated(violation) if violation.fault.kind == kind);
        assert_eq!(found, there, "{}, sleep {sleep}, only {}", search.name, kind.name());
    }
}

/// The stubborn sets of a small program are persistent.
pub fn check_persistence(model: &dyn Model, explored: &Explored) {
    sets_are_persistent(model, explored.sample(30), 200).unwrap_or_else(|why| panic!("{why}"));
}

/// The chosen steps of some states are persistent sets (Godefroid 1996): whatever other steps happen first, the chosen ones stay
/// enabled, do not fail, and commute with those others. What a step asks about states it does not change. A step is known by its
/// action in other states; where an action has several outcomes they belong together.
pub fn sets_are_persistent<'a>(
    model: &dyn Model,
    states: impl IntoIterator<Item = &'a Vec<u8>>,
    most_after: usize,
) -> Result<(), String> {
    let (mut out, mut chosen) = (Successors::new(), Vec::new());
    let (mut scratch, mut known) = (Scratch::default(), Known { model, all: HashMap::new() });
    for (state, every) in states.into_iter().zip([1, 2, 3].into_iter().cycle()) {
        model.successors(state, &mut out);
        let satisfying: Vec<bool> = (0..out.len()).map(|index| index % every == every - 1).collect();
        if !model.stubborn_set(state, (&out, 0), &satisfying, &mut chosen, &mut scratch) {
            continue;
        }
        let inside: BTreeSet<u64> = (0..out.len()).filter(|&at| chosen[at]).map(|at| out.step(at).action).collect();
        if (0..out.len()).any(|at| inside.contains(&out.step(at).action) != chosen[at]) || chosen.len() != out.len() {
            return Err(format!("a part of the outcomes of an action is chosen, in {state:?}"));
        }
        if !(0..out.len()).any(|at| chosen[at] && satisfying[at]) {
            return Err(format!("none of the steps that are chosen satisfies the proviso, in {state:?}"));
        }
        if (0..out.len()).any(|at| out.state(at).is_none() || out.fault(at).is_some()) {
            return Err(format!("steps are left out although one fails, in {state:?}"));
        }
        let mut check = |state: &[u8]| model.check(state, &mut scratch);
        let before = check(state);
        if (0..out.len()).filter(|&at| chosen[at]).any(|at| out.state(at).is_some_and(|to| check(to) != before)) {
            return Err(format!("a visible step is chosen, in {state:?}"));
        }
        is_persistent(&mut known, state, &inside, most_after)?;
    }
    Ok(())
}

/// The same for one state and the actions that are chosen in it.
fn is_persistent(known: &mut Known<'_>, state: &[u8], inside: &BTreeSet<u64>, most_after: usize) -> Result<(), String> {
    let nothing = Outcomes::default();
    let (mut seen, mut todo) = (HashSet::from([state.to_vec()]), vec![state.to_vec()]);
    while let Some(here) = todo.pop().filter(|_| seen.len() < most_after) {
        let outcomes = known.outcomes(&here);
        for action in inside {
            match outcomes.get(action) {
                Some(outcome) if !outcome.fails => {}
                Some(_) => return Err(format!("action {action:#x}, chosen in {state:?}, fails in {here:?}")),
                None => return Err(format!("action {action:#x}, chosen in {state:?}, is not enabled in {here:?}")),
            }
        }
        for (other, outside) in outcomes.iter().filter(|(action, _)| !inside.contains(action)) {
            for action in inside {
                let chosen = &outcomes[action].states;
                let mut other_later = BTreeSet::new();
                for to in chosen {
                    let then = known.outcomes(to);
                    other_later.extend(then.get(other).unwrap_or(&nothing).states.iter().cloned());
                }
                for to in &outside.states {
                    let then = known.outcomes(to);
                    let then = then.get(action).unwrap_or(&nothing);
                    if then.fails || then.states.len() != chosen.len() || !then.states.is_subset(&other_later) {
                        return Err(format!("actions {action:#x}, chosen in {state:?}, and {other:#x} in {here:?}"));
                    }
                }
            }
            todo.extend(outside.states.iter().filter(|to| seen.insert(to.to_vec())).cloned());
        }
    }
    Ok(())
}

/// Where an action leads; an action that branches has several outcomes, and some of them may fail.
#[derive(Default)]
struct Outcomes {
    states: BTreeSet<Vec<u8>>,
    fails: bool,
}

/// Where the actions of states lead, each state expanded once.
struct Known<'m> {
    model: &'m dyn Model,
    all: HashMap<Vec<u8>, Rc<BTreeMap<u64, Outcomes>>>,
}

impl Known<'_> {
    fn outcomes(&mut self, state: &[u8]) -> Rc<BTreeMap<u64, Outcomes>> {
        if let Some(known) = self.all.get(state) {
            return known.clone();
        }
        let mut out = Successors::new();
        self.model.successors(state, &mut out);
        let mut outcomes: BTreeMap<u64, Outcomes> = BTreeMap::new();
        for index in 0..out.len() {
            let all = outcomes.entry(out.step(index).action).or_default();
            all.states.extend(out.state(index).filter(|_| out.fault(index).is_none()).map(<[u8]>::to_vec));
            all.fails |= out.state(index).is_none() || out.fault(index).is_some();
        }
        let outcomes = Rc::new(outcomes);
        self.all.insert(state.to_vec(), outcomes.clone());
        outcomes
    }
}

/// With little memory, or few steps allowed, a reduced search says so, or is right.
pub fn limits_are_honest(model: &dyn Model, explored: &Explored) {
    for search in searches_over_any_store() {
        for (store, &sleep) in
            EXACT.into_iter().flat_map(|store| with_sleep(search).iter().map(move |sleep| (store, sleep)))
        {
            for bytes in [0, 2500, 7000, 20_000, 60_000] {
                let config = SearchConfig { stubborn: true, sleep, ..SearchConfig::checking() };
                let budget = Arc::new(Budget::new(bytes));
                let outcome = tried_within(search, store, model, &config, &budget, &mut ());
                let label = format!("{} over {store:?} in {bytes} bytes, sleep {sleep}", search.name);
                is_right_in(bytes, &budget, model, explored, outcome, &label);
            }
        }
        let diameter = explored.levels.len() as u64 - 1;
        for depth in [0, diameter / 2, diameter, diameter + 1] {
            let config = SearchConfig { stubborn: true, depth: Some(depth), ..SearchConfig::checking() };
            let outcome = tried(search, EXACT[0], model, &config);
            let label = format!("{}, depth {depth} of {diameter}", search.name);
            assert!(super::steps_down(search, &outcome) <= depth, "{label}");
            match outcome.verdict {
                Verdict::Holds(_) => assert_eq!(explored.shortest_fault(true), None, "{label}"),
                Verdict::Violated(violation) => replays(model, &violation),
                Verdict::Undecided(reason) => assert_eq!(reason, Reason::Depth, "{label}"),
            }
        }
    }
}
