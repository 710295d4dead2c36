//! The steps of a program made of rules, found by trying all rules one after the other: slow and obviously right. The
//! index over locations, and the tests that are made once for several rules, are compared with this.

use tightrope_core::{Fault, Fired, Step};
use tightrope_ir::program::place_of;
use tightrope_ir::rule::{RuleMachine, RuleMemory};
use tightrope_ir::{Automaton, Parameter, Program, Rule, RuleSet};

/// A step that a rule makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// Its name.
    pub step: Step,
    /// The state it leads to.
    pub to: Option<Vec<u8>>,
    /// What goes wrong.
    pub fault: Option<Fault>,
    /// Whether it is among the steps of the state. A test that fails before all parameters have values fails for all
    /// values of the others alike, and the first of these steps stands for all.
    pub listed: bool,
}

impl Tried {
    /// Whether firing this step gave what it has to give.
    pub fn agrees_with(&self, fired: &Fired, to: &[u8]) -> bool {
        match (fired, &self.to, &self.fault) {
            (Fired::Done, Some(expected), None) => to == expected,
            (Fired::DoneWith(fault), Some(expected), Some(known)) => to == expected && fault == known,
            (Fired::Failed(fault), None, Some(known)) => fault == known,
            _ => false,
        }
    }
}

/// All steps that the rules make from a state, in the order in which a model lists them.
pub fn steps(program: &Program, state: &[u8]) -> Vec<Tried> {
    let Some(rules) = program.rules.as_ref().filter(|rules| rules.failed.as_deref() != Some(state)) else {
        return Vec::new();
    };
    let mut found: Vec<(usize, Tried)> = Vec::new();
    for (number, rule) in rules.rules.iter().enumerate().filter(|(_, rule)| may_start(rules, rule, state)) {
        for (combination, positions) in combinations(&rule.params).iter().enumerate() {
            let step = Step { action: (number as u64) << 40 | combination as u64, choice: 0 };
            found.extend(attempt(program, rules, rule, positions, step, state).map(|tried| (number, tried)));
        }
    }
    let highest = found.iter().map(|(number, _)| rules.rules[*number].priority).max();
    found.retain(|(number, _)| Some(rules.rules[*number].priority) == highest);
    found.sort_by_key(|(number, tried)| (rank(rules, *number), tried.step.action));
    found.into_iter().map(|(_, tried)| tried).collect()
}

/// Whether the automata are where a rule starts, and it may start there while one is at an urgent location.
fn may_start(rules: &RuleSet, rule: &Rule, state: &[u8]) -> bool {
    let is_urgent = |automaton: &Automaton| {
        automaton.locations.get(automaton.location(state) as usize).is_some_and(|spot| spot.committed)
    };
    let committed_now = rules.automata.iter().any(is_urgent);
    let from = || rule.from.iter().map(|&(automaton, location)| (&rules.automata[automaton as usize], location));
    let all_there = from().all(|(automaton, location)| automaton.location(state) == location);
    let all_urgent = from().all(|(automaton, _)| automaton.passive || is_urgent(automaton));
    all_there && (!committed_now || !rule.from.is_empty() && all_urgent)
}

/// For every combination of parameters, the position and the value of each, the last parameter fastest.
fn combinations(params: &[Parameter]) -> Vec<Vec<(usize, i32)>> {
    params.iter().fold(vec![Vec::new()], |shorter, param| {
        let values = param.ranges.iter().flat_map(|&(low, high, step)| {
            let inside = move |value: &i32| if step > 0 { *value <= high } else { *value >= high };
            std::iter::successors(Some(low), move |value| value.checked_add(step)).take_while(inside)
        });
        let values: Vec<(usize, i32)> = values.enumerate().collect();
        shorter.iter().flat_map(|head| values.iter().map(|&one| [&head[..], &[one]].concat())).collect()
    })
}

/// What a rule does with these parameters; nothing if it is not enabled.
fn attempt(
    program: &Program,
    rules: &RuleSet,
    rule: &Rule,
    positions: &[(usize, i32)],
    step: Step,
    state: &[u8],
) -> Option<Tried> {
    let mut to = state.to_vec();
    let mut space = RuleMemory::default();
    let mut machine = RuleMachine::new(program, rules, &mut to, 0, &mut space);
    machine.enter(rule.slots, &rule.frame);
    for (param, &(_, value)) in rule.params.iter().zip(positions) {
        machine.set_slot(param.slot, value);
    }
    let (mut trouble, mut listed) = (None, true);
    for (needs, test) in &rule.tests {
        let passed = machine.passes(test, rule.source);
        match machine.take_error() {
            None if !passed => return None,
            None => {}
            Some(found) => {
                if trouble.is_none() {
                    trouble = Some(found);
                    listed = positions[*needs as usize..].iter().all(|&(position, _)| position == 0);
                }
                if rule.from.is_empty() {
                    break;
                }
            }
        }
    }
    if trouble.is_none() && !machine.execute(rule) {
        trouble = machine.take_error();
    }
    let fault =
        trouble.map(|(trouble, at)| Fault { kind: trouble.kind, message: trouble.message, at: place_of(program, at) });
    let to = if fault.is_some() { rules.failed.as_ref().map(|failed| failed.to_vec()) } else { Some(to) };
    Some(Tried { step, to, fault, listed })
}

/// Where the steps of a rule stand among those of a state: first come the rules that start from anywhere, then those led
/// by each automaton. A group stands where its first rule stands, and those of it with one partner stand together.
fn rank(rules: &RuleSet, number: usize) -> (Option<u32>, usize, usize) {
    let rule = &rules.rules[number];
    let leader = rule.from.first().map(|(automaton, _)| *automaton);
    if rule.group.is_none() || rule.from.len() < 2 {
        return (leader, number, number);
    }
    let beside = |other: &Rule| other.from.len() > 1 && (other.group, other.priority) == (rule.group, rule.priority);
    let with_partner = |other: &Rule| beside(other) && other.from[1].0 == rule.from[1].0;
    let first = |fits: &dyn Fn(&Rule) -> bool| rules.rules.iter().position(fits).unwrap_or(number);
    (leader, first(&beside), first(&with_partner))
}
