//! The rule instances of a program in a state, and the relations between them.

use super::RuleEffects;
use super::dependency::RuleTables;
use super::necessary_enabling::{InstanceDisabledBy, InstanceEnabling};
use crate::audit::RelationAudit;
use crate::stubborn::{Closure, DependencyRelation, Participants, TransitionId};
use tightrope_core::{Model, Step, Successors};
use tightrope_ir::effects::bits::Bits;
use tightrope_ir::rule::{Dispatch, RuleMachine, RuleMemory, rule_of};
use tightrope_ir::{Program, RuleSet};

/// Working space.
#[derive(Default)]
pub struct RuleWorkspace {
    closure: Closure,
    /// For every disabled instance, if they were looked for, the range of its causes.
    cause_ranges: Vec<Option<(u32, u32)>>,
    causes: Vec<InstanceDisabledBy>,
    state: Vec<u8>,
    memory: RuleMemory,
}

/// The relations between the rule instances in a state.
pub struct RuleRelation<'a, 'm> {
    pub(super) tables: &'a RuleTables,
    pub(super) rules: &'a RuleSet,
    pub(super) machine: RuleMachine<'m>,
    pub(super) state: &'a [u8],
    /// An automaton is at a committed location: only rules are enabled that start from committed locations alone.
    pub(super) is_committed: bool,
    cause_ranges: &'a mut Vec<Option<(u32, u32)>>,
    pub(super) causes: &'a mut Vec<InstanceDisabledBy>,
}

impl RuleEffects {
    /// Calls `with` for a state whose steps are those from number `first` on. None where nothing can be left out: a step
    /// fails, or too little is known.
    pub fn with_relation<T>(
        &self,
        (program, rules): (&Program, &RuleSet),
        workspace: &mut RuleWorkspace,
        state: &[u8],
        (steps, first): (&Successors, usize),
        with: impl FnOnce(&mut Closure, &mut RuleRelation<'_, '_>) -> T,
    ) -> Option<T> {
        let tables = self.0.as_ref()?;
        let fails = |index: usize| steps.state(index).is_none() || steps.fault(index).is_some();
        if (first..steps.len()).any(fails) {
            return None;
        }
        let has_no_location = |number: u32| {
            let automaton = &rules.automata[number as usize];
            automaton.location(state) as usize >= automaton.locations.len()
        };
        if tables.failure_automaton.is_some_and(has_no_location) {
            return None;
        }
        let RuleWorkspace { closure, cause_ranges, causes, state: bytes, memory } = workspace;
        bytes.clear();
        bytes.extend_from_slice(state);
        closure.steps.clear();
        for index in first..steps.len() {
            let (rule, combination) = rule_of(steps.step(index));
            let instance = tables.instances_of[rule].of(combination);
            // In Murphi a state is a deadlock if all steps lead back to it: a set needs one that does not.
            let is_self_loop = steps.state(index) == Some(state);
            let is_seed = !is_self_loop && !tables.visible.contains(instance as usize);
            closure.steps.push(Participants { initiator: instance, partner: instance, is_seed });
        }
        cause_ranges.clear();
        cause_ranges.resize(tables.instances.len(), None);
        causes.clear();
        let machine = RuleMachine::new(program, rules, bytes, 0, memory);
        let is_committed = Dispatch::is_committed_now(rules, state);
        let mut relation = RuleRelation { tables, rules, machine, state, is_committed, cause_ranges, causes };
        Some(with(closure, &mut relation))
    }

    /// Compares the relations between the instances in a state with what its steps do.
    pub fn audit_relations(
        &self,
        (program, rules): (&Program, &RuleSet),
        workspace: &mut RuleWorkspace,
        model: &dyn Model,
        state: &[u8],
    ) -> Result<(), String> {
        let mut steps = Successors::new();
        model.successors(state, &mut steps);
        let Some(tables) = &self.0 else { return Ok(()) };
        let participants = |step: Step| {
            let (rule, combination) = rule_of(step);
            [(tables.instances_of[rule].of(combination), 0); 2]
        };
        let describe = |(instance, _): TransitionId| {
            let InstanceEnabling { rule, params, .. } = &tables.instances[instance as usize];
            format!("{} {params:?}", rules.rules[*rule as usize].name)
        };
        self.with_relation((program, rules), workspace, state, (&steps, 0), |closure, relation| {
            let audit = RelationAudit {
                model,
                steps: &steps,
                participants: &participants,
                has_timeout: &|_| false,
                describe: &describe,
            };
            audit.check(closure, relation)
        })
        .unwrap_or(Ok(()))
    }
}

impl DependencyRelation for RuleRelation<'_, '_> {
    fn count(&self) -> usize {
        self.tables.instances.len()
    }

    fn add_dependent(&mut self, instance: usize, set: &mut Bits, closed: &mut Bits) {
        set.add(&self.tables.dependent[instance]);
        // The set contains now all instances that move the automata from their locations. These are necessary enabling sets
        // of all instances that start from other locations.
        for &(automaton, location) in &self.rules.rules[self.tables.instances[instance].rule as usize].from {
            closed.add(&self.tables.automata[automaton as usize].starting_elsewhere[location as usize]);
        }
    }

    fn add_necessary_enabling_set(&mut self, instance: usize, set: &mut Bits, enabled: &Bits) {
        let (start, end) = match self.cause_ranges[instance] {
            Some(range) => range,
            None => {
                let start = self.causes.len() as u32;
                self.find_causes(instance);
                *self.cause_ranges[instance].insert((start, self.causes.len() as u32))
            }
        };
        let cost = |cause: &InstanceDisabledBy| {
            let (added, added_enabled) = cause.enabling_set(self.tables).missing(set, enabled);
            (added_enabled, added)
        };
        let causes = &self.causes[start as usize..end as usize];
        let any_cause = InstanceDisabledBy::Guard(self.tables.instances[instance].any_cause);
        let cause = causes.iter().copied().min_by_key(cost).unwrap_or(any_cause);
        set.add(cause.enabling_set(self.tables));
    }

    fn necessary_enabling_sets(&mut self, instance: usize, _enabled: &Bits) -> Vec<Bits> {
        let start = self.causes.len();
        self.find_causes(instance);
        let any_cause = InstanceDisabledBy::Guard(self.tables.instances[instance].any_cause);
        let causes = self.causes[start..].iter().chain([&any_cause]);
        let sets = causes.map(|cause| cause.enabling_set(self.tables).clone()).collect();
        self.causes.truncate(start);
        sets
    }

    fn id(&self, instance: usize) -> TransitionId {
        (instance as u32, 0)
    }

    fn is_visible(&mut self, instance: usize) -> bool {
        self.tables.visible.contains(instance)
    }
}
