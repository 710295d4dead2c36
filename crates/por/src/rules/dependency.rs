//! Which rule instances depend on each other: tables for all states.

use super::instance::{RuleInstance, guard_conjuncts, written_location};
use super::necessary_enabling::{EnablingSets, InstanceEnabling, LocationChanges};
use super::visibility::visible_instances;
use tightrope_ir::effects::bits::Bits;
use tightrope_ir::effects::rules::{RuleAnalysis, StaticWrite};
use tightrope_ir::rule::Dispatch;
use tightrope_ir::{Automaton, Program, Rule, RuleSet, Test};

/// So many combinations of rules and parameters have instances of their own.
const MOST_COMBINATIONS: u64 = 4096;
/// So many pairs of an instance and a byte of the state there may be: the tables have a few bits for each.
const MOST_INSTANCE_BYTES: usize = 1 << 22;
/// The most work of an analysis of all rules.
pub const ANALYSIS_LIMIT: u64 = 20_000_000;

/// The relations between the rule instances of a program. Instances are numbered; sets are sets of their numbers.
pub struct RuleTables {
    /// For every rule, its instances.
    pub instances_of: Vec<RuleInstances>,
    /// For every instance, what enables it.
    pub instances: Vec<InstanceEnabling>,
    /// For every instance, those that depend on it, itself included.
    pub dependent: Vec<Bits>,
    /// The visible instances.
    pub visible: Bits,
    /// Necessary enabling sets, by the numbers that [`InstanceEnabling`] has.
    pub enabling_sets: Vec<Bits>,
    /// For every rule, the conjuncts of its guard.
    pub conjuncts: Vec<Vec<(usize, Test)>>,
    /// For every automaton, the instances that change its location.
    pub automata: Vec<LocationChanges>,
    /// For every rule, whether it starts from committed locations alone.
    pub committed: Vec<bool>,
    /// An automaton that has no location in the state that failing steps lead to, and has one in all others.
    pub failure_automaton: Option<u32>,
}

/// The instances of a rule.
#[derive(Clone, Copy)]
pub struct RuleInstances {
    first: u32,
    /// Whether there is one for each combination of its parameters, and not one for all.
    pub per_combination: bool,
}

impl RuleInstances {
    /// The instance of a combination.
    pub fn of(self, combination: u64) -> u32 {
        self.first + if self.per_combination { combination as u32 } else { 0 }
    }
}

impl RuleTables {
    /// Those of a program. None if too little is known for steps to be left out.
    pub fn new(program: &Program, rules: &RuleSet) -> Option<RuleTables> {
        let priority = |rule: Option<&Rule>| rule.map(|rule| rule.priority);
        if priority(rules.rules.first()) != priority(rules.rules.last()) {
            // A step that disables a rule of higher priority enables others.
            return None;
        }
        let size = program.fixed.len();
        let counts: Vec<u64> =
            rules.rules.iter().map(|rule| rule.params.iter().map(|param| param.count()).product()).collect();
        // If there are too many combinations, the rules with the most have one instance for all.
        let total = counts.iter().fold(0u64, |total, count| total.saturating_add(*count));
        let most =
            if total <= MOST_COMBINATIONS { u64::MAX } else { MOST_COMBINATIONS / (rules.rules.len() as u64).max(1) };
        let dispatch = Dispatch::new(rules);
        let mut analysis = RuleAnalysis::new(rules, size, ANALYSIS_LIMIT);
        let conjuncts: Vec<Vec<(usize, Test)>> = rules.rules.iter().map(guard_conjuncts).collect();
        let (mut instances_of, mut instances) = (Vec::new(), Vec::new());
        for (number, &count) in counts.iter().enumerate() {
            let per_combination = count <= most.max(1);
            instances_of.push(RuleInstances { first: instances.len() as u32, per_combination });
            for combination in 0..if per_combination { count } else { 1 } {
                let combination = per_combination.then_some(combination);
                let mut instance = RuleInstance::new(&mut analysis, rules, number, combination, &conjuncts[number])?;
                instance.add_location_reads(rules);
                instance.add_commitment(rules, dispatch.committed[number], size);
                if instance.is_never_enabled {
                    let (reads, writes) = (analysis.nothing(), analysis.nothing());
                    instance = RuleInstance { reads, writes, written: Vec::new(), ..instance };
                }
                instances.push(instance);
                let is_too_much =
                    instances.len() as u64 > 2 * MOST_COMBINATIONS || instances.len() * size > MOST_INSTANCE_BYTES;
                if !analysis.is_through() || is_too_much {
                    return None;
                }
            }
        }
        let failure_automaton = failure_automaton(rules, &instances);
        if rules.failed.is_some() && failure_automaton.is_none() {
            return None;
        }
        let visible = visible_instances(&mut analysis, rules, &instances)?;
        let automata =
            (0..rules.automata.len()).map(|number| LocationChanges::new(rules, number, &instances)).collect();
        let mut enabling = EnablingSets::new(&instances, size);
        let enabled_by =
            (0..instances.len()).map(|one| enabling.of(&mut analysis, rules, &instances, one, &conjuncts)).collect();
        if !analysis.is_through() {
            return None;
        }
        Some(RuleTables {
            instances_of,
            instances: enabled_by,
            dependent: dependent(&instances, size),
            visible,
            enabling_sets: enabling.into_sets(),
            conjuncts,
            automata,
            committed: dispatch.committed,
            failure_automaton,
        })
    }
}

/// An automaton that has no location in the state that failing steps lead to, and that no rule moves there.
fn failure_automaton(rules: &RuleSet, instances: &[RuleInstance]) -> Option<u32> {
    let failed = rules.failed.as_deref()?;
    let is_it = |automaton: &Automaton| {
        let is_location = |write: &StaticWrite| {
            written_location(automaton, write).is_some_and(|to| (to as usize) < automaton.locations.len())
        };
        automaton.location(failed) as usize >= automaton.locations.len()
            && instances.iter().all(|instance| instance.location_writes(automaton).all(is_location))
    };
    rules.automata.iter().position(is_it).map(|number| number as u32)
}

/// For every instance, those that depend on it: one writes what the other reads or writes.
fn dependent(instances: &[RuleInstance], size: usize) -> Vec<Bits> {
    let none = || vec![Bits::new(instances.len()); size + 1];
    let (mut readers, mut writers) = (none(), none());
    for (one, instance) in instances.iter().enumerate() {
        instance.reads.iter().for_each(|byte| readers[byte].insert(one));
        instance.writes.iter().for_each(|byte| writers[byte].insert(one));
    }
    let of = |(one, instance): (usize, &RuleInstance)| {
        let mut all = Bits::new(instances.len());
        all.insert(one);
        for byte in instance.writes.iter() {
            all.add(&readers[byte]);
            all.add(&writers[byte]);
        }
        instance.reads.iter().for_each(|byte| all.add(&writers[byte]));
        all
    };
    instances.iter().enumerate().map(of).collect()
}
