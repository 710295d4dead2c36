//! What is compared.
#![allow(dead_code)]

pub mod programs;
pub mod promela;
pub mod rules;
pub mod seen;
pub mod sleep;
pub mod stubborn;

use std::collections::HashSet;
use std::sync::Arc;
use tightrope_core::{
    Budget, Claim, Edge, Fired, Found, Model, Observe, Outcome, Reason, Scratch, SearchConfig, StateId, Step, Store,
    Successors, Verdict, Violation, moves,
};
use tightrope_search::{Provisos, Search, Task, searches_over_any_store};
use tightrope_store::{Encoded, Part, STORES, Site, combinations, facts, make};
use tightrope_testkit::delayed::Delayed;
use tightrope_testkit::naive::Explored;
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
        if found == Found::Undecided {
            return;
        }
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

    fn resolved(&mut self, id: StateId, _via: Option<Edge>, state: &[u8]) {
        self.found(Found::New(id), state);
    }
}

/// How the states of a store can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    /// As the store says.
    Own,
    /// By id only, so that searches need a queue of ids.
    Named,
    /// Not at all, so that searches need a queue of states.
    None,
    /// By id only, and the store decides later, when it has so many candidates or is asked.
    Later(usize),
}

/// A store whose states cannot be read in order, and by id only if it says so.
struct Unordered<'a>(Box<dyn Store + 'a>, bool);

impl Store for Unordered<'_> {
    fn insert(&mut self, state: &[u8], via: Option<Edge>) -> Result<Found, tightrope_core::Refused> {
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
    combinations().into_iter().filter(|spec| facts(spec).is_ok_and(|facts| facts.exact)).collect()
}

/// The encodings of states.
pub fn encodings() -> impl Iterator<Item = &'static str> {
    STORES.iter().filter(|entry| matches!(entry.part, Part::Encoding(_))).map(|entry| entry.name)
}

/// Plans for ComBack stores: every caching strategy, with and without delayed duplicate detection. Their hashes have so few bits that
/// a state has that of another one on average. Those before the last two rebuild nearly everything from the start; they are for
/// models with few states. Of the last two one is for depth-first search, one for breadth-first.
const COMBACK: [&str; 9] = [
    "F,cache=0,candidates=0",
    "R,cache=3,candidates=1",
    "F,cache=2,candidates=3,queue=ids",
    "H,cache=4,candidates=0,queue=ids",
    "D,cache=5%,candidates=200%",
    "F20-D80,cache=10,candidates=5,queue=ids",
    "F50-H50,cache=6,candidates=1000,queue=ids",
    "F50-R50,cache=50%,candidates=0",
    "F20-D80,cache=30%,candidates=20%,queue=ids",
];
/// With more states than this a model has many.
const FEW: usize = 40;

/// Every search over every store that loses nothing, and over one that is not ordered.
fn matrix(explored: &Explored) -> Vec<(&'static Search, String, Access)> {
    let hash_bits = explored.states.len().max(2).ilog2();
    let mut all = Vec::new();
    for search in searches_over_any_store() {
        for spec in exact_stores() {
            all.push((search, spec, Access::Own));
        }
        // Whatever the state that makes it change: the first, or one of those that are offered together.
        for states in [1, 2, 7, 30] {
            all.push((search, format!("auto:{states}"), Access::Own));
        }
        // A third of them for each model with few states.
        let (first, every) = match (explored.states.len() > FEW, search.guarantees.levels) {
            (false, _) => (explored.transitions as usize % 3, 3),
            (true, false) => (7, 2),
            (true, true) => (8, 2),
        };
        for plan in COMBACK.iter().skip(first).step_by(every) {
            all.push((search, format!("comback:{plan},hash={hash_bits}"), Access::Own));
        }
        all.push((search, String::from("full+hash"), Access::Named));
        all.push((search, String::from("full+hash"), Access::None));
        if search.guarantees.levels {
            all.extend([1, 3, 1000].map(|most| (search, String::from("delayed"), Access::Later(most))));
        }
    }
    all
}

fn run(
    which: &(&Search, String, Access),
    model: &dyn Model,
    config: &SearchConfig,
    budget: &Arc<Budget>,
    observer: &mut dyn Observe,
) -> Outcome {
    run_with(Provisos::default(), which, model, config, budget, observer)
}

fn run_with(
    provisos: Provisos,
    (search, spec, access): &(&Search, String, Access),
    model: &dyn Model,
    config: &SearchConfig,
    budget: &Arc<Budget>,
    observer: &mut dyn Observe,
) -> Outcome {
    let site = Site { schema: model.schema(), budget, seed: 1, model: Some(model) };
    let made = || make(spec, site).expect("every combination can be made");
    let mut store: Box<dyn Store + '_> = match *access {
        Access::Own => made(),
        Access::Named | Access::None => Box::new(Unordered(made(), *access == Access::Named)),
        Access::Later(most) => {
            let delayed = Box::new(Delayed::new(most, budget));
            let Some(Part::Encoding(encoding)) =
                STORES.iter().find(|entry| entry.name == "collapse").map(|entry| &entry.part)
            else {
                panic!("collapse is an encoding")
            };
            // By itself, and as a set of codes.
            if most == 3 { Box::new(Encoded::new(encoding(site), delayed)) } else { delayed }
        }
    };
    let mut successors = Successors::new();
    let mut task = Task::new(model, store.as_mut(), config, budget, &mut successors);
    task.provisos = provisos;
    let outcome = (search.run)(task, observer);
    assert!(store.bytes() <= budget.used(), "everything a store has is on the budget");
    outcome
}

fn run_freely(which: &(&Search, String, Access), model: &dyn Model, config: &SearchConfig) -> Outcome {
    run(which, model, config, &Arc::new(Budget::unlimited()), &mut ())
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
    ids_are_kept(model, explored);
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

/// A store that may lose states finds no more than there is, loses nothing unless it said that it could, and what it finds
/// wrong is wrong.
fn losses_are_admitted(model: &dyn Model, explored: &Explored) {
    for search in searches_over_any_store() {
        for spec in ["compact:8", "bits+compact:16", "collapse+compact", "bitstate:1", "bits+bitstate"] {
            let outcome = run_freely(&(search, spec.into(), Access::Own), model, &SearchConfig::checking());
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
    let (mut single, mut nth) = (Successors::new(), Vec::new());
    for state in &explored.states {
        let mut out = Successors::new();
        model.successors(state, &mut out);
        model.successors(state, &mut again);
        assert_eq!(out.len(), again.len());
        assert_eq!(out.terminal, again.terminal);
        assert_eq!(model.fire_nth(state, out.len(), &mut to, &mut single), Fired::Disabled);
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
            let fired = model.fire_nth(state, index, &mut to, &mut single);
            assert_eq!(fired, out.fired(index, &mut nth), "step {index} by its number");
            assert!(out.state(index).is_none_or(|expected| expected == to), "step {index} by its number");
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
        let mut encoding = make(Site { schema: model.schema(), budget: &budget, seed: 1, model: None });
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

/// A state that a store answered for has the same id when it comes again; where there are no ids, new states have none either.
fn ids_are_kept(model: &dyn Model, explored: &Explored) {
    let lossy = ["bitstate:1", "compact:8"].map(String::from);
    for spec in combinations().into_iter().chain(lossy) {
        let budget = Arc::new(Budget::unlimited());
        let mut store =
            make(&spec, Site { schema: model.schema(), budget: &budget, seed: 1, model: Some(model) }).expect("made");
        let mut offer = |state: &Vec<u8>| match store.insert(state, None).expect("unlimited") {
            Found::New(id) | Found::Seen(id) => id,
            other => panic!("{spec}: {other:?}"),
        };
        let ids: Vec<StateId> = explored.states.iter().map(&mut offer).collect();
        for (state, &id) in explored.states.iter().zip(&ids) {
            assert_eq!(offer(state), id, "{spec}");
        }
        let without = ids.iter().filter(|&&id| id == StateId::NAMELESS).count();
        assert!(without == 0 || without == ids.len(), "{spec}: {without} of {} states have no id", ids.len());
    }
}

/// An exhaustive search finds what there is, and counts it right.
fn exploration_agrees(model: &dyn Model, explored: &Explored) {
    for which in &matrix(explored) {
        let mut seen = Collect::default();
        let outcome = run(which, model, &SearchConfig::measuring(), &Arc::new(Budget::unlimited()), &mut seen);
        let label = format!("{} over {} (access: {:?})", which.0.name, which.1, which.2);
        let figures = outcome.figures;
        assert_eq!(outcome.verdict, Verdict::Holds(Claim::Exact), "{label}");
        assert_eq!(outcome.stopped, None, "{label}");
        assert_eq!(seen.states, explored.states, "{label}");
        assert_eq!(figures.states, explored.states.len() as u64, "{label}");
        assert_eq!(figures.visits, figures.states, "{label}");
        assert_eq!((figures.transitions, seen.steps), (explored.transitions, explored.transitions), "{label}");
        assert_eq!(seen.degrees as u64, explored.transitions, "{label}");
        assert_eq!(figures.fired - figures.rebuilt, explored.fired, "{label}");
        assert_eq!((figures.deadlocks, figures.ends), (explored.deadlocks, explored.ends), "{label}");
        assert_eq!(figures.violations, 0, "{label}");
        assert_eq!(figures.stored_peak, figures.states, "{label}");
        if which.0.guarantees.levels {
            let started = explored.levels.first().copied().unwrap_or(0);
            assert_eq!(figures.matched, figures.transitions - (figures.states - started), "{label}");
            assert_eq!(figures.levels, explored.levels.len() as u64, "{label}");
            assert_eq!(figures.widest_level, explored.levels.iter().copied().max().unwrap_or(0), "{label}");
        }
    }
}

/// A violation replays and can be shown, and a trace that was tampered with is refused in words.
pub fn replays(model: &dyn Model, violation: &Violation) {
    let shown = replay(model, &violation.trace, &violation.fault).unwrap_or_else(|problem| panic!("{problem}"));
    assert_eq!(shown, violation.fault);
    let mut page = Vec::new();
    text::write(model, violation, text::TextOptions { all: false, goes_on: &|| true }, &mut page)
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
    for which in &matrix(explored) {
        for (deadlock, all) in [(true, false), (false, false), (true, true)] {
            let config = SearchConfig { deadlock, all, ..SearchConfig::checking() };
            let label =
                format!("{} over {} (access: {:?}), deadlock {deadlock}, all {all}", which.0.name, which.1, which.2);
            let outcome = run_freely(which, model, &config);
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
                    if which.0.guarantees.levels {
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
    if search.guarantees.path { figures.frontier_peak.saturating_sub(1) } else { figures.depth }
}

/// A search that is cut short never claims success, and what it found up to there is right.
fn limits_are_honest(model: &dyn Model, explored: &Explored) {
    let diameter = explored.levels.len() as u64 - 1;
    for which in &matrix(explored) {
        for depth in [0, diameter / 2, diameter, diameter + 1] {
            let config = SearchConfig { depth: Some(depth), ..SearchConfig::checking() };
            let outcome = run_freely(which, model, &config);
            let label = format!("{} over {}, depth {depth} of {diameter}", which.0.name, which.1);
            assert!(steps_down(which.0, &outcome) <= depth, "{label}");
            let within = explored.shortest_fault(true).is_some_and(|length| length <= depth);
            match outcome.verdict {
                Verdict::Holds(_) => {
                    assert_eq!(explored.shortest_fault(true), None, "{label}");
                    let figures = outcome.figures;
                    let fired = figures.fired - figures.rebuilt;
                    assert_eq!((figures.visits, fired), (figures.states, explored.fired), "{label}");
                }
                Verdict::Violated(violation) => {
                    assert!(within && violation.trace.steps.len() as u64 <= depth, "{label}");
                    replays(model, &violation);
                }
                Verdict::Undecided(reason) => {
                    assert_eq!(reason, Reason::Depth, "{label}");
                    assert!(!which.0.guarantees.levels || !within, "{label}");
                    assert!(!which.0.guarantees.levels || depth <= diameter, "{label}");
                }
            }
        }
        let config = SearchConfig { deadline: Some(std::time::Instant::now()), ..SearchConfig::checking() };
        let outcome = run_freely(which, model, &config);
        assert!(!matches!(outcome.verdict, Verdict::Holds(_)), "{} with no time", which.0.name);
        let config = SearchConfig::checking();
        config.interrupt.raise(Reason::Interrupted);
        let outcome = run_freely(which, model, &config);
        assert!(!matches!(outcome.verdict, Verdict::Holds(_)), "{} interrupted", which.0.name);
    }
}

/// With little memory a search says so, or is right, and gives back what it took. That it asks before it takes is seen from outside
/// (`tightrope/tests/memory.rs`).
fn budgets_are_kept(model: &dyn Model, explored: &Explored) {
    let mut decided = 0;
    for which in &matrix(explored) {
        for bytes in [0, 200, 2500, 5000, 7000, 10_000, 20_000, 60_000, 200_000] {
            let budget = Arc::new(Budget::new(bytes));
            let outcome = run(which, model, &SearchConfig::checking(), &budget, &mut ());
            let label = format!("{} over {} (access: {:?}) in {bytes} bytes", which.0.name, which.1, which.2);
            assert_eq!(budget.used(), 0, "{label}: everything is given back");
            match outcome.verdict {
                Verdict::Holds(_) => {
                    assert_eq!(explored.shortest_fault(true), None, "{label}");
                    assert_eq!(outcome.figures.states, explored.states.len() as u64, "{label}");
                }
                Verdict::Violated(violation) => {
                    assert!(explored.faults.contains_key(violation.fault.kind.name()), "{label}");
                    replays(model, &violation);
                }
                Verdict::Undecided(reason) => {
                    assert_eq!(reason, Reason::Memory, "{label}");
                    continue;
                }
            }
            assert!(bytes > 0, "{label}: nothing can be remembered");
            decided += 1;
        }
    }
    assert!(decided > 0 || explored.states.len() > 100, "what there is suffices for some store");
}
