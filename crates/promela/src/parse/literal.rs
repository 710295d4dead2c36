//! Numbers, characters, strings.

use super::Parser;
use crate::ast::{Expr, ExprKind, Name, VarPart, VarRef};
use crate::token::{Tok, Token};
use tightrope_syntax::{Diagnostic, Parsed, RecursiveDescent};

impl Parser<'_> {
    /// The value of a constant token; none if the current token is not one.
    pub(super) fn literal(&mut self) -> Parsed<Option<i32>> {
        let token = self.token;
        Ok(Some(match token.kind {
            Tok::True | Tok::Skip => 1,
            Tok::False => 0,
            Tok::Number => self.number(token)?,
            Tok::Char => self.character(token)?,
            _ => return Ok(None),
        }))
    }

    /// One constant: a number, or a name that stands for one.
    pub(super) fn constant(&mut self, what: &str) -> Parsed<Expr> {
        let span = self.span();
        if let Some(value) = self.literal()? {
            self.advance();
            return Ok(Expr { kind: ExprKind::Const(value), span });
        }
        if self.at(Tok::Ident) {
            let name = self.expect_name(what)?;
            return Ok(Expr { kind: ExprKind::Var(plain(name)), span });
        }
        Err(self.expected(&format!("{what}: a number")))
    }

    fn number(&mut self, token: Token) -> Parsed<i32> {
        let text = self.names.text(token.text);
        let problem = if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            Diagnostic::error(format!("`{text}` is not a number"))
                .at(token.span, "neither a number nor a name")
                .help("Promela has decimal numbers only")
        } else if let Ok(value) = text.parse::<i64>() {
            return Ok(self.truncated(value, token));
        } else {
            Diagnostic::error("this number is too large")
                .at(token.span, "does not fit in 32 bits")
                .note("the largest value is 2147483647")
        };
        Err(self.report(problem))
    }

    /// A value past 32 bits loses its upper bits, as in SPIN.
    fn truncated(&mut self, value: i64, token: Token) -> i32 {
        if i32::try_from(value).is_err() {
            let warning = Diagnostic::warning(format!("{value} does not fit in 32 bits"))
                .at(token.span, format!("read as {}", value as i32));
            self.diags.push(warning);
        }
        value as i32
    }

    /// SPIN knows the escapes `\n`, `\r`, `\t` and `\f`; any other escaped character is itself.
    fn character(&mut self, token: Token) -> Parsed<i32> {
        let text = self.names.text(token.text);
        let bytes = text.as_bytes();
        let value = match bytes {
            [_, b'\\', escaped, _] => match escaped {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'f' => 0x0c,
                other => *other,
            },
            [_, plain, _] => *plain,
            _ => {
                let error = Diagnostic::error(format!("{text} is not one character"))
                    .at(token.span, "must be one ASCII character")
                    .help("strings stand in double quotes, and in `printf` only");
                return Err(self.report(error));
            }
        };
        Ok(i32::from(value))
    }

    /// What a string literal says: quotes removed, C's escapes resolved.
    pub(super) fn string(&self, token: Token) -> String {
        let text = self.names.text(token.text);
        let inner = text.strip_prefix('"').unwrap_or(text);
        let inner = inner.strip_suffix('"').unwrap_or(inner);
        let mut out = String::with_capacity(inner.len());
        let mut chars = inner.chars();
        while let Some(c) = chars.next() {
            if c != '\\' {
                out.push(c);
                continue;
            }
            match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('r') => out.push('\r'),
                Some('f') => out.push('\u{c}'),
                Some('a') => out.push('\u{7}'),
                Some('b') => out.push('\u{8}'),
                Some('0') => out.push('\0'),
                Some('\n') => {}
                Some('\r') => {
                    chars.next();
                }
                Some(other @ ('\\' | '"' | '\'' | '?')) => out.push(other),
                Some(other) => out.extend(['\\', other]),
                None => out.push('\\'),
            }
        }
        out
    }
}

/// A reference to a variable that is only a name.
pub(super) fn plain(name: Name) -> VarRef {
    let span = name.span;
    VarRef { parts: vec![VarPart { name, index: None }], span, text: None }
}
