//! States in full with successive identifiers: a queue that can be read anywhere.
//!
//! States lie one after the other in chunks; the oldest chunk is given back when none of its states is needed. A state takes its
//! bytes and four more.

use crate::memory::prefetch::prefetch;
use std::collections::VecDeque;
use std::sync::Arc;
use tightrope_core::{Budget, Refused, Reservation};

/// The bytes of a chunk, and of one near the end of the budget.
const CHUNKS: [usize; 2] = [32 << 10, 2 << 10];

struct Chunk {
    first: u32,
    bytes: Vec<u8>,
    ends: Vec<u32>,
    taken: u64,
}

/// The states.
pub struct Window {
    chunks: VecDeque<Chunk>,
    /// States before this are not there, whatever is in the first chunk.
    first: u32,
    /// The identifier of the next state.
    next: u32,
    reservation: Reservation,
}

impl Window {
    /// An empty one, whose first state will be that of identifier `next`.
    pub fn new(next: u32, budget: &Arc<Budget>) -> Self {
        Window { chunks: VecDeque::new(), first: next, next, reservation: Reservation::new(budget.clone()) }
    }

    /// The first state that is there, or would be.
    pub fn first(&self) -> u32 {
        self.first
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }

    /// Makes sure that a state of that length can be added.
    #[inline]
    pub fn make_room(&mut self, length: usize) -> Result<(), Refused> {
        let fits = |chunk: &Chunk| {
            chunk.bytes.capacity() - chunk.bytes.len() >= length && chunk.ends.len() < chunk.ends.capacity()
        };
        if self.chunks.back().is_some_and(fits) { Ok(()) } else { self.add_chunk(length) }
    }

    #[cold]
    fn add_chunk(&mut self, length: usize) -> Result<(), Refused> {
        if length > u32::MAX as usize {
            return Err(Refused::Limit("a state takes more than 4 GiB"));
        }
        let before = self.reservation.bytes();
        let bytes = self.reservation.block::<u8>(CHUNKS.map(|size| size.max(length)), 0)?;
        let states = bytes.capacity() / length.max(1);
        match self.reservation.block::<u32>([states.clamp(1, CHUNKS[0]); 2], 0) {
            Ok(ends) => {
                let taken = self.reservation.bytes() - before;
                self.chunks.push_back(Chunk { first: self.next, bytes, ends, taken });
                Ok(())
            }
            Err(refused) => {
                self.reservation.give_back(self.reservation.bytes() - before);
                Err(refused)
            }
        }
    }

    /// Adds the next state, for which there is room ([`Window::make_room`]).
    #[inline]
    pub fn push(&mut self, state: &[u8]) {
        let chunk = self.chunks.back_mut().expect("room was made");
        chunk.bytes.extend_from_slice(state);
        chunk.ends.push(chunk.bytes.len() as u32);
        self.next += 1;
    }

    /// The state of that identifier, if it is there.
    #[inline]
    pub fn get(&self, id: u32) -> Option<&[u8]> {
        if id < self.first || id >= self.next {
            return None;
        }
        let chunk = &self.chunks[self.chunks.partition_point(|chunk| chunk.first <= id) - 1];
        let at = (id - chunk.first) as usize;
        let start = if at == 0 { 0 } else { chunk.ends[at - 1] as usize };
        Some(&chunk.bytes[start..chunk.ends[at] as usize])
    }

    /// Asks the processor to bring the state of that identifier near.
    #[inline]
    pub fn prefetch(&self, id: u32) {
        if id >= self.first && id < self.next {
            let chunk = &self.chunks[self.chunks.partition_point(|chunk| chunk.first <= id) - 1];
            let at = (id - chunk.first) as usize;
            prefetch(&chunk.ends, at);
            // About there: its place is not looked up, since that would have to be waited for.
            prefetch(&chunk.bytes, chunk.bytes.len() / chunk.ends.len() * at);
        }
    }

    /// States before `id` are not needed any more.
    #[inline]
    pub fn drop_before(&mut self, id: u32) {
        self.first = self.first.max(id.min(self.next));
        while let Some(chunk) = self.chunks.front()
            && chunk.first + chunk.ends.len() as u32 <= self.first
        {
            self.reservation.give_back(chunk.taken);
            self.chunks.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_states_are_there() {
        let budget = Arc::new(Budget::unlimited());
        let mut window = Window::new(5, &budget);
        let state = |id: u32| vec![id as u8; if id % 1000 == 7 { 100_000 } else { id as usize % 70 }];
        for id in 5..30_000u32 {
            window.make_room(state(id).len()).unwrap();
            window.push(&state(id));
            let first = id.saturating_sub(id % 3000).max(5);
            window.drop_before(first);
            assert!(window.first() >= first);
            assert_eq!(window.bytes(), budget.used());
            if id % 97 == 0 {
                for one in window.first()..=id {
                    assert_eq!(window.get(one), Some(&state(one)[..]));
                }
                assert_eq!((window.get(window.first() - 1), window.get(id + 1)), (None, None));
            }
        }
        window.drop_before(u32::MAX);
        assert_eq!((window.first(), window.bytes()), (30_000, 0));
    }

    #[test]
    fn a_refusal_changes_nothing() {
        let budget = Arc::new(Budget::new(50_000));
        let mut window = Window::new(0, &budget);
        let mut states = 0u32;
        while window.make_room(100).is_ok() {
            window.push(&[states as u8; 100]);
            states += 1;
        }
        assert!(states > 400, "{states} states of 100 bytes in 50,000");
        assert!((0..states).all(|id| window.get(id) == Some(&[id as u8; 100][..])));
    }
}
