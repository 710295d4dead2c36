//! Messages about tokens that do not fit, with hints at what the author may have meant.

use super::Parser;
use crate::token::{KEYWORDS, Tok};
use tightrope_syntax::{Diagnostic, RecursiveDescent, Reported, Span, Wording, similar};

/// Words of other languages, and what DVE has instead.
const OTHER_LANGUAGES: &[(&str, &str)] = &[
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

impl Wording for Parser<'_> {
    fn found(&self) -> String {
        let text = self.text();
        match self.kind() {
            Tok::Eof => "the end".to_string(),
            _ if KEYWORDS.find(text).is_some() => format!("the keyword `{text}`"),
            _ => format!("`{text}`"),
        }
    }

    fn hint(&self, what: &str) -> Option<String> {
        let text = self.text();
        let before = self.cursor.before();
        let foreign = |text: &str| {
            let found = OTHER_LANGUAGES.iter().find(|(word, _)| text.eq_ignore_ascii_case(word));
            found.map(|(_, hint)| (*hint).to_string())
        };
        match self.kind() {
            Tok::Bang if what == "an expression" => Some("negation is written `not`".into()),
            Tok::PlusPlus => Some("there is no `++`; write `x = x + 1`".into()),
            Tok::Plus if what == "`=`" => Some("there is no `+=`; write `x = x + 1`".into()),
            Tok::Minus if what == "`=`" => Some("there is neither `-=` nor `--`; write `x = x - 1`".into()),
            Tok::Plus if what == "an expression" => Some("there is no sign `+`".into()),
            Tok::Assign if self.cursor.peek(1).kind == Tok::Lt => Some("the comparison is written `<=`".into()),
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
            _ if KEYWORDS.find(text).is_some() && (what.contains("name of") || what == "a variable") => {
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
                alike.or_else(|| foreign(text)).or_else(|| foreign(self.cursor.text_of(before?)))
            }
            _ => None,
        }
    }
}

impl Parser<'_> {
    /// Reports that a name was expected here. A keyword that is used as one is skipped, and reported once.
    #[cold]
    pub(super) fn unexpected_name(&mut self, what: &str) -> Reported {
        let kind = self.kind();
        let used_as_name = KEYWORDS.find(self.text()).is_some()
            && matches!(
                self.cursor.peek(1).kind,
                Tok::Assign | Tok::LBracket | Tok::Semi | Tok::Comma | Tok::Bang | Tok::Query | Tok::LBrace | Tok::Dot
            );
        if !used_as_name {
            return self.expected(what);
        }
        if self.keywords_as_names.insert(kind) {
            self.expected(what);
        }
        self.advance();
        Reported
    }

    /// Reports that a bracket is not closed.
    #[cold]
    pub(super) fn missing_closing(&mut self, closing: &str, opening: &str, open: Span) -> Reported {
        if closing == "`}`" && std::mem::replace(&mut self.missing_brace, true) {
            return Reported;
        }
        let error = self.with_hint(self.missing_bracket(closing, opening, open), closing);
        self.report(error)
    }

    #[cold]
    pub(super) fn missing_semicolon(&mut self) -> Reported {
        if self.at(Tok::RParen) {
            let error = Diagnostic::error("this `)` closes nothing").at(self.span(), "no `(` is open here");
            return self.report(error);
        }
        let error = Diagnostic::error(format!("expected `;`, found {}", self.found()))
            .at(self.span(), "expected `;` before this");
        let error = self.with_hint(error, "`;`");
        self.report(error)
    }

    /// Reports what stands where a declaration, a process or `system` must.
    #[cold]
    pub(super) fn unexpected_item(&mut self) -> Reported {
        if self.at(Tok::RBrace) {
            let error = Diagnostic::error("this `}` closes nothing")
                .at(self.span(), "there is nothing open here")
                .help("is there one `}` too many before this?");
            return self.report(error);
        }
        self.expected(ITEM)
    }

    /// Reports what stands where a section of a process must.
    #[cold]
    pub(super) fn unexpected_section(&mut self) -> Reported {
        // The rest of a transition whose start was reported.
        if !self.recovery().active || !matches!(self.kind(), Tok::Guard | Tok::Sync | Tok::Effect) {
            self.expected(SECTION);
        }
        self.advance();
        Reported
    }
}
