//! The steps of an expansion: their names, and how they are added to the successors.
//!
//! A step is named by the transition that begins it, and by the partner's transition in a rendezvous. Where an atomic
//! sequence branches before control is given up, `choice` numbers the outcomes.

use super::atomic::IntermediateState;
use super::expansion::Expansion;
use super::proctype::Transition;
use crate::context::EvalError;
use crate::program::place_of;
use tightrope_core::{Fault, FaultKind, Step};

/// What a move is to the step that it belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MoveRole {
    /// It begins the step.
    Begins,
    /// It is the receive of a rendezvous that begins the step: the sender and its transition.
    Answers(usize, u32),
    /// It comes later in the step.
    Continues,
}

/// Packs process and transition into the name of a step, and those of the partner in a rendezvous. The partner's
/// transition is stored plus one, so that 0 is none.
pub(super) fn name(pid: usize, transition: usize, partner: Option<(usize, usize)>) -> u64 {
    let own = pid as u64 | (transition as u64) << 8;
    partner.map_or(own, |(pid, transition)| own | (pid as u64) << 24 | (transition as u64 + 1) << 32)
}

/// The process and the transition that a step is named by, and those of the partner in a rendezvous.
pub fn transitions_of(step: Step) -> (usize, usize, Option<(usize, usize)>) {
    let part = |shift: u32, mask: u64| (step.action >> shift & mask) as usize;
    let partner = part(32, 0xffff);
    (part(0, 0xff), part(8, 0xffff), (partner > 0).then(|| (part(24, 0xff), partner - 1)))
}

impl Expansion<'_> {
    /// Names the step, where this move decides its name.
    pub(super) fn name_step(&mut self, role: MoveRole, pid: usize, index: u32) {
        self.action = match role {
            MoveRole::Begins => name(pid, index as usize, None),
            MoveRole::Answers(sender, sending) => name(sender, sending as usize, Some((pid, index as usize))),
            MoveRole::Continues => return,
        };
        self.choice = 0;
    }

    fn next_outcome(&mut self) -> Step {
        let step = Step { action: self.action, choice: self.choice };
        self.choice += 1;
        step
    }

    /// Adds an outcome of the step: the state that it leads to.
    pub(super) fn emit(&mut self, to: IntermediateState) {
        self.reset_hidden(to.start);
        let step = self.next_outcome();
        self.scratch.statements.note(self.out.len(), self.out.len() + 1, to.statements);
        self.out.push_range(step, to.start, to.end, to.fault.map(|fault| *fault));
        if let Some(log) = &mut self.move_log {
            log.ends.push(to.path);
        }
    }

    /// Adds an outcome of the step that fails.
    pub(super) fn emit_failed(&mut self, fault: Fault, path: u32) {
        let step = self.next_outcome();
        self.out.push_failed(step, fault);
        if let Some(log) = &mut self.move_log {
            log.ends.push(path);
        }
    }

    /// Resets the `hidden` variables, which are no part of a state's identity.
    pub(super) fn reset_hidden(&mut self, start: usize) {
        for &(from, to) in &self.program.hidden {
            let (from, to) = (from as usize, to as usize);
            self.out.bytes[start + from..start + to].copy_from_slice(&self.program.fixed[from..to]);
        }
    }

    /// The fault that an error in a transition is.
    pub(super) fn fault(&self, transition: &Transition, error: EvalError) -> Fault {
        let message = match error.kind {
            FaultKind::Assertion => transition.text.clone(),
            FaultKind::Atomicity => format!("{} at `{}`", error.message, transition.text),
            _ => format!("{} in `{}`", error.message, transition.text),
        };
        Fault { kind: error.kind, message, at: place_of(self.program, transition.source) }
    }
}
