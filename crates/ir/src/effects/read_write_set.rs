//! The variables and channels that transitions and rules read and write, for people.

use super::operations::{Operation, of_action, of_block, of_test};
use crate::{Action, Argument, Base, Call, ChanRef, Expr, Rule, RuleSet, Variable};
use std::collections::BTreeSet;

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

/// The objects that a transition or rule may read and write, routines that it calls included. The location of the moving
/// process itself is not listed: every transition reads and writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadWriteSet {
    /// Read.
    pub reads: BTreeSet<Object>,
    /// Written.
    pub writes: BTreeSet<Object>,
}

impl ReadWriteSet {
    /// What an action reads and writes.
    pub fn of(action: &Action) -> ReadWriteSet {
        let mut access = ReadWriteSet::default();
        of_action(action, &mut |part| access.add(part));
        access
    }

    /// What a rule reads and writes.
    pub fn of_rule(rules: &RuleSet, rule: &Rule) -> ReadWriteSet {
        let mut access = ReadWriteSet::default();
        let mut calls = Vec::new();
        let mut add = |part: Operation<'_>| access.add_of_rule(part, &mut calls);
        rule.tests.iter().for_each(|(_, test)| of_test(test, &mut add));
        of_block(&rule.body, &mut add);
        let mut seen = BTreeSet::new();
        while let Some(routine) = calls.pop() {
            if seen.insert(routine) {
                of_block(&rules.routines[routine as usize].body, &mut |part| access.add_of_rule(part, &mut calls));
            }
        }
        let automata = rule.from.iter().filter_map(|(automaton, _)| rules.automata.get(*automaton as usize));
        access.reads.extend(automata.map(|automaton| Object::Global(automaton.declared)));
        access
    }

    /// Frames are not shared. A reference counts as an access to its variable where it is made.
    fn add_of_rule(&mut self, part: Operation<'_>, calls: &mut Vec<u32>) {
        let mut refer = |variable: &Variable| {
            if variable.base == Base::Global {
                self.reads.insert(Object::Global(variable.declared));
                self.writes.insert(Object::Global(variable.declared));
            }
        };
        match part {
            Operation::Place(_, variable) => refer(variable),
            Operation::Calls(Call { routine, args }) => {
                calls.push(*routine);
                args.iter().for_each(|argument| {
                    if let Argument::Place(variable) = argument {
                        refer(variable);
                    }
                });
            }
            Operation::Reads(Variable { base: Base::Global, .. })
            | Operation::Writes(Variable { base: Base::Global, .. }) => {
                self.add(part);
            }
            _ => {}
        }
    }

    fn add(&mut self, part: Operation<'_>) {
        match part {
            Operation::Reads(variable) => {
                self.remote(variable);
                self.reads.insert(object(variable));
            }
            Operation::Writes(variable) => {
                self.remote(variable);
                self.writes.insert(object(variable));
            }
            Operation::Length(chan) | Operation::Full(chan) => self.channel(chan, false),
            Operation::Polls(receive) => self.channel(&receive.chan, false),
            Operation::Sends(send) => self.channel(&send.chan, true),
            Operation::Receives(receive) => self.channel(&receive.chan, !receive.keep),
            Operation::Starts(_) | Operation::Ends => {
                self.reads.insert(Object::Processes);
                self.writes.insert(Object::Processes);
            }
            Operation::SetsPriority => _ = self.writes.insert(Object::Processes),
            Operation::Asks(Expr::LocationOf(..) | Expr::NoProgress) => _ = self.reads.insert(Object::Control),
            Operation::Asks(Expr::Enabled(_) | Expr::Timeout) => _ = self.reads.insert(Object::Everything),
            Operation::Asks(_) => _ = self.reads.insert(Object::Processes),
            Operation::Number(..) | Operation::Runs(..) | Operation::Place(..) | Operation::Calls(_) => {}
        }
    }

    fn remote(&mut self, variable: &Variable) {
        if super::operations::is_remote(variable) {
            self.reads.insert(Object::Processes);
        }
    }

    fn channel(&mut self, chan: &ChanRef, changed: bool) {
        let object = match chan {
            ChanRef::Global(position) => Object::Channel(*position),
            ChanRef::Own(position) => Object::OwnChannel(*position),
            ChanRef::Named(_) => Object::AnyChannel,
        };
        self.reads.insert(object);
        if changed {
            self.writes.insert(object);
        }
    }
}

fn object(variable: &Variable) -> Object {
    match &variable.base {
        Base::Global => Object::Global(variable.declared),
        Base::Own => Object::Own(variable.declared),
        Base::Process(_, kind) => Object::Remote(*kind, variable.declared),
        // Frames are not shared; a reference may be to anything.
        Base::Frame => Object::Own(variable.declared),
        Base::At(_) => Object::Everything,
    }
}
