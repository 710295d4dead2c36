//! Expressions made of others.

use tightrope_ir::{Binary, Expr, Unary, Variable};

pub fn load(variable: &Variable) -> Expr {
    Expr::Load(Box::new(variable.clone()))
}

pub fn undefined(variable: &Variable) -> Expr {
    Expr::Undefined(Box::new(variable.clone()))
}

pub fn not(expr: Expr) -> Expr {
    Expr::Unary(Unary::Not, Box::new(expr))
}

pub fn both(a: Expr, b: Expr) -> Expr {
    Expr::Both(Box::new(a), Box::new(b))
}

pub fn binary(op: Binary, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, Box::new(a), Box::new(b))
}
