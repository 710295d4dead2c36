//! A set that forgets: at most so many members, or so many bytes of them.
//!
//! State-space caching (Godefroid, Holzmann & Pirottin 1995, §2): beside the states of the current path, which are pinned, as many
//! others are remembered as there is room for. Which one is forgotten when room is needed is up to [`Levels`], which has only
//! those that are not pinned, so that it is found at once.
//!
//! Invariant: a number below `made` is that of a member, whose code is where its entry says, or it is on the list of numbers
//! to use again. A member is either pinned or in exactly one level.
//!
//! Where everything is pinned the set grows beyond its bound, and it shrinks to it again when that is over. Where the budget
//! refuses to let it grow to its bound, it forgets instead, and goes on with what it has; a part of the budget is left for the
//! path, which grows as well.
//!
//! Bytes per member: the code and 5 to 8, 16 for its entry, 10 to 14 of the index, 4 for strategies that draw. Ids are numbers
//! that are used again. Exact: what was forgotten is visited again. Not where everything fits: `hash` needs less and is faster.

mod bag;
mod chain;
mod codes;
mod column;
mod distinct;
mod entry;
mod frequency;
mod index;
mod order;
mod recency;
mod replace;
#[cfg(test)]
mod tests;

pub use replace::{REPLACEMENTS, Replacement};

use crate::hashing::hash_of;
use crate::{Set, Site};
use codes::Codes;
use column::Column;
use distinct::Distinct;
use entry::{Entry, PINNED};
use index::Index;
use order::Random;
use replace::Levels;
use std::sync::Arc;
use tightrope_core::{Budget, Claim, Forgets, Forgetting, Found, OverBudget, StateId, StepKind};

/// What may be remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// So many states.
    States(u64),
    /// So many bytes of states, everything included that is kept for them.
    Bytes(u64),
}

/// How much is remembered, and what is forgotten first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caching {
    /// How much.
    pub bound: Bound,
    /// The name of a replacement strategy, or of several levels.
    pub replace: String,
}

/// The share of the budget that is left for the path while there is anything to forget: one of so many.
const RESERVE: u64 = 16;
/// The bytes of a member beside the words of its code.
const MEMBER: u64 = (size_of::<Entry>() + 4 + 14) as u64;
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
    index: Index,
    codes: Codes,
    entries: Column<Entry>,
    /// Numbers below this are or were in use.
    made: usize,
    /// The first number to use again.
    spare: u32,
    len: u64,
    /// The words of all codes.
    words: u64,
    levels: Levels,
    random: Random,
    distinct: Option<Distinct>,
    pinned: u64,
    figures: Forgetting,
    budget: Arc<Budget>,
}

impl Cache {
    /// An empty set. The error is a sentence for people.
    pub fn new(caching: &Caching, site: Site<'_>) -> Result<Self, String> {
        let budget = site.budget;
        if matches!(caching.bound, Bound::States(0) | Bound::Bytes(0)) {
            return Err("a cache holds at least one state".into());
        }
        Ok(Cache {
            bound: caching.bound,
            held_to: None,
            was_short: false,
            beside: 0,
            index: Index::new(budget),
            codes: Codes::new(budget),
            entries: Column::new(budget),
            made: 0,
            spare: NONE,
            len: 0,
            words: 0,
            levels: Levels::parse(&caching.replace, budget)?,
            random: Random::new(site.seed),
            distinct: Distinct::new(site.seed, budget),
            pinned: 0,
            figures: Forgetting::default(),
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

    /// Forgets a member, if there is one that may be.
    fn forget(&mut self) -> bool {
        let Some(number) = self.levels.next(&mut self.entries, &mut self.random) else { return false };
        let place = self.entries[number as usize].place;
        self.index.remove(short(hash_of(self.codes.get(place))), number);
        self.words -= self.codes.remove(place) as u64;
        self.entries[number as usize].place = self.spare;
        self.spare = number;
        self.len -= 1;
        self.figures.evicted += 1;
        true
    }

    /// Room for one more member with such a code, but not more memory than is good while there is something to forget.
    fn take_room(&mut self, length: usize) -> Result<(), OverBudget> {
        let left = self.budget.left();
        let reserve = if !self.levels.is_empty() && self.spare == NONE { self.budget.limit() / RESERVE } else { 0 };
        if left < reserve {
            return Err(OverBudget { asked: reserve, left });
        }
        self.index.make_room()?;
        self.codes.make_room(length, &mut self.entries)?;
        if self.spare != NONE {
            return Ok(());
        }
        if self.made == MOST_MEMBERS {
            return Err(OverBudget { asked: size_of::<Entry>() as u64, left: 0 });
        }
        self.entries.make_room(self.made + 1)?;
        self.levels.make_room(self.made + 1)
    }

    /// Adds a member that is not there.
    fn add(&mut self, code: &[u8], hash: u32) -> Result<StateId, OverBudget> {
        let words = codes::words(code.len());
        if self.held_to.is_some() && self.budget.left() / 2 > self.budget.limit() / RESERVE {
            // Others have given memory back.
            self.held_to = None;
        }
        while self.is_full(words) && self.forget() {}
        while let Err(refused) = self.take_room(code.len()) {
            // What memory allows is all that there will be; codes of other lengths may need more than one place.
            let most = self.len;
            if !self.forget() {
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
        let stratum = u8::from(self.pinned.is_multiple_of(self.levels.period));
        let kind = StepKind::Other as u8;
        self.entries[number as usize] = Entry { place, before: 0, after: 0, uses: 1, kind, stratum, level: 0 };
        self.levels.enter(number, &mut self.entries);
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

impl Set for Cache {
    fn insert(&mut self, code: &[u8]) -> Result<Found, OverBudget> {
        let hash = short(hash_of(code));
        let is_it = |number: u32| self.codes.get(self.entries[number as usize].place) == code;
        let Some(number) = self.index.find(hash, is_it) else {
            return Ok(Found::New(self.add(code, hash)?));
        };
        if self.entries[number as usize].level == PINNED {
            self.entries[number as usize].use_once();
        } else {
            self.levels.meet(number, &mut self.entries);
        }
        Ok(Found::Seen(StateId(u64::from(number))))
    }

    fn read<'a>(&'a mut self, id: StateId, _room: &'a mut Vec<u8>) -> Option<&'a [u8]> {
        Some(self.codes.get(self.entries.get(id.0 as usize)?.place))
    }

    fn len(&self) -> u64 {
        self.len
    }

    fn bytes(&self) -> u64 {
        let sample = self.distinct.as_ref().map_or(0, Distinct::bytes);
        self.index.bytes() + self.codes.bytes() + self.entries.bytes() + self.levels.bytes() + sample
    }

    fn claim(&self) -> Claim {
        Claim::Exact
    }

    fn at_limit(&self) -> Option<&'static str> {
        let full = self.made == MOST_MEMBERS && self.levels.is_empty();
        full.then_some("the path has as many states as a cache can hold, 2³¹")
    }

    fn count_beside(&mut self, bytes: u64) {
        self.beside = bytes;
    }

    fn forgets(&mut self) -> Option<&mut dyn Forgets> {
        Some(self)
    }
}

impl Forgets for Cache {
    fn pin(&mut self, id: StateId) {
        let number = id.0 as u32;
        if self.entries[number as usize].level != PINNED {
            self.levels.leave(number, &mut self.entries);
            let entry = &mut self.entries[number as usize];
            (entry.level, entry.before) = (PINNED, 0);
        }
        self.entries[number as usize].before += 1;
        self.pinned += 1;
        self.figures.pinned_peak = self.figures.pinned_peak.max(self.pinned);
    }

    fn release(&mut self, id: StateId) {
        let number = id.0 as u32;
        self.pinned -= 1;
        let entry = &mut self.entries[number as usize];
        debug_assert!(entry.level == PINNED && entry.before > 0, "released more often than pinned");
        entry.before -= 1;
        if entry.before == 0 {
            self.levels.enter(number, &mut self.entries);
            while self.is_beyond(self.len, self.words) && self.forget() {}
        }
    }

    fn wants_kinds(&self) -> bool {
        self.levels.by_kind
    }

    fn reached(&mut self, id: StateId, kind: StepKind) {
        self.entries[id.0 as usize].reach(kind);
    }

    fn forgetting(&self) -> Forgetting {
        let bound = match self.bound {
            Bound::States(most) => Some(most),
            Bound::Bytes(_) => None,
        };
        let none_forgotten = (self.figures.evicted == 0).then_some(self.figures.inserted);
        Forgetting {
            limit: self.held_to.or(bound),
            short_of_memory: self.was_short,
            distinct: none_forgotten.or(self.distinct.as_ref().map(|one| one.count().min(self.figures.inserted))),
            lately: self.distinct.as_ref().and_then(Distinct::lately),
            ..self.figures
        }
    }
}
