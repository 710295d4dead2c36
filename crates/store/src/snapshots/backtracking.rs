//! Which expanded states go into the backtracking set (Mateescu & Wijs 2009, §3.2).
//!
//! A state that is reached again long after it was left is expanded again, and so is what follows it, until a snapshot is met. A
//! state whose successors all lie in one old snapshot, or all in the backtracking set, was probably expanded before: it is
//! remembered from then on. So the next time less is done again. A state with one successor is not worth it.

use super::member::BACKTRACK;
use tightrope_core::StateId;

/// The successors of a state so far.
pub struct Siblings {
    parent: StateId,
    /// One of them.
    first: StateId,
    /// There is another one.
    several: bool,
    /// Of what all of them are members.
    of: u64,
}

impl Siblings {
    /// The first successor of a state, a member of this.
    pub fn new(parent: StateId, successor: StateId, of: u64) -> Self {
        Siblings { parent, first: successor, several: false, of }
    }

    /// The state.
    #[inline]
    pub fn parent(&self) -> StateId {
        self.parent
    }

    /// One more successor, a member of this.
    #[inline]
    pub fn add(&mut self, successor: StateId, of: u64) {
        self.several |= successor != self.first;
        self.of &= of;
    }

    /// Whether the state belongs into the set, where old snapshots have these bits.
    #[inline]
    pub fn is_probably_revisited(&self, old: u64) -> bool {
        self.several && self.of & (old | BACKTRACK) != 0
    }
}
