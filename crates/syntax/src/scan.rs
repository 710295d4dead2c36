//! Scanning: from a file's text to its tokens, over a lexer made by `logos`.

use crate::{Diagnostic, Diagnostics, FileId, Interner, Span, Token, TokenKind};
use logos::{Lexer, Logos};

/// How many tokens a file may have.
const MAX_TOKENS: usize = 16 << 20;

/// What a language makes of one lexeme.
pub enum Lexeme<'s, K> {
    /// A token, and the text that is kept of it.
    Token(K, &'s str),
    /// A comment, or text that was reported and is of no use to the parser.
    Skipped,
    /// A string or a comment without an end, which was reported. Nothing is known about what follows, and errors found
    /// before it would be follow-on errors: no tokens are kept.
    Unterminated,
}

/// Scans a whole file; the last token is [`TokenKind::EOF`]. `classify` is given what the lexer found, an error for a
/// character that starts no token, and reports what is wrong with it. Comments without an end are reported here.
pub fn scan<'s, K>(
    file: FileId,
    text: &'s str,
    names: &mut Interner,
    diags: &mut Diagnostics,
    mut classify: impl FnMut(&mut Lexer<'s, K>, Result<K, ()>, Span, &mut Diagnostics) -> Lexeme<'s, K>,
) -> Vec<Token<K>>
where
    K: TokenKind + Logos<'s, Source = str, Error = (), Extras = ()>,
{
    let mut tokens = Vec::with_capacity(text.len() / 4);
    let mut lexer = K::lexer(text);
    while let Some(found) = lexer.next() {
        let range = lexer.span();
        let span = Span::new(file, range.start as u32, range.end as u32);
        let is_error = found.is_err();
        let lexeme = if is_error && lexer.slice().starts_with("/*") {
            diags.push(unterminated_comment(span));
            Lexeme::Unterminated
        } else {
            classify(&mut lexer, found, span, diags)
        };
        if matches!(lexeme, Lexeme::Unterminated) {
            tokens.clear();
            break;
        }
        if is_error && diags.is_full() {
            break;
        }
        let Lexeme::Token(kind, text) = lexeme else { continue };
        if tokens.len() >= MAX_TOKENS {
            diags.push(too_many_tokens(MAX_TOKENS, span));
            break;
        }
        tokens.push(Token { kind, text: names.intern(text), span });
    }
    let end = Span::new(file, text.len() as u32, text.len() as u32);
    tokens.push(Token { kind: K::EOF, text: names.intern(""), span: end });
    tokens
}

/// That a file has more tokens than the limit.
pub fn too_many_tokens(limit: usize, span: Span) -> Diagnostic {
    Diagnostic::error(format!("the file has more than {limit} tokens")).at(span, "the limit is reached here")
}

/// That a comment in `/*` and `*/` has no end; `span` is all of it.
pub fn unterminated_comment(span: Span) -> Diagnostic {
    let start = Span { end: span.start + 2, ..span };
    Diagnostic::error("this comment never ends").at(start, "starts here").help("close it with `*/`")
}

/// The `logos` callback after `/*`: takes the rest of the comment. False if it has no end, which makes it an error.
pub fn block_comment<'s, K: Logos<'s, Source = str>>(lexer: &mut Lexer<'s, K>) -> bool {
    let rest = lexer.remainder();
    let end = rest.find("*/");
    lexer.bump(end.map_or(rest.len(), |at| at + 2));
    end.is_some()
}

/// The kinds of the tokens that a scanner makes of a text, and how many errors it reports: for tests.
pub fn scanned<K: TokenKind>(
    scan: fn(FileId, &str, &mut Interner, &mut Diagnostics) -> Vec<Token<K>>,
    text: &str,
) -> (Vec<K>, usize) {
    let (mut names, mut diags) = (Interner::default(), Diagnostics::new());
    let kinds = scan(FileId(0), text, &mut names, &mut diags).iter().map(|token| token.kind).collect();
    (kinds, diags.error_count())
}
