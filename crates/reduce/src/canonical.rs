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
use crate::places::{NOBODIES, Places, Said, add, bit, pair};
use std::ops::Range;
use tightrope_core::Symmetry;

/// Computes representatives.
pub struct Canonical {
    pub(crate) places: Places,
    /// The elements of each set.
    sets: Vec<Range<usize>>,
    /// What the state at hand says, and how much that is; the rest of the list is silence.
    pub(crate) said: Vec<Said>,
    pub(crate) says: usize,
    /// The colours of the elements, and of nobody.
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
        let places = Places::new(symmetry, example);
        let mut count = 0;
        let set = |&size: &u32| {
            count += size as usize;
            count - size as usize..count
        };
        let sets = symmetry.sets.iter().map(set).collect();
        Canonical {
            trial: vec![0; places.length()],
            known: Known::new(places.places.len(), count),
            said: vec![places.silence(); places.places.len()],
            says: 0,
            places,
            sets,
            colours: vec![0; count + NOBODIES],
            next: vec![0; count + NOBODIES],
            order: vec![(0, 0); count],
            shifts: vec![0; count + NOBODIES],
            result: Vec::new(),
        }
    }

    /// Renames `state` to its representative.
    pub fn rename(&mut self, state: &mut [u8]) {
        if !self.is_state(state) {
            return;
        }
        for bag in &self.places.bags {
            bag.sort(state);
        }
        self.listen(state);
        self.finish(state, u64::MAX);
    }

    /// Whether the bytes can be a state.
    pub(crate) fn is_state(&self, state: &[u8]) -> bool {
        state.len() == self.places.length()
    }

    /// Renames a state, given what it says and its first colours. Of the elements that are not `touched` it is known
    /// which are interchangeable.
    pub(crate) fn finish(&mut self, state: &mut [u8], touched: u64) {
        self.order_by_colour();
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

    /// Lists what the state says, and colours the elements by it; the elements of a set are all alike still.
    pub(crate) fn listen(&mut self, state: &[u8]) {
        let plain = self.places.bags.is_empty();
        let before = self.says;
        let (said, colours) = (&mut self.said[..], &mut self.colours[..]);
        let mut count = 0;
        colours.fill(0);
        self.places.each_said(state, |place, says| {
            said[count] = says;
            count += 1;
            if plain {
                add(colours, says.element, says.word);
                self.places.tell_owners(place, says.word, colours);
            }
        });
        self.says = count;
        if let Some(rest) = self.said.get_mut(self.says..before) {
            rest.fill(self.places.silence());
        }
        if !plain {
            let mut colours = std::mem::take(&mut self.colours);
            self.hear(|said| said.word, &mut colours);
            self.colours = colours;
        }
    }

    /// What is said, as far as colours tell elements apart.
    fn word(&self, said: &Said) -> u64 {
        if said.word == 0 {
            return 0;
        }
        let place = &self.places.places[said.place as usize];
        let mut word = said.word;
        for element in [said.element, place.owners[0], place.owners[1]] {
            word = pair(word, self.colours[element as usize]);
        }
        self.places.others(place).iter().fold(word, |word, &(owner, _)| pair(word, self.colours[owner as usize]))
    }

    /// Adds to the colour of each element what is said of it. A slot of a bag says all that is in it in one word.
    #[inline]
    fn hear(&self, word: impl Fn(&Said) -> u64, colours: &mut [u64]) {
        let place = |said: &Said| &self.places.places[said.place as usize];
        let is_one = |one: &Said, next: &Said| place(one).slot.is_some() && place(one).slot == place(next).slot;
        for run in self.said[..self.says].chunk_by(is_one) {
            let (first, at) = (&run[0], place(&run[0]));
            if at.slot.is_none() {
                add(colours, first.element, word(first));
                self.places.tell_owners(at, word(first), colours);
                continue;
            }
            let whole = run.iter().fold(0, |sum: u64, said| sum.wrapping_add(mix(word(said))));
            self.places.tell_owners(at, whole, colours);
            for said in run {
                add(colours, said.element, pair(whole, place(said).path));
            }
        }
    }

    /// Refines the colours until no more elements are told apart.
    fn refine(&mut self) {
        let mut told_apart = self.count_colours();
        while told_apart < self.order.len() {
            // Whatever nobody was told says nothing.
            self.colours[self.order.len()..].fill(0);
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

    /// The element at a place in the order and the one before, if they have the same colour.
    #[inline]
    pub(crate) fn tie(&self, at: usize) -> Option<(u32, u32)> {
        let ((one, a), (other, b)) = (self.order[at - 1], self.order[at]);
        (one == other && self.places.set_of(a) == self.places.set_of(b)).then_some((a, b))
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
        if self.shifts.iter().any(|&shift| shift != 0) {
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

    /// Whether exchanging two elements leaves the state as it is: whether all that is said of them is said of the other
    /// as well. In bags, that may be anywhere.
    pub(crate) fn interchangeable(&mut self, state: &[u8], a: u32, b: u32) -> bool {
        let distance = b as i32 - a as i32;
        if self.places.bags.is_empty() {
            let exchange = |element: u32| match element {
                _ if element == a => distance,
                _ if element == b => -distance,
                _ => 0,
            };
            let either = bit(a) | bit(b);
            return self.said[..self.says].chunks(64).all(|some| {
                // What is about them is found first, without a branch for each: no processor foresees it.
                let is_about = |said: &Said| u64::from(said.about & either != 0);
                let mut marks = some.iter().rev().fold(0, |marks, said| marks << 1 | is_about(said));
                while marks != 0 && self.places.says(state, &some[marks.trailing_zeros() as usize], exchange) {
                    marks &= marks - 1;
                }
                marks == 0
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

    /// Renames the elements in the state at hand.
    fn apply(&self, renamed: &mut [u8]) {
        self.places.forget(renamed);
        let shifts = &self.shifts[..];
        for said in &self.said[..self.says] {
            self.places.write(renamed, said, |element| shifts[element as usize]);
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
            trial.copy_from_slice(state);
            self.apply(&mut trial);
            if self.result.is_empty() {
                self.result.extend_from_slice(&trial);
            } else if trial < self.result {
                self.result.copy_from_slice(&trial);
            }
            self.trial = trial;
            return;
        };
        let set = self.sets[self.places.set_of(first) as usize].clone();
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
