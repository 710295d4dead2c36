//! What a ComBack store keeps besides its tables: the caching strategy, and how much.

/// How states are kept in full, besides those that were found last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Second {
    /// R: chosen at random.
    Random,
    /// H: those whose distance times the share of their level's children is largest.
    Heuristic,
    /// D: the same, but none within [`ANCESTORS`] steps behind another.
    Distance,
}

/// Of the ancestors of a state so many may not be in the cache already, with strategy D.
pub const ANCESTORS: u32 = 5;

/// A caching strategy: a share for the states found last (F), the rest for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheStrategy {
    /// Percents of the cache for the states found last.
    pub fifo: u32,
    /// Who gets the rest, if there is one.
    pub second: Option<Second>,
}

impl CacheStrategy {
    /// The one of that name: `R`, `F`, `H`, `D`, or two as in `F20-D80`.
    pub fn parse(name: &str) -> Option<CacheStrategy> {
        let second = |letter: &str| match letter {
            "R" => Some(Second::Random),
            "H" => Some(Second::Heuristic),
            "D" => Some(Second::Distance),
            _ => None,
        };
        let Some((first, last)) = name.split_once('-') else {
            return match name {
                "F" => Some(CacheStrategy { fifo: 100, second: None }),
                other => Some(CacheStrategy { fifo: 0, second: Some(second(other)?) }),
            };
        };
        let fifo: u32 = first.strip_prefix('F')?.parse().ok()?;
        let rest: u32 = last.get(1..)?.parse().ok()?;
        let second = second(last.get(..1)?)?;
        (fifo > 0 && rest > 0 && fifo.checked_add(rest) == Some(100))
            .then_some(CacheStrategy { fifo, second: Some(second) })
    }
}

/// How many states something has room for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// As many as there is memory for.
    Automatic,
    /// So many.
    States(u64),
    /// So many percents: of the states that were found, or of the cache.
    Percents(f64),
}

impl Amount {
    /// `1000`, or `1%`.
    fn parse(text: &str) -> Option<Amount> {
        match text.strip_suffix('%') {
            Some(percents) => {
                let percents: f64 = percents.parse().ok()?;
                (percents.is_finite() && (0.0..=1000.0).contains(&percents)).then_some(Amount::Percents(percents))
            }
            None => Some(Amount::States(text.parse().ok()?)),
        }
    }

    /// Whether it is no state at all.
    pub fn is_none(self) -> bool {
        matches!(self, Amount::States(0)) || self == Amount::Percents(0.0)
    }
}

/// What a ComBack store keeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComBackPlan {
    /// The caching strategy.
    pub strategy: CacheStrategy,
    /// The size of the cache; percents are of the states that were found.
    pub cache: Amount,
    /// The size of the candidate set; percents are of the cache. None: every state is compared at once.
    pub candidates: Amount,
    /// The states that wait are rebuilt, in blocks, even if there is memory for them.
    pub rebuild_queue: bool,
    /// The bits of the hashes that are used; fewer for tests of collisions.
    pub hash_bits: u32,
}

impl ComBackPlan {
    /// The best split of Evangelista et al. (2009), Table 5, in sizes by the memory.
    pub const DEFAULT: ComBackPlan = ComBackPlan {
        strategy: CacheStrategy { fifo: 80, second: Some(Second::Distance) },
        cache: Amount::Automatic,
        candidates: Amount::Automatic,
        rebuild_queue: false,
        hash_bits: 64,
    };

    /// What the parameter of the store says: `F20-D80,cache=1%,candidates=50%,queue=ids`, each part of which may be left out.
    pub fn parse(text: &str) -> Result<ComBackPlan, String> {
        let mut plan = ComBackPlan::DEFAULT;
        for part in text.split(',').map(str::trim) {
            let wrong = |what: &str| format!("`{part}`: {what}");
            let amount = |text: &str| {
                Amount::parse(text).ok_or_else(|| wrong("a number of states, or percents, as in `1000` or `1%`"))
            };
            match part.split_once('=') {
                None => {
                    plan.strategy = CacheStrategy::parse(part)
                        .ok_or_else(|| wrong("a caching strategy is R, F, H, D, or two as in F20-D80 or F50-H50"))?;
                }
                Some(("cache", size)) => plan.cache = amount(size)?,
                Some(("candidates", size)) => plan.candidates = amount(size)?,
                Some(("queue", "ids")) => plan.rebuild_queue = true,
                Some(("queue", "ram")) => plan.rebuild_queue = false,
                Some(("hash", bits)) => {
                    let bits = bits.parse().ok().filter(|bits| (1..=64).contains(bits));
                    plan.hash_bits = bits.ok_or_else(|| wrong("the bits of hashes are 1 to 64"))?;
                }
                Some(_) => {
                    return Err(wrong("what there is: a caching strategy, cache=SIZE, candidates=SIZE, queue=ids"));
                }
            }
        }
        Ok(plan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_read() {
        let plan = ComBackPlan::parse("F20-D80,cache=1%,candidates=500,queue=ids,hash=8").unwrap();
        assert_eq!(plan.strategy, CacheStrategy { fifo: 20, second: Some(Second::Distance) });
        assert_eq!((plan.cache, plan.candidates), (Amount::Percents(1.0), Amount::States(500)));
        assert_eq!((plan.rebuild_queue, plan.hash_bits), (true, 8));
        for strategy in ["R", "F", "H", "D", "F50-H50", "F1-R99"] {
            assert!(ComBackPlan::parse(strategy).is_ok(), "{strategy}");
        }
        for wrong in
            ["", "X", "F", "F20-D70", "F100-D0", "F-D", "Fä-D80", "cache=-1", "cache=x%", "hash=65", "a=b", "F20-Ä80"]
        {
            assert_eq!(ComBackPlan::parse(wrong).is_err(), wrong != "F", "{wrong}");
        }
    }
}
