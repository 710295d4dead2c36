//! A state as what it says: the places that do not hold their usual value.
//!
//! Most places of a state hold one value most of the time. Whatever looks at the others only has little to look at, and
//! finds them by comparing with the *usual state*, many bytes at a time. The usual value of a place is no element, and is
//! the same for all places that a renaming moves to each other; so every renaming leaves the usual state as it is, and a
//! renamed state is the usual state with what was said written elsewhere.
//!
//! This is where a search with symmetry spends its time: what is done for each place has no branch that depends on the
//! state. Where there is no owner or no element there is *nobody*, whose colour nobody asks for and who never moves.

use std::collections::HashMap;
use tightrope_core::{Bag, Repr, Symmetry};

/// The number of those who stand for no element: as value, as first and as second owner. They come after all elements.
pub(crate) const NOBODIES: usize = 3;

/// A number in the state, or the mark of a bag's slot. One fills a cache line.
#[repr(align(64))]
pub(crate) struct Place {
    /// Which place it is, up to renaming.
    pub path: u64,
    offset: u32,
    /// The first two elements to whose entries it belongs, and how far apart the entries of neighbouring elements are.
    pub owners: [u32; 2],
    strides: [i32; 2],
    /// The other owners: a range of the list of all.
    others: (u32, u32),
    /// The bag it is in, and the slot.
    pub slot: Option<(u32, u32)>,
    /// What its values mean: the number of its vocabulary.
    vocabulary: u32,
    repr: Repr,
}

/// What a place says.
#[derive(Clone, Copy)]
pub(crate) struct Said {
    pub place: u32,
    pub value: i32,
    /// The element that the value stands for, or nobody.
    pub element: u32,
    /// What is said up to renaming, as long as elements of a set are all alike.
    pub word: u64,
}

/// What a value means: the element that it stands for, or nobody; and its share of the word.
#[derive(Clone, Copy)]
struct Meaning {
    element: u32,
    share: u64,
}

/// So many values of a vocabulary have their meaning at hand: all that fit in a byte.
const AT_HAND: usize = 256;

/// The places of a model's states.
pub(crate) struct Places {
    /// The usual state.
    pub usual: Vec<u8>,
    pub places: Vec<Place>,
    pub bags: Vec<Bag>,
    /// The place of each byte.
    of_byte: Vec<u32>,
    /// The owners of all places beyond the second, with the distances of their entries.
    others: Vec<(u32, i32)>,
    /// The vocabularies: the numbers that stand for elements, as in leaves; and what the first values mean, vocabulary
    /// after vocabulary.
    vocabularies: Vec<Vec<(i32, u32, u32)>>,
    meanings: Vec<Meaning>,
    /// The set of each element.
    set_of: Vec<u32>,
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
        let sets = symmetry.sets.iter().enumerate();
        let mut made = Places {
            usual: vec![0; end as usize],
            places: Vec::new(),
            bags: symmetry.bags.clone(),
            of_byte: vec![u32::MAX; end as usize],
            others: Vec::new(),
            vocabularies: Vec::new(),
            meanings: Vec::new(),
            set_of: sets.flat_map(|(set, &size)| (0..size).map(move |_| set as u32)).collect(),
        };
        for leaf in &symmetry.leaves {
            made.add(symmetry, leaf.offset, leaf.repr, leaf.path, leaf.bag, &leaf.elements);
        }
        for (number, bag) in symmetry.bags.iter().enumerate() {
            for slot in 0..bag.count {
                let offset = bag.offset + slot * bag.size;
                made.add(symmetry, offset, Repr::U8, bag.path, Some((number as u32, slot)), &[]);
            }
        }
        made.places.sort_by_key(|place| place.offset);
        for (number, place) in made.places.iter().enumerate() {
            let bytes = place.offset as usize..place.offset as usize + place.repr.size();
            made.of_byte[bytes].fill(number as u32);
        }
        assert!(!made.of_byte.contains(&u32::MAX), "leaves and bags cover the state");
        made.choose_usual(example);
        made
    }

    fn add(
        &mut self,
        symmetry: &Symmetry,
        offset: u32,
        repr: Repr,
        path: u64,
        slot: Option<(u32, u32)>,
        names: &[(i32, u32, u32)],
    ) {
        let next = symmetry.blocks.partition_point(|block| block.offset <= offset);
        let mut all = symmetry.blocks[..next].last().map_or(Vec::new(), |block| block.owners.clone());
        let start = self.others.len() as u32;
        self.others.extend(all.iter().skip(2).map(|&(owner, stride)| (owner, stride as i32)));
        let others = (start, self.others.len() as u32);
        for nobody in [1, 2] {
            all.push((self.nobody() + nobody, 0));
        }
        let (owners, strides) = ([all[0].0, all[1].0], [all[0].1 as i32, all[1].1 as i32]);
        let known = self.vocabularies.iter().position(|known| known == names);
        let vocabulary = known.unwrap_or_else(|| {
            self.vocabularies.push(names.to_vec());
            self.meanings.extend((0..AT_HAND).map(|value| look_up(names, value as i32, &self.set_of)));
            self.vocabularies.len() - 1
        }) as u32;
        self.places.push(Place { path, offset, owners, strides, others, slot, vocabulary, repr });
    }

    /// The usual values: those of the example, for each path of the first place that has it. Zero in bags, whose empty
    /// slots are zero, and where that value would be an element.
    fn choose_usual(&mut self, example: &[u8]) {
        let is_element = |place: &Place, value| self.meaning(place, value).element != self.nobody();
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
        for place in self.places.iter().filter(|place| place.slot.is_none()) {
            place.repr.store(&mut self.usual, place.offset as usize, of_path[&place.path]);
        }
    }

    /// The number that stands for no element as a value. Those that stand for no owner follow.
    #[inline]
    pub fn nobody(&self) -> u32 {
        self.set_of.len() as u32
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

    /// Calls `each` with everything that a state says, in the order of places.
    #[inline]
    pub fn each_said(&self, state: &[u8], mut each: impl FnMut(&Place, Said)) {
        let mut last = u32::MAX;
        each_difference(&self.usual, state, |byte| {
            let number = self.of_byte[byte];
            if number == last {
                return;
            }
            last = number;
            let place = &self.places[number as usize];
            let value = match place.repr {
                Repr::U8 => i32::from(state[byte]),
                wide => wide.load(state, place.offset as usize),
            };
            let meaning = self.meaning(place, value);
            let word = pair(place.path, meaning.share ^ place.role(meaning.element));
            each(place, Said { place: number, value, element: meaning.element, word });
        });
    }

    #[inline]
    fn meaning(&self, place: &Place, value: i32) -> Meaning {
        if (value as usize) < AT_HAND {
            return self.meanings[place.vocabulary as usize * AT_HAND + value as usize];
        }
        look_up(&self.vocabularies[place.vocabulary as usize], value, &self.set_of)
    }

    /// Where what is said belongs when each element is moved by so much, and its value then.
    #[inline]
    fn moved(&self, said: &Said, shift: impl Fn(u32) -> i32) -> (Repr, usize, i32) {
        let place = &self.places[said.place as usize];
        let mut at = place.offset as i32;
        at += shift(place.owners[0]) * place.strides[0] + shift(place.owners[1]) * place.strides[1];
        for &(owner, stride) in self.others(place) {
            at += shift(owner) * stride;
        }
        (place.repr, at as usize, said.value + shift(said.element))
    }

    /// Whether a state says the same with each element moved by so much.
    #[inline]
    pub fn says(&self, state: &[u8], said: &Said, shift: impl Fn(u32) -> i32) -> bool {
        let (repr, at, value) = self.moved(said, shift);
        repr.load(state, at) == value
    }

    /// Writes what is said with each element moved by so much.
    #[inline]
    pub fn write(&self, state: &mut [u8], said: &Said, shift: impl Fn(u32) -> i32) {
        let (repr, at, value) = self.moved(said, shift);
        repr.store(state, at, value);
    }

    /// Whether what is said is about one of two elements.
    #[inline]
    pub fn is_about(&self, said: &Said, a: u32, b: u32) -> bool {
        let place = &self.places[said.place as usize];
        let is = |element: u32| (element == a) | (element == b);
        let near = is(said.element) | is(place.owners[0]) | is(place.owners[1]);
        near || self.others(place).iter().any(|&(owner, _)| is(owner))
    }
}

impl Place {
    /// Which of its first two owners it names; it says more then than one that names another of its colour.
    #[inline]
    pub fn role(&self, element: u32) -> u64 {
        u64::from(element == self.owners[0]) << 40 | u64::from(element == self.owners[1]) << 41
    }
}

/// What a value means, given the numbers that stand for elements.
fn look_up(names: &[(i32, u32, u32)], value: i32, set_of: &[u32]) -> Meaning {
    for &(first, element, count) in names {
        let position = value.wrapping_sub(first) as u32;
        if position < count {
            let element = element + position;
            return Meaning { element, share: 1 << 63 | u64::from(set_of[element as usize]) };
        }
    }
    Meaning { element: set_of.len() as u32, share: u64::from(value as u32) }
}

/// Calls `each` with the numbers of the bytes in which two states of one length differ, in order.
#[inline]
fn each_difference(a: &[u8], b: &[u8], mut each: impl FnMut(usize)) {
    let ((wide, rest), (other_wide, other_rest)) = (a.as_chunks::<64>(), b.as_chunks::<64>());
    for number in 0..=wide.len() {
        let mut bits = match (wide.get(number), other_wide.get(number)) {
            (Some(a), Some(b)) if a == b => continue,
            (Some(a), Some(b)) => differing(a, b),
            _ => differing(rest, other_rest),
        };
        while bits != 0 {
            each(number * 64 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

/// Which of up to 64 bytes differ, as bits.
#[inline]
fn differing(a: &[u8], b: &[u8]) -> u64 {
    let ((words, rest), (other_words, other_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut bits = 0;
    for (number, (a, b)) in words.iter().zip(other_words).enumerate() {
        let difference = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        // The highest bit of each byte that is not zero; the product brings the eight of them together.
        const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        let high = (((difference & LOW) + LOW) | difference) & !LOW;
        bits |= ((high >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (number * 8);
    }
    for (number, (a, b)) in rest.iter().zip(other_rest).enumerate() {
        bits |= u64::from(a != b) << (words.len() * 8 + number);
    }
    bits
}
