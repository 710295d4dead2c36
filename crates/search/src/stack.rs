//! The stack of a depth-first search, in blocks, on the budget.
//!
//! Nothing moves when it grows, so that it can grow as far as the budget goes, and blocks are given back as it shrinks.
//! What is pushed together lies together.

use std::sync::Arc;
use tightrope_core::{Budget, Refused, Reservation};

/// The bytes of a block, and of one near the end of the budget.
const BLOCKS: [usize; 2] = [64 << 10, 4 << 10];

/// A stack of items.
pub struct Stack<T> {
    /// None of them is empty.
    blocks: Vec<Vec<T>>,
    /// The last block that became empty, kept so that a stack at the edge of a block does not allocate at every push.
    spare: Option<Vec<T>>,
    len: usize,
    reservation: Reservation,
    /// So many bytes are kept free for every item.
    room: usize,
}

impl<T: Copy> Stack<T> {
    /// An empty stack.
    pub fn new(budget: &Arc<Budget>) -> Self {
        Stack::with_room(budget, 0)
    }

    /// An empty stack that keeps so many bytes free for every item, for what will be made of it.
    pub fn with_room(budget: &Arc<Budget>, room: usize) -> Self {
        Stack { blocks: Vec::new(), spare: None, len: 0, reservation: Reservation::new(budget.clone()), room }
    }

    /// The bytes that so many items take.
    fn bytes_of(&self, items: usize) -> u64 {
        (items * (size_of::<T>() + self.room)) as u64
    }

    /// Pushes the items of all parts, so that they lie together; all of them or none.
    #[inline]
    pub fn push<const N: usize>(&mut self, parts: [&[T]; N]) -> Result<(), Refused> {
        let count = parts.iter().map(|part| part.len()).sum();
        if self.blocks.last().is_none_or(|block| block.capacity() - block.len() < count) {
            self.begin_block(count)?;
        }
        let block = self.blocks.last_mut().expect("there is one with room");
        parts.iter().for_each(|part| block.extend_from_slice(part));
        self.len += count;
        Ok(())
    }

    #[cold]
    fn begin_block(&mut self, least: usize) -> Result<(), Refused> {
        if let Some(block) = self.spare.take() {
            if block.capacity() >= least {
                self.blocks.push(block);
                return Ok(());
            }
            self.reservation.give_back(self.bytes_of(block.capacity()));
        }
        let block = self.reservation.block(BLOCKS.map(|size| least.max(size / size_of::<T>())), self.room)?;
        self.blocks.push(block);
        Ok(())
    }

    /// The items on top, down to the bottom of their block: at least those that were pushed last together.
    #[inline]
    pub fn top(&self) -> &[T] {
        self.blocks.last().map_or(&[], |block| block)
    }

    /// The item on top.
    #[inline]
    pub fn last_mut(&mut self) -> Option<&mut T> {
        self.blocks.last_mut()?.last_mut()
    }

    /// Takes `count` items off, which were pushed together or one by one.
    #[inline]
    pub fn pop(&mut self, mut count: usize) {
        self.len -= count;
        while count > 0 {
            let block = self.blocks.last_mut().expect("as many items as are taken off");
            let here = count.min(block.len());
            block.truncate(block.len() - here);
            count -= here;
            if block.is_empty() {
                self.drop_block();
            }
        }
    }

    #[cold]
    fn drop_block(&mut self) {
        let block = self.blocks.pop();
        if let Some(old) = std::mem::replace(&mut self.spare, block) {
            self.reservation.give_back(self.bytes_of(old.capacity()));
        }
    }

    /// All items from the bottom up.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.blocks.iter().flatten()
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes it has allocated.
    pub fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_in_first_out_and_memory_comes_back() {
        let budget = Arc::new(Budget::unlimited());
        let mut stack = Stack::new(&budget);
        let run = |number: usize| vec![number as u32; if number % 500 == 3 { 40_000 } else { number % 30 + 1 }];
        let mut pushed = 0;
        for round in 0..40 {
            for _ in 0..600 - 10 * round {
                stack.push([&run(pushed)]).unwrap();
                pushed += 1;
            }
            for _ in 0..500 - 10 * round {
                pushed -= 1;
                assert!(stack.top().ends_with(&run(pushed)));
                stack.pop(run(pushed).len());
            }
            assert_eq!(stack.len(), (0..pushed).map(|number| run(number).len()).sum::<usize>());
            assert_eq!(stack.bytes(), budget.used());
        }
        assert!(stack.iter().copied().eq((0..pushed).flat_map(run)));
        stack.pop(stack.len());
        assert!(stack.is_empty() && stack.last_mut().is_none());
        assert!(stack.bytes() <= 160_000, "{} bytes are kept for an empty stack", stack.bytes());
    }

    #[test]
    fn it_grows_as_far_as_the_budget_goes() {
        let budget = Arc::new(Budget::new(1_000_000));
        let mut stack = Stack::new(&budget);
        while stack.push([&[7u8; 60], &[7; 40]]).is_ok() {}
        assert!(stack.len() > 990_000, "{} of 1,000,000 bytes", stack.len());
        assert!(stack.iter().all(|&item| item == 7));
    }
}
