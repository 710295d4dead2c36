//! Recursive descent: what the parsers of all languages do with their current token.

use crate::{Diagnostic, Diagnostics, Name, Parsed, Recovery, Reported, Span, Token, TokenKind};

/// How far a parser is, and what it found wrong on the way. For the tokens of a file it is a [`Cursor`](crate::Cursor).
pub trait Progress {
    /// The kinds of tokens.
    type Kind: TokenKind;

    /// The current token.
    fn token(&self) -> Token<Self::Kind>;

    /// The text of the current token.
    fn text(&self) -> &str;

    /// Moves to the next token.
    fn advance(&mut self);

    /// Makes the current token the end of the file, for good.
    fn stop(&mut self);

    /// How many constructs are open.
    fn nesting(&mut self) -> &mut usize;

    /// What is remembered of the errors so far.
    fn recovery(&mut self) -> &mut Recovery;

    /// Where errors are reported to.
    fn diagnostics(&mut self) -> &mut Diagnostics;
}

/// How a parser speaks of its current token.
pub trait Wording {
    /// How the current token is named in a message.
    fn found(&self) -> String;

    /// What the author may have meant by the current token, where something else was expected.
    fn hint(&self, _what: &str) -> Option<String> {
        None
    }
}

/// A parser by recursive descent, one method per construct.
///
/// Nothing recurses without [`nested`](RecursiveDescent::nested), so that hostile nesting ends in a diagnostic instead of
/// a stack overflow. Heights of expressions are limited for the same reason (`precedence.rs`), since walking
/// the tree recurses too.
pub trait RecursiveDescent: Wording {
    /// The kinds of tokens.
    type Kind: TokenKind;
    /// Where this parser keeps how far it is.
    type Progress: Progress<Kind = Self::Kind>;

    /// How deep constructs may nest.
    const MAX_NESTING: usize;
    /// What nests, as messages say it: "the model".
    const NESTING_SUBJECT: &'static str;
    /// Which constructs count, as messages say it.
    const NESTING_NOTE: &'static str;

    /// How far it is.
    fn progress(&self) -> &Self::Progress;

    /// The same, to move on.
    fn progress_mut(&mut self) -> &mut Self::Progress;

    /// The current token.
    #[inline]
    fn token(&self) -> Token<Self::Kind> {
        self.progress().token()
    }

    /// The text of the current token.
    fn text(&self) -> &str {
        self.progress().text()
    }

    /// Moves to the next token.
    #[inline]
    fn advance(&mut self) {
        self.progress_mut().advance();
    }

    /// What is remembered of the errors so far.
    fn recovery(&mut self) -> &mut Recovery {
        self.progress_mut().recovery()
    }

    /// Where errors are reported to.
    fn diagnostics(&mut self) -> &mut Diagnostics {
        self.progress_mut().diagnostics()
    }

    /// Reports that something else was expected here.
    #[cold]
    #[inline(never)]
    fn expected(&mut self, what: &str) -> Reported {
        let error = self.with_hint(self.mismatch(what), what);
        self.report(error)
    }

    /// Reports that a name was expected here.
    fn expected_ident(&mut self, what: &str) -> Reported {
        self.expected(what)
    }

    /// The error that something else was expected here.
    fn mismatch(&self, what: &str) -> Diagnostic {
        Diagnostic::error(format!("expected {what}, found {}", self.found()))
            .at(self.span(), format!("expected {what}"))
    }

    /// The error that a bracket is not closed here.
    fn missing_bracket(&self, closing: &str, opening: &str, open: Span) -> Diagnostic {
        Diagnostic::error(format!("expected {closing}, found {}", self.found()))
            .at(self.span(), format!("a {closing} is missing before this"))
            .also(open, format!("for this {opening}"))
    }

    /// An error with the hint for what was expected, if there is one.
    fn with_hint(&self, error: Diagnostic, what: &str) -> Diagnostic {
        match self.hint(what) {
            Some(hint) => error.help(hint),
            None => error,
        }
    }

    /// The kind of the current token.
    #[inline]
    fn kind(&self) -> Self::Kind {
        self.token().kind
    }

    /// The place of the current token.
    #[inline]
    fn span(&self) -> Span {
        self.token().span
    }

    /// Whether the current token is of this kind.
    #[inline]
    fn at(&self, kind: Self::Kind) -> bool {
        self.kind() == kind
    }

    /// Moves past the current token if it is of this kind.
    #[inline]
    fn accept(&mut self, kind: Self::Kind) -> bool {
        let found = self.at(kind);
        if found {
            self.advance();
        }
        found
    }

    /// Moves past the current token, which must be of this kind.
    fn expect(&mut self, kind: Self::Kind, what: &str) -> Parsed<Span> {
        let span = self.span();
        if self.accept(kind) { Ok(span) } else { Err(self.expected(what)) }
    }

    /// Moves past a name.
    fn expect_ident(&mut self, what: &str) -> Parsed<Name> {
        let Token { text, span, .. } = self.token();
        if self.accept(Self::Kind::IDENT) { Ok(Name { sym: text, span }) } else { Err(self.expected_ident(what)) }
    }

    /// Moves past a decimal number.
    fn expect_number(&mut self) -> Parsed<i32> {
        if let Ok(value) = self.text().parse() {
            self.advance();
            return Ok(value);
        }
        let error =
            Diagnostic::error("this number is too large").at(self.span(), format!("the largest is {}", i32::MAX));
        Err(self.report(error))
    }

    /// One or more of something, separated by commas.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.accept(Self::Kind::COMMA) {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Something up to the end of the tokens. What stands behind it is reported.
    fn to_the_end<T>(&mut self, whole: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let whole = whole(self)?;
        if !self.at(Self::Kind::EOF) {
            self.expected("an operator or the end");
        }
        Ok(whole)
    }

    /// Parses a construct that may contain itself, unless it is too deep already.
    #[inline]
    fn nested<T>(&mut self, construct: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if *self.progress_mut().nesting() >= Self::MAX_NESTING {
            return Err(self.too_deep());
        }
        *self.progress_mut().nesting() += 1;
        let result = construct(self);
        *self.progress_mut().nesting() -= 1;
        result
    }

    /// Reports that the limit of nesting is reached.
    #[cold]
    #[inline(never)]
    fn too_deep(&mut self) -> Reported {
        let (subject, limit) = (Self::NESTING_SUBJECT, Self::MAX_NESTING);
        let error = Diagnostic::error(format!("{subject} is nested more than {limit} levels deep"))
            .at(self.span(), "this goes too deep")
            .note(Self::NESTING_NOTE);
        self.abort(error)
    }

    /// Reports an error, unless its place has one already.
    #[inline(never)]
    fn report(&mut self, error: Diagnostic) -> Reported {
        let place = error.span().unwrap_or_default();
        // The scanner has reported a character that starts no token.
        let by_scanner = self.at(Self::Kind::UNKNOWN) && place == self.span();
        if !by_scanner && self.recovery().is_first_at(place) {
            self.push_error(error);
        }
        Reported
    }

    /// Adds an error to those that are shown, and stops if no more are.
    fn push_error(&mut self, error: Diagnostic) {
        self.recovery().active = true;
        self.diagnostics().push(error);
        if self.diagnostics().is_full() {
            self.stop_parsing();
        }
    }

    /// Reports an error and parses no further.
    fn abort(&mut self, error: Diagnostic) -> Reported {
        self.report(error);
        self.stop_parsing();
        Reported
    }

    /// Parses no further: every token is the end of the file now, and nothing more is reported.
    fn stop_parsing(&mut self) {
        self.recovery().stopped = true;
        self.progress_mut().stop();
    }
}
