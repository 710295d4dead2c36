//! States that are expanded before their successors are offered to the store.
//!
//! A store that is larger than the caches waits for memory at nearly every state it is offered. It waits less where it
//! knows what comes: so some states are expanded in advance, and what they lead to is offered to the store together.
//! Everything else that belongs to a state is done when its turn comes, in the order in which it was found, so that
//! nobody can tell that it was expanded earlier.
//!
//! Bytes: a few hundred thousand, however many states there are.

use tightrope_core::{Edge, Found, Parent, Store, Stuck, Successors};

/// As many successors are found in advance, and as many bytes of states, until no further state is expanded.
const STEPS: usize = 256;
const BYTES: usize = 256 << 10;

/// Expanded states, in order. Their steps are elsewhere, together.
#[derive(Default)]
pub(crate) struct Ahead {
    pub parents: Vec<Parent>,
    /// Of each, whether there is a way forward.
    pub stuck: Vec<Stuck>,
    /// What the store knew of the states that the steps lead to. Where one was refused, the rest is missing.
    pub found: Vec<Found>,
    /// The expanded states, where somebody wants to see them, and where each ends.
    states: Vec<u8>,
    ends: Vec<usize>,
}

impl Ahead {
    /// Forgets everything; keeps the memory.
    pub fn clear(&mut self) {
        self.parents.clear();
        self.stuck.clear();
        self.found.clear();
        self.states.clear();
        self.ends.clear();
    }

    /// Whether it should go on with what there is.
    pub fn is_full(&self, steps: &Successors) -> bool {
        steps.len() >= STEPS || self.parents.len() >= STEPS || steps.bytes.len() >= BYTES
    }

    /// Keeps the bytes of a state.
    pub fn keep(&mut self, state: &[u8]) {
        self.states.extend_from_slice(state);
        self.ends.push(self.states.len());
    }

    /// The bytes of a state that were kept.
    pub fn state(&self, number: usize) -> &[u8] {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.states[start..self.ends[number]]
    }

    /// Offers what the steps lead to to the store.
    pub fn offer(&mut self, steps: &Successors, store: &mut dyn Store) {
        // A refusal shows when it comes to the state that has no answer.
        let _ = store.insert_all(steps, &self.parents, &mut self.found);
    }

    /// Offers what has no answer yet, one by one.
    pub fn offer_rest(&mut self, steps: &Successors, store: &mut dyn Store) {
        for index in self.found.len()..steps.len() {
            let parent = self.parents[self.parents.partition_point(|parent| parent.end <= index)].id;
            let via = Edge { parent, step: steps.step(index) };
            let found = steps.state(index).map_or(Ok(Found::Undecided), |state| store.insert(state, Some(via)));
            // As above.
            let Ok(found) = found else { return };
            self.found.push(found);
        }
    }
}
