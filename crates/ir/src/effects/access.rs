//! The variables and channels that transitions and rules read and write, for people.

use super::parts::{Part, of_action, of_block, of_test};
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
pub struct Access {
    /// Read.
    pub reads: BTreeSet<Object>,
    /// Written.
    pub writes: BTreeSet<Object>,
}

impl Access {
    /// What an action reads and writes.
    pub fn of(action: &Action) -> Access {
        let mut access = Access::default();
        of_action(action, &mut |part| access.add(part));
        access
    }

    /// What a rule reads and writes.
    pub fn of_rule(rules: &RuleSet, rule: &Rule) -> Access {
        let mut access = Access::default();
        let mut calls = Vec::new();
        let mut add = |part: Part<'_>| access.add_of_rule(part, &mut calls);
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

    /// Rules have memory of their own, which is nobody else's business; what a reference refers to counts where it is made.
    fn add_of_rule(&mut self, part: Part<'_>, calls: &mut Vec<u32>) {
        let mut refer = |variable: &Variable| {
            if variable.base == Base::Global {
                self.reads.insert(Object::Global(variable.declared));
                self.writes.insert(Object::Global(variable.declared));
            }
        };
        match part {
            Part::Place(_, variable) => refer(variable),
            Part::Calls(Call { routine, args }) => {
                calls.push(*routine);
                args.iter().for_each(|argument| {
                    if let Argument::Place(variable) = argument {
                        refer(variable);
                    }
                });
            }
            Part::Reads(Variable { base: Base::Global, .. }) | Part::Writes(Variable { base: Base::Global, .. }) => {
                self.add(part);
            }
            _ => {}
        }
    }

    fn add(&mut self, part: Part<'_>) {
        match part {
            Part::Reads(variable) => {
                self.remote(variable);
                self.reads.insert(object(variable));
            }
            Part::Writes(variable) => {
                self.remote(variable);
                self.writes.insert(object(variable));
            }
            Part::Length(chan) | Part::Full(chan) => self.channel(chan, false),
            Part::Polls(receive) => self.channel(&receive.chan, false),
            Part::Sends(send) => self.channel(&send.chan, true),
            Part::Receives(receive) => self.channel(&receive.chan, !receive.keep),
            Part::Starts(_) | Part::Ends => {
                self.reads.insert(Object::Processes);
                self.writes.insert(Object::Processes);
            }
            Part::SetsPriority => _ = self.writes.insert(Object::Processes),
            Part::Asks(Expr::LocationOf(..) | Expr::NoProgress) => _ = self.reads.insert(Object::Control),
            Part::Asks(Expr::Enabled(_) | Expr::Timeout) => _ = self.reads.insert(Object::Everything),
            Part::Asks(_) => _ = self.reads.insert(Object::Processes),
            Part::Number(..) | Part::Runs(..) | Part::Place(..) | Part::Calls(_) => {}
        }
    }

    fn remote(&mut self, variable: &Variable) {
        if super::parts::is_remote(variable) {
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
        // The memory of a rule is nobody else's; a reference may be to anything.
        Base::Frame => Object::Own(variable.declared),
        Base::At(_) => Object::Everything,
    }
}
