//! Embedded C, which is refused: a model with C in it has states this checker cannot see.

use super::Parser;
use crate::token::Tok;
use tightrope_syntax::{Diagnostic, RecursiveDescent};

impl Parser<'_> {
    /// Reports embedded C and moves past it.
    pub(super) fn embedded_c(&mut self) {
        let keyword = self.token;
        let name = self.names.text(keyword.text);
        let error = Diagnostic::error(format!("embedded C (`{name}`) is not supported: its effects cannot be checked"))
            .at(keyword.span, "embedded C")
            .help("express it in Promela, or check this model with SPIN");
        self.report(error);
        if matches!(keyword.kind, Tok::CState | Tok::CTrack) {
            while self.stream.raw(0).kind == Tok::Str {
                self.stream.at += 1;
            }
        } else {
            self.skip_raw(Tok::LBracket, Tok::RBracket);
            self.skip_raw(Tok::LBrace, Tok::RBrace);
        }
        self.resume_after_block(keyword.span);
    }

    /// Skips what stands between brackets, if the next token opens them.
    fn skip_raw(&mut self, open: Tok, close: Tok) {
        if self.stream.raw(0).kind != open {
            return;
        }
        let mut depth = 0usize;
        loop {
            let kind = self.stream.raw(0).kind;
            if kind == Tok::Eof {
                return;
            }
            self.stream.at += 1;
            if kind == open {
                depth += 1;
            } else if kind == close {
                depth -= 1;
                if depth == 0 {
                    return;
                }
            }
        }
    }
}
