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
//! Codes that come together are looked for in three rounds: the cache lines of their homes are fetched, then the slots
//! are looked up and what they lead to in the arena is fetched, and only then is anything waited for.
//!
//! Bytes per state: the code, one byte of length, and 12 to 24 of table (load 0.33 to 0.67; up to 18 from four million slots
//! on), down to 8.4, and slower, when the budget refuses more (load 0.95). With narrow slots, for codes that take hardly more
//! than that: 6.8 to 9 (load 0.67 to 0.89), down to 6.3. Ids are places in the arena and grow; members are read in order,
//! so that breadth-first search needs no queue. Exact. Not for state spaces that do not fit: then encode smaller, or give
//! up exactness.

use crate::hashing::hash_of;
use crate::region::HUGE;
use crate::slots::{Cell, Narrow, Slot, Slots, Wide};
use crate::{Arena, OrderedSet, Set};
use std::sync::Arc;
use tightrope_core::{Budget, Claim, Found, Holding, OverBudget, StateId, Successor, Successors};

const FIRST_SLOTS: usize = 256;
/// From here on tables grow by a half at most, instead of doubling.
const LARGE_SLOTS: usize = 1 << 22;
/// The same for frugal ones, which grow by a third.
const FRUGAL_SLOTS: usize = 1 << 14;
/// How many codes are looked for together, or entered together when a table is made.
const TOGETHER: usize = 256;
const BATCH: usize = 32;

/// An exact set of byte strings.
pub struct Hash<C = Wide> {
    table: Slots<C>,
    arena: Arena,
    len: u64,
    holding: Holding,
    sought: Vec<Sought>,
}

/// A code that is looked for.
#[derive(Clone, Copy)]
struct Sought {
    hash: u64,
    /// The first slot that may be the code's, and what was in it.
    at: usize,
    slot: Slot,
}

impl Hash {
    /// An empty set.
    pub fn new(budget: &Arc<Budget>) -> Self {
        Self::with_slots(budget)
    }

    /// Gives the set up: its table at once, its members while they are read.
    pub fn into_members(self) -> Members {
        Members { arena: self.arena, last: None, forgotten: 0 }
    }
}

impl<C: Cell> Hash<C> {
    /// Narrow slots are kept rather full.
    const FRUGAL: bool = size_of::<C>() < size_of::<Wide>();

    /// An empty set with slots of that kind.
    fn with_slots(budget: &Arc<Budget>) -> Self {
        Hash {
            table: Slots::new(),
            arena: Arena::new(budget.clone()),
            len: 0,
            holding: Holding::new(budget.clone()),
            sought: Vec::new(),
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
    fn make_room(&mut self, more: usize, bytes: usize) -> Result<bool, OverBudget> {
        let end = self.arena.end() + (bytes + more * Arena::HEADER) as u64;
        let mut stays = self.table.reaches(end);
        if !stays && !self.replace(self.table.len(), end) {
            return Err(OverBudget { asked: 0, left: 0 });
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
    fn grow(&mut self, more: usize) -> Result<(), OverBudget> {
        let (slots, needed) = (self.table.len(), self.len as usize + more);
        // Where much is left the table doubles, where less is left it grows by less, so that it does not take what the codes
        // will need: at most an eighth.
        let spare = self.holding.budget().left() / 8;
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
    fn enlarge(&mut self, slots: usize) -> Result<(), OverBudget> {
        let more = (slots.saturating_sub(self.table.len()) * size_of::<C>()) as u64;
        if more == 0 {
            return Err(OverBudget { asked: 0, left: 0 });
        }
        self.holding.take(more)?;
        let grown =
            if self.table.may_grow_to(slots) { self.table.grow(slots) } else { self.replace(slots, self.arena.end()) };
        if grown {
            return Ok(());
        }
        self.holding.give_back(more);
        Err(OverBudget { asked: more, left: 0 })
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
    fn insert_from(&mut self, code: &[u8], hash: u64, from: usize) -> Result<Found, OverBudget> {
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
    fn insert_together(&mut self, bytes: &[u8], codes: &[Successor], found: &mut Vec<Found>) -> Result<(), OverBudget> {
        let code_of = |item: &Successor| &bytes[item.start as usize..item.end as usize];
        let mut sought = std::mem::take(&mut self.sought);
        sought.clear();
        sought.extend(codes.iter().map(|item| {
            let hash = hash_of(code_of(item));
            let at = self.table.home(hash);
            self.table.prefetch(at);
            Sought { hash, at, slot: Slot::FREE }
        }));
        let (mut known, mut others) = ([0u16; TOGETHER], [0u16; TOGETHER + 1]);
        let (mut known_count, mut other_count) = (0, 0);
        for (number, (item, code)) in codes.iter().zip(&mut sought).enumerate() {
            (code.at, code.slot) = self.table.seek(code.hash, code.at);
            // Of a free slot this fetches the beginning, which costs nothing.
            self.arena.prefetch(code.slot.after_place(), (item.end - item.start) as usize);
            known[known_count] = number as u16;
            known_count += usize::from(!code.slot.is_free());
            others[other_count] = number as u16;
            other_count += usize::from(code.slot.is_free());
        }
        let before = found.len();
        found.resize(before + codes.len(), Found::Undecided);
        let mut mistaken = false;
        for &number in &known[..known_count] {
            let place = sought[number as usize].slot.place();
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
            let Sought { hash, at, .. } = sought[number as usize];
            match self.insert_from(code_of(&codes[number as usize]), hash, at) {
                Ok(answer) => found[before + number as usize] = answer,
                Err(refused) => {
                    found.truncate(before + number as usize);
                    result = Err(refused);
                    break;
                }
            }
        }
        self.sought = sought;
        result
    }
}

/// The members of a set that is given up, in order. Its memory is given back on the way.
pub struct Members {
    arena: Arena,
    last: Option<u64>,
    /// What was before this is given back.
    forgotten: u64,
}

impl Members {
    /// How many bytes of members are read before they are given back.
    const STEP: u64 = 256 << 10;

    /// The bytes of those that were not read yet, and a little more.
    pub fn bytes(&self) -> u64 {
        self.arena.bytes()
    }

    /// All members and their names, where none was read yet.
    pub fn iter(&self) -> impl Iterator<Item = (StateId, &[u8])> {
        let places = std::iter::successors(self.arena.next(None), |&place| self.arena.next(Some(place)));
        places.map(|place| (StateId(place), self.arena.get(place)))
    }

    /// The next member and its name.
    pub fn next(&mut self) -> Option<(StateId, &[u8])> {
        let place = self.arena.next(self.last)?;
        if place - self.forgotten >= Self::STEP {
            self.arena.forget_before(place);
            self.forgotten = place;
        }
        self.last = Some(place);
        Some((StateId(place), self.arena.get(place)))
    }
}

impl<C: Cell + 'static> Set for Hash<C> {
    fn insert(&mut self, code: &[u8]) -> Result<Found, OverBudget> {
        let hash = hash_of(code);
        self.insert_from(code, hash, self.table.home(hash))
    }

    fn insert_all(&mut self, codes: &Successors, found: &mut Vec<Found>) -> Result<(), OverBudget> {
        for chunk in codes.items.chunks(TOGETHER) {
            let missing = chunk.iter().any(|item| item.start == Successor::NONE);
            let bytes = chunk.iter().map(|item| (item.end - item.start) as usize).sum();
            let room = self.make_room(chunk.len(), bytes);
            if missing || room.is_err() || !self.is_roomy(chunk.len()) {
                // There may be room for some, or none of them is new.
                for item in chunk {
                    let code = codes.bytes.get(item.start as usize..item.end as usize);
                    found.push(code.map_or(Ok(Found::Undecided), |code| self.insert(code))?);
                }
                continue;
            }
            self.insert_together(&codes.bytes, chunk, found)?;
        }
        Ok(())
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

    fn at_limit(&self) -> Option<&'static str> {
        let full = self.arena.end() > Arena::LIMIT - Arena::LIMIT / 64;
        full.then_some("the states of the store take as much as they can, 1 TiB")
    }

    fn can_read(&self) -> bool {
        true
    }

    fn frugal(&self) -> Option<Box<dyn Set>> {
        Some(Box::new(Hash::<Narrow>::with_slots(self.holding.budget())))
    }

    fn ordered(&mut self) -> Option<&mut dyn OrderedSet> {
        Some(self)
    }
}

impl<C: Cell> OrderedSet for Hash<C> {
    fn next<'a>(&'a mut self, after: Option<StateId>, _room: &'a mut Vec<u8>) -> Option<(StateId, &'a [u8])> {
        let place = self.arena.next(after.map(|id| id.0))?;
        Some((StateId(place), self.arena.get(place)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tightrope_core::Step;

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
        assert!(overhead < 25.5, "{overhead} bytes per state beside the state");
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
    fn what_comes_together_is_inserted_alike() {
        let budget = Arc::new(Budget::unlimited());
        let (mut one, mut other) = (Hash::new(&budget), Hash::new(&budget));
        let (mut codes, mut found) = (Successors::new(), Vec::new());
        for round in 0..300u64 {
            codes.clear();
            found.clear();
            // Codes that were there before, new ones, some twice, and places where there is none.
            for number in 0..round * 5 {
                match number % 50 {
                    49 => codes.push_nowhere(Step::default()),
                    _ => codes.push(Step::default(), &code((number * number + round * 77) % (100 * round))),
                }
            }
            one.insert_all(&codes, &mut found).unwrap();
            assert_eq!(found.len(), codes.len());
            for (index, &found) in found.iter().enumerate() {
                let expected = codes.state(index).map_or(Found::Undecided, |code| other.insert(code).unwrap());
                assert_eq!(found, expected);
            }
        }
        assert_eq!(one.len(), other.len());
    }

    #[test]
    fn what_comes_together_is_refused_where_it_would_be_one_by_one() {
        for limit in [0, 5000, 30_000, 200_000] {
            let budget = Arc::new(Budget::new(limit));
            let mut set = Hash::new(&budget);
            let (mut codes, mut found) = (Successors::new(), Vec::new());
            (0..20_000).for_each(|number| codes.push(Step::default(), &code(number)));
            assert!(set.insert_all(&codes, &mut found).is_err());
            assert!(budget.peak() <= limit);
            assert_eq!(set.len(), found.len() as u64);
            assert!((0..set.len()).all(|number| matches!(set.insert(&code(number)), Ok(Found::Seen(_)))));
            assert!(set.insert(&code(set.len())).is_err());
        }
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
    fn narrow_slots_take_less_and_find_the_same() {
        let budget = Arc::new(Budget::unlimited());
        let (mut wide, mut narrow) = (Hash::new(&budget), Hash::<Narrow>::with_slots(&budget));
        let (mut codes, mut found, mut expected) = (Successors::new(), Vec::new(), Vec::new());
        for round in 0..400u64 {
            codes.clear();
            found.clear();
            expected.clear();
            (0..2000).for_each(|number| codes.push(Step::default(), &(number * number + round * 777).to_le_bytes()));
            narrow.insert_all(&codes, &mut found).unwrap();
            wide.insert_all(&codes, &mut expected).unwrap();
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
        let mut set = Hash::<Narrow>::with_slots(&Arc::new(Budget::unlimited()));
        let (mut codes, mut found) = (Successors::new(), Vec::new());
        for number in 0..200 {
            assert!(matches!(set.insert(&long(2 * number)), Ok(Found::New(_))));
            codes.push(Step::default(), &long(2 * number));
            codes.push(Step::default(), &long(2 * number + 1));
        }
        set.insert_all(&codes, &mut found).unwrap();
        assert!(found.chunks(2).all(|pair| matches!(pair, [Found::Seen(_), Found::New(_)])));
        assert!(set.arena.end() > 1 << 24 && set.table.reaches(set.arena.end()));
        assert!((0..400).all(|number| matches!(set.insert(&long(number)), Ok(Found::Seen(_)))));
    }

    #[test]
    fn the_empty_string_is_a_member_like_any_other() {
        let mut set = Hash::new(&Arc::new(Budget::unlimited()));
        assert!(matches!(set.insert(&[]).unwrap(), Found::New(_)));
        assert!(matches!(set.insert(&[]).unwrap(), Found::Seen(_)));
        assert!(matches!(set.insert(&[0]).unwrap(), Found::New(_)));
    }
}
