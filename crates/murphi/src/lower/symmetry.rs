//! Where the elements of scalarsets occur in states.

use super::Lower;
use crate::hir::{TypeId, TypeKind};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tightrope_core::{Bag, Block, Leaf, Repr, Symmetry};

/// The walk over the state.
struct OccurrenceWalk {
    symmetry: Symmetry,
    /// The first element of each scalarset of at least two.
    first: FxHashMap<TypeId, u32>,
    /// The elements to whose entries the present place belongs, with the distance of neighbouring entries.
    owners: Vec<(u32, u32)>,
    bag: Option<(u32, u32)>,
}

impl Lower<'_> {
    /// The symmetry of the model's states; none if it has no scalarset of at least two elements.
    pub(super) fn symmetry(&mut self) -> Option<Arc<Symmetry>> {
        let mut walk = OccurrenceWalk {
            symmetry: Symmetry::default(),
            first: FxHashMap::default(),
            owners: Vec::new(),
            bag: None,
        };
        let mut count = 0;
        for (id, ty) in self.types.iter() {
            if let TypeKind::Scalarset { size, .. } = ty.kind
                && size > 1
            {
                walk.first.insert(id, count);
                walk.symmetry.sets.push(size as u32);
                walk.symmetry.names.push(ty.name.clone().unwrap_or_else(|| "(unnamed)".into()));
                count += size as u32;
            }
        }
        if count == 0 {
            return None;
        }
        for (number, global) in self.model.globals.iter().enumerate() {
            self.walk(&mut walk, global.ty, self.offsets[number], mix(number as u64));
        }
        Some(Arc::new(walk.symmetry))
    }

    /// The members of a simple type: position of the first value among the type's values, the scalarset if it is one
    /// that counts, and the number of values.
    fn members(&self, id: TypeId, walk: &OccurrenceWalk) -> Vec<(u32, Option<u32>, u32)> {
        let members = match self.types.kind(id) {
            TypeKind::Union(members) => members.clone(),
            _ => vec![id],
        };
        let mut at = 0;
        let mut found = Vec::new();
        for member in members {
            let size = self.types.size(member) as u32;
            found.push((at, walk.first.get(&member).copied(), size));
            at += size;
        }
        found
    }

    fn walk(&mut self, walk: &mut OccurrenceWalk, id: TypeId, offset: u32, path: u64) {
        match self.types.kind(id).clone() {
            TypeKind::Array { index, element } => {
                let stride = self.size(element) as u32;
                for (start, set, size) in self.members(index, walk) {
                    for position in 0..size {
                        let at = offset + (start + position) * stride;
                        match set {
                            Some(first) => {
                                walk.owners.push((first + position, stride));
                                self.walk(walk, element, at, pair(path, u64::MAX));
                                walk.owners.pop();
                            }
                            None => self.walk(walk, element, at, pair(path, u64::from(start + position))),
                        }
                    }
                }
            }
            TypeKind::Record(fields) => {
                let mut at = offset;
                for (number, field) in fields.iter().enumerate() {
                    self.walk(walk, field.ty, at, pair(path, number as u64));
                    at += self.size(field.ty) as u32;
                }
            }
            TypeKind::Multiset { element, .. } => {
                let form = self.multiset(id);
                let number = walk.symmetry.bags.len() as u32;
                let owners = walk.owners.iter().map(|(owner, _)| *owner).collect();
                walk.symmetry.bags.push(Bag { offset, count: form.count, size: form.size, owners, path });
                for slot in 0..form.count {
                    let at = offset + slot * form.size;
                    walk.block(at, 1);
                    let outer = walk.bag.replace((number, slot));
                    self.walk(walk, element, at + 1, pair(path, 1));
                    walk.bag = outer;
                }
            }
            _ => {
                let repr = self.scalar(id).repr;
                let members = self.members(id, walk).into_iter();
                // What is kept is one more than the position among the type's values.
                let elements = members.filter_map(|(start, set, size)| Some((start as i32 + 1, set?, size))).collect();
                walk.leaf(offset, repr, path, elements);
            }
        }
    }
}

impl OccurrenceWalk {
    fn block(&mut self, offset: u32, size: u32) {
        if let Some(last) = self.symmetry.blocks.last_mut()
            && last.offset + last.size == offset
            && last.owners == self.owners
        {
            last.size += size;
            return;
        }
        self.symmetry.blocks.push(Block { offset, size, owners: self.owners.clone() });
    }

    fn leaf(&mut self, offset: u32, repr: Repr, path: u64, elements: Vec<(i32, u32, u32)>) {
        self.block(offset, repr.size() as u32);
        let owners: Vec<u32> = self.owners.iter().map(|(owner, _)| *owner).collect();
        // An entry of a table on its diagonal is another place than one beside it.
        let mut path = path;
        for (nth, owner) in owners.iter().enumerate() {
            if let Some(earlier) = owners[..nth].iter().position(|other| other == owner) {
                path = pair(path, (nth as u64) << 32 | earlier as u64);
            }
        }
        self.symmetry.leaves.push(Leaf { offset, repr, owners, path, elements, bag: self.bag });
    }
}

fn mix(number: u64) -> u64 {
    let z = (number ^ 0x5851_f42d_4c95_7f2d).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (z ^ (z >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

fn pair(a: u64, b: u64) -> u64 {
    mix(a.rotate_left(17).wrapping_add(mix(b)))
}
