//! A state as what it says: the places that do not hold their usual value.
//!
//! Most places of a state hold one value most of the time. Whatever looks at the others only has little to look at, and
//! finds them by comparing with the *usual state*, many bytes at a time. The usual value of a place is no element, and is
//! the same for all places that a renaming moves to each other; so every renaming leaves the usual state as it is, and a
//! renamed state is the usual state with what was said written elsewhere. Places that no renaming changes are left out.
//!
//! This is where a search with symmetry spends its time: what is done for each place has no branch that depends on the
//! state. Where there is no owner or no element there is *nobody*, whose colour nobody asks for and who never moves.

use crate::difference::each_difference;
use std::collections::HashMap;
use std::num::NonZeroU32;
use tightrope_core::{Bag, Repr, Symmetry};

/// The number of those who stand for no element: as value, as first and as second owner. They come after all elements.
pub(crate) const NOBODIES: usize = 3;

/// A number in the state, or the mark of a bag's slot. One fills a cache line.
#[repr(align(64))]
pub(crate) struct Place {
    /// Which place it is, up to renaming.
    pub path: u64,
    /// Its owners, as bits.
    owner_bits: u64,
    offset: u32,
    /// The first two elements to whose entries it belongs, and how far apart the entries of neighbouring elements are.
    pub owners: [u32; 2],
    strides: [i32; 2],
    /// The other owners: a range of the list of all.
    others: (u32, u32),
    /// The number of the bag's slot that it is in.
    pub slot: Option<NonZeroU32>,
    /// The value that says nothing.
    usual: i32,
    /// The numbers that stand for elements: which of the lists.
    names: u32,
    repr: Repr,
}

/// What a place says.
#[derive(Clone, Copy)]
pub(crate) struct Said {
    pub place: u32,
    value: i32,
    /// The element that the value stands for, or nobody.
    pub element: u32,
    /// What is said up to renaming, as long as elements of a set are all alike. Zero if that is nothing.
    pub word: u64,
    /// The elements that it is about, as bits.
    pub about: u64,
}

/// What a value in a place means: the element that it stands for, or nobody; and the word.
#[derive(Clone, Copy)]
struct Meaning {
    element: u32,
    word: u64,
}

/// So many values of each place have their meaning at hand.
const AT_HAND: usize = 16;

/// The places of a model's states.
pub(crate) struct Places {
    /// The usual state; zero where no renaming changes anything.
    usual: Vec<u8>,
    /// All bits set in the bytes that no renaming changes.
    kept: Vec<u8>,
    /// The other bytes, as bits, 64 of them in each.
    heard: Vec<u64>,
    pub places: Vec<Place>,
    pub bags: Vec<Bag>,
    /// The place of each byte.
    of_byte: Vec<u32>,
    /// The owners of all places beyond the second, with the distances of their entries.
    others: Vec<(u32, i32)>,
    /// What the first values mean, place after place.
    meanings: Vec<Meaning>,
    /// The numbers that stand for elements, as in leaves: each list that there is.
    names: Vec<Vec<(i32, u32, u32)>>,
    /// The set of each element.
    set_of: Vec<u32>,
}

/// An element as a bit: some share one.
#[inline]
pub(crate) fn bit(element: u32) -> u64 {
    1 << (element % 64)
}

/// A number that depends on both and on their order: the two halves of a product, folded.
#[inline]
pub(crate) fn pair(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd1b5_4a32_d192_ed03);
    product as u64 ^ (product >> 64) as u64
}

impl Places {
    /// The places of states with this symmetry. What `example` holds is usual where it can be.
    pub fn new(symmetry: &Symmetry, example: &[u8]) -> Places {
        let end = symmetry.blocks.iter().map(|block| block.offset + block.size).max().unwrap_or(0);
        let mut owners = vec![&[][..]; end as usize];
        for block in &symmetry.blocks {
            owners[block.offset as usize..(block.offset + block.size) as usize].fill(&block.owners);
        }
        let sets = symmetry.sets.iter().enumerate();
        let mut made = Places {
            usual: vec![0; end as usize],
            kept: vec![0; end as usize],
            heard: vec![u64::MAX; end as usize / 64 + 1],
            places: Vec::new(),
            bags: symmetry.bags.clone(),
            of_byte: vec![u32::MAX; end as usize],
            others: Vec::new(),
            meanings: Vec::new(),
            names: Vec::new(),
            set_of: sets.flat_map(|(set, &size)| (0..size).map(move |_| set as u32)).collect(),
        };
        let mut first_slot = Vec::new();
        let mut slots = 1;
        for bag in &symmetry.bags {
            first_slot.push(slots);
            for slot in 0..bag.count {
                let offset = bag.offset + slot * bag.size;
                made.add(offset, Repr::U8, bag.path, owners[offset as usize], NonZeroU32::new(slots + slot), &[]);
            }
            slots += bag.count;
        }
        for leaf in &symmetry.leaves {
            let slot = leaf.bag.and_then(|(bag, slot)| NonZeroU32::new(first_slot[bag as usize] + slot));
            made.add(leaf.offset, leaf.repr, leaf.path, owners[leaf.offset as usize], slot, &leaf.elements);
        }
        made.places.sort_by_key(|place| place.offset);
        for (number, place) in made.places.iter().enumerate() {
            let bytes = place.offset as usize..place.offset as usize + place.repr.size();
            made.of_byte[bytes.clone()].fill(number as u32);
            let is_owned = place.owners[0] < made.nobody();
            if place.slot.is_none() && !is_owned && made.names[place.names as usize].is_empty() {
                made.kept[bytes.clone()].fill(u8::MAX);
                bytes.for_each(|byte| made.heard[byte / 64] &= !(1 << (byte % 64)));
            }
        }
        assert!(!made.of_byte.contains(&u32::MAX), "leaves and bags cover the state");
        made.choose_usual(example);
        let at_hand = |place| (0..AT_HAND).map(move |value| (place, value as i32));
        made.meanings = made.places.iter().flat_map(at_hand).map(|(place, value)| made.look_up(place, value)).collect();
        made
    }

    fn add(
        &mut self,
        offset: u32,
        repr: Repr,
        path: u64,
        owners: &[(u32, u32)],
        slot: Option<NonZeroU32>,
        names: &[(i32, u32, u32)],
    ) {
        let start = self.others.len() as u32;
        self.others.extend(owners.iter().skip(2).map(|&(owner, stride)| (owner, stride as i32)));
        let others = (start, self.others.len() as u32);
        let owner_bits = owners.iter().fold(0, |bits, &(owner, _)| bits | bit(owner));
        let nth = |nth: usize| owners.get(nth).copied().unwrap_or((self.nobody() + 1 + nth as u32, 0));
        let (owners, strides) = ([nth(0).0, nth(1).0], [nth(0).1 as i32, nth(1).1 as i32]);
        let known = self.names.iter().position(|known| known == names);
        let names = known.unwrap_or_else(|| {
            self.names.push(names.to_vec());
            self.names.len() - 1
        }) as u32;
        self.places.push(Place { path, owner_bits, offset, owners, strides, others, slot, usual: 0, names, repr });
    }

    /// The usual values: those of the example, for each path of the first place that has it. Zero in bags, whose empty
    /// slots are zero, and where that value would be an element.
    fn choose_usual(&mut self, example: &[u8]) {
        let is_element = |place: &Place, value| self.element(place, value).is_some();
        let mut of_path = HashMap::new();
        for place in &self.places {
            of_path.entry(place.path).or_insert_with(|| place.repr.load(example, place.offset as usize));
        }
        for place in &self.places {
            assert!(!is_element(place, 0), "zero stands for no element");
            if is_element(place, of_path[&place.path]) {
                of_path.insert(place.path, 0);
            }
        }
        let kept = &self.kept;
        let is_kept = |place: &Place| kept[place.offset as usize] != 0;
        for place in self.places.iter_mut().filter(|place| place.slot.is_none() && !is_kept(place)) {
            place.repr.store(&mut self.usual, place.offset as usize, of_path[&place.path]);
            place.usual = place.repr.load(&self.usual, place.offset as usize);
        }
    }

    /// The length of a state.
    pub fn length(&self) -> usize {
        self.usual.len()
    }

    /// The number that stands for no element as a value. Those that stand for no owner follow.
    #[inline]
    pub fn nobody(&self) -> u32 {
        self.set_of.len() as u32
    }

    /// What a place says that says nothing, of nobody.
    pub fn silence(&self) -> Said {
        Said { place: 0, value: 0, element: self.nobody(), word: 0, about: 0 }
    }

    /// The set of an element.
    #[inline]
    pub fn set_of(&self, element: u32) -> u32 {
        self.set_of[element as usize]
    }

    /// The owners of a place beyond the second.
    #[inline]
    pub fn others(&self, place: &Place) -> &[(u32, i32)] {
        &self.others[place.others.0 as usize..place.others.1 as usize]
    }

    /// Calls `each` with what a state says in the places where it differs from another, in the order of places.
    #[inline]
    pub fn each_change(&self, old: &[u8], new: &[u8], mut each: impl FnMut(&Place, Said)) {
        let mut last = u32::MAX;
        each_difference(old, new, &self.heard, |byte| {
            let number = self.of_byte[byte];
            if number == last {
                return;
            }
            last = number;
            let place = &self.places[number as usize];
            let value = if place.is_byte() { i32::from(new[byte]) } else { place.load(new, place.offset as usize) };
            let meaning = match value as usize {
                value if value < AT_HAND => self.meanings[number as usize * AT_HAND + value],
                _ => self.look_up(place, value),
            };
            let Meaning { element, word } = meaning;
            each(place, Said { place: number, value, element, word, about: place.owner_bits | bit(element) });
        });
    }

    /// Compares a state with the usual one: calls `each` with all that it says, in the order of places.
    #[inline]
    pub fn each_said(&self, state: &[u8], each: impl FnMut(&Place, Said)) {
        self.each_change(&self.usual, state, each);
    }

    /// Makes a state the usual one, except where no renaming changes anything.
    pub fn forget(&self, state: &mut [u8]) {
        for ((byte, kept), usual) in state.iter_mut().zip(&self.kept).zip(&self.usual) {
            *byte = *byte & kept | usual;
        }
    }

    /// The element that a value in a place stands for.
    fn element(&self, place: &Place, value: i32) -> Option<u32> {
        self.names[place.names as usize].iter().find_map(|&(first, element, count)| {
            let position = value.wrapping_sub(first) as u32;
            (position < count).then(|| element + position)
        })
    }

    /// What a value in a place means.
    fn look_up(&self, place: &Place, value: i32) -> Meaning {
        if value == place.usual {
            return Meaning { element: self.nobody(), word: 0 };
        }
        let Some(element) = self.element(place, value) else {
            return Meaning { element: self.nobody(), word: pair(place.path, u64::from(value as u32)) };
        };
        // One that names its owner says more than one that names another of the same colour.
        let role = place.owners.iter().position(|&owner| owner == element).map_or(0, |nth| nth as u64 + 1);
        Meaning { element, word: pair(place.path, 1 << 63 | role << 40 | u64::from(self.set_of(element))) }
    }

    /// Adds a word to the colours of the owners of a place: of each a multiple, so that owners are told apart, and a
    /// word that was added can be taken back by adding its negative.
    #[inline]
    pub fn tell_owners(&self, place: &Place, word: u64, colours: &mut [u64]) {
        const FACTOR: u64 = 0xd6e8_feb8_6659_fd93;
        add(colours, place.owners[0], word.wrapping_mul(FACTOR));
        add(colours, place.owners[1], word.wrapping_mul(FACTOR + 2));
        for (nth, &(owner, _)) in self.others(place).iter().enumerate() {
            add(colours, owner, word.wrapping_mul(FACTOR + 4 + 2 * nth as u64));
        }
    }

    /// Where what is said belongs when each element is moved by so much, and its value then.
    #[inline]
    fn moved(&self, said: &Said, shift: impl Fn(u32) -> i32) -> (&Place, usize, i32) {
        let place = &self.places[said.place as usize];
        let mut at = place.offset as i32;
        at += shift(place.owners[0]) * place.strides[0] + shift(place.owners[1]) * place.strides[1];
        for &(owner, stride) in self.others(place) {
            at += shift(owner) * stride;
        }
        (place, at as usize, said.value + shift(said.element))
    }

    /// Whether a state says the same with each element moved by so much.
    #[inline]
    pub fn says(&self, state: &[u8], said: &Said, shift: impl Fn(u32) -> i32) -> bool {
        let (place, at, value) = self.moved(said, shift);
        if place.is_byte() { i32::from(state[at]) == value } else { place.load(state, at) == value }
    }

    /// Writes what is said with each element moved by so much.
    #[inline]
    pub fn write(&self, state: &mut [u8], said: &Said, shift: impl Fn(u32) -> i32) {
        let (place, at, value) = self.moved(said, shift);
        if place.is_byte() {
            state[at] = value as u8;
        } else {
            place.store(state, at, value);
        }
    }
}

impl Place {
    /// Whether it is a byte, as nearly all are.
    #[inline]
    fn is_byte(&self) -> bool {
        self.repr == Repr::U8
    }

    /// The value at `at` of a place that is no byte: kept apart, so that the way for bytes stays short.
    #[cold]
    fn load(&self, state: &[u8], at: usize) -> i32 {
        self.repr.load(state, at)
    }

    #[cold]
    fn store(&self, state: &mut [u8], at: usize, value: i32) {
        self.repr.store(state, at, value);
    }
}

/// Adds a word to the colour of an element.
#[inline]
pub(crate) fn add(colours: &mut [u64], element: u32, word: u64) {
    let colour = &mut colours[element as usize];
    *colour = colour.wrapping_add(word);
}
