//! Renaming the successors of a representative.
//!
//! A step changes little, and often nothing at all. First colours are sums over what is said, so those of a successor are
//! those of the state it comes from, less what is no longer said, and what is said instead. Elements that are
//! interchangeable in the state are so in a successor, unless a change is about one of them.

use crate::Canonical;
use crate::places::{Said, add};

/// What is known of the state whose successors are renamed.
pub(crate) struct Known {
    /// Its first colours.
    colours: Vec<u64>,
    /// Elements with the same number are interchangeable.
    alike: Vec<u32>,
    /// How much it says, and where in the list of that each place is.
    says: usize,
    listed: Vec<u32>,
    /// What it says that the successor at hand does not, and where that is in the list.
    unsaid: Vec<(u32, Said)>,
}

impl Known {
    pub fn new(places: usize, elements: usize) -> Known {
        let (listed, alike) = (vec![0; places], vec![0; elements]);
        Known { colours: Vec::new(), alike, says: 0, listed, unsaid: Vec::new() }
    }

    /// Whether two elements are known to be interchangeable.
    #[inline]
    pub fn alike(&self, a: u32, b: u32) -> bool {
        self.alike[a as usize] == self.alike[b as usize]
    }
}

/// Renames the successors of a state to the same representatives as [`Canonical::rename`], in less time.
pub struct Beside<'c> {
    canonical: &'c mut Canonical,
    state: &'c [u8],
    is_known: bool,
}

impl Canonical {
    /// To rename the successors of `state`, which is a representative.
    pub fn beside<'c>(&'c mut self, state: &'c [u8]) -> Beside<'c> {
        Beside { canonical: self, state, is_known: false }
    }

    /// Gets to know a state.
    fn know(&mut self, state: &[u8]) {
        self.listen(state);
        self.known.colours.clone_from(&self.colours);
        self.known.says = self.says;
        self.known.listed.fill(u32::MAX);
        for (number, said) in self.said[..self.says].iter().enumerate() {
            self.known.listed[said.place as usize] = number as u32;
        }
        for (element, alike) in self.known.alike.iter_mut().enumerate() {
            *alike = element as u32;
        }
        self.order_by_colour();
        for at in 1..self.known.alike.len() {
            if let Some((a, b)) = self.tie(at)
                && self.interchangeable(state, a, b)
            {
                self.known.alike[b as usize] = self.known.alike[a as usize];
            }
        }
    }

    /// Makes what the known state says what its successor says, and its colours the successor's. Gives the elements that
    /// the changes are about, as bits.
    fn change(&mut self, state: &[u8], successor: &[u8]) -> u64 {
        self.colours.copy_from_slice(&self.known.colours);
        let (all, colours, listed) = (&mut self.said[..], &mut self.colours[..], &self.known.listed[..]);
        let (mut count, mut touched) = (self.says, 0);
        self.places.each_change(state, successor, |place, says| {
            let listed = listed[says.place as usize];
            let is_new = listed == u32::MAX;
            let number = if is_new { count } else { listed as usize };
            count += usize::from(is_new);
            let said = std::mem::replace(&mut all[number], says);
            self.known.unsaid.push((number as u32, said));
            touched |= said.about | says.about;
            add(colours, said.element, said.word.wrapping_neg());
            add(colours, says.element, says.word);
            self.places.tell_owners(place, says.word.wrapping_sub(said.word), colours);
        });
        self.says = count;
        touched
    }

    /// Goes back to what the known state says.
    fn change_back(&mut self) {
        self.says = self.known.says;
        for (number, said) in self.known.unsaid.drain(..) {
            self.said[number as usize] = said;
        }
    }
}

impl Beside<'_> {
    /// Renames a successor.
    pub fn rename(&mut self, successor: &mut [u8]) {
        let (canonical, state) = (&mut *self.canonical, self.state);
        if successor == state {
            return;
        }
        let are_states = canonical.is_state(state) && canonical.is_state(successor);
        if !are_states || !canonical.places.bags.is_empty() {
            return canonical.rename(successor);
        }
        if !self.is_known {
            canonical.know(state);
            self.is_known = true;
        }
        let touched = canonical.change(state, successor);
        canonical.finish(successor, touched);
        canonical.change_back();
    }
}
