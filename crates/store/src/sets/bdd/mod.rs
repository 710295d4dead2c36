//! An exact set as a diagram: a decision diagram over the bits of the codes.
//!
//! Visser 1996 ("Memory efficient state storage in SPIN") keeps the visited states as one ordered binary decision diagram.
//! Here it is a zero-suppressed one (Minato 1993), in which a bit that is zero costs nothing: states are sparse, few of
//! their bits are ones, and there are three to ten times fewer nodes than with his, where a bit that may be both costs
//! nothing. Nodes are kept by OxiDD (Husung, Dubslaff, Hermanns & Köhl 2024).
//!
//! A code is looked for along a way from the root; no diagram is made for it. New codes first go to a small hash table
//! beside the diagram; when it is full, they are sorted and added together, in one pass over the part of the diagram that they change.
//! The table grows with the diagram, to a sixteenth of its nodes.
//!
//! Invariant: the set is what is in the diagram and in the table, and nothing is new that is in either. A refusal leaves
//! both as they were: where the diagram may not grow, the table does, and refuses when that may not grow either.
//!
//! Bytes per state: what the regularity of the state space allows; a node takes 16 bytes and 11 to 32 of table, half as
//! many again are garbage. On models of protocols that is a tenth of a node to some nodes per state. It is best after
//! `compress` or `collapse`, which make codes short. The order of bits matters: `--bdd-order`.
//!
//! Exact, but members have no ids and cannot be read, so that breadth-first search needs a queue. Several times slower
//! than `hash`, and mostly larger than `mdd`, which sees bytes where this one sees bits: not for state spaces that fit
//! into those.

mod add;
mod diagram;
mod forest;
mod key;
mod ledger;
#[cfg(test)]
mod tests;

use super::HashTable;
use diagram::Diagram;
use key::{Keys, words_for};
use std::sync::Arc;
use tightrope_core::{Budget, Claim, Edge, Found, Refused, StateId, Store};

pub use key::VariableOrder;

/// No bit, and the level of what has none.
const NONE: u32 = u32::MAX;
/// How many new codes are added together at first.
const FIRST_TOGETHER: u64 = 32;
/// And when there are more; or one for so many nodes.
const TOGETHER: u64 = 1024;
const NODES_FOR_ONE: u64 = 16;

/// An exact set of byte strings that cannot give them back.
pub struct Bdd {
    order: VariableOrder,
    /// Made when the first codes are added to it.
    diagram: Option<Diagram>,
    /// What is not in the diagram yet.
    fresh: HashTable,
    /// How many of them are added together.
    together: u64,
    /// How many there were when they could not be added.
    stuck: u64,
    /// The width of the widest key.
    words: usize,
    len: u64,
    key: Vec<u64>,
    budget: Arc<Budget>,
}

impl Bdd {
    /// An empty set, whose diagram asks for bits in that order.
    pub fn new(order: VariableOrder, budget: &Arc<Budget>) -> Self {
        Bdd {
            order,
            diagram: None,
            fresh: HashTable::new(budget),
            together: FIRST_TOGETHER,
            stuck: 0,
            words: 0,
            len: 0,
            key: Vec::new(),
            budget: budget.clone(),
        }
    }

    /// An order by its name; the first one for none.
    pub fn order(name: Option<&str>) -> Result<VariableOrder, String> {
        let Some(name) = name else { return Ok(VariableOrder::Vector) };
        VariableOrder::ALL.iter().find(|known| known.0 == name).map(|known| known.1).ok_or_else(|| {
            let names = VariableOrder::ALL.map(|known| known.0).join(", ");
            format!("there is no order `{name}` of the bits of a diagram; there is {names}")
        })
    }

    fn is_in_diagram(&mut self, code: &[u8]) -> bool {
        let Some(diagram) = self.diagram.as_ref().filter(|diagram| words_for(code) <= diagram.words()) else {
            return false;
        };
        self.order.key(code, diagram.words(), &mut self.key);
        diagram.contains(&self.key)
    }

    /// Adds what is in the table to the diagram: all of it or nothing.
    fn settle(&mut self) -> Result<(), Refused> {
        let settled = self.add_fresh();
        match settled {
            Ok(nodes) => {
                self.fresh = HashTable::new(&self.budget);
                self.stuck = 0;
                self.together = (2 * self.together).min(TOGETHER.max(nodes / NODES_FOR_ONE));
            }
            Err(_) => {
                self.stuck = self.fresh.len();
                self.together = 2 * self.stuck;
            }
        }
        settled.map(|_| ())
    }

    /// The nodes that there are afterwards.
    fn add_fresh(&mut self) -> Result<u64, Refused> {
        let diagram = match &mut self.diagram {
            Some(diagram) => diagram,
            none => none.insert(Diagram::new(self.words, &self.budget)?),
        };
        if diagram.words() < self.words {
            diagram.widen(self.order, self.words)?;
        }
        let keys = Keys::new(&mut self.fresh, self.order, self.words, &self.budget)?;
        diagram.add(&keys)?;
        Ok(diagram.live() as u64)
    }

    fn insert_fresh(&mut self, code: &[u8]) -> Result<Found, Refused> {
        match self.fresh.insert(code, None) {
            // There may be room for it if the others go, as long as that is not for a few.
            Err(refused) if self.fresh.len() > self.stuck.max(self.together / 8) => {
                self.settle().map_err(|_| refused)?;
                self.fresh.insert(code, None)
            }
            found => found,
        }
    }
}

impl Store for Bdd {
    fn insert(&mut self, code: &[u8], _via: Option<Edge>) -> Result<Found, Refused> {
        if self.is_in_diagram(code) {
            return Ok(Found::Seen(StateId::NAMELESS));
        }
        let Found::New(_) = self.insert_fresh(code)? else { return Ok(Found::Seen(StateId::NAMELESS)) };
        self.words = self.words.max(words_for(code));
        self.len += 1;
        if self.fresh.len() >= self.together {
            // It is a member whether or not the diagram may grow.
            let _ = self.settle();
        }
        Ok(Found::New(StateId::NAMELESS))
    }

    fn len(&self) -> u64 {
        self.len
    }

    fn bytes(&self) -> u64 {
        self.fresh.bytes() + self.diagram.as_ref().map_or(0, Diagram::bytes)
    }

    fn claim(&self) -> Claim {
        Claim::Exact
    }

    fn nodes(&mut self) -> Option<u64> {
        if !self.fresh.is_empty() {
            // If it may not grow, those of the diagram there is are told.
            let _ = self.settle();
        }
        let Some(diagram) = &mut self.diagram else { return Some(0) };
        diagram.collect();
        Some(diagram.live() as u64)
    }
}
