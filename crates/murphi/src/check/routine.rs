//! Procedures, functions and calls.

use super::{Checker, Frame, Symbol, wrong};
use crate::ast::{self, ExprKind as Written};
use crate::hir::{Argument, Expr, ExprKind, Routine, Slot, SlotKind, TypeId, Types};
use tightrope_syntax::{Diagnostic, Name, Span};

impl Checker<'_> {
    pub(super) fn routine(&mut self, routine: &ast::Routine) {
        let position = self.model.routines.len() as u32;
        self.frame = Frame { routine: Some(position), ..Frame::default() };
        // Entered before it is checked: its body may call it.
        self.model.routines.push(Routine {
            name: self.text(routine.name).to_string(),
            param_count: 0,
            slots: Vec::new(),
            returns: None,
            body: Vec::new(),
            recursive: false,
            writes_globals: false,
            writes_param: Vec::new(),
            span: routine.name.span,
        });
        self.declare(routine.name, Symbol::Routine(position));
        self.scopes.push();
        for param in &routine.params {
            let ty = self.type_expr(&param.ty, None);
            let kind = if param.by_var { SlotKind::VarParam } else { SlotKind::ValueParam };
            for name in &param.names {
                self.named_slot(*name, ty, kind);
            }
        }
        let returns = routine.returns.as_ref().map(|ty| self.type_expr(ty, None));
        let param_count = self.frame.slots.len();
        self.frame.returns = returns;
        self.frame.writes_param = vec![false; param_count];
        let entered = &mut self.model.routines[position as usize];
        entered.param_count = param_count;
        entered.slots = self.frame.slots.clone();
        entered.returns = returns;
        entered.writes_param = vec![false; param_count];
        self.scopes.push();
        self.local_decls(&routine.block.decls);
        let mut body = Vec::new();
        self.statements(&routine.block.stmts, &mut body);
        self.scopes.pop();
        self.scopes.pop();
        if returns.is_some() {
            self.function_is_sound(routine.name);
        }
        let frame = std::mem::take(&mut self.frame);
        let entered = &mut self.model.routines[position as usize];
        entered.slots = frame.slots;
        entered.body = body;
        entered.recursive = frame.recursive;
        entered.writes_globals = frame.writes_globals;
        entered.writes_param = frame.writes_param;
    }

    fn function_is_sound(&mut self, name: Name) {
        let text = self.text(name).to_string();
        if !self.frame.has_return {
            let error = Diagnostic::error(format!("function `{text}` never returns a value"))
                .at(name.span, "has no `return`")
                .help("write `procedure` if it has none to return");
            self.report(error);
        }
        if self.frame.writes_globals {
            let warning = Diagnostic::warning(format!("function `{text}` changes global variables"))
                .at(name.span, "has side effects")
                .note("it cannot be used in guards and invariants");
            self.diags.push(warning);
        }
    }

    #[inline(never)]
    pub(super) fn function_call(&mut self, name: Name, args: &[Option<ast::Expr>], span: Span) -> Expr {
        let Some(callee) = self.callee(name, "function") else {
            args.iter().flatten().for_each(|arg| drop(self.expr(arg)));
            return wrong(span);
        };
        let returns = self.model.routines[callee as usize].returns;
        let args = self.arguments(callee, name, args, span);
        let Some(ty) = returns else {
            let text = self.text(name);
            let error = Diagnostic::error(format!("`{text}` is a procedure")).at(span, "it has no value");
            self.report(error);
            return wrong(span);
        };
        match args {
            Some(args) if ty != Types::ERROR => Expr { kind: ExprKind::Call(callee, args), ty, span },
            _ => wrong(span),
        }
    }

    pub(super) fn procedure_call(
        &mut self,
        name: Name,
        args: &[Option<ast::Expr>],
        span: Span,
    ) -> Option<(u32, Vec<Argument>)> {
        let Some(callee) = self.callee(name, "procedure") else {
            args.iter().flatten().for_each(|arg| drop(self.expr(arg)));
            return None;
        };
        let args = self.arguments(callee, name, args, span);
        if self.model.routines[callee as usize].returns.is_some() {
            let text = self.text(name);
            let error = Diagnostic::error(format!("`{text}` is a function"))
                .at(span, "its value is not used")
                .help("assign it to a variable");
            self.report(error);
            return None;
        }
        Some((callee, args?))
    }

    fn callee(&mut self, name: Name, what: &str) -> Option<u32> {
        match self.lookup(name, what) {
            Symbol::Routine(callee) => Some(callee),
            Symbol::Unknown => None,
            _ => {
                let message = format!("`{}` is not a {what}", self.text(name));
                let error = Diagnostic::error(message).at(name.span, "cannot be called");
                let error = match self.scopes.find(name.sym) {
                    Some((_, span)) => error.also(span, "declared here"),
                    None => error,
                };
                self.report(error);
                None
            }
        }
    }

    fn arguments(
        &mut self,
        callee: u32,
        name: Name,
        written: &[Option<ast::Expr>],
        span: Span,
    ) -> Option<Vec<Argument>> {
        let count = self.model.routines[callee as usize].param_count;
        let params: Vec<Slot> = self.model.routines[callee as usize].slots[..count].to_vec();
        if written.len() != count {
            let text = self.text(name);
            let given = format!("{} given", written.len());
            let error = Diagnostic::error(format!("`{text}` takes {count} {}", plural(count, "argument")))
                .at(span, given)
                .also(self.model.routines[callee as usize].span, "declared here");
            self.report(error);
        }
        let mut args = Vec::with_capacity(count);
        let mut fine = written.len() == count;
        for (at, arg) in written.iter().enumerate() {
            let Some(param) = params.get(at) else {
                arg.iter().for_each(|arg| drop(self.expr(arg)));
                continue;
            };
            match self.argument(callee, at, param, arg.as_ref(), span) {
                Some(arg) => args.push(arg),
                None => fine = false,
            }
        }
        self.note_call(callee, span);
        fine.then_some(args)
    }

    fn argument(
        &mut self,
        callee: u32,
        at: usize,
        param: &Slot,
        written: Option<&ast::Expr>,
        span: Span,
    ) -> Option<Argument> {
        let by_var = param.kind == SlotKind::VarParam;
        let Some(written) = written else {
            if by_var {
                let message = format!("`undefined` cannot be given to the `var` parameter `{}`", param.name);
                self.report(Diagnostic::error(message).at(span, "needs a variable").also(param.span, "declared here"));
                return None;
            }
            return Some(Argument::Undefined);
        };
        if !by_var {
            let value = self.expr(written);
            let what = format!("the argument for `{}`", param.name);
            return self.fits(&value, param.ty, &what, Some(param.span)).then_some(Argument::Value(value));
        }
        if !matches!(written.kind, Written::Name(_) | Written::Field(..) | Written::Index(_)) {
            self.expr(written);
            let error = Diagnostic::error(format!("the `var` parameter `{}` needs a variable", param.name))
                .at(written.span, "this is a value")
                .also(param.span, "declared here");
            self.report(error);
            return None;
        }
        let place = self.place(written, "the argument for a `var` parameter")?;
        if !self.require_assignable(&place, "the argument for a `var` parameter") {
            return None;
        }
        if !self.types().alike(place.ty, param.ty) {
            let error = Diagnostic::error("a `var` parameter needs a variable of its own type")
                .at(written.span, format!("this is {}", self.describe(place.ty)))
                .also(param.span, format!("this is {}", self.describe(param.ty)));
            self.report(error);
            return None;
        }
        // Of a routine that calls itself, nothing is known yet.
        let recursive = self.frame.routine == Some(callee);
        if recursive || self.model.routines[callee as usize].writes_param[at] {
            self.refuse_side_effect(span);
            self.note_write(&place);
        }
        Some(Argument::Var(place))
    }

    /// Notes that the routine being checked does what another does.
    fn note_call(&mut self, callee: u32, span: Span) {
        if self.frame.routine == Some(callee) {
            self.frame.recursive = true;
        } else if self.model.routines[callee as usize].writes_globals {
            self.refuse_side_effect(span);
            self.frame.writes_globals = true;
        }
    }

    fn refuse_side_effect(&mut self, span: Span) {
        if let Some(what) = self.frame.pure {
            let error = Diagnostic::error(format!("{what} must not change the state"))
                .at(span, "this call changes variables")
                .help("split the function in two: one that looks, one that changes");
            self.report(error);
        }
    }

    /// Whether a value can be stored in something of a type; reports if not. `declared` is where that is declared.
    pub(super) fn fits(&mut self, value: &Expr, ty: TypeId, what: &str, declared: Option<Span>) -> bool {
        if value.ty == Types::ERROR || ty == Types::ERROR {
            return false;
        }
        let types = self.types();
        if !types.compatible(ty, value.ty) {
            let label = format!("expected {}, found {}", self.describe(ty), self.describe(value.ty));
            let error = Diagnostic::error(format!("{what} has the wrong type")).at(value.span, label);
            self.report(match declared {
                Some(span) => error.also(span, "declared here"),
                None => error,
            });
            return false;
        }
        if !types.is_simple(ty) && ty != value.ty {
            let warning = Diagnostic::warning("the types are alike, but declared separately")
                .at(
                    value.span,
                    format!("this is {}, from another declaration than the target", self.describe(value.ty)),
                )
                .note("CMurphi refuses this")
                .help("give the type a name, and use that for both");
            self.diags.push(warning);
        }
        self.warn_if_outside(value, ty, "the value", "is out of range", "the values are");
        true
    }
}

fn plural(count: usize, what: &str) -> String {
    if count == 1 { what.to_string() } else { format!("{what}s") }
}
