//! `if` and `do`: selections and loops, with their options.

use super::Parser;
use crate::ast::Seq;
use crate::token::Tok;
use tightrope_syntax::{Diagnostic, Parsed, RecursiveDescent, Reported, Span, Wording};

impl Parser<'_> {
    /// The alternatives of an `if` or a `do`, and the keyword that ends them.
    pub(super) fn options(&mut self, end: Tok) -> Parsed<Vec<Seq>> {
        let open = self.span();
        self.advance();
        if !self.at(Tok::Sep) {
            let reported = self.missing_alternative(end, open);
            // `if (x) { … }`, as in C, has no `fi` to synchronise at.
            if !self.at(Tok::LParen) {
                self.skip_options(end);
            }
            return Err(reported);
        }
        let mut options = Vec::new();
        self.open_options += 1;
        self.closers.push(end);
        while self.at(Tok::Sep) {
            let sep = self.span();
            self.advance();
            let Ok(option) = self.nested(|p| p.sequence(sep)) else { break };
            options.push(option);
        }
        self.open_options -= 1;
        self.closers.pop();
        if self.accept(end) {
            return Ok(options);
        }
        let reported = self.missing_closer(end, open);
        // The wrong keyword is accepted as a mistake, unless it closes what surrounds this.
        if matches!(self.kind(), Tok::Fi | Tok::Od) && !self.closers.contains(&self.kind()) {
            self.advance();
            return Ok(options);
        }
        self.stray_reported = true;
        Err(reported)
    }

    #[cold]
    #[inline(never)]
    fn missing_alternative(&mut self, end: Tok, open: Span) -> Reported {
        let (keyword, closer) = keywords(end);
        let found = self.found();
        let error = Diagnostic::error(format!("expected `::`, found {found}"))
            .at(self.span(), "an alternative starts with `::`")
            .also(open, format!("in this `{keyword}`"))
            .help(format!("`{keyword} :: condition -> … :: else -> … {closer}`"));
        self.report(error)
    }

    #[cold]
    #[inline(never)]
    fn missing_closer(&mut self, end: Tok, open: Span) -> Reported {
        if std::mem::replace(&mut self.unclosed, true) {
            return Reported;
        }
        let (keyword, closer) = keywords(end);
        let found = self.found();
        let error = Diagnostic::error(format!("expected `{closer}`, found {found}"))
            .at(self.span(), format!("`{closer}` is missing before this"))
            .also(open, format!("this `{keyword}` ends with `{closer}`"));
        self.report(error)
    }
}

/// What `end` closes, and how it is written.
fn keywords(end: Tok) -> (&'static str, &'static str) {
    if end == Tok::Fi { ("if", "fi") } else { ("do", "od") }
}
