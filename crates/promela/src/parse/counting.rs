//! `for` and `select`: statements that count through a range.

use super::Parser;
use super::unexpected::RANGE;
use crate::ast::{Bound, Expr, ExprKind, Seq, Stmt, StmtKind, VarRef};
use crate::token::{Flags, Tok};
use tightrope_syntax::{Diagnostic, Parsed, RecursiveDescent};

/// What a `for` runs over.
enum LoopDomain {
    Range(Box<(Bound, Bound)>),
    Elements(VarRef),
}

impl Parser<'_> {
    /// `for (x : a .. b) { … }` or `for (x in y) { … }`
    #[inline(never)]
    pub(super) fn for_loop(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let head = self.for_head();
        if head.is_err() {
            self.skip_loop();
        }
        let (var, low, high) = match head? {
            (var, LoopDomain::Range(range)) => (var, range.0, range.1),
            (var, LoopDomain::Elements(over)) => {
                let body = self.for_body()?;
                return Ok(StmtKind::ForIn { var, over, body });
            }
        };
        let body = self.for_body()?;
        Ok(StmtKind::ForRange { var, low, high, body })
    }

    /// `(x : a .. b)` or `(x in y)`
    fn for_head(&mut self) -> Parsed<(VarRef, LoopDomain)> {
        self.expect(Tok::LParen, "`(`")?;
        let var = self.counted_variable()?;
        if self.at(Tok::Ident) && self.text() == "in" {
            self.advance();
            let over = self.counted_variable()?;
            self.expect(Tok::RParen, "`)`")?;
            return Ok((var, LoopDomain::Elements(over)));
        }
        Ok((var, LoopDomain::Range(Box::new(self.range()?))))
    }

    /// The end of the line after the head is no separator.
    fn for_body(&mut self) -> Parsed<Seq> {
        self.accept(Tok::Semi);
        self.nested(|p| p.block())
    }

    /// `select (x : a .. b)`
    ///
    /// Where the bounds are numbers and no more than 32 apart, SPIN's lexer writes an `if` with an option per value in
    /// its place, provided that the statement has the plainest form; anything else becomes a loop that counts up.
    pub(super) fn select(&mut self) -> Parsed<StmtKind> {
        let start = self.span();
        let plain = self.at_plain_select();
        self.advance();
        self.expect(Tok::LParen, "`(`")?;
        let var = self.counted_variable()?;
        let (low, high) = self.range()?;
        let (ExprKind::Const(first), ExprKind::Const(last), true) = (&low.value.kind, &high.value.kind, plain) else {
            return Ok(StmtKind::Select { var, low, high });
        };
        let span = start.to(self.previous);
        if first > last {
            let error = Diagnostic::error("this range is empty")
                .at(low.value.span.to(high.value.span), format!("{first} is greater than {last}"))
                .help("the lower bound comes first");
            return Err(self.report(error));
        }
        if last - first > 32 {
            return Ok(StmtKind::Select { var, low, high });
        }
        let option = |value: i32| {
            let value = Expr { kind: ExprKind::Const(value), span };
            let set = Stmt { labels: Vec::new(), kind: StmtKind::Assign(var.clone(), value), span, text: None };
            Seq { stmts: vec![set], span, inlined: false }
        };
        Ok(StmtKind::If((*first..=*last).map(option).collect()))
    }

    /// Whether a `select` starts here with a variable of letters and digits and decimal bounds, on one line, and not
    /// inside an inline.
    fn at_plain_select(&self) -> bool {
        let kinds = [Tok::LParen, Tok::Ident, Tok::Colon, Tok::Number, Tok::DotDot, Tok::Number, Tok::RParen];
        let name = self.names.text(self.stream.raw(1).text);
        self.calls.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && kinds.iter().enumerate().all(|(at, &kind)| {
                let token = self.stream.raw(at);
                token.kind == kind && (at == 0 || !token.flags.has(Flags::LINE))
            })
    }

    /// `: a .. b )`
    fn range(&mut self) -> Parsed<(Bound, Bound)> {
        self.expect(Tok::Colon, RANGE)?;
        let low = self.bound()?;
        self.expect(Tok::DotDot, "`..`")?;
        let high = self.bound()?;
        self.expect(Tok::RParen, "`)`")?;
        Ok((low, high))
    }

    fn bound(&mut self) -> Parsed<Bound> {
        let first = self.trail.len();
        let value = self.expr()?;
        Ok(Bound { value, text: self.text_from(first) })
    }

    /// A variable that counts, or an array or channel that is counted through.
    fn counted_variable(&mut self) -> Parsed<VarRef> {
        let first = self.trail.len();
        let var = self.var_ref()?;
        Ok(VarRef { text: self.text_from(first), ..var })
    }
}
