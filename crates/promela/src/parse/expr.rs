//! Expressions.
//!
//! Binary operators are read with a stack instead of recursion; all associate to the left. `full`, `empty` and their
//! negations may stand under `&&` and `||` only, as in SPIN: a reduction may rely on nobody seeing a channel's negated
//! state.

use super::{Parsed, Parser, Reported};
use crate::ast::{BinOp, Expr, ExprKind, UnOp, VarPart, VarRef};
use crate::token::Tok;
use tightrope_syntax::{Diagnostic, Span};

/// How high an expression's tree may be: 1000 operators in a row.
const MAX_HEIGHT: u32 = 1000;

/// An expression while its surroundings are being read.
pub(super) struct Operand {
    expr: Expr,
    height: u32,
    /// Contains a probe of a channel at its top.
    probe: bool,
}

/// What a name turned out to be.
pub(super) enum Reference {
    Var(VarRef),
    /// `P@label`, `P[i]:x`
    Remote(Expr),
}

impl Parser<'_> {
    /// An expression. Afterwards `self.height` is its height.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        let operand = self.nested(|p| p.expression(None))?;
        self.height = operand.height;
        Ok(operand.expr)
    }

    /// An expression whose first operand is known already.
    pub(super) fn expr_from(&mut self, first: Operand) -> Parsed<Expr> {
        self.nested(|p| p.expression(Some(first))).map(|operand| operand.expr)
    }

    /// An operand as high as what was parsed last.
    pub(super) fn operand(&self, kind: ExprKind, span: Span) -> Operand {
        Operand { expr: Expr { kind, span }, height: self.height + 1, probe: false }
    }

    fn expression(&mut self, first: Option<Operand>) -> Parsed<Operand> {
        let mut operands: Vec<Operand> = Vec::new();
        let mut operators: Vec<(BinOp, u8)> = Vec::new();
        let mut right = match first {
            Some(first) => first,
            None => self.unary()?,
        };
        while let Some((operator, level)) = binary(self.token.kind) {
            while let Some((waiting, _)) = operators.pop_if(|(_, waiting)| *waiting >= level) {
                right = self.combine(waiting, operands.pop(), right)?;
            }
            operands.push(right);
            operators.push((operator, level));
            self.advance();
            right = self.unary()?;
        }
        while let Some((waiting, _)) = operators.pop() {
            right = self.combine(waiting, operands.pop(), right)?;
        }
        Ok(right)
    }

    #[inline(never)]
    fn combine(&mut self, operator: BinOp, left: Option<Operand>, right: Operand) -> Parsed<Operand> {
        let Some(left) = left else {
            return Ok(right);
        };
        let logical = matches!(operator, BinOp::And | BinOp::Or);
        if !logical {
            self.refuse_probe(&left)?;
            self.refuse_probe(&right)?;
        }
        let span = left.expr.span.to(right.expr.span);
        let height = self.grown(left.height.max(right.height), span)?;
        let probe = left.probe || right.probe;
        let kind = ExprKind::Binary(operator, Box::new(left.expr), Box::new(right.expr));
        Ok(Operand { expr: Expr { kind, span }, height, probe })
    }

    #[inline(never)]
    fn refuse_probe(&mut self, operand: &Operand) -> Parsed<()> {
        if !operand.probe {
            return Ok(());
        }
        let error = Diagnostic::error("`full`, `empty`, `nfull` and `nempty` can be operands of `&&` and `||` only")
            .at(operand.expr.span, "an operand of something else")
            .help("`nfull` is the negation of `full`, `nempty` that of `empty`; `len` gives a number");
        Err(self.report(error))
    }

    /// One more than `height`, if an expression may be that high.
    #[inline(never)]
    fn grown(&mut self, height: u32, span: Span) -> Parsed<u32> {
        if height < MAX_HEIGHT {
            return Ok(height + 1);
        }
        let error = Diagnostic::error(format!("this expression is more than {MAX_HEIGHT} operators high"))
            .at(span, "too long")
            .help("compute parts of it in statements of their own");
        Err(self.abort(error))
    }

    fn unary(&mut self) -> Parsed<Operand> {
        let mut operators: Vec<(UnOp, Span)> = Vec::new();
        loop {
            let operator = match self.token.kind {
                Tok::Bang => UnOp::Not,
                Tok::Minus => UnOp::Neg,
                Tok::Tilde => UnOp::BitNot,
                _ => break,
            };
            operators.push((operator, self.token.span));
            self.advance();
        }
        if operators.is_empty() {
            return self.primary();
        }
        let operand = self.primary()?;
        self.apply(operators, operand)
    }

    #[inline(never)]
    fn apply(&mut self, operators: Vec<(UnOp, Span)>, mut operand: Operand) -> Parsed<Operand> {
        for (operator, start) in operators.into_iter().rev() {
            self.refuse_probe(&operand)?;
            let span = start.to(operand.expr.span);
            let height = self.grown(operand.height, span)?;
            let kind = ExprKind::Unary(operator, Box::new(operand.expr));
            operand = Operand { expr: Expr { kind, span }, height, probe: false };
        }
        Ok(operand)
    }

    fn primary(&mut self) -> Parsed<Operand> {
        if self.at(Tok::LParen) {
            return self.parenthesised();
        }
        self.atom()
    }

    /// An operand that is not in parentheses.
    #[inline(never)]
    fn atom(&mut self) -> Parsed<Operand> {
        let start = self.token.span;
        self.height = 0;
        if let Some(value) = self.literal()? {
            self.advance();
            return Ok(self.operand(ExprKind::Const(value), start));
        }
        match self.token.kind {
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
    fn parenthesised(&mut self) -> Parsed<Operand> {
        let open = self.token.span;
        self.advance();
        let mut operand = self.nested(|p| p.expression(None))?;
        if self.at(Tok::Arrow) {
            operand = self.conditional(operand)?;
        }
        if !self.at(Tok::RParen) {
            return Err(self.missing_parenthesis(open));
        }
        operand.expr.span = open.to(self.token.span);
        self.advance();
        Ok(operand)
    }

    /// `-> a : b` after a condition.
    #[inline(never)]
    fn conditional(&mut self, condition: Operand) -> Parsed<Operand> {
        let arrow = self.token.span;
        self.advance();
        let yes = self.nested(|p| p.expression(None))?;
        if !self.at(Tok::Colon) {
            return Err(self.half_conditional(arrow));
        }
        self.advance();
        let no = self.nested(|p| p.expression(None))?;
        let span = condition.expr.span.to(no.expr.span);
        let height = self.grown(condition.height.max(yes.height).max(no.height), span)?;
        let kind = ExprKind::Cond(Box::new(condition.expr), Box::new(yes.expr), Box::new(no.expr));
        Ok(Operand { expr: Expr { kind, span }, height, probe: false })
    }

    /// Reports `(condition -> value` without the other value. Where statements follow, the parenthesis was to end before.
    #[cold]
    #[inline(never)]
    fn half_conditional(&mut self, arrow: Span) -> Reported {
        if matches!(self.token.kind, Tok::RParen | Tok::Comma) {
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
        let found = self.found();
        let error = Diagnostic::error(format!("expected `)`, found {found}"))
            .at(self.token.span, "a `)` is missing before this")
            .also(open, "for this `(`");
        self.report(error)
    }

    /// A variable in an expression, or the poll `c ? [x]`.
    #[inline(never)]
    pub(super) fn variable(&mut self, var: VarRef) -> Parsed<Operand> {
        let span = var.span;
        let random = self.at(Tok::QueryQuery);
        if (random || self.at(Tok::Query)) && self.cursor.raw(0).kind == Tok::LBracket {
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
            return Err(self.process_is_no_variable(self.token.span));
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
            let open = self.token.span;
            self.advance();
            index = Some(self.expr()?);
            let height = self.height;
            self.height = self.grown(height, name.span)?;
            if !self.at(Tok::RBracket) {
                return Err(self.missing_bracket(open));
            }
            self.advance();
        }
        Ok(VarPart { name, index })
    }

    /// `run P(a, b) priority 2`
    #[inline(never)]
    fn run(&mut self) -> Parsed<Operand> {
        let start = self.token.span;
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
    fn channel_function(&mut self) -> Parsed<Operand> {
        let (start, function) = (self.token.span, self.token.kind);
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
        Ok(Operand { probe: function != Tok::Len, ..self.operand(kind, start.to(end)) })
    }

    /// `enabled(p)` and its kind.
    #[inline(never)]
    fn process_function(&mut self) -> Parsed<Operand> {
        let (start, function) = (self.token.span, self.token.kind);
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

/// A binary operator and how strongly it binds.
fn binary(kind: Tok) -> Option<(BinOp, u8)> {
    Some(match kind {
        Tok::OrOr => (BinOp::Or, 0),
        Tok::AndAnd => (BinOp::And, 1),
        Tok::Or => (BinOp::BitOr, 2),
        Tok::Caret => (BinOp::BitXor, 3),
        Tok::And => (BinOp::BitAnd, 4),
        Tok::EqEq => (BinOp::Eq, 5),
        Tok::NotEq => (BinOp::Ne, 5),
        Tok::Lt => (BinOp::Lt, 6),
        Tok::Le => (BinOp::Le, 6),
        Tok::Gt => (BinOp::Gt, 6),
        Tok::Ge => (BinOp::Ge, 6),
        Tok::Shl => (BinOp::Shl, 7),
        Tok::Shr => (BinOp::Shr, 7),
        Tok::Plus => (BinOp::Add, 8),
        Tok::Minus => (BinOp::Sub, 8),
        Tok::Star => (BinOp::Mul, 9),
        Tok::Slash => (BinOp::Div, 9),
        Tok::Percent => (BinOp::Rem, 9),
        _ => return None,
    })
}
