//! How the actions of processes combine into the steps of a model.
//!
//! The rules are those of SPIN's verifier, which users of Promela rely on down to the number of states:
//! - Processes interleave, the youngest first; of a process, the transitions of its location in order.
//! - A transition that keeps control is followed at once by another of the same process; the states in between are
//!   not states of the model. If the process blocks there, the state is one after all.
//! - A send on a channel without slots happens together with a receive in another process, as one step. Control, if
//!   it was kept, is the receiver's then.
//! - An escape that is possible rules out the transitions it escapes from.
//! - `timeout` is true only where nothing else is possible in the whole system.
//!
//! A step is named by the transition that begins it (and the partner in a handshake); where a sequence branches
//! before it gives up control, `choice` numbers its outcomes.

mod aloud;
mod call;

pub(crate) use call::Call;
use call::Waiting;

use crate::desk::{Moves, NativeMoves};
use crate::eval::{Handshake, Trouble, View};
use crate::exec::{Done, MAX_PROCESSES, Patch};
use crate::program::place_of;
use crate::shape::{Seat, Shapes};
use crate::trace::Trace;
use crate::{Action, Program, Transition};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::sync::Arc;
use tightrope_core::{Fault, FaultKind, Footprints, How, Refusal, Step, Stuck, Successors, Thing};

/// Working space: what was derived, and what was exercised.
pub(crate) struct Work {
    pub(crate) shapes: Shapes,
    /// For every kind of process, which transitions were ever executed.
    pub(crate) exercised: Vec<Vec<bool>>,
    pub(crate) spare: Successors,
    /// Room for states that machine code looks at: the one that is expanded, and those in the middle of a step.
    origin: Vec<u8>,
    copies: Vec<Vec<u8>>,
    /// Where the states begin that machine code goes on from in a step, and what waits meanwhile.
    links: Vec<u32>,
    waiting: Vec<Waiting>,
    /// States inside a step: the process that has kept control and must move on, none where the step ends, and the state.
    pending: Vec<(Option<usize>, Frame)>,
    /// For every shape what is called for its processes.
    tables: Vec<Table>,
    /// Where control was kept very often in a step, the states in which it was.
    known: FxHashSet<(usize, Box<[u8]>)>,
}

const _: fn() = || {
    fn sendable<T: Send>() {}
    sendable::<Work>();
};

impl Work {
    pub(crate) fn new(program: &Program) -> Work {
        let exercised = program.processes.iter().map(|process| vec![false; process.transitions.len()]).collect();
        Work {
            shapes: Shapes::default(),
            exercised,
            spare: Successors::new(),
            origin: Vec::new(),
            copies: Vec::new(),
            links: Vec::new(),
            waiting: Vec::new(),
            pending: Vec::new(),
            tables: Vec::new(),
            known: FxHashSet::default(),
        }
    }
}

/// What is called for the processes of a shape.
#[derive(Default)]
struct Table {
    /// For each the code, where there is some.
    seats: Vec<(Seat, Option<Moves>)>,
    /// The most successors that all of them add together without asking back.
    most: usize,
}

impl Work {
    /// The table of a shape, to be put back.
    #[inline]
    fn table_of(&mut self, shape: u32, native: &NativeMoves) -> Table {
        match self.tables.get_mut(shape as usize) {
            Some(table) if !table.seats.is_empty() => std::mem::take(table),
            _ => self.make_table(shape, native),
        }
    }

    #[cold]
    fn make_table(&mut self, shape: u32, native: &NativeMoves) -> Table {
        if self.tables.len() <= shape as usize {
            self.tables.resize_with(shape as usize + 1, Table::default);
        }
        let kinds = |seat: &Seat| native.kinds[seat.kind as usize];
        let seats = &self.shapes.get(shape).seats;
        Table {
            most: seats.iter().filter_map(kinds).map(|native| native.most).sum(),
            seats: seats.iter().map(|seat| (*seat, kinds(seat).map(|native| native.code))).collect(),
        }
    }
}

/// A state inside the buffer of successors.
#[derive(Clone)]
pub(crate) struct Frame {
    start: usize,
    end: usize,
    shape: u32,
    /// The moves that led here from the expanded state: an index into the record, where one is kept.
    path: u32,
    /// How many they are.
    statements: u32,
    /// The locations it has been at on the way, folded into a word, and how often it came to one again.
    visited: u64,
    returns: u32,
    /// A state met earlier on the way, to notice when a sequence runs in a circle.
    mark: Option<Arc<[u8]>>,
    /// The first fault on the way that did not end it.
    fault: Option<Box<Fault>>,
}

impl Frame {
    /// The state that is expanded, which is not in the buffer yet.
    fn of(shape: u32) -> Frame {
        let (start, end) = (NOWHERE, 0);
        Frame { start, end, shape, path: NO_PATH, statements: 0, visited: 0, returns: 0, mark: None, fault: None }
    }
}

/// One elementary move, recorded only where a step is to be described.
pub(crate) struct Move {
    pub(crate) before: u32,
    pub(crate) transition: u32,
    pub(crate) pid: u8,
    pub(crate) kind: u8,
}

/// The moves of an expansion.
#[derive(Default)]
pub(crate) struct Record {
    pub(crate) moves: Vec<Move>,
    /// What is printed, by the number of the move that prints.
    pub(crate) outputs: FxHashMap<u32, String>,
    /// The last move of every successor.
    pub(crate) ends: Vec<u32>,
}

/// What a move is to the step under way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// It begins the step.
    Begins,
    /// It answers, in a handshake, the move that began the step: the sender and its transition.
    Answers(usize, u32),
    /// It comes later.
    Continues,
}

/// What an expansion works with.
#[derive(Clone, Copy)]
pub(crate) struct Tools<'a> {
    pub(crate) program: &'a Program,
    /// For every kind of process and transition: whether it starts processes.
    pub(crate) starts: &'a [Vec<bool>],
    pub(crate) uses_timeout: bool,
    /// Machine code, where there is some.
    pub(crate) native: Option<&'a NativeMoves>,
}

/// One expansion under way.
pub(crate) struct Expansion<'a> {
    program: &'a Program,
    starts: &'a [Vec<bool>],
    native: Option<&'a NativeMoves>,
    work: &'a mut Work,
    pub(crate) out: &'a mut Successors,
    uses_timeout: bool,
    timeout: bool,
    /// The name of the step under way.
    action: u64,
    choice: u32,
    /// Of a process that should be deterministic, the transition that was fired last, and where.
    fired: Option<(Position, u32)>,
    /// A sequence was given up because it ran in a circle.
    circled: bool,
    /// How often control was kept in the step under way.
    kept: u32,
    pub(crate) record: Option<Box<Record>>,
    /// What steps depend on, where somebody wants to know.
    listening: Option<Listening<'a>>,
}

/// Listens to what steps look at and change.
struct Listening<'a> {
    trace: &'a Trace,
    prints: &'a mut Footprints,
}

/// A process in a state inside the buffer: where the state begins, how many moves led there, the process.
type Position = (usize, u32, usize);

const NO_PATH: u32 = u32::MAX;

/// The beginning of a frame that is not in the buffer yet.
const NOWHERE: usize = usize::MAX;

/// So many times control is kept in one step before it is asked whether the same was seen on another way.
const MAX_WAYS: u32 = 1 << 15;

/// So many times control is kept in one step before machine code leaves it to others to notice circles.
const MAX_LINKS: u32 = 64;

/// What is kept of such a state besides its bytes.
const KNOWN_BYTES: usize = 96;

/// The most bytes of successors of one state.
const MAX_OUTCOMES: usize = 1 << 30;

/// Packs who does what into the name of a step: process and transition, and those of a handshake's partner plus one.
fn name(pid: usize, transition: usize, partner: Option<(usize, usize)>) -> u64 {
    let own = pid as u64 | (transition as u64) << 8;
    partner.map_or(own, |(pid, transition)| own | (pid as u64) << 24 | (transition as u64 + 1) << 32)
}

/// Who does what in a step: the process and its transition, and those of a handshake's partner.
pub fn parts_of(step: Step) -> (usize, usize, Option<(usize, usize)>) {
    let part = |shift: u32, mask: u64| (step.action >> shift & mask) as usize;
    let partner = part(32, 0xffff);
    (part(0, 0xff), part(8, 0xffff), (partner > 0).then(|| (part(24, 0xff), partner - 1)))
}

impl<'a> Expansion<'a> {
    /// An expansion of some state, whose steps are added to `out`.
    pub(crate) fn new(tools: Tools<'a>, work: &'a mut Work, out: &'a mut Successors, record: bool) -> Expansion<'a> {
        let Tools { program, starts, uses_timeout, native } = tools;
        Expansion {
            program,
            starts,
            // Words for people are made by the interpreter.
            native: native.filter(|_| !record),
            work,
            out,
            timeout: false,
            action: 0,
            choice: 0,
            fired: None,
            circled: false,
            kept: 0,
            record: record.then(Box::default),
            listening: None,
            uses_timeout,
        }
    }

    /// The same by the interpreter, which notes in `prints` what each step depends on. `out` has no steps yet.
    pub(crate) fn listen(self, trace: &'a Trace, prints: &'a mut Footprints) -> Expansion<'a> {
        Expansion { native: None, listening: Some(Listening { trace, prints }), ..self }
    }

    /// Expands `state`: all processes, or only `only`.
    pub(crate) fn expand(&mut self, state: &[u8], only: Option<usize>) {
        self.out.stuck = Stuck::No;
        let Some(shape) = self.work.shapes.find(self.program, state) else { return };
        let mut frame = Frame::of(shape);
        loop {
            let moved = match (self.native, only) {
                (Some(native), None) => self.moves_of_all(&mut frame, state, native),
                _ => {
                    let mut moved = false;
                    if !self.place(&mut frame, state) {
                        return;
                    }
                    for pid in (0..self.work.shapes.get(shape).count()).rev() {
                        // Whether nothing else can move is a question to all; a single process is asked alone only where
                        // the answer does not depend on the others.
                        if only.is_none_or(|only| only == pid || self.uses_timeout) {
                            moved |= match self.listening.as_ref().map(|listening| listening.trace) {
                                None => self.moves(&frame, pid, None, Role::Begins),
                                Some(trace) => self.moves_aloud(&frame, pid, trace),
                            };
                        }
                    }
                    moved
                }
            };
            if moved || self.timeout || !self.uses_timeout {
                if !moved && self.place(&mut frame, state) {
                    self.out.stuck = self.stuck(&frame);
                }
                return;
            }
            self.timeout = true;
        }
    }
}

impl Expansion<'_> {
    fn view<'v>(&'v self, frame: &Frame, pid: usize, role: Role, trouble: &'v Cell<Option<Box<Trouble>>>) -> View<'v> {
        let state = &self.out.bytes[frame.start..frame.end];
        // Only the move that begins a step can be the one that nothing but a timeout allows.
        let timeout = self.timeout && role == Role::Begins;
        let view = View::new(self.program, state, self.work.shapes.get(frame.shape), pid, timeout, trouble);
        View { trace: self.trace(), ..view }
    }

    /// Who is told of what is looked at, if anyone is.
    #[inline]
    fn trace(&self) -> Option<&Trace> {
        self.listening.as_ref().map(|listening| listening.trace)
    }

    /// Sees to it that the state that is expanded is in the buffer. False if there is no room.
    fn place(&mut self, frame: &mut Frame, state: &[u8]) -> bool {
        if frame.start == NOWHERE {
            if !self.out.make_room(state.len(), 0) {
                return false;
            }
            frame.start = self.out.bytes.len();
            self.out.bytes.extend_from_slice(state);
            frame.end = self.out.bytes.len();
        }
        true
    }

    /// Sees to it that there is room for the state after a transition. False if there is none.
    #[inline]
    fn has_room(&mut self, frame: &Frame, kind: u8, index: u32) -> bool {
        let mut bytes = frame.end - frame.start;
        if self.starts[kind as usize][index as usize] {
            bytes += self.bytes_to_start(kind, index);
        }
        if self.out.bytes.len() > MAX_OUTCOMES {
            self.out.refuse(Refusal::Limit);
        }
        self.out.refused().is_none() && self.out.make_room(bytes, 0)
    }

    /// The most bytes that are added by processes that a transition starts.
    #[cold]
    fn bytes_to_start(&self, kind: u8, index: u32) -> usize {
        let body = self.program.processes.iter().map(|process| process.body.len()).max().unwrap_or(0);
        // An expression starts one, as a rule; an indivisible sequence can go on.
        let action = &self.program.processes[kind as usize].transitions[index as usize].action;
        let most = if matches!(action, Action::Indivisible(_)) { MAX_PROCESSES } else { 4 };
        most * (body + 1)
    }

    /// Names the step, where this move decides its name.
    fn name_step(&mut self, role: Role, pid: usize, index: u32) {
        self.action = match role {
            Role::Begins => name(pid, index as usize, None),
            Role::Answers(sender, sending) => name(sender, sending as usize, Some((pid, index as usize))),
            Role::Continues => return,
        };
        self.choice = 0;
    }

    /// What it means that nothing can move.
    fn stuck(&self, frame: &Frame) -> Stuck {
        let trouble = Cell::new(None);
        let view = self.view(frame, 0, Role::Begins, &trouble);
        let proper = (0..view.shape.count()).all(|pid| {
            let process = &self.program.processes[view.shape.kind(pid) as usize];
            process.locations.get(view.pc(pid)).is_some_and(|location| location.end)
        });
        let seen = self.program.monitor.as_ref().is_none_or(|monitor| {
            let here = view.state.get(monitor.offset as usize).map_or(0, |&at| at as usize);
            view.shape.count() == 0 || monitor.locations.get(here).is_none_or(|(_, end)| *end)
        });
        if proper && seen { Stuck::Ended } else { Stuck::Deadlock }
    }

    /// Lets a process move from a state in every way it can; whether it could.
    fn moves(&mut self, frame: &Frame, pid: usize, handshake: Option<&Handshake>, role: Role) -> bool {
        let program = self.program;
        let kind = self.work.shapes.get(frame.shape).kind(pid);
        if let (Some(native), None) = (self.native, handshake)
            && let Some(native) = native.kinds[kind as usize]
        {
            return self.moves_native(frame, pid, role, native);
        }
        let trouble = Cell::new(None);
        let offered = handshake.map_or(0, |handshake| handshake.channel);
        let view = View { offered, ..self.view(frame, pid, role, &trouble) };
        let process = &program.processes[kind as usize];
        let Some(location) = process.locations.get(view.pc(pid)) else { return false };
        let guarded = program.priorities || process.provided.is_some();
        // Of those who might take part in a handshake, only those who have a transition for it are asked whether they may move.
        let first = match handshake {
            Some(_) if guarded => {
                let mut here = location.first..location.first + location.count;
                let fits = |at: &u32| view.possible(&process.transitions[*at as usize].action, handshake, false);
                here.find(|at| fits(at) || view.troubled())
            }
            _ => (location.count > 0).then_some(location.first),
        };
        trouble.set(None);
        let Some(first) = first else { return false };
        if guarded && !view.may_move(pid) {
            return match trouble.take() {
                Some(trouble) => self.fail(frame, pid, kind, first, role, *trouble),
                None => false,
            };
        }
        let end = location.first + location.count;
        let mut index = location.first;
        let mut escape = 0;
        let mut moved = false;
        while index < end {
            // Firing writes to the buffer that the view looks at, so the view lasts until the next possible transition.
            let view = View { offered, ..self.view(frame, pid, role, &trouble) };
            let barred = |transition: &Transition| escape != 0 && escape != transition.escape;
            let found = (index..end).find(|&at| {
                let transition = &process.transitions[at as usize];
                barred(transition) || view.possible(&transition.action, handshake, moved) || view.troubled()
            });
            let Some(at) = found.filter(|&at| !barred(&process.transitions[at as usize])) else { break };
            index = at + 1;
            if let Some(trouble) = trouble.take() {
                moved |= self.fail(frame, pid, kind, at, role, *trouble);
                continue;
            }
            let fired = self.fire(frame, pid, kind, at, handshake, role);
            moved |= fired;
            if self.out.refused().is_some() {
                break;
            }
            escape = if fired { process.transitions[at as usize].escape } else { 0 };
        }
        moved
    }

    /// A transition that cannot even be asked whether it is possible. Counts as a move.
    fn fail(&mut self, frame: &Frame, pid: usize, kind: u8, index: u32, role: Role, trouble: Trouble) -> bool {
        self.name_step(role, pid, index);
        let transition = &self.program.processes[kind as usize].transitions[index as usize];
        let fault = self.fault(transition, trouble);
        let path = self.note(frame, pid, kind, index, None);
        self.emit_failed(fault, path);
        true
    }

    /// Executes one transition; whether it happened: an offer that nobody takes did not.
    fn fire(
        &mut self,
        frame: &Frame,
        pid: usize,
        kind: u8,
        index: u32,
        handshake: Option<&Handshake>,
        role: Role,
    ) -> bool {
        if !self.program.processes[kind as usize].deterministic {
            return self.execute(frame, pid, kind, index, handshake, role, false);
        }
        let here = (frame.start, frame.statements, pid);
        // Transitions are fired in order, so one that was fired here before has a smaller number.
        let again = self.fired.is_some_and(|(place, earlier)| place == here && earlier < index);
        let fired = self.execute(frame, pid, kind, index, handshake, role, again);
        if fired {
            self.fired = Some((here, index));
        }
        fired
    }

    #[allow(clippy::too_many_arguments)]
    fn execute(
        &mut self,
        frame: &Frame,
        pid: usize,
        kind: u8,
        index: u32,
        handshake: Option<&Handshake>,
        role: Role,
        again: bool,
    ) -> bool {
        let program = self.program;
        let transition = &program.processes[kind as usize].transitions[index as usize];
        self.name_step(role, pid, index);
        let start = self.out.bytes.len();
        if !self.has_room(frame, kind, index) {
            return true;
        }
        self.out.bytes.extend_from_within(frame.start..frame.end);
        let mut complaints = Vec::new();
        let mut output = self.record.is_some().then(String::new);
        let mut patch = Patch {
            program,
            bytes: &mut self.out.bytes,
            start,
            shapes: &mut self.work.shapes,
            shape: frame.shape,
            pid,
            timeout: self.timeout && role == Role::Begins,
            offered: handshake.map_or(0, |handshake| handshake.channel),
            starts: self.starts[kind as usize][index as usize],
            complaints: &mut complaints,
            output: output.as_mut(),
            trace: self.listening.as_ref().map(|listening| listening.trace),
        };
        let done = patch.apply(&transition.action, handshake);
        let done = done.inspect(|done| {
            if *done != Done::Ended {
                patch.set_pc(transition.target);
            }
            patch.note_mover(pid);
        });
        let shape = patch.shape;
        let path = self.note(frame, pid, kind, index, output);
        let done = match done {
            Ok(done) => done,
            Err(trouble) => {
                self.out.bytes.truncate(start);
                let fault = self.fault(transition, trouble);
                self.emit_failed(fault, path);
                return true;
            }
        };
        if again && !matches!(transition.action, Action::Skip | Action::Else | Action::Indivisible(_)) {
            let message = "another transition of a D_proctype is possible as well";
            complaints.push(Trouble::new(FaultKind::Error, message));
        }
        let complaint = complaints.into_iter().next();
        let fault = match (&frame.fault, complaint) {
            (Some(earlier), _) => Some(earlier.clone()),
            (None, Some(trouble)) => Some(Box::new(self.fault(transition, trouble))),
            (None, None) => None,
        };
        let end = self.out.bytes.len();
        let (visited, returns, mark) = (frame.visited, frame.returns, frame.mark.clone());
        let statements = frame.statements + 1;
        let next = Frame { start, end, shape, path, statements, visited, returns, mark, fault };
        if let Done::Offered(offer) = done {
            let taken = self.offer(&next, pid, index, &offer, role);
            if taken {
                self.work.exercised[kind as usize][index as usize] = true;
            } else {
                self.out.in_vain = self.out.in_vain.max(statements);
            }
            return taken;
        }
        self.go_on(next, pid, kind, index, role);
        true
    }

    /// Goes on from the state after a transition: it is one of the model, or the process keeps control.
    #[inline]
    fn go_on(&mut self, mut next: Frame, pid: usize, kind: u8, index: u32, role: Role) {
        let program = self.program;
        let transition = &program.processes[kind as usize].transitions[index as usize];
        let emitted = self.out.len();
        let path = next.path;
        self.work.exercised[kind as usize][index as usize] = true;
        if transition.keeps_control {
            if self.circles(&mut next, pid, transition.target) || self.is_known(&next, pid) {
                self.circled = true;
            } else {
                self.work.pending.push((Some(pid), next));
            }
        } else if role == Role::Continues {
            self.work.pending.push((None, next));
        } else {
            self.emit(next);
        }
        if role != Role::Continues {
            self.drain();
            if self.circled && self.out.len() == emitted && self.out.refused().is_none() {
                let trouble = Trouble::new(FaultKind::Atomicity, "endless atomic sequence");
                let fault = self.fault(transition, trouble);
                self.emit_failed(fault, path);
            }
            self.circled = false;
            self.kept = 0;
            if !self.work.known.is_empty() {
                self.work.known.clear();
            }
        }
    }

    /// Lets every other process take the message on offer; whether one did.
    fn offer(&mut self, frame: &Frame, sender: usize, sending: u32, offer: &Handshake, role: Role) -> bool {
        let count = self.work.shapes.get(frame.shape).count();
        let answer = if role == Role::Begins { Role::Answers(sender, sending) } else { Role::Continues };
        let mut taken = false;
        let noted = self.trace().map_or(0, Trace::len);
        for pid in (0..count).rev().filter(|&pid| pid != sender) {
            taken |= self.moves(frame, pid, Some(offer), answer);
            if role == Role::Begins {
                // A handshake depends on those who shake hands.
                self.note_footprints();
                self.trace().inspect(|trace| trace.forget_from(noted));
            }
        }
        if role != Role::Begins
            && let Some(trace) = self.trace()
        {
            // Who goes on inside a step depends on who was ready.
            trace.add(Thing::All, How::Read);
        }
        taken
    }

    /// Follows the processes that kept control until they give it up or block: each way to its end before the next, as SPIN
    /// does.
    fn drain(&mut self) {
        while let Some((pid, frame)) = self.work.pending.pop() {
            if self.out.refused().is_some() {
                self.work.pending.clear();
                return;
            }
            let Some(pid) = pid else {
                self.emit(frame);
                continue;
            };
            let (pending, emitted, size) = (self.work.pending.len(), self.out.len(), frame.end);
            if !self.moves(&frame, pid, None, Role::Continues) {
                // SPIN has gone this deep before it notices that the sequence blocks.
                self.out.in_vain = self.out.in_vain.max(frame.statements);
                self.emit(frame);
                continue;
            }
            self.work.pending[pending..].reverse();
            // A sequence that goes one way needs no room for where it has been.
            if self.out.len() == emitted && self.work.pending.len() == pending + 1 {
                let (_, next) = self.work.pending.last_mut().expect("counted just now");
                if next.start == size && next.end == self.out.bytes.len() {
                    self.out.bytes.copy_within(next.start..next.end, frame.start);
                    next.end -= next.start - frame.start;
                    next.start = frame.start;
                    self.out.bytes.truncate(next.end);
                }
            }
        }
    }

    /// Whether a sequence that keeps control has come back to a state it was in: it then adds nothing new. Looks only
    /// when a process comes to a location again, and compares with a mark that moves on at powers of two (Brent), which
    /// meets every circle in the end at little cost.
    fn circles(&self, frame: &mut Frame, pid: usize, location: u32) -> bool {
        let place = 1 << ((location as usize ^ pid << 3) & 63);
        if frame.visited & place == 0 {
            frame.visited |= place;
            return false;
        }
        let state = &self.out.bytes[frame.start..frame.end];
        if frame.mark.as_deref() == Some(state) {
            return true;
        }
        frame.returns += 1;
        if frame.returns.is_power_of_two() {
            frame.mark = Some(state.into());
        }
        false
    }

    /// Whether a long sequence has been in this state on whatever way. All ways are followed, as SPIN does, up to a
    /// number that only sequences with circles in them exceed by far.
    fn is_known(&mut self, frame: &Frame, pid: usize) -> bool {
        self.kept += 1;
        self.kept > MAX_WAYS
            && self.out.charge(frame.end - frame.start + KNOWN_BYTES)
            && !self.work.known.insert((pid, self.out.bytes[frame.start..frame.end].into()))
    }

    fn step(&mut self) -> Step {
        let step = Step { action: self.action, choice: self.choice };
        self.choice += 1;
        step
    }

    fn emit(&mut self, frame: Frame) {
        self.hide(frame.start);
        let step = self.step();
        self.out.note_statements(self.out.len(), self.out.len() + 1, frame.statements);
        self.out.push_range(step, frame.start, frame.end, frame.fault.map(|fault| *fault));
        if let Some(record) = &mut self.record {
            record.ends.push(frame.path);
        }
    }

    /// Resets what is no part of a state's identity.
    fn hide(&mut self, start: usize) {
        for &(from, to) in &self.program.hidden {
            let (from, to) = (from as usize, to as usize);
            self.out.bytes[start + from..start + to].copy_from_slice(&self.program.fixed[from..to]);
        }
    }

    fn emit_failed(&mut self, fault: Fault, path: u32) {
        let step = self.step();
        self.out.push_failed(step, fault);
        if let Some(record) = &mut self.record {
            record.ends.push(path);
        }
    }

    fn note(&mut self, frame: &Frame, pid: usize, kind: u8, index: u32, output: Option<String>) -> u32 {
        let Some(record) = &mut self.record else { return NO_PATH };
        let number = record.moves.len() as u32;
        record.moves.push(Move { before: frame.path, transition: index, pid: pid as u8, kind });
        if let Some(output) = output.filter(|output| !output.is_empty()) {
            record.outputs.insert(number, output);
        }
        number
    }

    fn fault(&self, transition: &Transition, trouble: Trouble) -> Fault {
        let message = match trouble.kind {
            FaultKind::Assertion => transition.text.clone(),
            FaultKind::Atomicity => format!("{} at `{}`", trouble.message, transition.text),
            _ => format!("{} in `{}`", trouble.message, transition.text),
        };
        Fault { kind: trouble.kind, message, at: place_of(self.program, transition.source) }
    }
}
