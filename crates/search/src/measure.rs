//! The shape of a state space: degrees, levels, and how far transitions reach.
//!
//! An observer for breadth-first search; levels mean nothing elsewhere. The level of a target follows from its id, where ids
//! grow in the order of insertion: it is enough to know the first id of every level. Nearly all transitions reach the levels
//! around the current one, which are looked at first; the others take a binary search.
//!
//! Bytes: eight per level, and eight for every number of levels that a transition goes back. Where there is no memory for them, or
//! where ids turn out to be in no order, they are given back and the rest is measured.

use crate::LevelWidths;
use crate::locality::{Histogram, Locality, Share};
use std::sync::Arc;
use tightrope_core::{Budget, BudgetVec, Found, Observe, Refused, StateId, Step};

/// Watches a breadth-first search and measures.
pub struct Measure {
    shape: StateSpaceShape,
    degrees: u64,
    /// The first state of the previous level, of the current one, and of the next one.
    firsts: [Option<StateId>; 3],
    /// Of the state being expanded: its degree, transitions to the previous, the same and the next level, and all but loops.
    degree: u64,
    here: [u64; 3],
    all: u64,
    /// Loops of all states, and of those before the one being expanded.
    loops: u64,
    loops_before: u64,
    /// States of which all transitions were seen.
    complete: u64,
    /// Sums of the fractions, and of their squares: to the previous, the same, the next level, and to any of them.
    sums: [(f64, f64); 4],
    /// Transitions to the previous, the same and the next level, of all states before the one being expanded.
    near: [u64; 3],
    /// What is needed for transitions that go further back, while there is memory for it.
    far: Option<Far>,
    /// The state that was found last, while ids grow in the order in which states are found.
    last: Option<StateId>,
    in_order: bool,
}

/// The transitions that go back more than one level.
struct Far {
    /// The first state of every level up to the current one.
    levels: BudgetVec<StateId>,
    histogram: Histogram,
}

impl Far {
    /// Counts a transition from the current level to a state before the previous one.
    fn count(&mut self, to: StateId) -> Result<(), Refused> {
        let after = self.levels.partition_point(|&first| first <= to);
        self.histogram.add_back(self.levels.len() - after, 1)
    }
}

/// What was measured.
pub struct StateSpaceShape {
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
    /// How many levels transitions span, if there are levels and ids told: none where the store does not number states in the order in
    /// which they are found, or answers later.
    pub locality: Option<Locality>,
}

impl Measure {
    /// Nothing measured yet; what grows with the levels takes memory from `budget`.
    pub fn new(budget: &Arc<Budget>) -> Self {
        let shape = StateSpaceShape {
            expanded: 0,
            mean_degree: 0.0,
            min_degree: 0,
            max_degree: 0,
            level_widths: LevelWidths::new(budget),
            locality: None,
        };
        Measure {
            shape,
            degrees: 0,
            firsts: [None; 3],
            degree: 0,
            here: [0; 3],
            all: 0,
            loops: 0,
            loops_before: 0,
            complete: 0,
            sums: [(0.0, 0.0); 4],
            near: [0; 3],
            far: Some(Far { levels: BudgetVec::new(budget.clone()), histogram: Histogram::new(budget) }),
            last: None,
            in_order: true,
        }
    }

    /// What was measured, when the search is over.
    pub fn finish(mut self) -> StateSpaceShape {
        self.close();
        let has_levels = !self.shape.level_widths.is_empty();
        let locality = (self.in_order && has_levels).then(|| self.locality());
        let expanded = self.shape.expanded as f64;
        let mean_degree = if expanded == 0.0 { 0.0 } else { self.degrees as f64 / expanded };
        StateSpaceShape { mean_degree, locality, ..self.shape }
    }

    fn locality(&mut self) -> Locality {
        let states = self.complete as f64;
        let share = |(sum, squares): (f64, f64)| {
            if states == 0.0 {
                return Share::default();
            }
            let mean = sum / states;
            Share { mean, deviation: (squares / states - mean * mean).max(0.0).sqrt() }
        };
        let [backward, level, forward, local] = self.sums.map(share);
        let [previous, same, next] = self.near;
        let histogram = self.far.take().and_then(|Far { mut histogram, .. }| {
            histogram.add_forward(next);
            histogram.add_back(0, same).and_then(|()| histogram.add_back(1, previous)).ok()?;
            Some(histogram)
        });
        Locality { backward, level, forward, local, loops: self.loops, histogram }
    }

    /// Adds the state that was being expanded to the sums. Where the search ended before all its transitions were seen, their
    /// fractions are not known; such a state does not count.
    fn close(&mut self) {
        let is_complete = self.all + (self.loops - self.loops_before) == self.degree;
        if is_complete && self.shape.expanded > 0 {
            self.complete += 1;
        }
        if is_complete && self.all > 0 {
            let all = self.all as f64;
            let [back, same, next] = self.here.map(|count| count as f64 / all);
            let local = self.here.iter().sum::<u64>() as f64 / all;
            for (sum, fraction) in self.sums.iter_mut().zip([back, same, next, local]) {
                sum.0 += fraction;
                sum.1 += fraction * fraction;
            }
        }
        for (near, here) in self.near.iter_mut().zip(self.here) {
            *near += here;
        }
        self.here = [0; 3];
        self.all = 0;
        self.loops_before = self.loops;
    }

    #[inline]
    fn note_new(&mut self, id: StateId) {
        self.firsts[2].get_or_insert(id);
        if self.last.is_some_and(|last| last >= id) {
            self.give_up();
        }
        self.last = Some(id);
    }

    /// Ids do not tell levels.
    #[cold]
    fn give_up(&mut self) {
        (self.in_order, self.far) = (false, None);
    }

    /// Counts a transition that goes back more than one level.
    fn note_far(&mut self, to: StateId) {
        if self.far.as_mut().is_some_and(|far| far.count(to).is_err()) {
            self.far = None;
        }
    }
}

impl Observe for Measure {
    fn takes_undecided(&self) -> bool {
        false
    }

    fn initial(&mut self, found: Found, _state: &[u8]) {
        if let Found::New(id) = found {
            self.note_new(id);
        }
    }

    fn level(&mut self, _depth: u64, width: u64) {
        self.shape.level_widths.push(width);
        self.firsts = [self.firsts[1], self.firsts[2], None];
        let Some(first) = self.firsts[1] else { return self.give_up() };
        if self.far.as_mut().is_some_and(|far| far.levels.push(first).is_err()) {
            self.far = None;
        }
    }

    fn expand(&mut self, _id: StateId, _state: &[u8], degree: usize) {
        self.close();
        let degree = degree as u64;
        self.degree = degree;
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
            Found::Seen(StateId::NAMELESS) | Found::Undecided => return self.give_up(),
            Found::Seen(id) => id,
            Found::Nowhere => return,
        };
        if to == from {
            self.loops += 1;
            return;
        }
        self.all += 1;
        let reached = |first: Option<StateId>| first.is_some_and(|first| to >= first);
        match [2, 1, 0].into_iter().find(|&which| reached(self.firsts[which])) {
            Some(which) => self.here[which] += 1,
            None => self.note_far(to),
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
        let locality = shape.locality.expect("ids are in order");
        assert_eq!((locality.backward.mean, locality.level.mean, locality.forward.mean), (0.25, 0.125, 0.375));
        assert_eq!(locality.local.mean, 0.75);
        let deviation = (0.25f64 - 0.0625).sqrt();
        assert!((locality.backward.deviation - deviation).abs() < 1e-12);
        let histogram = locality.histogram.expect("there is memory");
        assert!(histogram.iter().eq([(1, 3), (0, 1), (-1, 1), (-2, 1)]));
        assert_eq!(locality.loops, 1);
    }

    /// A chain of so many states, each with a step to the next one and one to the start.
    fn chain(budget: &Arc<Budget>, states: u64, id: impl Fn(u64) -> StateId) -> StateSpaceShape {
        let mut measure = Measure::new(budget);
        let step = Step::default();
        measure.initial(Found::New(id(0)), &[]);
        for state in 0..states {
            measure.level(state, 1);
            measure.expand(id(state), &[], 2);
            measure.step(id(state), step, Found::New(id(state + 1)), &[]);
            measure.step(id(state), step, Found::Seen(id(0)), &[]);
        }
        measure.finish()
    }

    #[test]
    fn memory_that_is_short_costs_the_histogram_alone() {
        let (budget, ample) = (Arc::new(Budget::new(20_000)), Arc::new(Budget::unlimited()));
        let counted = |shape: &StateSpaceShape| shape.locality.as_ref().map(|locality| locality.histogram.is_some());
        assert_eq!(counted(&chain(&budget, 300, StateId)), Some(true));
        let (short, whole) = (chain(&budget, 30_000, StateId), chain(&ample, 30_000, StateId));
        assert_eq!((counted(&short), counted(&whole)), (Some(false), Some(true)));
        let [short, whole] =
            [short, whole].map(|shape| shape.locality.map(|locality| (locality.local, locality.loops)));
        assert_eq!(short, whole);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn ids_that_do_not_grow_tell_no_levels() {
        let budget = Arc::new(Budget::unlimited());
        assert!(chain(&budget, 100, |state| StateId(state ^ 1)).locality.is_none());
        assert!(chain(&budget, 100, |_| StateId::NAMELESS).locality.is_none());
        assert!(chain(&budget, 100, |state| StateId(3 * state + 7)).locality.is_some());
    }

    #[test]
    fn a_state_that_was_not_done_with_does_not_count() {
        let mut measure = Measure::new(&Arc::new(Budget::unlimited()));
        measure.initial(Found::New(StateId(0)), &[]);
        measure.level(0, 1);
        measure.expand(StateId(0), &[], 1);
        measure.step(StateId(0), Step::default(), Found::New(StateId(1)), &[]);
        measure.level(1, 1);
        measure.expand(StateId(1), &[], 3);
        measure.step(StateId(1), Step::default(), Found::Seen(StateId(1)), &[]);
        measure.step(StateId(1), Step::default(), Found::Seen(StateId(0)), &[]);
        let shape = measure.finish();
        let locality = shape.locality.expect("ids are in order");
        assert_eq!((shape.expanded, locality.forward.mean, locality.backward.mean), (2, 1.0, 0.0));
    }
}
