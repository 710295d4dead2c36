//! The log of answers, from which counterexamples are reconstructed: a few bits per state.
//!
//! A breadth-first search expands states in the order in which it found them. It is therefore enough to write down,
//! for every expanded state in order, one code per successor: `0` for one that was seen before, `10` for a new one, and
//! `11` at the end. The n-th `10` is where the n-th state was found, the number of `11` before it tells from which
//! state, the codes since the last `11` by which of its steps. The initial states are written as the successors of a
//! root that comes before all states.
//!
//! A trace is made by going back through these numbers to the root, and then forward by expanding the states on the
//! path. Nothing is asked of the store, so this works with any, also with those that cannot give states back.
//!
//! Invariant: codes are written in the order of the states' expansion and of [`Successors`]; failed steps, which lead
//! to no state, are written as `0`, so that positions in the log are positions in the list of successors.
//!
//! Bits per visited state: 3 and one for every transition, about 6 in all; an index adds 2 %. Complete blocks are put aside where
//! there is a place for them ([`Spill`]), and only the index stays in memory. Not needed by a search that has the path at hand
//! (depth-first), nor where no violation is looked for.

use super::TraceSteps;
use std::sync::Arc;
use tightrope_core::{Budget, BudgetVec, Model, Refused, Reservation, Spill, Steps, Successors, Trace};

/// The words of a block of the log, which is allocated as a whole.
const BLOCK_WORDS: usize = 512;
/// The bits between two entries of the index, at least.
const INDEXED: u64 = 8192;

/// A place in the log at which the codes of a state begin.
#[derive(Clone, Copy)]
struct IndexEntry {
    bit: u64,
    /// The states (the root included) whose codes are complete before it.
    expanded: u64,
    /// The states found before it.
    found: u64,
}

/// The parents of some states that were found one after the other.
#[derive(Default)]
struct ParentBlock {
    first: u64,
    parents: Vec<(Option<u64>, u32)>,
}

impl ParentBlock {
    /// So many are kept. Between two entries of the index there are hardly more, unless a state has very many successors.
    const MOST: usize = INDEXED as usize / 2;
}

/// The words of a block.
type Block = Box<[u64; BLOCK_WORDS]>;

/// The log.
pub struct ParentLog<'a> {
    /// Those in memory: all of them, or only the last one where complete ones are put aside.
    blocks: Vec<Block>,
    /// How many were put aside.
    aside: u64,
    spill: Option<Box<dyn Spill + 'a>>,
    /// The block that was read back last, and its number.
    read: (u64, Vec<u8>),
    reservation: Reservation,
    index: BudgetVec<IndexEntry>,
    /// The word at the end, which is not complete.
    word: u64,
    bits: u64,
    /// Where the next entry of the index is due.
    index_at: u64,
    expanded: u64,
    found: u64,
}

impl<'a> ParentLog<'a> {
    /// An empty log, at the root: the initial states come next. Complete blocks go to `spill`, if there is one.
    pub fn new(budget: &Arc<Budget>, spill: Option<Box<dyn Spill + 'a>>) -> Self {
        ParentLog {
            blocks: Vec::new(),
            aside: 0,
            spill,
            read: (u64::MAX, Vec::new()),
            reservation: Reservation::new(budget.clone()),
            index: BudgetVec::new(budget.clone()),
            word: 0,
            bits: 0,
            index_at: INDEXED,
            expanded: 0,
            found: 0,
        }
    }

    /// The next successor was seen before, or failed.
    #[inline]
    pub fn seen(&mut self) -> Result<(), Refused> {
        self.put(0, 1)
    }

    /// The next successor is new; it gets the next number.
    #[inline]
    pub fn new_state(&mut self) -> Result<(), Refused> {
        self.put(0b01, 2)?;
        self.found += 1;
        Ok(())
    }

    /// The codes of several successors together, `found` of them new: at most 64 bits.
    #[inline]
    pub fn steps(&mut self, codes: u64, bits: u64, found: u64) -> Result<(), Refused> {
        self.put(codes, bits)?;
        self.found += found;
        Ok(())
    }

    /// Paths to the states that are found next are one step longer: keeps room for it.
    pub fn next_level(&mut self) -> Result<(), Refused> {
        self.reservation.take(Steps::ROOM)
    }

    /// The state has no more successors; the next state follows.
    #[inline]
    pub fn end_of_state(&mut self) -> Result<(), Refused> {
        self.put(0b11, 2)?;
        self.expanded += 1;
        if self.bits >= self.index_at {
            self.index.push(IndexEntry { bit: self.bits, expanded: self.expanded, found: self.found })?;
            self.index_at = self.bits + INDEXED;
        }
        Ok(())
    }

    /// Writes up to 64 bits, the low one first.
    #[inline]
    fn put(&mut self, codes: u64, count: u64) -> Result<(), Refused> {
        let shift = self.bits % 64;
        let word = self.word | codes << shift;
        if shift + count >= 64 {
            self.add_word(word)?;
            // What did not fit; a shift by all bits is none.
            self.word = codes >> (63 - shift) >> 1;
        } else {
            self.word = word;
        }
        self.bits += count;
        Ok(())
    }

    #[cold]
    fn add_word(&mut self, word: u64) -> Result<(), Refused> {
        let at = (self.bits / 64) as usize;
        let number = at / BLOCK_WORDS - self.aside as usize;
        if number == self.blocks.len() {
            self.add_block()?;
        }
        // A block that was put aside makes room for this one.
        let number = number.min(self.blocks.len() - 1);
        self.blocks[number][at % BLOCK_WORDS] = word;
        Ok(())
    }

    #[cold]
    fn add_block(&mut self) -> Result<(), Refused> {
        if let (Some(spill), Some(block)) = (&mut self.spill, self.blocks.first()) {
            let bytes: Vec<u8> = block.iter().flat_map(|word| word.to_le_bytes()).collect();
            spill.put(&bytes)?;
            self.aside += 1;
            return Ok(());
        }
        // The block, its place in the list, and what the allocator adds.
        self.reservation.take(8 * BLOCK_WORDS as u64 + 32)?;
        self.blocks.push(Box::new([0; BLOCK_WORDS]));
        Ok(())
    }

    fn bit(&mut self, at: u64) -> Result<bool, Refused> {
        let word = at / 64;
        let (block, place) = (word / BLOCK_WORDS as u64, (word % BLOCK_WORDS as u64) as usize);
        let bits = if word == self.bits / 64 {
            self.word
        } else if let Some(block) = block.checked_sub(self.aside) {
            self.blocks[block as usize][place]
        } else {
            if self.read.0 != block {
                let spill = self.spill.as_mut().ok_or(Refused::Other("a block of the log is missing"))?;
                self.read.0 = u64::MAX;
                spill.get(block, &mut self.read.1)?;
                self.read.0 = block;
            }
            let bytes = self.read.1.get(8 * place..).and_then(|bytes| bytes.first_chunk());
            u64::from_le_bytes(*bytes.ok_or(Refused::Other("a block of the log is too short"))?)
        };
        Ok(bits >> (at % 64) & 1 == 1)
    }

    /// How the state of that number was found: the number of its parent, none for the root, and the position among
    /// the parent's successors. Parents are mostly close together, so that those of a whole block of the log are decoded together.
    fn parent(&mut self, state: u64, block: &mut ParentBlock) -> Result<(Option<u64>, u32), Refused> {
        debug_assert!(state < self.found);
        if let Some(&parent) = state.checked_sub(block.first).and_then(|at| block.parents.get(at as usize)) {
            return Ok(parent);
        }
        let after = self.index.partition_point(|entry| entry.found <= state);
        let mut at = match after.checked_sub(1) {
            Some(before) => self.index[before],
            None => IndexEntry { bit: 0, expanded: 0, found: 0 },
        };
        block.first = at.found;
        block.parents.clear();
        let mut position = 0;
        loop {
            let first = self.bit(at.bit)?;
            at.bit += 1;
            if !first {
                position += 1;
                continue;
            }
            let end = self.bit(at.bit)?;
            at.bit += 1;
            if end {
                at.expanded += 1;
                position = 0;
            } else {
                let parent = (at.expanded.checked_sub(1), position);
                if at.found == state {
                    // It is not kept in the block: the next question is for its parent.
                    return Ok(parent);
                }
                if block.parents.len() < ParentBlock::MOST {
                    block.parents.push(parent);
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

    /// The path to the state of that number. States are numbered from 0 in the order in which they were found.
    pub fn trace(&mut self, state: u64, model: &dyn Model) -> Result<Trace, Refused> {
        let mut beyond = Reservation::new(self.reservation.budget().clone());
        let mut steps = TraceSteps::new(&mut beyond);
        let initial = self.path(state, model, &mut steps)?;
        Ok(Trace { initial, steps: steps.finish() })
    }

    /// The same: adds its steps, and returns the number of its initial state.
    pub(crate) fn path(&mut self, state: u64, model: &dyn Model, steps: &mut TraceSteps<'_>) -> Result<u32, Refused> {
        let (mut positions, mut block) = (Positions::default(), ParentBlock::default());
        let mut at = Some(state);
        while let Some(state) = at {
            let (parent, position) = self.parent(state, &mut block)?;
            steps.reserve(Positions::beyond_room(position))?;
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
        while let Some(position) = positions.pop() {
            model.successors(&state, &mut successors);
            steps.push(successors.step(position as usize))?;
            state.clear();
            state.extend_from_slice(successors.state(position as usize).expect("a state was found there"));
        }
        Ok(initial)
    }

    /// The bytes it has allocated.
    pub fn bytes(&self) -> u64 {
        let spill = self.spill.as_ref().map_or(0, |spill| spill.bytes());
        self.reservation.bytes() + self.index.bytes() + spill
    }
}

/// Positions among successors, most of them in a byte.
#[derive(Default)]
struct Positions(Vec<u8>);

impl Positions {
    /// What a position takes beyond [`Steps::ROOM`]: four bytes more, in a vector that takes up to three times what is in it while
    /// it grows.
    fn beyond_room(position: u32) -> u64 {
        if position < u32::from(u8::MAX) { 0 } else { 3 * 4 }
    }

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

    /// Numbers from a small generator, so that the log has every pattern of codes.
    fn random(state: &mut u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *state >> 33
    }

    /// Blocks put aside in memory.
    #[derive(Default)]
    struct Aside(Vec<Vec<u8>>);

    impl Spill for Aside {
        fn put(&mut self, block: &[u8]) -> Result<(), Refused> {
            self.0.push(block.to_vec());
            Ok(())
        }

        fn get(&mut self, number: u64, out: &mut Vec<u8>) -> Result<(), Refused> {
            out.clone_from(&self.0[number as usize]);
            Ok(())
        }

        fn bytes(&self) -> u64 {
            0
        }
    }

    fn every_state_finds_its_parent(spill: Option<Box<dyn Spill>>) -> u64 {
        let mut seed = 7;
        let mut parent_log = ParentLog::new(&Arc::new(Budget::unlimited()), spill);
        let mut expected = Vec::new();
        for expanded in 0..30_000u64 {
            for position in 0..random(&mut seed) % 6 {
                if random(&mut seed).is_multiple_of(3) || expanded as usize == expected.len() {
                    parent_log.new_state().unwrap();
                    expected.push((expanded.checked_sub(1), position as u32));
                } else {
                    parent_log.seen().unwrap();
                }
            }
            parent_log.end_of_state().unwrap();
        }
        assert!(parent_log.index.len() > 10);
        let mut block = ParentBlock::default();
        for (state, &parent) in expected.iter().enumerate() {
            assert_eq!(parent_log.parent(state as u64, &mut ParentBlock::default()), Ok(parent));
            // In any order, what is kept of others does not matter.
            let other = random(&mut seed) as usize % expected.len();
            assert_eq!(parent_log.parent(other as u64, &mut block), Ok(expected[other]));
            assert_eq!(parent_log.parent(state as u64, &mut block), Ok(parent));
        }
        parent_log.bytes()
    }

    #[test]
    fn every_state_finds_its_parent_in_memory() {
        let bits = 8.0 * every_state_finds_its_parent(None) as f64 / 30_000.0;
        assert!(bits < 8.0, "{bits} bits per state");
    }

    #[test]
    fn every_state_finds_its_parent_in_what_was_put_aside() {
        let bytes = every_state_finds_its_parent(Some(Box::<Aside>::default()));
        assert!(bytes < 6000, "{bytes} bytes in memory");
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
        let mut parent_log = ParentLog::new(&budget, None);
        while parent_log.new_state().and_then(|()| parent_log.end_of_state()).is_ok() {}
        assert!(budget.peak() <= 20_000);
        assert!(parent_log.found() > 30_000);
        assert_eq!(parent_log.parent(30_000, &mut ParentBlock::default()), Ok((Some(29_999), 0)));
    }
}
