//! The measure of a state space, compared with what an explicit graph says, on tiny models and random programs.
//! `TIGHTROPE_SEED=17` looks at one program, as in `conformance.rs`.

mod suite;

use std::collections::BTreeMap;
use std::sync::Arc;
use suite::exact_stores;
use suite::programs::{every_kind, tiny_models};
use tightrope_core::{Budget, Model, SearchConfig, Store, Successors};
use tightrope_search::{BackEdges, Measure, StateSpaceShape, Task, bfs};
use tightrope_store::{Site, make};
use tightrope_testkit::delayed::Delayed;
use tightrope_testkit::naive::distances;

/// Programs with more states than this are left out.
const MOST_STATES: usize = 3000;

/// How far transitions reach, by definition.
struct Graph {
    /// How many states each level has.
    widths: BTreeMap<u64, u64>,
    /// For each state, its degree, and how many levels each of its transitions spans; loops are none of them.
    states: Vec<(u64, Vec<i64>)>,
}

impl Graph {
    fn of(model: &dyn Model) -> Graph {
        let levels = distances(model);
        let (mut widths, mut states, mut out) = (BTreeMap::new(), Vec::new(), Successors::new());
        for (state, &level) in &levels {
            *widths.entry(level).or_default() += 1;
            model.successors(state, &mut out);
            let targets: Vec<&[u8]> = (0..out.len()).filter_map(|at| out.state(at)).collect();
            let others = targets.iter().filter(|target| *target != state);
            let spans = others.map(|&target| levels[target] as i64 - level as i64).collect();
            states.push((targets.len() as u64, spans));
        }
        Graph { widths, states }
    }

    fn spans(&self) -> impl Iterator<Item = i64> + '_ {
        self.states.iter().flat_map(|(_, spans)| spans.iter().copied())
    }

    fn loops(&self) -> u64 {
        self.states.iter().map(|(degree, spans)| degree - spans.len() as u64).sum()
    }

    /// The mean and the standard deviation of the share of transitions that span one of these.
    fn share(&self, which: &[i64]) -> [f64; 2] {
        let share = |(_, spans): &(u64, Vec<i64>)| match spans.len() {
            0 => 0.0,
            all => spans.iter().filter(|span| which.contains(span)).count() as f64 / all as f64,
        };
        let shares: Vec<f64> = self.states.iter().map(share).collect();
        let mean = shares.iter().sum::<f64>() / shares.len() as f64;
        let variance = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / shares.len() as f64;
        [mean, variance.sqrt()]
    }

    fn back_edges(&self) -> Option<BackEdges> {
        let mut lengths: Vec<u64> = self.spans().filter(|&k| k < 0).map(i64::unsigned_abs).collect();
        lengths.sort_unstable();
        let count = lengths.len() as u64;
        let quantiles = [50, 90, 99].map(|percent| {
            let least = (1..=lengths.len()).find(|&so_far| so_far as u64 * 100 >= percent * count);
            least.map_or(0, |least| lengths[least - 1])
        });
        let mean = lengths.iter().sum::<u64>() as f64 / count as f64;
        Some(BackEdges { count, mean, longest: *lengths.last()?, quantiles })
    }
}

/// Measures a model over a store.
fn measure(model: &dyn Model, store: &mut dyn Store, budget: &Arc<Budget>) -> StateSpaceShape {
    let mut measure = Measure::new(budget);
    let (config, mut successors) = (SearchConfig::measuring(), Successors::new());
    bfs(Task::new(model, store, &config, budget, &mut successors), &mut measure);
    measure.finish()
}

/// Compares what was measured with the graph. What does not depend on the numbers of states is right in any case.
fn compare(graph: &Graph, shape: &StateSpaceShape, label: &str) {
    assert!(shape.level_widths.iter().eq(graph.widths.values().copied()), "{label}");
    let degrees = graph.states.iter().map(|(degree, _)| *degree);
    assert_eq!((Some(shape.min_degree), Some(shape.max_degree)), (degrees.clone().min(), degrees.max()), "{label}");
    let Some(locality) = &shape.locality else { return };
    let shares = [locality.backward, locality.level, locality.forward, locality.local];
    for (share, which) in shares.iter().zip([&[-1][..], &[0], &[1], &[-1, 0, 1]]) {
        let [mean, deviation] = graph.share(which);
        assert!((share.mean - mean).abs() < 1e-9 && (share.deviation - deviation).abs() < 1e-6, "{label}: {which:?}");
    }
    let mut counts: BTreeMap<i64, u64> = BTreeMap::new();
    graph.spans().for_each(|k| *counts.entry(k).or_default() += 1);
    let histogram = locality.histogram.as_ref().expect("memory is not limited");
    assert_eq!(histogram.iter().collect::<Vec<_>>(), counts.into_iter().rev().collect::<Vec<_>>(), "{label}");
    assert_eq!((locality.loops, histogram.back_edges()), (graph.loops(), graph.back_edges()), "{label}");
}

/// Every exact store; all that number states in order, and do not re-encode them on the way, tell levels.
fn every_store(model: &dyn Model) {
    let graph = Graph::of(model);
    let mut told = 0;
    for name in exact_stores().iter().map(String::as_str).chain(["auto:1", "auto:20"]) {
        let budget = Arc::new(Budget::unlimited());
        let site = Site { schema: model.schema(), budget: &budget, seed: 1, model: Some(model) };
        let mut store = make(name, site).expect("a store of the table");
        let mut shape = measure(model, store.as_mut(), &budget);
        assert!(shape.locality.is_some() || store.ordered().is_none(), "{name} numbers states in order");
        if !store.history().is_empty() {
            shape.locality = None;
        }
        told += usize::from(shape.locality.is_some());
        compare(&graph, &shape, name);
    }
    assert!(told >= 5, "{told} stores number states in order");
    let budget = Arc::new(Budget::unlimited());
    // Who measures needs to know at once where transitions lead, and a store that could decide later decides then.
    let shape = measure(model, &mut Delayed::new(7, &budget), &budget);
    assert!(shape.locality.is_some());
    compare(&graph, &shape, "a store that could decide later");
}

#[test]
fn tiny_models_are_measured_as_their_graphs_are() {
    tiny_models(|model, _| every_store(model));
}

#[test]
fn random_programs_are_measured_as_their_graphs_are() {
    every_kind(MOST_STATES, 0, [150, 80, 80, 60], |model, _| every_store(model));
}

#[test]
#[ignore = "takes minutes"]
fn many_random_programs_are_measured_as_their_graphs_are() {
    every_kind(MOST_STATES, 1_000_000, [10_000, 4_000, 4_000, 2_000], |model, _| every_store(model));
}
