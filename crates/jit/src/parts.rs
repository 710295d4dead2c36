//! What is inside of statements and expressions, without their order.

use tightrope_ir::{Argument, Call, Does, Expr, Stmt, Test, Variable};

/// Something that happens somewhere inside.
pub enum Part<'a> {
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
}

/// Who is told.
pub type Each<'e, 'a> = dyn FnMut(Part<'a>) + 'e;

/// What is inside of an expression.
pub fn of_expr<'a>(expr: &'a Expr, each: &mut Each<'_, 'a>) {
    expr.walk(&mut |expr| match expr {
        Expr::Load(variable) | Expr::Undefined(variable) => each(Part::Reads(variable)),
        Expr::Over(over) => each(Part::Runs(over.slot, &over.low, &over.high, over.step)),
        Expr::Call(call) => of_arguments(call, each),
        _ => {}
    });
}

/// What a call does besides evaluating.
fn of_arguments<'a>(call: &'a Call, each: &mut Each<'_, 'a>) {
    for argument in &call.args {
        if let Argument::Kept(variable, _) = argument {
            each(Part::Writes(variable));
        }
    }
    each(Part::Calls(call));
}

fn of_inside<'a>(variable: &'a Variable, each: &mut Each<'_, 'a>) {
    variable.indices.iter().for_each(|index| of_expr(&index.value, each));
}

/// What is inside of a test.
pub fn of_test<'a>(test: &'a Test, each: &mut Each<'_, 'a>) {
    match test {
        Test::True(expr) => of_expr(expr, each),
        Test::Bind(slot, Argument::Value(expr)) => {
            of_expr(expr, each);
            each(Part::Number(*slot, expr));
        }
        Test::Bind(slot, Argument::Place(variable)) => {
            of_inside(variable, each);
            each(Part::Place(*slot, variable));
        }
        Test::Bind(slot, Argument::Kept(variable, expr)) => {
            of_expr(expr, each);
            of_inside(variable, each);
            each(Part::Writes(variable));
            each(Part::Place(*slot, variable));
        }
    }
}

/// What is inside of statements.
pub fn of_block<'a>(stmts: &'a [Stmt], each: &mut Each<'_, 'a>) {
    stmts.iter().for_each(|stmt| of_statement(&stmt.does, each));
}

fn of_statement<'a>(does: &'a Does, each: &mut Each<'_, 'a>) {
    let writes = |variable: &'a Variable, each: &mut Each<'_, 'a>| {
        of_inside(variable, each);
        each(Part::Writes(variable));
    };
    match does {
        Does::Set(variable, expr) => {
            of_expr(expr, each);
            writes(variable, each);
        }
        Does::SetSlot(slot, expr) => {
            of_expr(expr, each);
            each(Part::Number(*slot, expr));
        }
        Does::Bind(slot, variable) => {
            of_inside(variable, each);
            each(Part::Place(*slot, variable));
        }
        Does::Copy(to, from, _) => {
            of_inside(from, each);
            each(Part::Reads(from));
            writes(to, each);
        }
        Does::Fill(to, _) => writes(to, each),
        Does::If(options, otherwise) => {
            for (condition, block) in options {
                of_expr(condition, each);
                of_block(block, each);
            }
            of_block(otherwise, each);
        }
        Does::Switch(value, cases, otherwise) => {
            of_expr(value, each);
            for (values, block) in cases {
                values.iter().for_each(|value| of_expr(value, each));
                of_block(block, each);
            }
            of_block(otherwise, each);
        }
        Does::For(slot, low, high, step, body) => {
            of_expr(low, each);
            of_expr(high, each);
            each(Part::Runs(*slot, low, high, *step));
            of_block(body, each);
        }
        Does::While(condition, body) => {
            of_expr(condition, each);
            of_block(body, each);
        }
        Does::Call(call) => {
            call.walk(&mut |expr| match expr {
                Expr::Load(variable) | Expr::Undefined(variable) => each(Part::Reads(variable)),
                Expr::Over(over) => each(Part::Runs(over.slot, &over.low, &over.high, over.step)),
                Expr::Call(call) => of_arguments(call, each),
                _ => {}
            });
            of_arguments(call, each);
        }
        Does::Return(value) => value.iter().for_each(|value| of_expr(value, each)),
        Does::Assert(condition, _) => of_expr(condition, each),
        Does::Error(_) | Does::Print(_) => {}
        Does::Insert(multiset, _, element) => {
            of_inside(element, each);
            each(Part::Reads(element));
            writes(multiset, each);
        }
        Does::Remove(multiset, _, position) => {
            of_expr(position, each);
            writes(multiset, each);
        }
    }
}

/// How large a block is, for decisions about what is compiled together.
pub fn weight(stmts: &[Stmt]) -> u32 {
    let mut weight = 0;
    for stmt in stmts {
        weight += 2;
        of_statement(&stmt.does, &mut |_| weight += 3);
    }
    weight
}

/// How large an expression is.
pub fn weight_of(expr: &Expr) -> u32 {
    let mut weight = 0;
    expr.walk(&mut |_| weight += 1);
    weight
}
