//! Sends, receives, and the patterns of receives.

use super::Parser;
use crate::ast::{RecvArg, StmtKind, VarRef};
use crate::token::Tok;
use tightrope_syntax::{Parsed, RecursiveDescent};

impl Parser<'_> {
    /// `c ! a, b` or `c ! a(b)`, from the operator on.
    pub(super) fn send(&mut self, chan: VarRef) -> Parsed<StmtKind> {
        let sorted = self.at(Tok::BangBang);
        self.advance();
        let mut args = vec![self.expr()?];
        if self.accept(Tok::LParen) {
            args.append(&mut self.exprs()?);
            self.expect(Tok::RParen, "`,` or `)`")?;
        } else if self.accept(Tok::Comma) {
            args.append(&mut self.exprs()?);
        }
        Ok(StmtKind::Send { chan, sorted, args })
    }

    /// `c ? a, b`, `c ? a(b)`, `c ?< a, b >`, from the operator on.
    pub(super) fn receive(&mut self, chan: VarRef) -> Parsed<StmtKind> {
        let random = self.at(Tok::QueryQuery);
        self.advance();
        let keep = self.accept(Tok::Lt);
        let args = self.patterns()?;
        if keep {
            self.expect(Tok::Gt, "`>`")?;
        }
        Ok(StmtKind::Recv { chan, random, keep, args })
    }

    /// The patterns of a receive or a poll. `a(b, c)` says the same as `a, b, c`. Sets `self.height`.
    pub(super) fn patterns(&mut self) -> Parsed<Vec<RecvArg>> {
        let mut list = Vec::new();
        self.height = 0;
        self.collect_patterns(&mut list)?;
        Ok(list)
    }

    fn collect_patterns(&mut self, list: &mut Vec<RecvArg>) -> Parsed<()> {
        loop {
            let mut grouped = self.at(Tok::LParen);
            if !grouped {
                let height = self.height;
                list.push(self.pattern()?);
                self.height = self.height.max(height);
                grouped = self.at(Tok::LParen);
            }
            if grouped {
                self.advance();
                self.nested(|p| p.collect_patterns(list))?;
                self.expect(Tok::RParen, "`,` or `)`")?;
                return Ok(());
            }
            if !self.accept(Tok::Comma) {
                return Ok(());
            }
        }
    }

    fn pattern(&mut self) -> Parsed<RecvArg> {
        let start = self.span();
        if let Some(value) = self.literal()? {
            self.advance();
            return Ok(RecvArg::Const(value, start));
        }
        match self.kind() {
            Tok::Minus => {
                self.advance();
                let Some(value) = self.literal()? else {
                    return Err(self.expected("a number"));
                };
                let span = start.to(self.span());
                self.advance();
                Ok(RecvArg::Const(value.wrapping_neg(), span))
            }
            Tok::Eval => {
                self.advance();
                self.expect(Tok::LParen, "`(`")?;
                let value = self.expr()?;
                self.expect(Tok::RParen, "`)`")?;
                Ok(RecvArg::Eval(value))
            }
            Tok::Ident => {
                let var = self.var_ref()?;
                let is_any = matches!(var.parts.as_slice(), [only] if only.name.text == "_" && only.index.is_none());
                Ok(if is_any { RecvArg::Any(var.span) } else { RecvArg::Var(var) })
            }
            _ => Err(self.expected("a variable, a constant, `eval(…)` or `_`")),
        }
    }
}
