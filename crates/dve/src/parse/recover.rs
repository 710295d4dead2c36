//! What to say about a token that does not fit, and where to go on after it.

use super::{Parser, Reported};
use crate::token::{Tok, keyword};
use tightrope_syntax::{Diagnostic, Span};

/// Words of other languages, and what DVE has instead.
const FOREIGN: &[(&str, &str)] = &[
    ("bool", "truth values are kept in a `byte`"),
    ("boolean", "truth values are kept in a `byte`"),
    ("chan", "written `channel`"),
    ("proctype", "written `process`"),
    ("active", "every `process` runs from the start"),
    ("implies", "written `imply`"),
    ("when", "written `guard`"),
    ("mod", "the remainder is written `%`"),
    ("div", "division is written `/`"),
    ("states", "written `state`"),
    ("initial", "written `init`"),
    ("committed", "written `commit`"),
    ("transitions", "written `trans`"),
    ("xor", "written `^`, or `!=` for truth values"),
];

impl Parser<'_> {
    /// How the present token is named in a message.
    fn found(&self) -> String {
        let text = self.text();
        match self.token.kind {
            Tok::Eof => "the end".to_string(),
            _ if keyword(text).is_some() => format!("the keyword `{text}`"),
            _ => format!("`{text}`"),
        }
    }

    /// Reports that something else was expected here.
    #[cold]
    #[inline(never)]
    pub(super) fn expected(&mut self, what: &str) -> Reported {
        let error = Diagnostic::error(format!("expected {what}, found {}", self.found()))
            .at(self.token.span, format!("expected {what}"));
        let error = self.with_hint(error, what);
        self.report(error)
    }

    fn with_hint(&self, error: Diagnostic, what: &str) -> Diagnostic {
        match self.hint(what) {
            Some(hint) => error.help(hint),
            None => error,
        }
    }

    /// What the author may have had in mind.
    fn hint(&self, what: &str) -> Option<String> {
        let text = self.text();
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let foreign = |text: &str| {
            let found = FOREIGN.iter().find(|(word, _)| text.eq_ignore_ascii_case(word));
            found.map(|(_, hint)| (*hint).to_string())
        };
        match self.token.kind {
            Tok::Bang if what == "an expression" => Some("negation is written `not`".into()),
            Tok::PlusPlus => Some("there is no `++`; write `x = x + 1`".into()),
            Tok::Plus if what == "`=`" => Some("there is no `+=`; write `x = x + 1`".into()),
            Tok::Minus if what == "`=`" => Some("there is neither `-=` nor `--`; write `x = x - 1`".into()),
            Tok::Plus if what == "an expression" => Some("there is no sign `+`".into()),
            Tok::Assign if what != "`=`" => Some("to compare, write `==`; an assignment stands in `effect`".into()),
            Tok::Eq if what == "`=`" => Some("an assignment is written `=`".into()),
            Tok::WideArrow => Some("the comparison is written `>=`, the implication `imply`".into()),
            Tok::Colon if what == "`=`" => Some("an assignment is written `=`".into()),
            Tok::Gt if before.is_some_and(|token| token.kind == Tok::Lt) => Some("inequality is written `!=`".into()),
            Tok::Arrow => Some("the implication is written `imply`".into()),
            _ if keyword(text).is_some() && what.contains("name of") => {
                Some(format!("`{text}` is a keyword; choose another name"))
            }
            Tok::Ident => foreign(text).or_else(|| foreign(self.names.text(before?.text))),
            _ => None,
        }
    }

    /// Reports that a bracket is not closed.
    #[cold]
    pub(super) fn missing_closing(&mut self, closing: &str, opening: &str, open: Span) -> Reported {
        let error = Diagnostic::error(format!("expected {closing}, found {}", self.found()))
            .at(self.token.span, format!("a {closing} is missing before this"))
            .also(open, format!("for this {opening}"));
        let error = self.with_hint(error, closing);
        self.report(error)
    }

    #[cold]
    pub(super) fn missing_semicolon(&mut self) -> Reported {
        let error = Diagnostic::error(format!("expected `;`, found {}", self.found()))
            .at(self.token.span, "expected `;` before this");
        let error = self.with_hint(error, "`;`");
        self.report(error)
    }

    /// Reports what stands where a declaration, a process or `system` must.
    #[cold]
    pub(super) fn unexpected_item(&mut self) -> Reported {
        if self.at(Tok::RBrace) {
            let error = Diagnostic::error("this `}` closes nothing")
                .at(self.token.span, "there is nothing open here")
                .help("is there one `}` too many before this?");
            return self.report(error);
        }
        self.expected("a declaration, a process or `system`")
    }

    /// Reports what stands where a section of a process must.
    #[cold]
    pub(super) fn unexpected_section(&mut self) -> Reported {
        let reported = self.expected("a declaration, `state`, `init`, `commit`, `accept`, `assert` or `trans`");
        self.advance();
        reported
    }

    /// Whether the present token can only stand outside of transitions.
    pub(super) fn ends_process(&self) -> bool {
        matches!(
            self.token.kind,
            Tok::Eof
                | Tok::Process
                | Tok::System
                | Tok::Channel
                | Tok::Const
                | Tok::Int
                | Tok::Byte
                | Tok::State
                | Tok::Init
                | Tok::Commit
                | Tok::Accept
                | Tok::Assert
                | Tok::Trans
        )
    }

    /// Skips what is left of a declaration, with its `;`.
    pub(super) fn skip_declaration(&mut self) {
        while !self.ends_process() && !self.at(Tok::RBrace) {
            if self.accept(Tok::Semi) {
                return;
            }
            if self.at(Tok::LBrace) {
                self.skip_to_brace();
                continue;
            }
            self.advance();
        }
    }

    /// Skips what is left of a clause, with its `;`.
    pub(super) fn skip_clause(&mut self) {
        while !matches!(self.token.kind, Tok::Guard | Tok::Sync | Tok::Effect | Tok::RBrace) && !self.ends_process() {
            if self.accept(Tok::Semi) {
                return;
            }
            self.advance();
        }
    }

    /// Skips what is left of a transition, with its brace.
    pub(super) fn skip_transition(&mut self) {
        while !matches!(self.token.kind, Tok::Comma | Tok::Semi | Tok::RBrace) && !self.ends_process() {
            if self.at(Tok::LBrace) {
                self.skip_to_brace();
                return;
            }
            self.advance();
            if self.at_transition() {
                return;
            }
        }
    }

    /// Skips to after the next `}`, if it comes before anything that cannot stand in braces.
    pub(super) fn skip_to_brace(&mut self) {
        while !self.at(Tok::RBrace) {
            if self.ends_process() {
                return;
            }
            self.advance();
        }
        self.advance();
    }

    /// Skips to where the next declaration, process or `system` seems to start.
    pub(super) fn skip_item(&mut self) {
        while !matches!(self.token.kind, Tok::Eof | Tok::Process | Tok::System | Tok::Channel) {
            self.advance();
        }
    }
}
