//! What remembers states.

use crate::{Forgets, OverBudget, Step, Successors};

/// The name a store gave to a state. Opaque; valid for the store that gave it, as long as it lives. In stores that are
/// [`Store::ordered`] ids grow in the order of insertion; in others they are names and nothing more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u64);

impl StateId {
    /// A state that was seen before, in a store that cannot tell which one it is.
    pub const NAMELESS: StateId = StateId(u64::MAX);
}

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
    /// No state was taken for another one: every state was visited that the model leads to, by the steps that reductions
    /// leave. Without reductions these are all reachable states.
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

/// A state whose steps are offered to a store.
#[derive(Clone, Copy, Debug)]
pub struct Parent {
    /// The state.
    pub id: StateId,
    /// Its steps end before this one; they begin where those of the parent before end.
    pub end: usize,
}

/// Remembers states.
///
/// # Contract
/// - After `insert` answered `New` or `Seen`, inserting the same bytes answers `Seen` with the same id, unless the
///   store forgets on purpose ([`Store::forgets`]) or has no names for states ([`StateId::NAMELESS`]).
/// - Memory is reserved with the budget given at construction before it is touched; a refusal comes back as
///   [`OverBudget`] and leaves the store as it was, so that reports can still be made from it.
pub trait Store {
    /// Remembers `state`, reached by `via` (none for an initial state).
    fn insert(&mut self, state: &[u8], via: Option<Edge>) -> Result<Found, OverBudget>;

    /// Remembers the states that the steps lead to, in order, as [`Store::insert`] would one by one; but the store can see
    /// what it will need and fetch it in advance, so that it waits once instead of once for each. Adds to `found`, for
    /// each step, what was known of its state ([`Found::Undecided`] where it leads to none). After a refusal there are
    /// fewer answers than steps: the state without an answer was refused.
    fn insert_all(&mut self, steps: &Successors, parents: &[Parent], found: &mut Vec<Found>) -> Result<(), OverBudget> {
        let mut index = 0;
        for &Parent { id, end } in parents {
            while index < end {
                found.push(match steps.state(index) {
                    Some(state) => self.insert(state, Some(Edge { parent: id, step: steps.step(index) }))?,
                    None => Found::Undecided,
                });
                index += 1;
            }
        }
        Ok(())
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

    /// The probability with which it takes a state that is new, now, for one that it has, where it may do so at every state.
    fn loss(&self) -> Option<f64> {
        None
    }

    /// Which of its structures can hold no more, however much memory there is, in words; none while all can. Asked after a
    /// refusal.
    fn at_limit(&self) -> Option<&'static str> {
        None
    }

    /// The nodes of a diagram that has all states, where it is one.
    fn nodes(&mut self) -> Option<u64> {
        None
    }

    /// Whether it can give every state back by its name ([`Store::read`]).
    fn can_read(&self) -> bool {
        false
    }

    /// Takes another form that is smaller, if there is one; false if there is none, and nothing has changed. States keep
    /// their places in the order of insertion, but get new names: `renamed` is told of each, in that order, the old name
    /// and the new one, by which it can be read ([`Store::can_read`]). After an error the store may have lost states.
    fn shrink(&mut self, _renamed: &mut Renamed<'_>) -> Result<bool, OverBudget> {
        Ok(false)
    }

    /// The forms it has taken before the present one.
    fn history(&self) -> &[Shrunk] {
        &[]
    }

    /// The store as one that can be read in the order of insertion, if it can. A breadth-first search then needs no
    /// queue of its own.
    fn ordered(&mut self) -> Option<&mut dyn Ordered> {
        None
    }

    /// The store as one that forgets, if it does. A search then has to say what must not be forgotten.
    fn forgets(&mut self) -> Option<&mut dyn Forgets> {
        None
    }
}

/// Is told the old and the new name of a state.
pub type Renamed<'a> = dyn FnMut(StateId, StateId) -> Result<(), OverBudget> + 'a;

/// That a store has taken another form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shrunk {
    /// What it was.
    pub from: &'static str,
    /// What it became.
    pub to: &'static str,
    /// How many states it held then.
    pub states: u64,
    /// The bytes they took before, everything included.
    pub before: u64,
    /// The bytes they took afterwards.
    pub after: u64,
}

/// A store whose states can be read in the order in which they were inserted.
pub trait Ordered {
    /// The state inserted right after `after` (the first one, for none), put into `out`; none at the end.
    fn next(&mut self, after: Option<StateId>, out: &mut Vec<u8>) -> Option<StateId>;
}
