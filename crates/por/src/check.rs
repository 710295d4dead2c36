//! Declared relations against what steps really do, in one state.
//!
//! Three things are checked. The footprint of every step lies within its static effects. An entity that is disabled stays
//! disabled after every step outside of each of its necessary enabling sets. Steps that do not depend on each other commute.
//! Tests do this in the states of random programs; `--audit` does it in the states of a user's model.

use crate::closure::{Closure, Dependence};
use std::collections::BTreeSet;
use tightrope_core::{Model, Step, Successors};
use tightrope_ir::effects::bits::Bits;

/// What an entity is known by in other states.
pub type Key = (u32, u32);

/// A state whose entities are checked.
pub struct Checked<'a> {
    pub model: &'a dyn Model,
    pub state: &'a [u8],
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

    /// Where the steps of a name lead from a state. None if one of them fails.
    fn after(&self, state: &[u8], action: u64, out: &mut Successors) -> Option<BTreeSet<Vec<u8>>> {
        self.model.successors(state, out);
        let of_name = (0..out.len()).filter(|&index| out.step(index).action == action);
        of_name.map(|index| out.state(index).filter(|_| out.fault(index).is_none()).map(<[u8]>::to_vec)).collect()
    }

    fn steps_commute(&self, closure: &Closure, dependence: &mut impl Dependence) -> Result<(), String> {
        let mut room = Successors::new();
        let actions: BTreeSet<u64> = self.out.steps().map(|step| step.action).collect();
        for (index, step) in closure.steps.iter().enumerate() {
            let action = self.out.step(index).action;
            let (mut depends, mut met) = (Bits::new(dependence.count()), Bits::new(dependence.count()));
            dependence.add_dependent(step.first as usize, &mut depends, &mut met);
            dependence.add_dependent(step.second as usize, &mut depends, &mut met);
            let Some(here) = self.after(self.state, action, &mut room) else { continue };
            for &other in actions.iter().filter(|&&other| other != action) {
                let first = self.out.steps().position(|step| step.action == other).expect("one of them");
                let their = closure.steps[first];
                if depends.contains(their.first as usize) || depends.contains(their.second as usize) {
                    continue;
                }
                let complain = |what: &str| {
                    let [one, two] =
                        [step.first, their.first].map(|entity| (self.words)(dependence.key(entity as usize)));
                    Err(format!("`{one}` does not depend on `{two}`, but {what}"))
                };
                let Some(there) = self.after(self.state, other, &mut room) else { continue };
                let mut this_first = BTreeSet::new();
                for state in &here {
                    this_first.extend(self.after(state, other, &mut room).unwrap_or_default());
                }
                for state in &there {
                    let Some(then) = self.after(state, action, &mut room) else {
                        return complain("fails after it");
                    };
                    if then.len() != here.len() {
                        return complain("has other outcomes after it");
                    }
                    if !then.is_subset(&this_first) {
                        return complain("they do not commute");
                    }
                }
            }
        }
        Ok(())
    }
}
