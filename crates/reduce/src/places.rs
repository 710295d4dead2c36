//! A state as what it says: the places that do not hold their usual value.
//!
//! Most places of a state hold one value most of the time. Whatever looks at the others only has little to look at, and
//! finds them by comparing with the *usual state*, many bytes at a time. The usual value of a place is no element, and is
//! the same for all places that a renaming moves to each other; so the usual state is what every renaming makes of it,
//! and a renamed state is the usual state with what was said written elsewhere.

use tightrope_core::{Bag, Repr, Symmetry};

/// No element, no bag.
pub(crate) const NONE: u32 = u32::MAX;

/// A number in the state, or the mark of a bag's slot.
pub(crate) struct Place {
    offset: u32,
    repr: Repr,
    /// The value that says nothing.
    pub usual: i32,
    /// Which place it is, up to renaming.
    pub path: u64,
    /// The bag it is in, and the slot.
    pub slot: (u32, u32),
    owners: (u32, u32),
    names: (u32, u32),
    bits: u64,
}

/// What a place says: its value, and the element that it stands for.
#[derive(Clone, Copy)]
pub(crate) struct Said {
    pub place: u32,
    pub value: i32,
    pub element: u32,
    /// The elements that it is about, each as the bit of its number modulo 64.
    pub about: u64,
}

/// The places of a model's states.
pub(crate) struct Places {
    /// The usual state.
    pub usual: Vec<u8>,
    pub places: Vec<Place>,
    /// The place of each byte.
    of_byte: Vec<u32>,
    /// The owners of all places, with the distances of their entries.
    owners: Vec<(u32, u32)>,
    /// The numbers that stand for elements, for all places.
    names: Vec<(i32, u32, u32)>,
    pub bags: Vec<Bag>,
}

/// The bit of an element in sets that may confuse some.
#[inline]
pub(crate) fn bit(element: u32) -> u64 {
    1 << (element % 64)
}

impl Places {
    /// The places of states with this symmetry. What `example` holds is usual where it can be.
    pub fn new(symmetry: &Symmetry, example: &[u8]) -> Places {
        let end = symmetry.blocks.iter().map(|block| block.offset + block.size).max().unwrap_or(0);
        let mut made = Places {
            usual: vec![0; end as usize],
            places: Vec::new(),
            of_byte: vec![NONE; end as usize],
            owners: Vec::new(),
            names: Vec::new(),
            bags: symmetry.bags.clone(),
        };
        for leaf in &symmetry.leaves {
            let slot = leaf.bag.unwrap_or((NONE, 0));
            made.add(symmetry, leaf.offset, leaf.repr, leaf.path, slot, &leaf.elements);
        }
        for (number, bag) in symmetry.bags.iter().enumerate() {
            for slot in 0..bag.count {
                let offset = bag.offset + slot * bag.size;
                made.add(symmetry, offset, Repr::U8, bag.path, (number as u32, slot), &[]);
            }
        }
        made.places.sort_by_key(|place| place.offset);
        for (number, place) in made.places.iter().enumerate() {
            let bytes = place.offset as usize..place.offset as usize + place.repr.size();
            made.of_byte[bytes].fill(number as u32);
        }
        assert!(!made.of_byte.contains(&NONE), "leaves and bags cover the state");
        made.choose_usual(example);
        made
    }

    fn add(
        &mut self,
        symmetry: &Symmetry,
        offset: u32,
        repr: Repr,
        path: u64,
        slot: (u32, u32),
        names: &[(i32, u32, u32)],
    ) {
        let block = symmetry.blocks.iter().find(|block| (block.offset..block.offset + block.size).contains(&offset));
        let of_block = block.map_or(&[][..], |block| &block.owners);
        let owners = (self.owners.len() as u32, (self.owners.len() + of_block.len()) as u32);
        self.owners.extend_from_slice(of_block);
        let bits = of_block.iter().fold(0, |bits, &(owner, _)| bits | bit(owner));
        let range = (self.names.len() as u32, (self.names.len() + names.len()) as u32);
        self.names.extend_from_slice(names);
        self.places.push(Place { offset, repr, usual: 0, path, slot, owners, names: range, bits });
    }

    /// The usual values: those of the example, for each path of the first place that has it. Zero in bags, whose empty
    /// slots are zero, and where that value would be an element.
    fn choose_usual(&mut self, example: &[u8]) {
        let mut of_path = std::collections::HashMap::new();
        for place in &self.places {
            of_path.entry(place.path).or_insert_with(|| place.repr.load(example, place.offset as usize));
        }
        for place in &self.places {
            assert!(self.element(place, 0) == NONE, "zero stands for no element");
            if self.element(place, of_path[&place.path]) != NONE {
                of_path.insert(place.path, 0);
            }
        }
        for place in &mut self.places {
            if place.slot.0 == NONE {
                place.repr.store(&mut self.usual, place.offset as usize, of_path[&place.path]);
                place.usual = place.repr.load(&self.usual, place.offset as usize);
            }
        }
    }

    /// The elements to whose entries a place belongs, and how far apart the entries of neighbouring elements are.
    #[inline]
    pub fn owners(&self, place: &Place) -> &[(u32, u32)] {
        &self.owners[place.owners.0 as usize..place.owners.1 as usize]
    }

    #[inline]
    fn element(&self, place: &Place, value: i32) -> u32 {
        for &(first, element, count) in &self.names[place.names.0 as usize..place.names.1 as usize] {
            let position = value.wrapping_sub(first) as u32;
            if position < count {
                return element + position;
            }
        }
        NONE
    }

    /// What a place says in a state.
    #[inline]
    fn read(&self, number: u32, state: &[u8]) -> Said {
        let place = &self.places[number as usize];
        let value = place.repr.load(state, place.offset as usize);
        let element = self.element(place, value);
        let about = if element == NONE { place.bits } else { place.bits | bit(element) };
        Said { place: number, value, element, about }
    }

    /// Everything that a state says, in the order of places.
    pub fn list(&self, state: &[u8], said: &mut Vec<Said>) {
        said.clear();
        self.each_change(&self.usual, state, |place| said.push(self.read(place, state)));
    }

    /// What the places say in which two states differ.
    #[inline]
    pub fn changes(&self, old: &[u8], new: &[u8], mut each: impl FnMut(Said, Said)) {
        self.each_change(old, new, |place| each(self.read(place, old), self.read(place, new)));
    }

    #[inline]
    fn each_change(&self, old: &[u8], new: &[u8], mut each: impl FnMut(u32)) {
        let mut last = NONE;
        each_difference(old, new, |byte| {
            let place = self.of_byte[byte];
            if place != last {
                last = place;
                each(place);
            }
        });
    }

    /// Whether what is said is there as well when elements are moved by `shifts`: each by so much.
    #[inline]
    pub fn is_also(&self, said: &Said, state: &[u8], shift: impl Fn(u32) -> i32) -> bool {
        let (repr, at, value) = self.moved(said, shift);
        repr.load(state, at) == value
    }

    /// Writes what is said, with elements moved.
    #[inline]
    pub fn write(&self, said: &Said, state: &mut [u8], shift: impl Fn(u32) -> i32) {
        let (repr, at, value) = self.moved(said, shift);
        repr.store(state, at, value);
    }

    #[inline]
    fn moved(&self, said: &Said, shift: impl Fn(u32) -> i32) -> (Repr, usize, i32) {
        let place = &self.places[said.place as usize];
        let mut at = place.offset as i32;
        for &(owner, stride) in self.owners(place) {
            at += shift(owner) * stride as i32;
        }
        let value = if said.element == NONE { said.value } else { said.value + shift(said.element) };
        (place.repr, at as usize, value)
    }
}

/// Calls `each` with the bytes in which two states of one length differ, in order.
#[inline]
fn each_difference(a: &[u8], b: &[u8], mut each: impl FnMut(usize)) {
    let (wide, rest) = (a.as_chunks::<32>(), b.as_chunks::<32>());
    for (number, (a, b)) in wide.0.iter().zip(rest.0).enumerate() {
        if a != b {
            each_in_words(a, b, number * 32, &mut each);
        }
    }
    each_in_words(wide.1, rest.1, wide.0.len() * 32, &mut each);
}

#[inline]
fn each_in_words(a: &[u8], b: &[u8], start: usize, each: &mut impl FnMut(usize)) {
    let (words, others) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    for (number, (a, b)) in words.0.iter().zip(others.0).enumerate() {
        let mut difference = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        while difference != 0 {
            let byte = difference.trailing_zeros() / 8;
            each(start + number * 8 + byte as usize);
            difference &= !(0xff << (byte * 8));
        }
    }
    for (number, (a, b)) in words.1.iter().zip(others.1).enumerate() {
        if a != b {
            each(start + words.0.len() * 8 + number);
        }
    }
}
