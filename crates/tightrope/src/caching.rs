//! State-space caching on the command line: which options go together, and what the report says of it.

use crate::amount::grouped;
use crate::arguments::SearchOptions;
use serde_json::{Value, json};
use std::fmt::Write;
use tightrope_core::{Figures, Forgetting};
use tightrope_search::{SEARCHES, Search};
use tightrope_store::{Bound, Caching, REPLACEMENTS};

/// From here on a cache is called too small: more than half of the work is done again.
const TOO_SMALL: f64 = 0.5;
/// From here on it is called tight.
const TIGHT: f64 = 0.2;

/// The cache that the options ask for, if they do. The error is for people.
pub fn caching(options: &SearchOptions, search: &Search) -> Result<Option<Caching>, String> {
    let Some(bound) = options.cache else {
        return match &options.replace {
            Some(_) => Err("error: `--replace` says what a cache forgets, so it needs `--cache`".into()),
            None => Ok(None),
        };
    };
    if !search.pins {
        let fit: Vec<String> =
            SEARCHES.iter().filter(|search| search.pins).map(|search| format!("`--search {}`", search.name)).collect();
        let name = search.name;
        return Err(format!(
            "error: `--cache` needs {}: `{name}` would not end when states are forgotten",
            fit.join(" or ")
        ));
    }
    let replace = options.replace.clone().unwrap_or_else(|| REPLACEMENTS[0].name.into());
    Ok(Some(Caching { bound, replace }))
}

/// What came of a cache.
pub struct Cached {
    /// How it was made.
    pub caching: Caching,
    /// What it forgot.
    pub forgetting: Forgetting,
}

impl Cached {
    /// For programs.
    pub fn json(&self, figures: &Figures) -> Value {
        let Forgetting { limit, short_of_memory, evicted, grown, pinned_peak, distinct, .. } = self.forgetting;
        let bytes = match self.caching.bound {
            Bound::Bytes(bytes) => Some(bytes),
            Bound::States(_) => None,
        };
        json!({
            "states": limit,
            "bytes": bytes,
            "replace": self.caching.replace,
            "evicted": evicted,
            "grown": grown,
            "short_of_memory": short_of_memory,
            "stack_peak": pinned_peak,
            "matched_share": rounded(share(figures.matched, figures.transitions)),
            "distinct": distinct,
            "repeated": self.forgetting.repeated().map(rounded),
            "lately": self.forgetting.lately.map(rounded),
            "outlook": self.outlook(figures),
        })
    }

    /// How the size of the cache suits the model, in a word: whether a run with a smaller one, or the rest of this one, is in
    /// danger of doing everything again and again (§4 of the paper, with the share of repeated work, which it could not see).
    fn outlook(&self, figures: &Figures) -> &'static str {
        let forgetting = &self.forgetting;
        let repeated = forgetting.repeated().unwrap_or(0.0).max(forgetting.lately.unwrap_or(0.0));
        let crowded = forgetting.pinned_peak * 2 > forgetting.limit.unwrap_or(forgetting.peak);
        let matches = share(figures.matched, figures.transitions) > 0.5;
        match repeated {
            _ if forgetting.evicted == 0 => "everything fits",
            repeated if repeated > TOO_SMALL => "too small",
            repeated if repeated > TIGHT || crowded && matches => "tight",
            _ => "fine",
        }
    }

    /// Whether most of the work is repeated.
    pub fn is_too_small(&self, figures: &Figures) -> bool {
        self.outlook(figures) == "too small"
    }

    /// For people.
    pub fn text(&self, figures: &Figures) -> String {
        let Forgetting { limit, evicted, grown, pinned_peak, peak, .. } = self.forgetting;
        let mut text = String::new();
        let size = limit
            .map_or_else(|| format!("{} states at most", grouped(peak)), |most| format!("{} states", grouped(most)));
        let _ = writeln!(
            text,
            "  cache of {size} (`{}`): {} forgotten; the path took up to {} ({:.0} %)",
            self.caching.replace,
            grouped(evicted),
            grouped(pinned_peak),
            share(pinned_peak, limit.unwrap_or(peak)) * 100.0
        );
        if self.forgetting.short_of_memory {
            let _ =
                writeln!(text, "  cache: no more states fit into the memory, so it forgot earlier than it was told to");
        }
        if let Some(grown) = grown {
            let _ = writeln!(text, "  cache: the path did not fit, so it grew to {} states", grouped(grown));
        }
        let Some(repeated) = self.forgetting.repeated().filter(|_| evicted > 0) else { return text };
        let percent = format!("{:.0} % of the work is repeated", repeated * 100.0);
        let matched = share(figures.matched, figures.transitions) * 100.0;
        let _ = match self.outlook(figures) {
            "too small" => writeln!(text, "  cache too small: {percent}; a larger one would be faster"),
            "tight" => writeln!(
                text,
                "  cache tight: {percent}, {matched:.0} % of the steps lead to states that are remembered; \
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
