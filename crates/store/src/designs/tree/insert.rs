//! How states are looked for, and entered.
//!
//! States that come together go through four rounds: the nodes below the halves are found or made; those of the halves
//! are guessed from their table; the guesses are checked; the roots are found or made. Each round brings near what the
//! next one looks at, so that nothing is waited for.
//!
//! Below the halves, nodes that are the same as in the state before are not looked for. States that come one after the
//! other mostly differ in little (Laarman, van de Pol & Weber 2011, §3.2, who compare with the parent).

use super::nodes::{Nodes, UNKNOWN, hash};
use super::roots::{RootProbe, Roots};
use super::shape::HALF_WORDS;
use super::{FULL, Plan, Tree};
use tightrope_core::{Found, Refused, StateId, Store, Successor, Successors};

/// How many states are looked for together.
const TOGETHER: usize = 128;

/// A state that is looked for.
#[derive(Clone, Copy)]
pub struct Lookup {
    /// The number of its list, or one of those below.
    pub list: u32,
    /// The numbers of its halves, guessed or known; or [`UNKNOWN`].
    pub numbers: [u32; 2],
    /// The hashes of their words.
    pub hashes: [u64; 2],
    /// What the halves join, where they are joins.
    pairs: [u64; 2],
    probe: RootProbe,
}

/// There is no state.
const NOWHERE: u32 = u32::MAX;
/// The state is kept in full.
const IN_FULL: u32 = u32::MAX - 1;

impl Lookup {
    /// Nothing.
    pub const NOTHING: Lookup =
        Lookup { list: NOWHERE, numbers: [UNKNOWN; 2], hashes: [0; 2], pairs: [0; 2], probe: RootProbe::NOTHING };

    /// Brings near what will be looked at to find the root of a state whose halves are known. Where their numbers are too
    /// great the state is kept in full.
    #[inline(always)]
    pub fn seek(&mut self, roots: &Roots, half_bits: u32) {
        let [left, right] = self.numbers.map(u64::from);
        if (left | right) >> half_bits == 0 {
            self.probe = roots.prefetch(left, right);
        } else {
            self.list = IN_FULL;
        }
    }
}

/// States that come together, not too many: steps, and the bytes in which their states are.
#[derive(Clone, Copy)]
pub struct Batch<'b> {
    bytes: &'b [u8],
    /// The steps.
    pub steps: &'b [Successor],
}

impl<'b> Batch<'b> {
    /// The state that a step leads to; empty if there is none.
    #[inline(always)]
    pub fn state(self, step: &Successor) -> &'b [u8] {
        self.bytes.get(step.start as usize..step.end as usize).unwrap_or_default()
    }
}

/// Finds or makes the nodes of a state but those of the halves, whose hashes are noted.
fn prepare_below(plan: &mut Plan, all: &mut [Nodes], state: &[u8], lookup: &mut Lookup) -> Result<(), Refused> {
    let Plan { shape, nodes, last, .. } = plan;
    let all_new = !std::mem::replace(&mut last.is_there, false);
    let mut rest = &mut last.words[..];
    for (position, leaf) in shape.leaves.iter().enumerate() {
        let (words, others) = rest.split_at_mut(leaf.words.len());
        rest = others;
        let mut difference = u64::from(all_new);
        for (word, last) in leaf.words.iter().zip(&mut *words) {
            let word = word.of(state);
            difference |= word ^ std::mem::replace(last, word);
        }
        last.differs[position] = difference != 0;
        if difference == 0 {
            continue;
        }
        let hash = hash(words.iter().copied());
        if let Some(side) = shape.halves.iter().position(|&half| half == position) {
            last.hashes[side] = hash;
        } else {
            last.numbers[position] = all[nodes[position] as usize].number(words, hash)?;
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
        let pair = u64::from(last.numbers[left]) << 32 | u64::from(last.numbers[right]);
        let hash = hash([pair].into_iter());
        if let Some(side) = shape.halves.iter().position(|&half| half == position) {
            (last.pairs[side], last.hashes[side]) = (pair, hash);
        } else {
            last.numbers[position] = all[nodes[position] as usize].number(&[pair], hash)?;
        }
    }
    (lookup.pairs, lookup.hashes) = (last.pairs, last.hashes);
    last.is_there = true;
    Ok(())
}

impl Tree {
    /// Finds or makes the nodes of a state but those of the halves, and brings near what will be looked at then.
    #[inline(always)]
    fn prepare(&mut self, state: &[u8], lookup: &mut Lookup) -> Result<(), Refused> {
        lookup.list = IN_FULL;
        let Some(list) = self.lists.find(state)? else { return Ok(()) };
        if list as usize >= self.plans.len() {
            self.plan_up_to(list)?;
        }
        let Some(plan) = &mut self.plans[list as usize] else { return Ok(()) };
        if plan.shape.joins.is_empty() {
            for (to, leaf) in lookup.hashes.iter_mut().zip(&plan.shape.leaves) {
                *to = hash(leaf.words_of(state));
            }
        } else {
            prepare_below(plan, &mut self.nodes, state, lookup)?;
        }
        for (&position, &hash) in plan.shape.halves.iter().zip(&lookup.hashes) {
            self.nodes[plan.nodes[position] as usize].prefetch(hash);
        }
        lookup.list = list;
        Ok(())
    }

    /// Guesses the nodes of the halves of a state, and brings near what will be looked at to be sure.
    #[inline(always)]
    fn guess(&self, lookup: &mut Lookup) {
        let Some(Some(plan)) = self.plans.get(lookup.list as usize) else { return };
        for (side, &position) in plan.shape.halves.iter().enumerate() {
            lookup.numbers[side] = self.nodes[plan.nodes[position] as usize].guess(lookup.hashes[side]);
        }
    }

    /// Finds or makes the nodes of the halves, and brings near what will be looked at to find the root.
    #[inline(always)]
    fn halve(&mut self, lookup: &mut Lookup, state: &[u8]) -> Result<(), Refused> {
        let Some(Some(plan)) = self.plans.get(lookup.list as usize) else { return Ok(()) };
        for (side, &position) in plan.shape.halves.iter().enumerate() {
            let nodes = &mut self.nodes[plan.nodes[position] as usize];
            let mut words = [0; HALF_WORDS];
            words[0] = lookup.pairs[side];
            let mut count = 1;
            if let Some(leaf) = plan.shape.leaves.get(position) {
                count = leaf.words.len();
                words.iter_mut().zip(leaf.words_of(state)).for_each(|(to, word)| *to = word);
            }
            let words = &words[..count];
            if !nodes.is(lookup.numbers[side], words) {
                lookup.numbers[side] = nodes.number(words, lookup.hashes[side])?;
            }
        }
        lookup.seek(&plan.roots, self.half_bits);
        Ok(())
    }

    /// Finds or makes the root.
    #[inline(always)]
    fn root(&mut self, lookup: &Lookup, state: &[u8]) -> Result<Found, Refused> {
        let Some(Some(plan)) = self.plans.get_mut(lookup.list as usize) else {
            return if lookup.list == NOWHERE { Ok(Found::Nowhere) } else { self.keep_in_full(state) };
        };
        let (left, right) = (u64::from(lookup.numbers[0]), u64::from(lookup.numbers[1]));
        let id = StateId((u64::from(lookup.list) << self.half_bits | left) << self.half_bits | right);
        Ok(if plan.roots.insert(left, right, lookup.probe)? { Found::New(id) } else { Found::Seen(id) })
    }

    #[cold]
    fn keep_in_full(&mut self, state: &[u8]) -> Result<Found, Refused> {
        Ok(match self.full.insert(state, None)? {
            Found::New(StateId(place)) => Found::New(StateId(FULL | place)),
            Found::Seen(StateId(place)) => Found::Seen(StateId(FULL | place)),
            Found::Undecided | Found::Nowhere => Found::Nowhere,
        })
    }

    /// Remembers a state.
    pub(super) fn insert_one(&mut self, state: &[u8]) -> Result<Found, Refused> {
        let mut lookup = Lookup::NOTHING;
        self.prepare(state, &mut lookup)?;
        self.halve(&mut lookup, state)?;
        self.root(&lookup, state)
    }

    /// Remembers the states that steps lead to.
    pub(super) fn insert_steps(&mut self, steps: &Successors, found: &mut Vec<Found>) -> Result<(), Refused> {
        let mut batches = steps.items.chunks(TOGETHER).map(|chunk| Batch { bytes: &steps.bytes, steps: chunk });
        batches.try_for_each(|batch| self.insert_together(batch, found))
    }

    /// Remembers states. Those before one that was refused have their answers.
    fn insert_together(&mut self, batch: Batch<'_>, found: &mut Vec<Found>) -> Result<(), Refused> {
        let mut all = std::mem::take(&mut self.lookup);
        all.clear();
        let mut result = match self.flat_list(batch) {
            Some(list) => self.halve_flat(list, batch, &mut all),
            None => self.halve_all(batch, &mut all),
        };
        for (lookup, step) in all.iter().zip(batch.steps) {
            match self.root(lookup, batch.state(step)) {
                Ok(answer) => found.push(answer),
                Err(refused) => {
                    result = Err(refused);
                    break;
                }
            }
        }
        self.lookup = all;
        result
    }

    /// The first three rounds.
    fn halve_all(&mut self, batch: Batch<'_>, all: &mut Vec<Lookup>) -> Result<(), Refused> {
        let mut result = Ok(());
        for step in batch.steps {
            let mut lookup = Lookup::NOTHING;
            if step.start != Successor::NONE
                && let Err(refused) = self.prepare(batch.state(step), &mut lookup)
            {
                result = Err(refused);
                break;
            }
            all.push(lookup);
        }
        all.iter_mut().for_each(|lookup| self.guess(lookup));
        for at in 0..all.len() {
            if let Err(refused) = self.halve(&mut all[at], batch.state(&batch.steps[at])) {
                all.truncate(at);
                return Err(refused);
            }
        }
        result
    }
}
