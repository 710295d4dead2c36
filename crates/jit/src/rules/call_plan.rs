//! Which routines are compiled where they are called, and how many levels calls count for.

use super::facts::RoutineFacts;
use crate::call_graph::callees_first;
use tightrope_ir::RuleSet;
use tightrope_ir::effects::operations::{Operation, of_block};
use tightrope_ir::rule::height::of_routine;
use tightrope_ir::rule::{MAX_CALLS, MAX_LEVELS};

/// Routines that are no larger than this are compiled where they are called.
const SMALL: u32 = 24;

/// A routine is not compiled where it is called if it becomes larger than this by what it calls.
const SMALL_WITH_CALLS: u32 = 10 * SMALL;

/// The most calls that are compiled in place inside each other.
const MAX_IN_PLACE: u32 = 12;

/// How the calls in a set of rules are compiled.
pub struct CallPlan {
    /// For each routine, whether it is compiled where it is called.
    pub in_place: Vec<bool>,
    /// For each routine, how many levels a call of it counts for.
    pub levels: Vec<u32>,
    /// The most levels of recursive routines together. The rest is enough for the others.
    pub most_levels: u32,
}

/// Plans the calls. Fails where they are nested deeper than the interpreter would follow in any state.
pub fn plan(rules: &RuleSet, routines: &[RoutineFacts]) -> Result<CallPlan, String> {
    let mut leads_to = Vec::new();
    for routine in &rules.routines {
        let mut callees = Vec::new();
        of_block(&routine.body, &mut |operation| {
            if let Operation::Calls(call) = operation {
                callees.push(call.routine as usize);
            }
        });
        callees.retain(|&callee| callee < routines.len());
        leads_to.push(callees);
    }
    // So that the limit on levels implies the limit on calls.
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
        // A recursive routine checks its depth at run time.
        let below = callees().filter(|&callee| !routines[callee].recursive).map(|callee| chain[callee]).max();
        chain[number] = levels[number].saturating_add(below.unwrap_or(0));
        in_place[number] = !facts.recursive && is_small;
    }
    if chain.iter().any(|&chain| chain > MAX_LEVELS) {
        return Err("calls are nested too deep".into());
    }
    let others = routines.iter().zip(&levels).filter(|(facts, _)| !facts.recursive).map(|(_, &levels)| levels);
    let most_levels = MAX_LEVELS.saturating_sub(others.fold(0, u32::saturating_add));
    Ok(CallPlan { in_place, levels, most_levels })
}
