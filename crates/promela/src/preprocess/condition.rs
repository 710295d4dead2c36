//! The constant expressions of `#if` and `#elif`.

use super::Preprocessor;
use crate::token::{Interner, Tok, Token};
use tightrope_syntax::{Diagnostic, Span};

/// How deep an expression may nest.
const MAX_DEPTH: usize = 200;

impl Preprocessor<'_> {
    /// Whether the condition holds; none, and a diagnostic, where it is malformed.
    pub(super) fn evaluate(&mut self, line: &[Token], directive: Span) -> Option<bool> {
        let line = self.without_defined(line);
        let tokens = self.expand_list(line);
        let end = tokens.last().map_or(directive, |last| last.span.after());
        let mut evaluator = Evaluator { tokens: &tokens, at: 0, names: &self.names, end, depth: 0, idle: 0 };
        match evaluator.whole() {
            Ok(value) => Some(value != 0),
            Err(problem) => {
                if !self.stopped {
                    self.error(*problem);
                }
                None
            }
        }
    }

    /// Replaces `defined X` and `defined(X)` before macros are expanded.
    fn without_defined(&mut self, line: &[Token]) -> Vec<Token> {
        let mut out = Vec::with_capacity(line.len());
        let mut rest = line;
        while let Some((first, after)) = rest.split_first() {
            rest = after;
            if first.kind != Tok::Ident || self.names.text(first.text) != "defined" {
                out.push(*first);
                continue;
            }
            let (name, after) = match rest {
                [name @ Token { kind: Tok::Ident, .. }, after @ ..] => (name, after),
                [
                    Token { kind: Tok::LParen, .. },
                    name @ Token { kind: Tok::Ident, .. },
                    Token { kind: Tok::RParen, .. },
                    after @ ..,
                ] => (name, after),
                // Left as it is; the evaluation reports it.
                _ => {
                    out.push(*first);
                    continue;
                }
            };
            self.asked.insert(name.text);
            let value = if self.macros.contains_key(&name.text) { "1" } else { "0" };
            out.push(self.token(Tok::Number, value, first.span));
            rest = after;
        }
        out
    }
}

struct Evaluator<'a> {
    tokens: &'a [Token],
    at: usize,
    names: &'a Interner,
    end: Span,
    depth: usize,
    /// Above zero where the value does not matter: what is divided by zero there does no harm.
    idle: usize,
}

type Value = Result<i64, Box<Diagnostic>>;

impl Evaluator<'_> {
    fn peek(&self) -> Option<Tok> {
        self.tokens.get(self.at).map(|token| token.kind)
    }

    fn span(&self) -> Span {
        self.tokens.get(self.at).map_or(self.end, |token| token.span)
    }

    fn problem(&self, message: &str) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(message).at(self.span(), "in this condition"))
    }

    fn accept(&mut self, kind: Tok) -> bool {
        let found = self.peek() == Some(kind);
        self.at += usize::from(found);
        found
    }

    fn whole(&mut self) -> Value {
        if self.tokens.is_empty() {
            return Err(self.problem("the condition is missing"));
        }
        let value = self.conditional()?;
        if self.at < self.tokens.len() {
            return Err(self.problem("the condition should end here"));
        }
        Ok(value)
    }

    /// Evaluates a part whose value does not matter if `decided`.
    fn unless(&mut self, decided: bool, part: impl FnOnce(&mut Self) -> Value) -> Value {
        self.idle += usize::from(decided);
        let value = part(self);
        self.idle -= usize::from(decided);
        value
    }

    fn conditional(&mut self) -> Value {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.problem("this condition is nested too deeply"));
        }
        let condition = self.binary(0)?;
        let value = if self.accept(Tok::Query) {
            let yes = self.unless(condition == 0, Self::conditional)?;
            if !self.accept(Tok::Colon) {
                return Err(self.problem("expected `:`"));
            }
            let no = self.unless(condition != 0, Self::conditional)?;
            if condition != 0 { yes } else { no }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, least: u8) -> Value {
        let mut left = self.unary()?;
        while let Some(operator) = self.peek() {
            let Some(level) = precedence(operator).filter(|&level| level >= least) else {
                break;
            };
            self.at += 1;
            let place = self.span();
            let decided = match operator {
                Tok::AndAnd => left == 0,
                Tok::OrOr => left != 0,
                _ => false,
            };
            let right = self.unless(decided, |e| e.binary(level + 1))?;
            left = match apply(operator, left, right) {
                Some(value) => value,
                None if self.idle > 0 => 0,
                None => {
                    let problem = Diagnostic::error("division by zero in a condition").at(place, "this is zero");
                    return Err(Box::new(problem));
                }
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Value {
        let mut operators = Vec::new();
        while let Some(kind @ (Tok::Bang | Tok::BangBang | Tok::Minus | Tok::MinusMinus | Tok::Plus | Tok::Tilde)) =
            self.peek()
        {
            self.at += 1;
            operators.push(kind);
        }
        let mut value = self.primary()?;
        for operator in operators.into_iter().rev() {
            value = match operator {
                Tok::Bang => i64::from(value == 0),
                Tok::BangBang => i64::from(value != 0),
                Tok::Minus => value.wrapping_neg(),
                Tok::Tilde => !value,
                _ => value,
            };
        }
        Ok(value)
    }

    fn primary(&mut self) -> Value {
        let Some(&token) = self.tokens.get(self.at) else {
            return Err(self.problem("the condition ends too early"));
        };
        let text = self.names.text(token.text);
        let value = match token.kind {
            Tok::Number => number(text).ok_or_else(|| self.problem(&format!("`{text}` is not a whole number")))?,
            Tok::Char => character(text).ok_or_else(|| self.problem("this is not one character"))?,
            Tok::Ident if text == "defined" => return Err(self.problem("`defined` needs a name")),
            // Names that are no macros count as zero.
            Tok::Ident => 0,
            Tok::LParen => {
                self.at += 1;
                let value = self.conditional()?;
                if !self.accept(Tok::RParen) {
                    return Err(self.problem("expected `)`"));
                }
                return Ok(value);
            }
            _ => return Err(self.problem(&format!("`{text}` cannot stand here"))),
        };
        self.at += 1;
        Ok(value)
    }
}

fn precedence(operator: Tok) -> Option<u8> {
    Some(match operator {
        Tok::OrOr => 0,
        Tok::AndAnd => 1,
        Tok::Or => 2,
        Tok::Caret => 3,
        Tok::And => 4,
        Tok::EqEq | Tok::NotEq => 5,
        Tok::Lt | Tok::Le | Tok::Gt | Tok::Ge => 6,
        Tok::Shl | Tok::Shr => 7,
        Tok::Plus | Tok::Minus => 8,
        Tok::Star | Tok::Slash | Tok::Percent => 9,
        _ => return None,
    })
}

fn apply(operator: Tok, a: i64, b: i64) -> Option<i64> {
    Some(match operator {
        Tok::OrOr => i64::from(a != 0 || b != 0),
        Tok::AndAnd => i64::from(a != 0 && b != 0),
        Tok::Or => a | b,
        Tok::Caret => a ^ b,
        Tok::And => a & b,
        Tok::EqEq => i64::from(a == b),
        Tok::NotEq => i64::from(a != b),
        Tok::Lt => i64::from(a < b),
        Tok::Le => i64::from(a <= b),
        Tok::Gt => i64::from(a > b),
        Tok::Ge => i64::from(a >= b),
        Tok::Shl => a.wrapping_shl(b as u32),
        Tok::Shr => a.wrapping_shr(b as u32),
        Tok::Plus => a.wrapping_add(b),
        Tok::Minus => a.wrapping_sub(b),
        Tok::Star => a.wrapping_mul(b),
        Tok::Slash if b != 0 => a.wrapping_div(b),
        Tok::Percent if b != 0 => a.wrapping_rem(b),
        _ => return None,
    })
}

/// C's integers: decimal, `0x…`, `0…`, with suffixes.
fn number(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let value = if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        u64::from_str_radix(hex, 16)
    } else if digits.len() > 1 && digits.starts_with('0') {
        u64::from_str_radix(digits, 8)
    } else {
        digits.parse()
    };
    value.ok().map(|value| value as i64)
}

fn character(text: &str) -> Option<i64> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let mut chars = inner.chars();
    let value = match chars.next()? {
        '\\' => match chars.next()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            '0' => '\0',
            other => other,
        },
        plain => plain,
    };
    chars.next().is_none().then_some(i64::from(u32::from(value)))
}
