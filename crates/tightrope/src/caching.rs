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
    /// The store whose codes it keeps.
    pub store: String,
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
        self.assessment(figures).0
    }

    /// The same, with the figures that decided it.
    fn assessment(&self, figures: &Figures) -> (&'static str, String) {
        let stats = &self.stats;
        let (all, lately) = (self.repeated().unwrap_or(0.0), stats.lately.unwrap_or(0.0));
        let repeated = all.max(lately);
        let percent = |share: f64| format!("{:.0} %", share * 100.0);
        let of_all = format!("{} of the insertions are repeated", percent(all));
        let of_these = match lately > all && repeated > TIGHT {
            true => format!("{of_all}, {} of those lately", percent(lately)),
            false => of_all.clone(),
        };
        let taken = share(stats.pinned_peak, stats.limit.unwrap_or(stats.peak));
        let matches = share(figures.matched, figures.transitions);
        let rate = stats.collision_rate();
        match repeated {
            _ if stats.evicted == 0 => ("everything fits", of_all),
            repeated if repeated > TOO_SMALL => ("too small", of_these),
            repeated if repeated > TIGHT => ("tight", of_these),
            _ if self.has_path && taken > 0.5 && matches > 0.5 => {
                let (taken, matches) = (percent(taken), percent(matches));
                (
                    "tight",
                    format!(
                        "{of_all}, but the path took {taken} of it, and {matches} of the steps lead to states that are remembered"
                    ),
                )
            }
            _ if !self.has_path && rate > NEARLY_FULL => {
                ("tight", format!("{of_all}, but the collision rate is {rate:.3}, above {NEARLY_FULL}"))
            }
            _ => ("fine", of_all),
        }
    }

    /// A strategy that may do better, if this one does not do well: which one does depends on the model.
    pub fn other_replacement(&self) -> &'static str {
        let one_of = |name: &str| self.caching.replace.split([':', ',']).next() == Some(name);
        match self.has_path {
            true if one_of("stratified") => "random",
            true => "stratified",
            false if !one_of("level") => "level",
            // What is older than others a cache of signatures knows by slots only.
            false if self.store.contains("compact") => "direct",
            false => "fifo",
        }
    }

    /// The stores that take less for a state than this one, in words, if there are any.
    pub fn denser_stores(&self) -> Option<String> {
        let has = |name: &str| self.store.contains(name);
        let signatures = if self.has_path { None } else { Some("bits+compact:40") };
        let stores: Vec<&str> = match () {
            () if has("compact") => Vec::new(),
            () if has("collapse") => signatures.into_iter().collect(),
            () if has("bits") => [Some("collapse"), signatures].into_iter().flatten().collect(),
            () => [Some("bits"), Some("collapse"), signatures].into_iter().flatten().collect(),
        };
        let (last, others) = stores.split_last()?;
        let names = if others.is_empty() { (*last).to_string() } else { format!("{} or {last}", others.join(", ")) };
        Some(format!("a denser store (--store {names})"))
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
        if evicted == 0 || self.repeated().is_none() {
            return text;
        }
        let (outlook, figures) = self.assessment(figures);
        let _ = match outlook {
            "too small" if self.stats.short_of_memory => {
                let denser = self.denser_stores().map_or(String::new(), |stores| format!(" or {stores}"));
                writeln!(text, "  the cache is too small: {figures}; with a larger --memory{denser} it would be faster")
            }
            "too small" => writeln!(text, "  the cache is too small: {figures}; a larger one would be faster"),
            "tight" => {
                writeln!(text, "  the cache is hardly large enough: {figures}; with a smaller one the time may explode")
            }
            _ => writeln!(text, "  {figures}"),
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
