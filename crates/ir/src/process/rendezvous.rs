//! Rendezvous: a send on a channel without slots happens together with a receive in another process, as one step.
//!
//! The sender executes first, up to the message that it offers. Then every other process may answer with a receive that
//! matches. Each answer gives an outcome of the step; if no process answers, the send is not enabled after all.

use super::atomic::IntermediateState;
use super::expansion::Expansion;
use super::step::MoveRole;
use crate::access_log::AccessLog;
use tightrope_core::{AccessKind, Resource};

/// A message on offer: the name of the channel and the fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Handshake {
    /// The channel.
    pub channel: u32,
    /// The fields.
    pub values: Vec<i32>,
}

impl Expansion<'_> {
    /// Lets every other process receive the message on offer, the youngest process first; whether one did. `from` is the
    /// state after the send.
    pub(super) fn offer(
        &mut self,
        from: &IntermediateState,
        (sender, sending): (usize, u32),
        offer: &Handshake,
        role: MoveRole,
    ) -> bool {
        let count = self.scratch.layouts.get(from.layout).count();
        let answer = if role == MoveRole::Begins { MoveRole::Answers(sender, sending) } else { MoveRole::Continues };
        let mut taken = false;
        let logged = self.log().map_or(0, AccessLog::len);
        for pid in (0..count).rev().filter(|&pid| pid != sender) {
            taken |= self.moves(from, pid, Some(offer), answer);
            if role == MoveRole::Begins {
                // A rendezvous depends on its two processes only.
                self.record_footprints();
                self.log().inspect(|log| log.forget_from(logged));
            }
        }
        if role != MoveRole::Begins
            && let Some(log) = self.log()
        {
            // Which outcomes a step has depends on all processes that were ready to receive.
            log.add(Resource::All, AccessKind::Read);
        }
        taken
    }
}
