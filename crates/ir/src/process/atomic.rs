//! Atomic sequences: a transition that keeps control is followed at once by another of the same process.
//!
//! The states in between are no states of the model ([`IntermediateState`]). If the process blocks in one of them, the
//! state is one after all, as in SPIN. In a rendezvous, control passes to the receiver.
//!
//! Invariant: every path through a sequence is followed to its end, and outcomes come in the order of paths. Cycles are cut
//! off: a path that comes back to one of its own states adds no outcome. This is noticed by comparing with a mark that moves
//! on at powers of two (Brent 1980), and only at locations where the path has been before.

use super::expansion::Expansion;
use super::move_log::NO_PATH;
use super::step::MoveRole;
use crate::context::EvalError;
use std::sync::Arc;
use tightrope_core::{Fault, FaultKind};

/// After so many moves that keep control, states are compared across all paths of the step.
const MAX_PATHS: u32 = 1 << 15;

/// The bytes that remembering such a state takes besides its own.
const REMEMBERED_BYTES: usize = 96;

/// The start of a state that is not in the buffer yet.
pub(super) const NOWHERE: usize = usize::MAX;

/// A state inside a step, which lies in the buffer of successors.
#[derive(Clone)]
pub(super) struct IntermediateState {
    pub start: usize,
    pub end: usize,
    /// The number of its layout.
    pub layout: u32,
    /// The last of the moves that led here from the expanded state: an index into the log, where moves are logged.
    pub path: u32,
    /// How many moves led here.
    pub statements: u32,
    /// The locations on the path, hashed into a word, and how often the path came to one of them again.
    pub visited: u64,
    pub returns: u32,
    /// An earlier state on the path, to notice cycles.
    pub mark: Option<Arc<[u8]>>,
    /// The first fault on the path that did not end it.
    pub fault: Option<Box<Fault>>,
}

impl IntermediateState {
    /// The state that is expanded, which is not in the buffer yet.
    pub fn expanded(layout: u32) -> IntermediateState {
        IntermediateState {
            start: NOWHERE,
            end: 0,
            layout,
            path: NO_PATH,
            statements: 0,
            visited: 0,
            returns: 0,
            mark: None,
            fault: None,
        }
    }
}

impl Expansion<'_> {
    /// Continues from the state after a transition. It is a state of the model, or the process keeps control. The move that
    /// began the step follows all paths to their ends.
    #[inline]
    pub(super) fn go_on(&mut self, mut next: IntermediateState, (pid, kind): (usize, u8), index: u32, role: MoveRole) {
        let program = self.program;
        let transition = &program.processes[kind as usize].transitions[index as usize];
        let emitted = self.out.len();
        let path = next.path;
        self.scratch.exercised[kind as usize][index as usize] = true;
        if transition.keeps_control {
            if self.closes_cycle(&mut next, pid, transition.target) || self.is_revisited(&next, pid) {
                self.cycle_cut = true;
            } else {
                self.scratch.pending.push((Some(pid), next));
            }
        } else if role == MoveRole::Continues {
            self.scratch.pending.push((None, next));
        } else {
            self.emit(next);
        }
        if role != MoveRole::Continues {
            self.follow_pending();
            if self.cycle_cut && self.out.len() == emitted && self.out.refused().is_none() {
                let error = EvalError::new(FaultKind::Atomicity, "endless atomic sequence");
                let fault = self.fault(transition, error);
                self.emit_failed(fault, path);
            }
            self.cycle_cut = false;
            self.kept_control = 0;
            if !self.scratch.remembered.is_empty() {
                self.scratch.remembered.clear();
            }
        }
    }

    /// Follows the processes that kept control until they give it up or block: each path to its end before the next, as
    /// SPIN does.
    fn follow_pending(&mut self) {
        while let Some((pid, from)) = self.scratch.pending.pop() {
            if self.out.refused().is_some() {
                self.scratch.pending.clear();
                return;
            }
            let Some(pid) = pid else {
                self.emit(from);
                continue;
            };
            let (pending, emitted, size) = (self.scratch.pending.len(), self.out.len(), from.end);
            if !self.moves(&from, pid, None, MoveRole::Continues) {
                // SPIN counts this depth before it notices that the sequence blocks.
                self.scratch.statements.note_in_vain(from.statements);
                self.emit(from);
                continue;
            }
            self.scratch.pending[pending..].reverse();
            // A sequence that does not branch reuses the room of its last state.
            if self.out.len() == emitted && self.scratch.pending.len() == pending + 1 {
                let (_, next) = self.scratch.pending.last_mut().expect("counted just now");
                if next.start == size && next.end == self.out.bytes.len() {
                    self.out.bytes.copy_within(next.start..next.end, from.start);
                    next.end -= next.start - from.start;
                    next.start = from.start;
                    self.out.bytes.truncate(next.end);
                }
            }
        }
    }

    /// Whether a path is back in a state that it was in. Every cycle meets the mark after finitely many rounds.
    fn closes_cycle(&self, state: &mut IntermediateState, pid: usize, location: u32) -> bool {
        let bit = 1 << ((location as usize ^ pid << 3) & 63);
        if state.visited & bit == 0 {
            state.visited |= bit;
            return false;
        }
        let bytes = &self.out.bytes[state.start..state.end];
        if state.mark.as_deref() == Some(bytes) {
            return true;
        }
        state.returns += 1;
        if state.returns.is_power_of_two() {
            state.mark = Some(bytes.into());
        }
        false
    }

    /// Whether another path of a long step was in this state. Up to [`MAX_PATHS`] moves all paths are followed, as SPIN
    /// does; only sequences that branch inside cycles exceed that by far.
    fn is_revisited(&mut self, state: &IntermediateState, pid: usize) -> bool {
        self.kept_control += 1;
        self.kept_control > MAX_PATHS
            && self.out.charge(state.end - state.start + REMEMBERED_BYTES)
            && !self.scratch.remembered.insert((pid, self.out.bytes[state.start..state.end].into()))
    }
}
