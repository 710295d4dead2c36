//! The store `comback` on the command line: its options, and what the report says of it.

use crate::amount::{bytes, grouped};
use crate::arguments::SearchOptions;
use serde_json::{Value, json};
use tightrope_core::{Figures, Rebuilding};

/// The store that the options are for.
const NAME: &str = "comback";

/// The store with its options as its parameter; none if there are none. The error is a sentence for people.
pub fn store(options: &SearchOptions) -> Result<Option<String>, String> {
    let queue = (options.queue == "ids").then(|| String::from("ids"));
    let parts = [
        ("--comback-cache", "", &options.comback_cache),
        ("--comback-cache-size", "cache=", &options.comback_cache_size),
        ("--candidates", "candidates=", &options.candidates),
        ("--queue ids", "queue=", &queue),
    ];
    let mut spec = options.store.trim().to_string();
    let name = spec.split(':').next().unwrap_or_default().to_string();
    let mut is_given = false;
    for (option, prefix, value) in parts {
        let Some(value) = value else { continue };
        if name != NAME {
            return Err(format!("`{option}` is for the store `{NAME}`, but the store is `{}`", options.store));
        }
        if value.contains([',', '+', ':', '=']) {
            return Err(format!("`{option} {value}`: `{value}` is no value for it"));
        }
        spec.push(if spec.contains(':') { ',' } else { ':' });
        spec.push_str(prefix);
        spec.push_str(value);
        is_given = true;
    }
    Ok(is_given.then_some(spec))
}

/// For programs.
pub fn json(spent: Rebuilding, figures: &Figures) -> Value {
    let states = figures.stored_peak.max(1) as f64;
    json!({
        "rebuilt": spent.states,
        "steps": spent.steps,
        "detections": spent.detections,
        "tables": spent.tables,
        "per_state": (spent.tables as f64 / states * 100.0).round() / 100.0,
        "kept": spent.kept,
        "candidates": spent.candidates,
    })
}

/// For people.
pub fn text(spent: Rebuilding, figures: &Figures) -> String {
    let per_state = spent.tables as f64 / figures.stored_peak.max(1) as f64;
    let mut text = format!(
        "  comback: {per_state:.2} bytes per state in tables ({}), {} of states in full",
        bytes(spent.tables),
        bytes(spent.kept + spent.candidates)
    );
    if spent.steps > 0 {
        let share = spent.steps as f64 / figures.transitions.max(1) as f64;
        let (states, steps) = (grouped(spent.states), grouped(spent.steps));
        text.push_str(&format!("; {states} states rebuilt by {steps} steps ({share:.2} per transition)"));
    }
    text.push('\n');
    text
}
