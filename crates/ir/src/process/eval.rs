//! What expressions mean to a process. Nothing here changes a state.

use super::layout::ProcessLayout;
use crate::access_log::{self, AccessLog};
use crate::context::{EvalContext, EvalError, evaluate, out_of_bounds};
use crate::{Base, Expr, Program, Variable};
use std::cell::Cell;
use tightrope_core::{AccessKind, FaultKind, Resource};

/// A state as one of its processes sees it.
pub struct ProcessView<'a> {
    /// The program.
    pub program: &'a Program,
    /// The state.
    pub state: &'a [u8],
    /// Where processes and channels lie in it.
    pub layout: &'a ProcessLayout,
    /// The evaluating process.
    pub pid: usize,
    /// The place of its body.
    pub own: usize,
    /// Nothing else is enabled.
    pub timeout: bool,
    /// The rendezvous channel on which a message is on offer: it has one message then. 0 is none.
    pub offered: u32,
    /// The depth of nested `enabled` and `provided`.
    pub asking: u8,
    /// Processes started earlier by the action under way: what each `run` in it gave, in order of evaluation.
    pub started: &'a [i32],
    /// How many of them were used so far.
    pub used: Cell<usize>,
    /// The first error. Evaluation continues with zero.
    pub error: &'a Cell<Option<Box<EvalError>>>,
    /// Where reads are logged, if they are.
    pub log: Option<&'a AccessLog>,
}

impl EvalContext for &ProcessView<'_> {
    #[inline]
    fn load(&mut self, variable: &Variable) -> i32 {
        ProcessView::load(self, variable)
    }

    fn special(&mut self, expr: &Expr) -> i32 {
        self.about_processes(expr)
    }

    fn fail(&mut self, kind: FaultKind, message: String) -> i32 {
        ProcessView::fail(self, kind, message)
    }
}

impl<'a> ProcessView<'a> {
    /// The state as its process `pid` sees it.
    pub fn new(
        program: &'a Program,
        state: &'a [u8],
        layout: &'a ProcessLayout,
        pid: usize,
        timeout: bool,
        error: &'a Cell<Option<Box<EvalError>>>,
    ) -> ProcessView<'a> {
        let own = layout.bodies.get(pid).map_or(0, |&at| at as usize);
        let (started, used) = (&[][..], Cell::new(0));
        ProcessView {
            program,
            state,
            layout,
            pid,
            own,
            timeout,
            offered: 0,
            asking: 0,
            started,
            used,
            error,
            log: None,
        }
    }

    pub(super) fn seen_by(&self, pid: usize) -> ProcessView<'a> {
        let view = ProcessView::new(self.program, self.state, self.layout, pid, self.timeout, self.error);
        ProcessView { asking: self.asking + 1, offered: self.offered, log: self.log, ..view }
    }

    /// Logs a read.
    #[inline]
    pub(super) fn note(&self, thing: impl FnOnce() -> Resource) {
        if let Some(log) = self.log {
            log.add(thing(), AccessKind::Read);
        }
    }

    /// Whether there was an error.
    #[inline]
    pub fn has_error(&self) -> bool {
        let error = self.error.take();
        let has_error = error.is_some();
        self.error.set(error);
        has_error
    }

    /// Notes an error, unless there was one before; the value to continue with.
    #[cold]
    pub(super) fn fail(&self, kind: FaultKind, message: String) -> i32 {
        let first = self.error.take();
        self.error.set(Some(first.unwrap_or_else(|| Box::new(EvalError { kind, message }))));
        0
    }

    /// The value of an expression.
    #[inline]
    pub fn eval(&self, expr: &Expr) -> i32 {
        let mut view = self;
        evaluate(&mut view, expr)
    }

    /// The value of an expression that is about processes and channels.
    pub(super) fn about_processes(&self, expr: &Expr) -> i32 {
        match expr {
            Expr::ProcessCount | Expr::FirstOf(_) | Expr::Run(_) => self.note(|| Resource::Processes),
            Expr::Length(chan) | Expr::Full(chan) => self.note(|| Resource::Channel(self.channel_name(chan))),
            Expr::Poll(receive) => self.note(|| Resource::Channel(self.channel_name(&receive.chan))),
            Expr::Enabled(_) | Expr::PriorityOf(_) | Expr::Timeout | Expr::NoProgress => self.note(|| Resource::All),
            _ => {}
        }
        match expr {
            Expr::OwnPid => self.pid as i32,
            Expr::ProcessCount => self.layout.count() as i32,
            Expr::OwnChannel(position) => {
                self.layout.first_channel.get(self.pid).map_or(0, |&first| (first + position + 1) as i32)
            }
            Expr::Length(chan) => match self.channel_name(chan) {
                name if self.is_gone(name) => 0,
                name => self.channel_named(name).map_or(0, |(at, channel)| self.messages(name, at, channel) as i32),
            },
            Expr::Full(chan) => {
                let name = self.channel_name(chan);
                self.channel_named(name).map_or(0, |(at, channel)| {
                    i32::from(self.messages(name, at, channel) >= usize::from(channel.capacity.max(1)))
                })
            }
            Expr::Poll(receive) => {
                let name = self.channel_name(&receive.chan);
                if !self.is_gone(name) && self.channel_named(name).is_some_and(|(_, channel)| channel.capacity == 0) {
                    let message = "a channel without slots is asked what is in it".into();
                    return self.fail(FaultKind::Channel, message);
                }
                i32::from(self.matching(receive, None).is_some())
            }
            Expr::Run(_) => {
                let used = self.used.get();
                self.used.set(used + 1);
                // Before the step executes, the value is the number that the process would get.
                self.started.get(used).copied().unwrap_or((self.layout.count() + used) as i32)
            }
            Expr::Enabled(pid) => {
                let pid = self.eval(pid);
                if pid == self.pid as i32 {
                    return self.fail(FaultKind::Error, "a process asked whether it is enabled itself".into());
                }
                if self.asking > 16 {
                    let message = "processes ask of each other whether they are enabled, without end".into();
                    return self.fail(FaultKind::Error, message);
                }
                i32::from(
                    usize::try_from(pid).is_ok_and(|pid| pid < self.layout.count() && self.has_enabled_transition(pid)),
                )
            }
            Expr::LocationOf(pid, kind) => match self.process(self.eval(pid), *kind) {
                Some(pid) => {
                    self.note(|| access_log::location(pid));
                    self.pc(pid) as i32
                }
                None => -1,
            },
            Expr::FirstOf(kind) => {
                let first = (0..self.layout.count()).find(|&pid| self.layout.kind(pid) == *kind);
                first.map_or(-1, |pid| pid as i32)
            }
            Expr::PriorityOf(pid) => self.process(self.eval(pid), None).map_or(0, |pid| self.priority(pid)),
            Expr::Timeout => i32::from(self.timeout),
            Expr::NoProgress => {
                let progress = (0..self.layout.count()).any(|pid| {
                    let process = &self.program.processes[self.layout.kind(pid) as usize];
                    process.locations.get(self.pc(pid)).is_some_and(|location| location.progress)
                });
                i32::from(!progress)
            }
            other => self.fail(FaultKind::Error, format!("a process cannot evaluate {other:?}")),
        }
    }

    /// The process of that number, if there is one, of that kind if one is given.
    pub(super) fn process(&self, pid: i32, kind: Option<u8>) -> Option<usize> {
        self.note(|| Resource::Processes);
        let pid = usize::try_from(pid).ok().filter(|&pid| pid < self.layout.count())?;
        kind.is_none_or(|kind| self.layout.kind(pid) == kind).then_some(pid)
    }

    /// The place of a variable in the state; none if there is no such process.
    #[inline]
    pub fn place(&self, variable: &Variable) -> Option<usize> {
        let base = match &variable.base {
            Base::Global => 0,
            Base::Own => self.own,
            // Only rules and routines have frames.
            Base::Frame | Base::At(_) => return None,
            Base::Process(pid, kind) => {
                let pid = self.process(self.eval(pid), Some(*kind))?;
                self.layout.bodies[pid] as usize
            }
        };
        let mut at = base + variable.offset as usize;
        for index in &variable.indices {
            let value = self.eval(&index.value);
            let position = value.wrapping_sub(index.low);
            if (position as u32) >= index.bound {
                self.fail(FaultKind::Bounds, out_of_bounds(index, value));
                return None;
            }
            at += position as usize * index.stride as usize;
        }
        Some(at)
    }

    /// The value of a variable.
    #[inline]
    pub(super) fn load(&self, variable: &Variable) -> i32 {
        let Some(at) = self.place(variable) else { return 0 };
        self.note(|| access_log::bytes(self.program, self.layout, at, variable.ty.size()));
        variable.ty.repr.load(self.state, at)
    }

    /// The location of a process.
    #[inline]
    pub fn pc(&self, pid: usize) -> usize {
        let at = self.layout.bodies[pid] as usize;
        let low = self.state[at] as usize;
        if self.program.processes[self.layout.kind(pid) as usize].wide_pc {
            low | (self.state[at + 1] as usize) << 8
        } else {
            low
        }
    }

    /// The priority of a process.
    pub fn priority(&self, pid: usize) -> i32 {
        let process = &self.program.processes[self.layout.kind(pid) as usize];
        process.priority.map_or(1, |offset| i32::from(self.state[(self.layout.bodies[pid] + offset) as usize]))
    }
}
