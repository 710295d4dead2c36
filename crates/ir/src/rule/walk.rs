//! What is inside of statements: their expressions, variables, calls and blocks.

use crate::{Argument, Call, Expr, PrintItem, RuleSet, Stmt, StmtKind, Test, Variable};

/// What is directly inside of a statement.
pub(super) enum Inside<'a> {
    Expr(&'a Expr),
    Variable(&'a Variable),
    Call(&'a Call),
    Block(&'a [Stmt]),
}

/// Calls `each` with what is directly inside of a statement.
pub(super) fn each_inside<'a>(kind: &'a StmtKind, each: &mut dyn FnMut(Inside<'a>)) {
    match kind {
        StmtKind::Set(variable, value) | StmtKind::Remove(variable, _, value) => {
            each(Inside::Variable(variable));
            each(Inside::Expr(value));
        }
        StmtKind::SetSlot(_, value) | StmtKind::Assert(value, _) => each(Inside::Expr(value)),
        StmtKind::Bind(_, variable) | StmtKind::Fill(variable, _) => each(Inside::Variable(variable)),
        StmtKind::Copy(one, other, _) | StmtKind::Insert(one, _, other) => {
            each(Inside::Variable(one));
            each(Inside::Variable(other));
        }
        StmtKind::If(options, otherwise) => {
            for (condition, block) in options {
                each(Inside::Expr(condition));
                each(Inside::Block(block));
            }
            each(Inside::Block(otherwise));
        }
        StmtKind::Switch(value, cases, otherwise) => {
            each(Inside::Expr(value));
            for (values, block) in cases {
                values.iter().for_each(|value| each(Inside::Expr(value)));
                each(Inside::Block(block));
            }
            each(Inside::Block(otherwise));
        }
        StmtKind::For(_, low, high, _, body) => {
            each(Inside::Expr(low));
            each(Inside::Expr(high));
            each(Inside::Block(body));
        }
        StmtKind::While(condition, body) => {
            each(Inside::Expr(condition));
            each(Inside::Block(body));
        }
        StmtKind::Call(call) => each(Inside::Call(call)),
        StmtKind::Return(value) => value.iter().for_each(|value| each(Inside::Expr(value))),
        StmtKind::Error(_) => {}
        StmtKind::Print(pieces) => pieces.iter().for_each(|piece| match piece {
            PrintItem::Text(_) => {}
            PrintItem::Value(value, _) => each(Inside::Expr(value)),
            PrintItem::Unless(undefined, value, _) => {
                each(Inside::Expr(undefined));
                each(Inside::Expr(value));
            }
        }),
    }
}

/// All calls there are.
pub(super) fn calls(rules: &RuleSet) -> Vec<&Call> {
    let mut calls = Vec::new();
    fn of_expr<'a>(expr: &'a Expr, calls: &mut Vec<&'a Call>) {
        expr.walk(&mut |expr| {
            if let Expr::Call(call) = expr {
                calls.push(call);
            }
        });
    }
    fn of_block<'a>(stmts: &'a [Stmt], calls: &mut Vec<&'a Call>) {
        for stmt in stmts {
            each_inside(&stmt.kind, &mut |inside| match inside {
                Inside::Expr(expr) => of_expr(expr, calls),
                Inside::Variable(variable) => variable.indices.iter().for_each(|index| of_expr(&index.value, calls)),
                Inside::Call(call) => {
                    call.walk(&mut |expr| {
                        if let Expr::Call(call) = expr {
                            calls.push(call);
                        }
                    });
                    calls.push(call);
                }
                Inside::Block(block) => of_block(block, calls),
            });
        }
    }
    fn of_test<'a>(test: &'a Test, calls: &mut Vec<&'a Call>) {
        match test {
            Test::True(expr) | Test::Bind(_, Argument::Value(expr)) => of_expr(expr, calls),
            Test::Bind(_, Argument::Place(variable)) => {
                variable.indices.iter().for_each(|index| of_expr(&index.value, calls));
            }
            Test::Bind(_, Argument::Kept(variable, expr)) => {
                of_expr(expr, calls);
                variable.indices.iter().for_each(|index| of_expr(&index.value, calls));
            }
        }
    }
    rules.routines.iter().for_each(|routine| of_block(&routine.body, &mut calls));
    for rule in rules.starts.iter().chain(&rules.rules) {
        rule.tests.iter().for_each(|(_, test)| of_test(test, &mut calls));
        of_block(&rule.body, &mut calls);
    }
    rules.invariants.iter().flat_map(|invariant| &invariant.tests).for_each(|test| of_test(test, &mut calls));
    calls
}
