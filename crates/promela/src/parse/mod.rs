//! The parser: recursive descent, one function per construct.
//!
//! What does not recurse is kept out of the functions that do (`#[inline(never)]`), because their frames are what fills
//! the stack. After an error the parser goes on at the next statement, option or unit.

mod counting;
mod decl;
mod embedded_c;
mod expr;
mod inline;
mod literal;
mod message;
mod selection;
mod statement;
mod synchronise;
mod token_stream;
mod unexpected;
mod unit;

use crate::ast::{Expr, Module, Name};
use crate::preprocess::Preprocessed;
use crate::token::{Flags, Interner, Sym, Tok, Token};
use inline::{Inline, InlineCall};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use tightrope_syntax::{Diagnostic, Diagnostics, Parsed, Recovery, RecursiveDescent, Reported, Span};
use token_stream::TokenStream;

/// Parses preprocessed tokens. What it returns is only of use if no error was reported.
pub(crate) fn parse(input: Preprocessed, diags: &mut Diagnostics) -> Module {
    let Preprocessed { tokens, goal, names } = input;
    let before = diags.error_count();
    let Some(&end) = tokens.last() else {
        return Module::default();
    };
    let mut parser = Parser {
        stream: TokenStream::new(tokens, end),
        token: end,
        previous: Span { start: 0, end: 0, ..end.span },
        trail: Vec::new(),
        names,
        diags,
        in_sequence: false,
        proctypes: FxHashSet::default(),
        typedefs: FxHashSet::default(),
        inlines: FxHashMap::default(),
        broken_inlines: FxHashSet::default(),
        miscalled: FxHashSet::default(),
        calls: Vec::new(),
        inlined_tokens: 0,
        nesting: 0,
        in_parameters: false,
        open_options: 0,
        closers: Vec::new(),
        stray_reported: false,
        height: 0,
        recovery: Recovery::default(),
        errors_found: 0,
        reported_in_macros: FxHashSet::default(),
        unclosed: false,
    };
    parser.advance();
    let mut module = parser.module();
    if parser.errors_found > 0 && parser.diags.error_count() == before {
        // Errors that follow from others are not reported, but there must be those others.
        debug_assert!(false, "an error that was taken for one that follows from another");
        parser.diags.push(Diagnostic::error("the model has an error that cannot be located"));
    }
    if let Some(goal) = goal
        && parser.diags.error_count() == before
    {
        module.goal = parser.goal(goal).ok();
    }
    module
}

struct Parser<'d> {
    stream: TokenStream,
    /// The current token, separators that SPIN adds included.
    token: Token,
    /// The place of the token before.
    previous: Span,
    /// The tokens that were passed since the statement began that is being parsed.
    trail: Vec<Token>,
    names: Interner,
    diags: &'d mut Diagnostics,
    /// Inside a body or a typedef: where the ends of lines end statements.
    in_sequence: bool,
    /// Names seen so far; what a name is decides how it may go on.
    proctypes: FxHashSet<Sym>,
    typedefs: FxHashSet<Sym>,
    inlines: FxHashMap<Sym, Rc<Inline>>,
    /// Inlines that are wrong or not defined, which was reported.
    broken_inlines: FxHashSet<Sym>,
    /// Inlines that were called wrongly, which was reported.
    miscalled: FxHashSet<Sym>,
    /// The inline calls whose bodies are being parsed.
    calls: Vec<InlineCall>,
    inlined_tokens: usize,
    nesting: usize,
    /// Between the parentheses of a process type.
    in_parameters: bool,
    /// How many `if` and `do` are open in this body.
    open_options: usize,
    /// The keywords that end them.
    closers: Vec<Tok>,
    /// This body has an error about `::`, `fi` or `od` without their `if` or `do`; more of them are follow-on errors.
    stray_reported: bool,
    /// The height of the expression that was parsed last.
    height: u32,
    recovery: Recovery,
    /// How many errors were found, also those that were not reported.
    errors_found: usize,
    /// Messages about what macros expand to, with the text that expands to it: they would come again wherever it stands.
    reported_in_macros: FxHashSet<(String, Sym)>,
    /// A brace, a parenthesis, `fi` or `od` of this unit is missing, which was reported. That more of them seem to be
    /// missing is a follow-on error.
    unclosed: bool,
}

impl Parser<'_> {
    /// An expression that stands for itself, after the model.
    fn goal(&mut self, mut tokens: Vec<Token>) -> Parsed<Expr> {
        // The ends of lines mean nothing here.
        tokens.iter_mut().for_each(|token| token.flags = token.flags.without(Flags::LINE));
        if let Some(&end) = tokens.last() {
            self.stream = TokenStream::new(tokens, end);
            self.token = end;
            self.in_sequence = false;
            self.advance();
        }
        if matches!((self.kind(), self.stream.raw(0).kind), (Tok::Lt, Tok::Gt) | (Tok::LBracket, Tok::RBracket)) {
            let error = Diagnostic::error("a goal is a condition on one state, not a formula about runs")
                .at(self.span().to(self.stream.raw(0).span), "about what comes later")
                .help("write what is to hold in the state that is looked for, without temporal operators");
            return Err(self.report(error));
        }
        self.to_the_end(Self::expr)
    }

    /// A name that is free to be declared or used.
    fn expect_name(&mut self, what: &str) -> Parsed<Name> {
        let ident = self.expect_ident(what)?;
        Ok(Name { text: self.names.text(ident.sym).to_string(), span: ident.span })
    }

    fn name(&self, token: Token) -> Name {
        Name { text: self.names.text(token.text).to_string(), span: token.span }
    }
}

impl tightrope_syntax::Progress for Parser<'_> {
    type Kind = Tok;

    fn token(&self) -> tightrope_syntax::Token<Tok> {
        tightrope_syntax::Token { kind: self.token.kind, text: self.token.text, span: self.token.span }
    }

    fn text(&self) -> &str {
        self.names.text(self.token.text)
    }

    fn advance(&mut self) {
        if self.token.kind != Tok::Eof {
            self.previous = self.token.span;
            if !self.names.text(self.token.text).is_empty() {
                self.trail.push(self.token);
            }
        }
        if !self.recovery.stopped {
            self.token = self.next_token();
        }
    }

    fn stop(&mut self) {
        self.token.kind = Tok::Eof;
    }

    fn nesting(&mut self) -> &mut usize {
        &mut self.nesting
    }

    fn recovery(&mut self) -> &mut Recovery {
        &mut self.recovery
    }

    fn diagnostics(&mut self) -> &mut Diagnostics {
        self.diags
    }
}

impl RecursiveDescent for Parser<'_> {
    type Kind = Tok;
    type Progress = Self;

    const MAX_NESTING: usize = 100;
    const NESTING_SUBJECT: &'static str = "the model";
    const NESTING_NOTE: &'static str = "blocks, options, parentheses, indices and inline calls count together";

    fn progress(&self) -> &Self {
        self
    }

    fn progress_mut(&mut self) -> &mut Self {
        self
    }

    fn expected(&mut self, what: &str) -> Reported {
        self.unexpected(what)
    }

    /// Reports an error, unless its place has one already, or it follows from one in the text of a macro or an inline.
    fn report(&mut self, mut error: Diagnostic) -> Reported {
        let place = error.span().unwrap_or_default();
        self.errors_found += 1;
        if !self.recovery.is_first_at(place) {
            return Reported;
        }
        // The body of an inline is wrong in every call.
        if let Some(call) = self.calls.last()
            && !self.broken_inlines.insert(call.symbol)
        {
            return Reported;
        }
        // Tokens out of a macro have the place of its call.
        let expanded = place == self.token.span && self.text().len() as u32 != place.end - place.start;
        if expanded && !self.reported_in_macros.insert((error.message.clone(), self.token.text)) {
            return Reported;
        }
        for call in self.calls.iter().rev().take(3) {
            error = error.also(call.span, format!("in this call of inline `{}`", call.name));
        }
        self.push_error(error);
        Reported
    }
}

#[cfg(test)]
mod tests;
