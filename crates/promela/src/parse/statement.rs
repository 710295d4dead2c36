//! Statements and the blocks they stand in.

use super::Parser;
use super::expr::Reference;
use super::token_stream::ADDED;
use crate::ast::{Expr, ExprKind, Name, Seq, Stmt, StmtKind};
use crate::token::{Flags, Tok, Token};
use tightrope_syntax::{Diagnostic, Parsed, RecursiveDescent, Reported, Span, Wording};

impl Parser<'_> {
    /// Statements up to the end of a block or an option. Goes on after errors; `open` is what the sequence stands in.
    pub(super) fn sequence(&mut self, open: Span) -> Parsed<Seq> {
        let start = self.span();
        let mut stmts = Vec::new();
        let faults = self.errors_found;
        loop {
            self.skip_stray();
            if self.at_sequence_end() {
                break;
            }
            if self.at(Tok::Semi) || self.at(Tok::Arrow) {
                self.leading_separator();
                continue;
            }
            match self.step() {
                Ok(stmt) => stmts.push(stmt),
                Err(Reported) => self.skip_statement(),
            }
            if self.at_sequence_end() {
                continue;
            }
            if !self.at(Tok::Semi) && !self.at(Tok::Arrow) {
                self.expected("`;` or `->`");
                self.skip_statement();
            }
            while self.accept(Tok::Semi) || self.accept(Tok::Arrow) {}
        }
        if stmts.is_empty() && self.errors_found == faults {
            self.missing_statement(open);
        }
        let span = stmts.first().map_or(start, |first: &Stmt| first.span).to(self.previous);
        Ok(Seq { stmts, span, inlined: false })
    }

    /// Reports and skips `fi`, `od` and `::` where no `if` and no `do` is open.
    #[inline(never)]
    fn skip_stray(&mut self) {
        while self.open_options == 0 && matches!(self.kind(), Tok::Fi | Tok::Od | Tok::Sep) {
            if !std::mem::replace(&mut self.stray_reported, true) && !self.unclosed {
                let opener = match self.kind() {
                    Tok::Fi => "`if`",
                    Tok::Od => "`do`",
                    _ => "`if` or `do`",
                };
                let found = self.found();
                let error = Diagnostic::error(format!("{found} without {opener}"))
                    .at(self.span(), format!("no {opener} is open here"));
                self.report(error);
            }
            self.advance();
            while self.accept(Tok::Semi) || self.accept(Tok::Arrow) {}
        }
    }

    #[cold]
    #[inline(never)]
    fn missing_statement(&mut self, open: Span) {
        let error = Diagnostic::error("a statement is missing here")
            .at(self.span(), "expected a statement before this")
            .also(open, "in the sequence that starts here")
            .help("a statement that does nothing is written `skip`");
        self.report(error);
    }

    #[inline(never)]
    fn leading_separator(&mut self) {
        if self.text() != ADDED {
            self.expected("a statement");
        }
        while self.accept(Tok::Semi) || self.accept(Tok::Arrow) {}
    }

    /// A declaration, a statement, or two statements around `unless`.
    fn step(&mut self) -> Parsed<Stmt> {
        if self.at_declaration() {
            return self.local_declaration();
        }
        if self.at(Tok::Xr) || self.at(Tok::Xs) {
            return self.exclusive();
        }
        let main = self.statement()?;
        if self.at(Tok::Unless) { self.unless(main) } else { Ok(main) }
    }

    #[inline(never)]
    fn local_declaration(&mut self) -> Parsed<Stmt> {
        let decl = self.declaration()?;
        Ok(Stmt { labels: Vec::new(), span: decl.span, kind: StmtKind::Decl(decl), text: None })
    }

    /// `unless escape` after a statement.
    #[inline(never)]
    fn unless(&mut self, main: Stmt) -> Parsed<Stmt> {
        self.advance();
        let escape = self.statement()?;
        if self.at(Tok::Unless) {
            let error = Diagnostic::error("a second `unless`")
                .at(self.span(), "one statement can have one `unless`")
                .help("put the first two statements in braces: `{ a unless b } unless c`");
            return Err(self.report(error));
        }
        let span = main.span.to(self.previous);
        Ok(Stmt { labels: Vec::new(), kind: StmtKind::Unless(Box::new(main), Box::new(escape)), span, text: None })
    }

    /// `xr c, d` or `xs c, d`
    #[inline(never)]
    fn exclusive(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        let receives = self.at(Tok::Xr);
        self.advance();
        let mut chans = vec![self.var_ref()?];
        while self.accept(Tok::Comma) {
            chans.push(self.var_ref()?);
        }
        let kind = if receives { StmtKind::Xr(chans) } else { StmtKind::Xs(chans) };
        Ok(Stmt { labels: Vec::new(), kind, span: start.to(self.previous), text: None })
    }

    /// A statement with its labels.
    fn statement(&mut self) -> Parsed<Stmt> {
        let labels = self.labels();
        if let Some(last) = labels.last() {
            if self.at_declaration() || self.at(Tok::Xr) || self.at(Tok::Xs) {
                return Err(self.label_before_declaration(last));
            }
            // A label at the end of a sequence marks a `skip`.
            if self.at_sequence_end() || matches!(self.kind(), Tok::Semi | Tok::Arrow | Tok::Unless) {
                let span = last.span;
                let skip = Expr { kind: ExprKind::Const(1), span };
                return Ok(Stmt { labels, kind: StmtKind::Expr(skip), span, text: None });
            }
        }
        let first = self.trail.len();
        let mut stmt = self.unlabelled()?;
        stmt.labels = labels;
        if !stmt.kind.is_compound() {
            stmt.text = self.text_from(first);
            // Arguments have their places in the call.
            let in_body = |span: Span| self.calls.last().is_some_and(|call| call.body.contains(span));
            if let Some(token) = self.trail[first..].iter().find(|token| in_body(token.span)) {
                stmt.span = token.span;
            }
        }
        self.trail.truncate(first);
        Ok(stmt)
    }

    /// The text of the tokens that were passed since, where it is not what stands at their place.
    pub(super) fn text_from(&self, first: usize) -> Option<Box<str>> {
        let tokens = self.trail.get(first..)?;
        let (one, rest) = tokens.split_first()?;
        // All that comes out of a macro has the place of its call, and its arguments lie there.
        let covers = |whole: &Token| tokens.iter().all(|token| whole.span.contains(token.span));
        let one_macro = !rest.is_empty() && tokens.iter().any(covers);
        if self.calls.is_empty() && !one_macro {
            return None;
        }
        let mut text = String::from(self.names.text(one.text));
        for token in rest {
            if token.flags.has(Flags::SPACE) || token.flags.has(Flags::LINE) {
                text.push(' ');
            }
            text.push_str(self.names.text(token.text));
        }
        Some(text.into())
    }

    #[inline(never)]
    fn labels(&mut self) -> Vec<Name> {
        let mut labels: Vec<Name> = Vec::new();
        while self.at(Tok::Ident) && self.stream.raw(0).kind == Tok::Colon && !self.proctypes.contains(&self.token.text)
        {
            if self.stream.raw(1).kind == Tok::Assign && self.stream.raw(1).span.start == self.stream.raw(0).span.end {
                self.assignment_of_pascal();
            }
            labels.push(self.name(self.token));
            self.advance();
            self.advance();
        }
        labels
    }

    /// Reports `x := 1`, of which the rest is read as a label and something strange.
    #[cold]
    #[inline(never)]
    fn assignment_of_pascal(&mut self) {
        let (colon, assign) = (self.stream.raw(0).span, self.stream.raw(1).span);
        let error = Diagnostic::error("an assignment is written `=`").at(colon.to(assign), "write `=` here");
        self.report(error);
        self.recovery.suppress(assign);
    }

    #[cold]
    #[inline(never)]
    fn label_before_declaration(&mut self, label: &Name) -> Reported {
        let error = Diagnostic::error(format!("label `{}` stands before a declaration", label.text))
            .at(label.span, "must stand before a statement")
            .help("move the label after the declaration");
        self.report(error)
    }

    fn unlabelled(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        let kind = match self.kind() {
            Tok::If => StmtKind::If(self.options(Tok::Fi)?),
            Tok::Do => StmtKind::Do(self.options(Tok::Od)?),
            Tok::LBrace => StmtKind::Block(self.nested(|p| p.block())?),
            Tok::Atomic => {
                self.advance();
                StmtKind::Atomic(self.nested(|p| p.block())?)
            }
            Tok::DStep => {
                self.advance();
                StmtKind::DStep(self.nested(|p| p.block())?)
            }
            Tok::For => self.for_loop()?,
            Tok::Ident if self.at_inline_call() => return self.inline_call(None),
            Tok::Ident => return self.named(),
            _ => self.simple()?,
        };
        Ok(Stmt { labels: Vec::new(), kind, span: start.to(self.previous), text: None })
    }

    /// A statement that contains no other and does not start with a name.
    #[inline(never)]
    fn simple(&mut self) -> Parsed<StmtKind> {
        let start = self.span();
        Ok(match self.kind() {
            Tok::Select => self.select()?,
            Tok::Break => {
                self.advance();
                StmtKind::Break
            }
            Tok::Else => {
                self.advance();
                StmtKind::Else
            }
            Tok::Goto => {
                self.advance();
                StmtKind::Goto(self.expect_name("a label")?)
            }
            Tok::Assert => {
                self.advance();
                StmtKind::Assert(self.expr()?)
            }
            Tok::Printf => self.printf()?,
            Tok::Printm => self.printm()?,
            Tok::SetPriority => self.set_priority()?,
            Tok::Return => self.return_statement()?,
            Tok::CCode | Tok::CDecl | Tok::CState | Tok::CTrack => {
                self.embedded_c();
                StmtKind::Expr(Expr { kind: ExprKind::Const(1), span: start })
            }
            Tok::Unless | Tok::Str | Tok::Comma | Tok::Assign => return Err(self.expected("a statement")),
            _ => StmtKind::Expr(self.expr()?),
        })
    }

    /// A statement that starts with a name: an assignment, a message, or an expression.
    #[inline(never)]
    fn named(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        let var = match self.reference()? {
            Reference::Var(var) => var,
            Reference::Remote(expr) => {
                let first = self.operand(expr.kind, expr.span);
                let expr = self.expr_from(first)?;
                return Ok(Stmt { labels: Vec::new(), span: expr.span, kind: StmtKind::Expr(expr), text: None });
            }
        };
        let kind = match self.kind() {
            Tok::Assign => {
                self.advance();
                if self.at_inline_call() {
                    return self.inline_call(Some(var));
                }
                StmtKind::Assign(var, self.expr()?)
            }
            Tok::PlusPlus => {
                self.advance();
                StmtKind::Increment(var)
            }
            Tok::MinusMinus => {
                self.advance();
                StmtKind::Decrement(var)
            }
            Tok::Bang | Tok::BangBang => self.send(var)?,
            Tok::Query | Tok::QueryQuery if self.stream.raw(0).kind != Tok::LBracket => self.receive(var)?,
            _ => {
                let first = self.variable(var)?;
                StmtKind::Expr(self.expr_from(first)?)
            }
        };
        Ok(Stmt { labels: Vec::new(), kind, span: start.to(self.previous), text: None })
    }

    /// `{ … }`
    pub(super) fn block(&mut self) -> Parsed<Seq> {
        let open = self.span();
        if !self.accept(Tok::LBrace) {
            // Statements that follow are still parsed.
            let reported = self.expected("`{`");
            self.unclosed = true;
            if !self.starts_statement() {
                return Err(reported);
            }
        }
        let mut seq = self.sequence(open)?;
        let close = self.close_brace(open, "this block")?;
        seq.span = open.to(close);
        Ok(seq)
    }

    fn printf(&mut self) -> Parsed<StmtKind> {
        self.advance();
        self.expect(Tok::LParen, "`(`")?;
        let format = self.string(self.token);
        self.expect(Tok::Str, "a string in double quotes")?;
        let args = if self.accept(Tok::Comma) { self.exprs()? } else { Vec::new() };
        self.expect(Tok::RParen, "`,` or `)`")?;
        Ok(StmtKind::Printf(format, args))
    }

    fn printm(&mut self) -> Parsed<StmtKind> {
        self.advance();
        self.expect(Tok::LParen, "`(`")?;
        let name = self.expr()?;
        self.expect(Tok::RParen, "`)`")?;
        Ok(StmtKind::Printm(name))
    }

    fn set_priority(&mut self) -> Parsed<StmtKind> {
        let start = self.span();
        self.advance();
        self.expect(Tok::LParen, "`(`")?;
        let pid = Box::new(self.expr()?);
        self.expect(Tok::Comma, "`,` and a priority")?;
        let priority = Box::new(self.expr()?);
        let end = self.expect(Tok::RParen, "`)`")?;
        Ok(StmtKind::Expr(Expr { kind: ExprKind::SetPriority(pid, priority), span: start.to(end) }))
    }
}
