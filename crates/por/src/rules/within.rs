//! Whether the footprint of a step lies within the static effects of its rule.

use super::RuleEffects;
use super::entity::{Entity, parts_of, place_of};
use super::tables::PATIENCE;
use tightrope_core::{Footprints, How, Mark, Model, Successors, Thing};
use tightrope_ir::dispatch::Dispatch;
use tightrope_ir::effects::rules::Reader;
use tightrope_ir::{Program, RuleSet, rule_steps};

impl RuleEffects {
    /// Checks the footprints of all steps of a state.
    pub fn check_footprints(
        &self,
        (program, rules): (&Program, &RuleSet),
        model: &dyn Model,
        state: &[u8],
    ) -> Result<(), String> {
        let Some(tables) = &self.0 else { return Ok(()) };
        let (mut out, mut prints) = (Successors::new(), Footprints::new());
        if !model.successors_with_footprints(state, &mut out, &mut prints) {
            return Ok(());
        }
        let (size, dispatch) = (program.fixed.len(), Dispatch::new(rules));
        let mut reader = Reader::new(rules, size, PATIENCE);
        for index in 0..out.len() {
            let (number, combination) = rule_steps::parts_of(out.step(index));
            let rule = &rules.rules[number];
            let apart = tables.entities[number].1.then_some(combination);
            let entity = Entity::new(&mut reader, rules, number, apart, &parts_of(rule));
            let Some(mut entity) = entity else { continue };
            entity.starts_from(rules);
            entity.under_pressure(rules, dispatch.urgent[number], size);
            // Whether anybody is at an urgent location is one more byte; that it is read stands for reading locations.
            let asks = entity.reads.contains(size) || dispatch.urgent[number];
            let location = |byte: u32| {
                asks && rules.automata.iter().any(|automaton| {
                    let (start, end) = place_of(automaton);
                    (start..end).contains(&(byte as usize))
                })
            };
            let covers = |mark: &Mark| match mark.thing {
                Thing::Shared(start, end) => (start..end).all(|byte| {
                    let written = entity.writes.contains(byte as usize);
                    let read = entity.reads.contains(byte as usize) || location(byte);
                    written || mark.how == How::Read && read
                }),
                // Said where a step depends on who else is enabled: more than it really does.
                Thing::All => mark.how == How::Read,
                Thing::Processes | Thing::Channel(_) | Thing::Own(..) => false,
            };
            if let Some(mark) = prints.of(index).iter().find(|mark| !covers(mark)) {
                return Err(format!(
                    "rule `{}` ({combination}) has {mark:?} in its footprint, but not in its effects",
                    rule.name
                ));
            }
        }
        Ok(())
    }
}
