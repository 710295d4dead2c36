//! What the queues in memory are made of: blocks of items, first in, first out.

use std::collections::VecDeque;
use std::sync::Arc;
use tightrope_core::{Budget, Refused, Reservation};

/// Items in blocks, oldest first. A block is on the budget from its first item on until it is given back.
pub(super) struct Blocks<T> {
    blocks: VecDeque<Vec<T>>,
    /// How much of the first block is read.
    pub(super) read: usize,
    reservation: Reservation,
}

impl<T> Blocks<T> {
    pub(super) fn new(budget: &Arc<Budget>) -> Self {
        Blocks { blocks: VecDeque::new(), read: 0, reservation: Reservation::new(budget.clone()) }
    }

    /// The last block, which has room for so many items: a new one of one of these sizes, if it has none.
    #[inline]
    pub(super) fn with_room(&mut self, items: usize, sizes: [usize; 2]) -> Result<&mut Vec<T>, Refused> {
        if self.blocks.back().is_none_or(|block| block.capacity() - block.len() < items) {
            self.blocks.push_back(self.reservation.block(sizes.map(|size| items.max(size)), 0)?);
        }
        Ok(self.blocks.back_mut().expect("there is one with room"))
    }

    /// The first block.
    #[inline]
    pub(super) fn first(&self) -> Option<&[T]> {
        self.blocks.front().map(Vec::as_slice)
    }

    /// Gives back the first block if it is read to its end and will not be written to: it is full, or not the last.
    #[inline]
    pub(super) fn drop_read(&mut self) {
        let Some(first) = self.blocks.front() else { return };
        if self.read == first.len() && (self.read == first.capacity() || self.blocks.len() > 1) {
            self.reservation.give_back((first.capacity() * size_of::<T>()) as u64);
            self.blocks.pop_front();
            self.read = 0;
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }
}
