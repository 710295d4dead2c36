//! Expressions.

use super::place::Denoted;
use super::{Checker, constant, wrong};
use crate::ast::{self, ExprKind as Written, Prefix};
use crate::hir::{Binary, Expr, ExprKind, Quantifier, SlotKind, TypeId, TypeKind, Types, Unary};
use tightrope_syntax::{Diagnostic, Span};

impl Checker<'_> {
    /// An expression of any type.
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Expr {
        match &expr.kind {
            Written::Number(value) => constant(*value, Types::INT, expr.span),
            Written::Name(_) | Written::Field(..) | Written::Index(_) => self.load(expr),
            Written::Unary(op, operand) => {
                let operand = self.expr(operand);
                self.unary(*op, operand, expr.span)
            }
            Written::Binary(op, operands) => {
                let left = self.expr(&operands.0);
                let right = self.expr(&operands.1);
                self.binary(*op, left, right, expr.span)
            }
            Written::Cond(parts) => {
                let condition = self.condition(&parts.0, "the condition of `? :`");
                let yes = self.expr(&parts.1);
                let no = self.expr(&parts.2);
                self.conditional(condition, yes, no, expr.span)
            }
            Written::Call(name, args) => self.function_call(*name, args, expr.span),
            Written::Quantified(all, quantifiers, body) => self.quantified(*all, quantifiers, body, expr.span),
            Written::IsUndefined(what) => self.is_undefined(what, expr.span),
            Written::IsMember(parts) => self.is_member(&parts.0, &parts.1, expr.span),
            Written::MultisetCount(parts) => self.multiset_count(&parts.0, &parts.1, expr.span),
        }
    }

    /// An expression that must be boolean.
    pub(super) fn condition(&mut self, expr: &ast::Expr, what: &str) -> Expr {
        let expr = self.expr(expr);
        self.expect_boolean(&expr, what);
        expr
    }

    pub(super) fn expect_boolean(&mut self, expr: &Expr, what: &str) -> bool {
        if expr.ty == Types::BOOL || expr.ty == Types::ERROR {
            return true;
        }
        let label = format!("this is {}", self.describe(expr.ty));
        self.error(expr.span, format!("{what} must be boolean"), label);
        false
    }

    pub(super) fn expect_integer(&mut self, expr: &Expr, what: &str) -> bool {
        if expr.ty == Types::ERROR || self.types().is_integer(expr.ty) {
            return true;
        }
        let mut error = Diagnostic::error(format!("{what} must be an integer"))
            .at(expr.span, format!("this is {}", self.describe(expr.ty)));
        match self.types().kind(expr.ty) {
            TypeKind::Scalarset { .. } | TypeKind::Union(_) => {
                error =
                    error.note("the values of a scalarset are all alike: they can only be compared by `=` and `!=`");
            }
            TypeKind::Enum { .. } => error = error.note("the values of an enum have no order and are no numbers"),
            _ => {}
        }
        self.report(error);
        false
    }

    #[inline(never)]
    fn unary(&mut self, op: Prefix, operand: Expr, span: Span) -> Expr {
        let (fine, ty) = match op {
            Prefix::Not => (self.expect_boolean(&operand, "the operand of `!`"), Types::BOOL),
            Prefix::Plus | Prefix::Minus => (self.expect_integer(&operand, "the operand of a sign"), Types::INT),
        };
        if !fine || operand.ty == Types::ERROR {
            return wrong(span);
        }
        if let Some(value) = operand.as_const() {
            let value = match op {
                Prefix::Not => Ok(i32::from(value == 0)),
                Prefix::Plus => Ok(value),
                Prefix::Minus => Binary::Sub.apply(0, value),
            };
            return self.fold(value, ty, span);
        }
        let op = match op {
            Prefix::Not => Unary::Not,
            Prefix::Minus => Unary::Neg,
            Prefix::Plus => return Expr { span, ..operand },
        };
        Expr { kind: ExprKind::Unary(op, Box::new(operand)), ty, span }
    }

    fn fold(&mut self, value: Result<i32, &'static str>, ty: TypeId, span: Span) -> Expr {
        match value {
            Ok(value) => constant(value, ty, span),
            Err(why) => {
                self.error(span, "this constant has no value", why);
                wrong(span)
            }
        }
    }

    #[inline(never)]
    fn binary(&mut self, op: Binary, left: Expr, right: Expr, span: Span) -> Expr {
        let what = format!("an operand of `{}`", op.spelled());
        let ty = match op {
            Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Mod => Types::INT,
            _ => Types::BOOL,
        };
        let fine = match op {
            Binary::Implies | Binary::Or | Binary::And => {
                self.expect_boolean(&left, &what) && self.expect_boolean(&right, &what)
            }
            Binary::Eq | Binary::Ne => self.comparable(&left, &right, span),
            _ => self.expect_integer(&left, &what) && self.expect_integer(&right, &what),
        };
        if !fine || left.ty == Types::ERROR || right.ty == Types::ERROR {
            return wrong(span);
        }
        if let (Some(a), Some(b)) = (left.as_const(), right.as_const()) {
            return self.fold(op.apply(a, b), ty, span);
        }
        Expr { kind: ExprKind::Binary(op, Box::new((left, right))), ty, span }
    }

    /// Whether two values can be compared by `=`.
    fn comparable(&mut self, left: &Expr, right: &Expr, span: Span) -> bool {
        let types = self.types();
        if !types.compatible(left.ty, right.ty) {
            let error = Diagnostic::error("values of different types are never equal")
                .at(span, "compared here")
                .also(left.span, format!("this is {}", self.describe(left.ty)))
                .also(right.span, format!("this is {}", self.describe(right.ty)));
            self.report(error);
            return false;
        }
        if !types.is_simple(left.ty) {
            let error = Diagnostic::error("only simple values can be compared")
                .at(span, format!("both are {}", self.describe(left.ty)))
                .help("compare the fields, or the elements with `forall`");
            self.report(error);
            return false;
        }
        true
    }

    #[inline(never)]
    fn conditional(&mut self, condition: Expr, yes: Expr, no: Expr, span: Span) -> Expr {
        let types = self.types();
        if !types.compatible(yes.ty, no.ty) {
            let error = Diagnostic::error("the values of `? :` have different types")
                .at(span, "its type would depend on the condition")
                .also(yes.span, format!("this is {}", self.describe(yes.ty)))
                .also(no.span, format!("this is {}", self.describe(no.ty)));
            self.report(error);
            return wrong(span);
        }
        if [&condition, &yes, &no].iter().any(|part| part.ty == Types::ERROR) {
            return wrong(span);
        }
        let ty = match (types.kind(yes.ty), types.kind(no.ty)) {
            _ if yes.ty == no.ty => yes.ty,
            (TypeKind::Int | TypeKind::Range { .. }, _) => Types::INT,
            (_, TypeKind::Union(_)) => no.ty,
            _ => yes.ty,
        };
        if let (Some(condition), Some(a), Some(b)) = (condition.as_const(), yes.as_const(), no.as_const()) {
            return constant(if condition != 0 { a } else { b }, ty, span);
        }
        Expr { kind: ExprKind::Cond(Box::new((condition, yes, no))), ty, span }
    }

    #[inline(never)]
    fn quantified(&mut self, all: bool, list: &[ast::Quantifier], body: &ast::Expr, span: Span) -> Expr {
        self.scopes.push();
        let bound: Vec<_> = list.iter().map(|quantifier| self.quantifier(quantifier)).collect();
        let mut expr = self.condition(body, "what is quantified");
        self.scopes.pop();
        if expr.ty != Types::BOOL {
            return wrong(span);
        }
        let quantifier = if all { Quantifier::All } else { Quantifier::Exists };
        for (slot, domain) in bound.into_iter().rev() {
            expr =
                Expr { kind: ExprKind::Quantified(quantifier, slot, Box::new((domain, expr))), ty: Types::BOOL, span };
        }
        expr
    }

    #[inline(never)]
    fn is_undefined(&mut self, what: &ast::Expr, span: Span) -> Expr {
        match self.denoted(what) {
            Denoted::Const(..) => constant(0, Types::BOOL, span),
            Denoted::Place(place) if self.types().is_simple(place.ty) => {
                Expr { kind: ExprKind::IsUndefined(Box::new(place)), ty: Types::BOOL, span }
            }
            Denoted::Place(place) => {
                let label = format!("this is {}", self.describe(place.ty));
                self.error(what.span, "`isundefined` needs a simple variable", label);
                wrong(span)
            }
            Denoted::Wrong => wrong(span),
        }
    }

    #[inline(never)]
    fn is_member(&mut self, what: &ast::Expr, ty: &ast::TypeExpr, span: Span) -> Expr {
        let value = self.load(what);
        let member = self.type_expr(ty, None);
        if value.ty == Types::ERROR || member == Types::ERROR {
            return wrong(span);
        }
        if !matches!(self.types().kind(member), TypeKind::Enum { .. } | TypeKind::Scalarset { .. } | TypeKind::Bool) {
            let label = format!("{} is neither", self.describe(member));
            self.error(ty.span, "the type in `ismember` must be an enum or a scalarset", label);
            return wrong(span);
        }
        if !self.types().is_simple(value.ty) {
            let label = format!("this is {}", self.describe(value.ty));
            self.error(what.span, "`ismember` needs a simple variable", label);
            return wrong(span);
        }
        if !self.types().compatible(value.ty, member) {
            let warning = Diagnostic::warning("this is never true").at(
                span,
                format!("a value of type {} is never one of {}", self.describe(value.ty), self.describe(member)),
            );
            self.diags.push(warning);
            return constant(0, Types::BOOL, span);
        }
        if let Some(value) = value.as_const() {
            return constant(i32::from(self.types().contains(member, value)), Types::BOOL, span);
        }
        Expr { kind: ExprKind::IsMember(Box::new(value), member), ty: Types::BOOL, span }
    }

    #[inline(never)]
    fn multiset_count(&mut self, over: &ast::Selection, condition: &ast::Expr, span: Span) -> Expr {
        self.scopes.push();
        let selected = self.selection(over);
        let condition = self.condition(condition, "the condition of `multisetcount`");
        self.scopes.pop();
        match selected {
            Some((slot, place)) if condition.ty == Types::BOOL => {
                let kind = ExprKind::MultisetCount(slot, Box::new((place, condition)));
                Expr { kind, ty: Types::INT, span }
            }
            _ => wrong(span),
        }
    }

    /// A multiset, and a slot for a place of it. The slot is declared even after an error, to avoid follow-on errors.
    pub(super) fn selection(&mut self, over: &ast::Selection) -> Option<(u32, crate::hir::Place)> {
        let place = self.multiset(&over.multiset);
        let ty = match &place {
            Some(place) => self.model.types.add(TypeKind::Element(place.ty), over.name.span),
            None => Types::ERROR,
        };
        self.warn_if_hiding(over.name);
        let slot = self.named_slot(over.name, ty, SlotKind::Element);
        Some((slot, place?))
    }
}
