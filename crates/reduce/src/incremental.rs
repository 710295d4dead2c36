//! Canonical representatives of the successors of a state, incrementally.
//!
//! A step changes little, and often nothing at all. The first colours are sums of labels of incidences. So those of a successor
//! are those of its source, less the labels of the incidences that are gone, plus those of the new ones. Elements that are
//! interchangeable in the source are interchangeable in the successor, unless a changed incidence is incident to one of them.

use crate::Canonical;
use crate::incidence::{Incidence, add};

/// The state whose successors are canonicalized.
pub(crate) struct SourceState {
    /// Its first colours.
    colours: Vec<u64>,
    /// For each element a class. Elements of one class are interchangeable.
    classes: Vec<u32>,
    /// The number of its incidences, and for each leaf the position of its incidence.
    count: usize,
    position_of: Vec<u32>,
    /// The incidences that the successor at hand does not have, and their positions.
    replaced: Vec<(u32, Incidence)>,
}

impl SourceState {
    pub fn new(leaves: usize, elements: usize) -> SourceState {
        let (position_of, classes) = (vec![0; leaves], vec![0; elements]);
        SourceState { colours: Vec::new(), classes, count: 0, position_of, replaced: Vec::new() }
    }

    /// Whether two elements are found to be interchangeable.
    #[inline]
    pub fn are_interchangeable(&self, a: u32, b: u32) -> bool {
        self.classes[a as usize] == self.classes[b as usize]
    }
}

/// Gives the successors of a state the same representatives as [`Canonical::canonicalize`], in less time.
pub struct SuccessorCanonical<'c> {
    canonical: &'c mut Canonical,
    state: &'c [u8],
    is_analysed: bool,
}

impl Canonical {
    /// For the successors of `state`, which is a representative.
    pub fn for_successors_of<'c>(&'c mut self, state: &'c [u8]) -> SuccessorCanonical<'c> {
        SuccessorCanonical { canonical: self, state, is_analysed: false }
    }

    /// Computes the colours and the classes of the source.
    fn analyse_source(&mut self, state: &[u8]) {
        self.collect_incidences(state);
        self.source.colours.clone_from(&self.colours);
        self.source.count = self.count;
        self.source.position_of.fill(u32::MAX);
        for (position, incidence) in self.incidences[..self.count].iter().enumerate() {
            self.source.position_of[incidence.leaf as usize] = position as u32;
        }
        for (element, class) in self.source.classes.iter_mut().enumerate() {
            *class = element as u32;
        }
        self.order_by_colour();
        for at in 1..self.source.classes.len() {
            if let Some((a, b)) = self.tie(at)
                && self.interchangeable(state, a, b)
            {
                self.source.classes[b as usize] = self.source.classes[a as usize];
            }
        }
    }

    /// Turns the incidences and colours of the source into those of a successor. Gives the elements that are incident to what
    /// changed, as bits.
    fn apply_difference(&mut self, state: &[u8], successor: &[u8]) -> u64 {
        self.colours.copy_from_slice(&self.source.colours);
        let (all, colours, position_of) =
            (&mut self.incidences[..], &mut self.colours[..], &self.source.position_of[..]);
        let (mut count, mut changed) = (self.count, 0);
        self.leaves.each_changed_leaf(state, successor, |leaf, new| {
            let position = position_of[new.leaf as usize];
            let is_added = position == u32::MAX;
            let position = if is_added { count } else { position as usize };
            count += usize::from(is_added);
            let old = std::mem::replace(&mut all[position], new);
            self.source.replaced.push((position as u32, old));
            changed |= old.elements | new.elements;
            add(colours, old.element, old.label.wrapping_neg());
            add(colours, new.element, new.label);
            self.leaves.add_to_owners(leaf, new.label.wrapping_sub(old.label), colours);
        });
        self.count = count;
        changed
    }

    /// Restores the incidences of the source.
    fn undo_difference(&mut self) {
        self.count = self.source.count;
        for (position, incidence) in self.source.replaced.drain(..) {
            self.incidences[position as usize] = incidence;
        }
    }
}

impl SuccessorCanonical<'_> {
    /// Turns a successor into its representative.
    pub fn canonicalize(&mut self, successor: &mut [u8]) {
        let (canonical, state) = (&mut *self.canonical, self.state);
        if successor == state {
            return;
        }
        let are_states = canonical.is_state(state) && canonical.is_state(successor);
        if !are_states || !canonical.leaves.bags.is_empty() {
            return canonical.canonicalize(successor);
        }
        if !self.is_analysed {
            canonical.analyse_source(state);
            self.is_analysed = true;
        }
        let changed = canonical.apply_difference(state, successor);
        canonical.canonicalize_coloured(successor, changed);
        canonical.undo_difference();
    }
}
