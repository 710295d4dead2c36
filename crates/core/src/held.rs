//! Memory that is on the account.

use crate::{Budget, OverBudget};
use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

thread_local! {
    static ASKS: Cell<bool> = const { Cell::new(false) };
}

/// Asks for memory by a call that says whether there was any: whoever watches over the allocator lets it.
pub fn ask_for_memory<T>(ask: impl FnOnce() -> T) -> T {
    let before = ASKS.replace(true);
    let answer = ask();
    ASKS.set(before);
    answer
}

/// Whether this thread is asking, and can do without.
pub fn is_asking_for_memory() -> bool {
    ASKS.get()
}

/// What one structure has taken from the budget. Given back when it is dropped, so that nobody has to remember.
#[derive(Debug)]
pub struct Holding {
    budget: Arc<Budget>,
    bytes: u64,
}

impl Holding {
    /// Nothing taken yet.
    pub fn new(budget: Arc<Budget>) -> Self {
        Holding { budget, bytes: 0 }
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
    pub fn take(&mut self, bytes: u64) -> Result<(), OverBudget> {
        self.budget.reserve(bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    /// Gives `bytes` of what was taken back.
    pub fn give_back(&mut self, bytes: u64) {
        let bytes = bytes.min(self.bytes);
        self.budget.release(bytes);
        self.bytes -= bytes;
    }
}

impl Drop for Holding {
    fn drop(&mut self) {
        self.budget.release(self.bytes);
    }
}

/// A vector whose memory is on the account: it grows only as far as the budget allows.
///
/// While it moves to a larger block both blocks are on the account, since an allocator may need both.
#[derive(Debug)]
pub struct Held<T> {
    items: Vec<T>,
    holding: Holding,
}

impl<T: Copy> Held<T> {
    /// An empty vector without memory.
    pub fn new(budget: Arc<Budget>) -> Self {
        Held { items: Vec::new(), holding: Holding::new(budget) }
    }

    /// Makes room for `more` items: half as much again where that can be had, else just what is needed.
    pub fn make_room(&mut self, more: usize) -> Result<(), OverBudget> {
        let needed = self.items.len().saturating_add(more);
        let capacity = self.items.capacity();
        if needed <= capacity {
            return Ok(());
        }
        let generous = needed.max(capacity + capacity / 2).max(256 / size_of::<T>().max(1));
        self.grow(generous).or_else(|_| self.grow(needed))
    }

    fn grow(&mut self, capacity: usize) -> Result<(), OverBudget> {
        let (old, new) = (self.items.capacity() * size_of::<T>(), capacity.saturating_mul(size_of::<T>()));
        self.holding.take(new as u64)?;
        let more = capacity - self.items.len();
        if ask_for_memory(|| self.items.try_reserve_exact(more)).is_err() {
            self.holding.give_back(new as u64);
            return Err(OverBudget { asked: new as u64, left: 0 });
        }
        self.holding.give_back(old as u64);
        Ok(())
    }

    /// Adds an item.
    #[inline]
    pub fn push(&mut self, item: T) -> Result<(), OverBudget> {
        if self.items.len() == self.items.capacity() {
            self.make_room(1)?;
        }
        self.items.push(item);
        Ok(())
    }

    /// Adds items; all of them or none.
    #[inline]
    pub fn extend(&mut self, items: &[T]) -> Result<(), OverBudget> {
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
        self.holding.bytes()
    }
}

impl<T> Deref for Held<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T> DerefMut for Held<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_holding_gives_back_what_it_took() {
        let budget = Arc::new(Budget::new(100));
        let mut holding = Holding::new(budget.clone());
        holding.take(70).unwrap();
        assert!(holding.take(31).is_err());
        holding.give_back(20);
        assert_eq!((holding.bytes(), budget.used()), (50, 50));
        drop(holding);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn a_held_vector_stays_on_the_account_and_intact() {
        let budget = Arc::new(Budget::new(10_000));
        let mut held = Held::new(budget.clone());
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
