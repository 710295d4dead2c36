//! A program of processes as a model.

use super::eval::ProcessView;
use super::exec::StateUpdate;
use super::expansion::Expansion;
use super::footprints::Recorder;
use super::layout::ProcessLayouts;
use super::move_call::NativeMoves;
use super::proctype::{Process, Transition};
use super::scratch::ProcessScratch;
use super::step::transitions_of;
use crate::access_log::AccessLog;
use crate::program::place_of;
use crate::{Action, Expr, Program, Source};
use std::cell::Cell;
use std::sync::{Arc, OnceLock};
use tightrope_core::{
    Fault, FaultKind, Fired, Footprints, Model, Place, Schema, Scratch, Statements, Step, StepClass, StepText,
    Successors,
};

/// The number of an observer that is none of the processes.
const OBSERVER: usize = usize::MAX;

/// A program of processes as a model.
pub struct ProcessModel {
    program: Arc<Program>,
    pub(super) uses_timeout: bool,
    /// For every kind of process and transition: whether it starts processes.
    pub(super) starts: Vec<Vec<bool>>,
    /// Machine code for the moves.
    native: OnceLock<Arc<NativeMoves>>,
}

impl ProcessModel {
    /// A model of `program`, which must be valid (see [`crate::validate()`]) and have no rules.
    pub fn new(program: Arc<Program>) -> ProcessModel {
        let is_timeout = |expr: &Expr| *expr == Expr::Timeout;
        let uses_timeout = program.processes.iter().any(|process| {
            process.transitions.iter().any(|transition| transition.action.any(is_timeout))
                || process.provided.as_ref().is_some_and(|provided| provided.any(is_timeout))
        });
        let starts = |transition: &Transition| transition.action.any(|expr| matches!(expr, Expr::Run(_)));
        let starts = program.processes.iter().map(|process| process.transitions.iter().map(starts).collect()).collect();
        ProcessModel { program, uses_timeout, starts, native: OnceLock::new() }
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// Uses machine code for the moves from now on, also in threads that execute the model meanwhile: both do the same. Only
    /// the first one that is given counts.
    ///
    /// # Safety
    /// The code must have been made from this model's program, which must be valid (see [`crate::validate()`]), and its
    /// memory must live as long as `native`.
    pub unsafe fn use_native_moves(&self, native: Arc<NativeMoves>) {
        let _ = self.native.set(native);
    }

    pub(super) fn native(&self) -> Option<&NativeMoves> {
        self.native.get().map(Arc::as_ref)
    }

    /// The error in the initial values, if there is one.
    pub fn start_fault(&self) -> Option<Fault> {
        self.first_state().1
    }

    /// The initial state, and the error in its initial values, if there is one.
    fn first_state(&self) -> (Vec<u8>, Option<Fault>) {
        let mut bytes = self.program.fixed.clone();
        if !self.program.processes.is_empty() {
            bytes.push(0);
        }
        let mut layouts = ProcessLayouts::default();
        let Some(layout) = layouts.find(&self.program, &bytes) else { return (bytes, None) };
        let mut complaints = Vec::new();
        let mut update = StateUpdate {
            program: &self.program,
            bytes: &mut bytes,
            start: 0,
            layouts: &mut layouts,
            layout,
            pid: 0,
            timeout: false,
            offered: 0,
            starts: false,
            complaints: &mut complaints,
            output: None,
            log: None,
        };
        let set =
            self.program.initialisers.iter().try_for_each(|action: &Action| update.apply(action, None).map(|_| ()));
        let started = set.and_then(|()| {
            let mut starts = self.program.start.iter();
            starts.try_for_each(|start| update.start_process(start.kind, &[], i32::from(start.priority)).map(|_| ()))
        });
        let fault = started.err().map(|error| Fault {
            kind: error.kind,
            message: format!("{} in an initial value", error.message),
            at: Place::default(),
        });
        (bytes, fault)
    }

    /// The process of that number, and its transition of that number.
    pub(super) fn mover(&self, state: &[u8], pid: usize, transition: usize) -> Option<(&Process, &Transition)> {
        let list = self.program.schema.fixed_size as usize + 1;
        let process = self.program.processes.get(*state.get(list + pid)? as usize)?;
        Some((process, process.transitions.get(transition)?))
    }
}

impl Statements for ProcessModel {
    fn of_step(&self, out: &Successors, index: usize) -> u32 {
        out.scratch.peek::<ProcessScratch>().map_or(1, |scratch| scratch.statements.of(index))
    }

    fn of_failed_attempt(&self, out: &Successors) -> u32 {
        out.scratch.peek::<ProcessScratch>().map_or(0, |scratch| scratch.statements.in_vain)
    }
}

impl Model for ProcessModel {
    fn schema(&self) -> &Arc<Schema> {
        &self.program.schema
    }

    fn initial(&self, each: &mut dyn FnMut(&[u8])) {
        each(&self.first_state().0);
    }

    fn expand(&self, state: &[u8], out: &mut Successors) {
        let mut scratch = std::mem::take(&mut out.scratch);
        Expansion::new(self, scratch.get(|| ProcessScratch::new(&self.program)), out).expand(state, None);
        out.scratch = scratch;
    }

    fn successors_with_footprints(&self, state: &[u8], out: &mut Successors, footprints: &mut Footprints) -> bool {
        footprints.clear();
        out.clear();
        let mut scratch = std::mem::take(&mut out.scratch);
        let log = AccessLog::default();
        let expansion = Expansion::new(self, scratch.get(|| ProcessScratch::new(&self.program)), out);
        expansion.recording(Recorder { log: &log, footprints }).expand(state, None);
        out.scratch = scratch;
        true
    }

    fn check(&self, state: &[u8], scratch: &mut Scratch) -> Option<Fault> {
        let (goal, message) = self.program.goal.as_ref()?;
        let layouts = &mut scratch.get(|| ProcessScratch::new(&self.program)).layouts;
        let layout = layouts.find(&self.program, state)?;
        let error = Cell::new(None);
        let view = ProcessView::new(&self.program, state, layouts.get(layout), OBSERVER, false, &error);
        let reached = view.eval(goal) != 0 && !view.has_error();
        reached.then(|| Fault {
            kind: FaultKind::Goal,
            message: message.clone(),
            at: place_of(&self.program, Source::default()),
        })
    }

    fn fire(&self, state: &[u8], step: Step, to: &mut Vec<u8>, scratch: &mut Scratch) -> Fired {
        let scratch = scratch.get(|| ProcessScratch::new(&self.program));
        let mut spare = std::mem::take(&mut scratch.spare);
        spare.clear();
        Expansion::new(self, scratch, &mut spare).expand(state, Some(transitions_of(step).0));
        let index = spare.steps().position(|found| found == step);
        let fired = index.map_or(Fired::Disabled, |index| spare.fired(index, to));
        scratch.spare = spare;
        fired
    }

    fn step_class(&self, state: &[u8], step: Step) -> StepClass {
        let (pid, transition, _) = transitions_of(step);
        let mover = self.mover(state, pid, transition);
        mover.map_or(StepClass::LAST, |(_, transition)| transition.kind.class())
    }

    fn statements(&self) -> Option<&dyn Statements> {
        Some(self)
    }

    fn describe(&self, state: &[u8], step: Step, each: &mut dyn FnMut(StepText)) {
        self.describe_step(state, step, each);
    }

    fn label(&self, state: &[u8], step: Step, out: &mut String) {
        self.label_step(state, step, out);
    }

    fn standing(&self, state: &[u8]) -> Vec<StepText> {
        self.locations_of(state)
    }

    fn unreached(&self, scratch: &Scratch) -> Vec<StepText> {
        scratch.peek::<ProcessScratch>().map_or(Vec::new(), |scratch| self.never_executed(&scratch.exercised))
    }
}
