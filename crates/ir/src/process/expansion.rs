//! The expansion of a state: which steps the processes can make from it.
//!
//! The rules are those of SPIN's verifier, down to the number of states:
//! - Processes interleave, the youngest first; of a process, the transitions of its location in order.
//! - Atomic sequences are followed to their ends (`atomic.rs`), rendezvous are one step (`rendezvous.rs`).
//! - An enabled escape (`unless`) disables the transitions that it escapes from.
//! - `timeout` is true only where nothing else is enabled in the whole system.

use super::action::Action;
use super::atomic::{IntermediateState, NOWHERE};
use super::eval::ProcessView;
use super::exec::{ActionOutcome, StateUpdate};
use super::footprints::Recorder;
use super::model::ProcessModel;
use super::move_call::NativeMoves;
use super::move_log::MoveLog;
use super::proctype::Transition;
use super::rendezvous::Handshake;
use super::run::MAX_PROCESSES;
use super::scratch::ProcessScratch;
use super::step::MoveRole;
use crate::Program;
use crate::access_log::AccessLog;
use crate::context::EvalError;
use std::cell::Cell;
use tightrope_core::{FaultKind, Refused, Successors, Terminal};

/// The most bytes of successors of one state.
pub(super) const MAX_OUTCOME_BYTES: usize = 1 << 30;

/// One expansion under way.
pub(super) struct Expansion<'a> {
    pub program: &'a Program,
    /// For every kind of process and transition: whether it starts processes.
    starts: &'a [Vec<bool>],
    /// Machine code, where there is some.
    pub native: Option<&'a NativeMoves>,
    pub scratch: &'a mut ProcessScratch,
    pub out: &'a mut Successors,
    uses_timeout: bool,
    /// Nothing else is enabled.
    pub timeout: bool,
    /// The name of the step under way, and how many outcomes it has so far.
    pub action: u64,
    pub choice: u32,
    /// The transition of a `D_proctype` that was fired last, and where.
    fired: Option<(FiringPlace, u32)>,
    /// A path of the step under way was cut off because it ran in a cycle.
    pub cycle_cut: bool,
    /// How often control was kept in the step under way.
    pub kept_control: u32,
    /// The moves, where steps are to be described.
    pub move_log: Option<Box<MoveLog>>,
    /// Records footprints, where they are wanted.
    pub recorder: Option<Recorder<'a>>,
}

/// A process in an intermediate state: where the state begins, how many moves led there, the process.
type FiringPlace = (usize, u32, usize);

/// A transition that a process takes in a state.
#[derive(Clone, Copy)]
pub(super) struct Firing<'f> {
    pub from: &'f IntermediateState,
    pub pid: usize,
    pub kind: u8,
    /// The number of the transition.
    pub index: u32,
    /// The message on offer that it receives, in a rendezvous.
    pub handshake: Option<&'f Handshake>,
    pub role: MoveRole,
}

impl<'a> Expansion<'a> {
    /// An expansion of some state, whose steps are added to `out`.
    pub fn new(model: &'a ProcessModel, scratch: &'a mut ProcessScratch, out: &'a mut Successors) -> Expansion<'a> {
        Expansion {
            program: model.program(),
            starts: &model.starts,
            native: model.native(),
            scratch,
            out,
            uses_timeout: model.uses_timeout,
            timeout: false,
            action: 0,
            choice: 0,
            fired: None,
            cycle_cut: false,
            kept_control: 0,
            move_log: None,
            recorder: None,
        }
    }

    /// Logs the moves. Machine code does not, so the interpreter expands.
    pub fn logging_moves(self) -> Expansion<'a> {
        Expansion { native: None, move_log: Some(Box::default()), ..self }
    }

    /// Records the footprint of each step. Machine code does not, so the interpreter expands. `out` has no steps yet.
    pub fn recording(self, recorder: Recorder<'a>) -> Expansion<'a> {
        Expansion { native: None, recorder: Some(recorder), ..self }
    }

    /// Expands `state`: all processes, or only `only`.
    pub fn expand(&mut self, state: &[u8], only: Option<usize>) {
        self.out.terminal = Terminal::No;
        self.scratch.statements.begin(self.out.len());
        let Some(layout) = self.scratch.layouts.find(self.program, state) else { return };
        let mut from = IntermediateState::expanded(layout);
        loop {
            let moved = match (self.native, only) {
                (Some(native), None) => self.native_moves_of_all(&mut from, state, native),
                _ => {
                    let mut moved = false;
                    if !self.place(&mut from, state) {
                        return;
                    }
                    for pid in (0..self.scratch.layouts.get(layout).count()).rev() {
                        // `timeout` depends on all processes, so a single one is expanded alone only where no transition
                        // uses it.
                        if only.is_none_or(|only| only == pid || self.uses_timeout) {
                            moved |= match self.recorder.as_ref().map(|recorder| recorder.log) {
                                None => self.moves(&from, pid, None, MoveRole::Begins),
                                Some(log) => self.moves_recorded(&from, pid, log),
                            };
                        }
                    }
                    moved
                }
            };
            if moved || self.timeout || !self.uses_timeout {
                if !moved && self.place(&mut from, state) {
                    self.out.terminal = self.terminal(&from);
                }
                return;
            }
            self.timeout = true;
        }
    }
}

impl Expansion<'_> {
    /// A state as one of its processes sees it.
    pub fn view<'v>(
        &'v self,
        from: &IntermediateState,
        pid: usize,
        role: MoveRole,
        error: &'v Cell<Option<Box<EvalError>>>,
    ) -> ProcessView<'v> {
        let state = &self.out.bytes[from.start..from.end];
        // Only the move that begins a step can be the one that `timeout` enables.
        let timeout = self.timeout && role == MoveRole::Begins;
        let layout = self.scratch.layouts.get(from.layout);
        ProcessView { log: self.log(), ..ProcessView::new(self.program, state, layout, pid, timeout, error) }
    }

    /// Where accesses are logged, if they are.
    #[inline]
    pub fn log(&self) -> Option<&AccessLog> {
        self.recorder.as_ref().map(|recorder| recorder.log)
    }

    /// Copies the expanded state into the buffer, unless it is there. False if there is no room.
    pub fn place(&mut self, from: &mut IntermediateState, state: &[u8]) -> bool {
        if from.start == NOWHERE {
            if !self.out.make_room(state.len(), 0) {
                return false;
            }
            from.start = self.out.bytes.len();
            self.out.bytes.extend_from_slice(state);
            from.end = self.out.bytes.len();
        }
        true
    }

    /// Makes room for the state after a transition. False if there is none.
    #[inline]
    fn make_room(&mut self, firing: Firing<'_>) -> bool {
        let mut bytes = firing.from.end - firing.from.start;
        if self.starts[firing.kind as usize][firing.index as usize] {
            bytes += self.bytes_to_start(firing);
        }
        if self.out.bytes.len() > MAX_OUTCOME_BYTES {
            self.out.refuse(Refused::Limit(Successors::TOO_LARGE));
        }
        self.out.refused().is_none() && self.out.make_room(bytes, 0)
    }

    /// The most bytes that are added by processes that a transition starts.
    #[cold]
    fn bytes_to_start(&self, firing: Firing<'_>) -> usize {
        let body = self.program.processes.iter().map(|process| process.body.len()).max().unwrap_or(0);
        // An expression usually starts one process; an indivisible sequence may start many.
        let action = &self.transition(firing).action;
        let most = if matches!(action, Action::Indivisible(_)) { MAX_PROCESSES } else { 4 };
        most * (body + 1)
    }

    fn transition(&self, firing: Firing<'_>) -> &Transition {
        &self.program.processes[firing.kind as usize].transitions[firing.index as usize]
    }

    /// What a state is in which nothing is enabled.
    fn terminal(&self, from: &IntermediateState) -> Terminal {
        let error = Cell::new(None);
        let view = self.view(from, 0, MoveRole::Begins, &error);
        let proper = (0..view.layout.count()).all(|pid| {
            let process = &self.program.processes[view.layout.kind(pid) as usize];
            process.locations.get(view.pc(pid)).is_some_and(|location| location.end)
        });
        let monitor = self.program.monitor.as_ref();
        let may_end = monitor.is_none_or(|monitor| view.layout.count() == 0 || monitor.may_end(view.state));
        if proper && may_end { Terminal::ValidEnd } else { Terminal::Deadlock }
    }

    /// Lets a process take every enabled transition from a state; whether there was one. With a message on offer these are
    /// the receives that match it.
    pub fn moves(
        &mut self,
        from: &IntermediateState,
        pid: usize,
        handshake: Option<&Handshake>,
        role: MoveRole,
    ) -> bool {
        let program = self.program;
        let kind = self.scratch.layouts.get(from.layout).kind(pid);
        if let (Some(native), None) = (self.native, handshake)
            && let Some(code) = native.kinds[kind as usize]
        {
            return self.native_moves(from, pid, role, code);
        }
        let error = Cell::new(None);
        let offered = handshake.map_or(0, |handshake| handshake.channel);
        let view = ProcessView { offered, ..self.view(from, pid, role, &error) };
        let process = &program.processes[kind as usize];
        let Some(location) = process.locations.get(view.pc(pid)) else { return false };
        let guarded = program.priorities || process.provided.is_some();
        // `provided` and priorities are evaluated for a rendezvous only where there is a matching receive.
        let first = match handshake {
            Some(_) if guarded => {
                let mut here = location.first..location.first + location.count;
                let fits = |at: &u32| view.is_enabled(&process.transitions[*at as usize].action, handshake, false);
                here.find(|at| fits(at) || view.has_error())
            }
            _ => (location.count > 0).then_some(location.first),
        };
        error.set(None);
        let Some(first) = first else { return false };
        let firing = |index: u32| Firing { from, pid, kind, index, handshake, role };
        if guarded && !view.may_move(pid) {
            return match error.take() {
                Some(error) => self.fail(firing(first), *error),
                None => false,
            };
        }
        let end = location.first + location.count;
        let mut index = location.first;
        let mut escape = 0;
        let mut moved = false;
        while index < end {
            // Firing writes to the buffer that the view borrows, so there is a new view after every enabled transition.
            let view = ProcessView { offered, ..self.view(from, pid, role, &error) };
            let barred = |transition: &Transition| escape != 0 && escape != transition.escape;
            let found = (index..end).find(|&at| {
                let transition = &process.transitions[at as usize];
                barred(transition) || view.is_enabled(&transition.action, handshake, moved) || view.has_error()
            });
            let Some(at) = found.filter(|&at| !barred(&process.transitions[at as usize])) else { break };
            index = at + 1;
            if let Some(error) = error.take() {
                moved |= self.fail(firing(at), *error);
                continue;
            }
            let fired = self.fire(firing(at));
            moved |= fired;
            if self.out.refused().is_some() {
                break;
            }
            escape = if fired { process.transitions[at as usize].escape } else { 0 };
        }
        moved
    }

    /// A transition whose guard is an error. It is a step that fails.
    pub fn fail(&mut self, firing: Firing<'_>, error: EvalError) -> bool {
        self.name_step(firing.role, firing.pid, firing.index);
        let fault = self.fault(self.transition(firing), error);
        let path = self.log_move(firing.from, (firing.pid, firing.kind), firing.index, None);
        self.emit_failed(fault, path);
        true
    }

    /// Executes one transition; whether it happened: an offer that no process takes did not.
    pub fn fire(&mut self, firing: Firing<'_>) -> bool {
        if !self.program.processes[firing.kind as usize].deterministic {
            return self.execute(firing, false);
        }
        let here = (firing.from.start, firing.from.statements, firing.pid);
        // Transitions are fired in order, so one that was fired here before has a smaller number.
        let again = self.fired.is_some_and(|(place, earlier)| place == here && earlier < firing.index);
        let fired = self.execute(firing, again);
        if fired {
            self.fired = Some((here, firing.index));
        }
        fired
    }

    /// Executes one transition. `again` says that another one of a `D_proctype` was executed from the same state.
    fn execute(&mut self, firing: Firing<'_>, again: bool) -> bool {
        let Firing { from, pid, kind, index, handshake, role } = firing;
        let program = self.program;
        let transition = &program.processes[kind as usize].transitions[index as usize];
        self.name_step(role, pid, index);
        let start = self.out.bytes.len();
        if !self.make_room(firing) {
            return true;
        }
        self.out.bytes.extend_from_within(from.start..from.end);
        let mut complaints = Vec::new();
        let mut output = self.move_log.is_some().then(String::new);
        let mut update = StateUpdate {
            program,
            bytes: &mut self.out.bytes,
            start,
            layouts: &mut self.scratch.layouts,
            layout: from.layout,
            pid,
            timeout: self.timeout && role == MoveRole::Begins,
            offered: handshake.map_or(0, |handshake| handshake.channel),
            starts: self.starts[kind as usize][index as usize],
            complaints: &mut complaints,
            output: output.as_mut(),
            log: self.recorder.as_ref().map(|recorder| recorder.log),
        };
        let done = update.apply(&transition.action, handshake);
        let done = done.inspect(|done| {
            if *done != ActionOutcome::Ended {
                update.set_pc(transition.target);
            }
            update.note_mover(pid);
        });
        let layout = update.layout;
        let path = self.log_move(from, (pid, kind), index, output);
        let done = match done {
            Ok(done) => done,
            Err(error) => {
                self.out.bytes.truncate(start);
                let fault = self.fault(transition, error);
                self.emit_failed(fault, path);
                return true;
            }
        };
        if again && !matches!(transition.action, Action::Skip | Action::Else | Action::Indivisible(_)) {
            let message = "another transition of a D_proctype is possible as well";
            complaints.push(EvalError::new(FaultKind::Error, message));
        }
        let complaint = complaints.into_iter().next();
        let fault = match (&from.fault, complaint) {
            (Some(earlier), _) => Some(earlier.clone()),
            (None, Some(error)) => Some(Box::new(self.fault(transition, error))),
            (None, None) => None,
        };
        let end = self.out.bytes.len();
        let (visited, returns, mark) = (from.visited, from.returns, from.mark.clone());
        let statements = from.statements + 1;
        let next = IntermediateState { start, end, layout, path, statements, visited, returns, mark, fault };
        if let ActionOutcome::Offered(offer) = done {
            let taken = self.offer(&next, (pid, index), &offer, role);
            if taken {
                self.scratch.exercised[kind as usize][index as usize] = true;
            } else {
                self.scratch.statements.note_in_vain(statements);
            }
            return taken;
        }
        self.go_on(next, (pid, kind), index, role);
        true
    }
}
