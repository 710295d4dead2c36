//! Expressions.
//!
//! From loosest to tightest: `imply`; `or` and `and`, which bind alike; `| & ^`; `== !=`; `< <= > >=`; `<< >>`; `+ -`;
//! `* / %`; signs, `~` and `not`. All associate to the left, so `a or b and c` is `(a or b) and c`, and `not a == b` is
//! `(not a) == b`. Operators are read with a stack instead of recursion. Chains of the same `and` or `or` become balanced
//! trees: grouping changes neither their value nor the order in which operands are evaluated.

use super::{Parsed, Parser};
use crate::ast::{BinOp, Expr, ExprKind};
use crate::hir::{Binary, Unary};
use crate::token::Tok;
use tightrope_syntax::{Diagnostic, Span};

/// How high an expression's tree may be: 1000 operators in a row.
const MAX_HEIGHT: u32 = 1000;

/// A part of an expression, and how high its tree is.
struct Operand {
    content: Content,
    span: Span,
    height: u32,
}

enum Content {
    One(ExprKind),
    /// The operands of a chain of `and` or of `or`, and the height of the highest.
    Chain(BinOp, Vec<Expr>, u32),
}

/// An operator that waits for its right operand.
#[derive(Clone, Copy)]
enum Waiting {
    Prefix(Unary, Span),
    Infix(BinOp),
}

impl Waiting {
    fn level(self) -> u8 {
        match self {
            Waiting::Prefix(..) => 9,
            Waiting::Infix(op) => level(op),
        }
    }
}

fn level(op: BinOp) -> u8 {
    match op {
        BinOp::Imply => 1,
        BinOp::Or | BinOp::And => 2,
        BinOp::Strict(op) => op.level(),
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

fn prefix(kind: Tok) -> Option<Unary> {
    match kind {
        Tok::Not => Some(Unary::Not),
        Tok::Minus => Some(Unary::Neg),
        Tok::Tilde => Some(Unary::BitNot),
        _ => None,
    }
}

impl Parser<'_> {
    /// An expression.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        Ok(self.nested(Self::operators)?.close())
    }

    fn operators(&mut self) -> Parsed<Operand> {
        let mut operands: Vec<Operand> = Vec::new();
        let mut waiting: Vec<Waiting> = Vec::new();
        loop {
            while let Some(op) = prefix(self.token.kind) {
                waiting.push(Waiting::Prefix(op, self.token.span));
                self.advance();
            }
            let mut right = self.primary()?;
            let op = infix(self.token.kind);
            while let Some(top) = waiting.pop_if(|top| op.is_none_or(|op| top.level() >= level(op))) {
                right = self.apply(top, &mut operands, right)?;
            }
            let Some(op) = op else {
                return Ok(right);
            };
            operands.push(right);
            waiting.push(Waiting::Infix(op));
            self.advance();
        }
    }

    /// Applies an operator to its operands.
    #[inline(never)]
    fn apply(&mut self, operator: Waiting, operands: &mut Vec<Operand>, right: Operand) -> Parsed<Operand> {
        let (op, left) = match operator {
            Waiting::Prefix(op, start) => {
                let span = start.to(right.span);
                let height = self.grown(right.height, span)?;
                let kind = ExprKind::Unary(op, Box::new(right.close()));
                return Ok(Operand { content: Content::One(kind), span, height });
            }
            Waiting::Infix(op) => (op, operands.pop()),
        };
        let Some(left) = left else {
            return Ok(right);
        };
        let span = left.span.to(right.span);
        if matches!(op, BinOp::And | BinOp::Or) {
            let (mut items, tallest) = match left.content {
                Content::Chain(chained, items, tallest) if chained == op => (items, tallest),
                content => (vec![Operand { content, ..left }.close()], left.height),
            };
            let tallest = tallest.max(right.height);
            items.push(right.close());
            let height = self.grown(tallest + (items.len() - 1).ilog2(), span)?;
            return Ok(Operand { content: Content::Chain(op, items, tallest), span, height });
        }
        let height = self.grown(left.height.max(right.height), span)?;
        let kind = ExprKind::Binary(op, Box::new((left.close(), right.close())));
        Ok(Operand { content: Content::One(kind), span, height })
    }

    /// One more than `height`, if an expression may be that high.
    #[inline(never)]
    fn grown(&mut self, height: u32, span: Span) -> Parsed<u32> {
        if height < MAX_HEIGHT {
            return Ok(height + 1);
        }
        let error = Diagnostic::error(format!("this expression is more than {MAX_HEIGHT} operators high"))
            .at(span, "too long")
            .help("compute parts of it in transitions of their own");
        Err(self.abort(error))
    }

    #[inline(never)]
    fn primary(&mut self) -> Parsed<Operand> {
        let span = self.token.span;
        let kind = match self.token.kind {
            Tok::Number => ExprKind::Number(self.number()?),
            Tok::True | Tok::False => {
                let value = i32::from(self.at(Tok::True));
                self.advance();
                ExprKind::Number(value)
            }
            Tok::Ident => return self.variable(),
            Tok::LParen => return self.parenthesized(),
            _ => return Err(self.expected("an expression")),
        };
        Ok(Operand { content: Content::One(kind), span, height: 1 })
    }

    fn parenthesized(&mut self) -> Parsed<Operand> {
        let open = self.expect(Tok::LParen, "`(`")?;
        let inner = self.nested(Self::operators)?;
        if !self.at(Tok::RParen) {
            return Err(self.missing_closing("`)`", "`(`", open));
        }
        self.advance();
        let (span, height) = (open.to(self.previous), inner.height);
        Ok(Operand { content: Content::One(inner.close().kind), span, height })
    }

    /// The value of the present token, a number.
    pub(super) fn number(&mut self) -> Parsed<i32> {
        if let Ok(value) = self.text().parse() {
            self.advance();
            return Ok(value);
        }
        let error =
            Diagnostic::error("this number is too large").at(self.token.span, format!("the largest is {}", i32::MAX));
        Err(self.report(error))
    }

    /// What can be assigned to, or looks like it.
    pub(super) fn target(&mut self) -> Parsed<Expr> {
        if !self.at(Tok::Ident) {
            return Err(self.no_name("a variable"));
        }
        Ok(self.variable()?.close())
    }

    /// `x`, `x[i]`, `P.s`, `P->x`, `P->x[i]`
    fn variable(&mut self) -> Parsed<Operand> {
        let first = self.expect_name("a variable")?;
        let (dot, arrow) = (self.at(Tok::Dot), self.at(Tok::Arrow));
        let second = if dot || arrow {
            self.advance();
            Some(self.expect_name(if dot { "the name of a state" } else { "the name of a variable" })?)
        } else {
            None
        };
        let mut height = 1;
        let mut index = None;
        if self.at(Tok::LBracket) {
            let open = self.token.span;
            self.advance();
            let operand = self.nested(Self::operators)?;
            if !self.at(Tok::RBracket) {
                return Err(self.missing_closing("`]`", "`[`", open));
            }
            self.advance();
            height = self.grown(operand.height, first.span.to(self.previous))?;
            index = Some(Box::new(operand.close()));
        }
        let span = first.span.to(self.previous);
        let kind = match second {
            None => ExprKind::Name(first, index),
            Some(state) if dot => ExprKind::Dot(first, state, index),
            Some(variable) => ExprKind::Arrow(first, variable, index),
        };
        Ok(Operand { content: Content::One(kind), span, height })
    }
}

impl Operand {
    fn close(self) -> Expr {
        match self.content {
            Content::One(kind) => Expr { kind, span: self.span },
            Content::Chain(op, items, _) => balanced(op, items),
        }
    }
}

/// The operands of a chain as a tree of least height.
fn balanced(op: BinOp, mut items: Vec<Expr>) -> Expr {
    while items.len() > 1 {
        let mut paired = Vec::with_capacity(items.len().div_ceil(2));
        let mut rest = items.into_iter();
        while let Some(left) = rest.next() {
            let Some(right) = rest.next() else {
                paired.push(left);
                break;
            };
            let span = left.span.to(right.span);
            paired.push(Expr { kind: ExprKind::Binary(op, Box::new((left, right))), span });
        }
        items = paired;
    }
    items.pop().unwrap_or(Expr { kind: ExprKind::Number(0), span: Span::default() })
}
