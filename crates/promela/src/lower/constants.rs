//! Constant expressions: array lengths, initial values, numbers of processes.

use super::Lower;
use crate::ast::{self, BinOp, Expr, ExprKind, UnOp};
use tightrope_syntax::Diagnostic;

impl Lower<'_> {
    /// The value of a constant expression; a diagnostic if it is not one.
    pub(super) fn constant(&mut self, expr: &Expr) -> Option<i32> {
        match self.try_constant(expr) {
            Some(value) => Some(value),
            None => {
                let message = "a constant is needed here";
                self.report(Diagnostic::error(message).at(expr.span, "this has no constant value"));
                None
            }
        }
    }

    /// The value of a constant expression.
    pub(super) fn try_constant(&self, expr: &Expr) -> Option<i32> {
        Some(match &expr.kind {
            ExprKind::Const(value) => *value,
            ExprKind::Var(var) => match &var.parts[..] {
                [part] if part.index.is_none() => self.mtypes.names.get(&part.name.text)?.0,
                _ => return None,
            },
            ExprKind::Unary(op, a) => {
                let a = self.try_constant(a)?;
                match op {
                    UnOp::Neg => a.wrapping_neg(),
                    UnOp::Not => i32::from(a == 0),
                    UnOp::BitNot => !a,
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.try_constant(a)?, self.try_constant(b)?);
                match op {
                    BinOp::Add => a.wrapping_add(b),
                    BinOp::Sub => a.wrapping_sub(b),
                    BinOp::Mul => a.wrapping_mul(b),
                    BinOp::Div => a.checked_div(b)?,
                    BinOp::Rem => a.checked_rem(b)?,
                    BinOp::Shl => a.wrapping_shl(b as u32),
                    BinOp::Shr => a.wrapping_shr(b as u32),
                    BinOp::BitAnd => a & b,
                    BinOp::BitOr => a | b,
                    BinOp::BitXor => a ^ b,
                    BinOp::Lt => i32::from(a < b),
                    BinOp::Le => i32::from(a <= b),
                    BinOp::Gt => i32::from(a > b),
                    BinOp::Ge => i32::from(a >= b),
                    BinOp::Eq => i32::from(a == b),
                    BinOp::Ne => i32::from(a != b),
                    BinOp::And => i32::from(a != 0 && b != 0),
                    BinOp::Or => i32::from(a != 0 || b != 0),
                }
            }
            ExprKind::Cond(c, a, b) => {
                if self.try_constant(c)? != 0 {
                    self.try_constant(a)?
                } else {
                    self.try_constant(b)?
                }
            }
            _ => return None,
        })
    }

    /// Whether a name in a constant expression is really a variable's.
    pub(super) fn shadowed(&self, expr: &ast::Expr, owner: Option<usize>, scope: Option<u32>) -> bool {
        match &expr.kind {
            ExprKind::Var(var) => self.lookup(&var.parts[0].name.text, owner, scope).is_some(),
            ExprKind::Unary(_, a) => self.shadowed(a, owner, scope),
            ExprKind::Binary(_, a, b) => self.shadowed(a, owner, scope) || self.shadowed(b, owner, scope),
            ExprKind::Cond(c, a, b) => [c, a, b].iter().any(|part| self.shadowed(part, owner, scope)),
            _ => false,
        }
    }

    /// Whether an expression is the constant 1, written as `skip`, `true`, a number or a symbolic name.
    pub(super) fn is_one(&self, expr: &ast::Expr, owner: usize, scope: Option<u32>) -> bool {
        matches!(expr.kind, ExprKind::Const(_) | ExprKind::Var(_))
            && self.try_constant(expr) == Some(1)
            && !self.shadowed(expr, Some(owner), scope)
    }
}
