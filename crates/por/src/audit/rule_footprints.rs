//! Whether the footprint of a step lies within the static effects of its rule.

use crate::rules::{ANALYSIS_LIMIT, RuleEffects, RuleInstance, guard_conjuncts, location_bytes};
use tightrope_core::{Access, AccessKind, Footprints, Model, Resource, Successors};
use tightrope_ir::effects::rules::RuleAnalysis;
use tightrope_ir::rule::{Dispatch, rule_of};
use tightrope_ir::{Program, RuleSet};

impl RuleEffects {
    /// Checks the footprints of all steps of a state.
    pub fn audit_footprints(
        &self,
        (program, rules): (&Program, &RuleSet),
        model: &dyn Model,
        state: &[u8],
    ) -> Result<(), String> {
        let Some(tables) = &self.0 else { return Ok(()) };
        let (mut steps, mut footprints) = (Successors::new(), Footprints::new());
        if !model.successors_with_footprints(state, &mut steps, &mut footprints) {
            return Ok(());
        }
        let (size, dispatch) = (program.fixed.len(), Dispatch::new(rules));
        let mut analysis = RuleAnalysis::new(rules, size, ANALYSIS_LIMIT);
        for index in 0..steps.len() {
            let (number, combination) = rule_of(steps.step(index));
            let rule = &rules.rules[number];
            let combination_alone = tables.instances_of[number].per_combination.then_some(combination);
            let instance = RuleInstance::new(&mut analysis, rules, number, combination_alone, &guard_conjuncts(rule));
            let Some(mut instance) = instance else { continue };
            instance.add_location_reads(rules);
            instance.add_commitment(rules, dispatch.committed[number], size);
            // Whether a process is at a committed location is one more byte. The footprint has the locations instead.
            let reads_commitment = instance.reads.contains(size) || dispatch.committed[number];
            let is_location = |byte: u32| {
                reads_commitment
                    && rules.automata.iter().any(|automaton| {
                        let (start, end) = location_bytes(automaton);
                        (start..end).contains(&(byte as usize))
                    })
            };
            let covers = |access: &Access| match access.resource {
                Resource::Shared(start, end) => (start..end).all(|byte| {
                    let is_written = instance.writes.contains(byte as usize);
                    let is_read = instance.reads.contains(byte as usize) || is_location(byte);
                    is_written || access.kind == AccessKind::Read && is_read
                }),
                // Footprints have it where a step depends on which others are enabled: more than the step reads.
                Resource::All => access.kind == AccessKind::Read,
                Resource::Processes | Resource::Channel(_) | Resource::Own(..) => false,
            };
            if let Some(access) = footprints.of(index).iter().find(|access| !covers(access)) {
                return Err(format!(
                    "rule `{}` ({combination}) has {access:?} in its footprint, but not in its effects",
                    rule.name
                ));
            }
        }
        Ok(())
    }
}
