//! The parser: recursive descent, one function per construct.
//!
//! The grammar is that of CMurphi 5.4, and where Rumur is more lenient without changing the meaning of anything, it is
//! followed: semicolons after declarations and rules may be missing, sections and routines may stand in any order. After
//! an error the parser goes on at the next statement, declaration or rule.

mod decl;
mod expr;
mod rule;
mod statement;
mod synchronise;
mod unexpected;

pub(crate) use unexpected::foreign;

use crate::ast::{Expr, Item, Program};
use crate::token::{Interner, Tok, Token};
use rustc_hash::FxHashSet;
use tightrope_syntax::{Cursor, Diagnostics, Name, Parsed, RecursiveDescent, Reported, Span};

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
    Parser::new(tokens, names, diags)?.to_the_end(Parser::expr).ok()
}

struct Parser<'a> {
    cursor: Cursor<'a, Tok>,
    /// The height of the highest expression since this was last reset.
    max_height: u32,
    /// The specific keywords (`endif`) that end the constructs that are open.
    closers: Vec<Tok>,
    /// Operators of other languages that were warned about.
    warned: FxHashSet<Tok>,
    /// The guard of a rule is being parsed.
    in_guard: bool,
    /// Blocks are written in braces, which was reported.
    blocks_in_braces: bool,
    /// An `else if` of the rule or routine that is being parsed.
    else_if: Option<Span>,
}

impl<'a> Parser<'a> {
    /// A parser at the first of these tokens, of which the last must be the end of the file.
    fn new(tokens: &'a [Token], names: &'a Interner, diags: &'a mut Diagnostics) -> Option<Self> {
        Some(Parser {
            cursor: Cursor::new(tokens, names, diags)?,
            max_height: 0,
            closers: Vec::new(),
            warned: FxHashSet::default(),
            in_guard: false,
            blocks_in_braces: false,
            else_if: None,
        })
    }
}

impl<'a> RecursiveDescent for Parser<'a> {
    type Kind = Tok;
    type Progress = Cursor<'a, Tok>;

    const MAX_NESTING: usize = 200;
    const NESTING_SUBJECT: &'static str = "the model";
    const NESTING_NOTE: &'static str = "blocks, rules, types, parentheses and indices count together";

    fn progress(&self) -> &Self::Progress {
        &self.cursor
    }

    fn progress_mut(&mut self) -> &mut Self::Progress {
        &mut self.cursor
    }

    fn expected(&mut self, what: &str) -> Reported {
        self.unexpected(what)
    }
}

impl Parser<'_> {
    fn program(&mut self) -> Program {
        let mut items = Vec::new();
        let mut decls = Vec::new();
        let mut rules = Vec::new();
        loop {
            while self.accept(Tok::Semi) {}
            match self.kind() {
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

    /// `a, b, c`; a comma at the end is fine.
    fn name_list(&mut self, what: &str) -> Parsed<Vec<Name>> {
        let mut names = vec![self.expect_ident(what)?];
        while self.accept(Tok::Comma) {
            if self.at(Tok::Colon) || self.at(Tok::RBrace) {
                break;
            }
            names.push(self.expect_ident(what)?);
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
}

#[cfg(test)]
mod tests;
