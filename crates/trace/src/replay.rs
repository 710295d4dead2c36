//! A trace, fired step by step.

use crate::difference::{Change, differences};
use tightrope_core::{Fault, FaultKind, Fired, Model, Scratch, Step, StepText, Successors, Terminal, Trace};

/// A trace that is being replayed: one state at a time, so that the longest one takes no more memory than a short one.
pub struct Replay<'m> {
    model: &'m dyn Model,
    steps: tightrope_core::steps::Iter<'m>,
    count: usize,
    /// The state before the last step, and the present one.
    before: Vec<u8>,
    state: Vec<u8>,
    /// How many steps were taken.
    taken: usize,
    /// The fault of the last step.
    fault: Option<Fault>,
    /// The last step failed and led nowhere.
    failed: bool,
    scratch: Scratch,
}

/// A step that was taken.
pub struct Taken<'r> {
    model: &'r dyn Model,
    /// Its number, from one.
    pub number: usize,
    step: Step,
    before: &'r [u8],
    after: Option<&'r [u8]>,
}

impl Taken<'_> {
    /// Calls `each` with the elementary moves it is made of.
    pub fn moves(&self, each: &mut dyn FnMut(StepText)) {
        self.model.describe(self.before, self.step, each);
    }

    /// What changed. Nothing in a step that failed and led nowhere.
    pub fn changes(&self) -> Vec<Change> {
        self.after.map_or_else(Vec::new, |after| differences(self.model.schema(), self.before, after))
    }
}

impl<'m> Replay<'m> {
    /// Begins in the initial state of a trace.
    pub fn new(model: &'m dyn Model, trace: &'m Trace) -> Result<Replay<'m>, String> {
        let state = initial(model, trace.initial)?;
        let (before, scratch) = (Vec::new(), Scratch::default());
        let (steps, count) = (trace.steps.iter(), trace.steps.len());
        Ok(Replay { model, steps, count, before, state, taken: 0, fault: None, failed: false, scratch })
    }

    /// The model.
    pub fn model(&self) -> &'m dyn Model {
        self.model
    }

    /// Whether all steps were taken.
    pub fn is_at_end(&self) -> bool {
        self.taken == self.count
    }

    /// The present state.
    pub fn state(&self) -> &[u8] {
        &self.state
    }

    /// Takes the next step; none at the end. The error says where the trace does not do what it claims.
    pub fn advance(&mut self) -> Result<Option<Taken<'_>>, String> {
        let Some(step) = self.steps.next() else { return Ok(None) };
        self.taken += 1;
        let (number, is_last) = (self.taken, self.taken == self.count);
        std::mem::swap(&mut self.before, &mut self.state);
        self.fault = match self.model.fire(&self.before, step, &mut self.state, &mut self.scratch) {
            Fired::Done => None,
            Fired::DoneWith(fault) => {
                if is_last && self.model.is_error_state(&self.state) {
                    // It tells nothing of how it came about.
                    self.failed = true;
                    self.state.clone_from(&self.before);
                }
                Some(fault)
            }
            Fired::Failed(fault) if is_last => {
                // There is no state after it.
                self.failed = true;
                self.state.clone_from(&self.before);
                Some(fault)
            }
            Fired::Failed(fault) => {
                return Err(format!("step {number} fails ({}), but more steps follow", fault.message));
            }
            Fired::Disabled => return Err(format!("step {number} cannot be taken")),
        };
        let after = (!self.failed).then_some(self.state.as_slice());
        Ok(Some(Taken { model: self.model, number, step, before: &self.before, after }))
    }

    /// At the end of a trace, the fault of the kind of `fault` as it shows: in the last step, or in the state that it led to.
    pub fn end(&self, fault: &Fault) -> Result<Fault, String> {
        let shown = self.fault.clone().filter(|shown| shown.kind == fault.kind);
        shown
            .or_else(|| in_state(self.model, &self.state, fault))
            .ok_or_else(|| format!("the fault does not show at the end: {} ({})", fault.message, fault.kind.name()))
    }
}

/// Fires the steps of `trace` and makes sure that a fault of the kind of `fault` shows at its end: the fault as it showed. The
/// error says where the trace does not do what it claims.
pub fn replay(model: &dyn Model, trace: &Trace, fault: &Fault) -> Result<Fault, String> {
    let mut replay = Replay::new(model, trace)?;
    while replay.advance()?.is_some() {}
    replay.end(fault)
}

fn initial(model: &dyn Model, wanted: u32) -> Result<Vec<u8>, String> {
    let (mut found, mut number) = (None, 0);
    model.initial(&mut |state| {
        if number == wanted {
            found = Some(state.to_vec());
        }
        number += 1;
    });
    found.ok_or_else(|| format!("the trace begins at initial state {wanted}, but there are only {number}"))
}

/// The fault, if it shows in the state itself.
fn in_state(model: &dyn Model, state: &[u8], fault: &Fault) -> Option<Fault> {
    if fault.kind == FaultKind::Deadlock {
        let mut successors = Successors::new();
        model.successors(state, &mut successors);
        return (successors.terminal == Terminal::Deadlock).then(|| fault.clone());
    }
    model.check(state, &mut Scratch::default()).filter(|found| found.kind == fault.kind)
}
