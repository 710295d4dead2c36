//! Whether necessary enabling sets and independence are what they claim to be.

use crate::stubborn::{Closure, DependencyRelation, Participants, TransitionId};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;
use tightrope_core::{Model, Step, Successors};
use tightrope_ir::effects::bits::Bits;

/// The audit of the relations between the transitions of a state.
pub struct RelationAudit<'a> {
    pub model: &'a dyn Model,
    pub steps: &'a Successors,
    /// The transitions that take part in a step.
    pub participants: &'a dyn Fn(Step) -> [TransitionId; 2],
    /// Whether steps are not compared, because a `timeout` is among them.
    pub has_timeout: &'a dyn Fn(&Successors) -> bool,
    /// A transition in words.
    pub describe: &'a dyn Fn(TransitionId) -> String,
}

/// A set with all that a stubborn set must contain with it.
fn closed_set(closure: &Closure, relation: &mut impl DependencyRelation, mut set: Bits, enabled: &Bits) -> Bits {
    let mut closed = Bits::new(relation.count());
    while let Some(transition) = set.first_not_in(&closed) {
        closed.insert(transition);
        if !enabled.contains(transition) {
            relation.add_necessary_enabling_set(transition, &mut set, enabled);
            continue;
        }
        let takes_part = |step: &&Participants| [step.initiator, step.partner].contains(&(transition as u32));
        for step in closure.steps.iter().filter(takes_part) {
            set.insert(step.initiator as usize);
            set.insert(step.partner as usize);
        }
        relation.add_dependent(transition, &mut set, &mut closed);
    }
    set
}

impl RelationAudit<'_> {
    /// Checks all relations of the state. The error names a transition and what is wrong with it.
    pub fn check(&self, closure: &Closure, relation: &mut impl DependencyRelation) -> Result<(), String> {
        self.enabling_sets_are_necessary(closure, relation)?;
        self.independent_steps_commute(closure, relation)
    }

    /// For every transition that a step enables: each of its necessary enabling sets contains a participant of the step, or its
    /// closure does.
    fn enabling_sets_are_necessary(
        &self,
        closure: &Closure,
        relation: &mut impl DependencyRelation,
    ) -> Result<(), String> {
        let mut enabled = Bits::new(relation.count());
        for step in &closure.steps {
            enabled.insert(step.initiator as usize);
            enabled.insert(step.partner as usize);
        }
        let mut next = Successors::new();
        for (index, step) in closure.steps.iter().enumerate() {
            let Some(to) = self.steps.state(index) else { continue };
            self.model.successors(to, &mut next);
            if (self.has_timeout)(&next) {
                continue;
            }
            let enabled_next: BTreeSet<TransitionId> =
                next.steps().flat_map(|step| (self.participants)(step)).collect();
            for disabled in (0..relation.count()).filter(|&transition| !enabled.contains(transition)) {
                if !enabled_next.contains(&relation.id(disabled)) {
                    continue;
                }
                let is_outside =
                    |set: &Bits| !set.contains(step.initiator as usize) && !set.contains(step.partner as usize);
                let mut sets = relation.necessary_enabling_sets(disabled, &enabled).into_iter();
                // The set names the partners of a handshake; what enables those is in its closure.
                if sets.any(|set| is_outside(&set) && is_outside(&closed_set(closure, relation, set, &enabled))) {
                    let by = (self.describe)(relation.id(step.initiator as usize));
                    let what = (self.describe)(relation.id(disabled));
                    return Err(format!("`{what}` is enabled by `{by}`, which is not in its necessary enabling set"));
                }
            }
        }
        Ok(())
    }

    /// Enabled steps that do not depend on each other commute, and do not disable each other.
    fn independent_steps_commute(
        &self,
        closure: &Closure,
        relation: &mut impl DependencyRelation,
    ) -> Result<(), String> {
        let nowhere = ActionSuccessors::default();
        let here = SuccessorsByAction::of(self.steps);
        let mut next =
            NextSuccessors { model: self.model, steps: self.steps, cache: vec![None; self.steps.len()], cached: 0 };
        let with_action =
            |action: u64| (0..self.steps.len()).filter(move |&index| self.steps.step(index).action == action);
        for (index, step) in closure.steps.iter().enumerate() {
            let action = self.steps.step(index).action;
            let (mut dependent, mut closed) = (Bits::new(relation.count()), Bits::new(relation.count()));
            relation.add_dependent(step.initiator as usize, &mut dependent, &mut closed);
            relation.add_dependent(step.partner as usize, &mut dependent, &mut closed);
            if here.0[&action].fails {
                continue;
            }
            let after_this: Vec<Rc<SuccessorsByAction>> = with_action(action).map(|index| next.of(index)).collect();
            for (&other, successors) in here.0.iter().filter(|&(&other, _)| other != action) {
                let other_step = closure.steps[successors.first_step];
                let is_dependent = dependent.contains(other_step.initiator as usize)
                    || dependent.contains(other_step.partner as usize);
                if successors.fails || is_dependent {
                    continue;
                }
                let complain = |what: &str| {
                    let [one, two] = [step.initiator, other_step.initiator]
                        .map(|transition| (self.describe)(relation.id(transition as usize)));
                    Err(format!("`{one}` does not depend on `{two}`, but {what}"))
                };
                let this_then_other: BTreeSet<u64> = after_this
                    .iter()
                    .filter_map(|after| after.0.get(&other))
                    .flat_map(|successors| successors.states.iter().copied())
                    .collect();
                for index in with_action(other) {
                    let after_other = next.of(index);
                    let other_then_this = after_other.0.get(&action).unwrap_or(&nowhere);
                    if other_then_this.fails {
                        return complain("fails after it");
                    }
                    if other_then_this.states.len() != here.0[&action].states.len() {
                        return complain("has other outcomes after it");
                    }
                    if !other_then_this.states.is_subset(&this_then_other) {
                        return complain("they do not commute");
                    }
                }
            }
        }
        Ok(())
    }
}

/// The states that the steps of one action lead to from a state.
#[derive(Default)]
struct ActionSuccessors {
    /// Their hashes, without those of steps that fail.
    states: BTreeSet<u64>,
    /// The number of the first step.
    first_step: usize,
    /// Whether one of the steps fails.
    fails: bool,
}

/// The successors of a state, by the action of the step.
struct SuccessorsByAction(BTreeMap<u64, ActionSuccessors>);

impl SuccessorsByAction {
    fn of(steps: &Successors) -> SuccessorsByAction {
        let mut by_action: BTreeMap<u64, ActionSuccessors> = BTreeMap::new();
        for index in 0..steps.len() {
            let fresh = || ActionSuccessors { first_step: index, ..ActionSuccessors::default() };
            let successors = by_action.entry(steps.step(index).action).or_insert_with(fresh);
            match steps.state(index).filter(|_| steps.fault(index).is_none()) {
                Some(to) => {
                    let mut hasher = DefaultHasher::new();
                    to.hash(&mut hasher);
                    successors.states.insert(hasher.finish());
                }
                None => successors.fails = true,
            }
        }
        SuccessorsByAction(by_action)
    }
}

/// So many steps of successors are cached; where there are more, states are expanded again.
const MOST_CACHED: usize = 50_000;

/// The successors of the successors of a state.
struct NextSuccessors<'a> {
    model: &'a dyn Model,
    steps: &'a Successors,
    cache: Vec<Option<Rc<SuccessorsByAction>>>,
    cached: usize,
}

impl NextSuccessors<'_> {
    /// The successors of the state that a step leads to.
    fn of(&mut self, index: usize) -> Rc<SuccessorsByAction> {
        if let Some(cached) = &self.cache[index] {
            return cached.clone();
        }
        let mut next = Successors::new();
        if let Some(state) = self.steps.state(index) {
            self.model.successors(state, &mut next);
        }
        let successors = Rc::new(SuccessorsByAction::of(&next));
        if self.cached + next.len() <= MOST_CACHED {
            self.cached += next.len();
            self.cache[index] = Some(successors.clone());
        }
        successors
    }
}
