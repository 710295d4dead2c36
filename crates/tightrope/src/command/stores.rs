//! `tightrope stores`: a model through every store.

use crate::amount::grouped;
use crate::arguments::{DEFAULT_STORE, SearchOptions, StoresOptions};
use crate::output::{print, print_json, tell};
use crate::report::probability;
use crate::run::{Checks, run as search};
use crate::{Exit, Failure};
use serde_json::{Value, json};
use std::fmt::Write;
use std::io::IsTerminal;
use std::time::Instant;
use tightrope_core::{Claim, Reason, Verdict};
use tightrope_store::STORES;

/// A search that takes less, with reading the model, is repeated, and the least of its times counts.
const SHORT: f64 = 0.1;

/// How often a short search is repeated.
const TIMES: usize = 5;

/// Searches that take less than this, even the quickest of several, are not compared.
const TOO_SHORT: f64 = 0.005;

/// The length of the longest bar.
const BAR: usize = 30;

/// What came out for a store.
struct Line {
    store: String,
    states: u64,
    bytes: u64,
    per_state: f64,
    nodes: Option<u64>,
    seconds: f64,
    /// Relative to the first store, if both finished and took long enough.
    relative: Option<f64>,
    verdict: Verdict,
    coverage: Option<f64>,
}

impl Line {
    fn claim(&self) -> &'static str {
        match self.verdict {
            Verdict::Holds(claim) => claim.name(),
            _ => "none",
        }
    }

    fn worth(&self) -> String {
        match (&self.verdict, self.coverage) {
            (Verdict::Holds(Claim::Hashed { omission }), Some(coverage)) if *omission > 0.5 => {
                format!("hashed: at least {:.2} % visited", (coverage * 1e4).floor() / 100.0)
            }
            (Verdict::Holds(Claim::Hashed { omission }), _) => {
                format!("hashed: omission at most {}", probability(*omission))
            }
            (Verdict::Holds(claim), _) => claim.name().into(),
            (Verdict::Undecided(reason), _) => format!("undecided: {}", reason.name()),
            (Verdict::Violated(_), _) => "violated".into(),
        }
    }
}

/// The stores that are compared: those that are named, or what the table says. The first is what times are relative to.
fn names(options: &StoresOptions) -> Vec<String> {
    match &options.only {
        Some(names) => names.clone(),
        None => STORES.iter().flat_map(|entry| entry.compared).map(|name| String::from(*name)).collect(),
    }
}

/// Runs the command.
pub fn run(options: &StoresOptions) -> Result<Exit, Failure> {
    if options.search.cache.is_some() {
        return Err("error: `stores` compares what all states take; leave `--cache` out".into());
    }
    if tightrope_search::find(&options.search.search).is_ok_and(|search| search.guarantees.samples_levels) {
        return Err("error: `stores` compares what all states take; leave `--search snapshots` out".into());
    }
    if options.search.store != DEFAULT_STORE {
        return Err("error: `stores` compares stores: name them with `--only`, and leave `--store` out".into());
    }
    let names = names(options);
    let show = !options.search.json && !options.search.quiet && std::io::stderr().is_terminal();
    let mut lines: Vec<Line> = Vec::new();
    let end = options.search.limits.time.map(|time| Instant::now() + time);
    let mut search = options.search.clone();
    for (number, store) in names.iter().enumerate() {
        if show {
            tell(format_args!("{store} ..."));
        }
        // `--time` is for all of them: each gets its share of what is left.
        let left = (names.len() - number) as u32;
        search.limits.time = end.map(|end| end.saturating_duration_since(Instant::now()) / left);
        let line = measure(&search, store.clone(), lines.first())?;
        let interrupted = matches!(line.verdict, Verdict::Undecided(Reason::Interrupted));
        lines.push(line);
        if interrupted {
            break;
        }
    }
    let model = options.search.model.model.display().to_string();
    if options.search.json {
        print_json(&as_json(&model, &options.search, &lines))?;
    } else {
        print(&table(&model, &lines))?;
    }
    let finished = lines.iter().all(|line| matches!(line.verdict, Verdict::Holds(_)));
    Ok(if finished { Exit::Holds } else { Exit::Undecided })
}

fn measure(options: &SearchOptions, store: String, first: Option<&Line>) -> Result<Line, Failure> {
    let options = SearchOptions { store: store.clone(), ..options.clone() };
    let timed = Checks { timed: true, ..Checks::default() };
    let begin = Instant::now();
    let run = search(&options, timed)?;
    let mut seconds = run.search.as_secs_f64();
    let is_short = begin.elapsed().as_secs_f64() < SHORT && matches!(run.outcome.verdict, Verdict::Holds(_));
    for _ in 1..if is_short { TIMES } else { 1 } {
        let again = search(&options, timed)?;
        // One that was cut short says nothing.
        if matches!(again.outcome.verdict, Verdict::Holds(_)) {
            seconds = again.search.as_secs_f64().min(seconds);
        }
    }
    let is_complete = |verdict: &Verdict| matches!(verdict, Verdict::Holds(_));
    let relative = match first {
        None => (is_complete(&run.outcome.verdict) && seconds >= TOO_SHORT).then_some(1.0),
        Some(first) => {
            let both = is_complete(&first.verdict) && is_complete(&run.outcome.verdict);
            (both && first.seconds >= TOO_SHORT).then(|| seconds / first.seconds)
        }
    };
    Ok(Line {
        store,
        states: run.outcome.figures.states,
        bytes: run.store_bytes,
        per_state: run.store_bytes as f64 / run.stored.max(1) as f64,
        nodes: run.nodes,
        seconds,
        relative,
        verdict: run.outcome.verdict,
        coverage: run.coverage,
    })
}

fn as_json(model: &str, options: &SearchOptions, lines: &[Line]) -> Value {
    let stores: Vec<Value> = lines
        .iter()
        .map(|line| {
            json!({
                "store": line.store,
                "states": line.states,
                "bytes": {"store": line.bytes, "per_state": (line.per_state * 100.0).round() / 100.0, "nodes": line.nodes},
                "seconds": line.seconds,
                "relative": line.relative,
                "claim": line.claim(),
                "omission": match line.verdict {
                    Verdict::Holds(Claim::Hashed { omission }) => Some(omission),
                    _ => None,
                },
                "coverage": line.coverage,
                "reason": match line.verdict {
                    Verdict::Undecided(reason) => Some(reason.name()),
                    _ => None,
                },
            })
        })
        .collect();
    json!({
        "tool": "tightrope",
        "version": env!("CARGO_PKG_VERSION"),
        "command": "stores",
        "model": {"path": model},
        "configuration": {"search": options.search, "queue": options.queue, "memory": options.limits.memory, "seed": options.seed},
        "stores": stores,
    })
}

fn table(model: &str, lines: &[Line]) -> String {
    let mut text = format!("{model}\n");
    let _ = writeln!(
        text,
        "  {:<14} {:>12} {:>9}  {:<BAR$} {:>10} {:>8}  claim",
        "store", "states", "B/state", "", "nodes", "time"
    );
    let most = lines.iter().map(|line| line.per_state).fold(0.0, f64::max);
    for line in lines {
        let time = line.relative.map_or_else(|| "-".into(), |relative| format!("{relative:.2}x"));
        let _ = writeln!(
            text,
            "  {:<14} {:>12} {:>9.2}  {:<BAR$} {:>10} {:>8}  {}",
            line.store,
            grouped(line.states),
            line.per_state,
            bar(line.per_state / most),
            line.nodes.map_or_else(String::new, grouped),
            time,
            line.worth()
        );
    }
    if lines.first().is_some_and(|line| matches!(line.verdict, Verdict::Holds(_)) && line.seconds < TOO_SHORT) {
        let _ = writeln!(text, "  The searches are too short for their times to be compared.");
    }
    text
}

/// A bar as long as a share of the longest, to an eighth of a character.
fn bar(share: f64) -> String {
    const EIGHTHS: [char; 8] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];
    let eighths = if share.is_finite() { (share * BAR as f64 * 8.0).ceil().max(1.0) as usize } else { 1 };
    let mut text = "█".repeat(eighths / 8);
    if !eighths.is_multiple_of(8) {
        text.push(EIGHTHS[eighths % 8 - 1]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_share() {
        assert_eq!(bar(1.0).chars().count(), BAR);
        assert_eq!(bar(0.5), "█".repeat(BAR / 2));
        assert_eq!(bar(0.0), "▏");
        assert_eq!(bar(f64::NAN), "▏");
    }
}
