//! What constant expressions come to.

use crate::ast::BinOp;

/// The value of an operation on constants; `Err` says why there is none.
pub(super) fn binary(op: BinOp, a: i32, b: i32) -> Result<i32, &'static str> {
    const TOO_LARGE: &str = "the result does not fit into 32 bits";
    let value = match op {
        BinOp::Add => a.checked_add(b),
        BinOp::Sub => a.checked_sub(b),
        BinOp::Mul => a.checked_mul(b),
        BinOp::Div | BinOp::Mod if b == 0 => return Err("this divides by zero"),
        BinOp::Div => a.checked_div(b),
        BinOp::Mod => a.checked_rem(b),
        BinOp::Implies => Some(i32::from(a == 0 || b != 0)),
        BinOp::Or => Some(i32::from(a != 0 || b != 0)),
        BinOp::And => Some(i32::from(a != 0 && b != 0)),
        BinOp::Eq => Some(i32::from(a == b)),
        BinOp::Ne => Some(i32::from(a != b)),
        BinOp::Lt => Some(i32::from(a < b)),
        BinOp::Le => Some(i32::from(a <= b)),
        BinOp::Gt => Some(i32::from(a > b)),
        BinOp::Ge => Some(i32::from(a >= b)),
    };
    value.ok_or(TOO_LARGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_in_c() {
        assert_eq!(binary(BinOp::Div, -7, 2), Ok(-3));
        assert_eq!(binary(BinOp::Mod, -7, 2), Ok(-1));
        assert_eq!(binary(BinOp::Implies, 1, 0), Ok(0));
        assert_eq!(binary(BinOp::Implies, 0, 0), Ok(1));
        assert_eq!(binary(BinOp::Ge, 3, 3), Ok(1));
        assert!(binary(BinOp::Mod, 1, 0).is_err());
        assert!(binary(BinOp::Add, i32::MAX, 1).is_err());
        assert!(binary(BinOp::Div, i32::MIN, -1).is_err());
    }
}
