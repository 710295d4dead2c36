//! What actions do. A state is changed in place, at the end of a growing buffer.

use super::eval::ProcessView;
use super::layout::{ProcessLayout, ProcessLayouts};
use super::rendezvous::Handshake;
use crate::access_log::{self, AccessLog};
use crate::context::EvalError;
use crate::{Action, Expr, IndivisibleCode, Program, Variable};
use std::cell::Cell;
use tightrope_core::{AccessKind, FaultKind, Resource};

/// After so many actions an indivisible sequence counts as endless.
const MAX_INDIVISIBLE: u64 = 10_000_000;

/// A state that is being changed: the tail of a buffer.
pub struct StateUpdate<'a> {
    /// The program.
    pub program: &'a Program,
    /// The buffer.
    pub bytes: &'a mut Vec<u8>,
    /// Where in the buffer the state begins; it ends where the buffer ends.
    pub start: usize,
    /// The layouts met so far.
    pub layouts: &'a mut ProcessLayouts,
    /// The layout of the state.
    pub layout: u32,
    /// The process that moves.
    pub pid: usize,
    /// Nothing else is enabled.
    pub timeout: bool,
    /// The rendezvous channel on which a message is on offer; 0 is none.
    pub offered: u32,
    /// The action starts processes.
    pub starts: bool,
    /// Faults that do not end the action: failed assertions, forbidden events.
    pub complaints: &'a mut Vec<EvalError>,
    /// Where printed text goes, if it is wanted.
    pub output: Option<&'a mut String>,
    /// Where accesses are logged, if they are.
    pub log: Option<&'a AccessLog>,
}

/// What remains to be done after an action.
#[derive(Clone, Debug, PartialEq)]
pub enum ActionOutcome {
    /// Nothing.
    Moved,
    /// A rendezvous: another process must receive the message.
    Offered(Handshake),
    /// The process is gone.
    Ended,
}

impl StateUpdate<'_> {
    /// Runs `read` with a view of the state, and gives its result unless there was an error.
    pub(super) fn see<T>(&self, started: &[i32], read: impl FnOnce(&ProcessView) -> T) -> Result<T, EvalError> {
        let error = Cell::new(None);
        let layout = self.layouts.get(self.layout);
        let state = &self.bytes[self.start..];
        let mut view = ProcessView::new(self.program, state, layout, self.pid, self.timeout, &error);
        view.started = started;
        view.offered = self.offered;
        view.log = self.log;
        let result = read(&view);
        match error.into_inner() {
            None => Ok(result),
            Some(error) => Err(*error),
        }
    }

    pub(super) fn eval(&self, expr: &Expr) -> Result<i32, EvalError> {
        self.see(&[], |view| view.eval(expr))
    }

    /// Logs a write.
    #[inline]
    pub(super) fn note(&self, thing: impl FnOnce() -> Resource) {
        if let Some(log) = self.log {
            log.add(thing(), AccessKind::Write);
        }
    }

    pub(super) fn state(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..]
    }

    /// Executes an action that is enabled.
    pub fn apply(&mut self, action: &Action, handshake: Option<&Handshake>) -> Result<ActionOutcome, EvalError> {
        match action {
            Action::Skip | Action::Else => {}
            Action::Test(expr) => {
                self.start_all(expr)?;
            }
            Action::Assign(variable, expr) => {
                let started = self.start_all(expr)?;
                let value = self.see(&started, |view| view.eval(expr))?;
                self.assign(variable, value)?;
            }
            Action::Assert(expr) => {
                if self.eval(expr)? == 0 {
                    self.complaints.push(EvalError::new(FaultKind::Assertion, String::new()));
                }
            }
            Action::Send(send) => return self.send(send),
            Action::Receive(receive) => self.receive(receive, handshake)?,
            Action::Print(print) => {
                // The arguments are evaluated even if the text is not wanted: they may be errors.
                let values: Result<Vec<i32>, EvalError> = print.args.iter().map(|arg| self.eval(arg)).collect();
                let values = values?;
                if let Some(output) = &mut self.output {
                    output.push_str(&super::print::format_text(print, &values));
                }
            }
            Action::End => {
                self.end_process();
                return Ok(ActionOutcome::Ended);
            }
            Action::SetPriority(pid, value) => {
                let (pid, value) = (self.eval(pid)?, self.eval(value)?);
                self.set_priority(pid, value)?;
            }
            Action::Indivisible(code) => self.run_indivisible(code, handshake)?,
        }
        Ok(ActionOutcome::Moved)
    }

    pub(super) fn assign(&mut self, variable: &Variable, value: i32) -> Result<(), EvalError> {
        if let Some(at) = self.see(&[], |view| view.place(variable))? {
            self.note(|| access_log::bytes(self.program, self.current_layout(), at, variable.ty.size()));
            let value = variable.ty.wrap(value);
            variable.ty.repr.store(self.state(), at, value);
        }
        Ok(())
    }

    /// Sets the location of the moving process.
    pub fn set_pc(&mut self, target: u32) {
        self.note(|| access_log::location(self.pid));
        let layout = self.layouts.get(self.layout);
        let at = self.start + layout.bodies[self.pid] as usize;
        self.bytes[at] = target as u8;
        if self.program.processes[layout.kind(self.pid) as usize].wide_pc {
            self.bytes[at + 1] = (target >> 8) as u8;
        }
    }

    /// Notes which process moved, where the program keeps that.
    pub fn note_mover(&mut self, pid: usize) {
        if let Some(offset) = self.program.last_mover {
            self.note(|| Resource::Shared(offset, offset + 1));
            self.state()[offset as usize] = pid as u8;
        }
    }

    pub(super) fn set_priority(&mut self, pid: i32, value: i32) -> Result<(), EvalError> {
        if !(1..=255).contains(&value) {
            return Err(EvalError::new(FaultKind::Range, format!("priority {value} is not in 1..255")));
        }
        self.note(|| Resource::All);
        let layout = self.layouts.get(self.layout);
        if let Some(pid) = usize::try_from(pid).ok().filter(|&pid| pid < layout.count())
            && let Some(offset) = self.program.processes[layout.kind(pid) as usize].priority
        {
            let at = (layout.bodies[pid] + offset) as usize;
            self.state()[at] = value as u8;
        }
        Ok(())
    }

    pub(super) fn run_indivisible(
        &mut self,
        code: &IndivisibleCode,
        handshake: Option<&Handshake>,
    ) -> Result<(), EvalError> {
        let mut node = 0;
        let mut handshake = handshake;
        for _ in 0..MAX_INDIVISIBLE {
            let chosen = self.see(&[], |view| match handshake {
                Some(_) => {
                    code.nodes[node].actions.iter().find(|(action, _)| view.is_enabled(action, handshake, false))
                }
                None => view.choose(code, node),
            })?;
            let Some((action, next)) = chosen else {
                let line = code.nodes[node].source.line;
                let message = format!("an indivisible sequence blocks at line {line}");
                return Err(EvalError::new(FaultKind::Atomicity, message));
            };
            match self.apply(action, handshake.take())? {
                ActionOutcome::Moved => {}
                ActionOutcome::Offered(_) | ActionOutcome::Ended => {
                    let message = "a handshake or the end of a process inside an indivisible sequence";
                    return Err(EvalError::new(FaultKind::Atomicity, message));
                }
            }
            match next {
                Some(next) => node = *next as usize,
                None => return Ok(()),
            }
        }
        Err(EvalError::new(FaultKind::Atomicity, "endless `d_step` sequence"))
    }

    /// The layout of the state.
    pub fn current_layout(&self) -> &ProcessLayout {
        self.layouts.get(self.layout)
    }
}
