//! The state table: from the hashes of states to their identifiers.
//!
//! A key is the upper bits of a hash, at most [`MOST_KEY_BITS`]. The home of a key tells its upper bits, so that an entry has only
//! the lower ones, the remainder, and the identifier ([`Quotient`]). Entries are in buckets of 32 ([`bucket`]); what finds its bucket
//! full goes to an [`Overflow`] table. Several states may have the same key: the table gives all their identifiers, and whoever asks
//! compares the states.
//!
//! Invariant: buckets are in the order of their keys, so that the table grows where it is.
//!
//! Bits per state: those of a key and two, divided by the load, which is 0.82 to 0.92, and those of the two to four in a hundred
//! that overflow. The bits of an identifier cost nothing beyond the key: the larger the table, the more bits its homes tell.

use super::overflow::Overflow;
use crate::memory::bucket::{self, BucketWriter, Run, SLOTS};
use crate::memory::prefetch::prefetch;
use crate::memory::quotient::{KeyRebuilder, MOST_HOMES, Quotient, ones};
use crate::memory::region::Region;
use std::collections::VecDeque;
use std::sync::Arc;
use tightrope_core::{Budget, Refused, Reservation};

/// The most bits of a key.
pub const MOST_KEY_BITS: u32 = 30;
/// From so many buckets on tables grow by an eighth instead of doubling.
const LARGE: usize = 64;
/// A table grows when so many of a hundred slots are taken.
const LOAD: u64 = 92;

/// The table.
pub struct StateTable {
    table: Region<u64>,
    buckets: usize,
    key_bits: u32,
    /// The bits of an identifier, and those of an entry.
    id_bits: u32,
    width: u32,
    len: u64,
    /// It grows before it has more entries.
    most: u64,
    overflow: Overflow,
    budget: Arc<Budget>,
    reservation: Reservation,
}

fn table_words(buckets: usize, width: u32) -> usize {
    // One beyond the end may be looked at, and two where entries have no bits.
    if buckets == 0 { 0 } else { buckets * bucket::words(width) + 2 }
}

impl StateTable {
    /// An empty table for keys of so many bits.
    pub fn new(key_bits: u32, budget: &Arc<Budget>) -> Self {
        StateTable {
            table: Region::new(),
            buckets: 0,
            key_bits: key_bits.min(MOST_KEY_BITS),
            id_bits: 0,
            width: 0,
            len: 0,
            most: 0,
            overflow: Overflow::new(budget),
            budget: budget.clone(),
            reservation: Reservation::new(budget.clone()),
        }
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        self.reservation.bytes() + self.overflow.bytes()
    }

    /// The key of a state with that hash.
    #[inline]
    pub fn key(&self, hash: u64) -> u64 {
        hash >> (64 - self.key_bits)
    }

    #[inline]
    fn quotient(&self) -> Quotient {
        Quotient { bits: self.key_bits, homes: (self.buckets * SLOTS) as u64 }
    }

    /// Where the bucket of a key begins, and its home there.
    #[inline]
    fn place(&self, key: u64) -> (usize, u32) {
        let home = self.quotient().home(key);
        ((home as usize / SLOTS) * bucket::words(self.width), home as u32 % SLOTS as u32)
    }

    /// Brings the bucket of a key near.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        if self.buckets > 0 {
            let (at, home) = self.place(key);
            prefetch(&self.table, at);
            prefetch(&self.table, at + bucket::HEAD + (home * self.width) as usize / 64);
        }
    }

    /// Calls `each` with the identifier of every state of that key, until it says that it is enough; whether it did.
    #[inline]
    pub fn find(&self, key: u64, mut each: impl FnMut(u32) -> bool) -> bool {
        if self.buckets == 0 {
            return false;
        }
        let (at, home) = self.place(key);
        let run = Run::of(&self.table, at, home);
        let remainder = key & ones(self.width - self.id_bits);
        for slot in run.first..run.first + run.len {
            let entry = bucket::get(&self.table, at, slot as usize, self.width);
            if entry >> self.id_bits == remainder && each((entry & ones(self.id_bits)) as u32) {
                return true;
            }
        }
        run.is_full() && self.overflow.find(key, each)
    }

    /// Makes sure that one more can be added.
    #[inline]
    pub fn make_room(&mut self) -> Result<(), Refused> {
        if self.len >= self.most {
            self.grow()?;
        }
        self.overflow.make_room(&self.budget)
    }

    /// Adds a state, for which there is room ([`StateTable::make_room`]). Identifiers count from 0 without gaps.
    #[inline]
    pub fn add(&mut self, key: u64, id: u32) {
        self.put(key, id);
        self.len += 1;
    }

    fn put(&mut self, key: u64, id: u32) {
        let (at, home) = self.place(key);
        let run = Run::of(&self.table, at, home);
        if run.is_full() {
            self.overflow.add(key, id);
        } else {
            let remainder = key & ones(self.width - self.id_bits);
            run.add(&mut self.table, at, remainder << self.id_bits | u64::from(id), self.width);
        }
    }

    #[cold]
    fn grow(&mut self) -> Result<(), Refused> {
        let buckets = self.buckets;
        if buckets < LARGE {
            return self.enlarge((2 * buckets).max(1));
        }
        let enlarged = self.enlarge(buckets + buckets / 8).or_else(|_| self.enlarge(buckets + buckets / 32 + 1));
        // Where there is no memory for more buckets, identifiers have to fit and entries may overflow.
        match enlarged {
            Err(_) if self.most <= ones(self.id_bits) && self.most < (self.buckets * SLOTS) as u64 => {
                self.most = (self.buckets * SLOTS) as u64;
                self.most = self.most.min(ones(self.id_bits) + 1);
                Ok(())
            }
            other => other,
        }
    }

    /// Writes the table again with so many buckets, where it is. A refusal changes nothing.
    fn enlarge(&mut self, buckets: usize) -> Result<(), Refused> {
        let homes = (buckets * SLOTS) as u64;
        if homes > MOST_HOMES {
            return Err(Refused::Limit("the state table has as many buckets as it can"));
        }
        let quotient = Quotient { bits: self.key_bits, homes };
        let most = homes * LOAD / 100;
        let id_bits = u64::BITS - (most - 1).leading_zeros();
        let width = quotient.width() + id_bits;
        let (old_words, words) = (table_words(self.buckets, self.width), table_words(buckets, width));
        // Entries are moved from the last to the first, to places that are not before those where they were.
        if words < old_words {
            return self.enlarge(buckets + buckets / 32 + 1);
        }
        let overflow = Overflow::with_room(self.overflow.len() + self.overflowing(quotient), &self.budget)?;
        let more = 8 * (words - old_words) as u64;
        self.reservation.take(more)?;
        if !self.table.grow(words) {
            self.reservation.give_back(more);
            return Err(Refused::Memory);
        }
        let before = std::mem::replace(&mut self.overflow, overflow);
        self.rewrite(quotient, width, id_bits);
        (self.buckets, self.width, self.id_bits, self.most) = (buckets, width, id_bits, most);
        before.iter().for_each(|(key, id)| self.put(key, id));
        Ok(())
    }

    /// The keys and identifiers of a bucket, in the order of keys.
    fn entries(&self, rebuilder: KeyRebuilder, number: usize, out: &mut Vec<(u64, u32)>) {
        out.clear();
        let at = number * bucket::words(self.width);
        bucket::visit(&self.table[at..], self.width, |home, entry| {
            let home = (number * SLOTS) as u64 + u64::from(home);
            out.push((rebuilder.key(home, entry >> self.id_bits), (entry & ones(self.id_bits)) as u32));
        });
        out.sort_unstable();
    }

    /// How many entries would find their bucket full in another table.
    fn overflowing(&self, quotient: Quotient) -> usize {
        let rebuilder = KeyRebuilder::new(self.quotient());
        let (mut entries, mut bucket, mut taken, mut overflowing) = (Vec::new(), u64::MAX, 0, 0);
        for number in 0..self.buckets {
            self.entries(rebuilder, number, &mut entries);
            for &(key, _) in &entries {
                let to = quotient.home(key) / SLOTS as u64;
                taken = if to == bucket { taken + 1 } else { 1 };
                bucket = to;
                overflowing += usize::from(taken > SLOTS);
            }
        }
        overflowing
    }

    /// Moves all entries to where they are in a larger table, in the same memory.
    fn rewrite(&mut self, quotient: Quotient, width: u32, id_bits: u32) {
        let old = self.quotient();
        let (rebuilder, words) = (KeyRebuilder::new(old), bucket::words(width));
        let remainder = ones(width - id_bits);
        let (mut entries, mut waiting) = (Vec::new(), VecDeque::new());
        let mut writer = BucketWriter::new();
        let mut unwritten = quotient.homes as usize / SLOTS;
        for number in (0..self.buckets).rev() {
            self.entries(rebuilder, number, &mut entries);
            // In the order of descending keys.
            waiting.extend(entries.iter().rev().copied());
            // The least key that a bucket before this one does not have.
            let least = (((number * SLOTS) as u128) << self.key_bits).div_ceil(u128::from(old.homes)) as u64;
            let first = match number {
                0 => 0,
                _ => (quotient.home(least) / SLOTS as u64) as usize + 1,
            };
            while unwritten > first {
                unwritten -= 1;
                let base = (unwritten * SLOTS) as u64;
                let here = waiting.iter().take_while(|&&(key, _)| quotient.home(key) >= base).count();
                for &(key, id) in waiting.range(..here).rev() {
                    let entry = (key & remainder) << id_bits | u64::from(id);
                    if !writer.push((quotient.home(key) - base) as u32, entry, width) {
                        self.overflow.add(key, id);
                    }
                }
                waiting.drain(..here);
                writer.write(&mut self.table, unwritten * words, width);
            }
        }
        if self.buckets == 0 {
            // Fresh memory is empty buckets.
            return;
        }
        let end = quotient.homes as usize / SLOTS * words;
        self.table[end..].fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::hashing::hash_of;

    fn found(table: &StateTable, key: u64) -> Vec<u32> {
        let mut ids = Vec::new();
        table.find(key, |id| {
            ids.push(id);
            false
        });
        ids.sort_unstable();
        ids
    }

    #[test]
    fn every_identifier_is_found_under_its_key() {
        for (key_bits, mask, states) in [(30, u64::MAX, 300_000u32), (27, u64::MAX, 60_000), (30, 0xff << 56, 3000)] {
            let budget = Arc::new(Budget::unlimited());
            let mut table = StateTable::new(key_bits, &budget);
            let hash = |id: u32| hash_of(&id.to_le_bytes()) & mask;
            for id in 0..states {
                table.make_room().unwrap();
                table.add(table.key(hash(id)), id);
                assert_eq!(table.bytes(), budget.used());
            }
            let mut expected: std::collections::HashMap<u64, Vec<u32>> = std::collections::HashMap::new();
            (0..states).for_each(|id| expected.entry(table.key(hash(id))).or_default().push(id));
            for (key, ids) in &expected {
                assert_eq!(found(&table, *key), *ids);
            }
            for id in states..states + 10_000 {
                let key = table.key(hash(id));
                assert_eq!(found(&table, key), expected.get(&key).cloned().unwrap_or_default());
            }
            let each = table.bytes() as f64 / f64::from(states);
            assert!(mask != u64::MAX || each < 5.5, "{each} bytes per state with keys of {key_bits} bits");
        }
    }

    #[test]
    fn a_refusal_keeps_what_is_there() {
        let budget = Arc::new(Budget::new(200_000));
        let mut table = StateTable::new(30, &budget);
        let key = |id: u32| hash_of(&id.to_le_bytes()) >> 34;
        let mut id = 0;
        while table.make_room().is_ok() {
            table.add(key(id), id);
            id += 1;
        }
        assert!(id > 30_000, "{id} states in 200,000 bytes");
        assert!((0..id).all(|id| found(&table, key(id)).contains(&id)));
    }
}
