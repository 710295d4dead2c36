//! An exact set: a hash table over an arena.
//!
//! The codes lie in an [`Arena`] in the order of insertion. The table is open addressing with linear probing; a slot
//! of eight bytes holds the place of a code and 24 bits of its hash, so that a probe touches the arena only where the
//! code is almost surely the one sought. The home of a code is its hash scaled to the number of slots (Lemire's
//! range reduction), which allows tables of any size, and makes a slot's position tell the highest bits of the hash.
//! What the slot keeps are the bits below those: together they are enough to find the home in a larger table.
//!
//! Invariants: everything is in the arena, the table can be made from it. A code is found between its home and the
//! next free slot. A table grows where it is: its slots are moved to the end of the larger one and from there, in order,
//! to their new homes, without a look at the codes (`spread`). Only every four doublings, when the position begins
//! to tell more bits, is it made again from the arena (`refill`).
//!
//! Codes that are announced are looked for in three rounds, some codes apart: the cache line of the home is fetched,
//! then the slot is looked up and what it refers to in the arena is fetched, and only then is anything waited for.
//!
//! Bytes per state: the code, one byte of length, and 10 to 12.5 of table (load 0.64 to 0.8), down to 8.4, and slower,
//! when the budget refuses more (load 0.95). Ids are places in the arena and grow; members are read in order, so that
//! breadth-first search needs no queue. Exact. Not for state spaces that do not fit: then encode smaller, or give up
//! exactness.

use crate::prefetch::prefetch;
use crate::region::Region;
use crate::{Arena, OrderedSet, Set};
use rapidhash::v3::{DEFAULT_RAPID_SECRETS, rapidhash_v3_nano_inline};
use std::sync::Arc;
use tightrope_core::{Batch, Budget, Claim, Found, Holding, OverBudget, StateId};

/// A slot is `TAG_BITS` of the hash, then the place plus one; an empty slot is 0.
const TAG_BITS: u32 = 24;
const PLACE_BITS: u32 = 64 - TAG_BITS;
const PLACE: u64 = (1 << PLACE_BITS) - 1;
const FIRST_SLOTS: usize = 256;
/// From here on tables grow by a quarter instead of doubling.
const LARGE_SLOTS: usize = 1 << 16;
/// From here on huge pages are asked for.
const HUGE_SLOTS: usize = 1 << 19;
/// How many codes ahead the home is fetched, and how many ahead it is looked at.
const FETCH_AHEAD: usize = 24;
const LOOK_AHEAD: usize = 10;
/// How many codes are entered together when a table is made.
const BATCH: usize = 32;

/// An exact set of byte strings.
pub struct Hash {
    table: Region<u64>,
    /// How many bits of the hash the position tells.
    implied: u32,
    /// A slot is so far from its home that its position does not tell those bits.
    strayed: bool,
    arena: Arena,
    len: u64,
    holding: Holding,
    announced: Vec<Announced>,
    /// How many of them were fetched, and looked at.
    fetched: usize,
    looked_at: usize,
}

/// A code that will be inserted soon.
#[derive(Clone, Copy)]
struct Announced {
    hash: u64,
    length: usize,
    /// No slot before this one is the code's, in a table of `slots` slots.
    at: usize,
    slots: usize,
}

/// Where a code is, or would be.
enum Probe {
    Member(u64),
    Free(usize),
}

#[inline]
fn hash_of(code: &[u8]) -> u64 {
    rapidhash_v3_nano_inline::<true, false>(code, &DEFAULT_RAPID_SECRETS)
}

/// How many bits of the hash are told by the position in a table: so many that at least 4096 slots share them. No
/// cluster is that long in a table that is filled as it should be.
#[inline]
fn implied_bits(slots: usize) -> u32 {
    (slots.max(1).ilog2().saturating_sub(12) / 4 * 4).min(PLACE_BITS)
}

/// What a table knows of a hash: the bits that the position implies, and those of the tag.
#[inline]
fn known(hash: u64, implied: u32) -> u64 {
    hash & !0 << (PLACE_BITS - implied)
}

#[inline]
fn home(known: u64, slots: usize) -> usize {
    ((u128::from(known) * slots as u128) >> 64) as usize
}

/// What is known of a hash, from the bits implied and a slot.
#[inline]
fn recall(bits: u64, implied: u32, slot: u64) -> u64 {
    // In two steps, since a shift by all 64 bits is none.
    bits << (63 - implied) << 1 | (slot & !PLACE) >> implied
}

impl Hash {
    /// An empty set.
    pub fn new(budget: &Arc<Budget>) -> Self {
        Hash {
            table: Region::new(),
            implied: 0,
            strayed: false,
            arena: Arena::new(budget.clone()),
            len: 0,
            holding: Holding::new(budget.clone()),
            announced: Vec::new(),
            fetched: 0,
            looked_at: 0,
        }
    }

    #[inline]
    fn home(&self, hash: u64) -> usize {
        home(known(hash, self.implied), self.table.len())
    }

    /// The slot's share of a hash, at its place in the slot.
    #[inline]
    fn tag(&self, hash: u64) -> u64 {
        hash << self.implied & !PLACE
    }

    /// The first slot from `at` on that is free or has the tag, and what is in it. The table has a free slot.
    #[inline]
    fn seek(&self, mut at: usize, tag: u64) -> (usize, u64) {
        let table = &*self.table;
        loop {
            let slot = table[at];
            if slot == 0 || slot & !PLACE == tag {
                return (at, slot);
            }
            at += 1;
            if at == table.len() {
                at = 0;
            }
        }
    }

    #[inline]
    fn probe(&self, code: &[u8], tag: u64, mut at: usize) -> Probe {
        loop {
            let slot;
            (at, slot) = self.seek(at, tag);
            if slot == 0 {
                return Probe::Free(at);
            }
            let place = (slot & PLACE) - 1;
            if self.arena.holds(place, code) {
                return Probe::Member(place);
            }
            at += 1;
            if at == self.table.len() {
                at = 0;
            }
        }
    }

    /// Enters a slot into the table, from its home on.
    #[inline]
    fn enter(&mut self, known: u64, slot: u64) {
        let slots = self.table.len();
        let home = home(known, slots);
        let mut at = home;
        while self.table[at] != 0 {
            at += 1;
            if at == slots {
                at = 0;
            }
        }
        self.put(home, at, slot);
    }

    #[inline]
    fn put(&mut self, home: usize, at: usize, slot: u64) {
        let slots = self.table.len();
        let distance = if at >= home { at - home } else { at + slots - home };
        self.strayed |= distance + 1 >= slots >> self.implied;
        self.table[at] = slot;
    }

    /// Makes sure that there is a free slot beside the one about to be taken. A table that may not grow is filled
    /// further than is good for speed before the refusal is passed on.
    #[inline]
    fn make_room(&mut self) -> Result<(), OverBudget> {
        if (self.len as usize + 1) * 5 <= self.table.len() * 4 { Ok(()) } else { self.grow() }
    }

    #[cold]
    fn grow(&mut self) -> Result<(), OverBudget> {
        let (slots, needed) = (self.table.len(), self.len as usize + 1);
        let wanted = match slots {
            0 => FIRST_SLOTS,
            _ if slots < LARGE_SLOTS => slots * 2,
            _ => slots + slots / 4,
        };
        let Err(refused) = self.enlarge(wanted) else { return Ok(()) };
        if needed * 10 <= slots * 9 || self.enlarge(slots + slots / 16).is_ok() {
            return Ok(());
        }
        if needed * 20 <= slots * 19 { Ok(()) } else { Err(refused) }
    }

    /// Makes the table `slots` slots long.
    fn enlarge(&mut self, slots: usize) -> Result<(), OverBudget> {
        let old = self.table.len();
        let more = 8 * slots.saturating_sub(old) as u64;
        if more == 0 {
            return Err(OverBudget { asked: 0, left: 0 });
        }
        self.holding.take(more)?;
        if !self.table.grow(slots) {
            self.holding.give_back(more);
            return Err(OverBudget { asked: more, left: 0 });
        }
        if old < HUGE_SLOTS && slots >= HUGE_SLOTS {
            self.table.prefer_huge_pages(true);
        }
        if implied_bits(slots) == self.implied && !self.strayed {
            self.spread(old);
        } else {
            self.table[..old].fill(0);
            self.refill();
        }
        Ok(())
    }

    /// Moves the slots of a table that was `old` slots long to their homes in the longer one.
    ///
    /// They are moved to its end first. From there on no slot's home is behind it: all distances grow at most by what was
    /// added. A slot that is taken from its place therefore finds a free one there or before, and none that still waits
    /// is in the way.
    fn spread(&mut self, old: usize) {
        let slots = self.table.len();
        let added = slots - old;
        self.table.copy_within(..old, added);
        self.table[..added].fill(0);
        // The bits that the position tells, and the position from which on they are the next ones.
        let (mut bits, mut until) = (0u64, 0);
        let mut wrapped = Vec::new();
        for at in 0..old {
            if at == until {
                bits = if at == 0 { 0 } else { bits + 1 };
                until = if bits + 1 == 1 << self.implied { old } else { home((bits + 1) << (64 - self.implied), old) };
            }
            let slot = std::mem::take(&mut self.table[added + at]);
            if slot == 0 {
                continue;
            }
            let mut hash = recall(bits, self.implied, slot);
            if home(hash, old) > at {
                // It belongs to those before, from where it was pushed here.
                if bits == 0 {
                    wrapped.push(slot);
                    continue;
                }
                hash = recall(bits - 1, self.implied, slot);
            }
            self.enter(hash, slot);
        }
        for slot in wrapped {
            self.enter(recall((1 << self.implied) - 1, self.implied, slot), slot);
        }
    }

    /// Enters everything in the arena into an empty table.
    fn refill(&mut self) {
        self.implied = implied_bits(self.table.len());
        self.strayed = false;
        let mut batch = [(0, 0); BATCH];
        let mut place = self.arena.next(None);
        while place.is_some() {
            let mut count = 0;
            while count < BATCH
                && let Some(at) = place
            {
                let hash = hash_of(self.arena.get(at));
                prefetch(&self.table, self.home(hash));
                batch[count] = (hash, at);
                place = self.arena.next(place);
                count += 1;
            }
            for &(hash, at) in &batch[..count] {
                self.enter(known(hash, self.implied), self.tag(hash) | (at + 1));
            }
        }
    }

    /// Inserts a code that is in no slot from its home to just before `from`.
    #[inline]
    fn insert_from(&mut self, code: &[u8], hash: u64, from: usize) -> Result<Found, OverBudget> {
        let mut free = None;
        if !self.table.is_empty() {
            match self.probe(code, self.tag(hash), from) {
                Probe::Member(place) => return Ok(Found::Seen(StateId(place))),
                Probe::Free(at) => free = Some(at),
            }
        }
        let slots = self.table.len();
        self.make_room()?;
        let place = self.arena.push(code)?;
        let (home, tag) = (self.home(hash), self.tag(hash));
        match free {
            Some(at) if self.table.len() == slots => self.put(home, at, tag | (place + 1)),
            _ => self.enter(known(hash, self.implied), tag | (place + 1)),
        }
        self.len += 1;
        Ok(Found::New(StateId(place)))
    }

    /// Gets codes that were announced ready, up to some distance from the one at `index`.
    #[inline]
    fn get_ready(&mut self, index: usize) {
        let count = self.announced.len();
        if self.table.is_empty() {
            return;
        }
        while self.fetched < count.min(index + FETCH_AHEAD) {
            prefetch(&self.table, self.home(self.announced[self.fetched].hash));
            self.fetched += 1;
        }
        while self.looked_at < count.min(index + LOOK_AHEAD) {
            let Announced { hash, length, .. } = self.announced[self.looked_at];
            let (at, slot) = self.seek(self.home(hash), self.tag(hash));
            if slot != 0 {
                self.arena.prefetch((slot & PLACE) - 1, length + 1);
            }
            self.announced[self.looked_at] = Announced { hash, length, at, slots: self.table.len() };
            self.looked_at += 1;
        }
    }
}

impl Set for Hash {
    fn insert(&mut self, code: &[u8]) -> Result<Found, OverBudget> {
        let hash = hash_of(code);
        self.insert_from(code, hash, self.home(hash))
    }

    fn announce(&mut self, codes: &Batch) {
        self.announced.clear();
        let announced = |code: &[u8]| Announced { hash: hash_of(code), length: code.len(), at: 0, slots: 0 };
        self.announced.extend(codes.iter().map(announced));
        (self.fetched, self.looked_at) = (0, 0);
    }

    fn insert_announced(&mut self, index: usize, code: &[u8]) -> Result<Found, OverBudget> {
        self.get_ready(index);
        let Some(&Announced { hash, at, slots, .. }) = self.announced.get(index) else { return self.insert(code) };
        debug_assert_eq!(hash, hash_of(code), "what was announced is inserted");
        let from = if slots == self.table.len() { at } else { self.home(hash) };
        self.insert_from(code, hash, from)
    }

    fn read<'a>(&'a mut self, id: StateId, _room: &'a mut Vec<u8>) -> Option<&'a [u8]> {
        Some(self.arena.get(id.0))
    }

    fn len(&self) -> u64 {
        self.len
    }

    fn bytes(&self) -> u64 {
        self.holding.bytes() + self.arena.bytes()
    }

    fn claim(&self) -> Claim {
        Claim::Exact
    }

    fn ordered(&mut self) -> Option<&mut dyn OrderedSet> {
        Some(self)
    }
}

impl OrderedSet for Hash {
    fn next<'a>(&'a mut self, after: Option<StateId>, _room: &'a mut Vec<u8>) -> Option<(StateId, &'a [u8])> {
        let place = self.arena.next(after.map(|id| id.0))?;
        Some((StateId(place), self.arena.get(place)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(number: u64) -> Vec<u8> {
        let mut code = number.to_le_bytes().to_vec();
        code.resize(3 + (number % 40) as usize, number as u8);
        code.extend_from_slice(&number.to_le_bytes());
        code
    }

    #[test]
    fn members_are_found_again_and_read_in_order() {
        let budget = Arc::new(Budget::unlimited());
        let mut set = Hash::new(&budget);
        let count = 200_000;
        let ids: Vec<StateId> = (0..count)
            .map(|number| match set.insert(&code(number)).unwrap() {
                Found::New(id) => id,
                other => panic!("{number}: {other:?}"),
            })
            .collect();
        assert!(ids.is_sorted());
        assert_eq!(set.len(), count);
        let mut room = Vec::new();
        let mut after = None;
        for (number, &id) in ids.iter().enumerate() {
            assert_eq!(set.insert(&code(number as u64)).unwrap(), Found::Seen(id));
            assert_eq!(set.read(id, &mut room), Some(code(number as u64).as_slice()));
            let (next, found) = set.next(after, &mut room).unwrap();
            assert_eq!((next, found), (id, code(number as u64).as_slice()));
            after = Some(next);
        }
        assert!(set.next(after, &mut room).is_none());
        assert_eq!(set.bytes(), budget.used());
        let overhead = (set.bytes() - (0..count).map(|n| code(n).len() as u64).sum::<u64>()) as f64 / count as f64;
        assert!(overhead < 16.5, "{overhead} bytes per state beside the state");
        drop(set);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn refusal_leaves_the_set_intact() {
        for limit in [0, 100, 3000, 10_000, 100_000, 300_000] {
            let budget = Arc::new(Budget::new(limit));
            let mut set = Hash::new(&budget);
            let mut kept = 0;
            while set.insert(&code(kept)).is_ok() {
                kept += 1;
            }
            assert!(budget.peak() <= limit);
            assert_eq!(set.len(), kept);
            assert!((0..kept).all(|number| matches!(set.insert(&code(number)), Ok(Found::Seen(_)))));
            assert!(set.insert(&code(kept)).is_err());
            let used = budget.used() as f64 / limit as f64;
            assert!(limit < 10_000 || used > 0.9, "{used} of {limit} bytes were used");
        }
    }

    #[test]
    fn the_empty_string_is_a_member_like_any_other() {
        let mut set = Hash::new(&Arc::new(Budget::unlimited()));
        assert!(matches!(set.insert(&[]).unwrap(), Found::New(_)));
        assert!(matches!(set.insert(&[]).unwrap(), Found::Seen(_)));
        assert!(matches!(set.insert(&[0]).unwrap(), Found::New(_)));
    }
}
