//! Codes in the slots: eight bytes lead to the code, and tell most others without a look at it. Exact.

use super::{CodeHash, Contents};
use crate::memory::budget_region::BudgetRegion;
use crate::memory::code_heap::{self, CodeHeap, Placed};
use crate::memory::prefetch::prefetch;
use crate::memory::region::Plain;
use std::sync::Arc;
use tightrope_core::{Budget, Refused};

/// The bytes of a word of the heap of codes, where they may lie with gaps of a quarter of what they need.
const WITH_GAPS: u64 = 5;

/// The codes.
pub struct Codes {
    slots: BudgetRegion<Slot>,
    heap: CodeHeap,
    budget: Arc<Budget>,
}

/// The place of a code plus one, and in the upper half a part of its hash; 0 if the slot is free.
#[derive(Clone, Copy, Default)]
struct Slot(u64);

impl Plain for Slot {}

impl Slot {
    #[inline]
    fn new(hash: CodeHash, place: u32) -> Slot {
        Slot(hash.signature >> 32 << 32 | u64::from(place + 1))
    }

    #[inline]
    fn place(self) -> u32 {
        (self.0 as u32).wrapping_sub(1)
    }
}

impl Placed for Slot {
    fn set_place(&mut self, place: u32) {
        self.0 = self.0 >> 32 << 32 | u64::from(place + 1);
    }
}

impl Codes {
    /// None yet.
    pub fn new(budget: &Arc<Budget>) -> Self {
        Codes { slots: BudgetRegion::sparing(budget), heap: CodeHeap::new(budget), budget: budget.clone() }
    }
}

impl Contents for Codes {
    fn allocate(&mut self, slots: usize) -> Result<(), Refused> {
        self.slots.make_room(slots)
    }

    fn exchange_slots(&mut self, slots: usize) -> Result<Self, Refused> {
        let mut earlier = Codes::new(&self.budget);
        earlier.allocate(slots)?;
        std::mem::swap(&mut self.slots, &mut earlier.slots);
        Ok(earlier)
    }

    fn read_through(&self, earlier: &Self, slot: usize, out: &mut Vec<u8>) -> bool {
        let Some(found) = earlier.slots.get(slot).filter(|found| found.0 != 0) else { return false };
        out.clear();
        out.extend_from_slice(self.heap.get(found.place()));
        true
    }

    fn take_over(&mut self, earlier: &Self, from: usize, slot: usize, hash: CodeHash) {
        let place = earlier.slots[from].place();
        self.heap.set_owner(place, slot as u32);
        self.slots[slot] = Slot::new(hash, place);
    }

    fn drop_through(&mut self, earlier: &Self, from: usize) -> u64 {
        WITH_GAPS * self.heap.remove(earlier.slots[from].place()) as u64
    }

    fn most_slots(&self) -> usize {
        CodeHeap::MOST_OWNERS
    }

    fn has_room(&mut self, length: usize) -> bool {
        self.heap.find_room(length, &mut self.slots)
    }

    fn bytes_for(&self, length: usize) -> (u64, u64) {
        (8, WITH_GAPS * code_heap::words(length) as u64)
    }

    #[inline]
    fn is_free(&self, slot: usize) -> bool {
        self.slots[slot].0 == 0
    }

    #[inline]
    fn is_in(&mut self, slot: usize, hash: CodeHash, code: &[u8]) -> bool {
        let found = self.slots[slot];
        found.0 >> 32 == hash.signature >> 32 && self.heap.get(found.place()) == code
    }

    fn put(&mut self, slot: usize, hash: CodeHash, code: &[u8]) -> Result<(), Refused> {
        self.heap.make_room(code.len(), &mut self.slots)?;
        let place = self.heap.push(slot as u32, code);
        self.slots[slot] = Slot::new(hash, place);
        Ok(())
    }

    fn clear(&mut self, slot: usize) -> u64 {
        let words = self.heap.remove(self.slots[slot].place());
        self.slots[slot] = Slot::default();
        WITH_GAPS * words as u64
    }

    #[inline]
    fn prefetch(&self, slot: usize) {
        prefetch(&self.slots, slot);
    }

    fn read(&self, slot: usize, out: &mut Vec<u8>) -> bool {
        self.read_through(self, slot, out)
    }

    fn can_read(&self) -> bool {
        true
    }

    fn bytes(&self) -> u64 {
        self.slots.bytes() + self.heap.bytes()
    }
}
