//! The set of roots: pairs of indices, each in little more than the bits that tell it from all others.
//!
//! A pair is written as a number ([`Form`]) that looks random. The number, scaled to the number of homes, says where in
//! the table it belongs; only the bits that the home does not tell are stored (Cleary 1984, "Compact hash tables using
//! bidirectional linear probing"). A home is in a [`bucket`]; what finds its bucket full goes to a [`Spill`].
//!
//! Invariant: buckets are in the order of their numbers. So a table grows where it is, when it becomes longer and when
//! indices need more bits; there are two of them only while a small one is made again, which happens when it has more
//! homes than there were pairs when it was made.
//!
//! Bits per pair: those of both indices less those of the number of pairs, and two; divided by the load, which is 0.58
//! to 0.88, from 0.7 in very large tables, up to 1 when the budget refuses more; and those of the one to three in a
//! hundred that spill.

mod grow;

use super::bucket::{self, HEAD, Run, SLOTS};
use super::form::{Form, ones};
use super::places::{MOST_HOMES, Places};
use super::spill::Spill;
use crate::prefetch::prefetch;
use crate::region::Region;
use std::sync::Arc;
use tightrope_core::{Budget, Holding, OverBudget};

/// A set of pairs.
pub struct Roots {
    table: Region<u64>,
    buckets: usize,
    form: Form,
    /// The bits of a member that are stored.
    width: u32,
    len: usize,
    /// It grows before it has more members.
    most: usize,
    spill: Spill,
    /// The bytes of the spill that are on the account.
    paid: u64,
    /// Grows with every change of the form or the table; never 0.
    changes: u32,
    /// The most homes there can be.
    most_homes: u64,
    /// It would have more homes if it could.
    at_limit: bool,
    /// A member was lost when the system had no memory in the middle of a change: nothing can be added any more.
    lost: bool,
    holding: Holding,
}

/// A pair that is looked for.
#[derive(Clone, Copy)]
pub struct Sought {
    number: u64,
    changes: u32,
}

impl Sought {
    /// Not looked for yet.
    pub const NOTHING: Sought = Sought { number: 0, changes: 0 };
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
            form: Form::new(0, 0),
            width: 0,
            len: 0,
            most: 0,
            spill: Spill::new(),
            paid: 0,
            changes: 1,
            most_homes: MOST_HOMES,
            at_limit: false,
            lost: false,
            holding: Holding::new(budget.clone()),
        }
    }

    /// How many members there are.
    pub fn len(&self) -> u64 {
        self.len as u64
    }

    /// Whether it was refused because it can have no more homes.
    pub fn is_at_limit(&self) -> bool {
        self.at_limit
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        self.holding.bytes()
    }

    #[inline]
    fn places(&self) -> Places {
        Places { bits: self.form.bits(), homes: (self.buckets * SLOTS) as u64 }
    }

    /// Where the bucket of a number begins, and its home there.
    #[inline]
    fn place(&self, number: u64) -> (usize, u32) {
        let home = self.places().home(number);
        ((home as usize / SLOTS) * bucket::words(self.width), home as u32 % SLOTS as u32)
    }

    /// Brings what will be looked at near.
    #[inline]
    pub fn prefetch(&self, left: u64, right: u64) -> Sought {
        // A pair that does not fit changes the form first, and the number is worked out then.
        let number = if self.form.fits(left, right) { self.form.number(left, right) } else { 0 };
        let (at, home) = self.place(number);
        prefetch(&self.table, at);
        prefetch(&self.table, at + HEAD + (home * self.width) as usize / 64);
        Sought { number, changes: self.changes }
    }

    /// Adds a pair; whether it is new. `sought` is what [`Roots::prefetch`] gave for it, or [`Sought::NOTHING`].
    #[inline]
    pub fn insert(&mut self, left: u64, right: u64, sought: Sought) -> Result<bool, OverBudget> {
        if !self.form.fits(left, right) {
            self.widen(left, right)?;
        }
        let mut number = if sought.changes == self.changes { sought.number } else { self.form.number(left, right) };
        let (mut at, mut run) = (0, None);
        if self.buckets > 0 {
            let (bucket, found) = self.run(number);
            if self.holds(bucket, &found, number) {
                return Ok(false);
            }
            (at, run) = (bucket, Some(found));
        }
        if self.len >= self.most {
            self.grow()?;
            number = self.form.number(left, right);
            run = None;
        }
        let (at, run) = run.map_or_else(|| self.run(number), |run| (at, run));
        if run.is_full() {
            self.make_room_to_spill()?;
            self.spill.insert(number);
        } else {
            run.add(&mut self.table, at, number & ones(self.width), self.width);
        }
        self.len += 1;
        Ok(true)
    }

    /// Where the bucket of a number begins, and the run of its home there.
    #[inline(always)]
    fn run(&self, number: u64) -> (usize, Run) {
        let (at, home) = self.place(number);
        (at, Run::of(&self.table, at, home))
    }

    /// Whether a number is a member, given where it would be.
    #[inline(always)]
    fn holds(&self, at: usize, run: &Run, number: u64) -> bool {
        let rest = number & ones(self.width);
        let mut slots = run.first..run.first + run.len;
        slots.any(|slot| bucket::get(&self.table, at, slot as usize, self.width) == rest)
            || run.is_full() && self.spill.contains(number)
    }

    /// Makes sure that one more can spill.
    #[cold]
    fn make_room_to_spill(&mut self) -> Result<(), OverBudget> {
        let len = self.spill.len();
        if self.spill.has_room() {
            return Ok(());
        }
        self.enlarge_spill(len + len / 4 + 16).or_else(|_| self.enlarge_spill(len + len / 32 + 1))
    }

    fn enlarge_spill(&mut self, members: usize) -> Result<(), OverBudget> {
        let asked = 8 * Spill::slots_for(members) as u64;
        self.holding.take(asked)?;
        if self.replace_spill(members, asked) {
            return Ok(());
        }
        self.holding.give_back(asked);
        Err(OverBudget { asked, left: 0 })
    }

    /// Makes room for so many to spill, of which so much is on the account; false if the system refuses.
    fn replace_spill(&mut self, members: usize, paid: u64) -> bool {
        let Some(mut spill) = Spill::with(Spill::slots_for(members)) else { return false };
        self.spill.iter().for_each(|number| spill.insert(number));
        self.spill = spill;
        self.holding.give_back(std::mem::replace(&mut self.paid, paid));
        true
    }

    /// Adds a number to those that spilled, in the middle of a change that must not fail. Where more spill than was
    /// likely, and the budget refuses, they are not on the account: some kilobytes at most. Where the system refuses, too
    /// (address space may be limited), the number is lost, and that is noted.
    fn spill_anyway(&mut self, number: u64) {
        if self.make_room_to_spill().is_err() {
            let members = self.spill.len() + self.spill.len() / 4 + 16;
            if !self.replace_spill(members, 0) {
                self.lost = true;
                return;
            }
        }
        self.spill.insert(number);
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

    fn insert(roots: &mut Roots, (left, right): (u64, u64)) -> Result<bool, OverBudget> {
        let sought = roots.prefetch(left, right);
        roots.insert(left, right, sought)
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
                    assert!(!roots.insert(old.0, old.1, Sought::NOTHING).unwrap());
                }
            }
            assert_eq!(roots.len(), seen.len() as u64);
            assert!(seen.iter().all(|&pair| !insert(&mut roots, pair).unwrap()));
            assert_eq!(roots.bytes(), budget.used());
            let bits = 8.0 * roots.bytes() as f64 / roots.len as f64;
            let least = f64::from(roots.form.bits()) - (roots.len as f64).log2();
            assert!(bits < (least + 4.0) * 1.75, "{bits} bits per pair, {least} at least");
            assert!(roots.spill.len() * 25 < roots.len, "{} of {} spilled", roots.spill.len(), roots.len);
            drop(roots);
            assert_eq!(budget.used(), 0);
        }
    }

    /// Where every pair of small indices is there, homes tell the whole number and members have no bits.
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
        assert!(roots.is_at_limit() && kept > 500, "{kept}");
        assert!((0..kept).all(|number| !insert(&mut roots, (number, number % 77)).unwrap()));
        let mut roots = Roots::new(&Arc::new(Budget::new(10_000)));
        let kept = (0..).take_while(|&number| insert(&mut roots, (number, number % 77)).is_ok()).count();
        assert!(kept > 100 && !roots.is_at_limit(), "{kept}");
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
