//! States that are expanded together before their successors are offered to the store.
//!
//! A store that is larger than the caches of the processor waits for memory at nearly every state it is offered. It waits less
//! where it knows what comes: so some states are expanded in advance, and their successors are offered to the store together
//! ([`Store::insert_all`]). Everything else that belongs to a state is done when its turn comes, in the order in which states
//! were found, so that a batch cannot be told from single expansions.
//!
//! With stubborn sets ([`Model::stubborn_set`]) successors are offered one state after the other, so that new states come in the
//! order of their parents: steps are left out only if a step of the set satisfies the [`AnswerProviso`]. Where a lossy store
//! takes a new state for one that it has, that state is lost in any case, so the proviso need not hold for it.
//!
//! Bytes: a few hundred thousand, however many states there are.

use std::collections::HashMap;
use tightrope_core::{Edge, Found, Model, Parent, Refused, Scratch, StateId, Store, Successors, Terminal};
use tightrope_por::AnswerProviso;

/// As many successors are found in advance, and as many bytes of successors, or of expanded states that are kept, until no further
/// state is expanded.
const STEPS: usize = 256;
pub(crate) const BYTES: usize = 256 << 10;

/// The proviso of stubborn sets, and whether ids grow in the order in which states are expanded.
#[derive(Clone, Copy)]
pub(crate) struct BatchProviso {
    pub proviso: &'static dyn AnswerProviso,
    pub in_order: bool,
}

/// Expanded states, in order. Their steps are in one buffer beside it.
#[derive(Default)]
pub(crate) struct Batch {
    pub parents: Vec<Parent>,
    /// Of each, whether it is terminal.
    pub terminal: Vec<Terminal>,
    /// What the store answered for the successors. Where one was refused, the rest is missing.
    pub found: Vec<Found>,
    /// Why one was refused, if one was.
    pub refused: Option<Refused>,
    /// For each step, whether it is outside the stubborn set; as long as the last such step requires.
    outside: Vec<bool>,
    /// Room for which steps of a state are in its stubborn set, and for what finds that out.
    satisfies_proviso: Vec<bool>,
    in_set: Vec<bool>,
    scratch: Scratch,
    /// The expanded states, where the observer wants to see them, and where each ends.
    states: Vec<u8>,
    ends: Vec<usize>,
}

/// The ids that a search holds when the store gives its states new ones ([`Store::reencode`]).
pub(crate) struct RenamedIds(HashMap<StateId, RenamedId>);

struct RenamedId {
    new: StateId,
    /// Of a state that was new in the batch: it is not in the frontier yet.
    is_new_in_batch: bool,
}

impl RenamedIds {
    /// The ids in a batch, and others.
    pub fn new(batch: &Batch, others: impl Iterator<Item = StateId>) -> RenamedIds {
        let mut all = RenamedIds(HashMap::new());
        batch.parents.iter().map(|parent| parent.id).chain(others).for_each(|id| all.hold(id, false));
        for found in &batch.found {
            if let Found::New(id) | Found::Seen(id) = *found {
                all.hold(id, matches!(found, Found::New(_)));
            }
        }
        all
    }

    fn hold(&mut self, id: StateId, is_new_in_batch: bool) {
        self.0.entry(id).or_insert(RenamedId { new: id, is_new_in_batch: false }).is_new_in_batch |= is_new_in_batch;
    }

    /// A state gets a new id. Whether it was new in the batch.
    pub fn note(&mut self, old: StateId, new: StateId) -> bool {
        let Some(renamed) = self.0.get_mut(&old) else { return false };
        renamed.new = new;
        renamed.is_new_in_batch
    }

    /// The new id of a state.
    pub fn of(&self, old: StateId) -> StateId {
        self.0.get(&old).map_or(old, |renamed| renamed.new)
    }
}

impl Batch {
    /// Clears everything; keeps the memory.
    pub fn clear(&mut self) {
        self.parents.clear();
        self.terminal.clear();
        self.found.clear();
        self.refused = None;
        self.outside.clear();
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

    /// Chooses a stubborn set among the steps of a state, those from `first` on.
    pub fn choose_stubborn_set(&mut self, model: &dyn Model, state: &[u8], steps: &Successors, first: usize) {
        // Which of them satisfy the proviso is known only later.
        self.satisfies_proviso.clear();
        self.satisfies_proviso.resize(steps.len() - first, true);
        if model.stubborn_set(state, (steps, first), &self.satisfies_proviso, &mut self.in_set, &mut self.scratch) {
            self.outside.resize(first, false);
            self.outside.extend(self.in_set.iter().map(|in_set| !in_set));
        }
    }

    fn is_outside(&self, step: usize) -> bool {
        self.outside.get(step) == Some(&true)
    }

    /// The ids of its states and of their successors become the new ones.
    pub fn rename(&mut self, renamed: &RenamedIds) {
        self.parents.iter_mut().for_each(|parent| parent.id = renamed.of(parent.id));
        for found in &mut self.found {
            if let Found::New(id) | Found::Seen(id) = found {
                *id = renamed.of(*id);
            }
        }
    }

    /// Offers the successors to the store.
    pub fn offer(&mut self, steps: &Successors, store: &mut dyn Store, proviso: BatchProviso) {
        if self.outside.is_empty() {
            // A refusal counts when it comes to the successor that has no answer.
            self.refused = store.insert_all(steps, &self.parents, &mut self.found).err();
        } else {
            self.offer_rest(steps, store, proviso);
        }
    }

    /// Offers the successors that have no answer yet, one by one.
    pub fn offer_rest(&mut self, steps: &Successors, store: &mut dyn Store, proviso: BatchProviso) {
        self.refused = None;
        while self.found.len() < steps.len() {
            let number = self.parents.partition_point(|parent| parent.end <= self.found.len());
            let start = number.checked_sub(1).map_or(0, |before| self.parents[before].end);
            let Parent { id: parent, end } = self.parents[number];
            let mut offer = |index| match steps.state(index) {
                Some(state) => {
                    let number = (index - start) as u32;
                    store.insert(state, Some(Edge { parent, step: steps.step(index), number }))
                }
                None => Ok(Found::Nowhere),
            };
            for index in self.found.len()..end {
                let found = if self.is_outside(index) { Ok(Found::Nowhere) } else { offer(index) };
                match found {
                    Ok(found) => self.found.push(found),
                    Err(refused) => {
                        self.refused = Some(refused);
                        return;
                    }
                }
            }
            let BatchProviso { proviso, in_order } = proviso;
            let is_satisfied = self.found[start..].iter().any(|&found| proviso.is_satisfied(parent, found, in_order));
            if !is_satisfied && (start..end).any(|index| self.is_outside(index)) {
                // The set is given up: the steps outside of it are taken as well.
                for index in start..end {
                    if !std::mem::replace(&mut self.outside[index], false) {
                        continue;
                    }
                    match offer(index) {
                        Ok(found) => self.found[index] = found,
                        Err(refused) => {
                            self.outside[index..end].fill(false);
                            self.found.truncate(index);
                            self.refused = Some(refused);
                            return;
                        }
                    }
                }
            }
        }
    }

    /// The steps outside of the stubborn sets are not taken.
    pub fn leave_out(&self, steps: &mut Successors) {
        (0..self.outside.len()).filter(|&index| self.outside[index]).for_each(|index| steps.leave_out(index));
    }
}
