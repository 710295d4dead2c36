//! Programs as models: processes or rules.

use crate::Program;
use crate::process::ProcessModel;
use crate::rule::RuleModel;
use std::sync::Arc;
use tightrope_core::{
    Fault, Fired, Footprints, Model, Schema, Scratch, Statements, Step, StepClass, StepText, Successors, Symmetry,
};

/// A program as a model, by the form of the program.
pub enum ProgramModel {
    /// Of processes.
    Processes(ProcessModel),
    /// Of rules.
    Rules(RuleModel),
}

/// Calls a method of the model inside.
macro_rules! delegate {
    ($self:ident.$method:ident($($argument:expr),*)) => {
        match $self {
            ProgramModel::Processes(model) => model.$method($($argument),*),
            ProgramModel::Rules(model) => model.$method($($argument),*),
        }
    };
}

impl ProgramModel {
    /// A model that executes `program`, which must be valid (see [`crate::validate()`]).
    pub fn new(program: impl Into<Arc<Program>>) -> ProgramModel {
        let program = program.into();
        match program.rules {
            Some(_) => ProgramModel::Rules(RuleModel::new(program)),
            None => ProgramModel::Processes(ProcessModel::new(program)),
        }
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        delegate!(self.program())
    }

    /// The first error in an initial state, if there is one.
    pub fn start_fault(&self) -> Option<Fault> {
        delegate!(self.start_fault())
    }
}

impl Model for ProgramModel {
    fn schema(&self) -> &Arc<Schema> {
        delegate!(self.schema())
    }

    fn initial(&self, each: &mut dyn FnMut(&[u8])) {
        delegate!(self.initial(each))
    }

    fn expand(&self, state: &[u8], out: &mut Successors) {
        delegate!(self.expand(state, out))
    }

    fn successors_with_footprints(&self, state: &[u8], out: &mut Successors, footprints: &mut Footprints) -> bool {
        delegate!(self.successors_with_footprints(state, out, footprints))
    }

    fn fire(&self, state: &[u8], step: Step, to: &mut Vec<u8>, scratch: &mut Scratch) -> Fired {
        delegate!(self.fire(state, step, to, scratch))
    }

    fn fire_nth(&self, state: &[u8], number: usize, to: &mut Vec<u8>, out: &mut Successors) -> Fired {
        delegate!(self.fire_nth(state, number, to, out))
    }

    fn check(&self, state: &[u8], scratch: &mut Scratch) -> Option<Fault> {
        delegate!(self.check(state, scratch))
    }

    fn is_error_state(&self, state: &[u8]) -> bool {
        delegate!(self.is_error_state(state))
    }

    fn step_class(&self, state: &[u8], step: Step) -> StepClass {
        delegate!(self.step_class(state, step))
    }

    fn statements(&self) -> Option<&dyn Statements> {
        delegate!(self.statements())
    }

    fn describe(&self, state: &[u8], step: Step, each: &mut dyn FnMut(StepText)) {
        delegate!(self.describe(state, step, each))
    }

    fn label(&self, state: &[u8], step: Step, out: &mut String) {
        delegate!(self.label(state, step, out))
    }

    fn symmetry(&self) -> Option<&Arc<Symmetry>> {
        delegate!(self.symmetry())
    }

    fn describe_initial(&self, number: u32) -> Option<StepText> {
        delegate!(self.describe_initial(number))
    }

    fn deadlock(&self) -> &'static str {
        delegate!(self.deadlock())
    }

    fn standing(&self, state: &[u8]) -> Vec<StepText> {
        delegate!(self.standing(state))
    }

    fn unreached(&self, scratch: &Scratch) -> Vec<StepText> {
        delegate!(self.unreached(scratch))
    }
}
