//! Tokens, and the names they carry.

pub(crate) use tightrope_syntax::{Interner, Sym};
use tightrope_syntax::{Keywords, TokenKind, block_comment};

/// One token.
pub(crate) type Token = tightrope_syntax::Token<Tok>;

/// Kinds of tokens. The scanner makes everything up to [`Tok::Eof`] and turns names into keywords.
#[derive(logos::Logos, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[logos(skip r"[ \t\n\x0b\x0c\r\x00\u{feff}]+")]
#[rustfmt::skip]
pub(crate) enum Tok {
    #[regex(r"--[^\n]*", allow_greedy = true)] LineComment,
    #[token("/*", block_comment)] BlockComment,

    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")] Ident,
    #[regex(r"[0-9]+")] Number,
    #[regex(r"[0-9]+\.[0-9]+")] Real,
    #[regex(r#""[^"\n]*""#)] Str,
    #[regex(r#""[^"\n]*"#)] OpenStr,

    #[token("(")] LParen,
    #[token(")")] RParen,
    #[token("[")] LBracket,
    #[token("]")] RBracket,
    #[token("{")] LBrace,
    #[token("}")] RBrace,
    #[token(",")] Comma,
    #[token(";")] Semi,
    #[token(":")] Colon,
    #[token(":=")] Assign,
    #[token("..")] DotDot,
    #[token(".")] Dot,
    #[token("?")] Query,
    #[token("==>")] LongArrow,
    #[token("->")] Arrow,
    #[token("|")] Or,
    #[token("||")] OrOr,
    #[token("&")] And,
    #[token("&&")] AndAnd,
    #[token("!")] Not,
    #[token("=")] Eq,
    #[token("==")] EqEq,
    #[token("!=")] Ne,
    #[token("<")] Lt,
    #[token("<=")] Le,
    #[token(">")] Gt,
    #[token(">=")] Ge,
    #[token("+")] Plus,
    #[token("-")] Minus,
    #[token("*")] Star,
    #[token("/")] Slash,
    #[token("%")] Percent,
    /// A character that starts no token, which was reported.
    Unknown,
    /// The end of the file.
    Eof,

    Alias, Array, Assert, Begin, By, Case, Choose, Clear, Const, Do, Else, Elsif, End, EndAlias, EndChoose, EndExists,
    EndFor, EndForall, EndFunction, EndIf, EndProcedure, EndRecord, EndRule, EndRuleset, EndStartstate, EndSwitch,
    EndWhile, Enum, Error, Exists, For, Forall, Function, If, Invariant, IsMember, IsUndefined, Multiset, MultisetAdd,
    MultisetCount, MultisetRemove, MultisetRemovePred, Of, Procedure, Put, Record, Return, Rule, Ruleset, Scalarset,
    Startstate, Switch, Then, To, Type, Undefine, Undefined, Union, Var, While,
}

impl TokenKind for Tok {
    const EOF: Tok = Tok::Eof;
    const IDENT: Tok = Tok::Ident;
    const COMMA: Tok = Tok::Comma;
    const UNKNOWN: Tok = Tok::Unknown;
}

/// Every keyword in lower case. `real`, its functions and the words of the probabilistic extension are none
/// here: they are refused where they would mean something, and are ordinary names elsewhere.
pub(crate) const KEYWORDS: Keywords<Tok> = Keywords::new(&[
    ("alias", Tok::Alias),
    ("array", Tok::Array),
    ("assert", Tok::Assert),
    ("begin", Tok::Begin),
    ("by", Tok::By),
    ("case", Tok::Case),
    ("choose", Tok::Choose),
    ("clear", Tok::Clear),
    ("const", Tok::Const),
    ("do", Tok::Do),
    ("else", Tok::Else),
    ("elsif", Tok::Elsif),
    ("end", Tok::End),
    ("endalias", Tok::EndAlias),
    ("endchoose", Tok::EndChoose),
    ("endexists", Tok::EndExists),
    ("endfor", Tok::EndFor),
    ("endforall", Tok::EndForall),
    ("endfunction", Tok::EndFunction),
    ("endif", Tok::EndIf),
    ("endprocedure", Tok::EndProcedure),
    ("endrecord", Tok::EndRecord),
    ("endrule", Tok::EndRule),
    ("endruleset", Tok::EndRuleset),
    ("endstartstate", Tok::EndStartstate),
    ("endswitch", Tok::EndSwitch),
    ("endwhile", Tok::EndWhile),
    ("enum", Tok::Enum),
    ("error", Tok::Error),
    ("exists", Tok::Exists),
    ("for", Tok::For),
    ("forall", Tok::Forall),
    ("function", Tok::Function),
    ("if", Tok::If),
    ("invariant", Tok::Invariant),
    ("ismember", Tok::IsMember),
    ("isundefined", Tok::IsUndefined),
    ("multiset", Tok::Multiset),
    ("multisetadd", Tok::MultisetAdd),
    ("multisetcount", Tok::MultisetCount),
    ("multisetremove", Tok::MultisetRemove),
    ("multisetremovepred", Tok::MultisetRemovePred),
    ("of", Tok::Of),
    ("procedure", Tok::Procedure),
    ("put", Tok::Put),
    ("record", Tok::Record),
    ("return", Tok::Return),
    ("rule", Tok::Rule),
    ("ruleset", Tok::Ruleset),
    ("scalarset", Tok::Scalarset),
    ("startstate", Tok::Startstate),
    ("switch", Tok::Switch),
    ("then", Tok::Then),
    ("to", Tok::To),
    ("type", Tok::Type),
    ("undefine", Tok::Undefine),
    ("undefined", Tok::Undefined),
    ("union", Tok::Union),
    ("var", Tok::Var),
    ("while", Tok::While),
]);

/// Names that may be written in any letter case although they are no keywords.
pub(crate) const ANY_CASE: &[&str] = &["boolean", "false", "true"];

/// The keyword with this spelling, in any letter case.
pub(crate) fn keyword(spelling: &str) -> Option<Tok> {
    KEYWORDS.find(&spelling.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_have_no_case() {
        assert_eq!(keyword("EndIf"), Some(Tok::EndIf));
        assert_eq!(keyword("real"), None);
        assert_eq!(KEYWORDS.spelling(Tok::MultisetRemovePred), "multisetremovepred");
    }
}
