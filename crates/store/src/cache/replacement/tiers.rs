//! Strategies one below the other.

use super::eviction_order::{EvictionOrder, Random};
use super::random::Strata;
use super::{By, How, REPLACEMENTS};
use crate::cache::entry::CacheEntry;
use std::sync::Arc;
use tightrope_core::{Budget, Refused};

/// The states that may be evicted, in one order or in a row of them: what the first gives up falls into the second, and
/// what the last gives up is evicted (Mateescu & Wijs 2009, §3.2 and §4.2).
pub struct Tiers {
    tiers: Vec<Tier>,
    len: usize,
    /// Depths that are multiples of this are kept longest.
    pub period: u64,
    /// It goes by the kinds of steps.
    pub by_class: bool,
}

struct Tier {
    order: Box<dyn EvictionOrder>,
    /// What part of all states it may have, in hundredths.
    share: u64,
}

impl Tiers {
    /// The tiers that `spec` describes: one strategy, `NAME` or `NAME:PARAMETER`, or several, `NAME:SHARE,NAME:SHARE` with
    /// shares that make 100 (`NAME:PARAMETER:SHARE` where there is a parameter). The error is a sentence for people.
    pub fn parse(spec: &str, budget: &Arc<Budget>) -> Result<Tiers, String> {
        let mut tiers = Tiers { tiers: Vec::new(), len: 0, period: Strata::PERIOD, by_class: false };
        let parts: Vec<&str> = spec.split(',').map(str::trim).collect();
        if parts.len() > 8 {
            return Err(format!("`{spec}` has more than eight tiers"));
        }
        for part in &parts {
            let mut words = part.split(':');
            let name = words.next().unwrap_or_default();
            let Some(found) = REPLACEMENTS.iter().find(|one| one.name == name) else {
                let names: Vec<&str> = REPLACEMENTS.iter().map(|one| one.name).collect();
                return Err(format!("there is no replacement strategy `{name}`; there are {}", names.join(", ")));
            };
            let How::Order { make, by } = found.how else {
                return Err(format!(
                    "`{name}` replaces states in their slots, and cannot be one of several tiers (`{spec}`)"
                ));
            };
            let mut numbers = Vec::new();
            for word in words {
                let number = word.parse().ok().filter(|number| (1..=1_000_000).contains(number));
                numbers.push(number.ok_or_else(|| format!("`{word}` in `{spec}` is no number from 1 to 1000000"))?);
            }
            let share = match parts.len() {
                1 => 100,
                _ => numbers.pop().ok_or_else(|| {
                    format!("`{part}` has no share: tiers are written as NAME:SHARE,NAME:SHARE, such as mfu:25,lru:75")
                })?,
            };
            let parameter = numbers.pop();
            if !numbers.is_empty() || (parameter.is_some() && found.parameter.is_empty()) {
                return Err(match found.parameter {
                    "" => format!("`{name}` takes no number, but `{part}` gives one"),
                    wanted => format!("`{name}` takes one number ({wanted}), but `{part}` gives more"),
                });
            }
            tiers.by_class |= by == By::Class;
            if let (By::Depth, Some(period)) = (by, parameter) {
                tiers.period = period;
            }
            tiers.tiers.push(Tier { order: make(parameter, budget), share });
        }
        let all: u64 = tiers.tiers.iter().map(|tier| tier.share).sum();
        if all != 100 {
            return Err(format!("the shares in `{spec}` make {all}, not 100"));
        }
        Ok(tiers)
    }

    /// How many states may be evicted.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none that may be evicted.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        self.tiers.iter().map(|tier| tier.order.bytes()).sum()
    }

    /// Makes room for so many states in all.
    pub fn make_room(&mut self, states: usize) -> Result<(), Refused> {
        self.tiers.iter_mut().try_for_each(|tier| tier.order.make_room(states))
    }

    /// The state may be evicted from now on.
    #[inline]
    pub fn enter(&mut self, number: u32, entries: &mut [CacheEntry]) {
        entries[number as usize].tier = 0;
        self.tiers[0].order.enter(number, entries);
        self.len += 1;
    }

    /// It may no longer be.
    #[inline]
    pub fn leave(&mut self, number: u32, entries: &mut [CacheEntry]) {
        self.tiers[usize::from(entries[number as usize].tier)].order.leave(number, entries);
        self.len -= 1;
    }

    /// A step led to a state that may be evicted. It stays in its tier.
    #[inline]
    pub fn meet(&mut self, number: u32, entries: &mut [CacheEntry]) {
        self.tiers[usize::from(entries[number as usize].tier)].order.meet(number, entries);
    }

    /// Takes the state out that is to be evicted; none if there is none. What a tier has beyond its share falls into the
    /// next one first: as many as came since the last time, so that this is in constant time on average.
    pub fn next(&mut self, entries: &mut [CacheEntry], random: &mut Random) -> Option<u32> {
        for at in 1..self.tiers.len() {
            let (before, rest) = self.tiers.split_at_mut(at);
            let above = &mut before[at - 1];
            let most = above.share as usize * self.len / 100;
            while above.order.len() > most {
                let number = above.order.next(entries, random)?;
                entries[number as usize].tier = at as u8;
                rest[0].order.enter(number, entries);
            }
        }
        let found = self.tiers.iter_mut().rev().find_map(|tier| tier.order.next(entries, random))?;
        self.len -= 1;
        Some(found)
    }
}
