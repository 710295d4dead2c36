//! Conditions: truth values, comparisons, and branches on them. Guards and loops are made of these.

use super::range::is_cheap;
use super::{CompileContext, address, constant, value};
use crate::code::{Code, CompileError};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use tightrope_core::Repr;
use tightrope_ir::{Binary, Domain, Expr, Unary};

/// The condition code of a comparison.
pub(super) fn comparison(op: Binary) -> Option<IntCC> {
    Some(match op {
        Binary::Lt => IntCC::SignedLessThan,
        Binary::Le => IntCC::SignedLessThanOrEqual,
        Binary::Gt => IntCC::SignedGreaterThan,
        Binary::Ge => IntCC::SignedGreaterThanOrEqual,
        Binary::Eq => IntCC::Equal,
        Binary::Ne => IntCC::NotEqual,
        _ => return None,
    })
}

/// Control goes to `yes` if an expression is not zero, else to `no`. Ends the present block; seals neither of those.
pub fn branch(
    code: &mut Code<'_>,
    context: &mut dyn CompileContext,
    expr: &Expr,
    yes: Block,
    no: Block,
) -> Result<(), CompileError> {
    if let Some(value) = constant(expr) {
        code.builder.ins().jump(if value != 0 { yes } else { no }, &[]);
        return Ok(());
    }
    match expr {
        Expr::Unary(Unary::Not, a) => branch(code, context, a, no, yes)?,
        Expr::Both(a, b) => {
            let both = code.block();
            branch(code, context, a, both, no)?;
            code.begin(both);
            branch(code, context, b, yes, no)?;
        }
        Expr::Either(a, b) => {
            let neither = code.block();
            branch(code, context, a, yes, neither)?;
            code.begin(neither);
            branch(code, context, b, yes, no)?;
        }
        Expr::Choose(parts) => {
            let (first, second) = (code.block(), code.block());
            branch(code, context, &parts.0, first, second)?;
            code.begin(first);
            branch(code, context, &parts.1, yes, no)?;
            code.begin(second);
            branch(code, context, &parts.2, yes, no)?;
        }
        Expr::Binary(op, ..) if comparison(*op).is_some() => {
            let truth = truth(code, context, expr)?;
            code.builder.ins().brif(truth, yes, &[], no, &[]);
        }
        Expr::Load(_) | Expr::Binary(..) | Expr::Unary(..) | Expr::Bounded(_) | Expr::Table(_) => {
            let value = value(code, context, expr)?;
            code.builder.ins().brif(value, yes, &[], no, &[]);
        }
        other => context.decide(code, other, yes, no)?,
    }
    Ok(())
}

/// Whether an expression is not zero, as 0 or 1 in 8 bits.
pub fn truth(code: &mut Code<'_>, context: &mut dyn CompileContext, expr: &Expr) -> Result<Value, CompileError> {
    match expr {
        Expr::Binary(op, a, b) if comparison(*op).is_some() && constant(expr).is_none() => {
            let (left, right) = operands(code, context, *op, a, b)?;
            Ok(code.builder.ins().icmp(comparison(*op).unwrap_or(IntCC::Equal), left, right))
        }
        Expr::Unary(Unary::Not, a) if constant(expr).is_none() => {
            let a = truth(code, context, a)?;
            let one = code.builder.ins().iconst(types::I8, 1);
            Ok(code.builder.ins().bxor(a, one))
        }
        Expr::Both(a, b) | Expr::Either(a, b) if is_cheap(b) && constant(expr).is_none() => {
            let (a, b) = (truth(code, context, a)?, truth(code, context, b)?);
            Ok(if matches!(expr, Expr::Both(..)) {
                code.builder.ins().band(a, b)
            } else {
                code.builder.ins().bor(a, b)
            })
        }
        _ => {
            let value = value(code, context, expr)?;
            let zero = code.number(0);
            Ok(code.builder.ins().icmp(IntCC::NotEqual, value, zero))
        }
    }
}

/// The operands of a comparison, such that comparing them gives the same as comparing the values of the expressions.
fn operands(
    code: &mut Code<'_>,
    context: &mut dyn CompileContext,
    op: Binary,
    a: &Expr,
    b: &Expr,
) -> Result<(Value, Value), CompileError> {
    let of_equality = matches!(op, Binary::Eq | Binary::Ne);
    if let Some(wanted) = constant(b) {
        let (a, less) = shifted(code, context, a)?;
        // Both sides are moved down by the same amount, which must not move the constant beyond the least number.
        let moved = wanted.wrapping_sub(less);
        if of_equality || wanted.checked_sub(less).is_some() {
            let b = code.number(moved);
            return Ok((a, b));
        }
        let less = code.number(less);
        let a = code.builder.ins().iadd(a, less);
        let b = code.number(wanted);
        return Ok((a, b));
    }
    let (first, a_less) = shifted(code, context, a)?;
    let (second, b_less) = shifted(code, context, b)?;
    if a_less == b_less {
        return Ok((first, second));
    }
    let mut whole = |value: Value, less: i32| {
        let less = code.number(less);
        code.builder.ins().iadd(value, less)
    };
    Ok((whole(first, a_less), whole(second, b_less)))
}

/// A value less a constant, and the constant: a variable that may be undefined is kept as its value less something.
fn shifted(code: &mut Code<'_>, context: &mut dyn CompileContext, expr: &Expr) -> Result<(Value, i32), CompileError> {
    if let Expr::Load(variable) = expr
        && let Domain::Within { low, .. } = variable.ty.domain
        && variable.ty.repr != Repr::I32
        && low.unsigned_abs() < 1 << 30
        && context.is_plain(variable)
    {
        let address = address(code, context, variable)?;
        let raw = code.load(variable.ty.repr, address);
        code.bail_unless(raw);
        return Ok((raw, low - 1));
    }
    Ok((value(code, context, expr)?, 0))
}
