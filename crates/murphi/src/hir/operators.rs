//! Operators, how they are written, and what they make of constants.

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Unary {
    Not,
    Neg,
}

/// An operator with two operands. Integers are C's: 32 bits, division towards zero; a zero divisor is an error at run
/// time. `And`, `Or` and `Implies` evaluate the second operand only if the first leaves the value open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Binary {
    Implies,
    Or,
    And,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
}

impl Binary {
    /// How it is written.
    pub(crate) fn spelled(self) -> &'static str {
        match self {
            Binary::Implies => "->",
            Binary::Or => "|",
            Binary::And => "&",
            Binary::Eq => "=",
            Binary::Ne => "!=",
            Binary::Lt => "<",
            Binary::Le => "<=",
            Binary::Gt => ">",
            Binary::Ge => ">=",
            Binary::Add => "+",
            Binary::Sub => "-",
            Binary::Mul => "*",
            Binary::Div => "/",
            Binary::Mod => "%",
        }
    }

    /// The value of an operation on constants; `Err` says why there is none.
    pub(crate) fn apply(self, a: i32, b: i32) -> Result<i32, &'static str> {
        const TOO_LARGE: &str = "the result does not fit into 32 bits";
        let value = match self {
            Binary::Add => a.checked_add(b),
            Binary::Sub => a.checked_sub(b),
            Binary::Mul => a.checked_mul(b),
            Binary::Div | Binary::Mod if b == 0 => return Err("this divides by zero"),
            Binary::Div => a.checked_div(b),
            Binary::Mod => a.checked_rem(b),
            Binary::Implies => Some(i32::from(a == 0 || b != 0)),
            Binary::Or => Some(i32::from(a != 0 || b != 0)),
            Binary::And => Some(i32::from(a != 0 && b != 0)),
            Binary::Eq => Some(i32::from(a == b)),
            Binary::Ne => Some(i32::from(a != b)),
            Binary::Lt => Some(i32::from(a < b)),
            Binary::Le => Some(i32::from(a <= b)),
            Binary::Gt => Some(i32::from(a > b)),
            Binary::Ge => Some(i32::from(a >= b)),
        };
        value.ok_or(TOO_LARGE)
    }
}

/// `forall` or `exists`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Quantifier {
    All,
    Exists,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_in_c() {
        assert_eq!(Binary::Div.apply(-7, 2), Ok(-3));
        assert_eq!(Binary::Mod.apply(-7, 2), Ok(-1));
        assert_eq!(Binary::Implies.apply(1, 0), Ok(0));
        assert_eq!(Binary::Implies.apply(0, 0), Ok(1));
        assert_eq!(Binary::Ge.apply(3, 3), Ok(1));
        assert!(Binary::Mod.apply(1, 0).is_err());
        assert!(Binary::Add.apply(i32::MAX, 1).is_err());
        assert!(Binary::Div.apply(i32::MIN, -1).is_err());
    }
}
