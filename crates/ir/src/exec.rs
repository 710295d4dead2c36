//! What actions do. A state is changed in place, at the end of a growing buffer.

use crate::eval::{Handshake, Trouble, View};
use crate::shape::{Shape, Shapes};
use crate::trace::{self, Trace};
use crate::{Action, Channel, Code, Expr, MonitorEvent, Pattern, Print, Program, Receive, Run, Send, Variable};
use std::cell::Cell;
use tightrope_core::{FaultKind, How, Thing};

/// The most processes there can be.
pub const MAX_PROCESSES: usize = 255;
/// The most channels there can be: their names are bytes, and 0 is none.
pub const MAX_CHANNELS: usize = 255;
/// After so many actions an indivisible sequence counts as endless.
const MAX_INDIVISIBLE: u64 = 10_000_000;

/// A state that is being changed: the tail of a buffer.
pub struct Patch<'a> {
    /// The program.
    pub program: &'a Program,
    /// The buffer.
    pub bytes: &'a mut Vec<u8>,
    /// Where in the buffer the state begins; it ends where the buffer ends.
    pub start: usize,
    /// The shapes met so far.
    pub shapes: &'a mut Shapes,
    /// The shape of the state.
    pub shape: u32,
    /// The process that moves.
    pub pid: usize,
    /// No process could move otherwise.
    pub timeout: bool,
    /// The channel without slots on which a message is on offer; 0 is none.
    pub offered: u32,
    /// The action starts processes.
    pub starts: bool,
    /// Faults that do not end the action: failed assertions, forbidden events.
    pub complaints: &'a mut Vec<Trouble>,
    /// Where printed text goes, if anyone wants it.
    pub output: Option<&'a mut String>,
    /// Who is told of everything that is looked at or changed, if anyone is.
    pub trace: Option<&'a Trace>,
}

/// What an action left to be done.
#[derive(Clone, Debug, PartialEq)]
pub enum Done {
    /// Nothing.
    Moved,
    /// Another process must take the message.
    Offered(Handshake),
    /// The process is gone.
    Ended,
}

impl Patch<'_> {
    /// Runs `read` with a view of the state, and gives its result unless there was trouble.
    fn see<T>(&self, started: &[i32], read: impl FnOnce(&View) -> T) -> Result<T, Trouble> {
        let trouble = Cell::new(None);
        let shape = self.shapes.get(self.shape);
        let state = &self.bytes[self.start..];
        let mut view = View::new(self.program, state, shape, self.pid, self.timeout, &trouble);
        view.started = started;
        view.offered = self.offered;
        view.trace = self.trace;
        let result = read(&view);
        match trouble.into_inner() {
            None => Ok(result),
            Some(trouble) => Err(*trouble),
        }
    }

    fn eval(&self, expr: &Expr) -> Result<i32, Trouble> {
        self.see(&[], |view| view.eval(expr))
    }

    /// Tells that something is changed.
    #[inline]
    fn note(&self, thing: impl FnOnce() -> Thing) {
        if let Some(trace) = self.trace {
            trace.add(thing(), How::Write);
        }
    }

    fn state(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..]
    }

    /// Executes an action that can happen.
    pub fn apply(&mut self, action: &Action, handshake: Option<&Handshake>) -> Result<Done, Trouble> {
        match action {
            Action::Skip | Action::Else => {}
            Action::Test(expr) => {
                self.start_all(expr)?;
            }
            Action::Assign(variable, expr) => {
                let started = self.start_all(expr)?;
                let value = self.see(&started, |view| view.eval(expr))?;
                self.assign(variable, value)?;
            }
            Action::Assert(expr) => {
                if self.eval(expr)? == 0 {
                    self.complaints.push(Trouble::new(FaultKind::Assertion, String::new()));
                }
            }
            Action::Send(send) => return self.send(send),
            Action::Receive(receive) => self.receive(receive, handshake)?,
            Action::Print(print) => {
                // An argument can be at fault whether or not anyone reads the text.
                let values: Result<Vec<i32>, Trouble> = print.args.iter().map(|arg| self.eval(arg)).collect();
                let values = values?;
                if let Some(output) = &mut self.output {
                    output.push_str(&format_text(print, &values));
                }
            }
            Action::End => {
                self.end_process();
                return Ok(Done::Ended);
            }
            Action::SetPriority(pid, value) => {
                let (pid, value) = (self.eval(pid)?, self.eval(value)?);
                self.set_priority(pid, value)?;
            }
            Action::Indivisible(code) => self.run_indivisible(code, handshake)?,
        }
        Ok(Done::Moved)
    }

    fn assign(&mut self, variable: &Variable, value: i32) -> Result<(), Trouble> {
        if let Some(at) = self.see(&[], |view| view.place(variable))? {
            self.note(|| trace::bytes(self.program, self.current_shape(), at, variable.ty.size()));
            let value = variable.ty.wrap(value);
            variable.ty.repr.store(self.state(), at, value);
        }
        Ok(())
    }

    /// Sets the location of the moving process.
    pub fn set_pc(&mut self, target: u32) {
        self.note(|| trace::location(self.pid));
        let shape = self.shapes.get(self.shape);
        let at = self.start + shape.bodies[self.pid] as usize;
        self.bytes[at] = target as u8;
        if self.program.processes[shape.kind(self.pid) as usize].wide_pc {
            self.bytes[at + 1] = (target >> 8) as u8;
        }
    }

    /// Notes who moved, where the program asks for it.
    pub fn note_mover(&mut self, pid: usize) {
        if let Some(offset) = self.program.last_mover {
            self.note(|| Thing::Shared(offset, offset + 1));
            self.state()[offset as usize] = pid as u8;
        }
    }

    /// Starts the processes that `expr` asks for, and returns what each `run` gives.
    fn start_all(&mut self, expr: &Expr) -> Result<Vec<i32>, Trouble> {
        if !self.starts {
            return Ok(Vec::new());
        }
        let mut runs: Vec<&Run> = Vec::new();
        expr.walk(&mut |expr| {
            if let Expr::Run(run) = expr {
                runs.push(run);
            }
        });
        let mut started = Vec::new();
        for run in runs {
            let args: Result<Vec<i32>, Trouble> = run.args.iter().map(|arg| self.eval(arg)).collect();
            let priority = self.eval(&run.priority)?;
            started.push(self.start_process(run.kind, &args?, priority)?);
        }
        Ok(started)
    }

    /// Makes a process and returns its number.
    pub fn start_process(&mut self, kind: u8, args: &[i32], priority: i32) -> Result<i32, Trouble> {
        self.note(|| Thing::Processes);
        let list = self.start + self.program.schema.fixed_size as usize;
        let count = self.bytes[list] as usize;
        if count >= MAX_PROCESSES {
            let message = format!("there cannot be more than {MAX_PROCESSES} processes at a time");
            return Err(Trouble::new(FaultKind::Processes, message));
        }
        let process = &self.program.processes[kind as usize];
        self.bytes[list] += 1;
        self.bytes.insert(list + 1 + count, kind);
        let body = self.bytes.len();
        self.bytes.extend_from_slice(&process.body);
        for (&(offset, ty), &value) in process.params.iter().zip(args) {
            ty.repr.store(&mut self.bytes[body..], offset as usize, ty.wrap(value));
        }
        if let Some(offset) = process.priority {
            self.bytes[body + offset as usize] = priority as u8;
        }
        self.find_shape()?;
        if self.current_shape().channels.len() > MAX_CHANNELS {
            let message = format!("there cannot be more than {MAX_CHANNELS} channels at a time");
            return Err(Trouble::new(FaultKind::Channel, message));
        }
        let creator = std::mem::replace(&mut self.pid, count);
        let initialised: Result<(), Trouble> = process.initialisers.iter().try_for_each(|action| match action {
            Action::Assign(variable, expr) => {
                let value = self.eval(expr)?;
                self.assign(variable, value)
            }
            _ => Ok(()),
        });
        self.pid = creator;
        initialised?;
        Ok(count as i32)
    }

    /// Removes the youngest process and what it owns.
    fn end_process(&mut self) {
        self.note(|| Thing::Processes);
        let shape = self.current_shape();
        let first = shape.first_channel.get(self.pid).map_or(0, |&first| first as usize);
        // Its channels go with it.
        (first..shape.channels.len()).for_each(|channel| self.note(|| Thing::Channel(channel as u32 + 1)));
        let list = self.start + self.program.schema.fixed_size as usize;
        let count = self.bytes[list] as usize;
        let body = self.shapes.get(self.shape).bodies[count - 1] as usize;
        self.bytes.truncate(self.start + body);
        self.bytes.remove(list + count);
        self.bytes[list] -= 1;
        self.find_shape().expect("a state without its youngest process is a state");
    }

    fn find_shape(&mut self) -> Result<(), Trouble> {
        let found = self.shapes.find(self.program, &self.bytes[self.start..]);
        self.shape = found.ok_or_else(|| Trouble::new(FaultKind::Error, "the state lost its form"))?;
        Ok(())
    }

    fn set_priority(&mut self, pid: i32, value: i32) -> Result<(), Trouble> {
        if !(1..=255).contains(&value) {
            return Err(Trouble::new(FaultKind::Range, format!("priority {value} is not in 1..255")));
        }
        self.note(|| Thing::All);
        let shape = self.shapes.get(self.shape);
        if let Some(pid) = usize::try_from(pid).ok().filter(|&pid| pid < shape.count())
            && let Some(offset) = self.program.processes[shape.kind(pid) as usize].priority
        {
            let at = (shape.bodies[pid] + offset) as usize;
            self.state()[at] = value as u8;
        }
        Ok(())
    }

    fn send(&mut self, send: &Send) -> Result<Done, Trouble> {
        let program = self.program;
        let (name, at, channel, given) = self.see(&[], |view| {
            let name = view.channel_name(&send.chan);
            let (at, index) = match view.channel_named(name) {
                Some((at, _)) => (at, view.shape.channels[name as usize - 1].1 as usize),
                None => (0, 0),
            };
            (name, at, index, send.args.iter().map(|arg| view.eval(arg)).collect::<Vec<i32>>())
        })?;
        let channel = &program.channels[channel];
        if given.len() != channel.fields.len() {
            return Err(arity("sent to", given.len(), channel));
        }
        let values: Vec<i32> = given.iter().zip(&channel.fields).map(|(&value, ty)| ty.wrap(value)).collect();
        if program.monitor.is_some() {
            self.watch(true, name, &values)?;
        }
        if channel.capacity == 0 {
            // It goes with the process that owns it.
            self.trace.inspect(|trace| trace.add(Thing::Channel(name), How::Read));
            return Ok(Done::Offered(Handshake { channel: name, values }));
        }
        if let Some(trace) = self.trace {
            // Whose message goes anywhere but to the end minds what is in there.
            trace.add(Thing::Channel(name), if send.sorted { How::Write } else { How::Send });
        }
        self.put(at, channel, send.sorted.then_some(&given), &values)?;
        Ok(Done::Moved)
    }

    /// Puts a message at the end, or, sorted, before the first that is larger than what was to be sent. That is
    /// compared before its fields are cut to size.
    fn put(&mut self, at: usize, channel: &Channel, sorted: Option<&Vec<i32>>, values: &[i32]) -> Result<(), Trouble> {
        let size = channel.slot_size() as usize;
        let (length, slot) = self.see(&[], |view| {
            let length = view.length(at, channel);
            let slot = sorted.and_then(|given| (0..length).find(|&slot| view.message(at, channel, slot) > *given));
            (length, slot.unwrap_or(length))
        })?;
        let state = self.state();
        let first = at + 1 + slot * size;
        let last = at + 1 + length * size;
        state.copy_within(first..last, first + size);
        state[at] += 1;
        let mut field = first;
        for (ty, &value) in channel.fields.iter().zip(values) {
            ty.repr.store(state, field, value);
            field += ty.size() as usize;
        }
        Ok(())
    }

    fn receive(&mut self, receive: &Receive, handshake: Option<&Handshake>) -> Result<(), Trouble> {
        let program = self.program;
        let (name, at, channel, slot, values) = self
            .see(&[], |view| {
                let name = view.channel_name(&receive.chan);
                let (at, channel) = match view.shape.channels.get((name as usize).wrapping_sub(1)) {
                    Some(&(at, channel)) => (at as usize, &program.channels[channel as usize]),
                    None => return None,
                };
                let slot = view.matching(receive, handshake)?;
                let values = match handshake {
                    Some(handshake) => handshake.values.clone(),
                    None => view.message(at, channel, slot),
                };
                Some((name, at, channel, slot, values))
            })?
            .ok_or_else(|| Trouble::new(FaultKind::Channel, "nothing to receive"))?;
        if receive.patterns.len() != channel.fields.len() {
            return Err(arity("received from", receive.patterns.len(), channel));
        }
        for (field, (pattern, &value)) in receive.patterns.iter().zip(&values).enumerate() {
            // SPIN's monitor is told when the last field is read: it sees what the others were stored in.
            if field + 1 == values.len() && !receive.keep && program.monitor.is_some() {
                self.watch(false, name, &values)?;
            }
            if let Pattern::Bind(variable) = pattern {
                self.assign(variable, value)?;
            }
        }
        if receive.keep {
            return Ok(());
        }
        self.offered = 0;
        if handshake.is_none() {
            if let Some(trace) = self.trace {
                trace.add(Thing::Channel(name), if receive.anywhere { How::Write } else { How::Receive });
            }
            let size = channel.slot_size() as usize;
            let state = self.state();
            let length = state[at] as usize;
            let first = at + 1 + slot * size;
            let last = at + 1 + length * size;
            state.copy_within(first + size..last, first);
            state[last - size..last].fill(0);
            state[at] -= 1;
        }
        Ok(())
    }

    fn run_indivisible(&mut self, code: &Code, handshake: Option<&Handshake>) -> Result<(), Trouble> {
        let mut node = 0;
        let mut handshake = handshake;
        for _ in 0..MAX_INDIVISIBLE {
            let chosen = self.see(&[], |view| match handshake {
                Some(_) => code.nodes[node].actions.iter().find(|(action, _)| view.possible(action, handshake, false)),
                None => view.choose(code, node),
            })?;
            let Some((action, next)) = chosen else {
                let line = code.nodes[node].source.line;
                let message = format!("an indivisible sequence blocks at line {line}");
                return Err(Trouble::new(FaultKind::Atomicity, message));
            };
            match self.apply(action, handshake.take())? {
                Done::Moved => {}
                Done::Offered(_) | Done::Ended => {
                    let message = "a handshake or the end of a process inside an indivisible sequence";
                    return Err(Trouble::new(FaultKind::Atomicity, message));
                }
            }
            match next {
                Some(next) => node = *next as usize,
                None => return Ok(()),
            }
        }
        Err(Trouble::new(FaultKind::Atomicity, "endless `d_step` sequence"))
    }

    /// Tells the monitor of a message.
    fn watch(&mut self, sent: bool, name: u32, values: &[i32]) -> Result<(), Trouble> {
        let program = self.program;
        let Some(monitor) = &program.monitor else { return Ok(()) };
        let watched = if sent { &monitor.sends } else { &monitor.receives };
        if !watched.contains(&(name - 1)) {
            return Ok(());
        }
        let offset = monitor.offset as usize;
        self.note(|| Thing::Shared(monitor.offset, monitor.offset + 1));
        let here = self.state()[offset] as usize;
        let over = monitor.locations.len() as u8;
        let Some((events, _)) = monitor.locations.get(here) else { return Ok(()) };
        let (next, ambiguous) = self.see(&[], |view| {
            let fits = |patterns: &[Pattern]| patterns.iter().zip(values).all(|(p, &value)| view.fits(p, value));
            let mut matching = events.iter().filter(|(event, _)| match event {
                MonitorEvent::Send(channel, patterns) => sent && channel + 1 == name && fits(patterns),
                MonitorEvent::Receive(channel, patterns) => !sent && channel + 1 == name && fits(patterns),
            });
            (matching.next(), matching.next().is_some())
        })?;
        if ambiguous {
            let message = "a message that two events of the trace assertion match at once";
            return Err(Trouble::new(FaultKind::Event, message));
        }
        match next {
            Some((_, next)) => {
                self.state()[offset] = *next as u8;
                if monitor.forbidden && monitor.locations[*next as usize].0.is_empty() {
                    let message = "the forbidden sequence of messages (notrace) is complete";
                    self.complaints.push(Trouble::new(FaultKind::Event, message));
                }
            }
            None if monitor.forbidden => self.state()[offset] = over,
            None => {
                let message = "a message that the trace assertion does not allow here";
                self.complaints.push(Trouble::new(FaultKind::Event, message));
            }
        }
        Ok(())
    }

    /// The shape of the state.
    pub fn current_shape(&self) -> &Shape {
        self.shapes.get(self.shape)
    }
}

fn arity(verb: &str, given: usize, channel: &Channel) -> Trouble {
    let message = format!("{given} fields are {verb} a channel whose messages have {}", channel.fields.len());
    Trouble::new(FaultKind::Channel, message)
}

/// Fills `%d`, `%u`, `%x`, `%o`, `%c`, `%e` (a name) and `%%` of a format.
fn format_text(print: &Print, values: &[i32]) -> String {
    let mut text = String::new();
    let mut values = values.iter().enumerate();
    let mut chars = print.format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            text.push(c);
            continue;
        }
        let mut spec = chars.next();
        while spec.is_some_and(|c| c.is_ascii_digit() || c == '-' || c == '.' || c == 'l') {
            spec = chars.next();
        }
        match spec {
            Some('%') => text.push('%'),
            Some(spec) => {
                let (number, value) = values.next().map_or((0, 0), |(number, &value)| (number, value));
                match spec {
                    'u' => text.push_str(&(value as u32).to_string()),
                    'x' => text.push_str(&format!("{value:x}")),
                    'o' => text.push_str(&format!("{value:o}")),
                    'c' => text.push(char::from(value as u8)),
                    'e' => {
                        let names = print.names.get(number);
                        let name = names.and_then(|names| names.get(usize::try_from(value).ok()?));
                        text.push_str(&name.cloned().unwrap_or_else(|| value.to_string()));
                    }
                    _ => text.push_str(&value.to_string()),
                }
            }
            None => text.push('%'),
        }
    }
    text
}
