//! What a node looks like: a few 32-bit words.
//!
//! The id of a node is the word it begins at; [`END`] is the node behind the last byte, which has no words. The first word
//! is the header: how many arcs or bytes (9 bits), what kind (3 bits), how many arcs lead here (20 bits; a node that
//! ever had more of them stays for good). Behind it stands one of
//! - arcs: a word for each, the byte it begins with and 24 bits of the child, in the order of the bytes; where an arc is
//!   for a range, the last byte of each arc, four to a word; where a child's id has more bits, those, four to a word;
//! - a string: how many bytes if the header cannot tell, then a word with the first byte and 24 bits of the child, the other
//!   bytes, four to a word, and the other bits of the child if there are any.
//!
//! Invariant: what a node means has one form only. So nodes are equal if their words are, but for the count of arcs.

/// The id of a node: where it begins.
pub type Id = u32;
/// The node behind the last byte.
pub const END: Id = 0;

const COUNT: u32 = (1 << 9) - 1;
const STRING: u32 = 1 << 9;
const RANGES: u32 = 1 << 10;
const WIDE: u32 = 1 << 11;
/// Everything in the header but the number of arcs that lead here.
const FORM: u32 = (1 << 12) - 1;
/// One arc that leads here, and too many to count.
pub const ONE: u32 = 1 << 12;
pub const MANY: u32 = !FORM;

/// An arc: the bytes from `low` to `high` lead to `child`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    /// The first byte.
    pub low: u8,
    /// The last byte.
    pub high: u8,
    /// Where to.
    pub child: Id,
}

/// The words of a node, perhaps with others behind them.
#[derive(Clone, Copy)]
pub struct Node<'n>(&'n [u32]);

impl<'n> Node<'n> {
    /// The node that begins there.
    #[inline]
    pub fn new(words: &'n [u32]) -> Self {
        Node(words)
    }

    /// Whether it is a string of bytes, each of which is the only one.
    #[inline]
    pub fn is_string(self) -> bool {
        self.0[0] & STRING != 0
    }

    /// How many arcs or bytes it has, and in which word the first stands.
    #[inline]
    fn count(self) -> (usize, usize) {
        match self.0[0] & COUNT {
            COUNT => (self.0[1] as usize, 2),
            count => (count as usize, 1),
        }
    }

    /// How many words it has.
    #[inline]
    pub fn size(self) -> usize {
        let (count, first) = self.count();
        if self.is_string() {
            return first + 1 + (count - 1).div_ceil(4) + usize::from(self.0[0] & WIDE != 0);
        }
        let planes = usize::from(self.0[0] & WIDE != 0) + usize::from(self.0[0] & RANGES != 0);
        1 + count + planes * count.div_ceil(4)
    }

    /// Byte `index` of those that begin in word `first`, four to a word.
    #[inline]
    fn byte(self, first: usize, index: usize) -> u8 {
        (self.0[first + index / 4] >> (index % 4 * 8)) as u8
    }

    /// How many arcs it has. Not for strings.
    #[inline]
    pub fn arcs(self) -> usize {
        (self.0[0] & COUNT) as usize
    }

    /// An arc by its number.
    #[inline]
    pub fn arc(self, index: usize) -> Arc {
        let (header, count, word) = (self.0[0], self.arcs(), self.0[1 + index]);
        let low = word as u8;
        let mut plane = 1 + count;
        let mut high = low;
        if header & RANGES != 0 {
            high = self.byte(plane, index);
            plane += count.div_ceil(4);
        }
        let mut child = word >> 8;
        if header & WIDE != 0 {
            child |= u32::from(self.byte(plane, index)) << 24;
        }
        Arc { low, high, child }
    }

    /// Calls `each` with every arc. Not for strings.
    #[inline]
    pub fn each_arc(self, mut each: impl FnMut(Arc)) {
        if self.0[0] & (RANGES | WIDE) != 0 {
            return (0..self.arcs()).for_each(|index| each(self.arc(index)));
        }
        for &word in &self.0[1..=self.arcs()] {
            each(Arc { low: word as u8, high: word as u8, child: word >> 8 });
        }
    }

    /// The arc for a byte. Not for strings.
    #[inline]
    pub fn find(self, byte: u8) -> Option<Arc> {
        let arcs = &self.0[1..=self.arcs()];
        if arcs.len() <= 8 && self.0[0] & (RANGES | WIDE) == 0 {
            let arc = *arcs.iter().find(|&&word| word as u8 == byte)?;
            return Some(Arc { low: byte, high: byte, child: arc >> 8 });
        }
        let before = arcs.partition_point(|&word| word as u8 <= byte);
        let arc = self.arc(before.checked_sub(1)?);
        (byte <= arc.high).then_some(arc)
    }

    /// The number of the arc for `byte`, if nothing but its child changes when that is `child`.
    #[inline]
    pub fn place_for(self, byte: u8, child: Id) -> Option<usize> {
        if self.0[0] & (RANGES | WIDE) != 0 || child >> 24 != 0 {
            return None;
        }
        let arcs = &self.0[1..=self.arcs()];
        let place = arcs.iter().position(|&arc| arc as u8 == byte)?;
        // Beside another one with the same child it would become a range.
        let joins = |other: Option<&u32>| other.is_some_and(|arc| arc >> 8 == child && byte.abs_diff(*arc as u8) == 1);
        let beside = joins(arcs.get(place + 1)) || place > 0 && joins(arcs.get(place - 1));
        (!beside).then_some(place)
    }

    /// How many bytes its string has.
    #[inline]
    pub fn string_len(self) -> usize {
        self.count().0
    }

    /// Puts its string into `out`.
    #[inline]
    pub fn copy_string(self, out: &mut Vec<u8>) {
        let (count, first) = self.count();
        out.clear();
        out.push(self.0[first] as u8);
        let words = &self.0[first + 1..first + 1 + (count - 1).div_ceil(4)];
        words.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
        out.truncate(count);
    }

    /// Where its string leads to.
    #[inline]
    pub fn string_child(self) -> Id {
        let (count, first) = self.count();
        let child = self.0[first] >> 8;
        if self.0[0] & WIDE == 0 { child } else { child | self.0[first + 1 + (count - 1).div_ceil(4)] << 24 }
    }

    /// How many bytes its string and `bytes`, which are not fewer, have in common at the beginning.
    #[inline]
    pub fn common(self, bytes: &[u8]) -> usize {
        let (count, first) = self.count();
        if self.0[first] as u8 != bytes[0] {
            return 0;
        }
        let rest = &bytes[1..count];
        let (chunks, tail) = rest.as_chunks::<4>();
        let mut words = self.0[first + 1..].iter();
        for (index, (chunk, word)) in chunks.iter().zip(&mut words).enumerate() {
            let difference = u32::from_le_bytes(*chunk) ^ word;
            if difference != 0 {
                return 1 + 4 * index + difference.trailing_zeros() as usize / 8;
            }
        }
        if !tail.is_empty() {
            let difference = word_of(tail) ^ words.next().expect("as many words as bytes need");
            if difference != 0 {
                return 1 + rest.len() - tail.len() + difference.trailing_zeros() as usize / 8;
            }
        }
        count
    }

    /// Calls `each` with every child, once for each arc.
    #[inline]
    pub fn each_child(self, mut each: impl FnMut(Id)) {
        if self.is_string() {
            each(self.string_child());
        } else {
            self.each_arc(|arc| each(arc.child));
        }
    }

    /// A hash of what it means.
    #[inline]
    pub fn hash(self) -> u64 {
        const FACTOR: u64 = 0xf135_7aea_2e62_a9c5;
        let mut hash = u64::from(self.0[0] & FORM).wrapping_mul(FACTOR);
        let (pairs, rest) = self.0[1..self.size()].as_chunks::<2>();
        for &[one, other] in pairs {
            let pair = u64::from(one) | u64::from(other) << 32;
            hash = (hash.rotate_left(23) ^ pair).wrapping_mul(FACTOR);
        }
        if let &[word] = rest {
            hash = (hash.rotate_left(23) ^ u64::from(word)).wrapping_mul(FACTOR);
        }
        (hash ^ hash >> 32).wrapping_mul(FACTOR)
    }

    /// Whether two nodes mean the same.
    #[inline]
    pub fn means(self, other: Node<'_>) -> bool {
        let size = self.size();
        (self.0[0] ^ other.0[0]) & FORM == 0
            && other
                .0
                .get(1..size)
                .is_some_and(|words| words.iter().zip(&self.0[1..size]).all(|(one, other)| one == other))
    }
}

/// Up to four bytes as a word, the first one lowest.
#[inline]
fn word_of(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))
}

/// A node that is not kept yet.
#[derive(Default)]
pub struct NodeBuilder(Vec<u32>);

impl NodeBuilder {
    /// The node with these arcs.
    pub fn arcs(&mut self, arcs: &[Arc]) {
        let words = &mut self.0;
        words.clear();
        let mut header = arcs.len() as u32;
        words.push(0);
        for arc in arcs {
            words.push(u32::from(arc.low) | arc.child << 8);
            header |= if arc.low == arc.high { 0 } else { RANGES };
            header |= if arc.child >> 24 == 0 { 0 } else { WIDE };
        }
        if header & RANGES != 0 {
            words.extend(
                arcs.chunks(4).map(|four| four.iter().rev().fold(0, |word, arc| word << 8 | u32::from(arc.high))),
            );
        }
        if header & WIDE != 0 {
            words.extend(arcs.chunks(4).map(|four| four.iter().rev().fold(0, |word, arc| word << 8 | arc.child >> 24)));
        }
        words[0] = header;
    }

    /// The node `node` with another child at a place that [`Node::place_for`] gave.
    pub fn like(&mut self, node: Node<'_>, place: usize, child: Id) {
        self.0.clear();
        self.0.extend_from_slice(&node.0[..=node.arcs()]);
        self.0[0] &= FORM;
        self.0[1 + place] = self.0[1 + place] & 0xff | child << 8;
    }

    /// The node with the string `bytes`, which is not empty, that leads to `child`.
    pub fn string(&mut self, bytes: &[u8], child: Id) {
        let words = &mut self.0;
        words.clear();
        let wide = if child >> 24 == 0 { 0 } else { WIDE };
        match u32::try_from(bytes.len()) {
            Ok(length) if length < COUNT => words.push(STRING | wide | length),
            _ => words.extend([STRING | wide | COUNT, bytes.len() as u32]),
        }
        words.push(u32::from(bytes[0]) | child << 8);
        let (chunks, tail) = bytes[1..].as_chunks();
        words.extend(chunks.iter().map(|chunk| u32::from_le_bytes(*chunk)));
        if !tail.is_empty() {
            words.push(word_of(tail));
        }
        if wide != 0 {
            words.push(child >> 24);
        }
    }

    /// Its words.
    #[inline]
    pub fn words(&self) -> &[u32] {
        &self.0
    }

    /// As a node.
    #[inline]
    pub fn node(&self) -> Node<'_> {
        Node(&self.0)
    }
}
