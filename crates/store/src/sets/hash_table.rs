//! The visited set: an exact set, as a hash table over an arena.
//!
//! The codes lie in an [`Arena`] in the order of insertion; a table of [`Slots`] leads from their hashes to their places. A slot
//! holds so many bits of the hash that the arena is touched only where the code is almost surely the one that is looked for.
//!
//! Invariant: everything is in the arena, the table can be made from it. It grows where it is, without a look at the
//! codes, in small steps; where it cannot, every four doublings, it is thrown away *before* a larger one is made. There
//! are never two of them.
//!
//! Codes that come together are looked for in three rounds: the cache lines of their homes are fetched, then the slots
//! are looked up and what they lead to in the arena is fetched, and only then is anything waited for.
//!
//! Bytes per state: the code, one byte of length, and 12 to 24 of table (load 0.33 to 0.67; up to 18 from four million slots
//! on), down to 8.4, and slower, when the budget refuses more (load 0.95). With narrow slots, for codes that take hardly more
//! than that: 6.8 to 9 (load 0.67 to 0.89), down to 6.3. Ids are places in the arena and grow; members are read in order,
//! so that breadth-first search needs no queue. Exact. Not for state spaces that do not fit: then encode smaller, or give
//! up exactness.

use super::insert_items;
use crate::Arena;
use crate::memory::hashing::hash_of;
use crate::memory::region::HUGE;
use crate::memory::slots::{Cell, Narrow, Slot, Slots, Wide};
use std::sync::Arc;
use tightrope_core::{
    Budget, Claim, Edge, Found, Ordered, Parent, Refused, Reservation, StateId, Store, Successor, Successors,
};

const FIRST_SLOTS: usize = 256;
/// From here on tables grow by a half at most, instead of doubling.
const LARGE_SLOTS: usize = 1 << 22;
/// The same for frugal ones, which grow by a third.
const FRUGAL_SLOTS: usize = 1 << 14;
/// How many codes are looked for together, or entered together when a table is made.
const TOGETHER: usize = 256;
const BATCH: usize = 32;

/// An exact set of byte strings.
pub struct HashTable<C = Wide> {
    table: Slots<C>,
    arena: Arena,
    len: u64,
    reservation: Reservation,
    probes: Vec<Probe>,
}

/// A code that is looked for.
#[derive(Clone, Copy)]
struct Probe {
    hash: u64,
    /// The first slot that may be the code's, and what was in it.
    at: usize,
    slot: Slot,
}

impl HashTable {
    /// An empty set.
    pub fn new(budget: &Arc<Budget>) -> Self {
        Self::with_slots(budget)
    }

    /// Gives the set up: its table at once, its members while they are read ([`Members`]).
    pub fn into_members(self) -> Members {
        Members { arena: self.arena, last: None, discarded: 0 }
    }
}

impl HashTable<Narrow> {
    /// An empty set that takes less for itself, and is slower.
    pub fn frugal(budget: &Arc<Budget>) -> Self {
        Self::with_slots(budget)
    }
}

impl<C: Cell> HashTable<C> {
    /// Narrow slots are kept rather full.
    const FRUGAL: bool = size_of::<C>() < size_of::<Wide>();

    /// An empty set with slots of that kind.
    fn with_slots(budget: &Arc<Budget>) -> Self {
        HashTable {
            table: Slots::new(),
            arena: Arena::new(budget.clone()),
            len: 0,
            reservation: Reservation::new(budget.clone()),
            probes: Vec::new(),
        }
    }

    /// Whether the table is as empty as is good for speed, also with so many codes more.
    #[inline]
    fn is_roomy(&self, more: usize) -> bool {
        let taken = self.len as usize + more;
        if Self::FRUGAL { taken * 9 <= self.table.len() * 8 } else { taken * 3 <= self.table.len() * 2 }
    }

    /// Makes sure that there is a free slot beside `more` that are about to be taken, for codes of so many bytes. A table that
    /// may not grow is filled further than is good for speed before the refusal is passed on. Whether all slots are where
    /// they were.
    #[inline]
    fn make_room(&mut self, more: usize, bytes: usize) -> Result<bool, Refused> {
        let end = self.arena.end() + (bytes + more * Arena::HEADER) as u64;
        let mut stays = self.table.reaches(end);
        if !stays && !self.replace(self.table.len(), end) {
            return Err(Refused::Memory);
        }
        while !self.is_roomy(more) {
            let before = self.table.len();
            self.grow(more)?;
            if self.table.len() == before {
                break;
            }
            stays = false;
        }
        Ok(stays)
    }

    #[cold]
    fn grow(&mut self, more: usize) -> Result<(), Refused> {
        let (slots, needed) = (self.table.len(), self.len as usize + more);
        // Where much is left the table doubles, where less is left it grows by less, so that it does not take what the codes
        // will need: at most an eighth.
        let spare = self.reservation.budget().left() / 8;
        let (large, most) = if Self::FRUGAL { (FRUGAL_SLOTS, slots / 3) } else { (LARGE_SLOTS, slots / 2) };
        let steps = [if slots < large { slots } else { most }, most, slots / 4, slots / 32];
        let small = |step: &usize| (*step * size_of::<C>()) as u64 <= spare;
        let crowded = needed * 10 > slots * 9;
        let step = match steps.into_iter().find(small) {
            Some(step) => step.max(FIRST_SLOTS),
            None if crowded => slots / 32,
            None => return Ok(()),
        };
        let wanted = if slots < 2 * HUGE { slots + step } else { (slots + step).next_multiple_of(HUGE / 8) };
        let Err(refused) = self.enlarge(wanted) else { return Ok(()) };
        if !crowded || self.enlarge(slots + slots / 32).is_ok() {
            return Ok(());
        }
        if needed * 20 <= slots * 19 { Ok(()) } else { Err(refused) }
    }

    /// Makes the table `slots` slots long.
    fn enlarge(&mut self, slots: usize) -> Result<(), Refused> {
        let more = (slots.saturating_sub(self.table.len()) * size_of::<C>()) as u64;
        if more == 0 {
            return Err(Refused::Memory);
        }
        self.reservation.take(more)?;
        let grown =
            if self.table.may_grow_to(slots) { self.table.grow(slots) } else { self.replace(slots, self.arena.end()) };
        if grown {
            return Ok(());
        }
        self.reservation.give_back(more);
        Err(Refused::Memory)
    }

    /// Replaces the table by one of `slots` slots, for places up to `end` and for those that it reached before, made from the
    /// arena; false if the system refuses. The old one is gone before the new one takes any memory.
    fn replace(&mut self, slots: usize, end: u64) -> bool {
        let Some(table) = Slots::with(slots, end.max(self.table.reach())) else { return false };
        self.table = table;
        let mut batch = [(0, 0); BATCH];
        let mut place = self.arena.next(None);
        while place.is_some() {
            let mut count = 0;
            while count < BATCH
                && let Some(at) = place
            {
                batch[count] = (hash_of(self.arena.get(at)), at);
                self.table.prefetch(self.table.home(batch[count].0));
                place = self.arena.next(place);
                count += 1;
            }
            batch[..count].iter().for_each(|&(hash, at)| self.table.enter(hash, at));
        }
        true
    }

    /// Inserts a code that is in no slot from its home to just before `from`.
    #[inline(always)]
    fn insert_from(&mut self, code: &[u8], hash: u64, from: usize) -> Result<Found, Refused> {
        let slots = self.table.len();
        let mut at = from;
        if slots > 0 {
            loop {
                let (found, slot) = self.table.seek(hash, at);
                at = found;
                if slot.is_free() {
                    break;
                }
                if self.arena.holds(slot.place(), code) {
                    return Ok(Found::Seen(StateId(slot.place())));
                }
                at = self.table.after(at);
            }
        }
        let stays = self.make_room(1, code.len())?;
        let place = self.arena.push(code)?;
        if stays {
            self.table.enter_at(at, hash, place);
        } else {
            self.table.enter(hash, place);
        }
        self.len += 1;
        Ok(Found::New(StateId(place)))
    }

    /// Adds at most [`TOGETHER`] codes, of which none is missing, to a table that has room for all of them. The ones that
    /// probably are there and the others are told apart by their slots and looked at separately: whether a state is new
    /// is hard to guess, for a processor too.
    fn insert_together(&mut self, bytes: &[u8], codes: &[Successor], found: &mut Vec<Found>) -> Result<(), Refused> {
        let code_of = |item: &Successor| &bytes[item.start as usize..item.end as usize];
        let mut probes = std::mem::take(&mut self.probes);
        probes.clear();
        probes.extend(codes.iter().map(|item| {
            let hash = hash_of(code_of(item));
            let at = self.table.home(hash);
            self.table.prefetch(at);
            Probe { hash, at, slot: Slot::FREE }
        }));
        let (mut known, mut others) = ([0u16; TOGETHER], [0u16; TOGETHER + 1]);
        let (mut known_count, mut other_count) = (0, 0);
        for (number, (item, code)) in codes.iter().zip(&mut probes).enumerate() {
            (code.at, code.slot) = self.table.seek(code.hash, code.at);
            // Of a free slot this fetches the beginning, which costs nothing.
            self.arena.prefetch(code.slot.after_place(), (item.end - item.start) as usize);
            known[known_count] = number as u16;
            known_count += usize::from(!code.slot.is_free());
            others[other_count] = number as u16;
            other_count += usize::from(code.slot.is_free());
        }
        let before = found.len();
        found.resize(before + codes.len(), Found::Nowhere);
        let mut mistaken = false;
        for &number in &known[..known_count] {
            let place = probes[number as usize].slot.place();
            if self.arena.holds(place, code_of(&codes[number as usize])) {
                found[before + number as usize] = Found::Seen(StateId(place));
            } else {
                others[other_count] = number;
                other_count += 1;
                mistaken = true;
            }
        }
        if mistaken {
            others[..other_count].sort_unstable();
        }
        let mut result = Ok(());
        for &number in &others[..other_count] {
            let Probe { hash, at, .. } = probes[number as usize];
            match self.insert_from(code_of(&codes[number as usize]), hash, at) {
                Ok(answer) => found[before + number as usize] = answer,
                Err(refused) => {
                    found.truncate(before + number as usize);
                    result = Err(refused);
                    break;
                }
            }
        }
        self.probes = probes;
        result
    }
}

/// The members of a set that is given up, in order. Its memory is given back on the way.
pub struct Members {
    arena: Arena,
    last: Option<u64>,
    /// What was before this is given back.
    discarded: u64,
}

impl Members {
    /// How many bytes of members are read before they are given back.
    const STEP: u64 = 256 << 10;

    /// The bytes of those that were not read yet, and a little more.
    pub fn bytes(&self) -> u64 {
        self.arena.bytes()
    }

    /// All members and their ids, where none was read yet.
    pub fn iter(&self) -> impl Iterator<Item = (StateId, &[u8])> {
        let places = std::iter::successors(self.arena.next(None), |&place| self.arena.next(Some(place)));
        places.map(|place| (StateId(place), self.arena.get(place)))
    }

    /// The next member and its id.
    pub fn next(&mut self) -> Option<(StateId, &[u8])> {
        let place = self.arena.next(self.last)?;
        if place - self.discarded >= Self::STEP {
            self.arena.discard_before(place);
            self.discarded = place;
        }
        self.last = Some(place);
        Some((StateId(place), self.arena.get(place)))
    }
}

impl<C: Cell> Store for HashTable<C> {
    fn insert(&mut self, code: &[u8], _via: Option<Edge>) -> Result<Found, Refused> {
        let hash = hash_of(code);
        self.insert_from(code, hash, self.table.home(hash))
    }

    fn insert_all(&mut self, codes: &Successors, _parents: &[Parent], found: &mut Vec<Found>) -> Result<(), Refused> {
        for chunk in codes.items.chunks(TOGETHER) {
            let missing = chunk.iter().any(|item| item.start == Successor::NONE);
            let bytes = chunk.iter().map(|item| (item.end - item.start) as usize).sum();
            let room = self.make_room(chunk.len(), bytes);
            if missing || room.is_err() || !self.is_roomy(chunk.len()) {
                // There may be room for some, or none of them is new.
                insert_items(self, &codes.bytes, chunk, found)?;
                continue;
            }
            self.insert_together(&codes.bytes, chunk, found)?;
        }
        Ok(())
    }

    fn read(&mut self, id: StateId, out: &mut Vec<u8>) -> bool {
        out.clear();
        out.extend_from_slice(self.arena.get(id.0));
        true
    }

    fn len(&self) -> u64 {
        self.len
    }

    fn bytes(&self) -> u64 {
        self.reservation.bytes() + self.arena.bytes()
    }

    fn claim(&self) -> Claim {
        Claim::Exact
    }

    fn can_read(&self) -> bool {
        true
    }

    fn ordered(&mut self) -> Option<&mut dyn Ordered> {
        Some(self)
    }
}

impl<C: Cell> Ordered for HashTable<C> {
    fn next(&mut self, after: Option<StateId>, out: &mut Vec<u8>) -> Result<Option<StateId>, Refused> {
        let Some(place) = self.arena.next(after.map(|id| id.0)) else { return Ok(None) };
        out.clear();
        out.extend_from_slice(self.arena.get(place));
        Ok(Some(StateId(place)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::samples::{code, fill_until_refused, insert_both_ways, refused_together};
    use tightrope_core::Step;

    #[test]
    fn members_are_found_again_and_read_in_order() {
        let budget = Arc::new(Budget::unlimited());
        let mut set = HashTable::new(&budget);
        let count = 200_000;
        let ids: Vec<StateId> = (0..count)
            .map(|number| match set.insert(&code(number), None).unwrap() {
                Found::New(id) => id,
                other => panic!("{number}: {other:?}"),
            })
            .collect();
        assert!(ids.is_sorted());
        assert_eq!(set.len(), count);
        let mut room = Vec::new();
        let mut after = None;
        for (number, &id) in ids.iter().enumerate() {
            assert_eq!(set.insert(&code(number as u64), None).unwrap(), Found::Seen(id));
            assert!(set.read(id, &mut room));
            assert_eq!(room, code(number as u64));
            assert_eq!(set.next(after, &mut room), Ok(Some(id)));
            assert_eq!(room, code(number as u64));
            after = Some(id);
        }
        assert_eq!(set.next(after, &mut room), Ok(None));
        assert_eq!(set.bytes(), budget.used());
        let overhead = (set.bytes() - (0..count).map(|n| code(n).len() as u64).sum::<u64>()) as f64 / count as f64;
        assert!(overhead < 25.5, "{overhead} bytes per state beside the state");
        drop(set);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn refusal_leaves_the_set_intact() {
        for limit in [0, 100, 3000, 10_000, 100_000, 300_000] {
            let budget = Arc::new(Budget::new(limit));
            let mut set = HashTable::new(&budget);
            fill_until_refused(&mut set, &budget, code);
            let used = budget.used() as f64 / limit as f64;
            assert!(limit < 10_000 || used > 0.9, "{used} of {limit} bytes were used");
        }
    }

    #[test]
    fn what_comes_together_is_inserted_alike() {
        let budget = Arc::new(Budget::unlimited());
        let (mut one, mut other) = (HashTable::new(&budget), HashTable::new(&budget));
        let mut codes = Successors::new();
        for round in 0..300u64 {
            codes.clear();
            // Codes that were there before, new ones, some twice, and places where there is none.
            for number in 0..round * 5 {
                match number % 50 {
                    49 => codes.push_nowhere(Step::default()),
                    _ => codes.push(Step::default(), &code((number * number + round * 77) % (100 * round))),
                }
            }
            insert_both_ways(&mut one, &mut other, &codes);
        }
        assert_eq!(one.len(), other.len());
    }

    #[test]
    fn what_comes_together_is_refused_where_it_would_be_one_by_one() {
        for limit in [0, 5000, 30_000, 200_000] {
            let budget = Arc::new(Budget::new(limit));
            let mut set = HashTable::new(&budget);
            refused_together(&mut set, &budget, code);
            assert!(set.insert(&code(set.len()), None).is_err());
        }
    }

    #[test]
    fn a_crowded_table_is_made_from_the_arena() {
        // So little memory that the table is filled to the brim again and again, with clusters of thousands of slots.
        let budget = Arc::new(Budget::new(6_000_000));
        let mut set = HashTable::new(&budget);
        let mut kept = 0u64;
        while set.insert(&kept.to_le_bytes(), None).is_ok() {
            kept += 1;
        }
        assert!(kept > 300_000, "{kept}");
        assert!((0..kept).all(|number| matches!(set.insert(&number.to_le_bytes(), None), Ok(Found::Seen(_)))));
    }

    #[test]
    fn narrow_slots_take_less_and_find_the_same() {
        let budget = Arc::new(Budget::unlimited());
        let (mut wide, mut narrow) = (HashTable::new(&budget), HashTable::frugal(&budget));
        let (mut codes, mut found, mut expected) = (Successors::new(), Vec::new(), Vec::new());
        for round in 0..400u64 {
            codes.clear();
            found.clear();
            expected.clear();
            (0..2000).for_each(|number| codes.push(Step::default(), &(number * number + round * 777).to_le_bytes()));
            narrow.insert_all(&codes, &[], &mut found).unwrap();
            wide.insert_all(&codes, &[], &mut expected).unwrap();
            assert_eq!(found, expected);
            let table = narrow.bytes() - 9 * narrow.len();
            assert!(round < 20 || table < 9 * narrow.len() + 100_000, "{table} bytes for {}", narrow.len());
        }
        assert!(narrow.len() > 300_000);
    }

    #[test]
    fn narrow_slots_reach_far() {
        // More bytes than a slot can count at first, with codes alone and together.
        let long = |number: u64| [number.to_le_bytes().to_vec(), vec![number as u8; 50_000]].concat();
        let mut set = HashTable::frugal(&Arc::new(Budget::unlimited()));
        let (mut codes, mut found) = (Successors::new(), Vec::new());
        for number in 0..200 {
            assert!(matches!(set.insert(&long(2 * number), None), Ok(Found::New(_))));
            codes.push(Step::default(), &long(2 * number));
            codes.push(Step::default(), &long(2 * number + 1));
        }
        set.insert_all(&codes, &[], &mut found).unwrap();
        assert!(found.chunks(2).all(|pair| matches!(pair, [Found::Seen(_), Found::New(_)])));
        assert!(set.arena.end() > 1 << 24 && set.table.reaches(set.arena.end()));
        assert!((0..400).all(|number| matches!(set.insert(&long(number), None), Ok(Found::Seen(_)))));
    }

    #[test]
    fn the_empty_string_is_a_member_like_any_other() {
        let mut set = HashTable::new(&Arc::new(Budget::unlimited()));
        assert!(matches!(set.insert(&[], None).unwrap(), Found::New(_)));
        assert!(matches!(set.insert(&[], None).unwrap(), Found::Seen(_)));
        assert!(matches!(set.insert(&[0], None).unwrap(), Found::New(_)));
    }
}
