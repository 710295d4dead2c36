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
//! Which states are on the path is known by their hashes. Where two hashes are equal by chance, a state is taken for one on
//! the path: a step more is taken then, none less.
//!
//! Bytes: about a hundred for each state on the path, and with sleep sets the steps that sleep there or are still to be tried
//! with what they depend on. Nothing for other states.

use rustc_hash::{FxBuildHasher, FxHashSet};
use std::hash::BuildHasher;
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
    /// The hash of the state, if it was not on the path before.
    hash: Option<u64>,
    /// The step that led here; none for an initial state.
    arrival: Option<Sleeper>,
    asleep: Vec<Sleeper>,
    /// The steps that are still to be tried, the first one last.
    untried: Vec<Sleeper>,
    bytes: u64,
}

/// The hashes of the states on a path.
#[derive(Default)]
struct Path(FxHashSet<u64>);

impl Path {
    /// Whether a state is on it, to be on the safe side.
    fn has(&self, state: &[u8]) -> bool {
        self.0.contains(&FxBuildHasher.hash_one(state))
    }

    /// Adds a state. Gives its hash, to take it off again, if there was no such hash before.
    fn add(&mut self, state: &[u8]) -> Option<u64> {
        let hash = FxBuildHasher.hash_one(state);
        self.0.insert(hash).then_some(hash)
    }
}

/// The sleep sets of a path.
pub(crate) struct Sleep {
    beds: Vec<Bed>,
    path: Path,
    prints: Footprints,
    /// For the next state: the step that leads there, and what will sleep there.
    next: (Option<Sleeper>, Vec<Sleeper>),
    /// There are sleep sets, and only the steps that suffice are taken.
    sleeping: bool,
    stubborn: bool,
    /// Which steps of the state that was expanded last suffice; none where all are to be taken.
    chosen: Vec<bool>,
    /// Which of them are to be explored.
    wanted: Vec<bool>,
    holding: Holding,
}

impl Sleep {
    pub fn new(sleeping: bool, stubborn: bool, budget: &Arc<Budget>) -> Self {
        Sleep {
            sleeping,
            stubborn,
            chosen: Vec::new(),
            wanted: Vec::new(),
            beds: Vec::new(),
            path: Path::default(),
            prints: Footprints::new(),
            next: (None, Vec::new()),
            holding: Holding::new(budget.clone()),
        }
    }

    /// Makes the steps of a state.
    pub fn expand(&mut self, model: &dyn Model, state: &[u8], out: &mut Successors) {
        if !self.sleeping {
            model.successors(state, out);
        } else if !model.successors_with_footprints(state, out, &mut self.prints) {
            // Everything depends on everything.
            self.prints.clear();
            self.prints.add_up_to(out.len(), [Mark { thing: Thing::All, how: How::Write }]);
        }
        debug_assert!(!self.sleeping || self.prints.len() == out.len(), "every step has a footprint");
        self.chosen.clear();
        if self.stubborn {
            let back = |to: &[u8]| to == state || self.path.has(to);
            self.chosen.extend((0..out.len()).map(|index| out.state(index).is_some_and(|to| !back(to))));
            if !model.steps_that_suffice(state, out, 0, &mut self.chosen) {
                self.chosen.clear();
            }
        }
    }

    /// A state comes to the end of the path. With its steps, or none where it is not to be expanded.
    pub fn enter(&mut self, state: &[u8], out: Option<&Successors>) -> Result<(), OverBudget> {
        let hash = self.path.add(state);
        let (arrival, mut asleep) = std::mem::take(&mut self.next);
        let mut bytes = (size_of::<Bed>() + 32) as u64;
        let mut untried = Vec::new();
        self.wanted.clear();
        self.wanted.resize(out.map_or(0, Successors::len), false);
        for index in 0..self.wanted.len() {
            let Some((step, to)) = out.and_then(|out| Some((out.step(index), out.state(index)?))) else { continue };
            if self.chosen.get(index) == Some(&false) {
                continue;
            }
            match asleep.iter().position(|sleeper| sleeper.step == step) {
                Some(at) if self.path.has(to) => drop(asleep.swap_remove(at)),
                Some(_) => {}
                None => {
                    self.wanted[index] = true;
                    if self.sleeping {
                        let marks: Rc<[Mark]> = self.prints.of(index).into();
                        bytes += (3 * size_of::<Sleeper>() + 16 + size_of_val(&*marks)) as u64;
                        untried.push(Sleeper { step, marks, renames: self.prints.renames(index) });
                    }
                }
            }
        }
        bytes += (asleep.capacity() * size_of::<Sleeper>()) as u64;
        untried.reverse();
        let taken = self.holding.take(bytes);
        self.beds.push(Bed { hash, arrival, asleep, untried, bytes: if taken.is_ok() { bytes } else { 0 } });
        taken
    }

    /// Whether the step of that number of the state that was entered last is to be explored.
    pub fn wants(&self, index: usize) -> bool {
        self.wanted[index]
    }

    /// The next step of the last state is tried.
    pub fn try_next(&mut self) {
        let Some(bed) = self.beds.last_mut() else { return };
        let Some(step) = bed.untried.pop() else { return };
        let stays = |sleeper: &&Sleeper| !step.renames && independent(&sleeper.marks, &step.marks);
        let asleep = bed.asleep.iter().filter(stays).cloned().collect();
        self.next = (Some(step), asleep);
    }

    /// The step that was tried led to a state that is known.
    pub fn matched(&mut self, state: &[u8]) {
        let (step, _) = std::mem::take(&mut self.next);
        if let Some(step) = step.filter(|_| !self.path.has(state))
            && let Some(bed) = self.beds.last_mut()
        {
            bed.asleep.push(step);
        }
    }

    /// The last state leaves the path.
    pub fn leave(&mut self) {
        let Some(bed) = self.beds.pop() else { return };
        if let Some(hash) = bed.hash {
            self.path.0.remove(&hash);
        }
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
