//! What is chosen from: rules, each combination of parameters by itself where there are not too many.

use tightrope_ir::Expr;
use tightrope_ir::effects::bits::Bits;
use tightrope_ir::effects::rules::{Known, Reader, Stored};
use tightrope_ir::rule_steps::values;
use tightrope_ir::{Automaton, Rule, RuleSet, Test};

/// A rule with values for its parameters, or with all they can have.
pub struct Entity {
    /// Its rule.
    pub rule: u32,
    /// The values of its parameters; none if it stands for all.
    pub params: Option<Vec<i32>>,
    /// The bytes that it reads, tests included.
    pub reads: Bits,
    /// The bytes that it writes.
    pub writes: Bits,
    /// What it stores in them.
    pub stored: Vec<Stored>,
    /// What decides whether it is enabled.
    pub tested: Bits,
    /// Of each part of its tests: what it reads, and what else decides whether it comes to that part.
    pub parts: Vec<(Bits, Bits)>,
    /// One of its tests is never passed.
    pub never: bool,
}

/// The tests of a rule in parts that must all be true or bound, each with the number of its test.
pub fn parts_of(rule: &Rule) -> Vec<(usize, Test)> {
    fn split(expr: &Expr, number: usize, parts: &mut Vec<(usize, Test)>) {
        match expr {
            Expr::Both(a, b) => {
                split(a, number, parts);
                split(b, number, parts);
            }
            other => parts.push((number, Test::True(other.clone()))),
        }
    }
    let mut parts = Vec::new();
    for (number, (_, test)) in rule.tests.iter().enumerate() {
        match test {
            Test::True(expr) => split(expr, number, &mut parts),
            Test::Bind(..) => parts.push((number, test.clone())),
        }
    }
    parts
}

impl Entity {
    /// Reads a rule with that combination of its parameters, or all of them. None if a test of it writes something, or
    /// binds something although others are made whatever becomes of it.
    pub fn new(
        reader: &mut Reader<'_>,
        rules: &RuleSet,
        number: usize,
        combination: Option<u64>,
        parts: &[(usize, Test)],
    ) -> Option<Entity> {
        let rule = &rules.rules[number];
        if !rule.from.is_empty() && parts.iter().any(|(_, part)| matches!(part, Test::Bind(..))) {
            return None;
        }
        let mut entity = Entity {
            rule: number as u32,
            params: combination.map(|combination| values(rule, combination)),
            reads: Bits::default(),
            writes: Bits::default(),
            stored: Vec::new(),
            tested: reader.nothing(),
            parts: Vec::new(),
            never: false,
        };
        entity.enter(reader, rule);
        let (mut bound, mut failing, mut last, mut clean) = (reader.nothing(), reader.nothing(), 0, true);
        for (test, part) in parts {
            if *test != last && !rule.from.is_empty() {
                // Each test is made whatever becomes of the others.
                failing = reader.nothing();
                clean = true;
            }
            last = *test;
            let known = reader.test(part);
            let (reads, may_fail) = reader.take_reads();
            let mut besides = bound.clone();
            besides.add(&failing);
            clean &= !may_fail;
            entity.never |= known == Known::Number(0) && clean;
            match part {
                Test::Bind(..) => bound.add(&reads),
                Test::True(_) if may_fail => failing.add(&reads),
                Test::True(_) => {}
            }
            entity.tested.add(&reads);
            entity.parts.push((reads, besides));
        }
        if !reader.writes.is_empty() {
            return None;
        }
        reader.block(&rule.body);
        entity.reads = reader.take_reads().0;
        entity.reads.add(&entity.tested);
        entity.writes = reader.writes.clone();
        entity.stored = std::mem::take(&mut reader.stored);
        Some(entity)
    }

    /// Gives its parameters to a reader.
    pub fn enter(&self, reader: &mut Reader<'_>, rule: &Rule) {
        reader.enter(rule.slots);
        for (number, param) in rule.params.iter().enumerate() {
            let value = self.params.as_ref().map_or(Known::Nothing, |params| Known::Number(params[number]));
            reader.set_slot(param.slot, value);
        }
    }

    /// Adds that it depends on where the automata are that it starts from.
    pub fn starts_from(&mut self, rules: &RuleSet) {
        for &(automaton, _) in &rules.rules[self.rule as usize].from {
            let (start, end) = place_of(&rules.automata[automaton as usize]);
            self.tested.insert_range(start, end);
            self.reads.insert_range(start, end);
        }
    }

    /// Adds what it has to do with urgency, which is one more byte: where somebody is at an urgent location, a rule is
    /// enabled only if it starts from urgent locations alone.
    pub fn under_pressure(&mut self, rules: &RuleSet, is_urgent: bool, pressure: usize) {
        let has_urgent = |automaton: &Automaton| automaton.locations.iter().any(|spot| spot.urgent);
        if !is_urgent && rules.automata.iter().any(has_urgent) {
            self.tested.insert(pressure);
            self.reads.insert(pressure);
        }
        let from = &rules.rules[self.rule as usize].from;
        let changes = |(number, automaton): (usize, &Automaton)| {
            let from = from.iter().find(|(from, _)| *from as usize == number).map(|(_, spot)| *spot);
            let urgent = |spot: u32| automaton.locations.get(spot as usize).is_some_and(|spot| spot.urgent);
            let stays = |stored: &Stored| match (from, location(automaton, stored)) {
                (Some(from), Some(to)) => urgent(from) == urgent(to),
                _ => false,
            };
            has_urgent(automaton) && self.moves(automaton).any(|stored| !stays(stored))
        };
        if rules.automata.iter().enumerate().any(changes) {
            self.writes.insert(pressure);
            self.stored.push(Stored { start: pressure as u32, end: pressure as u32 + 1, value: None });
        }
    }

    /// What it stores where an automaton has its location.
    pub fn moves<'e>(&'e self, automaton: &Automaton) -> impl Iterator<Item = &'e Stored> + use<'e> {
        let (start, end) = place_of(automaton);
        self.stored.iter().filter(move |stored| (stored.start as usize) < end && start < stored.end as usize)
    }
}

/// The bytes of the location of an automaton.
pub fn place_of(automaton: &Automaton) -> (usize, usize) {
    (automaton.offset as usize, automaton.offset as usize + automaton.repr.size())
}

/// The location that an automaton is moved to, if it is known.
pub fn location(automaton: &Automaton, stored: &Stored) -> Option<u32> {
    let same = (stored.start as usize, stored.end as usize) == place_of(automaton);
    let value = stored.value.filter(|(ty, _)| same && ty.repr == automaton.repr);
    // Kept as they are, or not known.
    let value = value.filter(|(ty, _)| matches!(ty.domain, tightrope_ir::Domain::Cut | tightrope_ir::Domain::Checked));
    value.map(|(_, value)| value as u32)
}
