//! A set-associative cache: a code belongs into one of a few of its slots.
//!
//! The cache of Tronci, Della Penna, Intrigila & Venturini Zilli 2001 (§3): no collision is resolved. A code is looked for in a few
//! slots ([`PROBES`], unless told otherwise), which follow from its hash; one that is not there takes the first free of them, and
//! where none is free it replaces the code of another. Which one is up to the [`Victim`]: any of them, as in the paper, or one that
//! will hardly be met again. That needs no lists and no numbers of states.
//!
//! Where any is replaced, the slots are those of double hashing, as in CMurphi: slots that lie together fill unevenly, so that
//! states are replaced while others are free. CMurphi's number of slots is a prime; here it is what fits, and few codes, whose stride
//! shares a large factor with it, have fewer different slots. Where the victim is chosen that hardly matters, and the slots are a row, which a
//! processor reads faster.
//!
//! What is in a slot is up to [`Contents`]: a code (`codes.rs`, exact), or a signature of it (`signatures.rs`, hash compaction).
//! Nothing can be pinned: for breadth-first searches, whose frontier has the states that wait.
//!
//! How many slots there are follows from the length of the first code, where the bound is in bytes or memory is short. Where the
//! codes of others turn out to be longer or shorter, the slots are exchanged for fewer or more (`resize.rs`).
//!
//! Invariant: a code is in at most one slot, one of its own. None of those that are looked at before it is free, unless slots were
//! freed because the bytes or the memory were used up (`has_gaps`).
//!
//! Bytes per slot: 2 for what `level` goes by, besides the contents: 8 and the code and 5 to 8, or the bytes of a signature. Not
//! where everything fits: `hash` needs less and is faster.

mod codes;
mod marks;
mod resize;
mod signatures;
#[cfg(test)]
mod tests;

pub use codes::Codes;
pub use signatures::Signatures;

use super::{Bound, Caching, RESERVE};
use crate::Site;
use crate::distinct::{self, Distinct};
use crate::memory::probe::{after, home};
use crate::sets::insert_probed;
use marks::Marks;
use rapidhash::v3::{RapidSecrets, rapidhash_v3_seeded};
use std::sync::Arc;
use tightrope_core::{Budget, CacheStats, Claim, Edge, Evicts, Found, Parent, Refused, StateId, Store, Successors};

/// Spreads numbers over 64 bits: 2⁶⁴ by the golden ratio.
const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

/// To look for the last codes in more slots than this takes longer than anything else.
const MANY_SLOTS: usize = 1 << 16;

/// The slots that a code may be in, as in CMurphi, which has 13 where signatures are kept.
pub const PROBES: u64 = 20;

/// Which code is replaced where no slot is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Victim {
    /// Any of them, by chance. Were it always the first, a state with a step to itself and a successor that belongs into the same slot
    /// would replace each other for ever.
    Random,
    /// The one that was found at the least level, of those first that no long back edge led to.
    Level,
}

/// A code and two independent parts of its hash.
#[derive(Clone, Copy, Default)]
pub struct CodeHash {
    home: u64,
    signature: u64,
}

/// What is in the slots.
pub trait Contents {
    /// The most slots that there can be.
    fn most_slots(&self) -> usize {
        usize::MAX
    }

    /// Allocates so many slots, all free. Called once.
    fn allocate(&mut self, slots: usize) -> Result<(), Refused>;

    /// Takes so many other slots, all free, in place of the present ones, which are returned: they still lead to their codes, which
    /// stay. A refusal changes nothing. Not for contents that have nothing but slots.
    fn exchange_slots(&mut self, _slots: usize) -> Result<Self, Refused>
    where
        Self: Sized,
    {
        Err(Refused::Memory)
    }

    /// Puts the code that the slot of an earlier table leads to into `out`; false if that slot is free.
    fn read_through(&self, _earlier: &Self, _slot: usize, _out: &mut Vec<u8>) -> bool {
        false
    }

    /// Has a free slot lead to what the slot `from` of an earlier table leads to.
    fn take_over(&mut self, _earlier: &Self, _from: usize, _slot: usize, _hash: CodeHash) {}

    /// Drops the code that the slot of an earlier table leads to; returns the bytes that it took.
    fn drop_through(&mut self, _earlier: &Self, _from: usize) -> u64 {
        0
    }

    /// The bytes of a slot beside what a code takes elsewhere, and what a code of that length takes there.
    fn bytes_for(&self, length: usize) -> (u64, u64);

    /// Whether the slot is free.
    fn is_free(&self, slot: usize) -> bool;

    /// Whether the code is in the slot, which is not free.
    fn is_in(&mut self, slot: usize, hash: CodeHash, code: &[u8]) -> bool;

    /// Whether a code of that length can be put into a slot without more memory.
    fn has_room(&mut self, _length: usize) -> bool {
        true
    }

    /// Puts the code into a free slot; a refusal changes nothing.
    fn put(&mut self, slot: usize, hash: CodeHash, code: &[u8]) -> Result<(), Refused>;

    /// Frees the slot; returns the bytes that its code took elsewhere.
    fn clear(&mut self, slot: usize) -> u64;

    /// Has the slot brought near.
    fn prefetch(&self, slot: usize);

    /// Puts the code of a slot into `out`; false where it is not kept.
    fn read(&self, _slot: usize, _out: &mut Vec<u8>) -> bool {
        false
    }

    /// Whether codes are kept.
    fn can_read(&self) -> bool {
        false
    }

    /// The bytes taken.
    fn bytes(&self) -> u64;

    /// What a search that relies on it is worth.
    fn claim(&self) -> Claim {
        Claim::Exact
    }
}

/// The cache.
pub struct SetAssociativeCache<C> {
    contents: C,
    bound: Bound,
    /// None before the first code is there.
    slots: usize,
    /// The slots that a code may be in, as far as there are so many.
    probes: usize,
    /// The insertions before which the slots are not exchanged again.
    next_resize: u64,
    marks: Option<Marks>,
    secrets: [RapidSecrets; 2],
    /// The bytes of the tables of the encoding.
    table_bytes: u64,
    /// The codes that are in the slots.
    len: u64,
    /// The bytes of all codes, outside of the slots.
    code_bytes: u64,
    /// The memory was short at some time.
    was_short: bool,
    /// Slots were freed for codes elsewhere: bytes, not slots, are what there is too little of.
    has_gaps: bool,
    /// The slot at which the search for such a slot goes on.
    hand: usize,
    distinct: Option<Distinct>,
    figures: CacheStats,
    budget: Arc<Budget>,
}

impl<C: Contents> SetAssociativeCache<C> {
    /// An empty one.
    pub fn new(contents: C, caching: &Caching, (victim, probes): (Victim, Option<u64>), site: Site<'_>) -> Self {
        let secrets = RapidSecrets::seed(site.seed);
        SetAssociativeCache {
            contents,
            bound: caching.bound,
            slots: 0,
            probes: probes.unwrap_or(PROBES) as usize,
            next_resize: 0,
            marks: (victim == Victim::Level).then(|| Marks::new(site.budget)),
            secrets: [secrets, secrets.reseed()],
            table_bytes: 0,
            len: 0,
            code_bytes: 0,
            was_short: false,
            has_gaps: false,
            hand: 0,
            distinct: Distinct::new(site.seed, site.budget),
            figures: CacheStats::default(),
            budget: site.budget.clone(),
        }
    }

    #[inline]
    fn hash(&self, code: &[u8]) -> CodeHash {
        let [home, signature] = self.secrets.each_ref().map(|secrets| rapidhash_v3_seeded(code, secrets));
        CodeHash { home, signature }
    }
}

impl<C: Contents> SetAssociativeCache<C> {
    /// The slots that the bound allows when codes have that length.
    fn slots_for(&self, length: usize) -> usize {
        let (slot, outside) = self.contents.bytes_for(length);
        match self.bound {
            Bound::States(states) => states as usize,
            Bound::Bytes(bytes) => (bytes / (slot + outside + self.mark_bytes())).max(1) as usize,
        }
    }

    /// Allocates the slots, or as many as there is memory for.
    #[cold]
    fn allocate(&mut self, length: usize) -> Result<(), Refused> {
        let (slot, outside) = self.contents.bytes_for(length);
        let each = slot + outside + self.mark_bytes();
        let wanted = self.slots_for(length).min(self.contents.most_slots());
        let fitting = (self.budget.left() - self.budget.left() / RESERVE) / each;
        let slots = wanted.min(fitting as usize);
        if slots == 0 {
            return Err(Refused::Memory);
        }
        self.was_short = slots < wanted;
        if let Some(marks) = &mut self.marks {
            marks.allocate(slots)?;
        }
        self.contents.allocate(slots)?;
        self.slots = slots;
        Ok(())
    }

    /// The slot that has the code, or else the one to put it into, which may be another's.
    #[inline]
    fn find(&mut self, hash: CodeHash, code: &[u8]) -> Result<usize, usize> {
        let mut slot = home(hash.home, self.slots);
        let stride = self.stride(hash);
        let probes = self.probes.min(self.slots) as u64;
        // By chance, and the same with the same seed.
        let chosen = (hash.signature ^ self.figures.inserted.wrapping_mul(ODD)) % probes;
        let (mut victim, mut oldest, mut free) = (slot, i32::MIN, None);
        let marks = self.marks.as_ref().filter(|marks| !marks.is_crowded(self.holds()));
        for probe in 0..probes {
            if self.contents.is_free(slot) {
                free = free.or(Some(slot));
                if !self.has_gaps {
                    break;
                }
            } else if self.contents.is_in(slot, hash, code) {
                return Ok(slot);
            } else if let Some(marks) = marks {
                let age = marks.age(slot);
                // Of slots that are equal in this any one, for the same reason as with `Victim::Random`.
                if age > oldest || age == oldest && probe <= chosen {
                    (victim, oldest) = (slot, age);
                }
            } else if probe == chosen {
                victim = slot;
            }
            slot += stride;
            if slot >= self.slots {
                slot -= self.slots;
            }
        }
        Err(free.unwrap_or(victim))
    }

    /// How far apart the slots of a code are.
    #[inline]
    fn stride(&self, hash: CodeHash) -> usize {
        // In a table of few slots a code may belong into any of them: those of a row are certainly different ones.
        let is_row = self.marks.is_some() || self.slots <= self.probes * self.probes;
        if is_row { 1 } else { 1 + home(hash.signature.rotate_left(32), self.slots - 1) }
    }

    #[inline]
    fn insert_hashed(&mut self, hash: CodeHash, code: &[u8]) -> Result<Found, Refused> {
        if self.slots == 0 {
            self.allocate(code.len())?;
        }
        match self.find(hash, code) {
            Ok(slot) => {
                if let Some(marks) = &mut self.marks {
                    marks.met(slot);
                }
                Ok(Found::Seen(StateId(slot as u64)))
            }
            Err(mut slot) => {
                if let Some(slots) = self.better_size(slot, code.len()) {
                    self.resize(slots);
                    slot = self.find(hash, code).unwrap_or_else(|slot| slot);
                }
                self.add(slot, hash, code)?;
                Ok(Found::New(StateId(slot as u64)))
            }
        }
    }

    /// About how many codes there can be: as many as there are slots, or as are there when bytes are used up.
    #[inline]
    fn holds(&self) -> u64 {
        if self.has_gaps { self.len } else { self.slots as u64 }
    }

    /// Puts a code that is not there into the slot, in place of what is in it.
    fn add(&mut self, slot: usize, hash: CodeHash, code: &[u8]) -> Result<(), Refused> {
        if !self.contents.is_free(slot) {
            self.evict(slot);
        }
        let (_, outside) = self.contents.bytes_for(code.len());
        while self.is_beyond(outside) {
            if self.slots > MANY_SLOTS && self.len * 1024 < self.slots as u64 && self.is_full_of_tables() {
                // They grow, and are never evicted.
                return Err(Refused::Limit("the tables of the encoding leave hardly any of `--cache` for states"));
            }
            if !self.evict_any() {
                break;
            }
        }
        // The slots were made for codes as long as the first one. Where others need more, some memory is left for the frontier.
        while self.budget.left() < self.budget.limit() / RESERVE
            && !self.contents.has_room(code.len())
            && self.evict_any()
        {
            self.was_short = true;
        }
        while let Err(refused) = self.contents.put(slot, hash, code) {
            if !self.evict_any() {
                return Err(refused);
            }
            self.was_short = true;
        }
        if let Some(marks) = &mut self.marks {
            marks.found(slot);
        }
        self.len += 1;
        self.code_bytes += outside;
        self.figures.inserted += 1;
        self.figures.peak = self.figures.peak.max(self.len);
        if let Some(distinct) = &mut self.distinct {
            distinct.add(code);
        }
        Ok(())
    }

    /// Whether a code with so many bytes outside of its slot is more than the bound allows.
    #[inline]
    fn is_beyond(&self, outside: u64) -> bool {
        let Bound::Bytes(most) = self.bound else { return false };
        if outside == 0 {
            // The slots are all there is, and as many as fit.
            return false;
        }
        let (slot, _) = self.contents.bytes_for(0);
        let slots = self.slots as u64 * (slot + self.mark_bytes());
        slots + self.code_bytes + outside + self.table_bytes > most
    }

    /// Whether most of the bound is taken by the tables of the encoding.
    fn is_full_of_tables(&self) -> bool {
        matches!(self.bound, Bound::Bytes(most) if self.table_bytes > most / 2)
    }

    /// The bytes of a slot's mark.
    fn mark_bytes(&self) -> u64 {
        if self.marks.is_some() { size_of::<u16>() as u64 } else { 0 }
    }

    fn evict(&mut self, slot: usize) {
        self.code_bytes -= self.contents.clear(slot);
        self.len -= 1;
        self.figures.evicted += 1;
    }

    /// Evicts a code for one elsewhere, of the next few that there are; false if there is none.
    #[cold]
    fn evict_any(&mut self) -> bool {
        let marks = self.marks.as_ref().filter(|marks| !marks.is_crowded(self.holds()));
        // Where any may be replaced, the next one is as good as another.
        let looks = if marks.is_some() { self.len.min(self.probes as u64) } else { self.len.min(1) };
        let mut victim = None;
        for _ in 0..looks {
            while self.contents.is_free(self.hand) {
                self.hand = after(self.hand, self.slots);
            }
            let age = marks.map_or(0, |marks| marks.age(self.hand));
            if victim.is_none_or(|(_, oldest)| age > oldest) {
                victim = Some((self.hand, age));
            }
            self.hand = after(self.hand, self.slots);
        }
        let Some((slot, _)) = victim else { return false };
        self.evict(slot);
        self.has_gaps = true;
        true
    }
}

impl<C: Contents> Store for SetAssociativeCache<C> {
    fn insert(&mut self, code: &[u8], _via: Option<Edge>) -> Result<Found, Refused> {
        self.insert_hashed(self.hash(code), code)
    }

    fn insert_all(&mut self, codes: &Successors, _parents: &[Parent], found: &mut Vec<Found>) -> Result<(), Refused> {
        insert_probed(
            self,
            codes,
            found,
            |cache, code| {
                let hash = cache.hash(code);
                cache.contents.prefetch(home(hash.home, cache.slots.max(1)));
                hash
            },
            |cache, hash, code| cache.insert_hashed(hash, code),
        )
    }

    fn read(&mut self, id: StateId, out: &mut Vec<u8>) -> bool {
        self.contents.read(id.0 as usize, out)
    }

    fn can_read(&self) -> bool {
        self.contents.can_read()
    }

    fn len(&self) -> u64 {
        self.len
    }

    fn bytes(&self) -> u64 {
        let sample = self.distinct.as_ref().map_or(0, Distinct::bytes);
        self.contents.bytes() + self.marks.as_ref().map_or(0, Marks::bytes) + sample
    }

    fn claim(&self) -> Claim {
        self.contents.claim()
    }

    fn evicts(&mut self) -> Option<&mut dyn Evicts> {
        Some(self)
    }
}

impl<C: Contents> Evicts for SetAssociativeCache<C> {
    fn next_level(&mut self) {
        self.marks.iter_mut().for_each(Marks::next_level);
    }

    fn count_beside(&mut self, bytes: u64) {
        self.table_bytes = bytes;
    }

    fn cache_stats(&self) -> CacheStats {
        let limit = match self.bound {
            Bound::States(states) if self.slots == 0 => Some(states),
            // How many codes that is depends on their lengths.
            Bound::Bytes(_) if self.code_bytes > 0 || self.slots == 0 => None,
            Bound::States(_) if self.has_gaps => Some(self.figures.peak),
            _ => Some(self.slots as u64),
        };
        let figures = CacheStats { limit, short_of_memory: self.was_short, ..self.figures };
        distinct::with_sample(figures, self.distinct.as_ref())
    }
}
