//! Byte strings, one after the other.
//!
//! They lie in one region of address space ([`BudgetRegion`]): growth moves page tables, never strings, and needs no second copy.
//! It does not ask for huge pages: what is written in order and read where it was prefetched gains nothing from them, and
//! the system takes long to clear them. Overhead: a length of one byte for strings below 128 bytes, of two below 16 KiB.

use super::budget_region::BudgetRegion;
use super::prefetch::prefetch;
use std::sync::Arc;
use tightrope_core::{Budget, Refused, leb128};

/// A growing sequence of byte strings, each found by its place. Places grow.
pub struct Arena {
    region: BudgetRegion<u8>,
    /// How much of the region is in use.
    used: usize,
}

impl Arena {
    /// One more than the greatest place a string can have.
    pub const LIMIT: u64 = (1 << 40) - 1;

    /// No string takes more bytes beside its own.
    pub const HEADER: usize = leb128::LONGEST;

    /// An empty arena.
    pub fn new(budget: Arc<Budget>) -> Self {
        Arena { region: BudgetRegion::new(&budget), used: 0 }
    }

    /// Adds a string and returns its place.
    #[inline]
    pub fn push(&mut self, string: &[u8]) -> Result<u64, Refused> {
        let place = self.used;
        let (header, header_len) = leb128::encode(string.len() as u64);
        let start = place + header_len;
        let end = start + string.len();
        if end > self.region.len() {
            self.make_room(end)?;
        }
        let all = self.region.all_mut();
        if header_len == 1 {
            all[place] = header[0];
        } else {
            all[place..start].copy_from_slice(&header[..header_len]);
        }
        all[start..end].copy_from_slice(string);
        self.used = end;
        Ok(place as u64)
    }

    /// The place of the next string.
    #[inline]
    pub fn end(&self) -> u64 {
        self.used as u64
    }

    #[cold]
    fn make_room(&mut self, end: usize) -> Result<(), Refused> {
        if end as u64 >= Self::LIMIT {
            return Err(Refused::Limit("the states of the store take as much as they can, 1 TiB"));
        }
        self.region.make_room(end)
    }

    /// The string at `place`, which [`Arena::push`] or [`Arena::next`] gave.
    #[inline]
    pub fn get(&self, place: u64) -> &[u8] {
        let (start, end) = self.bounds(place as usize);
        &self.region.all()[start..end]
    }

    /// Whether the string at `place` is `string`.
    #[inline]
    pub fn holds(&self, place: u64, string: &[u8]) -> bool {
        same(self.get(place), string)
    }

    /// Brings the string at `place` near, of which `length` bytes will be looked at.
    #[inline]
    pub fn prefetch(&self, place: u64, length: usize) {
        let (first, last) = (place as usize, place as usize + length);
        prefetch(self.region.all(), first);
        prefetch(self.region.all(), last);
        // Beyond a few lines the processor has noticed by itself.
        if length > 64 {
            prefetch(self.region.all(), first + 64);
            prefetch(self.region.all(), first + 128);
        }
    }

    /// Where the string at `place` begins and ends.
    #[inline]
    fn bounds(&self, place: usize) -> (usize, usize) {
        let all = self.region.all();
        let first = all[place] as usize;
        // Nearly all are as short as this.
        let (length, header) = match first {
            ..0x80 => (first, 1),
            _ => {
                let (length, header) = leb128::decode(&all[place..]).expect("a length that was put there");
                (length as usize, header)
            }
        };
        let at = place + header;
        (at, at + length)
    }

    /// The place of the string after the one at `place`, the first one for none; none at the end.
    pub fn next(&self, place: Option<u64>) -> Option<u64> {
        let next = place.map_or(0, |place| self.bounds(place as usize).1);
        (next < self.used).then_some(next as u64)
    }

    /// Drops all strings before the one at `place`, and gives their memory back as far as that goes.
    pub fn discard_before(&mut self, place: u64) {
        self.region.discard(place as usize);
    }

    /// The bytes charged to the budget.
    pub fn bytes(&self) -> u64 {
        self.region.bytes()
    }
}

/// Whether two strings are equal. They nearly always are, and short: eight bytes at a time, without a call, and no look
/// at the outcome before the end.
#[inline]
pub fn same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    if one.len() > 256 {
        return one == other;
    }
    let word = |chunk: &[u8; 8]| u64::from_le_bytes(*chunk);
    let half = |chunk: &[u8; 4]| u32::from_le_bytes(*chunk);
    if let (Some(this), Some(that)) = (one.last_chunk(), other.last_chunk()) {
        let (these, those) = (one.as_chunks().0.iter(), other.as_chunks().0);
        return these.zip(those).fold(word(this) ^ word(that), |all, (this, that)| all | (word(this) ^ word(that)))
            == 0;
    }
    // What is shorter than a word is two halves that overlap, or a few bytes.
    match (one.first_chunk(), other.first_chunk(), one.last_chunk(), other.last_chunk()) {
        (Some(this), Some(that), Some(end), Some(other_end)) => {
            (half(this) ^ half(that)) | (half(end) ^ half(other_end)) == 0
        }
        _ => one.iter().zip(other).fold(0, |all, (this, that)| all | (this ^ that)) == 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The address space that is taken at first, at least.
    const FIRST: usize = 1 << 20;

    fn string(number: usize) -> Vec<u8> {
        let length = match number % 97 {
            0 => 0,
            1 => 127 + number % 3,
            2 => 20_000,
            _ => number % 60,
        };
        (0..length).map(|at| (at * 31 + number) as u8).collect()
    }

    #[test]
    fn strings_come_back_at_their_places_and_in_order() {
        let budget = Arc::new(Budget::unlimited());
        let mut arena = Arena::new(budget.clone());
        let places: Vec<u64> = (0..50_000).map(|number| arena.push(&string(number)).unwrap()).collect();
        assert!(places[49_999] as usize > 8 * FIRST);
        assert!(places.is_sorted());
        let mut at = None;
        for (number, &place) in places.iter().enumerate() {
            assert_eq!(arena.get(place), string(number));
            at = arena.next(at);
            assert_eq!(at, Some(place));
        }
        assert_eq!(arena.next(at), None);
        assert_eq!(arena.bytes(), budget.used());
        drop(arena);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn long_strings_and_short_ones() {
        let mut arena = Arena::new(Arc::new(Budget::unlimited()));
        let long = vec![7; 8 * FIRST + 5];
        let places = [arena.push(b"a").unwrap(), arena.push(&long).unwrap(), arena.push(b"b").unwrap()];
        assert!(places.is_sorted());
        assert_eq!(arena.get(places[1]), long);
        assert_eq!(arena.next(Some(places[0])), Some(places[1]));
        assert_eq!(arena.next(Some(places[1])), Some(places[2]));
    }

    #[test]
    fn strings_that_differ_anywhere_are_told_apart() {
        let mut arena = Arena::new(Arc::new(Budget::unlimited()));
        for length in (0..70).chain([255, 256, 257, 300]) {
            let string: Vec<u8> = (0..length).map(|at| at as u8).collect();
            let place = arena.push(&string).unwrap();
            assert!(arena.holds(place, &string));
            assert!(!arena.holds(place, &vec![9; length + 1]));
            for at in 0..length {
                let mut other = string.clone();
                other[at] ^= 0x40;
                assert!(!arena.holds(place, &other), "{at} of {length}");
            }
        }
    }

    #[test]
    fn a_large_arena_stays_within_the_budget_and_uses_it_up() {
        let limit = 64 * FIRST as u64 + 12_345;
        let budget = Arc::new(Budget::new(limit));
        let mut arena = Arena::new(budget.clone());
        let mut kept = 0u64;
        while arena.push(&[kept as u8; 100]).is_ok() {
            kept += 1;
        }
        assert!(kept * 101 <= limit && kept * 101 + 101 > limit, "{kept}");
        assert!(budget.used() <= limit && budget.used() + 101 > limit);
        assert!(arena.holds((kept - 1) * 101, &[(kept - 1) as u8; 100]));
    }

    #[test]
    fn the_end_of_the_places_is_told_from_want_of_memory() {
        let mut arena = Arena { used: Arena::LIMIT as usize - 5, ..Arena::new(Arc::new(Budget::unlimited())) };
        assert!(matches!(arena.push(&[7; 9]), Err(Refused::Limit(what)) if what.contains("1 TiB")));
        let mut arena = Arena::new(Arc::new(Budget::new(5)));
        assert_eq!(arena.push(&[7; 9]), Err(Refused::Memory));
    }

    #[test]
    fn a_refusal_changes_nothing_and_the_budget_is_used_up() {
        let budget = Arc::new(Budget::new(1000));
        let mut arena = Arena::new(budget.clone());
        let mut places = Vec::new();
        while let Ok(place) = arena.push(&[places.len() as u8; 9]) {
            places.push(place);
        }
        assert_eq!(places.len(), 100);
        assert_eq!(arena.get(places[99]), [99; 9]);
        assert_eq!(arena.next(Some(places[99])), None);
        assert_eq!(budget.used(), 1000);
    }
}
