//! Transition locality: how many levels transitions span.
//!
//! Tronci, Della Penna, Intrigila & Venturini Zilli 2001, Definitions 3 and 4: a transition from level `l` to level `l + k` is a
//! k-transition, k ≤ 1; for every expanded state the fraction of its transitions that are k-transitions is taken, and of these
//! fractions the mean and the standard deviation over all expanded states. Loops from a state to itself are left out, and a
//! state without other transitions counts 0 for every `k`: with that reading the paper's figures for models
//! without scalarsets come out (`docs/locality.md`).

use std::sync::Arc;
use tightrope_core::{Budget, BudgetVec, Refused};

/// The mean and the standard deviation of a fraction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Share {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub deviation: f64,
}

/// How many levels the transitions of a state space span.
pub struct Locality {
    /// Of the transitions of a state, those to the previous level (`-1`).
    pub backward: Share,
    /// Those within its level (`0`).
    pub level: Share,
    /// Those to the next level (`1`).
    pub forward: Share,
    /// Those of these three kinds together.
    pub local: Share,
    /// Transitions from a state to itself, which count nowhere else.
    pub loops: u64,
    /// The number of k-transitions for every k, unless there was no memory for it.
    pub histogram: Option<Histogram>,
}

/// The number of k-transitions for every k, over all transitions but loops.
pub struct Histogram {
    forward: u64,
    /// By how many levels they go back, none included.
    back: BudgetVec<u64>,
}

/// The transitions to earlier levels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BackEdges {
    /// How many there are.
    pub count: u64,
    /// How many levels they go back on average.
    pub mean: f64,
    /// The most.
    pub longest: u64,
    /// The least number of levels that 50, 90 and 99 % of them do not exceed.
    pub quantiles: [u64; 3],
}

impl Histogram {
    /// No transitions; memory is taken from `budget`.
    pub(crate) fn new(budget: &Arc<Budget>) -> Histogram {
        Histogram { forward: 0, back: BudgetVec::new(budget.clone()) }
    }

    /// Counts `more` transitions to the next level.
    pub(crate) fn add_forward(&mut self, more: u64) {
        self.forward += more;
    }

    /// Counts `more` transitions that go `levels` back.
    pub(crate) fn add_back(&mut self, levels: usize, more: u64) -> Result<(), Refused> {
        if more == 0 {
            return Ok(());
        }
        while self.back.len() <= levels {
            self.back.push(0)?;
        }
        self.back[levels] += more;
        Ok(())
    }

    /// Every k of which there are transitions, with their number, from 1 down.
    pub fn iter(&self) -> impl Iterator<Item = (i64, u64)> + '_ {
        let back = self.back.iter().enumerate().map(|(levels, &count)| (-(levels as i64), count));
        std::iter::once((1, self.forward)).chain(back).filter(|&(_, count)| count > 0)
    }

    /// How many transitions there are.
    pub fn total(&self) -> u64 {
        self.iter().map(|(_, count)| count).sum()
    }

    /// The transitions to earlier levels, by how many levels they go back.
    pub fn by_length(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.iter().filter(|&(k, _)| k < 0).map(|(k, count)| (k.unsigned_abs(), count))
    }

    /// The transitions to earlier levels; none where there are none.
    pub fn back_edges(&self) -> Option<BackEdges> {
        let count: u64 = self.by_length().map(|(_, count)| count).sum();
        let (longest, _) = self.by_length().last()?;
        let all: f64 = self.by_length().map(|(length, count)| length as f64 * count as f64).sum();
        let quantiles = [50, 90, 99].map(|percent| {
            let (enough, mut so_far) = (u128::from(count) * percent, 0);
            let mut reaches = |count: u64| {
                so_far += u128::from(count) * 100;
                so_far >= enough
            };
            self.by_length().find(|&(_, count)| reaches(count)).map_or(longest, |(length, _)| length)
        });
        Some(BackEdges { count, mean: all / count as f64, longest, quantiles })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_the_least_lengths_that_suffice() {
        let mut histogram = Histogram::new(&Arc::new(Budget::unlimited()));
        assert_eq!(histogram.back_edges(), None);
        histogram.add_forward(7);
        histogram.add_back(0, 3).unwrap();
        assert_eq!(histogram.back_edges(), None);
        for (length, count) in [(5, 4), (1, 5), (40, 1)] {
            histogram.add_back(length, count).unwrap();
        }
        assert!(histogram.iter().eq([(1, 7), (0, 3), (-1, 5), (-5, 4), (-40, 1)]));
        assert_eq!(histogram.total(), 20);
        let quantiles = [1, 5, 40];
        assert_eq!(histogram.back_edges(), Some(BackEdges { count: 10, mean: 6.5, longest: 40, quantiles }));
    }
}
