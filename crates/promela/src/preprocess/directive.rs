//! Directives: the lines that start with `#`.

use super::{Condition, Preprocessor};
use crate::token::{Flags, Tok, Token};
use tightrope_syntax::{Diagnostic, Span};

impl Preprocessor<'_> {
    /// Obeys the directive whose `#` was just read, and moves past its line.
    pub(super) fn directive(&mut self, hash: Token) {
        let line = self.rest_of_line();
        let Some((name, rest)) = line.split_first() else {
            return;
        };
        let span = hash.span.to(name.span);
        let whole = span.to(line.last().map_or(span, |last| last.span));
        let text = self.names.text(name.text).to_string();
        match text.as_str() {
            "if" => self.open_condition(span, |pp| pp.evaluate(rest, span)),
            "ifdef" => self.open_condition(span, |pp| pp.is_defined(rest, span)),
            "ifndef" => self.open_condition(span, |pp| pp.is_defined(rest, span).map(|defined| !defined)),
            "elif" => self.next_branch(span, Some(rest)),
            "else" => self.next_branch(span, None),
            "endif" => self.close_condition(span),
            _ if !self.reading() => {}
            "define" => self.define(rest, span),
            "undef" => match rest.first() {
                Some(name) if name.kind == Tok::Ident => {
                    self.asked.insert(name.text);
                    self.macros.remove(&name.text);
                }
                _ => self.error(Diagnostic::error("`#undef` without a name").at(span, "a name must follow")),
            },
            "include" => self.include(rest, whole),
            "error" | "warning" => {
                let said = rest
                    .first()
                    .map_or("", |first| self.sources.slice(Span { end: whole.end, ..first.span }))
                    .to_string();
                if text == "error" {
                    self.error(Diagnostic::error(format!("#error {said}")).at(whole, "the model stops here"));
                } else {
                    self.diags.push(Diagnostic::warning(format!("#warning {said}")).at(whole, ""));
                }
            }
            // Line markers of another preprocessor; places are those of the file that is read.
            "line" | "pragma" | "ident" => {}
            _ if name.kind == Tok::Number => {}
            _ => self.error(
                Diagnostic::error(format!("unknown directive `#{text}`"))
                    .at(span, "not a directive")
                    .help("known are include, define, undef, if, ifdef, ifndef, elif, else, endif, error, warning"),
            ),
        }
    }

    /// The tokens up to the end of the line; they are read then.
    fn rest_of_line(&mut self) -> Vec<Token> {
        let Some(file) = self.files.last_mut() else {
            return Vec::new();
        };
        let rest = &file.tokens[file.at..];
        let length = rest.iter().position(|token| token.flags.has(Flags::BOL)).unwrap_or(rest.len());
        file.at += length;
        rest[..length].to_vec()
    }

    fn open_condition(&mut self, span: Span, holds: impl FnOnce(&mut Self) -> Option<bool>) {
        let reached = self.reading();
        // After a malformed condition no branch is read, as if it were taken already.
        let holds = if reached { holds(self) } else { None };
        let condition = Condition {
            span,
            reached,
            taken: holds.unwrap_or(true),
            active: reached && holds == Some(true),
            last: false,
        };
        if let Some(file) = self.files.last_mut() {
            file.conditions.push(condition);
        }
    }

    /// `#elif` with its condition, or `#else`.
    fn next_branch(&mut self, span: Span, condition: Option<&[Token]>) {
        let what = if condition.is_some() { "#elif" } else { "#else" };
        let Some(open) = self.files.last().and_then(|file| file.conditions.last()) else {
            self.error(Diagnostic::error(format!("`{what}` without `#if`")).at(span, "no condition is open here"));
            return;
        };
        if open.last {
            let first = open.span;
            self.error(
                Diagnostic::error(format!("`{what}` after `#else`"))
                    .at(span, "nothing but `#endif` may follow `#else`")
                    .also(first, "the condition starts here"),
            );
            return;
        }
        let candidate = open.reached && !open.taken;
        let active = candidate && condition.is_none_or(|line| self.evaluate(line, span).unwrap_or(false));
        if let Some(open) = self.files.last_mut().and_then(|file| file.conditions.last_mut()) {
            open.active = active;
            open.taken |= active;
            open.last = condition.is_none();
        }
    }

    fn close_condition(&mut self, span: Span) {
        if self.files.last_mut().and_then(|file| file.conditions.pop()).is_none() {
            self.error(Diagnostic::error("`#endif` without `#if`").at(span, "no condition is open here"));
        }
    }

    fn is_defined(&mut self, rest: &[Token], span: Span) -> Option<bool> {
        match rest.first() {
            Some(name) if name.kind == Tok::Ident => {
                self.asked.insert(name.text);
                Some(self.macros.contains_key(&name.text))
            }
            _ => {
                self.error(Diagnostic::error("a macro's name is missing").at(span, "must be followed by a name"));
                None
            }
        }
    }
}
