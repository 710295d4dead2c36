//! The footprints of the steps of rules: each is executed again, with its accesses logged.

use super::combinations::rule_of;
use super::machine::RuleMachine;
use super::steps::{RuleScratch, prepare};
use crate::access_log::AccessLog;
use crate::{Program, RuleSet};
use tightrope_core::{AccessKind, Footprints, Resource, Successors};

/// What each of the steps in `out`, which are those of `state`, depends on.
pub(super) fn add_footprints(
    program: &Program,
    rules: &RuleSet,
    scratch: &mut RuleScratch,
    state: &[u8],
    out: &Successors,
    footprints: &mut Footprints,
) {
    let log = AccessLog::default();
    let ranked = rules.rules.first().map(|rule| rule.priority) != rules.rules.last().map(|rule| rule.priority);
    let mut bytes = Vec::new();
    for index in 0..out.len() {
        log.forget_from(0);
        let (number, combination) = rule_of(out.step(index));
        let rule = &rules.rules[number];
        bytes.clear();
        bytes.extend_from_slice(state);
        let mut machine = RuleMachine::new(program, rules, &mut bytes, 0, &mut scratch.memory);
        machine.log = Some(&log);
        let done = prepare(&mut machine, rule, combination) && !machine.has_error() && machine.execute(rule);
        for (number, automaton) in rules.automata.iter().enumerate() {
            let starts = rule.from.iter().any(|&(from, _)| from as usize == number);
            if starts || automaton.locations.iter().any(|location| location.committed) {
                let size = automaton.repr.size() as u32;
                log.add(Resource::Shared(automaton.offset, automaton.offset + size), AccessKind::Read);
            }
        }
        // A step that fails, leads to the error state or competes with other priorities depends on everything.
        if !done || ranked || out.state(index).is_some_and(|to| rules.failed.as_deref() == Some(to)) {
            log.add(Resource::All, AccessKind::Read);
        }
        footprints.add_up_to(index + 1, log.accesses());
    }
}
