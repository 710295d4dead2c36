//! An exact set: a hash table over an arena.
//!
//! The codes lie in an [`Arena`] in the order of insertion; a table of [`Slots`] leads from their hashes to their
//! places. A slot holds so many bits of the hash that the arena is touched only where the code is almost surely the one
//! sought.
//!
//! Invariant: everything is in the arena, the table can be made from it. It grows where it is, without a look at the
//! codes, in small steps; where it cannot, every four doublings, it is thrown away *before* a larger one is made. There
//! are never two of them.
//!
//! Codes that are announced are looked for in three rounds, some codes apart: the cache line of the home is fetched,
//! then the slot is looked up and what it leads to in the arena is fetched, and only then is anything waited for.
//!
//! Bytes per state: the code, one byte of length, and 10 to 12.5 of table (load 0.64 to 0.8), down to 8.4, and slower,
//! when the budget refuses more (load 0.95). Ids are places in the arena and grow; members are read in order, so that
//! breadth-first search needs no queue. Exact. Not for state spaces that do not fit: then encode smaller, or give up
//! exactness.

use crate::region::HUGE;
use crate::slots::{HUGE_SLOTS, Slots};
use crate::{Arena, OrderedSet, Set};
use rapidhash::v3::{DEFAULT_RAPID_SECRETS, rapidhash_v3_nano_inline};
use std::sync::Arc;
use tightrope_core::{Batch, Budget, Claim, Found, Holding, OverBudget, StateId};

const FIRST_SLOTS: usize = 256;
/// From here on tables grow by a quarter instead of doubling.
const LARGE_SLOTS: usize = 1 << 16;
/// How many codes ahead the home is fetched, and how many ahead it is looked at.
const FETCH_AHEAD: usize = 24;
const LOOK_AHEAD: usize = 12;
/// How many codes are entered together when a table is made.
const BATCH: usize = 32;

/// An exact set of byte strings.
pub struct Hash {
    table: Slots,
    arena: Arena,
    len: u64,
    holding: Holding,
    announced: Vec<Announced>,
    /// The length of the longest of them.
    longest: usize,
    /// How many of them were fetched, and how many looked at, in a table of how many slots.
    fetched: usize,
    looked_at: usize,
    looked_in: usize,
}

/// A code that will be inserted soon.
#[derive(Clone, Copy)]
struct Announced {
    hash: u64,
    /// When it was looked at: the first slot that may be the code's.
    at: usize,
}

#[inline]
fn hash_of(code: &[u8]) -> u64 {
    rapidhash_v3_nano_inline::<true, false>(code, &DEFAULT_RAPID_SECRETS)
}

impl Hash {
    /// An empty set.
    pub fn new(budget: &Arc<Budget>) -> Self {
        Hash {
            table: Slots::new(),
            arena: Arena::new(budget.clone()),
            len: 0,
            holding: Holding::new(budget.clone()),
            announced: Vec::new(),
            longest: 0,
            fetched: 0,
            looked_at: 0,
            looked_in: 0,
        }
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
            _ if slots < HUGE_SLOTS => slots + slots / 4,
            _ => (slots + slots / 4).next_multiple_of(HUGE / 8),
        };
        let Err(refused) = self.enlarge(wanted) else { return Ok(()) };
        if needed * 10 <= slots * 9 || self.enlarge(slots + slots / 16).is_ok() {
            return Ok(());
        }
        if needed * 20 <= slots * 19 { Ok(()) } else { Err(refused) }
    }

    /// Makes the table `slots` slots long.
    fn enlarge(&mut self, slots: usize) -> Result<(), OverBudget> {
        let more = 8 * slots.saturating_sub(self.table.len()) as u64;
        if more == 0 {
            return Err(OverBudget { asked: 0, left: 0 });
        }
        self.holding.take(more)?;
        let grown = if self.table.may_grow_to(slots) { self.table.grow(slots) } else { self.replace(slots) };
        if grown {
            return Ok(());
        }
        self.holding.give_back(more);
        Err(OverBudget { asked: more, left: 0 })
    }

    /// Replaces the table by one of `slots` slots, made from the arena; false if the system refuses. The old one is gone
    /// before the new one takes any memory.
    fn replace(&mut self, slots: usize) -> bool {
        let Some(table) = Slots::with(slots) else { return false };
        self.table = table;
        let mut batch = [(0, 0); BATCH];
        let mut place = self.arena.next(None);
        while place.is_some() {
            let mut count = 0;
            while count < BATCH
                && let Some(at) = place
            {
                batch[count] = (hash_of(self.arena.get(at)), at);
                self.table.prefetch(batch[count].0);
                place = self.arena.next(place);
                count += 1;
            }
            batch[..count].iter().for_each(|&(hash, at)| self.table.enter(hash, at));
        }
        true
    }

    /// Inserts a code that is in no slot from its home to just before `from`.
    #[inline]
    fn insert_from(&mut self, code: &[u8], hash: u64, from: usize) -> Result<Found, OverBudget> {
        let slots = self.table.len();
        let mut at = from;
        if slots > 0 {
            loop {
                let (found, place) = self.table.seek(hash, at);
                at = found;
                match place {
                    Some(place) if self.arena.holds(place, code) => return Ok(Found::Seen(StateId(place))),
                    Some(_) => at = self.table.after(at),
                    None => break,
                }
            }
        }
        self.make_room()?;
        let place = self.arena.push(code)?;
        if self.table.len() == slots {
            self.table.enter_at(at, hash, place);
        } else {
            self.table.enter(hash, place);
        }
        self.len += 1;
        Ok(Found::New(StateId(place)))
    }

    /// Gets codes that were announced ready, up to some distance from the one at `index`.
    #[inline]
    fn get_ready(&mut self, index: usize) {
        let count = self.announced.len();
        if self.looked_in != self.table.len() {
            self.looked_in = self.table.len();
            self.looked_at = index;
            self.fetched = index;
        }
        while self.fetched < count.min(index + FETCH_AHEAD) {
            self.table.prefetch(self.announced[self.fetched].hash);
            self.fetched += 1;
        }
        while self.looked_at < count.min(index + LOOK_AHEAD) {
            let announced = &mut self.announced[self.looked_at];
            let (at, place) = self.table.seek(announced.hash, self.table.home(announced.hash));
            announced.at = at;
            if let Some(place) = place {
                self.arena.prefetch(place, self.longest + 1);
            }
            self.looked_at += 1;
        }
    }
}

impl Set for Hash {
    fn insert(&mut self, code: &[u8]) -> Result<Found, OverBudget> {
        let hash = hash_of(code);
        self.insert_from(code, hash, self.table.home(hash))
    }

    fn announce(&mut self, codes: &Batch) {
        self.announced.clear();
        self.announced.extend(codes.iter().map(|code| Announced { hash: hash_of(code), at: 0 }));
        self.longest = codes.iter().map(<[u8]>::len).max().unwrap_or(0);
        (self.fetched, self.looked_at) = (0, 0);
    }

    fn insert_announced(&mut self, index: usize, code: &[u8]) -> Result<Found, OverBudget> {
        if self.table.len() == 0 || index >= self.announced.len() {
            return self.insert(code);
        }
        self.get_ready(index);
        let Announced { hash, at } = self.announced[index];
        debug_assert_eq!(hash, hash_of(code), "what was announced is inserted");
        self.insert_from(code, hash, at)
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
    fn what_is_announced_is_inserted_alike() {
        let budget = Arc::new(Budget::unlimited());
        let (mut one, mut other) = (Hash::new(&budget), Hash::new(&budget));
        let mut batch = Batch::new();
        for round in 0..300u64 {
            batch.clear();
            // Codes that were there before, new ones, and some twice in a batch.
            (0..round * 5).for_each(|number| batch.push(&code((number * number + round * 77) % (100 * round))));
            one.announce(&batch);
            for index in 0..batch.len() {
                let found = one.insert_announced(index, batch.get(index)).unwrap();
                assert_eq!(found, other.insert(batch.get(index)).unwrap());
                if index % 50 == 49 {
                    // One that was not announced comes in between, and one is left out.
                    let extra = code(round * 1_000_000 + index as u64);
                    assert_eq!(one.insert(&extra).unwrap(), other.insert(&extra).unwrap());
                }
            }
        }
        assert_eq!(one.len(), other.len());
    }

    #[test]
    fn a_crowded_table_is_made_from_the_arena() {
        // So little memory that the table is filled to the brim again and again, with clusters of thousands of slots.
        let budget = Arc::new(Budget::new(6_000_000));
        let mut set = Hash::new(&budget);
        let mut kept = 0u64;
        while set.insert(&kept.to_le_bytes()).is_ok() {
            kept += 1;
        }
        assert!(kept > 300_000, "{kept}");
        assert!((0..kept).all(|number| matches!(set.insert(&number.to_le_bytes()), Ok(Found::Seen(_)))));
    }

    #[test]
    fn the_empty_string_is_a_member_like_any_other() {
        let mut set = Hash::new(&Arc::new(Budget::unlimited()));
        assert!(matches!(set.insert(&[]).unwrap(), Found::New(_)));
        assert!(matches!(set.insert(&[]).unwrap(), Found::Seen(_)));
        assert!(matches!(set.insert(&[0]).unwrap(), Found::New(_)));
    }
}
