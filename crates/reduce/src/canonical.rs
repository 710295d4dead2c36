//! The canonical representative of an orbit: of all states that a permutation of scalarset elements turns into each other.
//!
//! What: every state of an orbit gets the same representative, exactly (after Ip & Dill 1996, who normalise heuristically, and
//! McKay's partition refinement, which makes it exact).
//!
//! How: every element gets a *colour*, the sum of the labels of its incidences (`incidence.rs`). Elements are sorted by colour.
//! Elements of equal colour are usually interchangeable: if the transposition of every two neighbours leaves the state as it
//! is, any order gives the same state. Otherwise the colours are refined by the colours of the incident elements, until the
//! partition is stable. If there are ties still, one element of the first tie is individualised after the other, the colours
//! are refined again, and the least state of all leaves of this search tree is taken. All n! orders are never tried where
//! colours tell elements apart.
//!
//! Colours are hashes. Where two that differ happen to be equal, that costs time, not exactness.

use crate::incidence::{Incidence, LeafTable, PSEUDO_ELEMENTS, add, bit, pair};
use crate::incremental::SourceState;
use std::ops::Range;
use std::sync::Arc;
use tightrope_core::Symmetry;

/// Computes canonical representatives.
pub struct Canonical {
    pub(crate) leaves: Arc<LeafTable>,
    /// The elements of each scalarset.
    sets: Vec<Range<usize>>,
    /// The incidences of the state at hand, and how many there are; the rest of the list changes no colour.
    pub(crate) incidences: Vec<Incidence>,
    pub(crate) count: usize,
    /// The colours of the elements and pseudo-elements.
    pub(crate) colours: Vec<u64>,
    next_colours: Vec<u64>,
    /// The elements with their colours, set after set, sorted by colour in each.
    order: Vec<(u64, u32)>,
    /// The permutation: how far each element moves.
    shifts: Vec<i32>,
    pub(crate) source: SourceState,
    trial: Vec<u8>,
    least: Vec<u8>,
}

/// Spreads the bits of a number.
#[inline]
fn mix(number: u64) -> u64 {
    pair(number, 0x2545_f491_4f6c_dd1d)
}

/// Sets up to this size are sorted by insertion: they are nearly in order.
const FEW: usize = 16;

impl Canonical {
    /// For states with this symmetry. States that differ little from `example` are fast. Representatives are the same for the
    /// same example.
    pub fn new(symmetry: &Symmetry, example: &[u8]) -> Canonical {
        Canonical::with_leaves(symmetry, Arc::new(LeafTable::new(symmetry, example)))
    }

    /// The same with a table of leaves that others use, too.
    pub(crate) fn with_leaves(symmetry: &Symmetry, leaves: Arc<LeafTable>) -> Canonical {
        let mut elements = 0;
        let set = |&size: &u32| {
            elements += size as usize;
            elements - size as usize..elements
        };
        let sets = symmetry.sets.iter().map(set).collect();
        Canonical {
            trial: vec![0; leaves.length()],
            source: SourceState::new(leaves.leaves.len(), elements),
            incidences: vec![leaves.no_incidence(); leaves.leaves.len()],
            count: 0,
            leaves,
            sets,
            colours: vec![0; elements + PSEUDO_ELEMENTS],
            next_colours: vec![0; elements + PSEUDO_ELEMENTS],
            order: vec![(0, 0); elements],
            shifts: vec![0; elements + PSEUDO_ELEMENTS],
            least: Vec::new(),
        }
    }

    /// Turns `state` into its representative.
    pub fn canonicalize(&mut self, state: &mut [u8]) {
        if !self.is_state(state) {
            return;
        }
        for bag in &self.leaves.bags {
            bag.sort(state);
        }
        self.collect_incidences(state);
        self.canonicalize_coloured(state, u64::MAX);
    }

    /// Whether the bytes can be a state.
    pub(crate) fn is_state(&self, state: &[u8]) -> bool {
        state.len() == self.leaves.length()
    }

    /// Turns a state into its representative, given its incidences and first colours. Of the elements that are not `changed`,
    /// the source knows which are interchangeable.
    pub(crate) fn canonicalize_coloured(&mut self, state: &mut [u8], changed: u64) {
        self.order_by_colour();
        if self.canonicalize_by_order(state, changed) {
            return;
        }
        self.refine();
        if !self.canonicalize_by_order(state, changed) {
            self.least.clear();
            let colours = self.colours.clone();
            self.individualise(state, &colours);
            state.copy_from_slice(&self.least);
        }
    }

    /// Lists the incidences of a state, and computes the first colours: the elements of a set are not told apart yet.
    pub(crate) fn collect_incidences(&mut self, state: &[u8]) {
        let has_no_bags = self.leaves.bags.is_empty();
        let before = self.count;
        let (incidences, colours) = (&mut self.incidences[..], &mut self.colours[..]);
        let mut count = 0;
        colours.fill(0);
        self.leaves.each_incidence(state, |leaf, incidence| {
            incidences[count] = incidence;
            count += 1;
            if has_no_bags {
                add(colours, incidence.element, incidence.label);
                self.leaves.add_to_owners(leaf, incidence.label, colours);
            }
        });
        self.count = count;
        if let Some(rest) = self.incidences.get_mut(self.count..before) {
            rest.fill(self.leaves.no_incidence());
        }
        if !has_no_bags {
            let mut colours = std::mem::take(&mut self.colours);
            self.add_labels(|incidence| incidence.label, &mut colours);
            self.colours = colours;
        }
    }

    /// The label of an incidence with the colours of its elements.
    fn coloured_label(&self, incidence: &Incidence) -> u64 {
        if incidence.label == 0 {
            return 0;
        }
        let leaf = &self.leaves.leaves[incidence.leaf as usize];
        let mut label = incidence.label;
        for element in [incidence.element, leaf.owners[0], leaf.owners[1]] {
            label = pair(label, self.colours[element as usize]);
        }
        self.leaves.others(leaf).iter().fold(label, |label, &(owner, _)| pair(label, self.colours[owner as usize]))
    }

    /// Adds to the colour of each element the labels of its incidences. The incidences of a bag's slot have one label together.
    #[inline]
    fn add_labels(&self, label: impl Fn(&Incidence) -> u64, colours: &mut [u64]) {
        let leaf = |incidence: &Incidence| &self.leaves.leaves[incidence.leaf as usize];
        let share_slot =
            |one: &Incidence, next: &Incidence| leaf(one).slot.is_some() && leaf(one).slot == leaf(next).slot;
        for run in self.incidences[..self.count].chunk_by(share_slot) {
            let (first, first_leaf) = (&run[0], leaf(&run[0]));
            if first_leaf.slot.is_none() {
                add(colours, first.element, label(first));
                self.leaves.add_to_owners(first_leaf, label(first), colours);
                continue;
            }
            let whole = run.iter().fold(0, |sum: u64, incidence| sum.wrapping_add(mix(label(incidence))));
            self.leaves.add_to_owners(first_leaf, whole, colours);
            for incidence in run {
                add(colours, incidence.element, pair(whole, leaf(incidence).path));
            }
        }
    }

    /// Refines the colours until the partition is stable.
    fn refine(&mut self) {
        let mut classes = self.count_colours();
        while classes < self.order.len() {
            // The colours of pseudo-elements tell nothing.
            self.colours[self.order.len()..].fill(0);
            let mut next = std::mem::take(&mut self.next_colours);
            for (next, colour) in next.iter_mut().zip(&self.colours) {
                *next = mix(*colour);
            }
            self.add_labels(|incidence| self.coloured_label(incidence), &mut next);
            self.next_colours = std::mem::replace(&mut self.colours, next);
            self.order_by_colour();
            let refined = self.count_colours();
            if refined <= classes {
                return;
            }
            classes = refined;
        }
    }

    /// Sorts the elements of each set by colour.
    pub(crate) fn order_by_colour(&mut self) {
        for (element, (entry, &colour)) in self.order.iter_mut().zip(&self.colours).enumerate() {
            *entry = (colour, element as u32);
        }
        for set in &self.sets {
            let order = &mut self.order[set.clone()];
            if order.len() > FEW {
                order.sort_unstable();
                continue;
            }
            for end in 1..order.len() {
                let entry = order[end];
                let mut at = end;
                while at > 0 && order[at - 1].0 > entry.0 {
                    order[at] = order[at - 1];
                    at -= 1;
                }
                order[at] = entry;
            }
        }
    }

    /// The element at a position of the order and the one before, if they have the same colour.
    #[inline]
    pub(crate) fn tie(&self, at: usize) -> Option<(u32, u32)> {
        let ((one, a), (other, b)) = (self.order[at - 1], self.order[at]);
        (one == other && self.leaves.set_of(a) == self.leaves.set_of(b)).then_some((a, b))
    }

    fn count_colours(&self) -> usize {
        self.order.len() - (1..self.order.len()).filter(|&at| self.tie(at).is_some()).count()
    }

    /// Permutes the elements into the order of colours, if that is canonical: neighbours of equal colour are interchangeable.
    fn canonicalize_by_order(&mut self, state: &mut [u8], changed: u64) -> bool {
        for at in 1..self.order.len() {
            if let Some((a, b)) = self.tie(at)
                && ((bit(a) | bit(b)) & changed != 0 || !self.source.are_interchangeable(a, b))
                && !self.interchangeable(state, a, b)
            {
                return false;
            }
        }
        self.take_order();
        if self.shifts.iter().any(|&shift| shift != 0) {
            self.apply(state);
        }
        true
    }

    /// Makes the permutation the one into the present order. The order has the sets one after the other, as the numbers of
    /// elements have.
    fn take_order(&mut self) {
        for (position, &(_, element)) in self.order.iter().enumerate() {
            self.shifts[element as usize] = position as i32 - element as i32;
        }
    }

    /// Whether the transposition of two elements leaves the state as it is: whether it has all their incidences also with the
    /// two exchanged. In bags these may be in any slot.
    pub(crate) fn interchangeable(&mut self, state: &[u8], a: u32, b: u32) -> bool {
        let distance = b as i32 - a as i32;
        if self.leaves.bags.is_empty() {
            let exchange = |element: u32| match element {
                _ if element == a => distance,
                _ if element == b => -distance,
                _ => 0,
            };
            let either = bit(a) | bit(b);
            return self.incidences[..self.count].chunks(64).all(|some| {
                // Their incidences are found first, without a branch for each, which no processor would predict.
                let is_incident = |incidence: &Incidence| u64::from(incidence.elements & either != 0);
                let mut incident = some.iter().rev().fold(0, |bits, incidence| bits << 1 | is_incident(incidence));
                while incident != 0
                    && self.leaves.has_permuted(state, &some[incident.trailing_zeros() as usize], exchange)
                {
                    incident &= incident - 1;
                }
                incident == 0
            });
        }
        self.shifts.fill(0);
        self.shifts[a as usize] = distance;
        self.shifts[b as usize] = -distance;
        let mut trial = std::mem::take(&mut self.trial);
        trial.copy_from_slice(state);
        self.apply(&mut trial);
        let same = *trial == *state;
        self.trial = trial;
        same
    }

    /// Applies the permutation to the state at hand.
    fn apply(&self, state: &mut [u8]) {
        self.leaves.reset(state);
        let shifts = &self.shifts[..];
        for incidence in &self.incidences[..self.count] {
            self.leaves.write_permuted(state, incidence, |element| shifts[element as usize]);
        }
        for bag in &self.leaves.bags {
            bag.sort(state);
        }
    }

    /// Individualises each element of the first colour that several have, refines, and keeps the least state.
    fn individualise(&mut self, state: &[u8], colours: &[u64]) {
        self.colours.copy_from_slice(colours);
        self.order_by_colour();
        let Some((first, _)) = (1..self.order.len()).find_map(|at| self.tie(at)) else {
            self.take_order();
            let mut trial = std::mem::take(&mut self.trial);
            trial.copy_from_slice(state);
            self.apply(&mut trial);
            if self.least.is_empty() {
                self.least.extend_from_slice(&trial);
            } else if trial < self.least {
                self.least.copy_from_slice(&trial);
            }
            self.trial = trial;
            return;
        };
        let set = self.sets[self.leaves.set_of(first) as usize].clone();
        let colour = colours[first as usize];
        let cell: Vec<u32> = set.map(|element| element as u32).filter(|&e| colours[e as usize] == colour).collect();
        let mut tried: Vec<u32> = Vec::new();
        for &element in &cell {
            // An element that is interchangeable with one that was tried gives the same states.
            if tried.iter().any(|&other| self.interchangeable(state, other, element)) {
                continue;
            }
            tried.push(element);
            self.colours.copy_from_slice(colours);
            self.colours[element as usize] = pair(self.colours[element as usize], 0x51e5);
            self.order_by_colour();
            self.refine();
            let refined = self.colours.clone();
            self.individualise(state, &refined);
        }
    }
}
