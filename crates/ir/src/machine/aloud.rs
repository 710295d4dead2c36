//! Expanding aloud: what each step depends on.

use super::{Expansion, Frame, Listening, Role};
use crate::trace::{self, Trace};
use crate::{Action, Transition};
use std::cell::Cell;
use tightrope_core::{How, Thing};

impl Expansion<'_> {
    /// All steps that were added and have no footprint yet depend on what was noted.
    pub(super) fn note_footprints(&mut self) {
        let len = self.out.len();
        if let Some(Listening { trace, prints }) = &mut self.listening {
            prints.add_up_to(len, trace.marks());
        }
    }

    /// Lets a process begin steps, as [`Expansion::moves`] does, and notes what each depends on: for each transition only
    /// what that one looks at.
    pub(super) fn moves_aloud(&mut self, frame: &Frame, pid: usize, trace: &Trace) -> bool {
        let kind = self.work.shapes.get(frame.shape).kind(pid);
        let process = &self.program.processes[kind as usize];
        let trouble = Cell::new(None);
        let here = self.view(frame, pid, Role::Begins, &trouble).pc(pid);
        let Some(location) = process.locations.get(here) else { return false };
        let range = location.first..location.first + location.count;
        let transitions = &process.transitions[range.start as usize..range.end as usize];
        let guarded = self.program.priorities || process.provided.is_some();
        let (mut escape, mut moved, mut asked) = (0, false, false);
        for (index, transition) in range.zip(transitions) {
            if escape != 0 && escape != transition.escape {
                break;
            }
            trace.forget_from(0);
            trace.add(trace::location(pid), How::Write);
            if self.timeout {
                trace.add(Thing::All, How::Read);
            }
            let view = self.view(frame, pid, Role::Begins, &trouble);
            let may_move = !guarded || view.may_move(pid);
            // Trouble with that question is told once.
            let asking = trouble.take().filter(|_| !asked);
            asked = true;
            // Whether it is enabled, or whether that is a fault, may depend on others here, and those may depend on who is ready
            // for a handshake. What is wrong with them is their own business.
            let decides = |&&(number, other): &&(u32, &Transition)| {
                let barred = other.escape != 0 && other.escape != transition.escape;
                may_move
                    && (transition.action == Action::Else && number != index
                        || number < index && (barred || process.deterministic))
            };
            let others: Vec<(u32, &Transition)> = (location.first..).zip(transitions).collect();
            let noted = trace.len();
            for (_, other) in others.iter().filter(decides) {
                if view.possible(&other.action, None, false) && view.offers(&other.action) {
                    trace.add(Thing::All, How::Read);
                }
            }
            trace.only_read_from(noted);
            trouble.set(asking);
            let possible = may_move && view.possible(&transition.action, None, moved);
            if let Some(trouble) = trouble.take() {
                moved |= self.fail(frame, pid, kind, index, Role::Begins, *trouble);
                trace.add(Thing::All, How::Read);
                self.note_footprints();
                if !may_move {
                    break;
                }
                continue;
            }
            if !may_move {
                break;
            }
            if possible {
                let fired = self.fire(frame, pid, kind, index, None, Role::Begins);
                self.note_footprints();
                moved |= fired;
                escape = if fired { transition.escape } else { 0 };
            }
        }
        moved
    }
}
