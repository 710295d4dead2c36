//! Trees whose halves are leaves: states of up to 64 bytes.
//!
//! What comes together mostly has the same process list. Then everything that depends on it is worked out once, and words
//! are counted at compile time; the rounds are those of [`super::insert`].

use super::insert::{Batch, Lookup};
use super::nodes::{Nodes, hash};
use super::shape::{Leaf, load};
use super::{Plan, Tree};
use tightrope_core::{Refused, Successor};

/// A half that is a leaf of `W` words.
struct Half<const W: usize> {
    offsets: [usize; W],
    own: [u64; W],
    /// Where its nodes are.
    nodes: usize,
}

impl<const W: usize> Half<W> {
    fn new(leaf: &Leaf, nodes: u32) -> Self {
        let mut half = Half { offsets: [0; W], own: [0; W], nodes: nodes as usize };
        for (at, word) in leaf.words.iter().enumerate() {
            (half.offsets[at], half.own[at]) = (word.offset, word.own);
        }
        half
    }

    #[inline(always)]
    fn words(&self, state: &[u8]) -> [u64; W] {
        std::array::from_fn(|at| load(state, self.offsets[at]) & self.own[at])
    }
}

impl Tree {
    /// The list of all these states, if it is the same and their trees are flat.
    pub(super) fn flat_list(&mut self, batch: Batch<'_>) -> Option<u32> {
        let list = self.lists.find(batch.state(batch.steps.first()?)).ok()??;
        let plan = self.plans.get(list as usize)?.as_ref()?;
        if !plan.shape.joins.is_empty() {
            return None;
        }
        let mut same =
            |step: &Successor| step.start != Successor::NONE && self.lists.find(batch.state(step)) == Ok(Some(list));
        batch.steps.iter().all(&mut same).then_some(list)
    }

    /// The first three rounds for states of which [`Tree::flat_list`] told the list.
    pub(super) fn halve_flat(&mut self, list: u32, batch: Batch<'_>, all: &mut Vec<Lookup>) -> Result<(), Refused> {
        match self.plans[list as usize].as_ref().map_or(0, |plan| plan.shape.leaves[0].words.len()) {
            0 | 1 => self.halve_words::<1>(list, batch, all),
            2 => self.halve_words::<2>(list, batch, all),
            3 => self.halve_words::<3>(list, batch, all),
            _ => self.halve_words::<4>(list, batch, all),
        }
    }

    fn halve_words<const W: usize>(
        &mut self,
        list: u32,
        batch: Batch<'_>,
        all: &mut Vec<Lookup>,
    ) -> Result<(), Refused> {
        let Some(Plan { shape, nodes, roots, .. }) = &self.plans[list as usize] else { return Ok(()) };
        let half = |side: usize| Half::<W>::new(&shape.leaves[side], nodes[side]);
        let halves = [half(0), half(1)];
        let tables: [&Nodes; 2] = [&self.nodes[halves[0].nodes], &self.nodes[halves[1].nodes]];
        all.extend(batch.steps.iter().map(|step| {
            let state = batch.state(step);
            let mut lookup = Lookup::NOTHING;
            lookup.list = list;
            for side in 0..2 {
                let hash = hash(halves[side].words(state).into_iter());
                tables[side].prefetch(hash);
                lookup.hashes[side] = hash;
            }
            lookup
        }));
        for lookup in &mut *all {
            for (side, table) in tables.iter().enumerate() {
                lookup.numbers[side] = table.guess(lookup.hashes[side]);
            }
        }
        for (at, step) in batch.steps.iter().enumerate() {
            let (state, lookup) = (batch.state(step), &mut all[at]);
            for (side, half) in halves.iter().enumerate() {
                let (words, nodes) = (half.words(state), &mut self.nodes[half.nodes]);
                if !nodes.has(lookup.numbers[side], &words) {
                    match nodes.number(&words, lookup.hashes[side]) {
                        Ok(number) => lookup.numbers[side] = number,
                        Err(refused) => {
                            all.truncate(at);
                            return Err(refused);
                        }
                    }
                }
            }
            lookup.seek(roots, self.half_bits);
        }
        Ok(())
    }
}
