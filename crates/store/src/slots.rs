//! A table of hashes and the places they lead to.
//!
//! Open addressing with linear probing; a slot of eight bytes holds a place and 24 bits of a hash. The home of a hash
//! is the hash scaled to the number of slots (Lemire's range reduction), which allows tables of any size, and makes a
//! slot's position tell the highest bits of its hash. What the slot holds are the bits below those: together they
//! are enough to find the home in a longer table.
//!
//! Invariant: every slot is between its home and the next free one, wrapping around at the end. Where none is further
//! from home than the number of positions that share their highest bits ([`Slots::may_grow_to`]), a table grows where it
//! is, without a look at what the places lead to. Otherwise it has to be made again.

use crate::prefetch::prefetch;
use crate::region::Region;

/// A slot is `TAG_BITS` of the hash, then the place plus one; an empty slot is 0.
const TAG_BITS: u32 = 24;
const PLACE_BITS: u32 = 64 - TAG_BITS;
const PLACE: u64 = (1 << PLACE_BITS) - 1;
/// From here on a table is made of huge pages, if they can be had; there it is made anew ([`implied_bits`]).
const HUGE_SLOTS: usize = 1 << 20;

/// The table.
pub struct Slots {
    table: Region<u64>,
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
        self.0 & PLACE
    }

    /// The place it leads to, if it is taken.
    #[inline]
    pub fn place(self) -> u64 {
        (self.0 & PLACE).wrapping_sub(1)
    }
}

/// How far [`Slots::grow`] has come: no slot from `run` to just before `next` is free, all from `next` on to those that
/// wait are.
#[derive(Clone, Copy, Default)]
struct Settled {
    run: usize,
    next: usize,
    farthest: usize,
}

/// How many bits of the hash are told by the position in a table: so many that at least 4096 slots share them. No
/// cluster is that long in a table that is filled as it should be. They become more only every four doublings, since a
/// table has to be made anew then.
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

impl Slots {
    /// A table without slots.
    pub const fn new() -> Self {
        Slots { table: Region::new(), implied: 0, farthest: 0 }
    }

    /// An empty table of `slots` slots; none if the system refuses. It takes memory as it fills.
    pub fn with(slots: usize) -> Option<Self> {
        let mut table = Region::new();
        if !table.grow(slots) {
            return None;
        }
        if slots >= HUGE_SLOTS {
            table.prefer_huge_pages(true);
        }
        Some(Slots { table, implied: implied_bits(slots), farthest: 0 })
    }

    /// How many slots there are, free or taken.
    #[inline]
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Where to begin to look for a hash.
    #[inline]
    pub fn home(&self, hash: u64) -> usize {
        home(known(hash, self.implied), self.table.len())
    }

    /// The slot after `at`.
    #[inline]
    pub fn after(&self, at: usize) -> usize {
        if at + 1 == self.table.len() { 0 } else { at + 1 }
    }

    /// The slot's share of a hash, at its place in the slot.
    #[inline]
    fn tag(&self, hash: u64) -> u64 {
        hash << self.implied & !PLACE
    }

    /// The first slot from `at` on that is free or probably has the hash, and what is in it. There is a free slot.
    #[inline(always)]
    pub fn seek(&self, hash: u64, mut at: usize) -> (usize, Slot) {
        let tag = self.tag(hash);
        let table = &*self.table;
        loop {
            let slot = table[at];
            if slot == 0 || slot & !PLACE == tag {
                return (at, Slot(slot));
            }
            at = self.after(at);
        }
    }

    /// Brings a slot near.
    #[inline]
    pub fn prefetch(&self, at: usize) {
        prefetch(&self.table, at);
    }

    /// Enters a hash at the first free slot. There is one.
    #[inline]
    pub fn enter(&mut self, hash: u64, place: u64) {
        self.put(known(hash, self.implied), self.tag(hash) | (place + 1));
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
        while self.table[at] != 0 {
            at = self.after(at);
        }
        self.put_at(home, at, slot);
        at
    }

    #[inline]
    fn put_at(&mut self, home: usize, at: usize, slot: u64) {
        let distance = if at >= home { at - home } else { at + self.table.len() - home };
        self.farthest = self.farthest.max(distance);
        self.table[at] = slot;
    }

    /// Whether the table can grow to `slots` slots where it is: the position tells as many bits of the hash before as
    /// after, and every slot is so near its home that it does tell them.
    pub fn may_grow_to(&self, slots: usize) -> bool {
        implied_bits(slots) == self.implied && self.farthest < (self.table.len() >> self.implied).saturating_sub(1)
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
        self.table[..added].fill(0);
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
                let slot = self.table[added + at];
                let hash = recall(bits, implied, slot);
                if home(hash, old) <= at {
                    self.settle(&mut settled, hash, added + at);
                } else if bits > 0 {
                    // It belongs to those before, from where it was pushed here.
                    self.settle(&mut settled, recall(bits - 1, implied, slot), added + at);
                } else {
                    wrapped.push(slot);
                    self.table[added + at] = 0;
                }
            }
            for at in pushed_here..until {
                let hash = recall(bits, implied, self.table[added + at]);
                self.settle(&mut settled, hash, added + at);
            }
            from = until;
        }
        self.farthest = self.farthest.max(settled.farthest);
        for slot in wrapped {
            self.put(recall((1 << implied) - 1, implied, slot), slot);
        }
        true
    }

    /// Moves the slot at `at`, of which `hash` is known, if it is taken.
    #[inline(always)]
    fn settle(&mut self, settled: &mut Settled, hash: u64, at: usize) {
        let slot = std::mem::take(&mut self.table[at]);
        let taken = slot != 0;
        let Settled { run, next, farthest } = *settled;
        let goal = home(hash, self.table.len());
        if goal < run && taken {
            settled.next = next.max(self.put(hash, slot) + 1);
            return;
        }
        let place = goal.max(next);
        settled.run = if taken & (goal > next) { goal } else { run };
        settled.next = if taken { place + 1 } else { next };
        settled.farthest = farthest.max(if taken { place - goal } else { 0 });
        self.table[if taken { place } else { at }] = slot;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of `slots` slots, as full as that, and what is in it.
    fn table_of(slots: usize, implied: u32, load: f64) -> (Slots, Vec<u64>) {
        let mut table = Slots::with(slots).unwrap();
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
        let mut grown = 0;
        for (slots, implied) in [(256, 0), (1000, 0), (65_536, 4), (100_003, 4), (1 << 17, 4), (50_000, 2)] {
            for load in [0.3, 0.8, 0.95] {
                for added in [1, slots / 16, slots / 4, slots / 2, slots, 4 * slots] {
                    let (mut table, hashes) = table_of(slots, implied, load);
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
                    assert_eq!(table.table.iter().filter(|&&slot| slot != 0).count(), hashes.len());
                }
            }
        }
        assert!(grown > 60, "{grown}");
    }
}
