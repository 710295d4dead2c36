//! Expansion with footprints: what each step reads and writes is recorded while it is executed.

use super::action::Action;
use super::atomic::IntermediateState;
use super::expansion::{Expansion, Firing};
use super::proctype::Transition;
use super::step::MoveRole;
use crate::access_log::{self, AccessLog};
use std::cell::Cell;
use tightrope_core::{AccessKind, Footprints, Resource};

/// Records the footprints of the steps of an expansion.
pub(super) struct Recorder<'a> {
    /// What the step under way accessed so far.
    pub log: &'a AccessLog,
    /// The footprints of the steps that were added.
    pub footprints: &'a mut Footprints,
}

impl Expansion<'_> {
    /// Gives all steps that were added and have no footprint yet the accesses in the log.
    pub fn record_footprints(&mut self) {
        let len = self.out.len();
        if let Some(Recorder { log, footprints }) = &mut self.recorder {
            footprints.add_up_to(len, log.accesses());
        }
    }

    /// Lets a process begin steps, as [`Expansion::moves`] does, and records the footprint of each. Every transition is
    /// logged by itself, so that a step depends on nothing that only its neighbours read.
    pub fn moves_recorded(&mut self, from: &IntermediateState, pid: usize, log: &AccessLog) -> bool {
        let kind = self.scratch.layouts.get(from.layout).kind(pid);
        let process = &self.program.processes[kind as usize];
        let error = Cell::new(None);
        let here = self.view(from, pid, MoveRole::Begins, &error).pc(pid);
        let Some(location) = process.locations.get(here) else { return false };
        let range = location.first..location.first + location.count;
        let transitions = &process.transitions[range.start as usize..range.end as usize];
        let guarded = self.program.priorities || process.provided.is_some();
        let (mut escape, mut moved, mut evaluated) = (0, false, false);
        for (index, transition) in range.zip(transitions) {
            if escape != 0 && escape != transition.escape {
                break;
            }
            let firing = Firing { from, pid, kind, index, handshake: None, role: MoveRole::Begins };
            log.forget_from(0);
            log.add(access_log::location(pid), AccessKind::Write);
            if self.timeout {
                log.add(Resource::All, AccessKind::Read);
            }
            let view = self.view(from, pid, MoveRole::Begins, &error);
            let may_move = !guarded || view.may_move(pid);
            // An error in `provided` is reported once.
            let in_provided = error.take().filter(|_| !evaluated);
            evaluated = true;
            // Whether the transition is enabled, or whether that is a fault, may depend on others of the location: on all of
            // them for `else`, on the escapes before it, on all before it in a `D_proctype`. A send among them depends on
            // which processes are ready for the rendezvous. Errors in their guards belong to their own steps.
            let decides = |&&(number, other): &&(u32, &Transition)| {
                let barred = other.escape != 0 && other.escape != transition.escape;
                may_move
                    && (transition.action == Action::Else && number != index
                        || number < index && (barred || process.deterministic))
            };
            let others: Vec<(u32, &Transition)> = (location.first..).zip(transitions).collect();
            let logged = log.len();
            for (_, other) in others.iter().filter(decides) {
                if view.is_enabled(&other.action, None, false) && view.offers(&other.action) {
                    log.add(Resource::All, AccessKind::Read);
                }
            }
            log.only_read_from(logged);
            error.set(in_provided);
            let enabled = may_move && view.is_enabled(&transition.action, None, moved);
            if let Some(error) = error.take() {
                moved |= self.fail(firing, *error);
                log.add(Resource::All, AccessKind::Read);
                self.record_footprints();
                if !may_move {
                    break;
                }
                continue;
            }
            if !may_move {
                break;
            }
            if enabled {
                let fired = self.fire(firing);
                self.record_footprints();
                moved |= fired;
                escape = if fired { transition.escape } else { 0 };
            }
        }
        moved
    }
}
