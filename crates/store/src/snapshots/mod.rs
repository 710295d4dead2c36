//! A set for breadth-first search that remembers some of its levels: snapshots (Mateescu & Wijs 2009, "Hierarchical Adaptive State
//! Space Caching based on Level Sampling", Algorithm 1).
//!
//! Remembered are the level that is being expanded, the next one, the *snapshots* of levels before, and the backtracking set
//! (`backtracking.rs`). A snapshot is everything that the steps from one level led to, each state once, whether it was
//! remembered before or not. Which levels are sampled, and which snapshot makes room for another one, is said by a stream of caches
//! (`plan.rs`, `caches.rs`). Beside the paper's algorithm, a step to a state of the level that is being expanded is known to lead
//! to nothing new, as in its figure 1. A state that was forgotten is new when it comes again, and expanded again.
//!
//! Invariant: a state is stored once, with what it is a member of; it is removed when it is a member of nothing. So ids last at
//! least until the level in which a state is expanded has ended.
//!
//! # It ends
//! The paper proves for periods that grow (Lemma 1), and cycles that are met one at a time, that the search ends. Here it ends with
//! every stream: of the snapshots that would leave memory (replaced in the last cache, or not accepted by the next one) the first,
//! second, fourth, eighth … stay for good.
//!
//! *Proof* that a search of a finite state space ends. Otherwise there would be infinitely many levels, since each has finitely
//! many states; every state of a level after the first was found new from one of the level before, so by König's lemma there is an
//! infinite path s₀ s₁ … with every sᵢ new in level i. Infinitely many levels are sampled, and infinitely many of their snapshots
//! are never forgotten: either all but finitely many of those that are sampled, or else infinitely many would leave memory, and then
//! infinitely many of these stay. Let l be such a level. Its snapshot has sₗ, which is therefore remembered from level l on; for
//! m > l, sₘ is new in level m, and so is another state. Hence the infinitely many sₗ are different, which a finite state space does
//! not have. ∎ Whatever else is remembered only makes fewer states new. How snapshots are represented does not matter, as long as
//! each has all states that were new in its level.
//!
//! Nothing is said of when it ends. A cycle of levels that are not remembered is followed until the first cache samples again: its
//! period should be less than the number of levels.
//!
//! Every state is expanded that is ever remembered, at the latest in the next level. So every transition is taken, and every state
//! is found first at its least distance.
//!
//! Bytes per state that is remembered: the code and 5 to 8, 16 for what it is a member of, 10 to 14 of the index, and 4 for each level
//! or snapshot it is in. Exact. Not where everything fits, nor where steps often lead back far: everything from there on is done again.

mod backtracking;
mod caches;
mod member;
mod number_list;
mod plan;
#[cfg(test)]
mod tests;

pub use plan::{
    MOST_SNAPSHOTS, SNAPSHOT_PRESETS, SNAPSHOT_REPLACEMENTS, Sampling, SnapshotCache, SnapshotPlan, SnapshotPreset,
    SnapshotReplacement, Stream,
};

use crate::Site;
use crate::distinct::Distinct;
use crate::memory::budget_region::BudgetRegion;
use crate::memory::code_heap::CodeHeap;
use crate::memory::hash_index::HashIndex;
use crate::memory::hashing::hash_of;
use crate::memory::prefetch::prefetch;
use backtracking::Siblings;
use caches::{Caches, Offered, Snapshot};
use member::{BACKTRACK, Member, NEXT_LEVEL, OPEN, PERMANENT, REACHED_AGAIN};
use number_list::NumberList;
use std::rc::Rc;
use std::sync::Arc;
use tightrope_core::{
    Budget, CacheStats, Claim, Edge, Edges, Evicts, Found, Parent, Refused, Reservation, SnapshotStats, StateId, Store,
    Successors,
};

/// No number.
const NONE: u32 = u32::MAX;
const MOST_MEMBERS: usize = 1 << 31;
/// The backtracking set has at most one of so many of the states that are remembered at a time.
const BACKTRACKING_SHARE: u64 = 20;
/// How many codes are looked for together.
const TOGETHER: usize = 64;

/// A set that remembers levels.
pub struct Snapshots {
    index: HashIndex,
    codes: CodeHeap,
    members: BudgetRegion<Member>,
    /// Numbers below this are or were in use.
    made: usize,
    /// The first number to use again.
    spare: u32,
    len: u64,
    /// The states of the level that is being expanded; where that was sampled, all of its snapshot.
    open: Rc<NumberList>,
    /// The states of the next level; where that will be sampled, also those that were there before.
    next: NumberList,
    /// The number of the next level.
    level: u64,
    caches: Caches,
    /// For the records of the snapshots.
    records: Reservation,
    /// The backtracking set is used.
    backtrack: bool,
    /// The most states that the backtracking set may have in this level.
    most_backtracking: u64,
    /// The successors of the state that is being expanded.
    siblings: Option<Siblings>,
    /// The bits of the snapshots that are not in the first cache.
    old: u64,
    /// How many snapshots would have left memory, and how many of them stay.
    dropped: u64,
    distinct: Option<Distinct>,
    figures: CacheStats,
    sampled: SnapshotStats,
    budget: Arc<Budget>,
}

impl Snapshots {
    /// An empty set.
    pub fn new(plan: &SnapshotPlan, site: Site<'_>) -> Self {
        let budget = site.budget;
        Snapshots {
            index: HashIndex::new(budget),
            codes: CodeHeap::new(budget),
            members: BudgetRegion::sparing(budget),
            made: 0,
            spare: NONE,
            len: 0,
            open: Rc::new(NumberList::new(budget)),
            next: NumberList::new(budget),
            level: 0,
            caches: Caches::new(&plan.stream, site.seed),
            records: Reservation::new(budget.clone()),
            backtrack: plan.backtrack,
            most_backtracking: 0,
            siblings: None,
            old: 0,
            dropped: 0,
            distinct: Distinct::new(site.seed, budget),
            figures: CacheStats::default(),
            sampled: SnapshotStats::default(),
            budget: budget.clone(),
        }
    }

    /// Room for one more state of the next level, with such a code. The level's snapshot has its record then, too, since nothing
    /// can be refused when the level begins.
    fn make_room(&mut self, length: usize) -> Result<(), Refused> {
        // Lists of records double when they grow.
        let records = 2 * (self.caches.len() + 1) * size_of::<Snapshot>() as u64;
        if self.records.bytes() < records {
            self.records.take(records - self.records.bytes())?;
        }
        self.next.make_room()?;
        self.index.make_room()?;
        self.codes.make_room(length, &mut self.members)?;
        if self.spare != NONE {
            return Ok(());
        }
        if self.made == MOST_MEMBERS {
            return Err(Refused::Limit("as many states are remembered as a set with snapshots can hold, 2³¹"));
        }
        self.members.make_room(self.made + 1)
    }

    /// Adds a state that is not there to the next level.
    fn add(&mut self, code: &[u8], hash: u32) -> Result<u32, Refused> {
        self.make_room(code.len())?;
        let number = match self.spare {
            NONE => {
                self.made += 1;
                (self.made - 1) as u32
            }
            spare => {
                self.spare = self.members[spare as usize].place;
                spare
            }
        };
        let place = self.codes.push(number, code);
        self.index.enter(hash, number);
        self.members[number as usize] = Member { of: NEXT_LEVEL, place, shared: 0 };
        self.next.push(number);
        self.len += 1;
        self.figures.inserted += 1;
        self.figures.peak = self.figures.peak.max(self.len);
        if let Some(distinct) = &mut self.distinct {
            distinct.add(code);
        }
        Ok(number)
    }

    /// A step led to a state that is there.
    fn meet(&mut self, number: u32) -> Result<(), Refused> {
        let of = self.members[number as usize].of;
        if of & (NEXT_LEVEL | REACHED_AGAIN) == 0 && self.caches.samples_next() {
            self.next.make_room()?;
            self.next.push(number);
            self.members[number as usize].of |= REACHED_AGAIN;
        }
        self.caches.hit(of);
        Ok(())
    }

    /// Removes a state if it is a member of nothing.
    #[inline]
    fn remove_unless_member(&mut self, number: u32) {
        let member = &mut self.members[number as usize];
        if member.of != 0 {
            return;
        }
        let place = std::mem::replace(&mut member.place, self.spare);
        self.spare = number;
        self.index.remove(short(hash_of(self.codes.get(place))), number);
        self.codes.remove(place);
        self.len -= 1;
        self.figures.evicted += 1;
    }

    /// The next of the successors of a state is a member of this.
    #[inline]
    fn note_sibling(&mut self, via: Option<Edge>, id: StateId, of: u64) {
        let Some(Edge { parent, .. }) = via.filter(|_| self.backtrack) else { return };
        match &mut self.siblings {
            Some(siblings) if siblings.parent() == parent => siblings.add(id, of),
            _ => {
                self.end_of_siblings();
                self.siblings = Some(Siblings::new(parent, id, of));
            }
        }
    }

    /// All successors of a state are known. It is in the level that is being expanded.
    fn end_of_siblings(&mut self) {
        let Some(siblings) = self.siblings.take() else { return };
        if self.sampled.backtracking < self.most_backtracking
            && siblings.is_probably_revisited(self.old)
            && let Some(member) = self.members.get_mut(siblings.parent().0 as usize)
        {
            debug_assert!(member.of & OPEN != 0, "what is expanded stays");
            self.sampled.backtracking += u64::from(member.of & BACKTRACK == 0);
            member.of |= BACKTRACK;
        }
    }

    /// A snapshot is no longer in a cache: its states leave it, and stay if it is kept for good.
    fn leave(&mut self, snapshot: Snapshot, stays: bool) {
        self.sampled.kept_for_good += u64::from(stays);
        for number in snapshot.states.iter() {
            let member = &mut self.members[number as usize];
            member.leave(snapshot.bit);
            member.of |= if stays { PERMANENT } else { 0 };
            self.remove_unless_member(number);
        }
    }
}

/// What the index takes of a hash.
#[inline]
fn short(hash: u64) -> u32 {
    (hash >> 32) as u32
}

impl Snapshots {
    /// Asks for what will be needed to look for codes with these hashes, so that the processor waits once instead of once for each.
    fn prefetch(&self, hashes: &[u32]) {
        hashes.iter().for_each(|&hash| self.index.prefetch(hash));
        let mut candidates = [NONE; TOGETHER];
        for (candidate, &hash) in candidates.iter_mut().zip(hashes) {
            *candidate = self.index.find(hash, |_| true).unwrap_or(NONE);
            prefetch(&self.members, *candidate as usize);
        }
        let members = candidates.iter().filter_map(|&number| self.members.get(number as usize));
        members.for_each(|member| self.codes.prefetch(member.place));
    }

    /// Remembers a code that has this hash.
    fn insert_hashed(&mut self, code: &[u8], hash: u32, via: Option<Edge>) -> Result<Found, Refused> {
        let is_it = |number: u32| self.codes.get(self.members[number as usize].place) == code;
        let (number, new) = match self.index.find(hash, is_it) {
            Some(number) => {
                self.meet(number)?;
                (number, false)
            }
            None => (self.add(code, hash)?, true),
        };
        let id = StateId(u64::from(number));
        self.note_sibling(via, id, self.members[number as usize].of);
        Ok(if new { Found::New(id) } else { Found::Seen(id) })
    }
}

impl Store for Snapshots {
    fn insert(&mut self, code: &[u8], via: Option<Edge>) -> Result<Found, Refused> {
        self.insert_hashed(code, short(hash_of(code)), via)
    }

    fn insert_all(&mut self, steps: &Successors, parents: &[Parent], found: &mut Vec<Found>) -> Result<(), Refused> {
        let mut edges = Edges::of(parents);
        for start in (0..steps.len()).step_by(TOGETHER) {
            let together = start..steps.len().min(start + TOGETHER);
            let mut hashes = [0; TOGETHER];
            for (hash, index) in hashes.iter_mut().zip(together.clone()) {
                *hash = steps.state(index).map_or(0, |code| short(hash_of(code)));
            }
            self.prefetch(&hashes[..together.len()]);
            for (hash, index) in hashes.into_iter().zip(together) {
                let via = edges.next(steps, index);
                let insert = |code| self.insert_hashed(code, hash, via);
                found.push(steps.state(index).map_or(Ok(Found::Nowhere), insert)?);
            }
        }
        Ok(())
    }

    fn read(&mut self, id: StateId, out: &mut Vec<u8>) -> bool {
        let Some(member) = self.members.get(id.0 as usize) else { return false };
        out.clear();
        out.extend_from_slice(self.codes.get(member.place));
        true
    }

    fn can_read(&self) -> bool {
        true
    }

    fn len(&self) -> u64 {
        self.len
    }

    fn bytes(&self) -> u64 {
        // A cache may have the list of the level that is being expanded.
        let open = if Rc::strong_count(&self.open) == 1 { self.open.bytes() } else { 0 };
        let lists = open + self.next.bytes() + self.caches.bytes() + self.records.bytes();
        let sample = self.distinct.as_ref().map_or(0, Distinct::bytes);
        self.index.bytes() + self.codes.bytes() + self.members.bytes() + lists + sample
    }

    fn claim(&self) -> Claim {
        Claim::Exact
    }

    fn evicts(&mut self) -> Option<&mut dyn Evicts> {
        Some(self)
    }
}

impl Evicts for Snapshots {
    fn keeps_frontier(&self) -> bool {
        true
    }

    fn next_level(&mut self) {
        self.end_of_siblings();
        self.most_backtracking = self.figures.peak / BACKTRACKING_SHARE;
        let level = Rc::new(std::mem::replace(&mut self.next, NumberList::new(&self.budget)));
        for number in std::mem::replace(&mut self.open, level.clone()).iter() {
            self.members[number as usize].of &= !OPEN;
            self.remove_unless_member(number);
        }
        let bit = if self.caches.sample() { Some(self.caches.take_bit()) } else { None };
        for number in level.iter() {
            let member = &mut self.members[number as usize];
            let open = if member.of & NEXT_LEVEL != 0 { OPEN } else { 0 };
            member.of = member.of & !(NEXT_LEVEL | REACHED_AGAIN) | open;
            bit.into_iter().for_each(|bit| member.join(bit));
        }
        if let Some(bit) = bit {
            self.sampled.taken += 1;
            match self.caches.offer(Snapshot { level: self.level, bit, states: level }) {
                Offered::Held => {}
                Offered::Permanent(snapshot) => self.leave(snapshot, true),
                Offered::Dropped(snapshot) => {
                    self.dropped += 1;
                    self.leave(snapshot, self.dropped.is_power_of_two());
                }
            }
        }
        self.level += 1;
        self.old = self.caches.old() | if self.caches.first_keeps_all() { 0 } else { PERMANENT };
        self.sampled.held = self.caches.len() + self.sampled.kept_for_good;
        self.sampled.held_peak = self.sampled.held_peak.max(self.sampled.held);
    }

    fn cache_stats(&self) -> CacheStats {
        let none_evicted = (self.figures.evicted == 0).then_some(self.figures.inserted);
        CacheStats {
            distinct: none_evicted.or(self.distinct.as_ref().map(|one| one.count().min(self.figures.inserted))),
            lately: self.distinct.as_ref().and_then(Distinct::lately),
            snapshots: Some(self.sampled),
            ..self.figures
        }
    }
}
