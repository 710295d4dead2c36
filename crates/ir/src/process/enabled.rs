//! Which actions are enabled in a state: SPIN's executability.

use super::eval::ProcessView;
use super::rendezvous::Handshake;
use crate::{Action, IndivisibleCode};
use tightrope_core::{AccessKind, Resource};

impl ProcessView<'_> {
    /// Whether the `provided` clause of a process and the priorities allow it to move.
    pub fn may_move(&self, pid: usize) -> bool {
        if !self.provided(pid) {
            return false;
        }
        if !self.program.priorities {
            return true;
        }
        self.note(|| Resource::All);
        let priority = self.priority(pid);
        !(0..self.layout.count()).any(|other| {
            other != pid
                && self.priority(other) > priority
                && self.provided(other)
                && self.has_enabled_transition(other)
        })
    }

    pub(super) fn provided(&self, pid: usize) -> bool {
        let process = &self.program.processes[self.layout.kind(pid) as usize];
        process.provided.as_ref().is_none_or(|provided| self.seen_by(pid).eval(provided) != 0)
    }

    /// Whether a process has an executable transition. A send on a rendezvous channel counts as one.
    pub(super) fn has_enabled_transition(&self, pid: usize) -> bool {
        // The access to everything is logged already.
        let view = ProcessView { log: None, ..self.seen_by(pid) };
        let process = &self.program.processes[self.layout.kind(pid) as usize];
        let Some(location) = process.locations.get(self.pc(pid)) else { return false };
        let transitions = &process.transitions[location.transitions()];
        transitions.iter().any(|transition| view.is_enabled(&transition.action, None, false))
    }

    /// Whether an action is enabled. `moved` says whether another transition of the location is, for `else`.
    #[inline]
    pub fn is_enabled(&self, action: &Action, handshake: Option<&Handshake>, moved: bool) -> bool {
        if handshake.is_some() {
            return match action {
                Action::Receive(receive) => self.matching(receive, handshake).is_some(),
                Action::Indivisible(code) => match code.nodes.first() {
                    Some(node) => node.actions.iter().any(|(action, _)| self.is_enabled(action, handshake, false)),
                    None => false,
                },
                _ => false,
            };
        }
        match action {
            Action::Test(expr) => {
                self.used.set(0);
                self.eval(expr) != 0
            }
            Action::Skip | Action::Assign(..) | Action::Assert(_) | Action::Print(_) | Action::SetPriority(..) => true,
            Action::Send(send) => match self.channel(&send.chan) {
                Some((_, channel)) if channel.capacity == 0 => true,
                Some((at, channel)) => {
                    let room = self.length(at, channel) < usize::from(channel.capacity);
                    if let Some(log) = self.log {
                        let how = if room { AccessKind::Send } else { AccessKind::Read };
                        log.add(Resource::Channel(self.channel_name(&send.chan)), how);
                    }
                    room
                }
                None => false,
            },
            Action::Receive(receive) => self.matching(receive, None).is_some(),
            Action::Else => !moved,
            Action::End => {
                self.note(|| Resource::Processes);
                self.pid + 1 == self.layout.count()
            }
            Action::Indivisible(code) => self.choose(code, 0).is_some(),
        }
    }

    /// Whether an action is an offer that other processes may take: a send on a rendezvous channel.
    pub fn offers(&self, action: &Action) -> bool {
        match action {
            Action::Send(send) => self.channel(&send.chan).is_some_and(|(_, channel)| channel.capacity == 0),
            Action::Indivisible(code) => match code.nodes.first() {
                Some(node) => node.actions.iter().any(|(action, _)| self.offers(action)),
                None => false,
            },
            _ => false,
        }
    }

    /// The first enabled action at a node of indivisible code; `else` where nothing else is enabled.
    pub fn choose<'c>(&self, code: &'c IndivisibleCode, node: usize) -> Option<&'c (Action, Option<u32>)> {
        let actions = &code.nodes.get(node)?.actions;
        let ordinary =
            actions.iter().find(|(action, _)| *action != Action::Else && self.is_enabled(action, None, false));
        ordinary.or_else(|| actions.iter().find(|(action, _)| *action == Action::Else))
    }
}
