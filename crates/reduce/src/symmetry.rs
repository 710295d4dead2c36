//! The quotient of a model by its symmetry: one state, the canonical representative, for each orbit (Ip & Dill 1996).

use crate::Canonical;
use crate::incidence::LeafTable;
use std::sync::{Arc, Mutex, PoisonError};
use tightrope_core::{
    Fired, Footprints, Model, Scratch, Statements, Step, StepText, Steps, Successors, Symmetry, Trace, Violation,
    delegate_model,
};

/// Wraps a model that declares a symmetry. Its states are the representatives; their steps have the names that they have in the
/// wrapped model.
pub struct Symmetric<'m> {
    inner: &'m dyn Model,
    symmetry: &'m Arc<Symmetry>,
    /// The leaves of its states, with the default values of the first initial state.
    leaves: Arc<LeafTable>,
    /// Allocated when the model is wrapped, so that it is there before a search asks how much memory is left.
    spare: Mutex<Option<Canonical>>,
}

/// The working space of the wrapped model, and of this one.
struct SymmetryWorkspace {
    inner: Scratch,
    canonical: Canonical,
    /// A successor in the wrapped model.
    before: Vec<u8>,
}

impl<'m> Symmetric<'m> {
    /// The quotient of a model; none if it declares no symmetry.
    pub fn new(inner: &'m dyn Model) -> Option<Symmetric<'m>> {
        let symmetry = inner.symmetry()?;
        let mut example = Vec::new();
        inner.initial(&mut |state| {
            if example.is_empty() {
                example.extend_from_slice(state);
            }
        });
        let leaves = Arc::new(LeafTable::new(symmetry, &example));
        let spare = Mutex::new(Some(Canonical::with_leaves(symmetry, leaves.clone())));
        Some(Symmetric { inner, symmetry, leaves, spare })
    }

    fn canonical(&self) -> Canonical {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).take();
        spare.unwrap_or_else(|| Canonical::with_leaves(self.symmetry, self.leaves.clone()))
    }

    /// What no step of the wrapped model executed, by the working space of a search of its quotient.
    pub fn unreached_in(inner: &dyn Model, scratch: &Scratch) -> Vec<StepText> {
        scratch.peek::<SymmetryWorkspace>().map(|workspace| inner.unreached(&workspace.inner)).unwrap_or_default()
    }

    fn workspace(&self) -> SymmetryWorkspace {
        SymmetryWorkspace { inner: Scratch::default(), canonical: self.canonical(), before: Vec::new() }
    }

    /// Calls `what` with the working space, which is in `out`.
    fn with_workspace<T>(
        &self,
        out: &mut Successors,
        what: impl FnOnce(&mut Successors, &mut SymmetryWorkspace) -> T,
    ) -> T {
        let mut scratch = std::mem::take(&mut out.scratch);
        let done = what(out, scratch.get(|| self.workspace()));
        out.scratch = scratch;
        done
    }

    /// Calls `what` with the working space of the wrapped model in `out`.
    fn with_inner_workspace<T>(
        &self,
        out: &mut Successors,
        workspace: &mut SymmetryWorkspace,
        what: impl FnOnce(&mut Successors) -> T,
    ) -> T {
        std::mem::swap(&mut out.scratch, &mut workspace.inner);
        let done = what(out);
        std::mem::swap(&mut out.scratch, &mut workspace.inner);
        done
    }

    /// A violation of this model as one of the wrapped model: each step leads to a state of the orbit of the next representative,
    /// and the fault is the one that shows at the end, which may be about other elements of a scalarset. The error says where there
    /// is no such step, which is a defect.
    pub fn unfold(&self, violation: &Violation) -> Result<Violation, String> {
        let Violation { fault, trace } = violation;
        let mut canonical = self.canonical();
        let mut scratch = Scratch::default();
        let (mut actual, mut representative) = (Vec::new(), Vec::new());
        let mut number = 0;
        self.inner.initial(&mut |state| {
            if number == trace.initial {
                actual = state.to_vec();
            }
            number += 1;
        });
        representative.extend_from_slice(&actual);
        canonical.canonicalize(&mut representative);
        let mut successors = Successors::new();
        let mut unfolded = Trace { initial: trace.initial, steps: Steps::new() };
        let mut next = Vec::new();
        let mut shown = None;
        for (at, step) in trace.steps.iter().enumerate() {
            let fired = self.fire(&representative, step, &mut next, &mut scratch);
            self.inner.successors(&actual, &mut successors);
            let found = (0..successors.len()).find(|&index| match (&fired, successors.state(index)) {
                (Fired::Done | Fired::DoneWith(_), Some(state)) => {
                    let mut renamed = state.to_vec();
                    canonical.canonicalize(&mut renamed);
                    renamed == next
                }
                (Fired::Failed(_), None) => successors.fault(index).is_some_and(|found| found.kind == fault.kind),
                _ => false,
            });
            let Some(index) = found else { return Err(format!("step {} has no counterpart", at + 1)) };
            unfolded.steps.push(successors.step(index));
            shown = successors.fault(index).filter(|shown| shown.kind == fault.kind).cloned();
            if let Some(state) = successors.state(index) {
                actual = state.to_vec();
                std::mem::swap(&mut representative, &mut next);
            }
        }
        let in_state = || self.inner.check(&actual, &mut Scratch::default()).filter(|shown| shown.kind == fault.kind);
        let shown = shown.or_else(in_state).unwrap_or_else(|| fault.clone());
        Ok(Violation { fault: shown, trace: unfolded })
    }
}

#[deny(clippy::missing_trait_methods)]
impl Model for Symmetric<'_> {
    fn initial(&self, each: &mut dyn FnMut(&[u8])) {
        let mut canonical = self.canonical();
        self.inner.initial(&mut |state| {
            let mut state = state.to_vec();
            canonical.canonicalize(&mut state);
            each(&state);
        });
        *self.spare.lock().unwrap_or_else(PoisonError::into_inner) = Some(canonical);
    }

    fn expand(&self, state: &[u8], out: &mut Successors) {
        let before = out.len();
        self.with_workspace(out, |out, workspace| {
            self.with_inner_workspace(out, workspace, |out| self.inner.expand(state, out));
            let mut successors = workspace.canonical.for_successors_of(state);
            for index in before..out.len() {
                if let Some(successor) = out.state_mut(index) {
                    successors.canonicalize(successor);
                }
            }
        });
    }

    fn successors(&self, state: &[u8], out: &mut Successors) {
        out.clear();
        self.expand(state, out);
    }

    fn successors_with_footprints(&self, state: &[u8], out: &mut Successors, footprints: &mut Footprints) -> bool {
        self.with_workspace(out, |out, workspace| {
            let known = self.with_inner_workspace(out, workspace, |out| {
                self.inner.successors_with_footprints(state, out, footprints)
            });
            let mut successors = workspace.canonical.for_successors_of(state);
            for index in 0..out.len() {
                let Some(successor) = out.state_mut(index) else { continue };
                workspace.before.clear();
                workspace.before.extend_from_slice(successor);
                successors.canonicalize(successor);
                if known && *workspace.before != *successor {
                    footprints.note_renaming(index);
                }
            }
            known
        })
    }

    fn fire(&self, state: &[u8], step: Step, to: &mut Vec<u8>, scratch: &mut Scratch) -> Fired {
        let workspace = scratch.get(|| self.workspace());
        let fired = self.inner.fire(state, step, to, &mut workspace.inner);
        if let Fired::Done | Fired::DoneWith(_) = fired {
            workspace.canonical.canonicalize(to);
        }
        fired
    }

    fn fire_nth(&self, state: &[u8], number: usize, to: &mut Vec<u8>, out: &mut Successors) -> Fired {
        self.with_workspace(out, |out, workspace| {
            let fired = self.with_inner_workspace(out, workspace, |out| self.inner.fire_nth(state, number, to, out));
            if let Fired::Done | Fired::DoneWith(_) = fired {
                workspace.canonical.canonicalize(to);
            }
            fired
        })
    }

    /// Not told: the wrapped model would look for its working space in `out`, where that of this one is.
    fn statements(&self) -> Option<&dyn Statements> {
        None
    }

    /// None that is left.
    fn symmetry(&self) -> Option<&Arc<Symmetry>> {
        None
    }

    fn unreached(&self, scratch: &Scratch) -> Vec<StepText> {
        Symmetric::unreached_in(self.inner, scratch)
    }

    // A stubborn set of the representative, permuted, is one of every state of the orbit.
    delegate_model!(
        inner: schema, stubborn_set, check, is_error_state, step_class, describe, label, describe_initial, deadlock,
        standing,
    );
}
