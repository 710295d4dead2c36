//! The visited set.

use crate::{Evicts, Pins, Refused, Step, Successors};

/// The identifier a store gave to a state. Opaque; valid for the store that gave it, until it re-encodes its states
/// ([`Store::reencode`]) or evicts this one ([`Store::evicts`]). In stores that are
/// [`Store::ordered`] ids grow in the order of insertion; in others their order means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u64);

impl StateId {
    /// The id of every state, new or seen, in a store that has no ids.
    pub const NAMELESS: StateId = StateId(u64::MAX);
}

/// How a state was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// From where.
    pub parent: StateId,
    /// By which step.
    pub step: Step,
    /// The number of that step among those of [`crate::Model::successors`] of the parent, from 0.
    pub number: u32,
}

/// What a store knows of a state that was offered to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// It was not there; now it is.
    New(StateId),
    /// It is there already (or a lossy store takes it for one that is; see [`Store::claim`]).
    Seen(StateId),
    /// Not known yet: the store answers later ([`Delays::resolve`]).
    Undecided,
    /// There is no state: the step failed, or is not taken.
    Nowhere,
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
///   store evicts states ([`Store::evicts`]). A store that has no ids answers [`StateId::NAMELESS`] always, for new states,
///   too: what a search stores under an id would otherwise never be found again.
/// - Memory is reserved with the budget given at construction before it is touched; a refusal comes back as
///   [`Refused`] and leaves the store as it was, so that reports can still be made from it. A structure that can hold no
///   more, however much memory there is, says which one it is ([`Refused::Limit`]).
pub trait Store {
    /// Remembers `state`, reached by `via`: none for an initial state, or where states are only stored (samples, re-encoding).
    fn insert(&mut self, state: &[u8], via: Option<Edge>) -> Result<Found, Refused>;

    /// Remembers the states that the steps lead to, in order, as [`Store::insert`] would one by one; but the store can see
    /// what it will need and fetch it in advance, so that it waits once instead of once for each. Adds to `found`, for
    /// each step, what was known of its state ([`Found::Nowhere`] where it leads to none). After a refusal there are
    /// fewer answers than steps: the state without an answer was refused.
    fn insert_all(&mut self, steps: &Successors, parents: &[Parent], found: &mut Vec<Found>) -> Result<(), Refused> {
        insert_each(self, steps, parents, found)
    }

    /// Puts the state of that id into `out`; false if this store does not keep enough to tell ([`Store::can_read`]).
    fn read(&mut self, _id: StateId, _out: &mut Vec<u8>) -> bool {
        false
    }

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

    /// The nodes of a diagram that has all states, where it is one.
    fn nodes(&mut self) -> Option<u64> {
        None
    }

    /// Whether it can give every state back by its id ([`Store::read`]).
    fn can_read(&self) -> bool {
        false
    }

    /// Re-encodes its states in a smaller form, if there is one; false if there is none, and nothing has changed. States keep
    /// their places in the order of insertion, but get new ids: `remap` is told of each, in that order, the old id
    /// and the new one, by which it can be read ([`Store::can_read`]). After an error the store may have lost states.
    ///
    /// What is demanded: the store is ordered before ([`Store::ordered`]), since a breadth-first search tells by ids which states
    /// wait; and it re-encodes once. A store that evicts states, decides later or knows parents
    /// does not re-encode, since the ids that a search holds of states it has expanded are not renamed. A search refuses a store
    /// that does otherwise ([`Refused::Other`]), and ends undecided.
    fn reencode(&mut self, _remap: &mut Remap<'_>) -> Result<bool, Refused> {
        Ok(false)
    }

    /// How often it re-encoded its states, and from what to what.
    fn history(&self) -> &[Reencoded] {
        &[]
    }

    /// The store as one that can be read in the order of insertion, if it can. A breadth-first search then needs no
    /// queue of its own.
    fn ordered(&mut self) -> Option<&mut dyn Ordered> {
        None
    }

    /// The store as one that evicts states, if it does.
    fn evicts(&mut self) -> Option<&mut dyn Evicts> {
        None
    }

    /// The store as one that keeps what is pinned, if it evicts other states.
    fn pins(&mut self) -> Option<&mut dyn Pins> {
        None
    }

    /// The store as one that answers later, if it does ([`Found::Undecided`]).
    fn delays(&mut self) -> Option<&mut dyn Delays> {
        None
    }

    /// What it costs to rebuild states, for a store that does not keep them.
    fn rebuilding(&self) -> Option<Rebuilding> {
        None
    }

    /// The store as one that knows how each state was reached, if it does. A search then need not remember it.
    fn parents(&mut self) -> Option<&mut dyn Parents> {
        None
    }
}

/// Inserts the states that the steps lead to one by one: [`Store::insert_all`] for a store that gains nothing from seeing
/// them together. Steps behind those of the last parent have none.
pub fn insert_each<S: Store + ?Sized>(
    store: &mut S,
    steps: &Successors,
    parents: &[Parent],
    found: &mut Vec<Found>,
) -> Result<(), Refused> {
    let mut edges = Edges::of(parents);
    for index in 0..steps.len() {
        let via = edges.next(steps, index);
        found.push(steps.state(index).map_or(Ok(Found::Nowhere), |state| store.insert(state, via))?);
    }
    Ok(())
}

/// The edges of steps that are gone through in order.
pub struct Edges<'a> {
    parents: &'a [Parent],
    /// Where the steps of the first of them begin.
    start: usize,
}

impl<'a> Edges<'a> {
    /// The edges of the steps from these states.
    pub fn of(parents: &'a [Parent]) -> Self {
        Edges { parents, start: 0 }
    }

    /// The edge of the step at `index`, which is not before that of the last call; none behind the steps of the last parent.
    #[inline]
    pub fn next(&mut self, steps: &Successors, index: usize) -> Option<Edge> {
        while let Some((first, rest)) = self.parents.split_first()
            && first.end <= index
        {
            (self.parents, self.start) = (rest, first.end);
        }
        let parent = self.parents.first()?.id;
        Some(Edge { parent, step: steps.step(index), number: (index - self.start) as u32 })
    }
}

/// Is told the old and the new id of a state.
pub type Remap<'a> = dyn FnMut(StateId, StateId) -> Result<(), Refused> + 'a;

/// A store that gathers candidates, states of which it does not know yet whether it has them, and compares many of them at once
/// (delayed duplicate detection).
///
/// # Contract
/// Until a search begins to resolve ([`Delays::begin`]) such a store decides everything at once, and there are no candidates: for
/// searches that need every answer when they ask, such as depth-first search, or one with the proviso of stubborn sets. A search that
/// has begun resolves when the candidates are full and at the end of every level. It asks between batches, so that some hundred
/// candidates, or all successors of one state, may come after the store is full. Such a store knows the parents of its states
/// ([`Store::parents`]), if the search checks anything, and does not re-encode them. A state counts as found, at the level of
/// its candidate, when it turns out to be new.
pub trait Delays {
    /// The search will have candidates decided.
    fn begin(&mut self);

    /// Whether no more candidates fit.
    fn is_full(&mut self) -> bool;

    /// Decides all candidates. `new` is told, in the order in which they were offered, of each state that was not there: its
    /// id, how it was reached, and its bytes. Of equal candidates the first is new.
    fn resolve(&mut self, new: &mut Resolved<'_>) -> Result<(), Refused>;
}

/// Is told of a candidate that turned out to be new: its id, how it was reached (none for an initial state), and its bytes.
pub type Resolved<'a> = dyn FnMut(StateId, Option<Edge>, &[u8]) -> Result<(), Refused> + 'a;

/// A store that knows how each of its states was reached first.
pub trait Parents {
    /// Calls `each` with every step of the path by which a state was reached, the first one first. Returns the number of the initial
    /// state where it begins: of those that were offered, from 0.
    fn path(&mut self, to: StateId, each: &mut dyn FnMut(Step) -> Result<(), Refused>) -> Result<u32, Refused>;
}

/// What a store has spent on states that it does not keep but rebuilds from the steps that lead to them, and what it spends its
/// memory on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rebuilding {
    /// How many states were rebuilt to be compared with others, or to be expanded; those on the way not counted.
    pub states: u64,
    /// The steps that were executed for it.
    pub steps: u64,
    /// The bytes of the tables that hold every state.
    pub tables: u64,
    /// The bytes of the states that are kept in full: those last found, those that wait, and those of the cache.
    pub kept: u64,
    /// The bytes of the states that wait for delayed duplicate detection.
    pub candidates: u64,
    /// How often candidates were decided.
    pub detections: u64,
}

/// That a store has re-encoded its states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reencoded {
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
    /// The state inserted right after `after` (the first one, for none), put into `out`; none at the end. A store that rebuilds its
    /// states may lack the memory for it.
    fn next(&mut self, after: Option<StateId>, out: &mut Vec<u8>) -> Result<Option<StateId>, Refused>;
}
