//! The shape of a state space: degrees, levels, and how far transitions reach.
//!
//! Transition locality is that of Tronci, Della Penna, Intrigila & Venturini Zilli 2001, Definitions 3 and 4: a
//! transition from level `l` to level `l + k` is a k-transition; for every expanded state the fraction of its
//! transitions that are k-transitions is taken, and of these fractions the mean and the standard deviation over all
//! expanded states. Loops from a state to itself are left out, and a state without other transitions counts 0 for every
//! `k`: with that reading the paper's figures come out.
//!
//! An observer for breadth-first search; levels mean nothing elsewhere. The level of a target follows from its id, since
//! ids grow in the order of insertion: it is enough to know the first id of the levels around the current one.

use crate::LevelWidths;
use std::sync::Arc;
use tightrope_core::{Budget, Found, Observe, StateId, Step};

/// Watches a breadth-first search and measures.
pub struct Measure {
    shape: Shape,
    degrees: u64,
    /// The first state of the previous level, of the current one, and of the next one.
    firsts: [Option<StateId>; 3],
    /// Of the state being expanded: transitions to the previous, the same and the next level, and all.
    here: [u64; 3],
    all: u64,
    /// Sums of the fractions, and of their squares: to the previous, the same, the next level, and to any of them.
    sums: [(f64, f64); 4],
}

/// The mean and the standard deviation of a fraction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Share {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub deviation: f64,
}

/// What was measured.
pub struct Shape {
    /// States expanded.
    pub expanded: u64,
    /// The mean number of transitions from a state.
    pub mean_degree: f64,
    /// The least.
    pub min_degree: u64,
    /// The greatest.
    pub max_degree: u64,
    /// The states of every level.
    pub level_widths: LevelWidths,
    /// Transitions to the previous level (`-1`).
    pub backward: Share,
    /// Transitions within a level (`0`).
    pub level: Share,
    /// Transitions to the next level (`1`).
    pub forward: Share,
    /// Transitions of these three kinds together.
    pub local: Share,
}

impl Measure {
    /// Nothing measured yet; what grows with the levels takes memory from `budget`.
    pub fn new(budget: &Arc<Budget>) -> Self {
        let none = Share::default();
        let shape = Shape {
            expanded: 0,
            mean_degree: 0.0,
            min_degree: 0,
            max_degree: 0,
            level_widths: LevelWidths::new(budget),
            backward: none,
            level: none,
            forward: none,
            local: none,
        };
        Measure { shape, degrees: 0, firsts: [None; 3], here: [0; 3], all: 0, sums: [(0.0, 0.0); 4] }
    }

    /// What was measured, when the search is over.
    pub fn finish(mut self) -> Shape {
        self.close();
        let expanded = self.shape.expanded as f64;
        let share = |(sum, squares): (f64, f64)| {
            if expanded == 0.0 {
                return Share::default();
            }
            let mean = sum / expanded;
            Share { mean, deviation: (squares / expanded - mean * mean).max(0.0).sqrt() }
        };
        let [backward, level, forward, local] = self.sums.map(share);
        let mean_degree = if expanded == 0.0 { 0.0 } else { self.degrees as f64 / expanded };
        Shape { mean_degree, backward, level, forward, local, ..self.shape }
    }

    /// Adds the state that was being expanded to the sums.
    fn close(&mut self) {
        if self.all > 0 {
            let all = self.all as f64;
            let [back, same, next] = self.here.map(|count| count as f64 / all);
            let local = self.here.iter().sum::<u64>() as f64 / all;
            for (sum, fraction) in self.sums.iter_mut().zip([back, same, next, local]) {
                sum.0 += fraction;
                sum.1 += fraction * fraction;
            }
        }
        self.here = [0; 3];
        self.all = 0;
    }

    fn note_new(&mut self, id: StateId) {
        self.firsts[2].get_or_insert(id);
    }
}

impl Observe for Measure {
    fn initial(&mut self, found: Found, _state: &[u8]) {
        if let Found::New(id) = found {
            self.note_new(id);
        }
    }

    fn level(&mut self, _depth: u64, width: u64) {
        self.shape.level_widths.push(width);
        self.firsts = [self.firsts[1], self.firsts[2], None];
    }

    fn expand(&mut self, _id: StateId, _state: &[u8], degree: usize) {
        self.close();
        let degree = degree as u64;
        let first = self.shape.expanded == 0;
        self.shape.expanded += 1;
        self.degrees += degree;
        self.shape.max_degree = self.shape.max_degree.max(degree);
        self.shape.min_degree = if first { degree } else { self.shape.min_degree.min(degree) };
    }

    fn step(&mut self, from: StateId, _step: Step, to: Found, _state: &[u8]) {
        let to = match to {
            Found::New(id) => {
                self.note_new(id);
                id
            }
            Found::Seen(id) => id,
            Found::Undecided => return,
        };
        if to == from {
            return;
        }
        self.all += 1;
        let reached = |first: Option<StateId>| first.is_some_and(|first| to >= first);
        if let Some(which) = [2, 1, 0].into_iter().find(|&which| reached(self.firsts[which])) {
            self.here[which] += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_graph_by_hand() {
        // Levels {0}, {1, 2}, {3}; edges 0→1 0→2 0→0, 1→2 1→3, 2→0, 3→0.
        let mut measure = Measure::new(&Arc::new(Budget::unlimited()));
        let id = StateId;
        let step = Step::default();
        measure.initial(Found::New(id(0)), &[]);
        measure.level(0, 1);
        measure.expand(id(0), &[], 3);
        measure.step(id(0), step, Found::New(id(1)), &[]);
        measure.step(id(0), step, Found::New(id(2)), &[]);
        measure.step(id(0), step, Found::Seen(id(0)), &[]);
        measure.level(1, 2);
        measure.expand(id(1), &[], 2);
        measure.step(id(1), step, Found::Seen(id(2)), &[]);
        measure.step(id(1), step, Found::New(id(3)), &[]);
        measure.expand(id(2), &[], 1);
        measure.step(id(2), step, Found::Seen(id(0)), &[]);
        measure.level(2, 1);
        measure.expand(id(3), &[], 1);
        measure.step(id(3), step, Found::Seen(id(0)), &[]);
        let shape = measure.finish();
        assert!(shape.level_widths.iter().eq([1, 2, 1]));
        assert_eq!((shape.mean_degree, shape.min_degree, shape.max_degree), (1.75, 1, 3));
        assert_eq!((shape.backward.mean, shape.level.mean, shape.forward.mean), (0.25, 0.125, 0.375));
        assert_eq!(shape.local.mean, 0.75);
        let deviation = (0.25f64 - 0.0625).sqrt();
        assert!((shape.backward.deviation - deviation).abs() < 1e-12);
    }
}
