//! How deep statements and expressions are nested: what the interpreter of rules takes of the stack.

use crate::rules::{Does, Piece, Stmt};
use crate::{Argument, Call, Expr, Variable};

/// A call takes more than one level of the stack.
const CALL: u32 = 4;

/// How deep the statements of a routine are nested, with what they evaluate; calls count without what is called.
pub fn of_routine(body: &[Stmt]) -> u32 {
    CALL + of_block(body)
}

fn highest(heights: impl Iterator<Item = u32>) -> u32 {
    heights.max().unwrap_or(0)
}

fn of_block(stmts: &[Stmt]) -> u32 {
    2 + highest(stmts.iter().map(|stmt| of_statement(&stmt.does)))
}

fn of_statement(does: &Does) -> u32 {
    match does {
        Does::Set(variable, expr) | Does::Remove(variable, _, expr) => of_variable(variable).max(of_expr(expr)),
        Does::SetSlot(_, expr) | Does::Assert(expr, _) => of_expr(expr),
        Does::Bind(_, variable) | Does::Fill(variable, _) => of_variable(variable),
        Does::Copy(one, other, _) | Does::Insert(one, _, other) => of_variable(one).max(of_variable(other)),
        Does::If(options, otherwise) => {
            let option = |(condition, block): &(Expr, Vec<Stmt>)| of_expr(condition).max(of_block(block));
            highest(options.iter().map(option)).max(of_block(otherwise))
        }
        Does::Switch(value, cases, otherwise) => {
            let case =
                |(values, block): &(Vec<Expr>, Vec<Stmt>)| highest(values.iter().map(of_expr)).max(of_block(block));
            highest(cases.iter().map(case)).max(of_expr(value)).max(of_block(otherwise))
        }
        Does::For(_, low, high, _, body) => of_expr(low).max(of_expr(high)).max(of_block(body)),
        Does::While(condition, body) => of_expr(condition).max(of_block(body)),
        Does::Call(call) => of_call(call),
        Does::Return(value) => highest(value.iter().map(of_expr)),
        Does::Error(_) => 0,
        Does::Print(pieces) => highest(pieces.iter().map(|piece| match piece {
            Piece::Text(_) => 0,
            Piece::Value(value, _) => of_expr(value),
            Piece::Unless(undefined, value, _) => of_expr(undefined).max(of_expr(value)),
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
        Expr::Over(over) => 1 + of_expr(&over.low).max(of_expr(&over.high)).max(of_expr(&over.body)),
        // No rule evaluates any of the others.
        _ => 0,
    }
}
