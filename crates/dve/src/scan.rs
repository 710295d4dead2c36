//! From a file's text to its tokens.

use crate::token::{Interner, KEYWORDS, Tok, Token};
use tightrope_syntax::{Diagnostic, Diagnostics, FileId, Lexeme, Span};

/// Scans a whole file; the last token is [`Tok::Eof`]. Characters that start no token are reported, and are
/// [`Tok::Unknown`] for the parser.
pub(crate) fn scan(file: FileId, text: &str, names: &mut Interner, diags: &mut Diagnostics) -> Vec<Token> {
    tightrope_syntax::scan(file, text, names, diags, |lexer, found, span, diags| {
        let slice = lexer.slice();
        match found {
            Ok(Tok::LineComment | Tok::BlockComment) => Lexeme::Skipped,
            Ok(Tok::Ident) => Lexeme::Token(KEYWORDS.find(slice).unwrap_or(Tok::Ident), slice),
            Ok(kind) => Lexeme::Token(kind, slice),
            Err(()) => {
                diags.push(unknown_character(slice, span));
                if slice == "#" {
                    // The rest of the line is a directive for a preprocessor.
                    lexer.bump(lexer.remainder().find('\n').unwrap_or(lexer.remainder().len()));
                    return Lexeme::Skipped;
                }
                Lexeme::Token(Tok::Unknown, slice)
            }
        }
    })
}

fn unknown_character(slice: &str, span: Span) -> Diagnostic {
    let shown = if matches!(slice, "\"" | "'") { slice.to_string() } else { slice.escape_debug().to_string() };
    let error =
        Diagnostic::error(format!("the character `{shown}` has no meaning in DVE")).at(span, "not expected anywhere");
    match slice {
        "\"" | "'" => error.help("DVE has neither strings nor characters, only numbers"),
        "#" => error.help("there is no preprocessor here: run it before"),
        "¬" => error.help("negation is written `not`"),
        "≤" | "≥" | "≠" => error.help("comparisons are written `<=`, `>=` and `!=`"),
        _ => error,
    }
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
        assert_eq!(kinds("a->b=>c>=d=e==f!=g"), {
            [Ident, Arrow, Ident, WideArrow, Ident, Ge, Ident, Assign, Ident, Eq, Ident, Ne, Ident, Eof]
        });
        assert_eq!(kinds("a<<b<=c<d>>e"), [Ident, Shl, Ident, Le, Ident, Lt, Ident, Shr, Ident, Eof]);
        assert_eq!(kinds("a&&b&c||d|e"), [Ident, And, Ident, BitAnd, Ident, Or, Ident, BitOr, Ident, Eof]);
        assert_eq!(kinds("a and b or not c"), [Ident, And, Ident, Or, Not, Ident, Eof]);
        assert_eq!(kinds("c!-1 c?x"), [Ident, Bang, Minus, Number, Ident, Query, Ident, Eof]);
    }

    #[test]
    fn two_minus_signs_are_two() {
        use Tok::*;
        assert_eq!(kinds("a--1"), [Ident, Minus, Minus, Number, Eof]);
        assert_eq!(kinds("a-->b"), [Ident, Minus, Arrow, Ident, Eof]);
        assert_eq!(kinds("a++1"), [Ident, PlusPlus, Number, Eof]);
    }

    #[test]
    fn comments() {
        use Tok::*;
        assert_eq!(kinds("a//b\nc/* // \n * */d//"), [Ident, Ident, Ident, Eof]);
        assert_eq!(kinds("/**/ /***/ x / y"), [Ident, Slash, Ident, Eof]);
        assert_eq!(scanned(scan, "a /* no end"), (vec![Eof], 1));
        assert_eq!(scanned(scan, "a ö $ b"), (vec![Ident, Unknown, Unknown, Ident, Eof], 2));
        assert_eq!(scanned(scan, "#include x\n# y"), (vec![Eof], 2));
    }
}
