//! What is compared.
#![allow(dead_code)]

pub mod programs;
pub mod promela;
pub mod rules;
pub mod sleep;
pub mod stubborn;

use std::collections::HashSet;
use std::sync::Arc;
use tightrope_core::{
    Budget, Claim, Fired, Found, Limits, Model, Observe, Outcome, Reason, Schema, Scratch, StateId, Step, Store,
    Successors, Verdict, Violation, moves,
};
use tightrope_search::{Measure, SEARCHES, Search, Task};
use tightrope_store::{Part, STORES, Site, combinations, make};
use tightrope_testkit::naive::{Explored, distances};
use tightrope_trace::{replay, text};

/// The states a search saw.
#[derive(Default)]
struct Collect {
    states: HashSet<Vec<u8>>,
    steps: u64,
    expanded: u64,
    degrees: usize,
}

impl Collect {
    fn found(&mut self, found: Found, state: &[u8]) {
        let new = self.states.insert(state.to_vec());
        assert_eq!(new, matches!(found, Found::New(_)), "an exact store knows new from seen: {found:?}");
    }
}

impl Observe for Collect {
    fn initial(&mut self, found: Found, state: &[u8]) {
        self.found(found, state);
    }

    fn expand(&mut self, _id: StateId, state: &[u8], degree: usize) {
        assert!(self.states.contains(state), "what is expanded was found before");
        self.expanded += 1;
        self.degrees += degree;
    }

    fn step(&mut self, _from: StateId, _step: Step, to: Found, state: &[u8]) {
        self.steps += 1;
        self.found(to, state);
    }
}

/// How the states of a store can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    /// As the store says.
    Own,
    /// By name only, so that searches need a queue of names.
    Named,
    /// Not at all, so that searches need a queue of states.
    None,
}

/// A store whose states cannot be read in order, and by name only if it says so.
struct Unordered(Box<dyn Store>, bool);

impl Store for Unordered {
    fn insert(&mut self, state: &[u8], via: Option<tightrope_core::Edge>) -> Result<Found, tightrope_core::OverBudget> {
        self.0.insert(state, via)
    }

    fn read(&mut self, id: StateId, out: &mut Vec<u8>) -> bool {
        self.1 && self.0.read(id, out)
    }

    fn can_read(&self) -> bool {
        self.1
    }

    fn len(&self) -> u64 {
        self.0.len()
    }

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    fn claim(&self) -> Claim {
        self.0.claim()
    }
}

/// The stores that lose nothing.
pub fn exact_stores() -> Vec<String> {
    let (schema, budget) = (Arc::<Schema>::default(), Arc::new(Budget::unlimited()));
    let site = Site { schema: &schema, budget: &budget, seed: 1 };
    let exact = |spec: &String| make(spec, site).is_ok_and(|store| store.claim() == Claim::Exact);
    combinations().into_iter().filter(exact).collect()
}

/// Every search over every store that loses nothing, and over one that is not ordered.
fn matrix() -> Vec<(&'static Search, String, Access)> {
    let mut all = Vec::new();
    for search in SEARCHES {
        for spec in exact_stores() {
            all.push((search, spec, Access::Own));
        }
        // Whatever the state that makes it change: the first, or one of those that are offered together.
        for states in [1, 2, 7, 30] {
            all.push((search, format!("auto:{states}"), Access::Own));
        }
        all.push((search, String::from("full+hash"), Access::Named));
        all.push((search, String::from("full+hash"), Access::None));
    }
    all
}

fn run(
    (search, spec, access): &(&Search, String, Access),
    model: &dyn Model,
    limits: &Limits,
    budget: &Arc<Budget>,
    observer: &mut dyn Observe,
) -> Outcome {
    let site = Site { schema: model.schema(), budget, seed: 1 };
    let mut store = make(spec, site).expect("every combination can be made");
    if *access != Access::Own {
        store = Box::new(Unordered(store, *access == Access::Named));
    }
    let mut successors = Successors::new();
    let task = Task { model, store: store.as_mut(), limits, budget, successors: &mut successors };
    let outcome = (search.run)(task, observer);
    assert!(store.bytes() <= budget.used(), "everything a store has is on the budget");
    outcome
}

fn run_freely(which: &(&Search, String, Access), model: &dyn Model, limits: &Limits) -> Outcome {
    run(which, model, limits, &Arc::new(Budget::unlimited()), &mut ())
}

/// Everything that can be compared of any model.
pub fn everything(model: &dyn Model, explored: &Explored) {
    stubborn::check_persistence(model, explored);
    everything_but_names(model, explored);
}

/// The same, for models in which a step is not known by its name in another state.
pub fn everything_but_names(model: &dyn Model, explored: &Explored) {
    model_is_consistent(model, explored);
    encodings_are_exact(model, explored);
    exploration_agrees(model, explored);
    verdicts_agree(model, explored);
    limits_are_honest(model, explored);
    budgets_are_kept(model, explored);
    losses_are_admitted(model, explored);
    sleep::footprints_are_true(model, explored);
    sleep::sleep_sets_agree(model, explored);
    sleep::budgets_are_kept(model, explored);
    stubborn::stubborn_searches_agree(model, explored);
    stubborn::limits_are_honest(model, explored);
}

/// Whether the names that a store gives grow, to the end.
fn is_ordered(spec: &str) -> bool {
    if spec.starts_with("auto:") {
        return false;
    }
    let (schema, budget) = (Arc::<Schema>::default(), Arc::new(Budget::unlimited()));
    make(spec, Site { schema: &schema, budget: &budget, seed: 1 }).is_ok_and(|mut store| store.ordered().is_some())
}

/// A store that may lose states finds no more than there is, loses nothing unless it said that it could, and what it finds
/// wrong is wrong.
fn losses_are_admitted(model: &dyn Model, explored: &Explored) {
    for search in SEARCHES {
        for spec in ["compact:8", "bits+compact:16", "collapse+compact", "bitstate:1", "bits+bitstate"] {
            let outcome = run_freely(&(search, spec.into(), Access::Own), model, &Limits::checking());
            let label = format!("{} over {spec}", search.name);
            assert!(outcome.figures.states <= explored.states.len() as u64, "{label}");
            match outcome.verdict {
                Verdict::Holds(Claim::Exact) => panic!("{label}: it cannot know"),
                Verdict::Holds(Claim::Hashed { omission }) => {
                    let complete = outcome.figures.states == explored.states.len() as u64;
                    assert!(complete || omission > 0.0, "{label}: {omission}");
                    assert!(!complete || explored.shortest_fault(true).is_none(), "{label}");
                }
                Verdict::Holds(Claim::Partial) => {}
                Verdict::Violated(violation) => replays(model, &violation),
                Verdict::Undecided(reason) => panic!("{label}: {reason:?} without a limit"),
            }
        }
    }
}

/// The same successors every time; firing agrees with expanding; steps have different names.
fn model_is_consistent(model: &dyn Model, explored: &Explored) {
    let (mut again, mut scratch, mut to) = (Successors::new(), Scratch::default(), Vec::new());
    for state in &explored.states {
        let mut out = Successors::new();
        model.successors(state, &mut out);
        model.successors(state, &mut again);
        assert_eq!(out.len(), again.len());
        assert_eq!(out.stuck, again.stuck);
        let mut names = HashSet::new();
        for index in 0..out.len() {
            let step = out.step(index);
            assert!(names.insert(step), "two steps of a state have the same name: {step:?}");
            assert_eq!((step, out.state(index)), (again.step(index), again.state(index)));
            assert_eq!(out.fault(index), again.fault(index));
            match (model.fire(state, step, &mut to, &mut scratch), out.state(index), out.fault(index)) {
                (Fired::Done, Some(expected), None) => assert_eq!(to, expected),
                (Fired::DoneWith(fault), Some(expected), Some(known)) => assert_eq!((&*to, &fault), (expected, known)),
                (Fired::Failed(fault), None, Some(known)) => assert_eq!(fault, *known),
                other => panic!("firing {step:?} and expanding disagree: {other:?}"),
            }
            assert!(!moves(model, state, step).is_empty(), "a step without words: {step:?}");
            let unknown = Step { choice: step.choice + 1000, ..step };
            assert_eq!(model.fire(state, unknown, &mut to, &mut scratch), Fired::Disabled);
        }
    }
}

/// What an encoding wrote comes back, and different states are written differently.
fn encodings_are_exact(model: &dyn Model, explored: &Explored) {
    for entry in STORES {
        let Part::Encoding(make) = &entry.part else { continue };
        let budget = Arc::new(Budget::unlimited());
        let mut encoding = make(Site { schema: model.schema(), budget: &budget, seed: 1 });
        let (mut room, mut back, mut codes) = (Vec::new(), Vec::new(), HashSet::new());
        for state in &explored.states {
            let code = encoding.encode(state, &mut room).expect("unlimited").to_vec();
            assert_eq!(encoding.encode(state, &mut room).expect("unlimited"), code);
            encoding.decode(&code, &mut back);
            assert_eq!(back, *state, "{}", entry.name);
            assert!(codes.insert(code), "{}", entry.name);
        }
    }
}

/// The mean and the standard deviation of the fractions of transitions to the level before, the same, the next, and any
/// of the three, by the definition.
fn locality(model: &dyn Model) -> [(f64, f64); 4] {
    let levels = distances(model);
    let mut out = Successors::new();
    let mut fractions: [Vec<f64>; 4] = Default::default();
    for (state, &level) in &levels {
        model.successors(state, &mut out);
        let targets = (0..out.len()).filter_map(|index| out.state(index)).filter(|target| target != state);
        let differences: Vec<i64> = targets.map(|target| levels[target] as i64 - level as i64).collect();
        let all = differences.len().max(1) as f64;
        let fraction = |wanted: &[i64]| differences.iter().filter(|one| wanted.contains(one)).count() as f64 / all;
        for (list, wanted) in fractions.iter_mut().zip([&[-1][..], &[0], &[1], &[-1, 0, 1]]) {
            list.push(fraction(wanted));
        }
    }
    fractions.map(|list| {
        let count = list.len() as f64;
        let mean = list.iter().sum::<f64>() / count;
        (mean, (list.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / count).sqrt())
    })
}

/// An exhaustive search finds what there is, and counts it right.
fn exploration_agrees(model: &dyn Model, explored: &Explored) {
    let locality = locality(model);
    for which in &matrix() {
        let mut seen = Collect::default();
        let outcome = run(which, model, &Limits::measuring(), &Arc::new(Budget::unlimited()), &mut seen);
        let label = format!("{} over {} (access: {:?})", which.0.name, which.1, which.2);
        let figures = outcome.figures;
        assert_eq!(outcome.verdict, Verdict::Holds(Claim::Exact), "{label}");
        assert_eq!(outcome.stopped, None, "{label}");
        assert_eq!(seen.states, explored.states, "{label}");
        assert_eq!(figures.states, explored.states.len() as u64, "{label}");
        assert_eq!(figures.visits, figures.states, "{label}");
        assert_eq!((figures.transitions, seen.steps), (explored.transitions, explored.transitions), "{label}");
        assert_eq!(seen.degrees as u64, explored.transitions, "{label}");
        assert_eq!(figures.fired, explored.fired, "{label}");
        assert_eq!((figures.deadlocks, figures.ends), (explored.deadlocks, explored.ends), "{label}");
        assert_eq!(figures.violations, 0, "{label}");
        assert_eq!(figures.stored_peak, figures.states, "{label}");
        if which.0.name == "bfs" {
            let started = explored.levels.first().copied().unwrap_or(0);
            assert_eq!(figures.matched, figures.transitions - (figures.states - started), "{label}");
            assert_eq!(figures.levels, explored.levels.len() as u64, "{label}");
            assert_eq!(figures.widest_level, explored.levels.iter().copied().max().unwrap_or(0), "{label}");
            if !is_ordered(&which.1) {
                continue;
            }
            let mut measure = Measure::new(&Arc::new(Budget::unlimited()));
            run(which, model, &Limits::measuring(), &Arc::new(Budget::unlimited()), &mut measure);
            let shape = measure.finish();
            assert_eq!(shape.level_widths.iter().collect::<Vec<_>>(), explored.levels, "{label}");
            let measured = [shape.backward, shape.level, shape.forward, shape.local];
            for (share, (mean, deviation)) in measured.into_iter().zip(locality) {
                assert!((share.mean - mean).abs() < 1e-9, "{label}: {} and {mean}", share.mean);
                assert!((share.deviation - deviation).abs() < 1e-6, "{label}: {} and {deviation}", share.deviation);
            }
        }
    }
}

/// A violation replays and can be shown, and a trace that was tampered with is refused in words.
pub fn replays(model: &dyn Model, violation: &Violation) {
    let shown = replay(model, &violation.trace, &violation.fault).unwrap_or_else(|problem| panic!("{problem}"));
    assert_eq!(shown, violation.fault);
    let mut page = Vec::new();
    text::write(model, violation, text::How { all: false, goes_on: &|| true }, &mut page)
        .expect("what replays can be shown");
    assert!(String::from_utf8_lossy(&page).contains(violation.fault.kind.name()));
    let mut tampered = violation.clone();
    let mut steps: Vec<Step> = violation.trace.steps.iter().collect();
    if let Some(step) = steps.first_mut() {
        step.action ^= 1 << 40 | 3;
        step.choice += 77;
        tampered.trace.steps = steps.into_iter().collect();
        assert!(replay(model, &tampered.trace, &tampered.fault).is_err());
    }
    tampered.trace.initial = u32::MAX;
    assert!(replay(model, &tampered.trace, &tampered.fault).is_err());
}

/// Violations are found exactly where there are some; breadth-first ones are shortest; all replay.
fn verdicts_agree(model: &dyn Model, explored: &Explored) {
    for which in &matrix() {
        for (deadlock, all) in [(true, false), (false, false), (true, true)] {
            let limits = Limits { deadlock, all, ..Limits::checking() };
            let label =
                format!("{} over {} (access: {:?}), deadlock {deadlock}, all {all}", which.0.name, which.1, which.2);
            let outcome = run_freely(which, model, &limits);
            assert_eq!(outcome.stopped, None, "{label}");
            let shortest = explored.shortest_fault(deadlock);
            match outcome.verdict {
                Verdict::Holds(claim) => {
                    assert_eq!((claim, shortest), (Claim::Exact, None), "{label}");
                    assert_eq!(outcome.figures.violations, 0, "{label}");
                }
                Verdict::Violated(violation) => {
                    let kind = violation.fault.kind.name();
                    let length = violation.trace.steps.len() as u64;
                    assert!(explored.faults.contains_key(kind), "{label}: {kind}");
                    assert!(Some(length) >= shortest, "{label}");
                    if which.0.name == "bfs" {
                        assert_eq!(Some(length), shortest, "{label}");
                        assert_eq!(length, explored.shortest[kind], "{label}");
                    }
                    let count = if all { explored.violations(deadlock) } else { 1 };
                    assert_eq!(outcome.figures.violations, count, "{label}");
                    replays(model, &violation);
                }
                Verdict::Undecided(reason) => panic!("{label}: {reason:?} without a limit"),
            }
        }
    }
}

/// How many steps away from the beginning a search went.
fn steps_down(search: &Search, outcome: &Outcome) -> u64 {
    let figures = &outcome.figures;
    if search.name == "dfs" { figures.frontier_peak.saturating_sub(1) } else { figures.depth }
}

/// A search that is cut short never claims success, and what it found up to there is right.
fn limits_are_honest(model: &dyn Model, explored: &Explored) {
    let diameter = explored.levels.len() as u64 - 1;
    for which in &matrix() {
        for depth in [0, diameter / 2, diameter, diameter + 1] {
            let limits = Limits { depth: Some(depth), ..Limits::checking() };
            let outcome = run_freely(which, model, &limits);
            let label = format!("{} over {}, depth {depth} of {diameter}", which.0.name, which.1);
            assert!(steps_down(which.0, &outcome) <= depth, "{label}");
            let within = explored.shortest_fault(true).is_some_and(|length| length <= depth);
            match outcome.verdict {
                Verdict::Holds(_) => assert_eq!(explored.shortest_fault(true), None, "{label}"),
                Verdict::Violated(violation) => {
                    assert!(within && violation.trace.steps.len() as u64 <= depth, "{label}");
                    replays(model, &violation);
                }
                Verdict::Undecided(reason) => {
                    assert_eq!(reason, Reason::Depth, "{label}");
                    assert!(which.0.name != "bfs" || !within, "{label}");
                    assert!(which.0.name != "bfs" || depth <= diameter, "{label}");
                }
            }
        }
        let limits = Limits { deadline: Some(std::time::Instant::now()), ..Limits::checking() };
        let outcome = run_freely(which, model, &limits);
        assert!(!matches!(outcome.verdict, Verdict::Holds(_)), "{} with no time", which.0.name);
        let limits = Limits::checking();
        limits.interrupt.raise(Reason::Interrupted);
        let outcome = run_freely(which, model, &limits);
        assert!(!matches!(outcome.verdict, Verdict::Holds(_)), "{} interrupted", which.0.name);
    }
}

/// With little memory a search says so, or is right; it never takes more than it was given.
fn budgets_are_kept(model: &dyn Model, explored: &Explored) {
    for which in &matrix() {
        for bytes in [0, 200, 2500, 5000, 7000, 10_000, 20_000, 60_000, 200_000] {
            let budget = Arc::new(Budget::new(bytes));
            let outcome = run(which, model, &Limits::checking(), &budget, &mut ());
            let label = format!("{} over {} (access: {:?}) in {bytes} bytes", which.0.name, which.1, which.2);
            assert_eq!(budget.used(), 0, "{label}: everything is given back");
            assert!(budget.peak() <= bytes, "{label}");
            match outcome.verdict {
                Verdict::Holds(_) => {
                    assert_eq!(explored.shortest_fault(true), None, "{label}");
                    assert_eq!(outcome.figures.states, explored.states.len() as u64, "{label}");
                }
                Verdict::Violated(violation) => replays(model, &violation),
                Verdict::Undecided(reason) => assert_eq!(reason, Reason::Memory, "{label}"),
            }
        }
    }
}
