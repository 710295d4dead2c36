//! Expressions.

use super::Lower;
use super::messages::ReceiveMode;
use super::references::Target;
use super::types::VarType;
use crate::ast::{self, BinOp, ExprKind, UnOp};
use tightrope_ir::{Base, Binary, Expr, Pattern, Run, Unary};
use tightrope_syntax::Diagnostic;

impl Lower<'_> {
    /// An expression.
    pub(super) fn expr(&mut self, expr: &ast::Expr, owner: Option<usize>, scope: Option<u32>) -> Option<Expr> {
        if let Some(value) = self.try_constant(expr)
            && !self.shadowed(expr, owner, scope)
        {
            return Some(Expr::Const(value));
        }
        let sub = |lower: &mut Self, expr: &ast::Expr| lower.expr(expr, owner, scope).map(Box::new);
        Some(match &expr.kind {
            ExprKind::Const(value) => Expr::Const(*value),
            ExprKind::Var(var) => self.load(var, owner, scope)?,
            ExprKind::Unary(op, a) => {
                let op = match op {
                    UnOp::Neg => Unary::Neg,
                    UnOp::Not => Unary::Not,
                    UnOp::BitNot => Unary::Complement,
                };
                Expr::Unary(op, sub(self, a)?)
            }
            ExprKind::Binary(op, a, b) => {
                let same = self.same_mtype(a, b, owner, scope);
                let (a, b) = (sub(self, a), sub(self, b));
                let (a, b) = (a?, b?);
                same?;
                let op = match op {
                    BinOp::And => return Some(Expr::Both(a, b)),
                    BinOp::Or => return Some(Expr::Either(a, b)),
                    BinOp::Add => Binary::Add,
                    BinOp::Sub => Binary::Sub,
                    BinOp::Mul => Binary::Mul,
                    BinOp::Div => Binary::Div,
                    BinOp::Rem => Binary::Rem,
                    BinOp::Shl => Binary::Shl,
                    BinOp::Shr => Binary::Shr,
                    BinOp::BitAnd => Binary::And,
                    BinOp::BitOr => Binary::Or,
                    BinOp::BitXor => Binary::Xor,
                    BinOp::Lt => Binary::Lt,
                    BinOp::Le => Binary::Le,
                    BinOp::Gt => Binary::Gt,
                    BinOp::Ge => Binary::Ge,
                    BinOp::Eq => Binary::Eq,
                    BinOp::Ne => Binary::Ne,
                };
                Expr::Binary(op, a, b)
            }
            ExprKind::Cond(c, a, b) => {
                let parts = (self.expr(c, owner, scope)?, self.expr(a, owner, scope)?, self.expr(b, owner, scope)?);
                Expr::Choose(Box::new(parts))
            }
            ExprKind::Len(var) => Expr::Length(self.chan(var, owner, scope)?.0),
            ExprKind::Empty(var) => Expr::Unary(Unary::Not, Box::new(Expr::Length(self.chan(var, owner, scope)?.0))),
            ExprKind::Nempty(var) => {
                let length = Expr::Length(self.chan(var, owner, scope)?.0);
                Expr::Binary(Binary::Gt, Box::new(length), Box::new(Expr::Const(0)))
            }
            ExprKind::Full(var) => Expr::Full(self.chan(var, owner, scope)?.0),
            ExprKind::Nfull(var) => Expr::Unary(Unary::Not, Box::new(Expr::Full(self.chan(var, owner, scope)?.0))),
            ExprKind::Poll { chan, random, args } => {
                let mut receive = self.receive(chan, *random, ReceiveMode::Poll, args, owner, scope, expr.span)?;
                // A poll assigns nothing: what would be bound matches anything.
                for pattern in &mut receive.patterns {
                    if let Pattern::Bind(_) = pattern {
                        *pattern = Pattern::Any;
                    }
                }
                Expr::Poll(Box::new(receive))
            }
            ExprKind::Run { name, args, priority } => {
                let Some(&kind) = self.procs_by_name.get(&name.text) else {
                    self.no_proctype(name);
                    return None;
                };
                let values: Vec<Expr> = args.iter().filter_map(|arg| self.expr(arg, owner, scope)).collect();
                let wanted = self.param_counts[kind];
                if args.len() != wanted {
                    let takes = crate::counted(wanted, "argument");
                    let message = format!("`{}` takes {takes}, but {} given", name.text, crate::are(args.len()));
                    self.report(Diagnostic::error(message).at(expr.span, format!("{} given", args.len())));
                    return None;
                }
                if values.len() != args.len() {
                    return None;
                }
                let priority = match priority {
                    Some(priority) => self.expr(priority, owner, scope)?,
                    None => Expr::Const(1),
                };
                Expr::Run(Box::new(Run { kind: kind as u8, args: values, priority }))
            }
            ExprKind::Enabled(pid) => Expr::Enabled(sub(self, pid)?),
            ExprKind::PcValue(pid) => Expr::LocationOf(sub(self, pid)?, None),
            ExprKind::GetPriority(pid) => Expr::PriorityOf(sub(self, pid)?),
            ExprKind::SetPriority(..) => {
                let message = "`set_priority` is a statement of its own";
                self.report(Diagnostic::error(message).at(expr.span, "not possible inside an expression"));
                return None;
            }
            ExprKind::Timeout => Expr::Timeout,
            ExprKind::NonProgress => Expr::NoProgress,
            ExprKind::RemoteLabel { proc, index, label } => {
                let (kind, pid) = self.remote(proc, index.as_deref(), owner, scope)?;
                let Some(location) = self.label_location(kind, &label.text) else {
                    let message = format!("`{}` has no label `{}`", proc.text, label.text);
                    let error = Self::not_found(message, label, self.labels[kind].keys().map(String::as_str));
                    self.report(error);
                    return None;
                };
                let here = Expr::LocationOf(Box::new(pid), Some(kind as u8));
                Expr::Binary(Binary::Eq, Box::new(here), Box::new(Expr::Const(location)))
            }
            ExprKind::RemoteVar { proc, index, var } => {
                let (kind, pid) = self.remote(proc, index.as_deref(), owner, scope)?;
                let first = &var.parts[0].name;
                let found = self.layouts[kind].bindings.iter().find(|binding| binding.name == first.text);
                let Some(decl) = found.map(|binding| binding.decl.clone()) else {
                    let message = format!("`{}` has no variable `{}`", proc.text, first.text);
                    let known = self.layouts[kind].bindings.iter().map(|binding| binding.name.as_str());
                    let error = Self::not_found(message, first, known);
                    self.report(error);
                    return None;
                };
                match self.target_in(decl, Base::Process(pid, kind as u8), var, owner, scope)? {
                    Target::Variable(variable, VarType::Scalar(..)) => Expr::Load(Box::new(variable)),
                    _ => {
                        let message = "only a scalar variable of another process can be read";
                        self.report(Diagnostic::error(message).at(var.span, "not a scalar"));
                        return None;
                    }
                }
            }
        })
    }

    /// The kind and the process number of a remote reference.
    fn remote(
        &mut self,
        proc: &ast::Name,
        index: Option<&ast::Expr>,
        owner: Option<usize>,
        scope: Option<u32>,
    ) -> Option<(usize, Expr)> {
        let Some(&kind) = self.procs_by_name.get(&proc.text) else {
            self.no_proctype(proc);
            return None;
        };
        let pid = match index {
            Some(index) => self.expr(index, owner, scope)?,
            None => Expr::FirstOf(kind as u8),
        };
        Some((kind, pid))
    }
}
