//! The steps that rules make from a state, and where those lead.

use crate::dispatch::{Dispatch, Group};
use crate::eval::Trouble;
use crate::program::place_of;
use crate::rule_machine::{MAX_CALLS, RuleMachine, RuleSpace};
use crate::rules::{Rule, RuleSet};
use crate::trace::Trace;
use crate::{Program, Source};
use tightrope_core::{Fault, Fired, Footprints, How, Step, Stuck, Successors, Thing};

/// The name of a step: the rule, and the combination of its parameters by number, the last parameter fastest.
fn name(rule: usize, combination: u64) -> Step {
    Step { action: (rule as u64) << 40 | combination, choice: 0 }
}

/// The rule, and the combination of its parameters.
pub fn parts_of(step: Step) -> (usize, u64) {
    ((step.action >> 40) as usize, step.action & ((1 << 40) - 1))
}

/// The values of a rule's parameters in the combination of that number.
pub fn values(rule: &Rule, mut combination: u64) -> Vec<i32> {
    let mut values = vec![0; rule.params.len()];
    for (value, param) in values.iter_mut().zip(&rule.params).rev() {
        let count = param.count().max(1);
        *value = param.value(combination % count);
        combination /= count;
    }
    values
}

/// Who is told of a combination of parameters: its number, and the trouble its tests ran into.
pub type EachCombination<'e> = dyn FnMut(&mut RuleMachine<'_>, u64, Option<(Trouble, Source)>) + 'e;

/// Finds the combinations of parameters for which a rule is enabled, by trying each test as soon as its parameters have
/// values.
pub struct Enabled<'r> {
    rule: &'r Rule,
    /// All values of every parameter.
    values: Vec<Vec<i32>>,
}

impl<'r> Enabled<'r> {
    /// For one rule.
    pub fn new(rule: &'r Rule) -> Enabled<'r> {
        let all = |param: &crate::Parameter| (0..param.count()).map(|position| param.value(position)).collect();
        Enabled { rule, values: rule.params.iter().map(all).collect() }
    }

    /// Calls `each` with every combination that passes all tests, and with those whose tests run into trouble.
    pub fn visit(&self, machine: &mut RuleMachine<'_>, each: &mut EachCombination<'_>) {
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

/// So many bytes calls may take without asking.
const UNASKED_FRAMES: usize = 1 << 20;

/// What is derived from the rules once.
pub struct RuleWork {
    /// Working space.
    pub space: RuleSpace,
    /// For every rule, whether it ever made a step.
    pub exercised: Vec<bool>,
    /// Local variables may take so much memory that the budget is asked.
    pub has_large_frames: bool,
    /// The most bytes that the local variables of a rule take.
    pub rule_frame: usize,
    values: Vec<Vec<Vec<i32>>>,
    dispatch: Dispatch,
}

impl RuleWork {
    /// Working space for these rules.
    pub fn new(rules: &RuleSet) -> RuleWork {
        let values = rules.rules.iter().map(|rule| Enabled::new(rule).values).collect();
        let exercised = vec![false; rules.rules.len()];
        // All calls that can be under way at a time.
        let largest = rules.routines.iter().map(|routine| routine.frame.len()).max().unwrap_or(0);
        let rule_frame = rules.rules.iter().map(|rule| rule.frame.len()).max().unwrap_or(0);
        let has_large_frames = largest.saturating_mul(MAX_CALLS as usize).saturating_add(rule_frame) > UNASKED_FRAMES;
        let (space, dispatch) = (RuleSpace::default(), Dispatch::new(rules));
        RuleWork { space, exercised, has_large_frames, rule_frame, values, dispatch }
    }
}

/// What went wrong, with its place.
pub fn fault(program: &Program, (trouble, at): (Trouble, Source)) -> Fault {
    Fault { kind: trouble.kind, message: trouble.message, at: place_of(program, at) }
}

/// Sets the parameters of a rule and binds what its tests bind. False if it is not enabled; trouble stays in the machine.
pub fn prepare(machine: &mut RuleMachine<'_>, rule: &Rule, combination: u64) -> bool {
    machine.enter(rule.slots, &rule.frame);
    for (param, value) in rule.params.iter().zip(values(rule, combination)) {
        machine.set_slot(param.slot, value);
    }
    if rule.from.is_empty() {
        return rule.tests.iter().all(|(_, test)| machine.passes(test, rule.source)) || machine.has_trouble();
    }
    passes_all(machine, rule, 0)
}

/// Whether none of the tests of a rule that starts from locations disables it. Trouble stays in the machine.
#[inline]
fn passes_all(machine: &mut RuleMachine<'_>, rule: &Rule, skip: usize) -> bool {
    if !machine.has_trouble() {
        // Most often there is none.
        let mut tests = rule.tests.iter().skip(skip);
        if tests.all(|(_, test)| machine.passes(test, rule.source)) {
            return true;
        }
        if !machine.has_trouble() {
            return false;
        }
    }
    let first = machine.take_trouble();
    let mut enabled = true;
    for (_, test) in rule.tests.iter().skip(skip) {
        enabled &= machine.passes(test, rule.source) || machine.has_trouble();
        machine.take_trouble();
    }
    if let (true, Some(trouble)) = (enabled, first) {
        machine.put_trouble(trouble);
    }
    enabled
}

/// The steps from one state under way.
struct Steps<'a, 'w> {
    machine: RuleMachine<'w>,
    program: &'a Program,
    rules: &'a RuleSet,
    values: &'w mut [Vec<Vec<i32>>],
    exercised: &'w mut [bool],
    out: &'a mut Successors,
    state: &'a [u8],
    /// A step leads elsewhere, or fails.
    changed: bool,
}

impl Steps<'_, '_> {
    /// The steps of a rule, whatever its parameters.
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
        let enabled = Enabled { rule, values: std::mem::take(&mut self.values[index]) };
        let Steps { machine, program, rules, exercised, out, state, changed, .. } = self;
        enabled.visit(machine, &mut |machine, combination, trouble| {
            if let Some(trouble) = trouble {
                machine.put_trouble(trouble);
            }
            exercised[index] = true;
            *changed |= take(machine, program, rules, out, state, number, combination);
        });
        self.values[index] = enabled.values;
    }

    /// The steps of rules that have their first test in common: `any` is one of them, `others` finds them.
    fn joint(&mut self, any: u32, others: &[(u32, Vec<Vec<u32>>)], dispatch: &Dispatch, pressed: bool) {
        let rules = self.rules;
        let mut trouble = None;
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
                    trouble = self.machine.take_trouble();
                    if trouble.is_none() {
                        return;
                    }
                }
                passed = true;
            }
            for &number in candidates {
                if !dispatch.is_at(rules, number, 2, self.state, pressed) {
                    continue;
                }
                let rule = &rules.rules[number as usize];
                self.machine.enter(rule.slots, &rule.frame);
                if let Some((trouble, at)) = &trouble {
                    self.machine.put_trouble((trouble.clone(), *at));
                }
                if passes_all(&mut self.machine, rule, 1) {
                    self.step(number, 0);
                }
            }
        }
    }

    /// The step of a rule whose tests are made.
    #[inline]
    fn step(&mut self, number: u32, combination: u64) {
        self.exercised[number as usize] = true;
        let Steps { machine, program, rules, out, state, .. } = self;
        self.changed |= take(machine, program, rules, out, state, number, combination);
    }
}

/// Makes the step of a rule whose tests are made. Whether it leads elsewhere, or fails.
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
        machine.take_trouble();
        return true;
    }
    if !machine.has_trouble() {
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
    if let Some(trouble) = machine.take_trouble() {
        let fault = fault(program, trouble);
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
pub fn expand(program: &Program, rules: &RuleSet, work: &mut RuleWork, state: &[u8], out: &mut Successors) {
    out.stuck = Stuck::No;
    let before = out.len();
    if rules.failed.as_deref() == Some(state) {
        out.stuck = Stuck::Failed;
        return;
    }
    let mut bytes = std::mem::take(&mut out.bytes);
    let base = bytes.len();
    if !out.make_room_in(&mut bytes, state.len()) {
        out.bytes = bytes;
        return;
    }
    bytes.extend_from_slice(state);
    let RuleWork { space, exercised, values, dispatch, .. } = work;
    let pressed = Dispatch::is_pressed(rules, state);
    let machine = RuleMachine::new(program, rules, &mut bytes, base, space);
    let mut steps = Steps { machine, program, rules, values, exercised, out, state, changed: false };
    for level in &dispatch.levels {
        for &number in &level.anywhere {
            if !pressed {
                steps.rule(number);
            }
        }
        for (automaton, led) in rules.automata.iter().zip(&level.led) {
            let location = automaton.location(state) as usize;
            let Some(groups) = led.get(location) else { continue };
            if pressed && !automaton.along && !automaton.locations[location].urgent {
                continue;
            }
            for group in groups {
                match group {
                    Group::Single(number) => {
                        if dispatch.is_at(rules, *number, 1, state, pressed) {
                            steps.rule(*number);
                        }
                    }
                    Group::Joint { any, partners } => steps.joint(*any, partners, dispatch, pressed),
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
        out.stuck = Stuck::Deadlock;
    }
}

/// Whether a rule of a higher priority is enabled, or fails to find out whether it is.
fn is_outranked(program: &Program, rules: &RuleSet, work: &mut RuleWork, state: &[u8], priority: i32) -> bool {
    let pressed = Dispatch::is_pressed(rules, state);
    let mut found = false;
    // Rules come in the order of their priorities, the highest first.
    for (number, rule) in rules.rules.iter().enumerate().take_while(|(_, rule)| rule.priority > priority) {
        if !work.dispatch.is_at(rules, number as u32, 0, state, pressed) {
            continue;
        }
        let mut bytes = state.to_vec();
        let mut machine = RuleMachine::new(program, rules, &mut bytes, 0, &mut work.space);
        machine.enter(rule.slots, &rule.frame);
        if rule.from.is_empty() {
            let enabled = Enabled { rule, values: std::mem::take(&mut work.values[number]) };
            enabled.visit(&mut machine, &mut |_, _, _| found = true);
            work.values[number] = enabled.values;
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
pub fn fire(
    program: &Program,
    rules: &RuleSet,
    work: &mut RuleWork,
    state: &[u8],
    step: Step,
    to: &mut Vec<u8>,
) -> Fired {
    let (number, combination) = parts_of(step);
    let Some(rule) = rules.rules.get(number).filter(|_| state.len() == program.fixed.len()) else {
        return Fired::Disabled;
    };
    let combinations: u64 = rule.params.iter().map(|param| param.count()).product();
    let pressed = Dispatch::is_pressed(rules, state);
    if combination >= combinations
        || step.choice != 0
        || rules.failed.as_deref() == Some(state)
        || !work.dispatch.is_at(rules, number as u32, 0, state, pressed)
        || is_outranked(program, rules, work, state, rule.priority)
    {
        return Fired::Disabled;
    }
    to.clear();
    to.extend_from_slice(state);
    let mut machine = RuleMachine::new(program, rules, to, 0, &mut work.space);
    if !prepare(&mut machine, rule, combination) {
        return Fired::Disabled;
    }
    if !machine.has_trouble() && machine.execute(rule) {
        return Fired::Done;
    }
    let Some(trouble) = machine.take_trouble() else { return Fired::Disabled };
    let fault = fault(program, trouble);
    match &rules.failed {
        None => Fired::Failed(fault),
        Some(failed) => {
            to.clear();
            to.extend_from_slice(failed);
            Fired::DoneWith(fault)
        }
    }
}

/// What each of the steps in `out`, which are those of `state`, depends on.
pub fn footprints(
    program: &Program,
    rules: &RuleSet,
    work: &mut RuleWork,
    state: &[u8],
    out: &Successors,
    prints: &mut Footprints,
) {
    let trace = Trace::default();
    let ranked = rules.rules.first().map(|rule| rule.priority) != rules.rules.last().map(|rule| rule.priority);
    let mut bytes = Vec::new();
    for index in 0..out.len() {
        trace.forget_from(0);
        let (number, combination) = parts_of(out.step(index));
        let rule = &rules.rules[number];
        bytes.clear();
        bytes.extend_from_slice(state);
        let mut machine = RuleMachine::new(program, rules, &mut bytes, 0, &mut work.space);
        machine.trace = Some(&trace);
        let done = prepare(&mut machine, rule, combination) && !machine.has_trouble() && machine.execute(rule);
        for (number, automaton) in rules.automata.iter().enumerate() {
            let starts = rule.from.iter().any(|&(from, _)| from as usize == number);
            if starts || automaton.locations.iter().any(|spot| spot.urgent) {
                let size = automaton.repr.size() as u32;
                trace.add(Thing::Shared(automaton.offset, automaton.offset + size), How::Read);
            }
        }
        // Where a step fails, comes to where failing steps do, or makes way for others, it has to do with everything.
        if !done || ranked || out.state(index).is_some_and(|to| rules.failed.as_deref() == Some(to)) {
            trace.add(Thing::All, How::Read);
        }
        prints.add_up_to(index + 1, trace.marks());
    }
}
