//! State-space caching on the command line: which options go together, and what the report says of it.

use crate::amount::{counted, grouped};
use crate::arguments::SearchOptions;
use serde_json::{Value, json};
use std::fmt::Write;
use tightrope_core::{CacheStats, Figures};
use tightrope_search::Search;
use tightrope_store::{Bound, Caching, REPLACEMENTS, Replacement, default_replacement, goes_by_class};

/// From here on a cache is called too small: more than half of the work is done again.
const TOO_SMALL: f64 = 0.5;
/// From here on it is called tight.
const TIGHT: f64 = 0.2;
/// And from this collision rate on: a little more, and the search is given up.
const NEARLY_FULL: f64 = 0.8;

/// The cache that the options ask for, if they do. The error is for people.
pub fn caching(options: &SearchOptions, search: &Search) -> Result<Option<Caching>, String> {
    if options.max_collision.is_some() && (options.cache.is_none() || search.guarantees.pins) {
        return Err(
            "error: `--max-collision` ends a breadth-first search whose cache is too small, so it needs `--cache` and \
                    `--search bfs`"
                .into(),
        );
    }
    let Some(bound) = options.cache else {
        return match &options.replace {
            Some(_) => Err("error: `--replace` says what a cache evicts first, so it needs `--cache`".into()),
            None => Ok(None),
        };
    };
    let pins = search.guarantees.pins;
    let replace = options.replace.clone().unwrap_or_else(|| default_replacement(pins).name.into());
    let in_slots = REPLACEMENTS.iter().find(|one| Some(one.name) == replace.split(':').next() && !one.allows_pins());
    if let Some(Replacement { name, .. }) = in_slots.filter(|_| pins) {
        return Err(format!(
            "error: `--replace {name}` is for `--search bfs`: `{}` needs the states of its path in memory, and `{name}` may evict any",
            search.name
        ));
    }
    if !pins && goes_by_class(&replace) {
        return Err(format!(
            "error: `--replace {replace}` goes by the steps that led to states, which a cache is told only by a depth-first search; \
             try `--search dfs`, or `--replace {}`",
            default_replacement(pins).name
        ));
    }
    Ok(Some(Caching { bound, replace }))
}

/// What came of a cache.
pub struct Cached {
    /// How it was made.
    pub caching: Caching,
    /// Its figures.
    pub stats: CacheStats,
    /// The search had its path in it.
    pub has_path: bool,
    /// How many states there are, where they were counted.
    pub audit: Option<u64>,
}

impl Cached {
    /// For programs.
    pub fn json(&self, figures: &Figures) -> Value {
        let CacheStats { limit, short_of_memory, evicted, grown, pinned_peak, inserted, distinct, .. } = self.stats;
        let bytes = match self.caching.bound {
            Bound::Bytes(bytes) => Some(bytes),
            Bound::States(_) => None,
        };
        json!({
            "states": limit,
            "bytes": bytes,
            "replace": self.caching.replace,
            "insertions": inserted,
            "evicted": evicted,
            "collision_rate": rounded(self.stats.collision_rate()),
            "grown": grown,
            "short_of_memory": short_of_memory,
            "stack_peak": self.has_path.then_some(pinned_peak),
            "matched_share": rounded(share(figures.matched, figures.transitions)),
            "distinct": self.audit.or(distinct),
            "repeated": self.repeated().map(rounded),
            "lately": self.stats.lately.map(rounded),
            "outlook": self.outlook(figures),
        })
    }

    /// How the size of the cache suits the model, in a word: whether a run with a smaller one, or the rest of this one, is in
    /// danger of doing everything again and again (§4 of the paper, with the share of repeated work, which it could not see).
    fn outlook(&self, figures: &Figures) -> &'static str {
        let stats = &self.stats;
        let repeated = self.repeated().unwrap_or(0.0).max(stats.lately.unwrap_or(0.0));
        let crowded = self.has_path && stats.pinned_peak * 2 > stats.limit.unwrap_or(stats.peak);
        let matches = share(figures.matched, figures.transitions) > 0.5;
        match repeated {
            _ if stats.evicted == 0 => "everything fits",
            repeated if repeated > TOO_SMALL => "too small",
            repeated
                if repeated > TIGHT || crowded && matches || !self.has_path && stats.collision_rate() > NEARLY_FULL =>
            {
                "tight"
            }
            _ => "fine",
        }
    }

    /// The share of the insertions of states that had been there before, as far as it can be told.
    fn repeated(&self) -> Option<f64> {
        CacheStats { distinct: self.audit.or(self.stats.distinct), ..self.stats }.repeated()
    }

    /// Whether it holds hardly anything but the states of the path.
    pub fn is_filled_by_path(&self) -> bool {
        self.has_path && self.stats.pinned_peak * 10 >= self.stats.peak * 9
    }

    /// Whether most of the work is repeated.
    pub fn is_too_small(&self, figures: &Figures) -> bool {
        self.outlook(figures) == "too small"
    }

    /// For people.
    pub fn text(&self, figures: &Figures) -> String {
        let CacheStats { limit, evicted, grown, pinned_peak, inserted, peak, .. } = self.stats;
        let mut text = String::new();
        let size = limit.map_or_else(|| format!("{} at most", counted(peak, "state")), |most| counted(most, "state"));
        let of_path = if self.has_path {
            // A path that did not fit is spoken of below.
            let share = match grown {
                None => format!(" ({:.0} %)", share(pinned_peak, limit.unwrap_or(peak)) * 100.0),
                Some(_) => String::new(),
            };
            format!("; the path took up to {}{share}", grouped(pinned_peak))
        } else {
            format!(" for {} (collision rate {:.3})", counted(inserted, "insertion"), self.stats.collision_rate())
        };
        let replace = &self.caching.replace;
        let _ = writeln!(text, "  cache of {size} (`{replace}`): {}{of_path}", counted(evicted, "eviction"));
        if self.stats.short_of_memory {
            let _ = writeln!(
                text,
                "  cache: no more states fit into the memory, so it evicted earlier than it was told to"
            );
        }
        if let Some(grown) = grown {
            let _ = writeln!(text, "  cache: the path did not fit, so it grew to {}", counted(grown, "state"));
        }
        let Some(repeated) = self.repeated().filter(|_| evicted > 0) else { return text };
        let percent = format!("{:.0} % of the work is repeated", repeated * 100.0);
        let matched = share(figures.matched, figures.transitions) * 100.0;
        let _ = match self.outlook(figures) {
            "too small" => writeln!(text, "  the cache is too small: {percent}; a larger one would be faster"),
            "tight" => writeln!(
                text,
                "  the cache is hardly large enough: {percent}, {matched:.0} % of the steps lead to states that are remembered; \
                 with a smaller one the time may explode"
            ),
            _ => writeln!(text, "  {percent}"),
        };
        text
    }
}

fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn rounded(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}
