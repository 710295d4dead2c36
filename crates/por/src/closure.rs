//! Stubborn sets, by closure (Valmari 1991, "Stubborn sets for reduced state space generation").
//!
//! Entities are what steps are made of: rules with values for their parameters, or transitions of processes. A set of entities
//! is stubborn in a state if
//! - for every entity of it that is enabled there, it contains all entities that depend on it;
//! - for every entity of it that is disabled there, it contains a necessary enabling set: entities of which one must come
//!   first before the disabled one can be enabled;
//! - one of its entities is enabled.
//!
//! Whatever steps outside of the set happen first, the enabled entities inside stay enabled and lead to the same, and the
//! disabled ones stay disabled. So the steps of the set suffice to find all deadlocks; and all faults and goals, if the set
//! has no *visible* entity (one that may change what is asked about states), and if no step is put off for ever, which is
//! the business of a proviso (`proviso.rs`).
//!
//! A set is grown from each enabled entity in turn; the one with the fewest steps is taken, and of equal ones the first.

use crate::check::Key;
use tightrope_ir::effects::bits::Bits;

/// What a state says of its entities.
pub trait Dependence {
    /// How many entities there are.
    fn count(&self) -> usize;

    /// Adds to `set` all entities that depend on an enabled one. Those whose own needs are met by what was added may be
    /// marked in `met`.
    fn add_dependent(&mut self, entity: usize, set: &mut Bits, met: &mut Bits);

    /// Adds to `set` a necessary enabling set of a disabled entity; preferably one that adds few of the `enabled` ones.
    fn add_enabling(&mut self, entity: usize, set: &mut Bits, enabled: &Bits);

    /// All necessary enabling sets of a disabled entity that are considered.
    fn enabling_sets(&mut self, entity: usize, enabled: &Bits) -> Vec<Bits>;

    /// What an entity is known by in other states.
    fn key(&self, entity: usize) -> Key;

    /// Whether an entity may change what is asked about states.
    fn is_visible(&mut self, entity: usize) -> bool;
}

/// A step, as the entities that take part in it.
#[derive(Clone, Copy, Debug)]
pub struct Participants {
    /// The one that begins it.
    pub first: u32,
    /// The one that answers; the first again where there is none.
    pub second: u32,
    /// A set may be grown from it.
    pub seeds: bool,
}

/// Working space.
#[derive(Default)]
pub struct Closure {
    /// The steps of the state.
    pub steps: Vec<Participants>,
    /// The entities that take part in a step.
    enabled: Bits,
    /// For every enabled entity, the entities that it makes steps with: pairs, sorted.
    joint: Vec<(u32, u32)>,
    /// The set under way, and those of it whose needs are met.
    set: Bits,
    met: Bits,
    best: Bits,
}

impl Closure {
    /// Finds the stubborn set with the fewest steps that has one of those which lead on. None if there is none but the set of
    /// everything. Afterwards [`Closure::takes`] says which steps are in it.
    pub fn find(&mut self, dependence: &mut impl Dependence, leads_on: &[bool]) -> bool {
        self.enabled.reset(dependence.count());
        self.joint.clear();
        for step in &self.steps {
            self.enabled.insert(step.first as usize);
            self.enabled.insert(step.second as usize);
            if step.first != step.second {
                self.joint.extend([(step.first, step.second), (step.second, step.first)]);
            }
        }
        self.joint.sort_unstable();
        let mut least = self.steps.len();
        for index in 0..self.steps.len() {
            let Participants { first, seeds, .. } = self.steps[index];
            // A set that was grown from another entity of the same kind would be the same again.
            let is_new = self.steps[..index].iter().all(|before| before.first != first);
            if seeds && is_new && self.close(dependence, first as usize, least) && self.leads_on(leads_on) {
                least = self.steps_inside();
                std::mem::swap(&mut self.set, &mut self.best);
                if least == 1 {
                    break;
                }
            }
        }
        least < self.steps.len()
    }

    /// Whether a step is in the set that was found.
    pub fn takes(&self, step: usize) -> bool {
        let Participants { first, second, .. } = self.steps[step];
        self.best.contains(first as usize) || self.best.contains(second as usize)
    }

    /// Grows the set that has `seed` in it. False if it gets as many steps as are known to suffice, or a visible one.
    fn close(&mut self, dependence: &mut impl Dependence, seed: usize, least: usize) -> bool {
        self.set.reset(dependence.count());
        self.met.reset(dependence.count());
        self.set.insert(seed);
        while let Some(entity) = self.set.first_not_in(&self.met) {
            self.met.insert(entity);
            if self.enabled.contains(entity) {
                if dependence.is_visible(entity) {
                    return false;
                }
                let from = self.joint.partition_point(|&(one, _)| (one as usize) < entity);
                for &(_, other) in self.joint[from..].iter().take_while(|&&(one, _)| one as usize == entity) {
                    self.set.insert(other as usize);
                }
                dependence.add_dependent(entity, &mut self.set, &mut self.met);
            } else {
                dependence.add_enabling(entity, &mut self.set, &self.enabled);
            }
            if self.steps_inside() >= least {
                return false;
            }
        }
        true
    }

    fn inside(&self, step: &Participants) -> bool {
        self.set.contains(step.first as usize) || self.set.contains(step.second as usize)
    }

    /// How many steps the set under way has.
    fn steps_inside(&self) -> usize {
        self.steps.iter().filter(|step| self.inside(step)).count()
    }

    /// Whether a step of the set under way leads on.
    fn leads_on(&self, leads_on: &[bool]) -> bool {
        self.steps.iter().zip(leads_on).any(|(step, leads_on)| *leads_on && self.inside(step))
    }
}
