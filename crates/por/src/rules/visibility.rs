//! The visibility condition for rules: which instances may change the value of an invariant or goal.
//!
//! Invariants, goals among them, are made of conditions. An instance that writes what a condition reads is visible, except in one
//! case that is common: it moves an automaton, and the condition has the same value at the old and at the new location.

use super::instance::{RuleInstance, written_location};
use tightrope_ir::effects::bits::Bits;
use tightrope_ir::effects::rules::{AbstractValue, RuleAnalysis, StaticWrite};
use tightrope_ir::{Expr, RuleSet, Test, Unary};

/// A condition of an invariant, and what it reads; or a whole invariant, where its conditions depend on what it binds.
struct ObservedCondition<'r> {
    condition: Option<&'r Expr>,
    slots: u32,
    reads: Bits,
}

/// The visible instances. None if evaluating an invariant writes something.
pub fn visible_instances(analysis: &mut RuleAnalysis<'_>, rules: &RuleSet, instances: &[RuleInstance]) -> Option<Bits> {
    let mut observed = Vec::new();
    for invariant in &rules.invariants {
        let mut conditions = Vec::new();
        for test in &invariant.tests {
            if let Test::True(expr) = test {
                split(expr, &mut conditions);
            }
        }
        let binds_nothing = invariant.tests.iter().all(|test| matches!(test, Test::True(_)));
        for &condition in conditions.iter().filter(|_| binds_nothing) {
            analysis.enter(invariant.slots);
            analysis.value(condition);
            let reads = analysis.take_reads().0;
            observed.push(ObservedCondition { condition: Some(condition), slots: invariant.slots, reads });
        }
        analysis.enter(invariant.slots);
        invariant.tests.iter().for_each(|test| _ = analysis.test(test));
        if !analysis.writes.is_empty() {
            return None;
        }
        if !binds_nothing {
            let reads = analysis.take_reads().0;
            observed.push(ObservedCondition { condition: None, slots: invariant.slots, reads });
        }
    }
    let mut visible = Bits::new(instances.len());
    for (one, instance) in instances.iter().enumerate() {
        let mut may_change = |observed: &ObservedCondition<'_>| {
            instance.writes.meets(&observed.reads) && !keeps_value(analysis, rules, instance, observed)
        };
        if observed.iter().any(&mut may_change) {
            visible.insert(one);
        }
    }
    Some(visible)
}

/// The conditions that an expression combines.
fn split<'r>(expr: &'r Expr, conditions: &mut Vec<&'r Expr>) {
    match expr {
        Expr::Both(a, b) | Expr::Either(a, b) => {
            split(a, conditions);
            split(b, conditions);
        }
        Expr::Unary(Unary::Not, a) => split(a, conditions),
        other => conditions.push(other),
    }
}

/// Whether an instance certainly keeps the value of a condition: of what the condition reads, it writes only the location of one
/// automaton, both locations are known, and the condition has the same value at both.
fn keeps_value(
    analysis: &mut RuleAnalysis<'_>,
    rules: &RuleSet,
    instance: &RuleInstance,
    observed: &ObservedCondition<'_>,
) -> bool {
    let Some(condition) = observed.condition else { return false };
    let is_read = |write: &&StaticWrite| (write.start..write.end).any(|byte| observed.reads.contains(byte as usize));
    let mut writes = instance.written.iter().filter(is_read);
    let (Some(write), None) = (writes.next(), writes.next()) else { return false };
    let moved = rules.rules[instance.rule as usize].from.iter().find_map(|&(automaton, from)| {
        let to = written_location(&rules.automata[automaton as usize], write)?;
        Some((from, to))
    });
    let (Some((from, to)), Some((ty, _))) = (moved, write.value) else { return false };
    let mut value_at = |location: u32| {
        analysis.enter(observed.slots);
        analysis.supposed = Some(StaticWrite { value: Some((ty, location as i32)), ..*write });
        let value = analysis.value(condition);
        analysis.supposed = None;
        Some(value).filter(|value| !analysis.may_fail && matches!(value, AbstractValue::Number(_)))
    };
    let before = value_at(from);
    before.is_some() && before == value_at(to)
}
