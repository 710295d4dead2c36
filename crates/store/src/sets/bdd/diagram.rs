//! The diagram: a forest with one root, and what it takes.
//!
//! A forest has a fixed number of places for nodes, so that a diagram that outgrows it moves to a larger one. There are
//! three sizes: a small one, which takes memory by the node; what the budget can pay for; and, for a very large budget,
//! something between the two, so that no more address space is taken than a system is likely to give. Nodes keep the ids
//! of their children, so they are copied from the leaves up; while that lasts, both are there and on the budget.

use super::NONE;
use super::add::{add, leaf, make};
use super::forest::{Forest, Root, WITH, WITHOUT, inner, plant};
use super::key::{Keys, VariableOrder, next_one};
use super::ledger::{CHUNK, Ledger, Stop};
use oxidd_core::function::Function;
use oxidd_core::util::{Own, Ref};
use oxidd_core::{HasLevel, InnerNode, LevelNo, LevelView, Manager, ManagerRef};
use std::sync::Arc;
use tightrope_core::{Budget, Refused, Reservation};

/// Places of the first forest: as many as are charged one by one.
const SMALL: usize = CHUNK / 2;
/// Places of one for which a gigabyte of address space is taken.
const LARGE: usize = 1 << 26;
/// All that there can be.
const LARGEST: usize = u32::MAX as usize - 2;
/// A node and its share of a table take more than that.
const LEAST_BYTES: u64 = 24;

/// A set of keys of the same width.
pub struct Diagram {
    forest: Forest,
    root: Root,
    words: usize,
    ledger: Ledger,
    /// How many nodes there were after the last collection.
    live: usize,
    budget: Arc<Budget>,
}

impl Diagram {
    /// An empty diagram for keys of so many words.
    pub fn new(words: usize, budget: &Arc<Budget>) -> Result<Self, Refused> {
        Diagram::with_capacity(SMALL, words, budget)
    }

    fn with_capacity(capacity: usize, words: usize, budget: &Arc<Budget>) -> Result<Self, Refused> {
        let ledger = Ledger::new(capacity, levels(words) as usize, budget)?;
        let forest = plant(capacity as u32).ok_or(Refused::Memory)?;
        let root = forest.with_manager_exclusive(|trees| {
            trees.add_vars(levels(words));
            leaf(trees, false).map(|edge| Root::from_edge(trees, edge))
        });
        let root = root.map_err(|_| Refused::Memory)?;
        Ok(Diagram { forest, root, words, ledger, live: 0, budget: budget.clone() })
    }

    /// The width of keys.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The nodes, those included that are no longer part of it.
    #[cfg(test)]
    pub fn nodes(&self) -> usize {
        self.ledger.nodes
    }

    /// The nodes when there were no others.
    pub fn live(&self) -> usize {
        self.live
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> u64 {
        self.ledger.bytes()
    }

    /// Whether a key is there: a way from the root, along its ones.
    pub fn contains(&self, key: &[u64]) -> bool {
        self.root.with_manager_shared(|trees, root| walk(trees, root, key))
    }

    /// Adds keys that are not there: all of them or none.
    pub fn add(&mut self, keys: &Keys) -> Result<(), Refused> {
        loop {
            let had_garbage = self.ledger.nodes > self.live;
            let ledger = &mut self.ledger;
            let added = self.root.with_manager_shared(|trees, root| {
                add(trees, ledger, root, keys).map(|edge| Root::from_edge(trees, edge))
            });
            match added {
                Ok(root) => {
                    self.root = root;
                    // Half as many again cost little beside tables that are half empty.
                    if self.ledger.nodes > self.live + self.live / 2 + SMALL / 32 {
                        self.collect();
                    }
                    return Ok(());
                }
                Err(stop) => {
                    self.collect();
                    match stop {
                        _ if had_garbage => {}
                        Stop::Full => self.move_to_larger()?,
                        Stop::Over(refused) => return Err(refused),
                    }
                }
            }
        }
    }

    /// Gives up the nodes that are not part of it.
    pub fn collect(&mut self) {
        let ledger = &mut self.ledger;
        self.forest.with_manager_exclusive(|trees| {
            trees.gc();
            ledger.collected(trees.levels().map(|level| level.len()));
        });
        self.live = self.ledger.nodes;
    }

    /// Makes room for wider keys.
    pub fn widen(&mut self, order: VariableOrder, words: usize) -> Result<(), Refused> {
        if order != VariableOrder::Vector {
            return self.replace(self.ledger.capacity(), order, words);
        }
        let more = levels(words) - levels(self.words);
        self.ledger.add_levels(more as usize)?;
        self.forest.with_manager_exclusive(|trees| trees.add_vars(more));
        self.words = words;
        Ok(())
    }

    fn move_to_larger(&mut self) -> Result<(), Refused> {
        let most = usize::try_from(self.budget.limit() / LEAST_BYTES).unwrap_or(LARGEST).min(LARGEST);
        let sizes = [most.min(LARGE), most];
        match sizes.into_iter().find(|&size| size > 2 * self.ledger.capacity().max(CHUNK)) {
            // All levels stay where they are.
            Some(capacity) => self.replace(capacity, VariableOrder::Vector, self.words),
            None => Err(Refused::Memory),
        }
    }

    /// Moves to another forest.
    fn replace(&mut self, capacity: usize, order: VariableOrder, words: usize) -> Result<(), Refused> {
        self.collect();
        let mut other = Diagram::with_capacity(capacity, words, &self.budget)?;
        let ids = self.ledger.charged() + 2;
        let mut held = Reservation::new(self.budget.clone());
        held.take((ids * size_of::<Option<Own<u32>>>()) as u64)?;
        let before = self.words;
        let place = |level| order.level_when_wider(level, before, words);
        let ledger = &mut other.ledger;
        let copied = self.root.with_manager_shared(|trees, root| {
            other.forest.with_manager_shared(|others| {
                copy(trees, root, ids, others, ledger, place).map(|edge| Root::from_edge(others, edge))
            })
        });
        other.root = copied.map_err(|stop| match stop {
            Stop::Full => Refused::Memory,
            Stop::Over(refused) => refused,
        })?;
        other.live = other.ledger.nodes;
        *self = other;
        Ok(())
    }
}

/// The levels of keys of so many words.
fn levels(words: usize) -> u32 {
    words as u32 * u64::BITS
}

#[inline]
fn walk<M>(trees: &M, root: Ref<'_, M::Edge>, key: &[u64]) -> bool
where
    M: Manager<Terminal = bool>,
    M::InnerNode: HasLevel,
{
    let mut edge = root;
    let mut one = next_one(key, 0);
    while let Some(node) = inner(trees, edge) {
        let level = node.level();
        edge = if level < one {
            node.child(WITHOUT)
        } else if level == one {
            one = next_one(key, one + 1);
            node.child(WITH)
        } else {
            return false;
        };
    }
    one == NONE && trees.get_node(edge).is_terminal(&true)
}

/// Copies a diagram to other trees, where levels are at another place.
fn copy<A, B>(
    trees: &A,
    root: Ref<'_, A::Edge>,
    ids: usize,
    others: &B,
    ledger: &mut Ledger,
    place: impl Fn(LevelNo) -> LevelNo,
) -> Result<Own<B::Edge>, Stop>
where
    A: Manager<Terminal = bool>,
    B: Manager<Terminal = bool>,
{
    let mut copies: Vec<Option<Own<B::Edge>>> = Vec::with_capacity(ids);
    copies.resize_with(ids, || None);
    let mut copy_all = || {
        for member in [false, true] {
            let old = leaf(trees, member)?;
            copies[old.node_id()] = Some(leaf(others, member)?);
            trees.drop_edge(old);
        }
        for level in (0..trees.num_levels()).rev() {
            for edge in trees.level(level).iter() {
                let Some(node) = inner(trees, edge) else { continue };
                let child =
                    |index| copies[node.child(index).node_id()].as_ref().map(|it| others.clone_edge(it.borrowed()));
                let (Some(with), Some(without)) = (child(WITH), child(WITHOUT)) else {
                    unreachable!("children are below and were copied")
                };
                copies[edge.node_id()] = Some(make(others, ledger, place(level), with, without)?);
            }
        }
        Ok(())
    };
    let copied = copy_all();
    let copy = copies[root.node_id()].as_ref().map(|edge| others.clone_edge(edge.borrowed()));
    copies.into_iter().flatten().for_each(|edge| others.drop_edge(edge));
    match (copied, copy) {
        (Ok(()), Some(copy)) => Ok(copy),
        (copied, copy) => {
            copy.into_iter().for_each(|edge| others.drop_edge(edge));
            Err(copied.err().unwrap_or(Stop::Full))
        }
    }
}
