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

use crate::desk::{Desk, Moves, NativeMoves};
use crate::eval::{Handshake, Trouble, View};
use crate::exec::{Done, Patch};
use crate::program::place_of;
use crate::shape::Shapes;
use crate::{Program, Transition};
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::rc::Rc;
use tightrope_core::{Fault, FaultKind, Step, Stuck, Successors};

/// Working space: what was derived, and what was exercised.
pub(crate) struct Work {
    pub(crate) shapes: Shapes,
    /// For every kind of process, which transitions were ever executed.
    pub(crate) exercised: Vec<Vec<bool>>,
    pub(crate) spare: Successors,
    /// Buffers for states that machine code looks at.
    copies: Vec<Vec<u8>>,
}

// `Shapes` and `Successors` hold plain data; the latter's scratch stays empty here.
const _: fn() = || {
    fn sendable<T: Send>() {}
    sendable::<Shapes>();
};

impl Work {
    pub(crate) fn new(program: &Program) -> Work {
        let exercised = program.processes.iter().map(|process| vec![false; process.transitions.len()]).collect();
        Work { shapes: Shapes::default(), exercised, spare: Successors::new(), copies: Vec::new() }
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
    /// The locations it has been at on the way, folded into a word, and how often it came to one again.
    visited: u64,
    returns: u32,
    /// A state met earlier on the way, to notice when a sequence runs in a circle.
    mark: Option<Rc<[u8]>>,
    /// The first fault on the way that did not end it.
    fault: Option<Box<Fault>>,
}

/// One elementary move, recorded only where a step is to be described.
pub(crate) struct Move {
    pub(crate) before: u32,
    pub(crate) pid: usize,
    pub(crate) kind: u8,
    pub(crate) transition: u32,
    pub(crate) output: String,
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
    pub(crate) native: Option<&'a dyn NativeMoves>,
}

/// One expansion under way.
pub(crate) struct Expansion<'a> {
    program: &'a Program,
    starts: &'a [Vec<bool>],
    native: Option<&'a dyn NativeMoves>,
    work: &'a mut Work,
    pub(crate) out: &'a mut Successors,
    timeout: bool,
    /// The name of the step under way.
    action: u64,
    choice: u32,
    /// A sequence was given up because it ran in a circle.
    circled: bool,
    /// How often control was kept in the step under way; past a limit, the states in which it was.
    kept: u32,
    known: FxHashSet<(usize, Box<[u8]>)>,
    /// States in which a process has kept control and must move on: the process, and the state.
    pending: Vec<(usize, Frame)>,
    pub(crate) record: Option<Vec<Move>>,
    /// With a record: the last move of every successor.
    pub(crate) ends: Vec<u32>,
    /// The state that is expanded, as long as it is.
    origin: *const u8,
}

const NO_PATH: u32 = u32::MAX;

/// So many times control is kept in one step before it is asked whether the same was seen on another way.
const MAX_WAYS: u32 = 1 << 15;

/// The most bytes of successors of one state.
const MAX_OUTCOMES: usize = 1 << 30;

/// Packs who does what into the name of a step: process and transition, and those of a handshake's partner plus one.
fn name(pid: usize, transition: usize, partner: Option<(usize, usize)>) -> u64 {
    let own = pid as u64 | (transition as u64) << 8;
    partner.map_or(own, |(pid, transition)| own | (pid as u64) << 24 | (transition as u64 + 1) << 32)
}

impl<'a> Expansion<'a> {
    /// Expands `state`: all processes, or only `only`.
    pub(crate) fn of(
        tools: Tools<'a>,
        state: &[u8],
        only: Option<usize>,
        work: &'a mut Work,
        out: &'a mut Successors,
        record: bool,
    ) -> Expansion<'a> {
        let Tools { program, starts, uses_timeout, native } = tools;
        out.clear();
        out.bytes.extend_from_slice(state);
        let shape = work.shapes.find(program, state);
        let mut expansion = Expansion {
            program,
            starts,
            // Words for people are made by the interpreter.
            native: native.filter(|_| !record),
            work,
            out,
            timeout: false,
            action: 0,
            choice: 0,
            circled: false,
            kept: 0,
            known: FxHashSet::default(),
            pending: Vec::new(),
            record: record.then(Vec::new),
            ends: Vec::new(),
            origin: state.as_ptr(),
        };
        let Some(shape) = shape else { return expansion };
        let frame =
            Frame { start: 0, end: state.len(), shape, path: NO_PATH, visited: 0, returns: 0, mark: None, fault: None };
        let count = expansion.work.shapes.get(shape).count();
        loop {
            let mut moved = false;
            for pid in (0..count).rev() {
                // Whether nothing else can move is a question to all; a single process is asked alone only where
                // the answer does not depend on the others.
                if only.is_none_or(|only| only == pid || uses_timeout) {
                    moved |= expansion.moves(&frame, pid, None, Role::Begins);
                }
            }
            if moved || expansion.timeout || !uses_timeout {
                if !moved {
                    expansion.out.stuck = expansion.stuck(&frame);
                }
                return expansion;
            }
            expansion.timeout = true;
        }
    }
}

impl Expansion<'_> {
    fn view<'v>(&'v self, frame: &Frame, pid: usize, role: Role, trouble: &'v Cell<Option<Box<Trouble>>>) -> View<'v> {
        let state = &self.out.bytes[frame.start..frame.end];
        // Only the move that begins a step can be the one that nothing but a timeout allows.
        let timeout = self.timeout && role == Role::Begins;
        View::new(self.program, state, self.work.shapes.get(frame.shape), pid, timeout, trouble)
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
        let trouble = Cell::new(None);
        let view = self.view(frame, pid, role, &trouble);
        let kind = view.shape.kind(pid);
        if let (Some(native), None) = (self.native, handshake)
            && let Some(code) = native.of(kind)
        {
            return self.moves_native(frame, pid, kind, role, code);
        }
        let process = &program.processes[kind as usize];
        let Some(location) = process.locations.get(view.pc(pid)) else { return false };
        let guarded = program.priorities || process.provided.is_some();
        if guarded && !view.may_move(pid) && location.count > 0 {
            return match trouble.take() {
                Some(trouble) => self.fail(frame, pid, kind, location.first, role, *trouble),
                None => false,
            };
        }
        let end = location.first + location.count;
        let mut index = location.first;
        let mut escape = 0;
        let mut moved = false;
        while index < end {
            // Firing writes to the buffer that the view looks at, so the view lasts until the next possible transition.
            let view = self.view(frame, pid, role, &trouble);
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
        let program = self.program;
        let transition = &program.processes[kind as usize].transitions[index as usize];
        self.name_step(role, pid, index);
        let start = self.out.bytes.len();
        if start > MAX_OUTCOMES {
            let message = format!("an atomic sequence has too many outcomes: more than {} MiB", MAX_OUTCOMES >> 20);
            let fault = self.fault(transition, Trouble::new(FaultKind::Atomicity, message));
            self.emit_failed(fault, frame.path);
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
            starts: self.starts[kind as usize][index as usize],
            complaints: &mut complaints,
            output: output.as_mut(),
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
        let complaint = complaints.into_iter().next();
        let fault = match (&frame.fault, complaint) {
            (Some(earlier), _) => Some(earlier.clone()),
            (None, Some(trouble)) => Some(Box::new(self.fault(transition, trouble))),
            (None, None) => None,
        };
        let end = self.out.bytes.len();
        let (visited, returns, mark) = (frame.visited, frame.returns, frame.mark.clone());
        let next = Frame { start, end, shape, path, visited, returns, mark, fault };
        if let Done::Offered(offer) = done {
            let taken = self.offer(&next, pid, index, &offer, role);
            if taken {
                self.work.exercised[kind as usize][index as usize] = true;
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
                self.pending.push((pid, next));
            }
        } else {
            self.emit(next);
        }
        if role != Role::Continues {
            self.drain();
            if self.circled && self.out.len() == emitted {
                let trouble = Trouble::new(FaultKind::Atomicity, "an atomic sequence never ends");
                let fault = self.fault(transition, trouble);
                self.emit_failed(fault, path);
            }
            self.circled = false;
            self.kept = 0;
            self.known.clear();
        }
    }

    /// Lets a process move by machine code.
    fn moves_native(&mut self, frame: &Frame, pid: usize, kind: u8, role: Role, code: Moves) -> bool {
        // The buffer may move while successors are added to it, so the code looks elsewhere.
        let mut copy = Vec::new();
        let state = if role == Role::Begins {
            self.origin
        } else {
            copy = self.work.copies.pop().unwrap_or_default();
            copy.clear();
            copy.extend_from_slice(&self.out.bytes[frame.start..frame.end]);
            copy.as_ptr()
        };
        let shape = self.work.shapes.get(frame.shape);
        let (own_at, count) = (u64::from(shape.bodies[pid]), shape.count() as i32);
        let first_channel = shape.first_channel[pid];
        // The table stays where it is, whatever shapes are met meanwhile.
        let (channels, channel_count) = (shape.table.as_ptr(), shape.table.len());
        let timeout = self.timeout && role == Role::Begins;
        let mut call = Call { expansion: self, frame, pid, kind, role, start: 0 };
        // SAFETY: the table belongs to a shape, and shapes are kept as long as the working space.
        let channels = unsafe { std::slice::from_raw_parts(channels, channel_count) };
        let mut desk = Desk::new(&raw mut call, state, own_at, channels);
        (desk.pid, desk.count, desk.timeout) = (pid as i32, count, i32::from(timeout));
        desk.first_channel = first_channel;
        // SAFETY: the shape fits the state, and the process is of the kind that the code was made for.
        let moved = unsafe { code(&raw mut desk) };
        if role != Role::Begins {
            self.work.copies.push(copy);
        }
        moved != 0
    }

    /// Lets every other process take the message on offer; whether one did.
    fn offer(&mut self, frame: &Frame, sender: usize, sending: u32, offer: &Handshake, role: Role) -> bool {
        let count = self.work.shapes.get(frame.shape).count();
        let answer = if role == Role::Begins { Role::Answers(sender, sending) } else { Role::Continues };
        let mut taken = false;
        for pid in (0..count).rev().filter(|&pid| pid != sender) {
            taken |= self.moves(frame, pid, Some(offer), answer);
        }
        taken
    }

    /// Follows the processes that kept control until they give it up or block.
    fn drain(&mut self) {
        while let Some((pid, frame)) = self.pending.pop() {
            let (pending, emitted, size) = (self.pending.len(), self.out.len(), frame.end);
            if !self.moves(&frame, pid, None, Role::Continues) {
                self.emit(frame);
                continue;
            }
            // A sequence that goes one way needs no room for where it has been.
            if self.out.len() == emitted && self.pending.len() == pending + 1 {
                let (_, next) = self.pending.last_mut().expect("counted just now");
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
        self.kept > MAX_WAYS && !self.known.insert((pid, self.out.bytes[frame.start..frame.end].into()))
    }

    fn step(&mut self) -> Step {
        let step = Step { action: self.action, choice: self.choice };
        self.choice += 1;
        step
    }

    fn emit(&mut self, frame: Frame) {
        self.hide(frame.start);
        let step = self.step();
        self.out.push_range(step, frame.start, frame.end, frame.fault.map(|fault| *fault));
        if self.record.is_some() {
            self.ends.push(frame.path);
        }
    }

    /// A state that nothing went wrong on the way to, where nothing is recorded.
    fn emit_plain(&mut self, start: usize, end: usize) {
        self.hide(start);
        let step = self.step();
        self.out.push_range(step, start, end, None);
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
        if self.record.is_some() {
            self.ends.push(path);
        }
    }

    fn note(&mut self, frame: &Frame, pid: usize, kind: u8, index: u32, output: Option<String>) -> u32 {
        let Some(record) = &mut self.record else { return NO_PATH };
        let output = output.unwrap_or_default();
        record.push(Move { before: frame.path, pid, kind, transition: index, output });
        (record.len() - 1) as u32
    }

    fn fault(&self, transition: &Transition, trouble: Trouble) -> Fault {
        let message = match trouble.kind {
            FaultKind::Assertion => format!("assertion violated: {}", transition.text),
            _ => format!("{} in `{}`", trouble.message, transition.text),
        };
        Fault { kind: trouble.kind, message, at: place_of(self.program, transition.source) }
    }
}

/// A call of machine code, for what it asks back.
pub(crate) struct Call<'e, 'a> {
    expansion: &'e mut Expansion<'a>,
    frame: &'e Frame,
    pid: usize,
    kind: u8,
    role: Role,
    /// Where the copy begins that is being changed.
    start: usize,
}

impl Call<'_, '_> {
    pub(crate) fn begin(&mut self) -> *mut u8 {
        let bytes = &mut self.expansion.out.bytes;
        self.start = bytes.len();
        bytes.extend_from_within(self.frame.start..self.frame.end);
        bytes[self.start..].as_mut_ptr()
    }

    pub(crate) fn undo(&mut self) {
        self.expansion.out.bytes.truncate(self.start);
    }

    pub(crate) fn end(&mut self, index: u32) {
        let Call { expansion, frame, pid, kind, role, start } = self;
        expansion.name_step(*role, *pid, index);
        let end = expansion.out.bytes.len();
        let program = expansion.program;
        let transition = &program.processes[*kind as usize].transitions[index as usize];
        if *role == Role::Begins && !transition.keeps_control {
            // Most moves are a step by themselves.
            expansion.work.exercised[*kind as usize][index as usize] = true;
            return expansion.emit_plain(*start, end);
        }
        let fault = frame.fault.clone();
        let (visited, returns, mark) = (frame.visited, frame.returns, frame.mark.clone());
        let next = Frame { start: *start, end, shape: frame.shape, path: NO_PATH, visited, returns, mark, fault };
        expansion.go_on(next, *pid, *kind, index, *role);
    }

    pub(crate) fn slow(&mut self, index: u32, moved: bool) -> bool {
        let Call { expansion, frame, pid, kind, role, .. } = self;
        let program = expansion.program;
        let transition = &program.processes[*kind as usize].transitions[index as usize];
        let trouble = Cell::new(None);
        let possible = expansion.view(frame, *pid, *role, &trouble).possible(&transition.action, None, moved);
        match trouble.take() {
            Some(trouble) => expansion.fail(frame, *pid, *kind, index, *role, *trouble),
            None => possible && expansion.fire(frame, *pid, *kind, index, None, *role),
        }
    }
}
