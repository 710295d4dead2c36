//! Tree compression: a tree of pairs over each state, with all nodes shared.
//!
//! A state is cut into leaves, and these are joined pairwise ([`TreeShape`]). Every leaf and every pair of numbers is kept
//! once, for each place of the tree, and has a number there ([`Nodes`]); a state is the pair of numbers of its halves.
//! That pair is its id, and all that is kept for it alone is what tells it from other pairs ([`Roots`]). Blom, Lisser,
//! van de Pol & Weber 2008 ("A database approach to distributed state space generation"), Laarman, van de Pol & Weber
//! 2011 ("Parallel recursive state compression for free"); with a compact set of roots, van der Vegt & Laarman 2011.
//!
//! Invariants: nodes are never changed or removed, so that an id tells its state at any time. Whether a state is kept
//! in this way or in full depends on the state and on what came before it, never on what comes after: bytes that
//! do not have the form of a state, a state of the 512th process list or later, and one whose halves have numbers too
//! great for an id are kept as they are, by a [`HashTable`].
//!
//! Bytes per state: one to three for the root, and the nodes, of which there are fewer than states by one or two orders
//! of magnitude where the halves of a state depend little on each other; two to seven together. Searches take one and a
//! half times to twice as long as with [`HashTable`]. Ids do not grow: the store is not ordered. Not where states have hardly
//! anything in common, nor for less than some ten thousand of them.

mod flat;
mod insert;
mod nodes;
mod roots;
mod shape;
#[cfg(test)]
mod tests;

use crate::HashTable;
use crate::encodings::process_list::{ProcessList, ProcessLists};
use crate::memory::quotient::ones;
use insert::Lookup;
use nodes::Nodes;
use roots::Roots;
use rustc_hash::FxHashMap;
use shape::TreeShape;
use std::sync::Arc;
use tightrope_core::{Budget, Claim, Edge, Found, Parent, Refused, Reservation, Schema, StateId, Store, Successors};

/// The id of a state that is kept in full; its id there is the rest.
const FULL: u64 = 1 << 63;
/// The bits of an id for the list of processes, where there are any.
const LIST_BITS: u32 = 9;
/// The least memory that the system gives.
const PAGE: usize = 4096;

/// States as trees.
pub struct Tree {
    schema: Arc<Schema>,
    lists: ProcessLists,
    /// What there is for each list; none for those whose states are kept in full.
    plans: Vec<Option<Plan>>,
    nodes: Vec<Nodes>,
    /// Which of the nodes stand at a place of the tree and have so many words; none for joins.
    nodes_at: FxHashMap<(u64, usize), u32>,
    full: HashTable,
    /// The bits of an id for each half.
    half_bits: u32,
    /// Room for the numbers of the nodes of a state.
    numbers: Vec<u32>,
    lookup: Vec<Lookup>,
    reservation: Reservation,
}

/// The tree of the states with one process list.
struct Plan {
    shape: TreeShape,
    /// Where the nodes are that the shape has places for: for the leaves, and then the joins.
    nodes: Vec<u32>,
    roots: Roots,
    /// The length of a state.
    len: usize,
    /// A state with this list and zeros for everything else; at least eight bytes.
    blank: Vec<u8>,
    last: Last,
}

/// The state with this list that was looked for last: the next one will have most of its nodes. Of no use, and empty, where
/// the halves are leaves.
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
    /// Of the halves that are joins, what they join, and the hashes.
    pairs: [u64; 2],
    hashes: [u64; 2],
}

/// The place and the words of every node of a shape: of the leaves, and then the joins, for which there is no number.
fn kinds(shape: &TreeShape) -> impl Iterator<Item = (u64, usize)> + '_ {
    let leaves = shape.leaves.iter().map(|leaf| (leaf.place, leaf.words.len().max(1)));
    leaves.chain(shape.joins.iter().map(|join| (join.place, 0)))
}

impl Tree {
    /// An empty store for states of that schema.
    pub fn new(schema: &Arc<Schema>, budget: &Arc<Budget>) -> Self {
        Tree {
            schema: schema.clone(),
            lists: ProcessLists::new(schema, budget),
            plans: Vec::new(),
            nodes: Vec::new(),
            nodes_at: FxHashMap::default(),
            full: HashTable::new(budget),
            half_bits: if schema.kinds.is_empty() { 31 } else { (63 - LIST_BITS) / 2 },
            numbers: Vec::new(),
            lookup: Vec::new(),
            reservation: Reservation::new(budget.clone()),
        }
    }

    /// About what it takes before there is a state in it, with one process of each kind.
    pub fn fixed_bytes(schema: &Schema) -> u64 {
        let bodies: u32 = schema.kinds.iter().map(|kind| kind.size).sum();
        let leaves = (schema.fixed_size + bodies) as usize / 24 + 2;
        (2 * leaves * (size_of::<Nodes>() + 128 + 2 * PAGE)) as u64
    }

    /// Makes plans up to that of the list of that number.
    #[cold]
    fn plan_up_to(&mut self, list: u32) -> Result<(), Refused> {
        while self.plans.len() <= list as usize {
            let number = self.plans.len();
            let shape = if number < 1 << LIST_BITS { self.shape(number as u32)? } else { None };
            let plan = shape.map(|shape| self.plan(shape, number as u32)).transpose()?;
            self.plans.push(plan);
        }
        Ok(())
    }

    /// The shape of the states with a list, if there is memory for it: of very large states it takes much.
    fn shape(&mut self, list: u32) -> Result<Option<TreeShape>, Refused> {
        let list = self.lists.get(list);
        let (meanwhile, lasting) = TreeShape::most_bytes(&self.schema, list);
        self.reservation.take(meanwhile + lasting)?;
        let shape = TreeShape::new(&self.schema, list);
        let bytes = shape.as_ref().map_or(0, TreeShape::bytes);
        self.reservation.give_back(meanwhile + lasting.saturating_sub(bytes));
        self.reservation.take(bytes.saturating_sub(lasting))?;
        Ok(shape)
    }

    fn plan(&mut self, shape: TreeShape, list: u32) -> Result<Plan, Refused> {
        let ProcessList { len, bytes, .. } = self.lists.get(list);
        let count = shape.leaves.len() + shape.joins.len();
        let words: usize = shape.leaves.iter().map(|leaf| leaf.words.len()).sum();
        let new = kinds(&shape).filter(|kind| !self.nodes_at.contains_key(kind)).count();
        // Nodes and roots are in memory of their own, none of which is less than a page.
        let each = size_of::<Nodes>() + 128 + 2 * PAGE;
        let taken = size_of::<Plan>() + PAGE + len + 8 * words + 16 * count + new * each;
        self.reservation.take(taken as u64)?;
        let mut blank = vec![0; (*len).max(8)];
        let processes = self.schema.fixed_size as usize;
        blank[processes..processes + bytes.len()].copy_from_slice(bytes);
        let len = *len;
        let mut last = Last::default();
        if !shape.joins.is_empty() {
            last = Last { words: vec![0; words], numbers: vec![0; count], differs: vec![true; count], ..last };
        }
        let nodes = self.places(&shape);
        Ok(Plan { shape, nodes, roots: Roots::new(self.reservation.budget()), len, blank, last })
    }

    /// Where the nodes are that a shape has places for.
    fn places(&mut self, shape: &TreeShape) -> Vec<u32> {
        let mut number_of = |kind: (u64, usize)| {
            *self.nodes_at.entry(kind).or_insert_with(|| {
                self.nodes.push(Nodes::new(kind.1, self.reservation.budget()));
                self.nodes.len() as u32 - 1
            })
        };
        kinds(shape).map(&mut number_of).collect()
    }

    #[cold]
    fn read_in_full(&mut self, id: StateId, out: &mut Vec<u8>) -> bool {
        self.full.read(StateId(id.0 & !FULL), out)
    }
}

impl Store for Tree {
    fn insert(&mut self, state: &[u8], _via: Option<Edge>) -> Result<Found, Refused> {
        self.insert_one(state)
    }

    fn insert_all(&mut self, steps: &Successors, _parents: &[Parent], found: &mut Vec<Found>) -> Result<(), Refused> {
        self.insert_steps(steps, found)
    }

    fn read(&mut self, id: StateId, out: &mut Vec<u8>) -> bool {
        out.clear();
        if id.0 & FULL != 0 {
            return self.read_in_full(id, out);
        }
        let list = id.0 >> (2 * self.half_bits);
        let Some(Some(Plan { shape, nodes, len, blank, .. })) = self.plans.get(list as usize) else { return false };
        out.extend_from_slice(blank);
        let leaves = shape.leaves.len();
        let halves = [id.0 >> self.half_bits & ones(self.half_bits), id.0 & ones(self.half_bits)];
        if shape.joins.is_empty() {
            for ((leaf, &nodes), number) in shape.leaves.iter().zip(nodes).zip(halves) {
                leaf.put(self.nodes[nodes as usize].words(number as u32), out);
            }
            out.truncate(*len);
            return true;
        }
        self.numbers.clear();
        self.numbers.resize(nodes.len(), 0);
        for (&position, number) in shape.halves.iter().zip(halves) {
            self.numbers[position] = number as u32;
        }
        for (position, join) in shape.joins.iter().enumerate().rev() {
            let pair = self.nodes[nodes[leaves + position] as usize].words(self.numbers[leaves + position])[0];
            self.numbers[join.halves[0]] = (pair >> 32) as u32;
            self.numbers[join.halves[1]] = pair as u32;
        }
        for ((leaf, &nodes), &number) in shape.leaves.iter().zip(nodes).zip(&self.numbers) {
            leaf.put(self.nodes[nodes as usize].words(number), out);
        }
        out.truncate(*len);
        true
    }

    fn len(&self) -> u64 {
        self.plans.iter().flatten().map(|plan| plan.roots.len()).sum::<u64>() + self.full.len()
    }

    fn bytes(&self) -> u64 {
        let roots: u64 = self.plans.iter().flatten().map(|plan| plan.roots.bytes()).sum();
        let nodes: u64 = self.nodes.iter().map(Nodes::bytes).sum();
        roots + nodes + self.full.bytes() + self.lists.bytes() + self.reservation.bytes()
    }

    fn claim(&self) -> Claim {
        Claim::Exact
    }

    fn can_read(&self) -> bool {
        true
    }
}
