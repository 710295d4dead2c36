//! The way back, at a few bits per state.
//!
//! A breadth-first search expands states in the order in which it found them. It is therefore enough to write down,
//! for every expanded state in order, one mark per successor: `0` for one that was seen before, `10` for a new one, and
//! `11` at the end. The n-th `10` is where the n-th state was found, the number of `11` before it tells from which
//! state, the marks since the last `11` by which of its steps. The initial states are written as the successors of a
//! root that comes before all states.
//!
//! A trace is made by going back through these numbers to the root, and then forward by expanding the states on the
//! way. Nothing is asked of the store, so this works with any, also with those that cannot give states back.
//!
//! Invariant: marks are written in the order of the states' expansion and of [`Successors`]; failed steps, which lead
//! to no state, are marked `0`, so that positions in the log are positions in the list of successors.
//!
//! Bits per state: 3 and one for every transition, about 6 in all; an index adds 2 %. Not needed by a search that has
//! the path at hand (depth-first), nor where no violation is looked for.

use std::sync::Arc;
use tightrope_core::{Budget, Held, Holding, Model, OverBudget, Steps, Successors, Trace};

/// The bits of a block of the log, which is allocated as a whole.
const BLOCK_WORDS: usize = 512;
/// The bits between two entries of the index, at least.
const INDEXED: u64 = 8192;

/// A place in the log at which the marks of a state begin.
#[derive(Clone, Copy)]
struct Mark {
    bit: u64,
    /// The states (the root included) whose marks are complete before it.
    expanded: u64,
    /// The states found before it.
    found: u64,
}

/// The parents of some states that were found one after the other.
#[derive(Default)]
struct Part {
    first: u64,
    parents: Vec<(Option<u64>, u32)>,
}

impl Part {
    /// So many are kept. Between two entries of the index there are hardly more, unless a state has very many successors.
    const MOST: usize = INDEXED as usize / 2;
}

/// The record of how states were found.
pub struct Ancestry {
    blocks: Vec<Box<[u64; BLOCK_WORDS]>>,
    holding: Holding,
    index: Held<Mark>,
    /// The word at the end, which is not complete.
    word: u64,
    bits: u64,
    /// Where the next entry of the index is due.
    index_at: u64,
    expanded: u64,
    found: u64,
}

impl Ancestry {
    /// An empty record, at the root: the initial states come next.
    pub fn new(budget: &Arc<Budget>) -> Self {
        Ancestry {
            blocks: Vec::new(),
            holding: Holding::new(budget.clone()),
            index: Held::new(budget.clone()),
            word: 0,
            bits: 0,
            index_at: INDEXED,
            expanded: 0,
            found: 0,
        }
    }

    /// The next successor was seen before, or failed.
    #[inline]
    pub fn seen(&mut self) -> Result<(), OverBudget> {
        self.put(0, 1)
    }

    /// The next successor is new; it gets the next number.
    #[inline]
    pub fn new_state(&mut self) -> Result<(), OverBudget> {
        self.put(0b01, 2)?;
        self.found += 1;
        Ok(())
    }

    /// The marks of several successors together, `found` of them new: at most 64 bits.
    #[inline]
    pub fn steps(&mut self, marks: u64, bits: u64, found: u64) -> Result<(), OverBudget> {
        self.put(marks, bits)?;
        self.found += found;
        Ok(())
    }

    /// A run to the states that are found next is one step longer: keeps room for it.
    pub fn next_level(&mut self) -> Result<(), OverBudget> {
        self.holding.take(Steps::ROOM)
    }

    /// The state has no more successors; the next state follows.
    #[inline]
    pub fn end(&mut self) -> Result<(), OverBudget> {
        self.put(0b11, 2)?;
        self.expanded += 1;
        if self.bits >= self.index_at {
            self.index.push(Mark { bit: self.bits, expanded: self.expanded, found: self.found })?;
            self.index_at = self.bits + INDEXED;
        }
        Ok(())
    }

    /// Writes up to 64 bits, the low one first.
    #[inline]
    fn put(&mut self, marks: u64, count: u64) -> Result<(), OverBudget> {
        let shift = self.bits % 64;
        let word = self.word | marks << shift;
        if shift + count >= 64 {
            self.add_word(word)?;
            // What did not fit; a shift by all bits is none.
            self.word = marks >> (63 - shift) >> 1;
        } else {
            self.word = word;
        }
        self.bits += count;
        Ok(())
    }

    #[cold]
    fn add_word(&mut self, word: u64) -> Result<(), OverBudget> {
        let at = (self.bits / 64) as usize;
        if at / BLOCK_WORDS == self.blocks.len() {
            self.add_block()?;
        }
        self.blocks[at / BLOCK_WORDS][at % BLOCK_WORDS] = word;
        Ok(())
    }

    #[cold]
    fn add_block(&mut self) -> Result<(), OverBudget> {
        // The block, its place in the list, and what the allocator adds.
        self.holding.take(8 * BLOCK_WORDS as u64 + 32)?;
        self.blocks.push(Box::new([0; BLOCK_WORDS]));
        Ok(())
    }

    fn bit(&self, at: u64) -> bool {
        let word = (at / 64) as usize;
        let complete = (self.bits / 64) as usize;
        let word = if word == complete { self.word } else { self.blocks[word / BLOCK_WORDS][word % BLOCK_WORDS] };
        word >> (at % 64) & 1 == 1
    }

    /// How the state of that number was found: the number of its parent, none for the root, and the position among
    /// the parent's successors. Parents are mostly close together, so that those of a whole part of the log are kept in `part`.
    fn parent(&self, state: u64, part: &mut Part) -> (Option<u64>, u32) {
        debug_assert!(state < self.found);
        if let Some(&parent) = state.checked_sub(part.first).and_then(|at| part.parents.get(at as usize)) {
            return parent;
        }
        let after = self.index.partition_point(|mark| mark.found <= state);
        let mut at = match after.checked_sub(1) {
            Some(before) => self.index[before],
            None => Mark { bit: 0, expanded: 0, found: 0 },
        };
        part.first = at.found;
        part.parents.clear();
        let mut position = 0;
        loop {
            let first = self.bit(at.bit);
            at.bit += 1;
            if !first {
                position += 1;
                continue;
            }
            let end = self.bit(at.bit);
            at.bit += 1;
            if end {
                at.expanded += 1;
                position = 0;
            } else {
                let parent = (at.expanded.checked_sub(1), position);
                if at.found == state {
                    // It is not among those that are kept: whoever asks next asks for its parent.
                    return parent;
                }
                if part.parents.len() < Part::MOST {
                    part.parents.push(parent);
                }
                at.found += 1;
                position += 1;
            }
        }
    }

    /// How many states were found.
    pub fn found(&self) -> u64 {
        self.found
    }

    /// The run to the state of that number. States are numbered from 0 in the order in which they were found.
    pub fn trace(&self, state: u64, model: &dyn Model) -> Trace {
        let (mut positions, mut part) = (Positions::default(), Part::default());
        let mut at = Some(state);
        while let Some(state) = at {
            let (parent, position) = self.parent(state, &mut part);
            positions.push(position);
            at = parent;
        }
        let initial = positions.pop().expect("every state comes from the root");
        let mut state = Vec::new();
        let mut number = 0;
        model.initial(&mut |bytes| {
            if number == initial {
                state = bytes.to_vec();
            }
            number += 1;
        });
        let mut successors = Successors::new();
        let mut trace = Trace { initial, steps: Steps::new() };
        while let Some(position) = positions.pop() {
            model.successors(&state, &mut successors);
            trace.steps.push(successors.step(position as usize));
            state.clear();
            state.extend_from_slice(successors.state(position as usize).expect("a state was found there"));
        }
        trace
    }

    /// The bytes it has allocated.
    pub fn bytes(&self) -> u64 {
        self.holding.bytes() + self.index.bytes()
    }
}

/// Positions among successors, most of them in a byte.
#[derive(Default)]
struct Positions(Vec<u8>);

impl Positions {
    fn push(&mut self, position: u32) {
        match u8::try_from(position).ok().filter(|&position| position < u8::MAX) {
            Some(position) => self.0.push(position),
            None => {
                self.0.extend(position.to_le_bytes());
                self.0.push(u8::MAX);
            }
        }
    }

    fn pop(&mut self) -> Option<u32> {
        match self.0.pop()? {
            u8::MAX => {
                let bytes = self.0.split_off(self.0.len() - 4);
                Some(bytes.iter().rev().fold(0, |all, &byte| all << 8 | u32::from(byte)))
            }
            position => Some(u32::from(position)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers from a small generator, so that the log has every pattern of marks.
    fn random(state: &mut u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *state >> 33
    }

    #[test]
    fn every_state_finds_its_parent() {
        let mut seed = 7;
        let mut ancestry = Ancestry::new(&Arc::new(Budget::unlimited()));
        let mut expected = Vec::new();
        for expanded in 0..30_000u64 {
            for position in 0..random(&mut seed) % 6 {
                if random(&mut seed).is_multiple_of(3) || expanded as usize == expected.len() {
                    ancestry.new_state().unwrap();
                    expected.push((expanded.checked_sub(1), position as u32));
                } else {
                    ancestry.seen().unwrap();
                }
            }
            ancestry.end().unwrap();
        }
        assert!(ancestry.index.len() > 10);
        let mut part = Part::default();
        for (state, &parent) in expected.iter().enumerate() {
            assert_eq!(ancestry.parent(state as u64, &mut Part::default()), parent);
            // In any order, what is kept of others does not matter.
            let other = random(&mut seed) as usize % expected.len();
            assert_eq!(ancestry.parent(other as u64, &mut part), expected[other]);
            assert_eq!(ancestry.parent(state as u64, &mut part), parent);
        }
        let bits = 8.0 * ancestry.bytes() as f64 / expected.len() as f64;
        assert!(bits < 8.0, "{bits} bits per state");
    }

    #[test]
    fn positions_come_back_in_reverse() {
        let all = [0, 254, 255, 256, 70_000, u32::MAX, 3];
        let mut positions = Positions::default();
        all.iter().for_each(|&position| positions.push(position));
        assert!(all.iter().rev().all(|&position| positions.pop() == Some(position)));
        assert_eq!(positions.pop(), None);
    }

    #[test]
    fn it_stops_at_the_budget() {
        let budget = Arc::new(Budget::new(20_000));
        let mut ancestry = Ancestry::new(&budget);
        while ancestry.new_state().and_then(|()| ancestry.end()).is_ok() {}
        assert!(budget.peak() <= 20_000);
        assert!(ancestry.found() > 30_000);
        assert_eq!(ancestry.parent(30_000, &mut Part::default()), (Some(29_999), 0));
    }
}
