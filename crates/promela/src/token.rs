//! Tokens, and the names they carry.

pub(crate) use tightrope_syntax::{Interner, Sym};
use tightrope_syntax::{Keywords, Span, TokenKind, block_comment};

/// What precedes a token in its file, and what a macro may still do with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flags(u8);

impl Flags {
    /// Blanks or a comment stand before it.
    pub(crate) const SPACE: Flags = Flags(1);
    /// It stands on another line than the token before it. Newlines inside comments and spliced lines count: the
    /// preprocessor SPIN runs starts a new line there, and SPIN ends statements at new lines.
    pub(crate) const LINE: Flags = Flags(2);
    /// It is the first of its line, where spliced lines are one: a `#` here starts a directive.
    pub(crate) const BOL: Flags = Flags(4);
    /// The name of a macro, met inside that macro's own expansion: never expanded again.
    pub(crate) const PAINTED: Flags = Flags(8);

    /// Whether all of `other` is set.
    pub(crate) fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both.
    pub(crate) fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    /// This without `other`.
    pub(crate) fn without(self, other: Flags) -> Flags {
        Flags(self.0 & !other.0)
    }

    /// This with `other` set or cleared.
    pub(crate) fn set(self, other: Flags, on: bool) -> Flags {
        if on { self.with(other) } else { self.without(other) }
    }
}

/// One token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    /// What it is.
    pub(crate) kind: Tok,
    /// What precedes it.
    pub(crate) flags: Flags,
    /// Its text.
    pub(crate) text: Sym,
    /// Its place; for a token out of a macro's body the place of the macro's call.
    pub(crate) span: Span,
}

/// Kinds of tokens. The scanner makes everything up to [`Tok::Unknown`]; names become keywords after preprocessing.
#[derive(logos::Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\x0b\x0c\r\x00\u{feff}]+")]
#[rustfmt::skip]
pub(crate) enum Tok {
    #[token("\n")] Newline,
    #[regex(r"\\[ \t]*\r?\n")] Splice,
    #[regex(r"//(\\\r?\n|[^\n])*", allow_greedy = true)] LineComment,
    #[token("/*", block_comment)] BlockComment,
    OpenComment,

    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")] Ident,
    #[regex(r"[0-9][A-Za-z0-9_]*")] Number,
    #[regex(r#""([^"\\\n]|\\\r?\n|\\[^\n])*""#)] Str,
    #[regex(r#""([^"\\\n]|\\\r?\n|\\[^\n])*"#)] OpenStr,
    #[regex(r"'([^'\\\n]|\\[^\n])*'")] Char,
    #[regex(r"'([^'\\\n]|\\[^\n])*")] OpenChar,

    #[token("{")] LBrace,
    #[token("}")] RBrace,
    #[token("(")] LParen,
    #[token(")")] RParen,
    #[token("[")] LBracket,
    #[token("]")] RBracket,
    #[token(",")] Comma,
    #[token(";")] Semi,
    #[token("->")] Arrow,
    #[token("::")] Sep,
    #[token(":")] Colon,
    #[token("...")] Ellipsis,
    #[token("..")] DotDot,
    #[token(".")] Dot,
    #[token("@")] At,
    #[token("=")] Assign,
    #[token("==")] EqEq,
    #[token("!=")] NotEq,
    #[token("!")] Bang,
    #[token("!!")] BangBang,
    #[token("?")] Query,
    #[token("??")] QueryQuery,
    #[token("<")] Lt,
    #[token("<=")] Le,
    #[token(">")] Gt,
    #[token(">=")] Ge,
    #[token("<<")] Shl,
    #[token(">>")] Shr,
    #[token("&&")] AndAnd,
    #[token("&")] And,
    #[token("||")] OrOr,
    #[token("|")] Or,
    #[token("^")] Caret,
    #[token("~")] Tilde,
    #[token("+")] Plus,
    #[token("++")] PlusPlus,
    #[token("-")] Minus,
    #[token("--")] MinusMinus,
    #[token("*")] Star,
    #[token("/")] Slash,
    #[token("%")] Percent,
    #[token("#")] Hash,
    #[token("##")] HashHash,
    #[token("\\")] Backslash,
    /// A character that starts no token.
    Unknown,
    /// The end of the input, or of an inline's body.
    Eof,

    Active, Assert, Atomic, Bit, Bool, Break, Byte, CCode, CDecl, CExpr, CState, CTrack, DProctype, Do, Chan, Else,
    Empty, Enabled, Eval, False, Fi, For, Full, GetPriority, Goto, Hidden, If, Init, Inline, Int, Len, Local, Ltl,
    Mtype, Nempty, Never, Nfull, Notrace, NonProgress, Od, Of, PcValue, Pid, Printf, Printm, Priority, Proctype,
    Provided, Return, Run, DStep, Select, SetPriority, Short, Skip, Timeout, Trace, True, Show, Typedef, Unless,
    Unsigned, Xr, Xs,
}

impl TokenKind for Tok {
    const EOF: Tok = Tok::Eof;
    const IDENT: Tok = Tok::Ident;
    const COMMA: Tok = Tok::Comma;
    const UNKNOWN: Tok = Tok::Unknown;
}

/// Every keyword. `in` is none: it is one inside the head of a `for` only.
pub(crate) const KEYWORDS: Keywords<Tok> = Keywords::new(&[
    ("D_proctype", Tok::DProctype),
    ("active", Tok::Active),
    ("assert", Tok::Assert),
    ("atomic", Tok::Atomic),
    ("bit", Tok::Bit),
    ("bool", Tok::Bool),
    ("break", Tok::Break),
    ("byte", Tok::Byte),
    ("c_code", Tok::CCode),
    ("c_decl", Tok::CDecl),
    ("c_expr", Tok::CExpr),
    ("c_state", Tok::CState),
    ("c_track", Tok::CTrack),
    ("chan", Tok::Chan),
    ("d_step", Tok::DStep),
    ("do", Tok::Do),
    ("else", Tok::Else),
    ("empty", Tok::Empty),
    ("enabled", Tok::Enabled),
    ("eval", Tok::Eval),
    ("false", Tok::False),
    ("fi", Tok::Fi),
    ("for", Tok::For),
    ("full", Tok::Full),
    ("get_priority", Tok::GetPriority),
    ("goto", Tok::Goto),
    ("hidden", Tok::Hidden),
    ("if", Tok::If),
    ("init", Tok::Init),
    ("inline", Tok::Inline),
    ("int", Tok::Int),
    ("len", Tok::Len),
    ("local", Tok::Local),
    ("ltl", Tok::Ltl),
    ("mtype", Tok::Mtype),
    ("nempty", Tok::Nempty),
    ("never", Tok::Never),
    ("nfull", Tok::Nfull),
    ("notrace", Tok::Notrace),
    ("np_", Tok::NonProgress),
    ("od", Tok::Od),
    ("of", Tok::Of),
    ("pc_value", Tok::PcValue),
    ("pid", Tok::Pid),
    ("printf", Tok::Printf),
    ("printm", Tok::Printm),
    ("priority", Tok::Priority),
    ("proctype", Tok::Proctype),
    ("provided", Tok::Provided),
    ("return", Tok::Return),
    ("run", Tok::Run),
    ("select", Tok::Select),
    ("set_priority", Tok::SetPriority),
    ("short", Tok::Short),
    ("show", Tok::Show),
    ("skip", Tok::Skip),
    ("timeout", Tok::Timeout),
    ("trace", Tok::Trace),
    ("true", Tok::True),
    ("typedef", Tok::Typedef),
    ("unless", Tok::Unless),
    ("unsigned", Tok::Unsigned),
    ("xr", Tok::Xr),
    ("xs", Tok::Xs),
]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_have_their_case() {
        assert_eq!(KEYWORDS.find("d_step"), Some(Tok::DStep));
        assert_eq!(KEYWORDS.find("in"), None);
    }
}
