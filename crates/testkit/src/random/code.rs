//! Random actions, and processes made of them.

use super::layout::{Layout, MONITOR_LOCATIONS};
use super::{Features, Rng};
use tightrope_ir::StepKind;
use tightrope_ir::{
    Action, Binary, Expr, IndivisibleCode, IndivisibleNode, Location, Monitor, MonitorEvent, Pattern, Print, Process,
    Receive, Send, Source, Transition,
};

/// Writes the code of a program whose variables are laid out.
pub(crate) struct Author<'a> {
    pub rng: Rng,
    pub features: Features,
    pub layout: &'a Layout,
}

#[derive(Clone, Copy)]
enum Choice {
    Skip,
    Test,
    Assign,
    Assert,
    Send,
    Receive,
    Print,
    Priority,
    Run,
    Timeout,
    Indivisible,
}

impl Author<'_> {
    /// A process type.
    pub fn process(&mut self, kind: usize) -> Process {
        let layout = self.layout;
        let declared = &layout.kinds[kind];
        let mut process = Process {
            name: declared.name.clone(),
            variables: declared.variables.iter().map(|one| one.name.clone()).collect(),
            wide_pc: declared.wide_pc,
            priority: declared.priority,
            body: declared.body.clone(),
            params: declared.variables[..declared.params].iter().map(|one| (one.offset, one.ty)).collect(),
            channels: declared.channels.clone(),
            ..Process::default()
        };
        for (at, one) in declared.variables.iter().enumerate().skip(declared.params) {
            let value = match one.is_channel {
                true => self.channel_name(kind),
                false => Expr::Const(self.rng.range(0, one.modulus - 1)),
            };
            process.initialisers.push(Action::Assign(Box::new(one.own(at, Vec::new())), value));
        }
        if self.features.provided && self.rng.chance(50) {
            process.provided = Some(self.guard(kind));
        }
        for location in 0..declared.locations {
            let first = process.transitions.len() as u32;
            self.location(kind, location, &mut process.transitions);
            process.locations.push(Location {
                first,
                count: process.transitions.len() as u32 - first,
                end: self.rng.chance(25),
                progress: self.rng.chance(10),
                source: source(kind, location),
                ..Location::default()
            });
        }
        process
    }

    /// The transitions of a location.
    fn location(&mut self, kind: usize, location: usize, transitions: &mut Vec<Transition>) {
        let locations = self.layout.kinds[kind].locations;
        let last = location + 1 == locations;
        if last && self.rng.chance(if self.features.starts_processes { 70 } else { 20 }) {
            transitions.push(self.transition(kind, location, Action::End, 0, 0));
            return;
        }
        let count = self.rng.weighted(&[(if location > 0 { 1 } else { 0 }, 0), (10, 1), (14, 2), (7, 3)]);
        // Transitions of an escape group come first, in one run.
        let escaping =
            if self.features.escapes && count > 1 && self.rng.chance(60) { 1 + self.rng.below(2) } else { 0 };
        for at in 0..count {
            // Something that is always possible, often enough that programs get anywhere.
            let action = if at == 0 && self.rng.chance(50) { self.assignment(kind) } else { self.action(kind) };
            let target = if self.rng.chance(70) { (location + 1) % locations } else { self.rng.below(locations) };
            let escape = if at < escaping { 1 } else { 0 };
            transitions.push(self.transition(kind, location, action, target, escape));
        }
        if count > 0 && self.rng.chance(15) {
            let target = self.rng.below(locations);
            transitions.push(self.transition(kind, location, Action::Else, target, 0));
        }
    }

    fn transition(&mut self, kind: usize, from: usize, action: Action, target: usize, escape: u32) -> Transition {
        // Only forward, so that sequences end: how fast cycles with branches multiply is another test.
        let keeps_control =
            self.features.keeps_control && target > from && action != Action::End && self.rng.chance(35);
        let kind_of_step = match &action {
            Action::Test(_) | Action::Skip | Action::Else => StepKind::Control,
            Action::Send(_) => StepKind::Send,
            Action::Receive(_) => StepKind::Receive,
            Action::Assign(..) => StepKind::Assign,
            _ => StepKind::Other,
        };
        Transition {
            text: crate::dump::action(&action),
            action,
            target: target as u32,
            keeps_control,
            escape,
            kind: kind_of_step,
            source: source(kind, from),
        }
    }

    /// A condition that is neither always true nor always false.
    fn guard(&mut self, kind: usize) -> Expr {
        let op = *self.rng.pick(&[Binary::Eq, Binary::Ne, Binary::Ne, Binary::Lt, Binary::Ge]);
        let guard = Expr::Binary(op, Box::new(self.expr(kind, 1)), Box::new(Expr::Const(self.rng.range(0, 2))));
        if self.rng.chance(25) { Expr::Either(Box::new(guard), Box::new(self.expr(kind, 1))) } else { guard }
    }

    fn action(&mut self, kind: usize) -> Action {
        let features = self.features;
        let when = |feature: bool, weight: usize| if feature { weight } else { 0 };
        let talks = features.channels || !self.layout.kinds[kind].channels.is_empty();
        let choice = self.rng.weighted(&[
            (1, Choice::Skip),
            (4, Choice::Test),
            (7, Choice::Assign),
            (when(features.faults, 1), Choice::Assert),
            (when(talks, 6), Choice::Send),
            (when(talks, 6), Choice::Receive),
            (1, Choice::Print),
            (when(features.priorities, 2), Choice::Priority),
            (when(features.starts_processes, 3), Choice::Run),
            (when(features.timeout, 2), Choice::Timeout),
            (when(features.indivisible, 3), Choice::Indivisible),
        ]);
        match choice {
            Choice::Run => {
                let few = Expr::Binary(Binary::Lt, Box::new(Expr::ProcessCount), Box::new(Expr::Const(4)));
                Action::Test(Expr::Both(Box::new(few), Box::new(self.run(kind))))
            }
            Choice::Timeout => match self.rng.chance(60) {
                true => Action::Test(Expr::Timeout),
                false => Action::Test(Expr::Both(Box::new(Expr::Timeout), Box::new(self.guard(kind)))),
            },
            Choice::Indivisible => Action::Indivisible(Box::new(self.code(kind))),
            choice => self.simple(kind, choice),
        }
    }

    /// An action that may also stand in indivisible code.
    fn simple(&mut self, kind: usize, choice: Choice) -> Action {
        match choice {
            Choice::Test => Action::Test(if self.rng.chance(70) { self.guard(kind) } else { self.expr(kind, 2) }),
            Choice::Assign => self.assignment(kind),
            Choice::Assert => Action::Assert(self.guard(kind)),
            Choice::Send => self.send(kind).unwrap_or(Action::Skip),
            Choice::Receive => self.receive(kind).unwrap_or(Action::Skip),
            Choice::Print => {
                let args = vec![self.expr(kind, 1)];
                Action::Print(Box::new(Print { format: String::from("value %d\n"), args, names: Vec::new() }))
            }
            Choice::Priority => {
                let pid = if self.rng.chance(50) { Expr::OwnPid } else { Expr::Const(self.rng.range(0, 2)) };
                let least = if self.features.faults && self.rng.chance(10) { 0 } else { 1 };
                Action::SetPriority(pid, Expr::Const(self.rng.range(least, 3)))
            }
            Choice::Skip | Choice::Run | Choice::Timeout | Choice::Indivisible => Action::Skip,
        }
    }

    fn assignment(&mut self, kind: usize) -> Action {
        if self.rng.chance(15)
            && let Some((variable, _)) = self.variable(kind, |declared| declared.is_channel)
        {
            return Action::Assign(Box::new(variable), self.channel_name(kind));
        }
        match self.variable(kind, |declared| !declared.is_channel) {
            Some((variable, modulus)) => {
                let value = if self.rng.chance(45) {
                    let more = Expr::Binary(
                        Binary::Add,
                        Box::new(Expr::Load(Box::new(variable.clone()))),
                        Box::new(Expr::Const(self.rng.range(1, 2))),
                    );
                    Expr::Binary(Binary::Rem, Box::new(more), Box::new(Expr::Const(modulus)))
                } else {
                    self.small(kind, modulus, 2)
                };
                Action::Assign(Box::new(variable), value)
            }
            None => Action::Skip,
        }
    }

    fn send(&mut self, kind: usize) -> Option<Action> {
        let (chan, mut fields) = self.channel(kind)?;
        if self.features.faults && self.rng.chance(3) {
            fields += 1;
        }
        let args = (0..fields)
            .map(|_| match self.rng.chance(15) {
                true => self.channel_name(kind),
                false => self.small(kind, 3, 1),
            })
            .collect();
        Some(Action::Send(Box::new(Send { chan, sorted: self.rng.chance(25), args })))
    }

    fn receive(&mut self, kind: usize) -> Option<Action> {
        let (chan, mut fields) = self.channel(kind)?;
        if self.features.faults && self.rng.chance(3) {
            fields += 1;
        }
        let mut patterns = Vec::new();
        for _ in 0..fields {
            patterns.push(match self.rng.below(5) {
                0 => Pattern::Any,
                1 => Pattern::Equal(Expr::Const(self.rng.range(0, 2))),
                2 if self.rng.chance(30) => Pattern::Equal(self.expr(kind, 1)),
                _ => match self.variable(kind, |_| true) {
                    Some((variable, _)) => Pattern::Bind(variable),
                    None => Pattern::Any,
                },
            });
        }
        let (anywhere, keep) = (self.rng.chance(25), self.rng.chance(15));
        Some(Action::Receive(Box::new(Receive { chan, anywhere, keep, patterns })))
    }

    /// A few nodes that lead forward only.
    fn code(&mut self, kind: usize) -> IndivisibleCode {
        let count = 1 + self.rng.below(3);
        let choices = [
            (1, Choice::Skip),
            (3, Choice::Test),
            (6, Choice::Assign),
            (if self.features.faults { 1 } else { 0 }, Choice::Assert),
            (if self.features.channels { 2 } else { 0 }, Choice::Send),
            (if self.features.channels { 2 } else { 0 }, Choice::Receive),
        ];
        let nodes = (0..count).map(|at| {
            let mut actions = Vec::new();
            for _ in 0..1 + self.rng.below(2) {
                let choice = self.rng.weighted(&choices);
                let action = self.simple(kind, choice);
                let next = (at + 1 < count && self.rng.chance(85)).then_some(at as u32 + 1);
                actions.push((action, next));
            }
            // A node that blocks in the middle is a fault; mostly there is another way.
            if at > 0 && !(self.features.faults && self.rng.chance(40)) {
                actions.push((Action::Else, (at + 1 < count).then_some(at as u32 + 1)));
            }
            IndivisibleNode { actions, source: source(kind, 90 + at) }
        });
        IndivisibleCode { nodes: nodes.collect() }
    }

    /// Watches the messages on the global channels.
    pub fn monitor(&mut self, offset: u32) -> Monitor {
        let count = self.layout.global_channels.len() as u32;
        let mut locations = Vec::new();
        for location in 0..MONITOR_LOCATIONS {
            let mut events = Vec::new();
            for _ in 0..self.rng.below(4) {
                let chan = self.rng.below(count as usize) as u32;
                let channel = self.layout.global_channels[chan as usize].channel;
                let fields = self.layout.channels[channel as usize].fields.len();
                let patterns = (0..fields).map(|_| match self.rng.chance(70) {
                    true => Pattern::Any,
                    false => Pattern::Equal(Expr::Const(self.rng.range(0, 2))),
                });
                let patterns = patterns.collect();
                let event = match self.rng.chance(50) {
                    true => MonitorEvent::Send(chan, patterns),
                    false => MonitorEvent::Receive(chan, patterns),
                };
                events.push((event, self.rng.below(MONITOR_LOCATIONS as usize) as u32));
            }
            locations.push((events, location == 0 || self.rng.chance(50)));
        }
        let watched = |rng: &mut Rng| (0..count).filter(|_| rng.chance(60)).collect::<Vec<u32>>();
        let (sends, receives) = (watched(&mut self.rng), watched(&mut self.rng));
        Monitor { offset, locations, sends, receives, forbidden: self.rng.chance(50), source: Source::default() }
    }
}

fn source(kind: usize, location: usize) -> Source {
    Source { file: 0, line: (100 * (kind + 1) + location) as u32 }
}
