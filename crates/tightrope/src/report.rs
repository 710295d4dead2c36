//! The report: JSON for programs, text for people. Names in the JSON are promises; `docs/report.md` explains them.

use crate::advice::what_to_try;
use crate::amount::{bytes, counted, grouped};
use crate::arguments::SearchOptions;
use crate::estimate::Estimate;
use crate::language::Execution;
use crate::run::Run;
use crate::{comback, counterexample, verdict_scope};
use serde_json::{Value, json};
use std::fmt::Write;
use tightrope_core::{Claim, Fault, FaultKind, Place, Reason, Reencoded, Verdict};
use tightrope_por::STUBBORN_SETS;
use tightrope_reduce::SYMMETRY;
use tightrope_store::Bound;
use tightrope_syntax::Override;

/// What every report has. The violation is left to who writes it.
pub fn json(command: &str, options: &SearchOptions, run: &Run) -> Value {
    let figures = &run.outcome.figures;
    let initial = run.loaded.initial();
    let (verdict, claim, omission, reason) = match &run.outcome.verdict {
        Verdict::Holds(claim) => ("holds", Some(claim.name()), omission(*claim), None),
        Verdict::Violated(_) => ("violated", None, None, run.outcome.stopped.map(Reason::name)),
        Verdict::Undecided(reason) => ("undecided", None, run.omission, Some(reason.name())),
    };
    let total = run.started.elapsed().as_secs_f64();
    json!({
        "tool": "tightrope",
        "version": env!("CARGO_PKG_VERSION"),
        "command": command,
        "model": {
            "path": options.model.model.display().to_string(),
            "language": run.loaded.language.name,
            "vector_bytes": initial.len(),
            "packed_bits": run.loaded.model.schema().packed_bits(&initial),
        },
        "configuration": {
            "define": options.model.define,
            "set": options.model.set.iter().map(Override::to_string).collect::<Vec<_>>(),
            "search": options.search,
            "store": options.store().unwrap_or_else(|_| options.store.clone()),
            "cache": options.cache.map(bound_json),
            "replace": run.cached.as_ref().map(|cached| &cached.caching.replace),
            "snapshots": run.sampled.as_ref().map(|sampled| sampled.plan.stream.to_string()),
            "backtrack": run.sampled.as_ref().map(|sampled| sampled.plan.backtrack),
            "reduce": run.reduce,
            "queue": options.queue,
            "disk": run.disk.as_ref().map(|disk| disk.folder.display().to_string()),
            "disk_quota": options.disk_quota,
            "execute": run.loaded.execution.name(),
            "threads": options.threads,
            "memory": run.memory,
            "seed": options.seed,
            "goal": run.goal,
            "deadlock": run.checked.contains(&"deadlocks"),
            "depth": options.depth,
            "time": options.limits.time.map(|time| time.as_secs_f64()),
        },
        "verdict": verdict,
        "claim": claim,
        "omission": omission,
        "coverage": run.coverage,
        "reason": reason,
        "reduced": run.reduce,
        "preserves": verdict_scope::preserves(&run.reduce, &run.checked),
        "unchecked": verdict_scope::texts(&run.loaded.unchecked),
        "claims": verdict_scope::claims_json(run),
        "states": figures.states,
        "audit": run.audit.map(|states| json!({"states": states})),
        "visits": figures.visits,
        "transitions": figures.transitions,
        "matched": figures.matched,
        "fired": figures.fired,
        "levels": figures.levels,
        "widest_level": figures.widest_level,
        "depth": figures.depth,
        "deadlocks": figures.deadlocks,
        "ends": figures.ends,
        "violations": figures.violations,
        "faults": run.outcome.faults.iter().map(fault_json).collect::<Vec<_>>(),
        "stored_peak": figures.stored_peak,
        "frontier_peak": figures.frontier_peak,
        "bytes": {
            "peak_resident": run.peak_resident,
            "store": run.store_bytes,
            "nodes": run.nodes,
            "per_state": (run.bytes_per_state().unwrap_or(0.0) * 100.0).round() / 100.0,
            "frontier": figures.frontier_bytes,
            "disk": run.disk.as_ref().map_or(0, |disk| disk.peak),
        },
        "cache": run.cached.as_ref().map(|cached| cached.json(figures)),
        "snapshots": run.sampled.as_ref().map(|sampled| sampled.json(run.audit)),
        "comback": run.rebuilding.map(|spent| comback::json(spent, figures)),
        "history": run.history.iter().map(reencoded_json).collect::<Vec<_>>(),
        "estimates": run.estimates.iter().map(estimate_json).collect::<Vec<_>>(),
        "try": run.outcome.stopped.and_then(|reason| what_to_try(options, run, reason)),
        "seconds": {
            "front_end": run.loaded.seconds.as_secs_f64(),
            "compile": run.loaded.execution.compile().as_secs_f64(),
            "search": run.search.as_secs_f64(),
            "total": total,
        },
        "violation": Value::Null,
    })
}

/// What was violated, and how often.
fn fault_json((fault, count): &(Fault, u64)) -> Value {
    json!({"kind": fault.kind.name(), "message": fault.message, "at": counterexample::place_json(&fault.at), "count": count})
}

/// All that was violated, where there is more than one violation.
pub fn faults_text(run: &Run) -> String {
    let (faults, all) = (&run.outcome.faults, run.outcome.figures.violations);
    let number = counted(all, "violation");
    let mut text = match run.outcome.stopped {
        None => format!("{number} in all; this is the first\n"),
        Some(reason) => format!("{number} so far, the search did not finish ({}); this is the first\n", reason.name()),
    };
    if run.reduce.contains(&SYMMETRY.name) {
        text.push_str("  (names of scalarset elements stand for any)\n");
    }
    for (fault, count) in faults {
        let kind = if fault.kind == FaultKind::Assertion { String::new() } else { format!("{}: ", fault.kind.name()) };
        let _ = writeln!(text, "  {:>9}  {kind}{}{}", grouped(*count), fault.message, place_text(&fault.at));
    }
    let listed: u64 = faults.iter().map(|(_, count)| count).sum();
    if listed < all {
        let _ = writeln!(text, "  {:>9}  others", grouped(all - listed));
    }
    text
}

/// Where something is written, if it is.
fn place_text(at: &Place) -> String {
    if at.line > 0 { format!(" at {}:{}", at.file, at.line) } else { String::new() }
}

/// What a cache was asked to hold.
fn bound_json(bound: Bound) -> Value {
    match bound {
        Bound::States(states) => json!({"states": states}),
        Bound::Bytes(bytes) => json!({"bytes": bytes}),
    }
}

fn reencoded_json(reencoded: &Reencoded) -> Value {
    let Reencoded { from, to, states, before, after } = reencoded;
    json!({"from": from, "to": to, "states": states, "before": before, "after": after})
}

fn estimate_json(estimate: &Estimate) -> Value {
    let per_state = (estimate.per_state * 100.0).round() / 100.0;
    json!({"store": estimate.store, "per_state": per_state, "exact": estimate.exact})
}

fn omission(claim: Claim) -> Option<f64> {
    match claim {
        Claim::Hashed { omission } => Some(omission),
        Claim::Exact | Claim::Partial => None,
    }
}

/// The verdict in a sentence.
pub fn verdict_line(run: &Run, subject: &str) -> String {
    let left_out = verdict_scope::left_out(run);
    let reduced = verdict_scope::reduced(&run.reduce).map_or(String::new(), |how| format!("; {how}"));
    match &run.outcome.verdict {
        Verdict::Holds(claim) => {
            let worth = match claim {
                Claim::Exact => verdict_scope::exact(&run.reduce),
                Claim::Hashed { omission } if is_certain(*omission) => {
                    format!(
                        "hashed: states may have been left out, there is no useful bound on how likely that is{reduced}"
                    )
                }
                Claim::Hashed { omission } => {
                    format!(
                        "hashed: with a probability of {} at most, states were left out{reduced}",
                        probability(*omission)
                    )
                }
                Claim::Partial => format!("partial: states may have been left out{reduced}"),
            };
            let verdict = match (&run.goal, claim) {
                (Some(goal), Claim::Partial) => format!("the goal was not reached: {goal}"),
                (Some(goal), _) => format!("the goal is not reachable: {goal}"),
                (None, Claim::Partial) => format!("no violation found{left_out}"),
                (None, _) => format!("holds{left_out}"),
            };
            format!("{subject}: {verdict} ({worth})")
        }
        Verdict::Violated(violation) => {
            let fault = &violation.fault;
            let place = place_text(&fault.at);
            let cut = match run.outcome.stopped {
                Some(reason) => format!("; the search did not finish ({})", reason.name()),
                None => String::new(),
            };
            match fault.kind {
                FaultKind::Assertion => format!("{subject}: violated: {}{place}{cut}", fault.message),
                kind => format!("{subject}: violated ({}): {}{place}{cut}", kind.name(), fault.message),
            }
        }
        Verdict::Undecided(reason) => {
            let why = match reason {
                Reason::Memory => "the memory did not suffice".to_string(),
                Reason::Limit(what) | Reason::Other(what) => what.to_string(),
                Reason::Disk(kind) => {
                    run.disk.as_ref().map_or_else(|| format!("the disk: {kind}"), |disk| disk.why(*kind))
                }
                Reason::Time => "the time was up".to_string(),
                Reason::Depth => "there is more beyond the depth limit".to_string(),
                Reason::Interrupted => "interrupted".to_string(),
                Reason::Property => verdict_scope::why_open(run),
                Reason::Omission => verdict_scope::why_omitted(run),
                Reason::CollisionRate => "the cache is too small for the search to end".into(),
            };
            let found =
                if *reason == Reason::Property { "nothing else is wrong" } else { "no violation was found so far" };
            format!("{subject}: undecided ({}): {why}; {found}", reason.name())
        }
    }
}

/// With less than this share of the states nothing is said of it: it is no useful bound.
const LEAST_COVERAGE: f64 = 0.01;

/// Whether a bound on a probability says nothing: it is shown as 100 %.
pub fn is_certain(probability: f64) -> bool {
    probability >= 0.9995
}

/// A probability in words.
pub fn probability(probability: f64) -> String {
    match probability {
        0.0 => "0".into(),
        0.0..0.001 => format!("{probability:.1e}"),
        _ => format!("{:.1} %", probability * 100.0),
    }
}

/// The figures for people.
pub fn figures_text(run: &Run) -> String {
    let figures = &run.outcome.figures;
    let mut text = String::new();
    let mut line = format!(
        "  {}, {} ({} matched)",
        states_text(run),
        counted(figures.transitions, "transition"),
        grouped(figures.matched)
    );
    if figures.levels > 0 {
        let of_visits = if run.visits_again() { " of visits" } else { "" };
        let levels = counted(figures.levels, "level");
        let _ = write!(line, ", {levels}{of_visits}, widest {}", grouped(figures.widest_level));
    } else {
        let _ = write!(line, ", depth {}", grouped(figures.depth));
    }
    let _ = writeln!(text, "{line}");
    let seconds = run.search.as_secs_f64();
    let found = if run.eviction_stats().is_some() { figures.visits } else { figures.states };
    let rate = if seconds > 0.0 { (found as f64 / seconds) as u64 } else { 0 };
    let _ = writeln!(
        text,
        "  {:.2} s in all: {:.0} ms to read the model, {}{seconds:.2} s to search ({} states/s)",
        run.started.elapsed().as_secs_f64(),
        run.loaded.seconds.as_secs_f64() * 1e3,
        match run.loaded.execution {
            Execution::Native(time) => format!("{:.0} ms to compile it, ", time.as_secs_f64() * 1e3),
            _ => String::new(),
        },
        grouped(rate)
    );
    if let Some(per_state) = run.bytes_per_state() {
        let held = if run.eviction_stats().is_some() { "state that it held at a time" } else { "state" };
        let _ = writeln!(
            text,
            "  {} for the store ({per_state:.1} bytes per {held}), {} for the frontier, {} resident at most, {} allowed",
            bytes(run.store_bytes),
            bytes(figures.frontier_bytes),
            run.peak_resident.map_or("?".into(), bytes),
            bytes(run.memory)
        );
    }
    if let Some(coverage) = run.coverage {
        let _ = match coverage {
            ..LEAST_COVERAGE => {
                writeln!(text, "  how many of the states were visited is not known: there is no useful bound")
            }
            _ => writeln!(
                text,
                "  at least {:.2} % of the states are expected to have been visited, if none is farther away than these",
                (coverage * 1e4).floor() / 100.0
            ),
        };
    }
    if let Some(states) = run.audit {
        let checked = if run.reduce.contains(&STUBBORN_SETS.name) {
            "; the dependencies of their steps were checked"
        } else {
            ""
        };
        let _ = writeln!(text, "  audit: {} distinct states were counted{checked}", grouped(states));
    }
    if let Some(spent) = run.rebuilding {
        text.push_str(&comback::text(spent, figures));
    }
    if let Some(cached) = &run.cached {
        text.push_str(&cached.text(figures));
    }
    if let Some(disk) = &run.disk {
        text.push_str(&disk.text());
    }
    if let Some(sampled) = &run.sampled {
        text.push_str(&sampled.text(run.audit));
    }
    for reencoded in &run.history {
        let states = counted(reencoded.states, "state");
        let when = match run.changes_as_asked(reencoded) {
            true => format!("at {states}, as asked"),
            false => format!("memory ran short at {states}"),
        };
        let (to, before, after) = (reencoded.to, bytes(reencoded.before), bytes(reencoded.after));
        let _ = writeln!(text, "  {when}: re-encoded as `{to}` ({after} instead of {before})");
    }
    text
}

/// How many states there are; where some were evicted, as far as that is known, and how many were visited.
fn states_text(run: &Run) -> String {
    let figures = &run.outcome.figures;
    let Some(stats) = run.eviction_stats() else { return counted(figures.states, "state") };
    let (about, states) = match (run.audit, stats.distinct) {
        (Some(states), _) => ("", states),
        (None, Some(distinct)) => ("about ", distinct),
        (None, None) => ("at least ", figures.states),
    };
    let states = counted(states, "state");
    // Some of those that were found still wait.
    match run.ended_early || run.outcome.stopped.is_some() {
        true => format!("{}; {about}{states} were found", counted(figures.visits, "visit")),
        false => format!("{} of {about}{states}", counted(figures.visits, "visit")),
    }
}
