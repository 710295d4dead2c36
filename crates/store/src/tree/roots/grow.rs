//! How a table of roots grows, and how it gives its members more bits.
//!
//! Both are one thing: the table is written again where it is, in the order of its numbers.

use super::super::bucket::{self, Draft, Run, SLOTS};
use super::super::form::{Form, ones};
use super::super::places::{Lows, Places};
use super::super::spill::Spill;
use super::{Roots, Sought, table_words};
use tightrope_core::OverBudget;

/// From so many buckets on tables grow in small steps, and in smaller ones; from so many words on they are made of huge
/// pages.
const LARGE: usize = 1 << 15;
const VERY_LARGE: usize = 1 << 18;
const HUGE_WORDS: usize = 1 << 20;
/// Below so many a table is made again where that may save doing so later.
const SMALL: usize = 1 << 15;

impl Roots {
    #[cold]
    pub(super) fn widen(&mut self, left: u64, right: u64) -> Result<(), OverBudget> {
        let form = self.form.widened(left, right);
        if self.len * 16 >= self.most * 15 && self.reshape(form, self.buckets + self.buckets / 8).is_ok() {
            return Ok(());
        }
        if self.lost {
            return Err(OverBudget { asked: 0, left: 0 });
        }
        self.reshape(form, self.buckets)
    }

    /// Makes the table longer; where the budget refuses, it is filled further than is good for speed.
    #[cold]
    pub(super) fn grow(&mut self) -> Result<(), OverBudget> {
        if self.lost {
            return Err(OverBudget { asked: 0, left: 0 });
        }
        let buckets = self.buckets;
        let step = match buckets {
            0..LARGE => buckets,
            LARGE..VERY_LARGE => buckets / 2,
            VERY_LARGE.. => buckets / 4,
        };
        // At most an eighth of what is left, which nodes will need, too.
        let spare = self.holding.budget().left() / 64 / bucket::words(self.width) as u64;
        let wanted = buckets + step.min((spare as usize).max(buckets / 32)).max(1);
        // While it is small this costs little and lasts.
        let mixed_homes = if buckets < SMALL { (wanted * SLOTS) << 6 } else { wanted * SLOTS };
        let mixed_enough = mixed_homes as u64 <= 1 << self.form.mixed_bits() || self.form.is_mixed();
        if !mixed_enough && self.make_again(wanted).is_ok() {
            return Ok(());
        }
        let mut result = self.reshape(self.form, wanted);
        if result.is_err() && !self.lost && buckets >= 32 {
            result = self.reshape(self.form, buckets + buckets / 32);
        }
        if result.is_err() && !self.lost && self.len < buckets * SLOTS {
            self.most = (self.len + self.len / 64 + 1).min(buckets * SLOTS);
            return Ok(());
        }
        result
    }

    /// Replaces the table by one in which all bits are mixed. For a moment there are both.
    fn make_again(&mut self, buckets: usize) -> Result<(), OverBudget> {
        let mut other = Roots { most_homes: self.most_homes, ..Roots::new(self.holding.budget()) };
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
        if places.homes > self.most_homes {
            self.at_limit = true;
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
        let old_paid = std::mem::replace(&mut self.paid, 8 * spill_slots as u64);
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
        self.holding.give_back(old_paid);
        if self.lost {
            // Every further member is refused, as if there were no room.
            self.most = 0;
            return Err(OverBudget { asked: 8, left: 0 });
        }
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
