//! How states are cut into leaves, and the leaves joined.
//!
//! The fields of a state, in order, are cut in two where both sides have about as many bits, at the border of a component if
//! there is one nearby; the halves are cut likewise, until the bytes of a part fit into some words: a leaf. The bits are those
//! that the ranges of the fields need; a leaf is its bytes as they are, whatever they say. Parts of a state that change
//! together tend to stand together, so that halves repeat; and where processes of one kind follow each other, so do their leaves.
//!
//! Places in the tree are numbered as in a heap: 1 is the root, 2n and 2n + 1 are the halves of n.

use crate::encodings::process_list::ProcessList;
use tightrope_core::{Component, Field, Schema};

/// The tree of all states with the same process list.
pub struct TreeShape {
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
    /// The words they lie in.
    pub words: Vec<Word>,
}

/// Eight bytes of a state, of which some belong to a leaf.
pub struct Word {
    /// Where they begin.
    pub offset: usize,
    /// The bits that belong to it.
    pub own: u64,
}

impl Word {
    /// What a state has there.
    #[inline(always)]
    pub fn of(&self, state: &[u8]) -> u64 {
        load(state, self.offset) & self.own
    }
}

impl Leaf {
    /// What a state has there, one word after the other.
    #[inline(always)]
    pub fn words_of<'a>(&'a self, state: &'a [u8]) -> impl Iterator<Item = u64> + 'a {
        self.words.iter().map(|word| word.of(state))
    }

    /// Adds the bytes of the leaf to those in `out`, which are zero so far; `out` has at least eight.
    #[inline(always)]
    pub fn put(&self, words: &[u64], out: &mut [u8]) {
        for (word, bits) in self.words.iter().zip(words) {
            let bytes = &mut out[word.offset..word.offset + 8];
            let there = u64::from_le_bytes((&*bytes).try_into().expect("eight bytes"));
            bytes.copy_from_slice(&(there | bits).to_le_bytes());
        }
    }
}

/// The eight bytes at `at`, zeros beyond the end.
#[inline(always)]
pub fn load(state: &[u8], at: usize) -> u64 {
    match state.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(bytes) => u64::from_le_bytes(*bytes),
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
struct PlacedField<'a> {
    field: &'a Field,
    at: u32,
    component: (usize, Component, u32),
}

impl PlacedField<'_> {
    fn end(&self) -> u32 {
        self.at + self.field.repr.size() as u32
    }

    /// Counted in bits; bytes count a little, so that a large part that never changes is cut evenly, too.
    fn weight(&self) -> u64 {
        16 * u64::from(self.field.bits()) + u64::from(self.end() - self.at)
    }
}

/// Appends the fields of a part at `base`; false if they do not cover its `size` bytes.
fn append<'a>(placed: &mut Vec<PlacedField<'a>>, part: usize, fields: &'a [Field], base: u32, size: u32) -> bool {
    let mut at = base;
    for field in fields {
        if base + field.offset != at {
            return false;
        }
        let (kind, number) = field.component;
        placed.push(PlacedField { field, at, component: (part, kind, number) });
        at += field.repr.size() as u32;
    }
    at == base + size
}

impl TreeShape {
    /// The bytes it takes.
    pub fn bytes(&self) -> u64 {
        let words: usize = self.leaves.iter().map(|leaf| leaf.words.capacity() * size_of::<Word>() + 16).sum();
        let nodes = self.leaves.capacity() * size_of::<Leaf>() + self.joins.capacity() * size_of::<Join>();
        (words + nodes) as u64
    }

    /// About the bytes that making a shape takes meanwhile, and that the shape takes afterwards.
    pub fn most_bytes(schema: &Schema, list: &ProcessList) -> (u64, u64) {
        let fields = (TreeShape::fields(schema, list) * size_of::<PlacedField<'_>>()) as u64;
        let words = (list.len / 8 + 1) * size_of::<Word>();
        // There are as many joins as leaves, less one; vectors that grow take up to twice what is in them, and are there twice.
        let nodes = (list.len / 16 + 1) * (size_of::<Leaf>() + 16 + size_of::<Join>());
        (fields + 2 * words as u64 + nodes as u64, (words + nodes) as u64)
    }

    /// How many fields a state with a process list has.
    fn fields(schema: &Schema, list: &ProcessList) -> usize {
        let of_kind = |kind: u8| schema.kinds.get(usize::from(kind)).map_or(0, |kind| kind.fields.len());
        schema.fixed.len() + list.bodies.iter().map(|&(kind, _)| of_kind(kind)).sum::<usize>()
    }

    /// The shape of the states with a process list; none if the schema does not describe all their bytes.
    pub fn new(schema: &Schema, list: &ProcessList) -> Option<TreeShape> {
        let mut fields = Vec::with_capacity(TreeShape::fields(schema, list));
        if !append(&mut fields, 0, &schema.fixed, 0, schema.fixed_size) {
            return None;
        }
        for (number, &(kind, at)) in list.bodies.iter().enumerate() {
            let kind = schema.kinds.get(kind as usize)?;
            if !append(&mut fields, number + 1, &kind.fields, at, kind.size) {
                return None;
            }
        }
        let mut shape = TreeShape { leaves: Vec::new(), joins: Vec::new(), halves: [0, 0] };
        // Positions of joins are not known before all leaves are: they are marked until then.
        let middle = split(&fields);
        let left = shape.grow(&fields[..middle], 2, list.len);
        let right = shape.grow(&fields[middle..], 3, list.len);
        let leaves = shape.leaves.len();
        let settle = |position: usize| if position >= JOINS { position - JOINS + leaves } else { position };
        for join in &mut shape.joins {
            join.halves = join.halves.map(settle);
        }
        shape.halves = [left, right].map(settle);
        if shape.joins.is_empty() {
            shape.make_even();
        }
        Some(shape)
    }

    /// Gives all leaves as many words, at least one, so that one kind of code does for them.
    fn make_even(&mut self) {
        let words = self.leaves.iter().map(|leaf| leaf.words.len()).max().unwrap_or(0).max(1);
        for leaf in &mut self.leaves {
            leaf.words.resize_with(words, || Word { offset: 0, own: 0 });
        }
    }

    /// Adds a node for some fields and all below it; returns its position.
    fn grow(&mut self, fields: &[PlacedField<'_>], place: u64, len: usize) -> usize {
        let words = words(fields, len);
        if words.len() <= if place < 4 { HALF_WORDS } else { LEAF_WORDS } {
            self.leaves.push(Leaf { place, words });
            return self.leaves.len() - 1;
        }
        let middle = split(fields);
        let left = self.grow(&fields[..middle], 2 * place, len);
        let right = self.grow(&fields[middle..], 2 * place + 1, len);
        self.joins.push(Join { place, halves: [left, right] });
        JOINS + self.joins.len() - 1
    }
}

const JOINS: usize = 1 << 32;
/// The most words of a half that is a leaf, and of any other leaf. There are many halves, so they should be small; the
/// others are few, and the larger they are the fewer have to be looked for.
pub const HALF_WORDS: usize = 4;
const LEAF_WORDS: usize = 6;

/// The words that the bytes of fields lie in, in a state of `len` bytes.
fn words(fields: &[PlacedField<'_>], len: usize) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut covered = 0;
    for at in fields.iter().flat_map(|field| field.at as usize..field.end() as usize) {
        if words.is_empty() || at >= covered {
            // The eight bytes are within the state, if it is long enough.
            words.push(Word { offset: at.min(len.saturating_sub(8)), own: 0 });
            covered = at + 8;
        }
        let word = words.last_mut().expect("just made sure");
        word.own |= 0xff << (8 * (at - word.offset));
    }
    words
}

/// Where fields are cut in two. Neither half is empty unless there are less than two.
fn split(fields: &[PlacedField<'_>]) -> usize {
    let total: u64 = fields.iter().map(PlacedField::weight).sum();
    // The nearest to the middle of all borders, and of those between components.
    let mut nearest = [(u64::MAX, 0), (u64::MAX, 0)];
    let mut before = 0;
    for at in 1..fields.len() {
        before += fields[at - 1].weight();
        let distance = (2 * before).abs_diff(total);
        nearest[0] = nearest[0].min((distance, at));
        if fields[at].component != fields[at - 1].component {
            nearest[1] = nearest[1].min((distance, at));
        }
    }
    if nearest[1].0 <= total / 4 { nearest[1].1 } else { nearest[0].1 }
}
