//! What expressions, actions and statements read, write and do: the one walk over the intermediate representation.
//!
//! Order and control flow are left out; branches are all visited. Analyses that need values follow the text themselves
//! (`effects/rules.rs`).

use crate::{
    Action, Argument, Base, Call, ChanRef, Expr, Monitor, MonitorEvent, Pattern, Receive, Run, Send, Stmt, StmtKind,
    Test, Variable,
};

/// An operation somewhere inside.
#[derive(Clone, Copy)]
pub enum Operation<'a> {
    /// A variable is read.
    Reads(&'a Variable),
    /// A variable is written.
    Writes(&'a Variable),
    /// A slot gets a value.
    Number(u32, &'a Expr),
    /// A slot runs from, to, by.
    Runs(u32, &'a Expr, &'a Expr, i32),
    /// A slot gets a place.
    Place(u32, &'a Variable),
    /// A routine is called.
    Calls(&'a Call),
    /// The length of a channel is read.
    Length(&'a ChanRef),
    /// A channel is tested for being full.
    Full(&'a ChanRef),
    /// A channel is polled for a message.
    Polls(&'a Receive),
    /// A message is sent.
    Sends(&'a Send),
    /// A message is received, or copied if the receive keeps it.
    Receives(&'a Receive),
    /// A process is started: its parameters, its initialisers and its channels come with it.
    Starts(&'a Run),
    /// The process ends, and its channels with it.
    Ends,
    /// The priority of a process changes.
    SetsPriority,
    /// Something about the processes is read: how many there are, the location of one, whether it is enabled, its
    /// priority.
    Asks(&'a Expr),
}

/// Called with every operation.
pub type Each<'e, 'a> = dyn FnMut(Operation<'a>) + 'e;

/// What is inside of an expression.
pub fn of_expr<'a>(expr: &'a Expr, each: &mut Each<'_, 'a>) {
    expr.walk(&mut |expr| of_node(expr, each));
}

/// What an expression does itself, without those below it.
fn of_node<'a>(expr: &'a Expr, each: &mut Each<'_, 'a>) {
    match expr {
        Expr::Load(variable) | Expr::Undefined(variable) => each(Operation::Reads(variable)),
        Expr::Quantified(over) => each(Operation::Runs(over.slot, &over.low, &over.high, over.step)),
        Expr::Call(call) => of_arguments(call, each),
        Expr::Length(chan) => each(Operation::Length(chan)),
        Expr::Full(chan) => each(Operation::Full(chan)),
        Expr::Poll(receive) => each(Operation::Polls(receive)),
        Expr::Run(run) => each(Operation::Starts(run)),
        Expr::ProcessCount
        | Expr::Enabled(_)
        | Expr::LocationOf(..)
        | Expr::FirstOf(_)
        | Expr::PriorityOf(_)
        | Expr::Timeout
        | Expr::NoProgress => each(Operation::Asks(expr)),
        Expr::Const(_)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Both(..)
        | Expr::Either(..)
        | Expr::Choose(_)
        | Expr::Bounded(_)
        | Expr::Table(_)
        | Expr::OwnPid
        | Expr::OwnChannel(_)
        | Expr::Slot(_)
        | Expr::Ordinal(..) => {}
    }
}

/// What a call does besides evaluating.
fn of_arguments<'a>(call: &'a Call, each: &mut Each<'_, 'a>) {
    for argument in &call.args {
        if let Argument::Kept(variable, _) = argument {
            each(Operation::Writes(variable));
        }
    }
    each(Operation::Calls(call));
}

/// What is read to find the place of a variable.
fn of_inside<'a>(variable: &'a Variable, each: &mut Each<'_, 'a>) {
    variable.walk(&mut |expr| of_node(expr, each));
}

fn of_write<'a>(variable: &'a Variable, each: &mut Each<'_, 'a>) {
    of_inside(variable, each);
    each(Operation::Writes(variable));
}

fn of_chan<'a>(chan: &'a ChanRef, each: &mut Each<'_, 'a>) {
    chan.walk(&mut |expr| of_node(expr, each));
}

/// What is inside of an action of a process.
pub fn of_action<'a>(action: &'a Action, each: &mut Each<'_, 'a>) {
    match action {
        Action::Skip | Action::Else => {}
        Action::Test(expr) | Action::Assert(expr) => of_expr(expr, each),
        Action::Assign(variable, expr) => {
            of_expr(expr, each);
            of_write(variable, each);
        }
        Action::Send(send) => {
            of_chan(&send.chan, each);
            send.args.iter().for_each(|arg| of_expr(arg, each));
            each(Operation::Sends(send));
        }
        Action::Receive(receive) => {
            of_chan(&receive.chan, each);
            receive.patterns.iter().for_each(|pattern| of_pattern(pattern, each));
            each(Operation::Receives(receive));
        }
        Action::Print(print) => print.args.iter().for_each(|arg| of_expr(arg, each)),
        Action::End => each(Operation::Ends),
        Action::SetPriority(pid, value) => {
            of_expr(pid, each);
            of_expr(value, each);
            each(Operation::SetsPriority);
        }
        Action::Indivisible(code) => {
            code.nodes.iter().flat_map(|node| &node.actions).for_each(|(action, _)| of_action(action, each));
        }
    }
}

fn of_pattern<'a>(pattern: &'a Pattern, each: &mut Each<'_, 'a>) {
    match pattern {
        Pattern::Any => {}
        Pattern::Equal(value) => of_expr(value, each),
        Pattern::Bind(variable) => of_write(variable, each),
    }
}

/// What is read by the patterns of a monitor.
pub fn of_monitor<'a>(monitor: &'a Monitor, each: &mut Each<'_, 'a>) {
    for (event, _) in monitor.locations.iter().flat_map(|(events, _)| events) {
        let (MonitorEvent::Send(_, patterns) | MonitorEvent::Receive(_, patterns)) = event;
        for pattern in patterns {
            if let Pattern::Equal(value) = pattern {
                of_expr(value, each);
            }
        }
    }
}

/// What is inside of a test of a rule.
pub fn of_test<'a>(test: &'a Test, each: &mut Each<'_, 'a>) {
    match test {
        Test::True(expr) => of_expr(expr, each),
        Test::Bind(slot, Argument::Value(expr)) => {
            of_expr(expr, each);
            each(Operation::Number(*slot, expr));
        }
        Test::Bind(slot, Argument::Place(variable)) => {
            of_inside(variable, each);
            each(Operation::Place(*slot, variable));
        }
        Test::Bind(slot, Argument::Kept(variable, expr)) => {
            of_expr(expr, each);
            of_write(variable, each);
            each(Operation::Place(*slot, variable));
        }
    }
}

/// What is inside of statements.
pub fn of_block<'a>(stmts: &'a [Stmt], each: &mut Each<'_, 'a>) {
    stmts.iter().for_each(|stmt| of_statement(&stmt.kind, each));
}

fn of_statement<'a>(kind: &'a StmtKind, each: &mut Each<'_, 'a>) {
    match kind {
        StmtKind::Set(variable, expr) => {
            of_expr(expr, each);
            of_write(variable, each);
        }
        StmtKind::SetSlot(slot, expr) => {
            of_expr(expr, each);
            each(Operation::Number(*slot, expr));
        }
        StmtKind::Bind(slot, variable) => {
            of_inside(variable, each);
            each(Operation::Place(*slot, variable));
        }
        StmtKind::Copy(to, from, _) => {
            of_inside(from, each);
            each(Operation::Reads(from));
            of_write(to, each);
        }
        StmtKind::Fill(to, _) => of_write(to, each),
        StmtKind::If(options, otherwise) => {
            for (condition, block) in options {
                of_expr(condition, each);
                of_block(block, each);
            }
            of_block(otherwise, each);
        }
        StmtKind::Switch(value, cases, otherwise) => {
            of_expr(value, each);
            for (values, block) in cases {
                values.iter().for_each(|value| of_expr(value, each));
                of_block(block, each);
            }
            of_block(otherwise, each);
        }
        StmtKind::For(slot, low, high, step, body) => {
            of_expr(low, each);
            of_expr(high, each);
            each(Operation::Runs(*slot, low, high, *step));
            of_block(body, each);
        }
        StmtKind::While(condition, body) => {
            of_expr(condition, each);
            of_block(body, each);
        }
        StmtKind::Call(call) => {
            call.walk(&mut |expr| of_node(expr, each));
            of_arguments(call, each);
        }
        StmtKind::Return(value) => value.iter().for_each(|value| of_expr(value, each)),
        StmtKind::Assert(condition, _) => of_expr(condition, each),
        // Text is not made during a search.
        StmtKind::Error(_) | StmtKind::Print(_) => {}
        StmtKind::Insert(multiset, _, element) => {
            of_inside(element, each);
            each(Operation::Reads(element));
            of_inside(multiset, each);
            each(Operation::Reads(multiset));
            each(Operation::Writes(multiset));
        }
        StmtKind::Remove(multiset, _, position) => {
            of_expr(position, each);
            of_inside(multiset, each);
            each(Operation::Reads(multiset));
            each(Operation::Writes(multiset));
        }
    }
}

/// How large a block is, for decisions about what is compiled together.
pub fn weight(stmts: &[Stmt]) -> u32 {
    let mut weight = 0;
    for stmt in stmts {
        weight += 2;
        of_statement(&stmt.kind, &mut |_| weight += 3);
    }
    weight
}

/// How large an expression is.
pub fn weight_of(expr: &Expr) -> u32 {
    let mut weight = 0;
    expr.walk(&mut |_| weight += 1);
    weight
}

/// The bytes of a declared variable that an occurrence of it can reach, counted from where its base begins.
pub fn extent(variable: &Variable) -> std::ops::Range<u32> {
    let last: u32 = variable.indices.iter().map(|index| index.bound.saturating_sub(1) * index.stride).sum();
    variable.offset..variable.offset + last + variable.ty.size()
}

/// Whether a variable belongs to another process than the one that evaluates.
pub fn is_remote(variable: &Variable) -> bool {
    matches!(variable.base, Base::Process(..))
}
