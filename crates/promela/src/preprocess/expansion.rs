//! Macro calls: arguments, substitution, `#` and `##`.

use super::definition::{Item, Macro, Role};
use super::{Expansion, Preprocessor};
use crate::scan::scan_one;
use crate::token::{Flags, Tok, Token};
use tightrope_syntax::{Diagnostic, Span};

/// The arguments of a call.
struct MacroCall {
    args: Vec<Vec<Token>>,
    /// From the name to the closing parenthesis.
    span: Span,
    /// Whether it took more than one line.
    lines: bool,
}

impl Preprocessor<'_> {
    /// Puts a macro's expansion in front of what is read next; says no if the name is not a call after all.
    pub(super) fn expand(&mut self, name: Token, definition: &Macro) -> bool {
        let (tokens, lines) = match definition {
            Macro::Line => {
                let (line, _) = self.sources.line_col(name.span);
                (vec![self.token(Tok::Number, &line.to_string(), name.span)], false)
            }
            Macro::File => {
                let path = self.sources.path(name.span.file).display().to_string();
                (vec![self.token(Tok::Str, &quoted(&path), name.span)], false)
            }
            Macro::Object { body, .. } => (self.substitute(body, &[], None, name.span), false),
            Macro::Function { params, variadic, body, span } => {
                let Some(open) = self.next_raw() else {
                    return false;
                };
                if open.kind != Tok::LParen {
                    self.unread();
                    return false;
                }
                let variadic_from = variadic.then(|| params.len() - 1);
                let Some(mut call) = self.arguments(name, open, variadic_from) else {
                    return true;
                };
                if !self.check_count(&mut call, params.len(), *variadic, name, *span) {
                    return true;
                }
                (self.substitute(body, &call.args, variadic_from, call.span), call.lines)
            }
        };
        self.spend(tokens.len(), name.span);
        let mut tokens = tokens;
        if let Some(first) = tokens.first_mut() {
            first.flags = first.flags.set(Flags::SPACE, name.flags.has(Flags::SPACE));
        }
        self.line_pending |= name.flags.has(Flags::LINE);
        self.hidden.insert(name.text);
        self.expansions.push(Expansion { tokens, at: 0, of: Some(name.text), line_after: lines, barrier: false });
        true
    }

    /// Reads the arguments of a call up to its closing parenthesis.
    fn arguments(&mut self, name: Token, open: Token, variadic_from: Option<usize>) -> Option<MacroCall> {
        let mut args: Vec<Vec<Token>> = vec![Vec::new()];
        let mut lines = open.flags.has(Flags::LINE);
        let mut depth = 0usize;
        loop {
            let Some(mut token) = self.next_raw() else {
                if !self.stopped {
                    let text = self.names.text(name.text);
                    self.error(
                        Diagnostic::error(format!("this call of macro `{text}` never ends"))
                            .at(name.span, "the call starts here")
                            .help("close it with `)`"),
                    );
                }
                return None;
            };
            self.spend(1, token.span);
            lines |= token.flags.has(Flags::LINE);
            match token.kind {
                Tok::LParen => depth += 1,
                Tok::RParen if depth == 0 => {
                    return Some(MacroCall { args, span: name.span.to(token.span), lines });
                }
                Tok::RParen => depth -= 1,
                Tok::Comma if depth == 0 && variadic_from.is_none_or(|from| args.len() <= from) => {
                    args.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            if token.flags.has(Flags::LINE) {
                token.flags = token.flags.with(Flags::SPACE);
            }
            token.flags = token.flags.without(Flags::LINE).without(Flags::BOL);
            if let Some(arg) = args.last_mut() {
                arg.push(token);
            }
        }
    }

    fn check_count(&mut self, call: &mut MacroCall, params: usize, variadic: bool, name: Token, defined: Span) -> bool {
        if params == 0 && matches!(call.args.as_slice(), [only] if only.is_empty()) {
            call.args.clear();
        }
        if variadic && call.args.len() + 1 == params {
            call.args.push(Vec::new());
        }
        let given = call.args.len();
        if given == params {
            return true;
        }
        let text = self.names.text(name.text);
        let least = if variadic { params - 1 } else { params };
        let takes = format!("{}{}", if variadic { "at least " } else { "" }, crate::counted(least, "argument"));
        self.error(
            Diagnostic::error(format!("macro `{text}` takes {takes}, but {} given", crate::are(given)))
                .at(call.span, format!("{given} given"))
                .also(defined, "defined here"),
        );
        false
    }

    /// A macro's body with its arguments in place. Its own tokens stand where the call stands.
    fn substitute(&mut self, body: &[Item], args: &[Vec<Token>], variadic: Option<usize>, call: Span) -> Vec<Token> {
        let mut expanded: Vec<Option<Vec<Token>>> = vec![None; args.len()];
        let mut out: Vec<Token> = Vec::with_capacity(body.len());
        // Where the left side of a `##` starts, when one stands before the item.
        let mut left: Option<usize> = None;
        for item in body {
            if self.stopped {
                break;
            }
            let start = left.unwrap_or(out.len());
            let space = item.token.flags.has(Flags::SPACE);
            let mut piece = match item.role {
                Role::Plain => vec![Token { span: call, ..item.token }],
                Role::Stringified(index) => {
                    let text = self.stringified(&args[index]);
                    vec![self.token(Tok::Str, &text, call)]
                }
                Role::Param(index) if left.is_some() || item.pasted => args[index].clone(),
                Role::Param(index) => {
                    if expanded[index].is_none() {
                        expanded[index] = Some(self.expand_list(args[index].clone()));
                    }
                    expanded[index].clone().unwrap_or_default()
                }
            };
            self.spend(piece.len(), call);
            if let Some(first) = piece.first_mut() {
                first.flags = first.flags.set(Flags::SPACE, space);
            }
            if left.is_some() {
                let to_rest = variadic.is_some() && item.role == Role::Param(variadic.unwrap_or(0));
                let after_comma = out.len() > start && out.last().is_some_and(|t| t.kind == Tok::Comma);
                if to_rest && after_comma {
                    // `, ## rest`: the comma goes where there is no rest.
                    if piece.is_empty() {
                        out.pop();
                    }
                } else if out.len() > start && !piece.is_empty() {
                    let right = piece.remove(0);
                    self.paste(&mut out, right, call);
                }
            }
            out.append(&mut piece);
            left = item.pasted.then_some(start);
        }
        out
    }

    /// Joins the last token with the next one.
    fn paste(&mut self, out: &mut Vec<Token>, right: Token, call: Span) {
        let Some(left) = out.pop() else {
            out.push(right);
            return;
        };
        let text = format!("{}{}", self.names.text(left.text), self.names.text(right.text));
        match scan_one(&text) {
            Some(kind) => {
                let joined = Token { flags: left.flags.without(Flags::PAINTED), ..self.token(kind, &text, call) };
                out.push(joined);
            }
            None => {
                self.error(
                    Diagnostic::error(format!("`##` gives `{text}`, which is not one token"))
                        .at(call, "in this macro's expansion"),
                );
                out.extend([left, right]);
            }
        }
    }

    /// The argument's text as a string literal.
    fn stringified(&self, tokens: &[Token]) -> String {
        let mut text = String::from("\"");
        for (index, token) in tokens.iter().enumerate() {
            if index > 0 && token.flags.has(Flags::SPACE) {
                text.push(' ');
            }
            let spelled = self.names.text(token.text);
            if matches!(token.kind, Tok::Str | Tok::Char) {
                text.push_str(&spelled.replace('\\', "\\\\").replace('"', "\\\""));
            } else {
                text.push_str(spelled);
            }
        }
        text.push('"');
        text
    }

    pub(super) fn token(&mut self, kind: Tok, text: &str, span: Span) -> Token {
        Token { kind, flags: Flags::default(), text: self.names.intern(text), span }
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
