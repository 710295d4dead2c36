//! From hashes to the numbers of states, with removal.
//!
//! Linear probing. A slot of eight bytes holds 32 bits of the hash and the number of the state plus one; an empty slot is 0. The
//! 32 bits tell the home of a slot in a table of any size, so that slots move without a look at the states; the tags of
//! [`crate::memory::slots`] tell it only where none is far from home, which removals could not count on.
//!
//! Invariant: every slot between a state's and its home is taken. A removal moves those behind it back to where they are found
//! (Knuth, 6.4, algorithm R), so that there are no tombstones, however long states come and go.

use crate::memory::prefetch::prefetch;
use crate::memory::probe;
use crate::memory::region::Region;
use std::sync::Arc;
use tightrope_core::{Budget, Refused, Reservation};

const FIRST_SLOTS: usize = 64;
/// From here on tables grow by a quarter instead of doubling.
const LARGE_SLOTS: usize = 4096;

/// The table.
pub struct HashIndex {
    table: Region<u64>,
    len: usize,
    reservation: Reservation,
}

#[inline]
fn home(hash: u32, slots: usize) -> usize {
    probe::home(u64::from(hash) << 32, slots)
}

impl HashIndex {
    /// An empty table.
    pub fn new(budget: &Arc<Budget>) -> Self {
        HashIndex { table: Region::new(), len: 0, reservation: Reservation::new(budget.clone()) }
    }

    #[inline]
    fn after(&self, at: usize) -> usize {
        probe::after(at, self.table.len())
    }

    /// The number of a state with that hash which `is_it`.
    #[inline]
    pub fn find(&self, hash: u32, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        if self.table.is_empty() {
            return None;
        }
        let mut at = home(hash, self.table.len());
        loop {
            let slot = self.table[at];
            if slot == 0 {
                return None;
            }
            let number = (slot as u32).wrapping_sub(1);
            if (slot >> 32) as u32 == hash && is_it(number) {
                return Some(number);
            }
            at = self.after(at);
        }
    }

    /// Asks the processor to bring the home of a state with that hash near.
    #[inline]
    pub fn prefetch(&self, hash: u32) {
        if !self.table.is_empty() {
            prefetch(&self.table, home(hash, self.table.len()));
        }
    }

    /// Makes sure that one more can be entered. A table that may not grow is filled further than is good for speed.
    #[inline]
    pub fn make_room(&mut self) -> Result<(), Refused> {
        if (self.len + 1) * 4 <= self.table.len() * 3 { Ok(()) } else { self.grow() }
    }

    #[cold]
    fn grow(&mut self) -> Result<(), Refused> {
        let slots = self.table.len();
        let more = if slots < LARGE_SLOTS { slots.max(FIRST_SLOTS) } else { slots / 4 };
        match self.enlarge(slots + more) {
            Err(_) if (self.len + 1) * 20 <= slots * 19 => Ok(()),
            other => other,
        }
    }

    fn enlarge(&mut self, slots: usize) -> Result<(), Refused> {
        let (old, new) = (8 * self.table.len() as u64, 8 * slots as u64);
        self.reservation.take(new)?;
        let mut table = Region::new();
        if !table.grow(slots) {
            self.reservation.give_back(new);
            return Err(Refused::Memory);
        }
        let before = std::mem::replace(&mut self.table, table);
        before.iter().filter(|&&slot| slot != 0).for_each(|&slot| self.put(slot));
        self.reservation.give_back(old);
        Ok(())
    }

    #[inline]
    fn put(&mut self, slot: u64) {
        let mut at = home((slot >> 32) as u32, self.table.len());
        while self.table[at] != 0 {
            at = self.after(at);
        }
        self.table[at] = slot;
    }

    /// Enters a state. There is room ([`HashIndex::make_room`]).
    #[inline]
    pub fn enter(&mut self, hash: u32, number: u32) {
        self.put(u64::from(hash) << 32 | u64::from(number + 1));
        self.len += 1;
    }

    /// Removes a state that is there.
    pub fn remove(&mut self, hash: u32, number: u32) {
        let slots = self.table.len();
        let slot_of_it = u64::from(hash) << 32 | u64::from(number + 1);
        let mut gap = home(hash, slots);
        while self.table[gap] != slot_of_it {
            gap = self.after(gap);
        }
        self.len -= 1;
        let mut at = gap;
        loop {
            at = self.after(at);
            let slot = self.table[at];
            if slot == 0 {
                self.table[gap] = 0;
                return;
            }
            // It may move back if its home is not behind the gap.
            let home = home((slot >> 32) as u32, slots);
            if probe::distance(home, at, slots) >= probe::distance(gap, at, slots) {
                self.table[gap] = slot;
                gap = at;
            }
        }
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn states_come_and_go() {
        let budget = Arc::new(Budget::unlimited());
        let mut index = HashIndex::new(&budget);
        let mut there: HashMap<u32, u32> = HashMap::new();
        let mut random = 1u64;
        for round in 0..400_000u32 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let number = (random >> 40) as u32 % 9000;
            match there.remove(&number) {
                Some(hash) => index.remove(hash, number),
                None => {
                    // Some hashes are shared by many, some lie at the very end.
                    let hash = match number % 10 {
                        0 => u32::MAX - number % 3,
                        1 => 77,
                        _ => number.wrapping_mul(2_654_435_769) ^ round,
                    };
                    index.make_room().unwrap();
                    index.enter(hash, number);
                    there.insert(number, hash);
                }
            }
            if round % 20_000 == 0 {
                assert!(there.iter().all(|(&number, &hash)| index.find(hash, |it| it == number) == Some(number)));
                assert_eq!(index.table.iter().filter(|&&slot| slot != 0).count(), there.len());
            }
        }
        assert_eq!(index.bytes(), budget.used());
    }
}
