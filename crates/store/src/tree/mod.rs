//! A tree of pairs over each state, with all nodes shared.
//!
//! A state is cut into leaves, and these are joined pairwise ([`Shape`]). Every leaf and every pair of numbers is kept
//! once, for each place of the tree, and has a number there ([`Nodes`]); a state is the pair of numbers of its halves.
//! That pair is its id, and all that is kept for it alone is what tells it from other pairs ([`Roots`]). Blom, Lisser,
//! van de Pol & Weber 2008 ("A database approach to distributed state space generation"), Laarman, van de Pol & Weber
//! 2011 ("Parallel recursive state compression for free"); with a compact set of roots, van der Vegt & Laarman 2011.
//!
//! Invariants: nodes are never changed or removed, so that an id tells its state at any time. Whether a state is kept
//! in this way or in full depends on the state and on what came before it, never on what comes after: a state that
//! breaks the promises of the schema, one of the 512th process list or later, and one whose halves have numbers too
//! great for an id are kept as they are, by a [`Hash`].
//!
//! Bytes per state: one to three for the root, and the nodes, of which there are fewer than states by one or two orders
//! of magnitude where the halves of a state depend little on each other; two to four together. Searches take about
//! twice as long as with [`Hash`]. Ids do not grow: the store is not ordered. Not where states have hardly anything in
//! common, nor for less than some ten thousand of them.

mod bucket;
mod form;
mod insert;
mod keys;
mod nodes;
mod places;
mod roots;
mod select;
mod shape;
mod spill;
#[cfg(test)]
mod tests;

use crate::list::Lists;
use crate::squeeze::Squeeze;
use crate::{Hash, Set};
use form::ones;
use insert::Wanted;
use keys::{Pairs, Strings, Wide};
use nodes::Nodes;
use roots::Roots;
use rustc_hash::FxHashMap;
use shape::Shape;
use std::sync::Arc;
use tightrope_core::{Budget, Claim, Edge, Found, Holding, OverBudget, Parent, Schema, StateId, Store, Successors};

/// The id of a state that is kept in full; its id there is the rest.
const FULL: u64 = 1 << 63;
/// The bits of an id for the list of processes, where there are any.
const LIST_BITS: u32 = 9;

/// States as trees.
pub struct Tree {
    schema: Schema,
    lists: Lists,
    /// What there is for each list; none for those whose states are kept in full.
    plans: Vec<Option<Plan>>,
    leaves: Vec<Nodes<Strings>>,
    joins: Vec<Nodes<Pairs>>,
    /// Which of the leaves stand at a place of the tree and have so many bits.
    leaves_at: FxHashMap<(u64, u32), u32>,
    /// Which of the joins stand at a place of the tree.
    joins_at: FxHashMap<u64, u32>,
    full: Hash,
    /// The bits of an id for each half.
    half_bits: u32,
    /// Room for the numbers of the nodes of a state.
    numbers: Vec<u32>,
    wanted: Vec<Wanted>,
    holding: Holding,
}

/// The tree of the states with one process list.
struct Plan {
    shape: Shape,
    /// Where the nodes are that the shape has places for: for the leaves, and then the joins.
    nodes: Vec<u32>,
    roots: Roots,
    /// The length of a state.
    len: usize,
    last: Last,
}

/// The state with this list that was looked for last: the next one will have most of its nodes.
#[derive(Default)]
struct Last {
    /// Whether there is one.
    is_there: bool,
    /// Its words, for all leaves.
    words: Vec<u64>,
    /// The numbers of its nodes, those of the halves excepted.
    numbers: Vec<u32>,
    /// Whether it differs in a node from the one before.
    differs: Vec<bool>,
    /// The keys of its halves, and their hashes.
    keys: [Wide; 2],
    hashes: [u64; 2],
}

impl Tree {
    /// An empty store for states of this form.
    pub fn new(schema: &Schema, budget: &Arc<Budget>) -> Self {
        Tree {
            schema: schema.clone(),
            lists: Lists::new(schema, budget),
            plans: Vec::new(),
            leaves: Vec::new(),
            joins: Vec::new(),
            leaves_at: FxHashMap::default(),
            joins_at: FxHashMap::default(),
            full: Hash::new(budget),
            half_bits: if schema.kinds.is_empty() { 31 } else { (63 - LIST_BITS) / 2 },
            numbers: Vec::new(),
            wanted: Vec::new(),
            holding: Holding::new(budget.clone()),
        }
    }

    /// Makes plans up to that of the list of that number.
    #[cold]
    fn plan_up_to(&mut self, list: u32) -> Result<(), OverBudget> {
        while self.plans.len() <= list as usize {
            let number = self.plans.len();
            let mut plan = None;
            if number < 1 << LIST_BITS {
                let list = self.lists.get(number as u32);
                if let Some(shape) = Shape::new(&self.schema, list) {
                    plan = Some((shape, list.len));
                }
            }
            let plan = plan.map(|(shape, len)| self.plan(shape, len)).transpose()?;
            self.plans.push(plan);
        }
        Ok(())
    }

    fn plan(&mut self, shape: Shape, len: usize) -> Result<Plan, OverBudget> {
        let count = shape.leaves.len() + shape.joins.len();
        let words: usize = shape.leaves.iter().map(|leaf| leaf.words.len()).sum();
        let each = size_of::<Nodes<Strings>>() + 128;
        let bytes = (size_of::<Plan>() + words * (size_of::<Squeeze>() + 8) + count * each) as u64;
        self.holding.take(bytes)?;
        let nodes = match self.places(&shape) {
            Ok(nodes) => nodes,
            Err(refused) => {
                self.holding.give_back(bytes);
                return Err(refused);
            }
        };
        let last =
            Last { words: vec![0; words], numbers: vec![0; count], differs: vec![true; count], ..Last::default() };
        Ok(Plan { shape, nodes, roots: Roots::new(self.holding.budget()), len, last })
    }

    /// Where the nodes are that a shape has places for.
    fn places(&mut self, shape: &Shape) -> Result<Vec<u32>, OverBudget> {
        let budget = self.holding.budget();
        let mut nodes = Vec::new();
        for leaf in &shape.leaves {
            let next = self.leaves.len() as u32;
            let number = *self.leaves_at.get(&(leaf.place, leaf.bits())).unwrap_or(&next);
            if number == next {
                self.leaves.push(Nodes::new(Strings::new(leaf.bits()), budget)?);
                self.leaves_at.insert((leaf.place, leaf.bits()), number);
            }
            nodes.push(number);
        }
        for join in &shape.joins {
            let next = self.joins.len() as u32;
            let number = *self.joins_at.get(&join.place).unwrap_or(&next);
            if number == next {
                self.joins.push(Nodes::new(Pairs::new(), budget)?);
                self.joins_at.insert(join.place, number);
            }
            nodes.push(number);
        }
        Ok(nodes)
    }
}

impl Store for Tree {
    fn insert(&mut self, state: &[u8], _via: Option<Edge>) -> Result<Found, OverBudget> {
        self.insert_one(state)
    }

    fn insert_all(
        &mut self,
        steps: &Successors,
        _parents: &[Parent],
        found: &mut Vec<Found>,
    ) -> Result<(), OverBudget> {
        self.insert_steps(steps, found)
    }

    fn read(&mut self, id: StateId, out: &mut Vec<u8>) -> bool {
        out.clear();
        if id.0 & FULL != 0 {
            let Some(state) = self.full.read(StateId(id.0 & !FULL), &mut Vec::new()).map(<[u8]>::to_vec) else {
                return false;
            };
            out.extend_from_slice(&state);
            return true;
        }
        let list = id.0 >> (2 * self.half_bits);
        let Some(Some(Plan { shape, nodes, len, .. })) = self.plans.get(list as usize) else { return false };
        let leaves = shape.leaves.len();
        self.numbers.clear();
        self.numbers.resize(nodes.len(), 0);
        self.numbers[shape.halves[0]] = (id.0 >> self.half_bits & ones(self.half_bits)) as u32;
        self.numbers[shape.halves[1]] = (id.0 & ones(self.half_bits)) as u32;
        for (position, join) in shape.joins.iter().enumerate().rev() {
            let key = self.joins[nodes[leaves + position] as usize].key(self.numbers[leaves + position]);
            self.numbers[join.halves[0]] = (key >> 32) as u32;
            self.numbers[join.halves[1]] = key as u32;
        }
        out.resize(len + 8, 0);
        for (position, leaf) in shape.leaves.iter().enumerate() {
            let key = self.leaves[nodes[position] as usize].key(self.numbers[position]);
            leaf.stretch(key, out);
        }
        out.truncate(*len);
        let processes = &self.lists.get(list as u32).bytes;
        out[self.schema.fixed_size as usize..][..processes.len()].copy_from_slice(processes);
        true
    }

    fn len(&self) -> u64 {
        self.plans.iter().flatten().map(|plan| plan.roots.len()).sum::<u64>() + self.full.len()
    }

    fn bytes(&self) -> u64 {
        let roots: u64 = self.plans.iter().flatten().map(|plan| plan.roots.bytes()).sum();
        let leaves: u64 = self.leaves.iter().map(Nodes::bytes).sum();
        let joins: u64 = self.joins.iter().map(Nodes::bytes).sum();
        roots + leaves + joins + self.full.bytes() + self.lists.bytes() + self.holding.bytes()
    }

    fn claim(&self) -> Claim {
        Claim::Exact
    }

    fn can_read(&self) -> bool {
        true
    }
}
