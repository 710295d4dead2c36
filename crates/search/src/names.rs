//! A queue of the names of states.
//!
//! For stores that are not ordered but give every state back by its name: eight bytes wait instead of a state. Names lie in
//! blocks, which are given back as soon as they are read. Bytes per waiting state: eight.

use std::collections::VecDeque;
use std::sync::Arc;
use tightrope_core::{Budget, Frontier, Holding, OverBudget, StateId, Store};

/// The names in a block, and in one near the end of the budget.
const BLOCKS: [usize; 2] = [8 << 10, 512];

/// The names of states that wait, oldest first.
pub struct Names {
    /// None of them is empty but the last.
    blocks: VecDeque<Vec<StateId>>,
    /// How many names of the first block are read.
    read: usize,
    waiting: u64,
    holding: Holding,
}

impl Names {
    /// An empty queue.
    pub fn new(budget: &Arc<Budget>) -> Self {
        Names { blocks: VecDeque::new(), read: 0, waiting: 0, holding: Holding::new(budget.clone()) }
    }

    #[cold]
    fn begin_block(&mut self) -> Result<(), OverBudget> {
        let bytes = |names: usize| (names * size_of::<StateId>()) as u64;
        let names = match self.holding.take(bytes(BLOCKS[0])) {
            Ok(()) => BLOCKS[0],
            Err(_) => self.holding.take(bytes(BLOCKS[1])).map(|()| BLOCKS[1])?,
        };
        let mut block = Vec::new();
        if tightrope_core::ask_for_memory(|| block.try_reserve_exact(names)).is_err() {
            self.holding.give_back(bytes(names));
            return Err(OverBudget { asked: bytes(names), left: 0 });
        }
        self.blocks.push_back(block);
        Ok(())
    }
}

impl Frontier for Names {
    fn push(&mut self, id: StateId, _state: &[u8]) -> Result<(), OverBudget> {
        if self.blocks.back().is_none_or(|block| block.len() == block.capacity()) {
            self.begin_block()?;
        }
        self.blocks.back_mut().expect("there is one with room").push(id);
        self.waiting += 1;
        Ok(())
    }

    fn pop(&mut self, store: &mut dyn Store, out: &mut Vec<u8>) -> Option<StateId> {
        if self.waiting == 0 {
            return None;
        }
        let first = self.blocks.front()?;
        let id = *first.get(self.read)?;
        self.read += 1;
        self.waiting -= 1;
        if self.read == first.capacity() {
            self.holding.give_back((first.capacity() * size_of::<StateId>()) as u64);
            self.blocks.pop_front();
            self.read = 0;
        }
        store.read(id, out).then_some(id)
    }

    fn len(&self) -> u64 {
        self.waiting
    }

    fn bytes(&self) -> u64 {
        self.holding.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tightrope_core::{Claim, Edge, Found};

    /// A store whose states are their names.
    struct Itself;

    impl Store for Itself {
        fn insert(&mut self, _: &[u8], _: Option<Edge>) -> Result<Found, OverBudget> {
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
        let mut names = Names::new(&budget);
        let (mut pushed, mut popped, mut out) = (0u64, 0u64, Vec::new());
        while popped < 100_000 {
            for _ in 0..1 + pushed * 7 % 50 {
                if pushed < 100_000 {
                    names.push(StateId(!pushed), &[]).unwrap();
                    pushed += 1;
                }
            }
            for _ in 0..20.min(names.len()) {
                assert_eq!(names.pop(&mut Itself, &mut out), Some(StateId(!popped)));
                assert_eq!(out, (!popped).to_le_bytes());
                popped += 1;
            }
            assert_eq!((names.len(), names.bytes()), (pushed - popped, budget.used()));
        }
        assert_eq!(names.pop(&mut Itself, &mut out), None);
        assert!(names.bytes() <= 70_000, "{} bytes are kept for an empty queue", names.bytes());
    }

    #[test]
    fn a_refusal_keeps_what_waits() {
        let mut names = Names::new(&Arc::new(Budget::new(100_000)));
        let mut pushed = 0;
        while names.push(StateId(pushed), &[]).is_ok() {
            pushed += 1;
        }
        assert!(pushed > 12_000, "{pushed} names in 100,000 bytes");
        let mut out = Vec::new();
        assert!((0..pushed).all(|popped| names.pop(&mut Itself, &mut out) == Some(StateId(popped))));
    }
}
