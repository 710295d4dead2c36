//! Macro definitions: `#define`, and those of the command line.

use super::Preprocessor;
use crate::scan::scan;
use crate::token::{Flags, Sym, Tok, Token};
use tightrope_syntax::{Diagnostic, Span};

/// What a macro's name stands for.
#[derive(Debug)]
pub(super) enum Macro {
    /// `#define N body`
    Object {
        /// The replacement.
        body: Vec<Item>,
        /// Where it was defined.
        span: Span,
    },
    /// `#define N(params) body`
    Function {
        /// The parameters' names.
        params: Vec<Sym>,
        /// Whether the last parameter takes all further arguments.
        variadic: bool,
        /// The replacement.
        body: Vec<Item>,
        /// Where it was defined.
        span: Span,
    },
    /// `__LINE__`
    Line,
    /// `__FILE__`
    File,
}

/// One token of a replacement.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// The token itself.
    pub(super) token: Token,
    /// What it stands for.
    pub(super) role: Role,
    /// `##` stands after it.
    pub(super) pasted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Stands for itself.
    Plain,
    /// A parameter.
    Param(usize),
    /// `#` and a parameter.
    Stringified(usize),
}

impl Preprocessor<'_> {
    pub(super) fn define_builtins(&mut self) {
        for (name, builtin) in [("__LINE__", Macro::Line), ("__FILE__", Macro::File)] {
            let name = self.names.intern(name);
            self.macros.insert(name, builtin.into());
        }
    }

    /// Macros from the command line: written into a file of their own, so that diagnostics have a place to show. Their names.
    pub(super) fn define_options(&mut self) -> Vec<Sym> {
        let mut given = Vec::new();
        for (name, value) in &self.options.defines {
            let text = format!("{name} {value}").replace(['\n', '\r'], " ");
            let file = self.sources.add("<command line>", text);
            let line = scan(file, self.sources.text(file), &mut self.names, self.diags);
            let end = self.sources.text(file).len() as u32;
            self.define(&line, Span::new(file, 0, end));
            given.extend(line.first().map(|name| name.text));
        }
        given
    }

    /// `#define`, given what stands after it.
    pub(super) fn define(&mut self, line: &[Token], directive: Span) {
        let Some((name, rest)) = line.split_first().filter(|(name, _)| name.kind == Tok::Ident) else {
            let span = line.first().map_or(directive, |token| token.span);
            self.error(Diagnostic::error("`#define` without a name").at(span, "a name must follow `#define`"));
            return;
        };
        if self.names.text(name.text) == "defined" {
            self.error(Diagnostic::error("`defined` cannot be a macro").at(name.span, "has a meaning of its own"));
            return;
        }
        let span = name.span;
        let is_function = rest.first().is_some_and(|t| t.kind == Tok::LParen && !t.flags.has(Flags::SPACE));
        let definition = if is_function {
            let Some((params, variadic, body)) = self.params(&rest[1..], span) else {
                return;
            };
            let body = self.body(body, &params, true);
            body.map(|body| Macro::Function { params, variadic, body, span })
        } else {
            self.body(rest, &[], false).map(|body| Macro::Object { body, span })
        };
        let Some(definition) = definition else { return };
        if let Some(old) = self.macros.get(&name.text).filter(|old| !old.same_as(&definition)) {
            let mut warning = Diagnostic::warning(format!("macro `{}` is redefined", self.names.text(name.text)))
                .at(span, "this definition counts from here on")
                .help("`#undef` it first, or give this one another name");
            if let Some(old) = old.span() {
                warning = warning.also(old, "defined differently here");
            }
            self.diags.push(warning);
        }
        self.macros.insert(name.text, definition.into());
    }

    /// The parameters after the opening parenthesis: names, whether the last takes the rest, and what follows.
    fn params<'t>(&mut self, line: &'t [Token], name: Span) -> Option<(Vec<Sym>, bool, &'t [Token])> {
        let mut params = Vec::new();
        let mut rest = line;
        if let [Token { kind: Tok::RParen, .. }, body @ ..] = rest {
            return Some((params, false, body));
        }
        let place = |rest: &[Token]| rest.first().map_or(name, |token| token.span);
        loop {
            let mut variadic = false;
            match rest {
                [Token { kind: Tok::Ellipsis, .. }, after @ ..] => {
                    params.push(self.names.intern("__VA_ARGS__"));
                    variadic = true;
                    rest = after;
                }
                [param @ Token { kind: Tok::Ident, .. }, after @ ..] => {
                    if params.contains(&param.text) {
                        let text = self.names.text(param.text);
                        self.error(
                            Diagnostic::error(format!("two parameters of this macro are named `{text}`"))
                                .at(param.span, "the second"),
                        );
                        return None;
                    }
                    params.push(param.text);
                    rest = after;
                    if let [Token { kind: Tok::Ellipsis, .. }, after @ ..] = rest {
                        variadic = true;
                        rest = after;
                    }
                }
                _ => {
                    let span = place(rest);
                    self.error(
                        Diagnostic::error("the macro's parameter list is malformed").at(span, "expected a parameter"),
                    );
                    return None;
                }
            }
            match rest {
                [Token { kind: Tok::RParen, .. }, body @ ..] => return Some((params, variadic, body)),
                [Token { kind: Tok::Comma, .. }, after @ ..] if !variadic => rest = after,
                _ => {
                    let span = place(rest);
                    self.error(
                        Diagnostic::error("the macro's parameter list is malformed").at(span, "expected `,` or `)`"),
                    );
                    return None;
                }
            }
        }
    }

    fn body(&mut self, tokens: &[Token], params: &[Sym], is_function: bool) -> Option<Vec<Item>> {
        let mut body: Vec<Item> = Vec::new();
        let mut tokens = tokens.iter().peekable();
        while let Some(&token) = tokens.next() {
            let token = Token { flags: token.flags.without(Flags::LINE).without(Flags::BOL), ..token };
            let param = |t: &Token| params.iter().position(|&p| t.kind == Tok::Ident && p == t.text);
            if token.kind == Tok::HashHash {
                match body.last_mut() {
                    Some(last) if tokens.peek().is_some() => last.pasted = true,
                    _ => {
                        self.error(
                            Diagnostic::error("`##` has nothing to join").at(token.span, "needs a token on both sides"),
                        );
                        return None;
                    }
                }
                continue;
            }
            let role = match param(&token) {
                Some(index) => Role::Param(index),
                None if token.kind == Tok::Hash && is_function => {
                    let Some(index) = tokens.next().and_then(param) else {
                        self.error(
                            Diagnostic::error("`#` must stand before a parameter of the macro")
                                .at(token.span, "turns an argument into a string"),
                        );
                        return None;
                    };
                    Role::Stringified(index)
                }
                None => Role::Plain,
            };
            body.push(Item { token, role, pasted: false });
        }
        if let Some(first) = body.first_mut() {
            first.token.flags = first.token.flags.without(Flags::SPACE);
        }
        Some(body)
    }
}

impl Macro {
    /// Where it was defined; the built-in ones nowhere.
    fn span(&self) -> Option<Span> {
        match self {
            Macro::Object { span, .. } | Macro::Function { span, .. } => Some(*span),
            Macro::Line | Macro::File => None,
        }
    }

    /// Whether both say the same, so that defining one after the other changes nothing.
    fn same_as(&self, other: &Macro) -> bool {
        let same = |a: &[Item], b: &[Item]| {
            a.len() == b.len()
                && a.iter()
                    .zip(b)
                    .all(|(a, b)| a.token.text == b.token.text && a.role == b.role && a.pasted == b.pasted)
        };
        match (self, other) {
            (Macro::Object { body: a, .. }, Macro::Object { body: b, .. }) => same(a, b),
            (
                Macro::Function { params: p, variadic: v, body: a, .. },
                Macro::Function { params: q, variadic: w, body: b, .. },
            ) => p == q && v == w && same(a, b),
            _ => false,
        }
    }
}
