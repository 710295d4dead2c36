//! Where a step of several transitions may block in the middle.
//!
//! Such a step ends early at a location where no transition is enabled. For many locations the text excludes that: an assignment
//! is always enabled, and so is a send or a receive after a test, in the same step, that there is room or a message, since no
//! other process moves in between. A data-flow analysis finds these locations.

use std::collections::BTreeSet;
use tightrope_ir::effects::processes::{ActionEffects, SharedObject, StaticAccess, StaticAccessKind};
use tightrope_ir::{Action, Pattern, Process};

/// What is certain of channels at a location, when a step passes there: which are not full, and which are not empty.
type ChannelFacts = BTreeSet<StaticAccess>;

/// For every location of a process, whether a step that passes there may block. With the effects of each transition, and
/// whether a channel certainly is buffered.
pub fn may_block(
    process: &Process,
    effects: &[ActionEffects],
    is_buffered: &dyn Fn(SharedObject) -> bool,
) -> Vec<bool> {
    let count = process.locations.len();
    let mut is_passed = vec![false; count];
    let mut begins_step = vec![process.provided.is_some(); count];
    begins_step.iter_mut().take(1).for_each(|first| *first = true);
    for (transition, effects) in process.transitions.iter().zip(effects) {
        let Some(target) = Some(transition.target as usize).filter(|&target| target < count) else { continue };
        is_passed[target] |= transition.keeps_control;
        // After a handshake the receiver has control, and the sender goes on in another step.
        let has_handshake =
            effects.first.iter().any(|&(shared, kind)| kind == StaticAccessKind::Send && !is_buffered(shared));
        begins_step[target] |= !transition.keeps_control || has_handshake;
    }
    // The greatest fixed point: at first no location blocks.
    let mut may_block = vec![false; count];
    loop {
        let facts = channel_facts(process, effects, &begins_step, is_buffered);
        let mut changed = false;
        for (number, location) in process.locations.iter().enumerate().filter(|&(number, _)| is_passed[number]) {
            let mut transitions = location.transitions();
            let is_provided = !begins_step[number] || process.provided.is_none();
            let is_enabled = is_provided
                && transitions.any(|one| is_surely_enabled(process, one, &effects[one], facts[number].as_ref()));
            if !is_enabled && !may_block[number] {
                (may_block[number], begins_step[number], changed) = (true, true, true);
            }
        }
        if !changed {
            return may_block;
        }
    }
}

/// The facts at every location, when a step passes or begins there; none where no step is found to come.
fn channel_facts(
    process: &Process,
    effects: &[ActionEffects],
    begins_step: &[bool],
    is_buffered: &dyn Fn(SharedObject) -> bool,
) -> Vec<Option<ChannelFacts>> {
    let mut facts: Vec<Option<ChannelFacts>> =
        begins_step.iter().map(|&begins| begins.then(ChannelFacts::new)).collect();
    loop {
        let mut changed = false;
        for (source, location) in process.locations.iter().enumerate() {
            let Some(before) = facts[source].clone() else { continue };
            let range = location.transitions();
            for (transition, effects) in process.transitions[range.clone()].iter().zip(&effects[range]) {
                let target = transition.target as usize;
                if !transition.keeps_control || target >= facts.len() {
                    continue;
                }
                let after = facts_after(&transition.action, effects, &before, is_buffered);
                let common = match &facts[target] {
                    Some(facts) => facts.intersection(&after).copied().collect(),
                    None => after,
                };
                if facts[target].as_ref() != Some(&common) {
                    facts[target] = Some(common);
                    changed = true;
                }
            }
        }
        if !changed {
            return facts;
        }
    }
}

/// The facts after a transition.
fn facts_after(
    action: &Action,
    effects: &ActionEffects,
    before: &ChannelFacts,
    is_buffered: &dyn Fn(SharedObject) -> bool,
) -> ChannelFacts {
    let accesses = || effects.first.iter().chain(effects.later.keys());
    let does = |one: StaticAccessKind| {
        accesses().any(|&(shared, kind)| kind == one || kind == StaticAccessKind::Write && shared.is_channel())
    };
    let (fills, empties) = (does(StaticAccessKind::Send), does(StaticAccessKind::Receive));
    let stays = |&&(_, kind): &&StaticAccess| {
        !(fills && kind == StaticAccessKind::NeedsRoom || empties && kind == StaticAccessKind::NeedsSome)
    };
    let mut facts: ChannelFacts = before.iter().filter(stays).copied().collect();
    if matches!(action, Action::Test(_)) {
        let established = effects.guard.iter().filter_map(|conjunct| conjunct.establishes);
        facts.extend(established.filter(|&(shared, _)| is_buffered(shared) && shared != SharedObject::AnyChannel));
    }
    facts
}

/// Whether a transition is certainly enabled, given the facts at its location.
fn is_surely_enabled(process: &Process, one: usize, effects: &ActionEffects, facts: Option<&ChannelFacts>) -> bool {
    // No step comes here.
    let Some(facts) = facts else { return true };
    let has_what_it_needs = |does: StaticAccessKind, needs: StaticAccessKind| {
        let mut all = effects.first.iter().filter(|&&(shared, kind)| shared.is_channel() && kind == does);
        all.next().is_some_and(|&(shared, _)| facts.contains(&(shared, needs))) && all.next().is_none()
    };
    let transition = &process.transitions[one];
    if transition.escape != 0 {
        return false;
    }
    match &transition.action {
        Action::Skip | Action::Assign(..) | Action::Assert(_) | Action::Print(_) => true,
        Action::Send(_) => has_what_it_needs(StaticAccessKind::Send, StaticAccessKind::NeedsRoom),
        Action::Receive(receive) => {
            let matches_all = receive.patterns.iter().all(|pattern| !matches!(pattern, Pattern::Equal(_)));
            matches_all && has_what_it_needs(StaticAccessKind::Receive, StaticAccessKind::NeedsSome)
        }
        Action::Test(_) | Action::Else | Action::End | Action::SetPriority(..) | Action::Indivisible(_) => false,
    }
}
