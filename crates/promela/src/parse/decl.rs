//! Declarations.

use super::Parser;
use super::synchronise::{is_type, is_visibility};
use crate::ast::{ChanInit, Expr, Init, MtypeDecl, Name, TypeName, Unit, VarDecl, VarDecls, Visibility};
use crate::token::Tok;
use tightrope_syntax::{Diagnostic, Parsed, RecursiveDescent, Span};

impl Parser<'_> {
    /// Whether a declaration starts here. A name that is followed by a name is taken for one of an unknown type.
    pub(super) fn at_declaration(&self) -> bool {
        let kind = self.kind();
        is_type(kind) || is_visibility(kind) || (kind == Tok::Ident && self.typedefs.contains(&self.token.text))
    }

    /// Variables, or the names of an `mtype`.
    pub(super) fn global_declaration(&mut self) -> Parsed<Unit> {
        let start = self.span();
        let visibility = self.visibility();
        if !self.at(Tok::Mtype) {
            return self.variables(start, visibility).map(Unit::Vars);
        }
        let ty_span = self.span();
        self.advance();
        let subset = self.subset()?;
        if self.at(Tok::LBrace) && subset.is_none() || self.at(Tok::Assign) {
            if visibility != Visibility::Plain {
                let error = Diagnostic::error("symbolic names cannot be hidden, shown or local")
                    .at(start, "remove this keyword");
                self.report(error);
            }
            self.accept(Tok::Assign);
            return self.mtype_names(start, subset).map(Unit::Mtype);
        }
        let ty_span = ty_span.to(self.previous);
        self.declarators(start, visibility, TypeName::Mtype(subset), ty_span).map(Unit::Vars)
    }

    fn mtype_names(&mut self, start: Span, subset: Option<Name>) -> Parsed<MtypeDecl> {
        let open = self.expect(Tok::LBrace, "`{`")?;
        let mut names = vec![self.expect_name("a symbolic name")?];
        loop {
            if self.at(Tok::Ident) {
                names.push(self.expect_name("a symbolic name")?);
            } else if !self.accept(Tok::Comma) {
                break;
            }
        }
        if !self.at(Tok::RBrace) && !self.at(Tok::Eof) {
            return Err(self.expected("a symbolic name or `}`"));
        }
        let end = self.close_brace(open, "this list of names")?;
        Ok(MtypeDecl { subset, names, span: start.to(end) })
    }

    /// Variables, in a body, a typedef or a parameter list.
    pub(super) fn declaration(&mut self) -> Parsed<VarDecls> {
        let start = self.span();
        let visibility = self.visibility();
        self.variables(start, visibility)
    }

    fn variables(&mut self, start: Span, visibility: Visibility) -> Parsed<VarDecls> {
        let (ty, ty_span) = self.type_name()?;
        let names_list = matches!(ty, TypeName::Mtype(_))
            && (self.at(Tok::LBrace) || self.at(Tok::Assign) && self.stream.raw(0).kind == Tok::LBrace);
        if names_list {
            let error = Diagnostic::error("`mtype` names must be declared outside of processes")
                .at(start.to(ty_span), "inside a body here")
                .help("move the declaration to the top of the file");
            return Err(self.report(error));
        }
        self.declarators(start, visibility, ty, ty_span)
    }

    fn visibility(&mut self) -> Visibility {
        let visibility = match self.kind() {
            Tok::Hidden => Visibility::Hidden,
            Tok::Show => Visibility::Show,
            Tok::Local => Visibility::Local,
            _ => return Visibility::Plain,
        };
        self.advance();
        visibility
    }

    /// `:name` after `mtype`.
    fn subset(&mut self) -> Parsed<Option<Name>> {
        if self.accept(Tok::Colon) {
            return self.expect_name("the name of a subset of `mtype`").map(Some);
        }
        Ok(None)
    }

    /// The name of a type, as it stands in declarations and message fields.
    pub(super) fn type_name(&mut self) -> Parsed<(TypeName, Span)> {
        let span = self.span();
        let ty = match self.kind() {
            Tok::Bit => TypeName::Bit,
            Tok::Bool => TypeName::Bool,
            Tok::Byte => TypeName::Byte,
            Tok::Pid => TypeName::Pid,
            Tok::Short => TypeName::Short,
            Tok::Int => TypeName::Int,
            Tok::Unsigned => TypeName::Unsigned,
            Tok::Chan => TypeName::Chan,
            Tok::Mtype => {
                self.advance();
                let subset = self.subset()?;
                return Ok((TypeName::Mtype(subset), span.to(self.previous)));
            }
            Tok::Ident if self.typedefs.contains(&self.token.text) => TypeName::User(self.name(self.token)),
            Tok::Ident => {
                let name = self.text();
                let hint = self.similar_type(self.token.text);
                let error = Diagnostic::error(format!("there is no type `{name}`"))
                    .at(span, "not a type so far")
                    .help(hint.unwrap_or_else(|| "a `typedef` must stand before its uses".to_string()));
                return Err(self.report(error));
            }
            _ => return Err(self.expected("a type")),
        };
        self.advance();
        if self.at(Tok::Colon) {
            let error = Diagnostic::error("only `mtype` has subsets")
                .at(self.span(), "unexpected `:`")
                .help("the width of an `unsigned` stands after the variable's name: `unsigned x : 3`");
            return Err(self.report(error));
        }
        Ok((ty, span))
    }

    fn declarators(&mut self, start: Span, visibility: Visibility, ty: TypeName, ty_span: Span) -> Parsed<VarDecls> {
        let mut vars = vec![self.declarator()?];
        while self.at(Tok::Comma) {
            // SPIN adds a separator after every `}`, also after this one.
            if let Some(Init::Chan(_) | Init::List(..)) = vars.last().and_then(|var| var.init.as_ref()) {
                let error = Diagnostic::error("expected `;`, found `,`")
                    .at(self.span(), "the declaration ends before this")
                    .note("SPIN ends a declaration after an initialiser in braces")
                    .help("declare the next variable on its own");
                self.report(error);
            }
            if self.in_parameters && is_type(self.stream.raw(0).kind) {
                break;
            }
            self.advance();
            vars.push(self.declarator()?);
        }
        Ok(VarDecls { visibility, ty, ty_span, vars, span: start.to(self.previous) })
    }

    fn declarator(&mut self) -> Parsed<VarDecl> {
        self.refuse_process_name()?;
        let name = self.expect_name("the name of a variable")?;
        let mut var = VarDecl { name, width: None, array: None, init: None, init_text: None };
        if self.accept(Tok::Colon) {
            var.width = Some(self.constant("the width in bits")?);
        } else if self.accept(Tok::LBracket) {
            var.array = Some(self.expr()?);
            self.expect(Tok::RBracket, "`]`")?;
        }
        if self.accept(Tok::Assign) {
            let first = self.trail.len();
            var.init = Some(self.initialiser()?);
            var.init_text = self.text_from(first);
        }
        Ok(var)
    }

    fn initialiser(&mut self) -> Parsed<Init> {
        let start = self.span();
        match self.kind() {
            Tok::LBracket => {
                self.advance();
                let capacity = self.expr()?;
                self.expect(Tok::RBracket, "`]`")?;
                self.expect(Tok::Of, "`of`")?;
                self.expect(Tok::LBrace, "`{`")?;
                let mut fields = vec![self.message_field()?];
                while self.accept(Tok::Comma) {
                    fields.push(self.message_field()?);
                }
                let end = self.close_brace(start, "this channel")?;
                Ok(Init::Chan(ChanInit { capacity, fields, span: start.to(end) }))
            }
            Tok::LBrace => {
                self.advance();
                let mut values = vec![self.expr()?];
                while self.accept(Tok::Comma) {
                    values.push(self.expr()?);
                }
                let end = self.close_brace(start, "this list of values")?;
                Ok(Init::List(values, start.to(end)))
            }
            _ => self.expr().map(Init::Expr),
        }
    }

    fn message_field(&mut self) -> Parsed<(TypeName, Span)> {
        let (ty, span) = self.type_name()?;
        if ty == TypeName::Unsigned {
            let error = Diagnostic::error("`unsigned` cannot be the type of a message field")
                .at(span, "has no width here")
                .help("use `byte`, `short` or `int`");
            return Err(self.report(error));
        }
        Ok((ty, span))
    }

    /// `byte a, b; chan c` between the parentheses of a process type.
    pub(super) fn parameters(&mut self) -> Parsed<Vec<VarDecls>> {
        let mut params = Vec::new();
        if self.at(Tok::RParen) {
            return Ok(params);
        }
        loop {
            if !self.at_declaration() && !self.at(Tok::Ident) {
                return Err(self.expected("a parameter such as `byte x`"));
            }
            self.in_parameters = true;
            let param = self.declaration();
            self.in_parameters = false;
            let param = param?;
            if let Some(var) = param.vars.iter().find(|var| var.init.is_some()) {
                let error = Diagnostic::error(format!("parameter `{}` has an initial value", var.name.text))
                    .at(var.name.span, "gets its value from `run`")
                    .help("remove the initialiser");
                self.report(error);
            }
            params.push(param);
            match self.kind() {
                Tok::Semi => self.advance(),
                Tok::RParen => return Ok(params),
                kind if is_type(kind) || (kind == Tok::Comma && is_type(self.stream.raw(0).kind)) => {
                    let error = Diagnostic::error("parameters that name their type are separated by `;`");
                    let label = if kind == Tok::Comma { "write `;` here" } else { "a `;` is missing before this" };
                    let error = error.at(self.span(), label).help("`proctype P(byte a, b; chan c)`");
                    self.report(error);
                    self.accept(Tok::Comma);
                }
                _ => return Err(self.expected("`,`, `;` or `)`")),
            }
        }
    }

    /// `priority N`
    pub(super) fn priority(&mut self) -> Parsed<Option<Expr>> {
        if self.accept(Tok::Priority) {
            return self.constant("the priority").map(Some);
        }
        Ok(None)
    }
}
