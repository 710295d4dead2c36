//! What to try when a search did not finish.

use crate::amount::{bytes, counted};
use crate::arguments::SearchOptions;
use crate::caching::Cached;
use crate::estimate;
use crate::run::Run;
use std::fmt::Write;
use tightrope_core::Reason;
use tightrope_store::{STORES, StoreEntry};

/// With fewer levels than these, snapshots hardly save any memory (docs/snapshots.md).
const LEVELS_FOR_SNAPSHOTS: u64 = 70;

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

/// Whether the search got so deep that remembering some levels only may pay.
fn is_deep(run: &Run) -> bool {
    run.outcome.figures.levels >= LEVELS_FOR_SNAPSHOTS
}

/// What to do about a cache that is too small.
fn larger_cache(cached: &Cached) -> String {
    let larger = match cached.stats.short_of_memory {
        true => {
            format!("a larger --memory{}", cached.denser_stores().map_or(String::new(), |text| format!(", {text}")))
        }
        false => "a larger --cache".into(),
    };
    format!("{larger}, --replace {}", cached.other_replacement())
}

/// The command to try when a search did not finish.
pub fn what_to_try(options: &SearchOptions, run: &Run, reason: Reason) -> Option<String> {
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
            let dropped = if store == options.store { &[][..] } else { &FOR_ONE_STORE[..] };
            let options_now = [("--store", store), ("--memory", &memory)];
            let mut command = command_with(std::env::args().skip(1), &options_now, dropped);
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
            // Transitions that are collected to be minimised would be more.
            let collects = run.recorded.as_ref().is_some_and(|recorded| recorded.collected);
            if !collects && is_deep(run) && !has_path(options) {
                command.push_str("; or --search snapshots, which remembers some levels only, for more time");
            }
            command
        }
        Reason::Time => match run.cached.as_ref().filter(|cached| cached.is_too_small(&run.outcome.figures)) {
            Some(cached) => larger_cache(cached),
            None => "a larger --time, or none".into(),
        },
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
            let larger = run.cached.as_ref().map_or_else(|| "a larger --cache".into(), larger_cache);
            let snapshots = if is_deep(run) { ", --search snapshots" } else { "" };
            format!(
                "{larger}{snapshots}; or no --cache, with the store that takes least (`tightrope stores` compares them)"
            )
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

/// Options that go with one store only; `--queue ids` does, too.
const FOR_ONE_STORE: [&str; 4] = ["--comback-cache", "--comback-cache-size", "--candidates", "--bdd-order"];

/// The command line again with other values for some options, and without some others, all of which have values.
fn command_with(arguments: impl Iterator<Item = String>, options: &[(&str, &str)], dropped: &[&str]) -> String {
    let mut text = String::from("tightrope");
    let mut add = |word: &str| {
        let _ = write!(text, " {}", quoted(word));
    };
    let mut arguments = arguments.peekable();
    while let Some(word) = arguments.next() {
        let is = |name: &&str| word.strip_prefix(*name).is_some_and(|rest| rest.is_empty() || rest.starts_with('='));
        let is_queue_of_ids =
            word == "--queue=ids" || word == "--queue" && arguments.peek().is_some_and(|at| at == "ids");
        let mut names = options.iter().map(|(name, _)| name).chain(dropped);
        match names.find(|name| is(name)) {
            Some(name) if word == *name => drop(arguments.next()),
            Some(_) => {}
            None if is_queue_of_ids && !dropped.is_empty() => drop(arguments.next_if(|at| at == "ids")),
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
        let options = [("--store", "tree"), ("--memory", "3MiB")];
        let text = command_with(words.map(String::from).into_iter(), &options, &[]);
        assert_eq!(text, r"tightrope check 'a b.pml' -DN=3 --goal 'x == '\''y'\''' --store tree --memory 3MiB");
    }

    #[test]
    fn options_of_another_store_are_left_out() {
        let words = [
            "check",
            "--comback-cache=F",
            "--candidates",
            "3",
            "--queue",
            "ids",
            "--comback-cache-size",
            "1%",
            "m.pml",
        ];
        let command = |dropped| command_with(words.map(String::from).into_iter(), &[("--store", "tree")], dropped);
        assert_eq!(command(&FOR_ONE_STORE), "tightrope check m.pml --store tree");
        assert!(command(&[]).contains("--queue ids"));
        let words = ["check", "m.pml", "--queue=ids", "--queue", "disk"].map(String::from);
        let text = command_with(words.into_iter(), &[("--store", "tree")], &FOR_ONE_STORE);
        assert_eq!(text, "tightrope check m.pml --queue disk --store tree");
    }
}
