//! A position in a list of tokens.

use crate::{Interner, Span, Token, TokenKind};

/// A position in the tokens of a file. Never moves past the end of the file.
pub struct Cursor<'a, K> {
    tokens: &'a [Token<K>],
    names: &'a Interner,
    /// The index of the current token.
    pub position: usize,
    /// The current token.
    pub token: Token<K>,
    /// The place of the token that was passed last.
    pub previous: Span,
    /// The end of the file.
    pub end: Token<K>,
}

impl<'a, K: TokenKind> Cursor<'a, K> {
    /// A cursor at the first of these tokens, of which the last must be the end of the file.
    pub fn new(tokens: &'a [Token<K>], names: &'a Interner) -> Option<Self> {
        let &end = tokens.last()?;
        let previous = Span { start: 0, end: 0, ..end.span };
        Some(Cursor { tokens, names, position: 0, token: tokens[0], previous, end })
    }

    /// Moves to the next token.
    #[inline]
    pub fn advance(&mut self) {
        if self.token.kind == K::EOF {
            return;
        }
        self.previous = self.token.span;
        self.position += 1;
        self.token = self.peek(0);
    }

    /// Makes the current token the end of the file, for good: nothing more is to be parsed.
    pub fn stop(&mut self) {
        self.token.kind = K::EOF;
    }

    /// The token `distance` after the current one.
    #[inline]
    pub fn peek(&self, distance: usize) -> Token<K> {
        self.tokens.get(self.position + distance).copied().unwrap_or(self.end)
    }

    /// The token at an index.
    pub fn get(&self, position: usize) -> Option<Token<K>> {
        self.tokens.get(position).copied()
    }

    /// The token before the current one.
    pub fn before(&self) -> Option<Token<K>> {
        self.get(self.position.checked_sub(1)?)
    }

    /// Whether the current token stands right after one of this kind, without a blank.
    pub fn touches(&self, kind: K) -> bool {
        self.before().is_some_and(|before| before.kind == kind && before.span.end == self.token.span.start)
    }

    /// The text of the current token.
    pub fn text(&self) -> &'a str {
        self.text_of(self.token)
    }

    /// The text of any token.
    pub fn text_of(&self, token: Token<K>) -> &'a str {
        self.names.text(token.text)
    }
}
