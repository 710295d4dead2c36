//! Tokens, and the table of a language's keywords.

use crate::{Span, Sym};

/// One token of a language whose kinds of tokens are `K`.
#[derive(Clone, Copy, Debug)]
pub struct Token<K> {
    /// What it is.
    pub kind: K,
    /// Its text.
    pub text: Sym,
    /// Its place.
    pub span: Span,
}

/// The kinds of tokens of a language, as far as code shared by the languages must know them.
pub trait TokenKind: Copy + Eq + 'static {
    /// The end of the file; the last token of every list.
    const EOF: Self;
    /// A name that is no keyword.
    const IDENT: Self;
    /// A comma.
    const COMMA: Self;
    /// A character that starts no token. The scanner has reported it.
    const UNKNOWN: Self;
}

/// The keywords of a language, sorted by their spelling.
pub struct Keywords<K: 'static>(&'static [(&'static str, K)]);

impl<K: TokenKind> Keywords<K> {
    /// A table. One that is not sorted by spelling does not compile.
    pub const fn new(sorted: &'static [(&'static str, K)]) -> Self {
        let mut at = 1;
        while at < sorted.len() {
            assert!(precedes(sorted[at - 1].0, sorted[at].0), "keywords must be sorted by their spelling");
            at += 1;
        }
        Keywords(sorted)
    }

    /// The keyword with this spelling.
    pub fn find(&self, spelling: &str) -> Option<K> {
        let at = self.0.binary_search_by_key(&spelling, |(keyword, _)| keyword).ok()?;
        Some(self.0[at].1)
    }

    /// How a keyword is written; empty if it is none.
    pub fn spelling(&self, kind: K) -> &'static str {
        self.0.iter().find(|(_, keyword)| *keyword == kind).map_or("", |(spelling, _)| spelling)
    }
}

/// Whether a text comes before another one: `<`, which is not `const`.
const fn precedes(first: &str, second: &str) -> bool {
    let (first, second) = (first.as_bytes(), second.as_bytes());
    let mut at = 0;
    while at < first.len() && at < second.len() {
        if first[at] != second[at] {
            return first[at] < second[at];
        }
        at += 1;
    }
    first.len() < second.len()
}

#[cfg(test)]
mod tests {
    use super::precedes;

    #[test]
    fn texts_are_in_order() {
        for (first, second) in [("a", "b"), ("a", "ab"), ("D", "a"), ("", "a"), ("ab", "b"), ("do", "else")] {
            assert!(precedes(first, second) && !precedes(second, first), "{first} {second}");
        }
        assert!(!precedes("a", "a"));
    }
}
