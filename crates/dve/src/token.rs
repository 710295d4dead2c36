//! Tokens, and the names they carry.

pub(crate) use tightrope_syntax::{Interner, Sym};
use tightrope_syntax::{Keywords, TokenKind, block_comment};

/// One token.
pub(crate) type Token = tightrope_syntax::Token<Tok>;

/// Kinds of tokens. The scanner makes everything up to [`Tok::Eof`] and turns names into keywords.
///
/// There is no `--`: in `x--1` and `c!--1` it is two signs.
#[derive(logos::Logos, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[logos(skip r"[ \t\n\x0b\x0c\r\x00\u{feff}]+")]
#[rustfmt::skip]
pub(crate) enum Tok {
    #[regex(r"//[^\n]*", allow_greedy = true)] LineComment,
    #[token("/*", block_comment)] BlockComment,

    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")] Ident,
    #[regex(r"[0-9]+")] Number,

    #[token("(")] LParen,
    #[token(")")] RParen,
    #[token("[")] LBracket,
    #[token("]")] RBracket,
    #[token("{")] LBrace,
    #[token("}")] RBrace,
    #[token(",")] Comma,
    #[token(";")] Semi,
    #[token(":")] Colon,
    #[token(".")] Dot,
    #[token("!")] Bang,
    #[token("?")] Query,
    #[token("->")] Arrow,
    #[token("=>")] WideArrow,
    #[token("=")] Assign,
    #[token("==")] Eq,
    #[token("!=")] Ne,
    #[token("<")] Lt,
    #[token("<=")] Le,
    #[token(">")] Gt,
    #[token(">=")] Ge,
    #[token("<<")] Shl,
    #[token(">>")] Shr,
    #[token("+")] Plus,
    #[token("++")] PlusPlus,
    #[token("-")] Minus,
    #[token("*")] Star,
    #[token("/")] Slash,
    #[token("%")] Percent,
    #[token("&")] BitAnd,
    #[token("|")] BitOr,
    #[token("^")] BitXor,
    #[token("~")] Tilde,
    /// `and` as well as `&&`.
    #[token("&&")] And,
    /// `or` as well as `||`.
    #[token("||")] Or,
    /// A character that starts no token, which was reported.
    Unknown,
    /// The end of the file.
    Eof,

    Accept, Assert, Async, Buchi, Byte, Channel, Commit, Const, Effect, False, Genbuchi, Guard, Imply, Init, Int,
    Muller, Not, Process, Property, Rabin, State, Streett, Sync, System, Trans, True,
}

impl TokenKind for Tok {
    const EOF: Tok = Tok::Eof;
    const IDENT: Tok = Tok::Ident;
    const COMMA: Tok = Tok::Comma;
    const UNKNOWN: Tok = Tok::Unknown;
}

/// Every keyword.
pub(crate) const KEYWORDS: Keywords<Tok> = Keywords::new(&[
    ("accept", Tok::Accept),
    ("and", Tok::And),
    ("assert", Tok::Assert),
    ("async", Tok::Async),
    ("buchi", Tok::Buchi),
    ("byte", Tok::Byte),
    ("channel", Tok::Channel),
    ("commit", Tok::Commit),
    ("const", Tok::Const),
    ("effect", Tok::Effect),
    ("false", Tok::False),
    ("genbuchi", Tok::Genbuchi),
    ("guard", Tok::Guard),
    ("imply", Tok::Imply),
    ("init", Tok::Init),
    ("int", Tok::Int),
    ("muller", Tok::Muller),
    ("not", Tok::Not),
    ("or", Tok::Or),
    ("process", Tok::Process),
    ("property", Tok::Property),
    ("rabin", Tok::Rabin),
    ("state", Tok::State),
    ("streett", Tok::Streett),
    ("sync", Tok::Sync),
    ("system", Tok::System),
    ("trans", Tok::Trans),
    ("true", Tok::True),
]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_have_their_case() {
        assert_eq!(KEYWORDS.find("process"), Some(Tok::Process));
        assert_eq!(KEYWORDS.find("Process"), None);
    }
}
