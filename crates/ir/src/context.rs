//! What expressions mean in every context: that of a process, and that of a rule.

use crate::{Binary, Expr, Index, Unary, Variable};
use tightrope_core::FaultKind;

/// An error in the evaluation of an expression or the execution of an action. The caller knows which transition or rule
/// it was, and makes a fault with its place in the source of it.
#[derive(Clone, Debug, PartialEq)]
pub struct EvalError {
    /// Its class.
    pub kind: FaultKind,
    /// For people.
    pub message: String,
}

impl EvalError {
    /// An error of a kind.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> EvalError {
        EvalError { kind, message: message.into() }
    }
}

/// What expressions are evaluated in: a state as a process sees it, a rule that is executed.
pub trait EvalContext {
    /// The value of a variable.
    fn load(&mut self, variable: &Variable) -> i32;

    /// The value of an expression that has a meaning in some contexts only.
    fn special(&mut self, expr: &Expr) -> i32;

    /// Notes an error, unless there was one before; the value to continue with.
    fn fail(&mut self, kind: FaultKind, message: String) -> i32;
}

/// The value of an expression.
pub fn evaluate<C: EvalContext>(context: &mut C, expr: &Expr) -> i32 {
    match expr {
        Expr::Const(value) => *value,
        Expr::Load(variable) => context.load(variable),
        Expr::Unary(op, a) => {
            let a = evaluate(context, a);
            match op {
                Unary::Neg => a.wrapping_neg(),
                Unary::Not => i32::from(a == 0),
                Unary::Complement => !a,
            }
        }
        Expr::Binary(op, a, b) => {
            let a = evaluate(context, a);
            let b = evaluate(context, b);
            match calculate(*op, a, b) {
                Some(value) => value,
                None => context.fail(FaultKind::Division, "division by zero".into()),
            }
        }
        Expr::Both(a, b) => i32::from(evaluate(context, a) != 0 && evaluate(context, b) != 0),
        Expr::Either(a, b) => i32::from(evaluate(context, a) != 0 || evaluate(context, b) != 0),
        Expr::Choose(parts) => {
            if evaluate(context, &parts.0) != 0 {
                evaluate(context, &parts.1)
            } else {
                evaluate(context, &parts.2)
            }
        }
        Expr::Bounded(index) => within(context, index).unwrap_or(0),
        Expr::Table(table) => {
            let (index, numbers) = &**table;
            let value = within(context, index);
            let number = value.and_then(|value| numbers.get(value.wrapping_sub(index.low) as usize));
            number.copied().unwrap_or(0)
        }
        other => context.special(other),
    }
}

/// The value of an index; none if it is out of bounds.
fn within<C: EvalContext>(context: &mut C, index: &Index) -> Option<i32> {
    let value = evaluate(context, &index.value);
    if (value.wrapping_sub(index.low) as u32) < index.bound {
        return Some(value);
    }
    context.fail(FaultKind::Bounds, out_of_bounds(index, value));
    None
}

/// The result of an operation; none for a division by zero.
#[inline]
pub fn calculate(op: Binary, a: i32, b: i32) -> Option<i32> {
    Some(match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::Div | Binary::Rem if b == 0 => return None,
        Binary::Div => a.wrapping_div(b),
        Binary::Rem => a.wrapping_rem(b),
        Binary::Shl => a.wrapping_shl(b as u32),
        Binary::Shr => a.wrapping_shr(b as u32),
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Lt => i32::from(a < b),
        Binary::Le => i32::from(a <= b),
        Binary::Gt => i32::from(a > b),
        Binary::Ge => i32::from(a >= b),
        Binary::Eq => i32::from(a == b),
        Binary::Ne => i32::from(a != b),
    })
}

/// The message of an index that is out of bounds.
#[cold]
pub fn out_of_bounds(index: &Index, value: i32) -> String {
    let what = if index.name.is_empty() { String::from("an array") } else { format!("`{}`", index.name) };
    match index.low {
        0 => format!("index {value} is out of bounds: {what} has {} elements", index.bound),
        low => format!("index {value} is out of bounds: {what} goes from {low} to {}", low + index.bound as i32 - 1),
    }
}
