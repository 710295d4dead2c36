//! Synchronisation: where to go on after an error.

use super::Parser;
use crate::token::Tok;
use tightrope_syntax::RecursiveDescent;

impl Parser<'_> {
    /// Whether the current token can only stand outside of transitions.
    pub(super) fn ends_process(&self) -> bool {
        matches!(
            self.kind(),
            Tok::Eof
                | Tok::Process
                | Tok::System
                | Tok::Channel
                | Tok::Const
                | Tok::Int
                | Tok::Byte
                | Tok::State
                | Tok::Init
                | Tok::Commit
                | Tok::Accept
                | Tok::Assert
                | Tok::Trans
        )
    }

    /// Skips what is left of a declaration, with its `;`.
    pub(super) fn skip_declaration(&mut self) {
        while !self.ends_process() && !self.at(Tok::RBrace) {
            if self.accept(Tok::Semi) {
                return;
            }
            if self.accept(Tok::LBrace) {
                self.skip_to_brace();
                continue;
            }
            self.advance();
        }
    }

    /// Skips what is left of a clause, with its `;`.
    pub(super) fn skip_clause(&mut self) {
        while !matches!(self.kind(), Tok::Guard | Tok::Sync | Tok::Effect | Tok::RBrace) && !self.ends_process() {
            if self.accept(Tok::Semi) {
                return;
            }
            self.advance();
        }
    }

    /// Skips what is left of a transition, with its brace.
    pub(super) fn skip_transition(&mut self) {
        while !matches!(self.kind(), Tok::Comma | Tok::Semi | Tok::RBrace) && !self.ends_process() {
            if self.at(Tok::LBrace) {
                self.advance();
                self.skip_to_brace();
                return;
            }
            self.advance();
            if self.at_transition() {
                return;
            }
        }
    }

    /// Skips to after the `}` of the braces that are open, if it comes before anything that cannot stand in braces.
    pub(super) fn skip_to_brace(&mut self) {
        let mut inner = 0usize;
        while !self.ends_process() {
            match self.kind() {
                Tok::LBrace => inner += 1,
                Tok::RBrace if inner == 0 => {
                    self.advance();
                    return;
                }
                Tok::RBrace => inner -= 1,
                _ => {}
            }
            self.advance();
        }
    }

    /// Skips to where the next declaration, process or `system` seems to start.
    pub(super) fn skip_item(&mut self) {
        while !matches!(self.kind(), Tok::Eof | Tok::Process | Tok::System | Tok::Channel) {
            self.advance();
        }
    }
}
