//! A diagram: nodes, no two of which mean the same.
//!
//! Invariant: every node is in the unique table, and the header of each tells how many arcs lead to it, those that hold a
//! root or a node in the making included. A node to which none leads is gone.
//!
//! Whoever makes a node hands over a reference to each child, and gets one to the node.

use super::node::{Arc, END, Id, Node, NodeBuilder};
use super::nodes::Nodes;
use super::unique_table::UniqueTable;
use std::sync::Arc as Shared;
use tightrope_core::{Budget, Refused};

/// The diagram.
pub struct Diagram {
    pub nodes: Nodes,
    pub unique_table: UniqueTable,
    builder: NodeBuilder,
    dying: Vec<Id>,
}

impl Diagram {
    /// No nodes.
    pub fn new(budget: &Shared<Budget>) -> Self {
        Diagram {
            nodes: Nodes::new(budget),
            unique_table: UniqueTable::new(budget),
            builder: NodeBuilder::default(),
            dying: Vec::new(),
        }
    }

    /// A node by its id.
    #[inline]
    pub fn node(&self, id: Id) -> Node<'_> {
        self.nodes.get(id)
    }

    /// Sees to it that `nodes` nodes of `words` words altogether can be made.
    pub fn reserve(&mut self, nodes: usize, words: usize) -> Result<(), Refused> {
        self.unique_table.make_room(&self.nodes, nodes)?;
        self.nodes.reserve(words)
    }

    /// The bytes charged to the budget.
    pub fn bytes(&self) -> u64 {
        self.nodes.bytes() + self.unique_table.bytes()
    }

    /// The node with these arcs.
    pub fn with_arcs(&mut self, arcs: &[Arc]) -> Id {
        self.builder.arcs(arcs);
        self.find_or_keep()
    }

    /// The node with this string, which is not empty.
    pub fn with_string(&mut self, bytes: &[u8], child: Id) -> Id {
        self.builder.string(bytes, child);
        self.find_or_keep()
    }

    fn find_or_keep(&mut self) -> Id {
        let node = self.builder.node();
        let hash = node.hash();
        if let Some(id) = self.unique_table.find(&self.nodes, node, hash) {
            self.share(id);
            return id;
        }
        self.keep(hash)
    }

    /// Uses a node that means the same as the one that is being built.
    fn share(&mut self, id: Id) {
        let nodes = &mut self.nodes;
        // The node that was found has references of its own, so none of these is the last.
        self.builder.node().each_child(|child| _ = nodes.release(child));
        nodes.retain(id);
    }

    fn keep(&mut self, hash: u64) -> Id {
        let id = self.nodes.keep(&self.builder);
        self.unique_table.enter(&self.nodes, id, hash);
        id
    }

    /// The node with these arcs, instead of `old`, to which one reference only was left; those that it had are handed over.
    /// It may have the id of the old one.
    pub fn with_arcs_instead(&mut self, old: Id, arcs: &[Arc]) -> Id {
        self.builder.arcs(arcs);
        self.replace(old)
    }

    /// The node with the same string as `old`, to which one reference only was left, that leads to `child`.
    pub fn with_child_instead(&mut self, old: Id, bytes: &[u8], child: Id) -> Id {
        self.builder.string(bytes, child);
        self.replace(old)
    }

    /// The node that differs from `old` by the child at a place that [`Node::place_for`] gave.
    pub fn with_child_at(&mut self, old: Id, place: usize, child: Id) -> Id {
        self.builder.like(self.nodes.get(old), place, child);
        let node = self.builder.node();
        let hash = node.hash();
        if let Some(id) = self.unique_table.find(&self.nodes, node, hash) {
            self.release_one(child);
            self.nodes.retain(id);
            return id;
        }
        let nodes = &mut self.nodes;
        (0..node.arcs()).filter(|&index| index != place).for_each(|index| nodes.retain(node.arc(index).child));
        self.keep(hash)
    }

    /// The same instead of `old`, to which one reference only was left, and none to the child from before.
    pub fn with_child_at_instead(&mut self, old: Id, place: usize, child: Id) -> Id {
        self.builder.like(self.nodes.get(old), place, child);
        self.replace(old)
    }

    fn replace(&mut self, old: Id) -> Id {
        let hash = self.nodes.get(old).hash();
        self.unique_table.remove(&self.nodes, old, hash);
        let node = self.builder.node();
        let hash = node.hash();
        if let Some(id) = self.unique_table.find(&self.nodes, node, hash) {
            self.share(id);
            self.nodes.free(old);
            return id;
        }
        if self.nodes.overwrite(old, &self.builder) {
            self.unique_table.enter(&self.nodes, old, hash);
            return old;
        }
        let id = self.keep(hash);
        self.nodes.free(old);
        id
    }

    /// Takes a node apart to which one reference only was left; those that it had are the caller's.
    pub fn dissolve(&mut self, id: Id) {
        let hash = self.nodes.get(id).hash();
        self.unique_table.remove(&self.nodes, id, hash);
        self.nodes.free(id);
    }

    /// A reference more.
    #[inline]
    pub fn retain(&mut self, id: Id) {
        self.nodes.retain(id);
    }

    /// A reference less, of several.
    #[inline]
    pub fn release_one(&mut self, id: Id) {
        let last = self.nodes.release(id);
        debug_assert!(!last, "there is another");
    }

    /// A reference less; the node goes with the last one.
    pub fn release(&mut self, id: Id) {
        if id == END || !self.nodes.release(id) {
            return;
        }
        let mut dying = std::mem::take(&mut self.dying);
        dying.push(id);
        while let Some(id) = dying.pop() {
            let node = self.nodes.get(id);
            let hash = node.hash();
            let before = dying.len();
            node.each_child(|child| dying.push(child));
            self.unique_table.remove(&self.nodes, id, hash);
            self.nodes.free(id);
            let mut kept = before;
            for at in before..dying.len() {
                let child = dying[at];
                if self.nodes.release(child) {
                    dying[kept] = child;
                    kept += 1;
                }
            }
            dying.truncate(kept);
        }
        self.dying = dying;
    }
}
