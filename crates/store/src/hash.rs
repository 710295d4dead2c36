//! An exact set: a hash table over an arena.
//!
//! The codes lie in an [`Arena`] in the order of insertion. The table is open addressing with linear probing; a slot
//! of eight bytes holds the place of a code and 24 bits of its hash, so that a probe touches the arena only where the
//! code is almost surely the one sought. The home of a code is its hash scaled to the number of slots (Lemire's
//! range reduction), which allows tables of any size: they grow in small steps and stay well filled.
//!
//! Invariant: everything is in the arena, the table can be made from it. It is therefore thrown away *before* a larger
//! one is made, and the two are never in memory together.
//!
//! Bytes per state: the code, one byte of length, and 10 to 15 of table (load 0.53 to 0.8), or 10 to 12.5 when memory
//! becomes scarce, down to 8.4, and slower, when the budget refuses more (load 0.95). Ids are places in the arena and
//! grow; members are read in order, so that breadth-first search needs no queue. Exact. Not for state spaces that do not
//! fit: then encode smaller, or give up exactness.

use crate::{Arena, OrderedSet, Set};
use rapidhash::v3::rapidhash_v3;
use std::sync::Arc;
use tightrope_core::{Budget, Claim, Found, Holding, OverBudget, StateId};

/// A slot is the low `TAG_BITS` of the hash, then the place plus one; an empty slot is 0.
const TAG_BITS: u32 = 24;
const PLACE_BITS: u32 = 64 - TAG_BITS;
const PLACE: u64 = (1 << PLACE_BITS) - 1;
const FIRST_SLOTS: usize = 256;
/// How many codes are entered together when a table is made.
const BATCH: usize = 16;
/// From here on tables grow by a half, or by a quarter where memory is scarce, instead of doubling.
const LARGE_SLOTS: usize = 1 << 16;

/// An exact set of byte strings.
pub struct Hash {
    table: Vec<u64>,
    arena: Arena,
    len: u64,
    holding: Holding,
}

/// Where a code is, or would be.
enum Probe {
    Member(u64),
    Free(usize),
}

#[inline]
fn home(hash: u64, slots: usize) -> usize {
    ((u128::from(hash) * slots as u128) >> 64) as usize
}

impl Hash {
    /// An empty set.
    pub fn new(budget: &Arc<Budget>) -> Self {
        Hash { table: Vec::new(), arena: Arena::new(budget.clone()), len: 0, holding: Holding::new(budget.clone()) }
    }

    #[inline]
    fn probe(&self, code: &[u8], hash: u64) -> Probe {
        let tag = hash << PLACE_BITS;
        let mut at = home(hash, self.table.len());
        loop {
            let slot = self.table[at];
            if slot == 0 {
                return Probe::Free(at);
            }
            if slot & !PLACE == tag {
                let place = (slot & PLACE) - 1;
                if self.arena.get(place) == code {
                    return Probe::Member(place);
                }
            }
            at += 1;
            if at == self.table.len() {
                at = 0;
            }
        }
    }

    /// Makes sure that there is a free slot beside the one about to be taken. A table that may not grow is filled
    /// further than is good for speed before the refusal is passed on.
    fn make_room(&mut self) -> Result<(), OverBudget> {
        let (slots, needed) = (self.table.len(), self.len as usize + 1);
        if needed * 5 <= slots * 4 {
            return Ok(());
        }
        let wanted = match slots {
            0 => FIRST_SLOTS,
            _ if slots < LARGE_SLOTS => slots * 2,
            // Larger steps make fewer tables, smaller ones leave fewer slots empty.
            _ if 8 * slots as u64 / 2 < self.holding.budget().left() / 8 => slots + slots / 2,
            _ => slots + slots / 4,
        };
        let Err(refused) = self.rebuild(wanted) else { return Ok(()) };
        if needed * 10 <= slots * 9 || self.rebuild(slots + slots / 16).is_ok() {
            return Ok(());
        }
        if needed * 20 <= slots * 19 { Ok(()) } else { Err(refused) }
    }

    /// Replaces the table by one of `slots` slots.
    #[cold]
    fn rebuild(&mut self, slots: usize) -> Result<(), OverBudget> {
        let old = self.table.len();
        let more = 8 * slots.saturating_sub(old) as u64;
        if more == 0 {
            return Err(OverBudget { asked: 0, left: 0 });
        }
        self.holding.take(more)?;
        self.table = Vec::new();
        let mut table = Vec::new();
        let made = table.try_reserve_exact(slots);
        let slots = if made.is_ok() { slots } else { old };
        table.resize(slots, 0);
        self.table = table;
        self.fill();
        if made.is_err() {
            self.holding.give_back(more);
            return Err(OverBudget { asked: more, left: 0 });
        }
        Ok(())
    }

    /// Enters everything in the arena into an empty table.
    fn fill(&mut self) {
        let slots = self.table.len();
        let mut batch = [(0, 0); BATCH];
        let mut place = self.arena.next(None);
        while place.is_some() {
            let mut count = 0;
            while count < BATCH
                && let Some(at) = place
            {
                batch[count] = (rapidhash_v3(self.arena.get(at)), at);
                place = self.arena.next(place);
                count += 1;
            }
            self.touch(batch[..count].iter().map(|&(hash, _)| hash));
            for &(hash, at) in &batch[..count] {
                let mut slot = home(hash, slots);
                while self.table[slot] != 0 {
                    slot += 1;
                    if slot == slots {
                        slot = 0;
                    }
                }
                self.table[slot] = hash << PLACE_BITS | (at + 1);
            }
        }
    }

    /// Reads the homes of some hashes. Each read would wait for memory by itself; reads that do not depend on each
    /// other wait together.
    #[inline]
    fn touch(&self, hashes: impl Iterator<Item = u64>) {
        let slots = self.table.len();
        std::hint::black_box(hashes.fold(0, |all, hash| all ^ self.table[home(hash, slots)]));
    }
}

impl Set for Hash {
    fn insert(&mut self, code: &[u8]) -> Result<Found, OverBudget> {
        let hash = rapidhash_v3(code);
        let free = if self.table.is_empty() {
            None
        } else {
            match self.probe(code, hash) {
                Probe::Member(place) => return Ok(Found::Seen(StateId(place))),
                Probe::Free(at) => Some(at),
            }
        };
        let slots = self.table.len();
        self.make_room()?;
        let at = match free {
            Some(at) if self.table.len() == slots => at,
            _ => match self.probe(code, hash) {
                Probe::Free(at) => at,
                Probe::Member(place) => return Ok(Found::Seen(StateId(place))),
            },
        };
        let place = self.arena.push(code)?;
        self.table[at] = hash << PLACE_BITS | (place + 1);
        self.len += 1;
        Ok(Found::New(StateId(place)))
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
