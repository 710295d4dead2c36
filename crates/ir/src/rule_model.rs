//! Rules as a model: its initial states, what must be true of states, and everything in words.

use crate::Program;
use crate::program::place_of;
use crate::rule_machine::{RuleMachine, RuleSpace};
use crate::rule_steps::{Enabled, RuleWork, fault, parts_of, prepare, values};
use crate::rules::{Invariant, Part, Rule, RuleSet};
use std::collections::HashSet;
use tightrope_core::{Fault, FaultKind, Step, StepKind, StepText};

/// The initial states, each with the fault that its start ran into, if any.
pub fn initial(program: &Program, rules: &RuleSet, each: &mut dyn FnMut(&[u8], Option<Fault>)) {
    // One for the conditions and one for what is done: there may be millions of combinations.
    let mut spaces = [RuleSpace::default(), RuleSpace::default()];
    let mut state = Vec::new();
    for rule in &rules.starts {
        let [asking, doing] = &mut spaces;
        let enabled = Enabled::new(rule);
        let mut bytes = program.fixed.clone();
        let mut machine = RuleMachine::new(program, rules, &mut bytes, 0, asking);
        machine.enter(rule.slots, &rule.frame);
        enabled.visit(&mut machine, &mut |_, combination, mut trouble| {
            state.clone_from(&program.fixed);
            let mut machine = RuleMachine::new(program, rules, &mut state, 0, doing);
            if trouble.is_none() {
                let ready = prepare(&mut machine, rule, combination) && !machine.has_trouble();
                if !ready || !machine.execute(rule) {
                    trouble = machine.take_trouble();
                }
            }
            each(&state, trouble.map(|trouble| fault(program, trouble)));
        });
    }
}

/// The first invariant that does not hold in a state.
pub fn check(program: &Program, rules: &RuleSet, work: &mut RuleWork, state: &[u8]) -> Option<Fault> {
    if rules.failed.as_deref() == Some(state) {
        return None;
    }
    let mut bytes = std::mem::take(&mut work.space.state);
    bytes.clear();
    bytes.extend_from_slice(state);
    let mut machine = RuleMachine::new(program, rules, &mut bytes, 0, &mut work.space);
    let mut found = None;
    for invariant in &rules.invariants {
        machine.enter(invariant.slots, &invariant.frame);
        if !invariant.tests.iter().all(|test| machine.passes(test, invariant.source)) {
            found = Some(match machine.take_trouble() {
                Some(trouble) => fault(program, trouble),
                None => broken(program, invariant),
            });
            break;
        }
    }
    work.space.state = bytes;
    found
}

/// What it means that an invariant does not hold.
fn broken(program: &Program, invariant: &Invariant) -> Fault {
    let plain = || (FaultKind::Invariant, format!("invariant \"{}\" does not hold", invariant.name));
    let (kind, message) = invariant.fault.clone().unwrap_or_else(plain);
    Fault { kind, message, at: place_of(program, invariant.source) }
}

fn part_text(program: &Program, part: &Part) -> StepText {
    let at = place_of(program, part.source);
    StepText { actor: part.actor.clone(), action: part.action.clone(), at, output: String::new() }
}

/// A step in words: `Rule "token passing", u: 1`, or what each of those who take part does.
pub fn describe(program: &Program, rules: &RuleSet, state: &[u8], step: Step) -> Vec<StepText> {
    let (number, combination) = parts_of(step);
    let Some(rule) = rules.rules.get(number) else { return Vec::new() };
    if !rule.parts.is_empty() {
        return rule.parts.iter().map(|part| part_text(program, part)).collect();
    }
    let action = format!("{}{}", rule_text(rule), parameters(rule, combination));
    let mut bytes = state.to_vec();
    let mut space = RuleSpace::default();
    let mut machine = RuleMachine::new(program, rules, &mut bytes, 0, &mut space);
    machine.output = Some(String::new());
    if prepare(&mut machine, rule, combination) && !machine.has_trouble() {
        machine.execute(rule);
    }
    let output = machine.output.take().unwrap_or_default();
    vec![StepText { actor: String::new(), action, at: place_of(program, rule.source), output }]
}

/// Appends a step in few words.
pub fn label(rules: &RuleSet, step: Step, out: &mut String) {
    let (number, combination) = parts_of(step);
    let Some(rule) = rules.rules.get(number) else { return };
    if rule.name.is_empty() {
        out.push_str(&rule_text(rule));
    } else {
        out.push_str(&rule.name);
    }
    out.push_str(&parameters(rule, combination));
}

/// The parameters of a rule in words, in the order in which they are written, which is that of their slots.
fn parameters(rule: &Rule, combination: u64) -> String {
    let mut params: Vec<_> = rule.params.iter().zip(values(rule, combination)).collect();
    params.sort_by_key(|(param, _)| param.slot);
    let text = |(param, value): (&crate::Parameter, i32)| {
        format!(", {}: {}", param.name, param.format.show(value).unwrap_or_default())
    };
    params.into_iter().map(text).collect()
}

/// The start of that number in words, counted as [`initial`] gives them.
pub fn describe_initial(program: &Program, rules: &RuleSet, number: u32) -> Option<StepText> {
    let mut left = u64::from(number);
    for rule in &rules.starts {
        let combinations: u64 = rule.params.iter().map(|param| param.count()).product();
        // A start has no tests, so every combination of its parameters is a state.
        if left < combinations {
            if rule.name.is_empty() && rule.params.is_empty() && rules.starts.len() == 1 {
                return None;
            }
            let action = format!("Startstate \"{}\"{}", rule.name, parameters(rule, left));
            return Some(StepText { action, at: place_of(program, rule.source), ..StepText::default() });
        }
        left -= combinations;
    }
    None
}

/// A rule by its name, or its line.
pub fn rule_text(rule: &Rule) -> String {
    if rule.name.is_empty() { format!("Rule at line {}", rule.source.line) } else { format!("Rule \"{}\"", rule.name) }
}

/// The kind of a step: that of the first of those who take part.
pub fn kind(rules: &RuleSet, step: Step) -> StepKind {
    let rule = rules.rules.get(parts_of(step).0);
    rule.and_then(|rule| rule.parts.first()).map_or(StepKind::Other, |part| part.kind)
}

/// Where the automata are, and what each could do there.
pub fn standing(program: &Program, rules: &RuleSet, state: &[u8]) -> Vec<StepText> {
    if rules.failed.as_deref() == Some(state) {
        return Vec::new();
    }
    let mut texts = Vec::new();
    for (number, automaton) in rules.automata.iter().enumerate() {
        let location = automaton.location(state);
        let Some(spot) = automaton.locations.get(location as usize) else { continue };
        let mut options: Vec<&str> = Vec::new();
        let mut source = spot.source;
        for rule in &rules.rules {
            let mine = rule.from.iter().position(|&from| from == (number as u32, location));
            let part = mine.and_then(|mine| rule.parts.get(mine));
            if let Some(part) = part.filter(|part| !options.contains(&part.action.as_str())) {
                if options.is_empty() {
                    source = part.source;
                }
                options.push(&part.action);
            }
        }
        texts.push(StepText {
            actor: automaton.name.clone(),
            action: if options.is_empty() { format!("{}: no transition", spot.name) } else { options.join(" | ") },
            at: place_of(program, source),
            output: String::new(),
        });
    }
    texts
}

/// What no step was made of: rules, or parts of rules.
pub fn unreached(program: &Program, rules: &RuleSet, work: &RuleWork) -> Vec<StepText> {
    let key = |part: &Part| (part.actor.clone(), part.action.clone(), part.source.line);
    let pairs = || rules.rules.iter().zip(&work.exercised);
    let done: HashSet<_> =
        pairs().filter(|(_, exercised)| **exercised).flat_map(|(rule, _)| rule.parts.iter().map(key)).collect();
    let mut listed = HashSet::new();
    let mut idle = Vec::new();
    for (rule, _) in pairs().filter(|(_, exercised)| !**exercised) {
        if rule.parts.is_empty() {
            let at = place_of(program, rule.source);
            idle.push(StepText { action: rule_text(rule), at, ..StepText::default() });
        }
        for part in rule.parts.iter().filter(|part| !done.contains(&key(part))) {
            if listed.insert(key(part)) {
                idle.push(part_text(program, part));
            }
        }
    }
    idle.sort_by_key(|one| one.at.line);
    idle
}
