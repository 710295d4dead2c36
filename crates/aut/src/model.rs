//! A labelled transition system as something to search.

use crate::Lts;
use std::sync::Arc;
use tightrope_core::{
    Component, Field, Fired, Format, Model, Repr, Schema, Scratch, Step, StepClass, StepText, Successors, Terminal,
};

/// A transition system as a model: a state is its number, a step is a transition.
///
/// A step's `action` is the number of the label, its `choice` the place among the transitions of the state. Equal
/// transitions that the file has twice are two steps. A state without transitions is a deadlock.
#[derive(Debug)]
pub struct AutModel {
    lts: Lts,
    schema: Arc<Schema>,
}

impl AutModel {
    /// The model of a transition system.
    pub fn new(lts: Lts) -> Self {
        // Numbers past 2³¹ look negative in four bytes with a sign.
        let range = i32::try_from(lts.states() - 1).map_or((i32::MIN, i32::MAX), |greatest| (0, greatest));
        let state = Field {
            name: "state".to_string(),
            offset: 0,
            repr: Repr::I32,
            range,
            component: (Component::Globals, 0),
            format: Format::Number,
        };
        AutModel { lts, schema: Schema { fixed_size: 4, fixed: vec![state], kinds: Vec::new() }.into() }
    }

    /// The transition system.
    pub fn lts(&self) -> &Lts {
        &self.lts
    }

    /// The transition system, no longer as a model.
    pub fn into_lts(self) -> Lts {
        self.lts
    }

    /// The label and the target of a step from a state, if there is that step.
    fn find(&self, state: &[u8], step: Step) -> Option<(u32, u32)> {
        let state = number(state)?;
        let found = self.lts.outgoing(state).nth(usize::try_from(step.choice).ok()?);
        found.filter(|&(label, _)| u64::from(label) == step.action)
    }
}

/// The number that the bytes of a state are; none for bytes that are no state.
fn number(state: &[u8]) -> Option<u32> {
    state.try_into().ok().map(u32::from_le_bytes)
}

impl Model for AutModel {
    fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    fn deadlock(&self) -> &'static str {
        "no transition leads out of this state"
    }

    fn initial(&self, each: &mut dyn FnMut(&[u8])) {
        each(&self.lts.initial().to_le_bytes());
    }

    fn expand(&self, state: &[u8], out: &mut Successors) {
        let before = out.len();
        if let Some(state) = number(state) {
            for (choice, (label, to)) in (0..).zip(self.lts.outgoing(state)) {
                out.push(Step { action: u64::from(label), choice }, &to.to_le_bytes());
            }
        }
        out.terminal = if out.len() == before { Terminal::Deadlock } else { Terminal::No };
    }

    fn fire(&self, state: &[u8], step: Step, to: &mut Vec<u8>, _scratch: &mut Scratch) -> Fired {
        let Some((_, target)) = self.find(state, step) else { return Fired::Disabled };
        to.clear();
        to.extend_from_slice(&target.to_le_bytes());
        Fired::Done
    }

    fn step_class(&self, _state: &[u8], step: Step) -> StepClass {
        let internal = u32::try_from(step.action).is_ok_and(|label| self.lts.labels().is_internal(label));
        if internal { StepClass::new(0) } else { StepClass::LAST }
    }

    fn describe(&self, state: &[u8], step: Step, each: &mut dyn FnMut(StepText)) {
        if let Some((label, _)) = self.find(state, step) {
            each(StepText { action: self.lts.labels().text(label).to_string(), ..StepText::default() });
        }
    }

    fn standing(&self, state: &[u8]) -> Vec<StepText> {
        const SHOWN: usize = 20;
        let outgoing = number(state).map(|state| self.lts.outgoing(state));
        let text = |(label, to)| StepText {
            action: format!("{} leads to state {to}", self.lts.labels().text(label)),
            ..StepText::default()
        };
        outgoing.into_iter().flatten().take(SHOWN).map(text).collect()
    }
}
