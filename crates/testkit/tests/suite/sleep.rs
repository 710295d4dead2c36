//! What steps depend on, and sleep sets.

use super::{Collect, replays};
use std::collections::HashSet;
use std::sync::Arc;
use tightrope_core::{
    Access, Budget, Claim, Footprints, Model, Observe, Outcome, Reason, SearchConfig, Step, Successors, Verdict,
    independent,
};
use tightrope_search::{Task, find};
use tightrope_store::{Site, make};
use tightrope_testkit::naive::Explored;

/// A step of a state, where it leads, what it depends on, and whether steps have other names there.
type Made = (Step, Vec<u8>, Vec<Access>, bool);

/// The steps of a state that lead somewhere, with what they depend on; they are those that it has.
fn made(model: &dyn Model, state: &[u8]) -> Option<Vec<Made>> {
    let (mut out, mut plain, mut footprints) = (Successors::new(), Successors::new(), Footprints::new());
    if !model.successors_with_footprints(state, &mut out, &mut footprints) {
        return None;
    }
    model.successors(state, &mut plain);
    assert_eq!(out.steps().collect::<Vec<_>>(), plain.steps().collect::<Vec<_>>(), "the steps of {state:?}");
    assert_eq!(out.terminal, plain.terminal);
    assert_eq!(footprints.len(), out.len(), "every step has a footprint");
    let one = |index: usize| {
        assert_eq!(out.state(index), plain.state(index));
        assert_eq!(out.fault(index), plain.fault(index));
        Some((out.step(index), out.state(index)?.to_vec(), footprints.of(index).to_vec(), footprints.renames(index)))
    };
    Some((0..out.len()).filter_map(one).collect())
}

/// Every pair of steps that is said to be independent commutes, in every state, and neither changes what the other one
/// depends on. Returns how many pairs there were.
pub fn footprints_are_true(model: &dyn Model, explored: &Explored) -> usize {
    let mut pairs = 0;
    for state in explored.sample(50) {
        let Some(steps) = made(model, state) else { return 0 };
        let before = pairs;
        for (number, one) in steps.iter().enumerate() {
            for two in &steps[number + 1..] {
                if pairs - before >= 30 || !independent(&one.2, &two.2) {
                    continue;
                }
                pairs += 1;
                // Where it leads to take the second one after the first, or anything if nobody knows its name.
                let after = |first: &Made, second: &Made| {
                    let steps = made(model, &first.1).expect("it could tell before");
                    if first.3 {
                        return steps.into_iter().map(|made| made.1).collect();
                    }
                    let found = steps.into_iter().find(|made| made.0 == second.0);
                    let found = found.unwrap_or_else(|| panic!("{first:?} disables {second:?} in {state:?}"));
                    assert_eq!(found.2, second.2, "{first:?} changes what {second:?} depends on in {state:?}");
                    HashSet::from([found.1])
                };
                let (here, there) = (after(one, two), after(two, one));
                assert!(!here.is_disjoint(&there), "{one:?} and {two:?} in {state:?}: {here:?}, {there:?}");
            }
        }
    }
    pairs
}

fn asleep(model: &dyn Model, store: &str, config: SearchConfig, seen: &mut dyn Observe) -> Outcome {
    let (budget, config) = (Arc::new(Budget::unlimited()), SearchConfig { sleep: true, ..config });
    depth_first(model, store, &config, &budget, seen)
}

fn depth_first(
    model: &dyn Model,
    store: &str,
    config: &SearchConfig,
    budget: &Arc<Budget>,
    seen: &mut dyn Observe,
) -> Outcome {
    let site = Site { schema: model.schema(), budget, seed: 1, model: Some(model) };
    let mut store = make(store, site).expect("every combination can be made");
    let mut successors = Successors::new();
    let task = Task::new(model, store.as_mut(), config, budget, &mut successors);
    (find("dfs").expect("there is one").run)(task, seen)
}

/// With sleep sets a search visits every state and finds what there is to be found, on no more ways. Returns the number of
/// transitions.
pub fn sleep_sets_agree(model: &dyn Model, explored: &Explored) -> u64 {
    let mut transitions = 0;
    for store in ["hash", "collapse", "tree", "auto:7", "comback:F50-R50,cache=30%"] {
        let mut seen = Collect::default();
        let outcome = asleep(model, store, SearchConfig::measuring(), &mut seen);
        assert_eq!(outcome.verdict, Verdict::Holds(Claim::Exact), "{store}");
        assert_eq!(seen.states, explored.states, "{store}");
        let figures = outcome.figures;
        assert_eq!(figures.states, explored.states.len() as u64, "{store}");
        assert!(figures.transitions <= explored.transitions, "{store}");
        transitions = figures.transitions;
        assert_eq!((figures.deadlocks, figures.ends), (explored.deadlocks, explored.ends), "{store}");
    }
    for (deadlock, all) in [(true, false), (false, false), (true, true)] {
        let config = SearchConfig { deadlock, all, ..SearchConfig::checking() };
        let outcome = asleep(model, "hash", config, &mut Collect::default());
        match outcome.verdict {
            Verdict::Holds(_) => assert_eq!(explored.shortest_fault(deadlock), None),
            Verdict::Violated(violation) => {
                assert!(Some(violation.trace.steps.len() as u64) >= explored.shortest_fault(deadlock));
                assert_eq!(outcome.figures.violations, if all { explored.violations(deadlock) } else { 1 });
                replays(model, &violation);
            }
            Verdict::Undecided(reason) => panic!("{reason:?} without a limit"),
        }
    }
    transitions
}

/// With little memory a reduced search says so, or is right; it never takes more than it was given.
pub fn budgets_are_kept(model: &dyn Model, explored: &Explored) {
    for (sleep, stubborn) in [(true, false), (false, true), (true, true)] {
        for bytes in [0, 2500, 7000, 20_000, 60_000] {
            let config = SearchConfig { sleep, stubborn, ..SearchConfig::checking() };
            let budget = Arc::new(Budget::new(bytes));
            let outcome = depth_first(model, "hash", &config, &budget, &mut ());
            let label = format!("sleep {sleep}, stubborn {stubborn}, in {bytes} bytes");
            is_right_in(bytes, &budget, model, explored, outcome, &label);
        }
    }
}

/// What comes out of a search with a budget of so many bytes is right, or undecided.
pub fn is_right_in(bytes: u64, budget: &Budget, model: &dyn Model, explored: &Explored, outcome: Outcome, label: &str) {
    assert_eq!(budget.used(), 0, "{label}: everything is given back");
    assert!(budget.peak() <= bytes, "{label}");
    match outcome.verdict {
        Verdict::Holds(_) => assert_eq!(explored.shortest_fault(true), None, "{label}"),
        Verdict::Violated(violation) => replays(model, &violation),
        Verdict::Undecided(reason) => assert_eq!(reason, Reason::Memory, "{label}"),
    }
}
