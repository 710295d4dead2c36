//! A table of hashes and the places they lead to.
//!
//! Open addressing with linear probing; a slot of eight bytes, or six, holds a place and some bits of a hash. The home of a
//! hash is the hash scaled to the number of slots (Lemire's range reduction), which allows tables of any size, and makes a
//! slot's position tell the highest bits of its hash. What the slot holds are the bits below those: together they
//! are enough to find the home in a longer table.
//!
//! Invariant: every slot is between its home and the next free one, wrapping around at the end. Where none is further
//! from home than the number of positions that share their highest bits ([`Slots::may_grow_to`]), a table grows where it
//! is, without a look at what the places lead to. Otherwise it has to be made again.

use super::prefetch::prefetch;
use super::probe::{after, distance, home};
use super::region::{Plain, Region};

/// What a slot is kept in: a tag of some bits of the hash, then the place plus one; an empty slot is 0.
pub trait Cell: Plain {
    /// The bits of a place at first.
    const PLACE_BITS: u32;
    /// The bits of all.
    const BITS: u32 = 8 * size_of::<Self>() as u32;

    /// What is in it.
    fn get(self) -> u64;

    /// A cell with that in it, which fits.
    fn with(slot: u64) -> Self;
}

/// Eight bytes: 40 bits for places, which is always enough, and 24 for tags.
pub type Wide = u64;

impl Cell for Wide {
    const PLACE_BITS: u32 = 40;

    #[inline(always)]
    fn get(self) -> u64 {
        self
    }

    #[inline(always)]
    fn with(slot: u64) -> Self {
        slot
    }
}

/// Six bytes: 24 bits for places and as many for tags, and less for tags when there are places further away.
pub type Narrow = [u16; 3];

impl Cell for Narrow {
    const PLACE_BITS: u32 = 24;

    #[inline(always)]
    fn get(self) -> u64 {
        u64::from(self[0]) | u64::from(self[1]) << 16 | u64::from(self[2]) << 32
    }

    #[inline(always)]
    fn with(slot: u64) -> Self {
        [slot as u16, (slot >> 16) as u16, (slot >> 32) as u16]
    }
}

/// From here on a table is made of huge pages, if they can be had; there it is made again ([`implied_bits`]).
const HUGE_SLOTS: usize = 1 << 20;
/// The bytes of a line of the processor's cache.
const LINE: usize = 64;

/// The table.
pub struct Slots<C = Wide> {
    table: Region<C>,
    /// The bits of a slot that are for the place.
    place_bits: u32,
    /// How many bits of the hash the position tells.
    implied: u32,
    /// No slot is further from its home.
    farthest: usize,
}

/// What is in a slot.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Slot(u64);

impl Slot {
    /// Nothing.
    pub const FREE: Slot = Slot(0);

    /// Whether nothing is in it.
    #[inline]
    pub fn is_free(self) -> bool {
        self.0 == 0
    }

    /// One more than the place it leads to; 0 if it is free.
    #[inline]
    pub fn after_place(self) -> u64 {
        self.0
    }

    /// The place it leads to, if it is taken.
    #[inline]
    pub fn place(self) -> u64 {
        self.0.wrapping_sub(1)
    }
}

/// How far [`Slots::grow`] has come: no slot from `cluster` to just before `next` is free, all from `next` on to those that
/// wait are.
#[derive(Clone, Copy, Default)]
struct Settled {
    cluster: usize,
    next: usize,
    farthest: usize,
}

/// How many bits of the hash are told by the position in a table: so many that at least 4096 slots share them. No
/// cluster is that long in a table that is filled as it should be. They become more only every four doublings, since a
/// table has to be made again then; where tags are short, and their bits are needed, with every doubling.
#[inline]
fn implied_bits(slots: usize, tag_bits: u32) -> u32 {
    let step = if tag_bits < 20 { 1 } else { 4 };
    (slots.max(1).ilog2().saturating_sub(12) / step * step).min(40)
}

impl<C: Cell> Slots<C> {
    /// A table without slots.
    pub const fn new() -> Self {
        Slots { table: Region::new(), place_bits: C::PLACE_BITS, implied: 0, farthest: 0 }
    }

    /// An empty table of `slots` slots for places up to `place`; none if the system refuses. It takes memory as it fills.
    pub fn with(slots: usize, place: u64) -> Option<Self> {
        let mut table = Region::new();
        if !table.grow(slots) {
            return None;
        }
        if slots >= HUGE_SLOTS {
            table.prefer_huge_pages(true);
        }
        let mut place_bits = C::PLACE_BITS;
        while place + 1 >= 1 << place_bits {
            place_bits += 4;
        }
        Some(Slots { table, place_bits, implied: implied_bits(slots, C::BITS - place_bits), farthest: 0 })
    }

    /// How many slots there are, free or taken.
    #[inline]
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// The greatest place that a slot can lead to.
    #[inline]
    pub fn reach(&self) -> u64 {
        (1 << self.place_bits) - 2
    }

    /// Whether a slot can lead to that place.
    #[inline]
    pub fn reaches(&self, place: u64) -> bool {
        place <= self.reach()
    }

    /// The bits of a slot that are for the hash.
    #[inline]
    fn tag_bits(&self) -> u32 {
        C::BITS - self.place_bits
    }

    /// What the table knows of a hash: the bits that the position implies, and those of the tag.
    #[inline]
    fn known(&self, hash: u64) -> u64 {
        hash & !0 << (64 - self.tag_bits() - self.implied)
    }

    /// What is known of a hash, from the bits implied and a slot.
    #[inline]
    fn recall(&self, bits: u64, slot: u64) -> u64 {
        let tag = slot >> self.place_bits << (64 - self.tag_bits());
        // In two steps, since a shift by all 64 bits is none.
        bits << (63 - self.implied) << 1 | tag >> self.implied
    }

    /// Where to begin to look for a hash.
    #[inline]
    pub fn home(&self, hash: u64) -> usize {
        home(self.known(hash), self.table.len())
    }

    /// The slot after `at`.
    #[inline]
    pub fn after(&self, at: usize) -> usize {
        after(at, self.table.len())
    }

    /// The slot's share of a hash, at its place in the slot.
    #[inline]
    fn tag(&self, hash: u64) -> u64 {
        hash << self.implied >> (64 - self.tag_bits()) << self.place_bits
    }

    /// The first slot from `at` on that is free or probably has the hash, and what is in it. There is a free slot.
    #[inline(always)]
    pub fn seek(&self, hash: u64, mut at: usize) -> (usize, Slot) {
        let tag = self.tag(hash);
        let table = &*self.table;
        let place_bits = self.place_bits;
        loop {
            let slot = table[at].get();
            if slot == 0 || (slot ^ tag) >> place_bits == 0 {
                return (at, Slot(slot & ((1 << place_bits) - 1)));
            }
            at = self.after(at);
        }
    }

    /// Brings a slot near, and of narrow ones, which are rather full, the line after.
    #[inline]
    pub fn prefetch(&self, at: usize) {
        prefetch(&self.table, at);
        if size_of::<C>() < size_of::<Wide>() {
            prefetch(&self.table, at + LINE / size_of::<C>());
        }
    }

    /// Enters a hash at the first free slot. There is one, and it reaches the place.
    #[inline]
    pub fn enter(&mut self, hash: u64, place: u64) {
        self.put(self.known(hash), self.tag(hash) | (place + 1));
    }

    /// Enters a hash at `free`, which [`Slots::seek`] found free on its way from home.
    #[inline]
    pub fn enter_at(&mut self, free: usize, hash: u64, place: u64) {
        self.put_at(self.home(hash), free, self.tag(hash) | (place + 1));
    }

    /// Puts a slot, of whose hash `known` is known, where it belongs, and returns where that is.
    #[inline]
    fn put(&mut self, known: u64, slot: u64) -> usize {
        let home = home(known, self.table.len());
        let mut at = home;
        while self.table[at].get() != 0 {
            at = self.after(at);
        }
        self.put_at(home, at, slot);
        at
    }

    #[inline]
    fn put_at(&mut self, home: usize, at: usize, slot: u64) {
        self.farthest = self.farthest.max(distance(home, at, self.table.len()));
        self.table[at] = C::with(slot);
    }

    /// Whether the table can grow to `slots` slots where it is: the position tells as many bits of the hash before as
    /// after, and every slot is so near its home that it does tell them.
    pub fn may_grow_to(&self, slots: usize) -> bool {
        implied_bits(slots, self.tag_bits()) == self.implied
            && self.farthest < (self.table.len() >> self.implied).saturating_sub(1)
    }

    /// Makes the table `slots` slots long, which is more than it was; false if the system refuses, it is then as before.
    ///
    /// The slots are moved to the end first. From there on no slot's home is behind it: all distances grow at most by
    /// what was added. A slot that is taken from its place therefore finds a free one there or before, and none that
    /// still waits is in the way. The slots come nearly in the order of their homes; where they do, the first free one is
    /// known without a search, and there is no branch to guess.
    #[must_use]
    pub fn grow(&mut self, slots: usize) -> bool {
        let old = self.table.len();
        if !self.table.grow(slots) {
            return false;
        }
        let added = slots - old;
        self.table.copy_within(..old, added);
        self.table[..added].fill(C::default());
        let implied = self.implied;
        let mut wrapped = Vec::new();
        let reach = std::mem::take(&mut self.farthest);
        let mut settled = Settled::default();
        let mut from = 0;
        // The bits that the position tells are the same up to some position.
        for bits in 0..1 << implied {
            let until = if bits + 1 == 1 << implied { old } else { home((bits + 1) << (64 - implied), old) };
            let pushed_here = until.min(from + reach + 1);
            for at in from..pushed_here {
                let slot = self.table[added + at].get();
                let hash = self.recall(bits, slot);
                if home(hash, old) <= at {
                    self.settle(&mut settled, hash, added + at);
                } else if bits > 0 {
                    // It belongs to those before, from where it was pushed here.
                    self.settle(&mut settled, self.recall(bits - 1, slot), added + at);
                } else {
                    wrapped.push(slot);
                    self.table[added + at] = C::default();
                }
            }
            for at in pushed_here..until {
                let hash = self.recall(bits, self.table[added + at].get());
                self.settle(&mut settled, hash, added + at);
            }
            from = until;
        }
        self.farthest = self.farthest.max(settled.farthest);
        for slot in wrapped {
            self.put(self.recall((1 << implied) - 1, slot), slot);
        }
        true
    }

    /// Moves the slot at `at`, of which `hash` is known, if it is taken.
    #[inline(always)]
    fn settle(&mut self, settled: &mut Settled, hash: u64, at: usize) {
        let slot = std::mem::take(&mut self.table[at]).get();
        let taken = slot != 0;
        let Settled { cluster, next, farthest } = *settled;
        let goal = home(hash, self.table.len());
        if goal < cluster && taken {
            settled.next = next.max(self.put(hash, slot) + 1);
            return;
        }
        let place = goal.max(next);
        settled.cluster = if taken & (goal > next) { goal } else { cluster };
        settled.next = if taken { place + 1 } else { next };
        settled.farthest = farthest.max(if taken { place - goal } else { 0 });
        self.table[if taken { place } else { at }] = C::with(slot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of `slots` slots, as full as that, and what is in it.
    fn table_of<C: Cell>(slots: usize, implied: u32, load: f64, reach: u64) -> (Slots<C>, Vec<u64>) {
        let mut table = Slots::with(slots, reach).unwrap();
        table.implied = implied;
        let mut seed = 1u64;
        let hashes: Vec<u64> = (0..(slots as f64 * load) as u64)
            .map(|place| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let hash = (seed ^ seed >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                table.enter(hash, place);
                hash
            })
            .collect();
        (table, hashes)
    }

    #[test]
    fn slots_find_their_new_homes() {
        slots_are_found::<Wide>(1 << 39);
        slots_are_found::<Narrow>(1 << 20);
        slots_are_found::<Narrow>(1 << 27);
    }

    #[test]
    fn places_further_away_take_bits_from_tags() {
        for (reach, bits) in [(0, 24), ((1 << 24) - 2, 24), ((1 << 24) - 1, 28), (1 << 28, 32), (1 << 35, 36)] {
            let mut table: Slots<Narrow> = Slots::with(5000, reach).unwrap();
            assert_eq!(table.place_bits, bits);
            assert!(table.reaches(reach));
            table.enter(!0, reach);
            assert_eq!(table.seek(!0, table.home(!0)).1.place(), reach);
        }
    }

    fn slots_are_found<C: Cell>(reach: u64) {
        let mut grown = 0;
        for (slots, implied) in [(256, 0), (1000, 0), (65_536, 4), (100_003, 4), (1 << 17, 4), (50_000, 2)] {
            for load in [0.3, 0.8, 0.95] {
                for added in [1, slots / 16, slots / 4, slots / 2, slots, 4 * slots] {
                    let (mut table, hashes) = table_of::<C>(slots, implied, load, reach);
                    if table.farthest + 1 >= slots >> implied {
                        continue;
                    }
                    grown += 1;
                    assert!(table.grow(slots + added));
                    for (place, &hash) in hashes.iter().enumerate() {
                        let (mut at, mut found) = table.seek(hash, table.home(hash));
                        while found.place() != place as u64 {
                            assert!(!found.is_free(), "{place} is lost: {slots} slots and {added} more, load {load}");
                            (at, found) = table.seek(hash, table.after(at));
                        }
                        let distance = (at + table.len() - table.home(hash)) % table.len();
                        assert!(distance <= table.farthest);
                    }
                    assert_eq!(table.table.iter().filter(|slot| slot.get() != 0).count(), hashes.len());
                }
            }
        }
        assert!(grown > 60, "{grown}");
    }
}
