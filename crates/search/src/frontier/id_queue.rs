//! The frontier of a breadth-first search as a queue of the ids of states.
//!
//! For stores that are not ordered but give every state back by its id: eight bytes wait instead of a state. Ids lie in
//! blocks, which are given back as soon as they are read. Bytes per waiting state: eight.

use std::collections::VecDeque;
use std::sync::Arc;
use tightrope_core::{Budget, Frontier, Refused, Reservation, StateId, Store};

/// The ids in a block, and in one near the end of the budget.
const BLOCKS: [usize; 2] = [8 << 10, 512];

/// The ids of states that wait, oldest first.
pub struct IdQueue {
    /// None of them is empty but the last.
    blocks: VecDeque<Vec<StateId>>,
    /// How many ids of the first block are read.
    read: usize,
    waiting: u64,
    reservation: Reservation,
}

impl IdQueue {
    /// An empty queue.
    pub fn new(budget: &Arc<Budget>) -> Self {
        IdQueue { blocks: VecDeque::new(), read: 0, waiting: 0, reservation: Reservation::new(budget.clone()) }
    }
}

impl Frontier for IdQueue {
    fn push(&mut self, id: StateId, _state: &[u8]) -> Result<(), Refused> {
        if self.blocks.back().is_none_or(|block| block.len() == block.capacity()) {
            self.blocks.push_back(self.reservation.block(BLOCKS, 0)?);
        }
        self.blocks.back_mut().expect("there is one with room").push(id);
        self.waiting += 1;
        Ok(())
    }

    fn pop(&mut self, store: &mut dyn Store, out: &mut Vec<u8>) -> Result<Option<StateId>, Refused> {
        let Some(first) = self.blocks.front().filter(|_| self.waiting > 0) else { return Ok(None) };
        let id = first[self.read];
        self.read += 1;
        self.waiting -= 1;
        if self.read == first.capacity() {
            self.reservation.give_back((first.capacity() * size_of::<StateId>()) as u64);
            self.blocks.pop_front();
            self.read = 0;
        }
        if store.read(id, out) { Ok(Some(id)) } else { Err(Refused::Other("the store does not give back its states")) }
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

    /// A store whose states are their ids.
    struct Itself;

    impl Store for Itself {
        fn insert(&mut self, _: &[u8], _: Option<Edge>) -> Result<Found, Refused> {
            Ok(Found::Undecided)
        }
        fn read(&mut self, id: StateId, out: &mut Vec<u8>) -> bool {
            *out = id.0.to_le_bytes().to_vec();
            true
        }
        fn len(&self) -> u64 {
            0
        }
        fn bytes(&self) -> u64 {
            0
        }
        fn claim(&self) -> Claim {
            Claim::Exact
        }
    }

    #[test]
    fn first_in_first_out_and_memory_comes_back() {
        let budget = Arc::new(Budget::unlimited());
        let mut ids = IdQueue::new(&budget);
        let (mut pushed, mut popped, mut out) = (0u64, 0u64, Vec::new());
        while popped < 100_000 {
            for _ in 0..1 + pushed * 7 % 50 {
                if pushed < 100_000 {
                    ids.push(StateId(!pushed), &[]).unwrap();
                    pushed += 1;
                }
            }
            for _ in 0..20.min(ids.len()) {
                assert_eq!(ids.pop(&mut Itself, &mut out), Ok(Some(StateId(!popped))));
                assert_eq!(out, (!popped).to_le_bytes());
                popped += 1;
            }
            assert_eq!((ids.len(), ids.bytes()), (pushed - popped, budget.used()));
        }
        assert_eq!(ids.pop(&mut Itself, &mut out), Ok(None));
        assert!(ids.bytes() <= 70_000, "{} bytes are kept for an empty queue", ids.bytes());
    }

    #[test]
    fn a_refusal_keeps_what_waits() {
        let mut ids = IdQueue::new(&Arc::new(Budget::new(100_000)));
        let mut pushed = 0;
        while ids.push(StateId(pushed), &[]).is_ok() {
            pushed += 1;
        }
        assert!(pushed > 12_000, "{pushed} ids in 100,000 bytes");
        let mut out = Vec::new();
        assert!((0..pushed).all(|popped| ids.pop(&mut Itself, &mut out) == Ok(Some(StateId(popped)))));
    }
}
