//! Partial orders along the path of a depth-first search: sleep sets, and stubborn sets with the stack proviso.
//!
//! **Sleep sets alone** are Algorithm 2 of Godefroid, Holzmann & Pirottin 1995 ("State-space caching revisited"). A step that
//! was explored from a state sleeps in the states that are reached from there by steps that are independent of it: taking it
//! there would only lead to where taking it first has led. All states are still visited; they are reached on fewer paths. The
//! algorithm's three lines about the stack are here: a step is not put to sleep, and is woken, where it leads to a state on the
//! path. Independence is that of the footprints of steps in the state where they were found; a step keeps its footprint
//! wherever it sleeps, so that footprints are made once for every state. Where the state that a step leads to is renamed, nothing
//! is asleep: names of steps mean others there.
//!
//! **Stubborn sets alone**: only the steps of a set are taken, of which one satisfies the [`StackProviso`].
//!
//! **Both**: a state may be reached for the first time with steps asleep that are awake the next time. What Algorithm 2 relies on,
//! that all commutations of a path are explored, is not true of the reduced state space. So the steps that were asleep when a
//! state was visited are stored, and a state that is met again with one of them awake is visited again, with those asleep that
//! were so both times (Godefroid 1996, "Partial-Order Methods", ch. 5). The proviso asks for a step that satisfies it and is
//! awake. Where states have no names nothing sleeps.
//!
//! Bytes: about three hundred for each state on the path, and with sleep sets the steps that sleep there or are still to be tried,
//! with their footprints. For other states nothing; with both reductions 48 and 16 for each step that was asleep.

use crate::proviso::StackProviso;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;
use tightrope_core::{
    Budget, Footprints, Holding, How, Mark, Model, OverBudget, Scratch, StateId, Step, Successors, Thing,
    ask_for_memory, independent,
};

/// A step, and its footprint.
#[derive(Clone)]
struct Sleeping {
    step: Step,
    marks: Rc<[Mark]>,
    /// Names of steps mean others where it led.
    renames: bool,
}

/// Up to so many steps asleep are looked through one by one.
const FEW: usize = 16;

/// Where steps are in a sleep set: with thousands of outcomes of one atomic step they are not looked through each time.
enum Positions<'s> {
    Few(&'s [Sleeping]),
    Many(FxHashMap<Step, usize>),
}

impl<'s> Positions<'s> {
    fn new(asleep: &'s [Sleeping]) -> Self {
        match asleep.len() {
            0..=FEW => Positions::Few(asleep),
            _ => Positions::Many(asleep.iter().enumerate().map(|(at, sleeping)| (sleeping.step, at)).collect()),
        }
    }

    fn of(&self, step: Step) -> Option<usize> {
        match self {
            Positions::Few(asleep) => asleep.iter().position(|sleeping| sleeping.step == step),
            Positions::Many(positions) => positions.get(&step).copied(),
        }
    }
}

/// A state on the path.
struct Frame {
    /// What takes the state off the path.
    hash: Option<u64>,
    /// The step that led here; none for an initial state.
    arrival: Option<Sleeping>,
    asleep: Vec<Sleeping>,
    /// The steps that are still to be tried, the first one last.
    untried: Vec<Sleeping>,
    bytes: u64,
}

impl Frame {
    /// A step that was explored sleeps while the others are tried, if there are others.
    fn put_to_sleep(&mut self, step: Sleeping) {
        if !self.untried.is_empty() {
            self.asleep.push(step);
        }
    }
}

/// What is left out along the path of a depth-first search.
pub struct PorStack {
    frames: Vec<Frame>,
    path: StackProviso,
    prints: Footprints,
    /// For the next state: the step that leads there, and what will sleep there.
    next: (Option<Sleeping>, Vec<Sleeping>),
    sleep: bool,
    stubborn: bool,
    /// Which steps of the state that was expanded last satisfy the proviso, and which are in its stubborn set; the latter is
    /// empty where all are to be taken.
    leads_on: Vec<bool>,
    chosen: Vec<bool>,
    /// Which of them are to be explored.
    wanted: Vec<bool>,
    /// With both reductions: of every state that was visited with steps asleep, which.
    stored: FxHashMap<StateId, Box<[Step]>>,
    /// The same under new names, while the store names its states anew.
    renamed: FxHashMap<StateId, Box<[Step]>>,
    /// The bytes of the table of `stored`.
    table: u64,
    scratch: Scratch,
    holding: Holding,
}

impl PorStack {
    /// With sleep sets, stubborn sets, or both.
    pub fn new(sleep: bool, stubborn: bool, budget: &Arc<Budget>) -> Self {
        PorStack {
            sleep,
            stubborn,
            leads_on: Vec::new(),
            chosen: Vec::new(),
            wanted: Vec::new(),
            frames: Vec::new(),
            path: StackProviso::default(),
            prints: Footprints::new(),
            next: (None, Vec::new()),
            stored: FxHashMap::default(),
            renamed: FxHashMap::default(),
            table: 0,
            scratch: Scratch::default(),
            holding: Holding::new(budget.clone()),
        }
    }

    /// Makes the steps of the state that comes next to the end of the path.
    pub fn expand(&mut self, model: &dyn Model, state: &[u8], out: &mut Successors) {
        if !self.sleep {
            model.successors(state, out);
        } else if !model.successors_with_footprints(state, out, &mut self.prints) {
            // Everything depends on everything.
            self.prints.clear();
            self.prints.add_up_to(out.len(), [Mark { thing: Thing::All, how: How::Write }]);
        }
        self.chosen.clear();
        if out.refused().is_some() {
            // There was no room for all of them, and nobody will look at the others.
            return;
        }
        debug_assert!(!self.sleep || self.prints.len() == out.len(), "every step has a footprint");
        if self.stubborn {
            let positions = Positions::new(&self.next.1);
            let asleep = |step: Step| positions.of(step).is_some();
            let satisfies = |to: &[u8]| to != state && self.path.is_satisfied(to);
            let leads_on =
                |index: usize| out.state(index).is_some_and(satisfies) && !(self.sleep && asleep(out.step(index)));
            self.leads_on.clear();
            self.leads_on.extend((0..out.len()).map(leads_on));
            let steps = (&*out, 0);
            if !model.stubborn_set(state, steps, &self.leads_on, &mut self.chosen, &mut self.scratch) {
                self.chosen.clear();
            }
        }
    }

    /// A state comes to the end of the path. With its steps, or none where it is not to be expanded.
    pub fn enter(&mut self, id: StateId, state: &[u8], out: Option<&Successors>) -> Result<(), OverBudget> {
        let hash = self.path.enter(state);
        let (arrival, mut asleep) = std::mem::take(&mut self.next);
        if self.sleep && self.stubborn {
            self.store(id, &mut asleep)?;
        }
        // Vectors that grow take up to twice what is in them.
        let mut bytes = (2 * size_of::<Frame>() + 32) as u64;
        let mut untried: Vec<Sleeping> = Vec::new();
        let positions = Positions::new(&asleep);
        let mut woken = Vec::new();
        self.wanted.clear();
        self.wanted.resize(out.map_or(0, Successors::len), false);
        for index in 0..self.wanted.len() {
            let Some((step, to)) = out.and_then(|out| Some((out.step(index), out.state(index)?))) else { continue };
            if self.chosen.get(index) == Some(&false) {
                continue;
            }
            match positions.of(step) {
                Some(at) if !self.path.is_satisfied(to) => woken.push(at),
                Some(_) => {}
                None => {
                    self.wanted[index] = true;
                    if self.sleep {
                        let marks = self.prints.of(index);
                        // Outcomes of one step have footprints alike.
                        let marks = match untried.last() {
                            Some(before) if *before.marks == *marks => before.marks.clone(),
                            _ => {
                                bytes += (32 + size_of_val(marks)) as u64;
                                marks.into()
                            }
                        };
                        untried.push(Sleeping { step, marks, renames: self.prints.renames(index) });
                    }
                }
            }
        }
        drop(positions);
        woken.sort_unstable();
        woken.dedup();
        woken.iter().rev().for_each(|&at| drop(asleep.swap_remove(at)));
        untried.shrink_to_fit();
        untried.reverse();
        let mut sleeping = asleep.capacity() + untried.len();
        if untried.len() > 1 {
            // Those that were tried will sleep while others are.
            sleeping += (asleep.len() + untried.len()).next_power_of_two().max(4);
        }
        bytes += (sleeping * size_of::<Sleeping>() + 32) as u64;
        let taken = self.holding.take(bytes);
        self.frames.push(Frame { hash, arrival, asleep, untried, bytes: if taken.is_ok() { bytes } else { 0 } });
        taken
    }

    /// Notes what is asleep in a state that is visited.
    fn store(&mut self, id: StateId, asleep: &mut Vec<Sleeping>) -> Result<(), OverBudget> {
        if id == StateId::NAMELESS {
            asleep.clear();
            return Ok(());
        }
        if let Some(before) = self.stored.remove(&id) {
            self.holding.give_back(stored_bytes(&before));
        }
        if !asleep.is_empty() {
            let steps: Box<[Step]> = asleep.iter().map(|sleeping| sleeping.step).collect();
            self.make_room()?;
            self.holding.take(stored_bytes(&steps))?;
            self.stored.insert(id, steps);
        }
        Ok(())
    }

    /// Makes room for one more state with steps asleep. The account has room for two tables, since there are two while states are
    /// named anew, and that is when memory is short.
    fn make_room(&mut self) -> Result<(), OverBudget> {
        let len = self.stored.len();
        if len < self.stored.capacity() {
            return Ok(());
        }
        let more = len.max(4);
        let table = table_bytes(len + more).max(self.table);
        let asked = 2 * table;
        self.holding.take(asked)?;
        if ask_for_memory(|| self.stored.try_reserve(more)).is_err() {
            self.holding.give_back(asked);
            return Err(OverBudget { asked, left: 0 });
        }
        self.holding.give_back(2 * self.table);
        self.table = table;
        Ok(())
    }

    /// Whether the step of that number of the state that was entered last is to be explored.
    pub fn wants(&self, index: usize) -> bool {
        self.wanted[index]
    }

    /// The next step of the last state is tried.
    pub fn try_next(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        let Some(step) = frame.untried.pop() else { return };
        let mut asleep = Vec::new();
        if !step.renames {
            let mut last: Option<(&Rc<[Mark]>, bool)> = None;
            for sleeping in &frame.asleep {
                let stays = match last {
                    Some((marks, stays)) if Rc::ptr_eq(marks, &sleeping.marks) => stays,
                    _ => independent(&sleeping.marks, &step.marks),
                };
                last = Some((&sleeping.marks, stays));
                if stays {
                    asleep.push(sleeping.clone());
                }
            }
        }
        self.next = (Some(step), asleep);
    }

    /// The step that was tried led to a state that is stored. Whether that has to be visited again: something was asleep there
    /// that is awake now.
    #[must_use]
    pub fn matched(&mut self, id: StateId, state: &[u8]) -> bool {
        if let Some(stored) = self.stored.get(&id) {
            let asleep = &mut self.next.1;
            let positions = Positions::new(asleep);
            let kept: Vec<usize> = stored.iter().filter_map(|step| positions.of(*step)).collect();
            if kept.len() < stored.len() {
                drop(positions);
                *asleep = kept.into_iter().map(|at| asleep[at].clone()).collect();
                return true;
            }
        }
        let (step, _) = std::mem::take(&mut self.next);
        if let Some(step) = step.filter(|_| self.path.is_satisfied(state))
            && let Some(frame) = self.frames.last_mut()
        {
            frame.put_to_sleep(step);
        }
        false
    }

    /// A state has a new name, which counts when all have theirs ([`PorStack::end_renaming`]).
    pub fn rename(&mut self, old: StateId, new: StateId) {
        if let Some(steps) = self.stored.remove(&old) {
            self.renamed.reserve(if self.renamed.is_empty() { self.stored.len() + 1 } else { 1 });
            self.renamed.insert(new, steps);
        }
    }

    /// All states have their new names.
    pub fn end_renaming(&mut self) {
        self.stored = std::mem::take(&mut self.renamed);
    }

    /// The last state leaves the path.
    pub fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        self.path.leave(frame.hash);
        self.holding.give_back(frame.bytes);
        if let (Some(before), Some(step)) = (self.frames.last_mut(), frame.arrival) {
            before.put_to_sleep(step);
        }
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> u64 {
        self.holding.bytes()
    }
}

/// The bytes of what is stored with a state, outside of the table.
fn stored_bytes(steps: &[Step]) -> u64 {
    (32 + size_of_val(steps)) as u64
}

/// The bytes of a hash table for so many states: an eighth of its buckets stays empty, and each has a byte more.
fn table_bytes(states: usize) -> u64 {
    let buckets = (states * 8 / 7 + 1).next_power_of_two();
    (buckets * (size_of::<(StateId, Box<[Step]>)>() + 1) + 32) as u64
}
