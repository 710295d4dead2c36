//! Compares Tightrope with SPIN (Promela) and Rumur (Murphi) on the same models, in one run, as ratios.
//!
//! ```text
//! cargo build --release && cargo run --release -p tightrope-bench -- [--repeat N] [MODEL.pml MODEL.m …]
//! cargo build --release && cargo run --release -p tightrope-bench -- --beem [LEAST MOST] [OPTIONS OF MEASURE …]
//! cargo build --release && cargo run --release -p tightrope-bench -- --comback [OPTIONS OF MEASURE …]
//! cargo build --release && cargo run --release -p tightrope-bench -- --caching
//! cargo build --release && cargo run --release -p tightrope-bench -- --locality
//! cargo build --release && cargo run --release -p tightrope-bench -- --locality-large
//! cargo build --release && cargo run --release -p tightrope-bench -- --reductions
//! cargo build --release && cargo run --release -p tightrope-bench -- --snapshots [STREAM …]
//! ```
//!
//! `--beem` measures the DVE instances of the corpus with so many states (200,000 to 1,500,000), `--comback` the six of
//! the ComBack paper; there is no peer to install for them. `--caching` makes the tables of `docs/caching.md`,
//! `--locality` those of breadth-first caching beside the figures of the paper on transition locality, `--locality-large` that of
//! its search of 44 million states within 130 MB,
//! `--reductions` compares stubborn sets with SPIN's reduction, in states, `--snapshots` makes the table of `docs/snapshots.md`.
//!
//! The two alternate, several times; the table has medians and, as spread, the largest over the smallest time. SPIN is
//! run as a user would for the same answer: `spin -a`, `gcc -O2`, `pan`, nothing merged or reduced. Rumur is run with
//! one thread and its own (heuristic) symmetry reduction, so it may have more states; rates are in rules fired per
//! second. Without models on the command line it takes the corpus (`TIGHTROPE_CORPUS`, else `../shared`) where there is one, and the project's
//! own larger models.

#![forbid(unsafe_code)]

mod beem;
mod caching;
mod locality;
mod reductions;
mod snapshots;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The models of the corpus that are compared by default.
const CORPUS: &[&str] = &[
    "spin/LTL/pftp.pml",
    "spin/LTL/leader.pml",
    "spin/dtp.pml",
    "spin/snoopy.pml",
    "spin/cambridge.pml",
    "spin/sort.pml",
    "beem/peterson.4.pm",
    "beem/at.3.pm",
    "spin/peterson.pml",
];

/// The Murphi models of the corpus that are compared by default.
const MURPHI: &[&str] =
    &["sym/mcslock1.m", "sym/n_peterson.m", "sym/cache3.m", "sym/list6.m", "sym/eadash.m", "mux/dek.m"];

/// The project's own.
const OWN: &[&str] = &["models/promela/fork_join.pml", "models/promela/paxos.pml"];

fn main() {
    let mut repeat = 3;
    let mut models: Vec<PathBuf> = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let corpus = std::env::var_os("TIGHTROPE_CORPUS").map_or_else(|| root.join("../shared"), PathBuf::from);
    let tightrope = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.join("tightrope")));
    let Some(tightrope) = tightrope.filter(|path| path.exists()) else {
        eprintln!("build the program first: cargo build --release");
        std::process::exit(2);
    };
    let given: Vec<String> = std::env::args().skip(1).collect();
    if let Some("--beem" | "--comback") = given.first().map(String::as_str) {
        let numbers: Vec<u64> = given[1..].iter().map_while(|argument| argument.parse().ok()).take(2).collect();
        let sizes = match (given[0].as_str(), &numbers[..]) {
            ("--comback", _) => None,
            (_, [least, most]) => Some((*least, *most)),
            _ => Some((200_000, 1_500_000)),
        };
        let options = given[1 + numbers.len()..].join(" ");
        if let Err(why) = beem::run(&tightrope, &corpus, sizes, &options) {
            eprintln!("{why}");
            std::process::exit(2);
        }
        return;
    }
    let result = match given.first().map(String::as_str) {
        Some("--caching") => Some(caching::curves(&corpus).and_then(|()| caching::smallest(&corpus))),
        Some("--locality") => Some(locality::run(&tightrope, &corpus)),
        Some("--locality-large") => Some(locality::large(&tightrope, &corpus)),
        Some("--reductions") => Some(reductions::run(&tightrope, &corpus)),
        Some("--snapshots") => Some(snapshots::run(&tightrope, &corpus, &given[1..])),
        _ => None,
    };
    if let Some(result) = result {
        if let Err(why) = result {
            eprintln!("{why}");
            std::process::exit(2);
        }
        return;
    }
    let mut arguments = given.into_iter();
    while let Some(argument) = arguments.next() {
        if argument == "--repeat" {
            repeat = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(repeat);
        } else {
            models.push(argument.into());
        }
    }
    if models.is_empty() {
        models.extend(CORPUS.iter().map(|name| corpus.join("models/promela").join(name)));
        models.extend(MURPHI.iter().map(|name| corpus.join("models/murphi").join(name)));
        models.extend(OWN.iter().map(|name| root.join(name)));
        models.retain(|model| model.exists());
    }
    let (murphi, promela): (Vec<_>, Vec<_>) =
        models.iter().partition(|model| model.extension().is_some_and(|ending| ending == "m"));
    let installed = |name: &str, flag: &str| {
        let there = Command::new(name).arg(flag).output().is_ok();
        if !there {
            eprintln!("{name} is not installed: no ratios");
        }
        there
    };
    for (models, peer, work, run) in [
        (promela, installed("spin", "-V"), "states", run_spin as Peer),
        (murphi, installed("rumur", "--version"), "rules", run_rumur),
    ] {
        println!(
            "| model | states | {work}/s | peer's | search CPU s | peer's | ratio | source to verdict s | peer's | ratio | MiB | peer's | bytes/state | peer's | spread |"
        );
        println!("|{}", "---|".repeat(15));
        for model in models {
            if let Err(why) = compare(&tightrope, model, repeat, peer.then_some(run), work == "states") {
                eprintln!("{}: {why}", model.display());
            }
        }
        println!();
    }
}

/// What one run of one tool took.
#[derive(Default)]
struct Sample {
    states: u64,
    /// States, or rules fired.
    work: u64,
    search: f64,
    total: f64,
    mebibytes: f64,
    per_state: f64,
}

/// Runs another tool on a model.
type Peer = fn(&Path) -> Result<Sample, String>;

fn compare(tightrope: &Path, model: &Path, repeat: usize, peer: Option<Peer>, by_states: bool) -> Result<(), String> {
    let model = model.canonicalize().map_err(|why| why.to_string())?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let mut refused = None;
    for _ in 0..repeat {
        ours.push(run_tightrope(tightrope, &model, by_states)?);
        if let (Some(peer), None) = (peer, &refused) {
            match peer(&model) {
                Ok(sample) => theirs.push(sample),
                Err(why) => refused = Some(why),
            }
        }
    }
    let states = ours[0].states;
    if by_states && let Some(other) = theirs.iter().find(|sample| sample.states != states) {
        return Err(format!("{states} states, the peer has {}", other.states));
    }
    let middle = |samples: &[Sample], what: fn(&Sample) -> f64| {
        let mut values: Vec<f64> = samples.iter().map(what).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
    };
    let times: Vec<f64> = ours.iter().map(|sample| sample.search).collect();
    let spread = times.iter().copied().fold(0.0, f64::max) / times.iter().copied().fold(f64::MAX, f64::min);
    let (search, search_peer) = (middle(&ours, |s| s.search), middle(&theirs, |s| s.search));
    let (total, total_peer) = (middle(&ours, |s| s.total), middle(&theirs, |s| s.total));
    let name = model.file_name().unwrap_or_default().to_string_lossy().into_owned();
    println!(
        "| {name} | {states} | {:.0} | {:.0} | {search:.3} | {search_peer:.3} | {:.2} | {total:.3} | {total_peer:.3} | {:.2} | {:.1} | {:.1} | {:.1} | {:.1} | {spread:.2} |",
        middle(&ours, |s| s.work as f64 / s.search.max(1e-6)),
        middle(&theirs, |s| s.work as f64 / s.search.max(1e-6)),
        search / search_peer,
        total / total_peer,
        middle(&ours, |s| s.mebibytes),
        middle(&theirs, |s| s.mebibytes),
        middle(&ours, |s| s.per_state),
        middle(&theirs, |s| s.per_state),
    );
    if let Some(why) = refused {
        eprintln!("{name}: the peer: {why}");
    }
    Ok(())
}

/// Runs a command in a folder and gives its output, its wall time and its CPU time (user and system, children too).
pub fn timed(folder: &Path, command: &str) -> Result<(String, f64, f64), String> {
    let start = Instant::now();
    let script = format!("{command}\nstatus=$?\ntimes >&2\nexit $status");
    let output =
        Command::new("bash").args(["-c", &script]).current_dir(folder).output().map_err(|why| why.to_string())?;
    let wall = start.elapsed().as_secs_f64();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    // The last line has the times of the children: `0m0.123s 0m0.004s`.
    let cpu = errors.lines().last().map_or(f64::NAN, |line| line.split_whitespace().map(minutes).sum());
    Ok((String::from_utf8_lossy(&output.stdout).into_owned(), wall, cpu))
}

fn minutes(text: &str) -> f64 {
    let (minutes, seconds) = text.trim_end_matches('s').split_once('m').unwrap_or(("0", "0"));
    minutes.parse::<f64>().unwrap_or(0.0) * 60.0 + seconds.parse::<f64>().unwrap_or(0.0)
}

fn run_tightrope(program: &Path, model: &Path, by_states: bool) -> Result<Sample, String> {
    let command = format!("'{}' check '{}' --all --json", program.display(), model.display());
    let (text, wall, cpu) = timed(Path::new("."), &command)?;
    let report: serde_json::Value = serde_json::from_str(&text).map_err(|why| format!("{why}: {text}"))?;
    let front_end = report["seconds"]["front_end"].as_f64().unwrap_or(0.0);
    let count = |name: &str| report[name].as_u64().unwrap_or(0);
    Ok(Sample {
        states: count("states"),
        work: count(if by_states { "states" } else { "transitions" }),
        search: cpu - front_end,
        total: wall,
        mebibytes: report["bytes"]["peak_resident"].as_f64().unwrap_or(0.0) / 1048576.0,
        per_state: report["bytes"]["per_state"].as_f64().unwrap_or(f64::NAN),
    })
}

fn run_spin(model: &Path) -> Result<Sample, String> {
    let folder = std::env::temp_dir().join(format!("tightrope-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|why| why.to_string())?;
    let start = Instant::now();
    let compile = format!(
        "spin -o1 -o2 -o3 -a '{}' >/dev/null && gcc -O2 -w -DSAFETY -DNOREDUCE -DNOCLAIM -DVECTORSZ=8192 -o pan pan.c",
        model.display()
    );
    timed(&folder, &compile)?;
    // A small hash table to begin with, so that memory can be compared; SPIN's own default takes 128 MiB.
    let (text, _, cpu) = timed(&folder, "./pan -c0 -n -m1000000 -w20")?;
    let total = start.elapsed().as_secs_f64();
    let _ = std::fs::remove_dir_all(&folder);
    let number = |mark: &str| {
        let line = text.lines().find(|line| line.contains(mark))?;
        line.split_whitespace().next()?.parse::<f64>().ok()
    };
    let states = number("states, stored").ok_or_else(|| format!("no figures from pan: {text}"))?;
    let states = states as u64;
    let mebibytes = number("total actual memory").unwrap_or(f64::NAN);
    let per_state = number("actual memory usage for states").unwrap_or(f64::NAN) * 1048576.0 / states as f64;
    Ok(Sample { states, work: states, search: cpu, total, mebibytes, per_state })
}

fn run_rumur(model: &Path) -> Result<Sample, String> {
    let folder = std::env::temp_dir().join(format!("tightrope-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|why| why.to_string())?;
    let start = Instant::now();
    let compile = format!(
        "rumur --threads 1 --output m.c '{}' 2>&1 && gcc -std=c11 -O2 -mcx16 -march=native -w -o m m.c -lpthread",
        model.display()
    );
    let (text, ..) = timed(&folder, &compile)?;
    if !folder.join("m").exists() {
        let _ = std::fs::remove_dir_all(&folder);
        let why = text.lines().find(|line| line.contains("rror")).unwrap_or("it does not compile").trim();
        return Err(why.to_string());
    }
    let (text, _, cpu) = timed(&folder, "timeout 600 ./m")?;
    let total = start.elapsed().as_secs_f64();
    let _ = std::fs::remove_dir_all(&folder);
    // "\t23636 states, 94544 rules fired in 3s."
    let line = text.lines().rev().find(|line| line.contains("rules fired in")).ok_or("no figures")?;
    let numbers: Vec<u64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match numbers[..] {
        [states, work, ..] => Ok(Sample { states, work, search: cpu, total, mebibytes: f64::NAN, per_state: f64::NAN }),
        _ => Err(format!("no figures in `{line}`")),
    }
}
