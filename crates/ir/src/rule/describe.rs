//! Steps and states of rules in words.

use super::combinations::{parameter_values, rule_of};
use super::machine::RuleMachine;
use super::memory::RuleMemory;
use super::steps::prepare;
use crate::program::place_of;
use crate::{Parameter, Participant, Program, Rule, RuleSet};
use std::collections::HashSet;
use tightrope_core::{Step, StepText};

fn participant_text(program: &Program, participant: &Participant) -> StepText {
    let at = place_of(program, participant.source);
    StepText { actor: participant.actor.clone(), action: participant.action.clone(), at, output: String::new() }
}

/// A step in words: `Rule "token passing", u: 1`, or what each participant does.
pub(super) fn step(program: &Program, rules: &RuleSet, state: &[u8], step: Step) -> Vec<StepText> {
    let (number, combination) = rule_of(step);
    let Some(rule) = rules.rules.get(number) else { return Vec::new() };
    if !rule.participants.is_empty() {
        return rule.participants.iter().map(|one| participant_text(program, one)).collect();
    }
    let action = format!("{}{}", rule_text(rule), parameters(rule, combination));
    let mut bytes = state.to_vec();
    let mut memory = RuleMemory::default();
    let mut machine = RuleMachine::new(program, rules, &mut bytes, 0, &mut memory);
    machine.output = Some(String::new());
    if prepare(&mut machine, rule, combination) && !machine.has_error() {
        machine.execute(rule);
    }
    let output = machine.output.take().unwrap_or_default();
    vec![StepText { actor: String::new(), action, at: place_of(program, rule.source), output }]
}

/// Appends a step in few words.
pub(super) fn label(rules: &RuleSet, step: Step, out: &mut String) {
    let (number, combination) = rule_of(step);
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
    let mut params: Vec<_> = rule.params.iter().zip(parameter_values(rule, combination)).collect();
    params.sort_by_key(|(param, _)| param.slot);
    let text = |(param, value): (&Parameter, i32)| {
        format!(", {}: {}", param.name, param.format.show(value).unwrap_or_default())
    };
    params.into_iter().map(text).collect()
}

/// The initial state of that number in words, in the order of `Model::initial`.
pub(super) fn initial(program: &Program, rules: &RuleSet, number: u32) -> Option<StepText> {
    let mut left = u64::from(number);
    for rule in &rules.starts {
        let combinations: u64 = rule.params.iter().map(|param| param.count()).product();
        // A start rule has no tests, so every combination of its parameters gives a state.
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
fn rule_text(rule: &Rule) -> String {
    if rule.name.is_empty() { format!("Rule at line {}", rule.source.line) } else { format!("Rule \"{}\"", rule.name) }
}

/// The locations of the automata, and what each could do there.
pub(super) fn locations(program: &Program, rules: &RuleSet, state: &[u8]) -> Vec<StepText> {
    let mut texts = Vec::new();
    for (number, automaton) in rules.automata.iter().enumerate() {
        let location = automaton.location(state);
        let Some(at) = automaton.locations.get(location as usize) else { continue };
        let mut options: Vec<&str> = Vec::new();
        let mut source = at.source;
        for rule in &rules.rules {
            let mine = rule.from.iter().position(|&from| from == (number as u32, location));
            let part = mine.and_then(|mine| rule.participants.get(mine));
            if let Some(part) = part.filter(|part| !options.contains(&part.action.as_str())) {
                if options.is_empty() {
                    source = part.source;
                }
                options.push(&part.action);
            }
        }
        texts.push(StepText {
            actor: automaton.name.clone(),
            action: if options.is_empty() { format!("{}: no transition", at.name) } else { options.join(" | ") },
            at: place_of(program, source),
            output: String::new(),
        });
    }
    texts
}

/// The rules, or participants of rules, that made no step.
pub(super) fn never_executed(program: &Program, rules: &RuleSet, exercised: &[bool]) -> Vec<StepText> {
    let key = |part: &Participant| (part.actor.clone(), part.action.clone(), part.source.line);
    let pairs = || rules.rules.iter().zip(exercised);
    let done: HashSet<_> =
        pairs().filter(|(_, exercised)| **exercised).flat_map(|(rule, _)| rule.participants.iter().map(key)).collect();
    let mut listed = HashSet::new();
    let mut idle = Vec::new();
    for (rule, _) in pairs().filter(|(_, exercised)| !**exercised) {
        if rule.participants.is_empty() {
            let at = place_of(program, rule.source);
            idle.push(StepText { action: rule_text(rule), at, ..StepText::default() });
        }
        for part in rule.participants.iter().filter(|part| !done.contains(&key(part))) {
            if listed.insert(key(part)) {
                idle.push(participant_text(program, part));
            }
        }
    }
    idle.sort_by_key(|one| one.at.line);
    idle
}
