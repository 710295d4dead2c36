//! A model in which states that differ by renaming are one.

use crate::Canonical;
use std::sync::Arc;
use tightrope_core::{
    Fault, Fired, Footprints, Model, Schema, Scratch, Step, StepKind, StepText, Steps, Successors, Symmetry, Trace,
};

/// Wraps a model whose states have a symmetry.
pub struct Symmetric<'m> {
    inner: &'m dyn Model,
    symmetry: &'m Arc<Symmetry>,
    /// The first initial state, which shows what is usual.
    example: Vec<u8>,
}

/// The working space of the wrapped model, and that of renaming.
struct Work {
    inner: Scratch,
    canonical: Canonical,
    /// A state before it is renamed.
    before: Vec<u8>,
}

impl<'m> Symmetric<'m> {
    /// The model up to renaming; none if it declares no symmetry.
    pub fn new(inner: &'m dyn Model) -> Option<Symmetric<'m>> {
        let symmetry = inner.symmetry()?;
        let mut example = Vec::new();
        inner.initial(&mut |state| {
            if example.is_empty() {
                example.extend_from_slice(state);
            }
        });
        Some(Symmetric { inner, symmetry, example })
    }

    fn canonical(&self) -> Canonical {
        Canonical::new(self.symmetry, &self.example)
    }

    fn work(&self) -> Work {
        Work { inner: Scratch::default(), canonical: self.canonical(), before: Vec::new() }
    }

    /// Does something with the working space.
    fn within<T>(&self, out: &mut Successors, what: impl FnOnce(&mut Successors, &mut Work) -> T) -> T {
        let mut scratch = std::mem::take(&mut out.scratch);
        let done = what(out, scratch.get(|| self.work()));
        out.scratch = scratch;
        done
    }

    /// Does something with the wrapped model, which finds its own working space.
    fn inside<T>(&self, out: &mut Successors, work: &mut Work, what: impl FnOnce(&mut Successors) -> T) -> T {
        std::mem::swap(&mut out.scratch, &mut work.inner);
        let done = what(out);
        std::mem::swap(&mut out.scratch, &mut work.inner);
        done
    }

    /// A trace of this model as one of the wrapped model: each step is one of those that lead to a renaming of the next
    /// state. The error says where there is none, which would be a defect.
    pub fn unfold(&self, trace: &Trace, fault: &Fault) -> Result<Trace, String> {
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
        canonical.rename(&mut representative);
        let mut successors = Successors::new();
        let mut unfolded = Trace { initial: trace.initial, steps: Steps::new() };
        let mut next = Vec::new();
        for (at, step) in trace.steps.iter().enumerate() {
            let fired = self.fire(&representative, step, &mut next, &mut scratch);
            self.inner.successors(&actual, &mut successors);
            let found = (0..successors.len()).find(|&index| match (&fired, successors.state(index)) {
                (Fired::Done | Fired::DoneWith(_), Some(state)) => {
                    let mut renamed = state.to_vec();
                    canonical.rename(&mut renamed);
                    renamed == next
                }
                (Fired::Failed(_), None) => successors.fault(index).is_some_and(|found| found.kind == fault.kind),
                _ => false,
            });
            let Some(index) = found else { return Err(format!("step {} has no counterpart", at + 1)) };
            unfolded.steps.push(successors.step(index));
            if let Some(state) = successors.state(index) {
                actual = state.to_vec();
                std::mem::swap(&mut representative, &mut next);
            }
        }
        Ok(unfolded)
    }
}

impl Model for Symmetric<'_> {
    fn schema(&self) -> &Arc<Schema> {
        self.inner.schema()
    }

    fn initial(&self, each: &mut dyn FnMut(&[u8])) {
        let mut canonical = self.canonical();
        self.inner.initial(&mut |state| {
            let mut state = state.to_vec();
            canonical.rename(&mut state);
            each(&state);
        });
    }

    fn expand(&self, state: &[u8], out: &mut Successors) {
        let before = out.len();
        self.within(out, |out, work| {
            self.inside(out, work, |out| self.inner.expand(state, out));
            let mut beside = work.canonical.beside(state);
            for index in before..out.len() {
                if let Some(successor) = out.state_mut(index) {
                    beside.rename(successor);
                }
            }
        });
    }

    fn successors_with_footprints(&self, state: &[u8], out: &mut Successors, prints: &mut Footprints) -> bool {
        self.within(out, |out, work| {
            let known = self.inside(out, work, |out| self.inner.successors_with_footprints(state, out, prints));
            let mut beside = work.canonical.beside(state);
            for index in 0..out.len() {
                let Some(successor) = out.state_mut(index) else { continue };
                work.before.clear();
                work.before.extend_from_slice(successor);
                beside.rename(successor);
                if known && *work.before != *successor {
                    prints.note_renaming(index);
                }
            }
            known
        })
    }

    /// A stubborn set of a state is one of all states that it stands for, and its steps have the names that they have in it.
    fn stubborn_set(
        &self,
        state: &[u8],
        steps: (&Successors, usize),
        leads_on: &[bool],
        chosen: &mut Vec<bool>,
        scratch: &mut Scratch,
    ) -> bool {
        self.inner.stubborn_set(state, steps, leads_on, chosen, scratch)
    }

    fn fire(&self, state: &[u8], step: Step, to: &mut Vec<u8>, scratch: &mut Scratch) -> Fired {
        let work = scratch.get(|| self.work());
        let fired = self.inner.fire(state, step, to, &mut work.inner);
        if let Fired::Done | Fired::DoneWith(_) = fired {
            work.canonical.rename(to);
        }
        fired
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
        scratch.peek::<Work>().map(|work| self.inner.unreached(&work.inner)).unwrap_or_default()
    }
}
