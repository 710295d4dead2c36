//! Who calls whom: what is compiled where it is called, and how much of the stack that takes.

use crate::facts::RoutineFacts;
use crate::scope::{MAX_FRAMES, SMALL};
use std::collections::HashMap;
use tightrope_ir::RuleSet;
use tightrope_ir::effects::parts::{Part, of_block};
use tightrope_ir::rule_height::of_routine;
use tightrope_ir::rule_machine::{MAX_CALLS, MAX_LEVELS};

/// A routine is not compiled where it is called if it becomes larger than this by what it calls.
const SMALL_WITH_CALLS: u32 = 10 * SMALL;

/// So deep are calls compiled in place, one inside of the other.
const MAX_IN_PLACE: u32 = 12;

/// Numbers below `count`, such that each comes after those that it leads to, as far as there are no circles.
fn callees_first(count: usize, leads_to: &[Vec<usize>]) -> Vec<usize> {
    let (mut order, mut seen) = (Vec::new(), vec![false; count]);
    for start in 0..count {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        // No recursion: chains of calls may be long.
        let mut path = vec![(start, 0)];
        while let Some((at, next)) = path.last_mut() {
            let (at, callee) = (*at, leads_to[*at].get(*next).copied());
            *next += 1;
            match callee {
                Some(callee) if !std::mem::replace(&mut seen[callee], true) => path.push((callee, 0)),
                Some(_) => {}
                None => {
                    order.push(at);
                    path.pop();
                }
            }
        }
    }
    order
}

/// What machine code has to know of the calls in a set of rules.
pub struct Plan {
    /// For each routine, whether it is compiled where it is called.
    pub in_place: Vec<bool>,
    /// For each routine, so many levels a call of it counts for.
    pub levels: Vec<u32>,
    /// So many levels recursive routines may take together. The interpreter has as many left for the others.
    pub most_levels: u32,
}

/// Plans the calls. Fails where they go deeper than the interpreter would follow, whatever the state is.
pub fn plan(rules: &RuleSet, routines: &[RoutineFacts]) -> Result<Plan, String> {
    let mut leads_to = Vec::new();
    for routine in &rules.routines {
        let mut callees = Vec::new();
        of_block(&routine.body, &mut |part| {
            if let Part::Calls(call) = part {
                callees.push(call.routine as usize);
            }
        });
        callees.retain(|&callee| callee < routines.len());
        leads_to.push(callees);
    }
    // So that whoever keeps to the limit of levels keeps to that of calls as well.
    let least = MAX_LEVELS.div_ceil(MAX_CALLS);
    let levels: Vec<u32> = rules.routines.iter().map(|routine| of_routine(&routine.body).max(least)).collect();
    let mut in_place = vec![false; routines.len()];
    let mut weight: Vec<u32> = routines.iter().map(|facts| facts.weight).collect();
    let mut depth = vec![0u32; routines.len()];
    let mut chain = vec![0u32; routines.len()];
    for number in callees_first(routines.len(), &leads_to) {
        let callees = || leads_to[number].iter().copied();
        let inside = || callees().filter(|&callee| in_place[callee]);
        weight[number] = inside().map(|callee| weight[callee]).fold(weight[number], u32::saturating_add);
        depth[number] = inside().map(|callee| depth[callee] + 1).max().unwrap_or(0);
        let facts = &routines[number];
        let is_small = facts.weight <= SMALL && weight[number] <= SMALL_WITH_CALLS && depth[number] < MAX_IN_PLACE;
        // A recursive routine looks for itself how deep it is.
        let below = callees().filter(|&callee| !routines[callee].recursive).map(|callee| chain[callee]).max();
        chain[number] = levels[number].saturating_add(below.unwrap_or(0));
        in_place[number] = !facts.recursive && is_small;
    }
    if chain.iter().any(|&chain| chain > MAX_LEVELS) {
        return Err("calls are nested too deep".into());
    }
    let others = routines.iter().zip(&levels).filter(|(facts, _)| !facts.recursive).map(|(_, &levels)| levels);
    let most_levels = MAX_LEVELS.saturating_sub(others.fold(0, u32::saturating_add));
    Ok(Plan { in_place, levels, most_levels })
}

/// What a function takes of the stack, and what it calls.
#[derive(Debug, Default)]
pub struct Frame {
    /// Its bytes.
    pub bytes: u32,
    /// The functions that it calls.
    pub calls: Vec<u32>,
    /// It makes sure that there is stack left before it does anything.
    pub checks: bool,
}

/// Makes sure that functions take no more than [`MAX_FRAMES`] of the stack from one that checks to the next.
pub fn bound(frames: &HashMap<u32, Frame>) -> Result<(), String> {
    let numbers: Vec<u32> = frames.keys().copied().collect();
    let places: HashMap<u32, usize> = numbers.iter().enumerate().map(|(at, &number)| (number, at)).collect();
    let frame = |at: usize| &frames[&numbers[at]];
    let leads_to: Vec<Vec<usize>> = (0..numbers.len())
        .map(|at| frame(at).calls.iter().filter_map(|callee| places.get(callee).copied()).collect())
        .collect();
    // What each takes, with all that happens until somebody checks.
    let mut taken = vec![0u64; numbers.len()];
    for at in callees_first(numbers.len(), &leads_to) {
        let below = |&callee: &usize| {
            let own = u64::from(frame(callee).bytes);
            if frame(callee).checks { own } else { taken[callee] }
        };
        let below = leads_to[at].iter().map(below).max().unwrap_or(0);
        taken[at] = below + u64::from(frame(at).bytes);
    }
    match taken.iter().max() {
        Some(&most) if most > u64::from(MAX_FRAMES) => {
            Err(format!("it is too large for machine code: functions would take {most} bytes of the stack"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(list: &[(u32, u32, &[u32], bool)]) -> HashMap<u32, Frame> {
        let frame = |&(number, bytes, calls, checks): &(u32, u32, &[u32], bool)| {
            (number, Frame { bytes, calls: calls.to_vec(), checks })
        };
        list.iter().map(frame).collect()
    }

    #[test]
    fn what_functions_take_together_is_bounded() {
        let half = MAX_FRAMES / 2;
        assert_eq!(bound(&frames(&[(0, half, &[1], false), (1, half, &[], false)])), Ok(()));
        assert!(bound(&frames(&[(0, half, &[1], false), (1, half + 1, &[], false)])).is_err());
        assert!(bound(&frames(&[(0, half, &[1], false), (1, 0, &[2], false), (2, half + 1, &[], false)])).is_err());
        // One that checks calls itself; what it calls besides still counts.
        assert_eq!(bound(&frames(&[(0, half, &[0], true)])), Ok(()));
        assert_eq!(bound(&frames(&[(0, half, &[0, 1], true), (1, half, &[0], true)])), Ok(()));
        assert!(bound(&frames(&[(0, half, &[0, 1], true), (1, half + 1, &[], false)])).is_err());
    }

    #[test]
    fn long_chains_of_calls_take_no_stack_of_the_compiler() {
        let count = 200_000;
        let chain: Vec<Vec<usize>> = (0..count).map(|at| if at + 1 < count { vec![at + 1] } else { vec![] }).collect();
        assert_eq!(callees_first(count, &chain)[0], count - 1);
    }
}
