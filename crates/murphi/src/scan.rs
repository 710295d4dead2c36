//! From a file's text to its tokens.

use crate::token::{ANY_CASE, Interner, Tok, Token, keyword};
use tightrope_syntax::{Diagnostic, Diagnostics, FileId, Lexeme, Span};

/// Scans a whole file; the last token is [`Tok::Eof`]. Characters that start no token are reported, and are
/// [`Tok::Unknown`] for the parser.
pub(crate) fn scan(file: FileId, text: &str, names: &mut Interner, diags: &mut Diagnostics) -> Vec<Token> {
    tightrope_syntax::scan(file, text, names, diags, |lexer, found, span, diags| {
        let slice = lexer.slice();
        match found {
            Ok(Tok::LineComment | Tok::BlockComment) => Lexeme::Skipped,
            Ok(Tok::Ident) => match keyword(slice) {
                Some(keyword) => Lexeme::Token(keyword, slice),
                None => {
                    let any_case = ANY_CASE.iter().find(|name| slice.eq_ignore_ascii_case(name));
                    Lexeme::Token(Tok::Ident, any_case.unwrap_or(&slice))
                }
            },
            Ok(Tok::OpenStr) => {
                let error = Diagnostic::error("this string never ends").at(span, "a string ends on its own line");
                diags.push(error.help("close it with `\"`"));
                Lexeme::Unterminated
            }
            Ok(kind) => Lexeme::Token(kind, slice),
            Err(()) => {
                diags.push(unknown_character(slice, span));
                Lexeme::Token(Tok::Unknown, slice)
            }
        }
    })
}

fn unknown_character(slice: &str, span: Span) -> Diagnostic {
    let error = Diagnostic::error(format!("the character `{}` has no meaning in Murphi", slice.escape_debug()))
        .at(span, "not expected anywhere");
    match slice {
        "#" => error.help("Murphi has no preprocessor; a comment starts with `--`"),
        "~" | "¬" => error.help("negation is written `!`"),
        "\u{201c}" | "\u{201d}" | "'" => error.help("strings stand in straight double quotes: `\"…\"`"),
        "≤" | "≥" | "≠" => error.help("comparisons are written `<=`, `>=` and `!=`"),
        "^" => error.help("there are no operators on bits"),
        _ => error,
    }
}

/// The characters of a string's token: without the quotes, and with the escapes that C gives a meaning, because
/// CMurphi hands its strings to a C compiler.
pub(crate) fn unquoted(token: &str) -> String {
    let inner = token.strip_prefix('"').unwrap_or(token);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut text = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some(c @ ('\\' | '\'' | '?')) => text.push(c),
            Some(c) => text.extend(['\\', c]),
            None => text.push('\\'),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use tightrope_syntax::scanned;

    fn kinds(text: &str) -> Vec<Tok> {
        let (kinds, errors) = scanned(scan, text);
        assert_eq!(errors, 0, "{text}");
        kinds
    }

    #[test]
    fn operators_take_the_longest() {
        use Tok::*;
        assert_eq!(kinds("1..3"), [Number, DotDot, Number, Eof]);
        assert_eq!(kinds("1.5"), [Real, Eof]);
        assert_eq!(kinds("a==>b->c:=d=e"), [Ident, LongArrow, Ident, Arrow, Ident, Assign, Ident, Eq, Ident, Eof]);
        assert_eq!(kinds("!a!=b"), [Not, Ident, Ne, Ident, Eof]);
        assert_eq!(kinds("a.b[i]"), [Ident, Dot, Ident, LBracket, Ident, RBracket, Eof]);
    }

    #[test]
    fn comments_and_strings() {
        use Tok::*;
        assert_eq!(kinds("a--b\nc/* -- \n \" */d--"), [Ident, Ident, Ident, Eof]);
        assert_eq!(kinds("\"a -- b\" /**/ /***/ x"), [Str, Ident, Eof]);
        assert_eq!(scanned(scan, "\"open\nx"), (vec![Eof], 1));
        assert_eq!(scanned(scan, "a /* no end"), (vec![Eof], 1));
        assert_eq!(scanned(scan, "a ö $ b"), (vec![Ident, Unknown, Unknown, Ident, Eof], 2));
    }

    #[test]
    fn keywords_in_any_case_names_in_their_own() {
        let (mut names, mut diags) = (Interner::default(), Diagnostics::new());
        let tokens = scan(FileId(0), "RULESET Begin TRUE True Boolean x X", &mut names, &mut diags);
        let seen: Vec<_> = tokens.iter().map(|t| (t.kind, names.text(t.text))).collect();
        use Tok::*;
        let expected = [
            (Ruleset, "RULESET"),
            (Begin, "Begin"),
            (Ident, "true"),
            (Ident, "true"),
            (Ident, "boolean"),
            (Ident, "x"),
            (Ident, "X"),
            (Eof, ""),
        ];
        assert_eq!(seen, expected);
    }

    #[test]
    fn strings_without_their_quotes() {
        assert_eq!(unquoted("\"a b\""), "a b");
        assert_eq!(unquoted(r#""a\n\t\\\q\""#), "a\n\t\\\\q\\");
        assert_eq!(unquoted("\"open"), "open");
    }
}
