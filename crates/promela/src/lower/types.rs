//! Types: of variables, of fields of typedefs, and of channels.

use super::Lower;
use crate::ast::{self, TypeName};
use tightrope_ir::{Channel, Type};
use tightrope_syntax::{Diagnostic, Span};

/// What kind of values a scalar has, besides its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    Number,
    Bool,
    /// The mtype of that number in [`Mtypes::sets`].
    Mtype(usize),
    Chan,
}

/// The type of a variable or of an element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VarType {
    Scalar(Type, ValueKind),
    /// The typedef of that number.
    Struct(usize),
}

/// A typedef.
#[derive(Clone, Debug, Default)]
pub(super) struct StructDef {
    pub members: Vec<Member>,
    pub size: u32,
}

/// A field of a typedef.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub name: String,
    pub ty: VarType,
    pub count: Option<u32>,
    pub offset: u32,
    /// `chan c = [2] of { … }`: the type of the channel that comes with every instance.
    pub chan: Option<u32>,
    pub init: i32,
}

impl Lower<'_> {
    /// Lays out a typedef.
    pub(super) fn declare_typedef(&mut self, typedef: &ast::Typedef) {
        if self.structs_by_name.contains_key(&typedef.name.text) {
            let message = format!("the type `{}` is defined twice", typedef.name.text);
            self.report(Diagnostic::error(message).at(typedef.name.span, "defined again here"));
            return;
        }
        let mut def = StructDef::default();
        for decls in &typedef.fields {
            for var in &decls.vars {
                let Some((ty, count)) = self.var_type(decls, var) else { continue };
                if def.members.iter().any(|member| member.name == var.name.text) {
                    let message = format!("`{}` has two fields named `{}`", typedef.name.text, var.name.text);
                    self.report(Diagnostic::error(message).at(var.name.span, "again here"));
                    continue;
                }
                let mut chan = None;
                let mut init = 0;
                match &var.init {
                    Some(ast::Init::Chan(chan_init)) => chan = self.channel_type(chan_init),
                    Some(ast::Init::Expr(expr)) => init = self.constant(expr).unwrap_or(0),
                    Some(ast::Init::List(_, span)) => {
                        let message = "a field of a typedef cannot have a list of initial values";
                        self.report(Diagnostic::error(message).at(*span, "not possible here"));
                    }
                    None => {}
                }
                let offset = def.size;
                let size = u64::from(self.size_of(ty)) * u64::from(count.unwrap_or(1));
                def.size = def.size.saturating_add(size.min(u64::from(u32::MAX)) as u32);
                def.members.push(Member { name: var.name.text.clone(), ty, count, offset, chan, init });
            }
        }
        self.structs_by_name.insert(typedef.name.text.clone(), self.structs.len());
        self.structs.push(def);
    }

    /// The bytes of a value of a type.
    pub(super) fn size_of(&self, ty: VarType) -> u32 {
        match ty {
            VarType::Scalar(ty, _) => ty.size(),
            VarType::Struct(index) => self.structs[index].size,
        }
    }

    /// The type of a declared variable and the number of its elements.
    pub(super) fn var_type(&mut self, decls: &ast::VarDecls, var: &ast::VarDecl) -> Option<(VarType, Option<u32>)> {
        let mut ty = self.named_type(&decls.ty, decls.ty_span)?;
        match (&decls.ty, &var.width) {
            (TypeName::Unsigned, Some(width)) => {
                let bits = self.constant(width)?;
                if !(1..=32).contains(&bits) {
                    let message = format!("an unsigned variable cannot have {bits} bits");
                    self.report(Diagnostic::error(message).at(width.span, "1 to 32 bits are possible"));
                    return None;
                }
                ty = VarType::Scalar(Type::unsigned(bits as u8), ValueKind::Number);
            }
            (TypeName::Unsigned, None) => {
                let diagnostic = Diagnostic::error(format!("the width of `{}` is missing", var.name.text));
                let help = format!("write `unsigned {} : 8`", var.name.text);
                self.report(diagnostic.at(var.name.span, "`unsigned` needs one").help(help));
                return None;
            }
            (_, Some(width)) => {
                let message = "only unsigned variables have a width";
                self.report(Diagnostic::error(message).at(width.span, "not possible here"));
                return None;
            }
            (_, None) => {}
        }
        let count = match &var.array {
            None => None,
            Some(size) => {
                let count = self.constant(size)?;
                if !(1..=1 << 20).contains(&count) {
                    let message = format!("an array cannot have {count} elements");
                    self.report(Diagnostic::error(message).at(size.span, "1 to 1,048,576 are possible"));
                    return None;
                }
                Some(count as u32)
            }
        };
        // An array of bits is an array of bytes that keep eight bits each.
        if let (VarType::Scalar(Type::BIT, show), Some(_)) = (ty, count) {
            ty = VarType::Scalar(Type::BYTE, show);
        }
        Some((ty, count))
    }

    /// A type by its name. The width of `unsigned` is not part of the name; it is a byte here.
    pub(super) fn named_type(&mut self, ty: &TypeName, span: Span) -> Option<VarType> {
        Some(match ty {
            TypeName::Bit => VarType::Scalar(Type::BIT, ValueKind::Number),
            TypeName::Bool => VarType::Scalar(Type::BIT, ValueKind::Bool),
            TypeName::Byte | TypeName::Pid | TypeName::Unsigned => VarType::Scalar(Type::BYTE, ValueKind::Number),
            TypeName::Short => VarType::Scalar(Type::SHORT, ValueKind::Number),
            TypeName::Int => VarType::Scalar(Type::INT, ValueKind::Number),
            TypeName::Chan => VarType::Scalar(Type::BYTE, ValueKind::Chan),
            TypeName::Mtype(subset) => {
                let set = self.mtypes.set(subset.as_ref().map_or("", |name| &name.text));
                VarType::Scalar(Type::BYTE, ValueKind::Mtype(set))
            }
            TypeName::User(name) => match self.structs_by_name.get(&name.text) {
                Some(&index) => VarType::Struct(index),
                None => {
                    let message = format!("there is no type named `{}`", name.text);
                    self.report(Diagnostic::error(message).at(span, "unknown type"));
                    return None;
                }
            },
        })
    }

    /// The type of the channels that `[N] of { … }` makes.
    pub(super) fn channel_type(&mut self, init: &ast::ChanInit) -> Option<u32> {
        let capacity = self.constant(&init.capacity)?;
        if !(0..=255).contains(&capacity) {
            let message = format!("a channel cannot have {capacity} slots");
            self.report(Diagnostic::error(message).at(init.capacity.span, "0 to 255 are possible"));
            return None;
        }
        let mut fields = Vec::new();
        let mut shows = Vec::new();
        for (ty, span) in &init.fields {
            let ty = self.named_type(ty, *span)?;
            self.leaves(ty, &mut |ty, show| {
                fields.push(ty);
                shows.push(show);
            });
        }
        // A message that is a single bit is kept in a byte, and so are its other bits.
        if fields == [Type::BIT] {
            fields = vec![Type::BYTE];
        }
        let channel = Channel { capacity: capacity as u8, fields };
        let found = self.channels.iter().zip(&self.channel_value_kinds).position(|(c, s)| *c == channel && *s == shows);
        Some(found.unwrap_or_else(|| {
            self.channels.push(channel);
            self.channel_value_kinds.push(shows);
            self.channels.len() - 1
        }) as u32)
    }

    /// Calls `each` with the scalars that a value of a type consists of, in order.
    pub(super) fn leaves(&self, ty: VarType, each: &mut dyn FnMut(Type, ValueKind)) {
        match ty {
            VarType::Scalar(ty, show) => each(ty, show),
            VarType::Struct(index) => {
                for member in &self.structs[index].members {
                    for _ in 0..member.count.unwrap_or(1) {
                        self.leaves(member.ty, each);
                    }
                }
            }
        }
    }
}
