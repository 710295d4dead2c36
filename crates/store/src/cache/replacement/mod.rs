//! The replacement strategies there are: which state is evicted when room is needed.

mod chain;
mod eviction_order;
mod frequency;
mod random;
mod recency;
mod tiers;

pub use eviction_order::Random;
pub use tiers::Tiers;

use super::set_associative::Victim;
use eviction_order::EvictionOrder;
use frequency::Frequency;
use random::{Drawn, Strata};
use recency::Recency;
use std::sync::Arc;
use tightrope_core::Budget;

/// A line of the table.
pub struct Replacement {
    /// Its name on the command line.
    pub name: &'static str,
    /// What may follow the name after a colon, for the help; empty where nothing may.
    pub parameter: &'static str,
    /// One line about it.
    pub about: &'static str,
    how: How,
}

/// How a state to evict is found.
enum How {
    /// By an order of all states that may be evicted; others may be pinned.
    Order {
        make: fn(Option<u64>, &Arc<Budget>) -> Box<dyn EvictionOrder>,
        /// What it goes by, beside what was left and met when and how often.
        by: By,
    },
    /// Among those in a few slots, in which the new state belongs (`cache/set_associative`); the parameter is how many. None can be pinned.
    Slots(Victim),
}

impl Replacement {
    /// Whether a search can pin states.
    pub fn allows_pins(&self) -> bool {
        matches!(self.how, How::Order { .. })
    }
}

/// What a strategy wants to be told of states.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// Nothing.
    Nothing,
    /// The classes of the steps that led to them.
    Class,
    /// Whether their depth is a multiple of its parameter.
    Depth,
}

/// Every strategy there is. The first is the default of a depth-first search, the first in slots that of a breadth-first one.
pub static REPLACEMENTS: &[Replacement] = &[
    Replacement {
        name: "random",
        parameter: "",
        about: "any state",
        how: How::Order { make: |_, budget| Box::new(Drawn::random(budget)), by: By::Nothing },
    },
    Replacement {
        name: "type",
        parameter: "LOOKS",
        about: "of 20 states (or LOOKS), one that was reached by assignments rather than sends, receives or jumps",
        how: How::Order {
            make: |looks, budget| {
                let looks = looks.map_or(Drawn::LOOKS, |looks| looks as usize);
                Box::new(Drawn::by_type(looks, budget))
            },
            by: By::Class,
        },
    },
    Replacement {
        name: "fifo",
        parameter: "",
        about: "the state that was left first",
        how: How::Order { make: |_, _| Box::new(Recency::fifo()), by: By::Nothing },
    },
    Replacement {
        name: "lru",
        parameter: "",
        about: "the state that was neither left nor met for the longest time",
        how: How::Order { make: |_, _| Box::new(Recency::lru()), by: By::Nothing },
    },
    Replacement {
        name: "mru",
        parameter: "",
        about: "the state that was left or met last",
        how: How::Order { make: |_, _| Box::new(Recency::mru()), by: By::Nothing },
    },
    Replacement {
        name: "lfu",
        parameter: "",
        about: "the state that was met least often",
        how: How::Order { make: |_, _| Box::new(Frequency::lfu()), by: By::Nothing },
    },
    Replacement {
        name: "mfu",
        parameter: "",
        about: "the state that was met most often",
        how: How::Order { make: |_, _| Box::new(Frequency::mfu()), by: By::Nothing },
    },
    Replacement {
        name: "stratified",
        parameter: "PERIOD",
        about: "any state whose depth is no multiple of 3 (or PERIOD), as long as there is one",
        how: How::Order { make: |_, budget| Box::new(Strata::new(budget)), by: By::Depth },
    },
    Replacement {
        name: "level",
        parameter: "PROBES",
        about: "breadth-first: of 20 slots (or PROBES), the state of the least level that no later level led back to",
        how: How::Slots(Victim::Level),
    },
    Replacement {
        name: "direct",
        parameter: "PROBES",
        about: "breadth-first: of 20 slots (or PROBES), the state in any one",
        how: How::Slots(Victim::Random),
    },
];

/// The default strategy of a search that pins states, or does not.
pub fn default_replacement(pins: bool) -> &'static Replacement {
    REPLACEMENTS.iter().find(|one| one.allows_pins() == pins).unwrap_or(&REPLACEMENTS[0])
}

/// Whether strategies that `spec` names go by the classes of steps ([`tightrope_core::Evicts::reached`]).
pub fn goes_by_class(spec: &str) -> bool {
    let names = spec.split(',').map(|part| part.split(':').next().unwrap_or(part).trim());
    let is_by_class = |one: &Replacement| matches!(one.how, How::Order { by: By::Class, .. });
    names.into_iter().any(|name| REPLACEMENTS.iter().any(|one| one.name == name && is_by_class(one)))
}

/// The strategy in slots that `spec` names, and the number of slots if it gives one; none if it names orders. The error is a
/// sentence for people.
pub fn in_slots(spec: &str) -> Result<Option<(Victim, Option<u64>)>, String> {
    let (name, parameter) = spec.split_once(':').map_or((spec, None), |(name, parameter)| (name, Some(parameter)));
    let found = REPLACEMENTS.iter().find(|one| one.name == name.trim() && !spec.contains(','));
    let Some(How::Slots(victim)) = found.map(|one| &one.how) else { return Ok(None) };
    let probes = parameter.map(|text| {
        let probes = text.trim().parse().ok().filter(|probes| (1..=10_000).contains(probes));
        probes.ok_or_else(|| format!("`{text}` in `{spec}` is no number of slots from 1 to 10000"))
    });
    Ok(Some((*victim, probes.transpose()?)))
}
