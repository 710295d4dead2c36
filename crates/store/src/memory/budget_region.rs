//! A [`Region`] on the account: an array that grows where it is, in small steps.
//!
//! Its address space is larger than what is used of it, so that it moves seldom; it is charged to the budget as it fills, which
//! is when the system gives it memory. Arenas and caches grow like this. The nodes of diagrams and trees are charged one by one
//! instead, the tables of hashes by their slots.

use super::region::{HUGE, Plain, Region};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use tightrope_core::{Budget, Refused, Reservation};

/// The steps in bytes in which memory is charged: the first that the budget grants.
const STEPS: [usize; 3] = [64 << 10, 4 << 10, 1];
/// Up to so many bytes a sparing one leaves the first step out.
const SMALL: usize = 512 << 10;

/// The array. It is as long as what was charged for; all new items are zero.
pub struct BudgetRegion<T> {
    region: Region<T>,
    len: usize,
    /// What is before this was given back.
    discarded: usize,
    /// From so many bytes on it is charged in large steps.
    large: usize,
    reservation: Reservation,
}

impl<T: Plain> BudgetRegion<T> {
    /// An empty one.
    pub fn new(budget: &Arc<Budget>) -> Self {
        let reservation = Reservation::new(budget.clone());
        BudgetRegion { region: Region::new(), len: 0, discarded: 0, large: 0, reservation }
    }

    /// An empty one that takes hardly more than it needs while it is small.
    pub fn sparing(budget: &Arc<Budget>) -> Self {
        BudgetRegion { large: SMALL, ..Self::new(budget) }
    }

    /// Sees to it that there are `len` items; a refusal changes nothing.
    #[inline]
    pub fn make_room(&mut self, len: usize) -> Result<(), Refused> {
        if len <= self.len { Ok(()) } else { self.grow(len) }
    }

    #[cold]
    fn grow(&mut self, len: usize) -> Result<(), Refused> {
        let size = size_of::<T>();
        if len > self.region.len() {
            // Address space is no memory: as much again, or what of that can be had.
            let generous = (2 * len * size).next_multiple_of(HUGE) / size;
            if !self.region.grow(generous) && !self.region.grow(len + len / 8) && !self.region.grow(len) {
                return Err(Refused::Memory);
            }
        }
        let mut refused = Refused::Memory;
        for &step in &STEPS[usize::from(len * size < self.large)..] {
            let items = ((len - self.len) * size).next_multiple_of(step).div_ceil(size);
            let items = items.min(self.region.len() - self.len);
            match self.reservation.take((items * size) as u64) {
                Ok(()) => {
                    self.len += items;
                    return Ok(());
                }
                Err(over) => refused = over,
            }
        }
        Err(refused)
    }

    /// All items, those included that are not charged yet, which are zero: what is surely charged is found there without
    /// another look at the length.
    #[inline(always)]
    pub fn all(&self) -> &[T] {
        &self.region
    }

    /// The same, to write what was charged.
    #[inline(always)]
    pub fn all_mut(&mut self) -> &mut [T] {
        &mut self.region
    }

    /// Gives the memory of the items before `len` back, as far as that goes. They are zero then.
    pub fn discard(&mut self, len: usize) {
        let gone = self.region.discard(self.discarded, len).min(self.len);
        self.reservation.give_back(((gone - self.discarded) * size_of::<T>()) as u64);
        self.discarded = gone;
    }

    /// The bytes charged.
    pub fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }
}

impl<T: Plain> Deref for BudgetRegion<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.region[..self.len]
    }
}

impl<T: Plain> DerefMut for BudgetRegion<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.region[..self.len]
    }
}
