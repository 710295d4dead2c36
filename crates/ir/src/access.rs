//! What transitions read and write.

use crate::{Action, Base, ChanRef, Expr, Pattern, Receive, Variable};

/// Something that transitions share or own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Object {
    /// A declared global variable, whole.
    Global(u32),
    /// A declared variable of the moving process, whole.
    Own(u32),
    /// A declared variable of some process of a kind.
    Remote(u8, u32),
    /// A global channel.
    Channel(u32),
    /// A channel that the moving process owns.
    OwnChannel(u32),
    /// Some channel, known only at run time.
    AnyChannel,
    /// The list of processes: which there are, and their priorities.
    Processes,
    /// Where processes are in their code.
    Control,
    /// The whole state.
    Everything,
}

/// The objects that a transition may read and write. The location of the moving process itself is not listed: every
/// transition reads and writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Sorted, each once.
    pub reads: Vec<Object>,
    /// Sorted, each once.
    pub writes: Vec<Object>,
}

impl Access {
    /// What an action reads and writes.
    pub fn of(action: &Action) -> Access {
        let mut access = Access::default();
        access.add(action);
        for list in [&mut access.reads, &mut access.writes] {
            list.sort();
            list.dedup();
        }
        access
    }

    fn add(&mut self, action: &Action) {
        match action {
            Action::Indivisible(code) => {
                code.nodes.iter().flat_map(|node| &node.actions).for_each(|(action, _)| self.add(action));
            }
            Action::Assign(variable, expr) => {
                self.read(expr);
                self.write(variable);
            }
            Action::Send(send) => {
                send.args.iter().for_each(|arg| self.read(arg));
                self.channel(&send.chan, true);
            }
            Action::Receive(receive) => self.receive(receive, !receive.keep),
            Action::End => {
                self.writes.push(Object::Processes);
                self.reads.push(Object::Processes);
            }
            Action::SetPriority(pid, value) => {
                self.read(pid);
                self.read(value);
                self.writes.push(Object::Processes);
            }
            Action::Test(expr) | Action::Assert(expr) => self.read(expr),
            Action::Print(print) => print.args.iter().for_each(|arg| self.read(arg)),
            Action::Skip | Action::Else => {}
        }
    }

    fn receive(&mut self, receive: &Receive, taken: bool) {
        self.channel(&receive.chan, taken);
        for pattern in &receive.patterns {
            match pattern {
                Pattern::Any => {}
                Pattern::Equal(value) => self.read(value),
                Pattern::Bind(variable) => self.write(variable),
            }
        }
    }

    fn channel(&mut self, chan: &ChanRef, changed: bool) {
        let object = match chan {
            ChanRef::Global(position) => Object::Channel(*position),
            ChanRef::Own(position) => Object::OwnChannel(*position),
            ChanRef::Named(name) => {
                self.read(name);
                Object::AnyChannel
            }
        };
        self.reads.push(object);
        if changed {
            self.writes.push(object);
        }
    }

    fn object(variable: &Variable) -> Object {
        match &variable.base {
            Base::Global => Object::Global(variable.declared),
            Base::Own => Object::Own(variable.declared),
            Base::Process(_, kind) => Object::Remote(*kind, variable.declared),
            // The memory of a rule is nobody else's; a reference may be to anything.
            Base::Frame => Object::Own(variable.declared),
            Base::At(_) => Object::Everything,
        }
    }

    fn write(&mut self, variable: &Variable) {
        self.inside(variable);
        self.writes.push(Self::object(variable));
    }

    fn inside(&mut self, variable: &Variable) {
        if let Base::Process(pid, _) = &variable.base {
            self.read(pid);
            self.reads.push(Object::Processes);
        }
        variable.indices.iter().for_each(|index| self.read(&index.value));
    }

    fn read(&mut self, expr: &Expr) {
        expr.walk(&mut |expr| match expr {
            Expr::Load(variable) => self.reads.push(Self::object(variable)),
            Expr::Length(chan) | Expr::Full(chan) => self.channel_object(chan),
            Expr::Poll(receive) => self.channel_object(&receive.chan),
            Expr::ProcessCount | Expr::FirstOf(_) | Expr::PriorityOf(_) => self.reads.push(Object::Processes),
            Expr::LocationOf(..) | Expr::NoProgress => self.reads.push(Object::Control),
            Expr::Enabled(_) | Expr::Timeout => self.reads.push(Object::Everything),
            Expr::Run(_) => {
                self.reads.push(Object::Processes);
                self.writes.push(Object::Processes);
            }
            _ => {}
        });
    }

    fn channel_object(&mut self, chan: &ChanRef) {
        self.reads.push(match chan {
            ChanRef::Global(position) => Object::Channel(*position),
            ChanRef::Own(position) => Object::OwnChannel(*position),
            ChanRef::Named(_) => Object::AnyChannel,
        });
    }
}
