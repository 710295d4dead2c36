//! The second part of the cache: states of former levels, in full, by strategy R, H or D (Evangelista et al. 2009, §3).

use super::plan::Second;
use crate::memory::hash_index::HashIndex;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use tightrope_core::{Budget, Reservation, ask_for_memory};

/// What a state takes besides its bytes and its entry in the index: its slot, its place in the heap, what an allocator adds.
pub const BESIDE: usize = 72;

struct Slot {
    id: u32,
    state: Box<[u8]>,
}

/// The states.
pub struct StateCache {
    index: HashIndex,
    slots: Vec<Slot>,
    /// For H and D: the slots by the values of their states, the least first.
    values: BinaryHeap<Reverse<(u32, u32)>>,
    strategy: Second,
    random: u64,
    reservation: Reservation,
}

fn hash_of(id: u32) -> u32 {
    id.wrapping_mul(0x9e37_79b9)
}

impl StateCache {
    /// An empty one.
    pub fn new(strategy: Second, seed: u64, budget: &Arc<Budget>) -> Self {
        StateCache {
            index: HashIndex::new(budget),
            slots: Vec::new(),
            values: BinaryHeap::new(),
            strategy,
            random: seed | 1,
            reservation: Reservation::new(budget.clone()),
        }
    }

    /// Gives everything back; what is random goes on from where it is.
    pub fn clear(&mut self, budget: &Arc<Budget>) {
        *self = StateCache::new(self.strategy, self.random, budget);
    }

    /// How it chooses.
    pub fn strategy(&self) -> Second {
        self.strategy
    }

    /// How many states it has.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        self.reservation.bytes() + self.index.bytes()
    }

    fn slot_of(&self, id: u32) -> Option<u32> {
        self.index.find(hash_of(id), |slot| self.slots[slot as usize].id == id)
    }

    /// Whether a state is there.
    pub fn contains(&self, id: u32) -> bool {
        self.slot_of(id).is_some()
    }

    /// The state of that identifier, if it is there.
    pub fn get(&self, id: u32) -> Option<&[u8]> {
        self.slot_of(id).map(|slot| &*self.slots[slot as usize].state)
    }

    /// A number below `below`.
    fn random(&mut self, below: usize) -> usize {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.random >> 33) as usize) % below.max(1)
    }

    /// Offers a new state to a cache of so many: for strategy R.
    pub fn offer_new(&mut self, id: u32, state: &[u8], most: usize) {
        if self.slots.len() < most {
            self.add(id, state);
        } else if most > 0 && self.random(2) == 0 {
            let slot = self.random(self.slots.len());
            self.replace(slot, id, state);
        }
    }

    /// Offers a state of that value to a cache of so many: for strategies H and D. It is kept if there is room, or in place of one of
    /// less value, unless it `is_near` to others.
    pub fn offer(&mut self, id: u32, value: f32, state: &[u8], most: usize, is_near: impl FnOnce(&Self) -> bool) {
        // Values are not negative, so that their bits are in the same order.
        let value = value.to_bits();
        if self.slots.len() < most {
            if !is_near(self) && self.add(id, state) {
                self.values.push(Reverse((value, self.slots.len() as u32 - 1)));
            }
            return;
        }
        let Some(&Reverse((least, slot))) = self.values.peek() else { return };
        if least < value && !is_near(self) && self.replace(slot as usize, id, state) {
            self.values.pop();
            self.values.push(Reverse((value, slot)));
        }
    }

    /// A copy of a state, if there is memory for it.
    fn copy(&mut self, state: &[u8]) -> Option<Box<[u8]>> {
        self.reservation.take((state.len() + BESIDE) as u64).ok()?;
        let mut copy = Vec::new();
        if ask_for_memory(|| copy.try_reserve_exact(state.len())).is_err() {
            self.reservation.give_back((state.len() + BESIDE) as u64);
            return None;
        }
        copy.extend_from_slice(state);
        Some(copy.into_boxed_slice())
    }

    /// Adds a state; false if there is no memory for it.
    fn add(&mut self, id: u32, state: &[u8]) -> bool {
        if self.index.make_room().is_err() {
            return false;
        }
        let Some(state) = self.copy(state) else { return false };
        self.index.enter(hash_of(id), self.slots.len() as u32);
        self.slots.push(Slot { id, state });
        true
    }

    /// Puts a state in place of another; false if there is no memory for it.
    fn replace(&mut self, slot: usize, id: u32, state: &[u8]) -> bool {
        if self.index.make_room().is_err() {
            return false;
        }
        let Some(state) = self.copy(state) else { return false };
        let before = std::mem::replace(&mut self.slots[slot], Slot { id, state });
        self.reservation.give_back((before.state.len() + BESIDE) as u64);
        self.index.remove(hash_of(before.id), slot as u32);
        self.index.enter(hash_of(id), slot as u32);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_valuable_stay() {
        let budget = Arc::new(Budget::unlimited());
        let mut cache = StateCache::new(Second::Heuristic, 1, &budget);
        let value = |id: u32| (id.wrapping_mul(2_654_435_769) >> 8) as f32;
        for id in 0..5000u32 {
            cache.offer(id, value(id), &id.to_le_bytes().repeat(1 + id as usize % 9), 100, |_| id % 3 == 0);
            assert_eq!(cache.bytes(), budget.used());
        }
        let mut best: Vec<u32> = (0..5000).filter(|id| id % 3 != 0).collect();
        best.sort_by(|one, two| value(*two).total_cmp(&value(*one)));
        assert!(best[..100].iter().all(|&id| cache.get(id).is_some_and(|state| state.starts_with(&id.to_le_bytes()))));
        assert_eq!((cache.len(), cache.contains(0)), (100, false));
    }

    #[test]
    fn random_ones_stay() {
        let budget = Arc::new(Budget::new(20_000));
        let mut cache = StateCache::new(Second::Random, 1, &budget);
        (0..5000u32).for_each(|id| cache.offer_new(id, &id.to_le_bytes(), 100));
        let there: Vec<u32> = (0..5000).filter(|&id| cache.get(id) == Some(&id.to_le_bytes()[..])).collect();
        assert_eq!((there.len(), cache.len()), (100, 100));
        assert!(there.iter().any(|&id| id < 4900) && there.iter().any(|&id| id > 4900), "{there:?}");
    }
}
