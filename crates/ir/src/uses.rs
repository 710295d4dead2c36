//! What the text of a program says that its processes use.

use crate::{Action, Base, Binary, ChanRef, Code, Expr, Pattern, Program, Receive, Unary, Variable};
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Something that processes share, as the text of a program names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Shared {
    /// A declared global variable, whole.
    Global(u32),
    /// A declared variable of some process of a kind that others look at.
    Remote(u8, u32),
    /// Where some process of a kind is.
    Location(u8),
    /// A global channel.
    Channel(u32),
    /// A channel of the process itself.
    OwnChannel(u32),
    /// A channel whose name is always the same for a process: the number of the expression that gives it.
    Named(u32),
    /// Some channel.
    AnyChannel,
    /// Which processes there are.
    Processes,
    /// What the monitor knows.
    Monitor,
    /// Everything.
    All,
}

/// What is done to something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum How {
    /// It is looked at.
    Read,
    /// It is changed, or waited for.
    Write,
    /// A message is put at the end of a channel.
    Send,
    /// The message at the head of a channel is taken.
    Receive,
    /// It is asked whether a channel is full.
    AskFull,
    /// It is asked whether a channel is empty.
    AskEmpty,
    /// It is possible only while a channel is not full.
    NeedsRoom,
    /// It is possible only while a channel is not empty.
    NeedsSome,
    /// Somebody gets ready to meet others at a channel that holds nothing.
    Offer,
}

impl How {
    pub(crate) const ALL: [How; 9] = [
        How::Read,
        How::Write,
        How::Send,
        How::Receive,
        How::AskFull,
        How::AskEmpty,
        How::NeedsRoom,
        How::NeedsSome,
        How::Offer,
    ];
}

/// Something, and what is done to it.
pub(crate) type Use = (Shared, How);

/// Finds out what actions use.
pub(crate) struct Reader<'a> {
    pub program: &'a Program,
    pub kind: u8,
    /// The variables of processes that others look at.
    pub remote: &'a FxHashSet<(u8, u32)>,
    /// Whether a variable of this kind never changes.
    pub constant: &'a dyn Fn(u8, u32) -> bool,
    pub names: &'a RefCell<Vec<Expr>>,
    pub uses: BTreeSet<Use>,
    pub starts: BTreeSet<u8>,
}

impl Reader<'_> {
    fn variable(&mut self, variable: &Variable, how: How) {
        match &variable.base {
            Base::Global => self.uses.extend([(Shared::Global(variable.declared), how)]),
            Base::Own if self.remote.contains(&(self.kind, variable.declared)) => {
                self.uses.insert((Shared::Remote(self.kind, variable.declared), how));
            }
            Base::Own | Base::Frame => {}
            Base::Process(_, kind) => {
                self.uses.insert((Shared::Remote(*kind, variable.declared), how));
                self.uses.insert((Shared::Processes, How::Read));
            }
            Base::At(_) => self.uses.extend([(Shared::All, How::Write)]),
        }
        variable.walk(&mut |expr| self.one(expr));
    }

    /// What an expression uses, those inside included.
    pub fn expr(&mut self, expr: &Expr) {
        match asked(expr) {
            Some((chan, how)) => self.channel(chan, how),
            None => expr.walk(&mut |expr| self.one(expr)),
        }
    }

    /// What a condition uses, of which only matters whether it is zero.
    fn condition(&mut self, expr: &Expr) {
        match expr {
            Expr::Both(a, b) | Expr::Either(a, b) => {
                self.condition(a);
                self.condition(b);
            }
            Expr::Unary(Unary::Not, a) if matches!(&**a, Expr::Both(..) | Expr::Either(..)) => self.opposite(a),
            Expr::Unary(Unary::Not, a) if matches!(&**a, Expr::Full(_)) => {
                if let Expr::Full(chan) = &**a {
                    self.channel(chan, How::NeedsRoom);
                }
            }
            Expr::Length(chan) => self.channel(chan, How::NeedsSome),
            other => match asked(other) {
                Some((chan, How::AskEmpty)) if matches!(other, Expr::Binary(Binary::Ne | Binary::Gt, ..)) => {
                    self.channel(chan, How::NeedsSome);
                }
                Some((chan, how)) => self.channel(chan, how),
                None => self.expr(other),
            },
        }
    }

    /// What a condition uses that must not be true.
    fn opposite(&mut self, expr: &Expr) {
        match expr {
            Expr::Both(a, b) | Expr::Either(a, b) => {
                self.opposite(a);
                self.opposite(b);
            }
            other => self.expr(other),
        }
    }

    /// What an expression uses, those inside not included.
    fn one(&mut self, expr: &Expr) {
        let mut add = |shared, how| self.uses.extend([(shared, how)]);
        match expr {
            Expr::Load(variable) | Expr::Undefined(variable) => self.variable_here(variable),
            Expr::ProcessCount | Expr::FirstOf(_) => add(Shared::Processes, How::Read),
            Expr::LocationOf(_, Some(kind)) => {
                add(Shared::Processes, How::Read);
                add(Shared::Location(*kind), How::Read);
            }
            Expr::LocationOf(_, None) | Expr::NoProgress | Expr::Enabled(_) | Expr::PriorityOf(_) | Expr::Call(_) => {
                add(Shared::All, How::Read);
            }
            Expr::Length(chan) | Expr::Full(chan) => self.channel(chan, How::Read),
            Expr::Poll(receive) => self.channel(&receive.chan, How::Read),
            Expr::Run(run) => {
                add(Shared::Processes, How::Write);
                self.starts.insert(run.kind);
            }
            _ => {}
        }
    }

    /// A variable whose indices are looked at separately.
    fn variable_here(&mut self, variable: &Variable) {
        let plain = Variable { indices: Vec::new(), ..variable.clone() };
        match &plain.base {
            Base::Process(_, kind) => {
                self.uses.insert((Shared::Remote(*kind, plain.declared), How::Read));
                self.uses.insert((Shared::Processes, How::Read));
            }
            _ => self.variable(&plain, How::Read),
        }
    }

    fn channel(&mut self, chan: &ChanRef, how: How) {
        let shared = match chan {
            ChanRef::Global(position) => Shared::Channel(*position),
            ChanRef::Own(position) => Shared::OwnChannel(*position),
            ChanRef::Named(name) => {
                self.expr(name);
                match &**name {
                    Expr::Const(name) if *name > 0 => Shared::Channel(*name as u32 - 1),
                    Expr::OwnChannel(position) => Shared::OwnChannel(*position),
                    name if self.is_constant(name) => self.named(name),
                    _ => Shared::AnyChannel,
                }
            }
        };
        self.uses.insert((shared, how));
        let changes = matches!(how, How::Write | How::Send | How::Receive);
        if changes && self.program.monitor.is_some() {
            self.uses.insert((Shared::Monitor, How::Write));
        }
    }

    /// Whether an expression has the same value for a process for ever.
    fn is_constant(&self, expr: &Expr) -> bool {
        let mut constant = true;
        expr.walk(&mut |expr| {
            constant &= match expr {
                Expr::Const(_) | Expr::OwnPid | Expr::OwnChannel(_) | Expr::Unary(..) | Expr::Binary(..) => true,
                Expr::Both(..) | Expr::Either(..) | Expr::Choose(_) | Expr::Bounded(_) | Expr::Table(_) => true,
                Expr::Load(variable) => variable.base == Base::Own && (self.constant)(self.kind, variable.declared),
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

    fn receive(&mut self, receive: &Receive) {
        let how = match (receive.keep, receive.anywhere) {
            (true, _) => How::Read,
            (false, true) => How::Write,
            (false, false) => How::Receive,
        };
        self.channel(&receive.chan, how);
        for pattern in &receive.patterns {
            match pattern {
                Pattern::Any => {}
                Pattern::Equal(value) => self.expr(value),
                Pattern::Bind(variable) => self.variable(variable, How::Write),
            }
        }
    }

    pub fn action(&mut self, action: &Action) {
        match action {
            Action::Skip | Action::Else => {}
            Action::Test(expr) => self.condition(expr),
            Action::Assert(expr) => self.expr(expr),
            Action::Assign(variable, expr) => {
                self.variable(variable, How::Write);
                self.expr(expr);
            }
            Action::Send(send) => {
                self.channel(&send.chan, if send.sorted { How::Write } else { How::Send });
                send.args.iter().for_each(|arg| self.expr(arg));
            }
            Action::Receive(receive) => self.receive(receive),
            Action::Print(print) => print.args.iter().for_each(|arg| self.expr(arg)),
            Action::End => self.uses.extend([(Shared::Processes, How::Write)]),
            Action::SetPriority(..) => self.uses.extend([(Shared::All, How::Write)]),
            Action::Indivisible(code) => self.code(code),
        }
    }

    fn code(&mut self, code: &Code) {
        let actions = || code.nodes.iter().flat_map(|node| &node.actions).map(|(action, _)| action);
        let before = std::mem::take(&mut self.uses);
        actions().for_each(|action| self.action(action));
        if actions().any(|action| *action == Action::Else) {
            self.uses = minding(&self.uses);
        }
        self.uses.extend(before);
    }
}

/// What is used where something is possible only if the rest is not: it matters also when that becomes possible.
pub(crate) fn minding(uses: &BTreeSet<Use>) -> BTreeSet<Use> {
    let mut all = BTreeSet::new();
    for &(shared, how) in uses {
        let asks: &[How] = match how {
            How::NeedsRoom => &[How::AskFull],
            How::NeedsSome => &[How::AskEmpty],
            How::Send => &[How::Send, How::AskFull],
            How::Receive => &[How::Receive, How::AskEmpty],
            How::Write if is_channel(shared) => &[How::Write, How::AskFull, How::AskEmpty],
            _ => &[how],
        };
        all.extend(asks.iter().map(|&how| (shared, how)));
    }
    all
}

/// Whether it is a channel.
pub(crate) fn is_channel(shared: Shared) -> bool {
    matches!(shared, Shared::Channel(_) | Shared::OwnChannel(_) | Shared::Named(_) | Shared::AnyChannel)
}

/// The channel of which an expression asks whether it is full or empty, if that is all that it asks.
fn asked(expr: &Expr) -> Option<(&ChanRef, How)> {
    match expr {
        Expr::Full(chan) => Some((chan, How::AskFull)),
        Expr::Binary(Binary::Eq | Binary::Ne | Binary::Gt, a, b) => match (&**a, &**b) {
            (Expr::Length(chan), Expr::Const(0)) => Some((chan, How::AskEmpty)),
            _ => None,
        },
        Expr::Unary(Unary::Not, a) => match &**a {
            Expr::Length(chan) => Some((chan, How::AskEmpty)),
            other => asked(other),
        },
        _ => None,
    }
}

/// All actions of a program with the kind of process that executes them.
pub(crate) fn actions(program: &Program) -> impl Iterator<Item = (u8, &Action)> {
    program
        .processes
        .iter()
        .zip(0..)
        .flat_map(|(process, kind)| process.transitions.iter().map(move |transition| (kind, &transition.action)))
}

/// The variables of processes that an action writes, by their kinds.
pub(crate) fn written(kind: u8, action: &Action, each: &mut dyn FnMut(u8, u32)) {
    let mut note = |variable: &Variable| match &variable.base {
        Base::Own => each(kind, variable.declared),
        Base::Process(_, other) => each(*other, variable.declared),
        _ => {}
    };
    match action {
        Action::Assign(variable, _) => note(variable),
        Action::Receive(receive) => receive.patterns.iter().for_each(|pattern| {
            if let Pattern::Bind(variable) = pattern {
                note(variable);
            }
        }),
        Action::Indivisible(code) => {
            code.nodes.iter().flat_map(|node| &node.actions).for_each(|(action, _)| written(kind, action, each));
        }
        _ => {}
    }
}
