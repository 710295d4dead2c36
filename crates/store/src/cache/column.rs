//! An array that grows where it is, in small steps, on the budget.

use crate::region::{HUGE, Plain, Region};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use tightrope_core::{Budget, Holding, OverBudget};

/// The steps in bytes in which memory is charged: the first that the budget grants.
const STEPS: [usize; 3] = [64 << 10, 4 << 10, 1];
/// Up to so many bytes the first step is left out, for small caches.
const SMALL: usize = 512 << 10;

/// The array. It is as long as what was charged for; all new items are zero.
pub struct Column<T> {
    region: Region<T>,
    len: usize,
    holding: Holding,
}

impl<T: Plain> Column<T> {
    /// An empty one.
    pub fn new(budget: &Arc<Budget>) -> Self {
        Column { region: Region::new(), len: 0, holding: Holding::new(budget.clone()) }
    }

    /// Sees to it that there are `len` items; a refusal changes nothing.
    #[inline]
    pub fn make_room(&mut self, len: usize) -> Result<(), OverBudget> {
        if len <= self.len { Ok(()) } else { self.grow(len) }
    }

    #[cold]
    fn grow(&mut self, len: usize) -> Result<(), OverBudget> {
        let size = size_of::<T>();
        if len > self.region.len() {
            // Address space is no memory: as much again, so that it moves seldom.
            let generous = (2 * len * size).next_multiple_of(HUGE) / size;
            if !self.region.grow(generous) && !self.region.grow(len) {
                return Err(OverBudget { asked: (len * size) as u64, left: 0 });
            }
        }
        let mut refused = None;
        for &step in &STEPS[usize::from(len * size < SMALL)..] {
            let items = ((len - self.len) * size).next_multiple_of(step).div_ceil(size);
            let items = items.min(self.region.len() - self.len);
            match self.holding.take((items * size) as u64) {
                Ok(()) => {
                    self.len += items;
                    return Ok(());
                }
                Err(over) => refused = Some(over),
            }
        }
        Err(refused.expect("there is a step"))
    }

    /// The bytes charged.
    pub fn bytes(&self) -> u64 {
        self.holding.bytes()
    }
}

impl<T: Plain> Deref for Column<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.region[..self.len]
    }
}

impl<T: Plain> DerefMut for Column<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.region[..self.len]
    }
}
