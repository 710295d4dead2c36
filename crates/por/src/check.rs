//! Declared relations against what steps really do, in one state.
//!
//! Three things are checked. The footprint of every step lies within its static effects. An entity that is disabled stays
//! disabled after every step outside of each of its necessary enabling sets. Steps that do not depend on each other commute.
//! Tests do this in the states of random programs; `--audit` does it in the states of a user's model.

use crate::closure::{Closure, Dependence};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;
use tightrope_core::{Model, Step, Successors};
use tightrope_ir::effects::bits::Bits;

/// What an entity is known by in other states.
pub type Key = (u32, u32);

/// A state whose entities are checked.
pub struct Checked<'a> {
    pub model: &'a dyn Model,
    pub out: &'a Successors,
    /// The entities of a step.
    pub keys: &'a dyn Fn(Step) -> [Key; 2],
    /// Whether a state is one in which a `timeout` is true.
    pub is_timeout: &'a dyn Fn(&Successors) -> bool,
    /// An entity in words.
    pub words: &'a dyn Fn(Key) -> String,
}

/// A set with all that stubborn sets have with it.
fn closed(closure: &Closure, dependence: &mut impl Dependence, mut set: Bits, enabled: &Bits) -> Bits {
    let mut met = Bits::new(dependence.count());
    while let Some(entity) = set.first_not_in(&met) {
        met.insert(entity);
        if !enabled.contains(entity) {
            dependence.add_enabling(entity, &mut set, enabled);
            continue;
        }
        for step in closure.steps.iter().filter(|step| [step.first, step.second].contains(&(entity as u32))) {
            set.insert(step.first as usize);
            set.insert(step.second as usize);
        }
        dependence.add_dependent(entity, &mut set, &mut met);
    }
    set
}

impl Checked<'_> {
    /// Checks the entities of a state.
    pub fn check(&self, closure: &Closure, dependence: &mut impl Dependence) -> Result<(), String> {
        let mut enabled = Bits::new(dependence.count());
        for step in &closure.steps {
            enabled.insert(step.first as usize);
            enabled.insert(step.second as usize);
        }
        let mut after = Successors::new();
        for (index, step) in closure.steps.iter().enumerate() {
            let Some(to) = self.out.state(index) else { continue };
            self.model.successors(to, &mut after);
            if (self.is_timeout)(&after) {
                continue;
            }
            let enabled_there: BTreeSet<Key> = after.steps().flat_map(|step| (self.keys)(step)).collect();
            for entity in (0..dependence.count()).filter(|&entity| !enabled.contains(entity)) {
                if !enabled_there.contains(&dependence.key(entity)) {
                    continue;
                }
                let outside = |set: &Bits| !set.contains(step.first as usize) && !set.contains(step.second as usize);
                let sets = dependence.enabling_sets(entity, &enabled);
                // A partner in a handshake brings in what it needs.
                if sets.into_iter().any(|set| outside(&set) && outside(&closed(closure, dependence, set, &enabled))) {
                    let by = (self.words)(dependence.key(step.first as usize));
                    let what = (self.words)(dependence.key(entity));
                    return Err(format!("`{what}` is enabled by `{by}`, which is not in its necessary enabling set"));
                }
            }
        }
        self.steps_commute(closure, dependence)
    }

    fn steps_commute(&self, closure: &Closure, dependence: &mut impl Dependence) -> Result<(), String> {
        let nowhere = Outcome::default();
        let here = Outcomes::of(self.out);
        let mut after = After { model: self.model, out: self.out, known: vec![None; self.out.len()], kept: 0 };
        let leading = |action: u64| (0..self.out.len()).filter(move |&index| self.out.step(index).action == action);
        for (index, step) in closure.steps.iter().enumerate() {
            let action = self.out.step(index).action;
            let (mut depends, mut met) = (Bits::new(dependence.count()), Bits::new(dependence.count()));
            dependence.add_dependent(step.first as usize, &mut depends, &mut met);
            dependence.add_dependent(step.second as usize, &mut depends, &mut met);
            if here.of_action[&action].fails {
                continue;
            }
            let after_this: Vec<Rc<Outcomes>> = leading(action).map(|index| after.outcomes(index)).collect();
            for (&other, outcome) in here.of_action.iter().filter(|&(&other, _)| other != action) {
                let their = closure.steps[outcome.first];
                if outcome.fails || depends.contains(their.first as usize) || depends.contains(their.second as usize) {
                    continue;
                }
                let complain = |what: &str| {
                    let [one, two] =
                        [step.first, their.first].map(|entity| (self.words)(dependence.key(entity as usize)));
                    Err(format!("`{one}` does not depend on `{two}`, but {what}"))
                };
                let this_first: BTreeSet<u64> = after_this
                    .iter()
                    .filter_map(|after| after.of_action.get(&other))
                    .flat_map(|outcome| outcome.states.iter().copied())
                    .collect();
                for index in leading(other) {
                    let then = after.outcomes(index);
                    let then = then.of_action.get(&action).unwrap_or(&nowhere);
                    if then.fails {
                        return complain("fails after it");
                    }
                    if then.states.len() != here.of_action[&action].states.len() {
                        return complain("has other outcomes after it");
                    }
                    if !then.states.is_subset(&this_first) {
                        return complain("they do not commute");
                    }
                }
            }
        }
        Ok(())
    }
}

/// Where the steps of one action lead from a state: hashes of the states, those of steps that fail left out; the first of the
/// steps; and whether one fails.
#[derive(Default)]
struct Outcome {
    states: BTreeSet<u64>,
    first: usize,
    fails: bool,
}

/// Where the steps of a state lead.
struct Outcomes {
    of_action: BTreeMap<u64, Outcome>,
}

impl Outcomes {
    fn of(out: &Successors) -> Outcomes {
        let mut of_action: BTreeMap<u64, Outcome> = BTreeMap::new();
        for index in 0..out.len() {
            let fresh = || Outcome { first: index, ..Outcome::default() };
            let outcome = of_action.entry(out.step(index).action).or_insert_with(fresh);
            match out.state(index).filter(|_| out.fault(index).is_none()) {
                Some(to) => {
                    let mut hasher = DefaultHasher::new();
                    to.hash(&mut hasher);
                    outcome.states.insert(hasher.finish());
                }
                None => outcome.fails = true,
            }
        }
        Outcomes { of_action }
    }
}

/// So many outcomes are kept; where there are more, states are expanded again.
const MOST_KEPT: usize = 50_000;

/// Where the steps of the successors of a state lead.
struct After<'a> {
    model: &'a dyn Model,
    out: &'a Successors,
    known: Vec<Option<Rc<Outcomes>>>,
    kept: usize,
}

impl After<'_> {
    fn outcomes(&mut self, index: usize) -> Rc<Outcomes> {
        if let Some(known) = &self.known[index] {
            return known.clone();
        }
        let mut out = Successors::new();
        if let Some(state) = self.out.state(index) {
            self.model.successors(state, &mut out);
        }
        let outcomes = Rc::new(Outcomes::of(&out));
        if self.kept + out.len() <= MOST_KEPT {
            self.kept += out.len();
            self.known[index] = Some(outcomes.clone());
        }
        outcomes
    }
}
