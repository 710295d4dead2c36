//! States that are expanded before their successors are offered to the store.
//!
//! A store that is larger than the caches waits for memory at nearly every state it is offered. It waits less where it
//! knows what comes: so some states are expanded in advance, and what they lead to is offered to the store together.
//! Everything else that belongs to a state is done when its turn comes, in the order in which it was found, so that
//! nobody can tell that it was expanded earlier.
//!
//! With stubborn sets ([`Model::stubborn_set`]) the store is asked for one state after the other, so that what is found new
//! comes in the order of the states that lead there: steps are left out only if a step of the set satisfies the
//! [`QueueProviso`]. Where a lossy store takes a new state for one that it has, that state is lost in any case.
//!
//! Bytes: a few hundred thousand, however many states there are.

use tightrope_core::{Edge, Found, Model, Parent, Scratch, Store, Stuck, Successors};
use tightrope_por::QueueProviso;

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
    /// Of each step, up to the last one that is, whether it is put off.
    put_off: Vec<bool>,
    /// Room for which steps of a state are in its stubborn set, and for what finds that out.
    leads_on: Vec<bool>,
    chosen: Vec<bool>,
    scratch: Scratch,
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
        self.put_off.clear();
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

    /// Puts off the steps of a state, those from `first` on, that are not in a stubborn set.
    pub fn put_off(&mut self, model: &dyn Model, state: &[u8], steps: &Successors, first: usize) {
        // Which of them satisfy the proviso is known only later.
        self.leads_on.clear();
        self.leads_on.resize(steps.len() - first, true);
        if model.stubborn_set(state, (steps, first), &self.leads_on, &mut self.chosen, &mut self.scratch) {
            self.put_off.resize(first, false);
            self.put_off.extend(self.chosen.iter().map(|chosen| !chosen));
        }
    }

    fn is_put_off(&self, step: usize) -> bool {
        self.put_off.get(step) == Some(&true)
    }

    /// Offers what the steps lead to to the store.
    pub fn offer(&mut self, steps: &Successors, store: &mut dyn Store, proviso: QueueProviso) {
        if self.put_off.is_empty() {
            // A refusal shows when it comes to the state that has no answer.
            let _ = store.insert_all(steps, &self.parents, &mut self.found);
        } else {
            self.offer_rest(steps, store, proviso);
        }
    }

    /// Offers what has no answer yet, one by one.
    pub fn offer_rest(&mut self, steps: &Successors, store: &mut dyn Store, proviso: QueueProviso) {
        while self.found.len() < steps.len() {
            let number = self.parents.partition_point(|parent| parent.end <= self.found.len());
            let start = number.checked_sub(1).map_or(0, |before| self.parents[before].end);
            let Parent { id: parent, end } = self.parents[number];
            for index in self.found.len()..end {
                let via = Edge { parent, step: steps.step(index) };
                let found = match steps.state(index).filter(|_| !self.is_put_off(index)) {
                    Some(state) => store.insert(state, Some(via)),
                    None => Ok(Found::Undecided),
                };
                // As above.
                let Ok(found) = found else { return };
                self.found.push(found);
            }
            let goes_on = self.found[start..].iter().any(|&found| proviso.is_satisfied(parent, found));
            if !goes_on && (start..end).any(|index| self.is_put_off(index)) {
                // All of them, from the beginning.
                self.put_off[start..end].fill(false);
                self.found.truncate(start);
            }
        }
    }

    /// What is still put off is left out.
    pub fn leave_out(&self, steps: &mut Successors) {
        (0..self.put_off.len()).filter(|&index| self.put_off[index]).for_each(|index| steps.leave_out(index));
    }
}
