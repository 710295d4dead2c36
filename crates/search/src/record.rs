//! The transition system that a breadth-first search walks through, a transition at a time.

use std::sync::Arc;
use tightrope_core::{Budget, Found, Held, Interrupt, Model, Observe, Reason, StateId, Step};

/// Who is told of a transition: from, label, to. False if there is no use in going on.
pub type Tell<'t> = dyn FnMut(u64, &str, u64) -> bool + 't;

/// Watches a breadth-first search and tells every transition. States are numbered from 0 in the order in which they are
/// found, the initial ones first.
pub struct Record<'m, 't> {
    model: &'m dyn Model,
    tell: Box<Tell<'t>>,
    /// The ids of the states in the order of their numbers: they grow.
    ids: Held<u64>,
    /// Raised when there is no use in going on.
    interrupt: Interrupt,
    /// The memory did not suffice for the numbers.
    refused: bool,
    /// The state at work, its number, and how many there were before it.
    state: Vec<u8>,
    expanded: u64,
    initial: u64,
    label: String,
}

impl<'m, 't> Record<'m, 't> {
    /// Nothing seen yet.
    pub fn new(model: &'m dyn Model, budget: &Arc<Budget>, interrupt: Interrupt, tell: Box<Tell<'t>>) -> Self {
        Record {
            model,
            tell,
            ids: Held::new(budget.clone()),
            interrupt,
            refused: false,
            state: Vec::new(),
            expanded: 0,
            initial: 0,
            label: String::new(),
        }
    }

    /// How many states there are.
    pub fn states(&self) -> u64 {
        self.ids.len() as u64
    }

    /// How many of them are initial: the first ones.
    pub fn initial_states(&self) -> u64 {
        self.initial
    }

    /// Whether the memory did not suffice for the numbers.
    pub fn is_refused(&self) -> bool {
        self.refused
    }

    /// The number of a state, which it gets now if it is new.
    fn number(&mut self, found: Found) -> Option<u64> {
        match found {
            Found::New(id) => {
                if self.ids.push(id.0).is_err() {
                    self.refused = true;
                    self.interrupt.raise(Reason::Interrupted);
                    return None;
                }
                Some(self.ids.len() as u64 - 1)
            }
            Found::Seen(id) => self.ids.binary_search(&id.0).ok().map(|number| number as u64),
            Found::Undecided => None,
        }
    }
}

impl Observe for Record<'_, '_> {
    fn initial(&mut self, found: Found, _state: &[u8]) {
        self.number(found);
        self.initial = self.ids.len() as u64;
    }

    fn expand(&mut self, _id: StateId, state: &[u8], _degree: usize) {
        self.state.clear();
        self.state.extend_from_slice(state);
        self.expanded += 1;
    }

    fn step(&mut self, _from: StateId, step: Step, to: Found, _state: &[u8]) {
        let Some(to) = self.number(to) else { return };
        self.label.clear();
        self.model.label(&self.state, step, &mut self.label);
        // States are expanded in the order in which they were found.
        if !(self.tell)(self.expanded - 1, &self.label, to) {
            self.interrupt.raise(Reason::Interrupted);
        }
    }
}
