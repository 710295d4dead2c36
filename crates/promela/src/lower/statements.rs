//! Statements as actions.

use super::control_flow::{Basic, LoopBound, LoopValue};
use super::messages::ReceiveMode;
use super::scope::Storage;
use super::types::{ValueKind, VarType};
use super::{Lower, shortened};
use crate::ast::{self, ExprKind, StmtKind, VarRef};
use std::sync::Arc;
use tightrope_ir::{Action, Base, Binary, Expr, Pattern, Print, Receive, Send, Type, Variable};
use tightrope_syntax::{Diagnostic, Span};

impl Lower<'_> {
    /// The action of a statement.
    pub(super) fn basic(&mut self, basic: &Basic<'_>, owner: usize, scope: Option<u32>, span: Span) -> Option<Action> {
        let process = Some(owner);
        let plus_one = |variable: &Variable| {
            Expr::Binary(Binary::Add, Box::new(Expr::Load(Box::new(variable.clone()))), Box::new(Expr::Const(1)))
        };
        let counter =
            |offset: u32| Variable { base: Base::Own, offset, indices: Vec::new(), ty: Type::INT, declared: u32::MAX };
        Some(match basic {
            Basic::Stmt(kind, _) => return self.statement(kind, owner, scope, span),
            Basic::End => Action::End,
            Basic::Otherwise => Action::Else,
            Basic::Declare(var) => return self.declared_value(var, owner, scope),
            Basic::Set(var, to) => {
                let (variable, _) = self.variable(var, process, scope)?;
                let value = match to {
                    LoopValue::Bound(bound) => self.expr(&bound.value, process, scope)?,
                    LoopValue::Const(value) => Expr::Const(*value),
                    LoopValue::OneMore => plus_one(&variable),
                };
                Action::Assign(Box::new(variable), value)
            }
            Basic::Below(var, limit) => {
                let (variable, _) = self.variable(var, process, scope)?;
                let (op, limit) = match limit {
                    LoopBound::AtMost(bound) => (Binary::Le, self.expr(&bound.value, process, scope)?),
                    LoopBound::Under(bound) => (Binary::Lt, self.expr(&bound.value, process, scope)?),
                    LoopBound::AtMostConst(value) => (Binary::Le, Expr::Const(*value)),
                };
                Action::Test(Expr::Binary(op, Box::new(Expr::Load(Box::new(variable))), Box::new(limit)))
            }
            Basic::CountStart(offset) => Action::Assign(Box::new(counter(*offset)), Expr::Const(0)),
            Basic::CountUp(offset) => {
                let counter = counter(*offset);
                let value = plus_one(&counter);
                Action::Assign(Box::new(counter), value)
            }
            Basic::CountBelow(offset, chan) => {
                let (chan, _) = self.chan(chan, process, scope)?;
                let count = Expr::Load(Box::new(counter(*offset)));
                Action::Test(Expr::Binary(Binary::Lt, Box::new(count), Box::new(Expr::Length(chan))))
            }
            Basic::Take(chan, var) => {
                let (chan, ty) = self.chan(chan, process, scope)?;
                let scalars = self.scalars_of(var, owner, scope)?;
                self.check_arity(ty, scalars.len(), "received", span)?;
                let patterns = scalars.into_iter().map(Pattern::Bind).collect();
                Action::Receive(Box::new(Receive { chan, anywhere: false, keep: false, patterns }))
            }
            Basic::PutBack(chan, var) => {
                let (chan, ty) = self.chan(chan, process, scope)?;
                let scalars = self.scalars_of(var, owner, scope)?;
                self.check_arity(ty, scalars.len(), "sent", span)?;
                let args = scalars.into_iter().map(|scalar| Expr::Load(Box::new(scalar))).collect();
                Action::Send(Box::new(Send { chan, sorted: false, args }))
            }
        })
    }

    /// A declaration in mid-body sets its variable: of an array the first element only, of a structure nothing.
    fn declared_value(&mut self, var: &ast::VarDecl, owner: usize, scope: Option<u32>) -> Option<Action> {
        let (decl, _) = self.lookup(&var.name.text, Some(owner), scope)?;
        let Storage::Offset(offset) = decl.storage else { return Some(Action::Skip) };
        let VarType::Scalar(ty, _) = decl.ty else { return Some(Action::Skip) };
        let value = match &var.init {
            None => Expr::Const(0),
            Some(ast::Init::Expr(expr)) => self.expr(expr, Some(owner), scope)?,
            Some(ast::Init::List(_, span)) => {
                let message = "a declaration in the middle of a body cannot have a list of values";
                let help = "declare the array at the start of the proctype";
                self.report(Diagnostic::error(message).at(*span, "not possible here").help(help));
                return None;
            }
            Some(ast::Init::Chan(_)) => return Some(Action::Skip),
        };
        let variable = Variable { base: Base::Own, offset, indices: Vec::new(), ty, declared: decl.declared };
        Some(Action::Assign(Box::new(variable), value))
    }

    fn statement(&mut self, kind: &StmtKind, owner: usize, scope: Option<u32>, span: Span) -> Option<Action> {
        let process = Some(owner);
        Some(match kind {
            StmtKind::Expr(expr) => match &expr.kind {
                ExprKind::SetPriority(pid, value) => {
                    let pid = self.expr(pid, process, scope)?;
                    Action::SetPriority(pid, self.expr(value, process, scope)?)
                }
                _ => {
                    self.check_run(expr);
                    match self.expr(expr, process, scope)? {
                        Expr::Const(value) if value != 0 => Action::Skip,
                        expr => Action::Test(expr),
                    }
                }
            },
            StmtKind::Assign(var, expr) => return self.assign(var, expr, owner, scope),
            StmtKind::Increment(var) | StmtKind::Decrement(var) => {
                let (variable, _) = self.variable(var, process, scope)?;
                let op = if matches!(kind, StmtKind::Increment(_)) { Binary::Add } else { Binary::Sub };
                let old = Expr::Load(Box::new(variable.clone()));
                Action::Assign(Box::new(variable), Expr::Binary(op, Box::new(old), Box::new(Expr::Const(1))))
            }
            StmtKind::Assert(expr) => Action::Assert(self.expr(expr, process, scope)?),
            StmtKind::Printf(format, args) => {
                let names = args.iter().map(|arg| self.names_for(arg, owner, scope)).collect();
                let args: Option<Vec<Expr>> = args.iter().map(|arg| self.expr(arg, process, scope)).collect();
                Action::Print(Box::new(Print { format: format.clone(), args: args?, names }))
            }
            StmtKind::Printm(expr) => {
                let value = self.expr(expr, process, scope)?;
                let names = vec![self.names_for(expr, owner, scope)];
                Action::Print(Box::new(Print { format: "%e".into(), args: vec![value], names }))
            }
            StmtKind::Else => Action::Else,
            StmtKind::Send { chan, sorted, args } => {
                let (chan, ty) = self.chan(chan, process, scope)?;
                let mut values = Vec::new();
                for arg in args {
                    if let ExprKind::Var(var) = &arg.kind
                        && self.is_structure(var, owner, scope)
                    {
                        let scalars = self.scalars_of(var, owner, scope)?;
                        values.extend(scalars.into_iter().map(|scalar| Expr::Load(Box::new(scalar))));
                    } else {
                        values.push(self.expr(arg, process, scope)?);
                    }
                }
                self.check_arity(ty, values.len(), "sent", span)?;
                Action::Send(Box::new(Send { chan, sorted: *sorted, args: values }))
            }
            StmtKind::Recv { chan, random, keep, args } => {
                let keep = if *keep { ReceiveMode::Stay } else { ReceiveMode::Take };
                Action::Receive(Box::new(self.receive(chan, *random, keep, args, process, scope, span)?))
            }
            other => unreachable!("`{other:?}` is not a basic statement"),
        })
    }

    /// The symbolic names of an expression's values: those of its mtype, or of the one without a name.
    fn names_for(&self, expr: &ast::Expr, owner: usize, scope: Option<u32>) -> Arc<[String]> {
        let set = self.mtype_of(expr, Some(owner), scope).unwrap_or(0);
        self.mtypes.sets.get(set).map(|(_, names)| names.clone().into()).unwrap_or_default()
    }

    fn assign(&mut self, var: &VarRef, expr: &ast::Expr, owner: usize, scope: Option<u32>) -> Option<Action> {
        let process = Some(owner);
        let first = &var.parts[0].name;
        self.check_run(expr);
        if var.parts.len() == 1 && self.lookup(&first.text, process, scope).is_none() {
            match first.text.as_str() {
                "_priority" => {
                    return Some(Action::SetPriority(Expr::OwnPid, self.expr(expr, process, scope)?));
                }
                "_" => {
                    let variable = self.write_only();
                    return Some(Action::Assign(Box::new(variable), self.expr(expr, process, scope)?));
                }
                "_pid" | "_nr_pr" | "_last" => {
                    let message = format!("`{}` cannot be assigned to", first.text);
                    self.report(Diagnostic::error(message).at(first.span, "predefined, read-only"));
                    return None;
                }
                name if self.mtypes.names.contains_key(name) => {
                    let message = format!("`{name}` is a symbolic name and cannot be assigned to");
                    self.report(Diagnostic::error(message).at(first.span, "declared in an mtype"));
                    return None;
                }
                _ => {}
            }
        }
        let (variable, show) = self.variable(var, process, scope)?;
        if let (ValueKind::Mtype(left), Some(right)) = (show, self.mtype_of(expr, process, scope))
            && left != right
        {
            self.mixed_mtypes(left, right, var.span, expr.span);
            return None;
        }
        let value = self.expr(expr, process, scope)?;
        if let Some(constant) = value.as_const() {
            self.warn_if_truncated(constant, variable.ty, expr.span);
        }
        Some(Action::Assign(Box::new(variable), value))
    }

    /// `run` changes the state: it cannot stand where it is unclear whether it is evaluated.
    fn check_run(&mut self, expr: &ast::Expr) {
        fn inside(expr: &ast::Expr) -> Option<Span> {
            match &expr.kind {
                ExprKind::Run { .. } => Some(expr.span),
                ExprKind::Unary(_, a) => inside(a),
                ExprKind::Binary(_, a, b) => inside(a).or_else(|| inside(b)),
                ExprKind::Cond(a, b, c) => inside(a).or_else(|| inside(b)).or_else(|| inside(c)),
                _ => None,
            }
        }
        let doubtful = match &expr.kind {
            ExprKind::Binary(ast::BinOp::And | ast::BinOp::Or, a, b) => inside(a).or_else(|| inside(b)),
            ExprKind::Cond(..) => inside(expr),
            _ => None,
        };
        if let Some(span) = doubtful {
            let message = "`run` cannot be part of a compound condition";
            let help = "start the process in a statement of its own";
            self.report(Diagnostic::error(message).at(span, "not possible here").help(help));
        }
    }

    /// A statement's text.
    pub(super) fn text(&self, basic: &Basic<'_>, span: Span) -> String {
        let written = |text: &Option<Box<str>>, span: Span| match text {
            Some(text) => shortened(text),
            None => self.source_text(span),
        };
        let name = |var: &VarRef| written(&var.text, var.span);
        let limit = |bound: &ast::Bound| written(&bound.text, bound.value.span);
        match basic {
            Basic::Stmt(_, Some(text)) => shortened(text),
            Basic::Stmt(_, None) => self.source_text(span),
            Basic::Declare(var) => match &var.init {
                Some(ast::Init::Expr(expr)) => format!("{} = {}", var.name.text, written(&var.init_text, expr.span)),
                _ => format!("{} = 0", var.name.text),
            },
            Basic::Set(var, LoopValue::Bound(bound)) => format!("{} = {}", name(var), limit(bound)),
            Basic::Set(var, LoopValue::Const(value)) => format!("{} = {value}", name(var)),
            Basic::Set(var, LoopValue::OneMore) => format!("{0} = {0} + 1", name(var)),
            Basic::Below(var, LoopBound::AtMost(bound)) => format!("{} <= {}", name(var), limit(bound)),
            Basic::Below(var, LoopBound::Under(bound)) => format!("{} < {}", name(var), limit(bound)),
            Basic::Below(var, LoopBound::AtMostConst(value)) => format!("{} <= {value}", name(var)),
            Basic::CountStart(_) => "messages seen = 0".into(),
            Basic::CountBelow(_, chan) => format!("messages seen < len({})", name(chan)),
            Basic::CountUp(_) => "messages seen + 1".into(),
            Basic::Take(chan, var) => format!("{}?{}", name(chan), name(var)),
            Basic::PutBack(chan, var) => format!("{}!{}", name(chan), name(var)),
            Basic::Otherwise => "else".into(),
            Basic::End => "-end-".into(),
        }
    }
}
