//! The accesses of processes to what they share: for every action what it may read and write, how it uses channels, and what
//! must change before it can become enabled.

mod access;
mod channels;
mod guard;

pub use access::{Accesses, ActionEffects, Conjunct, SharedObject, StaticAccess, StaticAccessKind};

use super::operations::{Operation, of_action, of_expr, of_monitor};
use crate::{Action, Base, Expr, IndivisibleCode, Process, Program, Variable};
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The analysis of the actions of a program.
pub struct EffectAnalysis<'a> {
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

impl<'a> EffectAnalysis<'a> {
    /// Collects what is shared from all actions of a program.
    pub fn new(program: &'a Program) -> EffectAnalysis<'a> {
        let (mut remote, mut located, mut changed) = (FxHashSet::default(), FxHashSet::default(), FxHashSet::default());
        for (process, own) in program.processes.iter().zip(0u8..) {
            let mut look = |operation: Operation<'_>| match operation {
                Operation::Reads(Variable { base: Base::Process(_, kind), declared, .. }) => {
                    remote.insert((*kind, *declared));
                }
                Operation::Writes(Variable { base: Base::Process(_, kind), declared, .. }) => {
                    remote.insert((*kind, *declared));
                    changed.insert((*kind, *declared));
                }
                Operation::Writes(Variable { base: Base::Own, declared, .. }) => _ = changed.insert((own, *declared)),
                Operation::Asks(Expr::LocationOf(_, Some(kind))) => _ = located.insert(*kind),
                _ => {}
            };
            process.transitions.iter().for_each(|transition| of_action(&transition.action, &mut look));
            process.provided.iter().for_each(|provided| of_expr(provided, &mut look));
        }
        let mut look = |operation: Operation<'_>| match operation {
            Operation::Reads(Variable { base: Base::Process(_, kind), declared, .. }) => {
                remote.insert((*kind, *declared));
            }
            Operation::Asks(Expr::LocationOf(_, Some(kind))) => _ = located.insert(*kind),
            _ => {}
        };
        for process in &program.processes {
            process.initialisers.iter().for_each(|action| of_action(action, &mut look));
        }
        program.monitor.iter().for_each(|monitor| of_monitor(monitor, &mut look));
        program.goal.iter().for_each(|(goal, _)| of_expr(goal, &mut look));
        EffectAnalysis { program, remote, located, changed, names: RefCell::default() }
    }

    /// The effects of a transition of a kind of process, its `provided` clause and the move of the process included.
    pub fn transition(&self, kind: u8, process: &Process, number: usize) -> ActionEffects {
        let mut effects = self.action(kind, &process.transitions[number].action);
        if let Some(provided) = &process.provided {
            let reads = self.expr(kind, provided, &mut effects);
            effects.first.extend(shared(&reads));
            // It is evaluated before the action.
            effects.guard.insert(0, Conjunct { test: Some(provided.clone()), reads, ..Conjunct::default() });
        }
        if self.located.contains(&kind) {
            effects.first.insert((SharedObject::Location(kind), StaticAccessKind::Write));
        }
        effects
    }

    /// What an expression reads that an observer evaluates.
    pub fn observed(&self, expr: &Expr) -> Accesses {
        shared(&self.expr(u8::MAX, expr, &mut ActionEffects::default())).collect()
    }

    /// The expressions that name channels by [`SharedObject::Named`].
    pub fn into_names(self) -> Vec<Expr> {
        self.names.into_inner()
    }

    /// The effects of an action of a kind of process.
    fn action(&self, kind: u8, action: &Action) -> ActionEffects {
        let mut effects = ActionEffects::default();
        match action {
            Action::Indivisible(code) => self.code(kind, code, &mut effects),
            _ => {
                let accesses = self.accesses(kind, action, &mut effects);
                effects.first.extend(shared(&accesses));
                effects.guard = self.guard(kind, action, &mut ActionEffects::default());
            }
        }
        effects
    }

    /// An indivisible sequence: its first node decides whether it is enabled; what comes after must not block.
    fn code(&self, kind: u8, code: &IndivisibleCode, effects: &mut ActionEffects) {
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
    fn accesses(&self, kind: u8, action: &Action, effects: &mut ActionEffects) -> Accesses {
        let mut accesses = Accesses::new();
        if let Action::Test(expr) = action {
            self.condition(kind, expr, &mut accesses, effects);
        } else {
            of_action(action, &mut |operation| self.operation(kind, operation, &mut accesses, effects));
        }
        accesses
    }

    /// What a part of an action or expression accesses.
    fn operation(&self, kind: u8, operation: Operation<'_>, accesses: &mut Accesses, effects: &mut ActionEffects) {
        match operation {
            Operation::Reads(variable) => self.variable(kind, variable, StaticAccessKind::Read, accesses),
            Operation::Writes(variable) => self.variable(kind, variable, StaticAccessKind::Write, accesses),
            Operation::Length(chan) | Operation::Full(chan) => {
                self.uses(kind, chan, StaticAccessKind::Read, accesses, effects)
            }
            Operation::Polls(receive) => self.uses(kind, &receive.chan, StaticAccessKind::Read, accesses, effects),
            Operation::Sends(send) => {
                let how = if send.sorted { StaticAccessKind::Write } else { StaticAccessKind::Send };
                self.uses(kind, &send.chan, how, accesses, effects);
                // In a rendezvous, a sorted send is a send.
                self.uses(kind, &send.chan, StaticAccessKind::Send, accesses, effects);
                self.watched(kind, &send.chan, true, accesses, effects);
            }
            Operation::Receives(receive) => {
                let how = match (receive.keep, receive.anywhere) {
                    (true, _) => StaticAccessKind::Read,
                    (false, true) => StaticAccessKind::Write,
                    (false, false) => StaticAccessKind::Receive,
                };
                self.uses(kind, &receive.chan, how, accesses, effects);
                if receive.keep && self.may_meet(kind, &receive.chan) {
                    // In a rendezvous, a receive that leaves the message is a receive, and a fault.
                    self.uses(kind, &receive.chan, StaticAccessKind::Receive, accesses, effects);
                }
                if !receive.keep {
                    self.watched(kind, &receive.chan, false, accesses, effects);
                }
            }
            Operation::Starts(run) => {
                accesses.insert((SharedObject::Processes, StaticAccessKind::Write));
                effects.starts.insert(run.kind);
                self.initialisers(run.kind, accesses, effects);
            }
            Operation::Ends => {
                accesses.insert((SharedObject::Processes, StaticAccessKind::Write));
                let own = self.program.processes.get(kind as usize).map_or(0, |process| process.channels.len());
                accesses.extend((0..own as u32).map(|own| (SharedObject::OwnChannel(own), StaticAccessKind::Write)));
            }
            Operation::SetsPriority => _ = accesses.insert((SharedObject::All, StaticAccessKind::Write)),
            Operation::Asks(expr) => match expr {
                Expr::ProcessCount | Expr::FirstOf(_) => {
                    _ = accesses.insert((SharedObject::Processes, StaticAccessKind::Read))
                }
                Expr::LocationOf(_, Some(other)) => {
                    accesses.insert((SharedObject::Processes, StaticAccessKind::Read));
                    accesses.insert((SharedObject::Location(*other), StaticAccessKind::Read));
                }
                // It is zero wherever something else is enabled; elsewhere the reduction expands fully.
                Expr::Timeout => effects.timeout = true,
                _ => _ = accesses.insert((SharedObject::All, StaticAccessKind::Read)),
            },
            Operation::Calls(_) => _ = accesses.insert((SharedObject::All, StaticAccessKind::Write)),
            Operation::Number(..) | Operation::Runs(..) | Operation::Place(..) => {}
        }
    }

    /// The initialisers of a process that is started: it evaluates them itself.
    fn initialisers(&self, kind: u8, accesses: &mut Accesses, effects: &mut ActionEffects) {
        let Some(process) = self.program.processes.get(kind as usize) else { return };
        let mut own = Accesses::new();
        for action in &process.initialisers {
            of_action(action, &mut |operation| self.operation(kind, operation, &mut own, effects));
        }
        let foreign = own.into_iter().map(|(shared, how)| match shared {
            // Which channels those are is not known before the process exists.
            SharedObject::OwnChannel(_) | SharedObject::Named(_) => (SharedObject::AnyChannel, how),
            other => (other, how),
        });
        accesses.extend(foreign.filter(|(shared, _)| *shared != SharedObject::Private));
    }

    fn variable(&self, kind: u8, variable: &Variable, how: StaticAccessKind, accesses: &mut Accesses) {
        match &variable.base {
            Base::Global => _ = accesses.insert((SharedObject::Global(variable.declared), how)),
            Base::Own => {
                accesses.insert((SharedObject::Private, how));
                if self.remote.contains(&(kind, variable.declared)) {
                    accesses.insert((SharedObject::Remote(kind, variable.declared), how));
                }
            }
            Base::Process(_, other) => {
                accesses.insert((SharedObject::Remote(*other, variable.declared), how));
                accesses.insert((SharedObject::Processes, StaticAccessKind::Read));
            }
            Base::Frame => {}
            Base::At(_) => _ = accesses.insert((SharedObject::All, StaticAccessKind::Write)),
        }
    }
}

/// The accesses to what is shared.
fn shared(accesses: &Accesses) -> impl Iterator<Item = StaticAccess> + '_ {
    accesses.iter().copied().filter(|(shared, _)| *shared != SharedObject::Private)
}
