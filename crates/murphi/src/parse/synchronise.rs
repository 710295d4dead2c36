//! Synchronisation: where to go on after an error, and the lookahead that tells constructs apart.

use super::Parser;
use crate::token::Tok;
use tightrope_syntax::{RecursiveDescent, similar};

impl Parser<'_> {
    /// Whether `=>` stands here, which is no operator.
    pub(super) fn at_short_arrow(&self) -> bool {
        let next = self.cursor.peek(1);
        self.at(Tok::Eq) && next.kind == Tok::Gt && self.span().end == next.span.start
    }

    /// Whether the statements of a rule seem to start some tokens ahead.
    pub(super) fn body_starts(&self, ahead: usize) -> bool {
        let mut ahead = ahead;
        match self.cursor.peek(ahead).kind {
            Tok::Begin | Tok::Var | Tok::Const | Tok::Type | Tok::LBrace | Tok::End | Tok::EndRule => return true,
            Tok::If | Tok::Switch | Tok::For | Tok::While | Tok::Clear | Tok::Undefine | Tok::Error => return true,
            Tok::Assert | Tok::Put | Tok::Return | Tok::MultisetAdd | Tok::MultisetRemove => return true,
            Tok::Ident => {}
            _ => return false,
        }
        // A designator before `:=`.
        let mut brackets = 0usize;
        loop {
            ahead += 1;
            match self.cursor.peek(ahead).kind {
                Tok::Assign if brackets == 0 => return true,
                Tok::LBracket => brackets += 1,
                Tok::RBracket if brackets > 0 => brackets -= 1,
                Tok::Semi | Tok::Begin | Tok::LongArrow | Tok::Eof => return false,
                Tok::Dot | Tok::Ident if brackets == 0 => {}
                _ if brackets > 0 => {}
                _ => return false,
            }
        }
    }

    /// Whether the current token is an `end` of any kind.
    pub(super) fn at_end(&self) -> bool {
        ends(self.kind())
    }

    /// Whether the current token starts a rule where rules stand.
    pub(super) fn at_rule(&self) -> bool {
        matches!(self.kind(), Tok::Alias | Tok::Assert) || self.at_sure_rule()
    }

    /// Whether the current token starts a rule wherever it stands.
    pub(super) fn at_sure_rule(&self) -> bool {
        matches!(self.kind(), Tok::Rule | Tok::Ruleset | Tok::Startstate | Tok::Invariant | Tok::Choose)
    }

    /// Whether the current token can only stand at the top of a model, or starts a section of a block.
    pub(super) fn at_item(&self) -> bool {
        matches!(self.kind(), Tok::Const | Tok::Type | Tok::Var | Tok::Procedure | Tok::Function) || self.at_rule()
    }

    /// Whether a list of statements ends here.
    pub(super) fn at_block_end(&self) -> bool {
        matches!(
            self.kind(),
            Tok::Eof
                | Tok::Else
                | Tok::Elsif
                | Tok::Case
                | Tok::Const
                | Tok::Type
                | Tok::Var
                | Tok::Procedure
                | Tok::Function
        ) || self.at_end()
            || self.at_sure_rule()
            || (self.blocks_in_braces && self.at(Tok::RBrace))
    }

    /// Whether the current token starts a statement.
    pub(super) fn starts_statement(&self) -> bool {
        matches!(
            self.kind(),
            Tok::Ident
                | Tok::If
                | Tok::Switch
                | Tok::For
                | Tok::While
                | Tok::Alias
                | Tok::Clear
                | Tok::Undefine
                | Tok::Error
                | Tok::Assert
                | Tok::Put
                | Tok::Return
                | Tok::MultisetAdd
                | Tok::MultisetRemove
                | Tok::MultisetRemovePred
        )
    }

    /// Skips what is left of a statement: up to its `;`, or the end of what it stands in.
    #[inline(never)]
    pub(super) fn skip_statement(&mut self) {
        self.skip_constructs(|parser, depth| match parser.kind() {
            Tok::Const | Tok::Type | Tok::Var | Tok::Procedure | Tok::Function => true,
            Tok::Semi | Tok::Else | Tok::Elsif | Tok::Case => depth == 0,
            _ => false,
        });
    }

    /// Skips constructs with their `end`, up to a rule, to an `end` that was not opened on the way, or to where `stops`
    /// says so, which is given the number of open constructs.
    fn skip_constructs(&mut self, stops: impl Fn(&Self, usize) -> bool) {
        let mut depth = 0usize;
        while !self.at(Tok::Eof) && !self.at_sure_rule() && !stops(self, depth) {
            match self.kind() {
                Tok::If | Tok::Switch | Tok::For | Tok::While | Tok::Alias | Tok::Forall | Tok::Exists => depth += 1,
                _ if self.at_end() && depth == 0 => break,
                _ if self.at_end() => depth -= 1,
                _ => {}
            }
            self.advance();
        }
    }

    /// Whether the statement that began at a token is an `if`, a loop or a `switch` whose keyword is misspelt. Then moves to
    /// after what its head ends with.
    pub(super) fn misspells_its_keyword(&mut self, first: usize) -> bool {
        let Some(token) = self.cursor.get(first).filter(|token| token.kind == Tok::Ident) else { return false };
        let text = self.cursor.text_of(token).to_ascii_lowercase();
        if matches!(text.as_str(), "elseif" | "elif") || similar(&text, ["else", "elsif"]).is_some() {
            return false;
        }
        let mut ahead = 0;
        loop {
            match self.cursor.peek(ahead).kind {
                Tok::Then | Tok::Do | Tok::Case => break,
                Tok::Semi | Tok::Eof | Tok::Else | Tok::Elsif | Tok::Assign => return false,
                kind if ends(kind) => return false,
                _ => ahead += 1,
            }
        }
        (0..=ahead).for_each(|_| self.advance());
        true
    }

    /// Skips what is left of a construct, with its `end`.
    pub(super) fn skip_to_close(&mut self) {
        loop {
            self.skip_statement();
            match self.kind() {
                Tok::Semi | Tok::Else | Tok::Elsif | Tok::Case => self.advance(),
                _ => break,
            }
        }
        if self.at_end() {
            self.advance();
        }
    }

    /// Skips to after a keyword if it stands in the same statement.
    pub(super) fn skip_past(&mut self, keyword: Tok) {
        let mut ahead = 0;
        loop {
            match self.cursor.peek(ahead).kind {
                kind if kind == keyword => break,
                Tok::Semi | Tok::Eof | Tok::Rule | Tok::Ruleset | Tok::Startstate | Tok::Invariant => return,
                _ => ahead += 1,
            }
        }
        for _ in 0..=ahead {
            self.advance();
        }
    }

    /// Skips what is left of a declaration.
    pub(super) fn skip_declaration(&mut self) {
        let mut records = 0usize;
        while !matches!(self.kind(), Tok::Eof | Tok::Begin) {
            match self.kind() {
                Tok::Record => records += 1,
                Tok::End | Tok::EndRecord if records > 0 => records -= 1,
                Tok::Semi if records == 0 => break,
                _ if self.at_item() => break,
                _ => {}
            }
            self.advance();
        }
    }

    /// Skips to where a guard ends or its rule's statements start.
    pub(super) fn skip_guard(&mut self) {
        loop {
            match self.kind() {
                Tok::LongArrow => {
                    self.advance();
                    break;
                }
                Tok::Semi | Tok::Begin | Tok::Const | Tok::Type | Tok::Var => break,
                Tok::Forall | Tok::Exists => self.skip_quantified(0),
                _ if self.at_block_end() || (self.starts_statement() && !self.at(Tok::Ident)) => break,
                _ => self.advance(),
            }
        }
    }

    /// Skips quantified expressions with their `end`, of which some are open already.
    pub(super) fn skip_quantified(&mut self, open: usize) {
        let mut depth = open;
        loop {
            match self.kind() {
                Tok::Forall | Tok::Exists => depth += 1,
                Tok::LongArrow | Tok::Begin | Tok::Semi | Tok::Then => return,
                _ if self.at_end() => depth -= 1,
                _ if self.at_block_end() => return,
                _ => {}
            }
            self.advance();
            if depth == 0 {
                return;
            }
        }
    }

    /// Skips to where the next rule seems to start, or to the end of what the rules stand in.
    pub(super) fn skip_rule(&mut self) {
        loop {
            self.skip_constructs(|parser, depth| match parser.kind() {
                Tok::Procedure | Tok::Function => true,
                Tok::Semi => depth == 0,
                _ => false,
            });
            if !self.accept(Tok::Semi) || self.at_rule() || self.at_end() {
                break;
            }
        }
    }

    /// Skips what is left of a routine: to where the next routine or rule seems to start.
    pub(super) fn skip_routine(&mut self) {
        while !matches!(self.kind(), Tok::Eof | Tok::Procedure | Tok::Function) && !self.at_sure_rule() {
            self.advance();
        }
    }

    /// Skips to where the next declaration, routine or rule seems to start.
    pub(super) fn skip_item(&mut self) {
        while !self.at(Tok::Eof) && !self.at_item() {
            self.advance();
        }
    }
}

/// Whether a token is an `end` of any kind.
fn ends(kind: Tok) -> bool {
    matches!(
        kind,
        Tok::End
            | Tok::EndAlias
            | Tok::EndChoose
            | Tok::EndExists
            | Tok::EndFor
            | Tok::EndForall
            | Tok::EndFunction
            | Tok::EndIf
            | Tok::EndProcedure
            | Tok::EndRecord
            | Tok::EndRule
            | Tok::EndRuleset
            | Tok::EndStartstate
            | Tok::EndSwitch
            | Tok::EndWhile
    )
}
