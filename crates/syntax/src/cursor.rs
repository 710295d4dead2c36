//! A position in a list of tokens.

use crate::{Diagnostics, Interner, Progress, Recovery, Span, Token, TokenKind};

/// A parser's position in the tokens of a file, and what it found wrong before. Never moves past the end of the file.
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
    diags: &'a mut Diagnostics,
    recovery: Recovery,
    nesting: usize,
}

impl<'a, K: TokenKind> Cursor<'a, K> {
    /// A cursor at the first of these tokens, of which the last must be the end of the file.
    pub fn new(tokens: &'a [Token<K>], names: &'a Interner, diags: &'a mut Diagnostics) -> Option<Self> {
        let &end = tokens.last()?;
        let previous = Span { start: 0, end: 0, ..end.span };
        let recovery = Recovery::default();
        Some(Cursor { tokens, names, position: 0, token: tokens[0], previous, end, diags, recovery, nesting: 0 })
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

    /// The text of any token.
    pub fn text_of(&self, token: Token<K>) -> &'a str {
        self.names.text(token.text)
    }
}

impl<K: TokenKind> Progress for Cursor<'_, K> {
    type Kind = K;

    #[inline]
    fn token(&self) -> Token<K> {
        self.token
    }

    fn text(&self) -> &str {
        self.text_of(self.token)
    }

    #[inline]
    fn advance(&mut self) {
        if self.token.kind == K::EOF {
            return;
        }
        self.previous = self.token.span;
        self.position += 1;
        self.token = self.peek(0);
    }

    fn stop(&mut self) {
        self.token.kind = K::EOF;
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
