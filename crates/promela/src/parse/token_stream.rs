//! The stream of tokens as SPIN's grammar sees it: with the separators that its lexer adds and drops.
//!
//! - At the end of a line, inside a body and outside parentheses, a `;` is added after a token that can end a statement:
//!   `}`, `)`, `]`, `od`, `fi`, `else`, `break`, `++`, `--`, a constant, or a name that is no type, process or inline.
//! - After `else` and after `}` a `;` is added unless what follows makes it needless.
//! - Of two separators in a row the first is dropped, and so is a separator before `}`.

use super::Parser;
use crate::token::{Flags, Tok, Token};
use tightrope_syntax::Span;

/// A place in a list of tokens: the file's, or those of an inline's body.
pub(super) struct TokenStream {
    pub(super) tokens: Vec<Token>,
    /// The next token to be read.
    pub(super) at: usize,
    /// What is read at the end of the list.
    end: Token,
    /// A token that was read ahead.
    held: Option<Token>,
    /// The last token that was handed on.
    last: Tok,
    /// The last token that was read, also if it is held.
    last_read: Token,
    /// Open parentheses.
    parens: usize,
}

impl TokenStream {
    pub(super) fn new(tokens: Vec<Token>, end: Token) -> Self {
        let last_read = Token { kind: Tok::Semi, ..end };
        TokenStream {
            tokens,
            at: 0,
            end: Token { kind: Tok::Eof, ..end },
            held: None,
            last: Tok::Semi,
            last_read,
            parens: 0,
        }
    }

    /// The token `distance` after the current one, as it stands in the source.
    pub(super) fn raw(&self, distance: usize) -> Token {
        match self.held {
            Some(held) if distance == 0 => held,
            Some(_) => self.tokens.get(self.at + distance - 1).copied().unwrap_or(self.end),
            None => self.tokens.get(self.at + distance).copied().unwrap_or(self.end),
        }
    }

    /// Discards open parentheses, which an error may have left behind.
    pub(super) fn close_parens(&mut self) {
        self.parens = 0;
    }
}

/// How an added separator is written in a token, so that messages can tell it from one in the source.
pub(super) const ADDED: &str = "";

impl Parser<'_> {
    /// Goes on with the source's next token as if a closing brace had just been read: after an inline's body, or after
    /// something that was skipped.
    pub(super) fn resume_after_block(&mut self, close: Span) {
        self.previous = close;
        self.stream.last = Tok::RBrace;
        self.stream.last_read = Token { kind: Tok::RBrace, span: close, ..self.stream.last_read };
        self.stream.parens = 0;
        if !self.recovery.stopped {
            self.token = self.next_token();
        }
    }

    pub(super) fn next_token(&mut self) -> Token {
        if let Some(held) = self.stream.held.take() {
            self.stream.last_read = held;
            self.stream.last = held.kind;
            return held;
        }
        let mut token = self.read();
        let needs_separator = match self.stream.last {
            Tok::Else => !matches!(token.kind, Tok::Semi | Tok::Arrow | Tok::Fi),
            Tok::RBrace => !matches!(
                token.kind,
                // SPIN separates before a comma too; declarations report that better.
                Tok::Proctype
                    | Tok::Init
                    | Tok::Never
                    | Tok::Sep
                    | Tok::Fi
                    | Tok::Od
                    | Tok::RBrace
                    | Tok::Unless
                    | Tok::Semi
                    | Tok::Arrow
                    | Tok::Eof
                    | Tok::Comma
            ),
            _ => false,
        };
        if needs_separator {
            self.stream.held = Some(token);
            let separator = self.separator();
            self.stream.last = Tok::Semi;
            self.stream.last_read = separator;
            return separator;
        }
        if matches!(token.kind, Tok::Semi | Tok::Arrow) {
            let next = self.read();
            if matches!(next.kind, Tok::RBrace | Tok::Arrow | Tok::Semi) {
                token = next;
            } else {
                self.stream.held = Some(next);
            }
        }
        self.stream.last = token.kind;
        token
    }

    /// The next token of the source, or the separator that the end of a line stands for.
    fn read(&mut self) -> Token {
        let token = self.stream.raw(0);
        let ends_line = token.flags.has(Flags::LINE)
            && self.in_sequence
            && self.stream.parens == 0
            && !matches!(token.kind, Tok::Unless | Tok::Eof)
            && self.can_end_statement(self.stream.last_read);
        if ends_line {
            let separator = self.separator();
            self.stream.last_read = separator;
            return separator;
        }
        self.stream.at += 1;
        match token.kind {
            Tok::LParen => self.stream.parens += 1,
            Tok::RParen => self.stream.parens = self.stream.parens.saturating_sub(1),
            _ => {}
        }
        self.stream.last_read = token;
        token
    }

    fn can_end_statement(&self, token: Token) -> bool {
        match token.kind {
            Tok::RBrace | Tok::RParen | Tok::RBracket | Tok::Od | Tok::Fi | Tok::Else | Tok::Break => true,
            Tok::PlusPlus | Tok::MinusMinus => true,
            Tok::Number | Tok::Char | Tok::True | Tok::False | Tok::Skip | Tok::Timeout => true,
            Tok::Ident => {
                let name = token.text;
                !self.proctypes.contains(&name) && !self.typedefs.contains(&name) && !self.inlines.contains_key(&name)
            }
            _ => false,
        }
    }

    fn separator(&mut self) -> Token {
        let last = self.stream.last_read.span;
        Token {
            kind: Tok::Semi,
            flags: Flags::default(),
            text: self.names.intern(ADDED),
            span: Span { start: last.end, ..last },
        }
    }
}
