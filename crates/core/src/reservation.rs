//! Memory that is on the account.

use crate::{Budget, Refused};
use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

thread_local! {
    static ASKS: Cell<bool> = const { Cell::new(false) };
}

/// Asks for memory by a call that can fail: an allocator that guards the limit lets it fail, instead of ending the program.
pub fn ask_for_memory<T>(ask: impl FnOnce() -> T) -> T {
    let before = ASKS.replace(true);
    let answer = ask();
    ASKS.set(before);
    answer
}

/// Whether this thread is in [`ask_for_memory`].
pub fn is_asking_for_memory() -> bool {
    ASKS.get()
}

/// What one structure has taken from the budget. Given back when it is dropped.
#[derive(Debug)]
pub struct Reservation {
    budget: Arc<Budget>,
    bytes: u64,
}

impl Reservation {
    /// Nothing taken yet.
    pub fn new(budget: Arc<Budget>) -> Self {
        Reservation { budget, bytes: 0 }
    }

    /// The account.
    pub fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }

    /// What is taken now.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Takes `bytes` more, or nothing if they are not there.
    pub fn take(&mut self, bytes: u64) -> Result<(), Refused> {
        self.budget.reserve(bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    /// Takes memory for an empty block of items: `sizes[0]` of them, or `sizes[1]` where there is not enough. On the account an
    /// item takes its size and `beside` bytes more.
    pub fn block<T>(&mut self, sizes: [usize; 2], beside: usize) -> Result<Vec<T>, Refused> {
        let bytes = |items: usize| items.saturating_mul(size_of::<T>() + beside) as u64;
        let items = match self.take(bytes(sizes[0])) {
            Ok(()) => sizes[0],
            Err(_) => self.take(bytes(sizes[1])).map(|()| sizes[1])?,
        };
        let mut block = Vec::new();
        if ask_for_memory(|| block.try_reserve_exact(items)).is_err() {
            self.give_back(bytes(items));
            return Err(Refused::Memory);
        }
        Ok(block)
    }

    /// Gives `bytes` of what was taken back.
    pub fn give_back(&mut self, bytes: u64) {
        let bytes = bytes.min(self.bytes);
        self.budget.release(bytes);
        self.bytes -= bytes;
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.budget.release(self.bytes);
    }
}

/// A vector whose memory is on the account: it grows only as far as the budget allows.
///
/// While it moves to a larger block both blocks are on the account, since an allocator may need both.
#[derive(Debug)]
pub struct BudgetVec<T> {
    items: Vec<T>,
    reservation: Reservation,
}

impl<T: Copy> BudgetVec<T> {
    /// An empty vector without memory.
    pub fn new(budget: Arc<Budget>) -> Self {
        BudgetVec { items: Vec::new(), reservation: Reservation::new(budget) }
    }

    /// Makes room for `more` items: half as much again where that can be had, else just what is needed.
    pub fn make_room(&mut self, more: usize) -> Result<(), Refused> {
        let needed = self.items.len().saturating_add(more);
        let capacity = self.items.capacity();
        if needed <= capacity {
            return Ok(());
        }
        let generous = needed.max(capacity + capacity / 2).max(256 / size_of::<T>().max(1));
        self.grow(generous).or_else(|_| self.grow(needed))
    }

    fn grow(&mut self, capacity: usize) -> Result<(), Refused> {
        let (old, new) = (self.items.capacity() * size_of::<T>(), capacity.saturating_mul(size_of::<T>()));
        self.reservation.take(new as u64)?;
        let more = capacity - self.items.len();
        if ask_for_memory(|| self.items.try_reserve_exact(more)).is_err() {
            self.reservation.give_back(new as u64);
            return Err(Refused::Memory);
        }
        self.reservation.give_back(old as u64);
        Ok(())
    }

    /// Adds an item.
    #[inline]
    pub fn push(&mut self, item: T) -> Result<(), Refused> {
        if self.items.len() == self.items.capacity() {
            self.make_room(1)?;
        }
        self.items.push(item);
        Ok(())
    }

    /// Adds items; all of them or none.
    #[inline]
    pub fn extend(&mut self, items: &[T]) -> Result<(), Refused> {
        self.make_room(items.len())?;
        self.items.extend_from_slice(items);
        Ok(())
    }

    /// Takes the last item.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        self.items.pop()
    }

    /// Drops all items from `len` on.
    pub fn truncate(&mut self, len: usize) {
        self.items.truncate(len);
    }

    /// The bytes allocated.
    pub fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }
}

impl<T> Deref for BudgetVec<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T> DerefMut for BudgetVec<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reservation_gives_back_what_it_took() {
        let budget = Arc::new(Budget::new(100));
        let mut reservation = Reservation::new(budget.clone());
        reservation.take(70).unwrap();
        assert!(reservation.take(31).is_err());
        reservation.give_back(20);
        assert_eq!((reservation.bytes(), budget.used()), (50, 50));
        drop(reservation);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn a_budget_vector_stays_on_the_account_and_intact() {
        let budget = Arc::new(Budget::new(10_000));
        let mut held = BudgetVec::new(budget.clone());
        let mut pushed = 0u64;
        while held.push(pushed).is_ok() {
            pushed += 1;
            assert_eq!(held.bytes(), budget.used());
        }
        assert!(pushed > 400, "{pushed} items of 8 bytes fit into 10,000 bytes, growth included");
        assert_eq!(held.len() as u64, pushed);
        assert!(held.iter().copied().eq(0..pushed));
        assert!(budget.peak() <= budget.limit());
        drop(held);
        assert_eq!(budget.used(), 0);
    }
}
