//! The replacement strategies there are, and levels made of them.

use super::bag::{Drawn, Strata};
use super::entry::Entry;
use super::frequency::Frequency;
use super::order::{Order, Random};
use super::recency::Recency;
use std::sync::Arc;
use tightrope_core::{Budget, OverBudget};

/// A line of the table.
pub struct Replacement {
    /// Its name on the command line.
    pub name: &'static str,
    /// What may follow the name after a colon, for the help; empty where nothing may.
    pub parameter: &'static str,
    /// One line about it.
    pub about: &'static str,
    make: fn(Option<u64>, &Arc<Budget>) -> Box<dyn Order>,
}

/// Every strategy there is. The first is the default.
pub static REPLACEMENTS: &[Replacement] = &[
    Replacement {
        name: "random",
        parameter: "",
        about: "any state",
        make: |_, budget| Box::new(Drawn::random(budget)),
    },
    Replacement {
        name: "type",
        parameter: "LOOKS",
        about: "of 20 states (or LOOKS), one that was reached by assignments rather than sends, receives or jumps",
        make: |looks, budget| {
            let looks = looks.map_or(Drawn::LOOKS, |looks| looks as usize);
            Box::new(Drawn::by_type(looks, budget))
        },
    },
    Replacement {
        name: "fifo",
        parameter: "",
        about: "the state that was left first",
        make: |_, _| Box::new(Recency::fifo()),
    },
    Replacement {
        name: "lru",
        parameter: "",
        about: "the state that was neither left nor met for the longest time",
        make: |_, _| Box::new(Recency::lru()),
    },
    Replacement {
        name: "mru",
        parameter: "",
        about: "the state that was left or met last",
        make: |_, _| Box::new(Recency::mru()),
    },
    Replacement {
        name: "lfu",
        parameter: "",
        about: "the state that was met least often",
        make: |_, _| Box::new(Frequency::lfu()),
    },
    Replacement {
        name: "mfu",
        parameter: "",
        about: "the state that was met most often",
        make: |_, _| Box::new(Frequency::mfu()),
    },
    Replacement {
        name: "stratified",
        parameter: "PERIOD",
        about: "any state whose depth is no multiple of 3 (or PERIOD), as long as there is one",
        make: |_, budget| Box::new(Strata::new(budget)),
    },
];

/// The states that may be forgotten, in one order or in a row of them: what the first gives up falls into the second, and
/// what the last gives up is forgotten (Mateescu & Wijs 2009, §3.2 and §4.2).
pub struct Levels {
    levels: Vec<Level>,
    len: usize,
    /// Depths that are multiples of this are kept longest.
    pub period: u64,
    /// It goes by the kinds of steps.
    pub by_kind: bool,
}

struct Level {
    order: Box<dyn Order>,
    /// What part of all states it may have, in hundredths.
    share: u64,
}

impl Levels {
    /// The levels that `spec` describes: one strategy, `NAME` or `NAME:PARAMETER`, or several, `NAME:SHARE,NAME:SHARE` with
    /// shares that make 100 (`NAME:PARAMETER:SHARE` where there is a parameter). The error is a sentence for people.
    pub fn parse(spec: &str, budget: &Arc<Budget>) -> Result<Levels, String> {
        let mut levels = Levels { levels: Vec::new(), len: 0, period: Strata::PERIOD, by_kind: false };
        let parts: Vec<&str> = spec.split(',').map(str::trim).collect();
        if parts.len() > 8 {
            return Err(format!("`{spec}` has more than eight levels"));
        }
        for part in &parts {
            let mut words = part.split(':');
            let name = words.next().unwrap_or_default();
            let Some(found) = REPLACEMENTS.iter().find(|one| one.name == name) else {
                let names: Vec<&str> = REPLACEMENTS.iter().map(|one| one.name).collect();
                return Err(format!("there is no replacement strategy `{name}`; there are {}", names.join(", ")));
            };
            let mut numbers = Vec::new();
            for word in words {
                let number = word.parse().ok().filter(|number| (1..=1_000_000).contains(number));
                numbers.push(number.ok_or_else(|| format!("`{word}` in `{spec}` is no number from 1 to 1000000"))?);
            }
            let share = match parts.len() {
                1 => 100,
                _ => numbers.pop().ok_or_else(|| {
                    format!("`{part}` has no share: levels are written as NAME:SHARE,NAME:SHARE, such as mfu:25,lru:75")
                })?,
            };
            let parameter = numbers.pop();
            if !numbers.is_empty() || (parameter.is_some() && found.parameter.is_empty()) {
                return Err(match found.parameter {
                    "" => format!("`{name}` takes no number, but `{part}` gives one"),
                    wanted => format!("`{name}` takes one number ({wanted}), but `{part}` gives more"),
                });
            }
            levels.by_kind |= name == "type";
            if let ("stratified", Some(period)) = (name, parameter) {
                levels.period = period;
            }
            levels.levels.push(Level { order: (found.make)(parameter, budget), share });
        }
        let all: u64 = levels.levels.iter().map(|level| level.share).sum();
        if all != 100 {
            return Err(format!("the shares in `{spec}` make {all}, not 100"));
        }
        Ok(levels)
    }

    /// How many states may be forgotten.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none that may be forgotten.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        self.levels.iter().map(|level| level.order.bytes()).sum()
    }

    /// Makes room for so many states in all.
    pub fn make_room(&mut self, states: usize) -> Result<(), OverBudget> {
        self.levels.iter_mut().try_for_each(|level| level.order.make_room(states))
    }

    /// The state may be forgotten from now on.
    #[inline]
    pub fn enter(&mut self, number: u32, entries: &mut [Entry]) {
        entries[number as usize].level = 0;
        self.levels[0].order.enter(number, entries);
        self.len += 1;
    }

    /// It may no longer be.
    #[inline]
    pub fn leave(&mut self, number: u32, entries: &mut [Entry]) {
        self.levels[usize::from(entries[number as usize].level)].order.leave(number, entries);
        self.len -= 1;
    }

    /// A step led to a state that may be forgotten. It stays in its level.
    #[inline]
    pub fn meet(&mut self, number: u32, entries: &mut [Entry]) {
        self.levels[usize::from(entries[number as usize].level)].order.meet(number, entries);
    }

    /// Takes the state out that is to be forgotten; none if there is none. What a level has beyond its share falls into the
    /// next one first: as many as came since the last time, so that this is in constant time on average.
    pub fn next(&mut self, entries: &mut [Entry], random: &mut Random) -> Option<u32> {
        for at in 1..self.levels.len() {
            let (before, rest) = self.levels.split_at_mut(at);
            let above = &mut before[at - 1];
            let most = above.share as usize * self.len / 100;
            while above.order.len() > most {
                let number = above.order.next(entries, random)?;
                entries[number as usize].level = at as u8;
                rest[0].order.enter(number, entries);
            }
        }
        let found = self.levels.iter_mut().rev().find_map(|level| level.order.next(entries, random))?;
        self.len -= 1;
        Some(found)
    }
}
