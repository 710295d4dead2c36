//! Goals: conditions on states, evaluated outside of all processes.

use super::Lower;
use super::scope::Storage;
use crate::ast::{self, ExprKind, RecvArg};
use tightrope_ir::Expr;
use tightrope_syntax::{Diagnostic, Span};

/// Names that mean something only to a process.
const OWN: &[&str] = &["_pid", "_priority"];

impl Lower<'_> {
    /// A goal, and what to say when it is reached.
    pub(super) fn goal(&mut self, goal: &ast::Expr) -> Option<(Expr, String)> {
        let before = self.diags.error_count();
        ast::visit::expression(goal, &mut |expr| self.goal_part(expr));
        if self.diags.error_count() > before {
            return None;
        }
        self.in_goal = true;
        let holds = self.expr(goal, None, None);
        self.in_goal = false;
        let holds = holds?;
        let text = self.sources.text(goal.span.file).split_whitespace().collect::<Vec<_>>().join(" ");
        Some((holds, format!("the goal is reached: {text}")))
    }

    /// Reports what cannot be evaluated outside of a process, or would change the state.
    fn goal_part(&mut self, expr: &ast::Expr) {
        match &expr.kind {
            ExprKind::Run { .. } | ExprKind::SetPriority(..) => {
                let error = Diagnostic::error("a goal cannot change the state").at(expr.span, "this does");
                self.report(error);
            }
            ExprKind::Timeout => {
                let error = Diagnostic::error("a goal cannot ask for `timeout`")
                    .at(expr.span, "depends on the steps that are possible, not on the state")
                    .help("`check` without a goal finds deadlocks");
                self.report(error);
            }
            ExprKind::Var(var) => self.goal_name(&var.parts[0].name),
            ExprKind::Poll { args, .. } => {
                for arg in args {
                    if let RecvArg::Var(var) = arg {
                        self.goal_name(&var.parts[0].name);
                    }
                }
            }
            _ => {}
        }
    }

    fn goal_name(&mut self, name: &ast::Name) {
        match self.globals.symbols.get(&name.text) {
            Some(decl) => {
                let Storage::Offset(offset) = decl.storage else { return };
                if self.globals.hidden.iter().any(|&(from, to)| (from..to).contains(&offset)) {
                    let error = Diagnostic::error(format!("a goal cannot read the hidden variable `{}`", name.text))
                        .at(name.span, "its value is no part of the state")
                        .also(decl.span, "declared here");
                    self.report(error);
                }
            }
            None if OWN.contains(&name.text.as_str()) => {
                let error = Diagnostic::error(format!("a goal cannot use `{}`", name.text))
                    .at(name.span, "each process has its own, and a goal belongs to none");
                self.report(error);
            }
            None => self.foreign_variable(name),
        }
    }

    /// Says how to write a variable of a process, where there is no global one of that name.
    fn foreign_variable(&mut self, name: &ast::Name) {
        if self.mtypes.names.contains_key(&name.text) {
            return;
        }
        let declares = |kind: usize| self.layouts[kind].bindings.iter().find(|binding| binding.name == name.text);
        let owners = self.procs_by_name.iter().filter_map(|(owner, &kind)| Some((owner, declares(kind)?.decl.span)));
        let Some((owner, declared)): Option<(&String, Span)> = owners.min_by_key(|(owner, _)| *owner) else { return };
        let text = &name.text;
        let error = Diagnostic::error(format!("`{text}` is a variable of `{owner}`"))
            .at(name.span, "of which process?")
            .also(declared, "declared here")
            .help(format!("write `{owner}:{text}`, or `{owner}[pid]:{text}` if there are several"));
        self.report(error);
    }
}
