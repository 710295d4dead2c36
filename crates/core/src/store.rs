//! What remembers states.

use crate::{OverBudget, Step};

/// The name a store gave to a state. Opaque; valid for the store that gave it. Ids grow in the order of insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u64);

/// How a state was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// From where.
    pub parent: StateId,
    /// By which step.
    pub step: Step,
}

/// What a store knows of a state that was offered to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// It was not there; now it is.
    New(StateId),
    /// It is there already (or a lossy store takes it for one that is; see [`Store::claim`]).
    Seen(StateId),
    /// Not known yet: the store answers later, in a batch.
    Undecided,
}

/// What an exhaustive search over a store is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Claim {
    /// Every reachable state was visited.
    Exact,
    /// States are told apart by hashes: one or more was left out with at most this probability.
    Hashed {
        /// The probability.
        omission: f64,
    },
    /// Some reachable states may be left out, with no bound on how many.
    Partial,
}

impl Claim {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Claim::Exact => "exact",
            Claim::Hashed { .. } => "hashed",
            Claim::Partial => "partial",
        }
    }
}

/// States that are to be inserted soon, in order, in one flat buffer that is used again.
#[derive(Default)]
pub struct Batch {
    bytes: Vec<u8>,
    /// Where each state ends; it begins where the one before ends.
    ends: Vec<usize>,
}

impl Batch {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets all states; keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// Adds a state at the end.
    #[inline]
    pub fn push(&mut self, state: &[u8]) {
        self.bytes.extend_from_slice(state);
        self.ends.push(self.bytes.len());
    }

    /// The state at `index`.
    #[inline]
    pub fn get(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.bytes[start..self.ends[index]]
    }

    /// The states in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> + '_ {
        (0..self.len()).map(|index| self.get(index))
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The bytes of all states together.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }
}

/// Remembers states.
///
/// # Contract
/// - After `insert` answered `New` or `Seen`, inserting the same bytes answers `Seen` with the same id, unless the
///   store forgets on purpose (a capability of its own).
/// - Memory is reserved with the budget given at construction before it is touched; a refusal comes back as
///   [`OverBudget`] and leaves the store as it was, so that reports can still be made from it.
pub trait Store {
    /// Remembers `state`, reached by `via` (none for an initial state).
    fn insert(&mut self, state: &[u8], via: Option<Edge>) -> Result<Found, OverBudget>;

    /// Says which states will be inserted next, each with [`Store::insert_announced`]: the store may compute and fetch in
    /// advance what it will need for them, so that it waits once instead of once for each. Nothing is remembered yet,
    /// and the caller may stop anywhere. What was announced before is forgotten.
    fn announce(&mut self, _states: &Batch) {}

    /// Remembers the state at `index` of those announced last; `state` is that state. Answers as `insert` would: other
    /// states may have been inserted since.
    fn insert_announced(&mut self, _index: usize, state: &[u8], via: Option<Edge>) -> Result<Found, OverBudget> {
        self.insert(state, via)
    }

    /// Puts the state named `id` into `out`; false if this store does not keep enough to tell.
    fn read(&mut self, id: StateId, out: &mut Vec<u8>) -> bool;

    /// How many states it remembers.
    fn len(&self) -> u64;

    /// Whether it remembers none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes it has allocated, everything included.
    fn bytes(&self) -> u64;

    /// What a search that relies on it is worth.
    fn claim(&self) -> Claim;

    /// The store as one that can be read in the order of insertion, if it can. A breadth-first search then needs no
    /// queue of its own.
    fn ordered(&mut self) -> Option<&mut dyn Ordered> {
        None
    }
}

/// A store whose states can be read in the order in which they were inserted.
pub trait Ordered {
    /// The state inserted right after `after` (the first one, for none), put into `out`; none at the end.
    fn next(&mut self, after: Option<StateId>, out: &mut Vec<u8>) -> Option<StateId>;
}
