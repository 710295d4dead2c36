//! What a transition does.

use crate::{ChanRef, Expr, Source, Variable};
use std::sync::Arc;

/// One action: when it is enabled, and what it changes.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Always enabled, changes nothing.
    Skip,
    /// Enabled when the expression is not zero. The expression may start processes.
    Test(Expr),
    /// Always enabled.
    Assign(Box<Variable>, Expr),
    /// Always enabled; a fault when the expression is zero.
    Assert(Expr),
    /// Enabled when the channel has room, or, on a rendezvous channel, when another process receives.
    Send(Box<Send>),
    /// Enabled when there is a matching message.
    Receive(Box<Receive>),
    /// Always enabled.
    Print(Box<Print>),
    /// Enabled when no other transition of this location is.
    Else,
    /// The process ends. Enabled for the youngest process only.
    End,
    /// Always enabled: gives the process of that number that priority.
    SetPriority(Expr, Expr),
    /// A sequence that runs to its end in one step (`d_step`). Enabled when its first action is.
    Indivisible(Box<IndivisibleCode>),
}

/// A message is put into a channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Send {
    /// The channel.
    pub chan: ChanRef,
    /// Sorted into the messages instead of at the end (`!!`).
    pub sorted: bool,
    /// The fields.
    pub args: Vec<Expr>,
}

/// A message is taken out of a channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Receive {
    /// The channel.
    pub chan: ChanRef,
    /// The first message that matches, wherever it is, instead of the oldest one (`??`).
    pub anywhere: bool,
    /// The message stays.
    pub keep: bool,
    /// What its fields must be, and where they go.
    pub patterns: Vec<Pattern>,
}

/// What is expected of a field of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// Anything; dropped.
    Any,
    /// Exactly this value.
    Equal(Expr),
    /// Anything; stored.
    Bind(Variable),
}

/// Text for people.
#[derive(Clone, Debug, PartialEq)]
pub struct Print {
    /// With `%d` and its kin; `%e` is a value by its name.
    pub format: String,
    /// The values.
    pub args: Vec<Expr>,
    /// For each value, the names that `%e` uses.
    pub names: Vec<Arc<[String]>>,
}

/// A small automaton that runs to its end deterministically: at each node the first enabled action is taken.
#[derive(Clone, Debug, PartialEq)]
pub struct IndivisibleCode {
    /// The nodes; the first is where it starts.
    pub nodes: Vec<IndivisibleNode>,
}

/// A node of [`IndivisibleCode`].
#[derive(Clone, Debug, PartialEq)]
pub struct IndivisibleNode {
    /// The actions in order, each with the node it leads to. `None` is the end.
    pub actions: Vec<(Action, Option<u32>)>,
    /// Where it is written.
    pub source: Source,
}

impl Receive {
    /// Calls `each` with the expressions inside.
    pub fn walk<'a>(&'a self, each: &mut dyn FnMut(&'a Expr)) {
        self.chan.walk(each);
        for pattern in &self.patterns {
            match pattern {
                Pattern::Any => {}
                Pattern::Equal(value) => value.walk(each),
                Pattern::Bind(variable) => variable.walk(each),
            }
        }
    }
}

impl Action {
    /// Calls `each` with every expression inside.
    pub fn walk<'a>(&'a self, each: &mut dyn FnMut(&'a Expr)) {
        match self {
            Action::Skip | Action::Else | Action::End => {}
            Action::Test(expr) | Action::Assert(expr) => expr.walk(each),
            Action::Assign(variable, expr) => {
                variable.walk(each);
                expr.walk(each);
            }
            Action::Send(send) => {
                send.chan.walk(each);
                send.args.iter().for_each(|arg| arg.walk(each));
            }
            Action::Receive(receive) => receive.walk(each),
            Action::Print(print) => print.args.iter().for_each(|arg| arg.walk(each)),
            Action::SetPriority(pid, value) => {
                pid.walk(each);
                value.walk(each);
            }
            Action::Indivisible(code) => {
                code.nodes.iter().flat_map(|node| &node.actions).for_each(|(action, _)| action.walk(each));
            }
        }
    }

    /// Whether an expression inside satisfies `test`.
    pub fn any(&self, test: impl Fn(&Expr) -> bool) -> bool {
        let mut found = false;
        self.walk(&mut |expr| found |= test(expr));
        found
    }
}
