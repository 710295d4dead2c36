//! `inline` definitions and calls.
//!
//! An inline is text. A call replaces the parameters' names in the body by the arguments' tokens and parses the result
//! as a block, which is a scope of its own; names in it mean what they mean at the call. `x = f(a)` is a call in which
//! `return e` stands for `x = e`: an assignment like any other, after which the body goes on.

use super::Parser;
use super::synchronise::is_unit;
use super::token_stream::TokenStream;
use crate::ast::{Name, Seq, Stmt, StmtKind, VarRef};
use crate::preprocess::MAX_TOKENS;
use crate::token::{Flags, Sym, Tok, Token};
use std::rc::Rc;
use tightrope_syntax::{Diagnostic, Parsed, RecursiveDescent, Reported, Span};

/// A definition.
pub(super) struct Inline {
    name: Name,
    params: Vec<Sym>,
    /// The body with its braces.
    body: Vec<Token>,
}

/// A call whose body is being parsed.
pub(super) struct InlineCall {
    /// The inline's name.
    pub(super) name: String,
    pub(super) symbol: Sym,
    /// The call's place.
    pub(super) span: Span,
    /// The place of the inline's body.
    pub(super) body: Span,
    /// The variable that `return` assigns.
    result: Option<VarRef>,
    /// The call's closing parenthesis.
    close: Span,
    /// What is read on after the call.
    after: TokenStream,
    /// How many `if` and `do` are open around the call.
    open_options: usize,
}

impl Parser<'_> {
    /// `inline f(a, b) { … }`; the body is kept as it is.
    pub(super) fn inline_definition(&mut self) -> Parsed<Name> {
        self.advance();
        let symbol = self.token.text;
        let name = self.expect_name("the name of the inline")?;
        self.expect(Tok::LParen, "`(`")?;
        let mut params = Vec::new();
        while !self.at(Tok::RParen) {
            let param = self.token;
            self.expect_name("the name of a parameter, or `)`")?;
            if params.contains(&param.text) {
                let text = self.names.text(param.text);
                let error = Diagnostic::error(format!("two parameters of `{}` are named `{text}`", name.text))
                    .at(param.span, "the second");
                self.report(error);
            }
            params.push(param.text);
            if !self.at(Tok::RParen) {
                self.expect(Tok::Comma, "`,` or `)`")?;
            }
        }
        self.expect(Tok::RParen, "`)`")?;
        if !self.at(Tok::LBrace) {
            return Err(self.expected("`{`"));
        }
        let open = self.token;
        let body = self.raw_body(open)?;
        self.resume_after_block(body.last().map_or(open.span, |close| close.span));
        if let Some(old) = self.inlines.get(&symbol) {
            let error = Diagnostic::error(format!("inline `{}` is defined twice", name.text))
                .at(name.span, "the second definition")
                .also(old.name.span, "the first");
            self.report(error);
        }
        self.inlines.insert(symbol, Rc::new(Inline { name: name.clone(), params, body }));
        Ok(name)
    }

    /// The tokens from the current brace to the one that closes it.
    fn raw_body(&mut self, open: Token) -> Parsed<Vec<Token>> {
        let mut body = vec![open];
        let mut depth = 1usize;
        while depth > 0 {
            let token = self.stream.raw(0);
            match token.kind {
                Tok::LBrace => depth += 1,
                Tok::RBrace => depth -= 1,
                kind if kind == Tok::Eof || is_unit(kind) => {
                    let error = Diagnostic::error("the body of this inline never ends")
                        .at(open.span, "no `}` for this")
                        .also(token.span, "cannot be part of the body")
                        .help("close the body with `}`");
                    let reported = self.report(error);
                    self.resume_after_block(open.span);
                    return Err(reported);
                }
                _ => {}
            }
            body.push(token);
            self.stream.at += 1;
        }
        Ok(body)
    }

    /// Whether the current name is a call of an inline.
    pub(super) fn at_inline_call(&self) -> bool {
        self.at(Tok::Ident) && self.inlines.contains_key(&self.token.text) && self.stream.raw(0).kind == Tok::LParen
    }

    /// The call that starts at the current name. `result` is what the call's value is assigned to.
    pub(super) fn inline_call(&mut self, result: Option<VarRef>) -> Parsed<Stmt> {
        let span = self.enter_call(result)?;
        let block = self.nested(|p| p.block());
        self.leave_call(block.is_ok());
        let block = Seq { inlined: true, ..block? };
        Ok(Stmt { labels: Vec::new(), kind: StmtKind::Block(block), span, text: None })
    }

    /// Makes the expanded body what is read next; gives the call's place.
    #[inline(never)]
    fn enter_call(&mut self, result: Option<VarRef>) -> Parsed<Span> {
        let name = self.token;
        let symbol = name.text;
        let start = result.as_ref().map_or(name.span, |result| result.span);
        let Some(inline) = self.inlines.get(&name.text).cloned() else {
            return Err(self.expected("the name of an inline"));
        };
        let (args, close) = self.inline_arguments(name)?;
        let span = start.to(close);
        self.check_call(name, &inline, &args, span)?;
        let mut tokens = self.expanded(&inline, &args);
        self.inlined_tokens += tokens.len();
        if self.inlined_tokens > MAX_TOKENS {
            let error = Diagnostic::error(format!("inline calls expand to more than {MAX_TOKENS} tokens"))
                .at(span, "the limit is reached in this call")
                .help("inlines that call inlines twice double the text at every level");
            return Err(self.abort(error));
        }
        if let Some(first) = tokens.first_mut() {
            first.flags = first.flags.without(Flags::LINE);
        }
        let end = tokens.last().copied().unwrap_or(name);
        let end = Token { span: end.span.after(), text: self.names.intern(""), ..end };
        let after = std::mem::replace(&mut self.stream, TokenStream::new(tokens, end));
        let open_options = std::mem::take(&mut self.open_options);
        let name = inline.name.text.clone();
        let places = inline.body.iter().map(|token| token.span);
        let body = places.reduce(Span::to).unwrap_or(inline.name.span);
        self.calls.push(InlineCall { name, symbol, span, body, result, close, after, open_options });
        self.advance();
        Ok(span)
    }

    #[inline(never)]
    fn leave_call(&mut self, complete: bool) {
        if complete && !self.at(Tok::Eof) {
            let error = Diagnostic::error("after its arguments are in place, this inline's braces do not match")
                .at(self.span(), "the body should end before this");
            self.report(error);
        }
        if let Some(call) = self.calls.pop() {
            self.stream = call.after;
            self.open_options = call.open_options;
            self.resume_after_block(call.close);
        }
    }

    /// The arguments' tokens and the closing parenthesis; the cursor is after it then.
    fn inline_arguments(&mut self, name: Token) -> Parsed<(Vec<Vec<Token>>, Span)> {
        let open = self.stream.raw(0);
        self.stream.at += 1;
        let mut args: Vec<Vec<Token>> = vec![Vec::new()];
        let mut depth = 0usize;
        loop {
            let token = self.stream.raw(0);
            self.stream.at += 1;
            match token.kind {
                Tok::LParen | Tok::LBracket => depth += 1,
                Tok::RParen if depth == 0 => {
                    if matches!(args.as_slice(), [only] if only.is_empty()) {
                        args.clear();
                    }
                    return Ok((args, token.span));
                }
                Tok::RParen | Tok::RBracket => depth = depth.saturating_sub(1),
                Tok::Comma if depth == 0 => {
                    args.push(Vec::new());
                    continue;
                }
                kind if is_unit(kind) || matches!(kind, Tok::Eof | Tok::Semi | Tok::LBrace | Tok::RBrace) => {
                    self.stream.at -= 1;
                    let text = self.names.text(name.text);
                    let error = Diagnostic::error(format!("this call of inline `{text}` never ends"))
                        .at(open.span, "no `)` for this")
                        .also(token.span, "the call cannot go on after this");
                    let reported = self.report(error);
                    self.unclosed = true;
                    self.resume_after_block(open.span);
                    return Err(reported);
                }
                _ => {}
            }
            let flags = token.flags.without(Flags::LINE);
            if let Some(arg) = args.last_mut() {
                arg.push(Token { flags, ..token });
            }
        }
    }

    /// The right number of arguments, and no call of itself.
    fn check_call(&mut self, name: Token, inline: &Inline, args: &[Vec<Token>], span: Span) -> Parsed<()> {
        let text = self.names.text(name.text).to_string();
        let problem = if let Some(first) = self.calls.iter().position(|call| call.symbol == name.text) {
            let mut cycle: Vec<String> = self.calls[first..].iter().map(|call| format!("`{}`", call.name)).collect();
            cycle.push(format!("`{text}`"));
            Diagnostic::error(format!("inline `{text}` calls itself"))
                .at(span, "this call would never end")
                .note(format!("the calls go round: {}", cycle.join(" → ")))
                .help("inlines are text; for recursion start a process with `run`")
        } else if args.len() != inline.params.len() {
            let (takes, given) = (crate::counted(inline.params.len(), "argument"), args.len());
            Diagnostic::error(format!("inline `{text}` takes {takes}, but {} given", crate::are(given)))
                .at(span, format!("{given} given"))
                .also(inline.name.span, "defined here")
        } else {
            return Ok(());
        };
        if self.miscalled.insert(name.text) {
            self.report(problem);
        }
        self.errors_found += 1;
        self.resume_after_block(span.after());
        Err(Reported)
    }

    /// The body with the arguments in place of the parameters.
    fn expanded(&self, inline: &Inline, args: &[Vec<Token>]) -> Vec<Token> {
        let mut out = Vec::with_capacity(inline.body.len());
        for &token in &inline.body {
            let param = inline.params.iter().position(|&param| token.kind == Tok::Ident && param == token.text);
            let Some(arg) = param.and_then(|index| args.get(index)) else {
                out.push(token);
                continue;
            };
            let start = out.len();
            out.extend_from_slice(arg);
            if let Some(first) = out.get_mut(start) {
                first.flags = token.flags;
            }
        }
        out
    }

    /// `return e`
    pub(super) fn return_statement(&mut self) -> Parsed<StmtKind> {
        let span = self.span();
        self.advance();
        let value = self.expr()?;
        let Some(call) = self.calls.last() else {
            let error = Diagnostic::error("`return` outside of an inline")
                .at(span, "there is nothing to return to")
                .help("a process ends at the end of its body; jump there with `goto`");
            return Err(self.report(error));
        };
        let Some(result) = call.result.clone() else {
            let error = Diagnostic::error(format!("inline `{}` returns a value, but the call drops it", call.name))
                .at(span, "returned here")
                .help(format!("write the call as `x = {}(…)`", call.name));
            return Err(self.report(error));
        };
        Ok(StmtKind::Assign(result, value))
    }
}
