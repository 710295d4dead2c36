//! The candidate set of delayed duplicate detection: states of which it is not known yet whether they are new (Evangelista et al.
//! 2009, §4), and the states with which they have to be compared.

use crate::memory::hash_index::HashIndex;
use std::sync::Arc;
use tightrope_core::{Budget, BudgetVec, Edge, Refused};

/// What a candidate takes besides its bytes: itself, its entry in the index, and one or two states to compare it with.
pub const BESIDE: usize = size_of::<Candidate>() + 24;

#[derive(Clone, Copy)]
struct Candidate {
    start: usize,
    end: usize,
    via: Option<Edge>,
    is_seen: bool,
}

/// The candidates.
pub struct Candidates {
    index: HashIndex,
    items: BudgetVec<Candidate>,
    bytes: BudgetVec<u8>,
    /// The identifiers of the states with which they have to be compared.
    checks: BudgetVec<u32>,
    budget: Arc<Budget>,
}

fn short(hash: u64) -> u32 {
    (hash >> 16) as u32
}

impl Candidates {
    /// None.
    pub fn new(budget: &Arc<Budget>) -> Self {
        Candidates {
            index: HashIndex::new(budget),
            items: BudgetVec::new(budget.clone()),
            bytes: BudgetVec::new(budget.clone()),
            checks: BudgetVec::new(budget.clone()),
            budget: budget.clone(),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// The bytes taken.
    pub fn memory(&self) -> u64 {
        self.index.bytes() + self.items.bytes() + self.bytes.bytes() + self.checks.bytes()
    }

    fn find(&self, hash: u64, state: &[u8]) -> Option<u32> {
        self.index.find(short(hash), |number| self.state(number as usize).0 == state)
    }

    /// Whether a state is a candidate.
    pub fn contains(&self, hash: u64, state: &[u8]) -> bool {
        !self.items.is_empty() && self.find(hash, state).is_some()
    }

    /// Adds a candidate, which has to be compared with the states of these identifiers. A refusal changes nothing.
    pub fn add(&mut self, hash: u64, state: &[u8], via: Option<Edge>, ids: &[u32]) -> Result<(), Refused> {
        self.index.make_room()?;
        self.checks.make_room(ids.len())?;
        self.items.make_room(1)?;
        let start = self.bytes.len();
        self.bytes.extend(state)?;
        self.checks.extend(ids)?;
        self.index.enter(short(hash), self.items.len() as u32);
        self.items.push(Candidate { start, end: self.bytes.len(), via, is_seen: false })
    }

    /// The state of a candidate, and how it was reached.
    pub fn state(&self, number: usize) -> (&[u8], Option<Edge>) {
        let Candidate { start, end, via, .. } = self.items[number];
        (&self.bytes[start..end], via)
    }

    /// Whether a state turned out to be there already.
    pub fn is_seen(&self, number: usize) -> bool {
        self.items[number].is_seen
    }

    /// The identifiers of the states with which candidates have to be compared, ascending, each once.
    pub fn take_checks(&mut self) -> BudgetVec<u32> {
        let mut checks = std::mem::replace(&mut self.checks, BudgetVec::new(self.budget.clone()));
        checks.sort_unstable();
        let mut kept = 0;
        for at in 0..checks.len() {
            if kept == 0 || checks[at] != checks[kept - 1] {
                checks[kept] = checks[at];
                kept += 1;
            }
        }
        checks.truncate(kept);
        checks
    }

    /// A state that is there already, with which candidates have to be compared.
    pub fn compare(&mut self, hash: u64, state: &[u8]) {
        if let Some(number) = self.find(hash, state) {
            self.items[number as usize].is_seen = true;
        }
    }
}
