//! The parser: recursive descent, one function per construct.
//!
//! The grammar is that of DiVinE 2, with some leniency: the sections of a process and the clauses of a transition may
//! stand in any order, a `,` between transitions and a `;` before a closing brace may be missing, and so may the last `;`.
//! After an error the parser goes on at the next clause, transition or declaration.

mod decl;
mod expr;
mod process;
mod synchronise;
mod transition;
mod unexpected;

use crate::ast::{Expr, Initial, Program};
use crate::token::{Interner, Tok, Token};
use rustc_hash::FxHashSet;
use tightrope_syntax::{Cursor, Diagnostics, Parsed, RecursiveDescent, Reported};

/// Parses a file's tokens, of which the last must be the end of the file. What it returns is only of use if no error
/// was reported.
pub(crate) fn parse(tokens: &[Token], names: &Interner, diags: &mut Diagnostics) -> Program {
    match Parser::new(tokens, names, diags) {
        Some(mut parser) => {
            let end = Some(parser.cursor.end.span);
            Program { end, ..parser.program() }
        }
        None => Program::default(),
    }
}

/// Parses tokens that are an expression and nothing else.
pub(crate) fn parse_expression(tokens: &[Token], names: &Interner, diags: &mut Diagnostics) -> Option<Expr> {
    Parser::new(tokens, names, diags)?.to_the_end(Parser::expr).ok()
}

/// Parses tokens that are an initial value and nothing else.
pub(crate) fn parse_initial(tokens: &[Token], names: &Interner, diags: &mut Diagnostics) -> Option<Initial> {
    Parser::new(tokens, names, diags)?.to_the_end(Parser::initial).ok()
}

struct Parser<'a> {
    cursor: Cursor<'a, Tok>,
    /// A brace of this process is missing, which was reported: that others seem to be missing is a follow-on error.
    missing_brace: bool,
    /// Keywords that were used as names, which was reported.
    keywords_as_names: FxHashSet<Tok>,
}

impl<'a> Parser<'a> {
    fn new(tokens: &'a [Token], names: &'a Interner, diags: &'a mut Diagnostics) -> Option<Self> {
        Some(Parser {
            cursor: Cursor::new(tokens, names, diags)?,
            missing_brace: false,
            keywords_as_names: FxHashSet::default(),
        })
    }

    /// The `;` after something; before a `}` it may be missing.
    fn semicolon(&mut self) -> Parsed<()> {
        if self.accept(Tok::Semi) || self.at(Tok::RBrace) {
            return Ok(());
        }
        Err(self.missing_semicolon())
    }
}

impl<'a> RecursiveDescent for Parser<'a> {
    type Kind = Tok;
    type Progress = Cursor<'a, Tok>;

    const MAX_NESTING: usize = 200;
    const NESTING_SUBJECT: &'static str = "the expression";
    const NESTING_NOTE: &'static str = "parentheses and indices count together";

    fn progress(&self) -> &Self::Progress {
        &self.cursor
    }

    fn progress_mut(&mut self) -> &mut Self::Progress {
        &mut self.cursor
    }

    fn expected_ident(&mut self, what: &str) -> Reported {
        self.unexpected_name(what)
    }
}

#[cfg(test)]
mod tests;
