//! What a renaming of elements does to states.

use super::{Form, World};
use tightrope_core::{Bag, Block, Leaf, Symmetry};

/// A permutation of each set: where each element goes.
pub type Renaming = Vec<Vec<usize>>;

impl World {
    /// The state after a renaming: every value that is an element is replaced, every entry of an array indexed by
    /// elements moves to where its element went, multisets are sorted again. Written from the forms, and as directly as
    /// can be: this is what reductions are compared with.
    pub fn rename(&self, state: &[u8], renaming: &Renaming) -> Vec<u8> {
        let mut renamed = Vec::new();
        for (global, form) in self.globals.iter().enumerate() {
            let at = self.offset(global) as usize;
            renamed.extend(self.renamed(form, &state[at..at + self.size(form) as usize], renaming));
        }
        renamed
    }

    /// Where the value at a position among those of a simple form goes.
    fn moved(&self, form: &Form, position: usize, renaming: &Renaming) -> usize {
        let mut before = 0;
        for member in form.members() {
            let count = self.count(&member) as usize;
            if position < before + count {
                return match member {
                    Form::Set(set) => before + renaming[set][position - before],
                    _ => position,
                };
            }
            before += count;
        }
        panic!("{form:?} has no value {position}")
    }

    fn renamed(&self, form: &Form, bytes: &[u8], renaming: &Renaming) -> Vec<u8> {
        match form {
            Form::Array(index, entry) => {
                let entries: Vec<&[u8]> = bytes.chunks(self.size(entry) as usize).collect();
                let mut renamed = vec![Vec::new(); entries.len()];
                for (position, old) in entries.iter().enumerate() {
                    renamed[self.moved(index, position, renaming)] = self.renamed(entry, old, renaming);
                }
                renamed.concat()
            }
            Form::Record(fields) => {
                let (mut at, mut renamed) = (0, Vec::new());
                for field in fields {
                    let size = self.size(field) as usize;
                    renamed.extend(self.renamed(field, &bytes[at..at + size], renaming));
                    at += size;
                }
                renamed
            }
            Form::Multiset(_, element) => {
                let slots = bytes.chunks(1 + self.size(element) as usize).map(|slot| {
                    if slot[0] == 0 {
                        return slot.to_vec();
                    }
                    [vec![1], self.renamed(element, &slot[1..], renaming)].concat()
                });
                let mut slots: Vec<Vec<u8>> = slots.collect();
                slots.sort();
                slots.reverse();
                slots.concat()
            }
            Form::Number(_) | Form::Location { .. } => bytes.to_vec(),
            simple => {
                let repr = self.ty(simple).repr;
                let mut renamed = bytes.to_vec();
                let kept = repr.load(bytes, 0);
                if kept != 0 {
                    repr.store(&mut renamed, 0, self.moved(simple, kept as usize - 1, renaming) as i32 + 1);
                }
                renamed
            }
        }
    }

    /// All renamings.
    pub fn renamings(&self) -> Vec<Renaming> {
        let mut all: Vec<Renaming> = vec![Vec::new()];
        for &size in &self.sets {
            let orders = permutations(size as usize);
            all = all.iter().flat_map(|head| orders.iter().map(|o| [head.clone(), vec![o.clone()]].concat())).collect();
        }
        all
    }

    /// The symmetry of the states.
    pub fn symmetry(&self) -> Symmetry {
        let mut symmetry = Symmetry { sets: self.sets.clone(), ..Symmetry::default() };
        let mut places = Vec::new();
        for (global, form) in self.globals.iter().enumerate() {
            let place = format!("{global}");
            self.add_symmetry(form, self.offset(global), &place, &[], None, &mut symmetry, &mut places);
        }
        symmetry
    }

    #[allow(clippy::too_many_arguments)]
    fn add_symmetry(
        &self,
        form: &Form,
        offset: u32,
        place: &str,
        owners: &[(u32, u32)],
        bag: Option<(u32, u32)>,
        out: &mut Symmetry,
        places: &mut Vec<String>,
    ) {
        // The number of a place that is described up to renaming.
        let mut path = |place: String| {
            let known = places.iter().position(|other| *other == place);
            known.unwrap_or_else(|| {
                places.push(place);
                places.len() - 1
            }) as u64
        };
        let elements: Vec<u32> = owners.iter().map(|(element, _)| *element).collect();
        match form {
            Form::Array(index, entry) => {
                let stride = self.size(entry);
                let mut at = offset;
                for (number, member) in index.members().iter().enumerate() {
                    for position in 0..self.count(member) {
                        let (mut owners, mut place) = (owners.to_vec(), format!("{place}[{number}"));
                        match member {
                            Form::Set(set) => owners.push((self.first_element(*set) + position, stride)),
                            _ => place.push_str(&format!(":{position}")),
                        }
                        self.add_symmetry(entry, at, &place, &owners, bag, out, places);
                        at += stride;
                    }
                }
            }
            Form::Record(fields) => {
                let mut at = offset;
                for (number, field) in fields.iter().enumerate() {
                    self.add_symmetry(field, at, &format!("{place}.{number}"), owners, bag, out, places);
                    at += self.size(field);
                }
            }
            Form::Multiset(count, element) => {
                let (number, size) = (out.bags.len() as u32, 1 + self.size(element));
                let path = path(place.to_string());
                out.bags.push(Bag { offset, count: *count, size, owners: elements, path });
                for slot in 0..*count {
                    let at = offset + slot * size;
                    out.blocks.push(Block { offset: at, size: 1, owners: owners.to_vec() });
                    let place = format!("{place}{{}}");
                    self.add_symmetry(element, at + 1, &place, owners, Some((number, slot)), out, places);
                }
            }
            simple => {
                let repr = self.ty(simple).repr;
                out.blocks.push(Block { offset, size: repr.size() as u32, owners: owners.to_vec() });
                // Which of its owners are the same one is the same for all places that a renaming exchanges.
                let equal: Vec<usize> =
                    elements.iter().map(|one| elements.iter().position(|other| other == one).unwrap_or(0)).collect();
                let path = path(format!("{place}{equal:?}"));
                let (mut kept, mut named) = (1, Vec::new());
                for member in simple.members() {
                    let count = self.count(&member);
                    if let Form::Set(set) = member {
                        named.push((kept, self.first_element(set), count));
                    }
                    kept += count as i32;
                }
                out.leaves.push(Leaf { offset, repr, owners: elements, path, elements: named, bag });
            }
        }
    }

    /// The number of the first element of a set, counted over all sets.
    fn first_element(&self, set: usize) -> u32 {
        self.sets[..set].iter().sum()
    }
}

/// All orders of the numbers below `count`.
pub fn permutations(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for shorter in permutations(count - 1) {
        for at in 0..count {
            let mut longer = shorter.clone();
            longer.insert(at, count - 1);
            all.push(longer);
        }
    }
    all
}
