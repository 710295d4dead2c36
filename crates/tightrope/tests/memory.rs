//! The promise: the resident size of the process stays within `--memory`, and a search that needs more says so.
#![cfg(target_os = "linux")]

mod exploration;
mod program;

use exploration::corpus;
use program::{Folder, code, json, path, tightrope, watched};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A run as it is seen from outside.
struct Seen {
    /// What the system says was resident at most.
    peak: u64,
    code: i32,
    report: Value,
}

/// What the program takes before it has found a state. With less than this it can do nothing but say so. A build with debug assertions,
/// which is larger, takes a little more than the 8 MiB that are promised.
const PROGRAM: u64 = if cfg!(debug_assertions) { 9 << 20 } else { 8 << 20 };

/// Runs the program on a model.
fn run(model: &Path, options: &[&str]) -> Seen {
    let seen = watched(&[&["check", "--all", "--json", "--no-claims", path(model)], options].concat(), None);
    let report: Value = serde_json::from_str(&seen.text).unwrap_or(Value::Null);
    // What the program itself read at its end is later than what was read last from outside.
    let peak = report["bytes"]["peak_resident"].as_u64().unwrap_or(0).max(seen.peak);
    Seen { peak, code: seen.code.unwrap_or(-1), report }
}

/// The models of the corpus with so many states.
fn models(least: u64, most: u64) -> Vec<PathBuf> {
    let Some(corpus) = corpus() else { return Vec::new() };
    let mut found = Vec::new();
    for (name, column) in [("promela", 2), ("dve", 1), ("murphi", 2)] {
        let table = std::fs::read_to_string(corpus.join(format!("expected/{name}.tsv"))).expect("one of the tables");
        for line in table.lines().skip(1) {
            let columns: Vec<&str> = line.split('\t').collect();
            let wanted = match name {
                "promela" => columns[1] == "full",
                "murphi" => columns[1] == "on",
                _ => true,
            };
            let states = columns[column].parse().unwrap_or(0);
            if wanted && (least..=most).contains(&states) {
                let model = match name {
                    "dve" => {
                        let family = columns[0].rsplit_once('.').map_or(columns[0], |(family, _)| family);
                        format!("{family}/{}.dve", columns[0])
                    }
                    _ => String::from(columns[0]),
                };
                found.push(corpus.join("models").join(name).join(model));
            }
        }
    }
    found
}

/// With all, half and a quarter of what `hash` needs: never more than was allowed, never a crash, and where it finishes the
/// states are the same.
fn promise_is_kept(model: &Path, stores: &[&str]) {
    let label = |what: &str| format!("{} {what}", model.display());
    let free = run(model, &["--store", "hash", "--memory", "8G"]);
    assert!(free.code == 0 || free.code == 1, "{}: {}", label("hash"), free.code);
    for percent in [100, 50, 25] {
        // Less than the program needs for itself is refused.
        let memory = (free.peak * percent / 100).max(8 << 20);
        for store in stores {
            let what = format!("{store}, {percent} %, {memory} bytes");
            let seen = run(model, &["--store", store, "--memory", &memory.to_string()]);
            assert!(seen.peak <= memory.max(PROGRAM), "{}: {} bytes resident", label(&what), seen.peak);
            if seen.report["reason"] == "memory" {
                let found = seen.report["violations"].as_u64().unwrap_or(0) > 0;
                assert_eq!(seen.code, if found { 1 } else { 3 }, "{}", label(&what));
                continue;
            }
            assert_eq!(seen.code, free.code, "{}", label(&what));
            assert_eq!(seen.report["states"], free.report["states"], "{}", label(&what));
        }
    }
}

#[test]
fn the_promise_is_kept() {
    for model in models(100_000, 600_000).iter().step_by(9) {
        promise_is_kept(model, &["auto", "hash", "tree"]);
    }
}

#[test]
#[ignore = "takes an hour"]
fn the_promise_is_kept_by_all_stores() {
    for model in models(100_000, 3_000_000) {
        promise_is_kept(&model, &["auto", "hash", "bits", "compress", "collapse", "tree", "mdd"]);
    }
}

/// What `bitstate` claims to have visited is never more than it has, whether there is little memory or much; and with much it
/// leaves nothing out.
#[test]
fn coverage_is_no_more_than_it_is() {
    let models = models(20_000, 250_000);
    let mut compared = 0;
    for model in models.iter().step_by(models.len().div_ceil(20).max(1)) {
        let all = run(model, &["--store", "hash", "--memory", "4G"]).report["states"].as_u64().expect("a number");
        for (store, memory) in [("bitstate:1", "12M"), ("bitstate", "12M"), ("bitstate:2", "40M"), ("bitstate", "1G")] {
            let seen = run(model, &["--store", store, "--memory", memory]);
            let Some(states) = seen.report["states"].as_u64() else { panic!("{}", seen.report) };
            let Some(claimed) = seen.report["coverage"].as_f64() else {
                // The states that wait did not fit: nothing is claimed.
                assert_eq!(seen.report["reason"], "memory", "{}", seen.report);
                continue;
            };
            let true_one = states as f64 / all as f64;
            assert!(claimed <= true_one, "{} {store} {memory}: {claimed} of {true_one}", model.display());
            assert!(memory != "1G" || states == all, "{} {store} {memory}: {states} of {all}", model.display());
            compared += 1;
        }
    }
    assert!(corpus().is_none() || compared >= 50, "only {compared}");
}

/// Three counters and what follows from one of them: some hundred thousand states of nearly a hundred bytes.
const COUNTERS: &str = "byte a, b, c; byte pad[80];
    active proctype P() { do :: a < 70 -> a++ :: b < 70 -> b++ :: atomic { c < 70 -> c++; pad[c] = c } od }";

#[test]
fn a_store_becomes_smaller_and_keeps_the_work_done() {
    let folder = Folder::new("shrink");
    let model = folder.file("m.pml", COUNTERS);
    for search in ["bfs", "dfs"] {
        let seen = run(&model, &["--memory", "36M", "--search", search]);
        let all = run(&model, &["--store", "hash", "--memory", "8G", "--search", search]);
        assert_eq!(seen.report["states"], all.report["states"]);
        assert_eq!(seen.report["transitions"], all.report["transitions"]);
        assert_eq!((seen.code, all.code), (1, 1), "it ends in a deadlock");
        let shrunk = seen.report["history"].as_array().expect("a list");
        assert_eq!(shrunk.len(), 1, "{search}: {}", seen.report);
        assert_eq!(shrunk[0]["from"], "hash");
        assert!(shrunk[0]["after"].as_u64() < shrunk[0]["before"].as_u64());
    }
}

#[test]
fn what_others_would_need_is_told() {
    let folder = Folder::new("estimates");
    let model = folder.file("m.pml", COUNTERS);
    let output = tightrope(&["check", path(&model), "--store", "hash", "--memory", "30M", "--json"]);
    assert_eq!(code(&output), 3);
    let report = json(&output);
    let estimates = report["estimates"].as_array().expect("a list");
    let of = |store: &str| {
        let found = estimates.iter().find(|one| one["store"] == store);
        found.and_then(|found| found["per_state"].as_f64()).unwrap_or_else(|| panic!("no estimate for {store}"))
    };
    assert!(of("tree") < of("collapse") && of("collapse") < of("hash"));
    let try_this = report["try"].as_str().expect("a command");
    assert!(try_this.starts_with("tightrope check") && try_this.contains("--store tree"), "{try_this}");
}

/// Address space is limited hard: nothing crashes, whether the limit was told or is found out.
#[test]
fn hard_limits_are_no_crash() {
    let folder = Folder::new("ulimit");
    let model = folder.file("m.pml", COUNTERS);
    let program = env!("CARGO_BIN_EXE_tightrope");
    for (limit, memory) in [(112_000, ""), (200_000, ""), (200_000, "--memory 60M"), (200_000, "--memory 1G")] {
        for store in ["auto", "hash", "tree", "collapse", "mdd", "bdd", "compact", "bitstate"] {
            let command =
                format!("ulimit -v {limit}; exec {program} check {} {memory} --store {store} --json", path(&model));
            let output = Command::new("sh").args(["-c", &command]).output().expect("there is a shell");
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(matches!(code(&output), 1 | 3), "{store} {memory}: {} {error}", code(&output));
        }
    }
}

/// A step of a state of a mebibyte takes a mebibyte, and there are hundreds. What is known of its million variables takes
/// more than half of the memory before the search begins.
#[test]
fn the_steps_of_one_state_stay_within_the_memory() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/memory/wide_state_many_rules.m");
    const MEMORY: u64 = 400 << 20;
    for search in ["bfs", "dfs"] {
        for execute in ["jit", "interpret"] {
            let options = ["--memory", "400M", "--search", search, "--execute", execute];
            let seen = run(&model, &options);
            assert_eq!((seen.code, seen.report["reason"].as_str()), (3, Some("memory")), "{options:?}");
            assert!(seen.peak <= MEMORY, "{options:?}: {} bytes", seen.peak);
        }
    }
}

/// What is collected to be minimised is on the account, too.
#[test]
fn minimising_stays_within_the_memory() {
    let folder = Folder::new("minimise");
    // A thousand and one states, a million transitions with a label each, and few bytes in the store.
    let text = "var x: 0..1000; y: 0..1000; startstate begin x := 0; y := 0; end;\n\
                ruleset i: 0..1000 do rule \"go\" true ==> begin x := i; end; end;";
    let (model, output) = (folder.named("m.m", text), folder.place("m.aut"));
    let run = |memory: &str| {
        let args = ["lts", &model, "-o", &output, "--minimise", "strong", "--json", "--memory", memory];
        let output = tightrope(&args);
        (code(&output), json(&output))
    };
    let (status, report) = run("40M");
    assert_eq!((status, report["reason"].as_str()), (3, Some("memory")));
    assert!(report["output"].is_null() && report["bytes"]["peak_resident"].as_u64() <= Some(40 << 20), "{report}");
    let (status, report) = run("2G");
    assert_eq!((status, report["output"]["transitions"].as_u64()), (0, Some(1001)));
}

/// What was allocated counts before it is written to: at 200M the tables of a comparison were all there before any was full.
#[test]
fn comparing_stays_within_the_memory() {
    let folder = Folder::new("compare");
    let text = "var x: 0..1000000; ruleset i: 0..1000000 do startstate x := i; end; end; rule x := 0; end;";
    let (model, lts) = (folder.named("m.m", text), folder.place("m.aut"));
    assert_eq!(code(&tightrope(&["lts", &model, "-o", &lts, "-q"])), 0);
    for (memory, bytes) in [("160M", 160 << 20), ("200M", 200 << 20)] {
        let seen = watched(&["compare", &lts, &lts, "--equivalence", "branching", "--memory", memory], None);
        assert!(seen.code == Some(3) && seen.peak <= bytes, "{:?}, {} bytes of {memory}", seen.code, seen.peak);
    }
}
