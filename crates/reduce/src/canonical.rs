//! The representative of all states that differ by a renaming of elements.
//!
//! What: every state is renamed to one and the same representative of its orbit, exactly (after Ip & Dill 1996, who
//! normalise heuristically, and McKay's refinement of partitions, which makes it exact).
//!
//! How: every element gets a *colour* from what the state says of it, without using its name. Elements of different
//! colours are told apart, and sorted by colour. What remains of equal colour is usually interchangeable: if exchanging
//! neighbours leaves the state as it is, any order will do. Only otherwise colours are refined by the colours of the
//! elements they occur with, until nothing changes; and only if that does not help either, one of those of equal colour
//! is singled out, colours are refined again, and the least state over the choices is taken. All n! orders are never
//! tried where the state tells elements apart.
//!
//! Colours are hashes. Two different ones that happen to be equal cost time, not exactness.

use crate::beside::Known;
use crate::places::{NONE, Places, Said, bit};
use std::ops::Range;
use tightrope_core::Symmetry;

/// Computes representatives.
pub struct Canonical {
    pub(crate) places: Places,
    /// The set of each element, and the elements of each set.
    set_of: Vec<u32>,
    sets: Vec<Range<usize>>,
    /// What the state at hand says; empty as long as nobody asked.
    pub(crate) said: Vec<Said>,
    pub(crate) colours: Vec<u64>,
    next: Vec<u64>,
    /// The elements with their colours, set after set, sorted by colour in each.
    order: Vec<(u64, u32)>,
    /// By how much the number of each element changes.
    shifts: Vec<i32>,
    pub(crate) known: Known,
    trial: Vec<u8>,
    result: Vec<u8>,
}

/// A number that depends on both and on their order: the two halves of a product, folded.
#[inline]
fn pair(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd1b5_4a32_d192_ed03);
    product as u64 ^ (product >> 64) as u64
}

/// Spreads the bits of a number.
#[inline]
fn mix(number: u64) -> u64 {
    pair(number, 0x2545_f491_4f6c_dd1d)
}

/// Sets up to this size are sorted by insertion: they are nearly in order.
const FEW: usize = 16;

impl Canonical {
    /// For states with this symmetry. States that have much in common with `example` are renamed fast; representatives
    /// are the same for the same example.
    pub fn new(symmetry: &Symmetry, example: &[u8]) -> Canonical {
        let (mut set_of, mut sets) = (Vec::new(), Vec::new());
        for (set, &size) in symmetry.sets.iter().enumerate() {
            sets.push(set_of.len()..set_of.len() + size as usize);
            set_of.extend((0..size).map(|_| set as u32));
        }
        let count = set_of.len();
        let places = Places::new(symmetry, example);
        Canonical {
            trial: places.usual.clone(),
            places,
            set_of,
            sets,
            said: Vec::new(),
            colours: vec![0; count],
            next: vec![0; count],
            order: vec![(0, 0); count],
            shifts: vec![0; count],
            known: Known::new(count),
            result: Vec::new(),
        }
    }

    /// Renames `state` to its representative.
    pub fn rename(&mut self, state: &mut [u8]) {
        if self.is_foreign(state) {
            return;
        }
        self.first_colours(state);
        self.order_by_colour();
        self.finish(state, u64::MAX);
    }

    /// Whether the bytes cannot be a state.
    pub(crate) fn is_foreign(&self, state: &[u8]) -> bool {
        state.len() != self.places.usual.len()
    }

    /// Renames a state whose elements are ordered by their first colours. Of those that are not `touched`, it is known
    /// which are interchangeable.
    pub(crate) fn finish(&mut self, state: &mut [u8], touched: u64) {
        if self.settle(state, touched) {
            return;
        }
        self.refine();
        if !self.settle(state, touched) {
            self.result.clear();
            let colours = self.colours.clone();
            self.search(state, &colours);
            state.copy_from_slice(&self.result);
        }
    }

    /// Lists what the state says, and colours the elements by it: all elements of a set are alike still.
    pub(crate) fn first_colours(&mut self, state: &[u8]) {
        self.places.list(state, &mut self.said);
        self.colours.fill(0);
        let mut colours = std::mem::take(&mut self.colours);
        self.hear(|said| self.first_word(said), &mut colours);
        self.colours = colours;
    }

    /// What is said, up to renaming, as long as elements are told apart by their sets only.
    #[inline]
    fn first_word(&self, said: &Said) -> u64 {
        let place = &self.places.places[said.place as usize];
        if said.element == NONE {
            return pair(place.path, u64::from(said.value as u32));
        }
        let set = self.set_of[said.element as usize];
        pair(place.path, 1 << 63 | self.role(said) << 32 | u64::from(set))
    }

    /// Which of its owners a place names; it says more then than one that names another of its colour.
    #[inline]
    fn role(&self, said: &Said) -> u64 {
        let owners = self.places.owners(&self.places.places[said.place as usize]);
        1 + owners.iter().position(|&(owner, _)| owner == said.element).map_or(0, |nth| 1 + nth as u64)
    }

    /// What is said, up to renaming, as far as colours tell elements apart.
    fn word(&self, said: &Said) -> u64 {
        let place = &self.places.places[said.place as usize];
        let mut word = match said.element {
            NONE => pair(place.path, u64::from(said.value as u32)),
            element => pair(pair(place.path, self.role(said) << 32), self.colours[element as usize]),
        };
        for &(owner, _) in self.places.owners(place) {
            word = pair(word, self.colours[owner as usize]);
        }
        word
    }

    /// Tells a word of a place outside bags to those it is about.
    #[inline]
    fn tell(&self, said: &Said, word: u64, mut each: impl FnMut(u32, u64)) {
        let owners = self.places.owners(&self.places.places[said.place as usize]);
        for (nth, &(owner, _)) in owners.iter().enumerate() {
            each(owner, word.rotate_left(8 * (nth as u32 + 1)));
        }
        if said.element != NONE {
            each(said.element, word);
        }
    }

    /// Makes the first colours of a state those of another. Tells which elements the changes are about, each as the bit
    /// of its number modulo 64. For states without bags.
    pub(crate) fn change_colours(&mut self, old: &[u8], new: &[u8]) -> u64 {
        let mut colours = std::mem::take(&mut self.colours);
        let mut touched = 0;
        self.places.changes(old, new, |old, new| {
            touched |= old.about | new.about;
            let usual = self.places.places[old.place as usize].usual;
            if old.value != usual {
                self.tell(&old, self.first_word(&old), |element, word| {
                    colours[element as usize] = colours[element as usize].wrapping_sub(word);
                });
            }
            if new.value != usual {
                self.tell(&new, self.first_word(&new), |element, word| {
                    colours[element as usize] = colours[element as usize].wrapping_add(word);
                });
            }
        });
        self.colours = colours;
        touched
    }

    /// Adds to the colour of each element what is said of it. A slot of a bag says what is in it in one word.
    #[inline]
    fn hear(&self, word: impl Fn(&Said) -> u64, colours: &mut [u64]) {
        let slot = |said: &Said| self.places.places[said.place as usize].slot;
        let mut add = |element: u32, word: u64| {
            let colour = &mut colours[element as usize];
            *colour = colour.wrapping_add(word);
        };
        for run in self.said.chunk_by(|one, next| slot(one).0 != NONE && slot(one) == slot(next)) {
            if slot(&run[0]).0 == NONE {
                self.tell(&run[0], word(&run[0]), &mut add);
                continue;
            }
            let whole = run.iter().fold(0, |whole: u64, said| whole.wrapping_add(mix(word(said))));
            let bag = &self.places.bags[slot(&run[0]).0 as usize];
            for (nth, &owner) in bag.owners.iter().enumerate() {
                add(owner, pair(whole, nth as u64));
            }
            for said in run.iter().filter(|said| said.element != NONE) {
                add(said.element, pair(whole, self.places.places[said.place as usize].path));
            }
        }
    }

    /// Refines the colours until no more elements are told apart.
    fn refine(&mut self) {
        let mut told_apart = self.count_colours();
        while told_apart < self.colours.len() {
            let mut next = std::mem::take(&mut self.next);
            for (next, colour) in next.iter_mut().zip(&self.colours) {
                *next = mix(*colour);
            }
            self.hear(|said| self.word(said), &mut next);
            self.next = std::mem::replace(&mut self.colours, next);
            self.order_by_colour();
            let now = self.count_colours();
            if now <= told_apart {
                return;
            }
            told_apart = now;
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

    /// The neighbours in the present order that have the same colour.
    pub(crate) fn tie(&self, at: usize) -> Option<(u32, u32)> {
        let ((one, a), (other, b)) = (self.order[at - 1], self.order[at]);
        (one == other && self.set_of[a as usize] == self.set_of[b as usize]).then_some((a, b))
    }

    fn count_colours(&self) -> usize {
        self.order.len() - (1..self.order.len()).filter(|&at| self.tie(at).is_some()).count()
    }

    /// Renames by the order of colours, if that decides: whether neighbours of equal colour are interchangeable.
    fn settle(&mut self, state: &mut [u8], touched: u64) -> bool {
        for at in 1..self.order.len() {
            if let Some((a, b)) = self.tie(at)
                && ((bit(a) | bit(b)) & touched != 0 || !self.known.alike(a, b))
                && !self.interchangeable(state, a, b)
            {
                return false;
            }
        }
        self.name_by_order();
        // Sorts bags even if nothing is renamed.
        if self.shifts.iter().any(|&shift| shift != 0) || !self.places.bags.is_empty() {
            self.listen(state);
            self.apply(state);
        }
        true
    }

    /// New names: within each set in the present order. The order goes through the sets one after the other, as the
    /// numbers do.
    fn name_by_order(&mut self) {
        for (position, &(_, element)) in self.order.iter().enumerate() {
            self.shifts[element as usize] = position as i32 - element as i32;
        }
    }

    /// Lists what the state says, unless that was done.
    fn listen(&mut self, state: &[u8]) {
        if self.said.is_empty() {
            self.places.list(state, &mut self.said);
        }
    }

    /// Whether exchanging two elements leaves the state as it is: whether everything that is said of them is said of
    /// the other as well. In bags that may be anywhere.
    pub(crate) fn interchangeable(&mut self, state: &[u8], a: u32, b: u32) -> bool {
        self.listen(state);
        let distance = b as i32 - a as i32;
        if self.places.bags.is_empty() {
            let exchange = |element: u32| match element {
                _ if element == a => distance,
                _ if element == b => -distance,
                _ => 0,
            };
            let either = bit(a) | bit(b);
            let mut said = self.said.iter().filter(|said| said.about & either != 0);
            return said.all(|said| self.places.is_also(said, state, exchange));
        }
        self.shifts.fill(0);
        self.shifts[a as usize] = distance;
        self.shifts[b as usize] = -distance;
        let mut trial = std::mem::take(&mut self.trial);
        self.apply(&mut trial);
        let same = *trial == *state;
        self.trial = trial;
        same
    }

    /// Writes what is said, with the elements renamed.
    fn apply(&self, renamed: &mut [u8]) {
        renamed.copy_from_slice(&self.places.usual);
        for said in &self.said {
            self.places.write(said, renamed, |element| self.shifts[element as usize]);
        }
        for bag in &self.places.bags {
            bag.sort(renamed);
        }
    }

    /// Tries, for the first colour that several elements have, each of them as the first, and keeps the least state.
    fn search(&mut self, state: &[u8], colours: &[u64]) {
        self.colours.copy_from_slice(colours);
        self.order_by_colour();
        let Some((first, _)) = (1..self.order.len()).find_map(|at| self.tie(at)) else {
            self.name_by_order();
            let mut trial = std::mem::take(&mut self.trial);
            self.apply(&mut trial);
            if self.result.is_empty() {
                self.result.extend_from_slice(&trial);
            } else if trial < self.result {
                self.result.copy_from_slice(&trial);
            }
            self.trial = trial;
            return;
        };
        let set = self.sets[self.set_of[first as usize] as usize].clone();
        let colour = colours[first as usize];
        let cell: Vec<u32> = set.map(|element| element as u32).filter(|&e| colours[e as usize] == colour).collect();
        let mut tried: Vec<u32> = Vec::new();
        for &element in &cell {
            // An element that can be exchanged with one that was tried leads to the same states.
            if tried.iter().any(|&other| self.interchangeable(state, other, element)) {
                continue;
            }
            tried.push(element);
            self.colours.copy_from_slice(colours);
            self.colours[element as usize] = pair(self.colours[element as usize], 0x51e5);
            self.order_by_colour();
            self.refine();
            let refined = self.colours.clone();
            self.search(state, &refined);
        }
    }
}
