//! Messages about tokens that do not fit, with hints at what the author may have meant.

use super::Parser;
use crate::token::{KEYWORDS, Tok, keyword};
use tightrope_syntax::{Diagnostic, Parsed, RecursiveDescent, Reported, Span, Wording, similar};

/// Words of other languages and of extensions, and what Murphi has instead.
const OTHER_LANGUAGES: &[(&str, &str)] = &[
    ("elseif", "write `elsif`"),
    ("elif", "write `elsif`"),
    ("elsed", "write `else`"),
    ("and", "conjunction is written `&`"),
    ("or", "disjunction is written `|`"),
    ("not", "negation is written `!`"),
    ("mod", "the remainder is written `%`"),
    ("div", "division is written `/`"),
    ("int", "integers have bounds: `0..7`"),
    ("integer", "integers have bounds: `0..7`"),
    ("bool", "the type is called `boolean`"),
    ("null", "a variable without a value is undefined: `undefine x`, `isundefined(x)`"),
    ("let", "a name for an expression is an `alias`"),
    ("skip", "a body may be empty"),
    ("break", "a loop cannot be left early; `return` leaves the rule"),
    ("continue", "a loop cannot be left early; `return` leaves the rule"),
    ("until", "write `to`"),
    ("downto", "write `to … by -1`"),
];

/// What stands where a rule does, but is refused: the word and what it is.
const REFUSED: &[(&str, &str)] = &[
    ("liveness", "`liveness` properties are"),
    ("fairness", "`fairness` is"),
    ("cover", "`cover` properties of Rumur are"),
    ("assume", "assumptions (`assume`) of Rumur are"),
    ("pctl", "probabilistic properties (`pctl`) are"),
    ("traceuntil", "`traceuntil` is"),
    ("externfun", "external functions (`externfun`) are"),
    ("externproc", "external procedures (`externproc`) are"),
    ("ltlspec", "temporal properties are"),
    ("process", "`process` is"),
];

/// What Murphi has instead of a word of another language.
pub(crate) fn foreign(text: &str) -> Option<&'static str> {
    OTHER_LANGUAGES.iter().find(|(word, _)| text.eq_ignore_ascii_case(word)).map(|(_, hint)| *hint)
}

/// What is expected at the top of a model, as messages say it.
const ITEM: &str = "a declaration, a procedure, a function or a rule";

/// What can start a declaration, a routine or a rule.
const ITEMS: &[&str] =
    &["alias", "choose", "const", "function", "invariant", "procedure", "rule", "ruleset", "startstate", "type", "var"];

/// What can start a statement.
const STATEMENTS: &[&str] = &[
    "alias", "assert", "clear", "else", "elsif", "end", "endfor", "endif", "endrule", "endwhile", "error", "for", "if",
    "put", "return", "switch", "undefine", "while",
];

impl Wording for Parser<'_> {
    fn found(&self) -> String {
        let text = self.text();
        match self.kind() {
            Tok::Eof => "the end of the file".to_string(),
            Tok::Str => format!("the string `{text}`"),
            _ if keyword(text).is_some() => format!("the keyword `{text}`"),
            _ => format!("`{text}`"),
        }
    }

    fn hint(&self, what: &str) -> Option<String> {
        let text = self.text();
        let foreign = |text: &str| foreign(text).map(str::to_string);
        let alike = |text: &str, known: &[&'static str]| {
            similar(&text.to_ascii_lowercase(), known.iter().copied()).map(|known| format!("did you mean `{known}`?"))
        };
        match self.kind() {
            Tok::Lt if self.cursor.touches(Tok::Eq) => Some("the comparison is written `<=`".into()),
            Tok::Gt if self.cursor.touches(Tok::Eq) => {
                Some("the comparison is written `>=`, the implication `->`, the end of a guard `==>`".into())
            }
            Tok::LongArrow if what == "`do`" => Some("`==>` stands only after the guard of a rule".into()),
            Tok::LongArrow if !self.body_starts(1) => {
                Some("the implication is written `->`; `==>` stands only after the guard of a rule".into())
            }
            Tok::Plus if what == "`:=`" => Some("write `x := x + 1`".into()),
            Tok::Minus if what == "`:=`" => Some("write `x := x - 1`".into()),
            Tok::Dot if self.cursor.touches(Tok::DotDot) => Some("a range is written with two dots: `0..7`".into()),
            Tok::Ident if what == ITEM => alike(text, ITEMS).or_else(|| foreign(text)),
            Tok::Undefined => {
                Some("`undefined` stands alone: `x := undefined`, `f(undefined)`, `isundefined(x)`".into())
            }
            Tok::Gt if self.cursor.before().is_some_and(|before| before.kind == Tok::Lt) => {
                Some("inequality is written `!=`".into())
            }
            Tok::Assign => Some("to compare, write `=`; an assignment is a statement of its own".into()),
            Tok::Eq if what == "`:=`" => Some("an assignment is written `:=`".into()),
            Tok::LBrace if what != "`{`" => {
                Some("a block is written `begin … end`; braces stand in `enum` and `union` only".into())
            }
            Tok::Arrow if what == "`==>`" => Some("a guard ends with `==>`".into()),
            _ if keyword(text).is_some() && matches!(what, "a name" | "a variable" | "the name of a value") => {
                Some(format!("`{text}` is a keyword in any letter case; choose another name"))
            }
            Tok::Ident => {
                let before = self.cursor.before().map_or("", |token| self.cursor.text_of(token));
                let misspelt = if what == "`:=`" { alike(before, STATEMENTS) } else { None };
                foreign(text).or_else(|| foreign(before)).or(misspelt)
            }
            _ => None,
        }
    }
}

impl Parser<'_> {
    /// Reports that something else was expected here.
    #[cold]
    #[inline(never)]
    pub(super) fn unexpected(&mut self, what: &str) -> Reported {
        let error = if self.at(Tok::RParen) && matches!(what, "`==>`" | "`then`" | "`do`" | "`;`" | ITEM) {
            Diagnostic::error("this `)` closes nothing").at(self.span(), "no `(` is open here")
        } else {
            self.with_hint(self.mismatch(what), what)
        };
        self.report(error)
    }

    /// Reports another arrow where a guard ends, and moves past it.
    #[cold]
    pub(super) fn wrong_guard_arrow(&mut self) {
        let mut span = self.span();
        if self.at_short_arrow() {
            span = span.to(self.cursor.peek(1).span);
            self.advance();
        }
        let error = Diagnostic::error("the guard of a rule ends with `==>`").at(span, "write `==>` here");
        self.advance();
        self.report(error);
    }

    /// Reports a block in braces, once for all, and reads it like any other.
    #[cold]
    pub(super) fn block_in_braces(&mut self) {
        if !std::mem::replace(&mut self.blocks_in_braces, true) {
            self.expected("`begin`");
        }
        self.advance();
    }

    #[cold]
    pub(super) fn missing_parenthesis(&mut self, open: Span) -> Reported {
        let error = self.with_hint(self.missing_bracket("`)`", "`(`", open), "`)`");
        self.report(error)
    }

    #[cold]
    pub(super) fn missing_square_bracket(&mut self, open: Span) -> Reported {
        let error = self.missing_bracket("`]`", "`[`", open);
        let error = if self.at(Tok::Comma) { error.help("each index has its own brackets: `a[i][j]`") } else { error };
        self.report(error)
    }

    #[cold]
    pub(super) fn missing_semicolon(&mut self) {
        let error = Diagnostic::error(format!("expected `;`, found {}", self.found()))
            .at(self.span(), "expected `;` before this")
            .also(self.cursor.previous.after(), "the statement ends here");
        let error = self.with_hint(error, "`;`");
        self.report(error);
    }

    /// Reports what stands where a declaration, a routine or a rule must.
    #[cold]
    pub(super) fn unexpected_item(&mut self) -> Reported {
        if self.recovery().active {
            return Reported;
        }
        let text = self.text();
        if let Some((_, what)) = REFUSED.iter().find(|(word, _)| text.eq_ignore_ascii_case(word)) {
            let error = Diagnostic::error(format!("{what} not supported")).at(self.span(), "not supported");
            return self.report(error.help("Tightrope checks invariants, assertions and deadlocks of Murphi models"));
        }
        if self.at_end() {
            // The keyword that it closes may have been skipped after an earlier error.
            if !self.recovery().is_unused() {
                return Reported;
            }
            let error = Diagnostic::error(format!("{} closes nothing", self.found()))
                .at(self.span(), "there is nothing open here")
                .help("is there one `end` too many before this?");
            return self.report(error);
        }
        self.expected(ITEM)
    }

    /// Reports a name that a declaration seems to begin with, if it looks like a keyword that starts something else.
    #[cold]
    pub(super) fn misspelt_item(&mut self, at: usize) -> Option<Reported> {
        let token = self.cursor.get(at)?;
        let text = self.cursor.text_of(token);
        let known = similar(&text.to_ascii_lowercase(), ITEMS.iter().copied())?;
        let error = Diagnostic::error(format!("expected {ITEM}, found `{text}`"))
            .at(token.span, "not a keyword")
            .help(format!("did you mean `{known}`?"));
        let reported = self.report(error);
        self.skip_routine();
        Some(reported)
    }

    /// Moves past the `end` of a construct. The end of another construct is accepted as a mistake, unless that construct
    /// is open: then the end of this one is missing.
    pub(super) fn close(&mut self, own: Tok, open: Span) -> Parsed<()> {
        let twin = match own {
            Tok::EndFunction => Tok::EndProcedure,
            Tok::EndProcedure => Tok::EndFunction,
            _ => own,
        };
        if self.at(Tok::End) || self.at(own) || self.at(twin) {
            self.advance();
            return Ok(());
        }
        if self.blocks_in_braces && self.accept(Tok::RBrace) {
            return Ok(());
        }
        let name = KEYWORDS.spelling(own);
        let error = Diagnostic::error(format!("expected `end` or `{name}`, found {}", self.found()))
            .at(self.span(), format!("expected `end` or `{name}`"))
            .also(open, "to close this");
        let encloses = matches!(own, Tok::EndRule | Tok::EndStartstate | Tok::EndFunction | Tok::EndProcedure);
        let error = match self.else_if {
            Some(place) if encloses || own == Tok::EndIf => error
                .also(place, "this `if` needs an `end` of its own")
                .help("write `elsif`, which needs none, instead of `else if`"),
            _ if encloses && !self.at_end() => {
                error.help("each `if`, `for`, `while`, `switch` and `alias` inside needs an `end` of its own")
            }
            _ => self.with_hint(error, "`end`"),
        };
        let reported = self.report(error);
        if self.at_end() && !self.closers.contains(&self.kind()) {
            self.advance();
            return Ok(());
        }
        Err(reported)
    }
}
