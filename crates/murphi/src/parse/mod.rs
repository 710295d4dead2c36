//! The parser: recursive descent, one function per construct.
//!
//! The grammar is that of CMurphi 5.4, and where Rumur is more lenient without changing the meaning of anything, it is
//! followed: semicolons after declarations and rules may be missing, sections and routines may stand in any order.
//!
//! Nothing recurses without [`Parser::nested`], so hostile nesting ends in a diagnostic instead of a full stack; the
//! heights of expressions are counted for the same reason, since whoever walks the tree recurses too. After an error the
//! parser goes on at the next statement, declaration or rule, so that one run finds several mistakes.

mod decl;
mod expr;
mod recover;
mod rule;
mod statement;

pub(crate) use recover::foreign;

use crate::ast::{Expr, Item, Name, Program};
use crate::token::{Interner, Tok, Token};
use rustc_hash::FxHashSet;
use tightrope_syntax::{Diagnostic, Diagnostics, Span};

/// How deep blocks, types, parentheses and indices may nest, taken together.
const MAX_NESTING: usize = 200;

/// An error was reported; whoever gets this looks for a place to go on.
#[derive(Debug)]
struct Reported;

type Parsed<T> = Result<T, Reported>;

/// Parses a file's tokens, of which the last must be the end of the file. What it returns is only of use if no error
/// was reported.
pub(crate) fn parse(tokens: &[Token], names: &Interner, diags: &mut Diagnostics) -> Program {
    match Parser::new(tokens, names, diags) {
        Some(mut parser) => parser.program(),
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
    /// The height of the highest expression since this was last reset.
    tallest: u32,
    /// What ends the constructs that are open, other than a plain `end`.
    open: Vec<Tok>,
    /// Gave up: every token is the end now, and nothing more is reported.
    aborted: bool,
    /// Places that have an error already: a second one there would be an echo.
    reported: FxHashSet<Span>,
    /// Operators of other languages that were warned about.
    warned: FxHashSet<Tok>,
    /// Something was reported since the last rule or routine without errors: what then seems to stand outside of one is an echo.
    shaken: bool,
    /// The guard of a rule is being parsed.
    in_guard: bool,
    /// Blocks are written in braces, which was reported.
    braces: bool,
    /// An `else if` of the rule or routine that is being parsed.
    else_if: Option<Span>,
}

impl<'a> Parser<'a> {
    /// A parser at the first of these tokens, of which the last must be the end of the file.
    fn new(tokens: &'a [Token], names: &'a Interner, diags: &'a mut Diagnostics) -> Option<Self> {
        let &end = tokens.last()?;
        Some(Parser {
            tokens,
            at: 0,
            token: tokens[0],
            end,
            previous: Span { start: 0, end: 0, ..end.span },
            names,
            diags,
            nesting: 0,
            tallest: 0,
            open: Vec::new(),
            aborted: false,
            reported: FxHashSet::default(),
            warned: FxHashSet::default(),
            shaken: false,
            in_guard: false,
            braces: false,
            else_if: None,
        })
    }
}

impl Parser<'_> {
    fn program(&mut self) -> Program {
        let mut items = Vec::new();
        let mut decls = Vec::new();
        let mut rules = Vec::new();
        loop {
            while self.accept(Tok::Semi) {}
            match self.token.kind {
                Tok::Eof => break,
                Tok::Const | Tok::Type | Tok::Var => self.section(&mut decls),
                Tok::Procedure | Tok::Function => match self.routine() {
                    Ok(routine) => items.push(Item::Routine(routine)),
                    Err(Reported) => self.skip_routine(),
                },
                _ if self.at_rule() => self.rules(&mut rules),
                _ => {
                    self.unexpected_item();
                    self.advance();
                    self.skip_item();
                }
            }
            items.extend(decls.drain(..).map(Item::Decl));
            items.extend(rules.drain(..).map(Item::Rule));
        }
        Program { items }
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

    fn expect_name(&mut self, what: &str) -> Parsed<Name> {
        if self.at(Tok::Ident) {
            let name = Name { sym: self.token.text, span: self.token.span };
            self.advance();
            return Ok(name);
        }
        Err(self.expected(what))
    }

    /// `a, b, c`; a comma at the end is fine.
    fn name_list(&mut self, what: &str) -> Parsed<Vec<Name>> {
        let mut names = vec![self.expect_name(what)?];
        while self.accept(Tok::Comma) {
            if self.at(Tok::Colon) || self.at(Tok::RBrace) {
                break;
            }
            names.push(self.expect_name(what)?);
        }
        Ok(names)
    }

    /// A string, without its quotes.
    fn string(&mut self) -> Option<String> {
        if !self.at(Tok::Str) {
            return None;
        }
        let text = crate::scan::unquoted(self.text());
        self.advance();
        Some(text)
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
        let error = Diagnostic::error(format!("the model is nested more than {MAX_NESTING} levels deep"))
            .at(self.token.span, "this goes too deep")
            .note("blocks, rules, types, parentheses and indices count together");
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
