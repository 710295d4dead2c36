//! Stubborn sets, with every search that takes them.

use super::sleep::is_right_in;
use super::{Access, Collect, replays, run};
use std::collections::HashSet;
use std::sync::Arc;
use tightrope_core::{Budget, Limits, Model, Observe, Outcome, Reason, Scratch, Successors, Verdict};
use tightrope_search::{SEARCHES, Search};
use tightrope_testkit::naive::Explored;

/// The stores that searches are tried with: one that is its own queue, one that has names only, one that changes its form
/// in the midst of things, one of each other kind, and some that lose states.
const EXACT: [(&str, Access); 7] = [
    ("hash", Access::Own),
    ("full+hash", Access::Named),
    ("full+hash", Access::None),
    ("tree", Access::Own),
    ("collapse", Access::Own),
    ("auto:2", Access::Own),
    ("auto:7", Access::Own),
];
const LOSSY: [&str; 3] = ["compact:8", "collapse+compact", "bitstate:1"];

fn tried(search: &'static Search, (store, access): (&str, Access), model: &dyn Model, limits: &Limits) -> Outcome {
    tried_within(search, (store, access), model, limits, &Arc::new(Budget::unlimited()), &mut ())
}

fn tried_within(
    search: &'static Search,
    (store, access): (&str, Access),
    model: &dyn Model,
    limits: &Limits,
    budget: &Arc<Budget>,
    observer: &mut dyn Observe,
) -> Outcome {
    run(&(search, store.into(), access), model, limits, budget, observer)
}

/// Sleep sets go with a search that has a path.
fn with_sleep(search: &Search) -> &'static [bool] {
    if search.pins { &[false, true] } else { &[false] }
}

/// With stubborn sets a search finds a deadlock where there is one, and every kind of fault that there is; with and without
/// sleep sets. Returns how many states each search left out.
pub fn stubborn_sets_agree(model: &dyn Model, explored: &Explored) -> Vec<u64> {
    steps_suffice(model, explored);
    stubborn_searches_agree(model, explored)
}

/// The same, for models in which a step is not known by its name in another state.
pub fn stubborn_searches_agree(model: &dyn Model, explored: &Explored) -> Vec<u64> {
    let mut all_left_out = Vec::new();
    for search in SEARCHES {
        let mut left_out = u64::MAX;
        for &sleep in with_sleep(search) {
            for (deadlock, all) in [(true, false), (false, false), (true, true)] {
                let limits = Limits { deadlock, all, sleep, stubborn: true, ..Limits::checking() };
                let label = format!("{}, sleep {sleep}, deadlock {deadlock}, all {all}", search.name);
                let outcome = tried(search, EXACT[0], model, &limits);
                left_out = left_out.min(is_right(model, explored, &limits, outcome, &label));
            }
            every_kind_is_found(search, sleep, model, explored);
        }
        for store in EXACT {
            let limits = Limits { all: true, stubborn: true, ..Limits::checking() };
            let mut seen = Collect::default();
            let outcome = tried_within(search, store, model, &limits, &Arc::new(Budget::unlimited()), &mut seen);
            let label = format!("{} over {store:?}", search.name);
            assert_eq!(outcome.figures.states, seen.states.len() as u64, "{label}");
            assert_eq!((outcome.figures.visits, outcome.figures.transitions), (seen.expanded, seen.steps), "{label}");
            assert!(seen.states.is_subset(&explored.states), "{label}");
            is_right(model, explored, &limits, outcome, &label);
        }
        for store in LOSSY {
            let limits = Limits { stubborn: true, ..Limits::checking() };
            let outcome = tried(search, (store, Access::Own), model, &limits);
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
fn is_right(model: &dyn Model, explored: &Explored, limits: &Limits, outcome: Outcome, label: &str) -> u64 {
    let states = explored.states.len() as u64;
    assert!(outcome.figures.states <= states, "{label}");
    match outcome.verdict {
        Verdict::Holds(_) => assert_eq!(explored.shortest_fault(limits.deadlock), None, "{label}"),
        Verdict::Violated(violation) => {
            assert!(explored.faults.contains_key(violation.fault.kind.name()), "{label}");
            replays(model, &violation);
        }
        Verdict::Undecided(reason) => panic!("{label}: {reason:?} without a limit"),
    }
    if !limits.all {
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
        let limits = Limits { only: Some(kind), deadlock: false, sleep, stubborn: true, ..Limits::checking() };
        let outcome = tried(search, EXACT[0], model, &limits);
        let found = matches!(&outcome.verdict, Verdict::Violated(violation) if violation.fault.kind == kind);
        assert_eq!(found, there, "{}, sleep {sleep}, only {}", search.name, kind.name());
    }
}

/// What the model says of the steps that suffice, in the states of a small program: no run of other steps comes to one that
/// has to do with them. Whatever others do first, the steps that suffice stay possible and come to the same.
pub fn steps_suffice(model: &dyn Model, explored: &Explored) {
    let (mut out, mut later, mut chosen) = (Successors::new(), Successors::new(), Vec::new());
    let mut scratch = Scratch::default();
    let every = [1, 2, 3].into_iter().cycle();
    for (state, every) in explored.states.iter().take(30).zip(every) {
        model.successors(state, &mut out);
        let leads_on = |index: usize| index % every == every - 1;
        let leading: Vec<bool> = (0..out.len()).map(leads_on).collect();
        if !model.stubborn_set(state, (&out, 0), &leading, &mut chosen, &mut scratch) {
            continue;
        }
        assert_eq!(chosen.len(), out.len(), "{state:?}");
        let taken = |index: &usize| chosen[*index];
        assert!((0..out.len()).any(|index| taken(&index) && leads_on(index)), "one at least");
        assert!((0..out.len()).all(|index| out.state(index).is_some() && out.fault(index).is_none()), "none fails");
        let steps: Vec<_> = (0..out.len()).filter(taken).map(|index| out.step(index)).collect();
        let check = |state: &[u8]| model.check(state, &mut Scratch::default());
        for to in (0..out.len()).filter(taken).filter_map(|index| out.state(index)) {
            assert_eq!(check(state), check(to), "what suffices is not asked about, in {state:?}");
        }
        // What can be reached by others, as far as that is little.
        let (mut seen, mut todo) = (HashSet::from([state.clone()]), vec![state.clone()]);
        while let Some(state) = todo.pop().filter(|_| seen.len() < 200) {
            model.successors(&state, &mut later);
            for &step in &steps {
                let index = later.steps().position(|one| one == step);
                let index = index.unwrap_or_else(|| panic!("{step:?} is no more possible in {state:?}"));
                assert_eq!(later.fault(index), None, "{step:?} of {state:?}");
            }
            let others: Vec<_> = (0..later.len())
                .filter(|&index| !steps.contains(&later.step(index)) && later.fault(index).is_none())
                .filter_map(|index| Some((later.step(index), later.state(index)?.to_vec())))
                .collect();
            for (step, to) in others {
                for &inside in &steps {
                    let one_way = after(model, &after(model, &state, inside), step);
                    let other_way = after(model, &to, inside);
                    assert_eq!(one_way, other_way, "{inside:?} and {step:?} in {state:?}");
                }
                if seen.insert(to.clone()) {
                    todo.push(to);
                }
            }
        }
    }
}

/// Where a step leads.
fn after(model: &dyn Model, state: &[u8], step: tightrope_core::Step) -> Vec<u8> {
    let mut to = Vec::new();
    let fired = model.fire(state, step, &mut to, &mut Scratch::default());
    assert_eq!(fired, tightrope_core::Fired::Done, "{step:?} of {state:?}");
    to
}

/// With little memory, or few steps allowed, a reduced search says so, or is right.
pub fn limits_are_honest(model: &dyn Model, explored: &Explored) {
    for search in SEARCHES {
        for store in EXACT {
            for bytes in [0, 2500, 7000, 20_000, 60_000] {
                let limits = Limits { stubborn: true, ..Limits::checking() };
                let budget = Arc::new(Budget::new(bytes));
                let outcome = tried_within(search, store, model, &limits, &budget, &mut ());
                let label = format!("{} over {store:?} in {bytes} bytes", search.name);
                is_right_in(bytes, &budget, model, explored, outcome, &label);
            }
        }
        let diameter = explored.levels.len() as u64 - 1;
        for depth in [0, diameter / 2, diameter, diameter + 1] {
            let limits = Limits { stubborn: true, depth: Some(depth), ..Limits::checking() };
            let outcome = tried(search, EXACT[0], model, &limits);
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
