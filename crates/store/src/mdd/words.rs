//! Words that come together, sorted, and the way of each through a diagram.

use super::diagram::Diagram;
use super::nodes::{END, Id};
use tightrope_core::Successor;

/// A word: where its bytes are, and its number among those that came together.
#[derive(Clone, Copy)]
pub struct Word {
    start: u32,
    end: u32,
    pub number: u32,
}

impl Word {
    /// The word of a step; none if it leads nowhere.
    pub fn of(item: &Successor, number: usize) -> Option<Word> {
        (item.start != Successor::NONE).then_some(Word { start: item.start, end: item.end, number: number as u32 })
    }

    /// All of `bytes`.
    pub fn whole(bytes: &[u8]) -> Word {
        Word { start: 0, end: bytes.len() as u32, number: 0 }
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
}

/// How many bytes two words have in common at the beginning.
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
    /// Begins anew, at `root`.
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

    /// Adds what it may take to add the word that was followed, which is not there. A node that is made anew has up to two
    /// arcs more for each change, half as many words more for ranges and long names, and an eighth for its list;
    /// a string may be cut in two, with a node between them.
    pub fn count(&mut self, diagram: &Diagram, word: &[u8], need: &mut Need) {
        for place in self.places.iter_mut().rev().take_while(|place| !place.counted) {
            place.counted = true;
            need.nodes += usize::from(!place.own);
            need.words += 2 * diagram.node(place.node).size() + 8;
        }
        need.nodes += 6;
        need.words += word.len() / 3 + 24;
    }
}
