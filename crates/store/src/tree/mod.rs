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
//! Bytes per state: one to three for the root, and the nodes, of which there are fewer than states by some orders of
//! magnitude where the halves of the state do not depend much on each other. Ids do not grow: the store is not ordered. Not
//! where states have hardly anything in common, nor for less than some ten thousand of them.

mod bucket;
mod form;
mod keys;
mod nodes;
mod roots;
mod select;
mod shape;
mod spill;

use crate::list::Lists;
use crate::squeeze::Squeeze;
use crate::{Hash, Set};
use form::ones;
use nodes::{KEY, Nodes};
use roots::{Roots, Sought};
use rustc_hash::FxHashMap;
use shape::{Shape, load};
use std::sync::Arc;
use tightrope_core::{
    Budget, Claim, Edge, Found, Holding, OverBudget, Parent, Schema, StateId, Store, Successor, Successors,
};

/// How many states are looked for together.
const TOGETHER: usize = 128;
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
    nodes: Vec<Nodes>,
    /// Which of the nodes stand at a place of the tree, and are leaves or not.
    by_place: FxHashMap<(u64, bool), u32>,
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
    halves: [Half; 2],
}

/// A state that is looked for.
#[derive(Clone, Copy)]
struct Wanted {
    way: Way,
    halves: [Half; 2],
    sought: Sought,
}

#[derive(Clone, Copy)]
enum Way {
    /// There is none.
    Nowhere,
    /// As a tree, with the list of that number.
    Tree(u32),
    Full,
}

/// Half of a state: its number, or the key by which that is found.
#[derive(Clone, Copy)]
enum Half {
    Number(u32),
    Key(u64),
    /// A key, and a number that is probably the one.
    Guess(u64, u32),
}

impl Default for Half {
    fn default() -> Self {
        Half::Number(0)
    }
}

impl Tree {
    /// An empty store for states of this form.
    pub fn new(schema: &Schema, budget: &Arc<Budget>) -> Self {
        Tree {
            schema: schema.clone(),
            lists: Lists::new(schema, budget),
            plans: Vec::new(),
            nodes: Vec::new(),
            by_place: FxHashMap::default(),
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
        let leaves = shape.leaves.iter().map(|leaf| (leaf.place, true));
        let places = leaves.chain(shape.joins.iter().map(|join| (join.place, false)));
        let count = shape.leaves.len() + shape.joins.len();
        let words: usize = shape.leaves.iter().map(|leaf| leaf.words.len()).sum();
        let bytes = size_of::<Plan>() + words * (size_of::<Squeeze>() + 8) + count * (size_of::<Nodes>() + 128);
        self.holding.take(bytes as u64)?;
        let mut nodes = Vec::with_capacity(count);
        for place in places {
            let number = match self.by_place.get(&place) {
                Some(&number) => number,
                None => {
                    match Nodes::new(self.holding.budget()) {
                        Ok(nodes) => self.nodes.push(nodes),
                        Err(refused) => {
                            self.holding.give_back(bytes as u64);
                            return Err(refused);
                        }
                    }
                    let number = self.nodes.len() as u32 - 1;
                    self.by_place.insert(place, number);
                    number
                }
            };
            nodes.push(number);
        }
        let last =
            Last { words: vec![0; words], numbers: vec![0; count], differs: vec![true; count], ..Last::default() };
        Ok(Plan { shape, nodes, roots: Roots::new(self.holding.budget()), len, last })
    }

    /// Finds or makes the nodes of a state but those of the halves, and brings near what will be looked at then.
    #[inline]
    fn prepare(&mut self, state: &[u8]) -> Result<Wanted, OverBudget> {
        let full = Wanted { way: Way::Full, halves: [Half::Number(0); 2], sought: Sought::default() };
        let Some(list) = self.lists.find(state)? else { return Ok(full) };
        if list as usize >= self.plans.len() {
            self.plan_up_to(list)?;
        }
        let Some(plan) = &mut self.plans[list as usize] else { return Ok(full) };
        let Plan { shape, nodes, last, .. } = plan;
        let all_new = !std::mem::replace(&mut last.is_there, false);
        let mut words = last.words.iter_mut();
        for (position, leaf) in shape.leaves.iter().enumerate() {
            let mut difference = 0;
            for (squeeze, last) in leaf.words.iter().zip(&mut words) {
                let word = load(state, squeeze.offset as usize) & squeeze.own();
                difference |= word ^ std::mem::replace(last, word);
            }
            last.differs[position] = difference != 0 || all_new;
            if !last.differs[position] {
                continue;
            }
            let nodes = &mut self.nodes[nodes[position] as usize];
            // A single word need not be squeezed to be recognised.
            let (word, asker) = match &leaf.words[..] {
                [word] => (load(state, word.offset as usize) & word.own(), list),
                _ => match leaf.squeeze(state) {
                    Some(key) => (key, KEY),
                    None => return Ok(full),
                },
            };
            last.numbers[position] = match nodes.recall(word, asker) {
                Some(number) => number,
                None => {
                    let key = if asker == KEY { Some(word) } else { leaf.squeeze(state) };
                    let Some(key) = key else { return Ok(full) };
                    let number = nodes.number(key)?;
                    nodes.note(word, asker, number);
                    number
                }
            };
        }
        let leaves = shape.leaves.len();
        for (position, join) in shape.joins.iter().enumerate() {
            let position = position + leaves;
            let [left, right] = join.halves;
            last.differs[position] = last.differs[left] | last.differs[right];
            if !last.differs[position] {
                continue;
            }
            let key = u64::from(last.numbers[left]) << 32 | u64::from(last.numbers[right]);
            let nodes = &mut self.nodes[nodes[position] as usize];
            let known = nodes.recall(key, KEY);
            if position == shape.halves[0] || position == shape.halves[1] {
                let half = &mut last.halves[usize::from(position == shape.halves[1])];
                *half = known.map_or(Half::Key(key), Half::Number);
                if known.is_none() {
                    nodes.prefetch(key);
                }
                continue;
            }
            last.numbers[position] = match known {
                Some(number) => number,
                None => {
                    let number = nodes.number(key)?;
                    nodes.note(key, KEY, number);
                    number
                }
            };
        }
        for (half, &position) in last.halves.iter_mut().zip(&shape.halves) {
            if position < leaves {
                *half = Half::Number(last.numbers[position]);
            }
        }
        last.is_there = true;
        Ok(Wanted { way: Way::Tree(list), halves: last.halves, sought: Sought::default() })
    }

    /// Guesses the nodes of the halves, and brings near what will be looked at to be sure.
    #[inline]
    fn guess(&self, wanted: &mut Wanted, before: &mut [u64; 2]) {
        let Way::Tree(list) = wanted.way else { return };
        let Some(plan) = &self.plans[list as usize] else { return };
        for ((half, &position), before) in wanted.halves.iter_mut().zip(&plan.shape.halves).zip(before) {
            if let Half::Key(key) = *half
                && std::mem::replace(before, key) != key
                && let Some(number) = self.nodes[plan.nodes[position] as usize].guess(key)
            {
                *half = Half::Guess(key, number);
            }
        }
    }

    /// Finds or makes the nodes of the halves, and brings near what will be looked at to find the root.
    #[inline]
    fn halve(&mut self, wanted: &mut Wanted) -> Result<(), OverBudget> {
        let Way::Tree(list) = wanted.way else { return Ok(()) };
        let Some(plan) = &self.plans[list as usize] else { return Ok(()) };
        let mut numbers = [0; 2];
        for ((half, &position), number) in wanted.halves.iter_mut().zip(&plan.shape.halves).zip(&mut numbers) {
            *number = match *half {
                Half::Number(number) => number,
                Half::Key(key) | Half::Guess(key, _) => {
                    let nodes = &mut self.nodes[plan.nodes[position] as usize];
                    let number = match (*half, nodes.recall(key, KEY)) {
                        (_, Some(number)) => number,
                        (Half::Guess(_, number), _) if nodes.key(number) == key => number,
                        _ => nodes.number(key)?,
                    };
                    nodes.note(key, KEY, number);
                    *half = Half::Number(number);
                    number
                }
            };
        }
        if numbers.iter().any(|&number| u64::from(number) >> self.half_bits != 0) {
            wanted.way = Way::Full;
        } else {
            wanted.sought = plan.roots.prefetch(numbers[0].into(), numbers[1].into());
        }
        Ok(())
    }

    /// Finds or makes the root.
    #[inline]
    fn root(&mut self, wanted: &Wanted, state: &[u8]) -> Result<Found, OverBudget> {
        let plan = match wanted.way {
            Way::Nowhere => return Ok(Found::Undecided),
            Way::Tree(list) => self.plans[list as usize].as_mut().map(|plan| (list, plan)),
            Way::Full => None,
        };
        let (Some((list, plan)), [Half::Number(left), Half::Number(right)]) = (plan, wanted.halves) else {
            return Ok(match self.full.insert(state)? {
                Found::New(StateId(place)) => Found::New(StateId(FULL | place)),
                Found::Seen(StateId(place)) => Found::Seen(StateId(FULL | place)),
                Found::Undecided => Found::Undecided,
            });
        };
        let (left, right) = (u64::from(left), u64::from(right));
        let id = StateId((u64::from(list) << self.half_bits | left) << self.half_bits | right);
        Ok(if plan.roots.insert(left, right, wanted.sought)? { Found::New(id) } else { Found::Seen(id) })
    }

    /// Remembers states, not too many.
    fn insert_together(&mut self, bytes: &[u8], steps: &[Successor], found: &mut Vec<Found>) -> Result<(), OverBudget> {
        let state_of = |step: &Successor| bytes.get(step.start as usize..step.end as usize).unwrap_or_default();
        let mut all = std::mem::take(&mut self.wanted);
        all.clear();
        let mut result = Ok(());
        for step in steps {
            let wanted = match step.start {
                Successor::NONE => {
                    Ok(Wanted { way: Way::Nowhere, halves: [Half::Number(0); 2], sought: Sought::default() })
                }
                _ => self.prepare(state_of(step)),
            };
            match wanted {
                Ok(wanted) => all.push(wanted),
                Err(refused) => {
                    result = Err(refused);
                    break;
                }
            }
        }
        let mut before = [0; 2];
        all.iter_mut().for_each(|wanted| self.guess(wanted, &mut before));
        // Those before the one that was refused have their answers.
        for at in 0..all.len() {
            if let Err(refused) = self.halve(&mut all[at]) {
                all.truncate(at);
                result = Err(refused);
                break;
            }
        }
        for (wanted, step) in all.iter().zip(steps) {
            match self.root(wanted, state_of(step)) {
                Ok(answer) => found.push(answer),
                Err(refused) => {
                    result = Err(refused);
                    break;
                }
            }
        }
        self.wanted = all;
        result
    }
}

impl Store for Tree {
    fn insert(&mut self, state: &[u8], _via: Option<Edge>) -> Result<Found, OverBudget> {
        let mut wanted = self.prepare(state)?;
        self.halve(&mut wanted)?;
        self.root(&wanted, state)
    }

    fn insert_all(
        &mut self,
        steps: &Successors,
        _parents: &[Parent],
        found: &mut Vec<Found>,
    ) -> Result<(), OverBudget> {
        steps.items.chunks(TOGETHER).try_for_each(|chunk| self.insert_together(&steps.bytes, chunk, found))
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
            let key = self.nodes[nodes[leaves + position] as usize].key(self.numbers[leaves + position]);
            self.numbers[join.halves[0]] = (key >> 32) as u32;
            self.numbers[join.halves[1]] = key as u32;
        }
        out.resize(len + 8, 0);
        for (position, leaf) in shape.leaves.iter().enumerate() {
            let key = self.nodes[nodes[position] as usize].key(self.numbers[position]);
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
        let nodes: u64 = self.nodes.iter().map(Nodes::bytes).sum();
        roots + nodes + self.full.bytes() + self.lists.bytes() + self.holding.bytes()
    }

    fn claim(&self) -> Claim {
        Claim::Exact
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tightrope_core::{Component, Field, Format, ProcessKind, Repr, Step};

    fn fields(list: &[(Repr, i32, i32)]) -> (Vec<Field>, u32) {
        let mut offset = 0;
        let mut fields = Vec::new();
        for (number, &(repr, low, high)) in list.iter().enumerate() {
            fields.push(Field {
                name: format!("v{offset}"),
                offset,
                repr,
                range: (low, high),
                component: (Component::Globals, number as u32 / 3),
                format: Format::Number,
            });
            offset += repr.size() as u32;
        }
        (fields, offset)
    }

    fn schema() -> Schema {
        let (fixed, fixed_size) = fields(&[
            (Repr::U8, 0, 1),
            (Repr::I8, -3, 4),
            (Repr::I32, i32::MIN, i32::MAX),
            (Repr::I32, i32::MIN, i32::MAX),
            (Repr::U16, 7, 7),
            (Repr::I16, -32768, 32767),
            (Repr::I32, -100_000, -99_999),
        ]);
        let (first, first_size) = fields(&[(Repr::U8, 0, 5), (Repr::I16, -2, 900)]);
        let (second, second_size) = fields(&[(Repr::U8, 0, 255), (Repr::I32, 0, 70_000), (Repr::I32, -1, 1)]);
        let kind = |fields, size| ProcessKind { name: "p".into(), size, fields };
        Schema { fixed_size, fixed, kinds: vec![kind(first, first_size), kind(second, second_size)] }
    }

    /// A state, not always of the form that the schema describes.
    fn state(schema: &Schema, number: u64) -> Vec<u8> {
        let mut random = number;
        let mut fill = |bytes: &mut [u8], fields: &[Field]| {
            for field in fields {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let span = (i64::from(field.range.1) - i64::from(field.range.0) + 1).min(40);
                let value = i64::from(field.range.0) + (random >> 33) as i64 % span;
                field.repr.store(bytes, field.offset as usize, value as i32);
            }
        };
        let mut state = vec![0; schema.fixed_size as usize];
        fill(&mut state, &schema.fixed);
        if !schema.kinds.is_empty() {
            let kinds: Vec<u8> = (0..number % 7).map(|at| (number >> at & 1) as u8).collect();
            state.push(kinds.len() as u8);
            state.extend_from_slice(&kinds);
            for &kind in &kinds {
                let kind = &schema.kinds[kind as usize];
                let mut body = vec![0; kind.size as usize];
                fill(&mut body, &kind.fields);
                state.extend(body);
            }
        }
        if number % 10 == 0 {
            let at = number as usize / 10 % state.len();
            state[at] ^= (number >> 4) as u8;
            state.truncate(state.len() - (number / 3) as usize % 2 * (number as usize % 4).min(state.len()));
        }
        state
    }

    fn schemas() -> Vec<Schema> {
        let bytes = |count: usize| fields(&vec![(Repr::U8, 0, 255); count]);
        let fixed = |(fixed, fixed_size)| Schema { fixed_size, fixed, kinds: Vec::new() };
        vec![
            schema(),
            fixed(bytes(3)),
            fixed(bytes(8)),
            fixed(bytes(9)),
            fixed(bytes(133)),
            fixed(fields(&[(Repr::I32, -5, i32::MAX)])),
            fixed(fields(&[(Repr::U8, 0, 0); 40])),
            // One that does not cover its states.
            Schema { fixed_size: 5, ..Schema::default() },
        ]
    }

    #[test]
    fn members_are_found_again_and_read_back() {
        for schema in schemas() {
            let budget = Arc::new(Budget::unlimited());
            let mut tree = Tree::new(&schema, &budget);
            let mut ids = std::collections::HashMap::new();
            let mut back = Vec::new();
            for number in 0..30_000 {
                let state = state(&schema, number);
                match tree.insert(&state, None).unwrap() {
                    Found::New(id) => assert_eq!(ids.insert(state, id), None),
                    Found::Seen(id) => assert_eq!(ids.get(&state), Some(&id)),
                    Found::Undecided => panic!("undecided"),
                }
            }
            assert_eq!(tree.len(), ids.len() as u64);
            for (state, &id) in &ids {
                assert!(tree.read(id, &mut back));
                assert_eq!(back, *state);
                assert_eq!(tree.insert(state, None).unwrap(), Found::Seen(id));
            }
            assert_eq!(tree.bytes(), budget.used());
            drop(tree);
            assert_eq!(budget.used(), 0);
        }
    }

    #[test]
    fn what_comes_together_is_inserted_alike() {
        for schema in schemas() {
            let budget = Arc::new(Budget::unlimited());
            let (mut one, mut other) = (Tree::new(&schema, &budget), Tree::new(&schema, &budget));
            let (mut steps, mut found) = (Successors::new(), Vec::new());
            for round in 0..100u64 {
                steps.clear();
                found.clear();
                for number in 0..round * 7 {
                    match number % 50 {
                        49 => steps.push_nowhere(Step::default()),
                        _ => {
                            steps.push(Step::default(), &state(&schema, (number * number + round * 77) % (100 * round)))
                        }
                    }
                }
                one.insert_all(&steps, &[], &mut found).unwrap();
                assert_eq!(found.len(), steps.len());
                for (index, &found) in found.iter().enumerate() {
                    let expected =
                        steps.state(index).map_or(Found::Undecided, |state| other.insert(state, None).unwrap());
                    assert_eq!(found, expected);
                }
            }
            assert_eq!(one.len(), other.len());
        }
    }

    #[test]
    fn refusal_leaves_the_store_intact() {
        for limit in [0, 1000, 20_000, 100_000, 300_000] {
            for schema in schemas() {
                let budget = Arc::new(Budget::new(limit));
                let mut tree = Tree::new(&schema, &budget);
                let mut ids = Vec::new();
                let mut number = 0;
                while number < 200_000
                    && let Ok(found) = tree.insert(&state(&schema, number), None)
                {
                    if let Found::New(id) | Found::Seen(id) = found {
                        ids.push(id);
                    }
                    number += 1;
                }
                assert!(budget.peak() <= limit);
                assert_eq!(tree.bytes(), budget.used());
                let mut back = Vec::new();
                for (number, &id) in ids.iter().enumerate() {
                    let state = state(&schema, number as u64);
                    assert!(tree.read(id, &mut back));
                    assert_eq!(back, state);
                    assert_eq!(tree.insert(&state, None).unwrap(), Found::Seen(id));
                }
            }
        }
    }

    #[test]
    fn what_comes_together_is_refused_as_a_whole_or_in_part() {
        let schema = schema();
        for limit in [0, 5000, 100_000, 200_000] {
            let budget = Arc::new(Budget::new(limit));
            let mut tree = Tree::new(&schema, &budget);
            let (mut steps, mut found) = (Successors::new(), Vec::new());
            (0..50_000).for_each(|number| steps.push(Step::default(), &state(&schema, number)));
            assert!(tree.insert_all(&steps, &[], &mut found).is_err());
            assert!(budget.peak() <= limit);
            let new = found.iter().filter(|found| matches!(found, Found::New(_))).count();
            assert_eq!(tree.len(), new as u64);
            for number in 0..found.len() {
                assert!(matches!(tree.insert(steps.state(number).unwrap(), None), Ok(Found::Seen(_))));
            }
        }
    }
}
