//! Byte strings, one after the other.
//!
//! They lie in segments of 4 MiB of address space. A segment is charged to the budget in small steps as it fills,
//! which is when the system gives it memory; nothing ever moves, so growth needs no second copy. A string longer than
//! a segment gets one of its own. Overhead: a length of one byte for strings below 128 bytes, of two below 16 KiB.

use tightrope_core::{Budget, Holding, OverBudget};

use std::sync::Arc;

const SEGMENT_BITS: u32 = 22;
const SEGMENT: usize = 1 << SEGMENT_BITS;
/// The steps in which memory is charged: the first that the budget grants.
const STEPS: [usize; 3] = [64 << 10, 4 << 10, 1];

/// A growing sequence of byte strings, each named by its place. Places grow.
pub struct Arena {
    segments: Vec<Vec<u8>>,
    /// What is charged of the last segment.
    charged: usize,
    holding: Holding,
}

impl Arena {
    /// One more than the greatest place a string can have.
    pub const LIMIT: u64 = (1 << 40) - 1;

    /// An empty arena.
    pub fn new(budget: Arc<Budget>) -> Self {
        Arena { segments: Vec::new(), charged: 0, holding: Holding::new(budget) }
    }

    /// Adds a string and returns its place.
    pub fn push(&mut self, string: &[u8]) -> Result<u64, OverBudget> {
        let (header, header_len) = length_header(string.len());
        let size = header_len + string.len();
        let fits = self.segments.last().is_some_and(|segment| segment.capacity() - segment.len() >= size);
        if fits {
            self.charge(size)?;
        } else {
            self.begin_segment(size)?;
        }
        let number = self.segments.len() - 1;
        let segment = &mut self.segments[number];
        let place = (number as u64) << SEGMENT_BITS | segment.len() as u64;
        segment.extend_from_slice(&header[..header_len]);
        segment.extend_from_slice(string);
        Ok(place)
    }

    /// Charges for `size` more bytes in the last segment.
    #[inline]
    fn charge(&mut self, size: usize) -> Result<(), OverBudget> {
        let segment = self.segments.last().expect("a segment with room");
        let needed = segment.len() + size;
        if needed > self.charged {
            self.charged += charge(&mut self.holding, needed - self.charged, segment.capacity() - self.charged)?;
        }
        Ok(())
    }

    #[cold]
    fn begin_segment(&mut self, size: usize) -> Result<(), OverBudget> {
        let capacity = size.max(SEGMENT);
        let refused = OverBudget { asked: capacity as u64, left: 0 };
        if self.segments.len() as u64 >= Self::LIMIT >> SEGMENT_BITS {
            return Err(refused);
        }
        let mut segment: Vec<u8> = Vec::new();
        segment.try_reserve_exact(capacity).map_err(|_| refused)?;
        self.charged = charge(&mut self.holding, size, capacity)?;
        self.segments.push(segment);
        Ok(())
    }

    /// The string at `place`, which [`Arena::push`] or [`Arena::next`] gave.
    #[inline]
    pub fn get(&self, place: u64) -> &[u8] {
        let (start, end) = self.bounds(place);
        &self.segments[(place >> SEGMENT_BITS) as usize][start..end]
    }

    /// Where in its segment the string at `place` begins and ends.
    #[inline]
    fn bounds(&self, place: u64) -> (usize, usize) {
        let segment = &self.segments[(place >> SEGMENT_BITS) as usize];
        let mut at = place as usize & (SEGMENT - 1);
        let mut length = segment[at] as usize;
        at += 1;
        if length >= 0x80 {
            length &= 0x7f;
            let mut shift = 7;
            loop {
                let byte = segment[at];
                at += 1;
                length |= (byte as usize & 0x7f) << shift;
                shift += 7;
                if byte < 0x80 {
                    break;
                }
            }
        }
        (at, at + length)
    }

    /// The place of the string after the one at `place`, the first one for none; none at the end.
    pub fn next(&self, place: Option<u64>) -> Option<u64> {
        let Some(place) = place else { return (!self.segments.is_empty()).then_some(0) };
        let number = place >> SEGMENT_BITS;
        let (_, end) = self.bounds(place);
        if end < self.segments[number as usize].len() {
            return Some(number << SEGMENT_BITS | end as u64);
        }
        let next = number + 1;
        ((next as usize) < self.segments.len()).then_some(next << SEGMENT_BITS)
    }

    /// The bytes charged to the budget.
    pub fn bytes(&self) -> u64 {
        self.holding.bytes()
    }
}

/// Charges at least `needed` and at most `most` bytes; returns how many.
fn charge(holding: &mut Holding, needed: usize, most: usize) -> Result<usize, OverBudget> {
    let mut refused = None;
    for step in STEPS {
        let bytes = needed.next_multiple_of(step).min(most);
        match holding.take(bytes as u64) {
            Ok(()) => return Ok(bytes),
            Err(over) => refused = Some(over),
        }
    }
    Err(refused.expect("there is a step"))
}

/// The length, seven bits to a byte, the low ones first.
#[inline]
fn length_header(mut length: usize) -> ([u8; 10], usize) {
    let mut header = [0; 10];
    let mut at = 0;
    while length >= 0x80 {
        header[at] = length as u8 | 0x80;
        length >>= 7;
        at += 1;
    }
    header[at] = length as u8;
    (header, at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(arena.segments.len() > 2);
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
    fn a_string_longer_than_a_segment_gets_its_own() {
        let mut arena = Arena::new(Arc::new(Budget::unlimited()));
        let long = vec![7; SEGMENT + 5];
        let places = [arena.push(b"a").unwrap(), arena.push(&long).unwrap(), arena.push(b"b").unwrap()];
        assert!(places.is_sorted());
        assert_eq!(arena.get(places[1]), long);
        assert_eq!(arena.next(Some(places[0])), Some(places[1]));
        assert_eq!(arena.next(Some(places[1])), Some(places[2]));
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
