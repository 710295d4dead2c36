//! Statements.

use super::{Checker, wrong};
use crate::ast::{self, StmtKind as Written};
use crate::hir::{Domain, Expr, ExprKind, Stmt, StmtKind, Switch, TypeKind, Types};
use rustc_hash::FxHashMap;
use tightrope_syntax::{Diagnostic, Span};

impl Checker<'_> {
    pub(super) fn statements(&mut self, list: &[ast::Stmt], out: &mut Vec<Stmt>) {
        for statement in list {
            self.statement(statement, out);
        }
    }

    fn statement(&mut self, statement: &ast::Stmt, out: &mut Vec<Stmt>) {
        let span = statement.span;
        let kind = match &statement.kind {
            Written::If(clauses, otherwise) => self.if_statement(clauses, otherwise),
            Written::Switch(switch) => self.switch(switch),
            Written::For(quantifiers, body) => self.for_statement(quantifiers, body, span),
            Written::While(condition, body) => {
                let condition = self.condition(condition, "the condition of `while`");
                StmtKind::While(Box::new(condition), self.block(body))
            }
            Written::Alias(aliases, body) => {
                self.scopes.push();
                let mut lets = Vec::new();
                for (name, value) in aliases {
                    self.alias(*name, value, &mut lets);
                    out.extend(lets.drain(..).map(|(slot, value)| {
                        let span = value.span;
                        Stmt { kind: StmtKind::Let(slot, Box::new(value)), span }
                    }));
                }
                self.statements(body, out);
                self.scopes.pop();
                return;
            }
            _ => match self.simple_statement(statement) {
                Some(kind) => kind,
                None => return,
            },
        };
        out.push(Stmt { kind, span });
    }

    fn block(&mut self, list: &[ast::Stmt]) -> Vec<Stmt> {
        let mut out = Vec::with_capacity(list.len());
        self.statements(list, &mut out);
        out
    }

    /// A statement that contains no others. Nothing if something is wrong with it.
    #[inline(never)]
    fn simple_statement(&mut self, statement: &ast::Stmt) -> Option<StmtKind> {
        Some(match &statement.kind {
            Written::Assign(parts) => return self.assign(&parts.0, parts.1.as_ref()),
            Written::Call(name, args) => {
                let (callee, args) = self.procedure_call(*name, args, statement.span)?;
                StmtKind::Call(callee, args)
            }
            Written::Clear(what) => {
                let place = self.target(what, "what is cleared")?;
                if self.types().holds_scalarset(place.ty) {
                    let error = Diagnostic::error("a scalarset has no least value to clear a variable to")
                        .at(what.span, "contains a scalarset")
                        .help("`undefine` it instead");
                    self.report(error);
                    return None;
                }
                StmtKind::Clear(Box::new(place))
            }
            Written::Undefine(what) => StmtKind::Undefine(Box::new(self.target(what, "what is undefined")?)),
            Written::MultisetAdd(parts) => {
                let value = self.expr(&parts.0);
                let multiset = self.changed_multiset(&parts.1)?;
                let TypeKind::Multiset { element, .. } = *self.types().kind(multiset.ty) else {
                    return None;
                };
                if !self.fits(&value, element, "the element", None) {
                    return None;
                }
                StmtKind::MultisetAdd(Box::new(value), Box::new(multiset))
            }
            Written::MultisetRemove(parts) => {
                let index = self.expr(&parts.0);
                let multiset = self.changed_multiset(&parts.1)?;
                let fits = match self.types().kind(index.ty) {
                    TypeKind::Element(of) => self.types().alike(*of, multiset.ty),
                    TypeKind::Error => return None,
                    _ => false,
                };
                if !fits {
                    let error = Diagnostic::error("`multisetremove` needs a place of this multiset")
                        .at(parts.0.span, format!("this is {}", self.describe(index.ty)))
                        .help(
                            "a place is the variable of a `choose`; to remove by condition, use `multisetremovepred`",
                        );
                    self.report(error);
                    return None;
                }
                StmtKind::MultisetRemove(Box::new(index), Box::new(multiset))
            }
            Written::MultisetRemovePred(parts) => {
                self.scopes.push();
                let selected = self.selection(&parts.0);
                let condition = self.condition(&parts.1, "the condition of `multisetremovepred`");
                self.scopes.pop();
                let (slot, place) = selected?;
                if !self.require_assignable(&place, "the multiset") {
                    return None;
                }
                self.note_write(&place);
                StmtKind::MultisetRemoveAll(slot, Box::new(place), Box::new(condition))
            }
            Written::Error(text) => StmtKind::Error(text.clone()),
            Written::Assert(condition, text) => {
                let condition = self.condition(condition, "what is asserted");
                StmtKind::Assert(Box::new(condition), text.clone())
            }
            Written::PutText(text) => StmtKind::PutText(text.clone()),
            Written::Put(value) => StmtKind::Put(Box::new(self.expr(value))),
            Written::Return(value) => self.return_statement(value.as_deref(), statement.span)?,
            Written::If(..) | Written::Switch(_) | Written::For(..) | Written::While(..) | Written::Alias(..) => {
                return None;
            }
        })
    }

    fn changed_multiset(&mut self, expr: &ast::Expr) -> Option<crate::hir::Place> {
        let place = self.multiset(expr)?;
        if !self.require_assignable(&place, "the multiset") {
            return None;
        }
        self.note_write(&place);
        Some(place)
    }

    fn assign(&mut self, target: &ast::Expr, value: Option<&ast::Expr>) -> Option<StmtKind> {
        let place = self.target(target, "the target of an assignment");
        let Some(value) = value else {
            return Some(StmtKind::Undefine(Box::new(place?)));
        };
        let value = self.expr(value);
        let place = place?;
        if !self.fits(&value, place.ty, "the value", None) {
            return None;
        }
        Some(StmtKind::Assign(Box::new(place), Box::new(value)))
    }

    fn return_statement(&mut self, value: Option<&ast::Expr>, span: Span) -> Option<StmtKind> {
        let value = value.map(|value| self.expr(value));
        let is_function = self.frame.returns.is_some();
        self.frame.has_return |= is_function;
        match (self.frame.returns, value) {
            (None, None) => Some(StmtKind::Return(None)),
            (None, Some(value)) => {
                let what = if self.frame.routine.is_some() { "a procedure" } else { "a rule" };
                self.error(value.span, format!("{what} returns no value"), "nobody would get this");
                None
            }
            (Some(_), None) => {
                self.error(span, "a function returns a value", "the value is missing");
                None
            }
            (Some(ty), Some(value)) => {
                let fits = self.fits(&value, ty, "the value", None);
                fits.then(|| StmtKind::Return(Some(Box::new(value))))
            }
        }
    }

    #[inline(never)]
    fn if_statement(&mut self, clauses: &[(ast::Expr, Vec<ast::Stmt>)], otherwise: &[ast::Stmt]) -> StmtKind {
        let clauses = clauses
            .iter()
            .map(|(condition, body)| (self.condition(condition, "the condition of `if`"), self.block(body)))
            .collect();
        StmtKind::If(clauses, self.block(otherwise))
    }

    #[inline(never)]
    fn switch(&mut self, switch: &ast::Switch) -> StmtKind {
        let value = self.switched(&switch.value);
        let mut cases = Vec::with_capacity(switch.cases.len());
        let mut seen: FxHashMap<i32, Span> = FxHashMap::default();
        for (written, body) in &switch.cases {
            let mut values = Vec::with_capacity(written.len());
            for written in written {
                values.extend(self.case(written, &value, &mut seen));
            }
            cases.push((values, self.block(body)));
        }
        let otherwise = self.block(&switch.otherwise);
        StmtKind::Switch(Box::new(Switch { value, cases, otherwise }))
    }

    #[inline(never)]
    fn switched(&mut self, value: &ast::Expr) -> Expr {
        let value = self.expr(value);
        if self.types().is_simple(value.ty) {
            return value;
        }
        let label = format!("this is {}", self.describe(value.ty));
        self.error(value.span, "`switch` needs a simple value", label);
        wrong(value.span)
    }

    #[inline(never)]
    fn case(&mut self, written: &ast::Expr, switched: &Expr, seen: &mut FxHashMap<i32, Span>) -> Option<i32> {
        let expr = self.expr(written);
        if expr.ty == Types::ERROR || switched.ty == Types::ERROR {
            return None;
        }
        let ExprKind::Const(value) = expr.kind else {
            self.error(expr.span, "a case must be constant", "depends on the state or on a parameter");
            return None;
        };
        if !self.types().compatible(switched.ty, expr.ty) {
            let label = format!("expected {}, found {}", self.describe(switched.ty), self.describe(expr.ty));
            let error = Diagnostic::error("a case has the wrong type")
                .at(expr.span, label)
                .also(switched.span, "compared with this");
            self.report(error);
            return None;
        }
        if let Some(before) = seen.insert(value, expr.span) {
            let error =
                Diagnostic::error("two cases have the same value").at(expr.span, "again").also(before, "here before");
            self.report(error);
            return None;
        }
        Some(value)
    }

    #[inline(never)]
    fn for_statement(&mut self, list: &[ast::Quantifier], body: &[ast::Stmt], span: Span) -> StmtKind {
        self.scopes.push();
        let bound: Vec<(u32, Domain)> = list.iter().map(|quantifier| self.quantifier(quantifier)).collect();
        let mut body = self.block(body);
        self.scopes.pop();
        for ((slot, domain), quantifier) in bound.iter().zip(list) {
            if self.is_over_scalarset(domain)
                && let Some((culprit, why)) = self.order_matters(*slot, &body)
            {
                self.scalarset_loops.push((quantifier.name.span, culprit, why));
                break;
            }
        }
        let mut kind = None;
        for (slot, domain) in bound.into_iter().rev() {
            if let Some(inner) = kind.take() {
                body = vec![Stmt { kind: inner, span }];
            }
            kind = Some(StmtKind::For(slot, Box::new(domain), std::mem::take(&mut body)));
        }
        kind.unwrap_or(StmtKind::If(Vec::new(), body))
    }
}
