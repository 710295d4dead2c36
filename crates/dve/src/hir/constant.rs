//! Evaluation of constant expressions: 32 bits, wrapping.

use super::{Binary, Expr, ExprKind, Unary};

impl Unary {
    /// The value of the operation.
    pub fn apply(self, a: i32) -> i32 {
        match self {
            Unary::Neg => a.wrapping_neg(),
            Unary::BitNot => !a,
            Unary::Not => i32::from(a == 0),
        }
    }
}

impl Binary {
    /// The value of the operation; none for a division by zero. Of the distance of a shift, the last five bits count.
    pub fn apply(self, a: i32, b: i32) -> Option<i32> {
        Some(match self {
            Binary::BitOr => a | b,
            Binary::BitAnd => a & b,
            Binary::BitXor => a ^ b,
            Binary::Eq => i32::from(a == b),
            Binary::Ne => i32::from(a != b),
            Binary::Lt => i32::from(a < b),
            Binary::Le => i32::from(a <= b),
            Binary::Gt => i32::from(a > b),
            Binary::Ge => i32::from(a >= b),
            Binary::Shl => a.wrapping_shl(b as u32),
            Binary::Shr => a.wrapping_shr(b as u32),
            Binary::Add => a.wrapping_add(b),
            Binary::Sub => a.wrapping_sub(b),
            Binary::Mul => a.wrapping_mul(b),
            Binary::Div | Binary::Mod if b == 0 => return None,
            Binary::Div => a.wrapping_div(b),
            Binary::Mod => a.wrapping_rem(b),
        })
    }
}

impl Expr {
    /// The value, if neither a state nor a table is needed to compute it and nothing is divided by zero.
    pub fn constant(&self) -> Option<i32> {
        let truth = |expr: &Expr| expr.constant().map(|value| value != 0);
        Some(match &self.kind {
            ExprKind::Const(value) => *value,
            ExprKind::Variable(_) | ExprKind::Table { .. } | ExprKind::InState { .. } => return None,
            ExprKind::Unary(op, operand) => op.apply(operand.constant()?),
            ExprKind::Binary(op, operands) => op.apply(operands.0.constant()?, operands.1.constant()?)?,
            ExprKind::And(operands) => i32::from(truth(&operands.0)? && truth(&operands.1)?),
            ExprKind::Or(operands) => i32::from(truth(&operands.0)? || truth(&operands.1)?),
            ExprKind::Imply(operands) => i32::from(!truth(&operands.0)? || truth(&operands.1)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_in_c_but_wrapping() {
        assert_eq!(Binary::Div.apply(-7, 2), Some(-3));
        assert_eq!(Binary::Mod.apply(-7, 2), Some(-1));
        assert_eq!(Binary::Div.apply(i32::MIN, -1), Some(i32::MIN));
        assert_eq!(Binary::Mod.apply(i32::MIN, -1), Some(0));
        assert_eq!(Binary::Add.apply(i32::MAX, 1), Some(i32::MIN));
        assert_eq!(Binary::Mod.apply(1, 0), None);
        assert_eq!((Binary::Shl.apply(1, 33), Binary::Shr.apply(-8, 1)), (Some(2), Some(-4)));
        assert_eq!((Unary::Not.apply(7), Unary::BitNot.apply(0), Unary::Neg.apply(i32::MIN)), (0, -1, i32::MIN));
    }
}
