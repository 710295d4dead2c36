//! Processes: everything but the transitions.

use super::Parser;
use crate::ast::{Accept, AcceptKind, Assert, Process};
use crate::token::Tok;
use tightrope_syntax::{Diagnostic, Name, Parsed, RecursiveDescent, Reported};

impl Parser<'_> {
    /// `process P { … }`
    pub(super) fn process(&mut self) -> Parsed<Process> {
        self.advance();
        let name = self.expect_ident("the name of a process")?;
        if self.at(Tok::LParen) {
            let error = Diagnostic::error("processes have no parameters")
                .at(self.span(), "expected `{`")
                .help("write one process for each value");
            return Err(self.report(error));
        }
        let open = self.expect(Tok::LBrace, "`{`")?;
        let mut process = Process {
            name,
            variables: Vec::new(),
            states: Vec::new(),
            inits: Vec::new(),
            commits: Vec::new(),
            accepts: Vec::new(),
            asserts: Vec::new(),
            transitions: Vec::new(),
        };
        loop {
            match self.kind() {
                Tok::RBrace => {
                    self.advance();
                    return Ok(process);
                }
                Tok::Semi => self.advance(),
                Tok::Eof | Tok::Process | Tok::System => {
                    self.missing_closing("`}`", "`{`", open);
                    return Ok(process);
                }
                Tok::Const | Tok::Int | Tok::Byte => self.variables(&mut process.variables),
                _ => {
                    if let Err(Reported) = self.section(&mut process) {
                        self.skip_declaration();
                    }
                }
            }
        }
    }

    /// A section other than variables.
    fn section(&mut self, process: &mut Process) -> Parsed<()> {
        let start = self.span();
        let kind = self.kind();
        match kind {
            Tok::Trans => {
                self.advance();
                return self.transitions(&mut process.transitions);
            }
            Tok::Ident | Tok::Arrow if self.at_transition() => {
                let previous = self.cursor.previous;
                let mut error = Diagnostic::error("a transition stands outside of `trans`")
                    .at(start, "this looks like a transition");
                if process.transitions.is_empty() {
                    error = error.help("write `trans` before the first one");
                } else {
                    error = error.also(previous, "the transitions end here").help("write `,` between transitions");
                }
                self.report(error);
                return self.transitions(&mut process.transitions);
            }
            Tok::State | Tok::Init | Tok::Commit | Tok::Accept | Tok::Assert => self.advance(),
            Tok::Channel => {
                let error = Diagnostic::error("a channel cannot be declared inside of a process")
                    .at(start, "not allowed here")
                    .help("declare it before the first process");
                self.report(error);
                self.advance();
                return Err(Reported);
            }
            _ => return Err(self.unexpected_section()),
        }
        match kind {
            Tok::State => process.states.extend(self.list(|parser| parser.expect_ident("the name of a state"))?),
            Tok::Init => process.inits.push(self.expect_ident("the name of a state")?),
            Tok::Commit => process.commits.extend(self.list(|parser| parser.expect_ident("the name of a state"))?),
            Tok::Accept => {
                let kind = self.accept_kind()?;
                process.accepts.push(Accept { kind, span: start.to(self.cursor.previous) });
            }
            _ => loop {
                let state = self.expect_ident("the name of a state")?;
                self.expect(Tok::Colon, "`:` and what must hold there")?;
                process.asserts.push(Assert { state, condition: self.expr()? });
                if !self.accept(Tok::Comma) {
                    break;
                }
            },
        }
        self.semicolon()
    }

    fn accept_kind(&mut self) -> Parsed<AcceptKind> {
        let kind = self.kind();
        if matches!(kind, Tok::Buchi | Tok::Genbuchi | Tok::Muller | Tok::Rabin | Tok::Streett) {
            self.advance();
        }
        Ok(match kind {
            Tok::Genbuchi => AcceptKind::GenBuchi(self.groups(Self::set)?),
            Tok::Muller => AcceptKind::Muller(self.groups(Self::set)?),
            Tok::Rabin => AcceptKind::Rabin(self.groups(Self::pair)?),
            Tok::Streett => AcceptKind::Streett(self.groups(Self::pair)?),
            _ => AcceptKind::Buchi(self.list(|parser| parser.expect_ident("the name of a state"))?),
        })
    }

    /// Groups in parentheses, separated by commas.
    fn groups<T>(&mut self, inside: fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut groups = Vec::new();
        loop {
            let open = self.expect(Tok::LParen, "`(` and a group of states")?;
            groups.push(inside(self)?);
            if !self.at(Tok::RParen) {
                return Err(self.missing_closing("`)`", "`(`", open));
            }
            self.advance();
            if !self.accept(Tok::Comma) {
                return Ok(groups);
            }
        }
    }

    /// Any number of states.
    fn set(&mut self) -> Parsed<Vec<Name>> {
        if self.at(Tok::Ident) {
            self.list(|parser| parser.expect_ident("the name of a state"))
        } else {
            Ok(Vec::new())
        }
    }

    /// Two sets with a `;` between them.
    fn pair(&mut self) -> Parsed<(Vec<Name>, Vec<Name>)> {
        let first = self.set()?;
        self.expect(Tok::Semi, "`;` and the second set of the pair")?;
        Ok((first, self.set()?))
    }
}
