//! The parser: recursive descent, one function per construct.
//!
//! Nothing recurses without [`Parser::nested`], so hostile nesting ends in a diagnostic instead of a full stack; the
//! heights of expressions are counted for the same reason, since whoever walks the tree recurses too. What does not
//! recurse is kept out of the functions that do (`#[inline(never)]`), because their frames are what fills the stack.
//! After an error the parser goes on at the next statement, option or unit, so that one run finds several mistakes.

mod counting;
mod cursor;
mod decl;
mod embedded_c;
mod expr;
mod inline;
mod literal;
mod message;
mod recover;
mod statement;
mod unit;

use crate::ast::{Expr, Module, Name};
use crate::preprocess::Preprocessed;
use crate::token::{Flags, Interner, Sym, Tok, Token};
use cursor::Cursor;
use inline::{Call, Inline};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use tightrope_syntax::{Diagnostic, Diagnostics, Span};

/// How deep blocks, options, parentheses, indices and inline calls may nest, taken together.
const MAX_NESTING: usize = 100;

/// An error was reported; whoever gets this looks for a place to go on.
struct Reported;

type Parsed<T> = Result<T, Reported>;

/// Parses preprocessed tokens. What it returns is only of use if no error was reported.
pub(crate) fn parse(input: Preprocessed, diags: &mut Diagnostics) -> Module {
    let Preprocessed { tokens, goal, names } = input;
    let before = diags.error_count();
    let Some(&end) = tokens.last() else {
        return Module::default();
    };
    let mut parser = Parser {
        cursor: Cursor::new(tokens, end),
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
        aborted: false,
        reported: FxHashSet::default(),
        faults: 0,
        reported_in_macros: FxHashSet::default(),
        lost: false,
        shaken: false,
    };
    parser.advance();
    let mut module = parser.module();
    if parser.faults > 0 && parser.diags.error_count() == before {
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
    cursor: Cursor,
    /// The token to be looked at; separators that SPIN adds are already among them.
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
    calls: Vec<Call>,
    inlined_tokens: usize,
    nesting: usize,
    /// Between the parentheses of a process type.
    in_parameters: bool,
    /// How many `if` and `do` are open in this body.
    open_options: usize,
    /// The keywords that end them.
    closers: Vec<Tok>,
    /// This body has an error about `::`, `fi` or `od` without their `if` or `do`; more of them are its echoes.
    stray_reported: bool,
    /// The height of the expression that was parsed last.
    height: u32,
    /// Gave up: every token is the end now, and nothing more is reported.
    aborted: bool,
    /// Places that have an error already: a second one there would be an echo.
    reported: FxHashSet<Span>,
    /// How many errors were found, also those that were not reported.
    faults: usize,
    /// Messages about what macros expand to, with the text that expands to it: they would come again wherever it stands.
    reported_in_macros: FxHashSet<(String, Sym)>,
    /// A brace, a parenthesis, `fi` or `od` of this unit is missing, which was reported: more of that kind are its echoes.
    lost: bool,
    /// Something was reported since the last unit without errors: what then seems to stand outside of units is an echo.
    shaken: bool,
}

impl Parser<'_> {
    /// An expression that stands for itself, after the model.
    fn goal(&mut self, mut tokens: Vec<Token>) -> Parsed<Expr> {
        // The ends of lines mean nothing here.
        tokens.iter_mut().for_each(|token| token.flags = token.flags.without(Flags::LINE));
        if let Some(&end) = tokens.last() {
            self.cursor = Cursor::new(tokens, end);
            self.token = end;
            self.in_sequence = false;
            self.advance();
        }
        if matches!((self.token.kind, self.cursor.raw(0).kind), (Tok::Lt, Tok::Gt) | (Tok::LBracket, Tok::RBracket)) {
            let error = Diagnostic::error("a goal is a condition on one state, not a formula about runs")
                .at(self.token.span.to(self.cursor.raw(0).span), "about what comes later")
                .help("write what is to hold in the state that is looked for, without temporal operators");
            return Err(self.report(error));
        }
        let goal = self.expr()?;
        if !self.at(Tok::Eof) {
            return Err(self.expected("an operator or the end"));
        }
        Ok(goal)
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

    /// A name that is free to be declared or used.
    fn expect_name(&mut self, what: &str) -> Parsed<Name> {
        if self.at(Tok::Ident) {
            let name = self.name(self.token);
            self.advance();
            return Ok(name);
        }
        Err(self.expected(what))
    }

    fn name(&self, token: Token) -> Name {
        Name { text: self.names.text(token.text).to_string(), span: token.span }
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
            .note("blocks, options, parentheses, indices and inline calls count together");
        self.abort(error)
    }

    /// Reports an error, unless its place has one already.
    fn report(&mut self, mut error: Diagnostic) -> Reported {
        let place = error.span().unwrap_or_default();
        self.faults += 1;
        if self.aborted || !self.reported.insert(place) {
            return Reported;
        }
        // The body of an inline is wrong in every call.
        if let Some(call) = self.calls.last()
            && !self.broken_inlines.insert(call.symbol)
        {
            return Reported;
        }
        // What comes out of a macro has the place of its call.
        let expanded =
            place == self.token.span && self.names.text(self.token.text).len() as u32 != place.end - place.start;
        if expanded && !self.reported_in_macros.insert((error.message.clone(), self.token.text)) {
            return Reported;
        }
        self.shaken = true;
        for call in self.calls.iter().rev().take(3) {
            error = error.also(call.span, format!("in this call of inline `{}`", call.name));
        }
        self.diags.push(error);
        if self.diags.is_full() {
            self.give_up();
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
