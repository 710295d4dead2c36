//! A trace, fired step by step.

use crate::difference::{Change, Value, differences, values};
use tightrope_core::{Fault, FaultKind, Fired, Model, Scratch, Step, StepText, Stuck, Successors, Trace};

/// A step as it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayedStep {
    /// The step.
    pub step: Step,
    /// The elementary moves it is made of.
    pub moves: Vec<StepText>,
    /// What changed. Nothing in a step that failed and led nowhere.
    pub changes: Vec<Change>,
}

/// A trace as it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// How it starts, where there is more to say than the values.
    pub start: Option<StepText>,
    /// The variables in the initial state.
    pub first: Vec<Value>,
    /// The steps.
    pub steps: Vec<ReplayedStep>,
    /// The variables in the last state there was.
    pub last: Vec<Value>,
    /// Where everybody stands then.
    pub standing: Vec<StepText>,
    /// The fault as it showed.
    pub fault: Fault,
}

/// Fires the steps of `trace` and makes sure that a fault of the kind of `fault` shows at its end: in the last step, or
/// in the state it leads to. The error says where the trace does not do what it claims.
pub fn replay(model: &dyn Model, trace: &Trace, fault: &Fault) -> Result<Replayed, String> {
    let mut state = initial(model, trace.initial)?;
    let schema = model.schema();
    let first = values(schema, &state);
    let mut steps = Vec::with_capacity(trace.steps.len());
    let mut shown = None;
    let mut next = Vec::new();
    let mut scratch = Scratch::default();
    for (number, &step) in trace.steps.iter().enumerate() {
        let is_last = number + 1 == trace.steps.len();
        let fired = model.fire(&state, step, &mut next, &mut scratch);
        let moves = model.describe(&state, step);
        let mut changes = Vec::new();
        let fault = match fired {
            Fired::Done | Fired::DoneWith(_) => {
                changes = differences(schema, &state, &next);
                std::mem::swap(&mut state, &mut next);
                if let Fired::DoneWith(fault) = fired { Some(fault) } else { None }
            }
            Fired::Failed(fault) if is_last => Some(fault),
            Fired::Failed(fault) => {
                return Err(format!("step {} fails ({}), but more steps follow", number + 1, fault.message));
            }
            Fired::Disabled => return Err(format!("step {} cannot be taken", number + 1)),
        };
        if is_last {
            shown = fault;
        }
        steps.push(ReplayedStep { step, moves, changes });
    }
    let found = shown.filter(|shown| shown.kind == fault.kind).or_else(|| in_state(model, &state, fault));
    match found {
        Some(fault) => {
            let (last, standing) = (values(schema, &state), model.standing(&state));
            Ok(Replayed { start: model.describe_initial(trace.initial), first, steps, last, standing, fault })
        }
        None => Err(format!("the fault does not show at the end: {} ({})", fault.message, fault.kind.name())),
    }
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
        return (successors.stuck == Stuck::Deadlock).then(|| fault.clone());
    }
    model.check(state, &mut Scratch::default()).filter(|found| found.kind == fault.kind)
}
