//! Labelled transition systems in memory.

use crate::Labels;
use std::ops::Range;

/// A labelled transition system: states numbered from 0, transitions between them in the order of the file.
///
/// A transition costs eight bytes, a state that has transitions four (eight where such states lie far apart). merc's
/// own structure uses as few bytes per number as will do: it is a third smaller, takes six times as long to read from,
/// and is made only where merc is to work on it.
#[derive(Clone, Debug)]
pub struct Lts {
    initial: u32,
    states: u32,
    rows: Rows,
    /// The label of each transition, by source state.
    via: Vec<u32>,
    /// The state each transition leads to.
    to: Vec<u32>,
    labels: Labels,
}

/// Where the transitions of a state are.
#[derive(Clone, Debug)]
enum Rows {
    /// For every state up to the last that has transitions, the first one; then the number of transitions.
    Dense(Vec<u32>),
    /// The same for the states that have transitions, which are listed: a file may number its states as it likes, and
    /// must not cost memory for numbers it does not use.
    Sparse(Vec<Run>),
}

/// Transitions in a row that start in the same state.
#[derive(Clone, Copy, Debug)]
struct Run {
    from: u32,
    start: u32,
}

impl Lts {
    /// The initial state.
    pub fn initial(&self) -> u32 {
        self.initial
    }

    /// The number of states.
    pub fn states(&self) -> u32 {
        self.states
    }

    /// The number of transitions.
    pub fn transitions(&self) -> u32 {
        self.to.len() as u32
    }

    /// The labels.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// The transitions from `state` as pairs of label and target, in the order of the file; none for a number that is
    /// no state.
    pub fn outgoing(&self, state: u32) -> impl ExactSizeIterator<Item = (u32, u32)> + Clone + '_ {
        let row = self.row(state);
        self.via[row.clone()].iter().copied().zip(self.to[row].iter().copied())
    }

    /// All transitions as triples of source, label and target, by source.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        let dense = match &self.rows {
            Rows::Dense(starts) => 0..starts.len().saturating_sub(1) as u32,
            Rows::Sparse(_) => 0..0,
        };
        let sparse = match &self.rows {
            Rows::Dense(_) => &[][..],
            Rows::Sparse(runs) => runs,
        };
        let states = dense.chain(sparse.iter().map(|run| run.from));
        states.flat_map(|from| self.outgoing(from).map(move |(label, to)| (from, label, to)))
    }

    /// The bytes of memory in use.
    pub fn bytes(&self) -> u64 {
        let rows = match &self.rows {
            Rows::Dense(starts) => 4 * starts.capacity(),
            Rows::Sparse(runs) => 8 * runs.capacity(),
        };
        (rows + 4 * (self.via.capacity() + self.to.capacity())) as u64 + self.labels.bytes()
    }

    #[inline]
    fn row(&self, state: u32) -> Range<usize> {
        match &self.rows {
            Rows::Dense(starts) => match starts.get(state as usize..state as usize + 2) {
                Some(bounds) => bounds[0] as usize..bounds[1] as usize,
                None => 0..0,
            },
            Rows::Sparse(runs) => match runs.binary_search_by_key(&state, |run| run.from) {
                Ok(at) => runs[at].start as usize..runs.get(at + 1).map_or(self.to.len(), |next| next.start as usize),
                Err(_) => 0..0,
            },
        }
    }
}

/// Collects transitions in any order.
///
/// Where they come by ascending source, as most tools write them, they lie in place at once; else runs of equal sources
/// are sorted and moved at the end, which takes at most 20 bytes per transition while it lasts.
#[derive(Debug, Default)]
pub struct LtsBuilder {
    runs: Vec<Run>,
    via: Vec<u32>,
    to: Vec<u32>,
    /// The labels.
    pub labels: Labels,
}

impl LtsBuilder {
    /// Room for so many transitions. Memory that is never written to is not taken.
    pub fn with_capacity(transitions: usize) -> Self {
        let mut builder = LtsBuilder::default();
        builder.via.reserve_exact(transitions);
        builder.to.reserve_exact(transitions);
        builder
    }

    /// Adds a transition with the label of that number; false if there are 2³²−1 already.
    #[must_use]
    pub fn add(&mut self, from: u32, label: u32, to: u32) -> bool {
        if self.to.len() >= u32::MAX as usize {
            return false;
        }
        if self.runs.last().is_none_or(|run| run.from != from) {
            self.runs.push(Run { from, start: self.to.len() as u32 });
        }
        self.via.push(label);
        self.to.push(to);
        true
    }

    /// The number of transitions so far.
    pub fn transitions(&self) -> usize {
        self.to.len()
    }

    /// The finished system; none if a state is not below `states`, or a transition has a label that there is not.
    pub fn finish(mut self, initial: u32, states: u32) -> Option<Lts> {
        if self.via.iter().any(|&label| label as usize >= self.labels.len()) {
            return None;
        }
        let inside = |state: u32| state < states;
        if !inside(initial) || !self.to.iter().all(|&to| inside(to)) || !self.runs.iter().all(|run| inside(run.from)) {
            return None;
        }
        if !self.runs.is_sorted_by_key(|run| run.from) {
            self.sort();
        }
        self.via.shrink_to_fit();
        self.to.shrink_to_fit();
        self.labels.shrink();
        let rows = rows(self.runs, self.to.len() as u32);
        Some(Lts { initial, states, rows, via: self.via, to: self.to, labels: self.labels })
    }

    /// Brings the runs into the order of their sources, and among equal sources leaves them in the order of the file.
    fn sort(&mut self) {
        // Once the runs are sorted, their ends are where others start: one bit per transition remembers it.
        let mut heads = vec![0u64; self.to.len() / 64 + 1];
        for run in &self.runs {
            heads[run.start as usize / 64] |= 1 << (run.start % 64);
        }
        let is_head = |at: usize| heads[at / 64] >> (at % 64) & 1 == 1;
        let total = self.to.len();
        let range = |run: Run| {
            let start = run.start as usize;
            start..(start + 1..total).find(|&at| is_head(at)).unwrap_or(total)
        };
        self.runs.sort_unstable_by_key(|run| (run.from, run.start));
        for values in [&mut self.via, &mut self.to] {
            let mut moved = Vec::with_capacity(total);
            for &run in &self.runs {
                moved.extend_from_slice(&values[range(run)]);
            }
            *values = moved;
        }
        let (mut kept, mut start) = (0, 0);
        for at in 0..self.runs.len() {
            let run = self.runs[at];
            let length = range(run).len() as u32;
            if kept == 0 || self.runs[kept - 1].from != run.from {
                self.runs[kept] = Run { from: run.from, start };
                kept += 1;
            }
            start += length;
        }
        self.runs.truncate(kept);
    }
}

/// The shorter way to note where rows start, for runs in ascending order of different sources.
fn rows(mut runs: Vec<Run>, transitions: u32) -> Rows {
    let upto = runs.last().map_or(0, |run| run.from as usize + 1);
    if upto > 4 * runs.len() + 1024 {
        runs.shrink_to_fit();
        return Rows::Sparse(runs);
    }
    let mut starts = Vec::with_capacity(upto + 1);
    for run in runs {
        starts.resize(run.from as usize + 1, run.start);
    }
    starts.resize(upto + 1, transitions);
    Rows::Dense(starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(transitions: &[(u32, u32, u32)], states: u32) -> Lts {
        let mut builder = LtsBuilder::default();
        for label in ["a", "b", "c"] {
            builder.labels.number(label);
        }
        for &(from, label, to) in transitions {
            assert!(builder.add(from, label, to));
        }
        builder.finish(0, states).expect("all states are inside")
    }

    #[test]
    fn the_order_of_the_file_is_kept_per_state() {
        let sorted = [(0, 2, 1), (0, 1, 1), (0, 1, 1), (2, 0, 0), (5, 1, 3)];
        let mixed = [(2, 0, 0), (0, 2, 1), (5, 1, 3), (0, 1, 1), (0, 1, 1)];
        for transitions in [sorted, mixed] {
            let lts = build(&transitions, 7);
            assert_eq!(lts.iter().collect::<Vec<_>>(), sorted);
            assert_eq!(lts.outgoing(0).collect::<Vec<_>>(), [(2, 1), (1, 1), (1, 1)]);
            assert_eq!(lts.outgoing(1).len(), 0);
            assert_eq!(lts.outgoing(5).collect::<Vec<_>>(), [(1, 3)]);
            assert_eq!(lts.outgoing(6).len() + lts.outgoing(7).len() + lts.outgoing(u32::MAX).len(), 0);
        }
    }

    #[test]
    fn far_apart_states_cost_nothing_between_them() {
        let far = u32::MAX - 1;
        let transitions = [(far, 0, 7), (7, 1, far), (far, 2, 0)];
        let lts = build(&transitions, u32::MAX);
        assert!(lts.bytes() < 4096, "{}", lts.bytes());
        assert_eq!(lts.iter().collect::<Vec<_>>(), [(7, 1, far), (far, 0, 7), (far, 2, 0)]);
        assert_eq!(lts.outgoing(8).len() + lts.outgoing(u32::MAX).len(), 0);
    }

    #[test]
    fn states_outside_are_refused() {
        assert!(LtsBuilder::default().finish(0, 0).is_none());
        assert!(LtsBuilder::default().finish(0, 1).is_some());
        for (from, to) in [(0, 2), (2, 0)] {
            let mut builder = LtsBuilder::default();
            builder.labels.number("a");
            assert!(builder.add(from, 0, to));
            assert!(builder.finish(0, 2).is_none());
        }
        let mut builder = LtsBuilder::default();
        assert!(builder.add(0, 0, 0));
        assert!(builder.finish(0, 2).is_none(), "there is no label 0");
    }
}
