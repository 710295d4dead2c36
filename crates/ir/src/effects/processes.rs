//! The accesses of processes to what they share: for every action what it may read and write, how it uses channels, and what
//! must change before it can become enabled.

use super::parts::{Part, of_action, of_expr, of_monitor};
use crate::{Action, Base, Binary, ChanRef, Code, Expr, Pattern, Process, Program, Receive, Unary, Variable};
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Something that processes share, as the text of a program names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Shared {
    /// A declared global variable, whole.
    Global(u32),
    /// A declared variable of some process of a kind, which others read.
    Remote(u8, u32),
    /// The location of some process of a kind, which others read.
    Location(u8),
    /// A global channel.
    Channel(u32),
    /// A channel that the process owns.
    OwnChannel(u32),
    /// A channel whose name never changes for a process: the number of the expression that gives it.
    Named(u32),
    /// Some channel, known only at run time.
    AnyChannel,
    /// The list of processes.
    Processes,
    /// The location of the monitor.
    Monitor,
    /// A variable that nobody else reads. It appears only in what decides whether an action is enabled.
    Private,
    /// The whole state.
    All,
}

impl Shared {
    /// Whether it is a channel.
    pub fn is_channel(self) -> bool {
        matches!(self, Shared::Channel(_) | Shared::OwnChannel(_) | Shared::Named(_) | Shared::AnyChannel)
    }
}

/// The kind of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum AccessKind {
    /// Reads it.
    Read,
    /// Writes it. Of a channel: changes it in whatever way, or may have to wait for it.
    Write,
    /// Appends a message to a channel.
    Send,
    /// Takes the message at the head of a channel.
    Receive,
    /// Depends on whether a channel is full.
    AskFull,
    /// Depends on whether a channel is empty, or on the message at its head.
    AskEmpty,
    /// Is enabled only while a channel is not full.
    NeedsRoom,
    /// Is enabled only while a channel is not empty.
    NeedsSome,
    /// Becomes ready, or is no longer ready, for a handshake on a rendezvous channel.
    Offer,
    /// Depends on who is ready for a handshake on a rendezvous channel.
    Meet,
}

impl AccessKind {
    /// All kinds.
    pub const ALL: [AccessKind; 10] = [
        AccessKind::Read,
        AccessKind::Write,
        AccessKind::Send,
        AccessKind::Receive,
        AccessKind::AskFull,
        AccessKind::AskEmpty,
        AccessKind::NeedsRoom,
        AccessKind::NeedsSome,
        AccessKind::Offer,
        AccessKind::Meet,
    ];
}

/// An access: to what, and of which kind.
pub type Access = (Shared, AccessKind);

/// A set of accesses.
pub type Accesses = BTreeSet<Access>;

/// One of the conditions that must all be true for an action to be enabled.
#[derive(Clone, Debug, Default)]
pub struct Conjunct {
    /// The expression that must not be zero, where the condition is one.
    pub test: Option<Expr>,
    /// What it depends on: [`AccessKind::Send`] and [`AccessKind::Receive`] stand for a send or receive that may be blocked.
    pub reads: Accesses,
    /// What it says of a channel where it is true, if it is about nothing else: that it is not empty, or not full.
    pub establishes: Option<Access>,
    /// What it depends on as well if the channel is a rendezvous channel: the fields that partners compare.
    pub fields: Accesses,
}

impl Conjunct {
    /// The accesses of something that is decided by whether this condition is true, whichever way it turns out.
    pub fn disabling_reads(&self) -> impl Iterator<Item = Access> + '_ {
        let reads = self.reads.iter().flat_map(|&(shared, kind)| {
            let kinds: &[AccessKind] = match kind {
                AccessKind::NeedsRoom | AccessKind::AskFull => &[AccessKind::AskFull],
                AccessKind::NeedsSome | AccessKind::AskEmpty => &[AccessKind::AskEmpty],
                AccessKind::Send => &[AccessKind::AskFull, AccessKind::Meet],
                AccessKind::Receive => &[AccessKind::AskEmpty, AccessKind::Meet],
                _ => &[AccessKind::Read],
            };
            kinds.iter().map(move |&kind| (shared, kind))
        });
        reads.chain(self.fields.iter().copied()).filter(|(shared, _)| *shared != Shared::Private)
    }
}

/// The effects of an action.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// What is accessed when it is found out whether the action is enabled, and by its first part.
    pub first: Accesses,
    /// What is accessed after that, in an indivisible sequence; and how often, where 2 stands for any number.
    pub later: BTreeMap<Access, u8>,
    /// What decides whether it is enabled.
    pub guard: Vec<Conjunct>,
    /// The kinds of processes that it may start.
    pub starts: BTreeSet<u8>,
    /// It reads `timeout`.
    pub timeout: bool,
}

impl Effects {
    /// Adds accesses that come later in the same step.
    pub fn add_later(&mut self, accesses: impl IntoIterator<Item = (Access, u8)>) {
        for (access, times) in accesses {
            let known = self.later.entry(access).or_insert(0);
            *known = known.saturating_add(times).min(2);
        }
    }

    /// The accesses of something that depends on whether the action is enabled.
    pub fn disabling_reads(&self) -> impl Iterator<Item = Access> + '_ {
        self.guard.iter().flat_map(Conjunct::disabling_reads)
    }
}

/// What is the same for all actions of a program.
pub struct Effecting<'a> {
    program: &'a Program,
    /// The variables that processes read of others.
    remote: FxHashSet<(u8, u32)>,
    /// The kinds of processes whose locations are read.
    located: FxHashSet<u8>,
    /// The variables that are written after their process has started.
    changed: FxHashSet<(u8, u32)>,
    /// The expressions that give names of channels and never change for a process.
    names: RefCell<Vec<Expr>>,
}

impl<'a> Effecting<'a> {
    /// Looks at all actions of a program.
    pub fn new(program: &'a Program) -> Effecting<'a> {
        let (mut remote, mut located, mut changed) = (FxHashSet::default(), FxHashSet::default(), FxHashSet::default());
        for (process, own) in program.processes.iter().zip(0u8..) {
            let mut look = |part: Part<'_>| match part {
                Part::Reads(Variable { base: Base::Process(_, kind), declared, .. }) => {
                    remote.insert((*kind, *declared));
                }
                Part::Writes(Variable { base: Base::Process(_, kind), declared, .. }) => {
                    remote.insert((*kind, *declared));
                    changed.insert((*kind, *declared));
                }
                Part::Writes(Variable { base: Base::Own, declared, .. }) => _ = changed.insert((own, *declared)),
                Part::Asks(Expr::LocationOf(_, Some(kind))) => _ = located.insert(*kind),
                _ => {}
            };
            process.transitions.iter().for_each(|transition| of_action(&transition.action, &mut look));
            process.provided.iter().for_each(|provided| of_expr(provided, &mut look));
        }
        let mut look = |part: Part<'_>| match part {
            Part::Reads(Variable { base: Base::Process(_, kind), declared, .. }) => {
                remote.insert((*kind, *declared));
            }
            Part::Asks(Expr::LocationOf(_, Some(kind))) => _ = located.insert(*kind),
            _ => {}
        };
        for process in &program.processes {
            process.initialisers.iter().for_each(|action| of_action(action, &mut look));
        }
        program.monitor.iter().for_each(|monitor| of_monitor(monitor, &mut look));
        program.goal.iter().for_each(|(goal, _)| of_expr(goal, &mut look));
        Effecting { program, remote, located, changed, names: RefCell::default() }
    }

    /// The effects of a transition of a kind of process, its `provided` clause and the move of the process included.
    pub fn transition(&self, kind: u8, process: &Process, number: usize) -> Effects {
        let mut effects = self.action(kind, &process.transitions[number].action);
        if let Some(provided) = &process.provided {
            let reads = self.expr(kind, provided, &mut effects);
            effects.first.extend(shared(&reads));
            // It is evaluated before the action.
            effects.guard.insert(0, Conjunct { test: Some(provided.clone()), reads, ..Conjunct::default() });
        }
        if self.located.contains(&kind) {
            effects.first.insert((Shared::Location(kind), AccessKind::Write));
        }
        effects
    }

    /// What an expression reads that somebody evaluates who is no process.
    pub fn observed(&self, expr: &Expr) -> Accesses {
        shared(&self.expr(u8::MAX, expr, &mut Effects::default())).collect()
    }

    /// The expressions that name channels by [`Shared::Named`].
    pub fn into_names(self) -> Vec<Expr> {
        self.names.into_inner()
    }

    /// The effects of an action of a kind of process.
    fn action(&self, kind: u8, action: &Action) -> Effects {
        let mut effects = Effects::default();
        match action {
            Action::Indivisible(code) => self.code(kind, code, &mut effects),
            _ => {
                let accesses = self.accesses(kind, action, &mut effects);
                effects.first.extend(shared(&accesses));
                effects.guard = self.guard(kind, action, &mut Effects::default());
            }
        }
        effects
    }

    /// An indivisible sequence: its first node decides whether it is enabled; what comes after must not block.
    fn code(&self, kind: u8, code: &Code, effects: &mut Effects) {
        let targets =
            |node: usize| code.nodes[node].actions.iter().filter_map(|(_, next)| next.map(|next| next as usize));
        let reach = |from: usize| {
            let (mut seen, mut todo) = (BTreeSet::new(), vec![from]);
            while let Some(node) = todo.pop() {
                todo.extend(targets(node).filter(|&next| next < code.nodes.len() && seen.insert(next)));
            }
            seen
        };
        if code.nodes.is_empty() {
            return;
        }
        let after = reach(0);
        let mut any = Conjunct::default();
        let mut always = false;
        for (number, node) in
            code.nodes.iter().enumerate().filter(|&(number, _)| number == 0 || after.contains(&number))
        {
            let again = reach(number).contains(&number);
            for (action, _) in &node.actions {
                let mut one = self.action(kind, action);
                effects.starts.append(&mut one.starts);
                effects.timeout |= one.timeout;
                // Of several actions the first enabled one is taken; and where none is, that is a fault.
                let decides = number > 0 || node.actions.len() > 1;
                let reads: Accesses = one.disabling_reads().filter(|_| decides).collect();
                let times = if again { 2 } else { 1 };
                if number == 0 {
                    effects.first.extend(one.first.iter().copied().chain(reads.iter().copied()));
                    always |= *action == Action::Else || one.guard.is_empty();
                    for conjunct in one.guard {
                        any.reads.extend(conjunct.reads);
                        any.fields.extend(conjunct.fields);
                    }
                }
                if number > 0 || again {
                    effects.add_later(one.first.iter().chain(&reads).map(|&access| (access, times)));
                }
                effects.add_later(one.later);
            }
        }
        if !always {
            effects.guard.push(any);
        }
    }

    /// All accesses of an action that is no sequence. Private variables are among them.
    fn accesses(&self, kind: u8, action: &Action, effects: &mut Effects) -> Accesses {
        let mut accesses = Accesses::new();
        if let Action::Test(expr) = action {
            self.condition(kind, expr, &mut accesses, effects);
        } else {
            of_action(action, &mut |part| self.part(kind, part, &mut accesses, effects));
        }
        accesses
    }

    /// What must be true for an action that is no sequence to be enabled.
    fn guard(&self, kind: u8, action: &Action, effects: &mut Effects) -> Vec<Conjunct> {
        let one = |reads: Accesses, fields: Accesses| vec![Conjunct { test: None, reads, establishes: None, fields }];
        match action {
            Action::Test(expr) => {
                let mut conjuncts = Vec::new();
                split(expr, &mut |part| {
                    let mut reads = Accesses::new();
                    self.condition(kind, part, &mut reads, effects);
                    let establishes = needed(part).map(|(chan, how)| (self.channel(kind, chan), how));
                    conjuncts.push(Conjunct { test: Some(part.clone()), reads, establishes, ..Conjunct::default() });
                });
                conjuncts
            }
            Action::Send(send) => {
                let mut reads = self.name(kind, &send.chan, effects);
                reads.insert((self.channel(kind, &send.chan), AccessKind::Send));
                let fields = send.args.iter().flat_map(|arg| self.expr(kind, arg, effects)).collect();
                one(reads, fields)
            }
            Action::Receive(receive) => one(self.receiving(kind, receive, effects), Accesses::new()),
            Action::End => one(Accesses::from([(Shared::Processes, AccessKind::Read)]), Accesses::new()),
            // What `else` depends on are the transitions beside it.
            Action::Else => one(Accesses::new(), Accesses::new()),
            Action::Skip
            | Action::Assign(..)
            | Action::Assert(_)
            | Action::Print(_)
            | Action::SetPriority(..)
            | Action::Indivisible(_) => Vec::new(),
        }
    }

    /// What decides whether there is a message to receive.
    fn receiving(&self, kind: u8, receive: &Receive, effects: &mut Effects) -> Accesses {
        let mut reads = self.name(kind, &receive.chan, effects);
        let plain = !receive.anywhere && !receive.keep;
        let how = if plain { AccessKind::Receive } else { AccessKind::Read };
        reads.insert((self.channel(kind, &receive.chan), how));
        if !plain {
            // It may be a rendezvous channel all the same.
            reads.insert((self.channel(kind, &receive.chan), AccessKind::Receive));
        }
        for pattern in &receive.patterns {
            if let Pattern::Equal(value) = pattern {
                reads.extend(self.expr(kind, value, effects));
            }
        }
        reads
    }

    /// What an expression reads, private variables included.
    fn expr(&self, kind: u8, expr: &Expr, effects: &mut Effects) -> Accesses {
        let mut accesses = Accesses::new();
        self.value(kind, expr, &mut accesses, effects);
        accesses
    }

    /// What an expression reads of which the value matters.
    fn value(&self, kind: u8, expr: &Expr, accesses: &mut Accesses, effects: &mut Effects) {
        match asked(expr) {
            Some((chan, how)) => {
                accesses.extend(self.name(kind, chan, effects));
                accesses.insert((self.channel(kind, chan), how));
            }
            None => of_expr(expr, &mut |part| self.part(kind, part, accesses, effects)),
        }
    }

    /// What a condition reads of which it matters only whether it is zero, and that enables something where it is not.
    fn condition(&self, kind: u8, expr: &Expr, accesses: &mut Accesses, effects: &mut Effects) {
        if let Some((chan, how)) = needed(expr) {
            accesses.extend(self.name(kind, chan, effects));
            accesses.insert((self.channel(kind, chan), how));
            return;
        }
        match expr {
            Expr::Both(a, b) | Expr::Either(a, b) => {
                self.condition(kind, a, accesses, effects);
                self.condition(kind, b, accesses, effects);
            }
            Expr::Unary(Unary::Not, a) if matches!(**a, Expr::Both(..) | Expr::Either(..)) => {
                self.opposite(kind, a, accesses, effects);
            }
            other => self.value(kind, other, accesses, effects),
        }
    }

    /// What a condition reads that must be zero.
    fn opposite(&self, kind: u8, expr: &Expr, accesses: &mut Accesses, effects: &mut Effects) {
        match expr {
            Expr::Both(a, b) | Expr::Either(a, b) => {
                self.opposite(kind, a, accesses, effects);
                self.opposite(kind, b, accesses, effects);
            }
            other => self.value(kind, other, accesses, effects),
        }
    }

    /// What is read to find a channel by its name. Where the name is not always the same, the channel may belong to a process
    /// that ends, or that is still to start.
    fn name(&self, kind: u8, chan: &ChanRef, effects: &mut Effects) -> Accesses {
        let mut accesses = Accesses::new();
        if let ChanRef::Named(name) = chan {
            of_expr(name, &mut |part| self.part(kind, part, &mut accesses, effects));
            if self.channel(kind, chan) == Shared::AnyChannel {
                accesses.insert((Shared::Processes, AccessKind::Read));
            }
        }
        accesses
    }

    /// A channel, as far as it is known.
    fn channel(&self, kind: u8, chan: &ChanRef) -> Shared {
        match chan {
            ChanRef::Global(position) => Shared::Channel(*position),
            ChanRef::Own(position) => Shared::OwnChannel(*position),
            ChanRef::Named(name) => match &**name {
                Expr::Const(name) if *name > 0 && (*name as usize) <= self.program.global_channels.len() => {
                    Shared::Channel(*name as u32 - 1)
                }
                Expr::OwnChannel(position) => Shared::OwnChannel(*position),
                name if self.is_constant(kind, name) => self.named(name),
                _ => Shared::AnyChannel,
            },
        }
    }

    /// Whether a channel may be a rendezvous channel.
    fn may_meet(&self, kind: u8, chan: &ChanRef) -> bool {
        let channels = &self.program.channels;
        let process = self.program.processes.get(kind as usize);
        let owned = match self.channel(kind, chan) {
            Shared::Channel(position) => self.program.global_channels.get(position as usize),
            Shared::OwnChannel(position) => process.and_then(|process| process.channels.get(position as usize)),
            _ => None,
        };
        match owned {
            Some(owned) => channels[owned.channel as usize].capacity == 0,
            None => channels.iter().any(|channel| channel.capacity == 0),
        }
    }

    /// Whether an expression has the same value for a process for ever.
    fn is_constant(&self, kind: u8, expr: &Expr) -> bool {
        let mut constant = true;
        expr.walk(&mut |expr| {
            constant &= match expr {
                Expr::Const(_) | Expr::OwnPid | Expr::OwnChannel(_) | Expr::Unary(..) | Expr::Binary(..) => true,
                Expr::Both(..) | Expr::Either(..) | Expr::Choose(_) | Expr::Bounded(_) | Expr::Table(_) => true,
                Expr::Load(variable) => {
                    variable.base == Base::Own && !self.changed.contains(&(kind, variable.declared))
                }
                _ => false,
            }
        });
        constant
    }

    fn named(&self, name: &Expr) -> Shared {
        let mut names = self.names.borrow_mut();
        let number = names.iter().position(|known| known == name).unwrap_or_else(|| {
            names.push(name.clone());
            names.len() - 1
        });
        Shared::Named(number as u32)
    }

    /// What a part of an action or expression accesses.
    fn part(&self, kind: u8, part: Part<'_>, accesses: &mut Accesses, effects: &mut Effects) {
        match part {
            Part::Reads(variable) => self.variable(kind, variable, AccessKind::Read, accesses),
            Part::Writes(variable) => self.variable(kind, variable, AccessKind::Write, accesses),
            Part::Length(chan) | Part::Full(chan) => self.uses(kind, chan, AccessKind::Read, accesses, effects),
            Part::Polls(receive) => self.uses(kind, &receive.chan, AccessKind::Read, accesses, effects),
            Part::Sends(send) => {
                let how = if send.sorted { AccessKind::Write } else { AccessKind::Send };
                self.uses(kind, &send.chan, how, accesses, effects);
                // A handshake is a send also where its message would be sorted in.
                self.uses(kind, &send.chan, AccessKind::Send, accesses, effects);
                self.watched(kind, &send.chan, true, accesses, effects);
            }
            Part::Receives(receive) => {
                let how = match (receive.keep, receive.anywhere) {
                    (true, _) => AccessKind::Read,
                    (false, true) => AccessKind::Write,
                    (false, false) => AccessKind::Receive,
                };
                self.uses(kind, &receive.chan, how, accesses, effects);
                if receive.keep && self.may_meet(kind, &receive.chan) {
                    // A handshake is a receive also where the message would be left in the channel, which is a fault.
                    self.uses(kind, &receive.chan, AccessKind::Receive, accesses, effects);
                }
                if !receive.keep {
                    self.watched(kind, &receive.chan, false, accesses, effects);
                }
            }
            Part::Starts(run) => {
                accesses.insert((Shared::Processes, AccessKind::Write));
                effects.starts.insert(run.kind);
                self.initialisers(run.kind, accesses, effects);
            }
            Part::Ends => {
                accesses.insert((Shared::Processes, AccessKind::Write));
                let own = self.program.processes.get(kind as usize).map_or(0, |process| process.channels.len());
                accesses.extend((0..own as u32).map(|own| (Shared::OwnChannel(own), AccessKind::Write)));
            }
            Part::SetsPriority => _ = accesses.insert((Shared::All, AccessKind::Write)),
            Part::Asks(expr) => match expr {
                Expr::ProcessCount | Expr::FirstOf(_) => _ = accesses.insert((Shared::Processes, AccessKind::Read)),
                Expr::LocationOf(_, Some(other)) => {
                    accesses.insert((Shared::Processes, AccessKind::Read));
                    accesses.insert((Shared::Location(*other), AccessKind::Read));
                }
                // Zero wherever something else is enabled, and searches leave nothing out where it is not.
                Expr::Timeout => effects.timeout = true,
                _ => _ = accesses.insert((Shared::All, AccessKind::Read)),
            },
            Part::Calls(_) => _ = accesses.insert((Shared::All, AccessKind::Write)),
            Part::Number(..) | Part::Runs(..) | Part::Place(..) => {}
        }
    }

    /// The initialisers of a process that is started: it evaluates them itself.
    fn initialisers(&self, kind: u8, accesses: &mut Accesses, effects: &mut Effects) {
        let Some(process) = self.program.processes.get(kind as usize) else { return };
        let mut own = Accesses::new();
        for action in &process.initialisers {
            of_action(action, &mut |part| self.part(kind, part, &mut own, effects));
        }
        let foreign = own.into_iter().map(|(shared, how)| match shared {
            // Which channels those are is not known before the process is there.
            Shared::OwnChannel(_) | Shared::Named(_) => (Shared::AnyChannel, how),
            other => (other, how),
        });
        accesses.extend(foreign.filter(|(shared, _)| *shared != Shared::Private));
    }

    fn variable(&self, kind: u8, variable: &Variable, how: AccessKind, accesses: &mut Accesses) {
        match &variable.base {
            Base::Global => _ = accesses.insert((Shared::Global(variable.declared), how)),
            Base::Own => {
                accesses.insert((Shared::Private, how));
                if self.remote.contains(&(kind, variable.declared)) {
                    accesses.insert((Shared::Remote(kind, variable.declared), how));
                }
            }
            Base::Process(_, other) => {
                accesses.insert((Shared::Remote(*other, variable.declared), how));
                accesses.insert((Shared::Processes, AccessKind::Read));
            }
            Base::Frame => {}
            Base::At(_) => _ = accesses.insert((Shared::All, AccessKind::Write)),
        }
    }

    /// An access to a channel. What finds it has been accessed before.
    fn uses(&self, kind: u8, chan: &ChanRef, how: AccessKind, accesses: &mut Accesses, effects: &mut Effects) {
        accesses.extend(self.name(kind, chan, effects));
        accesses.insert((self.channel(kind, chan), how));
    }

    /// What the monitor does when a message is sent or received, where it may watch the channel.
    fn watched(&self, kind: u8, chan: &ChanRef, sent: bool, accesses: &mut Accesses, effects: &mut Effects) {
        let Some(monitor) = &self.program.monitor else { return };
        let list = if sent { &monitor.sends } else { &monitor.receives };
        let watched = match self.channel(kind, chan) {
            Shared::Channel(position) => list.contains(&position),
            Shared::OwnChannel(_) => false,
            _ => true,
        };
        if watched {
            accesses.insert((Shared::Monitor, AccessKind::Write));
            of_monitor(monitor, &mut |part| self.part(kind, part, accesses, effects));
        }
    }
}

/// The accesses to what is shared.
fn shared(accesses: &Accesses) -> impl Iterator<Item = Access> + '_ {
    accesses.iter().copied().filter(|(shared, _)| *shared != Shared::Private)
}

/// The conditions that a condition is the conjunction of.
fn split<'e>(expr: &'e Expr, each: &mut dyn FnMut(&'e Expr)) {
    match expr {
        Expr::Both(a, b) => {
            split(a, each);
            split(b, each);
        }
        other => each(other),
    }
}

/// The channel that has to be not empty, or not full, for a condition to be true, if the condition is about nothing else.
fn needed(expr: &Expr) -> Option<(&ChanRef, AccessKind)> {
    match expr {
        Expr::Length(chan) => Some((chan, AccessKind::NeedsSome)),
        Expr::Unary(Unary::Not, a) => match &**a {
            Expr::Full(chan) => Some((chan, AccessKind::NeedsRoom)),
            _ => None,
        },
        Expr::Binary(Binary::Ne | Binary::Gt, ..) => asked(expr).map(|(chan, _)| (chan, AccessKind::NeedsSome)),
        _ => None,
    }
}

/// The channel of which an expression asks whether it is full or empty, if that is all that it asks.
fn asked(expr: &Expr) -> Option<(&ChanRef, AccessKind)> {
    match expr {
        Expr::Full(chan) => Some((chan, AccessKind::AskFull)),
        Expr::Binary(Binary::Eq | Binary::Ne | Binary::Gt, a, b) => match (&**a, &**b) {
            (Expr::Length(chan), Expr::Const(0)) => Some((chan, AccessKind::AskEmpty)),
            _ => None,
        },
        Expr::Unary(Unary::Not, a) => match &**a {
            Expr::Length(chan) => Some((chan, AccessKind::AskEmpty)),
            other => asked(other),
        },
        _ => None,
    }
}
