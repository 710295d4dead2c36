//! The report: JSON for programs, text for people. Names in the JSON are promises; `docs/report.md` explains them.

use crate::amount::{bytes, counted, grouped};
use crate::arguments::SearchOptions;
use crate::caching::Cached;
use crate::estimate::{self, Estimate};
use crate::language::Execution;
use crate::run::Run;
use crate::{counterexample, verdict_scope};
use serde_json::{Value, json};
use std::fmt::Write;
use tightrope_core::{Claim, Fault, FaultKind, Place, Reason, Reencoded, Verdict};
use tightrope_por::STUBBORN_SETS;
use tightrope_reduce::SYMMETRY;
use tightrope_store::{Bound, STORES, StoreEntry};
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
        let _ = write!(line, ", {}, widest {}", counted(figures.levels, "level"), grouped(figures.widest_level));
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
        let percent = (coverage * 1e4).floor() / 100.0;
        let _ = writeln!(
            text,
            "  at least {percent:.2} % of the states are expected to have been visited, if none is farther away than these"
        );
    }
    if let Some(states) = run.audit {
        let checked = if run.reduce.contains(&STUBBORN_SETS.name) {
            "; the dependencies of their steps were checked"
        } else {
            ""
        };
        let _ = writeln!(text, "  audit: {} distinct states were counted{checked}", grouped(states));
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
        let _ = writeln!(
            text,
            "  memory ran short at {}: re-encoded as `{}` ({} instead of {})",
            counted(reencoded.states, "state"),
            reencoded.to,
            bytes(reencoded.after),
            bytes(reencoded.before)
        );
    }
    text
}

/// How many states there are; where some were evicted, as far as that is known, and how many were visited.
fn states_text(run: &Run) -> String {
    let figures = &run.outcome.figures;
    let Some(stats) = run.eviction_stats() else { return counted(figures.states, "state") };
    let visits = grouped(figures.visits);
    match (run.audit, stats.distinct) {
        (Some(states), _) => format!("{visits} visits of {}", counted(states, "state")),
        (None, Some(distinct)) => format!("{visits} visits of about {}", counted(distinct, "state")),
        (None, None) => format!("{visits} visits of at least {}", counted(figures.states, "state")),
    }
}

/// What to try when the search did not finish, and why.
pub fn advice(options: &SearchOptions, run: &Run) -> Option<String> {
    let reason = run.outcome.stopped?;
    let mut text = String::new();
    if let Some(per_state) = run.bytes_per_state().filter(|_| reason == Reason::Memory) {
        let states = counted(run.stored_at_most(), "state");
        let _ = writeln!(text, "  {states} with `--store {}`: {per_state:.1} bytes per state", options.store);
    }
    if !run.estimates.is_empty() {
        let list = |exact: bool| {
            let these = run.estimates.iter().filter(|estimate| estimate.exact == exact);
            let these: Vec<String> =
                these.map(|estimate| format!("{} {:.1}", estimate.store, estimate.per_state)).collect();
            these.join(", ")
        };
        let _ = writeln!(text, "  estimated bytes per state: {}", list(true));
        let lossy = list(false);
        if !lossy.is_empty() {
            let _ = writeln!(text, "  with stores that may leave states out: {lossy}");
        }
    }
    let command = what_to_try(options, run, reason)?;
    let _ = write!(text, "  try: {command}");
    Some(text)
}

/// Whether the search keeps a path.
fn has_path(options: &SearchOptions) -> bool {
    tightrope_search::find(&options.search).is_ok_and(|search| search.guarantees.path)
}

/// Whether the frontier took more than twice what the store did.
fn frontier_dominates(run: &Run) -> bool {
    run.outcome.figures.frontier_bytes > 2 * run.store_bytes
}

/// The command to try when a search did not finish.
fn what_to_try(options: &SearchOptions, run: &Run, reason: Reason) -> Option<String> {
    Some(match reason {
        // The path is pinned: no cache and no store makes it smaller.
        Reason::Memory if frontier_dominates(run) && has_path(options) => {
            format!("a larger --memory, or --search bfs: the depth-first stack took {}, the store {}", bytes(run.outcome.figures.frontier_bytes), bytes(run.store_bytes))
        }
        Reason::Memory if run.cached.as_ref().is_some_and(Cached::is_filled_by_path) => {
            "a larger --memory, or --search bfs: the path alone fills the cache".into()
        }
        Reason::Memory if run.cached.is_some() => {
            let queue = if run.disk.is_none() && !has_path(options) { ", or --queue disk" } else { "" };
            format!("a larger --memory, or a smaller --cache{queue}")
        }
        Reason::Memory if run.sampled.is_some() => {
            // What `auto` falls back on takes little; a transition system needs states in order.
            let small = |entry: &&StoreEntry| entry.fallback.is_some() && (entry.facts.ordered || run.recorded.is_none());
            let stores: Vec<&str> = STORES.iter().filter(small).map(|entry| entry.name).collect();
            let stores = stores.join(" or ");
            format!("--snapshots with fewer or smaller caches, --search bfs with --store {stores}, or a larger --memory")
        }
        Reason::Memory => {
            let figures = &run.outcome.figures;
            let per_state = |bytes: u64| bytes as f64 / run.stored.max(1) as f64;
            let beside = per_state(figures.frontier_peak * run.loaded.initial().len() as u64);
            let now = per_state(run.store_bytes + figures.frontier_bytes);
            // What `auto` has become is no news.
            let present = run.history.last().map_or(options.store.as_str(), |last| last.to);
            let best = estimate::best(&run.estimates, now, beside).filter(|best| best.store != present);
            let (store, memory) = match best {
                Some(best) => (best.store, run.memory),
                None => (options.store.as_str(), run.memory.saturating_mul(2)),
            };
            let memory = bytes(memory).replace(' ', "");
            let mut command = command_with(std::env::args().skip(1), &[("--store", store), ("--memory", &memory)]);
            let lossy = STORES.iter().find(|entry| !entry.facts.exact && entry.estimated.is_some());
            if let Some(lossy) = lossy.filter(|_| store == options.store && run.recorded.is_none()) {
                let _ = write!(command, ", or --store {}, which may leave states out", lossy.name);
            }
            if has_path(options) {
                command.push_str("; or --search bfs, which needs no memory for a path");
            }
            if frontier_dominates(run) && run.disk.is_none() && !has_path(options) {
                command.push_str("; or --queue disk: the states that wait took most of it");
            }
            // With a symmetry, what invariants look at is renamed, and stubborn sets seldom leave anything out.
            if run.is_check && run.loaded.program.is_some() && run.reduce.is_empty() {
                command.push_str("; or --reduce stubborn, which often visits far fewer states");
            }
            if run.recorded.is_none() && !has_path(options) {
                command.push_str("; or --search snapshots, which remembers some levels only, for more time");
            }
            command
        }
        Reason::Time if run.cached.as_ref().is_some_and(|cached| cached.is_too_small(&run.outcome.figures)) => {
            match run.cached.as_ref().is_some_and(|cached| cached.stats.short_of_memory) {
                true => "a larger --memory, or another --replace: no larger cache fits".into(),
                false => "a larger --cache, or another --replace".into(),
            }
        }
        Reason::Time => "a larger --time, or none".into(),
        Reason::Depth => "a larger --depth, or none".into(),
        Reason::Interrupted | Reason::Other(_) => return None,
        Reason::Disk(kind) => run.disk.as_ref()?.what_to_try(kind).into(),
        Reason::Property if run.loaded.product => {
            "--no-claims for the verdict on the system alone, or --goal EXPR, to ask whether a state can be reached \
             (`P.q` is true in state q of P)"
                .into()
        }
        Reason::Property => "--no-claims for the verdict on everything else".into(),
        Reason::Omission => {
            "an exact store (`tightrope stores MODEL` compares them), more bits (compact:64), more --memory (bitstate), or \
             a larger --omission"
                .into()
        }
        Reason::CollisionRate => {
            "a larger --cache, another --replace, or --search snapshots; or no --cache, with the store that takes least \
             (`tightrope stores` compares them)"
                .into()
        }
        Reason::Limit(_) => {
            "a smaller model; where it is the store that is full, another --store (`tightrope stores` lists them)"
                .into()
        }
    })
}

/// A word as a shell reads it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=+:,./%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.into(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// The command line again with other values for some options.
fn command_with(arguments: impl Iterator<Item = String>, options: &[(&str, &str)]) -> String {
    let mut text = String::from("tightrope");
    let mut add = |word: &str| {
        let _ = write!(text, " {}", quoted(word));
    };
    let mut arguments = arguments.peekable();
    while let Some(word) = arguments.next() {
        match options
            .iter()
            .find(|(name, _)| word.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('=')))
        {
            Some((name, _)) if word == *name => drop(arguments.next()),
            Some(_) => {}
            None => add(&word),
        }
    }
    for (name, value) in options {
        add(name);
        add(value);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_keep_everything_else() {
        let words = ["check", "a b.pml", "--memory=3M", "-DN=3", "--store", "hash", "--goal", "x == 'y'"];
        let text = command_with(words.map(String::from).into_iter(), &[("--store", "tree"), ("--memory", "3MiB")]);
        assert_eq!(text, r"tightrope check 'a b.pml' -DN=3 --goal 'x == '\''y'\''' --store tree --memory 3MiB");
    }
}
