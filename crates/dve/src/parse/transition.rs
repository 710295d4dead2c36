//! Transitions.

use super::Parser;
use super::unexpected::CLAUSE;
use crate::ast::{Expr, Sync, Transition};
use crate::token::Tok;
use tightrope_syntax::{Diagnostic, Parsed, RecursiveDescent, Reported, Span};

/// Where the clauses of a transition stand; each may occur once.
#[derive(Default)]
struct Clauses {
    guard: Option<Span>,
    sync: Option<Span>,
    effect: Option<Span>,
}

impl Parser<'_> {
    /// Whether a transition seems to start here.
    pub(super) fn at_transition(&self) -> bool {
        let next = self.cursor.peek(1).kind;
        self.at(Tok::Arrow) || (self.at(Tok::Ident) && matches!(next, Tok::Arrow | Tok::WideArrow))
    }

    /// Transitions up to and with their `;`.
    pub(super) fn transitions(&mut self, transitions: &mut Vec<Transition>) -> Parsed<()> {
        while !self.at(Tok::Semi) && !self.at(Tok::RBrace) {
            if self.missing_brace && self.ends_process() {
                return Err(Reported);
            }
            if !self.at_transition() {
                if self.at(Tok::Ident)
                    && matches!(self.cursor.peek(1).kind, Tok::Ident | Tok::Minus | Tok::Gt | Tok::LBrace)
                {
                    // A state without its arrow.
                    self.advance();
                    self.expected("`->`");
                    self.skip_transition();
                    self.accept(Tok::Comma);
                    continue;
                }
                return Err(self.expected("a transition: `from -> to { … }`"));
            }
            match self.transition() {
                Ok(transition) => transitions.push(transition),
                Err(Reported) => self.skip_transition(),
            }
            self.accept(Tok::Comma);
        }
        self.semicolon()
    }

    /// `a -> b { guard …; sync …; effect …; }`
    fn transition(&mut self) -> Parsed<Transition> {
        let start = self.span();
        let from = if self.at(Tok::Ident) { Some(self.expect_ident("the name of a state")?) } else { None };
        if self.at(Tok::WideArrow) {
            let error = Diagnostic::error("probabilistic transitions are not supported")
                .at(self.span(), "one of these is taken at random")
                .help("write a transition `->` for each of them, to have all of them possible");
            return Err(self.report(error));
        }
        self.expect(Tok::Arrow, "`->`")?;
        let to = self.expect_ident("the name of a state")?;
        let open = match self.kind() {
            Tok::LBrace => self.expect(Tok::LBrace, "`{`")?,
            // The clauses can be parsed without it.
            Tok::Guard | Tok::Sync | Tok::Effect | Tok::RBrace => {
                self.expected("`{`");
                self.missing_brace = true;
                self.cursor.previous
            }
            _ => return Err(self.expected("`{`")),
        };
        let span = start.to(self.cursor.previous);
        let mut transition = Transition { from, to, guards: Vec::new(), sync: None, effects: Vec::new(), span };
        let mut clauses = Clauses::default();
        loop {
            match self.kind() {
                Tok::RBrace => break,
                Tok::Guard | Tok::Sync | Tok::Effect => {
                    if let Err(Reported) = self.clause(&mut transition, &mut clauses) {
                        self.skip_clause();
                    }
                }
                Tok::Ident if self.at_assignment() => self.stray_assignments(&mut transition, &clauses),
                Tok::Semi if self.process_ends_after() => {
                    self.missing_closing("`}`", "`{`", open);
                    return Ok(transition);
                }
                Tok::Comma if self.transition_follows() => {
                    self.missing_closing("`}`", "`{`", open);
                    return Ok(transition);
                }
                _ if self.ends_process() || self.at_transition() => {
                    self.missing_closing("`}`", "`{`", open);
                    return Ok(transition);
                }
                _ => {
                    self.expected(CLAUSE);
                    self.advance();
                    self.skip_clause();
                }
            }
        }
        self.advance();
        transition.span = start.to(self.cursor.previous);
        Ok(transition)
    }

    /// Whether a `;` and the end of a process stand here.
    fn process_ends_after(&self) -> bool {
        let after = self.cursor.peek(2).kind;
        self.cursor.peek(1).kind == Tok::RBrace && matches!(after, Tok::Process | Tok::System | Tok::Eof)
    }

    /// Whether a comma and a transition stand here.
    fn transition_follows(&self) -> bool {
        let after = self.cursor.peek(1).kind;
        after == Tok::Arrow || (after == Tok::Ident && matches!(self.cursor.peek(2).kind, Tok::Arrow | Tok::WideArrow))
    }

    /// Whether what starts here looks like an assignment.
    fn at_assignment(&self) -> bool {
        let mut ahead = 1;
        if self.cursor.peek(ahead).kind == Tok::LBracket {
            while !matches!(self.cursor.peek(ahead).kind, Tok::RBracket | Tok::Semi | Tok::RBrace | Tok::Eof) {
                ahead += 1;
            }
            ahead += 1;
        }
        self.cursor.peek(ahead).kind == Tok::Assign
    }

    /// Reports and reads assignments that follow the `;` of a clause.
    #[cold]
    fn stray_assignments(&mut self, transition: &mut Transition, clauses: &Clauses) {
        let error = match clauses.effect {
            Some(effect) if !transition.effects.is_empty() => Diagnostic::error("effects are separated by commas")
                .at(self.cursor.previous, "write `,` here")
                .also(effect, "in this `effect`")
                .help("`effect a = 1, b = 2;`"),
            _ => Diagnostic::error("an assignment stands after `effect`")
                .at(self.span(), "write `effect` before this")
                .help("`effect a = 1, b = 2;`"),
        };
        self.report(error);
        while self.at(Tok::Ident) && self.at_assignment() {
            match self.assignment() {
                Ok(assignment) => transition.effects.push(assignment),
                Err(Reported) => return self.skip_clause(),
            }
            if !self.accept(Tok::Comma) && !self.accept(Tok::Semi) {
                break;
            }
        }
    }

    fn clause(&mut self, transition: &mut Transition, clauses: &mut Clauses) -> Parsed<()> {
        let (kind, place) = (self.kind(), self.span());
        let (slot, help) = match kind {
            Tok::Guard => (&mut clauses.guard, "join the conditions by `and`"),
            Tok::Sync => (&mut clauses.sync, "a transition synchronizes once; write two with a state between them"),
            _ => (&mut clauses.effect, "write all assignments in one, separated by `,`"),
        };
        if let Some(before) = slot.replace(place) {
            let error = Diagnostic::error(format!("this transition has two `{}` clauses", self.text()))
                .at(place, "the second one")
                .also(before, "the first one")
                .help(help);
            self.report(error);
        }
        self.advance();
        match kind {
            Tok::Guard => transition.guards.extend(self.list(Self::expr)?),
            Tok::Sync => {
                transition.sync = Some(self.sync()?);
                if self.at(Tok::Comma) {
                    return Err(self.several_values());
                }
            }
            _ => loop {
                transition.effects.push(self.assignment()?);
                if !self.accept(Tok::Comma) {
                    break;
                }
            },
        }
        self.semicolon()
    }

    /// Reports `c!1,2`.
    #[cold]
    fn several_values(&mut self) -> Reported {
        let error = Diagnostic::error("expected `;`, found `,`")
            .at(self.span(), "another value follows")
            .help("several values are written in braces: `c!{1, 2}`, `c?{x, y}`");
        self.report(error)
    }

    /// `c!`, `c!x + 1`, `c?{x, y}`
    fn sync(&mut self) -> Parsed<Sync> {
        let channel = self.expect_ident("the name of a channel")?;
        let sends = self.at(Tok::Bang);
        if !sends && !self.at(Tok::Query) {
            return Err(self.expected("`!` or `?`"));
        }
        self.advance();
        let values = match self.kind() {
            Tok::Semi | Tok::RBrace => Vec::new(),
            Tok::LBrace => {
                let open = self.span();
                self.advance();
                let values = self.list(Self::expr);
                if values.is_err() || !self.at(Tok::RBrace) {
                    if values.is_ok() {
                        self.missing_closing("`}`", "`{`", open);
                    }
                    while !matches!(self.kind(), Tok::RBrace | Tok::Semi | Tok::Guard | Tok::Sync | Tok::Effect)
                        && !self.ends_process()
                    {
                        self.advance();
                    }
                    self.accept(Tok::RBrace);
                    return Err(Reported);
                }
                self.advance();
                values?
            }
            _ => vec![self.expr()?],
        };
        Ok(Sync { channel, sends, values, span: channel.span.to(self.cursor.previous) })
    }

    /// `x = y`
    fn assignment(&mut self) -> Parsed<(Expr, Expr)> {
        let target = self.target()?;
        self.expect(Tok::Assign, "`=`")?;
        Ok((target, self.expr()?))
    }
}
