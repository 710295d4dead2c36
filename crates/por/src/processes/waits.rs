//! Where a step of several transitions may be blocked in the middle.
//!
//! Such a step ends early where none of the next transitions is enabled. Whether that can happen is known for many locations
//! from the text: an assignment is always enabled, and so is a send or a receive if a test before it, in the same step, has
//! seen that there is room or a message, since nobody else moves in between.

use std::collections::BTreeSet;
use tightrope_ir::effects::processes::{Access, AccessKind, Effects, Shared};
use tightrope_ir::{Action, Pattern, Process};

/// What is known at a location when a step passes: channels that are not full, and channels that are not empty.
type Known = BTreeSet<Access>;

/// For every location of a process, whether a step that passes it may be blocked there. With the effects of each transition,
/// and whether a channel certainly holds messages.
pub fn waits(process: &Process, effects: &[Effects], buffered: &dyn Fn(Shared) -> bool) -> Vec<bool> {
    let count = process.locations.len();
    let mut passed = vec![false; count];
    let mut begins = vec![process.provided.is_some(); count];
    begins.iter_mut().take(1).for_each(|first| *first = true);
    for (transition, effects) in process.transitions.iter().zip(effects) {
        let Some(target) = Some(transition.target as usize).filter(|&target| target < count) else { continue };
        passed[target] |= transition.keeps_control;
        // A handshake hands control to the receiver, and the sender goes on in a step of its own.
        let meets = effects.first.iter().any(|&(shared, kind)| kind == AccessKind::Send && !buffered(shared));
        begins[target] |= !transition.keeps_control || meets;
    }
    // Everything is known, and nothing blocks, until the contrary is found.
    let mut waits = vec![false; count];
    loop {
        let known = known(process, effects, &begins, buffered);
        let mut changed = false;
        for (number, location) in process.locations.iter().enumerate().filter(|&(number, _)| passed[number]) {
            let mut here = location.transitions();
            let goes_on = !begins[number] || process.provided.is_none();
            let goes_on = goes_on && here.any(|one| is_certain(process, one, &effects[one], known[number].as_ref()));
            if !goes_on && !waits[number] {
                (waits[number], begins[number], changed) = (true, true, true);
            }
        }
        if !changed {
            return waits;
        }
    }
}

/// What is known at every location when a step passes, or begins; none where no step is yet known to come.
fn known(
    process: &Process,
    effects: &[Effects],
    begins: &[bool],
    buffered: &dyn Fn(Shared) -> bool,
) -> Vec<Option<Known>> {
    let mut known: Vec<Option<Known>> = begins.iter().map(|&begins| begins.then(Known::new)).collect();
    loop {
        let mut changed = false;
        for (source, location) in process.locations.iter().enumerate() {
            let Some(before) = known[source].clone() else { continue };
            let here = location.transitions();
            for (transition, effects) in process.transitions[here.clone()].iter().zip(&effects[here]) {
                let target = transition.target as usize;
                if !transition.keeps_control || target >= known.len() {
                    continue;
                }
                let after = after(&transition.action, effects, &before, buffered);
                let meeting = match &known[target] {
                    Some(there) => there.intersection(&after).copied().collect(),
                    None => after,
                };
                if known[target].as_ref() != Some(&meeting) {
                    known[target] = Some(meeting);
                    changed = true;
                }
            }
        }
        if !changed {
            return known;
        }
    }
}

/// What is known after a transition.
fn after(action: &Action, effects: &Effects, before: &Known, buffered: &dyn Fn(Shared) -> bool) -> Known {
    let accesses = || effects.first.iter().chain(effects.later.keys());
    let does = |one: AccessKind| {
        accesses().any(|&(shared, kind)| kind == one || kind == AccessKind::Write && shared.is_channel())
    };
    let (fills, empties) = (does(AccessKind::Send), does(AccessKind::Receive));
    let stays =
        |&&(_, kind): &&Access| !(fills && kind == AccessKind::NeedsRoom || empties && kind == AccessKind::NeedsSome);
    let mut known: Known = before.iter().filter(stays).copied().collect();
    if matches!(action, Action::Test(_)) {
        let established = effects.guard.iter().filter_map(|conjunct| conjunct.establishes);
        known.extend(established.filter(|&(shared, _)| buffered(shared) && shared != Shared::AnyChannel));
    }
    known
}

/// Whether a transition is certainly enabled, with what is known.
fn is_certain(process: &Process, one: usize, effects: &Effects, known: Option<&Known>) -> bool {
    // No step comes here.
    let Some(known) = known else { return true };
    let does = |does: AccessKind, needs: AccessKind| {
        let mut all = effects.first.iter().filter(|&&(shared, kind)| shared.is_channel() && kind == does);
        all.next().is_some_and(|&(shared, _)| known.contains(&(shared, needs))) && all.next().is_none()
    };
    let transition = &process.transitions[one];
    if transition.escape != 0 {
        return false;
    }
    match &transition.action {
        Action::Skip | Action::Assign(..) | Action::Assert(_) | Action::Print(_) => true,
        Action::Send(_) => does(AccessKind::Send, AccessKind::NeedsRoom),
        Action::Receive(receive) => {
            let any = receive.patterns.iter().all(|pattern| !matches!(pattern, Pattern::Equal(_)));
            any && does(AccessKind::Receive, AccessKind::NeedsSome)
        }
        Action::Test(_) | Action::Else | Action::End | Action::SetPriority(..) | Action::Indivisible(_) => false,
    }
}
