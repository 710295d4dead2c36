//! How a table of roots grows, and how it gives its members more bits.
//!
//! Both are one thing: the table is written again where it is, in the order of its keys.

use super::key_format::KeyFormat;
use super::{RootProbe, Roots, table_words};
use crate::memory::bucket::{self, BucketWriter, Run, SLOTS};
use crate::memory::number_set::NumberSet;
use crate::memory::quotient::{KeyRebuilder, Quotient, ones};
use tightrope_core::Refused;

/// From so many buckets on tables grow in small steps, and in smaller ones; from so many words on they are made of huge
/// pages.
const LARGE: usize = 1 << 15;
const VERY_LARGE: usize = 1 << 18;
const HUGE_WORDS: usize = 1 << 20;
/// Below so many a table is made again where that may save doing so later.
const SMALL: usize = 1 << 15;

impl Roots {
    #[cold]
    pub(super) fn widen(&mut self, left: u64, right: u64) -> Result<(), Refused> {
        let format = self.format.widened(left, right);
        if self.len * 16 >= self.most * 15 && self.reshape(format, self.buckets + self.buckets / 8).is_ok() {
            return Ok(());
        }
        if self.lost {
            return Err(Refused::Memory);
        }
        self.reshape(format, self.buckets)
    }

    /// Makes the table longer; where the budget refuses, it is filled further than is good for speed.
    #[cold]
    pub(super) fn grow(&mut self) -> Result<(), Refused> {
        if self.lost {
            return Err(Refused::Memory);
        }
        let buckets = self.buckets;
        let step = match buckets {
            0..LARGE => buckets,
            LARGE..VERY_LARGE => buckets / 2,
            VERY_LARGE.. => buckets / 4,
        };
        // At most an eighth of what is left, which nodes will need, too.
        let spare = self.reservation.budget().left() / 64 / bucket::words(self.width) as u64;
        let lookup = buckets + step.min((spare as usize).max(buckets / 32)).max(1);
        // While it is small this costs little and lasts.
        let mixed_homes = if buckets < SMALL { (lookup * SLOTS) << 6 } else { lookup * SLOTS };
        let mixed_enough = mixed_homes as u64 <= 1 << self.format.mixed_bits() || self.format.is_mixed();
        if !mixed_enough && self.make_again(lookup).is_ok() {
            return Ok(());
        }
        let mut result = self.reshape(self.format, lookup);
        if result.is_err() && !self.lost && buckets >= 32 {
            result = self.reshape(self.format, buckets + buckets / 32);
        }
        if result.is_err() && !self.lost && self.len < buckets * SLOTS {
            self.most = (self.len + self.len / 64 + 1).min(buckets * SLOTS);
            return Ok(());
        }
        result
    }

    /// Replaces the table by one in which all bits are mixed. For a moment there are both.
    fn make_again(&mut self, buckets: usize) -> Result<(), Refused> {
        let mut other = Roots { most_homes: self.most_homes, ..Roots::new(self.reservation.budget()) };
        other.reshape(self.format.mixed(), buckets)?;
        other.most = usize::MAX;
        let mut result = Ok(true);
        let rebuilder = KeyRebuilder::new(self.quotient());
        for at in 0..self.buckets {
            let bucket = &self.table[at * bucket::words(self.width)..];
            bucket::visit(bucket, self.width, |home, remainder| {
                if result.is_ok() {
                    let home = (at * SLOTS) as u64 + u64::from(home);
                    let (left, right) = self.format.pair(rebuilder.key(home, remainder));
                    result = other.insert(left, right, RootProbe::NOTHING);
                }
            });
        }
        for key in self.overflow.iter() {
            let (left, right) = self.format.pair(key);
            result = result.and_then(|_| other.insert(left, right, RootProbe::NOTHING));
        }
        result?;
        other.most = comfortable(other.buckets);
        other.changes = self.changes + 1;
        *self = other;
        Ok(())
    }

    /// Makes the table at least `buckets` buckets long, with keys of another format, widened from this one.
    ///
    /// The old table is moved to the end of the memory of the new one, and read and written from the beginning. Since
    /// the new one is not shorter, in words, and keys do not move back in proportion to the whole, what is written
    /// over was read before.
    fn reshape(&mut self, format: KeyFormat, buckets: usize) -> Result<(), Refused> {
        let mut quotient = Quotient { bits: format.bits(), homes: (buckets * SLOTS) as u64 };
        if buckets == 0 {
            self.format = format;
            return Ok(());
        }
        let old_words = table_words(self.buckets, self.width);
        // Where members become narrower, as many more of them fit into the same memory.
        while table_words((quotient.homes / SLOTS as u64) as usize, quotient.width()) < old_words {
            quotient.homes += (quotient.homes / SLOTS as u64 / 64 + 1) * SLOTS as u64;
        }
        let (buckets, width) = ((quotient.homes / SLOTS as u64) as usize, quotient.width());
        if (format, buckets) == (self.format, self.buckets) {
            return Err(Refused::Memory);
        }
        if quotient.homes > self.most_homes {
            return Err(Refused::Limit("the table of the store `tree` has as many places as it can have, 2³¹"));
        }
        let words = table_words(buckets, width);
        let overflow_slots = NumberSet::slots_for(likely_to_overflow(self.len, buckets));
        let asked = 8 * (words - old_words + overflow_slots) as u64;
        self.reservation.take(asked)?;
        let Some(overflow) = NumberSet::with(overflow_slots).filter(|_| self.table.grow(words)) else {
            self.reservation.give_back(asked);
            return Err(Refused::Memory);
        };
        if words >= HUGE_WORDS {
            self.table.prefer_huge_pages(true);
        }
        let old_overflow = std::mem::replace(&mut self.overflow, overflow);
        let old_paid = std::mem::replace(&mut self.paid, 8 * overflow_slots as u64);
        let (old_format, old_stride) = (self.format, bucket::words(self.width));
        let moved_by = words - old_words;
        self.table.copy_within(..old_words, moved_by);
        let rebuilder = KeyRebuilder::new(self.quotient());
        let mut writer = BucketWriter::new();
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
            bucket::visit(&bucket, self.width, |home, remainder| {
                let mut key = rebuilder.key(first_home + u64::from(home), remainder);
                if format != old_format {
                    key = old_format.convert(key, format);
                }
                let home = quotient.home(key);
                while next < home as usize / SLOTS {
                    writer.write(table, next * stride, width);
                    next += 1;
                }
                let in_turn = next == home as usize / SLOTS;
                if !in_turn || !writer.push(home as u32 % SLOTS as u32, key & ones(width), width) {
                    late.push(key);
                }
            });
            late.retain(|&key| {
                let home = quotient.home(key);
                let written = home as usize / SLOTS < next;
                if written {
                    self.put(key, home, width);
                }
                !written
            });
        }
        for bucket in next..buckets {
            writer.write(&mut self.table, bucket * stride, width);
        }
        late.drain(..).for_each(|key| self.put(key, quotient.home(key), width));
        (self.format, self.buckets, self.width) = (format, buckets, width);
        self.most = comfortable(buckets).max(self.len);
        self.changes += 1;
        for key in old_overflow.iter() {
            let key = old_format.convert(key, format);
            self.put(key, quotient.home(key), width);
        }
        self.reservation.give_back(old_paid);
        if self.lost {
            // Every further member is refused, as if there were no room.
            self.most = 0;
            return Err(Refused::Memory);
        }
        Ok(())
    }

    /// Adds a key in the middle of a change that must not fail, to a table of members of that width.
    fn put(&mut self, key: u64, home: u64, width: u32) {
        let at = home as usize / SLOTS * bucket::words(width);
        let run = Run::of(&self.table, at, home as u32 % SLOTS as u32);
        if run.is_full() {
            self.overflow_anyway(key);
        } else {
            run.add(&mut self.table, at, key & ones(width), width);
        }
    }
}

/// The members up to which a table of so many buckets is quick and little spills.
fn comfortable(buckets: usize) -> usize {
    buckets * SLOTS * 7 / 8
}

/// A bound on how many overflow that is hardly ever exceeded.
fn likely_to_overflow(members: usize, buckets: usize) -> usize {
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
