//! What to say about a token that does not fit, and where to go on after it.

use super::{Parsed, Parser, Reported};
use crate::token::{Tok, keyword, spelled};
use tightrope_syntax::{Diagnostic, Span, similar};

/// Words of other languages and of extensions, and what Murphi has instead.
const FOREIGN: &[(&str, &str)] = &[
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
    FOREIGN.iter().find(|(word, _)| text.eq_ignore_ascii_case(word)).map(|(_, hint)| *hint)
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

impl Parser<'_> {
    /// How the present token is named in a message.
    fn found(&self) -> String {
        let text = self.text();
        match self.token.kind {
            Tok::Eof => "the end of the file".to_string(),
            Tok::Str => format!("the string `{text}`"),
            _ if keyword(text).is_some() => format!("the keyword `{text}`"),
            _ => format!("`{text}`"),
        }
    }

    /// Reports that something else was expected here.
    #[cold]
    #[inline(never)]
    pub(super) fn expected(&mut self, what: &str) -> Reported {
        if self.at(Tok::RParen) && matches!(what, "`==>`" | "`then`" | "`do`" | "`;`" | ITEM) {
            let error = Diagnostic::error("this `)` closes nothing").at(self.token.span, "no `(` is open here");
            return self.report(error);
        }
        let mut error = Diagnostic::error(format!("expected {what}, found {}", self.found()))
            .at(self.token.span, format!("expected {what}"));
        if let Some(hint) = self.hint(what) {
            error = error.help(hint);
        }
        self.report(error)
    }

    /// What the author may have had in mind.
    fn hint(&self, what: &str) -> Option<String> {
        let text = self.text();
        let foreign = |text: &str| foreign(text).map(str::to_string);
        let alike = |text: &str, known: &[&'static str]| {
            similar(&text.to_ascii_lowercase(), known.iter().copied()).map(|known| format!("did you mean `{known}`?"))
        };
        match self.token.kind {
            Tok::Lt if self.follows(Tok::Eq) => Some("the comparison is written `<=`".into()),
            Tok::Gt if self.follows(Tok::Eq) => {
                Some("the comparison is written `>=`, the implication `->`, the end of a guard `==>`".into())
            }
            Tok::LongArrow if what == "`do`" => Some("`==>` stands only after the guard of a rule".into()),
            Tok::LongArrow if !self.body_starts(1) => {
                Some("the implication is written `->`; `==>` stands only after the guard of a rule".into())
            }
            Tok::Plus if what == "`:=`" => Some("write `x := x + 1`".into()),
            Tok::Minus if what == "`:=`" => Some("write `x := x - 1`".into()),
            Tok::Dot if self.follows(Tok::DotDot) => Some("a range is written with two dots: `0..7`".into()),
            Tok::Ident if what == ITEM => alike(text, ITEMS).or_else(|| foreign(text)),
            Tok::Undefined => {
                Some("`undefined` stands alone: `x := undefined`, `f(undefined)`, `isundefined(x)`".into())
            }
            Tok::Gt if self.at > 0 && self.tokens[self.at - 1].kind == Tok::Lt => {
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
                let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
                let before = before.map_or("", |token| self.names.text(token.text));
                let misspelt = if what == "`:=`" { alike(before, STATEMENTS) } else { None };
                foreign(text).or_else(|| foreign(before)).or(misspelt)
            }
            _ => None,
        }
    }

    /// Whether the present token stands right after one of this kind.
    fn follows(&self, kind: Tok) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        before.is_some_and(|before| before.kind == kind && before.span.end == self.token.span.start)
    }

    /// Whether `=>` stands here, which is no operator.
    pub(super) fn at_short_arrow(&self) -> bool {
        let next = self.peek(1);
        self.at(Tok::Eq) && next.kind == Tok::Gt && self.token.span.end == next.span.start
    }

    /// Whether the statements of a rule seem to start some tokens ahead.
    pub(super) fn body_starts(&self, ahead: usize) -> bool {
        let mut ahead = ahead;
        match self.peek(ahead).kind {
            Tok::Begin | Tok::Var | Tok::Const | Tok::Type | Tok::LBrace | Tok::End | Tok::EndRule => return true,
            Tok::If | Tok::Switch | Tok::For | Tok::While | Tok::Clear | Tok::Undefine | Tok::Error => return true,
            Tok::Assert | Tok::Put | Tok::Return | Tok::MultisetAdd | Tok::MultisetRemove => return true,
            Tok::Ident => {}
            _ => return false,
        }
        // A designator before `:=`.
        let mut brackets = 0usize;
        loop {
            ahead += 1;
            match self.peek(ahead).kind {
                Tok::Assign if brackets == 0 => return true,
                Tok::LBracket => brackets += 1,
                Tok::RBracket if brackets > 0 => brackets -= 1,
                Tok::Semi | Tok::Begin | Tok::LongArrow | Tok::Eof => return false,
                Tok::Dot | Tok::Ident if brackets == 0 => {}
                _ if brackets > 0 => {}
                _ => return false,
            }
        }
    }

    /// Reports another arrow where a guard ends, and moves past it.
    #[cold]
    pub(super) fn wrong_guard_arrow(&mut self) {
        let mut span = self.token.span;
        if self.at_short_arrow() {
            span = span.to(self.peek(1).span);
            self.advance();
        }
        let error = Diagnostic::error("the guard of a rule ends with `==>`").at(span, "write `==>` here");
        self.advance();
        self.report(error);
    }

    /// Reports a block in braces, once for all, and reads it like any other.
    #[cold]
    pub(super) fn block_in_braces(&mut self) {
        if !std::mem::replace(&mut self.braces, true) {
            self.expected("`begin`");
        }
        self.advance();
    }

    #[cold]
    pub(super) fn missing_parenthesis(&mut self, open: Span) -> Reported {
        let error = Diagnostic::error(format!("expected `)`, found {}", self.found()))
            .at(self.token.span, "a `)` is missing before this")
            .also(open, "for this `(`");
        let error = match self.hint("`)`") {
            Some(hint) => error.help(hint),
            None => error,
        };
        self.report(error)
    }

    #[cold]
    pub(super) fn missing_bracket(&mut self, open: Span) -> Reported {
        let error = Diagnostic::error(format!("expected `]`, found {}", self.found()))
            .at(self.token.span, "a `]` is missing before this")
            .also(open, "for this `[`");
        let error = if self.at(Tok::Comma) { error.help("each index has its own brackets: `a[i][j]`") } else { error };
        self.report(error)
    }

    #[cold]
    pub(super) fn missing_semicolon(&mut self) {
        let error = Diagnostic::error(format!("expected `;`, found {}", self.found()))
            .at(self.token.span, "expected `;` before this")
            .also(self.previous.after(), "the statement ends here");
        let error = match self.hint("`;`") {
            Some(hint) => error.help(hint),
            None => error,
        };
        self.report(error);
    }

    /// Reports what stands where a declaration, a routine or a rule must.
    #[cold]
    pub(super) fn unexpected_item(&mut self) -> Reported {
        if self.shaken {
            return Reported;
        }
        let text = self.text();
        if let Some((_, what)) = REFUSED.iter().find(|(word, _)| text.eq_ignore_ascii_case(word)) {
            let error = Diagnostic::error(format!("{what} not supported")).at(self.token.span, "not supported");
            return self.report(error.help("Tightrope checks invariants, assertions and deadlocks of Murphi models"));
        }
        if self.at_end() {
            // What it closes may have been lost in an error before.
            if !self.reported.is_empty() {
                return Reported;
            }
            let error = Diagnostic::error(format!("{} closes nothing", self.found()))
                .at(self.token.span, "there is nothing open here")
                .help("is there one `end` too many before this?");
            return self.report(error);
        }
        self.expected(ITEM)
    }

    /// Reports a name that a declaration seems to begin with, if it looks like a keyword that starts something else.
    #[cold]
    pub(super) fn misspelt_item(&mut self, at: usize) -> Option<Reported> {
        let token = *self.tokens.get(at)?;
        let text = self.names.text(token.text);
        let known = similar(&text.to_ascii_lowercase(), ITEMS.iter().copied())?;
        let error = Diagnostic::error(format!("expected {ITEM}, found `{text}`"))
            .at(token.span, "not a keyword")
            .help(format!("did you mean `{known}`?"));
        let reported = self.report(error);
        self.skip_routine();
        Some(reported)
    }

    /// Moves past the `end` of a construct. Another construct's end is taken for a slip, unless that construct is open:
    /// then the end of this one is missing.
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
        if self.braces && self.accept(Tok::RBrace) {
            return Ok(());
        }
        let name = spelled(own);
        let error = Diagnostic::error(format!("expected `end` or `{name}`, found {}", self.found()))
            .at(self.token.span, format!("expected `end` or `{name}`"))
            .also(open, "to close this");
        let encloses = matches!(own, Tok::EndRule | Tok::EndStartstate | Tok::EndFunction | Tok::EndProcedure);
        let error = match self.else_if {
            Some(place) if encloses || own == Tok::EndIf => error
                .also(place, "this `if` needs an `end` of its own")
                .help("write `elsif`, which needs none, instead of `else if`"),
            _ if encloses && !self.at_end() => {
                error.help("each `if`, `for`, `while`, `switch` and `alias` inside needs an `end` of its own")
            }
            _ => match self.hint("`end`") {
                Some(hint) => error.help(hint),
                None => error,
            },
        };
        let reported = self.report(error);
        if self.at_end() && !self.open.contains(&self.token.kind) {
            self.advance();
            return Ok(());
        }
        Err(reported)
    }

    /// Whether the present token is an `end` of any kind.
    pub(super) fn at_end(&self) -> bool {
        ends(self.token.kind)
    }

    /// Whether the present token starts a rule where rules stand.
    pub(super) fn at_rule(&self) -> bool {
        matches!(self.token.kind, Tok::Alias | Tok::Assert) || self.at_sure_rule()
    }

    /// Whether the present token starts a rule wherever it stands.
    fn at_sure_rule(&self) -> bool {
        matches!(self.token.kind, Tok::Rule | Tok::Ruleset | Tok::Startstate | Tok::Invariant | Tok::Choose)
    }

    /// Whether the present token can only stand at the top of a model, or starts a section of a block.
    pub(super) fn at_item(&self) -> bool {
        matches!(self.token.kind, Tok::Const | Tok::Type | Tok::Var | Tok::Procedure | Tok::Function) || self.at_rule()
    }

    /// Whether a list of statements ends here.
    pub(super) fn at_block_end(&self) -> bool {
        matches!(
            self.token.kind,
            Tok::Eof
                | Tok::Else
                | Tok::Elsif
                | Tok::Case
                | Tok::Const
                | Tok::Type
                | Tok::Var
                | Tok::Procedure
                | Tok::Function
        ) || self.at_end()
            || self.at_sure_rule()
            || (self.braces && self.at(Tok::RBrace))
    }

    /// Whether the present token starts a statement.
    pub(super) fn starts_statement(&self) -> bool {
        matches!(
            self.token.kind,
            Tok::Ident
                | Tok::If
                | Tok::Switch
                | Tok::For
                | Tok::While
                | Tok::Alias
                | Tok::Clear
                | Tok::Undefine
                | Tok::Error
                | Tok::Assert
                | Tok::Put
                | Tok::Return
                | Tok::MultisetAdd
                | Tok::MultisetRemove
                | Tok::MultisetRemovePred
        )
    }

    /// Skips what is left of a statement: up to its `;`, or the end of what it stands in.
    #[inline(never)]
    pub(super) fn skip_statement(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.token.kind {
                Tok::Eof => break,
                Tok::Const | Tok::Type | Tok::Var | Tok::Procedure | Tok::Function => break,
                _ if self.at_sure_rule() => break,
                Tok::Semi | Tok::Else | Tok::Elsif | Tok::Case if depth == 0 => break,
                Tok::If | Tok::Switch | Tok::For | Tok::While | Tok::Alias | Tok::Forall | Tok::Exists => depth += 1,
                _ if self.at_end() => {
                    if depth == 0 {
                        break;
                    }
                    depth -= 1;
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// Whether the statement that began at a token is an `if`, a loop or a `switch` whose keyword is misspelt. Then moves to
    /// after what its head ends with.
    pub(super) fn lost_its_keyword(&mut self, first: usize) -> bool {
        let Some(token) = self.tokens.get(first).filter(|token| token.kind == Tok::Ident) else { return false };
        let text = self.names.text(token.text).to_ascii_lowercase();
        if matches!(text.as_str(), "elseif" | "elif") || similar(&text, ["else", "elsif"]).is_some() {
            return false;
        }
        let mut ahead = 0;
        loop {
            match self.peek(ahead).kind {
                Tok::Then | Tok::Do | Tok::Case => break,
                Tok::Semi | Tok::Eof | Tok::Else | Tok::Elsif | Tok::Assign => return false,
                kind if ends(kind) => return false,
                _ => ahead += 1,
            }
        }
        (0..=ahead).for_each(|_| self.advance());
        true
    }

    /// Skips what is left of a construct, with its `end`.
    pub(super) fn skip_to_close(&mut self) {
        loop {
            self.skip_statement();
            match self.token.kind {
                Tok::Semi | Tok::Else | Tok::Elsif | Tok::Case => self.advance(),
                _ => break,
            }
        }
        if self.at_end() {
            self.advance();
        }
    }

    /// Skips to after a keyword if it stands in the same statement.
    pub(super) fn skip_past(&mut self, keyword: Tok) {
        let mut ahead = 0;
        loop {
            match self.peek(ahead).kind {
                kind if kind == keyword => break,
                Tok::Semi | Tok::Eof | Tok::Rule | Tok::Ruleset | Tok::Startstate | Tok::Invariant => return,
                _ => ahead += 1,
            }
        }
        for _ in 0..=ahead {
            self.advance();
        }
    }

    /// Skips what is left of a declaration.
    pub(super) fn skip_declaration(&mut self) {
        let mut records = 0usize;
        while !matches!(self.token.kind, Tok::Eof | Tok::Begin) {
            match self.token.kind {
                Tok::Record => records += 1,
                Tok::End | Tok::EndRecord if records > 0 => records -= 1,
                Tok::Semi if records == 0 => break,
                _ if self.at_item() => break,
                _ => {}
            }
            self.advance();
        }
    }

    /// Skips to where a guard ends or its rule's statements start.
    pub(super) fn skip_guard(&mut self) {
        loop {
            match self.token.kind {
                Tok::LongArrow => {
                    self.advance();
                    break;
                }
                Tok::Semi | Tok::Begin | Tok::Const | Tok::Type | Tok::Var => break,
                Tok::Forall | Tok::Exists => self.skip_quantified(0),
                _ if self.at_block_end() || (self.starts_statement() && !self.at(Tok::Ident)) => break,
                _ => self.advance(),
            }
        }
    }

    /// Skips quantified expressions with their `end`, of which some are open already.
    pub(super) fn skip_quantified(&mut self, open: usize) {
        let mut depth = open;
        loop {
            match self.token.kind {
                Tok::Forall | Tok::Exists => depth += 1,
                Tok::LongArrow | Tok::Begin | Tok::Semi | Tok::Then => return,
                _ if self.at_end() => depth -= 1,
                _ if self.at_block_end() => return,
                _ => {}
            }
            self.advance();
            if depth == 0 {
                return;
            }
        }
    }

    /// Skips to where the next rule seems to start, or to the end of what the rules stand in.
    pub(super) fn skip_rule(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.token.kind {
                Tok::Eof | Tok::Procedure | Tok::Function => break,
                _ if self.at_sure_rule() => break,
                Tok::Semi if depth == 0 => {
                    self.advance();
                    if self.at_rule() || self.at_end() {
                        break;
                    }
                    continue;
                }
                Tok::If | Tok::Switch | Tok::For | Tok::While | Tok::Alias | Tok::Forall | Tok::Exists => depth += 1,
                _ if self.at_end() => {
                    if depth == 0 {
                        break;
                    }
                    depth -= 1;
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// Skips what is left of a routine: to where the next routine or rule seems to start.
    pub(super) fn skip_routine(&mut self) {
        while !matches!(self.token.kind, Tok::Eof | Tok::Procedure | Tok::Function) && !self.at_sure_rule() {
            self.advance();
        }
    }

    /// Skips to where the next declaration, routine or rule seems to start.
    pub(super) fn skip_item(&mut self) {
        while !self.at(Tok::Eof) && !self.at_item() {
            self.advance();
        }
    }
}

/// Whether a token is an `end` of any kind.
fn ends(kind: Tok) -> bool {
    matches!(
        kind,
        Tok::End
            | Tok::EndAlias
            | Tok::EndChoose
            | Tok::EndExists
            | Tok::EndFor
            | Tok::EndForall
            | Tok::EndFunction
            | Tok::EndIf
            | Tok::EndProcedure
            | Tok::EndRecord
            | Tok::EndRule
            | Tok::EndRuleset
            | Tok::EndStartstate
            | Tok::EndSwitch
            | Tok::EndWhile
    )
}
