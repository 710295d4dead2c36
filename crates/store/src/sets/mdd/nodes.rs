//! All nodes, in one array of words.
//!
//! Freed nodes are kept in lists by size and used again; sizes above 16 words are rounded up by at most an eighth, which
//! lets nodes grow a little where they are. Words are charged to the budget in advance ([`Nodes::reserve`]), and what of
//! them was not needed is given back.

use super::node::{END, Id, MANY, Node, NodeBuilder, ONE};
use crate::memory::region::{HUGE, Region};
use std::sync::Arc;
use tightrope_core::{Budget, Refused, Reservation};

/// Sizes up to this have a list of their own.
const EXACT: usize = 16;
/// The lists of freed nodes: eight for each doubling above that.
const LISTS: usize = EXACT + 8 * 28;

/// The list for nodes of `size` words, and the words that each in it has.
#[inline]
fn class(size: usize) -> (usize, usize) {
    if size <= EXACT {
        return (size, size);
    }
    let step = (size - 1).ilog2() - 3;
    let steps = ((size - 1) >> step) + 1;
    (EXACT + (step as usize - 1) * 8 + steps - 8, steps << step)
}

/// All nodes.
pub struct Nodes {
    words: Region<u32>,
    /// Words in use or freed.
    used: usize,
    /// Words charged to the budget.
    charged: usize,
    reservation: Reservation,
    /// The first freed node of every size; it leads to the next.
    free: Box<[Id; LISTS]>,
    /// Nodes that were freed and are not in a list yet.
    dead: Vec<Id>,
    len: u64,
}

impl Nodes {
    /// None.
    pub fn new(budget: &Arc<Budget>) -> Self {
        let reservation = Reservation::new(budget.clone());
        let free = Box::new([END; LISTS]);
        Nodes { words: Region::new(), used: 1, charged: 0, reservation, free, dead: Vec::new(), len: 0 }
    }

    /// A node by its id.
    #[inline]
    pub fn get(&self, id: Id) -> Node<'_> {
        Node::new(&self.words[id as usize..])
    }

    /// As if there were so many words more, for tests with wide ids.
    #[cfg(test)]
    pub fn skip(&mut self, words: usize) {
        self.used += words;
    }

    /// How many there are.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The bytes charged to the budget.
    pub fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }

    /// Sees to it that nodes of `words` words altogether can be kept.
    pub fn reserve(&mut self, words: usize) -> Result<(), Refused> {
        let needed = self.used.saturating_add(words);
        if needed > u32::MAX as usize {
            return Err(Refused::Limit("the nodes of the store `mdd` take as much as they can, 16 GiB"));
        }
        if needed > self.charged {
            self.reservation.take(4 * (needed - self.charged) as u64)?;
            self.charged = needed;
        }
        if needed > self.words.len() {
            let generous = (2 * needed).next_multiple_of(HUGE / 4);
            if !self.words.grow(generous) && !self.words.grow(needed) {
                self.settle();
                return Err(Refused::Memory);
            }
        }
        Ok(())
    }

    /// Lets the ids of freed nodes be used again, and gives back what was reserved and not needed.
    pub fn settle(&mut self) {
        while let Some(id) = self.dead.pop() {
            let (list, _) = class(self.get(id).size());
            self.words[id as usize] = self.free[list];
            self.free[list] = id;
        }
        if self.charged > self.used {
            self.reservation.give_back(4 * (self.charged - self.used) as u64);
            self.charged = self.used;
        }
    }

    /// Keeps a node, with one arc that leads to it. Its words are reserved.
    pub fn keep(&mut self, builder: &NodeBuilder) -> Id {
        let (list, size) = class(builder.words().len());
        let mut id = self.free[list];
        if id == END {
            id = self.used as Id;
            self.used += size;
            assert!(self.used <= self.charged, "nodes are reserved before they are made");
        } else {
            self.free[list] = self.words[id as usize];
        }
        self.put(id, builder);
        self.len += 1;
        id
    }

    fn put(&mut self, id: Id, builder: &NodeBuilder) {
        let at = id as usize;
        self.words[at..at + builder.words().len()].copy_from_slice(builder.words());
        self.words[at] |= ONE;
    }

    /// Puts `builder` where the node `id` was, if it fits there as well. One arc leads to it.
    #[must_use]
    pub fn overwrite(&mut self, id: Id, builder: &NodeBuilder) -> bool {
        let fits = class(builder.words().len()) == class(self.get(id).size());
        if fits {
            self.put(id, builder);
        }
        fits
    }

    /// Frees a node. Its id is not given to another one before [`Nodes::settle`].
    pub fn free(&mut self, id: Id) {
        self.dead.push(id);
        self.len -= 1;
    }

    /// Whether just one arc leads to a node.
    #[inline]
    pub fn is_single(&self, id: Id) -> bool {
        id != END && self.words[id as usize] & MANY == ONE
    }

    /// How many arcs lead to a node; none if too many.
    #[cfg(test)]
    pub fn arcs_to(&self, id: Id) -> Option<u32> {
        let count = self.words[id as usize] & MANY;
        (count != MANY).then_some(count / ONE)
    }

    /// One arc more leads to a node.
    #[inline]
    pub fn retain(&mut self, id: Id) {
        if id == END {
            return;
        }
        let header = &mut self.words[id as usize];
        if *header < MANY {
            *header += ONE;
        }
    }

    /// One arc less leads to a node; whether there is none left.
    #[inline]
    pub fn release(&mut self, id: Id) -> bool {
        if id == END {
            return false;
        }
        let header = &mut self.words[id as usize];
        if *header >= MANY {
            return false;
        }
        *header -= ONE;
        *header & MANY == 0
    }
}
