//! References: from the name and the indices of a variable to its place in the state, or to its channel.

use super::Lower;
use super::scope::{Decl, Storage};
use super::types::{ValueKind, VarType};
use crate::ast::{self, VarRef};
use tightrope_core::{Component, Format};
use tightrope_ir::{Base, Binary, ChanRef, Expr, Index, Type, Variable};
use tightrope_syntax::{Diagnostic, Span};

/// What a reference stands for.
pub(super) enum Target {
    /// A variable in the state (its first scalar, if it is a structure), and its type.
    Variable(Variable, VarType),
    /// A channel name that never changes: the channel, and its type.
    Channel(ChanRef, u32),
}

impl Lower<'_> {
    /// What a reference stands for; a diagnostic if nothing.
    pub(super) fn target(&mut self, var: &VarRef, owner: Option<usize>, scope: Option<u32>) -> Option<Target> {
        let first = &var.parts[0];
        let Some((decl, home)) = self.lookup(&first.name.text, owner, scope) else {
            self.undeclared(&first.name.text, first.name.span, owner, scope);
            return None;
        };
        let base = if home.is_some() { Base::Own } else { Base::Global };
        self.target_in(decl, base, var, owner, scope)
    }

    /// Reports that there is no such proctype.
    pub(super) fn no_proctype(&mut self, name: &ast::Name) {
        let known = self.procs_by_name.keys().map(String::as_str);
        let error = Self::not_found(format!("there is no proctype `{}`", name.text), name, known);
        self.report(error);
    }

    /// What a reference stands for, given the declaration of its first part.
    pub(super) fn target_in(
        &mut self,
        decl: Decl,
        base: Base,
        var: &VarRef,
        owner: Option<usize>,
        scope: Option<u32>,
    ) -> Option<Target> {
        let first = &var.parts[0];
        let index = self.index(&first.name, first.index.as_ref(), decl.count, owner, scope)?;
        let offset = match decl.storage {
            Storage::Offset(offset) => offset,
            Storage::Channels(position) => {
                if let Some(part) = var.parts.get(1) {
                    let message = format!("`{}` is a channel and has no fields", first.name.text);
                    self.report(Diagnostic::error(message).at(part.name.span, "no such field"));
                    return None;
                }
                let fixed = |position: u32| match base {
                    Base::Global => ChanRef::Global(position),
                    _ => ChanRef::Own(position),
                };
                let chan = match index {
                    None => fixed(position),
                    Some((value, bound)) => match value.as_const() {
                        Some(value) if (value as u32) < bound => fixed(position + value as u32),
                        _ => {
                            let start = match base {
                                Base::Global => Expr::Const(position as i32 + 1),
                                _ => Expr::OwnChannel(position),
                            };
                            let name = first.name.text.clone();
                            let index = Expr::Bounded(Box::new(Index { value, low: 0, bound, stride: 1, name }));
                            let name = Expr::Binary(Binary::Add, Box::new(start), Box::new(index));
                            ChanRef::Named(Box::new(name))
                        }
                    },
                };
                return Some(Target::Channel(chan, decl.channel.unwrap_or(0)));
            }
        };
        let mut variable = Variable { base, offset, indices: Vec::new(), ty: Type::BYTE, declared: decl.declared };
        let mut ty = decl.ty;
        self.step_into(&mut variable, index, ty, &first.name.text);
        for part in &var.parts[1..] {
            let VarType::Struct(number) = ty else {
                let message = format!("`.{}` needs a structure", part.name.text);
                self.report(Diagnostic::error(message).at(part.name.span, "what stands before has no fields"));
                return None;
            };
            let Some(member) = self.structs[number].members.iter().find(|m| m.name == part.name.text).cloned() else {
                let known = self.structs[number].members.iter().map(|member| member.name.as_str());
                let error = Self::not_found(format!("there is no field `{}`", part.name.text), &part.name, known);
                let names: Vec<String> =
                    self.structs[number].members.iter().take(12).map(|member| format!("`{}`", member.name)).collect();
                self.report(error.note(format!("the fields are {}", names.join(", "))));
                return None;
            };
            let index = self.index(&part.name, part.index.as_ref(), member.count, owner, scope)?;
            variable.offset += member.offset;
            ty = member.ty;
            self.step_into(&mut variable, index, ty, &part.name.text);
        }
        if let VarType::Scalar(scalar, _) = ty {
            variable.ty = scalar;
        }
        Some(Target::Variable(variable, ty))
    }

    /// Applies an index to a variable: to its offset if it is a constant in range.
    fn step_into(&self, variable: &mut Variable, index: Option<(Expr, u32)>, ty: VarType, name: &str) {
        let Some((value, bound)) = index else { return };
        let stride = self.size_of(ty);
        match value.as_const() {
            Some(value) if (value as u32) < bound => variable.offset += value as u32 * stride,
            _ => variable.indices.push(Index { value, low: 0, bound, stride, name: name.to_string() }),
        }
    }

    /// The index of one part of a reference, which must be there exactly if it is an array.
    #[allow(clippy::option_option)]
    fn index(
        &mut self,
        name: &ast::Name,
        index: Option<&ast::Expr>,
        count: Option<u32>,
        owner: Option<usize>,
        scope: Option<u32>,
    ) -> Option<Option<(Expr, u32)>> {
        match (index, count) {
            (None, None) => Some(None),
            (Some(index), Some(bound)) => {
                let value = self.expr(index, owner, scope)?;
                self.check_bounds(&value, bound, index.span)?;
                Some(Some((value, bound)))
            }
            (None, Some(_)) => {
                let message = format!("`{}` is an array: an index is missing", name.text);
                self.report(Diagnostic::error(message).at(name.span, "which element?"));
                None
            }
            (Some(index), None) => {
                let message = format!("`{}` is not an array", name.text);
                self.report(Diagnostic::error(message).at(index.span, "an index is not possible here"));
                None
            }
        }
    }

    /// Warns about an index that is wrong wherever it is evaluated; in a goal it is an error.
    fn check_bounds(&mut self, value: &Expr, bound: u32, span: Span) -> Option<()> {
        let Some(value) = value.as_const().filter(|value| *value as u32 >= bound) else { return Some(()) };
        let message = format!("index {value} is out of bounds");
        let label = format!("the indices are 0 to {}", bound - 1);
        if self.in_goal {
            self.report(Diagnostic::error(message).at(span, label));
            return None;
        }
        let warning = Diagnostic::warning(message).at(span, label);
        self.report(warning.note("evaluating this is an error of the model"));
        Some(())
    }

    /// A channel that is sent to, received from or asked.
    pub(super) fn chan(
        &mut self,
        var: &VarRef,
        owner: Option<usize>,
        scope: Option<u32>,
    ) -> Option<(ChanRef, Option<u32>)> {
        match self.target(var, owner, scope)? {
            Target::Channel(chan, ty) => Some((chan, Some(ty))),
            Target::Variable(variable, VarType::Scalar(_, ValueKind::Chan)) => {
                Some((ChanRef::Named(Box::new(Expr::Load(Box::new(variable)))), None))
            }
            Target::Variable(..) => {
                let name = &var.parts[0].name.text;
                self.report(Diagnostic::error(format!("`{name}` is not a channel")).at(var.span, "used as one"));
                None
            }
        }
    }

    /// A scalar variable that is written to.
    pub(super) fn variable(
        &mut self,
        var: &VarRef,
        owner: Option<usize>,
        scope: Option<u32>,
    ) -> Option<(Variable, ValueKind)> {
        match self.target(var, owner, scope)? {
            Target::Variable(variable, VarType::Scalar(_, show)) => Some((variable, show)),
            Target::Variable(_, VarType::Struct(_)) => {
                let message = format!("`{}` is a structure: only its fields can be used here", var.parts[0].name.text);
                self.report(Diagnostic::error(message).at(var.span, "a whole structure"));
                None
            }
            Target::Channel(..) => {
                // Whatever is written to is kept in the state, so this is a use that only reads.
                let message = format!("`{}` cannot be changed here", var.parts[0].name.text);
                self.report(Diagnostic::error(message).at(var.span, "a channel"));
                None
            }
        }
    }

    /// The scalars that a variable consists of.
    pub(super) fn scalars(&self, variable: Variable, ty: VarType, each: &mut dyn FnMut(Variable)) {
        match ty {
            VarType::Scalar(ty, _) => each(Variable { ty, ..variable }),
            VarType::Struct(index) => {
                for member in &self.structs[index].members {
                    for element in 0..member.count.unwrap_or(1) {
                        let mut inner = variable.clone();
                        inner.offset += member.offset + element * self.size_of(member.ty);
                        self.scalars(inner, member.ty, each);
                    }
                }
            }
        }
    }

    /// The value of a variable, of a predefined one, or of a channel name.
    pub(super) fn load(&mut self, var: &VarRef, owner: Option<usize>, scope: Option<u32>) -> Option<Expr> {
        let first = &var.parts[0].name;
        if var.parts.len() == 1 && self.lookup(&first.text, owner, scope).is_none() {
            match first.text.as_str() {
                "_pid" => return Some(Expr::OwnPid),
                "_nr_pr" => return Some(Expr::ProcessCount),
                "_last" => return Some(Expr::Load(Box::new(self.last_mover()))),
                "_priority" => return Some(Expr::PriorityOf(Box::new(Expr::OwnPid))),
                "_" => {
                    let message = "`_` can be written to, but not read";
                    self.report(Diagnostic::error(message).at(first.span, "read here"));
                    return None;
                }
                _ => {}
            }
        }
        match self.target(var, owner, scope)? {
            Target::Variable(variable, VarType::Scalar(..)) => Some(Expr::Load(Box::new(variable))),
            Target::Variable(_, VarType::Struct(_)) => {
                let message = format!("`{}` is a structure: only its fields can be used here", first.text);
                self.report(Diagnostic::error(message).at(var.span, "a whole structure"));
                None
            }
            Target::Channel(ChanRef::Global(position), _) => Some(Expr::Const(position as i32 + 1)),
            Target::Channel(ChanRef::Own(position), _) => Some(Expr::OwnChannel(position)),
            Target::Channel(ChanRef::Named(name), _) => Some(*name),
        }
    }

    /// The variable `_last`: the process that moved last.
    pub(super) fn last_mover(&mut self) -> Variable {
        let offset = match self.last {
            Some(offset) => offset,
            None => {
                let format = tightrope_core::Format::Number;
                let offset = self.globals.scalar("_last".into(), Type::BYTE, (0, 255), Component::Globals, format);
                self.globals.names.push("_last".into());
                *self.last.insert(offset)
            }
        };
        let declared = self.globals.names.iter().position(|name| name == "_last").unwrap_or(0) as u32;
        Variable { base: Base::Global, offset, indices: Vec::new(), ty: Type::BYTE, declared }
    }

    pub(super) fn scalars_of(&mut self, var: &VarRef, owner: usize, scope: Option<u32>) -> Option<Vec<Variable>> {
        match self.target(var, Some(owner), scope)? {
            Target::Variable(variable, ty) => {
                let mut scalars = Vec::new();
                self.scalars(variable, ty, &mut |scalar| scalars.push(scalar));
                Some(scalars)
            }
            Target::Channel(..) => {
                let message = "a channel cannot be a loop variable";
                self.report(Diagnostic::error(message).at(var.span, "a channel"));
                None
            }
        }
    }

    pub(super) fn is_structure(&self, var: &VarRef, owner: usize, scope: Option<u32>) -> bool {
        let Some((decl, _)) = self.lookup(&var.parts[0].name.text, Some(owner), scope) else { return false };
        let mut ty = decl.ty;
        for part in &var.parts[1..] {
            let VarType::Struct(index) = ty else { return false };
            match self.structs[index].members.iter().find(|member| member.name == part.name.text) {
                Some(member) => ty = member.ty,
                None => return false,
            }
        }
        matches!(ty, VarType::Struct(_))
    }

    /// The number of elements of what a `for … in` runs over; none if it is a channel.
    pub(super) fn array_length(&mut self, over: &VarRef, owner: usize, scope: Option<u32>) -> Option<u32> {
        let (decl, _) = self.lookup(&over.parts[0].name.text, Some(owner), scope)?;
        let (mut ty, mut count) = (decl.ty, decl.count);
        for part in &over.parts[1..] {
            let VarType::Struct(index) = ty else { return None };
            let member = self.structs[index].members.iter().find(|member| member.name == part.name.text)?;
            (ty, count) = (member.ty, member.count);
        }
        let indexed = over.parts.last().is_some_and(|part| part.index.is_some());
        if indexed { None } else { count }
    }

    /// The variable `_`, which is no part of the state.
    pub(super) fn write_only(&mut self) -> Variable {
        let offset = match self.write_only {
            Some(offset) => offset,
            None => {
                let offset =
                    self.globals.scalar("_".into(), Type::INT, Type::INT.range(), Component::Globals, Format::Hidden);
                self.globals.names.push("_".into());
                self.globals.hidden.push((offset, offset + Type::INT.size()));
                *self.write_only.insert(offset)
            }
        };
        let declared = self.globals.names.iter().position(|name| name == "_").unwrap_or(0) as u32;
        Variable { base: Base::Global, offset, indices: Vec::new(), ty: Type::INT, declared }
    }
}
