//! Codes as keys: their bits in the order in which the diagram asks for them.
//!
//! A key is the code, a one that tells where it ends, and zeros up to the width of all keys, which is a whole number of
//! words; then the order. Different codes have different keys, also if one is the beginning of the other, and zeros at
//! the end cost nothing in a diagram that leaves zeros out: a wider diagram has the same nodes, at other levels.

use super::NONE;
use crate::sets::HashTable;
use std::ops::Range;
use std::sync::Arc;
use tightrope_core::{Budget, Ordered, Refused, Reservation, Store};

/// Bits of a word of a key.
const BITS: u32 = u64::BITS;

/// The orders in which a diagram may ask for bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableOrder {
    /// As they are in the code, the high bits of a byte first.
    Vector,
    /// From the end to the beginning.
    Reverse,
    /// The highest bits of all bytes, then the next bits of all, and so on.
    Interleave,
}

impl VariableOrder {
    /// All orders by their names.
    pub const ALL: [(&'static str, VariableOrder); 3] = [
        ("vector", VariableOrder::Vector),
        ("reverse", VariableOrder::Reverse),
        ("interleave", VariableOrder::Interleave),
    ];

    /// What it is, for people.
    pub fn about(self) -> &'static str {
        match self {
            VariableOrder::Vector => "as they are in the state",
            VariableOrder::Reverse => "from the end to the beginning",
            VariableOrder::Interleave => "the highest bits of all bytes, then the next ones of all, and so on",
        }
    }

    /// Makes `key` the key of a code, `words` wide, which is enough for it.
    pub fn key(self, code: &[u8], words: usize, key: &mut Vec<u64>) {
        key.clear();
        let (whole, rest) = code.as_chunks::<8>();
        key.extend(whole.iter().map(|bytes| u64::from_be_bytes(*bytes)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        last[rest.len()] = 0x80;
        key.push(u64::from_be_bytes(last));
        key.resize(words, 0);
        match self {
            VariableOrder::Vector => {}
            VariableOrder::Reverse => {
                key.reverse();
                key.iter_mut().for_each(|word| *word = word.reverse_bits());
            }
            VariableOrder::Interleave => interleave(key),
        }
    }

    /// Where the bit at `level` of keys `words` wide is in those that are `wider`.
    pub fn level_when_wider(self, level: u32, words: usize, wider: usize) -> u32 {
        let (bytes, more) = (8 * words as u32, 8 * (wider - words) as u32);
        match self {
            VariableOrder::Vector => level,
            VariableOrder::Reverse => level + 8 * more,
            VariableOrder::Interleave => level + level / bytes * more,
        }
    }
}

/// How many words the key of a code needs.
pub fn words_for(code: &[u8]) -> usize {
    code.len() / 8 + 1
}

/// Puts the highest bits of all bytes first, then the next bits of all, and so on.
fn interleave(key: &mut [u64]) {
    let planes = 8 * key.len();
    let bits: Vec<u64> = key.to_vec();
    key.fill(0);
    for (index, mut word) in bits.into_iter().enumerate() {
        while word != 0 {
            let at = word.leading_zeros();
            word ^= 1 << (BITS - 1 - at);
            let (byte, bit) = (8 * index + at as usize / 8, at as usize % 8);
            let to = bit * planes + byte;
            key[to / 64] |= 1 << (63 - to % 64);
        }
    }
}

/// The first one of a key at `from` or later.
#[inline]
pub fn next_one(key: &[u64], from: u32) -> u32 {
    let mut index = (from / BITS) as usize;
    let Some(&word) = key.get(index) else { return NONE };
    let mut word = word & (u64::MAX >> (from % BITS));
    while word == 0 {
        index += 1;
        match key.get(index) {
            Some(&next) => word = next,
            None => return NONE,
        }
    }
    BITS * index as u32 + word.leading_zeros()
}

/// The ones of a key at `from` or later, the last one first.
pub fn ones_from_the_end(key: &[u64], from: u32) -> impl Iterator<Item = u32> {
    let first = (from / BITS) as usize;
    (first..key.len()).rev().flat_map(move |index| {
        let mask = if index == first { u64::MAX >> (from % BITS) } else { u64::MAX };
        let mut word = key[index] & mask;
        std::iter::from_fn(move || {
            let at = BITS.checked_sub(1 + word.trailing_zeros())?;
            word &= word - 1;
            Some(BITS * index as u32 + at)
        })
    })
}

/// The keys of all codes of a set, sorted.
pub struct Keys {
    words: usize,
    bits: Vec<u64>,
    sorted: Vec<u32>,
    _holding: Reservation,
}

impl Keys {
    /// The keys of the codes in `codes`.
    pub fn new(
        codes: &mut HashTable,
        order: VariableOrder,
        words: usize,
        budget: &Arc<Budget>,
    ) -> Result<Keys, Refused> {
        let count = codes.len() as usize;
        let mut reservation = Reservation::new(budget.clone());
        reservation.take((count * (8 * words + 4)) as u64)?;
        let mut bits = Vec::with_capacity(count * words);
        let (mut key, mut code) = (Vec::with_capacity(words), Vec::new());
        let mut last = None;
        while let Some(id) = codes.next(last, &mut code)? {
            last = Some(id);
            order.key(&code, words, &mut key);
            bits.extend_from_slice(&key);
        }
        let mut sorted: Vec<u32> = (0..count as u32).collect();
        let key = |index: u32| &bits[index as usize * words..][..words];
        sorted.sort_unstable_by(|&one, &other| key(one).cmp(key(other)));
        Ok(Keys { words, bits, sorted, _holding: reservation })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.sorted.len()
    }

    /// One of them.
    #[inline]
    pub fn get(&self, index: usize) -> &[u64] {
        &self.bits[self.sorted[index] as usize * self.words..][..self.words]
    }

    /// The first one at `from` or later that any key of a range has, which are alike before.
    #[inline]
    pub fn next_one(&self, range: &Range<usize>, from: u32) -> u32 {
        next_one(self.get(range.end - 1), from)
    }

    /// Where those keys of a range begin that have a one at `at`; they are alike before.
    #[inline]
    pub fn split(&self, range: &Range<usize>, at: u32) -> usize {
        if range.len() == 1 {
            return range.start;
        }
        let (word, bit) = ((at / BITS) as usize, BITS - 1 - at % BITS);
        range.start
            + self.sorted[range.clone()]
                .partition_point(|&key| self.bits[key as usize * self.words + word] >> bit & 1 == 0)
    }
}
