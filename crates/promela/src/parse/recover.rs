//! What to say about a token that does not fit, and where to go on after it.

use super::cursor::ADDED;
use super::{Parser, Reported};
use crate::token::{Flags, Tok, Token};
use tightrope_syntax::Diagnostic;

/// Names from other languages, and what Promela has instead.
const FOREIGN: &[(&str, &str)] = &[
    ("while", "loops are written `do :: condition -> … :: else -> break od`"),
    ("switch", "choices are written `if :: x == 1 -> … :: else -> … fi`"),
    ("then", "a guard and its statements are separated by `->`"),
    ("elif", "each alternative of an `if` starts with `::`"),
    ("elsif", "each alternative of an `if` starts with `::`"),
    ("elseif", "each alternative of an `if` starts with `::`"),
    ("end", "`if` ends with `fi`, `do` with `od`, blocks with `}`"),
    ("endif", "`if` ends with `fi`"),
    ("esac", "`if` ends with `fi`"),
    ("done", "`do` ends with `od`"),
    ("and", "conjunction is written `&&`"),
    ("or", "disjunction is written `||`"),
    ("not", "negation is written `!`"),
    ("mod", "the remainder is written `%`"),
    ("boolean", "the type is called `bool`"),
    ("integer", "the type is called `int`"),
    ("char", "characters are stored in a `byte`"),
    ("long", "the widest type is `int`, with 32 bits"),
    ("uint", "write `unsigned x : 32`, or use `int`"),
    ("float", "Promela has integers only"),
    ("double", "Promela has integers only"),
    ("string", "Promela has no strings; name symbols with `mtype = { … }`"),
    ("enum", "enumerations are written `mtype = { a, b }`"),
    ("struct", "records are written `typedef T { byte x; byte y }`"),
    ("const", "constants are written `#define N 3`"),
    ("void", "processes and inlines have no type"),
    ("process", "process types start with `proctype`"),
    ("function", "macro-like procedures are written `inline f(a) { … }`"),
    ("null", "there is no null; an uninitialised `chan` is 0"),
    ("True", "written `true`"),
    ("False", "written `false`"),
    ("print", "output is written `printf(\"…\\n\")`"),
];

/// What Promela has instead of a word of another language.
fn foreign(name: &str) -> Option<&'static str> {
    FOREIGN.iter().find(|(foreign, _)| *foreign == name).map(|(_, hint)| *hint)
}

impl Parser<'_> {
    /// How the present token is named in a message.
    pub(super) fn found(&self) -> String {
        let text = self.names.text(self.token.text);
        match self.token.kind {
            Tok::Eof if self.calls.is_empty() => "the end of the file".to_string(),
            Tok::Eof => "the end of the inline's body".to_string(),
            Tok::Semi if text == ADDED => "the end of the statement".to_string(),
            Tok::Str => format!("the string `{text}`"),
            Tok::OpenStr => "a string that never ends".to_string(),
            Tok::OpenChar => "a character that never ends".to_string(),
            Tok::Other => format!("the character `{}`", text.escape_debug()),
            Tok::Number | Tok::Char => format!("`{text}`"),
            Tok::Ident if self.typedefs.contains(&self.token.text) => format!("the type `{text}`"),
            Tok::Ident => format!("`{text}`"),
            kind if crate::token::keyword(text) == Some(kind) => format!("the keyword `{text}`"),
            _ => format!("`{text}`"),
        }
    }

    /// Reports that something else was expected here.
    #[cold]
    #[inline(never)]
    pub(super) fn expected(&mut self, what: &str) -> Reported {
        let found = self.found();
        let mut error = Diagnostic::error(format!("expected {what}, found {found}"))
            .at(self.token.span, format!("expected {what}"));
        for hint in self.hints() {
            error = error.help(hint);
        }
        self.report(error)
    }

    /// What the author may have had in mind.
    fn hints(&self) -> Vec<String> {
        let mut hints = Vec::new();
        let text = self.names.text(self.token.text);
        match self.token.kind {
            Tok::Ident => {
                let hint = foreign(text).or_else(|| foreign(self.names.text(self.previous_token()?.text)));
                hints.extend(hint.map(str::to_string));
            }
            Tok::Assign if self.previous_token().is_some_and(|previous| is_compound(previous.kind)) => {
                hints.push("there are no assignment operators: write `x = x + 1`".to_string());
            }
            Tok::Assign => hints.push("to compare, write `==`; an assignment is a statement of its own".to_string()),
            Tok::BangBang => hints.push("`!!` is the sorted send; write `! !x` for a double negation".to_string()),
            Tok::QueryQuery | Tok::Query => {
                hints.push("a conditional expression is written `(condition -> value : other)`".to_string());
            }
            Tok::PlusPlus | Tok::MinusMinus => {
                hints.push("`x++` and `x--` are statements and stand after the variable".to_string());
            }
            Tok::Other if text == "\u{201c}" || text == "\u{201d}" => {
                hints.push("strings stand in straight quotes: `\"…\"`".to_string());
            }
            Tok::Full | Tok::Empty | Tok::Nfull | Tok::Nempty => {
                hints.push("put it at the top of a condition, alone or under `&&` and `||`".to_string());
            }
            Tok::LParen => hints.extend(self.unknown_inline()),
            Tok::Hash => hints.push("a directive must be the first thing on its line".to_string()),
            _ => {}
        }
        if self.token.flags.has(Flags::LINE) && is_binary(self.token.kind) {
            hints.push(
                "the statement ended with the line before: put the operator at the end of that line, or the whole \
                 expression in parentheses"
                    .to_string(),
            );
        }
        hints
    }

    /// What to say about `name(` where the name is no inline.
    fn unknown_inline(&self) -> Option<String> {
        let name = self.previous_token()?;
        if name.kind != Tok::Ident {
            return None;
        }
        let text = self.names.text(name.text);
        if let Some(hint) = foreign(text) {
            return Some(hint.to_string());
        }
        let later = self.cursor.tokens[self.cursor.at..]
            .windows(2)
            .any(|pair| pair[0].kind == Tok::Inline && pair[1].text == name.text);
        Some(if later {
            format!("inline `{text}` must be defined before it is called")
        } else if self.inlines.contains_key(&name.text) {
            format!("inline `{text}` can be called as a statement `{text}(…)` or `x = {text}(…)` only")
        } else {
            format!("there is no inline `{text}`")
        })
    }

    /// The token before the present one, as it stands in the source.
    fn previous_token(&self) -> Option<Token> {
        self.cursor.at.checked_sub(2).and_then(|index| self.cursor.tokens.get(index)).copied()
    }

    /// Whether the present token can only start a unit, so that a body must have ended before.
    pub(super) fn at_unit(&self) -> bool {
        is_unit(self.token.kind)
    }

    /// Whether a sequence of statements ends here.
    pub(super) fn at_sequence_end(&self) -> bool {
        matches!(self.token.kind, Tok::RBrace | Tok::Sep | Tok::Fi | Tok::Od | Tok::Eof) || self.at_unit()
    }

    /// Skips what is left of a statement: up to a separator, or the end of what the statement stands in.
    #[inline(never)]
    pub(super) fn skip_statement(&mut self) {
        let mut braces = 0usize;
        let mut constructs = 0usize;
        loop {
            match self.token.kind {
                Tok::Eof => break,
                _ if self.at_unit() => break,
                Tok::LBrace => braces += 1,
                Tok::RBrace if braces == 0 => break,
                Tok::RBrace => {
                    braces -= 1;
                    constructs = 0;
                }
                Tok::If | Tok::Do => constructs += 1,
                Tok::Fi | Tok::Od if constructs == 0 && braces == 0 => break,
                Tok::Fi | Tok::Od => constructs = constructs.saturating_sub(1),
                Tok::Semi | Tok::Arrow | Tok::Sep if braces == 0 && constructs == 0 => break,
                _ => {}
            }
            self.cursor.close_parens();
            self.advance();
        }
        self.cursor.close_parens();
    }

    /// Skips to where the next unit seems to start.
    pub(super) fn skip_unit(&mut self) {
        self.in_sequence = false;
        let mut braces = 0usize;
        let mut first = true;
        loop {
            let starts_line = self.token.flags.has(Flags::LINE);
            match self.token.kind {
                Tok::Eof => break,
                Tok::LBrace => braces += 1,
                Tok::RBrace => {
                    self.advance();
                    braces = braces.saturating_sub(1);
                    if braces == 0 {
                        break;
                    }
                    continue;
                }
                _ if first => {}
                _ if self.at_unit() => break,
                kind if braces == 0 && starts_line && (is_type(kind) || is_visibility(kind)) => break,
                _ => {}
            }
            first = false;
            self.advance();
        }
        self.cursor.close_parens();
    }
}

fn is_compound(kind: Tok) -> bool {
    matches!(
        kind,
        Tok::Plus
            | Tok::Minus
            | Tok::Star
            | Tok::Slash
            | Tok::Percent
            | Tok::And
            | Tok::Or
            | Tok::Caret
            | Tok::Shl
            | Tok::Shr
    )
}

fn is_binary(kind: Tok) -> bool {
    is_compound(kind)
        || matches!(
            kind,
            Tok::AndAnd
                | Tok::OrOr
                | Tok::EqEq
                | Tok::NotEq
                | Tok::Lt
                | Tok::Le
                | Tok::Gt
                | Tok::Ge
                | Tok::Bang
                | Tok::Query
                | Tok::QueryQuery
        )
}

/// Whether this keyword can only start a unit.
pub(super) fn is_unit(kind: Tok) -> bool {
    matches!(
        kind,
        Tok::Proctype
            | Tok::DProctype
            | Tok::Active
            | Tok::Init
            | Tok::Never
            | Tok::Trace
            | Tok::Notrace
            | Tok::Inline
            | Tok::Typedef
            | Tok::Ltl
    )
}

/// Whether a type's keyword.
pub(super) fn is_type(kind: Tok) -> bool {
    matches!(
        kind,
        Tok::Bit | Tok::Bool | Tok::Byte | Tok::Pid | Tok::Short | Tok::Int | Tok::Unsigned | Tok::Mtype | Tok::Chan
    )
}

/// Whether `hidden`, `show` or `local`.
pub(super) fn is_visibility(kind: Tok) -> bool {
    matches!(kind, Tok::Hidden | Tok::Show | Tok::Local)
}
