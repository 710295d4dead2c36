//! Initial values of variables and channel names.

use super::Lower;
use super::scope::{Decl, Storage};
use super::types::VarType;
use crate::ast;
use tightrope_ir::{Action, Base, Expr, OwnedChannel, Type, Variable};
use tightrope_syntax::{Diagnostic, Span};

impl Lower<'_> {
    /// A channel name's initial value: known for global channels, by position for those of a process.
    pub(super) fn name_channel(&mut self, owner: Option<usize>, offset: u32, position: u32, declared: u32) {
        let area = self.layout(owner);
        match owner {
            None => area.bytes[offset as usize] = (position + 1).min(255) as u8,
            Some(_) => {
                let variable = Variable { base: Base::Own, offset, indices: Vec::new(), ty: Type::BYTE, declared };
                area.initialisers.push(Action::Assign(Box::new(variable), Expr::OwnChannel(position)));
            }
        }
    }

    /// Sets what a typedef says of its fields: initial values and channels.
    pub(super) fn initialise_members(
        &mut self,
        owner: Option<usize>,
        offset: u32,
        ty: VarType,
        count: Option<u32>,
        declared: u32,
        name: &str,
    ) {
        let VarType::Struct(index) = ty else { return };
        let size = self.structs[index].size;
        for element in 0..count.unwrap_or(1) {
            let offset = offset + element * size;
            for member in self.structs[index].members.clone() {
                let offset = offset + member.offset;
                let name = format!("{name}.{}", member.name);
                match member.ty {
                    VarType::Struct(_) => {
                        self.initialise_members(owner, offset, member.ty, member.count, declared, &name);
                    }
                    VarType::Scalar(ty, _) => {
                        for element in 0..member.count.unwrap_or(1) {
                            let offset = offset + element * ty.size();
                            if let Some(channel) = member.chan {
                                let position = self.layout(owner).channels.len() as u32;
                                let name = name.clone();
                                self.layout(owner).channels.push(OwnedChannel { channel, offset: 0, name });
                                self.name_channel(owner, offset, position, declared);
                            } else if member.init != 0 {
                                let value = ty.wrap(member.init);
                                ty.repr.store(&mut self.layout(owner).bytes, offset as usize, value);
                            }
                        }
                    }
                }
            }
        }
    }

    /// Sets the initial value that a declaration gives.
    pub(super) fn initialise(&mut self, owner: Option<usize>, decl: &Decl, init: &ast::Init, scope: Option<u32>) {
        let (VarType::Scalar(ty, _), Storage::Offset(offset)) = (decl.ty, decl.storage) else {
            let message = "a variable of a user-defined type cannot have an initial value";
            self.report(Diagnostic::error(message).at(decl.span, "declared here"));
            return;
        };
        let count = decl.count.unwrap_or(1);
        let values: Vec<&ast::Expr> = match init {
            ast::Init::Expr(expr) => vec![expr; count as usize],
            ast::Init::List(list, span) => {
                if list.len() as u32 > count {
                    let message = format!("{} initial values for {count} elements", list.len());
                    self.report(Diagnostic::error(message).at(*span, "too many values"));
                    return;
                }
                // A list that is too short repeats its last value.
                let last = list.last().into_iter().cycle();
                list.iter().chain(last).take(count as usize).collect()
            }
            ast::Init::Chan(_) => return,
        };
        for (element, expr) in values.into_iter().enumerate() {
            if contains_run(expr) {
                let message = "a process cannot be started in an initial value";
                let help = "assign in a statement of its own";
                self.report(Diagnostic::error(message).at(expr.span, "`run` here").help(help));
                return;
            }
            let offset = offset + element as u32 * ty.size();
            match self.try_constant(expr).filter(|_| !self.shadowed(expr, owner, scope)) {
                Some(value) => {
                    // An array with one value for all of its elements is warned about once.
                    if element == 0 || matches!(init, ast::Init::List(list, _) if element < list.len()) {
                        self.warn_if_truncated(value, ty, expr.span);
                    }
                    ty.repr.store(&mut self.layout(owner).bytes, offset as usize, ty.wrap(value));
                }
                None => {
                    let Some(value) = self.expr(expr, owner, scope) else { return };
                    let base = if owner.is_some() { Base::Own } else { Base::Global };
                    let variable = Variable { base, offset, indices: Vec::new(), ty, declared: decl.declared };
                    self.layout(owner).initialisers.push(Action::Assign(Box::new(variable), value));
                }
            }
        }
    }

    /// Warns about a constant that does not fit: it is truncated, as in SPIN.
    pub(super) fn warn_if_truncated(&mut self, value: i32, ty: Type, span: Span) {
        let cut = ty.wrap(value);
        if cut != value {
            let (low, high) = ty.range();
            let message = format!("{value} does not fit: the variable holds {low} to {high}");
            self.report(Diagnostic::warning(message).at(span, format!("stored as {cut}")));
        }
    }
}

fn contains_run(expr: &ast::Expr) -> bool {
    let mut found = false;
    ast::visit::expression(expr, &mut |expr| found |= matches!(expr.kind, ast::ExprKind::Run { .. }));
    found
}
