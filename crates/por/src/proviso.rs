//! Provisos: what keeps a search from ignoring a step for ever.
//!
//! A stubborn set leaves steps out that are still enabled after those that are taken. Along a cycle the same step could be left
//! out in every state (the ignoring problem). A proviso demands that one step of every reduced set leads to a state from which
//! the search goes on to where less is left out; where a set has no such step, another set is taken, or all steps are.
//! `docs/partial-orders.md` has the proofs.
//!
//! A search takes its proviso as a parameter ([`Provisos`]); those that exist are in the table [`PROVISOS`].

use rustc_hash::{FxBuildHasher, FxHashSet};
use std::hash::BuildHasher;
use tightrope_core::{Found, StateId};

/// The states on the path of a depth-first search, by their hashes. Where two hashes are equal by chance, a state is taken for
/// one on the path: that leads to a step more, never to one less.
#[derive(Default)]
pub struct PathStates(FxHashSet<u64>);

impl PathStates {
    /// Whether a state is on the path.
    #[inline]
    pub fn contains(&self, state: &[u8]) -> bool {
        self.0.contains(&FxBuildHasher.hash_one(state))
    }

    /// A state comes to the end of the path. Gives its hash, to take it off again, if there was no such hash before.
    pub fn enter(&mut self, state: &[u8]) -> Option<u64> {
        let hash = FxBuildHasher.hash_one(state);
        self.0.insert(hash).then_some(hash)
    }

    /// The last state leaves the path, with what [`PathStates::enter`] gave.
    pub fn leave(&mut self, hash: Option<u64>) {
        if let Some(hash) = hash {
            self.0.remove(&hash);
        }
    }
}

/// A proviso that goes by the path of a depth-first search.
pub trait PathProviso: Sync {
    /// Whether a step to the state `to` satisfies the proviso.
    fn is_satisfied(&self, to: &[u8], path: &PathStates) -> bool;
}

/// A proviso that goes by what the visited set answers, for searches that expand states in the order in which they find them.
/// A step to a new state always satisfies it, since that state is expanded later; it decides about states that were seen.
pub trait AnswerProviso: Sync {
    /// Whether a step from the state `from` to the state `seen` satisfies the proviso. `in_order`: ids grow in the order in
    /// which states are expanded.
    fn is_satisfied_by_seen(&self, from: StateId, seen: StateId, in_order: bool) -> bool;
}

impl dyn AnswerProviso {
    /// Whether a step satisfies the proviso, from the state of that id to one for which the store gave this answer.
    #[inline]
    pub fn is_satisfied(&self, from: StateId, to: Found, in_order: bool) -> bool {
        match to {
            Found::New(_) => true,
            Found::Seen(id) => id != StateId::NAMELESS && self.is_satisfied_by_seen(from, id, in_order),
            Found::Undecided | Found::Nowhere => false,
        }
    }
}

/// The provisos that a search is to use: of the two, the one for its kind.
#[derive(Clone, Copy)]
pub struct Provisos {
    /// For depth-first search.
    pub path: &'static dyn PathProviso,
    /// For breadth-first search.
    pub answer: &'static dyn AnswerProviso,
}

impl Default for Provisos {
    fn default() -> Self {
        Provisos { path: &StackProviso, answer: &QueueProviso }
    }
}

/// A line of the table of provisos.
pub struct Proviso {
    /// Its name.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// Has searches of its kind use it.
    pub choose: fn(&mut Provisos),
}

/// Every proviso there is.
pub static PROVISOS: &[Proviso] = &[
    Proviso {
        name: "stack",
        about: "depth-first: a step of the set leads to a state that is not on the path",
        choose: |provisos| provisos.path = &StackProviso,
    },
    Proviso {
        name: "queue",
        about: "breadth-first: a step of the set leads to a state that is expanded later",
        choose: |provisos| provisos.answer = &QueueProviso,
    },
    Proviso {
        name: "new",
        about: "breadth-first: a step of the set leads to a new state; needs no ids",
        choose: |provisos| provisos.answer = &NewProviso,
    },
];

/// A step that is taken leads to a state that is not on the path (Holzmann, Godefroid & Pirottin 1992). That state is left by
/// the search before the present one is, so that following such steps comes to an end, where all steps are taken. It does not
/// matter whether the store still has the state.
#[derive(Clone, Copy, Debug)]
pub struct StackProviso;

impl PathProviso for StackProviso {
    #[inline]
    fn is_satisfied(&self, to: &[u8], path: &PathStates) -> bool {
        !path.contains(to)
    }
}

/// A step that is taken leads to a state that is expanded later (Bošnački & Holzmann 2005, "Improving Spin's partial-order
/// reduction for breadth-first search"). A new state is; and so is one with a greater id than the state that is expanded,
/// where ids grow in the order of expansion.
#[derive(Clone, Copy, Debug)]
pub struct QueueProviso;

impl AnswerProviso for QueueProviso {
    #[inline]
    fn is_satisfied_by_seen(&self, from: StateId, seen: StateId, in_order: bool) -> bool {
        in_order && seen > from
    }
}

/// A step that is taken leads to a state that is new, and so expanded later. Asks for more than [`QueueProviso`],
/// and so reduces less; the same where ids do not grow in the order of expansion.
#[derive(Clone, Copy, Debug)]
pub struct NewProviso;

impl AnswerProviso for NewProviso {
    #[inline]
    fn is_satisfied_by_seen(&self, _from: StateId, _seen: StateId, _in_order: bool) -> bool {
        false
    }
}
