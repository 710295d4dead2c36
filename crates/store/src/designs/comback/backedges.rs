//! The backedge table: how each state was reached first, by its parent and the number of a step.
//!
//! Identifiers count in the order of insertion, so that in a breadth-first search the parents of successive states hardly ever
//! decrease. States are in blocks of 128. A block has the least parent, the numbers of the steps in as many bits as the largest
//! needs, and the parents: in unary the distance of each from the one before, where they do not decrease, otherwise distances from the
//! least in as many bits as the largest needs, whichever is shorter.
//!
//! Bits per state: about two for the parent, those of the number of a step, and 0.75 for where a block begins.

use crate::memory::budget_region::BudgetRegion;
use crate::memory::quotient::ones;
use crate::memory::select::select;
use std::sync::Arc;
use tightrope_core::{Budget, BudgetVec, Refused};

/// The states of a block.
const BLOCK: usize = 128;
/// The most words of a block: a head, and for each state a parent and a number of 32 bits.
const MOST_WORDS: usize = 1 + BLOCK + 1;

/// A parent and the number of the step from there.
pub type Backedge = (u32, u32);

/// The table.
pub struct Backedges {
    /// The blocks, one after the other.
    words: BudgetRegion<u64>,
    used: usize,
    /// Where each block begins.
    starts: BudgetVec<u32>,
    /// The block that is not full yet.
    open: Vec<Backedge>,
}

/// The first word of a block: the least parent, the bits of a number, and the bits of a parent, or [`UNARY`].
#[derive(Clone, Copy)]
struct Head {
    least: u32,
    number_bits: u32,
    parent_bits: u32,
}

/// In place of the bits of a parent: parents are in unary.
const UNARY: u32 = 63;

impl Head {
    fn word(self) -> u64 {
        u64::from(self.least) | u64::from(self.number_bits) << 32 | u64::from(self.parent_bits) << 38
    }

    fn of(word: u64) -> Head {
        Head { least: word as u32, number_bits: (word >> 32) as u32 & 63, parent_bits: (word >> 38) as u32 & 63 }
    }
}

fn bits_of(number: u32) -> u32 {
    u32::BITS - number.leading_zeros()
}

/// The `width` bits at `bit` of a block.
fn read(block: &[u64], bit: usize, width: u32) -> u32 {
    if width == 0 {
        return 0;
    }
    let (word, shift) = (bit / 64, bit % 64);
    let above = block.get(word + 1).map_or(0, |next| next << 1 << (63 - shift));
    ((block[word] >> shift | above) & ones(width)) as u32
}

fn write(block: &mut [u64], bit: usize, value: u32, width: u32) {
    if width == 0 {
        return;
    }
    let (word, shift) = (bit / 64, bit % 64);
    block[word] |= u64::from(value) << shift;
    if shift + width as usize > 64 {
        block[word + 1] |= u64::from(value) >> (64 - shift);
    }
}

impl Backedges {
    /// An empty table.
    pub fn new(budget: &Arc<Budget>) -> Self {
        Backedges {
            words: BudgetRegion::sparing(budget),
            used: 0,
            starts: BudgetVec::new(budget.clone()),
            open: Vec::with_capacity(BLOCK),
        }
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        self.words.bytes() + self.starts.bytes()
    }

    /// Makes sure that one more can be added.
    #[inline]
    pub fn make_room(&mut self) -> Result<(), Refused> {
        if self.open.len() + 1 < BLOCK {
            return Ok(());
        }
        if self.used + MOST_WORDS > u32::MAX as usize {
            return Err(Refused::Limit("the backedge table takes as much as it can, 32 GiB"));
        }
        self.words.make_room(self.used + MOST_WORDS)?;
        self.starts.make_room(1)
    }

    /// Adds the edge of the next state, for which there is room ([`Backedges::make_room`]).
    #[inline]
    pub fn push(&mut self, edge: Backedge) {
        self.open.push(edge);
        if self.open.len() == BLOCK {
            self.close();
        }
    }

    /// Writes the block that is full.
    fn close(&mut self) {
        let least = self.open.iter().map(|edge| edge.0).min().unwrap_or(0);
        let widest = self.open.iter().map(|edge| edge.0 - least).max().unwrap_or(0);
        let number_bits = bits_of(self.open.iter().map(|edge| edge.1).max().unwrap_or(0));
        let is_sorted = self.open.is_sorted_by_key(|edge| edge.0);
        let fixed = bits_of(widest);
        let unary = is_sorted && BLOCK as u64 + u64::from(widest) <= BLOCK as u64 * u64::from(fixed);
        let head = Head { least, number_bits, parent_bits: if unary { UNARY } else { fixed } };
        let parent_bits = if unary { BLOCK + widest as usize } else { BLOCK * fixed as usize };
        let words = 1 + (BLOCK * number_bits as usize + parent_bits).div_ceil(64);
        let block = &mut self.words[self.used..self.used + words];
        block[0] = head.word();
        let (mut bit, numbers) = (64, 64 + BLOCK * number_bits as usize);
        let (mut parent_bit, mut before) = (numbers, least);
        for &(parent, number) in &self.open {
            write(block, bit, number, number_bits);
            bit += number_bits as usize;
            if unary {
                // As many zeros as the parent is behind the one before, and a one.
                parent_bit += (parent - before) as usize;
                write(block, parent_bit, 1, 1);
                (parent_bit, before) = (parent_bit + 1, parent);
            } else {
                write(block, parent_bit, parent - least, fixed);
                parent_bit += fixed as usize;
            }
        }
        // There is room: it was made before the last edge came.
        let _ = self.starts.push(self.used as u32);
        self.used += words;
        self.open.clear();
    }

    /// The edge of a state.
    #[inline]
    pub fn get(&self, id: u32) -> Backedge {
        let (block, at) = (id as usize / BLOCK, id as usize % BLOCK);
        let Some(&start) = self.starts.get(block) else { return self.open[at] };
        let end = self.starts.get(block + 1).map_or(self.used, |&end| end as usize);
        let block = &self.words[start as usize..end];
        let head = Head::of(block[0]);
        let number = read(block, 64 + at * head.number_bits as usize, head.number_bits);
        let parents = 64 + BLOCK * head.number_bits as usize;
        if head.parent_bits != UNARY {
            let parent = read(block, parents + at * head.parent_bits as usize, head.parent_bits);
            return (head.least + parent, number);
        }
        // The place of the one of that rank, less the ones before it, is the distance from the least.
        let (mut word, mut rank) = (parents / 64, at as u32);
        let mut bits = block[word] & (u64::MAX << (parents % 64));
        while bits.count_ones() <= rank {
            rank -= bits.count_ones();
            word += 1;
            bits = block[word];
        }
        let place = word * 64 + select(bits, rank) as usize - parents;
        (head.least + (place - at) as u32, number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(edges: impl Iterator<Item = Backedge>) -> f64 {
        let budget = Arc::new(Budget::unlimited());
        let mut table = Backedges::new(&budget);
        let edges: Vec<Backedge> = edges.collect();
        for (id, &edge) in edges.iter().enumerate() {
            table.make_room().unwrap();
            table.push(edge);
            assert_eq!(table.get(id as u32), edge);
        }
        for (id, &edge) in edges.iter().enumerate() {
            assert_eq!(table.get(id as u32), edge, "state {id}");
        }
        assert_eq!(table.bytes(), budget.used());
        table.used as f64 * 64.0 / edges.len() as f64
    }

    #[test]
    fn every_edge_comes_back() {
        let mut random = 7u64;
        let mut next = move |below: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % below
        };
        // Parents one by one, with gaps, with long gaps, in any order.
        let mut parent = 0;
        let bits = check((0..100_000).map(|_| {
            parent += next(3) as u32;
            (parent, next(4) as u32)
        }));
        assert!(bits < 4.8, "{bits} bits for a step of two bits and a parent one further on average");
        let mut parent = 5_000_000;
        check((0..50_000).map(|_| {
            parent += if next(100) == 0 { next(80_000) as u32 } else { 0 };
            (parent, next(1000) as u32)
        }));
        check((0..50_000u32).map(|id| (next(u64::from(id) + 1) as u32, next(1 << 20) as u32)));
        check((0..1000).map(|_| (u32::MAX - next(9) as u32, u32::MAX - next(3) as u32)));
        check((0..1000).map(|_| (0, 0)));
        check((0..300u32).map(|id| (id.saturating_sub(1) * 14_000_000, 0)));
    }
}
