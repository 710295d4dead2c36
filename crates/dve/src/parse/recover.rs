//! What to say about a token that does not fit, and where to go on after it.

use super::{Parser, Reported};
use crate::token::{Tok, keyword};
use tightrope_syntax::{Diagnostic, Span, similar};

/// Words of other languages, and what DVE has instead.
const FOREIGN: &[(&str, &str)] = &[
    ("bool", "truth values are kept in a `byte`"),
    ("boolean", "truth values are kept in a `byte`"),
    ("chan", "write `channel`"),
    ("proctype", "write `process`"),
    ("active", "every `process` runs from the start"),
    ("implies", "write `imply`"),
    ("when", "write `guard`"),
    ("mod", "the remainder is written `%`"),
    ("div", "division is written `/`"),
    ("states", "write `state`"),
    ("initial", "write `init`"),
    ("committed", "write `commit`"),
    ("transitions", "write `trans`"),
    ("xor", "write `^`, or `!=` for truth values"),
];

/// What is expected, as messages say it.
pub(super) const ITEM: &str = "a declaration, a process or `system`";
pub(super) const SECTION: &str = "a declaration, `state`, `init`, `commit`, `accept`, `assert` or `trans`";
pub(super) const CLAUSE: &str = "`guard`, `sync`, `effect` or `}`";

/// What can start a declaration, a process or `system`.
const ITEMS: &[&str] = &["byte", "channel", "const", "int", "process", "system"];

/// What can start a section of a process.
const SECTIONS: &[&str] = &["accept", "assert", "byte", "commit", "const", "init", "int", "state", "trans"];

/// The clauses of a transition.
const CLAUSES: &[&str] = &["effect", "guard", "sync"];

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
            Tok::Assign if self.peek(1).kind == Tok::Lt => Some("the comparison is written `<=`".into()),
            Tok::Assign if what != "`=`" => Some("to compare, write `==`; an assignment stands in `effect`".into()),
            Tok::Eq if what == "`=`" => Some("an assignment is written `=`".into()),
            Tok::WideArrow => Some("the comparison is written `>=`, the implication `imply`".into()),
            Tok::Colon if what == "`=`" => Some("an assignment is written `=`".into()),
            Tok::Query => Some("there is no conditional expression; write a transition for each case".into()),
            Tok::Guard | Tok::Sync | Tok::Effect if before.is_some_and(|token| token.kind == Tok::Comma) => {
                Some("a clause ends with `;`".into())
            }
            Tok::Gt if before.is_some_and(|token| token.kind == Tok::Lt) => Some("inequality is written `!=`".into()),
            Tok::Arrow => Some("the implication is written `imply`".into()),
            _ if keyword(text).is_some() && (what.contains("name of") || what == "a variable") => {
                Some(format!("`{text}` is a keyword; choose another name"))
            }
            Tok::Ident => {
                let known = match what {
                    ITEM => ITEMS,
                    SECTION => SECTIONS,
                    CLAUSE => CLAUSES,
                    "`async` or `sync`" => &["async", "sync"],
                    "`int` or `byte`" => &["byte", "int"],
                    _ => &[],
                };
                let alike = similar(text, known.iter().copied()).map(|known| format!("did you mean `{known}`?"));
                alike.or_else(|| foreign(text)).or_else(|| foreign(self.names.text(before?.text)))
            }
            _ => None,
        }
    }

    /// Reports that a name was expected here. A keyword that is taken for a name is passed, and reported once.
    #[cold]
    pub(super) fn no_name(&mut self, what: &str) -> Reported {
        let kind = self.token.kind;
        let used_as_name = keyword(self.text()).is_some()
            && matches!(
                self.peek(1).kind,
                Tok::Assign | Tok::LBracket | Tok::Semi | Tok::Comma | Tok::Bang | Tok::Query | Tok::LBrace | Tok::Dot
            );
        if !used_as_name {
            return self.expected(what);
        }
        if self.misused.insert(kind) {
            self.expected(what);
        }
        self.advance();
        Reported
    }

    /// Reports that a bracket is not closed.
    #[cold]
    pub(super) fn missing_closing(&mut self, closing: &str, opening: &str, open: Span) -> Reported {
        if closing == "`}`" && std::mem::replace(&mut self.brace_lost, true) {
            return Reported;
        }
        let error = Diagnostic::error(format!("expected {closing}, found {}", self.found()))
            .at(self.token.span, format!("a {closing} is missing before this"))
            .also(open, format!("for this {opening}"));
        let error = self.with_hint(error, closing);
        self.report(error)
    }

    #[cold]
    pub(super) fn missing_semicolon(&mut self) -> Reported {
        if self.at(Tok::RParen) {
            let error = Diagnostic::error("this `)` closes nothing").at(self.token.span, "no `(` is open here");
            return self.report(error);
        }
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
        self.expected(ITEM)
    }

    /// Reports what stands where a section of a process must.
    #[cold]
    pub(super) fn unexpected_section(&mut self) -> Reported {
        // The rest of a transition whose start was reported.
        if !self.shaken || !matches!(self.token.kind, Tok::Guard | Tok::Sync | Tok::Effect) {
            self.expected(SECTION);
        }
        self.advance();
        Reported
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
            if self.accept(Tok::LBrace) {
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
                self.advance();
                self.skip_to_brace();
                return;
            }
            self.advance();
            if self.at_transition() {
                return;
            }
        }
    }

    /// Skips to after the `}` of the braces that are open, if it comes before anything that cannot stand in braces.
    pub(super) fn skip_to_brace(&mut self) {
        let mut inner = 0usize;
        while !self.ends_process() {
            match self.token.kind {
                Tok::LBrace => inner += 1,
                Tok::RBrace if inner == 0 => {
                    self.advance();
                    return;
                }
                Tok::RBrace => inner -= 1,
                _ => {}
            }
            self.advance();
        }
    }

    /// Skips to where the next declaration, process or `system` seems to start.
    pub(super) fn skip_item(&mut self) {
        while !matches!(self.token.kind, Tok::Eof | Tok::Process | Tok::System | Tok::Channel) {
            self.advance();
        }
    }
}
