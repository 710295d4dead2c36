//! Types: mtype names, typedefs, and the constants that array sizes and the like are made of.

use super::Lower;
use crate::ast::{self, BinOp, Expr, ExprKind, TypeName, UnOp};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tightrope_core::Format;
use tightrope_ir::{Channel, Type};
use tightrope_syntax::{Diagnostic, Span};

/// What kind of values a scalar has, besides its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Show {
    Number,
    Bool,
    /// The mtype of that number in [`Mtypes::sets`].
    Mtype(usize),
    Chan,
}

/// The type of a variable or of an element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VarType {
    Scalar(Type, Show),
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

/// All symbolic names.
#[derive(Default)]
pub(super) struct Mtypes {
    /// The value and the set of a name.
    pub names: FxHashMap<String, (i32, usize)>,
    /// The names of each set by value; the set without a name is the first.
    pub sets: Vec<(String, Vec<String>)>,
}

impl Mtypes {
    /// How values of a set are shown.
    pub fn format(&self, set: usize) -> Format {
        let names = self.sets.get(set).map(|(_, names)| names.clone()).unwrap_or_default();
        Format::Names(Arc::from(names))
    }

    fn set(&mut self, name: &str) -> usize {
        match self.sets.iter().position(|(set, _)| set == name) {
            Some(set) => set,
            None => {
                self.sets.push((name.into(), vec!["0".into()]));
                self.sets.len() - 1
            }
        }
    }
}

impl Lower<'_> {
    /// Numbers the names of an mtype declaration: within one declaration the last name gets the lowest number.
    pub(super) fn declare_mtype(&mut self, decl: &ast::MtypeDecl) {
        let set = self.mtypes.set(decl.subset.as_ref().map_or("", |name| &name.text));
        let base = self.mtypes.sets[set].1.len();
        if base + decl.names.len() > 256 {
            let message = "more than 255 symbolic names in one mtype";
            self.report(Diagnostic::error(message).at(decl.span, "declared here"));
            return;
        }
        for name in decl.names.iter().rev() {
            let value = self.mtypes.sets[set].1.len() as i32;
            if self.mtypes.names.insert(name.text.clone(), (value, set)).is_some() {
                let message = format!("the symbolic name `{}` is declared twice", name.text);
                let again =
                    decl.names.iter().rfind(|other| other.text == name.text).map_or(name.span, |other| other.span);
                let error = Diagnostic::error(message).at(again, "declared again here");
                self.report(if again == name.span { error } else { error.also(name.span, "first here") });
                continue;
            }
            self.mtypes.sets[set].1.push(name.text.clone());
        }
    }

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
                ty = VarType::Scalar(Type::unsigned(bits as u8), Show::Number);
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
            TypeName::Bit => VarType::Scalar(Type::BIT, Show::Number),
            TypeName::Bool => VarType::Scalar(Type::BIT, Show::Bool),
            TypeName::Byte | TypeName::Pid | TypeName::Unsigned => VarType::Scalar(Type::BYTE, Show::Number),
            TypeName::Short => VarType::Scalar(Type::SHORT, Show::Number),
            TypeName::Int => VarType::Scalar(Type::INT, Show::Number),
            TypeName::Chan => VarType::Scalar(Type::BYTE, Show::Chan),
            TypeName::Mtype(subset) => {
                let set = self.mtypes.set(subset.as_ref().map_or("", |name| &name.text));
                VarType::Scalar(Type::BYTE, Show::Mtype(set))
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
        let found = self.channels.iter().zip(&self.channel_shows).position(|(c, s)| *c == channel && *s == shows);
        Some(found.unwrap_or_else(|| {
            self.channels.push(channel);
            self.channel_shows.push(shows);
            self.channels.len() - 1
        }) as u32)
    }

    /// Calls `each` with the scalars that a value of a type consists of, in order.
    pub(super) fn leaves(&self, ty: VarType, each: &mut dyn FnMut(Type, Show)) {
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

    /// The value of a constant expression; a diagnostic if it is not one.
    pub(super) fn constant(&mut self, expr: &Expr) -> Option<i32> {
        match self.try_constant(expr) {
            Some(value) => Some(value),
            None => {
                let message = "a constant is needed here";
                self.report(Diagnostic::error(message).at(expr.span, "this has no constant value"));
                None
            }
        }
    }

    /// The value of a constant expression.
    pub(super) fn try_constant(&self, expr: &Expr) -> Option<i32> {
        Some(match &expr.kind {
            ExprKind::Const(value) => *value,
            ExprKind::Var(var) => match &var.parts[..] {
                [part] if part.index.is_none() => self.mtypes.names.get(&part.name.text)?.0,
                _ => return None,
            },
            ExprKind::Unary(op, a) => {
                let a = self.try_constant(a)?;
                match op {
                    UnOp::Neg => a.wrapping_neg(),
                    UnOp::Not => i32::from(a == 0),
                    UnOp::BitNot => !a,
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.try_constant(a)?, self.try_constant(b)?);
                match op {
                    BinOp::Add => a.wrapping_add(b),
                    BinOp::Sub => a.wrapping_sub(b),
                    BinOp::Mul => a.wrapping_mul(b),
                    BinOp::Div => a.checked_div(b)?,
                    BinOp::Rem => a.checked_rem(b)?,
                    BinOp::Shl => a.wrapping_shl(b as u32),
                    BinOp::Shr => a.wrapping_shr(b as u32),
                    BinOp::BitAnd => a & b,
                    BinOp::BitOr => a | b,
                    BinOp::BitXor => a ^ b,
                    BinOp::Lt => i32::from(a < b),
                    BinOp::Le => i32::from(a <= b),
                    BinOp::Gt => i32::from(a > b),
                    BinOp::Ge => i32::from(a >= b),
                    BinOp::Eq => i32::from(a == b),
                    BinOp::Ne => i32::from(a != b),
                    BinOp::And => i32::from(a != 0 && b != 0),
                    BinOp::Or => i32::from(a != 0 || b != 0),
                }
            }
            ExprKind::Cond(c, a, b) => {
                if self.try_constant(c)? != 0 {
                    self.try_constant(a)?
                } else {
                    self.try_constant(b)?
                }
            }
            _ => return None,
        })
    }
}
