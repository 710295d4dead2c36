//! Which rules change what is asked about states.
//!
//! Invariants, goals among them, are made of conditions. A rule that writes what a condition reads may change it, except
//! for one case that is common: an automaton moves, and the condition is the same of the location that it leaves and of the
//! one that it comes to.

use super::entity::{Entity, location};
use tightrope_ir::effects::bits::Bits;
use tightrope_ir::effects::rules::{Known, Reader, Stored};
use tightrope_ir::{Expr, Unary};
use tightrope_ir::{RuleSet, Test};

/// A condition, and what it reads. None where it is not one condition alone.
struct Asked<'r> {
    condition: Option<&'r Expr>,
    slots: u32,
    reads: Bits,
}

/// The entities that may change what is asked about states. None if asking changes something itself.
pub fn visible(reader: &mut Reader<'_>, rules: &RuleSet, list: &[Entity]) -> Option<Bits> {
    let mut all = Vec::new();
    for invariant in &rules.invariants {
        let mut conditions = Vec::new();
        for test in &invariant.tests {
            if let Test::True(expr) = test {
                split(expr, &mut conditions);
            }
        }
        // Otherwise conditions may be about what is bound.
        let alone = invariant.tests.iter().all(|test| matches!(test, Test::True(_)));
        for &condition in conditions.iter().filter(|_| alone) {
            reader.enter(invariant.slots);
            reader.value(condition);
            let reads = reader.take_reads().0;
            all.push(Asked { condition: Some(condition), slots: invariant.slots, reads });
        }
        reader.enter(invariant.slots);
        invariant.tests.iter().for_each(|test| _ = reader.test(test));
        if !reader.writes.is_empty() {
            return None;
        }
        if !alone {
            all.push(Asked { condition: None, slots: invariant.slots, reads: reader.take_reads().0 });
        }
    }
    let mut visible = Bits::new(list.len());
    for (one, entity) in list.iter().enumerate() {
        if all.iter().any(|asked| entity.writes.meets(&asked.reads) && !stays(reader, rules, entity, asked)) {
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

/// Whether a condition is the same before and after, as far as is known: all that is written of what it reads is the
/// location of one automaton, which is known before and after.
fn stays(reader: &mut Reader<'_>, rules: &RuleSet, entity: &Entity, asked: &Asked<'_>) -> bool {
    let Some(condition) = asked.condition else { return false };
    let is_read = |stored: &&Stored| (stored.start..stored.end).any(|byte| asked.reads.contains(byte as usize));
    let mut written = entity.stored.iter().filter(is_read);
    let (Some(stored), None) = (written.next(), written.next()) else { return false };
    let moved = rules.rules[entity.rule as usize].from.iter().find_map(|&(automaton, from)| {
        let to = location(&rules.automata[automaton as usize], stored)?;
        Some((from, to))
    });
    let (Some((from, to)), Some((ty, _))) = (moved, stored.value) else { return false };
    let mut at = |spot: u32| {
        reader.enter(asked.slots);
        reader.supposed = Some(Stored { value: Some((ty, spot as i32)), ..*stored });
        let known = reader.value(condition);
        reader.supposed = None;
        Some(known).filter(|known| !reader.may_fail && matches!(known, Known::Number(_)))
    };
    let before = at(from);
    before.is_some() && before == at(to)
}
