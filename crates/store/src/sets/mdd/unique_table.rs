//! The unique table: where a node is found by what it means.
//!
//! Linear probing, ordered by homes: whoever is further from home stands first (Robin Hood hashing: Celis 1986), so that a search
//! ends early and a table may be nearly full. A slot is the id of a node, and apart from it, so that a search that fails
//! touches little, how far it is from its home and six bits of its hash. With the distances known, entries are taken out
//! without a trace and without a look at the nodes, which [`crate::memory::slots`] could not do.
//!
//! Six bytes a slot, 6.8 to 10 a node. The table grows where it is, never is there a second one.

use super::node::{Id, Node};
use super::nodes::Nodes;
use crate::memory::probe::{after, distance, home};
use crate::memory::region::Region;
use std::sync::Arc;
use tightrope_core::{Budget, Refused, Reservation};

const FIRST_SLOTS: usize = 64;
const SLOT_BYTES: u64 = 6;
/// A mark is 0 for a free slot, else the distance from home plus one, then `TAG_BITS` of the hash.
const TAG_BITS: u32 = 6;
/// This distance, or more; short in tests, so that they see it.
const FAR: u16 = if cfg!(test) { 3 } else { (1 << (16 - TAG_BITS)) - 2 };

/// The table.
pub struct UniqueTable {
    ids: Region<u32>,
    marks: Region<u16>,
    len: usize,
    reservation: Reservation,
}

#[inline]
fn mark(distance: usize, tag: u16) -> u16 {
    (distance.min(FAR as usize) as u16 + 1) << TAG_BITS | tag
}

#[inline]
fn tag(hash: u64) -> u16 {
    hash as u16 & ((1 << TAG_BITS) - 1)
}

impl UniqueTable {
    /// Empty.
    pub fn new(budget: &Arc<Budget>) -> Self {
        UniqueTable { ids: Region::new(), marks: Region::new(), len: 0, reservation: Reservation::new(budget.clone()) }
    }

    /// The bytes charged to the budget.
    pub fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }

    #[inline]
    fn slots(&self) -> usize {
        self.marks.len()
    }

    #[inline]
    fn after(&self, at: usize) -> usize {
        after(at, self.slots())
    }

    /// How far the entry at `at`, whose mark is `mark`, is from its home.
    #[inline]
    fn distance(&self, nodes: &Nodes, at: usize, mark: u16) -> usize {
        let noted = (mark >> TAG_BITS) - 1;
        if noted < FAR { noted as usize } else { self.far_distance(nodes, at) }
    }

    #[cold]
    fn far_distance(&self, nodes: &Nodes, at: usize) -> usize {
        distance(home(nodes.get(self.ids[at]).hash(), self.slots()), at, self.slots())
    }

    /// The entry that means the same as `node`.
    #[inline]
    pub fn find(&self, nodes: &Nodes, node: Node<'_>, hash: u64) -> Option<Id> {
        if self.slots() == 0 {
            return None;
        }
        let (mut at, mut probe) = (home(hash, self.slots()), mark(0, tag(hash)));
        loop {
            let found = self.marks[at];
            // Free, or nearer to its home than what is sought would be here.
            if found >> TAG_BITS < probe >> TAG_BITS {
                return None;
            }
            if found == probe && nodes.get(self.ids[at]).means(node) {
                return Some(self.ids[at]);
            }
            at = self.after(at);
            if probe >> TAG_BITS <= FAR {
                probe += 1 << TAG_BITS;
            }
        }
    }

    /// Enters a node. There is a free slot.
    pub fn enter(&mut self, nodes: &Nodes, id: Id, hash: u64) {
        let (mut at, mut distance) = (home(hash, self.slots()), 0);
        let (mut id, mut tag) = (id, tag(hash));
        loop {
            let found = self.marks[at];
            if found == 0 {
                self.marks[at] = mark(distance, tag);
                self.ids[at] = id;
                self.len += 1;
                return;
            }
            let theirs = self.distance(nodes, at, found);
            if theirs < distance {
                self.marks[at] = mark(distance, tag);
                std::mem::swap(&mut self.ids[at], &mut id);
                tag = found & ((1 << TAG_BITS) - 1);
                distance = theirs;
            }
            at = self.after(at);
            distance += 1;
        }
    }

    /// Takes a node out. It is there, and what it means is still where it was.
    pub fn remove(&mut self, nodes: &Nodes, id: Id, hash: u64) {
        let mut at = home(hash, self.slots());
        while self.ids[at] != id || self.marks[at] == 0 {
            at = self.after(at);
        }
        self.len -= 1;
        loop {
            let next = self.after(at);
            let found = self.marks[next];
            if found >> TAG_BITS <= 1 {
                // Free, or at home.
                self.marks[at] = 0;
                return;
            }
            self.marks[at] = if found >> TAG_BITS <= FAR {
                found - (1 << TAG_BITS)
            } else {
                mark(self.far_distance(nodes, next) - 1, found & ((1 << TAG_BITS) - 1))
            };
            self.ids[at] = self.ids[next];
            at = next;
        }
    }

    /// Makes sure that `more` nodes can be entered.
    pub fn make_room(&mut self, nodes: &Nodes, more: usize) -> Result<(), Refused> {
        let (slots, needed) = (self.slots(), self.len + more);
        let fits = |slots: usize| needed + needed / 8 < slots;
        if fits(slots) {
            return Ok(());
        }
        let least = needed + needed / 8 + 1;
        let wanted = least.max(slots + slots / 2).max(FIRST_SLOTS);
        self.grow(nodes, wanted)
            .or_else(|_| self.grow(nodes, least.max(slots + slots / 8)))
            .or_else(|_| self.grow(nodes, least))
    }

    /// Makes the table `slots` slots long.
    ///
    /// All entries are moved to the end first. From there on none is before its new home, since homes move by no more
    /// than what was added. One that is taken from its place therefore finds a free slot there or before, and none that
    /// still waits is in the way. Those that had gone round the end are entered last.
    fn grow(&mut self, nodes: &Nodes, slots: usize) -> Result<(), Refused> {
        let old = self.slots();
        let added = slots - old;
        let asked = SLOT_BYTES * added as u64;
        self.reservation.take(asked)?;
        if !self.ids.grow(slots.max(self.ids.len())) || !self.marks.grow(slots) {
            self.reservation.give_back(asked);
            return Err(Refused::Memory);
        }
        let around = (0..old).take_while(|&at| self.marks[at] != 0 && self.went_round(nodes, at, old)).count();
        let waiting: Vec<Id> = self.ids[..around].to_vec();
        self.ids.copy_within(around..old, around + added);
        self.marks.copy_within(around..old, around + added);
        self.marks[..around + added].fill(0);
        self.len = 0;
        for at in around + added..slots {
            if std::mem::take(&mut self.marks[at]) != 0 {
                let id = self.ids[at];
                self.enter(nodes, id, nodes.get(id).hash());
            }
        }
        for id in waiting {
            self.enter(nodes, id, nodes.get(id).hash());
        }
        Ok(())
    }

    fn went_round(&self, nodes: &Nodes, at: usize, slots: usize) -> bool {
        home(nodes.get(self.ids[at]).hash(), slots) > at
    }

    /// The nodes in it.
    #[cfg(test)]
    pub fn iter(&self) -> impl Iterator<Item = Id> + '_ {
        (0..self.slots()).filter(|&at| self.marks[at] != 0).map(|at| self.ids[at])
    }
}
