//! Renaming the successors of a representative.
//!
//! A step changes little, and often nothing at all. First colours are sums over what is said, so those of a successor are
//! those of the state it comes from, less what is no longer said, and what is said instead. Elements that are
//! interchangeable in the state are so in a successor, unless a change is about one of them.

use crate::Canonical;

/// What is known of the state whose successors are renamed.
pub(crate) struct Known {
    /// Its first colours.
    colours: Vec<u64>,
    /// Elements with the same number are interchangeable.
    alike: Vec<u32>,
}

impl Known {
    pub fn new(elements: usize) -> Known {
        Known { colours: vec![0; elements], alike: vec![0; elements] }
    }

    /// Whether two elements are known to be interchangeable.
    #[inline]
    pub fn alike(&self, a: u32, b: u32) -> bool {
        self.alike[a as usize] == self.alike[b as usize]
    }
}

/// Renames the successors of a state, as [`Canonical::rename`] would.
pub struct Beside<'c> {
    canonical: &'c mut Canonical,
    state: &'c [u8],
    is_known: bool,
}

impl Canonical {
    /// Renames the successors of `state`, which must be a representative.
    pub fn beside<'c>(&'c mut self, state: &'c [u8]) -> Beside<'c> {
        Beside { canonical: self, state, is_known: false }
    }

    /// Gets to know a state.
    fn know(&mut self, state: &[u8]) {
        self.first_colours(state);
        self.known.colours.copy_from_slice(&self.colours);
        self.order_by_colour();
        for (element, alike) in self.known.alike.iter_mut().enumerate() {
            *alike = element as u32;
        }
        for at in 1..self.colours.len() {
            if let Some((a, b)) = self.tie(at)
                && self.interchangeable(state, a, b)
            {
                self.known.alike[b as usize] = self.known.alike[a as usize];
            }
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
        if !canonical.places.bags.is_empty() || canonical.is_foreign(state) || canonical.is_foreign(successor) {
            return canonical.rename(successor);
        }
        if !self.is_known {
            canonical.know(state);
            self.is_known = true;
        }
        canonical.said.clear();
        canonical.colours.copy_from_slice(&canonical.known.colours);
        let touched = canonical.change_colours(state, successor);
        canonical.order_by_colour();
        canonical.finish(successor, touched);
    }
}
