//! Synchronisation: where to go on after an error, and the tokens that mark such places.

use super::Parser;
use crate::token::{Flags, Tok};
use tightrope_syntax::RecursiveDescent;

impl Parser<'_> {
    /// Whether the current token can start a statement.
    pub(super) fn starts_statement(&self) -> bool {
        let kind = self.kind();
        is_type(kind)
            || matches!(
                kind,
                Tok::Ident
                    | Tok::If
                    | Tok::Do
                    | Tok::For
                    | Tok::Atomic
                    | Tok::DStep
                    | Tok::Goto
                    | Tok::Break
                    | Tok::Assert
            )
            || matches!(kind, Tok::Printf | Tok::Skip | Tok::Select | Tok::LParen | Tok::Bang | Tok::Number | Tok::True)
    }

    /// Whether the current token can only start a unit, so that a body must have ended before.
    pub(super) fn at_unit(&self) -> bool {
        is_unit(self.kind())
    }

    /// Whether a sequence of statements ends here.
    pub(super) fn at_sequence_end(&self) -> bool {
        matches!(self.kind(), Tok::RBrace | Tok::Sep | Tok::Fi | Tok::Od | Tok::Eof) || self.at_unit()
    }

    /// Skips what is left of a statement: up to a separator, or the end of what the statement stands in.
    #[inline(never)]
    pub(super) fn skip_statement(&mut self) {
        self.skip_to_closer(true);
        self.stream.close_parens();
    }

    /// Skips what is left of an `if` or a `do` without alternatives, with the keyword that ends it.
    pub(super) fn skip_options(&mut self, end: Tok) {
        self.skip_to_closer(false);
        self.accept(end);
        self.stream.close_parens();
    }

    /// Skips to a `}`, `fi` or `od` that was not opened on the way, to a unit, or also to a separator.
    fn skip_to_closer(&mut self, or_separator: bool) {
        let mut braces = 0usize;
        let mut constructs = 0usize;
        loop {
            match self.kind() {
                Tok::Eof => break,
                _ if self.at_unit() => break,
                Tok::RBrace if braces == 0 => break,
                Tok::Fi | Tok::Od if constructs == 0 && braces == 0 => break,
                Tok::Semi | Tok::Arrow | Tok::Sep if or_separator && braces == 0 && constructs == 0 => break,
                Tok::LBrace => braces += 1,
                Tok::RBrace => {
                    braces -= 1;
                    if or_separator {
                        constructs = 0;
                    }
                }
                Tok::If | Tok::Do => constructs += 1,
                Tok::Fi | Tok::Od => constructs = constructs.saturating_sub(1),
                _ => {}
            }
            if or_separator {
                self.stream.close_parens();
            }
            self.advance();
        }
    }

    /// Skips what is left of a `for`: its head up to the parenthesis that closes it, and its block.
    pub(super) fn skip_loop(&mut self) {
        let mut ahead = 0;
        while !matches!(self.stream.raw(ahead).kind, Tok::LBrace | Tok::RBrace | Tok::Fi | Tok::Od | Tok::Eof) {
            ahead += 1;
        }
        if self.stream.raw(ahead).kind != Tok::LBrace {
            return;
        }
        while !self.at(Tok::LBrace) && !self.at(Tok::Eof) {
            self.advance();
        }
        let mut braces = 0usize;
        while !self.at(Tok::Eof) && !self.at_unit() {
            match self.kind() {
                Tok::LBrace => braces += 1,
                Tok::RBrace => braces = braces.saturating_sub(1),
                _ => {}
            }
            self.advance();
            if braces == 0 {
                break;
            }
        }
        self.stream.close_parens();
    }

    /// Skips to where the next unit seems to start.
    pub(super) fn skip_unit(&mut self) {
        self.in_sequence = false;
        let mut braces = 0usize;
        let mut first = true;
        loop {
            let starts_line = self.token.flags.has(Flags::LINE);
            match self.kind() {
                Tok::Eof => break,
                Tok::LBrace => braces += 1,
                Tok::RBrace => {
                    self.advance();
                    braces = braces.saturating_sub(1);
                    if braces == 0 {
                        break;
                    }
                    continue;
                }
                _ if first => {}
                _ if self.at_unit() => break,
                kind if braces == 0 && starts_line && (is_type(kind) || is_visibility(kind)) => break,
                _ => {}
            }
            first = false;
            self.advance();
        }
        self.stream.close_parens();
    }
}

/// Whether this keyword can only start a unit.
pub(super) fn is_unit(kind: Tok) -> bool {
    matches!(
        kind,
        Tok::Proctype
            | Tok::DProctype
            | Tok::Active
            | Tok::Init
            | Tok::Never
            | Tok::Trace
            | Tok::Notrace
            | Tok::Inline
            | Tok::Typedef
            | Tok::Ltl
    )
}

/// Whether a type's keyword.
pub(super) fn is_type(kind: Tok) -> bool {
    matches!(
        kind,
        Tok::Bit | Tok::Bool | Tok::Byte | Tok::Pid | Tok::Short | Tok::Int | Tok::Unsigned | Tok::Mtype | Tok::Chan
    )
}

/// Whether `hidden`, `show` or `local`.
pub(super) fn is_visibility(kind: Tok) -> bool {
    matches!(kind, Tok::Hidden | Tok::Show | Tok::Local)
}
