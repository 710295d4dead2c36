//! How deep statements and expressions are nested, which bounds the stack of the interpreter.

use crate::rule::{PrintItem, Stmt, StmtKind};
use crate::{Argument, Call, Expr, Variable};

/// A call takes more than one level of the stack.
const CALL: u32 = 4;

/// How deep the statements and expressions of a routine are nested, without the routines that it calls.
pub fn of_routine(body: &[Stmt]) -> u32 {
    CALL + of_block(body)
}

fn highest(heights: impl Iterator<Item = u32>) -> u32 {
    heights.max().unwrap_or(0)
}

fn of_block(stmts: &[Stmt]) -> u32 {
    2 + highest(stmts.iter().map(|stmt| of_statement(&stmt.kind)))
}

fn of_statement(kind: &StmtKind) -> u32 {
    match kind {
        StmtKind::Set(variable, expr) | StmtKind::Remove(variable, _, expr) => of_variable(variable).max(of_expr(expr)),
        StmtKind::SetSlot(_, expr) | StmtKind::Assert(expr, _) => of_expr(expr),
        StmtKind::Bind(_, variable) | StmtKind::Fill(variable, _) => of_variable(variable),
        StmtKind::Copy(one, other, _) | StmtKind::Insert(one, _, other) => of_variable(one).max(of_variable(other)),
        StmtKind::If(options, otherwise) => {
            let option = |(condition, block): &(Expr, Vec<Stmt>)| of_expr(condition).max(of_block(block));
            highest(options.iter().map(option)).max(of_block(otherwise))
        }
        StmtKind::Switch(value, cases, otherwise) => {
            let case =
                |(values, block): &(Vec<Expr>, Vec<Stmt>)| highest(values.iter().map(of_expr)).max(of_block(block));
            highest(cases.iter().map(case)).max(of_expr(value)).max(of_block(otherwise))
        }
        StmtKind::For(_, low, high, _, body) => of_expr(low).max(of_expr(high)).max(of_block(body)),
        StmtKind::While(condition, body) => of_expr(condition).max(of_block(body)),
        StmtKind::Call(call) => of_call(call),
        StmtKind::Return(value) => highest(value.iter().map(of_expr)),
        StmtKind::Error(_) => 0,
        StmtKind::Print(pieces) => highest(pieces.iter().map(|piece| match piece {
            PrintItem::Text(_) => 0,
            PrintItem::Value(value, _) => of_expr(value),
            PrintItem::Unless(undefined, value, _) => of_expr(undefined).max(of_expr(value)),
        })),
    }
}

fn of_variable(variable: &Variable) -> u32 {
    1 + highest(variable.indices.iter().map(|index| of_expr(&index.value)))
}

fn of_call(call: &Call) -> u32 {
    1 + highest(call.args.iter().map(|argument| match argument {
        Argument::Value(expr) => of_expr(expr),
        Argument::Place(variable) => of_variable(variable),
        Argument::Kept(variable, expr) => of_variable(variable).max(of_expr(expr)),
    }))
}

fn of_expr(expr: &Expr) -> u32 {
    1 + match expr {
        Expr::Load(variable) | Expr::Undefined(variable) => of_variable(variable),
        Expr::Unary(_, a) | Expr::Ordinal(a, _) => of_expr(a),
        Expr::Binary(_, a, b) | Expr::Both(a, b) | Expr::Either(a, b) => of_expr(a).max(of_expr(b)),
        Expr::Choose(parts) => of_expr(&parts.0).max(of_expr(&parts.1)).max(of_expr(&parts.2)),
        Expr::Bounded(index) => of_expr(&index.value),
        Expr::Table(table) => of_expr(&table.0.value),
        Expr::Call(call) => 1 + of_call(call),
        Expr::Quantified(over) => 1 + of_expr(&over.low).max(of_expr(&over.high)).max(of_expr(&over.body)),
        // Rules evaluate none of the others.
        _ => 0,
    }
}
