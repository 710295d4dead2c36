//! The steps that rules make from a state.

use super::call::MAX_CALLS;
use super::combinations::{each_enabled, name, parameter_values};
use super::dispatch::{Dispatch, RuleGroup};
use super::machine::RuleMachine;
use super::memory::RuleMemory;
use crate::context::EvalError;
use crate::program::place_of;
use crate::{Program, Rule, RuleSet, Source};
use tightrope_core::{Fault, Successors, Terminal};

/// Up to so many bytes, frames are not charged to the budget.
const UNASKED_FRAMES: usize = 1 << 20;

/// The working space of expansions, kept from state to state.
pub struct RuleScratch {
    /// Working space.
    pub memory: RuleMemory,
    /// For every rule, whether it ever made a step.
    pub exercised: Vec<bool>,
    /// Frames may take so much memory that they are charged to the budget.
    pub has_large_frames: bool,
    /// The most bytes that the local variables of a rule take.
    pub rule_frame: usize,
    pub(super) dispatch: Dispatch,
}

impl RuleScratch {
    /// Working space for these rules.
    pub fn new(rules: &RuleSet) -> RuleScratch {
        let exercised = vec![false; rules.rules.len()];
        // All calls that can be under way at a time.
        let largest = rules.routines.iter().map(|routine| routine.frame.len()).max().unwrap_or(0);
        let rule_frame = rules.rules.iter().map(|rule| rule.frame.len()).max().unwrap_or(0);
        let has_large_frames = largest.saturating_mul(MAX_CALLS as usize).saturating_add(rule_frame) > UNASKED_FRAMES;
        let (memory, dispatch) = (RuleMemory::default(), Dispatch::new(rules));
        RuleScratch { memory, exercised, has_large_frames, rule_frame, dispatch }
    }
}

/// The fault that an error is.
pub(super) fn fault(program: &Program, (error, at): (EvalError, Source)) -> Fault {
    Fault { kind: error.kind, message: error.message, at: place_of(program, at) }
}

/// Sets the parameters of a rule and binds what its tests bind. False if it is not enabled; an error stays in the
/// machine.
pub(super) fn prepare(machine: &mut RuleMachine<'_>, rule: &Rule, combination: u64) -> bool {
    machine.enter(rule.slots, &rule.frame);
    for (param, value) in rule.params.iter().zip(parameter_values(rule, combination)) {
        machine.set_slot(param.slot, value);
    }
    if rule.from.is_empty() {
        return rule.tests.iter().all(|(_, test)| machine.passes(test, rule.source)) || machine.has_error();
    }
    passes_all(machine, rule, 0)
}

/// Whether none of the tests of a rule that starts from locations disables it. An error stays in the machine.
#[inline]
pub(super) fn passes_all(machine: &mut RuleMachine<'_>, rule: &Rule, skip: usize) -> bool {
    if !machine.has_error() {
        // The common case: no test is an error.
        let mut tests = rule.tests.iter().skip(skip);
        if tests.all(|(_, test)| machine.passes(test, rule.source)) {
            return true;
        }
        if !machine.has_error() {
            return false;
        }
    }
    let first = machine.take_error();
    let mut enabled = true;
    for (_, test) in rule.tests.iter().skip(skip) {
        enabled &= machine.passes(test, rule.source) || machine.has_error();
        machine.take_error();
    }
    if let (true, Some(error)) = (enabled, first) {
        machine.put_error(error);
    }
    enabled
}

/// The expansion of one state.
struct RuleExpansion<'a, 'w> {
    machine: RuleMachine<'w>,
    program: &'a Program,
    rules: &'a RuleSet,
    exercised: &'w mut [bool],
    out: &'a mut Successors,
    state: &'a [u8],
    /// A step leads to another state, or fails.
    changed: bool,
}

impl RuleExpansion<'_, '_> {
    /// Adds the steps of a rule, for all its parameters.
    fn rule(&mut self, number: u32) {
        let index = number as usize;
        let rule = &self.rules.rules[index];
        self.machine.enter(rule.slots, &rule.frame);
        if !rule.from.is_empty() && rule.params.is_empty() {
            if passes_all(&mut self.machine, rule, 0) {
                self.step(number, 0);
            }
            return;
        }
        let RuleExpansion { machine, program, rules, exercised, out, state, changed, .. } = self;
        each_enabled(rule, machine, &mut |machine, combination, error| {
            if let Some(error) = error {
                machine.put_error(error);
            }
            exercised[index] = true;
            *changed |= take(machine, program, rules, out, state, number, combination);
        });
    }

    /// Adds the steps of rules that have their first test in common: `any` is one of them, `others` finds them.
    fn joint(&mut self, any: u32, others: &[(u32, Vec<Vec<u32>>)], dispatch: &Dispatch, committed_now: bool) {
        let rules = self.rules;
        let mut error = None;
        let mut passed = false;
        for (second, by_location) in others {
            let location = rules.automata[*second as usize].location(self.state);
            let Some(candidates) = by_location.get(location as usize).filter(|list| !list.is_empty()) else { continue };
            if !passed {
                let rule = &rules.rules[any as usize];
                self.machine.enter(rule.slots, &rule.frame);
                if let Some((_, first)) = rule.tests.first()
                    && !self.machine.passes(first, rule.source)
                {
                    error = self.machine.take_error();
                    if error.is_none() {
                        return;
                    }
                }
                passed = true;
            }
            for &number in candidates {
                if !dispatch.is_at(rules, number, 2, self.state, committed_now) {
                    continue;
                }
                let rule = &rules.rules[number as usize];
                self.machine.enter(rule.slots, &rule.frame);
                if let Some((error, at)) = &error {
                    self.machine.put_error((error.clone(), *at));
                }
                if passes_all(&mut self.machine, rule, 1) {
                    self.step(number, 0);
                }
            }
        }
    }

    /// Adds the step of a rule whose tests are passed.
    #[inline]
    fn step(&mut self, number: u32, combination: u64) {
        self.exercised[number as usize] = true;
        let RuleExpansion { machine, program, rules, out, state, .. } = self;
        self.changed |= take(machine, program, rules, out, state, number, combination);
    }
}

/// Adds the step of a rule whose tests are passed. Whether it leads to another state, or fails.
fn take(
    machine: &mut RuleMachine<'_>,
    program: &Program,
    rules: &RuleSet,
    out: &mut Successors,
    state: &[u8],
    number: u32,
    combination: u64,
) -> bool {
    let step = name(number as usize, combination);
    let rule = &rules.rules[number as usize];
    let start = machine.buffer().len();
    if !out.make_room_in(machine.buffer(), state.len().max(rules.failed.as_ref().map_or(0, |failed| failed.len()))) {
        machine.take_error();
        return true;
    }
    if !machine.has_error() {
        machine.buffer().extend_from_slice(state);
        let base = machine.turn_to(start);
        let done = machine.execute(rule);
        machine.turn_to(base);
        if done {
            let end = machine.buffer().len();
            out.push_range(step, start, end, None);
            return !rules.idle_is_stuck || machine.buffer()[start..end] != *state;
        }
        machine.buffer().truncate(start);
    }
    if let Some(error) = machine.take_error() {
        let fault = fault(program, error);
        match &rules.failed {
            None => out.push_failed(step, fault),
            Some(failed) => {
                machine.buffer().extend_from_slice(failed);
                let end = machine.buffer().len();
                out.push_range(step, start, end, Some(fault));
            }
        }
    }
    true
}

/// Adds the steps from `state` to `out`.
pub(super) fn expand(
    program: &Program,
    rules: &RuleSet,
    scratch: &mut RuleScratch,
    state: &[u8],
    out: &mut Successors,
) {
    out.terminal = Terminal::No;
    let before = out.len();
    if rules.failed.as_deref() == Some(state) {
        out.terminal = Terminal::Failed;
        return;
    }
    let mut bytes = std::mem::take(&mut out.bytes);
    let base = bytes.len();
    if !out.make_room_in(&mut bytes, state.len()) {
        out.bytes = bytes;
        return;
    }
    bytes.extend_from_slice(state);
    let RuleScratch { memory, exercised, dispatch, .. } = scratch;
    let committed_now = Dispatch::is_committed_now(rules, state);
    let machine = RuleMachine::new(program, rules, &mut bytes, base, memory);
    let mut steps = RuleExpansion { machine, program, rules, exercised, out, state, changed: false };
    for level in &dispatch.levels {
        for &number in &level.anywhere {
            if !committed_now {
                steps.rule(number);
            }
        }
        for (automaton, by_location) in rules.automata.iter().zip(&level.by_location) {
            let location = automaton.location(state) as usize;
            let Some(groups) = by_location.get(location) else { continue };
            if committed_now && !automaton.passive && !automaton.locations[location].committed {
                continue;
            }
            for group in groups {
                match group {
                    RuleGroup::Single(number) => {
                        if dispatch.is_at(rules, *number, 1, state, committed_now) {
                            steps.rule(*number);
                        }
                    }
                    RuleGroup::Joint { any, partners } => steps.joint(*any, partners, dispatch, committed_now),
                }
            }
        }
        if steps.out.len() > before {
            break;
        }
    }
    let changed = steps.changed;
    out.bytes = bytes;
    let stuck = if rules.idle_is_stuck { !changed } else { out.len() == before };
    if stuck {
        out.terminal = Terminal::Deadlock;
    }
}
