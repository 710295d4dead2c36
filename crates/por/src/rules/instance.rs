//! Rule instances: rules with values for their parameters, where there are not too many.

use tightrope_ir::effects::bits::Bits;
use tightrope_ir::effects::rules::{AbstractValue, RuleAnalysis, StaticWrite};
use tightrope_ir::rule::parameter_values;
use tightrope_ir::{Automaton, Domain, Expr, Rule, RuleSet, Test};

/// The static effects of a rule with certain values for its parameters, or with all values.
pub struct RuleInstance {
    /// Its rule.
    pub rule: u32,
    /// The values of its parameters; none if it stands for all.
    pub params: Option<Vec<i32>>,
    /// The bytes that it reads, those of its guard included.
    pub reads: Bits,
    /// The bytes that it writes.
    pub writes: Bits,
    /// What it writes there.
    pub written: Vec<StaticWrite>,
    /// The bytes that decide whether it is enabled.
    pub guard_reads: Bits,
    /// For each conjunct of its guard: what it reads, and what else decides whether it is evaluated and with which bindings.
    pub conjunct_reads: Vec<(Bits, Bits)>,
    /// Its guard is never true.
    pub is_never_enabled: bool,
}

/// The tests of a rule as conjuncts that must all be true, or bind something, each with the number of its test.
pub fn guard_conjuncts(rule: &Rule) -> Vec<(usize, Test)> {
    fn split(expr: &Expr, number: usize, conjuncts: &mut Vec<(usize, Test)>) {
        match expr {
            Expr::Both(a, b) => {
                split(a, number, conjuncts);
                split(b, number, conjuncts);
            }
            other => conjuncts.push((number, Test::True(other.clone()))),
        }
    }
    let mut conjuncts = Vec::new();
    for (number, (_, test)) in rule.tests.iter().enumerate() {
        match test {
            Test::True(expr) => split(expr, number, &mut conjuncts),
            Test::Bind(..) => conjuncts.push((number, test.clone())),
        }
    }
    conjuncts
}

impl RuleInstance {
    /// That of a rule with one combination of its parameters, or with all. None if evaluating the guard writes something, or
    /// binds something in a rule of automata, all of whose tests are evaluated.
    pub fn new(
        analysis: &mut RuleAnalysis<'_>,
        rules: &RuleSet,
        number: usize,
        combination: Option<u64>,
        conjuncts: &[(usize, Test)],
    ) -> Option<RuleInstance> {
        let rule = &rules.rules[number];
        if !rule.from.is_empty() && conjuncts.iter().any(|(_, conjunct)| matches!(conjunct, Test::Bind(..))) {
            return None;
        }
        let mut instance = RuleInstance {
            rule: number as u32,
            params: combination.map(|combination| parameter_values(rule, combination)),
            reads: Bits::default(),
            writes: Bits::default(),
            written: Vec::new(),
            guard_reads: analysis.nothing(),
            conjunct_reads: Vec::new(),
            is_never_enabled: false,
        };
        instance.set_parameters(analysis, rule);
        let (mut bound, mut failing) = (analysis.nothing(), analysis.nothing());
        let (mut last_test, mut cannot_fail) = (0, true);
        for (test, conjunct) in conjuncts {
            if *test != last_test && !rule.from.is_empty() {
                // The tests of a rule of automata are all evaluated, also after one that fails.
                failing = analysis.nothing();
                cannot_fail = true;
            }
            last_test = *test;
            let value = analysis.test(conjunct);
            let (reads, may_fail) = analysis.take_reads();
            let mut reads_before = bound.clone();
            reads_before.add(&failing);
            cannot_fail &= !may_fail;
            instance.is_never_enabled |= value == AbstractValue::Number(0) && cannot_fail;
            match conjunct {
                Test::Bind(..) => bound.add(&reads),
                Test::True(_) if may_fail => failing.add(&reads),
                Test::True(_) => {}
            }
            instance.guard_reads.add(&reads);
            instance.conjunct_reads.push((reads, reads_before));
        }
        if !analysis.writes.is_empty() {
            return None;
        }
        analysis.block(&rule.body);
        instance.reads = analysis.take_reads().0;
        instance.reads.add(&instance.guard_reads);
        instance.writes = analysis.writes.clone();
        instance.written = std::mem::take(&mut analysis.stored);
        Some(instance)
    }

    /// Gives the values of its parameters to an analysis.
    pub fn set_parameters(&self, analysis: &mut RuleAnalysis<'_>, rule: &Rule) {
        analysis.enter(rule.slots);
        for (number, param) in rule.params.iter().enumerate() {
            let value =
                self.params.as_ref().map_or(AbstractValue::Unknown, |params| AbstractValue::Number(params[number]));
            analysis.set_slot(param.slot, value);
        }
    }

    /// Adds that its guard reads the locations of the automata that it starts from.
    pub fn add_location_reads(&mut self, rules: &RuleSet) {
        for &(automaton, _) in &rules.rules[self.rule as usize].from {
            let (start, end) = location_bytes(&rules.automata[automaton as usize]);
            self.guard_reads.insert_range(start, end);
            self.reads.insert_range(start, end);
        }
    }

    /// Adds what it reads and writes of *commitment*: whether an automaton is at a committed location, which is one more byte.
    /// While one is, only rules are enabled that start from committed locations alone (`is_committed`).
    pub fn add_commitment(&mut self, rules: &RuleSet, is_committed: bool, commitment: usize) {
        let has_committed = |automaton: &Automaton| automaton.locations.iter().any(|location| location.committed);
        if !is_committed && rules.automata.iter().any(has_committed) {
            self.guard_reads.insert(commitment);
            self.reads.insert(commitment);
        }
        let from = &rules.rules[self.rule as usize].from;
        let changes = |(number, automaton): (usize, &Automaton)| {
            let from = from.iter().find(|(from, _)| *from as usize == number).map(|(_, location)| *location);
            let committed =
                |location: u32| automaton.locations.get(location as usize).is_some_and(|location| location.committed);
            let keeps = |write: &StaticWrite| match (from, written_location(automaton, write)) {
                (Some(from), Some(to)) => committed(from) == committed(to),
                _ => false,
            };
            has_committed(automaton) && self.location_writes(automaton).any(|write| !keeps(write))
        };
        if rules.automata.iter().enumerate().any(changes) {
            self.writes.insert(commitment);
            self.written.push(StaticWrite { start: commitment as u32, end: commitment as u32 + 1, value: None });
        }
    }

    /// Its writes to the location of an automaton.
    pub fn location_writes<'e>(&'e self, automaton: &Automaton) -> impl Iterator<Item = &'e StaticWrite> + use<'e> {
        let (start, end) = location_bytes(automaton);
        self.written.iter().filter(move |write| (write.start as usize) < end && start < write.end as usize)
    }
}

/// The bytes of the location of an automaton.
pub fn location_bytes(automaton: &Automaton) -> (usize, usize) {
    (automaton.offset as usize, automaton.offset as usize + automaton.repr.size())
}

/// The location that a write moves an automaton to, if it is known.
pub fn written_location(automaton: &Automaton, write: &StaticWrite) -> Option<u32> {
    let is_whole = (write.start as usize, write.end as usize) == location_bytes(automaton);
    let value = write.value.filter(|(ty, _)| is_whole && ty.repr == automaton.repr);
    // Other domains may change the value when it is written.
    let value = value.filter(|(ty, _)| matches!(ty.domain, Domain::Cut | Domain::Checked));
    value.map(|(_, value)| value as u32)
}
