//! The model that offers stubborn sets to a search.

use crate::audit::VariableExtents;
use crate::processes::{ProcessEffects, ProcessWorkspace};
use crate::rules::{RuleEffects, RuleWorkspace};
use std::sync::Arc;
use tightrope_core::{Model, Scratch, Successors, delegate_model};
use tightrope_ir::Program;

/// Wraps a model that executes a program, and computes stubborn sets of its states.
pub struct WithStubbornSets<'m> {
    inner: &'m dyn Model,
    program: Arc<Program>,
    effects: Effects,
}

enum Effects {
    Processes(Box<ProcessEffects>),
    Rules(RuleEffects),
}

impl<'m> WithStubbornSets<'m> {
    /// The same model with stubborn sets. It must execute `program`.
    pub fn new(inner: &'m dyn Model, program: Arc<Program>) -> WithStubbornSets<'m> {
        let effects = match &program.rules {
            Some(rules) => Effects::Rules(RuleEffects::new(&program, rules)),
            None => Effects::Processes(Box::new(ProcessEffects::new(&program))),
        };
        WithStubbornSets { inner, program, effects }
    }

    /// Whether a step can be left out in some state, as far as the text of the program tells: not with priorities, for example.
    pub fn may_reduce(&self) -> bool {
        match &self.effects {
            Effects::Processes(effects) => !effects.all_dependent,
            Effects::Rules(effects) => effects.may_reduce(),
        }
    }

    /// Compares the effects and relations that stubborn sets rest on with what the steps of a state do. The error says what
    /// is wrong, which is a defect of this crate or of [`tightrope_ir::effects`]. `scratch` is working space, for this method
    /// alone.
    pub fn audit(&self, state: &[u8], scratch: &mut Scratch) -> Result<(), String> {
        match (&self.effects, &self.program.rules) {
            (Effects::Rules(effects), Some(rules)) => {
                let workspace = scratch.get(RuleWorkspace::default);
                effects.audit_footprints((&self.program, rules), self.inner, state)?;
                effects.audit_relations((&self.program, rules), workspace, self.inner, state)
            }
            (Effects::Processes(effects), _) => {
                let (workspace, extents) =
                    scratch.get(|| (ProcessWorkspace::default(), VariableExtents::new(&self.program)));
                effects.audit_footprints(&self.program, extents, self.inner, state)?;
                effects.audit_relations(&self.program, workspace, self.inner, state)
            }
            (Effects::Rules(_), None) => Ok(()),
        }
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }
}

#[deny(clippy::missing_trait_methods)]
impl Model for WithStubbornSets<'_> {
    fn stubborn_set(
        &self,
        state: &[u8],
        (steps, first): (&Successors, usize),
        satisfies_proviso: &[bool],
        in_set: &mut Vec<bool>,
        scratch: &mut Scratch,
    ) -> bool {
        if steps.len() - first < 2 {
            return false;
        }
        let found = match (&self.effects, &self.program.rules) {
            (Effects::Rules(effects), Some(rules)) => effects.with_relation(
                (&self.program, rules),
                scratch.get(RuleWorkspace::default),
                state,
                (steps, first),
                |closure, relation| closure.find(relation, satisfies_proviso, in_set),
            ),
            (Effects::Processes(effects), _) => effects.with_relation(
                &self.program,
                scratch.get(ProcessWorkspace::default),
                state,
                (steps, first),
                |closure, relation| closure.find(relation, satisfies_proviso, in_set),
            ),
            (Effects::Rules(_), None) => None,
        };
        found.unwrap_or(false)
    }

    delegate_model!(
        inner: schema, initial, expand, successors, successors_with_footprints, fire, fire_nth, check, is_error_state,
        step_class, statements, describe, label, symmetry, describe_initial, deadlock, standing, unreached,
    );
}
