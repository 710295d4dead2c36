//! A model that knows stubborn sets.

use crate::processes::{Choice, Places, StaticEffects};
use crate::rules::{RuleChoice, RuleEffects};
use std::sync::Arc;
use tightrope_core::{
    Fault, Fired, Footprints, Model, Schema, Scratch, Step, StepKind, StepText, Successors, Symmetry,
};
use tightrope_ir::Program;

/// Wraps a model that executes a program, and chooses stubborn sets among its steps.
pub struct WithStubbornSets<'m> {
    inner: &'m dyn Model,
    program: Arc<Program>,
    effects: Effects,
}

enum Effects {
    Processes(Box<StaticEffects>),
    Rules(RuleEffects),
}

impl<'m> WithStubbornSets<'m> {
    /// The same model with stubborn sets. It must execute `program`.
    pub fn new(inner: &'m dyn Model, program: Arc<Program>) -> WithStubbornSets<'m> {
        let effects = match &program.rules {
            Some(rules) => Effects::Rules(RuleEffects::new(&program, rules)),
            None => Effects::Processes(Box::new(StaticEffects::new(&program))),
        };
        WithStubbornSets { inner, program, effects }
    }

    /// Whether anything can be left out in some state, as far as the text of the program tells: not with priorities, for example.
    pub fn may_reduce(&self) -> bool {
        match &self.effects {
            Effects::Processes(effects) => !effects.unknown,
            Effects::Rules(effects) => effects.may_reduce(),
        }
    }

    /// Checks what is said of the steps of a state, for stubborn sets, against what they really do. The error says what is wrong,
    /// which would be a defect of this crate. `scratch` is working space, for this method alone.
    pub fn check_relations(&self, state: &[u8], scratch: &mut Scratch) -> Result<(), String> {
        match (&self.effects, &self.program.rules) {
            (Effects::Rules(effects), Some(rules)) => {
                let choice = scratch.get(RuleChoice::default);
                effects.check_footprints((&self.program, rules), self.inner, state)?;
                effects.check_relations((&self.program, rules), choice, self.inner, state)
            }
            (Effects::Processes(effects), _) => {
                let (choice, places) = scratch.get(|| (Choice::default(), Places::new(&self.program)));
                effects.check_footprints(&self.program, places, self.inner, state)?;
                effects.check_relations(&self.program, choice, self.inner, state)
            }
            (Effects::Rules(_), None) => Ok(()),
        }
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }
}

impl Model for WithStubbornSets<'_> {
    fn schema(&self) -> &Arc<Schema> {
        self.inner.schema()
    }

    fn initial(&self, each: &mut dyn FnMut(&[u8])) {
        self.inner.initial(each);
    }

    fn expand(&self, state: &[u8], out: &mut Successors) {
        self.inner.expand(state, out);
    }

    fn successors_with_footprints(&self, state: &[u8], out: &mut Successors, prints: &mut Footprints) -> bool {
        self.inner.successors_with_footprints(state, out, prints)
    }

    fn stubborn_set(
        &self,
        state: &[u8],
        (steps, first): (&Successors, usize),
        leads_on: &[bool],
        chosen: &mut Vec<bool>,
        scratch: &mut Scratch,
    ) -> bool {
        match (&self.effects, &self.program.rules) {
            (Effects::Rules(effects), Some(rules)) => {
                let choice = scratch.get(RuleChoice::default);
                effects.choose((&self.program, rules), choice, state, (steps, first), leads_on, chosen)
            }
            (Effects::Processes(effects), _) => {
                effects.choose(&self.program, scratch.get(Choice::default), state, (steps, first), leads_on, chosen)
            }
            (Effects::Rules(_), None) => false,
        }
    }

    fn fire(&self, state: &[u8], step: Step, to: &mut Vec<u8>, scratch: &mut Scratch) -> Fired {
        self.inner.fire(state, step, to, scratch)
    }

    fn check(&self, state: &[u8], scratch: &mut Scratch) -> Option<Fault> {
        self.inner.check(state, scratch)
    }

    fn kind(&self, state: &[u8], step: Step) -> StepKind {
        self.inner.kind(state, step)
    }

    fn describe(&self, state: &[u8], step: Step, each: &mut dyn FnMut(StepText)) {
        self.inner.describe(state, step, each);
    }

    fn label(&self, state: &[u8], step: Step, out: &mut String) {
        self.inner.label(state, step, out);
    }

    fn symmetry(&self) -> Option<&Arc<Symmetry>> {
        self.inner.symmetry()
    }

    fn describe_initial(&self, number: u32) -> Option<StepText> {
        self.inner.describe_initial(number)
    }

    fn deadlock(&self) -> &'static str {
        self.inner.deadlock()
    }

    fn standing(&self, state: &[u8]) -> Vec<StepText> {
        self.inner.standing(state)
    }

    fn unreached(&self, scratch: &Scratch) -> Vec<StepText> {
        self.inner.unreached(scratch)
    }
}
