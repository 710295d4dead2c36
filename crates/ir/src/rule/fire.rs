//! One step of a rule, executed by its name.

use super::combinations::{each_enabled, rule_of};
use super::dispatch::Dispatch;
use super::machine::RuleMachine;
use super::steps::{RuleScratch, fault, passes_all, prepare};
use crate::{Program, RuleSet};
use tightrope_core::{Fired, Step};

/// Whether a rule of a higher priority is enabled, or the evaluation of its tests is an error.
fn is_outranked(program: &Program, rules: &RuleSet, scratch: &mut RuleScratch, state: &[u8], priority: i32) -> bool {
    let committed_now = Dispatch::is_committed_now(rules, state);
    let mut found = false;
    // Rules come in the order of their priorities, the highest first.
    for (number, rule) in rules.rules.iter().enumerate().take_while(|(_, rule)| rule.priority > priority) {
        if !scratch.dispatch.is_at(rules, number as u32, 0, state, committed_now) {
            continue;
        }
        let mut bytes = state.to_vec();
        let mut machine = RuleMachine::new(program, rules, &mut bytes, 0, &mut scratch.memory);
        machine.enter(rule.slots, &rule.frame);
        if rule.from.is_empty() {
            each_enabled(rule, &mut machine, &mut |_, _, _| found = true);
        } else {
            found = passes_all(&mut machine, rule, 0);
        }
        if found {
            break;
        }
    }
    found
}

/// Executes one step.
pub(super) fn fire(
    program: &Program,
    rules: &RuleSet,
    scratch: &mut RuleScratch,
    state: &[u8],
    step: Step,
    to: &mut Vec<u8>,
) -> Fired {
    let (number, combination) = rule_of(step);
    let Some(rule) = rules.rules.get(number).filter(|_| state.len() == program.fixed.len()) else {
        return Fired::Disabled;
    };
    let combinations: u64 = rule.params.iter().map(|param| param.count()).product();
    let committed_now = Dispatch::is_committed_now(rules, state);
    if combination >= combinations
        || step.choice != 0
        || rules.failed.as_deref() == Some(state)
        || !scratch.dispatch.is_at(rules, number as u32, 0, state, committed_now)
        || is_outranked(program, rules, scratch, state, rule.priority)
    {
        return Fired::Disabled;
    }
    to.clear();
    to.extend_from_slice(state);
    let mut machine = RuleMachine::new(program, rules, to, 0, &mut scratch.memory);
    if !prepare(&mut machine, rule, combination) {
        return Fired::Disabled;
    }
    if !machine.has_error() && machine.execute(rule) {
        return Fired::Done;
    }
    let Some(error) = machine.take_error() else { return Fired::Disabled };
    let fault = fault(program, error);
    match &rules.failed {
        None => Fired::Failed(fault),
        Some(failed) => {
            to.clear();
            to.extend_from_slice(failed);
            Fired::DoneWith(fault)
        }
    }
}
