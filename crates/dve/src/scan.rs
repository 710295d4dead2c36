//! From a file's text to its tokens.

use crate::token::{Interner, Tok, Token, keyword};
use logos::Logos;
use tightrope_syntax::{Diagnostic, Diagnostics, FileId, Span};

/// How many tokens a file may have.
const MAX_TOKENS: usize = 16 << 20;

/// Scans a whole file; the last token is [`Tok::Eof`]. Characters that start no token are reported, and
/// stand among the tokens as [`Tok::Other`]. After a comment that never ends there is no telling what is meant: then there are no
/// tokens.
pub(crate) fn scan(file: FileId, text: &str, names: &mut Interner, diags: &mut Diagnostics) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(text.len() / 4);
    let mut lexer = Tok::lexer(text);
    while let Some(kind) = lexer.next() {
        let range = lexer.span();
        let span = Span::new(file, range.start as u32, range.end as u32);
        let slice = lexer.slice();
        let kind = match kind {
            Ok(Tok::LineComment | Tok::BlockComment) => continue,
            Ok(Tok::Ident) => keyword(slice).unwrap_or(Tok::Ident),
            Ok(kind) => kind,
            Err(()) => {
                diags.push(no_token(slice, span));
                if slice.starts_with("/*") {
                    tokens.clear();
                }
                if slice == "#" {
                    // What a preprocessor is told is of no use to anyone else.
                    lexer.bump(lexer.remainder().find('\n').unwrap_or(lexer.remainder().len()));
                }
                if diags.is_full() {
                    break;
                }
                if slice == "#" || slice.starts_with("/*") {
                    continue;
                }
                Tok::Other
            }
        };
        if tokens.len() >= MAX_TOKENS {
            let error = Diagnostic::error(format!("the file has more than {MAX_TOKENS} tokens"));
            diags.push(error.at(span, "the limit is reached here"));
            break;
        }
        tokens.push(Token { kind, text: names.intern(slice), span });
    }
    let end = Span::new(file, text.len() as u32, text.len() as u32);
    tokens.push(Token { kind: Tok::Eof, text: names.intern(""), span: end });
    tokens
}

/// What to say about text that is no token.
fn no_token(slice: &str, span: Span) -> Diagnostic {
    if slice.starts_with("/*") {
        let start = Span { end: span.start + 2, ..span };
        return Diagnostic::error("this comment never ends").at(start, "starts here").help("close it with `*/`");
    }
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

    fn scanned(text: &str) -> (Vec<Tok>, usize) {
        let (mut names, mut diags) = (Interner::default(), Diagnostics::new());
        let kinds = scan(FileId(0), text, &mut names, &mut diags).iter().map(|t| t.kind).collect();
        (kinds, diags.error_count())
    }

    fn kinds(text: &str) -> Vec<Tok> {
        let (kinds, errors) = scanned(text);
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
        assert_eq!(scanned("a /* no end"), (vec![Eof], 1));
        assert_eq!(scanned("a ö $ b"), (vec![Ident, Other, Other, Ident, Eof], 2));
        assert_eq!(scanned("#include x\n# y"), (vec![Eof], 2));
    }
}
