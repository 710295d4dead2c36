//! Necessary enabling sets of rule instances.
//!
//! They are computed once, from what instances write. Which of them belong to a disabled instance in a state depends on why it is
//! disabled there: which conjuncts of its guard are false, which automata are at other locations, whether an automaton is at
//! a committed location.

use super::dependency::RuleTables;
use super::instance::{RuleInstance, written_location};
use super::relation::RuleRelation;
use rustc_hash::FxHashMap;
use tightrope_ir::effects::bits::Bits;
use tightrope_ir::effects::rules::{AbstractValue, RuleAnalysis, StaticWrite};
use tightrope_ir::{RuleSet, Test};

/// The necessary enabling sets of an instance that do not depend on locations, by their numbers.
pub struct InstanceEnabling {
    /// Its rule.
    pub rule: u32,
    /// The values of its parameters; none if it stands for all.
    pub params: Option<Vec<i32>>,
    /// For each conjunct of its guard, the set without which it stays false.
    pub conjuncts: Vec<u32>,
    /// The set without which the instance stays disabled, for whatever cause.
    pub any_cause: u32,
}

/// The instances that change the location of an automaton, and those that depend on it.
pub struct LocationChanges {
    /// Those that may change it.
    pub all: Bits,
    /// For each location those that may lead away from it,
    pub leaving: Vec<Bits>,
    /// those that may lead to it,
    pub reaching: Vec<Bits>,
    /// and those that start from another one.
    pub starting_elsewhere: Vec<Bits>,
}

impl LocationChanges {
    /// Those of the automaton with that number.
    pub fn new(rules: &RuleSet, number: usize, instances: &[RuleInstance]) -> LocationChanges {
        let automaton = &rules.automata[number];
        let start = |instance: &RuleInstance| {
            let from = rules.rules[instance.rule as usize].from.iter().find(|(from, _)| *from as usize == number);
            from.map(|(_, location)| *location)
        };
        let set = |fits: &dyn Fn(&RuleInstance) -> bool| {
            let mut set = Bits::new(instances.len());
            (0..instances.len()).filter(|&one| fits(&instances[one])).for_each(|one| set.insert(one));
            set
        };
        let leaving = |location: u32| {
            let leaves = |write: &StaticWrite| written_location(automaton, write) != Some(location);
            set(&|instance| {
                start(instance).is_none_or(|start| start == location) && instance.location_writes(automaton).any(leaves)
            })
        };
        let reaching = |location: u32| {
            let reaches = |write: &StaticWrite| written_location(automaton, write).is_none_or(|to| to == location);
            set(&|instance| instance.location_writes(automaton).any(reaches))
        };
        let starting_elsewhere =
            |location: u32| set(&|instance| start(instance).is_some_and(|start| start != location));
        let locations = || 0..automaton.locations.len() as u32;
        LocationChanges {
            all: set(&|instance| instance.location_writes(automaton).next().is_some()),
            leaving: locations().map(leaving).collect(),
            reaching: locations().map(reaching).collect(),
            starting_elsewhere: locations().map(starting_elsewhere).collect(),
        }
    }
}

/// Computes necessary enabling sets, each different one once.
pub struct EnablingSets {
    /// All writes of all instances, and which instances make them.
    writes: Vec<(StaticWrite, Bits)>,
    /// For every byte the numbers of the writes to it.
    writes_to: Vec<Vec<u32>>,
    sets: Vec<Bits>,
    numbers: FxHashMap<Bits, u32>,
}

impl EnablingSets {
    pub fn new(instances: &[RuleInstance], size: usize) -> EnablingSets {
        let (mut writes, mut writes_to) = (Vec::new(), vec![Vec::new(); size + 1]);
        let mut numbers: FxHashMap<StaticWrite, usize> = FxHashMap::default();
        for (one, instance) in instances.iter().enumerate() {
            for &write in &instance.written {
                let number = *numbers.entry(write).or_insert_with(|| {
                    (write.start as usize..(write.end as usize).min(size + 1))
                        .for_each(|byte| writes_to[byte].push(writes.len() as u32));
                    writes.push((write, Bits::new(instances.len())));
                    writes.len() - 1
                });
                writes[number].1.insert(one);
            }
        }
        EnablingSets { writes, writes_to, sets: Vec::new(), numbers: FxHashMap::default() }
    }

    /// The sets, in the order of their numbers.
    pub fn into_sets(self) -> Vec<Bits> {
        self.sets
    }

    /// The number of a set.
    fn number(&mut self, set: Bits) -> u32 {
        let next = self.sets.len() as u32;
        *self.numbers.entry(set).or_insert_with_key(|set| {
            self.sets.push(set.clone());
            next
        })
    }

    /// The instances with a write to one of these bytes that `counts`.
    fn writers(&self, bytes: &Bits, count: usize, mut counts: impl FnMut(&StaticWrite) -> bool) -> Bits {
        let mut numbers: Vec<u32> = bytes.iter().flat_map(|byte| &self.writes_to[byte]).copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut set = Bits::new(count);
        for number in numbers {
            let (write, writers) = &self.writes[number as usize];
            if counts(write) {
                set.add(writers);
            }
        }
        set
    }

    /// The necessary enabling sets of an instance.
    pub fn of(
        &mut self,
        analysis: &mut RuleAnalysis<'_>,
        rules: &RuleSet,
        instances: &[RuleInstance],
        one: usize,
        conjuncts: &[Vec<(usize, Test)>],
    ) -> InstanceEnabling {
        let instance = &instances[one];
        instance.set_parameters(analysis, &rules.rules[instance.rule as usize]);
        let mut numbers = Vec::new();
        for ((_, conjunct), (reads, reads_before)) in
            conjuncts[instance.rule as usize].iter().zip(&instance.conjunct_reads)
        {
            let mut set = self.writers(reads_before, instances.len(), |_| true);
            set.add(&self.writers(reads, instances.len(), |write| {
                // Whether the conjunct may be true, or fail, after this write and whatever others.
                analysis.supposed = Some(*write).filter(|write| write.value.is_some());
                analysis.take_reads();
                let value = analysis.test(conjunct);
                analysis.supposed = None;
                analysis.take_reads().1 || value != AbstractValue::Number(0)
            }));
            // For what it binds.
            analysis.test(conjunct);
            numbers.push(self.number(set));
        }
        let any_cause = self.writers(&instance.guard_reads, instances.len(), |_| true);
        let any_cause = self.number(any_cause);
        InstanceEnabling { rule: instance.rule, params: instance.params.clone(), conjuncts: numbers, any_cause }
    }
}

/// Why an instance is disabled.
#[derive(Clone, Copy)]
pub enum InstanceDisabledBy {
    /// An automaton must leave the location where it is.
    MustLeave(u32, u32),
    /// An automaton must reach a location where it is not.
    MustReach(u32, u32),
    /// An automaton has no location.
    NoLocation(u32),
    /// The necessary enabling set has this number.
    Guard(u32),
}

impl InstanceDisabledBy {
    /// The necessary enabling set that belongs to this cause.
    pub fn enabling_set(self, tables: &RuleTables) -> &Bits {
        let changes = |automaton: u32| &tables.automata[automaton as usize];
        match self {
            InstanceDisabledBy::MustLeave(automaton, location) => &changes(automaton).leaving[location as usize],
            InstanceDisabledBy::MustReach(automaton, location) => &changes(automaton).reaching[location as usize],
            InstanceDisabledBy::NoLocation(automaton) => &changes(automaton).all,
            InstanceDisabledBy::Guard(number) => &tables.enabling_sets[number as usize],
        }
    }
}

impl RuleRelation<'_, '_> {
    /// Adds to the causes why an instance is disabled in the state.
    pub(super) fn find_causes(&mut self, instance: usize) {
        let enabling: &InstanceEnabling = &self.tables.instances[instance];
        let causes = &mut *self.causes;
        let rule = &self.rules.rules[enabling.rule as usize];
        for &(number, start) in &rule.from {
            let automaton = &self.rules.automata[number as usize];
            let location = automaton.location(self.state);
            if location == start {
                continue;
            }
            let has_location = (location as usize) < automaton.locations.len();
            causes.push(if has_location {
                InstanceDisabledBy::MustLeave(number, location)
            } else {
                InstanceDisabledBy::NoLocation(number)
            });
            causes.push(InstanceDisabledBy::MustReach(number, start));
        }
        if self.is_committed && !self.tables.committed[enabling.rule as usize] {
            for (number, automaton) in (0..).zip(&self.rules.automata) {
                let location = automaton.location(self.state);
                if automaton.locations.get(location as usize).is_some_and(|location| location.committed) {
                    causes.push(InstanceDisabledBy::MustLeave(number, location));
                }
            }
        }
        let Some(params) = &enabling.params else { return };
        self.machine.enter(rule.slots, &rule.frame);
        for (param, &value) in rule.params.iter().zip(params) {
            self.machine.set_slot(param.slot, value);
        }
        let mut failed_test = None;
        let conjuncts = &self.tables.conjuncts[enabling.rule as usize];
        for ((test, conjunct), &enabling_set) in conjuncts.iter().zip(&enabling.conjuncts) {
            if failed_test == Some(*test) {
                continue;
            }
            let is_true = self.machine.passes(conjunct, rule.source);
            let fails = self.machine.take_error().is_some();
            if fails && (matches!(conjunct, Test::Bind(..)) || rule.from.is_empty()) {
                // The conjuncts after it are not evaluated; a false one before it keeps the rule from failing.
                return;
            }
            if fails {
                // The other tests of a rule of automata are evaluated all the same.
                failed_test = Some(*test);
            } else if !is_true {
                causes.push(InstanceDisabledBy::Guard(enabling_set));
            }
        }
    }
}
