//! Top-level units: process types, claims, types, formulas.

use super::Parser;
use super::synchronise::is_unit;
use crate::ast::{ActiveCount, Claim, ClaimKind, Ltl, Module, Name, Proctype, Seq, Typedef, Unit};
use crate::token::{Flags, Tok, Token};
use tightrope_syntax::{Diagnostic, Parsed, RecursiveDescent, Reported, Span, Wording};

impl Parser<'_> {
    pub(super) fn module(&mut self) -> Module {
        let mut module = Module::default();
        while !self.at(Tok::Eof) {
            let before = self.stream.at;
            self.in_sequence = false;
            self.stream.close_parens();
            self.unclosed = false;
            let errors = self.diags.error_count();
            let (is_unit, parsed) = (self.at_unit(), self.unit(&mut module));
            if is_unit {
                self.recovery.active = self.diags.error_count() > errors;
            }
            if let Err(Reported) = parsed {
                let moved = self.stream.at > before;
                if !(moved && (self.at_unit() || self.at(Tok::Semi))) {
                    self.skip_unit();
                }
            }
        }
        if module.units.is_empty() && !self.recovery.stopped && self.diags.error_count() == 0 {
            self.report(Diagnostic::error("the model is empty").at(self.span(), "nothing to check"));
        }
        module
    }

    fn unit(&mut self, module: &mut Module) -> Parsed<()> {
        let unit = match self.kind() {
            Tok::Semi | Tok::Arrow => {
                self.advance();
                return Ok(());
            }
            Tok::Active | Tok::Proctype | Tok::DProctype => Unit::Proctype(self.proctype()?),
            Tok::Init => Unit::Proctype(self.init()?),
            Tok::Never => Unit::Claim(self.claim(ClaimKind::Never)?),
            Tok::Trace => Unit::Claim(self.claim(ClaimKind::Trace)?),
            Tok::Notrace => Unit::Claim(self.claim(ClaimKind::Notrace)?),
            Tok::Ltl => Unit::Ltl(self.ltl()?),
            Tok::Typedef => {
                let name = self.stream.raw(0).text;
                let typedef = self.typedef();
                // Also one that is wrong is known, so that its uses are not reported.
                self.typedefs.insert(name);
                Unit::Typedef(typedef?)
            }
            Tok::Inline => {
                let name = self.stream.raw(0).text;
                let inline = self.inline_definition();
                if inline.is_err() {
                    self.broken_inlines.insert(name);
                }
                Unit::Inline(inline?)
            }
            Tok::CCode | Tok::CDecl | Tok::CState | Tok::CTrack => {
                self.embedded_c();
                return Ok(());
            }
            _ if self.at_declaration() => self.global_declaration()?,
            Tok::RBrace if self.recovery.active => {
                self.advance();
                return Err(Reported);
            }
            _ if self.recovery.active => return Err(Reported),
            Tok::RBrace => {
                let error = Diagnostic::error("this `}` closes nothing")
                    .at(self.span(), "no block is open here")
                    .help("a `}` further up may be one too many");
                let result = self.report(error);
                self.advance();
                return Err(result);
            }
            Tok::Ident if self.stream.raw(0).kind == Tok::Ident => {
                return Err(self.expected("a declaration or a process type"));
            }
            _ => return Err(self.expected("a declaration, a process type, `init`, `never`, `ltl` or `inline`")),
        };
        module.units.push(unit);
        Ok(())
    }

    fn proctype(&mut self) -> Parsed<Proctype> {
        let start = self.span();
        let active = if self.accept(Tok::Active) {
            if self.accept(Tok::LBracket) {
                let count = self.expr()?;
                self.expect(Tok::RBracket, "`]`")?;
                Some(ActiveCount::Count(count))
            } else {
                Some(ActiveCount::One)
            }
        } else {
            None
        };
        let deterministic = self.at(Tok::DProctype);
        if !self.accept(Tok::DProctype) {
            self.expect(Tok::Proctype, "`proctype`")?;
        }
        let symbol = self.token.text;
        let name = self.expect_name("the name of the process type")?;
        self.proctypes.insert(symbol);
        self.expect(Tok::LParen, "`(`")?;
        let params = self.parameters()?;
        self.expect(Tok::RParen, "`)`")?;
        let priority = self.priority()?;
        let provided = if self.accept(Tok::Provided) {
            self.expect(Tok::LParen, "`(`")?;
            let condition = self.expr()?;
            self.expect(Tok::RParen, "`)`")?;
            Some(condition)
        } else {
            None
        };
        if self.at(Tok::Priority) && provided.is_some() {
            let error = Diagnostic::error("`priority` must stand before `provided`")
                .at(self.span(), "move this before `provided`");
            return Err(self.report(error));
        }
        let (body, end) = self.body()?;
        let span = start.to(end);
        Ok(Proctype { name, is_init: false, active, deterministic, params, priority, provided, body, end, span })
    }

    fn init(&mut self) -> Parsed<Proctype> {
        let start = self.span();
        let name = Name { text: "init".to_string(), span: start };
        self.advance();
        let priority = self.priority()?;
        let (body, end) = self.body()?;
        Ok(Proctype {
            name,
            is_init: true,
            active: None,
            deterministic: false,
            params: Vec::new(),
            priority,
            provided: None,
            body,
            end,
            span: start.to(end),
        })
    }

    fn claim(&mut self, kind: ClaimKind) -> Parsed<Claim> {
        let start = self.span();
        self.advance();
        let name =
            if kind == ClaimKind::Never && self.at(Tok::Ident) { Some(self.expect_name("a name")?) } else { None };
        let (body, end) = self.body()?;
        Ok(Claim { kind, name, body, end, span: start.to(end) })
    }

    /// The body of a process or a claim, and the place of its closing brace.
    fn body(&mut self) -> Parsed<(Seq, Span)> {
        self.stray_reported = false;
        let open = self.open_brace()?;
        let seq = self.nested(|p| p.sequence(open));
        self.in_sequence = false;
        let seq = seq?;
        let end = self.close_brace(open, "this body")?;
        Ok((seq, end))
    }

    /// The `{` of a body. If it is missing, statements that follow are still parsed.
    fn open_brace(&mut self) -> Parsed<Span> {
        let open = self.span();
        if self.at(Tok::LBrace) {
            self.in_sequence = true;
            self.advance();
            return Ok(open);
        }
        let reported = self.expected("`{`");
        if !self.starts_statement() {
            return Err(reported);
        }
        self.in_sequence = true;
        self.unclosed = true;
        Ok(open)
    }

    /// The `}` that belongs to the brace at `open`.
    pub(super) fn close_brace(&mut self, open: Span, what: &str) -> Parsed<Span> {
        if self.at(Tok::RBrace) {
            let span = self.span();
            self.advance();
            return Ok(span);
        }
        Err(self.missing_brace(open, what))
    }

    #[cold]
    #[inline(never)]
    fn missing_brace(&mut self, open: Span, what: &str) -> Reported {
        if std::mem::replace(&mut self.unclosed, true) {
            return Reported;
        }
        let found = self.found();
        let error = Diagnostic::error(format!("expected `}}`, found {found}"))
            .at(self.span(), "a `}` is missing before this")
            .also(open, format!("{what} starts here"));
        self.report(error)
    }

    fn typedef(&mut self) -> Parsed<Typedef> {
        let start = self.span();
        self.advance();
        let name = self.expect_name("the name of the type")?;
        if !self.at(Tok::LBrace) {
            return Err(self.expected("`{`"));
        }
        let open = self.span();
        self.in_sequence = true;
        self.advance();
        let mut fields = Vec::new();
        while self.at_declaration() {
            fields.push(self.declaration()?);
            if !self.at(Tok::RBrace) && !self.accept(Tok::Semi) {
                return Err(self.expected("`;` or `}`"));
            }
        }
        if fields.is_empty() {
            return Err(self.expected("a field such as `byte x`"));
        }
        self.in_sequence = false;
        let end = self.close_brace(open, "this type")?;
        Ok(Typedef { name, fields, span: start.to(end) })
    }

    /// `ltl name { formula }`; the formula's own grammar is read elsewhere.
    fn ltl(&mut self) -> Parsed<Ltl> {
        let start = self.span();
        self.advance();
        let name = if self.at(Tok::Ident) { Some(self.expect_name("a name")?) } else { None };
        if !self.at(Tok::LBrace) {
            return Err(self.expected("`{`"));
        }
        let open = self.span();
        let mut formula = String::new();
        let mut depth = 1usize;
        let mut last: Option<Token> = None;
        loop {
            let token = self.stream.raw(0);
            match token.kind {
                Tok::LBrace => depth += 1,
                Tok::RBrace => depth -= 1,
                kind if kind == Tok::Eof || is_unit(kind) => {
                    let error = Diagnostic::error("this formula never ends")
                        .at(open, "no `}` for this")
                        .help("close the formula with `}`");
                    let reported = self.report(error);
                    self.resume_after_block(open);
                    return Err(reported);
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
            if last.is_some_and(|last| !joins(last, token)) {
                formula.push(' ');
            }
            formula.push_str(self.names.text(token.text));
            last = Some(token);
            self.stream.at += 1;
        }
        if formula.is_empty() {
            let error = Diagnostic::error("the formula is empty").at(open, "a formula must follow");
            self.report(error);
        }
        self.advance();
        let end = self.expect(Tok::RBrace, "`}`")?;
        // SPIN reads one separator before the closing brace over.
        let formula = formula.trim_end_matches([';', ' ']).to_string();
        Ok(Ltl { name, formula, span: start.to(end) })
    }
}

/// Whether two tokens are one operator of temporal logic: `[]`, `<>`, `<->`, `/\`, `\/`.
fn joins(left: Token, right: Token) -> bool {
    let pair = matches!(
        (left.kind, right.kind),
        (Tok::LBracket, Tok::RBracket)
            | (Tok::Lt, Tok::Gt | Tok::Arrow)
            | (Tok::Slash, Tok::Backslash)
            | (Tok::Backslash, Tok::Slash)
    );
    pair && !right.flags.has(Flags::SPACE)
}
