//! Expressions.
//!
//! All binary operators associate to the left. `full`, `empty`, `nfull` and `nempty` may stand under `&&` and `||` only, as
//! in SPIN: no expression may depend on the negation of one of them, so that partial-order reduction can rely on it.

use super::Parser;
use crate::ast::{BinOp, Expr, ExprKind, UnOp, VarPart, VarRef};
use crate::token::Tok;
use tightrope_syntax::{
    Diagnostic, Expression, Operand, OperatorParser, Parsed, Pending, RecursiveDescent, Reported, Span, Spanned,
};

/// An expression while its surroundings are being read.
pub(super) struct Term {
    kind: ExprKind,
    /// Contains a probe of a channel at its top.
    probe: bool,
}

/// An expression whose surroundings were read.
fn plain(term: Spanned<Term>) -> Expr {
    Expr { kind: term.kind.kind, span: term.span }
}

impl Expression for Term {
    type Prefix = UnOp;
    type Infix = BinOp;

    fn unary(operator: UnOp, operand: Spanned<Term>) -> Self {
        Term { kind: ExprKind::Unary(operator, Box::new(plain(operand))), probe: false }
    }

    fn binary(operator: BinOp, left: Spanned<Term>, right: Spanned<Term>) -> Self {
        let probe = left.kind.probe || right.kind.probe;
        Term { kind: ExprKind::Binary(operator, Box::new(plain(left)), Box::new(plain(right))), probe }
    }

    fn prefix_precedence(_: UnOp) -> u8 {
        10
    }

    fn infix_precedence(operator: BinOp) -> u8 {
        match operator {
            BinOp::Or => 0,
            BinOp::And => 1,
            BinOp::BitOr => 2,
            BinOp::BitXor => 3,
            BinOp::BitAnd => 4,
            BinOp::Eq | BinOp::Ne => 5,
            BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => 6,
            BinOp::Shl | BinOp::Shr => 7,
            BinOp::Add | BinOp::Sub => 8,
            BinOp::Mul | BinOp::Div | BinOp::Rem => 9,
        }
    }
}

/// What a name turned out to be.
pub(super) enum Reference {
    Var(VarRef),
    /// `P@label`, `P[i]:x`
    Remote(Expr),
}

impl OperatorParser for Parser<'_> {
    type Expr = Term;

    const TOO_HIGH_HELP: &'static str = "compute parts of it in statements of their own";

    fn prefix(&self) -> Option<UnOp> {
        match self.kind() {
            Tok::Bang => Some(UnOp::Not),
            Tok::Minus => Some(UnOp::Neg),
            Tok::Tilde => Some(UnOp::BitNot),
            _ => None,
        }
    }

    fn infix(&mut self, _pending: &[Pending<Term>]) -> Option<BinOp> {
        Some(match self.kind() {
            Tok::OrOr => BinOp::Or,
            Tok::AndAnd => BinOp::And,
            Tok::Or => BinOp::BitOr,
            Tok::Caret => BinOp::BitXor,
            Tok::And => BinOp::BitAnd,
            Tok::EqEq => BinOp::Eq,
            Tok::NotEq => BinOp::Ne,
            Tok::Lt => BinOp::Lt,
            Tok::Le => BinOp::Le,
            Tok::Gt => BinOp::Gt,
            Tok::Ge => BinOp::Ge,
            Tok::Shl => BinOp::Shl,
            Tok::Shr => BinOp::Shr,
            Tok::Plus => BinOp::Add,
            Tok::Minus => BinOp::Sub,
            Tok::Star => BinOp::Mul,
            Tok::Slash => BinOp::Div,
            Tok::Percent => BinOp::Rem,
            _ => return None,
        })
    }

    fn primary(&mut self) -> Parsed<Operand<Term>> {
        if self.at(Tok::LParen) { self.parenthesised() } else { self.atom() }
    }

    fn check_operand(&mut self, operator: &Pending<Term>, operand: &Operand<Term>) -> Parsed<()> {
        if matches!(operator, Pending::Infix(BinOp::And | BinOp::Or, _)) {
            return Ok(());
        }
        if !operand.expr().is_some_and(|term| term.kind.probe) {
            return Ok(());
        }
        let error = Diagnostic::error("`full`, `empty`, `nfull` and `nempty` can be operands of `&&` and `||` only")
            .at(operand.span(), "an operand of something else")
            .help("`nfull` is the negation of `full`, `nempty` that of `empty`; `len` gives a number");
        Err(self.report(error))
    }
}

impl Parser<'_> {
    /// An expression. Afterwards `self.height` is its height.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        let operand = self.nested(Self::operators)?;
        self.height = operand.height();
        Ok(plain(operand.into_expr()))
    }

    /// An expression whose first operand is known already.
    pub(super) fn expr_from(&mut self, first: Operand<Term>) -> Parsed<Expr> {
        let operand = self.nested(|p| p.operators_after(Vec::new(), first))?;
        Ok(plain(operand.into_expr()))
    }

    /// An operand one higher than what was parsed last.
    pub(super) fn operand(&self, kind: ExprKind, span: Span) -> Operand<Term> {
        Operand::new(Spanned { kind: Term { kind, probe: false }, span }, self.height + 1)
    }

    /// An operand that is not in parentheses.
    #[inline(never)]
    fn atom(&mut self) -> Parsed<Operand<Term>> {
        let start = self.span();
        self.height = 0;
        if let Some(value) = self.literal()? {
            self.advance();
            return Ok(self.operand(ExprKind::Const(value), start));
        }
        match self.kind() {
            Tok::Ident => match self.reference()? {
                Reference::Remote(expr) => Ok(self.operand(expr.kind, expr.span)),
                Reference::Var(var) => self.variable(var),
            },
            Tok::Timeout | Tok::NonProgress => {
                let kind = if self.at(Tok::Timeout) { ExprKind::Timeout } else { ExprKind::NonProgress };
                self.advance();
                Ok(self.operand(kind, start))
            }
            Tok::Run => self.run(),
            Tok::Len | Tok::Empty | Tok::Nempty | Tok::Full | Tok::Nfull => self.channel_function(),
            Tok::Enabled | Tok::PcValue | Tok::GetPriority => self.process_function(),
            Tok::CExpr => {
                self.embedded_c();
                Ok(self.operand(ExprKind::Const(0), start))
            }
            _ => Err(self.expected("an expression")),
        }
    }

    /// `(e)` or `(c -> a : b)`
    fn parenthesised(&mut self) -> Parsed<Operand<Term>> {
        let open = self.span();
        self.advance();
        let mut operand = self.nested(Self::operators)?;
        if self.at(Tok::Arrow) {
            operand = self.conditional(operand)?;
        }
        if !self.at(Tok::RParen) {
            return Err(self.missing_parenthesis(open));
        }
        self.advance();
        Ok(operand.parenthesised(open.to(self.previous)))
    }

    /// `-> a : b` after a condition.
    #[inline(never)]
    fn conditional(&mut self, condition: Operand<Term>) -> Parsed<Operand<Term>> {
        let arrow = self.span();
        self.advance();
        let yes = self.nested(Self::operators)?;
        if !self.at(Tok::Colon) {
            return Err(self.half_conditional(arrow));
        }
        self.advance();
        let no = self.nested(Self::operators)?;
        let span = condition.span().to(no.span());
        let height = self.grown(condition.height().max(yes.height()).max(no.height()), span)?;
        let [condition, yes, no] = [condition, yes, no].map(|operand| Box::new(plain(operand.into_expr())));
        let kind = Term { kind: ExprKind::Cond(condition, yes, no), probe: false };
        Ok(Operand::new(Spanned { kind, span }, height))
    }

    /// Reports `(condition -> value` without the other value. Where statements follow, the parenthesis was to end before.
    #[cold]
    #[inline(never)]
    fn half_conditional(&mut self, arrow: Span) -> Reported {
        if matches!(self.kind(), Tok::RParen | Tok::Comma) {
            return self.expected("`:` and the other value");
        }
        let error = Diagnostic::error("expected `)`, found `->`")
            .at(arrow, "a `)` is missing before this")
            .help("inside parentheses, `->` belongs to a conditional expression `(condition -> value : other)`");
        self.report(error)
    }

    #[cold]
    #[inline(never)]
    fn missing_parenthesis(&mut self, open: Span) -> Reported {
        if self.at(Tok::Assign) {
            return self.expected("`)`");
        }
        let error = self.missing_bracket("`)`", "`(`", open);
        self.report(error)
    }

    /// A variable in an expression, or the poll `c ? [x]`.
    #[inline(never)]
    pub(super) fn variable(&mut self, var: VarRef) -> Parsed<Operand<Term>> {
        let span = var.span;
        let random = self.at(Tok::QueryQuery);
        if (random || self.at(Tok::Query)) && self.stream.raw(0).kind == Tok::LBracket {
            let height = self.height;
            self.advance();
            self.advance();
            let args = self.patterns()?;
            let end = self.expect(Tok::RBracket, "`]`")?;
            self.height = self.height.max(height);
            return Ok(self.operand(ExprKind::Poll { chan: var, random, args }, span.to(end)));
        }
        Ok(self.operand(ExprKind::Var(var), span))
    }

    /// A name and what belongs to it: `a`, `a[i].b`, `P@label`, `P[i]:x`. Sets `self.height`.
    #[inline(never)]
    pub(super) fn reference(&mut self) -> Parsed<Reference> {
        let is_process = self.proctypes.contains(&self.token.text);
        let first = self.part()?;
        let remote = self.at(Tok::At) || (is_process && self.at(Tok::Colon));
        if !remote {
            if is_process {
                return Err(self.process_is_no_variable(first.name.span));
            }
            return self.rest_of_variable(first).map(Reference::Var);
        }
        let height = self.height;
        let start = first.name.span;
        let (proc, index) = (first.name, first.index.map(Box::new));
        let kind = if self.accept(Tok::At) {
            let label = self.expect_name("a label")?;
            ExprKind::RemoteLabel { proc, index, label }
        } else {
            self.advance();
            let var = self.var_ref()?;
            ExprKind::RemoteVar { proc, index, var }
        };
        self.height = self.height.max(height);
        Ok(Reference::Remote(Expr { kind, span: start.to(self.previous) }))
    }

    /// Reports a process type's name where a variable's must stand.
    pub(super) fn refuse_process_name(&mut self) -> Parsed<()> {
        if self.at(Tok::Ident) && self.proctypes.contains(&self.token.text) {
            return Err(self.process_is_no_variable(self.span()));
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn process_is_no_variable(&mut self, span: Span) -> Reported {
        let error = Diagnostic::error("a process type cannot be used as a variable")
            .at(span, "this is a process type")
            .help("`run P()` starts a process, `P@label` and `P:x` look into one");
        self.report(error)
    }

    /// `a[i].b.c[j]`. Sets `self.height`.
    pub(super) fn var_ref(&mut self) -> Parsed<VarRef> {
        self.refuse_process_name()?;
        let first = self.part()?;
        self.rest_of_variable(first)
    }

    fn rest_of_variable(&mut self, first: VarPart) -> Parsed<VarRef> {
        let start = first.name.span;
        let mut parts = vec![first];
        let mut height = self.height;
        while self.accept(Tok::Dot) {
            parts.push(self.part()?);
            height = height.max(self.height);
        }
        self.height = height;
        Ok(VarRef { parts, span: start.to(self.previous), text: None })
    }

    fn part(&mut self) -> Parsed<VarPart> {
        let name = self.expect_name("a name")?;
        self.height = 0;
        let mut index = None;
        if self.at(Tok::LBracket) {
            let open = self.span();
            self.advance();
            index = Some(self.expr()?);
            let height = self.height;
            self.height = self.grown(height, name.span)?;
            if !self.at(Tok::RBracket) {
                let error = self.missing_bracket("`]`", "`[`", open);
                return Err(self.report(error));
            }
            self.advance();
        }
        Ok(VarPart { name, index })
    }

    /// `run P(a, b) priority 2`
    #[inline(never)]
    fn run(&mut self) -> Parsed<Operand<Term>> {
        let start = self.span();
        self.advance();
        let name = self.expect_name("the name of a process type")?;
        self.expect(Tok::LParen, "`(`")?;
        let args = if self.at(Tok::RParen) { Vec::new() } else { self.exprs()? };
        let height = self.height;
        self.expect(Tok::RParen, "`,` or `)`")?;
        let priority = self.priority()?.map(Box::new);
        self.height = if args.is_empty() { 0 } else { height };
        let span = start.to(self.previous);
        Ok(self.operand(ExprKind::Run { name, args, priority }, span))
    }

    /// `len(c)` and its kind.
    #[inline(never)]
    fn channel_function(&mut self) -> Parsed<Operand<Term>> {
        let (start, function) = (self.span(), self.kind());
        self.advance();
        self.expect(Tok::LParen, "`(`")?;
        let chan = self.var_ref()?;
        let end = self.expect(Tok::RParen, "`)`")?;
        let kind = match function {
            Tok::Len => ExprKind::Len(chan),
            Tok::Empty => ExprKind::Empty(chan),
            Tok::Nempty => ExprKind::Nempty(chan),
            Tok::Full => ExprKind::Full(chan),
            _ => ExprKind::Nfull(chan),
        };
        let kind = Term { kind, probe: function != Tok::Len };
        Ok(Operand::new(Spanned { kind, span: start.to(end) }, self.height + 1))
    }

    /// `enabled(p)` and its kind.
    #[inline(never)]
    fn process_function(&mut self) -> Parsed<Operand<Term>> {
        let (start, function) = (self.span(), self.kind());
        self.advance();
        self.expect(Tok::LParen, "`(`")?;
        let pid = Box::new(self.expr()?);
        let end = self.expect(Tok::RParen, "`)`")?;
        let kind = match function {
            Tok::Enabled => ExprKind::Enabled(pid),
            Tok::PcValue => ExprKind::PcValue(pid),
            _ => ExprKind::GetPriority(pid),
        };
        Ok(self.operand(kind, start.to(end)))
    }

    /// At least one expression, separated by commas. Sets `self.height` to the highest.
    #[inline(never)]
    pub(super) fn exprs(&mut self) -> Parsed<Vec<Expr>> {
        let mut list = vec![self.expr()?];
        let mut height = self.height;
        while self.accept(Tok::Comma) {
            list.push(self.expr()?);
            height = height.max(self.height);
        }
        self.height = height;
        Ok(list)
    }
}
