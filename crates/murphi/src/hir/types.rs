//! The types of a model.

use rustc_hash::FxHashMap;
use tightrope_syntax::Span;

/// A type, by its position in [`Types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub u32);

/// A type.
#[derive(Clone, Debug)]
pub struct Type {
    /// What it consists of.
    pub kind: TypeKind,
    /// The name it was first declared with.
    pub name: Option<String>,
    /// The bits of a variable of this type in CMurphi's bit-compressed states.
    ///
    /// A simple type with *n* values takes ⌈log₂(*n* + 1)⌉ bits, since it may also be undefined: 2 for a boolean. A
    /// multiset takes those of its elements and 2 for each of them.
    pub bits: u64,
    /// Where it is written.
    pub span: Span,
    /// How many types are below each other in it, at most.
    pub(crate) depth: u32,
    /// Types of the same shape hold the same values in the same order.
    shape: u32,
}

/// What a type consists of. All types up to `Union` and `Element` are simple.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// Stands for something that was wrong; never in a model that is handed out.
    Error,
    /// All integers: the type of numbers and arithmetic, of no variable but a [`SlotKind`](super::SlotKind) `Counter`
    /// or `Let`.
    Int,
    /// `boolean`
    Bool,
    /// `enum { a, b }`
    Enum {
        /// The names of the values.
        values: Vec<String>,
        /// The number of the first value.
        first: i32,
    },
    /// `lo..hi`
    Range {
        /// The least value.
        lo: i32,
        /// The greatest value.
        hi: i32,
    },
    /// `scalarset(n)`: interchangeable values.
    Scalarset {
        /// How many.
        size: i32,
        /// The number of the first value.
        first: i32,
    },
    /// `union { A, B }` of enums and scalarsets, in the order they are written.
    Union(Vec<TypeId>),
    /// `array [index] of element`
    Array {
        /// A simple type: there is one element for each of its values, in the order of [`Types::ranges`].
        index: TypeId,
        /// The type of the elements.
        element: TypeId,
    },
    /// `record … end`
    Record(Vec<Field>),
    /// `multiset [size] of element`
    Multiset {
        /// How many elements it can hold.
        size: i32,
        /// The type of the elements.
        element: TypeId,
    },
    /// A place of this multiset type, from 0: the type of a [`SlotKind`](super::SlotKind) `Element`.
    Element(TypeId),
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
}

/// A type's structure with the names of types left out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Shape {
    Own(u32),
    Range(i32, i32),
    Union(Vec<TypeId>),
    Array(u32, u32),
    Record(Vec<(String, u32)>),
    Multiset(i32, u32),
}

/// All types of a model.
#[derive(Clone, Debug)]
pub struct Types {
    list: Vec<Type>,
    shapes: FxHashMap<Shape, u32>,
    /// Ranges without a name are entered once, and so are the types of places.
    unnamed: FxHashMap<Shared, TypeId>,
}

/// What makes types without a name the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Shared {
    Range(i32, i32),
    Element(TypeId),
}

impl Default for Types {
    fn default() -> Self {
        let mut types = Types { list: Vec::new(), shapes: FxHashMap::default(), unnamed: FxHashMap::default() };
        types.add(TypeKind::Error, Span::default());
        types.add(TypeKind::Int, Span::default());
        let boolean = types.add(TypeKind::Bool, Span::default());
        types.name(boolean, "boolean");
        types
    }
}

impl Types {
    /// See [`TypeKind::Error`].
    pub const ERROR: TypeId = TypeId(0);
    /// See [`TypeKind::Int`].
    pub const INT: TypeId = TypeId(1);
    /// `boolean`
    pub const BOOL: TypeId = TypeId(2);
    /// The number of the first value of the first enum or scalarset. 0 and 1 are the booleans.
    pub const FIRST_VALUE: i32 = 2;

    /// A type. Ids come from the same model, so it is always there.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.list[id.0 as usize]
    }

    /// What a type consists of.
    pub fn kind(&self, id: TypeId) -> &TypeKind {
        &self.get(id).kind
    }

    /// The bits of a variable of this type in CMurphi's bit-compressed states.
    pub fn bits(&self, id: TypeId) -> u64 {
        self.get(id).bits
    }

    /// All types with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.list.iter().enumerate().map(|(at, ty)| (TypeId(at as u32), ty))
    }

    /// Whether a type's values are single numbers.
    pub fn is_simple(&self, id: TypeId) -> bool {
        !matches!(self.kind(id), TypeKind::Array { .. } | TypeKind::Record(_) | TypeKind::Multiset { .. })
    }

    /// Whether values of this type are integers.
    pub fn is_integer(&self, id: TypeId) -> bool {
        matches!(self.kind(id), TypeKind::Int | TypeKind::Range { .. })
    }

    /// Whether values of these types may meet in a comparison or an assignment: integers with integers, a union with
    /// its members, and otherwise the same type. Composite types are the same if they are alike down to the names of
    /// their fields; CMurphi asks for the same declaration.
    pub fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        if a == b || a == Self::ERROR || b == Self::ERROR || (self.is_integer(a) && self.is_integer(b)) {
            return true;
        }
        match (self.kind(a), self.kind(b)) {
            (TypeKind::Union(members), TypeKind::Enum { .. } | TypeKind::Scalarset { .. } | TypeKind::Bool) => {
                members.contains(&b)
            }
            (TypeKind::Enum { .. } | TypeKind::Scalarset { .. } | TypeKind::Bool, TypeKind::Union(members)) => {
                members.contains(&a)
            }
            (TypeKind::Element(a), TypeKind::Element(b)) => self.alike(*a, *b),
            _ => self.alike(a, b),
        }
    }

    /// Whether two types have the same structure: what `var` parameters ask for.
    pub fn alike(&self, a: TypeId, b: TypeId) -> bool {
        a == b || a == Self::ERROR || b == Self::ERROR || self.get(a).shape == self.get(b).shape
    }

    /// Whether a variable of this type can hold a scalarset's value.
    pub fn holds_scalarset(&self, id: TypeId) -> bool {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.kind(id) {
                TypeKind::Scalarset { .. } => return true,
                TypeKind::Union(members) => open.extend(members),
                TypeKind::Array { element, .. } | TypeKind::Multiset { element, .. } => open.push(*element),
                TypeKind::Record(fields) => open.extend(fields.iter().map(|field| field.ty)),
                _ => {}
            }
        }
        false
    }

    /// A type in words, for messages.
    pub fn describe(&self, id: TypeId) -> String {
        let ty = self.get(id);
        if let Some(name) = &ty.name {
            return format!("`{name}`");
        }
        match &ty.kind {
            TypeKind::Error => "unknown".to_string(),
            TypeKind::Int => "an integer".to_string(),
            TypeKind::Bool => "`boolean`".to_string(),
            TypeKind::Enum { values, .. } => match values.as_slice() {
                [first, _, ..] => format!("`enum {{ {first}, … }}`"),
                _ => format!("`enum {{ {} }}`", values.join(", ")),
            },
            TypeKind::Range { lo, hi } => format!("`{lo}..{hi}`"),
            TypeKind::Scalarset { size, .. } => format!("`scalarset({size})`"),
            TypeKind::Union(_) => "a union".to_string(),
            TypeKind::Array { .. } => "an array".to_string(),
            TypeKind::Record(_) => "a record".to_string(),
            TypeKind::Multiset { .. } => "a multiset".to_string(),
            TypeKind::Element(multiset) => match &self.get(*multiset).name {
                Some(name) => format!("a place of the multiset `{name}`"),
                None => "a place of a multiset".to_string(),
            },
        }
    }

    /// Enters a type, or gives one without a name that is the same.
    pub(crate) fn add(&mut self, kind: TypeKind, span: Span) -> TypeId {
        let key = match kind {
            TypeKind::Range { lo, hi } => Some(Shared::Range(lo, hi)),
            TypeKind::Element(multiset) => Some(Shared::Element(multiset)),
            _ => None,
        };
        if let Some(&known) = key.and_then(|key| self.unnamed.get(&key)) {
            return known;
        }
        let id = self.add_new(kind, span);
        if let Some(key) = key {
            self.unnamed.insert(key, id);
        }
        id
    }

    /// Enters a type that will get a name of its own.
    pub(crate) fn add_new(&mut self, kind: TypeKind, span: Span) -> TypeId {
        let id = TypeId(self.list.len() as u32);
        let depth = 1 + self.parts(&kind).map(|part| self.get(part).depth).max().unwrap_or(0);
        let shape = self.shape(&kind, id);
        self.list.push(Type { kind, name: None, bits: 0, span, depth, shape });
        self.list[id.0 as usize].bits = self.count_bits(id);
        id
    }

    /// Names a type, unless it has a name.
    pub(crate) fn name(&mut self, id: TypeId, name: &str) {
        let ty = &mut self.list[id.0 as usize];
        if ty.name.is_none() {
            ty.name = Some(name.to_string());
        }
    }

    fn parts(&self, kind: &TypeKind) -> impl Iterator<Item = TypeId> {
        let parts: Vec<TypeId> = match kind {
            TypeKind::Union(members) => members.clone(),
            TypeKind::Array { index, element } => vec![*index, *element],
            TypeKind::Record(fields) => fields.iter().map(|field| field.ty).collect(),
            TypeKind::Multiset { element, .. } => vec![*element],
            _ => Vec::new(),
        };
        parts.into_iter()
    }

    fn shape(&mut self, kind: &TypeKind, id: TypeId) -> u32 {
        let of = |part: &TypeId| self.get(*part).shape;
        let shape = match kind {
            TypeKind::Range { lo, hi } => Shape::Range(*lo, *hi),
            TypeKind::Union(members) => Shape::Union(members.clone()),
            TypeKind::Array { index, element } => Shape::Array(of(index), of(element)),
            TypeKind::Record(fields) => Shape::Record(fields.iter().map(|f| (f.name.clone(), of(&f.ty))).collect()),
            TypeKind::Multiset { size, element } => Shape::Multiset(*size, of(element)),
            _ => Shape::Own(id.0),
        };
        let next = self.shapes.len() as u32;
        *self.shapes.entry(shape).or_insert(next)
    }

    /// The bits of a type whose parts are known. Sums that do not fit stay at the greatest number.
    fn count_bits(&self, id: TypeId) -> u64 {
        match self.kind(id) {
            TypeKind::Error | TypeKind::Int | TypeKind::Element(_) => 0,
            TypeKind::Array { index, element } => self.size(*index).saturating_mul(self.bits(*element)),
            TypeKind::Record(fields) => fields.iter().fold(0, |sum, field| sum.saturating_add(self.bits(field.ty))),
            TypeKind::Multiset { size, element } => {
                let each = self.bits(*element).saturating_add(2);
                each.saturating_mul((*size).max(0) as u64)
            }
            // ⌈log₂(n + 1)⌉ is the number of binary digits of n.
            _ => u64::from(64 - self.size(id).leading_zeros()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(types: &mut Types, lo: i32, hi: i32) -> TypeId {
        types.add(TypeKind::Range { lo, hi }, Span::default())
    }

    #[test]
    fn bits_count_the_undefined_value() {
        let mut types = Types::default();
        assert_eq!(types.bits(Types::BOOL), 2);
        for (lo, hi, bits) in
            [(0, 0, 1), (0, 1, 2), (0, 2, 2), (0, 3, 3), (1, 7, 3), (-1, 6, 4), (0, 254, 8), (0, 255, 9)]
        {
            let id = range(&mut types, lo, hi);
            assert_eq!(types.bits(id), bits, "{lo}..{hi}");
        }
        let (index, element) = (range(&mut types, 1, 5), range(&mut types, 0, 2));
        let array = types.add(TypeKind::Array { index, element }, Span::default());
        assert_eq!(types.bits(array), 10);
        let multiset = types.add(TypeKind::Multiset { size: 3, element: array }, Span::default());
        assert_eq!(types.bits(multiset), 36);
        let wide = range(&mut types, i32::MIN, i32::MAX);
        assert_eq!(types.bits(wide), 33);
        let mut tower = types.add(TypeKind::Array { index: wide, element: wide }, Span::default());
        for _ in 0..5 {
            tower = types.add(TypeKind::Array { index: wide, element: tower }, Span::default());
        }
        assert_eq!(types.bits(tower), u64::MAX);
    }

    #[test]
    fn unions_have_their_members_values() {
        let mut types = Types::default();
        let values = vec!["a".to_string(), "b".to_string()];
        let letters = types.add(TypeKind::Enum { values, first: 2 }, Span::default());
        let procs = types.add(TypeKind::Scalarset { size: 3, first: 4 }, Span::default());
        types.name(procs, "P");
        let other = types.add(TypeKind::Scalarset { size: 3, first: 7 }, Span::default());
        let union = types.add(TypeKind::Union(vec![procs, letters]), Span::default());
        assert_eq!(types.ranges(union), [(4, 6), (2, 3)]);
        assert_eq!((types.size(union), types.bits(union)), (5, 3));
        assert_eq!((types.position(union, 3), types.position(union, 7)), (Some(4), None));
        assert_eq!((types.value_name(union, 3).as_str(), types.value_name(union, 6).as_str()), ("b", "P_3"));
        assert!(types.compatible(union, letters) && types.compatible(procs, union));
        assert!(!types.compatible(union, other) && !types.compatible(letters, procs));
        assert!(types.includes(union, letters) && !types.includes(letters, union));
        assert!(types.holds_scalarset(union) && !types.holds_scalarset(letters));
    }

    #[test]
    fn composite_types_are_compared_by_structure() {
        let mut types = Types::default();
        let mut record = |name: &str, hi| {
            let ty = range(&mut types, 0, hi);
            types.add(TypeKind::Record(vec![Field { name: name.into(), ty }]), Span::default())
        };
        let (a, b, c, d) = (record("x", 3), record("x", 3), record("y", 3), record("x", 4));
        assert!(a != b && types.alike(a, b) && types.compatible(a, b));
        assert!(!types.alike(a, c) && !types.compatible(a, d));
        let (narrow, wide) = (range(&mut types, 0, 3), range(&mut types, 0, 4));
        assert!(types.compatible(narrow, wide) && !types.alike(narrow, wide));
        assert_eq!(narrow, range(&mut types, 0, 3));
    }
}
