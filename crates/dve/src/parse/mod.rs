//! The parser: recursive descent, one function per construct.
//!
//! The grammar is that of DiVinE 2, with some leniency: the sections of a process and the clauses of a transition may
//! stand in any order, a `,` between transitions and a `;` before a closing brace may be missing, and so may the last `;`.
//!
//! Nothing recurses without [`Parser::nested`], so hostile nesting ends in a diagnostic instead of a full stack; the
//! heights of expressions are counted for the same reason, since whoever walks the tree recurses too. After an error the
//! parser goes on at the next clause, transition or declaration, so that one run finds several mistakes.

mod decl;
mod expr;
mod process;
mod recover;
mod transition;

use crate::ast::{Expr, Initial, Name, Program};
use crate::token::{Interner, Tok, Token};
use rustc_hash::FxHashSet;
use tightrope_syntax::{Diagnostic, Diagnostics, Span};

/// How deep parentheses and indices may nest, taken together.
const MAX_NESTING: usize = 200;

/// An error was reported; whoever gets this looks for a place to go on.
#[derive(Debug)]
struct Reported;

type Parsed<T> = Result<T, Reported>;

/// Parses a file's tokens, of which the last must be the end of the file. What it returns is only of use if no error
/// was reported.
pub(crate) fn parse(tokens: &[Token], names: &Interner, diags: &mut Diagnostics) -> Program {
    match Parser::new(tokens, names, diags) {
        Some(mut parser) => {
            let end = Some(parser.end.span);
            Program { end, ..parser.program() }
        }
        None => Program::default(),
    }
}

/// Parses tokens that are an expression and nothing else.
pub(crate) fn parse_expression(tokens: &[Token], names: &Interner, diags: &mut Diagnostics) -> Option<Expr> {
    let mut parser = Parser::new(tokens, names, diags)?;
    let expr = parser.expr().ok()?;
    if !parser.at(Tok::Eof) {
        parser.expected("an operator or the end");
    }
    Some(expr)
}

/// Parses tokens that are an initial value and nothing else.
pub(crate) fn parse_initial(tokens: &[Token], names: &Interner, diags: &mut Diagnostics) -> Option<Initial> {
    let mut parser = Parser::new(tokens, names, diags)?;
    let initial = parser.initial().ok()?;
    if !parser.at(Tok::Eof) {
        parser.expected("an operator or the end");
    }
    Some(initial)
}

struct Parser<'a> {
    tokens: &'a [Token],
    /// The position of the present token.
    at: usize,
    /// The token to be looked at.
    token: Token,
    /// What is read after the last token.
    end: Token,
    /// The place of the token before.
    previous: Span,
    names: &'a Interner,
    diags: &'a mut Diagnostics,
    nesting: usize,
    /// Gave up: every token is the end now, and nothing more is reported.
    aborted: bool,
    /// Places that have an error already: a second one there would be an echo.
    reported: FxHashSet<Span>,
    /// Something was reported since the last process without errors: what then seems to stand outside of one is an echo.
    shaken: bool,
    /// A brace of this process is missing, which was reported: what else is missing there is an echo.
    brace_lost: bool,
    /// Keywords that were taken for names, which was reported.
    misused: FxHashSet<Tok>,
}

impl<'a> Parser<'a> {
    fn new(tokens: &'a [Token], names: &'a Interner, diags: &'a mut Diagnostics) -> Option<Self> {
        let end = *tokens.last()?;
        Some(Parser {
            tokens,
            at: 0,
            token: tokens[0],
            end,
            previous: Span { start: 0, end: 0, ..end.span },
            names,
            diags,
            nesting: 0,
            aborted: false,
            reported: FxHashSet::default(),
            shaken: false,
            brace_lost: false,
            misused: FxHashSet::default(),
        })
    }

    /// Moves to the next token.
    fn advance(&mut self) {
        if self.aborted || self.token.kind == Tok::Eof {
            return;
        }
        self.previous = self.token.span;
        self.at += 1;
        self.token = self.peek(0);
    }

    /// The token `distance` after the present one.
    fn peek(&self, distance: usize) -> Token {
        self.tokens.get(self.at + distance).copied().unwrap_or(self.end)
    }

    /// The text of the present token.
    fn text(&self) -> &str {
        self.names.text(self.token.text)
    }

    /// Whether the present token is of this kind.
    fn at(&self, kind: Tok) -> bool {
        self.token.kind == kind
    }

    /// Moves past the present token if it is of this kind.
    fn accept(&mut self, kind: Tok) -> bool {
        let found = self.at(kind);
        if found {
            self.advance();
        }
        found
    }

    /// Moves past the present token, which must be of this kind.
    fn expect(&mut self, kind: Tok, what: &str) -> Parsed<Span> {
        if self.at(kind) {
            let span = self.token.span;
            self.advance();
            return Ok(span);
        }
        Err(self.expected(what))
    }

    /// The `;` after something; before a `}` it may be missing.
    fn semicolon(&mut self) -> Parsed<()> {
        if self.accept(Tok::Semi) || self.at(Tok::RBrace) {
            return Ok(());
        }
        Err(self.missing_semicolon())
    }

    fn expect_name(&mut self, what: &str) -> Parsed<Name> {
        if self.at(Tok::Ident) {
            let name = Name { sym: self.token.text, span: self.token.span };
            self.advance();
            return Ok(name);
        }
        Err(self.no_name(what))
    }

    /// `a, b, c`
    fn name_list(&mut self, what: &str) -> Parsed<Vec<Name>> {
        let mut names = vec![self.expect_name(what)?];
        while self.accept(Tok::Comma) {
            names.push(self.expect_name(what)?);
        }
        Ok(names)
    }

    /// `a, b, c` of expressions.
    fn expr_list(&mut self) -> Parsed<Vec<Expr>> {
        let mut list = vec![self.expr()?];
        while self.accept(Tok::Comma) {
            list.push(self.expr()?);
        }
        Ok(list)
    }

    /// Runs a part that may contain itself, unless it is too deep already.
    fn nested<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= MAX_NESTING {
            return Err(self.too_deep());
        }
        self.nesting += 1;
        let result = part(self);
        self.nesting -= 1;
        result
    }

    #[cold]
    #[inline(never)]
    fn too_deep(&mut self) -> Reported {
        let error = Diagnostic::error(format!("the expression is nested more than {MAX_NESTING} levels deep"))
            .at(self.token.span, "this goes too deep")
            .note("parentheses and indices count together");
        self.abort(error)
    }

    /// Reports an error, unless its place has one already.
    fn report(&mut self, error: Diagnostic) -> Reported {
        let place = error.span().unwrap_or_default();
        // A character that means nothing was reported by the scanner.
        let echo = self.at(Tok::Other) && place == self.token.span;
        if !self.aborted && !echo && self.reported.insert(place) {
            self.shaken = true;
            self.diags.push(error);
            if self.diags.is_full() {
                self.give_up();
            }
        }
        Reported
    }

    /// Reports an error and parses no further.
    fn abort(&mut self, error: Diagnostic) -> Reported {
        self.report(error);
        self.give_up();
        Reported
    }

    fn give_up(&mut self) {
        self.aborted = true;
        self.token.kind = Tok::Eof;
    }
}

#[cfg(test)]
mod tests;
