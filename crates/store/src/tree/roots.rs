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

use super::bucket::{self, Draft, HEAD, Run, SLOTS};
use super::form::{Form, ones};
use super::places::{Lows, MOST_HOMES, Places};
use super::spill::Spill;
use crate::prefetch::prefetch;
use crate::region::Region;
use std::sync::Arc;
use tightrope_core::{Budget, Holding, OverBudget};

/// From so many buckets on tables grow in small steps, and in smaller ones; from so many words on they are made of huge
/// pages.
const LARGE: usize = 1 << 15;
const VERY_LARGE: usize = 1 << 18;
const HUGE_WORDS: usize = 1 << 20;
/// Below so many a table is made again where that may save doing so later.
const SMALL: usize = 1 << 15;

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
    /// Grows with every change of the form or the table; never 0.
    changes: u32,
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
            changes: 1,
            holding: Holding::new(budget.clone()),
        }
    }

    /// How many members there are.
    pub fn len(&self) -> u64 {
        self.len as u64
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

    #[cold]
    fn widen(&mut self, left: u64, right: u64) -> Result<(), OverBudget> {
        let form = self.form.widened(left, right);
        if self.len * 16 >= self.most * 15 && self.reshape(form, self.buckets + self.buckets / 8).is_ok() {
            return Ok(());
        }
        self.reshape(form, self.buckets)
    }

    /// Makes the table longer; where the budget refuses, it is filled further than is good for speed.
    #[cold]
    fn grow(&mut self) -> Result<(), OverBudget> {
        let buckets = self.buckets;
        let wanted = match buckets {
            0..LARGE => (2 * buckets).max(1),
            LARGE..VERY_LARGE => buckets + buckets / 2,
            VERY_LARGE.. => buckets + buckets / 4,
        };
        // While it is small this costs little and lasts.
        let mixed_homes = if buckets < SMALL { (wanted * SLOTS) << 6 } else { wanted * SLOTS };
        let mixed_enough = mixed_homes as u64 <= 1 << self.form.mixed_bits() || self.form.is_mixed();
        if !mixed_enough && self.make_again(wanted).is_ok() {
            return Ok(());
        }
        let mut result = self.reshape(self.form, wanted);
        if result.is_err() && buckets >= 32 {
            result = self.reshape(self.form, buckets + buckets / 32);
        }
        if result.is_err() && self.len < buckets * SLOTS {
            self.most = (self.len + self.len / 64 + 1).min(buckets * SLOTS);
            return Ok(());
        }
        result
    }

    /// Replaces the table by one in which all bits are mixed. For a moment there are both.
    fn make_again(&mut self, buckets: usize) -> Result<(), OverBudget> {
        let mut other = Roots::new(self.holding.budget());
        other.reshape(self.form.mixed(), buckets)?;
        other.most = usize::MAX;
        let mut result = Ok(true);
        let lows = Lows::new(self.places());
        for number in 0..self.buckets {
            let bucket = &self.table[number * bucket::words(self.width)..];
            bucket::visit(bucket, self.width, |home, rest| {
                if result.is_ok() {
                    let home = (number * SLOTS) as u64 + u64::from(home);
                    let (left, right) = self.form.pair(lows.number(home, rest));
                    result = other.insert(left, right, Sought::NOTHING);
                }
            });
        }
        for number in self.spill.iter() {
            let (left, right) = self.form.pair(number);
            result = result.and_then(|_| other.insert(left, right, Sought::NOTHING));
        }
        result?;
        other.most = comfortable(other.buckets);
        other.changes = self.changes + 1;
        *self = other;
        Ok(())
    }

    /// Makes the table at least `buckets` buckets long, with numbers of another form, widened from this one.
    ///
    /// The old table is moved to the end of the memory of the new one, and read and written from the beginning. Since
    /// the new one is not shorter, in words, and numbers do not move back in proportion to the whole, what is written
    /// over was read before.
    fn reshape(&mut self, form: Form, buckets: usize) -> Result<(), OverBudget> {
        let mut places = Places { bits: form.bits(), homes: (buckets * SLOTS) as u64 };
        if buckets == 0 {
            self.form = form;
            return Ok(());
        }
        let old_words = table_words(self.buckets, self.width);
        // Where members become narrower, as many more of them fit into the same memory.
        while table_words((places.homes / SLOTS as u64) as usize, places.width()) < old_words {
            places.homes += (places.homes / SLOTS as u64 / 64 + 1) * SLOTS as u64;
        }
        let (buckets, width) = ((places.homes / SLOTS as u64) as usize, places.width());
        if (form, buckets) == (self.form, self.buckets) {
            return Err(OverBudget { asked: 0, left: 0 });
        }
        if places.homes > MOST_HOMES {
            return Err(OverBudget { asked: 0, left: 0 });
        }
        let words = table_words(buckets, width);
        let spill_slots = Spill::slots_for(likely_to_spill(self.len, buckets));
        let asked = 8 * (words - old_words + spill_slots) as u64;
        self.holding.take(asked)?;
        let Some(spill) = Spill::with(spill_slots).filter(|_| self.table.grow(words)) else {
            self.holding.give_back(asked);
            return Err(OverBudget { asked, left: 0 });
        };
        if words >= HUGE_WORDS {
            self.table.prefer_huge_pages(true);
        }
        let old_spill = std::mem::replace(&mut self.spill, spill);
        let (old_form, old_stride) = (self.form, bucket::words(self.width));
        let moved_by = words - old_words;
        self.table.copy_within(..old_words, moved_by);
        let lows = Lows::new(self.places());
        let mut draft = Draft::new();
        let mut next = 0;
        // Those that could not be written in their turn.
        let mut late = Vec::new();
        // A copy of a bucket, and a word that may be looked at.
        let mut bucket = [0; bucket::MOST_WORDS + 1];
        let stride = bucket::words(width);
        for number_of_bucket in 0..self.buckets {
            let from = moved_by + number_of_bucket * old_stride;
            bucket[..old_stride].copy_from_slice(&self.table[from..from + old_stride]);
            let table = &mut *self.table;
            let first_home = (number_of_bucket * SLOTS) as u64;
            bucket::visit(&bucket, self.width, |home, rest| {
                let mut number = lows.number(first_home + u64::from(home), rest);
                if form != old_form {
                    number = old_form.convert(number, form);
                }
                let home = places.home(number);
                while next < home as usize / SLOTS {
                    draft.write(table, next * stride, width);
                    next += 1;
                }
                let in_turn = next == home as usize / SLOTS;
                if !in_turn || !draft.push(home as u32 % SLOTS as u32, number & ones(width), width) {
                    late.push(number);
                }
            });
            late.retain(|&number| {
                let home = places.home(number);
                let written = home as usize / SLOTS < next;
                if written {
                    self.put(number, home, width);
                }
                !written
            });
        }
        for bucket in next..buckets {
            draft.write(&mut self.table, bucket * stride, width);
        }
        late.drain(..).for_each(|number| self.put(number, places.home(number), width));
        (self.form, self.buckets, self.width) = (form, buckets, width);
        self.most = comfortable(buckets).max(self.len);
        self.changes += 1;
        for number in old_spill.iter() {
            let number = old_form.convert(number, form);
            self.put(number, places.home(number), width);
        }
        self.holding.give_back(8 * old_spill.slots() as u64);
        Ok(())
    }

    /// Adds a number in the middle of a change that must not fail, to a table of members of that width.
    fn put(&mut self, number: u64, home: u64, width: u32) {
        let at = home as usize / SLOTS * bucket::words(width);
        let run = Run::of(&self.table, at, home as u32 % SLOTS as u32);
        if run.is_full() {
            self.spill_anyway(number);
        } else {
            run.add(&mut self.table, at, number & ones(width), width);
        }
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
        self.replace_spill(members);
        Ok(())
    }

    fn replace_spill(&mut self, members: usize) {
        let mut spill = Spill::with(Spill::slots_for(members)).expect("memory for the few that spill");
        self.spill.iter().for_each(|number| spill.insert(number));
        self.holding.give_back(8 * self.spill.slots() as u64);
        self.spill = spill;
    }

    /// Adds a number to those that spilled, in the middle of a change that must not fail. Where more spill than was
    /// likely, and the budget refuses, they are not on the account.
    fn spill_anyway(&mut self, number: u64) {
        if self.make_room_to_spill().is_err() {
            self.replace_spill(self.spill.len() + self.spill.len() / 4 + 16);
        }
        self.spill.insert(number);
    }
}

/// The members up to which a table of so many buckets is quick and little spills.
fn comfortable(buckets: usize) -> usize {
    buckets * SLOTS * 7 / 8
}

/// A bound on how many spill that is hardly ever exceeded.
fn likely_to_spill(members: usize, buckets: usize) -> usize {
    let load = members * 100 / (buckets * SLOTS);
    let one_in = match load {
        0..50 => return 0,
        50..76 => 100,
        76..81 => 60,
        81..86 => 36,
        86..91 => 24,
        91..96 => 16,
        96.. => 9,
    };
    members / one_in + 32
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
