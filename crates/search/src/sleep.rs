//! Sleep sets, for depth-first search: Algorithm 2 of Godefroid, Holzmann & Pirottin 1995 ("State-space caching
//! revisited").
//!
//! A step that was explored from a state sleeps in the states that are reached from there by steps that are independent of
//! it: taking it there would only lead to where taking it first has led. All states are still visited; they are reached
//! on fewer ways. What a step depends on is what it did in the state where it was found, and it does the same wherever it
//! sleeps, so that footprints are made once for every state.
//!
//! Where the state that a step leads to is renamed, nothing is asleep: names of steps mean others there.
//!
//! The algorithm's three lines about the stack are here: a step is not put to sleep, and is woken, where it leads to a state
//! on the path.
//!
//! Besides, or instead, only the steps that suffice are taken ([`Model::steps_that_suffice`]). So that no step is put off for
//! ever along a circle, one of them has to lead to where the path is not yet; where there are no such steps, all are taken.
//!
//! Bytes: for each state on the path its own, and the steps that sleep there or are still to be tried with what they
//! depend on. Nothing for other states.

use rustc_hash::FxHashSet;
use std::rc::Rc;
use std::sync::Arc;
use tightrope_core::{Budget, Footprints, Holding, How, Mark, Model, OverBudget, Step, Successors, Thing, independent};

/// A step, and what it depends on.
#[derive(Clone)]
struct Sleeper {
    step: Step,
    marks: Rc<[Mark]>,
    /// Names of steps mean others where it led.
    renames: bool,
}

/// What there is for a state on the path.
struct Bed {
    state: Rc<[u8]>,
    /// The step that led here; none for an initial state.
    arrival: Option<Sleeper>,
    asleep: Vec<Sleeper>,
    /// The steps that are still to be tried, the first one last.
    untried: Vec<Sleeper>,
    bytes: u64,
}

/// The sleep sets of a path.
pub(crate) struct Sleep {
    beds: Vec<Bed>,
    on_path: FxHashSet<Rc<[u8]>>,
    prints: Footprints,
    /// For the next state: the step that leads there, and what will sleep there.
    next: (Option<Sleeper>, Vec<Sleeper>),
    /// There are sleep sets, and only the steps that suffice are taken.
    sleeping: bool,
    stubborn: bool,
    /// Which steps of the state that was expanded last suffice; none where all are to be taken.
    chosen: Vec<bool>,
    holding: Holding,
}

impl Sleep {
    pub fn new(sleeping: bool, stubborn: bool, budget: &Arc<Budget>) -> Self {
        Sleep {
            sleeping,
            stubborn,
            chosen: Vec::new(),
            beds: Vec::new(),
            on_path: FxHashSet::default(),
            prints: Footprints::new(),
            next: (None, Vec::new()),
            holding: Holding::new(budget.clone()),
        }
    }

    /// Makes the steps of a state.
    pub fn expand(&mut self, model: &dyn Model, state: &[u8], out: &mut Successors) {
        if !self.sleeping {
            model.successors(state, out);
            self.prints.clear();
            self.prints.add_up_to(out.len(), []);
        } else if !model.successors_with_footprints(state, out, &mut self.prints) {
            // Everything depends on everything.
            self.prints.clear();
            self.prints.add_up_to(out.len(), [Mark { thing: Thing::All, how: How::Write }]);
        }
        debug_assert_eq!(self.prints.len(), out.len(), "every step has a footprint");
        self.chosen.clear();
        if self.stubborn {
            let back = |to: &[u8]| to == state || self.on_path.contains(to);
            self.chosen.extend((0..out.len()).map(|index| out.state(index).is_some_and(|to| !back(to))));
            if !model.steps_that_suffice(state, out, 0, &mut self.chosen) {
                self.chosen.clear();
            }
        }
    }

    /// A state comes to the end of the path. With its steps, or none where it is not to be expanded.
    pub fn enter(&mut self, state: &[u8], out: Option<&Successors>) -> Result<(), OverBudget> {
        let state: Rc<[u8]> = state.into();
        let (arrival, mut asleep) = std::mem::take(&mut self.next);
        let mut bytes = (size_of::<Bed>() + 64 + state.len()) as u64;
        self.on_path.insert(state.clone());
        let mut untried = Vec::new();
        for index in 0..out.map_or(0, Successors::len) {
            let Some((step, to)) = out.and_then(|out| Some((out.step(index), out.state(index)?))) else { continue };
            if self.chosen.get(index) == Some(&false) {
                continue;
            }
            match asleep.iter().position(|sleeper| sleeper.step == step) {
                Some(at) if self.on_path.contains(to) => drop(asleep.swap_remove(at)),
                Some(_) => {}
                None => {
                    let marks: Rc<[Mark]> = self.prints.of(index).into();
                    bytes += (3 * size_of::<Sleeper>() + 16 + size_of_val(&*marks)) as u64;
                    untried.push(Sleeper { step, marks, renames: self.prints.renames(index) });
                }
            }
        }
        bytes += (asleep.capacity() * size_of::<Sleeper>()) as u64;
        untried.reverse();
        let taken = self.holding.take(bytes);
        self.beds.push(Bed { state, arrival, asleep, untried, bytes: if taken.is_ok() { bytes } else { 0 } });
        taken
    }

    /// Whether a step of the last state on the path is to be explored.
    pub fn wants(&self, step: Step) -> bool {
        self.beds.last().is_some_and(|bed| bed.untried.iter().any(|one| one.step == step))
    }

    /// The next step of the last state is tried.
    pub fn try_next(&mut self) {
        let Some(bed) = self.beds.last_mut() else { return };
        let Some(step) = bed.untried.pop() else { return };
        if !self.sleeping {
            return;
        }
        let stays = |sleeper: &&Sleeper| !step.renames && independent(&sleeper.marks, &step.marks);
        let asleep = bed.asleep.iter().filter(stays).cloned().collect();
        self.next = (Some(step), asleep);
    }

    /// The step that was tried led to a state that is known.
    pub fn matched(&mut self, state: &[u8]) {
        let (step, _) = std::mem::take(&mut self.next);
        if let (Some(bed), Some(step)) = (self.beds.last_mut(), step)
            && !self.on_path.contains(state)
        {
            bed.asleep.push(step);
        }
    }

    /// The last state leaves the path.
    pub fn leave(&mut self) {
        let Some(bed) = self.beds.pop() else { return };
        self.on_path.remove(&bed.state);
        self.holding.give_back(bed.bytes);
        if let (Some(before), Some(step)) = (self.beds.last_mut(), bed.arrival) {
            before.asleep.push(step);
        }
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> u64 {
        self.holding.bytes()
    }
}
