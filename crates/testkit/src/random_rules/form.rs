//! The variables of random programs made of rules: their forms, and how they lie in states.

mod renaming;

pub use renaming::{Renaming, permutations};

use tightrope_core::{Component, Field, Format, Repr};
use tightrope_ir::{Domain, Multiset, Type};

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
    /// A number of so many bits that always has a value; one that does not fit is a fault.
    Number(u8),
    /// Where an automaton is: one of so many locations, or nowhere, which is the number after them.
    Location {
        /// How many there are.
        count: u32,
        /// In two bytes.
        wide: bool,
    },
}

impl Form {
    /// Whether it is one number, or none.
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
            Form::Record(fields) => fields.iter().any(Form::has_multiset),
            Form::Array(_, entry) => entry.has_multiset(),
            Form::Multiset(..) => true,
            _ => false,
        }
    }

    /// Whether elements of sets are among its values.
    pub fn mentions_elements(&self) -> bool {
        match self {
            Form::Range(..) | Form::Number(_) | Form::Location { .. } => false,
            Form::Set(_) => true,
            Form::Union(parts) | Form::Record(parts) => parts.iter().any(Form::mentions_elements),
            Form::Array(_, entry) | Form::Multiset(_, entry) => entry.mentions_elements(),
        }
    }
}

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

    /// The least and the greatest number of a form that is one range.
    pub fn bounds(&self, form: &Form) -> (i32, i32) {
        match *form {
            Form::Range(low, high) => (low, high),
            Form::Set(set) => {
                let first = 50 + 20 * set as i32;
                (first, first + self.sets[set] as i32 - 1)
            }
            Form::Number(bits) => Type::unsigned(bits).range(),
            Form::Location { count, .. } => (0, count as i32),
            _ => panic!("{form:?} is not one range"),
        }
    }

    /// The ranges of a form that is a number.
    pub fn ranges(&self, form: &Form) -> Vec<(i32, i32)> {
        form.members().iter().map(|member| self.bounds(member)).collect()
    }

    /// The number of values of a form that is a number.
    pub fn count(&self, form: &Form) -> u32 {
        self.ranges(form).iter().map(|(low, high)| (high - low + 1) as u32).sum()
    }

    /// The number of a union.
    pub fn union(&self, form: &Form) -> u32 {
        self.unions.iter().position(|union| union == form).expect("all unions are known") as u32
    }

    /// The type of a form that is a number.
    pub fn ty(&self, form: &Form) -> Type {
        match form {
            Form::Union(_) => Type::union(self.union(form), self.count(form)),
            Form::Number(bits) => Type { domain: Domain::Checked, ..Type::unsigned(*bits) },
            Form::Location { wide, .. } => Type::unsigned(if *wide { 16 } else { 8 }),
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
            number => self.ty(number).size(),
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
            Form::Number(_) | Form::Location { .. } => {
                let (repr, range, format) = (self.ty(form).repr, self.bounds(form), Format::Number);
                fields.push(Field { name, offset, repr, range, component, format });
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
}
