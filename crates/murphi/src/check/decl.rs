//! Declarations and types.

use super::{Checker, Symbol};
use crate::ast::{self, Decl, TypeExprKind};
use crate::hir::{Constant, Expr, Field, Global, SlotKind, TypeId, TypeKind, Types};
use tightrope_syntax::{Diagnostic, Name, Span};

/// How many bits a variable may take: 512 MiB.
const MAX_BITS: u64 = 1 << 32;

/// How many types may be below each other in one.
const MAX_DEPTH: u32 = 100;

impl Checker<'_> {
    /// A declaration, at the top or, if a routine or a rule is being checked, local to it.
    pub(super) fn decl(&mut self, decl: &Decl) {
        self.any_decl(decl, false);
    }

    pub(super) fn local_decls(&mut self, decls: &[Decl]) {
        decls.iter().for_each(|decl| self.any_decl(decl, true));
    }

    fn any_decl(&mut self, decl: &Decl, local: bool) {
        match decl {
            Decl::Const(names, value) => self.constants(names, value, local),
            Decl::Type(names, ty) => {
                let ty = self.type_expr(ty, Some(names));
                for name in names {
                    let text = self.names.text(name.sym);
                    self.model.types.name(ty, text);
                    self.declare(*name, Symbol::Type(ty));
                }
            }
            Decl::Var(names, ty) => {
                let ty = self.type_expr(ty, None);
                for name in names {
                    if local {
                        self.named_slot(*name, ty, SlotKind::Local);
                        continue;
                    }
                    let position = self.model.globals.len() as u32;
                    let text = self.text(*name).to_string();
                    self.model.globals.push(Global { name: text, ty, span: name.span });
                    self.declare(*name, Symbol::Global(position));
                    if self.model.state_bits() > MAX_BITS {
                        self.error(name.span, "the state is too large", "with this, it has more than 512 MiB");
                        return;
                    }
                }
            }
        }
    }

    fn constants(&mut self, names: &[Name], value: &ast::Expr, local: bool) {
        let expr = self.expr(value);
        let value = match expr.as_const() {
            Some(value) => value,
            None => {
                self.not_constant(&expr, "a constant's value");
                0
            }
        };
        let ty = if expr.as_const().is_some() { expr.ty } else { Types::ERROR };
        for name in names {
            self.declare(*name, Symbol::Const(ty, value));
            if !local {
                let text = self.text(*name).to_string();
                self.model.constants.push(Constant { name: text, ty, value, span: name.span });
            }
        }
    }

    /// The value of an expression that must be a constant integer.
    pub(super) fn constant_integer(&mut self, expr: &ast::Expr, what: &str) -> Option<i32> {
        let expr = self.expr(expr);
        self.as_constant_integer(&expr, what)
    }

    pub(super) fn as_constant_integer(&mut self, expr: &Expr, what: &str) -> Option<i32> {
        if expr.ty == Types::ERROR || !self.expect_integer(expr, what) {
            return None;
        }
        let value = expr.as_const();
        if value.is_none() {
            self.not_constant(expr, what);
        }
        value
    }

    fn not_constant(&mut self, expr: &Expr, what: &str) {
        if expr.ty != Types::ERROR {
            self.error(expr.span, format!("{what} must be constant"), "depends on the state or on a parameter");
        }
    }

    /// A type. One that is about to get a name is new, one without is shared with those like it.
    pub(super) fn type_expr(&mut self, ty: &ast::TypeExpr, names: Option<&[Name]>) -> TypeId {
        let kind = match &ty.kind {
            TypeExprKind::Name(name) => return self.named_type(*name),
            TypeExprKind::Enum(values) => return self.enumeration(values, ty.span),
            TypeExprKind::Range(bounds) => {
                let lo = self.constant_integer(&bounds.0, "the start of a range");
                let hi = self.constant_integer(&bounds.1, "the end of a range");
                let (Some(lo), Some(hi)) = (lo, hi) else {
                    return Types::ERROR;
                };
                if !self.range_is_fine(lo, hi, ty.span) {
                    return Types::ERROR;
                }
                TypeKind::Range { lo, hi }
            }
            TypeExprKind::Record(fields) => self.record(fields),
            TypeExprKind::Array(parts) => {
                let index = self.type_expr(&parts.0, None);
                let element = self.type_expr(&parts.1, None);
                if !self.types().is_simple(index) {
                    let message = "an array cannot be indexed by values of this type";
                    self.error(parts.0.span, message, format!("{} is not simple", self.describe(index)));
                    return Types::ERROR;
                }
                if index == Types::ERROR || element == Types::ERROR {
                    return Types::ERROR;
                }
                TypeKind::Array { index, element }
            }
            TypeExprKind::Scalarset(size) => return self.scalarset(size, ty.span, names.is_some()),
            TypeExprKind::Union(members) => match self.union(members) {
                Some(members) => TypeKind::Union(members),
                None => return Types::ERROR,
            },
            TypeExprKind::Multiset(parts) => {
                let size = self.constant_integer(&parts.0, "the size of a multiset");
                let element = self.type_expr(&parts.1, None);
                let Some(size) = size.filter(|_| element != Types::ERROR) else {
                    return Types::ERROR;
                };
                if size < 1 {
                    self.error(parts.0.span, "a multiset must have room for an element", format!("this is {size}"));
                    return Types::ERROR;
                }
                TypeKind::Multiset { size, element }
            }
        };
        let id =
            if names.is_some() { self.model.types.add_new(kind, ty.span) } else { self.model.types.add(kind, ty.span) };
        if self.types().bits(id) > MAX_BITS {
            self.error(ty.span, "this type is too large", "a variable of this type has more than 512 MiB");
            return Types::ERROR;
        }
        if self.types().get(id).depth > MAX_DEPTH {
            let message = format!("types are nested more than {MAX_DEPTH} levels deep");
            self.error(ty.span, message, "this goes too deep");
            return Types::ERROR;
        }
        id
    }

    fn named_type(&mut self, name: Name) -> TypeId {
        match self.lookup(name, "type") {
            Symbol::Type(ty) => ty,
            Symbol::Unknown => Types::ERROR,
            _ => {
                let message = format!("`{}` is not a type", self.text(name));
                let declared = self.scopes.find(name.sym).map(|(_, span)| span);
                let error = Diagnostic::error(message).at(name.span, "expected a type");
                self.report(match declared {
                    Some(span) => error.also(span, "declared here"),
                    None => error,
                });
                Types::ERROR
            }
        }
    }

    fn range_is_fine(&mut self, lo: i32, hi: i32, span: Span) -> bool {
        if hi < lo {
            self.error(span, "this range is empty", format!("it ends at {hi}, before it starts at {lo}"));
            return false;
        }
        if i64::from(hi) - i64::from(lo) + 2 > i64::from(i32::MAX) {
            self.error(span, "this range is too large", "a range has fewer than 2³¹ values");
            return false;
        }
        true
    }

    /// Numbers for new values, if there are that many.
    fn values(&mut self, count: i64, span: Span) -> Option<i32> {
        let first = self.next_value;
        match i32::try_from(i64::from(first) + count) {
            Ok(next) if next < i32::MAX / 2 => {
                self.next_value = next;
                Some(first)
            }
            _ => {
                self.error(span, "the enums and scalarsets have too many values", "a billion is too many");
                None
            }
        }
    }

    fn enumeration(&mut self, values: &[Name], span: Span) -> TypeId {
        let Some(first) = self.values(values.len() as i64, span) else {
            return Types::ERROR;
        };
        let texts = values.iter().map(|name| self.text(*name).to_string()).collect();
        let id = self.model.types.add(TypeKind::Enum { values: texts, first }, span);
        for (value, name) in (first..).zip(values) {
            self.declare(*name, Symbol::Const(id, value));
        }
        id
    }

    fn scalarset(&mut self, size: &ast::Expr, span: Span, named: bool) -> TypeId {
        let Some(count) = self.constant_integer(size, "the size of a scalarset") else {
            return Types::ERROR;
        };
        if count < 1 {
            self.error(size.span, "a scalarset must have a value", format!("this is {count}"));
            return Types::ERROR;
        }
        let Some(first) = self.values(i64::from(count), span) else {
            return Types::ERROR;
        };
        if !named {
            let warning = Diagnostic::warning("a scalarset without a name is of little use")
                .at(span, "no other variable can hold its values")
                .help("declare it in a `type` section");
            self.diags.push(warning);
        }
        self.model.types.add(TypeKind::Scalarset { size: count, first }, span)
    }

    fn record(&mut self, groups: &[(Vec<Name>, ast::TypeExpr)]) -> TypeKind {
        let mut fields: Vec<(Field, Span)> = Vec::new();
        let mut seen = rustc_hash::FxHashMap::default();
        for (names, ty) in groups {
            let ty = self.type_expr(ty, None);
            for name in names {
                let text = self.text(*name).to_string();
                if let Some(before) = seen.insert(name.sym, name.span) {
                    let error = Diagnostic::error(format!("the field `{text}` is declared twice"))
                        .at(name.span, "declared again here")
                        .also(before, "declared here before");
                    self.report(error);
                }
                fields.push((Field { name: text, ty }, name.span));
            }
        }
        TypeKind::Record(fields.into_iter().map(|(field, _)| field).collect())
    }

    fn union(&mut self, parts: &[ast::TypeExpr]) -> Option<Vec<TypeId>> {
        let mut members: Vec<TypeId> = Vec::new();
        let mut fine = true;
        for part in parts {
            let ty = self.type_expr(part, None);
            if ty == Types::ERROR {
                fine = false;
            } else if members.contains(&ty) {
                let message = format!("{} is in this union twice", self.describe(ty));
                self.error(part.span, message, "here for the second time");
                fine = false;
            } else if !matches!(
                self.types().kind(ty),
                TypeKind::Enum { .. } | TypeKind::Scalarset { .. } | TypeKind::Bool
            ) {
                let message = "a union consists of enums and scalarsets";
                self.error(part.span, message, format!("{} is neither", self.describe(ty)));
                fine = false;
            } else {
                members.push(ty);
            }
        }
        fine.then_some(members)
    }
}
