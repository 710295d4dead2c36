//! How states are cut into leaves, and the leaves joined.
//!
//! The fields of a state, in order, are cut in two where the bits on both sides are about as many, at the border of a
//! component if there is one nearby; the halves are cut likewise, until the bits of a piece fit into four words: a leaf. The
//! bits are those that the ranges of the fields need. Parts of a state that change together tend to stand together, so
//! that halves repeat; and where processes of one kind follow each other, so do their leaves.
//!
//! Places in the tree are numbered as in a heap: 1 is the root, 2n and 2n + 1 are the halves of n.

use super::keys::Wide;
use crate::list::List;
use crate::squeeze::Squeeze;
use tightrope_core::{Component, Field, Schema};

/// The tree of all states with the same process list.
pub struct Shape {
    /// The leaves, from the first to the last field.
    pub leaves: Vec<Leaf>,
    /// The inner nodes without the root, each after those it joins.
    pub joins: Vec<Join>,
    /// The halves: positions among the leaves, and then the joins.
    pub halves: [usize; 2],
}

/// Some fields.
pub struct Leaf {
    /// Its place in the tree.
    pub place: u64,
    /// Its fields, by the words they lie in.
    pub words: Vec<Squeeze>,
}

impl Leaf {
    /// The number of its bits.
    pub fn bits(&self) -> u32 {
        self.words.iter().map(|word| word.bits).sum()
    }

    /// The bits of the leaf in `state`; none if a value is outside its range.
    #[inline]
    pub fn squeeze(&self, state: &[u8]) -> Option<Wide> {
        let (mut key, mut at) = ([0; 5], 0);
        for word in &self.words {
            let bits = word.squeeze(load(state, word.offset as usize))?;
            let shift = at % 64;
            key[at / 64] |= bits << shift;
            key[at / 64 + 1] |= bits >> 1 >> (63 - shift);
            at += word.bits as usize;
        }
        Some([key[0], key[1], key[2], key[3]])
    }

    /// Adds the bytes of the leaf to those in `out`, which are zero so far.
    #[inline]
    pub fn stretch(&self, key: Wide, out: &mut [u8]) {
        let mut at = 0;
        for word in &self.words {
            let shift = at % 64;
            let next = key.get(at / 64 + 1).map_or(0, |next| next << 1 << (63 - shift));
            let bits = key.get(at / 64).map_or(0, |this| this >> shift) | next;
            let bytes = &mut out[word.offset as usize..][..8];
            let there = u64::from_le_bytes((&*bytes).try_into().expect("eight bytes"));
            let bits = bits & u64::MAX.checked_shr(64 - word.bits).unwrap_or(0);
            bytes.copy_from_slice(&(there | word.stretch(bits)).to_le_bytes());
            at += word.bits as usize;
        }
    }
}

/// The eight bytes at `at`, zeros beyond the end.
#[inline]
pub fn load(state: &[u8], at: usize) -> u64 {
    match state.get(at..at + 8) {
        Some(bytes) => u64::from_le_bytes(bytes.try_into().expect("eight bytes")),
        None => {
            let mut chunk = [0; 8];
            let rest = state.get(at..).unwrap_or_default();
            chunk[..rest.len()].copy_from_slice(rest);
            u64::from_le_bytes(chunk)
        }
    }
}

/// Two nodes, joined.
pub struct Join {
    /// Its place in the tree.
    pub place: u64,
    /// What it joins: positions among the leaves, and then the joins.
    pub halves: [usize; 2],
}

/// A field and its place in the state, and what it belongs to.
struct Piece<'a> {
    field: &'a Field,
    at: u32,
    component: (usize, Component, u32),
}

impl Piece<'_> {
    fn end(&self) -> u32 {
        self.at + self.field.repr.size() as u32
    }

    /// Counted in bits; bytes count a little, so that a large part that never changes is cut evenly, too.
    fn weight(&self) -> u64 {
        16 * u64::from(self.field.bits()) + u64::from(self.end() - self.at)
    }
}

/// Appends the fields of a part at `base`; false if they do not cover its `size` bytes.
fn append<'a>(pieces: &mut Vec<Piece<'a>>, part: usize, fields: &'a [Field], base: u32, size: u32) -> bool {
    let mut at = base;
    for field in fields {
        if base + field.offset != at {
            return false;
        }
        let (kind, number) = field.component;
        pieces.push(Piece { field, at, component: (part, kind, number) });
        at += field.repr.size() as u32;
    }
    at == base + size
}

impl Shape {
    /// The shape of the states with a process list; none if the schema does not describe all their bytes.
    pub fn new(schema: &Schema, list: &List) -> Option<Shape> {
        let mut pieces = Vec::new();
        if !append(&mut pieces, 0, &schema.fixed, 0, schema.fixed_size) {
            return None;
        }
        for (number, &(kind, at)) in list.bodies.iter().enumerate() {
            let kind = schema.kinds.get(kind as usize)?;
            if !append(&mut pieces, number + 1, &kind.fields, at, kind.size) {
                return None;
            }
        }
        let mut shape = Shape { leaves: Vec::new(), joins: Vec::new(), halves: [0, 0] };
        // Positions of joins are not known before all leaves are: they are marked until then.
        let middle = cut(&pieces);
        let left = shape.grow(&pieces[..middle], 2, list.len as u32)?;
        let right = shape.grow(&pieces[middle..], 3, list.len as u32)?;
        let leaves = shape.leaves.len();
        let settle = |position: usize| if position >= JOINS { position - JOINS + leaves } else { position };
        for join in &mut shape.joins {
            join.halves = join.halves.map(settle);
        }
        shape.halves = [left, right].map(settle);
        Some(shape)
    }

    /// Adds a node for some pieces and all below it; returns its position.
    fn grow(&mut self, pieces: &[Piece<'_>], place: u64, len: u32) -> Option<usize> {
        if pieces.iter().map(|piece| piece.field.bits()).sum::<u32>() <= LEAF_BITS {
            self.leaves.push(Leaf { place, words: words(pieces, len)? });
            return Some(self.leaves.len() - 1);
        }
        let middle = cut(pieces);
        let left = self.grow(&pieces[..middle], 2 * place, len)?;
        let right = self.grow(&pieces[middle..], 2 * place + 1, len)?;
        self.joins.push(Join { place, halves: [left, right] });
        Some(JOINS + self.joins.len() - 1)
    }
}

const JOINS: usize = 1 << 32;
/// The most bits of a leaf.
const LEAF_BITS: u32 = 255;

/// How pieces are squeezed, in a state of `len` bytes.
fn words(pieces: &[Piece<'_>], len: u32) -> Option<Vec<Squeeze>> {
    let mut words = Vec::new();
    let mut from = 0;
    while from < pieces.len() {
        let begin = pieces[from].at;
        let count = pieces[from..].iter().take_while(|piece| piece.end() <= begin + 8).count();
        let fields: Vec<(&Field, u32)> =
            pieces[from..from + count].iter().map(|piece| (piece.field, piece.at)).collect();
        // The eight bytes are within the state, if it is long enough.
        words.push(Squeeze::word(begin.min(len.saturating_sub(8)), &fields)?);
        from += count;
    }
    Some(words)
}

/// Where pieces are cut in two. Neither half is empty unless there are less than two.
fn cut(pieces: &[Piece<'_>]) -> usize {
    let total: u64 = pieces.iter().map(Piece::weight).sum();
    // The nearest to the middle of all borders, and of those between components.
    let mut nearest = [(u64::MAX, 0), (u64::MAX, 0)];
    let mut before = 0;
    for at in 1..pieces.len() {
        before += pieces[at - 1].weight();
        let distance = (2 * before).abs_diff(total);
        nearest[0] = nearest[0].min((distance, at));
        if pieces[at].component != pieces[at - 1].component {
            nearest[1] = nearest[1].min((distance, at));
        }
    }
    if nearest[1].0 <= total / 4 { nearest[1].1 } else { nearest[0].1 }
}
