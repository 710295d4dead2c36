//! By chance: `random`, `type`, `stratified`.
//!
//! A bag is an array of states in no order, from which any can be taken. Bytes per state: four beside the entry.

use super::eviction_order::{EvictionOrder, Random};
use crate::cache::entry::CacheEntry;
use crate::memory::budget_region::BudgetRegion;
use std::sync::Arc;
use tightrope_core::{Budget, Refused, StepClass};

/// States in no order.
struct Bag {
    numbers: BudgetRegion<u32>,
    len: usize,
}

impl Bag {
    fn new(budget: &Arc<Budget>) -> Self {
        Bag { numbers: BudgetRegion::sparing(budget), len: 0 }
    }

    #[inline]
    fn add(&mut self, number: u32, entries: &mut [CacheEntry]) {
        self.numbers[self.len] = number;
        entries[number as usize].before = self.len as u32;
        self.len += 1;
    }

    #[inline]
    fn remove(&mut self, number: u32, entries: &mut [CacheEntry]) {
        self.len -= 1;
        let (at, last) = (entries[number as usize].before, self.numbers[self.len]);
        self.numbers[at as usize] = last;
        entries[last as usize].before = at;
    }

    /// Takes one out: the first of those of the highest class among `looks` of them.
    #[inline]
    fn draw(&mut self, looks: usize, entries: &mut [CacheEntry], random: &mut Random) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        let mut best = self.numbers[random.below(self.len)];
        for _ in 1..looks {
            if entries[best as usize].class == StepClass::LAST.number() {
                break;
            }
            let other = self.numbers[random.below(self.len)];
            if entries[other as usize].class > entries[best as usize].class {
                best = other;
            }
        }
        self.remove(best, entries);
        Some(best)
    }
}

/// Any state, or one of several that were drawn.
pub struct Drawn {
    bag: Bag,
    looks: usize,
}

impl Drawn {
    /// The number of states that are looked at if none is named.
    pub const LOOKS: usize = 20;

    /// Any state is evicted, each with the same probability.
    pub fn random(budget: &Arc<Budget>) -> Self {
        Drawn::by_type(1, budget)
    }

    /// Of so many states that are drawn, one of the highest class: type-oriented replacement (Godefroid, Holzmann & Pirottin
    /// 1995, §5). A state's class is the least of those of the steps that led to it.
    pub fn by_type(looks: usize, budget: &Arc<Budget>) -> Self {
        Drawn { bag: Bag::new(budget), looks }
    }
}

impl EvictionOrder for Drawn {
    fn make_room(&mut self, states: usize) -> Result<(), Refused> {
        self.bag.numbers.make_room(states)
    }

    fn enter(&mut self, number: u32, entries: &mut [CacheEntry]) {
        self.bag.add(number, entries);
    }

    fn leave(&mut self, number: u32, entries: &mut [CacheEntry]) {
        self.bag.remove(number, entries);
    }

    fn next(&mut self, entries: &mut [CacheEntry], random: &mut Random) -> Option<u32> {
        self.bag.draw(self.looks, entries, random)
    }

    fn len(&self) -> usize {
        self.bag.len
    }

    fn bytes(&self) -> u64 {
        self.bag.numbers.bytes()
    }
}

/// States by depth: those found at certain depths are evicted only when there are no others, either by chance (stratified
/// caching: Geldenhuys 2004).
pub struct Strata {
    /// The others, and those that are kept longest.
    bags: [Bag; 2],
}

impl Strata {
    /// The period if none is named.
    pub const PERIOD: u64 = 3;

    /// Which depths are kept longest is in the entries.
    pub fn new(budget: &Arc<Budget>) -> Self {
        Strata { bags: [Bag::new(budget), Bag::new(budget)] }
    }
}

impl EvictionOrder for Strata {
    fn make_room(&mut self, states: usize) -> Result<(), Refused> {
        self.bags.iter_mut().try_for_each(|bag| bag.numbers.make_room(states))
    }

    fn enter(&mut self, number: u32, entries: &mut [CacheEntry]) {
        self.bags[usize::from(entries[number as usize].stratum)].add(number, entries);
    }

    fn leave(&mut self, number: u32, entries: &mut [CacheEntry]) {
        self.bags[usize::from(entries[number as usize].stratum)].remove(number, entries);
    }

    fn next(&mut self, entries: &mut [CacheEntry], random: &mut Random) -> Option<u32> {
        let [others, kept] = &mut self.bags;
        others.draw(1, entries, random).or_else(|| kept.draw(1, entries, random))
    }

    fn len(&self) -> usize {
        self.bags.iter().map(|bag| bag.len).sum()
    }

    fn bytes(&self) -> u64 {
        self.bags.iter().map(|bag| bag.numbers.bytes()).sum()
    }
}
