//! Words that come together, sorted, and the way of each through a diagram.

use super::diagram::Diagram;
use super::node::{END, Id};
use std::ops::Range;
use tightrope_core::Successor;

/// A word: where its bytes are, and its number among those that came together.
#[derive(Clone, Copy)]
pub struct Word {
    /// Some of its bytes, while words are sorted.
    key: u64,
    start: u32,
    end: u32,
    pub number: u32,
}

impl Word {
    /// The word of a step; none if it leads nowhere.
    pub fn of(item: &Successor, number: usize) -> Option<Word> {
        (item.start != Successor::NONE).then_some(Word {
            key: 0,
            start: item.start,
            end: item.end,
            number: number as u32,
        })
    }

    /// All of `bytes`.
    pub fn whole(bytes: &[u8]) -> Word {
        Word { key: 0, start: 0, end: bytes.len() as u32, number: 0 }
    }

    /// Its length.
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Its bytes.
    #[inline]
    pub fn of_bytes(self, bytes: &[u8]) -> &[u8] {
        &bytes[self.start as usize..self.end as usize]
    }
}

/// Sorts words by their lengths, then by what they are, then by their numbers, in the order of which they come.
pub fn sort(bytes: &[u8], list: &mut [Word]) {
    if !list.is_sorted_by_key(|word| word.len()) {
        list.sort_by_key(|word| word.len());
    }
    list.chunk_by_mut(|one, other| one.len() == other.len()).for_each(|group| sort_from(bytes, group, 0));
}

/// Sorts words that are equally long and alike before `depth`, eight bytes at a time: most are alike for long.
fn sort_from(bytes: &[u8], list: &mut [Word], mut depth: usize) {
    let length = list[0].len() as usize;
    while list.len() > 1 && depth < length {
        for word in list.iter_mut() {
            word.key = key(&word.of_bytes(bytes)[depth..]);
        }
        depth += 8;
        if list.iter().any(|word| word.key != list[0].key) {
            list.sort_unstable_by_key(|word| word.key);
            return list.chunk_by_mut(|one, other| one.key == other.key).for_each(|run| sort_from(bytes, run, depth));
        }
    }
    list.sort_unstable_by_key(|word| word.number);
}

/// The first eight bytes, as far as there are any, as a number that has their order.
#[inline]
fn key(bytes: &[u8]) -> u64 {
    match bytes.first_chunk() {
        Some(eight) => u64::from_be_bytes(*eight),
        None => bytes.iter().fold(0, |key, &byte| key << 8 | u64::from(byte)),
    }
}

/// Words and their bytes.
pub struct Words<'w> {
    pub bytes: &'w [u8],
    pub list: &'w [Word],
}

impl<'w> Words<'w> {
    /// The bytes of a word.
    #[inline]
    pub fn get(&self, index: usize) -> &'w [u8] {
        self.list[index].of_bytes(self.bytes)
    }

    /// Where those words of a range end that have the same byte at `depth` as the first one.
    #[inline]
    pub fn end_of_run(&self, range: Range<usize>, depth: usize) -> usize {
        let byte = self.get(range.start)[depth];
        // Near the root all are alike, far from it there is but one.
        if self.get(range.end - 1)[depth] == byte {
            return range.end;
        }
        (range.start + 1..range.end).find(|&word| self.get(word)[depth] != byte).unwrap_or(range.end)
    }
}

/// How many bytes two words have in common at the beginning.
#[inline]
pub fn common(one: &[u8], other: &[u8]) -> usize {
    let ((these, _), (those, _)) = (one.as_chunks::<8>(), other.as_chunks::<8>());
    for (index, (this, that)) in these.iter().zip(those).enumerate() {
        let difference = u64::from_le_bytes(*this) ^ u64::from_le_bytes(*that);
        if difference != 0 {
            return 8 * index + difference.trailing_zeros() as usize / 8;
        }
    }
    let begin = 8 * these.len().min(those.len());
    begin + one[begin..].iter().zip(&other[begin..]).take_while(|(this, that)| this == that).count()
}

/// What adding words may take at most.
#[derive(Clone, Copy, Default)]
pub struct Need {
    pub nodes: usize,
    pub words: usize,
}

/// A node on the way.
struct Place {
    node: Id,
    depth: usize,
    /// Whether no other way leads there.
    own: bool,
    /// Whether it is part of the need already.
    counted: bool,
}

/// The way of a word.
#[derive(Default)]
pub struct Way {
    places: Vec<Place>,
}

impl Way {
    /// Begins again, at `root`.
    pub fn begin(&mut self, diagram: &Diagram, root: Option<Id>) {
        self.places.clear();
        if let Some(node) = root {
            self.places.push(Place { node, depth: 0, own: diagram.nodes.is_single(node), counted: false });
        }
    }

    /// Follows a word that has `common` bytes in common with the one before; whether it is there.
    pub fn follow(&mut self, diagram: &Diagram, word: &[u8], common: usize) -> bool {
        while self.places.last().is_some_and(|place| place.depth > common) {
            self.places.pop();
        }
        let Some(&Place { mut node, mut depth, mut own, .. }) = self.places.last() else { return false };
        while node != END {
            let here = diagram.node(node);
            let child = if here.is_string() {
                let length = here.string_len();
                if here.common(&word[depth..]) < length {
                    return false;
                }
                depth += length;
                here.string_child()
            } else {
                let Some(arc) = here.find(word[depth]) else { return false };
                depth += 1;
                own &= arc.low == arc.high;
                arc.child
            };
            own = own && diagram.nodes.is_single(child);
            node = child;
            self.places.push(Place { node, depth, own, counted: false });
        }
        true
    }

    /// Adds what it may take to add the word that was followed, which is not there. A node that is made again has up to two
    /// arcs more for each change, half as many words more for ranges and wide ids, and an eighth for its list.
    /// A string may be cut in two, with a node between them; once more for every word that goes on in it.
    pub fn count(&mut self, diagram: &Diagram, word: &[u8], need: &mut Need) {
        for place in self.places.iter_mut().rev().take_while(|place| !place.counted) {
            place.counted = true;
            need.nodes += usize::from(!place.own);
            need.words += 2 * diagram.node(place.node).size() + 8;
        }
        need.nodes += 6;
        need.words += word.len() + 32;
    }
}
