//! Expressions.
//!
//! From loosest to tightest: `imply`; `or` and `and`, which bind alike; `| & ^`; `== !=`; `< <= > >=`; `<< >>`; `+ -`;
//! `* / %`; signs, `~` and `not`. All associate to the left, so `a or b and c` is `(a or b) and c`, and `not a == b` is
//! `(not a) == b`.

use super::Parser;
use crate::ast::{BinOp, Expr, ExprKind};
use crate::hir::{Binary, Unary};
use crate::token::Tok;
use tightrope_syntax::{Expression, Operand, OperatorParser, Parsed, Pending, RecursiveDescent};

impl Expression for ExprKind {
    type Prefix = Unary;
    type Infix = BinOp;

    fn unary(operator: Unary, operand: Expr) -> Self {
        ExprKind::Unary(operator, Box::new(operand))
    }

    fn binary(operator: BinOp, left: Expr, right: Expr) -> Self {
        ExprKind::Binary(operator, Box::new((left, right)))
    }

    fn prefix_precedence(_: Unary) -> u8 {
        9
    }

    fn infix_precedence(operator: BinOp) -> u8 {
        match operator {
            BinOp::Imply => 1,
            BinOp::Or | BinOp::And => 2,
            BinOp::Strict(operator) => operator.level(),
        }
    }

    fn regroups(operator: BinOp) -> bool {
        matches!(operator, BinOp::And | BinOp::Or)
    }
}

fn infix(kind: Tok) -> Option<BinOp> {
    Some(BinOp::Strict(match kind {
        Tok::Imply => return Some(BinOp::Imply),
        Tok::Or => return Some(BinOp::Or),
        Tok::And => return Some(BinOp::And),
        Tok::BitOr => Binary::BitOr,
        Tok::BitAnd => Binary::BitAnd,
        Tok::BitXor => Binary::BitXor,
        Tok::Eq => Binary::Eq,
        Tok::Ne => Binary::Ne,
        Tok::Lt => Binary::Lt,
        Tok::Le => Binary::Le,
        Tok::Gt => Binary::Gt,
        Tok::Ge => Binary::Ge,
        Tok::Shl => Binary::Shl,
        Tok::Shr => Binary::Shr,
        Tok::Plus => Binary::Add,
        Tok::Minus => Binary::Sub,
        Tok::Star => Binary::Mul,
        Tok::Slash => Binary::Div,
        Tok::Percent => Binary::Mod,
        _ => return None,
    }))
}

impl OperatorParser for Parser<'_> {
    type Expr = ExprKind;

    const TOO_HIGH_HELP: &'static str = "compute parts of it in transitions of their own";

    fn prefix(&self) -> Option<Unary> {
        match self.kind() {
            Tok::Not => Some(Unary::Not),
            Tok::Minus => Some(Unary::Neg),
            Tok::Tilde => Some(Unary::BitNot),
            _ => None,
        }
    }

    fn infix(&mut self, _pending: &[Pending<ExprKind>]) -> Option<BinOp> {
        infix(self.kind())
    }

    #[inline(never)]
    fn primary(&mut self) -> Parsed<Operand<ExprKind>> {
        let span = self.span();
        let kind = match self.kind() {
            Tok::Number => ExprKind::Number(self.expect_number()?),
            Tok::True | Tok::False => {
                let value = i32::from(self.at(Tok::True));
                self.advance();
                ExprKind::Number(value)
            }
            Tok::Ident => return self.variable(),
            Tok::LParen => return self.parenthesised(),
            _ => return Err(self.expected("an expression")),
        };
        Ok(Operand::new(Expr { kind, span }, 1))
    }
}

impl Parser<'_> {
    /// An expression.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        Ok(self.nested(Self::operators)?.into_expr())
    }

    fn parenthesised(&mut self) -> Parsed<Operand<ExprKind>> {
        let open = self.expect(Tok::LParen, "`(`")?;
        let inner = self.nested(Self::operators)?;
        if !self.at(Tok::RParen) {
            return Err(self.missing_closing("`)`", "`(`", open));
        }
        self.advance();
        Ok(inner.parenthesised(open.to(self.cursor.previous)))
    }

    /// What can be assigned to, or looks like it.
    pub(super) fn target(&mut self) -> Parsed<Expr> {
        if !self.at(Tok::Ident) {
            return Err(self.unexpected_name("a variable"));
        }
        Ok(self.variable()?.into_expr())
    }

    /// `x`, `x[i]`, `P.s`, `P->x`, `P->x[i]`
    fn variable(&mut self) -> Parsed<Operand<ExprKind>> {
        let first = self.expect_ident("a variable")?;
        let (dot, arrow) = (self.at(Tok::Dot), self.at(Tok::Arrow));
        let second = if dot || arrow {
            self.advance();
            Some(self.expect_ident(if dot { "the name of a state" } else { "the name of a variable" })?)
        } else {
            None
        };
        let mut height = 1;
        let mut index = None;
        if self.at(Tok::LBracket) {
            let open = self.span();
            self.advance();
            let operand = self.nested(Self::operators)?;
            if !self.at(Tok::RBracket) {
                return Err(self.missing_closing("`]`", "`[`", open));
            }
            self.advance();
            height = self.grown(operand.height(), first.span.to(self.cursor.previous))?;
            index = Some(Box::new(operand.into_expr()));
        }
        let span = first.span.to(self.cursor.previous);
        let kind = match second {
            None => ExprKind::Name(first, index),
            Some(state) if dot => ExprKind::Dot(first, state, index),
            Some(variable) => ExprKind::Arrow(first, variable, index),
        };
        Ok(Operand::new(Expr { kind, span }, height))
    }
}
