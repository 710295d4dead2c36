//! The values of types.

use super::{TypeId, TypeKind, Types};

impl Types {
    /// The values of a simple type as ranges of numbers, both ends included: one, or one for each member of a union in
    /// the order they are written. Nothing for composite types.
    pub fn ranges(&self, id: TypeId) -> Vec<(i32, i32)> {
        match self.kind(id) {
            TypeKind::Int => vec![(i32::MIN, i32::MAX)],
            TypeKind::Bool => vec![(0, 1)],
            TypeKind::Range { lo, hi } => vec![(*lo, *hi)],
            TypeKind::Enum { values, first } => vec![(*first, *first + values.len() as i32 - 1)],
            TypeKind::Scalarset { size, first } => vec![(*first, *first + *size - 1)],
            TypeKind::Union(members) => members.iter().flat_map(|member| self.ranges(*member)).collect(),
            TypeKind::Element(multiset) => match self.kind(*multiset) {
                TypeKind::Multiset { size, .. } => vec![(0, *size - 1)],
                _ => Vec::new(),
            },
            TypeKind::Error | TypeKind::Array { .. } | TypeKind::Record(_) | TypeKind::Multiset { .. } => Vec::new(),
        }
    }

    /// How many values a simple type has.
    pub fn size(&self, id: TypeId) -> u64 {
        self.ranges(id).iter().map(|(lo, hi)| (i64::from(*hi) - i64::from(*lo) + 1) as u64).sum()
    }

    /// Whether a simple type has this value.
    pub fn contains(&self, id: TypeId, value: i32) -> bool {
        self.ranges(id).iter().any(|(lo, hi)| (*lo..=*hi).contains(&value))
    }

    /// Whether a simple type has all values of another.
    pub fn includes(&self, id: TypeId, other: TypeId) -> bool {
        let ranges = self.ranges(id);
        self.ranges(other).iter().all(|(lo, hi)| ranges.iter().any(|(least, most)| least <= lo && hi <= most))
    }

    /// The number that the next value of an enum or a scalarset would get.
    pub(crate) fn next_value(&self) -> i32 {
        let last = self.iter().filter_map(|(id, ty)| match ty.kind {
            TypeKind::Enum { .. } | TypeKind::Scalarset { .. } => self.ranges(id).last().map(|(_, last)| *last),
            _ => None,
        });
        last.max().map_or(Self::FIRST_VALUE, |last| last + 1)
    }

    /// The position of a value among those of a simple type, in the order of [`Types::ranges`]: an array's element.
    pub fn position(&self, id: TypeId, value: i32) -> Option<u32> {
        let mut before = 0;
        for (lo, hi) in self.ranges(id) {
            if (lo..=hi).contains(&value) {
                return u32::try_from(before + i64::from(value) - i64::from(lo)).ok();
            }
            before += i64::from(hi) - i64::from(lo) + 1;
        }
        None
    }

    /// How a value of a simple type is written. Those of a scalarset `P` are `P_1`, `P_2` and so on, as in CMurphi.
    pub fn value_name(&self, id: TypeId, value: i32) -> String {
        match self.kind(id) {
            TypeKind::Bool if value == 0 => "false".to_string(),
            TypeKind::Bool if value == 1 => "true".to_string(),
            TypeKind::Enum { values, first } => {
                let name = usize::try_from(i64::from(value) - i64::from(*first)).ok().and_then(|at| values.get(at));
                name.map_or_else(|| value.to_string(), Clone::clone)
            }
            TypeKind::Scalarset { first, .. } => {
                let name = self.get(id).name.as_deref().unwrap_or("scalarset");
                format!("{name}_{}", i64::from(value) - i64::from(*first) + 1)
            }
            TypeKind::Union(members) => {
                let member = members.iter().find(|member| self.contains(**member, value));
                member.map_or_else(|| value.to_string(), |member| self.value_name(*member, value))
            }
            _ => value.to_string(),
        }
    }
}
