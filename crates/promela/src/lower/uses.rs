//! What a module does that decides how it is lowered, found by walking its syntax tree once before.

use crate::ast::{self, Module, Unit};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a module does that decides how it is laid out.
pub(super) struct Uses {
    /// Variables that something is written to.
    pub written: FxHashSet<String>,
    /// Priorities are used anywhere.
    pub priorities: bool,
    /// `_last` is read somewhere, if only in a claim.
    pub last: bool,
}

impl Uses {
    pub(super) fn of(module: &Module) -> Uses {
        let mut uses = Uses { written: FxHashSet::default(), priorities: false, last: false };
        let mut write = |var: &ast::VarRef| {
            uses.written.insert(var.parts[0].name.text.clone());
        };
        crate::ast::visit::module_statements(module, &mut |stmt| match &stmt.kind {
            ast::StmtKind::Assign(var, _)
            | ast::StmtKind::Increment(var)
            | ast::StmtKind::Decrement(var)
            | ast::StmtKind::Select { var, .. }
            | ast::StmtKind::ForRange { var, .. }
            | ast::StmtKind::ForIn { var, .. } => write(var),
            ast::StmtKind::Recv { args, .. } => {
                for arg in args {
                    if let ast::RecvArg::Var(var) = arg {
                        write(var);
                    }
                }
            }
            _ => {}
        });
        crate::ast::visit::module_expressions(module, &mut |expr| match &expr.kind {
            ast::ExprKind::RemoteVar { var, .. } => {
                uses.written.insert(var.parts[0].name.text.clone());
            }
            ast::ExprKind::Run { priority: Some(_), .. }
            | ast::ExprKind::GetPriority(_)
            | ast::ExprKind::SetPriority(..) => uses.priorities = true,
            ast::ExprKind::Var(var) if var.parts[0].name.text == "_priority" => uses.priorities = true,
            ast::ExprKind::Var(var) if var.parts[0].name.text == "_last" => uses.last = true,
            _ => {}
        });
        let declared = |unit: &Unit| matches!(unit, Unit::Proctype(proc) if proc.priority.is_some());
        uses.priorities |= module.units.iter().any(declared) || uses.written.contains("_priority");
        uses
    }
}

/// The labels of each proctype that have remote references (`P@label`).
pub(super) fn remote_labels(module: &Module) -> FxHashMap<String, FxHashSet<String>> {
    let mut watched: FxHashMap<String, FxHashSet<String>> = FxHashMap::default();
    crate::ast::visit::module_expressions(module, &mut |expr| {
        if let ast::ExprKind::RemoteLabel { proc, label, .. } = &expr.kind {
            watched.entry(proc.text.clone()).or_default().insert(label.text.clone());
        }
    });
    for unit in &module.units {
        let Unit::Ltl(ltl) = unit else { continue };
        let words: Vec<&str> = ltl.formula.split_whitespace().collect();
        for (at, word) in words.iter().enumerate() {
            // `P @ label` or `P [ 1 ] @ label`, the words of which stand apart.
            let Some(label) = words.get(at + 1).filter(|_| *word == "@") else { continue };
            let open = words[..at].iter().rposition(|word| *word == "[");
            let proc = match (words.get(at.wrapping_sub(1)), open) {
                (Some(&"]"), Some(open)) => words.get(open.wrapping_sub(1)),
                (proc, _) => proc,
            };
            if let Some(proc) = proc {
                watched.entry(proc.to_string()).or_default().insert(label.to_string());
            }
        }
    }
    watched
}

/// An upper bound of the number of locations of a body.
pub(super) fn statement_count(seq: &ast::Seq) -> usize {
    let mut count = 0;
    crate::ast::visit::statements(seq, &mut |_| count += 2);
    count
}
