//! What is known of the value of an expression before it is evaluated.

use super::CompileContext;
use tightrope_core::Repr;
use tightrope_ir::{Base, Binary, Domain, Expr, Unary};

/// The value of an expression, if it is constant and no error.
pub fn constant(expr: &Expr) -> Option<i32> {
    match expr {
        Expr::Const(value) => Some(*value),
        Expr::Unary(op, a) => constant(a).map(|a| match op {
            Unary::Neg => a.wrapping_neg(),
            Unary::Not => i32::from(a == 0),
            Unary::Complement => !a,
        }),
        Expr::Binary(op, a, b) => tightrope_ir::context::calculate(*op, constant(a)?, constant(b)?),
        Expr::Both(a, b) => match constant(a)? {
            0 => Some(0),
            _ => constant(b).map(|b| i32::from(b != 0)),
        },
        Expr::Either(a, b) => match constant(a)? {
            0 => constant(b).map(|b| i32::from(b != 0)),
            _ => Some(1),
        },
        Expr::Choose(parts) => constant(if constant(&parts.0)? != 0 { &parts.1 } else { &parts.2 }),
        _ => None,
    }
}

/// The least and the greatest value, as far as they are certain whatever the bytes of the state are.
pub fn range(context: &dyn CompileContext, expr: &Expr) -> Option<(i64, i64)> {
    if let Some(value) = constant(expr) {
        return Some((value.into(), value.into()));
    }
    let fits = |(low, high): (i64, i64)| (low >= i32::MIN.into() && high <= i32::MAX.into()).then_some((low, high));
    match expr {
        Expr::Load(variable) => {
            let (low, high) = match variable.ty.repr {
                Repr::U8 => (0, 0xff),
                Repr::I8 => (-0x80, 0x7f),
                Repr::U16 => (0, 0xffff),
                Repr::I16 => (-0x8000, 0x7fff),
                Repr::I32 => return None,
            };
            match variable.ty.domain {
                Domain::Cut | Domain::Checked => Some((low, high)),
                Domain::Within { low: least, .. } if low == 0 => fits((i64::from(least), high - 1 + i64::from(least))),
                Domain::Within { .. } | Domain::Union(_) => None,
            }
        }
        Expr::Unary(Unary::Not, _) | Expr::Both(..) | Expr::Either(..) | Expr::Undefined(_) => Some((0, 1)),
        Expr::Binary(op, a, b) => match op {
            Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge | Binary::Eq | Binary::Ne => Some((0, 1)),
            Binary::Add => {
                let (a, b) = (range(context, a)?, range(context, b)?);
                fits((a.0 + b.0, a.1 + b.1))
            }
            Binary::Sub => {
                let (a, b) = (range(context, a)?, range(context, b)?);
                fits((a.0 - b.1, a.1 - b.0))
            }
            Binary::Rem => {
                let (a, b) = (range(context, a)?, constant(b)?);
                (b > 0 && a.0 >= 0).then(|| (0, a.1.min(i64::from(b) - 1)))
            }
            Binary::Div => {
                let (a, b) = (range(context, a)?, i64::from(constant(b)?));
                (b > 0 && a.0 >= 0).then(|| (a.0 / b, a.1 / b))
            }
            Binary::And => {
                let mask = constant(b).or_else(|| constant(a))?;
                (mask >= 0).then_some((0, mask.into()))
            }
            _ => None,
        },
        Expr::Choose(parts) => {
            let (a, b) = (range(context, &parts.1)?, range(context, &parts.2)?);
            Some((a.0.min(b.0), a.1.max(b.1)))
        }
        Expr::Bounded(index) => {
            let bounds = (i64::from(index.low), i64::from(index.low) + i64::from(index.bound) - 1);
            let inner = range(context, &index.value);
            fits(inner.map_or(bounds, |inner| (inner.0.max(bounds.0), inner.1.min(bounds.1))))
        }
        Expr::Table(table) => {
            let numbers = &table.1;
            Some((i64::from(*numbers.iter().min()?), i64::from(*numbers.iter().max()?)))
        }
        other => context.range(other),
    }
}

/// Whether evaluating an expression is never an error, and costs less than a branch around it.
pub(super) fn is_cheap(expr: &Expr) -> bool {
    fn cost(expr: &Expr) -> Option<u32> {
        match expr {
            Expr::Const(_) | Expr::Slot(_) => Some(0),
            Expr::Load(variable) => {
                let sure = matches!(variable.ty.domain, Domain::Cut | Domain::Checked)
                    && matches!(variable.base, Base::Global | Base::Frame)
                    && variable.indices.is_empty();
                sure.then_some(1)
            }
            Expr::Undefined(variable) => variable.indices.is_empty().then_some(1),
            Expr::Unary(_, a) => Some(cost(a)? + 1),
            Expr::Binary(op, a, b) if !matches!(op, Binary::Div | Binary::Rem) => Some(cost(a)? + cost(b)? + 1),
            Expr::Both(a, b) | Expr::Either(a, b) => Some(cost(a)? + cost(b)? + 1),
            _ => None,
        }
    }
    cost(expr).is_some_and(|cost| cost <= 6)
}
