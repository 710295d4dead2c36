//! What cannot be combined with rendezvous channels.
//!
//! Whether a process is enabled decides who moves under priorities, and is what `enabled()` first_uses. Whether a rendezvous is
//! enabled depends on whether a partner is ready, who in turn may not move under its own priority. SPIN gives that no
//! meaning and refuses every model that declares a rendezvous channel, used or not, and mentions either; so do we.

use super::Lower;
use crate::ast::{self, ExprKind, Init, Module, StmtKind, Unit, VarDecls};
use tightrope_syntax::{Diagnostic, Span};

impl Lower<'_> {
    /// Refuses a module that has rendezvous channels and priorities, or rendezvous channels and `enabled()`.
    pub(super) fn refuse_with_rendezvous(&mut self, module: &Module) {
        let Some(channel) = self.rendezvous_channel(module) else { return };
        let (priority, enabled) = first_uses(module);
        for (what, used) in [("priorities", priority), ("`enabled()`", enabled)] {
            let Some(used) = used else { continue };
            let error = Diagnostic::error(format!("{what} cannot be combined with rendezvous channels"))
                .at(used, "used here")
                .also(channel, "this channel has no slots")
                .help("give the channel slots");
            self.report(error);
            return;
        }
    }

    /// Where the first channel without slots is declared, as a variable or in a type.
    fn rendezvous_channel(&self, module: &Module) -> Option<Span> {
        let of = |decls: &VarDecls| {
            decls.vars.iter().find_map(|var| match &var.init {
                Some(Init::Chan(init)) if self.try_constant(&init.capacity) == Some(0) => Some(var.name.span),
                _ => None,
            })
        };
        let global = module.units.iter().find_map(|unit| match unit {
            Unit::Vars(decls) => of(decls),
            Unit::Typedef(typedef) => typedef.fields.iter().find_map(of),
            _ => None,
        });
        let mut found = global;
        ast::visit::module_statements(module, &mut |stmt| {
            if let (None, StmtKind::Decl(decls)) = (found, &stmt.kind) {
                found = of(decls);
            }
        });
        found
    }
}

/// Where a module first mentions priorities, and where `enabled()`.
fn first_uses(module: &Module) -> (Option<Span>, Option<Span>) {
    let (mut priority, mut enabled) = (None, None);
    for unit in &module.units {
        match unit {
            Unit::Proctype(proc) => priority = priority.or(proc.priority.as_ref().map(|value| value.span)),
            Unit::Ltl(ltl) => {
                let says = |word: &str| ltl.formula.split_whitespace().any(|there| there == word);
                enabled = enabled.or(says("enabled").then_some(ltl.span));
                let prioritised = says("get_priority") || says("_priority");
                priority = priority.or(prioritised.then_some(ltl.span));
            }
            _ => {}
        }
    }
    let own_priority = |var: &ast::VarRef| var.parts[0].name.text == "_priority";
    ast::visit::module_expressions(module, &mut |expr| match &expr.kind {
        ExprKind::Run { priority: Some(_), .. } | ExprKind::GetPriority(_) | ExprKind::SetPriority(..) => {
            priority = priority.or(Some(expr.span));
        }
        ExprKind::Var(var) if own_priority(var) => priority = priority.or(Some(expr.span)),
        ExprKind::Enabled(_) => enabled = enabled.or(Some(expr.span)),
        _ => {}
    });
    ast::visit::module_statements(module, &mut |stmt| {
        if let StmtKind::Assign(var, _) = &stmt.kind
            && own_priority(var)
        {
            priority = priority.or(Some(var.span));
        }
    });
    (priority, enabled)
}
