//! A depth limit that cuts nothing off changes no figure: states at the limit without a step onwards are visited by being
//! looked at, in every search over every kind of store. A state that leads on is not.

mod suite;

use std::sync::Arc;
use suite::seen::Seen;
use tightrope_core::{
    Budget, CacheStats, Claim, Fault, FaultKind, Figures, Model, Place, Reason, Schema, Scratch, SearchConfig,
    SnapshotStats, Step, StepText, Store, Successors, Verdict,
};
use tightrope_search::{LtsRecorder, Measure, SEARCHES, Search, Task};
use tightrope_store::{Bound, Caching, Site, SnapshotPlan, make, make_caching, make_with_snapshots};
use tightrope_testkit::graph::Graph;
use tightrope_testkit::random::Rng;

/// What remembers.
#[derive(Clone, Copy, Debug)]
enum Memory {
    All(&'static str),
    Cache(u64, &'static str),
    Snapshots(&'static str),
}

impl Memory {
    fn store<'a>(self, model: &'a dyn Model, budget: &'a Arc<Budget>) -> Box<dyn Store + 'a> {
        let site = Site { schema: model.schema(), budget, seed: 1, model: None };
        let store = match self {
            Memory::All(spec) => make(spec, site),
            Memory::Cache(states, replace) => {
                make_caching("full", &Caching { bound: Bound::States(states), replace: replace.into() }, site)
            }
            Memory::Snapshots(stream) => {
                let plan = SnapshotPlan { stream: stream.parse().expect("a stream"), backtrack: true };
                make_with_snapshots("full", &plan, site)
            }
        };
        store.expect("it can be made")
    }
}

/// Every search, with what it goes with, and with reductions.
fn matrix() -> Vec<(&'static Search, Memory, SearchConfig)> {
    let mut all = Vec::new();
    for search in SEARCHES {
        let guarantees = search.guarantees;
        let memories = match (guarantees.samples_levels, guarantees.pins) {
            (true, _) => {
                vec![Memory::Snapshots("pebble"), Memory::Snapshots("c1,LLNR,2"), Memory::Snapshots("c3,RND,1")]
            }
            (_, true) => vec![Memory::Cache(1000, "lru"), Memory::Cache(5, "random")],
            _ => vec![Memory::Cache(1000, "level"), Memory::Cache(8, "level"), Memory::Cache(8, "fifo")],
        };
        let plain = ["full+hash", "bits+hash", "tree", "auto:2", "bdd"].map(Memory::All);
        let plain: &[Memory] = if guarantees.samples_levels { &[] } else { &plain };
        for memory in plain.iter().copied().chain(memories) {
            all.push((search, memory, SearchConfig::measuring()));
            if guarantees.path && matches!(memory, Memory::All(_)) {
                all.push((search, memory, SearchConfig { sleep: true, ..SearchConfig::measuring() }));
            }
        }
    }
    all
}

/// A graph in levels: edges lead to the next one, and none from the last one.
fn levels(count: u16, seed: u64) -> Graph {
    let mut rng = Rng::new(seed);
    let (mut edges, mut level) = (vec![Vec::new()], vec![0]);
    for _ in 1..count {
        let next: Vec<u16> = (0..1 + rng.below(20) as u16).map(|number| edges.len() as u16 + number).collect();
        edges.resize(edges.len() + next.len(), Vec::new());
        for &to in &next {
            for _ in 0..1 + rng.below(3) {
                let from: &mut Vec<u16> = &mut edges[usize::from(*rng.pick(&level))];
                if !from.contains(&to) {
                    from.push(to);
                }
            }
        }
        level = next;
    }
    Graph::new(edges)
}

/// From the end of a long chain a step leads to a state without edges that was met in the beginning.
fn long_forgotten() -> Graph {
    let chain = (0..50).map(|at| if at == 1 { vec![2, 51] } else { vec![at + 1] });
    Graph::new(chain.chain([vec![51], Vec::new()]).collect())
}

fn graphs() -> Vec<Graph> {
    let fan = Graph::new((0..1001).map(|at| if at == 0 { (1..=1000).collect() } else { Vec::new() }).collect());
    let chain = Graph::new((1..=50).map(|next| if next < 50 { vec![next] } else { Vec::new() }).collect());
    let alone = Graph::new(vec![Vec::new()]);
    let mut all = vec![fan, chain, alone];
    all.extend((0..10).map(|seed| levels(2 + 2 * seed as u16, seed)));
    all
}

/// What a search did: the verdict, its figures, those of the store, and how often a state was expanded.
struct Run {
    verdict: Verdict,
    figures: Figures,
    stats: Option<(u64, u64, Option<SnapshotStats>)>,
    expanded: u64,
}

fn run((search, memory, config): &(&Search, Memory, SearchConfig), model: &dyn Model, depth: Option<u64>) -> Run {
    let config = SearchConfig { depth, ..config.clone() };
    let budget = Arc::new(Budget::unlimited());
    let mut store = memory.store(model, &budget);
    let mut successors = Successors::new();
    let mut seen = Seen::at_most(u64::MAX, &config.interrupt);
    let outcome = (search.run)(Task::new(model, store.as_mut(), &config, &budget, &mut successors), &mut seen);
    let stats = store.evicts().map(|evicts| evicts.cache_stats());
    let stats = stats.map(|CacheStats { inserted, evicted, snapshots, .. }| (inserted, evicted, snapshots));
    let figures = Figures { frontier_bytes: 0, ..outcome.figures };
    Run { verdict: outcome.verdict, figures, stats, expanded: seen.visits }
}

/// How many steps away from the beginning a search went.
fn steps_down(search: &Search, figures: &Figures) -> u64 {
    if search.guarantees.path { figures.frontier_peak - 1 } else { figures.depth }
}

#[test]
fn a_limit_that_cuts_nothing_off_changes_no_figure() {
    for graph in graphs() {
        for which in matrix() {
            let label = format!("{} over {:?}, {} states", which.0.name, which.1, graph.edges.len());
            let free = run(&which, &graph, None);
            assert_eq!(free.verdict, Verdict::Holds(Claim::Exact), "{label}");
            let deepest = steps_down(which.0, &free.figures);
            let limited = run(&which, &graph, Some(deepest));
            assert_eq!(limited.verdict, Verdict::Holds(Claim::Exact), "{label}");
            assert_eq!(limited.figures, free.figures, "{label}");
            assert_eq!(limited.stats, free.stats, "{label}");
            assert_eq!(limited.expanded, free.expanded, "{label}");
            for depth in 0..deepest.min(6) {
                let cut = run(&which, &graph, Some(depth));
                assert_eq!(cut.verdict, Verdict::Undecided(Reason::Depth), "{label}, depth {depth}");
                assert_eq!(cut.figures.visits, cut.expanded, "{label}, depth {depth}");
                if cut.figures.levels > 0 && free.stats.is_none() {
                    assert_eq!(cut.figures.visits, visited_within(&graph, depth), "{label}, depth {depth}");
                }
            }
        }
    }
}

/// The states nearer than the limit, and those at the limit that have no edges.
fn visited_within(graph: &Graph, limit: u64) -> u64 {
    let mut distances = vec![u64::MAX; graph.edges.len()];
    let mut queue = std::collections::VecDeque::from([0]);
    distances[0] = 0;
    while let Some(at) = queue.pop_front() {
        for to in graph.edges[at].iter().map(|&to| usize::from(to)) {
            if distances[to] == u64::MAX {
                distances[to] = distances[at] + 1;
                queue.push_back(to);
            }
        }
    }
    let is_visited =
        |&(at, &distance): &(usize, &u64)| distance < limit || distance == limit && graph.edges[at].is_empty();
    distances.iter().enumerate().filter(is_visited).count() as u64
}

#[test]
fn the_shape_is_the_same_as_without_the_limit() {
    for graph in graphs() {
        let shape = |depth| {
            let budget = Arc::new(Budget::unlimited());
            let mut store = Memory::All("full+hash").store(&graph, &budget);
            let mut measure = Measure::new(&budget);
            let config = SearchConfig { depth, ..SearchConfig::measuring() };
            let mut successors = Successors::new();
            let task = Task::new(&graph, store.as_mut(), &config, &budget, &mut successors);
            let outcome = (SEARCHES[0].run)(task, &mut measure);
            (outcome.figures.depth, measure.finish())
        };
        let (depth, free) = shape(None);
        let (_, limited) = shape(Some(depth));
        let degrees = |shape: &tightrope_search::StateSpaceShape| {
            (shape.expanded, shape.mean_degree, shape.min_degree, shape.max_degree)
        };
        assert_eq!(degrees(&limited), degrees(&free));
        let shares = |shape: tightrope_search::StateSpaceShape| {
            let locality = shape.locality.expect("ids are in order");
            let histogram: Vec<_> = locality.histogram.expect("there is memory").iter().collect();
            ([locality.backward, locality.level, locality.forward, locality.local], locality.loops, histogram)
        };
        assert_eq!(shares(limited), shares(free));
    }
}

/// With snapshots each visit is a state of the transition system, those at the limit included.
#[test]
fn a_transition_system_has_a_state_for_each_visit() {
    let mut redundant = 0;
    let everywhere = graphs().into_iter().map(|graph| (graph, vec!["pebble", "c1,LLNR,2"]));
    for (graph, streams) in everywhere.chain([(long_forgotten(), vec!["c1,LLNR,2"])]) {
        for stream in streams {
            let search = tightrope_search::find("snapshots").expect("it is there");
            let free = run(&(search, Memory::Snapshots(stream), SearchConfig::measuring()), &graph, None);
            let budget = Arc::new(Budget::unlimited());
            let mut store = Memory::Snapshots(stream).store(&graph, &budget);
            let config = SearchConfig { depth: Some(free.figures.depth), ..SearchConfig::measuring() };
            let mut recorder = LtsRecorder::new(&graph, &budget, Box::new(|_, _, _| true)).reuses_ids(&budget);
            let mut successors = Successors::new();
            let task = Task::new(&graph, store.as_mut(), &config, &budget, &mut successors);
            let outcome = (search.run)(task, &mut recorder);
            assert_eq!(outcome.verdict, Verdict::Holds(Claim::Exact));
            assert_eq!(recorder.states(), outcome.figures.visits);
            assert_eq!(outcome.figures.visits, free.figures.visits);
            redundant += recorder.states() - graph.edges.len() as u64;
        }
    }
    assert!(redundant > 0, "the state at the end of the chain was forgotten");
}

/// A state with one step, which fails and leads nowhere.
struct Failing(Graph);

impl Model for Failing {
    fn schema(&self) -> &Arc<Schema> {
        self.0.schema()
    }

    fn initial(&self, each: &mut dyn FnMut(&[u8])) {
        self.0.initial(each);
    }

    fn expand(&self, _: &[u8], out: &mut Successors) {
        let fault = Fault { kind: FaultKind::Assertion, message: "it fails".into(), at: Place::default() };
        out.push_failed(Step::default(), fault);
    }

    fn fire(&self, _: &[u8], _: Step, _: &mut Vec<u8>, _: &mut Scratch) -> tightrope_core::Fired {
        tightrope_core::Fired::Disabled
    }

    fn check(&self, _: &[u8], _: &mut Scratch) -> Option<Fault> {
        None
    }

    fn describe(&self, _: &[u8], _: Step, _: &mut dyn FnMut(StepText)) {}
}

/// What a step does is beyond the limit, also where it leads to no state: the search has not done it.
#[test]
fn a_state_at_the_limit_with_a_step_that_fails_is_not_visited() {
    let model = Failing(Graph::new(vec![Vec::new()]));
    for which in matrix() {
        let cut = run(&which, &model, Some(0));
        assert_eq!(cut.verdict, Verdict::Undecided(Reason::Depth), "{}", which.0.name);
        assert_eq!((cut.figures.visits, cut.expanded, cut.figures.fired), (0, 0, 0), "{}", which.0.name);
    }
}
