//! What to say about a token that does not fit, and where to go on after it.

use super::{Parsed, Parser, Reported};
use crate::token::{Tok, keyword, spelled};
use tightrope_syntax::{Diagnostic, Span};

/// Words of other languages and of extensions, and what Murphi has instead.
const FOREIGN: &[(&str, &str)] = &[
    ("elseif", "written `elsif`"),
    ("elif", "written `elsif`"),
    ("elsed", "written `else`"),
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
    ("until", "written `to`"),
    ("downto", "written `to … by -1`"),
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
        let foreign = |text: &str| {
            let found = FOREIGN.iter().find(|(word, _)| text.eq_ignore_ascii_case(word));
            found.map(|(_, hint)| (*hint).to_string())
        };
        match self.token.kind {
            Tok::Undefined => {
                Some("`undefined` stands alone: `x := undefined`, `f(undefined)`, `isundefined(x)`".into())
            }
            Tok::Gt if self.at > 0 && self.tokens[self.at - 1].kind == Tok::Lt => {
                Some("inequality is written `!=`".into())
            }
            Tok::Assign => Some("to compare, write `=`; an assignment is a statement of its own".into()),
            Tok::Eq if what == "`:=`" => Some("an assignment is written `:=`".into()),
            Tok::LBrace if what != "`{`" => {
                Some("blocks are closed by `end`; braces stand in `enum` and `union` only".into())
            }
            Tok::Arrow if what == "`==>`" => Some("a guard ends with `==>`".into()),
            _ if keyword(text).is_some() && matches!(what, "a name" | "a variable" | "the name of a value") => {
                Some(format!("`{text}` is a keyword in any letter case; choose another name"))
            }
            Tok::Ident => {
                let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
                foreign(text).or_else(|| foreign(self.names.text(before?.text)))
            }
            _ => None,
        }
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
        let text = self.text();
        if let Some((_, what)) = REFUSED.iter().find(|(word, _)| text.eq_ignore_ascii_case(word)) {
            let error = Diagnostic::error(format!("{what} not supported")).at(self.token.span, "refused");
            return self.report(error.help("Tightrope checks invariants, assertions and deadlocks of Murphi models"));
        }
        if self.at_end() {
            let error = Diagnostic::error(format!("{} closes nothing", self.found()))
                .at(self.token.span, "there is nothing open here")
                .help("is there one `end` too many before this?");
            return self.report(error);
        }
        self.expected("a declaration, a procedure, a function or a rule")
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
        let name = spelled(own);
        let error = Diagnostic::error(format!("expected `end` or `{name}`, found {}", self.found()))
            .at(self.token.span, format!("expected `end` or `{name}`"))
            .also(open, "to close this");
        let error = match self.hint("`end`") {
            Some(hint) => error.help(hint),
            None => error,
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
        matches!(
            self.token.kind,
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
                Tok::Forall | Tok::Exists => self.skip_quantified(),
                _ if self.at_block_end() || (self.starts_statement() && !self.at(Tok::Ident)) => break,
                _ => self.advance(),
            }
        }
    }

    /// Skips a quantified expression with its `end`.
    fn skip_quantified(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.token.kind {
                Tok::Forall | Tok::Exists => depth += 1,
                Tok::LongArrow | Tok::Begin => return,
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
