//! Declarations: global names, and the parameters of process types.

use super::Lower;
use super::layout::Layout;
use super::types::VarType;
use super::uses::statement_count;
use crate::ast::{Module, Proctype, Unit};
use tightrope_core::{Component, Format};
use tightrope_ir::Type;
use tightrope_syntax::Diagnostic;

impl Lower<'_> {
    /// The first pass.
    pub(super) fn declare_globals(&mut self, module: &Module, procs: &[&Proctype]) {
        for (kind, proc) in procs.iter().enumerate() {
            if self.procs_by_name.insert(proc.name.text.clone(), kind).is_some() && !proc.is_init {
                let message = format!("`{}` is defined twice", proc.name.text);
                let earlier =
                    procs.iter().find(|earlier| earlier.name.text == proc.name.text).map(|earlier| earlier.name.span);
                let error = Diagnostic::error(message).at(proc.name.span, "again here");
                self.report(match earlier {
                    Some(earlier) => error.also(earlier, "first here"),
                    None => error,
                });
            }
            self.param_counts.push(proc.params.iter().map(|decls| decls.vars.len()).sum());
            self.layouts.push(Layout::default());
        }
        for unit in &module.units {
            if let Unit::Mtype(decl) = unit {
                self.declare_mtype(decl);
            }
        }
        for unit in &module.units {
            match unit {
                Unit::Typedef(typedef) => self.declare_typedef(typedef),
                Unit::Vars(decls) => {
                    for var in &decls.vars {
                        let Some(decl) = self.allocate(None, decls, var, None, true) else {
                            self.reported_names.insert((None, var.name.text.clone()));
                            continue;
                        };
                        if let Some(earlier) = self.globals.symbols.insert(var.name.text.clone(), decl) {
                            let message = format!("`{}` is declared twice", var.name.text);
                            let diagnostic = Diagnostic::error(message).at(var.name.span, "again here");
                            self.report(diagnostic.also(earlier.span, "first here"));
                        }
                        if self.mtypes.names.contains_key(&var.name.text) {
                            let message = format!("`{}` is a symbolic name already", var.name.text);
                            self.report(Diagnostic::error(message).at(var.name.span, "declared again here"));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Makes room for the location, the priority and the parameters of a process.
    pub(super) fn declare_params(&mut self, kind: usize, proc: &Proctype) -> Option<u32> {
        let wide = statement_count(&proc.body) > 60;
        let ty = if wide { Type::unsigned(16) } else { Type::BYTE };
        // The range is set when the locations are known.
        self.layouts[kind].scalar("(location)".into(), ty, (0, 0), Component::Process, Format::Hidden);
        if self.priorities {
            self.layouts[kind].scalar("_priority".into(), Type::BYTE, (0, 255), Component::Process, Format::Number);
        }
        let mut scope = None;
        for decls in &proc.params {
            for var in &decls.vars {
                if var.array.is_some() {
                    let message = format!("the parameter `{}` cannot be an array", var.name.text);
                    self.report(Diagnostic::error(message).at(var.name.span, "declared here"));
                    self.reported_names.insert((Some(kind), var.name.text.clone()));
                    continue;
                }
                if var.init.is_some() {
                    let message = format!("the parameter `{}` has an initial value", var.name.text);
                    self.report(Diagnostic::error(message).at(var.name.span, "declared here"));
                    self.reported_names.insert((Some(kind), var.name.text.clone()));
                    continue;
                }
                let Some(decl) = self.allocate(Some(kind), decls, var, scope, true) else {
                    self.reported_names.insert((Some(kind), var.name.text.clone()));
                    continue;
                };
                if matches!(decl.ty, VarType::Struct(_)) {
                    let message = format!("the parameter `{}` cannot be a structure", var.name.text);
                    self.report(Diagnostic::error(message).at(var.name.span, "declared here"));
                    self.reported_names.insert((Some(kind), var.name.text.clone()));
                    continue;
                }
                self.bind(kind, &var.name, decl, &mut scope, None);
            }
        }
        scope
    }
}
