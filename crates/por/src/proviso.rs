//! Provisos: what keeps a search from putting a step off for ever.
//!
//! A stubborn set leaves steps out that are still enabled after those that are taken. Along a cycle the same step could be left
//! out in every state (the ignoring problem). A proviso demands that one step of every reduced set leads to a state from which
//! the search goes on to where less is left out; where a set has no such step, another set is taken, or all steps are.
//! `docs/partial-orders.md` has the proofs.

use rustc_hash::{FxBuildHasher, FxHashSet};
use std::hash::BuildHasher;
use tightrope_core::{Found, StateId};

/// For depth-first search: a step that is taken leads to a state that is not on the path (Holzmann, Godefroid & Pirottin 1992).
/// That state is left by the search before the present one is, so that following such steps comes to an end, where all steps
/// are taken. It does not matter whether the store still has the state.
///
/// Which states are on the path is known by their hashes. Where two hashes are equal by chance, a state is taken for one on the
/// path: a step more is taken then, none less.
#[derive(Default)]
pub struct StackProviso(FxHashSet<u64>);

impl StackProviso {
    /// Whether a step to a state satisfies the proviso.
    #[inline]
    pub fn is_satisfied(&self, state: &[u8]) -> bool {
        !self.0.contains(&FxBuildHasher.hash_one(state))
    }

    /// A state comes to the end of the path. Gives its hash, to take it off again, if there was no such hash before.
    pub fn enter(&mut self, state: &[u8]) -> Option<u64> {
        let hash = FxBuildHasher.hash_one(state);
        self.0.insert(hash).then_some(hash)
    }

    /// The last state leaves the path, with what [`StackProviso::enter`] gave.
    pub fn leave(&mut self, hash: Option<u64>) {
        if let Some(hash) = hash {
            self.0.remove(&hash);
        }
    }
}

/// For breadth-first search: a step that is taken leads to a state that is expanded later (Bošnački & Holzmann 2005, "Improving
/// Spin's partial-order reduction for breadth-first search"). A new state is; and so is one with a greater name than the
/// state that is expanded, where states are named in the order in which they are expanded.
#[derive(Clone, Copy, Debug)]
pub struct QueueProviso {
    /// States are named in the order in which they are expanded.
    pub in_order: bool,
}

impl QueueProviso {
    /// Whether a step satisfies the proviso, from a state of that name to one of which the store knew this.
    #[inline]
    pub fn is_satisfied(self, from: StateId, to: Found) -> bool {
        match to {
            Found::New(_) => true,
            Found::Seen(id) => self.in_order && id > from && id != StateId::NAMELESS,
            Found::Undecided => false,
        }
    }
}
