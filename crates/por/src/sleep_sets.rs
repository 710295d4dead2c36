//! The steps of sleep sets, and how they are found in one.

use rustc_hash::FxHashMap;
use std::rc::Rc;
use tightrope_core::{Access, Step};

/// A step of the path, of a sleep set, or still to be tried, with its footprint.
#[derive(Clone)]
pub(crate) struct SleepStep {
    pub step: Step,
    pub footprint: Rc<[Access]>,
    /// Its successor was renamed.
    pub renames: bool,
}

/// Sleep sets up to this size are searched from one end to the other.
const FEW: usize = 16;

/// The positions of steps in a sleep set. With thousands of outcomes of one atomic step there is a hash table.
pub(crate) enum SleepSetIndex<'s> {
    Few(&'s [SleepStep]),
    Many(FxHashMap<Step, usize>),
}

impl<'s> SleepSetIndex<'s> {
    pub fn new(sleep_set: &'s [SleepStep]) -> Self {
        match sleep_set.len() {
            0..=FEW => SleepSetIndex::Few(sleep_set),
            _ => SleepSetIndex::Many(sleep_set.iter().enumerate().map(|(at, sleeping)| (sleeping.step, at)).collect()),
        }
    }

    pub fn position(&self, step: Step) -> Option<usize> {
        match self {
            SleepSetIndex::Few(sleep_set) => sleep_set.iter().position(|sleeping| sleeping.step == step),
            SleepSetIndex::Many(positions) => positions.get(&step).copied(),
        }
    }
}
