//! From a file's text to its tokens; comments and blanks become flags.

use crate::preprocess::MAX_TOKENS;
use crate::token::{Flags, Interner, Tok, Token};
use logos::Logos;
use tightrope_syntax::{Diagnostics, FileId, Span, too_many_tokens, unterminated_comment};

/// Scans a whole file. Only a comment that never ends is reported here: other oddities may stand in text that a
/// directive leaves out.
pub(crate) fn scan(file: FileId, text: &str, names: &mut Interner, diags: &mut Diagnostics) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(text.len() / 4);
    let mut flags = Flags::BOL.with(Flags::LINE);
    let mut end = 0;
    let mut lexer = Tok::lexer(text);
    while let Some(kind) = lexer.next() {
        let range = lexer.span();
        let span = Span::new(file, range.start as u32, range.end as u32);
        let slice = lexer.slice();
        if range.start > end {
            flags = flags.with(Flags::SPACE);
        }
        end = range.end;
        let kind = match kind {
            Ok(kind) => kind,
            Err(()) if slice.starts_with("/*") => Tok::OpenComment,
            Err(()) => Tok::Unknown,
        };
        match kind {
            Tok::Newline => flags = flags.with(Flags::BOL).with(Flags::LINE).with(Flags::SPACE),
            Tok::Splice => flags = flags.with(Flags::LINE).with(Flags::SPACE),
            Tok::LineComment | Tok::BlockComment => {
                flags = flags.with(Flags::SPACE);
                if slice.contains('\n') {
                    flags = flags.with(Flags::LINE);
                }
            }
            Tok::OpenComment => {
                diags.push(unterminated_comment(span));
            }
            kind => {
                if tokens.len() >= MAX_TOKENS {
                    diags.push(too_many_tokens(MAX_TOKENS, span));
                    break;
                }
                tokens.push(Token { kind, flags, text: names.intern(slice), span });
                flags = Flags::default();
            }
        }
    }
    tokens
}

/// Scans a text that should be exactly one token, such as the result of `##`.
pub(crate) fn scan_one(text: &str) -> Option<Tok> {
    let mut lexer = Tok::lexer(text);
    let kind = lexer.next()?.ok()?;
    let whole = lexer.span() == (0..text.len());
    let is_token = !matches!(kind, Tok::Newline | Tok::Splice | Tok::LineComment | Tok::BlockComment);
    (whole && is_token).then_some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Tok> {
        let (mut names, mut diags) = (Interner::default(), Diagnostics::new());
        scan(FileId(0), text, &mut names, &mut diags).iter().map(|t| t.kind).collect()
    }

    #[test]
    fn operators_take_the_longest() {
        use Tok::*;
        assert_eq!(kinds("1..3"), [Number, DotDot, Number]);
        assert_eq!(kinds("c!!-1"), [Ident, BangBang, Minus, Number]);
        assert_eq!(kinds("a->b--"), [Ident, Arrow, Ident, MinusMinus]);
        assert_eq!(kinds("c??<x>"), [Ident, QueryQuery, Lt, Ident, Gt]);
        assert_eq!(kinds("/\\ \\/"), [Slash, Backslash, Backslash, Slash]);
    }

    #[test]
    fn comments_and_strings() {
        use Tok::*;
        assert_eq!(kinds("a/* \" */b//c\\\nd\ne"), [Ident, Ident, Ident]);
        assert_eq!(kinds(r#""a\"b" 'x' '\'' "open"#), [Str, Char, Char, OpenStr]);
        assert_eq!(kinds("don't\nx"), [Ident, OpenChar, Ident]);
        assert_eq!(kinds("a /* no end"), [Ident]);
        assert_eq!(kinds("a ö $ b"), [Ident, Unknown, Unknown, Ident]);
    }

    #[test]
    fn flags_tell_lines_apart() {
        let (mut names, mut diags) = (Interner::default(), Diagnostics::new());
        let tokens = scan(FileId(0), "a b\nc \\\n d /*\n*/ e(f", &mut names, &mut diags);
        let lines: Vec<_> = tokens.iter().map(|t| (t.flags.has(Flags::BOL), t.flags.has(Flags::LINE))).collect();
        let expected =
            [(true, true), (false, false), (true, true), (false, true), (false, true), (false, false), (false, false)];
        assert_eq!(lines, expected);
        assert!(!tokens[5].flags.has(Flags::SPACE));
        assert!(tokens[4].flags.has(Flags::SPACE));
    }

    #[test]
    fn one_token() {
        assert_eq!(scan_one("ab1"), Some(Tok::Ident));
        assert_eq!(scan_one("12"), Some(Tok::Number));
        assert_eq!(scan_one("a b"), None);
        assert_eq!(scan_one("/*"), None);
        assert_eq!(scan_one(""), None);
    }
}
