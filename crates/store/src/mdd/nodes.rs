//! All nodes, in one array of words.
//!
//! Freed nodes are kept in lists by size and used again; sizes above 16 words are rounded up by at most an eighth, which
//! lets nodes grow a little where they are. Words are charged to the budget in advance ([`Nodes::reserve`]), and what of
//! them was not needed is given back.

use super::node::{Draft, END, Id, MANY, Node, ONE};
use crate::region::{HUGE, Region};
use std::sync::Arc;
use tightrope_core::{Budget, Holding, OverBudget};

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
    holding: Holding,
    /// The first freed node of every size; it leads to the next.
    free: Box<[Id; LISTS]>,
    /// Nodes that were freed and are not in a list yet.
    dead: Vec<Id>,
    len: u64,
    /// There were more words than there are names for.
    at_limit: bool,
}

impl Nodes {
    /// None.
    pub fn new(budget: &Arc<Budget>) -> Self {
        let holding = Holding::new(budget.clone());
        let free = Box::new([END; LISTS]);
        Nodes { words: Region::new(), used: 1, charged: 0, holding, free, dead: Vec::new(), len: 0, at_limit: false }
    }

    /// A node by its name.
    #[inline]
    pub fn get(&self, id: Id) -> Node<'_> {
        Node::new(&self.words[id as usize..])
    }

    /// As if there were so many words more, for tests with long names.
    #[cfg(test)]
    pub fn skip(&mut self, words: usize) {
        self.used += words;
    }

    /// How many there are.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether it was refused because there are no more names for nodes.
    pub fn is_at_limit(&self) -> bool {
        self.at_limit
    }

    /// The bytes charged to the budget.
    pub fn bytes(&self) -> u64 {
        self.holding.bytes()
    }

    /// Sees to it that nodes of `words` words altogether can be kept.
    pub fn reserve(&mut self, words: usize) -> Result<(), OverBudget> {
        let needed = self.used.saturating_add(words);
        let refused = OverBudget { asked: 4 * words as u64, left: 0 };
        if needed > u32::MAX as usize {
            self.at_limit = true;
            return Err(refused);
        }
        if needed > self.charged {
            self.holding.take(4 * (needed - self.charged) as u64)?;
            self.charged = needed;
        }
        if needed > self.words.len() {
            let generous = (2 * needed).next_multiple_of(HUGE / 4);
            if !self.words.grow(generous) && !self.words.grow(needed) {
                self.settle();
                return Err(refused);
            }
        }
        Ok(())
    }

    /// Lets the names of freed nodes be used again, and gives back what was reserved and not needed.
    pub fn settle(&mut self) {
        while let Some(id) = self.dead.pop() {
            let (list, _) = class(self.get(id).size());
            self.words[id as usize] = self.free[list];
            self.free[list] = id;
        }
        if self.charged > self.used {
            self.holding.give_back(4 * (self.charged - self.used) as u64);
            self.charged = self.used;
        }
    }

    /// Keeps a node, with one arc that leads to it. Its words are reserved.
    pub fn keep(&mut self, draft: &Draft) -> Id {
        let (list, size) = class(draft.words().len());
        let mut id = self.free[list];
        if id == END {
            id = self.used as Id;
            self.used += size;
            assert!(self.used <= self.charged, "nodes are reserved before they are made");
        } else {
            self.free[list] = self.words[id as usize];
        }
        self.put(id, draft);
        self.len += 1;
        id
    }

    fn put(&mut self, id: Id, draft: &Draft) {
        let at = id as usize;
        self.words[at..at + draft.words().len()].copy_from_slice(draft.words());
        self.words[at] |= ONE;
    }

    /// Puts `draft` where the node `id` was, if it fits there as well. One arc leads to it.
    #[must_use]
    pub fn overwrite(&mut self, id: Id, draft: &Draft) -> bool {
        let fits = class(draft.words().len()) == class(self.get(id).size());
        if fits {
            self.put(id, draft);
        }
        fits
    }

    /// Frees a node. Its name is not given to another one before [`Nodes::settle`].
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
