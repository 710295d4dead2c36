//! A set that evicts: at most so many members, or so many bytes of them.
//!
//! What follows is about the cache of depth-first search, whose replacement strategies order all members that are not pinned. The
//! one of breadth-first search, in which a code belongs into one of a few slots, is in `set_associative/`.
//!
//! State-space caching (Godefroid, Holzmann & Pirottin 1995, §2): beside the states of the current path, which are pinned, as many
//! others are remembered as there is room for. Which one is evicted when room is needed is up to a [`replacement`] strategy,
//! which has only those that are not pinned, so that it is found at once.
//!
//! Invariant: a number below `made` is that of a member, whose code is where its entry says, or it is on the list of numbers
//! to use again. A member is either pinned or in exactly one tier.
//!
//! Where everything is pinned the set grows beyond its bound, and it shrinks to it again when that is over. Where the budget
//! refuses to let it grow to its bound, it evicts instead, and goes on with what it has; a part of the budget is left for the
//! path, which grows as well.
//!
//! Bytes per member: the code and 5 to 8, 16 for its entry, 10 to 14 of the index, 4 for strategies that draw. Ids are numbers
//! that are used again. Exact: what was evicted is visited again. Not where everything fits: `hash` needs less and is faster.

mod entry;
mod replacement;
mod set_associative;
#[cfg(test)]
mod tests;

pub(crate) use replacement::Random;
pub use replacement::{REPLACEMENTS, Replacement, default_replacement, goes_by_class};

use crate::Site;
use crate::distinct::{self, Distinct};
use crate::memory::budget_region::BudgetRegion;
use crate::memory::code_heap::{self, CodeHeap};
use crate::memory::hash_index::HashIndex;
use crate::memory::hashing::hash_of;
use entry::{CacheEntry, PINNED};
use replacement::Tiers;
use set_associative::SetAssociativeCache;
use std::sync::Arc;
use tightrope_core::{Budget, CacheStats, Claim, Edge, Evicts, Found, Pins, Refused, StateId, StepClass, Store};

/// What may be remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// So many states.
    States(u64),
    /// So many bytes of states, everything included that is kept for them.
    Bytes(u64),
}

/// How much is remembered, and what is evicted first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caching {
    /// How much.
    pub bound: Bound,
    /// The name of a replacement strategy, or of several tiers.
    pub replace: String,
}

/// What a cache keeps of its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Representation {
    /// The code.
    Code,
    /// A signature of so many bits.
    Signature(u32),
}

/// Makes an empty cache, for codes of an encoding that may have tables. The error is a sentence for people.
pub fn make<'a>(
    caching: &Caching,
    kept: Representation,
    has_tables: bool,
    site: Site<'a>,
) -> Result<Box<dyn Store + 'a>, String> {
    if matches!(caching.bound, Bound::States(0) | Bound::Bytes(0)) {
        return Err("a cache holds at least one state".into());
    }
    Ok(match (replacement::in_slots(&caching.replace)?, kept) {
        (Some(victim), Representation::Code) => {
            Box::new(SetAssociativeCache::new(set_associative::Codes::new(site.budget), caching, victim, site))
        }
        (Some(_), Representation::Signature(_)) if has_tables && matches!(caching.bound, Bound::Bytes(_)) => {
            return Err(
                "the tables of the encoding grow with the states, and there is no bound in bytes for them beside \
                        signatures: give `--cache` a number of states, or use an encoding without tables"
                    .into(),
            );
        }
        (Some(victim), Representation::Signature(bits)) => Box::new(SetAssociativeCache::new(
            set_associative::Signatures::new(bits, site.budget),
            caching,
            victim,
            site,
        )),
        (None, Representation::Code) => Box::new(Cache::new(caching, site)?),
        (None, Representation::Signature(_)) => {
            return Err(format!(
                "signatures can only be replaced in their slots: `--replace {}` or `direct`, not `{}`",
                default_replacement(false).name,
                caching.replace
            ));
        }
    })
}

/// The share of the budget that is left for the path while there is anything to evict: one of so many.
const RESERVE: u64 = 16;
/// The bytes of a member beside the words of its code.
const MEMBER: u64 = (size_of::<CacheEntry>() + 4 + 14) as u64;
/// No number.
const NONE: u32 = u32::MAX;
const MOST_MEMBERS: usize = 1 << 31;

/// A set with a bound.
pub struct Cache {
    bound: Bound,
    /// Members at which memory ran out, while it is short.
    held_to: Option<u64>,
    /// The memory was short at some time.
    was_short: bool,
    /// Bytes that belong to the members and lie elsewhere.
    beside: u64,
    index: HashIndex,
    codes: CodeHeap,
    entries: BudgetRegion<CacheEntry>,
    /// Numbers below this are or were in use.
    made: usize,
    /// The first number to use again.
    spare: u32,
    len: u64,
    /// The words of all codes.
    words: u64,
    tiers: Tiers,
    random: Random,
    distinct: Option<Distinct>,
    /// The states that are pinned: how deep a depth-first search is.
    pinned: u64,
    /// The level of states that a breadth-first search finds now.
    level: u64,
    figures: CacheStats,
    budget: Arc<Budget>,
}

impl Cache {
    /// An empty set. The error is a sentence for people.
    pub fn new(caching: &Caching, site: Site<'_>) -> Result<Self, String> {
        let budget = site.budget;
        Ok(Cache {
            bound: caching.bound,
            held_to: None,
            was_short: false,
            beside: 0,
            index: HashIndex::new(budget),
            codes: CodeHeap::new(budget),
            entries: BudgetRegion::sparing(budget),
            made: 0,
            spare: NONE,
            len: 0,
            words: 0,
            tiers: Tiers::parse(&caching.replace, budget)?,
            random: Random::new(site.seed),
            distinct: Distinct::new(site.seed, budget),
            pinned: 0,
            level: 0,
            figures: CacheStats::default(),
            budget: budget.clone(),
        })
    }

    /// Whether so many members with codes of so many words are more than there may be.
    #[inline]
    fn is_beyond(&self, members: u64, words: u64) -> bool {
        if self.held_to.is_some_and(|most| members > most) {
            return true;
        }
        match self.bound {
            Bound::States(most) => members > most,
            // Codes may lie with gaps of a quarter of what they need.
            Bound::Bytes(most) => words * 5 + members * MEMBER + self.beside > most,
        }
    }

    /// Whether there is no room for a code of so many words more.
    #[inline]
    fn is_full(&self, words: usize) -> bool {
        self.is_beyond(self.len + 1, self.words + words as u64)
    }

    /// Evicts a member, if there is one that may be.
    fn evict(&mut self) -> bool {
        let Some(number) = self.tiers.next(&mut self.entries, &mut self.random) else { return false };
        let place = self.entries[number as usize].place;
        self.index.remove(short(hash_of(self.codes.get(place))), number);
        self.words -= self.codes.remove(place) as u64;
        self.entries[number as usize].place = self.spare;
        self.spare = number;
        self.len -= 1;
        self.figures.evicted += 1;
        true
    }

    /// Room for one more member with such a code, but not more memory than is good while there is something to evict.
    fn take_room(&mut self, length: usize) -> Result<(), Refused> {
        let left = self.budget.left();
        let reserve = if !self.tiers.is_empty() && self.spare == NONE { self.budget.limit() / RESERVE } else { 0 };
        if left < reserve {
            return Err(Refused::Memory);
        }
        self.index.make_room()?;
        self.codes.make_room(length, &mut self.entries)?;
        if self.spare != NONE {
            return Ok(());
        }
        if self.made == MOST_MEMBERS {
            return Err(Refused::Limit("the path has as many states as a cache can hold, 2³¹"));
        }
        self.entries.make_room(self.made + 1)?;
        self.tiers.make_room(self.made + 1)
    }

    /// Adds a member that is not there.
    fn add(&mut self, code: &[u8], hash: u32) -> Result<StateId, Refused> {
        let words = code_heap::words(code.len());
        if self.held_to.is_some() && self.budget.left() / 2 > self.budget.limit() / RESERVE {
            // Others have given memory back.
            self.held_to = None;
        }
        while self.is_full(words) && self.evict() {}
        while let Err(refused) = self.take_room(code.len()) {
            // What memory allows is all that there will be; codes of other lengths may need more than one place.
            let most = self.len;
            if !self.evict() {
                return Err(refused);
            }
            self.held_to.get_or_insert(most.max(1));
            self.was_short = true;
        }
        let number = match self.spare {
            NONE => {
                self.made += 1;
                (self.made - 1) as u32
            }
            spare => {
                self.spare = self.entries[spare as usize].place;
                spare
            }
        };
        if self.is_full(words) {
            let grown = self.figures.grown.unwrap_or(0);
            self.figures.grown = Some(grown.max(self.len + 1));
        }
        let place = self.codes.push(number, code);
        self.index.enter(hash, number);
        let stratum = u8::from((self.pinned + self.level).is_multiple_of(self.tiers.period));
        let class = StepClass::LAST.number();
        self.entries[number as usize] = CacheEntry { place, before: 0, after: 0, uses: 1, class, stratum, tier: 0 };
        self.tiers.enter(number, &mut self.entries);
        self.len += 1;
        self.words += words as u64;
        self.figures.inserted += 1;
        self.figures.peak = self.figures.peak.max(self.len);
        if let Some(distinct) = &mut self.distinct {
            distinct.add(code);
        }
        Ok(StateId(u64::from(number)))
    }
}

/// What the index takes of a hash.
#[inline]
fn short(hash: u64) -> u32 {
    (hash >> 32) as u32
}

impl Store for Cache {
    fn insert(&mut self, code: &[u8], _via: Option<Edge>) -> Result<Found, Refused> {
        let hash = short(hash_of(code));
        let is_it = |number: u32| self.codes.get(self.entries[number as usize].place) == code;
        let Some(number) = self.index.find(hash, is_it) else {
            return Ok(Found::New(self.add(code, hash)?));
        };
        if self.entries[number as usize].tier == PINNED {
            self.entries[number as usize].use_once();
        } else {
            self.tiers.meet(number, &mut self.entries);
        }
        Ok(Found::Seen(StateId(u64::from(number))))
    }

    fn read(&mut self, id: StateId, out: &mut Vec<u8>) -> bool {
        let Some(entry) = self.entries.get(id.0 as usize) else { return false };
        out.clear();
        out.extend_from_slice(self.codes.get(entry.place));
        true
    }

    fn len(&self) -> u64 {
        self.len
    }

    fn bytes(&self) -> u64 {
        let sample = self.distinct.as_ref().map_or(0, Distinct::bytes);
        self.index.bytes() + self.codes.bytes() + self.entries.bytes() + self.tiers.bytes() + sample
    }

    fn claim(&self) -> Claim {
        Claim::Exact
    }

    fn evicts(&mut self) -> Option<&mut dyn Evicts> {
        Some(self)
    }

    fn pins(&mut self) -> Option<&mut dyn Pins> {
        Some(self)
    }
}

impl Pins for Cache {
    fn pin(&mut self, id: StateId) {
        let number = id.0 as u32;
        if self.entries[number as usize].tier != PINNED {
            self.tiers.leave(number, &mut self.entries);
            let entry = &mut self.entries[number as usize];
            (entry.tier, entry.before) = (PINNED, 0);
        }
        self.entries[number as usize].before += 1;
        self.pinned += 1;
        self.figures.pinned_peak = self.figures.pinned_peak.max(self.pinned);
    }

    fn release(&mut self, id: StateId) {
        let number = id.0 as u32;
        self.pinned -= 1;
        let entry = &mut self.entries[number as usize];
        debug_assert!(entry.tier == PINNED && entry.before > 0, "released more often than pinned");
        entry.before -= 1;
        if entry.before == 0 {
            self.tiers.enter(number, &mut self.entries);
            while self.is_beyond(self.len, self.words) && self.evict() {}
        }
    }
}

impl Evicts for Cache {
    fn wants_classes(&self) -> bool {
        self.tiers.by_class
    }

    fn reached(&mut self, id: StateId, class: StepClass) {
        self.entries[id.0 as usize].reach(class);
    }

    fn next_level(&mut self) {
        self.level += 1;
    }

    fn count_beside(&mut self, bytes: u64) {
        self.beside = bytes;
    }

    fn cache_stats(&self) -> CacheStats {
        let bound = match self.bound {
            Bound::States(most) => Some(most),
            Bound::Bytes(_) => None,
        };
        let limit = self.held_to.or(bound);
        let figures = CacheStats { limit, short_of_memory: self.was_short, ..self.figures };
        distinct::with_sample(figures, self.distinct.as_ref())
    }
}
