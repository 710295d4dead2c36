//! States that are expanded before their successors are offered to the store.
//!
//! A store that is larger than the caches waits for memory at nearly every state it is offered. It waits less where it
//! knows what comes: so some states are expanded in advance, and what they lead to is announced to the store as a whole
//! before it is offered, one by one, in the order in which it was found. Everything else that belongs to a state is
//! done when its turn comes, so that nobody can tell that it was expanded earlier.
//!
//! Bytes: a few hundred thousand, however many states there are.

use tightrope_core::{Batch, Fault, StateId, Step, Stuck, Successors};

/// As many successors are found in advance, and as many bytes of states, until no further state is expanded.
const STEPS: usize = 256;
const BYTES: usize = 256 << 10;

/// Expanded states and their successors, in order.
#[derive(Default)]
pub(crate) struct Ahead {
    states: Vec<Expanded>,
    /// The expanded states.
    from: Batch,
    steps: Vec<Taken>,
    /// What the steps lead to.
    pub to: Batch,
    faults: Vec<Option<Fault>>,
}

/// A state that was expanded.
#[derive(Clone, Copy)]
pub(crate) struct Expanded {
    pub id: StateId,
    pub stuck: Stuck,
    /// How many of its steps lead to a state.
    pub degree: usize,
    /// The steps before its own.
    first: usize,
    /// The steps up to and with its own.
    last: usize,
}

impl Expanded {
    /// Where its steps are.
    pub fn steps(self) -> std::ops::Range<usize> {
        self.first..self.last
    }
}

/// A step from one of them.
#[derive(Clone, Copy)]
struct Taken {
    step: Step,
    /// Where the state is that it leads to, and what went wrong.
    to: u32,
    fault: u32,
}

const NONE: u32 = u32::MAX;

impl Ahead {
    /// Forgets everything; keeps the memory.
    pub fn clear(&mut self) {
        self.states.clear();
        self.from.clear();
        self.steps.clear();
        self.to.clear();
        self.faults.clear();
    }

    /// Whether it should go on with what there is.
    pub fn is_full(&self) -> bool {
        self.steps.len() >= STEPS || self.states.len() >= STEPS || self.from.bytes() + self.to.bytes() >= BYTES
    }

    /// Adds a state and its successors; `fault` is what counts of what went wrong in the step of that number.
    pub fn push(&mut self, id: StateId, state: &[u8], out: &Successors, fault: impl Fn(usize) -> Option<Fault>) {
        let first = self.steps.len();
        let before = self.to.len();
        for index in 0..out.len() {
            let to = out.state(index).map_or(NONE, |state| {
                self.to.push(state);
                (self.to.len() - 1) as u32
            });
            let fault = fault(index).map_or(NONE, |fault| {
                self.faults.push(Some(fault));
                (self.faults.len() - 1) as u32
            });
            self.steps.push(Taken { step: out.step(index), to, fault });
        }
        let degree = self.to.len() - before;
        self.from.push(state);
        self.states.push(Expanded { id, stuck: out.stuck, degree, first, last: self.steps.len() });
    }

    /// How many states are expanded.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// One of them.
    pub fn expanded(&self, number: usize) -> (Expanded, &[u8]) {
        (self.states[number], self.from.get(number))
    }

    /// A step.
    pub fn step(&self, index: usize) -> Step {
        self.steps[index].step
    }

    /// What a step leads to, and where that is in `to`.
    #[inline]
    pub fn state(&self, index: usize) -> Option<(usize, &[u8])> {
        let to = self.steps[index].to;
        (to != NONE).then(|| (to as usize, self.to.get(to as usize)))
    }

    /// Takes what went wrong in a step.
    #[inline]
    pub fn take_fault(&mut self, index: usize) -> Option<Fault> {
        self.faults.get_mut(self.steps[index].fault as usize).and_then(Option::take)
    }
}
