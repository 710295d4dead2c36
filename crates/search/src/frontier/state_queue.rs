//! The frontier of a breadth-first search as a queue of states in memory.
//!
//! States lie one after the other in blocks, which are given back as soon as they are read. A state takes its bytes,
//! a length and the distance of its id from the one before (two to four bytes together). For stores that cannot be
//! read in order; where they can, [`crate::StoreOrder`] costs nothing.

use std::collections::VecDeque;
use std::sync::Arc;
use tightrope_core::{Budget, Frontier, Refused, Reservation, StateId, Store, leb128};

/// The bytes of a block, and of one near the end of the budget.
const BLOCKS: [usize; 2] = [64 << 10, 4 << 10];

/// States that wait, oldest first.
pub struct StateQueue {
    blocks: VecDeque<Vec<u8>>,
    /// How much of the first block is read.
    read: usize,
    last_pushed: u64,
    last_popped: u64,
    waiting: u64,
    reservation: Reservation,
}

impl StateQueue {
    /// An empty queue.
    pub fn new(budget: &Arc<Budget>) -> Self {
        let reservation = Reservation::new(budget.clone());
        StateQueue { blocks: VecDeque::new(), read: 0, last_pushed: 0, last_popped: 0, waiting: 0, reservation }
    }

    fn number(&mut self) -> u64 {
        let (number, len) = leb128::decode(&self.blocks[0][self.read..]).expect("a number that was put there");
        self.read += len;
        number
    }

    /// Gives back the first block if it is read to its end and will not be written to.
    fn drop_read(&mut self) {
        if self.blocks.len() > 1 && self.read == self.blocks[0].len() {
            let block = self.blocks.pop_front().expect("there are two");
            self.reservation.give_back(block.capacity() as u64);
            self.read = 0;
        }
    }
}

fn put_number(block: &mut Vec<u8>, number: u64) {
    let (bytes, len) = leb128::encode(number);
    block.extend_from_slice(&bytes[..len]);
}

impl Frontier for StateQueue {
    fn push(&mut self, id: StateId, state: &[u8]) -> Result<(), Refused> {
        let most = state.len() + 2 * leb128::LONGEST;
        if self.blocks.back().is_none_or(|block| block.capacity() - block.len() < most) {
            self.blocks.push_back(self.reservation.block(BLOCKS.map(|size| most.max(size)), 0)?);
        }
        let block = self.blocks.back_mut().expect("there is one with room");
        put_number(block, id.0.wrapping_sub(self.last_pushed));
        put_number(block, state.len() as u64);
        block.extend_from_slice(state);
        self.last_pushed = id.0;
        self.waiting += 1;
        Ok(())
    }

    fn pop(&mut self, _store: &mut dyn Store, out: &mut Vec<u8>) -> Result<Option<StateId>, Refused> {
        if self.waiting == 0 {
            return Ok(None);
        }
        self.drop_read();
        self.last_popped = self.last_popped.wrapping_add(self.number());
        let length = self.number() as usize;
        out.clear();
        out.extend_from_slice(&self.blocks[0][self.read..self.read + length]);
        self.read += length;
        self.waiting -= 1;
        Ok(Some(StateId(self.last_popped)))
    }

    fn len(&self) -> u64 {
        self.waiting
    }

    fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tightrope_core::{Claim, Edge, Found};

    struct Nothing;

    impl Store for Nothing {
        fn insert(&mut self, _: &[u8], _: Option<Edge>) -> Result<Found, Refused> {
            Ok(Found::Undecided)
        }
        fn read(&mut self, _: StateId, _: &mut Vec<u8>) -> bool {
            false
        }
        fn len(&self) -> u64 {
            0
        }
        fn bytes(&self) -> u64 {
            0
        }
        fn claim(&self) -> Claim {
            Claim::Partial
        }
    }

    fn state(number: u64) -> Vec<u8> {
        let length = if number % 1000 == 7 { 100_000 } else { number % 90 };
        (0..length).map(|at| (at + number) as u8).collect()
    }

    #[test]
    fn first_in_first_out_and_memory_comes_back() {
        let budget = Arc::new(Budget::unlimited());
        let mut queue = StateQueue::new(&budget);
        let (mut pushed, mut popped, mut out) = (0, 0, Vec::new());
        while popped < 20_000 {
            let burst = if pushed < 20_000 { pushed * 7 % 50 } else { 0 };
            for _ in 0..burst.max(1) {
                if pushed < 20_000 {
                    queue.push(StateId(pushed * 3), &state(pushed)).unwrap();
                    pushed += 1;
                }
            }
            for _ in 0..20.min(queue.len()) {
                assert_eq!(queue.pop(&mut Nothing, &mut out), Ok(Some(StateId(popped * 3))));
                assert_eq!(out, state(popped));
                popped += 1;
            }
            assert_eq!(queue.len(), pushed - popped);
            assert_eq!(queue.bytes(), budget.used());
        }
        assert_eq!(queue.pop(&mut Nothing, &mut out), Ok(None));
        assert!(queue.bytes() <= 200_000, "{} bytes are kept for an empty queue", queue.bytes());
    }

    #[test]
    fn a_refusal_keeps_what_waits() {
        let mut queue = StateQueue::new(&Arc::new(Budget::new(100_000)));
        let mut pushed = 0;
        while queue.push(StateId(pushed), &[pushed as u8; 50]).is_ok() {
            pushed += 1;
        }
        assert!(pushed > 1500, "{pushed} states of 50 bytes in 100,000 bytes");
        let mut out = Vec::new();
        for popped in 0..pushed {
            assert_eq!(queue.pop(&mut Nothing, &mut out), Ok(Some(StateId(popped))));
            assert_eq!(out, [popped as u8; 50]);
        }
    }
}
