//! Another number of slots, where codes are longer or shorter than the first one was.
//!
//! With slots made for short codes, long ones use up the bytes while most slots stay free: those take memory that codes could have,
//! and codes are evicted that no other took the slot of. With slots made for long codes, short ones replace each other while bytes
//! are left. So the slots are exchanged for as many as codes of the present mean length would get. What was remembered stays, but
//! for the few codes all of whose new slots are taken.
//!
//! An exchange looks at every slot. There is none before as many insertions as there were slots after the last one, so that it costs an
//! insertion a constant time. While it lasts there are both tables; where the budget has no room for that nothing is exchanged.

use super::marks::Marks;
use super::{Contents, RESERVE, SetAssociativeCache};
use crate::cache::Bound;

impl<C: Contents> SetAssociativeCache<C> {
    /// A number of slots that suits the present codes better by a quarter and more, where that matters: a new code of that length,
    /// which belongs into the slot, would have another evicted.
    #[inline]
    pub(super) fn better_size(&self, slot: usize, length: usize) -> Option<usize> {
        if self.figures.inserted < self.next_resize {
            return None;
        }
        let (each, outside) = self.contents.bytes_for(length);
        let is_short = self.budget.left() < self.budget.limit() / RESERVE;
        let lacks_bytes = outside > 0 && (is_short || self.is_beyond(outside));
        let lacks_slots = outside > 0 && !self.contents.is_free(slot);
        if !lacks_bytes && !lacks_slots {
            return None;
        }
        let each = each + self.mark_bytes();
        let (slots, codes) = (self.slots as u64, self.code_bytes + outside);
        let taken = slots * each + codes;
        let room = match self.bound {
            Bound::Bytes(most) if !is_short => most.saturating_sub(self.table_bytes),
            _ => taken,
        };
        let most = match self.bound {
            Bound::States(states) => states.min(self.contents.most_slots() as u64),
            Bound::Bytes(_) => self.contents.most_slots() as u64,
        };
        // Memory that codes once took stays theirs.
        let spare = room.saturating_sub(self.contents.bytes() + self.marks.as_ref().map_or(0, Marks::bytes));
        let better = (room / (each + codes.div_ceil(self.len + 1))).min(slots + spare / each).clamp(1, most);
        let is_better = lacks_bytes && better * 4 < slots * 3 || lacks_slots && better * 3 > slots * 4;
        is_better.then_some(better as usize)
    }

    /// Exchanges the slots for so many, if there is memory for both.
    #[cold]
    pub(super) fn resize(&mut self, slots: usize) {
        self.next_resize = self.figures.inserted + slots as u64;
        let Ok(marks) = self.marks.as_ref().map(|marks| marks.for_slots(slots)).transpose() else { return };
        let Ok(earlier) = self.contents.exchange_slots(slots) else { return };
        let earlier_marks = std::mem::replace(&mut self.marks, marks);
        let count = std::mem::replace(&mut self.slots, slots);
        (self.has_gaps, self.hand) = (false, 0);
        let mut code = Vec::new();
        for from in 0..count {
            if !self.contents.read_through(&earlier, from, &mut code) {
                continue;
            }
            let hash = self.hash(&code);
            match self.find(hash, &code) {
                Err(slot) if self.contents.is_free(slot) => {
                    self.contents.take_over(&earlier, from, slot, hash);
                    if let (Some(marks), Some(earlier)) = (&mut self.marks, &earlier_marks) {
                        marks.copy(slot, earlier, from);
                    }
                }
                _ => {
                    self.code_bytes -= self.contents.drop_through(&earlier, from);
                    self.len -= 1;
                    self.figures.evicted += 1;
                }
            }
        }
    }
}
