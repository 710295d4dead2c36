//! How states are looked for, and entered.
//!
//! States that come together go through four rounds: the nodes below the halves are found or made; those of the halves
//! are guessed from the index; the guesses are checked; the roots are found or made. Each round brings near what the
//! next one looks at, so that nothing is waited for.
//!
//! Nodes that are the same as in the state before are not looked for. States that come one after the other mostly differ
//! in little (Laarman, van de Pol & Weber 2011, §3.2, who compare with the parent).

use super::keys::{Keys, Pairs, Strings, Wide};
use super::roots::Sought;
use super::shape::load;
use super::{FULL, Plan, Tree};
use crate::Set;
use tightrope_core::{Found, OverBudget, StateId, Successor, Successors};

/// How many states are looked for together.
const TOGETHER: usize = 128;

/// A state that is looked for.
#[derive(Clone, Copy)]
pub struct Wanted {
    /// The number of its list, or one of those below.
    list: u32,
    /// The numbers of its halves, guessed or known; or [`UNKNOWN`].
    numbers: [u32; 2],
    hashes: [u64; 2],
    keys: [Wide; 2],
    sought: Sought,
}

/// There is no state.
const NOWHERE: u32 = u32::MAX;
/// The state is kept in full.
const IN_FULL: u32 = u32::MAX - 1;
const UNKNOWN: u32 = u32::MAX;

impl Wanted {
    const NOTHING: Wanted =
        Wanted { list: NOWHERE, numbers: [UNKNOWN; 2], hashes: [0; 2], keys: [[0; 4]; 2], sought: Sought::NOTHING };
}

impl Tree {
    /// Finds or makes the nodes of a state but those of the halves, and brings near what will be looked at then.
    #[inline]
    fn prepare(&mut self, state: &[u8], wanted: &mut Wanted) -> Result<(), OverBudget> {
        wanted.list = IN_FULL;
        let Some(list) = self.lists.find(state)? else { return Ok(()) };
        if list as usize >= self.plans.len() {
            self.plan_up_to(list)?;
        }
        let Some(plan) = &mut self.plans[list as usize] else { return Ok(()) };
        let Plan { shape, nodes, last, .. } = plan;
        let all_new = !std::mem::replace(&mut last.is_there, false);
        let halves = shape.halves;
        let mut words = last.words.iter_mut();
        for (position, leaf) in shape.leaves.iter().enumerate() {
            let mut difference = u64::from(all_new);
            for (squeeze, last) in leaf.words.iter().zip(&mut words) {
                let word = load(state, squeeze.offset as usize) & squeeze.own();
                difference |= word ^ std::mem::replace(last, word);
            }
            last.differs[position] = difference != 0;
            if difference == 0 {
                continue;
            }
            let Some(key) = leaf.squeeze(state) else { return Ok(()) };
            let nodes = &mut self.leaves[nodes[position] as usize];
            if position == halves[0] || position == halves[1] {
                let side = usize::from(position == halves[1]);
                let hash = Strings::hash(key);
                nodes.prefetch(hash);
                (last.keys[side], last.hashes[side]) = (key, hash);
                // Written twice: to read what was just written would take longer.
                (wanted.keys[side], wanted.hashes[side]) = (key, hash);
            } else {
                last.numbers[position] = nodes.number(key)?;
            }
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
            let nodes = &mut self.joins[nodes[position] as usize];
            if position == halves[0] || position == halves[1] {
                let side = usize::from(position == halves[1]);
                let hash = Pairs::hash(key);
                nodes.prefetch(hash);
                (last.keys[side][0], last.hashes[side]) = (key, hash);
                (wanted.keys[side][0], wanted.hashes[side]) = (key, hash);
            } else {
                last.numbers[position] = nodes.number(key)?;
            }
        }
        for (side, &position) in halves.iter().enumerate() {
            if !last.differs[position] {
                (wanted.keys[side], wanted.hashes[side]) = (last.keys[side], last.hashes[side]);
            }
        }
        last.is_there = true;
        wanted.list = list;
        Ok(())
    }

    /// Guesses the nodes of the halves of states, and brings near what will be looked at to be sure.
    #[inline]
    fn guess(&mut self, all: &mut [Wanted]) {
        let mut before = Wanted::NOTHING;
        for wanted in all {
            let Some(Some(plan)) = self.plans.get(wanted.list as usize) else { continue };
            for (side, &position) in plan.shape.halves.iter().enumerate() {
                let (hash, nodes) = (wanted.hashes[side], plan.nodes[position] as usize);
                wanted.numbers[side] = if hash == before.hashes[side] && wanted.list == before.list {
                    before.numbers[side]
                } else if position < plan.shape.leaves.len() {
                    self.leaves[nodes].guess(hash).unwrap_or(UNKNOWN)
                } else {
                    self.joins[nodes].guess(hash).unwrap_or(UNKNOWN)
                };
            }
            (before.list, before.hashes, before.numbers) = (wanted.list, wanted.hashes, wanted.numbers);
        }
    }

    /// Finds or makes the nodes of the halves, and brings near what will be looked at to find the root.
    #[inline]
    fn halve(&mut self, wanted: &mut Wanted) -> Result<(), OverBudget> {
        let Some(Some(plan)) = self.plans.get(wanted.list as usize) else { return Ok(()) };
        for (side, &position) in plan.shape.halves.iter().enumerate() {
            let (number, key, hash) = (wanted.numbers[side], wanted.keys[side], wanted.hashes[side]);
            let nodes = plan.nodes[position] as usize;
            if position < plan.shape.leaves.len() {
                let nodes = &mut self.leaves[nodes];
                if number == UNKNOWN || nodes.key(number) != key {
                    wanted.numbers[side] = nodes.number_of(key, hash)?;
                }
            } else {
                let nodes = &mut self.joins[nodes];
                if number == UNKNOWN || nodes.key(number) != key[0] {
                    wanted.numbers[side] = nodes.number_of(key[0], hash)?;
                }
            }
        }
        let (left, right) = (u64::from(wanted.numbers[0]), u64::from(wanted.numbers[1]));
        if (left | right) >> self.half_bits != 0 {
            wanted.list = IN_FULL;
        } else {
            wanted.sought = plan.roots.prefetch(left, right);
        }
        Ok(())
    }

    /// Finds or makes the root.
    #[inline]
    fn root(&mut self, wanted: &Wanted, state: &[u8]) -> Result<Found, OverBudget> {
        let Some(Some(plan)) = self.plans.get_mut(wanted.list as usize) else {
            return if wanted.list == NOWHERE { Ok(Found::Undecided) } else { self.keep_in_full(state) };
        };
        let (left, right) = (u64::from(wanted.numbers[0]), u64::from(wanted.numbers[1]));
        let id = StateId((u64::from(wanted.list) << self.half_bits | left) << self.half_bits | right);
        Ok(if plan.roots.insert(left, right, wanted.sought)? { Found::New(id) } else { Found::Seen(id) })
    }

    #[cold]
    fn keep_in_full(&mut self, state: &[u8]) -> Result<Found, OverBudget> {
        Ok(match self.full.insert(state)? {
            Found::New(StateId(place)) => Found::New(StateId(FULL | place)),
            Found::Seen(StateId(place)) => Found::Seen(StateId(FULL | place)),
            Found::Undecided => Found::Undecided,
        })
    }

    /// Remembers a state.
    pub(super) fn insert_one(&mut self, state: &[u8]) -> Result<Found, OverBudget> {
        let mut wanted = Wanted::NOTHING;
        self.prepare(state, &mut wanted)?;
        self.halve(&mut wanted)?;
        self.root(&wanted, state)
    }

    /// Remembers the states that steps lead to.
    pub(super) fn insert_steps(&mut self, steps: &Successors, found: &mut Vec<Found>) -> Result<(), OverBudget> {
        steps.items.chunks(TOGETHER).try_for_each(|chunk| self.insert_together(&steps.bytes, chunk, found))
    }

    /// Remembers states, not too many.
    fn insert_together(&mut self, bytes: &[u8], steps: &[Successor], found: &mut Vec<Found>) -> Result<(), OverBudget> {
        let state_of = |step: &Successor| bytes.get(step.start as usize..step.end as usize).unwrap_or_default();
        let mut all = std::mem::take(&mut self.wanted);
        all.clear();
        all.resize(steps.len(), Wanted::NOTHING);
        let mut result = Ok(());
        for (at, step) in steps.iter().enumerate() {
            if step.start != Successor::NONE
                && let Err(refused) = self.prepare(state_of(step), &mut all[at])
            {
                all.truncate(at);
                result = Err(refused);
                break;
            }
        }
        self.guess(&mut all);
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
