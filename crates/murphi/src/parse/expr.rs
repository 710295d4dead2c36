//! Expressions.
//!
//! From loosest to tightest: `? :`, `->`, `|`, `&`, `!`, comparisons, `+ -`, `* / %` and signs. Comparisons and `->` do
//! not associate; `!a = b` is `!(a = b)`. Operators are read with a stack instead of recursion. Chains of `&` and `|`
//! become balanced trees: grouping changes neither their value nor the order in which operands are evaluated, and
//! generated models contain chains of thousands.

use super::{Parsed, Parser, Reported};
use crate::ast::{BinOp, Expr, ExprKind, Name, Quantifier, UnOp};
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
    /// The operands of a chain of `&` or of `|`, and the height of the highest.
    Chain(BinOp, Vec<Expr>, u32),
}

/// An operator that waits for its right operand.
#[derive(Clone, Copy)]
enum Waiting {
    Prefix(UnOp, Span),
    Infix(BinOp, Span),
}

impl Waiting {
    fn level(self) -> u8 {
        match self {
            Waiting::Prefix(UnOp::Not, _) => 4,
            Waiting::Prefix(..) => 7,
            Waiting::Infix(op, _) => level(op),
        }
    }
}

fn level(op: BinOp) -> u8 {
    match op {
        BinOp::Implies => 1,
        BinOp::Or => 2,
        BinOp::And => 3,
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => 5,
        BinOp::Add | BinOp::Sub => 6,
        BinOp::Mul | BinOp::Div | BinOp::Mod => 7,
    }
}

fn infix(kind: Tok) -> Option<BinOp> {
    Some(match kind {
        Tok::Arrow => BinOp::Implies,
        Tok::Or | Tok::OrOr => BinOp::Or,
        Tok::And | Tok::AndAnd => BinOp::And,
        Tok::Eq | Tok::EqEq => BinOp::Eq,
        Tok::Ne => BinOp::Ne,
        Tok::Lt => BinOp::Lt,
        Tok::Le => BinOp::Le,
        Tok::Gt => BinOp::Gt,
        Tok::Ge => BinOp::Ge,
        Tok::Plus => BinOp::Add,
        Tok::Minus => BinOp::Sub,
        Tok::Star => BinOp::Mul,
        Tok::Slash => BinOp::Div,
        Tok::Percent => BinOp::Mod,
        _ => return None,
    })
}

impl Parser<'_> {
    /// Whether an expression can start with the present token.
    pub(super) fn starts_expr(&self) -> bool {
        matches!(
            self.token.kind,
            Tok::Ident
                | Tok::Number
                | Tok::Real
                | Tok::LParen
                | Tok::Not
                | Tok::Plus
                | Tok::Minus
                | Tok::Forall
                | Tok::Exists
                | Tok::IsUndefined
                | Tok::IsMember
                | Tok::MultisetCount
        )
    }

    /// An expression. `self.tallest` becomes its height, if it was less.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        let operand = self.conditional()?;
        self.tallest = self.tallest.max(operand.height);
        Ok(operand.close())
    }

    /// An operand with all operators, and the `? :` after it.
    fn conditional(&mut self) -> Parsed<Operand> {
        let condition = self.nested(Self::operators)?;
        if !self.at(Tok::Query) {
            return Ok(condition);
        }
        self.advance();
        let yes = self.nested(Self::conditional)?;
        self.expect(Tok::Colon, "`:` and the other value")?;
        let no = self.nested(Self::conditional)?;
        let span = condition.span.to(no.span);
        let height = self.grown(condition.height.max(yes.height).max(no.height), span)?;
        let kind = ExprKind::Cond(Box::new((condition.close(), yes.close(), no.close())));
        Ok(Operand { content: Content::One(kind), span, height })
    }

    fn operators(&mut self) -> Parsed<Operand> {
        let mut operands: Vec<Operand> = Vec::new();
        let mut waiting: Vec<Waiting> = Vec::new();
        loop {
            while let Some(op) = self.prefix() {
                waiting.push(Waiting::Prefix(op, self.token.span));
                self.advance();
            }
            let mut right = self.primary()?;
            let arrow = self.at_short_arrow() || self.at(Tok::Arrow);
            let width = if self.at(Tok::Arrow) { 1 } else { 2 };
            let ends_guard = self.in_guard && arrow && self.body_starts(width);
            let Some(op) = infix(self.token.kind).filter(|_| !ends_guard) else {
                while let Some(top) = waiting.pop() {
                    right = self.apply(top, &mut operands, right)?;
                }
                return Ok(right);
            };
            self.check_infix(op);
            let op = if self.at_short_arrow() { self.short_arrow(&waiting) } else { op };
            while let Some(top) = waiting.pop_if(|top| binds_before(*top, op)) {
                right = self.apply(top, &mut operands, right)?;
            }
            if let Some(&Waiting::Infix(before, span)) = waiting.last()
                && level(before) == level(op)
            {
                return Err(self.chained(before, span));
            }
            operands.push(right);
            waiting.push(Waiting::Infix(op, self.token.span));
            self.advance();
        }
    }

    /// Reports `=>` in an expression; the operator that is meant.
    #[cold]
    fn short_arrow(&mut self, waiting: &[Waiting]) -> BinOp {
        let compares = |waiting: &Waiting| matches!(waiting, Waiting::Infix(op, _) if level(*op) == level(BinOp::Eq));
        let implies = waiting.iter().any(compares);
        let (op, meant) = if implies {
            (BinOp::Implies, "the implication is written `->`")
        } else {
            (BinOp::Ge, "the comparison is written `>=`, the implication `->`")
        };
        let span = self.token.span.to(self.peek(1).span);
        self.report(Diagnostic::error("`=>` is not an operator of Murphi").at(span, "not an operator").help(meant));
        self.advance();
        op
    }

    fn prefix(&self) -> Option<UnOp> {
        match self.token.kind {
            Tok::Not => Some(UnOp::Not),
            Tok::Plus => Some(UnOp::Plus),
            Tok::Minus => Some(UnOp::Minus),
            _ => None,
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
            Waiting::Infix(op, _) => (op, operands.pop()),
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
            .help("compute parts of it in functions of their own");
        Err(self.abort(error))
    }

    /// Warns about operators that only Rumur understands.
    #[inline(never)]
    fn check_infix(&mut self, op: BinOp) {
        let kind = self.token.kind;
        if !matches!(kind, Tok::OrOr | Tok::AndAnd | Tok::EqEq) || self.aborted || !self.warned.insert(kind) {
            return;
        }
        let warning = Diagnostic::warning(format!("`{}` is not Murphi; `{}` is meant", self.text(), op.spelled()))
            .at(self.token.span, format!("write `{}`", op.spelled()))
            .note("Rumur accepts it, CMurphi does not");
        self.diags.push(warning);
    }

    #[cold]
    fn chained(&mut self, before: BinOp, span: Span) -> Reported {
        let message = if before == BinOp::Implies {
            "implications cannot be chained without parentheses"
        } else {
            "comparisons cannot be chained"
        };
        let mut error = Diagnostic::error(message).at(self.token.span, "the second").also(span, "the first");
        error = if before == BinOp::Implies {
            error.help("write `a -> (b -> c)` or `(a -> b) -> c`")
        } else {
            error.help("write `a < b & b < c`, or put one of them in parentheses")
        };
        self.report(error)
    }

    fn primary(&mut self) -> Parsed<Operand> {
        match self.token.kind {
            Tok::LParen => self.parenthesised(),
            Tok::Ident if self.peek(1).kind != Tok::LParen => self.variable(),
            _ => self.atom(),
        }
    }

    fn parenthesised(&mut self) -> Parsed<Operand> {
        let open = self.token.span;
        self.advance();
        let mut operand = self.conditional()?;
        if !self.at(Tok::RParen) {
            return Err(self.missing_parenthesis(open));
        }
        operand.span = open.to(self.token.span);
        self.advance();
        // A chain in parentheses is an operand of its own.
        let (span, height) = (operand.span, operand.height);
        let closed = operand.close();
        Ok(Operand { content: Content::One(closed.kind), span, height })
    }

    #[inline(never)]
    fn atom(&mut self) -> Parsed<Operand> {
        let start = self.token.span;
        let outside = std::mem::take(&mut self.tallest);
        let kind = self.atom_kind();
        let inside = std::mem::replace(&mut self.tallest, outside);
        let kind = kind?;
        let span = start.to(self.previous);
        let height = self.grown(inside, span)?;
        Ok(Operand { content: Content::One(kind), span, height })
    }

    fn atom_kind(&mut self) -> Parsed<ExprKind> {
        let start = self.token.span;
        let kind = match self.token.kind {
            Tok::Number => ExprKind::Number(self.number()?),
            Tok::Real => return Err(self.refuse_reals(start)),
            Tok::Ident => {
                let name = self.expect_name("a function")?;
                ExprKind::Call(name, self.arguments()?)
            }
            Tok::Forall | Tok::Exists => self.quantified()?,
            Tok::IsUndefined => {
                self.advance();
                self.expect(Tok::LParen, "`(`")?;
                let what = self.designator()?;
                self.expect(Tok::RParen, "`)`")?;
                ExprKind::IsUndefined(Box::new(what))
            }
            Tok::IsMember => {
                self.advance();
                self.expect(Tok::LParen, "`(`")?;
                let what = self.designator()?;
                self.expect(Tok::Comma, "`,` and a type")?;
                let ty = self.type_expr()?;
                self.expect(Tok::RParen, "`)`")?;
                ExprKind::IsMember(Box::new((what, ty)))
            }
            Tok::MultisetCount => {
                self.advance();
                self.expect(Tok::LParen, "`(`")?;
                let over = self.selection()?;
                self.expect(Tok::Comma, "`,` and a condition")?;
                let condition = self.expr()?;
                self.expect(Tok::RParen, "`)`")?;
                ExprKind::MultisetCount(Box::new((over, condition)))
            }
            _ => return Err(self.expected("an expression")),
        };
        Ok(kind)
    }

    fn quantified(&mut self) -> Parsed<ExprKind> {
        let open = self.token.span;
        let all = self.at(Tok::Forall);
        self.advance();
        let inside = self.quantified_inside(if all { Tok::EndForall } else { Tok::EndExists }, open);
        if inside.is_err() {
            self.skip_quantified(1);
        }
        let (quantifiers, body) = inside?;
        Ok(ExprKind::Quantified(all, quantifiers, body))
    }

    fn quantified_inside(&mut self, end: Tok, open: Span) -> Parsed<(Vec<Quantifier>, Box<Expr>)> {
        let quantifiers = self.quantifiers()?;
        self.do_or_colon()?;
        let body = Box::new(self.expr()?);
        self.close(end, open)?;
        Ok((quantifiers, body))
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

    pub(super) fn designator(&mut self) -> Parsed<Expr> {
        if !self.at(Tok::Ident) {
            return Err(self.expected("a variable"));
        }
        let operand = self.nested(Self::variable)?;
        self.tallest = self.tallest.max(operand.height);
        Ok(operand.close())
    }

    /// `a`, `a.b`, `a[i].b`
    #[inline(never)]
    fn variable(&mut self) -> Parsed<Operand> {
        let name = self.expect_name("a variable")?;
        let start = name.span;
        let mut expr = Expr { kind: ExprKind::Name(name), span: start };
        let mut height = 1;
        loop {
            let kind = if self.accept(Tok::Dot) {
                let field: Name = self.expect_name("the name of a field")?;
                ExprKind::Field(Box::new(expr), field)
            } else if self.at(Tok::LBracket) {
                let open = self.token.span;
                self.advance();
                let index = self.conditional()?;
                height = height.max(index.height);
                if !self.at(Tok::RBracket) {
                    return Err(self.missing_bracket(open));
                }
                self.advance();
                ExprKind::Index(Box::new((expr, index.close())))
            } else {
                break;
            };
            let span = start.to(self.previous);
            height = self.grown(height, span)?;
            expr = Expr { kind, span };
        }
        Ok(Operand { content: Content::One(expr.kind), span: expr.span, height })
    }

    /// `(a, undefined, b)`
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Option<Expr>>> {
        let open = self.expect(Tok::LParen, "`(`")?;
        let mut args = Vec::new();
        while !self.at(Tok::RParen) {
            if self.accept(Tok::Undefined) {
                args.push(None);
            } else {
                args.push(Some(self.expr()?));
            }
            if !self.accept(Tok::Comma) {
                break;
            }
        }
        if !self.at(Tok::RParen) {
            return Err(self.missing_parenthesis(open));
        }
        self.advance();
        Ok(args)
    }
}

/// Whether an operator that waits is applied before the infix operator after its operand.
fn binds_before(waiting: Waiting, next: BinOp) -> bool {
    let associates = !matches!(waiting, Waiting::Infix(op, _) if matches!(level(op), 1 | 5));
    waiting.level() > level(next) || (waiting.level() == level(next) && associates)
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
