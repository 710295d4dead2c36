//! The path of a depth-first search with partial-order reduction: sleep sets, stubborn sets, or both.
//!
//! **Sleep sets alone** are Algorithm 2 of Godefroid, Holzmann & Pirottin 1995 ("State-space caching revisited"). A step that was
//! explored from a state sleeps in the states that are reached from there by steps independent of it: after them it leads to
//! states that were reached by taking it first. All states are still visited, by fewer transitions. As in the algorithm, a
//! step is not put to sleep, and is woken, where it leads to a state on the path. Independence is that of the footprints of
//! steps in the state where they were found (Godefroid & Pirottin 1993); a step keeps its footprint while it sleeps, so that
//! footprints are made once for every state. After a step whose successor is renamed the sleep set is empty: there the same
//! names mean other steps.
//!
//! **Stubborn sets alone**: only the steps of a stubborn set are taken, of which one satisfies the proviso (`proviso.rs`).
//!
//! **Both**: the proof of Algorithm 2 needs that all interleavings of a path are explored, which stubborn sets do not. So the
//! sleep set of every visited state is stored. A state that is met again with a stored step awake is visited again, and its
//! sleep set is the intersection (Godefroid 1996, "Partial-Order Methods", ch. 5). The proviso asks for a step that satisfies
//! it and is awake.
//!
//! Bytes: about three hundred for each state on the path, and with sleep sets the steps that sleep there or are still to be tried,
//! with their footprints. For other states nothing, but for what `stored_sleep_sets.rs` takes with both reductions.

use crate::proviso::{PathProviso, PathStates};
use crate::sleep_sets::{SleepSetIndex, SleepStep};
use crate::stored_sleep_sets::StoredSleepSets;
use std::rc::Rc;
use std::sync::Arc;
use tightrope_core::{
    Access, AccessKind, Budget, Footprints, Model, Refused, Reservation, Resource, Scratch, StateId, Step, Successors,
    independent,
};

/// A state on the path.
struct StackEntry {
    /// What [`PathStates::leave`] needs.
    hash: Option<u64>,
    /// The step that led here; none for an initial state.
    arrival: Option<SleepStep>,
    sleep_set: Vec<SleepStep>,
    /// The steps that are still to be tried, the first one last.
    untried: Vec<SleepStep>,
    bytes: u64,
}

impl StackEntry {
    /// A step that was explored sleeps while the others are tried, if there are others.
    fn put_to_sleep(&mut self, step: SleepStep) {
        if !self.untried.is_empty() {
            self.sleep_set.push(step);
        }
    }
}

/// The path of a depth-first search with sleep sets, stubborn sets, or both.
pub struct PorStack {
    /// The states of the path, and their hashes.
    stack: Vec<StackEntry>,
    path: PathStates,
    proviso: &'static dyn PathProviso,
    footprints: Footprints,
    /// For the next state: the step that leads there, and its sleep set.
    next: (Option<SleepStep>, Vec<SleepStep>),
    sleep: bool,
    stubborn: bool,
    /// Which steps of the state that was expanded last satisfy the proviso, and which are in its stubborn set; the latter is
    /// empty where all steps are taken.
    satisfies_proviso: Vec<bool>,
    in_set: Vec<bool>,
    /// Which steps of the state that was entered last are explored: those in the stubborn set and awake.
    is_explored: Vec<bool>,
    /// With both reductions: the sleep sets of the visited states.
    stored: StoredSleepSets,
    scratch: Scratch,
    reservation: Reservation,
}

impl PorStack {
    /// With sleep sets, stubborn sets, or both.
    pub fn new(sleep: bool, stubborn: bool, proviso: &'static dyn PathProviso, budget: &Arc<Budget>) -> Self {
        PorStack {
            sleep,
            stubborn,
            satisfies_proviso: Vec::new(),
            in_set: Vec::new(),
            is_explored: Vec::new(),
            stack: Vec::new(),
            path: PathStates::default(),
            proviso,
            footprints: Footprints::new(),
            next: (None, Vec::new()),
            stored: StoredSleepSets::new(budget),
            scratch: Scratch::default(),
            reservation: Reservation::new(budget.clone()),
        }
    }

    /// Expands the state that comes next to the end of the path, and computes its stubborn set.
    pub fn expand(&mut self, model: &dyn Model, state: &[u8], out: &mut Successors) {
        if !self.sleep {
            model.successors(state, out);
        } else if !model.successors_with_footprints(state, out, &mut self.footprints) {
            // All steps depend on each other.
            self.footprints.clear();
            self.footprints.add_up_to(out.len(), [Access { resource: Resource::All, kind: AccessKind::Write }]);
        }
        self.in_set.clear();
        if out.refused().is_some() {
            // There was no room for all of them; the search does not use the others.
            return;
        }
        debug_assert!(!self.sleep || self.footprints.len() == out.len(), "every step has a footprint");
        if self.stubborn {
            let sleeping = SleepSetIndex::new(&self.next.1);
            let is_asleep = |step: Step| sleeping.position(step).is_some();
            let satisfies = |to: &[u8]| to != state && self.proviso.is_satisfied(to, &self.path);
            let satisfies_proviso =
                |index: usize| out.state(index).is_some_and(satisfies) && !(self.sleep && is_asleep(out.step(index)));
            self.satisfies_proviso.clear();
            self.satisfies_proviso.extend((0..out.len()).map(satisfies_proviso));
            let steps = (&*out, 0);
            if !model.stubborn_set(state, steps, &self.satisfies_proviso, &mut self.in_set, &mut self.scratch) {
                self.in_set.clear();
            }
        }
    }

    /// A state comes to the end of the path. With its steps, or none where it is not to be expanded.
    pub fn enter(&mut self, id: StateId, state: &[u8], out: Option<&Successors>) -> Result<(), Refused> {
        let hash = self.path.enter(state);
        let (arrival, mut sleep_set) = std::mem::take(&mut self.next);
        if self.sleep && self.stubborn {
            self.stored.store(id, &mut sleep_set)?;
        }
        // Vectors that grow take up to twice what is in them.
        let mut bytes = (2 * size_of::<StackEntry>() + 32) as u64;
        let mut untried: Vec<SleepStep> = Vec::new();
        let sleeping = SleepSetIndex::new(&sleep_set);
        let mut woken = Vec::new();
        self.is_explored.clear();
        self.is_explored.resize(out.map_or(0, Successors::len), false);
        for index in 0..self.is_explored.len() {
            let Some((step, to)) = out.and_then(|out| Some((out.step(index), out.state(index)?))) else { continue };
            if self.in_set.get(index) == Some(&false) {
                continue;
            }
            match sleeping.position(step) {
                Some(at) if self.path.contains(to) => woken.push(at),
                Some(_) => {}
                None => {
                    self.is_explored[index] = true;
                    if self.sleep {
                        let footprint = self.footprints.of(index);
                        // Outcomes of one step share their footprint.
                        let footprint = match untried.last() {
                            Some(before) if *before.footprint == *footprint => before.footprint.clone(),
                            _ => {
                                bytes += (32 + size_of_val(footprint)) as u64;
                                footprint.into()
                            }
                        };
                        untried.push(SleepStep { step, footprint, renames: self.footprints.renames(index) });
                    }
                }
            }
        }
        drop(sleeping);
        woken.sort_unstable();
        woken.dedup();
        woken.iter().rev().for_each(|&at| drop(sleep_set.swap_remove(at)));
        untried.shrink_to_fit();
        untried.reverse();
        let mut steps = sleep_set.capacity() + untried.len();
        if untried.len() > 1 {
            // Those that were tried will sleep while others are.
            steps += (sleep_set.len() + untried.len()).next_power_of_two().max(4);
        }
        bytes += (steps * size_of::<SleepStep>() + 32) as u64;
        let taken = self.reservation.take(bytes);
        self.stack.push(StackEntry { hash, arrival, sleep_set, untried, bytes: if taken.is_ok() { bytes } else { 0 } });
        taken
    }

    /// Whether a step of the state that was entered last is to be explored.
    pub fn wants(&self, index: usize) -> bool {
        self.is_explored[index]
    }

    /// The next step of the last state is tried.
    pub fn try_next(&mut self) {
        let Some(last) = self.stack.last_mut() else { return };
        let Some(step) = last.untried.pop() else { return };
        let mut sleep_set = Vec::new();
        if !step.renames {
            // Outcomes of one step share their footprint.
            let mut compared: Option<(&Rc<[Access]>, bool)> = None;
            for sleeping in &last.sleep_set {
                let is_independent = match compared {
                    Some((footprint, result)) if Rc::ptr_eq(footprint, &sleeping.footprint) => result,
                    _ => independent(&sleeping.footprint, &step.footprint),
                };
                compared = Some((&sleeping.footprint, is_independent));
                if is_independent {
                    sleep_set.push(sleeping.clone());
                }
            }
        }
        self.next = (Some(step), sleep_set);
    }

    /// The step that was tried led to a stored state. True if that is to be visited again: a step of its stored sleep set is
    /// awake now.
    #[must_use]
    pub fn matched(&mut self, id: StateId, state: &[u8]) -> bool {
        if let Some(stored) = self.stored.get(id) {
            let sleep_set = &mut self.next.1;
            let sleeping = SleepSetIndex::new(sleep_set);
            let kept: Vec<usize> = stored.iter().filter_map(|step| sleeping.position(*step)).collect();
            if kept.len() < stored.len() {
                drop(sleeping);
                *sleep_set = kept.into_iter().map(|at| sleep_set[at].clone()).collect();
                return true;
            }
        }
        let (step, _) = std::mem::take(&mut self.next);
        if let Some(step) = step.filter(|_| !self.path.contains(state))
            && let Some(last) = self.stack.last_mut()
        {
            last.put_to_sleep(step);
        }
        false
    }

    /// A state gets a new id, which is valid from [`PorStack::finish_remapping`] on.
    pub fn remap(&mut self, old: StateId, new: StateId) {
        self.stored.remap(old, new);
    }

    /// All states have their new ids.
    pub fn finish_remapping(&mut self) {
        self.stored.finish_remapping();
    }

    /// The last state leaves the path.
    pub fn leave(&mut self) {
        let Some(last) = self.stack.pop() else { return };
        self.path.leave(last.hash);
        self.reservation.give_back(last.bytes);
        if let (Some(before), Some(step)) = (self.stack.last_mut(), last.arrival) {
            before.put_to_sleep(step);
        }
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> u64 {
        self.reservation.bytes() + self.stored.bytes()
    }
}
