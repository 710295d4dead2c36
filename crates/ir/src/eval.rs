//! What expressions mean, and when an action can happen. Nothing here changes a state.

use crate::context::{Context, evaluate, out_of_bounds};
use crate::trace::{self, Trace};
use crate::{Action, Base, ChanRef, Channel, Expr, Pattern, Program, Receive, Variable, shape::Shape};
use std::cell::Cell;
use tightrope_core::{FaultKind, How, Thing};

/// What can go wrong while an expression is evaluated or an action executed. Made into a full fault, with its place,
/// by whoever knows which transition it was.
#[derive(Clone, Debug, PartialEq)]
pub struct Trouble {
    /// Its class.
    pub kind: FaultKind,
    /// For people.
    pub message: String,
}

impl Trouble {
    /// Trouble of a kind.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Trouble {
        Trouble { kind, message: message.into() }
    }
}

/// The message of a handshake that is under way: the channel's name and the fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Handshake {
    /// The channel.
    pub channel: u32,
    /// The fields.
    pub values: Vec<i32>,
}

/// A state seen through the eyes of one of its processes.
pub struct View<'a> {
    /// The program.
    pub program: &'a Program,
    /// The state.
    pub state: &'a [u8],
    /// Where things lie in it.
    pub shape: &'a Shape,
    /// The process that evaluates.
    pub pid: usize,
    /// The place of its body.
    pub own: usize,
    /// No process could move otherwise.
    pub timeout: bool,
    /// The channel without slots on which a message is on offer: it has one message then. 0 is none.
    pub offered: u32,
    /// How many processes ask about each other, one about the next.
    pub asking: u8,
    /// Processes started earlier by the action under way: what each `run` in it gave, in order of evaluation.
    pub started: &'a [i32],
    /// How many of them were used so far.
    pub used: Cell<usize>,
    /// The first trouble met. Evaluation goes on with zero.
    pub trouble: &'a Cell<Option<Box<Trouble>>>,
    /// Who is told of everything that is looked at, if anyone is.
    pub trace: Option<&'a Trace>,
}

impl Context for &View<'_> {
    #[inline]
    fn load(&mut self, variable: &Variable) -> i32 {
        View::load(self, variable)
    }

    fn special(&mut self, expr: &Expr) -> i32 {
        self.about_processes(expr)
    }

    fn fail(&mut self, kind: FaultKind, message: String) -> i32 {
        View::fail(self, kind, message)
    }
}

impl<'a> View<'a> {
    /// The state as its process `pid` sees it.
    pub fn new(
        program: &'a Program,
        state: &'a [u8],
        shape: &'a Shape,
        pid: usize,
        timeout: bool,
        trouble: &'a Cell<Option<Box<Trouble>>>,
    ) -> View<'a> {
        let own = shape.bodies.get(pid).map_or(0, |&at| at as usize);
        let (started, used) = (&[][..], Cell::new(0));
        View { program, state, shape, pid, own, timeout, offered: 0, asking: 0, started, used, trouble, trace: None }
    }

    fn seen_by(&self, pid: usize) -> View<'a> {
        let view = View::new(self.program, self.state, self.shape, pid, self.timeout, self.trouble);
        View { asking: self.asking + 1, offered: self.offered, trace: self.trace, ..view }
    }

    /// Tells that something is looked at.
    #[inline]
    fn note(&self, thing: impl FnOnce() -> Thing) {
        if let Some(trace) = self.trace {
            trace.add(thing(), How::Read);
        }
    }

    /// Whether there was trouble.
    #[inline]
    pub fn troubled(&self) -> bool {
        let trouble = self.trouble.take();
        let troubled = trouble.is_some();
        self.trouble.set(trouble);
        troubled
    }

    /// Notes trouble, unless there was some before; the value to go on with.
    #[cold]
    fn fail(&self, kind: FaultKind, message: String) -> i32 {
        let first = self.trouble.take();
        self.trouble.set(Some(first.unwrap_or_else(|| Box::new(Trouble { kind, message }))));
        0
    }

    /// The value of an expression.
    #[inline]
    pub fn eval(&self, expr: &Expr) -> i32 {
        let mut view = self;
        evaluate(&mut view, expr)
    }

    /// The value of an expression that is about processes and channels.
    fn about_processes(&self, expr: &Expr) -> i32 {
        match expr {
            Expr::ProcessCount | Expr::FirstOf(_) | Expr::Run(_) => self.note(|| Thing::Processes),
            Expr::Length(chan) | Expr::Full(chan) => self.note(|| Thing::Channel(self.channel_name(chan))),
            Expr::Poll(receive) => self.note(|| Thing::Channel(self.channel_name(&receive.chan))),
            Expr::Enabled(_) | Expr::PriorityOf(_) | Expr::Timeout | Expr::NoProgress => self.note(|| Thing::All),
            _ => {}
        }
        match expr {
            Expr::OwnPid => self.pid as i32,
            Expr::ProcessCount => self.shape.count() as i32,
            Expr::OwnChannel(position) => {
                self.shape.first_channel.get(self.pid).map_or(0, |&first| (first + position + 1) as i32)
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
                // Before the step executes, the answer is what it would be: the next number.
                self.started.get(used).copied().unwrap_or((self.shape.count() + used) as i32)
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
                i32::from(usize::try_from(pid).is_ok_and(|pid| pid < self.shape.count() && self.enabled(pid)))
            }
            Expr::LocationOf(pid, kind) => match self.process(self.eval(pid), *kind) {
                Some(pid) => {
                    self.note(|| trace::location(pid));
                    self.pc(pid) as i32
                }
                None => -1,
            },
            Expr::FirstOf(kind) => {
                let first = (0..self.shape.count()).find(|&pid| self.shape.kind(pid) == *kind);
                first.map_or(-1, |pid| pid as i32)
            }
            Expr::PriorityOf(pid) => self.process(self.eval(pid), None).map_or(0, |pid| self.priority(pid)),
            Expr::Timeout => i32::from(self.timeout),
            Expr::NoProgress => {
                let progress = (0..self.shape.count()).any(|pid| {
                    let process = &self.program.processes[self.shape.kind(pid) as usize];
                    process.locations.get(self.pc(pid)).is_some_and(|location| location.progress)
                });
                i32::from(!progress)
            }
            other => self.fail(FaultKind::Error, format!("a process cannot evaluate {other:?}")),
        }
    }

    /// The process of that number, if there is one, of that kind if one is given.
    fn process(&self, pid: i32, kind: Option<u8>) -> Option<usize> {
        self.note(|| Thing::Processes);
        let pid = usize::try_from(pid).ok().filter(|&pid| pid < self.shape.count())?;
        kind.is_none_or(|kind| self.shape.kind(pid) == kind).then_some(pid)
    }

    /// The place of a variable in the state; none if there is no such process.
    #[inline]
    pub fn place(&self, variable: &Variable) -> Option<usize> {
        let base = match &variable.base {
            Base::Global => 0,
            Base::Own => self.own,
            // Only rules and routines have memory of their own.
            Base::Frame | Base::At(_) => return None,
            Base::Process(pid, kind) => {
                let pid = self.process(self.eval(pid), Some(*kind))?;
                self.shape.bodies[pid] as usize
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
    fn load(&self, variable: &Variable) -> i32 {
        let Some(at) = self.place(variable) else { return 0 };
        self.note(|| trace::bytes(self.program, self.shape, at, variable.ty.size()));
        variable.ty.repr.load(self.state, at)
    }

    /// The location of a process.
    #[inline]
    pub fn pc(&self, pid: usize) -> usize {
        let at = self.shape.bodies[pid] as usize;
        let low = self.state[at] as usize;
        if self.program.processes[self.shape.kind(pid) as usize].wide_pc {
            low | (self.state[at + 1] as usize) << 8
        } else {
            low
        }
    }

    /// The priority of a process.
    pub fn priority(&self, pid: usize) -> i32 {
        let process = &self.program.processes[self.shape.kind(pid) as usize];
        process.priority.map_or(1, |offset| i32::from(self.state[(self.shape.bodies[pid] + offset) as usize]))
    }

    /// The name of a channel; 0 is none.
    pub fn channel_name(&self, chan: &ChanRef) -> u32 {
        match chan {
            ChanRef::Global(position) => position + 1,
            ChanRef::Own(position) => self.shape.first_channel.get(self.pid).map_or(0, |&first| first + position + 1),
            ChanRef::Named(name) => self.eval(name) as u32,
        }
    }

    /// The place and type of a channel; trouble if there is no such channel.
    #[inline]
    pub fn channel(&self, chan: &ChanRef) -> Option<(usize, &'a Channel)> {
        self.channel_named(self.channel_name(chan))
    }

    /// Whether the channel of that name has gone with the process that owned it. To those who still know its name it
    /// is empty for ever.
    fn is_gone(&self, name: u32) -> bool {
        name as usize > self.shape.channels.len()
    }

    /// The place and type of the channel of that name; trouble if there is none.
    pub fn channel_named(&self, name: u32) -> Option<(usize, &'a Channel)> {
        match self.shape.channels.get((name as usize).wrapping_sub(1)) {
            Some(&(at, channel)) => Some((at as usize, &self.program.channels[channel as usize])),
            None => {
                let message = match name {
                    0 => String::from("a channel is used before it is initialised"),
                    _ => format!("there is no channel number {name} (any more)"),
                };
                self.fail(FaultKind::Channel, message);
                None
            }
        }
    }

    /// The number of messages in the channel at `at`.
    #[inline]
    pub fn length(&self, at: usize, channel: &Channel) -> usize {
        if channel.capacity == 0 { 0 } else { self.state[at] as usize }
    }

    /// The number of messages in the channel of that name as its users see it.
    fn messages(&self, name: u32, at: usize, channel: &Channel) -> usize {
        if channel.capacity == 0 { usize::from(name == self.offered) } else { self.length(at, channel) }
    }

    fn field(&self, at: usize, channel: &Channel, slot: usize, field: usize) -> i32 {
        let before: u32 = channel.fields[..field].iter().map(|ty| ty.size()).sum();
        let at = at + 1 + slot * channel.slot_size() as usize + before as usize;
        channel.fields[field].repr.load(self.state, at)
    }

    /// The fields of the message in a slot.
    pub fn message(&self, at: usize, channel: &Channel, slot: usize) -> Vec<i32> {
        (0..channel.fields.len()).map(|field| self.field(at, channel, slot, field)).collect()
    }

    /// The slot of the message that a receive would take; none if it would block. With a handshake under way, only
    /// that message can be taken (its slot is 0).
    pub fn matching(&self, receive: &Receive, handshake: Option<&Handshake>) -> Option<usize> {
        if let Some(handshake) = handshake {
            // Whose channel cannot be told takes part in no handshake; the fault is one of its own step.
            let before = self.trouble.take();
            let name = self.channel_name(&receive.chan);
            if self.trouble.replace(before).is_some() {
                return None;
            }
            if receive.keep && name == handshake.channel {
                self.fail(FaultKind::Channel, "a message cannot be left in a channel without slots".into());
                return None;
            }
            let fits = name == handshake.channel
                && receive.patterns.iter().zip(&handshake.values).all(|(pattern, &value)| self.fits(pattern, value));
            return fits.then_some(0);
        }
        let name = self.channel_name(&receive.chan);
        if self.is_gone(name) {
            self.note(|| Thing::Processes);
            return None;
        }
        let (at, channel) = self.channel_named(name)?;
        let length = self.length(at, channel);
        let candidates = if receive.anywhere { length } else { length.min(1) };
        let found = (0..candidates).find(|&slot| {
            receive.patterns.iter().take(channel.fields.len()).enumerate().all(|(field, pattern)| match pattern {
                Pattern::Equal(value) => self.eval(value) == self.field(at, channel, slot, field),
                Pattern::Any | Pattern::Bind(_) => true,
            })
        });
        if let Some(trace) = self.trace {
            // Who takes what is at the head does not mind what comes to the end meanwhile.
            let head = found.is_some() && !receive.anywhere && !receive.keep;
            trace.add(Thing::Channel(name), if head { How::Receive } else { How::Read });
        }
        found
    }

    /// Whether a value is what a pattern asks for.
    pub fn fits(&self, pattern: &Pattern, value: i32) -> bool {
        match pattern {
            Pattern::Equal(wanted) => self.eval(wanted) == value,
            Pattern::Any | Pattern::Bind(_) => true,
        }
    }

    /// Whether a process may move as far as its `provided` clause and the priorities go.
    pub fn may_move(&self, pid: usize) -> bool {
        if !self.provided(pid) {
            return false;
        }
        if !self.program.priorities {
            return true;
        }
        self.note(|| Thing::All);
        let priority = self.priority(pid);
        !(0..self.shape.count())
            .any(|other| other != pid && self.priority(other) > priority && self.provided(other) && self.enabled(other))
    }

    fn provided(&self, pid: usize) -> bool {
        let process = &self.program.processes[self.shape.kind(pid) as usize];
        process.provided.as_ref().is_none_or(|provided| self.seen_by(pid).eval(provided) != 0)
    }

    /// Whether a process has an executable transition. A send on a channel without slots counts as one.
    fn enabled(&self, pid: usize) -> bool {
        // Whoever asks depends on everything, which is noted already.
        let view = View { trace: None, ..self.seen_by(pid) };
        let process = &self.program.processes[self.shape.kind(pid) as usize];
        let Some(location) = process.locations.get(self.pc(pid)) else { return false };
        let transitions = &process.transitions[location.transitions()];
        transitions.iter().any(|transition| view.possible(&transition.action, None, false))
    }

    /// Whether an action can happen now. `moved` tells `else` whether another transition of the location could.
    #[inline]
    pub fn possible(&self, action: &Action, handshake: Option<&Handshake>, moved: bool) -> bool {
        if handshake.is_some() {
            return match action {
                Action::Receive(receive) => self.matching(receive, handshake).is_some(),
                Action::Indivisible(code) => match code.nodes.first() {
                    Some(node) => node.actions.iter().any(|(action, _)| self.possible(action, handshake, false)),
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
                    if let Some(trace) = self.trace {
                        let how = if room { How::Send } else { How::Read };
                        trace.add(Thing::Channel(self.channel_name(&send.chan)), how);
                    }
                    room
                }
                None => false,
            },
            Action::Receive(receive) => self.matching(receive, None).is_some(),
            Action::Else => !moved,
            Action::End => {
                self.note(|| Thing::Processes);
                self.pid + 1 == self.shape.count()
            }
            Action::Indivisible(code) => self.choose(code, 0).is_some(),
        }
    }

    /// Whether an action is an offer that others may take or not: a send on a channel without slots.
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

    /// The first possible action at a node of indivisible code. `else` counts where nothing else is possible.
    pub fn choose<'c>(&self, code: &'c crate::Code, node: usize) -> Option<&'c (Action, Option<u32>)> {
        let actions = &code.nodes.get(node)?.actions;
        let ordinary = actions.iter().find(|(action, _)| *action != Action::Else && self.possible(action, None, false));
        ordinary.or_else(|| actions.iter().find(|(action, _)| *action == Action::Else))
    }
}
