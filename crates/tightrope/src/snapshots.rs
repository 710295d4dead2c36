//! Breadth-first search with snapshots on the command line: which options go together, and what the report says of it.

use crate::amount::{counted, grouped};
use crate::arguments::SearchOptions;
use serde_json::{Value, json};
use std::fmt::Write;
use tightrope_core::CacheStats;
use tightrope_search::{SEARCHES, Search};
use tightrope_store::{SNAPSHOT_PRESETS, SnapshotPlan};

/// From this share of repeated visits on the report says what to do about it.
const MUCH: f64 = 0.5;

/// What a search is to remember, if it does not remember everything. The error is for people.
pub fn plan(options: &SearchOptions, search: &Search) -> Result<Option<SnapshotPlan>, String> {
    if !search.guarantees.samples_levels {
        let fits = SEARCHES.iter().find(|search| search.guarantees.samples_levels).map_or("", |search| search.name);
        let given = [("--snapshots", options.snapshots.is_some()), ("--backtrack", options.backtrack.is_some())];
        return match given.iter().find(|(_, given)| *given) {
            Some((name, _)) => {
                Err(format!("error: `{name}` says what is remembered with `--search {fits}`, so it needs that"))
            }
            None => Ok(None),
        };
    }
    if options.cache.is_some() {
        return Err("error: `--cache` and snapshots both evict states; leave one out".into());
    }
    let stream = options.snapshots.as_deref().unwrap_or(SNAPSHOT_PRESETS[0].name);
    let stream = stream.parse().map_err(|why| format!("error: --snapshots: {why}"))?;
    Ok(Some(SnapshotPlan { stream, backtrack: options.backtrack.as_deref() != Some("off") }))
}

/// What came of it.
pub struct Sampled {
    /// What was to be remembered.
    pub plan: SnapshotPlan,
    /// The figures of the store.
    pub stats: CacheStats,
}

impl Sampled {
    /// For programs. `audit` is how many states there are, where they were counted.
    pub fn json(&self, audit: Option<u64>) -> Value {
        let sampled = self.stats.snapshots.unwrap_or_default();
        json!({
            "stream": self.plan.stream.to_string(),
            "backtrack": self.plan.backtrack,
            "taken": sampled.taken,
            "held": sampled.held,
            "held_peak": sampled.held_peak,
            "kept_for_good": sampled.kept_for_good,
            "backtracking_states": sampled.backtracking,
            "remembered_peak": self.stats.peak,
            "removed": self.stats.evicted,
            "distinct": audit.or(self.stats.distinct),
            "redundant_visits": audit.map(|states| self.stats.inserted.saturating_sub(states)),
            "repeated": self.repeated(audit).map(|share| (share * 1e4).round() / 1e4),
        })
    }

    /// The share of the states found new that had been found before, as far as it can be told.
    fn repeated(&self, audit: Option<u64>) -> Option<f64> {
        CacheStats { distinct: audit.or(self.stats.distinct), ..self.stats }.repeated()
    }

    /// For people.
    pub fn text(&self, audit: Option<u64>) -> String {
        let sampled = self.stats.snapshots.unwrap_or_default();
        let mut text = String::new();
        let all = audit.or(self.stats.distinct).filter(|&all| all > 0);
        let share = all.map_or(String::new(), |all| {
            let about = if audit.is_some() || self.stats.evicted == 0 { "" } else { "about " };
            format!(", {about}{:.1} % of those found", 100.0 * self.stats.peak as f64 / all as f64)
        });
        let _ = writeln!(
            text,
            "  snapshots (`{}`): {} taken, up to {} at a time, {} of them for good; {} in the backtracking set",
            self.plan.stream,
            grouped(sampled.taken),
            grouped(sampled.held_peak),
            grouped(sampled.kept_for_good),
            if self.plan.backtrack { counted(sampled.backtracking, "state") } else { "nothing (off)".into() }
        );
        let _ = writeln!(text, "  up to {} remembered at a time{share}", counted(self.stats.peak, "state"));
        let Some(repeated) = self.repeated(audit).filter(|_| self.stats.evicted > 0) else { return text };
        let _ = write!(text, "  {:.0} % of the insertions are repeated", repeated * 100.0);
        text.push_str(match repeated {
            repeated if repeated > MUCH => "; with more or larger caches (--snapshots) it would be faster\n",
            _ => "\n",
        });
        text
    }
}
