//! Declarations, types and routines.

use super::Parser;
use crate::ast::{Block, Decl, Param, Routine, TypeExpr, TypeExprKind};
use crate::token::Tok;
use tightrope_syntax::{Diagnostic, Name, Parsed, RecursiveDescent, Reported, Span};

impl Parser<'_> {
    /// Any number of `const`, `type` and `var` sections.
    pub(super) fn sections(&mut self, decls: &mut Vec<Decl>) {
        while matches!(self.kind(), Tok::Const | Tok::Type | Tok::Var) {
            self.section(decls);
        }
    }

    /// One section with its keyword.
    pub(super) fn section(&mut self, decls: &mut Vec<Decl>) {
        let section = self.kind();
        self.advance();
        loop {
            while self.accept(Tok::Semi) {}
            if !self.at(Tok::Ident) || self.statement_follows(section) {
                break;
            }
            match self.declaration(section) {
                Ok(decl) => decls.push(decl),
                Err(Reported) => {
                    self.skip_declaration();
                    continue;
                }
            }
            let complete = matches!(self.kind(), Tok::Semi | Tok::Ident | Tok::Begin | Tok::Eof);
            if !complete && !self.at_item() {
                self.expected("`;`");
                self.skip_declaration();
            }
        }
    }

    /// Whether a statement stands here, inside of a block whose `begin` is missing.
    fn statement_follows(&self, section: Tok) -> bool {
        section != Tok::Const && !self.closers.is_empty() && self.body_starts(0)
    }

    fn declaration(&mut self, section: Tok) -> Parsed<Decl> {
        let first = self.cursor.position;
        let names = self.name_list("a name")?;
        // After a declaration, a misspelt keyword looks like the next name.
        let ends_so = matches!(self.kind(), Tok::Begin | Tok::Str | Tok::Ident) || self.starts_expr();
        if ends_so && let Some(reported) = self.misspelt_item(first) {
            return Err(reported);
        }
        if self.at(Tok::Eq) || self.at(Tok::Assign) {
            let error = Diagnostic::error("a name and what it stands for are separated by `:`")
                .at(self.span(), "write `:` here");
            return Err(self.report(error));
        }
        self.expect(Tok::Colon, "`:`")?;
        match section {
            Tok::Const => Ok(Decl::Const(names, self.expr()?)),
            Tok::Type => Ok(Decl::Type(names, self.type_expr()?)),
            _ => Ok(Decl::Var(names, self.type_expr()?)),
        }
    }

    pub(super) fn type_expr(&mut self) -> Parsed<TypeExpr> {
        self.nested(Self::type_expr_inner)
    }

    fn type_expr_inner(&mut self) -> Parsed<TypeExpr> {
        let start = self.span();
        let kind = match self.kind() {
            Tok::Ident if !continues_expr(self.cursor.peek(1).kind) => TypeExprKind::Name(self.expect_ident("a type")?),
            Tok::Ident if self.cursor.peek(1).kind == Tok::LParen && self.text().eq_ignore_ascii_case("real") => {
                return Err(self.refuse_reals(start));
            }
            Tok::Enum => self.enumeration()?,
            Tok::Record => self.record()?,
            Tok::Array => self.array()?,
            Tok::Multiset => self.multiset()?,
            Tok::Scalarset => {
                self.advance();
                self.expect(Tok::LParen, "`(`")?;
                let size = self.expr()?;
                self.expect(Tok::RParen, "`)`")?;
                TypeExprKind::Scalarset(Box::new(size))
            }
            Tok::Union => self.union()?,
            _ if self.starts_expr() => {
                let low = self.expr()?;
                self.expect(Tok::DotDot, "`..` and the end of the range")?;
                let high = self.expr()?;
                TypeExprKind::Range(Box::new((low, high)))
            }
            _ => return Err(self.expected("a type")),
        };
        Ok(TypeExpr { kind, span: start.to(self.cursor.previous) })
    }

    /// `enum { a, b }`
    fn enumeration(&mut self) -> Parsed<TypeExprKind> {
        self.advance();
        self.expect(Tok::LBrace, "`{`")?;
        let values = self.name_list("the name of a value")?;
        if self.at(Tok::Ident) {
            let error = Diagnostic::error("the values of an enum are separated by commas")
                .at(self.span(), "a comma is missing before this");
            return Err(self.report(error));
        }
        self.expect(Tok::RBrace, "`,` or `}`")?;
        Ok(TypeExprKind::Enum(values))
    }

    /// `record a, b : T; c : U; end`
    fn record(&mut self) -> Parsed<TypeExprKind> {
        let open = self.span();
        self.advance();
        self.closers.push(Tok::EndRecord);
        let mut fields = Vec::new();
        let result = loop {
            while self.accept(Tok::Semi) {}
            if !self.at(Tok::Ident) {
                break Ok(());
            }
            match self.field() {
                Ok(field) => fields.push(field),
                Err(reported) => break Err(reported),
            }
        };
        self.closers.pop();
        result?;
        if fields.is_empty() && (self.at(Tok::End) || self.at(Tok::EndRecord)) {
            let error = Diagnostic::error("this record has no fields").at(open, "a record needs at least one field");
            self.report(error);
        }
        self.close(Tok::EndRecord, open)?;
        Ok(TypeExprKind::Record(fields))
    }

    fn field(&mut self) -> Parsed<(Vec<Name>, TypeExpr)> {
        let names = self.name_list("the name of a field")?;
        self.expect(Tok::Colon, "`:` and the field's type")?;
        Ok((names, self.type_expr()?))
    }

    /// `array [I] of T`
    fn array(&mut self) -> Parsed<TypeExprKind> {
        self.advance();
        self.expect(Tok::LBracket, "`[`")?;
        let index = self.type_expr()?;
        self.expect(Tok::RBracket, "`]`")?;
        self.expect(Tok::Of, "`of`")?;
        Ok(TypeExprKind::Array(Box::new((index, self.type_expr()?))))
    }

    /// `multiset [N] of T`
    fn multiset(&mut self) -> Parsed<TypeExprKind> {
        self.advance();
        self.expect(Tok::LBracket, "`[`")?;
        let size = self.expr()?;
        self.expect(Tok::RBracket, "`]`")?;
        self.expect(Tok::Of, "`of`")?;
        Ok(TypeExprKind::Multiset(Box::new((size, self.type_expr()?))))
    }

    /// `union { A, enum { b } }`
    fn union(&mut self) -> Parsed<TypeExprKind> {
        self.advance();
        self.expect(Tok::LBrace, "`{`")?;
        let mut members = vec![self.type_expr()?];
        while self.accept(Tok::Comma) {
            if self.at(Tok::RBrace) {
                break;
            }
            members.push(self.type_expr()?);
        }
        self.expect(Tok::RBrace, "`,` or `}`")?;
        Ok(TypeExprKind::Union(members))
    }

    #[cold]
    pub(super) fn refuse_reals(&mut self, span: Span) -> Reported {
        let error = Diagnostic::error("real numbers are not supported")
            .at(span, "`real` is an extension of CMurphi")
            .note("Tightrope explores states exactly; rounding has no place in it")
            .help("use an integer subrange, for example thousandths of the unit");
        self.report(error)
    }

    /// A procedure or a function.
    pub(super) fn routine(&mut self) -> Parsed<Routine> {
        self.else_if = None;
        let open = self.span();
        let is_function = self.at(Tok::Function);
        self.advance();
        let name = self.expect_ident(if is_function { "the function's name" } else { "the procedure's name" })?;
        let params = self.params()?;
        let returns = if self.accept(Tok::Colon) {
            let ty = self.type_expr()?;
            if !is_function {
                let error = Diagnostic::error("a procedure has no type")
                    .at(ty.span, "only a function returns a value")
                    .also(open, "write `function` here");
                self.report(error);
            }
            Some(ty)
        } else {
            if is_function {
                self.expected("`:` and the function's type");
            }
            None
        };
        while self.accept(Tok::Semi) {}
        let end = if is_function { Tok::EndFunction } else { Tok::EndProcedure };
        let block = self.block(end, open)?;
        Ok(Routine { name, params, returns, block })
    }

    /// `(a, b : T; var c : U)`
    fn params(&mut self) -> Parsed<Vec<Param>> {
        let open = self.expect(Tok::LParen, "`(`")?;
        let mut params = Vec::new();
        loop {
            while self.accept(Tok::Semi) {}
            if !self.at(Tok::Ident) && !self.at(Tok::Var) {
                break;
            }
            let by_var = self.accept(Tok::Var);
            let names = self.name_list("the parameter's name")?;
            self.expect(Tok::Colon, "`:` and the parameter's type")?;
            params.push(Param { by_var, names, ty: self.type_expr()? });
            if self.at(Tok::Comma) {
                let error = Diagnostic::error("parameters of different types are separated by `;`")
                    .at(self.span(), "write `;` here");
                self.report(error);
                self.advance();
            }
        }
        if !self.at(Tok::RParen) {
            return Err(self.missing_parenthesis(open));
        }
        self.advance();
        Ok(params)
    }

    /// Declarations with `begin`, statements, and the `end`.
    pub(super) fn block(&mut self, end: Tok, open: Span) -> Parsed<Block> {
        let mut block = Block::default();
        self.closers.push(end);
        self.sections(&mut block.decls);
        if self.at(Tok::LBrace) {
            self.block_in_braces();
        } else if !self.accept(Tok::Begin) && !block.decls.is_empty() {
            self.expected("`begin`");
        }
        self.statements(&mut block.stmts);
        self.closers.pop();
        self.close(end, open)?;
        Ok(block)
    }
}

/// Whether a name before this token is the start of an expression, not a type of its own.
fn continues_expr(kind: Tok) -> bool {
    matches!(
        kind,
        Tok::DotDot
            | Tok::Plus
            | Tok::Minus
            | Tok::Star
            | Tok::Slash
            | Tok::Percent
            | Tok::LBracket
            | Tok::Dot
            | Tok::LParen
            | Tok::Query
    )
}
