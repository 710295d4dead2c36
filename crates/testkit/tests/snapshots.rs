//! Breadth-first search that remembers some of the levels, compared with the naive checker, on tiny models, random programs, and
//! graphs that are made to defeat snapshots.
//!
//! Every stream with a name, random ones, every encoding, with and without the backtracking set: always all states and all
//! transitions, always the shortest counterexample, and always an end. `TIGHTROPE_SEED=17` looks at one program, as in
//! `conformance.rs`.

mod suite;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use suite::programs::{every_kind, tiny_models};
use suite::{encodings, replays};
use tightrope_core::{
    Budget, CacheStats, Claim, Found, Interrupt, Model, Observe, Outcome, Reason, SearchConfig, StateId, Step,
    Successors, Verdict,
};
use tightrope_por::PROVISOS;
use tightrope_search::{LtsRecorder, Provisos, Task, find};
use tightrope_store::{SNAPSHOT_PRESETS, SNAPSHOT_REPLACEMENTS, Site, SnapshotPlan, make_with_snapshots};
use tightrope_testkit::graph::Graph;
use tightrope_testkit::naive::{self, Explored};
use tightrope_testkit::random::Rng;

/// Programs with more states than this are left out, since they are visited again and again.
const MOST_STATES: usize = 400;
/// So many bytes suffice for them.
const MUCH: u64 = 1 << 20;
/// A search that takes more visits than this does not end.
const MOST_VISITS: u64 = 3_000_000;

/// What a search saw.
#[derive(Default)]
struct Seen {
    /// Each state, and the level in which it was expanded first.
    expanded: HashMap<Vec<u8>, u64>,
    states: HashSet<Vec<u8>>,
    steps: HashSet<(Vec<u8>, Step)>,
    at: Vec<u8>,
    level: u64,
    visits: u64,
    interrupt: Interrupt,
}

impl Observe for Seen {
    fn initial(&mut self, _found: Found, state: &[u8]) {
        self.states.insert(state.to_vec());
    }

    fn level(&mut self, depth: u64, _width: u64) {
        self.level = depth;
    }

    fn expand(&mut self, _id: StateId, state: &[u8], _degree: usize) {
        self.expanded.entry(state.to_vec()).or_insert(self.level);
        self.at = state.to_vec();
        self.visits += 1;
        if self.visits > MOST_VISITS {
            self.interrupt.raise(Reason::Interrupted);
        }
    }

    fn step(&mut self, _from: StateId, step: Step, _to: Found, state: &[u8]) {
        self.states.insert(state.to_vec());
        self.steps.insert((self.at.clone(), step));
    }
}

/// A way of remembering.
#[derive(Clone, Debug)]
struct How {
    encoding: &'static str,
    stream: String,
    backtrack: bool,
}

fn presets() -> impl Iterator<Item = String> {
    SNAPSHOT_PRESETS.iter().flat_map(|preset| match preset.parameter.is_empty() {
        true => vec![preset.name.to_string()],
        false => [1, 4, 70].map(|levels| format!("{}:{levels}", preset.name)).to_vec(),
    })
}

fn random_stream(rng: &mut Rng) -> String {
    let caches = 1 + rng.below(3);
    let mut text: Vec<String> = (1..=caches)
        .map(|number| {
            let sampling = format!("{}{}", rng.pick(&["c", ""]), 1 + rng.below(4));
            let replacement = rng.pick(SNAPSHOT_REPLACEMENTS).0;
            let size = if number == caches && rng.chance(15) { "inf".into() } else { (1 + rng.below(5)).to_string() };
            format!("{sampling},{replacement},{size}")
        })
        .collect();
    let keeps_all = text[caches - 1].ends_with("inf") || text[caches - 1].starts_with("c1,");
    if !keeps_all && rng.chance(20) {
        text.push("...".into());
    }
    text.join(" > ")
}

struct Run {
    outcome: Outcome,
    seen: Seen,
    stats: CacheStats,
}

fn run(
    model: &dyn Model,
    how: &How,
    config: SearchConfig,
    provisos: Provisos,
    budget: &Arc<Budget>,
    watch: bool,
) -> Run {
    let plan = SnapshotPlan { stream: how.stream.parse().expect("a stream"), backtrack: how.backtrack };
    let site = Site { schema: model.schema(), budget, seed: 1, model: None };
    let mut store = make_with_snapshots(how.encoding, &plan, site).expect("every encoding goes with snapshots");
    let mut successors = Successors::new();
    let mut seen = Seen { interrupt: config.interrupt.clone(), ..Seen::default() };
    let search = find("snapshots").expect("it is there");
    let mut task = Task::new(model, store.as_mut(), &config, budget, &mut successors);
    task.provisos = provisos;
    let outcome = if watch { (search.run)(task, &mut seen) } else { (search.run)(task, &mut ()) };
    assert!(store.bytes() <= budget.used(), "everything a store has is on the budget");
    let stats = store.evicts().expect("it evicts").cache_stats();
    Run { outcome, seen, stats }
}

fn freely(model: &dyn Model, how: &How, config: SearchConfig, watch: bool) -> Run {
    run(model, how, config, Provisos::default(), &Arc::new(Budget::unlimited()), watch)
}

/// What there is to compare with.
struct Known<'a> {
    model: &'a dyn Model,
    explored: &'a Explored,
    distances: HashMap<Vec<u8>, u64>,
    /// All steps that lead to a state.
    steps: HashSet<(Vec<u8>, Step)>,
}

impl<'a> Known<'a> {
    fn new(model: &'a dyn Model, explored: &'a Explored) -> Self {
        let (mut out, mut steps) = (Successors::new(), HashSet::new());
        for state in &explored.states {
            model.successors(state, &mut out);
            let there = (0..out.len()).filter(|&index| out.state(index).is_some());
            steps.extend(there.map(|index| (state.clone(), out.step(index))));
        }
        Known { model, explored, distances: naive::distances(model), steps }
    }

    /// Everything that can be said of one way of remembering. Returns the visits and the most states at one time.
    fn agrees(&self, how: &How) -> (u64, u64) {
        let (model, explored) = (self.model, self.explored);
        let label = format!("{how:?}");
        let states = explored.states.len() as u64;
        let Run { outcome, seen, stats } = freely(model, how, SearchConfig::measuring(), true);
        assert_eq!(outcome.verdict, Verdict::Holds(Claim::Exact), "{label}: {} visits of {states}", seen.visits);
        assert_eq!(seen.states, explored.states, "{label}");
        assert_eq!(seen.expanded, self.distances, "{label}: every state is expanded first at its least distance");
        assert!(seen.steps == self.steps, "{label}: every transition is taken");
        let figures = outcome.figures;
        assert_eq!((figures.visits, stats.inserted), (seen.visits, seen.visits), "{label}");
        assert_eq!(stats.distinct, Some(states), "{label}: few enough to be counted");
        assert!(figures.stored_peak == stats.peak && stats.peak <= states, "{label}");
        assert!(stats.evicted > 0 || (stats.peak, figures.visits) == (states, states), "{label}");
        let backtracking = stats.snapshots.expect("it has snapshots").backtracking;
        assert!(how.backtrack || backtracking == 0, "{label}");

        for deadlock in [true, false] {
            let config = SearchConfig { deadlock, ..SearchConfig::checking() };
            match freely(model, how, config, false).outcome.verdict {
                Verdict::Holds(claim) => {
                    assert_eq!((claim, explored.shortest_fault(deadlock)), (Claim::Exact, None), "{label}")
                }
                Verdict::Violated(violation) => {
                    let length = violation.trace.steps.len() as u64;
                    assert_eq!(Some(length), explored.shortest_fault(deadlock), "{label}");
                    replays(model, &violation);
                }
                Verdict::Undecided(reason) => panic!("{label}: {reason:?} without a limit"),
            }
        }
        let all = freely(model, how, SearchConfig { all: true, ..SearchConfig::checking() }, false).outcome;
        let kinds: BTreeSet<&str> = all.faults.iter().map(|(fault, _)| fault.kind.name()).collect();
        assert_eq!(kinds, explored.faults.keys().copied().collect(), "{label}");
        self.stubborn_sets_agree(how);
        (seen.visits, stats.peak)
    }

    fn stubborn_sets_agree(&self, how: &How) {
        for proviso in PROVISOS {
            let mut provisos = Provisos::default();
            (proviso.choose)(&mut provisos);
            let label = format!("{how:?}, stubborn sets, proviso {}", proviso.name);
            let config = SearchConfig { stubborn: true, ..SearchConfig::checking() };
            let budget = Arc::new(Budget::unlimited());
            match run(self.model, how, config.clone(), provisos, &budget, false).outcome.verdict {
                Verdict::Holds(_) => assert_eq!(self.explored.shortest_fault(true), None, "{label}"),
                Verdict::Violated(violation) => {
                    assert!(self.explored.faults.contains_key(violation.fault.kind.name()), "{label}");
                    replays(self.model, &violation);
                }
                Verdict::Undecided(reason) => panic!("{label}: {reason:?} without a limit"),
            }
            let all = SearchConfig { all: true, ..config };
            let Run { outcome, seen, .. } = run(self.model, how, all, provisos, &budget, true);
            assert!(outcome.stopped.is_none(), "{label}");
            assert!(seen.states.is_subset(&self.explored.states), "{label}");
            let mut out = Successors::new();
            let deadlocks = seen.expanded.keys().filter(|state| {
                self.model.successors(state, &mut out);
                matches!(out.terminal, tightrope_core::Terminal::Deadlock | tightrope_core::Terminal::Failed)
            });
            assert_eq!(deadlocks.count() as u64, self.explored.deadlocks, "{label}: every deadlock is found");
        }
    }

    /// With little memory a search says so, or is right; with enough it is right.
    fn budgets_are_kept(&self, how: &How) {
        for bytes in [0, 2500, 10_000, 60_000, MUCH] {
            let budget = Arc::new(Budget::new(bytes));
            let config = SearchConfig::checking();
            let Run { outcome, seen, .. } = run(self.model, how, config, Provisos::default(), &budget, true);
            let label = format!("{bytes} bytes, {how:?}");
            match outcome.verdict {
                Verdict::Holds(_) => {
                    assert_eq!(self.explored.shortest_fault(true), None, "{label}");
                    assert_eq!(seen.expanded.len(), self.explored.states.len(), "{label}");
                }
                Verdict::Violated(violation) => {
                    let length = violation.trace.steps.len() as u64;
                    assert_eq!(Some(length), self.explored.shortest_fault(true), "{label}");
                    replays(self.model, &violation);
                }
                Verdict::Undecided(reason) => {
                    assert_eq!(reason, Reason::Memory, "{label}");
                    assert!(bytes < MUCH, "{label}: that is enough for so few states");
                    continue;
                }
            }
            assert!(bytes > 0, "{label}: nothing can be remembered");
        }
    }
}

/// Some ways of remembering, as the seed says.
fn some_agree(model: &dyn Model, explored: &Explored, seed: u64) {
    let known = Known::new(model, explored);
    let mut rng = Rng::new(seed);
    let encodings: Vec<&str> = encodings().collect();
    for (number, stream) in presets().chain((0..4).map(|_| random_stream(&mut rng))).enumerate() {
        let encoding = encodings[(seed as usize + number) % encodings.len()];
        let how = How { encoding, stream, backtrack: (seed as usize + number / 2).is_multiple_of(2) };
        known.agrees(&how);
        known.budgets_are_kept(&how);
    }
}

#[test]
fn tiny_models_agree() {
    tiny_models(|model, explored| {
        let known = Known::new(model, explored);
        let mut rng = Rng::new(5);
        let streams: Vec<String> = presets().chain((0..20).map(|_| random_stream(&mut rng))).collect();
        for stream in streams {
            for encoding in encodings() {
                for backtrack in [true, false] {
                    let how = How { encoding, stream: stream.clone(), backtrack };
                    known.agrees(&how);
                    known.budgets_are_kept(&how);
                }
            }
        }
    });
}

fn random_programs(first: u64, counts: [u64; 4]) {
    let mut number = 0;
    every_kind(20_000, first, counts, |model, explored| {
        number += 1;
        if explored.states.len() <= MOST_STATES {
            some_agree(model, explored, number);
        }
    });
}

#[test]
fn random_programs_agree() {
    random_programs(0, [120, 60, 60, 40]);
}

#[test]
#[ignore = "takes minutes"]
fn many_random_programs_agree() {
    random_programs(1_000_000, [10_000, 2_000, 2_000, 2_000]);
}

/// Graphs on which streams that forget everything after a while would run for ever.
#[test]
fn graphs_made_to_defeat_snapshots_are_explored() {
    let mut graphs = vec![Graph::lasso(0, 1), Graph::lasso(7, 1), Graph::lasso(100, 3), Graph::lasso(3, 100)];
    graphs.extend((1..30).map(|length| Graph::lasso(length % 7, 6 * length)));
    for (seed, cycles) in
        [&[2, 3, 5, 7, 11][..], &[10, 20, 40, 80], &[60, 61], &[128], &[4, 8, 16, 32, 64], &[97, 89, 83]]
            .into_iter()
            .enumerate()
    {
        for bridges in [0, 2, 10, 40] {
            graphs.push(Graph::entangled(cycles, bridges, seed as u64));
        }
    }
    let streams = ["c1,LLNR,1", "c2,LLNR,1", "c2,MRU,1", "c5,LLNR,2", "c6,MFU,1", "1,LLNR,1", "c3,RND,2 > c2,SIZE,1"];
    let streams = streams.map(String::from).into_iter().chain(["c10,LLNR,2 > ...".into()]).chain(presets());
    let mut most = 0;
    for (stream, backtrack) in streams.flat_map(|stream| [(stream.clone(), true), (stream, false)]) {
        for graph in &graphs {
            let explored = naive::explore(graph, 3000).expect("small");
            let how = How { encoding: "full", stream: stream.clone(), backtrack };
            let (visits, _) = Known::new(graph, &explored).agrees(&how);
            most = most.max(visits / explored.states.len() as u64);
        }
    }
    assert!(most > 1, "something was visited again");
}

/// A cycle is followed until the first cache samples again, however late; the periods of other caches do no harm.
#[test]
fn a_cycle_is_followed_for_a_period() {
    let graph = Graph::lasso(7, 53);
    let visits = |stream: &str, depth: Option<u64>| {
        let how = How { encoding: "full", stream: stream.into(), backtrack: true };
        let Run { outcome, .. } = freely(&graph, &how, SearchConfig { depth, ..SearchConfig::measuring() }, false);
        (outcome.verdict, outcome.figures.visits)
    };
    assert_eq!(visits("c100000,LLNR,2", None), (Verdict::Holds(Claim::Exact), 100_053));
    for first in ["c", ""] {
        let stream = format!("{first}{},RND,1", u64::MAX);
        assert_eq!(visits(&stream, Some(5000)), (Verdict::Undecided(Reason::Depth), 5000));
        let (verdict, visits) = visits(&format!("c2,LLNR,3 > {stream}"), None);
        assert!(verdict == Verdict::Holds(Claim::Exact) && visits < 200, "{visits} visits");
    }
}

/// A long walk with nothing far back: only what the frontier needs is remembered.
#[test]
fn little_is_remembered_where_steps_lead_nowhere_far() {
    let walk = (0..2000u16).map(|at| vec![(at + 1).min(1999), at.saturating_sub(3), (at + 2).min(1999)]).collect();
    let graph = Graph::new(walk);
    let explored = naive::explore(&graph, 3000).expect("small");
    let known = Known::new(&graph, &explored);
    for (stream, most) in [("frontier-safety-net", 200), ("pebble", 400), ("frontier:4", 100)] {
        let (visits, peak) = known.agrees(&How { encoding: "bits", stream: stream.into(), backtrack: true });
        assert!((2000..3000).contains(&visits) && peak < most, "{stream}: {visits} visits, {peak} at a time");
    }
}

/// The transition system that is recorded has a state per visit, and each of its states has the steps of the state that was visited.
#[test]
fn transition_systems_are_bisimilar() {
    let mut rng = Rng::new(9);
    let mut redundant = 0;
    for seed in 0..40 {
        let graph = Graph::entangled(&[3 + seed as u16, 20, 7], 12, seed);
        let plan =
            SnapshotPlan { stream: random_stream(&mut rng).parse().expect("a stream"), backtrack: seed % 2 == 0 };
        let (config, budget) = (SearchConfig::measuring(), Arc::new(Budget::unlimited()));
        let site = Site { schema: graph.schema(), budget: &budget, seed: 1, model: None };
        let mut store = make_with_snapshots("full", &plan, site).expect("it can be made");
        let mut steps: Vec<(u64, String, u64)> = Vec::new();
        let tell = Box::new(|from: u64, label: &str, to: u64| {
            steps.push((from, label.to_string(), to));
            true
        });
        let mut recorder = LtsRecorder::new(&graph, &budget, tell).reuses_ids(&budget);
        let mut successors = Successors::new();
        let task = Task::new(&graph, store.as_mut(), &config, &budget, &mut successors);
        let outcome = (find("snapshots").expect("it is there").run)(task, &mut recorder);
        assert_eq!(recorder.stop(), None);
        let states = recorder.states();
        assert_eq!(recorder.into_initial_states().to_vec(), [0]);
        assert_eq!(states, outcome.figures.visits);
        // Which state each number is follows from the steps; it must be the same whichever way it is reached.
        let mut is: HashMap<u64, u16> = HashMap::from([(0, 0)]);
        for (from, label, to) in &steps {
            let state = is[from];
            let edge: usize = label.rsplit(' ').next().and_then(|number| number.parse().ok()).expect("an edge");
            let leads_to = graph.edges[state as usize][edge];
            assert_eq!(*is.entry(*to).or_insert(leads_to), leads_to, "{from} -{label}-> {to}");
        }
        assert_eq!(is.len() as u64, states);
        let mut degrees: HashMap<u64, usize> = HashMap::new();
        steps.iter().for_each(|(from, ..)| *degrees.entry(*from).or_default() += 1);
        assert!(is.iter().all(|(number, state)| degrees[number] == graph.edges[*state as usize].len()));
        redundant += states - graph.edges.len() as u64;
    }
    assert!(redundant > 100, "{redundant} redundant states");
}
