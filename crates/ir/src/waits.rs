//! Where a process may have to wait in the middle of a step.
//!
//! A step of several transitions ends early where none of the next ones is possible. Whether that can be is known for many
//! locations from the text: an assignment is always possible, and so is a send or a receive if a test before it, in the same
//! step, has seen that there is room or something, since nobody else does anything in between.

use crate::uses::{How, Shared, Use, is_channel};
use crate::{Action, Pattern, Process};
use std::collections::BTreeSet;

/// What is known at a location when a step comes by: channels with room, and channels with something.
type Known = BTreeSet<Use>;

/// For every location of a process, whether a step that comes by may end there because it has to wait. With what each of its
/// transitions uses.
pub(crate) fn waits(process: &Process, uses: &[BTreeSet<Use>]) -> Vec<bool> {
    let count = process.locations.len();
    let mut passed = vec![false; count];
    let mut begins = vec![process.provided.is_some(); count];
    begins.iter_mut().take(1).for_each(|first| *first = true);
    for transition in &process.transitions {
        let of = if transition.keeps_control { &mut passed } else { &mut begins };
        of.get_mut(transition.target as usize).into_iter().for_each(|of| *of = true);
    }
    // Everything is known, and nobody waits, until the contrary is found.
    let mut waits = vec![false; count];
    loop {
        let known = known(process, uses, &begins);
        let mut changed = false;
        for (number, location) in process.locations.iter().enumerate().filter(|&(number, _)| passed[number]) {
            let mut here = location.transitions();
            let goes_on = !begins[number] || process.provided.is_none();
            let goes_on = goes_on && here.any(|one| is_certain(process, one, &uses[one], known[number].as_ref()));
            if !goes_on && !waits[number] {
                (waits[number], begins[number], changed) = (true, true, true);
            }
        }
        if !changed {
            return waits;
        }
    }
}

/// What is known at every location when a step comes by, or begins; none where no step is yet known to come.
fn known(process: &Process, uses: &[BTreeSet<Use>], begins: &[bool]) -> Vec<Option<Known>> {
    let mut known: Vec<Option<Known>> = begins.iter().map(|&begins| begins.then(Known::new)).collect();
    loop {
        let mut changed = false;
        for (source, location) in process.locations.iter().enumerate() {
            let Some(before) = known[source].clone() else { continue };
            let here = location.transitions();
            for (transition, uses) in process.transitions[here.clone()].iter().zip(&uses[here]) {
                let target = transition.target as usize;
                if !transition.keeps_control || target >= known.len() {
                    continue;
                }
                let after = after(&transition.action, uses, &before);
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
fn after(action: &Action, uses: &BTreeSet<Use>, before: &Known) -> Known {
    let does = |one: How| uses.iter().any(|&(shared, how)| how == one || how == How::Write && is_channel(shared));
    let (fills, empties) = (does(How::Send), does(How::Receive));
    let stays = |&&(_, how): &&Use| !(fills && how == How::NeedsRoom || empties && how == How::NeedsSome);
    let mut known: Known = before.iter().filter(stays).copied().collect();
    if matches!(action, Action::Test(_)) {
        let tested = |&&(shared, how): &&Use| {
            let one = is_channel(shared) && shared != Shared::AnyChannel;
            one && matches!(how, How::NeedsRoom | How::NeedsSome)
        };
        known.extend(uses.iter().filter(tested));
    }
    known
}

/// Whether a transition is possible for sure, with what is known.
fn is_certain(process: &Process, one: usize, uses: &BTreeSet<Use>, known: Option<&Known>) -> bool {
    // No step comes here.
    let Some(known) = known else { return true };
    let does = |does: How, needs: How| {
        let mut all = uses.iter().filter(|&&(shared, how)| is_channel(shared) && how == does);
        all.next().is_some_and(|&(shared, _)| known.contains(&(shared, needs))) && all.next().is_none()
    };
    let transition = &process.transitions[one];
    if transition.escape != 0 {
        return false;
    }
    match &transition.action {
        Action::Skip | Action::Assign(..) | Action::Assert(_) | Action::Print(_) => true,
        Action::Send(_) => does(How::Send, How::NeedsRoom),
        Action::Receive(receive) => {
            let any = receive.patterns.iter().all(|pattern| !matches!(pattern, Pattern::Equal(_)));
            any && does(How::Receive, How::NeedsSome)
        }
        Action::Test(_) | Action::Else | Action::End | Action::SetPriority(..) | Action::Indivisible(_) => false,
    }
}
