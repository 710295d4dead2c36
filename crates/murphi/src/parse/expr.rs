//! Expressions.
//!
//! From loosest to tightest: `? :`, `->`, `|`, `&`, `!`, comparisons, `+ -`, `* / %` and signs. Comparisons and `->` do
//! not associate; `!a = b` is `!(a = b)`.

use super::Parser;
use crate::ast::{Expr, ExprKind, Prefix, Quantifier};
use crate::hir::Binary;
use crate::token::Tok;
use tightrope_syntax::{
    Diagnostic, Expression, Operand, OperatorParser, Parsed, Pending, RecursiveDescent, Reported, Span,
};

/// The precedence of comparisons.
const COMPARISON: u8 = 5;

impl Expression for ExprKind {
    type Prefix = Prefix;
    type Infix = Binary;

    fn unary(operator: Prefix, operand: Expr) -> Self {
        ExprKind::Unary(operator, Box::new(operand))
    }

    fn binary(operator: Binary, left: Expr, right: Expr) -> Self {
        ExprKind::Binary(operator, Box::new((left, right)))
    }

    fn prefix_precedence(operator: Prefix) -> u8 {
        match operator {
            Prefix::Not => 4,
            Prefix::Plus | Prefix::Minus => 7,
        }
    }

    fn infix_precedence(operator: Binary) -> u8 {
        match operator {
            Binary::Implies => 1,
            Binary::Or => 2,
            Binary::And => 3,
            Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => COMPARISON,
            Binary::Add | Binary::Sub => 6,
            Binary::Mul | Binary::Div | Binary::Mod => 7,
        }
    }

    fn associates(operator: Binary) -> bool {
        operator != Binary::Implies && Self::infix_precedence(operator) != COMPARISON
    }

    fn regroups(operator: Binary) -> bool {
        matches!(operator, Binary::And | Binary::Or)
    }
}

fn infix(kind: Tok) -> Option<Binary> {
    Some(match kind {
        Tok::Arrow => Binary::Implies,
        Tok::Or | Tok::OrOr => Binary::Or,
        Tok::And | Tok::AndAnd => Binary::And,
        Tok::Eq | Tok::EqEq => Binary::Eq,
        Tok::Ne => Binary::Ne,
        Tok::Lt => Binary::Lt,
        Tok::Le => Binary::Le,
        Tok::Gt => Binary::Gt,
        Tok::Ge => Binary::Ge,
        Tok::Plus => Binary::Add,
        Tok::Minus => Binary::Sub,
        Tok::Star => Binary::Mul,
        Tok::Slash => Binary::Div,
        Tok::Percent => Binary::Mod,
        _ => return None,
    })
}

impl OperatorParser for Parser<'_> {
    type Expr = ExprKind;

    const TOO_HIGH_HELP: &'static str = "compute parts of it in functions of their own";

    fn prefix(&self) -> Option<Prefix> {
        match self.kind() {
            Tok::Not => Some(Prefix::Not),
            Tok::Plus => Some(Prefix::Plus),
            Tok::Minus => Some(Prefix::Minus),
            _ => None,
        }
    }

    fn infix(&mut self, pending: &[Pending<ExprKind>]) -> Option<Binary> {
        let arrow = self.at_short_arrow() || self.at(Tok::Arrow);
        let width = if self.at(Tok::Arrow) { 1 } else { 2 };
        let ends_guard = self.in_guard && arrow && self.body_starts(width);
        let operator = infix(self.kind()).filter(|_| !ends_guard)?;
        self.check_infix(operator);
        Some(if self.at_short_arrow() { self.short_arrow(pending) } else { operator })
    }

    fn primary(&mut self) -> Parsed<Operand<ExprKind>> {
        match self.kind() {
            Tok::LParen => self.parenthesised(),
            Tok::Ident if self.cursor.peek(1).kind != Tok::LParen => self.variable(),
            _ => self.atom(),
        }
    }

    #[cold]
    fn not_associative(&mut self, before: Binary, span: Span) -> Reported {
        let message = if before == Binary::Implies {
            "implications cannot be chained without parentheses"
        } else {
            "comparisons cannot be chained"
        };
        let mut error = Diagnostic::error(message).at(self.span(), "the second").also(span, "the first");
        error = if before == Binary::Implies {
            error.help("write `a -> (b -> c)` or `(a -> b) -> c`")
        } else {
            error.help("write `a < b & b < c`, or put one of them in parentheses")
        };
        self.report(error)
    }
}

impl Parser<'_> {
    /// Whether an expression can start with the current token.
    pub(super) fn starts_expr(&self) -> bool {
        matches!(
            self.kind(),
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

    /// An expression. `self.max_height` becomes its height, if it was less.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        let operand = self.conditional()?;
        self.max_height = self.max_height.max(operand.height());
        Ok(operand.into_expr())
    }

    /// An operand with all operators, and the `? :` after it.
    fn conditional(&mut self) -> Parsed<Operand<ExprKind>> {
        let condition = self.nested(Self::operators)?;
        if !self.at(Tok::Query) {
            return Ok(condition);
        }
        self.advance();
        let yes = self.nested(Self::conditional)?;
        self.expect(Tok::Colon, "`:` and the other value")?;
        let no = self.nested(Self::conditional)?;
        let span = condition.span().to(no.span());
        let height = self.grown(condition.height().max(yes.height()).max(no.height()), span)?;
        let kind = ExprKind::Cond(Box::new((condition.into_expr(), yes.into_expr(), no.into_expr())));
        Ok(Operand::new(Expr { kind, span }, height))
    }

    /// Reports `=>` in an expression; the operator that is meant.
    #[cold]
    fn short_arrow(&mut self, pending: &[Pending<ExprKind>]) -> Binary {
        let compares = |pending: &Pending<ExprKind>| matches!(pending, Pending::Infix(operator, _) if ExprKind::infix_precedence(*operator) == COMPARISON);
        let implies = pending.iter().any(compares);
        let (op, meant) = if implies {
            (Binary::Implies, "the implication is written `->`")
        } else {
            (Binary::Ge, "the comparison is written `>=`, the implication `->`")
        };
        let span = self.span().to(self.cursor.peek(1).span);
        self.report(Diagnostic::error("`=>` is not an operator of Murphi").at(span, "not an operator").help(meant));
        self.advance();
        op
    }

    /// Warns about operators that only Rumur understands.
    #[inline(never)]
    fn check_infix(&mut self, op: Binary) {
        let kind = self.kind();
        if !matches!(kind, Tok::OrOr | Tok::AndAnd | Tok::EqEq) || self.recovery().stopped || !self.warned.insert(kind)
        {
            return;
        }
        let warning = Diagnostic::warning(format!("`{}` is not Murphi; `{}` is meant", self.text(), op.spelled()))
            .at(self.span(), format!("write `{}`", op.spelled()))
            .note("Rumur accepts it, CMurphi does not");
        self.diagnostics().push(warning);
    }

    fn parenthesised(&mut self) -> Parsed<Operand<ExprKind>> {
        let open = self.span();
        self.advance();
        let operand = self.conditional()?;
        if !self.at(Tok::RParen) {
            return Err(self.missing_parenthesis(open));
        }
        self.advance();
        Ok(operand.parenthesised(open.to(self.cursor.previous)))
    }

    #[inline(never)]
    fn atom(&mut self) -> Parsed<Operand<ExprKind>> {
        let start = self.span();
        let outside = std::mem::take(&mut self.max_height);
        let kind = self.atom_kind();
        let inside = std::mem::replace(&mut self.max_height, outside);
        let kind = kind?;
        let span = start.to(self.cursor.previous);
        let height = self.grown(inside, span)?;
        Ok(Operand::new(Expr { kind, span }, height))
    }

    fn atom_kind(&mut self) -> Parsed<ExprKind> {
        let start = self.span();
        let kind = match self.kind() {
            Tok::Number => ExprKind::Number(self.expect_number()?),
            Tok::Real => return Err(self.refuse_reals(start)),
            Tok::Ident => {
                let name = self.expect_ident("a function")?;
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
        let open = self.span();
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

    pub(super) fn designator(&mut self) -> Parsed<Expr> {
        if !self.at(Tok::Ident) {
            return Err(self.expected("a variable"));
        }
        let operand = self.nested(Self::variable)?;
        self.max_height = self.max_height.max(operand.height());
        Ok(operand.into_expr())
    }

    /// `a`, `a.b`, `a[i].b`
    #[inline(never)]
    fn variable(&mut self) -> Parsed<Operand<ExprKind>> {
        let name = self.expect_ident("a variable")?;
        let start = name.span;
        let mut expr = Expr { kind: ExprKind::Name(name), span: start };
        let mut height = 1;
        loop {
            let kind = if self.accept(Tok::Dot) {
                let field = self.expect_ident("the name of a field")?;
                ExprKind::Field(Box::new(expr), field)
            } else if self.at(Tok::LBracket) {
                let open = self.span();
                self.advance();
                let index = self.conditional()?;
                height = height.max(index.height());
                if !self.at(Tok::RBracket) {
                    return Err(self.missing_square_bracket(open));
                }
                self.advance();
                ExprKind::Index(Box::new((expr, index.into_expr())))
            } else {
                break;
            };
            let span = start.to(self.cursor.previous);
            height = self.grown(height, span)?;
            expr = Expr { kind, span };
        }
        Ok(Operand::new(expr, height))
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
