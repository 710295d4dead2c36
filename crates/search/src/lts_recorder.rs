//! Records the labelled transition system that a breadth-first search explores, a transition at a time.
//!
//! Where the store evicts, every visit of a state has a number: the system has redundant states, and is strongly bisimilar to the one
//! without. A step to a state that is found stored leads to the visit for which it was stored. That is the last one that was new under
//! the state's id, whenever ids are used again: answers are recorded in the order in which the store gave them.

use std::sync::Arc;
use tightrope_core::{Budget, BudgetVec, Found, Model, Observe, Reason, Refused, StateId, Step};

/// Is told of each transition: from, label, to. False ends the search.
pub type EachTransition<'t> = dyn FnMut(u64, &str, u64) -> bool + 't;

/// The numbers of states by their ids.
enum Numbers {
    /// Ids grow: those of all states, in the order of their numbers.
    Growing(BudgetVec<u64>),
    /// Ids are small and used again: for each the number of the state that was new under it last, plus one.
    Again { last: BudgetVec<u64>, count: u64 },
}

impl Numbers {
    fn len(&self) -> u64 {
        match self {
            Numbers::Growing(ids) => ids.len() as u64,
            Numbers::Again { count, .. } => *count,
        }
    }

    /// A new state has that id.
    fn add(&mut self, id: u64) -> Result<(), Refused> {
        match self {
            Numbers::Growing(ids) => ids.push(id),
            Numbers::Again { last, count } => {
                *count += 1;
                while last.len() as u64 <= id {
                    last.push(0)?;
                }
                last[id as usize] = *count;
                Ok(())
            }
        }
    }

    /// The number of the state that has that id now.
    fn of(&self, id: u64) -> Option<u64> {
        match self {
            Numbers::Growing(ids) => ids.binary_search(&id).ok().map(|number| number as u64),
            Numbers::Again { last, .. } => last.get(usize::try_from(id).ok()?)?.checked_sub(1),
        }
    }
}

/// Watches a breadth-first search and tells every transition. States are numbered from 0 in the order in which they are
/// found, the initial ones first; where the store evicts, as often as they are found.
pub struct LtsRecorder<'m, 't> {
    model: &'m dyn Model,
    tell: Box<EachTransition<'t>>,
    numbers: Numbers,
    /// Why the search is to end.
    stop: Option<Reason>,
    /// The state at work, its number, and how many there were before it.
    state: Vec<u8>,
    expanded: u64,
    initial: BudgetVec<u64>,
    label: String,
}

impl<'m, 't> LtsRecorder<'m, 't> {
    /// Nothing seen yet; ids grow.
    pub fn new(model: &'m dyn Model, budget: &Arc<Budget>, tell: Box<EachTransition<'t>>) -> Self {
        LtsRecorder {
            model,
            tell,
            numbers: Numbers::Growing(BudgetVec::new(budget.clone())),
            stop: None,
            state: Vec::new(),
            expanded: 0,
            initial: BudgetVec::new(budget.clone()),
            label: String::new(),
        }
    }

    /// The same for a store that evicts, and uses small ids again.
    pub fn reuses_ids(mut self, budget: &Arc<Budget>) -> Self {
        self.numbers = Numbers::Again { last: BudgetVec::new(budget.clone()), count: 0 };
        self
    }

    /// How many states there are.
    pub fn states(&self) -> u64 {
        self.numbers.len()
    }

    /// The numbers of the initial states, in the order of [`Model::initial`]; the same may come again.
    pub fn into_initial_states(self) -> BudgetVec<u64> {
        self.initial
    }

    fn stop_for(&mut self, refused: Refused) {
        self.stop.get_or_insert(refused.into());
    }

    /// The number of a state, which it gets now if it is new.
    fn number(&mut self, found: Found) -> Option<u64> {
        match found {
            Found::New(id) => {
                if let Err(refused) = self.numbers.add(id.0) {
                    self.stop_for(refused);
                    return None;
                }
                Some(self.numbers.len() - 1)
            }
            Found::Seen(id) => {
                let number = self.numbers.of(id.0);
                if number.is_none() {
                    // Without a number the transition would be missing: nothing is claimed then.
                    self.stop_for(Refused::Other("a state that was seen before has no number: ids do not last"));
                }
                number
            }
            Found::Undecided | Found::Nowhere => None,
        }
    }
}

impl Observe for LtsRecorder<'_, '_> {
    fn takes_undecided(&self) -> bool {
        false
    }

    fn initial(&mut self, found: Found, _state: &[u8]) {
        let Some(number) = self.number(found) else { return };
        if let Err(refused) = self.initial.push(number) {
            self.stop_for(refused);
        }
    }

    fn expand(&mut self, _id: StateId, state: &[u8], _degree: usize) {
        self.state.clear();
        self.state.extend_from_slice(state);
        self.expanded += 1;
    }

    fn stop(&self) -> Option<Reason> {
        self.stop
    }

    fn step(&mut self, _from: StateId, step: Step, to: Found, _state: &[u8]) {
        if self.stop.is_some() {
            return;
        }
        let Some(to) = self.number(to) else { return };
        self.label.clear();
        self.model.label(&self.state, step, &mut self.label);
        // States are expanded in the order in which they were found.
        if !(self.tell)(self.expanded - 1, &self.label, to) {
            self.stop_for(Refused::Other("not all transitions could be recorded"));
        }
    }
}
