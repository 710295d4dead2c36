//! The entries of the state table that find their bucket full: keys and identifiers in a table with linear probing.
//!
//! Eight bytes per slot, at most four fifths of them taken. Several entries may have the same key.

use crate::memory::probe::{after, home};
use crate::memory::region::Region;
use std::sync::Arc;
use tightrope_core::{Budget, Refused, Reservation};

/// Spreads keys over slots: the golden ratio, as Knuth has it.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
const FIRST_SLOTS: usize = 16;

/// The table. A slot is 0, or a key in the upper half and an identifier plus one in the lower.
pub struct Overflow {
    slots: Region<u64>,
    len: usize,
    reservation: Reservation,
}

impl Overflow {
    /// Without entries and memory.
    pub fn new(budget: &Arc<Budget>) -> Self {
        Overflow { slots: Region::new(), len: 0, reservation: Reservation::new(budget.clone()) }
    }

    /// An empty one with room for so many entries.
    pub fn with_room(entries: usize, budget: &Arc<Budget>) -> Result<Self, Refused> {
        let mut made = Overflow::new(budget);
        let slots = if entries == 0 { 0 } else { entries + entries / 4 + FIRST_SLOTS };
        made.reservation.take(8 * slots as u64)?;
        if made.slots.grow(slots) { Ok(made) } else { Err(Refused::Memory) }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }

    fn home(&self, key: u64) -> usize {
        home(key.wrapping_mul(SPREAD), self.slots.len())
    }

    /// Calls `each` with every identifier of a key, until it says that it is enough.
    #[inline]
    pub fn find(&self, key: u64, mut each: impl FnMut(u32) -> bool) -> bool {
        if self.len == 0 {
            return false;
        }
        let mut at = self.home(key);
        while self.slots[at] != 0 {
            let slot = self.slots[at];
            if slot >> 32 == key && each((slot as u32).wrapping_sub(1)) {
                return true;
            }
            at = after(at, self.slots.len());
        }
        false
    }

    /// Makes sure that one more can be added.
    pub fn make_room(&mut self, budget: &Arc<Budget>) -> Result<(), Refused> {
        if (self.len + 1) * 5 <= self.slots.len() * 4 {
            return Ok(());
        }
        let larger = Overflow::with_room(self.len + self.len / 2 + 1, budget)
            .or_else(|_| Overflow::with_room(self.len + self.len / 16 + 1, budget))?;
        let before = std::mem::replace(self, larger);
        before.iter().for_each(|(key, id)| self.add(key, id));
        Ok(())
    }

    /// Adds an entry, for which there is room ([`Overflow::make_room`]).
    pub fn add(&mut self, key: u64, id: u32) {
        let mut at = self.home(key);
        while self.slots[at] != 0 {
            at = after(at, self.slots.len());
        }
        self.slots[at] = key << 32 | u64::from(id + 1);
        self.len += 1;
    }

    /// All entries.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        self.slots.iter().filter(|&&slot| slot != 0).map(|&slot| (slot >> 32, slot as u32 - 1))
    }
}
