//! Rules as a model: which of them make steps from a state, and where those lead.

use crate::eval::Trouble;
use crate::program::place_of;
use crate::rule_machine::{RuleMachine, RuleSpace};
use crate::rules::{Rule, RuleSet};
use crate::{Program, Source};
use tightrope_core::{Fault, FaultKind, Fired, Step, StepText, Stuck, Successors};

/// The name of a step: the rule, and the combination of its parameters by number, the last parameter fastest.
fn name(rule: usize, combination: u64) -> Step {
    Step { action: (rule as u64) << 40 | combination, choice: 0 }
}

fn parts(step: Step) -> (usize, u64) {
    ((step.action >> 40) as usize, step.action & ((1 << 40) - 1))
}

/// The values of a rule's parameters in the combination of that number.
fn values(rule: &Rule, mut combination: u64) -> Vec<i32> {
    let mut values = vec![0; rule.params.len()];
    for (value, param) in values.iter_mut().zip(&rule.params).rev() {
        let count = param.count().max(1);
        *value = param.value(combination % count);
        combination /= count;
    }
    values
}

/// Who is told of a combination of parameters: its number, and the trouble its tests ran into.
type EachCombination<'e> = dyn FnMut(&mut RuleMachine<'_>, u64, Option<(Trouble, Source)>) + 'e;

/// Finds the combinations of parameters for which a rule is enabled, by trying each test as soon as its parameters have
/// values.
struct Enabled<'r> {
    rule: &'r Rule,
    /// All values of every parameter.
    values: Vec<Vec<i32>>,
}

impl<'r> Enabled<'r> {
    fn new(rule: &'r Rule) -> Enabled<'r> {
        let all = |param: &crate::Parameter| (0..param.count()).map(|position| param.value(position)).collect();
        Enabled { rule, values: rule.params.iter().map(all).collect() }
    }

    /// Calls `each` with every combination that passes all tests, and with those whose tests run into trouble.
    fn visit(&self, machine: &mut RuleMachine<'_>, each: &mut EachCombination<'_>) {
        self.descend(machine, 0, 0, 0, each);
    }

    fn descend(
        &self,
        machine: &mut RuleMachine<'_>,
        depth: usize,
        mut test: usize,
        combination: u64,
        each: &mut EachCombination<'_>,
    ) {
        while let Some((needs, one)) = self.rule.tests.get(test)
            && *needs as usize <= depth
        {
            if !machine.passes(one, self.rule.source) {
                if let Some(trouble) = machine.take_trouble() {
                    // All combinations that begin like this fail alike; one of them stands for all.
                    let rest: u64 = self.values[depth..].iter().map(|values| values.len() as u64).product();
                    if rest > 0 {
                        each(machine, combination * rest, Some(trouble));
                    }
                }
                return;
            }
            test += 1;
        }
        match self.rule.params.get(depth) {
            None => each(machine, combination, None),
            Some(param) => {
                let values = &self.values[depth];
                for (position, &value) in values.iter().enumerate() {
                    machine.set_slot(param.slot, value);
                    let combination = combination * values.len() as u64 + position as u64;
                    self.descend(machine, depth + 1, test, combination, each);
                }
            }
        }
    }
}

/// What is derived from the rules once.
pub struct RuleWork {
    space: RuleSpace,
    /// For every rule, whether it ever made a step.
    pub exercised: Vec<bool>,
    values: Vec<Vec<Vec<i32>>>,
}

impl RuleWork {
    /// Working space for these rules.
    pub fn new(rules: &RuleSet) -> RuleWork {
        let values = rules.rules.iter().map(|rule| Enabled::new(rule).values).collect();
        RuleWork { space: RuleSpace::default(), exercised: vec![false; rules.rules.len()], values }
    }
}

fn fault(program: &Program, (trouble, at): (Trouble, Source)) -> Fault {
    Fault { kind: trouble.kind, message: trouble.message, at: place_of(program, at) }
}

/// The initial states, each with the fault that its start ran into, if any.
pub fn initial(program: &Program, rules: &RuleSet, each: &mut dyn FnMut(&[u8], Option<Fault>)) {
    let mut space = RuleSpace::default();
    for rule in &rules.starts {
        let enabled = Enabled::new(rule);
        let mut bytes = program.fixed.clone();
        let mut starts = Vec::new();
        let mut machine = RuleMachine::new(program, rules, &mut bytes, 0, &mut space);
        machine.enter(rule.slots, &rule.frame);
        enabled.visit(&mut machine, &mut |_, combination, trouble| starts.push((combination, trouble)));
        for (combination, trouble) in starts {
            let mut bytes = program.fixed.clone();
            let mut machine = RuleMachine::new(program, rules, &mut bytes, 0, &mut space);
            let mut trouble = trouble;
            if trouble.is_none() {
                trouble = prepare(&mut machine, rule, combination);
            }
            if trouble.is_none() && !machine.execute(rule) {
                trouble = machine.take_trouble();
            }
            each(&bytes, trouble.map(|trouble| fault(program, trouble)));
        }
    }
}

/// Sets the parameters of a rule and binds what its tests bind.
fn prepare(machine: &mut RuleMachine<'_>, rule: &Rule, combination: u64) -> Option<(Trouble, Source)> {
    machine.enter(rule.slots, &rule.frame);
    for (param, value) in rule.params.iter().zip(values(rule, combination)) {
        machine.set_slot(param.slot, value);
    }
    for (_, test) in &rule.tests {
        if !machine.passes(test, rule.source) {
            let disabled = Trouble::new(FaultKind::Error, "the rule is not enabled");
            return Some(machine.take_trouble().unwrap_or((disabled, rule.source)));
        }
    }
    None
}

/// Fills `out` with the steps from `state`.
pub fn successors(program: &Program, rules: &RuleSet, work: &mut RuleWork, state: &[u8], out: &mut Successors) {
    out.clear();
    let mut bytes = std::mem::take(&mut out.bytes);
    bytes.extend_from_slice(state);
    let mut highest = i32::MIN;
    let mut changed = false;
    for (number, rule) in rules.rules.iter().enumerate() {
        // Rules come in the order of their priorities, the highest first.
        if !out.is_empty() && rule.priority < highest {
            break;
        }
        let enabled = Enabled { rule, values: std::mem::take(&mut work.values[number]) };
        let mut exercised = work.exercised[number];
        let mut machine = RuleMachine::new(program, rules, &mut bytes, 0, &mut work.space);
        machine.enter(rule.slots, &rule.frame);
        enabled.visit(&mut machine, &mut |machine, combination, trouble| {
            let step = name(number, combination);
            highest = rule.priority;
            exercised = true;
            if let Some(trouble) = trouble {
                out.push_failed(step, fault(program, trouble));
                changed = true;
                return;
            }
            let start = machine.buffer().len();
            machine.buffer().extend_from_within(0..state.len());
            machine.turn_to(start);
            let done = machine.execute(rule);
            machine.turn_to(0);
            if done {
                let end = machine.buffer().len();
                changed |= machine.buffer()[start..end] != *state;
                out.push_range(step, start, end, None);
            } else if let Some(trouble) = machine.take_trouble() {
                machine.buffer().truncate(start);
                changed = true;
                out.push_failed(step, fault(program, trouble));
            }
        });
        work.exercised[number] = exercised;
        work.values[number] = enabled.values;
    }
    out.bytes = bytes;
    let stuck = if rules.idle_is_stuck { !changed } else { out.is_empty() };
    if stuck {
        out.stuck = Stuck::Deadlock;
    }
}

/// Whether a rule of a higher priority is enabled, or fails to find out whether it is.
fn is_outranked(program: &Program, rules: &RuleSet, work: &mut RuleWork, state: &[u8], priority: i32) -> bool {
    let mut found = false;
    // Rules come in the order of their priorities, the highest first.
    for (number, rule) in rules.rules.iter().enumerate().take_while(|(_, rule)| rule.priority > priority) {
        let enabled = Enabled { rule, values: std::mem::take(&mut work.values[number]) };
        let mut bytes = state.to_vec();
        let mut machine = RuleMachine::new(program, rules, &mut bytes, 0, &mut work.space);
        machine.enter(rule.slots, &rule.frame);
        enabled.visit(&mut machine, &mut |_, _, _| found = true);
        work.values[number] = enabled.values;
        if found {
            break;
        }
    }
    found
}

/// Executes one step.
pub fn fire(
    program: &Program,
    rules: &RuleSet,
    work: &mut RuleWork,
    state: &[u8],
    step: Step,
    to: &mut Vec<u8>,
) -> Fired {
    let (number, combination) = parts(step);
    let Some(rule) = rules.rules.get(number).filter(|_| state.len() == program.fixed.len()) else {
        return Fired::Disabled;
    };
    let combinations: u64 = rule.params.iter().map(|param| param.count()).product();
    if combination >= combinations || step.choice != 0 || is_outranked(program, rules, work, state, rule.priority) {
        return Fired::Disabled;
    }
    to.clear();
    to.extend_from_slice(state);
    let mut machine = RuleMachine::new(program, rules, to, 0, &mut work.space);
    if let Some(trouble) = prepare(&mut machine, rule, combination) {
        return match trouble.0.kind {
            FaultKind::Error if trouble.0.message == "the rule is not enabled" => Fired::Disabled,
            _ => Fired::Failed(fault(program, trouble)),
        };
    }
    if machine.execute(rule) {
        return Fired::Done;
    }
    match machine.take_trouble() {
        Some(trouble) => Fired::Failed(fault(program, trouble)),
        None => Fired::Disabled,
    }
}

/// The first invariant that does not hold in a state.
pub fn check(program: &Program, rules: &RuleSet, work: &mut RuleWork, state: &[u8]) -> Option<Fault> {
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
                None => Fault {
                    kind: FaultKind::Invariant,
                    message: format!("invariant \"{}\" does not hold", invariant.name),
                    at: place_of(program, invariant.source),
                },
            });
            break;
        }
    }
    work.space.state = bytes;
    found
}

/// A step in words: `Rule "token passing", u: 1`.
pub fn describe(program: &Program, rules: &RuleSet, state: &[u8], step: Step) -> Vec<StepText> {
    let (number, combination) = parts(step);
    let Some(rule) = rules.rules.get(number) else { return Vec::new() };
    let action = format!("{}{}", rule_text(rule), parameters(rule, combination));
    let mut bytes = state.to_vec();
    let mut space = RuleSpace::default();
    let mut machine = RuleMachine::new(program, rules, &mut bytes, 0, &mut space);
    machine.output = Some(String::new());
    if prepare(&mut machine, rule, combination).is_none() {
        machine.execute(rule);
    }
    let output = machine.output.take().unwrap_or_default();
    vec![StepText { actor: String::new(), action, at: place_of(program, rule.source), output }]
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
