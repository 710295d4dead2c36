//! The variables of random programs made of rules: their forms, how they lie in states, and what a renaming of
//! elements does to them.

use tightrope_core::{Bag, Block, Component, Field, Format, Leaf, Repr, Symmetry};
use tightrope_ir::{Multiset, Type};

/// The form of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// Numbers, from and to.
    Range(i32, i32),
    /// An element of a set.
    Set(usize),
    /// A number or an element: one of several ranges and sets.
    Union(Vec<Form>),
    /// Entries of the second form, one for each value of the first.
    Array(Box<Form>, Box<Form>),
    /// Fields one after the other.
    Record(Vec<Form>),
    /// So many slots, each a byte that says whether it is used and an element of that form.
    Multiset(u32, Box<Form>),
}

impl Form {
    /// Whether it is one number.
    pub fn is_simple(&self) -> bool {
        matches!(self, Form::Range(..) | Form::Set(_) | Form::Union(_))
    }

    /// The ranges and sets it is made of.
    pub fn members(&self) -> Vec<Form> {
        match self {
            Form::Union(members) => members.clone(),
            other => vec![other.clone()],
        }
    }

    /// Whether there is a multiset in it.
    pub fn has_multiset(&self) -> bool {
        match self {
            Form::Range(..) | Form::Set(_) | Form::Union(_) => false,
            Form::Record(fields) => fields.iter().any(Form::has_multiset),
            Form::Array(_, entry) => entry.has_multiset(),
            Form::Multiset(..) => true,
        }
    }

    /// Whether elements of sets are among its values.
    pub fn mentions_elements(&self) -> bool {
        match self {
            Form::Range(..) => false,
            Form::Set(_) => true,
            Form::Union(parts) | Form::Record(parts) => parts.iter().any(Form::mentions_elements),
            Form::Array(_, entry) | Form::Multiset(_, entry) => entry.mentions_elements(),
        }
    }
}

/// A permutation of each set: where each element goes.
pub type Renaming = Vec<Vec<usize>>;

/// The sets and the variables of a program.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// The number of elements of each set.
    pub sets: Vec<u32>,
    /// The global variables, one after the other.
    pub globals: Vec<Form>,
    /// The unions that occur; those of one set as well.
    pub unions: Vec<Form>,
}

impl World {
    /// With these sets and variables.
    pub fn new(sets: Vec<u32>, globals: Vec<Form>) -> World {
        fn collect(form: &Form, unions: &mut Vec<Form>) {
            match form {
                Form::Union(_) if !unions.contains(form) => unions.push(form.clone()),
                Form::Array(index, entry) => {
                    collect(index, unions);
                    collect(entry, unions);
                }
                Form::Record(fields) => fields.iter().for_each(|field| collect(field, unions)),
                Form::Multiset(_, element) => collect(element, unions),
                _ => {}
            }
        }
        let mut unions: Vec<Form> = (0..sets.len()).map(Form::Set).collect();
        globals.iter().for_each(|form| collect(form, &mut unions));
        World { sets, globals, unions }
    }

    /// The least and the greatest number of a range or a set.
    pub fn bounds(&self, form: &Form) -> (i32, i32) {
        match *form {
            Form::Range(low, high) => (low, high),
            Form::Set(set) => {
                let first = 50 + 20 * set as i32;
                (first, first + self.sets[set] as i32 - 1)
            }
            _ => panic!("{form:?} is not one range"),
        }
    }

    /// The ranges of a simple form.
    pub fn ranges(&self, form: &Form) -> Vec<(i32, i32)> {
        form.members().iter().map(|member| self.bounds(member)).collect()
    }

    /// The number of values of a simple form.
    pub fn count(&self, form: &Form) -> u32 {
        self.ranges(form).iter().map(|(low, high)| (high - low + 1) as u32).sum()
    }

    /// The number of a union.
    pub fn union(&self, form: &Form) -> u32 {
        self.unions.iter().position(|union| union == form).expect("all unions are known") as u32
    }

    /// The type of a simple form.
    pub fn ty(&self, form: &Form) -> Type {
        match form {
            Form::Union(_) => Type::pieces(self.union(form), self.count(form)),
            _ => {
                let (low, high) = self.bounds(form);
                Type::within(low, high)
            }
        }
    }

    /// The bytes of a form.
    pub fn size(&self, form: &Form) -> u32 {
        match form {
            Form::Array(index, entry) => self.count(index) * self.size(entry),
            Form::Record(fields) => fields.iter().map(|field| self.size(field)).sum(),
            Form::Multiset(count, element) => count * (1 + self.size(element)),
            simple => self.ty(simple).size(),
        }
    }

    /// The bytes of a state.
    pub fn state_size(&self) -> u32 {
        self.globals.iter().map(|form| self.size(form)).sum()
    }

    /// Where a global variable begins.
    pub fn offset(&self, global: usize) -> u32 {
        self.globals[..global].iter().map(|form| self.size(form)).sum()
    }

    /// The form of a multiset for statements.
    pub fn multiset(&self, count: u32, element: &Form) -> Multiset {
        Multiset { offset: 0, count, size: 1 + self.size(element) }
    }

    /// All fields of a state, and all multisets in it.
    pub fn fields(&self) -> (Vec<Field>, Vec<Multiset>) {
        let (mut fields, mut multisets) = (Vec::new(), Vec::new());
        for (global, form) in self.globals.iter().enumerate() {
            self.add_fields(form, self.offset(global), format!("g{global}"), global, &mut fields, &mut multisets);
        }
        (fields, multisets)
    }

    fn add_fields(
        &self,
        form: &Form,
        offset: u32,
        name: String,
        global: usize,
        fields: &mut Vec<Field>,
        multisets: &mut Vec<Multiset>,
    ) {
        let component = (Component::Globals, global as u32);
        match form {
            Form::Array(index, entry) => {
                let values = self.ranges(index).into_iter().flat_map(|(low, high)| low..=high);
                for (at, value) in values.enumerate() {
                    let offset = offset + at as u32 * self.size(entry);
                    self.add_fields(entry, offset, format!("{name}[{value}]"), global, fields, multisets);
                }
            }
            Form::Record(parts) => {
                let mut at = offset;
                for (number, part) in parts.iter().enumerate() {
                    self.add_fields(part, at, format!("{name}.{number}"), global, fields, multisets);
                    at += self.size(part);
                }
            }
            Form::Multiset(count, element) => {
                let multiset = Multiset { offset, ..self.multiset(*count, element) };
                multisets.push(multiset);
                for slot in 0..*count {
                    let (at, name) = (offset + slot * multiset.size, format!("{name}{{{slot}}}"));
                    let (repr, range) = (Repr::U8, (0, 1));
                    fields.push(Field { name: name.clone(), offset: at, repr, range, component, format: Format::Bool });
                    self.add_fields(element, at + 1, name, global, fields, multisets);
                }
            }
            simple => {
                let format = match simple {
                    Form::Union(_) => Format::Number,
                    one => Format::Defined { low: self.bounds(one).0 },
                };
                let range = (0, self.count(simple) as i32);
                fields.push(Field { name, offset, repr: self.ty(simple).repr, range, component, format });
            }
        }
    }

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
