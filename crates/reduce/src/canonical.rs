//! The representative of all states that differ by a renaming of elements.
//!
//! What: every state is renamed to one and the same representative of its orbit, exactly (after Ip & Dill 1996, who
//! normalise heuristically, and McKay's refinement of partitions, which makes it exact).
//!
//! How: every element gets a *colour* from what the state says of it, without using its name; colours are refined by
//! the colours of the elements they occur with, until nothing changes. Elements of different colours are told apart,
//! and sorted by colour. What remains of equal colour is usually interchangeable: if exchanging neighbours leaves the
//! state as it is, any order will do. Only otherwise one of them is singled out, refined again, and the least state
//! over the choices taken. All n! orders are never tried where the state tells elements apart.
//!
//! Colours are hashes. Two different ones that happen to be equal cost time, not exactness.

use std::sync::Arc;
use tightrope_core::{Repr, Symmetry};

/// Computes representatives.
pub struct Canonical {
    symmetry: Arc<Symmetry>,
    /// The set of each element, and the number of the first element of each set.
    set_of: Vec<u32>,
    first_of: Vec<u32>,
    /// The leaves whose contribution depends on no colour (one owner, no element as value, no bag): place, owner, path.
    plain: Vec<(u32, Repr, u32, u64)>,
    /// The leaves outside bags whose contribution depends on colours, and the owners of all of them.
    coloured: Vec<Coloured>,
    owners: Vec<u32>,
    /// The leaves that can have an element as value.
    named: Vec<u32>,
    /// The leaves of each bag, slot by slot.
    bags: Vec<Vec<Vec<u32>>>,
    base: Vec<u64>,
    colours: Vec<u64>,
    next: Vec<u64>,
    order: Vec<u32>,
    new_names: Vec<u32>,
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

/// Undefined, or the least value of its type: what most places hold most of the time. Such a place says nothing; that it
/// does not is what it says. (Leaving it out everywhere does not depend on names.)
#[inline]
fn silent(value: i32) -> bool {
    (0..=1).contains(&value)
}

/// A leaf whose contribution depends on colours, at hand.
struct Coloured {
    offset: u32,
    repr: Repr,
    path: u64,
    /// The range of its owners in the list of all.
    owners: (u32, u32),
    /// The numbers that stand for elements, as in the leaf.
    elements: Vec<(i32, u32, u32)>,
}

impl Canonical {
    /// For states with this symmetry.
    pub fn new(symmetry: &Arc<Symmetry>) -> Canonical {
        let mut set_of = Vec::new();
        let mut first_of = Vec::new();
        for (set, &size) in symmetry.sets.iter().enumerate() {
            first_of.push(set_of.len() as u32);
            set_of.extend((0..size).map(|_| set as u32));
        }
        let count = set_of.len();
        let mut bags: Vec<Vec<Vec<u32>>> =
            symmetry.bags.iter().map(|bag| vec![Vec::new(); bag.count as usize]).collect();
        let (mut plain, mut coloured, mut owners, mut named) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (number, leaf) in symmetry.leaves.iter().enumerate() {
            if !leaf.elements.is_empty() {
                named.push(number as u32);
            }
            match leaf.bag {
                Some((bag, slot)) => bags[bag as usize][slot as usize].push(number as u32),
                None if leaf.elements.is_empty() && leaf.owners.is_empty() => {}
                None if leaf.elements.is_empty() && leaf.owners.len() == 1 => {
                    plain.push((leaf.offset, leaf.repr, leaf.owners[0], leaf.path));
                }
                None => {
                    let start = owners.len() as u32;
                    owners.extend_from_slice(&leaf.owners);
                    coloured.push(Coloured {
                        offset: leaf.offset,
                        repr: leaf.repr,
                        path: leaf.path,
                        owners: (start, owners.len() as u32),
                        elements: leaf.elements.clone(),
                    });
                }
            }
        }
        Canonical {
            symmetry: symmetry.clone(),
            set_of,
            first_of,
            plain,
            coloured,
            owners,
            named,
            bags,
            base: vec![0; count],
            colours: vec![0; count],
            next: vec![0; count],
            order: (0..count as u32).collect(),
            new_names: vec![0; count],
            trial: Vec::new(),
            result: Vec::new(),
        }
    }

    /// Renames `state` to its representative.
    pub fn rename(&mut self, state: &mut [u8]) {
        if self.set_of.is_empty() {
            return;
        }
        self.begin(state);
        self.refine(state);
        if !self.settle(state) {
            self.result.clear();
            let colours = self.colours.clone();
            self.search(state, &colours);
            state.copy_from_slice(&self.result);
        }
    }

    /// The element that a leaf's value stands for.
    #[inline]
    fn element(elements: &[(i32, u32, u32)], value: i32) -> Option<u32> {
        elements.iter().find_map(|&(first, element, count)| {
            let position = value.wrapping_sub(first) as u32;
            (position < count).then(|| element + position)
        })
    }

    /// The first colours: the set, and what plain leaves say.
    fn begin(&mut self, state: &[u8]) {
        for (colour, &set) in self.base.iter_mut().zip(&self.set_of) {
            *colour = mix(u64::from(set));
        }
        for &(offset, repr, owner, path) in &self.plain {
            let value = repr.load(state, offset as usize);
            if !silent(value) {
                let colour = &mut self.base[owner as usize];
                *colour = colour.wrapping_add(pair(path, value as u64));
            }
        }
        self.colours.copy_from_slice(&self.base);
    }

    /// Refines the colours until no more elements are told apart.
    fn refine(&mut self, state: &[u8]) {
        let mut told_apart = self.count_colours();
        while told_apart < self.colours.len() {
            self.round(state);
            std::mem::swap(&mut self.colours, &mut self.next);
            let now = self.count_colours();
            if now <= told_apart {
                return;
            }
            told_apart = now;
        }
    }

    /// One round: the new colour of an element is its old one and what it occurs with.
    fn round(&mut self, state: &[u8]) {
        for (next, colour) in self.next.iter_mut().zip(&self.colours) {
            *next = mix(*colour);
        }
        let symmetry = self.symmetry.clone();
        for leaf in &self.coloured {
            let value = leaf.repr.load(state, leaf.offset as usize);
            let element = Self::element(&leaf.elements, value);
            if element.is_none() && silent(value) {
                continue;
            }
            let owners = &self.owners[leaf.owners.0 as usize..leaf.owners.1 as usize];
            contribute(&self.colours, &mut self.next, leaf.path, owners, element, value);
        }
        let bags = std::mem::take(&mut self.bags);
        for (bag, slots) in symmetry.bags.iter().zip(&bags) {
            for (slot, leaves) in slots.iter().enumerate() {
                if state[(bag.offset + slot as u32 * bag.size) as usize] == 0 {
                    continue;
                }
                let mut whole = bag.path;
                for &owner in &bag.owners {
                    whole = pair(whole, self.colours[owner as usize]);
                }
                for &number in leaves {
                    let leaf = &symmetry.leaves[number as usize];
                    let value = leaf.repr.load(state, leaf.offset as usize);
                    let says = match Self::element(&leaf.elements, value) {
                        Some(element) => pair(leaf.path, self.colours[element as usize]),
                        None => pair(leaf.path, value as u64 ^ 1 << 40),
                    };
                    whole = whole.wrapping_add(mix(says));
                }
                for (nth, &owner) in bag.owners.iter().enumerate() {
                    let next = &mut self.next[owner as usize];
                    *next = next.wrapping_add(pair(whole, nth as u64));
                }
                for &number in leaves {
                    let leaf = &symmetry.leaves[number as usize];
                    let value = leaf.repr.load(state, leaf.offset as usize);
                    if let Some(element) = Self::element(&leaf.elements, value) {
                        let next = &mut self.next[element as usize];
                        *next = next.wrapping_add(pair(whole, leaf.path));
                    }
                }
            }
        }
        self.bags = bags;
    }

    /// Sorts the elements by set and colour, and counts the colours.
    fn count_colours(&mut self) -> usize {
        let (colours, set_of) = (&self.colours, &self.set_of);
        let key = |element: &u32| (set_of[*element as usize], colours[*element as usize]);
        self.order.sort_unstable_by_key(key);
        1 + self.order.windows(2).filter(|two| key(&two[0]) != key(&two[1])).count()
    }

    fn same_colour(&self, a: u32, b: u32) -> bool {
        let key = |element: u32| (self.set_of[element as usize], self.colours[element as usize]);
        key(a) == key(b)
    }

    /// Renames by the order of colours, if that decides: whether neighbours of equal colour are interchangeable.
    fn settle(&mut self, state: &mut [u8]) -> bool {
        for at in 1..self.order.len() {
            let (a, b) = (self.order[at - 1], self.order[at]);
            if self.same_colour(a, b) && !self.interchangeable(state, a, b) {
                return false;
            }
        }
        self.name_by_order();
        let mut trial = std::mem::take(&mut self.trial);
        self.apply(state, &mut trial);
        state.copy_from_slice(&trial);
        self.trial = trial;
        true
    }

    /// New names: within each set in the present order.
    fn name_by_order(&mut self) {
        for (position, &element) in self.order.iter().enumerate() {
            // The order goes through the sets one after the other, as the numbers do.
            self.new_names[element as usize] = position as u32;
        }
        debug_assert!(
            self.order.iter().enumerate().all(|(position, &element)| {
                let set = self.set_of[element as usize] as usize;
                position as u32 >= self.first_of[set]
            }),
            "an element keeps to its set"
        );
    }

    /// Whether exchanging two elements leaves the state as it is.
    fn interchangeable(&mut self, state: &[u8], a: u32, b: u32) -> bool {
        for (element, name) in self.new_names.iter_mut().enumerate() {
            *name = element as u32;
        }
        self.new_names.swap(a as usize, b as usize);
        let mut trial = std::mem::take(&mut self.trial);
        self.apply(state, &mut trial);
        let same = *trial == *state;
        self.trial = trial;
        same
    }

    /// Writes the state with its elements renamed.
    fn apply(&self, state: &[u8], renamed: &mut Vec<u8>) {
        renamed.clear();
        renamed.resize(state.len(), 0);
        for block in &self.symmetry.blocks {
            let mut to = i64::from(block.offset);
            for &(owner, stride) in &block.owners {
                to += (i64::from(self.new_names[owner as usize]) - i64::from(owner)) * i64::from(stride);
            }
            let (from, to, size) = (block.offset as usize, to as usize, block.size as usize);
            renamed[to..to + size].copy_from_slice(&state[from..from + size]);
        }
        for &number in &self.named {
            let leaf = &self.symmetry.leaves[number as usize];
            let value = leaf.repr.load(renamed, leaf.offset as usize);
            for &(first, element, count) in &leaf.elements {
                let position = value.wrapping_sub(first) as u32;
                if position < count {
                    let name = self.new_names[(element + position) as usize] - element;
                    leaf.repr.store(renamed, leaf.offset as usize, first + name as i32);
                }
            }
        }
        for bag in &self.symmetry.bags {
            bag.sort(renamed);
        }
    }

    /// Tries, for the first colour that several elements have, each of them as the first, and keeps the least state.
    fn search(&mut self, state: &[u8], colours: &[u64]) {
        self.colours.copy_from_slice(colours);
        self.count_colours();
        let tie = (1..self.order.len()).find(|&at| self.same_colour(self.order[at - 1], self.order[at]));
        let Some(tie) = tie else {
            self.name_by_order();
            let mut trial = std::mem::take(&mut self.trial);
            self.apply(state, &mut trial);
            if self.result.is_empty() || trial < self.result {
                std::mem::swap(&mut self.result, &mut trial);
            }
            self.trial = trial;
            return;
        };
        let first = self.order[tie - 1];
        let cell: Vec<u32> = self.order.iter().copied().filter(|&other| self.same_colour(first, other)).collect();
        let mut tried: Vec<u32> = Vec::new();
        for &element in &cell {
            // An element that can be exchanged with one that was tried leads to the same states.
            if tried.iter().any(|&other| self.interchangeable(state, other, element)) {
                continue;
            }
            tried.push(element);
            self.colours.copy_from_slice(colours);
            self.colours[element as usize] = pair(self.colours[element as usize], 0x51e5);
            self.refine(state);
            let refined = self.colours.clone();
            self.search(state, &refined);
        }
    }
}

/// What a leaf says of its owners and of the element that is its value.
#[inline]
fn contribute(colours: &[u64], next: &mut [u64], path: u64, owners: &[u32], element: Option<u32>, value: i32) {
    let mut around = match element {
        Some(element) => pair(path, colours[element as usize]),
        None => pair(path, value as u64 ^ 1 << 40),
    };
    for &owner in owners {
        around = pair(around, colours[owner as usize]);
    }
    for (nth, &owner) in owners.iter().enumerate() {
        // An entry that names its own element says more than one that names another of its colour.
        let own = u64::from(element == Some(owner));
        let next = &mut next[owner as usize];
        *next = next.wrapping_add(pair(around, (nth as u64) << 1 | own));
    }
    if let Some(element) = element {
        let own = owners.contains(&element);
        let next = &mut next[element as usize];
        *next = next.wrapping_add(pair(around, 1 << 32 | u64::from(own)));
    }
}
