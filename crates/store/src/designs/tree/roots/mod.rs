//! The set of roots: pairs of indices, each in little more than the bits that tell it from all others.
//!
//! A pair is written as a key ([`KeyFormat`]) that looks random. The key, scaled to the number of homes, says where in the table
//! it belongs ([`Quotient`]); only the remainder, the bits that the home does not tell, is stored (Cleary 1984, "Compact hash tables using
//! bidirectional linear probing"). A home is in a [`bucket`]; what finds its bucket full goes to a [`NumberSet`].
//!
//! Invariant: buckets are in the order of their keys. So a table grows where it is, when it becomes longer and when
//! indices need more bits; there are two of them only while a small one is made again, which happens when it has more
//! homes than there were pairs when it was made.
//!
//! Bits per pair: those of both indices less those of the number of pairs, and two; divided by the load, which is 0.58
//! to 0.88, from 0.7 in very large tables, up to 1 when the budget refuses more; and those of the one to three in a
//! hundred that overflow.

mod grow;
mod key_format;

use crate::memory::bucket::{self, HEAD, Run, SLOTS};
use crate::memory::number_set::NumberSet;
use crate::memory::prefetch::prefetch;
use crate::memory::quotient::{MOST_HOMES, Quotient, ones};
use crate::memory::region::Region;
use key_format::KeyFormat;
use std::sync::Arc;
use tightrope_core::{Budget, Refused, Reservation};

/// A set of pairs.
pub struct Roots {
    table: Region<u64>,
    buckets: usize,
    format: KeyFormat,
    /// The bits of a member that are stored.
    width: u32,
    len: usize,
    /// It grows before it has more members.
    most: usize,
    overflow: NumberSet,
    /// The bytes of the overflow that are on the account.
    paid: u64,
    /// Grows with every change of the format or the table; never 0.
    changes: u32,
    /// The most homes there can be.
    most_homes: u64,
    /// A member was lost when the system had no memory in the middle of a change: nothing can be added any more.
    lost: bool,
    reservation: Reservation,
}

/// A pair that is looked for.
#[derive(Clone, Copy)]
pub struct RootProbe {
    key: u64,
    changes: u32,
}

impl RootProbe {
    /// Not looked for yet.
    pub const NOTHING: RootProbe = RootProbe { key: 0, changes: 0 };
}

fn table_words(buckets: usize, width: u32) -> usize {
    // One beyond the end may be looked at, and two where members have no bits.
    if buckets == 0 { 0 } else { buckets * bucket::words(width) + 2 }
}

impl Roots {
    /// An empty set.
    pub fn new(budget: &Arc<Budget>) -> Self {
        Roots {
            table: Region::new(),
            buckets: 0,
            format: KeyFormat::new(0, 0),
            width: 0,
            len: 0,
            most: 0,
            overflow: NumberSet::new(),
            paid: 0,
            changes: 1,
            most_homes: MOST_HOMES,
            lost: false,
            reservation: Reservation::new(budget.clone()),
        }
    }

    /// How many members there are.
    pub fn len(&self) -> u64 {
        self.len as u64
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }

    #[inline]
    fn quotient(&self) -> Quotient {
        Quotient { bits: self.format.bits(), homes: (self.buckets * SLOTS) as u64 }
    }

    /// Where the bucket of a key begins, and its home there.
    #[inline]
    fn place(&self, key: u64) -> (usize, u32) {
        let home = self.quotient().home(key);
        ((home as usize / SLOTS) * bucket::words(self.width), home as u32 % SLOTS as u32)
    }

    /// Brings what will be looked at near.
    #[inline]
    pub fn prefetch(&self, left: u64, right: u64) -> RootProbe {
        // A pair that does not fit changes the format first, and the key is worked out then.
        let key = if self.format.fits(left, right) { self.format.key(left, right) } else { 0 };
        let (at, home) = self.place(key);
        prefetch(&self.table, at);
        prefetch(&self.table, at + HEAD + (home * self.width) as usize / 64);
        RootProbe { key, changes: self.changes }
    }

    /// Adds a pair; whether it is new. `probe` is what [`Roots::prefetch`] gave for it, or [`RootProbe::NOTHING`].
    #[inline]
    pub fn insert(&mut self, left: u64, right: u64, probe: RootProbe) -> Result<bool, Refused> {
        if !self.format.fits(left, right) {
            self.widen(left, right)?;
        }
        let mut key = if probe.changes == self.changes { probe.key } else { self.format.key(left, right) };
        let (mut at, mut run) = (0, None);
        if self.buckets > 0 {
            let (bucket, found) = self.run(key);
            if self.holds(bucket, &found, key) {
                return Ok(false);
            }
            (at, run) = (bucket, Some(found));
        }
        if self.len >= self.most {
            self.grow()?;
            key = self.format.key(left, right);
            run = None;
        }
        let (at, run) = run.map_or_else(|| self.run(key), |run| (at, run));
        if run.is_full() {
            self.make_room_to_overflow()?;
            self.overflow.insert(key);
        } else {
            run.add(&mut self.table, at, key & ones(self.width), self.width);
        }
        self.len += 1;
        Ok(true)
    }

    /// Where the bucket of a key begins, and the run of its home there.
    #[inline(always)]
    fn run(&self, key: u64) -> (usize, Run) {
        let (at, home) = self.place(key);
        (at, Run::of(&self.table, at, home))
    }

    /// Whether a key is a member, given where it would be.
    #[inline(always)]
    fn holds(&self, at: usize, run: &Run, key: u64) -> bool {
        let remainder = key & ones(self.width);
        let mut slots = run.first..run.first + run.len;
        slots.any(|slot| bucket::get(&self.table, at, slot as usize, self.width) == remainder)
            || run.is_full() && self.overflow.contains(key)
    }

    /// Makes sure that one more can overflow.
    #[cold]
    fn make_room_to_overflow(&mut self) -> Result<(), Refused> {
        let len = self.overflow.len();
        if self.overflow.has_room() {
            return Ok(());
        }
        self.enlarge_overflow(len + len / 4 + 16).or_else(|_| self.enlarge_overflow(len + len / 32 + 1))
    }

    fn enlarge_overflow(&mut self, members: usize) -> Result<(), Refused> {
        let asked = 8 * NumberSet::slots_for(members) as u64;
        self.reservation.take(asked)?;
        if self.replace_overflow(members, asked) {
            return Ok(());
        }
        self.reservation.give_back(asked);
        Err(Refused::Memory)
    }

    /// Makes room for so many to overflow, of which so much is on the account; false if the system refuses.
    fn replace_overflow(&mut self, members: usize, paid: u64) -> bool {
        let Some(mut overflow) = NumberSet::with(NumberSet::slots_for(members)) else { return false };
        self.overflow.iter().for_each(|key| _ = overflow.insert(key));
        self.overflow = overflow;
        self.reservation.give_back(std::mem::replace(&mut self.paid, paid));
        true
    }

    /// Adds a key to those that overflowed, in the middle of a change that must not fail. Where more overflow than was
    /// likely, and the budget refuses, they are not on the account: some kilobytes at most. Where the system refuses, too
    /// (address space may be limited), the key is lost, and that is noted.
    fn overflow_anyway(&mut self, key: u64) {
        if self.make_room_to_overflow().is_err() {
            let members = self.overflow.len() + self.overflow.len() / 4 + 16;
            if !self.replace_overflow(members, 0) {
                self.lost = true;
                return;
            }
        }
        self.overflow.insert(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs whose indices grow as those of a search do.
    fn pair(number: u64, left_bits: u32) -> (u64, u64) {
        let hash = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        let left = hash % (1 + number / 50).min(1 << left_bits);
        (left, number / (1 + left_bits as u64))
    }

    fn insert(roots: &mut Roots, (left, right): (u64, u64)) -> Result<bool, Refused> {
        let probe = roots.prefetch(left, right);
        roots.insert(left, right, probe)
    }

    #[test]
    fn members_are_found_again_while_widths_grow() {
        for left_bits in [0, 1, 5, 12, 20] {
            let budget = Arc::new(Budget::unlimited());
            let mut roots = Roots::new(&budget);
            let mut seen = std::collections::HashSet::new();
            for number in 0..300_000 {
                let pair = pair(number, left_bits);
                assert_eq!(insert(&mut roots, pair).unwrap(), seen.insert(pair), "{number}");
                if number % 1000 == 0 {
                    let old = self::pair(number / 2, left_bits);
                    assert!(!roots.insert(old.0, old.1, RootProbe::NOTHING).unwrap());
                }
            }
            assert_eq!(roots.len(), seen.len() as u64);
            assert!(seen.iter().all(|&pair| !insert(&mut roots, pair).unwrap()));
            assert_eq!(roots.bytes(), budget.used());
            let bits = 8.0 * roots.bytes() as f64 / roots.len as f64;
            let least = f64::from(roots.format.bits()) - (roots.len as f64).log2();
            assert!(bits < (least + 4.0) * 1.75, "{bits} bits per pair, {least} at least");
            assert!(roots.overflow.len() * 25 < roots.len, "{} of {} overflowed", roots.overflow.len(), roots.len);
            drop(roots);
            assert_eq!(budget.used(), 0);
        }
    }

    /// Where every pair of small indices is there, homes tell the whole key and members have no bits.
    #[test]
    fn all_pairs_of_small_indices_are_members() {
        for side in [16, 20, 40] {
            let mut roots = Roots::new(&Arc::new(Budget::unlimited()));
            let pairs = (0..side).flat_map(|left| (0..side).map(move |right| (left, right)));
            assert!(pairs.clone().all(|pair| insert(&mut roots, pair).unwrap()));
            assert!(pairs.clone().all(|pair| !insert(&mut roots, pair).unwrap()));
            assert_eq!(roots.len(), side * side);
        }
    }

    #[test]
    fn the_end_of_the_homes_is_told_from_want_of_memory() {
        let mut roots = Roots { most_homes: 1 << 10, ..Roots::new(&Arc::new(Budget::unlimited())) };
        let kept = (0..).take_while(|&number| insert(&mut roots, (number, number % 77)).is_ok()).count() as u64;
        let refused = insert(&mut roots, (kept, kept % 77));
        assert!(matches!(refused, Err(Refused::Limit(what)) if what.contains("2³¹")), "{refused:?} after {kept}");
        assert!(kept > 500, "{kept}");
        assert!((0..kept).all(|number| !insert(&mut roots, (number, number % 77)).unwrap()));
        let mut roots = Roots::new(&Arc::new(Budget::new(10_000)));
        let kept = (0..).take_while(|&number| insert(&mut roots, (number, number % 77)).is_ok()).count() as u64;
        assert!(kept > 100, "{kept}");
        assert_eq!(insert(&mut roots, (kept, kept % 77)), Err(Refused::Memory));
    }

    #[test]
    fn after_a_loss_everything_is_refused() {
        let mut roots = Roots::new(&Arc::new(Budget::unlimited()));
        assert!((0..1000).all(|number| insert(&mut roots, (number, number)).unwrap()));
        // As when the system has no page in the middle of a change.
        roots.lost = true;
        assert!((1000..5000).any(|number| insert(&mut roots, (number, number)).is_err()));
        assert!(insert(&mut roots, (7000, 7000)).is_err() && insert(&mut roots, (7001, 7001)).is_err());
    }

    #[test]
    fn refusal_leaves_the_set_intact() {
        for limit in [0, 50, 1000, 20_000, 300_000] {
            let budget = Arc::new(Budget::new(limit));
            let mut roots = Roots::new(&budget);
            let mut kept = 0;
            while insert(&mut roots, (kept, kept % 77)).is_ok() {
                kept += 1;
            }
            assert!(budget.peak() <= limit);
            assert_eq!((roots.len(), roots.bytes()), (kept, budget.used()));
            assert!((0..kept).all(|number| !insert(&mut roots, (number, number % 77)).unwrap()));
            assert!(insert(&mut roots, (kept, kept % 77)).is_err());
            assert!(limit < 20_000 || kept > limit / 4, "{kept} kept in {limit} bytes");
        }
    }
}
