//! The layout of types in the state vector and in frames.

use super::Lower;
use crate::hir::{TypeId, TypeKind, Types};
use tightrope_core::{Component, Field, Format};
use tightrope_ir::{Multiset, Type};

impl Lower<'_> {
    /// The representation of a simple type.
    pub(super) fn scalar(&mut self, id: TypeId) -> Type {
        match self.types.ranges(id)[..] {
            [(low, high)] => Type::within(low, high),
            _ => Type::union(self.union(id), self.types.size(id) as u32),
        }
    }

    /// The number of a simple type's list of ranges.
    pub(super) fn union(&mut self, id: TypeId) -> u32 {
        let ranges = self.types.ranges(id);
        let known = self.rules.unions.iter().position(|union| *union == ranges);
        known.unwrap_or_else(|| {
            self.rules.unions.push(ranges);
            self.rules.unions.len() - 1
        }) as u32
    }

    /// The bytes of a type.
    pub(super) fn size(&mut self, id: TypeId) -> u64 {
        if let Some(&size) = self.sizes.get(&id) {
            return size;
        }
        let size = match self.types.kind(id).clone() {
            TypeKind::Array { index, element } => self.types.size(index).saturating_mul(self.size(element)),
            TypeKind::Record(fields) => fields.iter().fold(0u64, |sum, field| sum.saturating_add(self.size(field.ty))),
            TypeKind::Multiset { size, element } => (size.max(0) as u64).saturating_mul(self.size(element) + 1),
            _ => u64::from(self.scalar(id).size()),
        };
        self.sizes.insert(id, size);
        size
    }

    /// The offset of a field of a record.
    pub(super) fn field_offset(&mut self, id: TypeId, field: u32) -> u32 {
        let TypeKind::Record(fields) = self.types.kind(id).clone() else { return 0 };
        fields[..field as usize].iter().map(|field| self.size(field.ty) as u32).sum()
    }

    /// The form of a multiset type.
    pub(super) fn multiset(&mut self, id: TypeId) -> Multiset {
        let TypeKind::Multiset { size, element } = *self.types.kind(id) else { return Multiset::default() };
        Multiset { offset: 0, count: size.max(0) as u32, size: self.size(element) as u32 + 1 }
    }

    /// The bytes of a value all of whose simple parts have the least value of their types.
    pub(super) fn cleared(&mut self, id: TypeId, bytes: &mut Vec<u8>) {
        match self.types.kind(id).clone() {
            TypeKind::Array { index, element } => {
                for _ in 0..self.types.size(index) {
                    self.cleared(element, bytes);
                }
            }
            TypeKind::Record(fields) => fields.iter().for_each(|field| self.cleared(field.ty, bytes)),
            TypeKind::Multiset { .. } => {
                let size = self.size(id) as usize;
                bytes.resize(bytes.len() + size, 0);
            }
            _ => {
                let at = bytes.len();
                let repr = self.scalar(id).repr;
                bytes.resize(at + repr.size(), 0);
                repr.store(bytes, at, 1);
            }
        }
    }

    /// How what is kept of a simple type is shown: 0 is undefined, 1 the first value.
    fn kept_format(&self, id: TypeId) -> Format {
        match self.types.kind(id) {
            TypeKind::Range { lo, .. } => Format::Defined { low: *lo },
            _ => {
                let values = self.types.ranges(id).into_iter().flat_map(|(low, high)| low..=high);
                let names = values.map(|value| self.types.value_name(id, value));
                Format::Names(std::iter::once("undefined".to_string()).chain(names).collect())
            }
        }
    }

    /// How values of a simple type are shown.
    pub(super) fn value_format(&mut self, id: TypeId) -> Format {
        match self.types.kind(id) {
            TypeKind::Bool => Format::Bool,
            TypeKind::Enum { .. } | TypeKind::Scalarset { .. } | TypeKind::Union(_) => {
                Format::Names(self.value_names.clone())
            }
            _ => Format::Number,
        }
    }

    /// Adds the fields of a variable at `offset` and the multisets in it.
    pub(super) fn fields(&mut self, name: &str, id: TypeId, offset: u32, component: u32) {
        match self.types.kind(id).clone() {
            TypeKind::Array { index, element } => {
                let size = self.size(element) as u32;
                let values = self.types.ranges(index).into_iter().flat_map(|(low, high)| low..=high);
                for (at, value) in values.enumerate() {
                    let name = format!("{name}[{}]", self.types.value_name(index, value));
                    self.fields(&name, element, offset + at as u32 * size, component);
                }
            }
            TypeKind::Record(fields) => {
                let mut at = offset;
                for field in fields {
                    self.fields(&format!("{name}.{}", field.name), field.ty, at, component);
                    at += self.size(field.ty) as u32;
                }
            }
            TypeKind::Multiset { element, .. } => {
                let form = self.multiset(id);
                self.rules.multisets.push(Multiset { offset, ..form });
                for slot in 0..form.count {
                    let at = offset + slot * form.size;
                    // Murphi's bit compression spends two bits here, and so do we.
                    let mark = self.schema.fixed.len();
                    self.field(name.to_string(), at, Type::unsigned(2), (0, 2), component, Format::Hidden);
                    self.fields(&format!("{name}{{{slot}}}"), element, at + 1, component);
                    if slot == 0 {
                        let fields = (self.schema.fixed.len() - mark - 1) as u32;
                        self.schema.fixed[mark].format = Format::Bag { slots: form.count, fields };
                    }
                }
            }
            _ => {
                let ty = self.scalar(id);
                let format = self.kept_format(id);
                let most = self.types.size(id).min(i32::MAX as u64) as i32;
                self.field(name.to_string(), offset, ty, (0, most), component, format);
            }
        }
    }

    fn field(&mut self, name: String, offset: u32, ty: Type, range: (i32, i32), component: u32, format: Format) {
        let component = (Component::Globals, component);
        self.schema.fixed.push(Field { name, offset, repr: ty.repr, range, component, format });
    }
}

/// The names of all enum and scalarset values, by number.
pub(super) fn value_names(types: &Types) -> std::sync::Arc<[String]> {
    let mut names: Vec<String> = Vec::new();
    for (id, ty) in types.iter() {
        if let TypeKind::Enum { .. } | TypeKind::Scalarset { .. } = ty.kind {
            for (low, high) in types.ranges(id) {
                for value in low..=high {
                    let at = value.max(0) as usize;
                    if names.len() <= at {
                        names.resize(at + 1, String::new());
                    }
                    names[at] = types.value_name(id, value);
                }
            }
        }
    }
    names.into()
}
