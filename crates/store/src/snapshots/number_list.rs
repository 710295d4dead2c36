//! Numbers in the order in which they came: the states of a level.
//!
//! They lie in blocks that are larger the more there are, so that a list never moves, and a short one takes little. Four bytes
//! per number.

use std::sync::Arc;
use tightrope_core::{Budget, Refused, Reservation};

/// The numbers of the first block, and of the largest ones.
const FIRST: usize = 64;
const LARGEST: usize = 8 << 10;

/// The list.
pub struct NumberList {
    /// All are full but the last.
    blocks: Vec<Vec<u32>>,
    reservation: Reservation,
}

impl NumberList {
    /// An empty list.
    pub fn new(budget: &Arc<Budget>) -> Self {
        NumberList { blocks: Vec::new(), reservation: Reservation::new(budget.clone()) }
    }

    /// Sees to it that there is room for one more.
    #[inline]
    pub fn make_room(&mut self) -> Result<(), Refused> {
        match self.blocks.last() {
            Some(block) if block.len() < block.capacity() => Ok(()),
            _ => self.grow(),
        }
    }

    #[cold]
    fn grow(&mut self) -> Result<(), Refused> {
        let numbers = self.blocks.last().map_or(FIRST, |block| (2 * block.capacity()).min(LARGEST));
        self.blocks.push(self.reservation.block([numbers, FIRST], 0)?);
        Ok(())
    }

    /// Adds a number for which there is room.
    #[inline]
    pub fn push(&mut self, number: u32) {
        self.blocks.last_mut().expect("room was made").push(number);
    }

    /// All numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.blocks.iter().flatten().copied()
    }

    /// How many there are.
    pub fn len(&self) -> u64 {
        self.blocks.iter().map(|block| block.len() as u64).sum()
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_order_and_on_the_account() {
        let budget = Arc::new(Budget::new(200_000));
        let mut list = NumberList::new(&budget);
        let mut pushed = 0;
        while list.make_room().is_ok() {
            list.push(pushed);
            pushed += 1;
        }
        assert!(pushed > 40_000, "{pushed} numbers of four bytes in 200,000");
        assert!(list.iter().eq(0..pushed) && list.len() == u64::from(pushed));
        assert_eq!(list.bytes(), budget.used());
        drop(list);
        assert_eq!(budget.used(), 0);
    }
}
