//! Compares Tightrope with SPIN on the same models, in one run, as ratios.
//!
//! ```text
//! cargo build --release && cargo run --release -p tightrope-bench -- [--repeat N] [MODEL.pml …]
//! ```
//!
//! The two alternate, several times; the table has medians and, as spread, the largest over the smallest time. SPIN is
//! run as a user would for the same answer: `spin -a`, `gcc -O2`, `pan`, nothing merged or reduced. Without models on
//! the command line it takes the corpus (`TIGHTROPE_CORPUS`, else `../shared`) where there is one, and the project's
//! own larger models.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The models of the corpus that are compared by default.
const CORPUS: &[&str] = &[
    "spin/LTL/pftp.pml",
    "spin/dtp.pml",
    "spin/snoopy.pml",
    "spin/cambridge.pml",
    "spin/sort.pml",
    "beem/peterson.4.pm",
    "beem/at.3.pm",
    "spin/peterson.pml",
];

/// The project's own.
const OWN: &[&str] = &["models/promela/fork_join.pml", "models/promela/paxos.pml"];

fn main() {
    let mut repeat = 3;
    let mut models: Vec<PathBuf> = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--repeat" {
            repeat = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(repeat);
        } else {
            models.push(argument.into());
        }
    }
    if models.is_empty() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let corpus = std::env::var_os("TIGHTROPE_CORPUS").map_or_else(|| root.join("../shared"), PathBuf::from);
        models.extend(CORPUS.iter().map(|name| corpus.join("models/promela").join(name)));
        models.extend(OWN.iter().map(|name| root.join(name)));
        models.retain(|model| model.exists());
    }
    let tightrope = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.join("tightrope")));
    let Some(tightrope) = tightrope.filter(|path| path.exists()) else {
        eprintln!("build the program first: cargo build --release");
        std::process::exit(2);
    };
    let peer = Command::new("spin").arg("-V").output().is_ok();
    if !peer {
        eprintln!("spin is not installed: no ratios");
    }
    println!(
        "| model | states | states/s | search CPU s | SPIN | ratio | source to verdict s | SPIN | ratio | MiB | SPIN | spread |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for model in &models {
        if let Err(why) = compare(&tightrope, model, repeat, peer) {
            eprintln!("{}: {why}", model.display());
        }
    }
}

/// What one run of one tool took.
#[derive(Default)]
struct Sample {
    states: u64,
    search: f64,
    total: f64,
    mebibytes: f64,
}

fn compare(tightrope: &Path, model: &Path, repeat: usize, peer: bool) -> Result<(), String> {
    let model = model.canonicalize().map_err(|why| why.to_string())?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..repeat {
        ours.push(run_tightrope(tightrope, &model)?);
        if peer {
            theirs.push(run_spin(&model)?);
        }
    }
    let states = ours[0].states;
    if let Some(other) = theirs.iter().find(|sample| sample.states != states) {
        return Err(format!("{states} states, SPIN has {}", other.states));
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
        "| {name} | {states} | {:.0} | {search:.3} | {search_peer:.3} | {:.2} | {total:.3} | {total_peer:.3} | {:.2} | {:.1} | {:.1} | {spread:.2} |",
        states as f64 / search.max(1e-6),
        search / search_peer,
        total / total_peer,
        middle(&ours, |s| s.mebibytes),
        middle(&theirs, |s| s.mebibytes),
    );
    Ok(())
}

/// Runs a command in a folder and gives its output, its wall time and its CPU time (user and system, children too).
fn timed(folder: &Path, command: &str) -> Result<(String, f64, f64), String> {
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

fn run_tightrope(program: &Path, model: &Path) -> Result<Sample, String> {
    let command = format!("'{}' check '{}' --all --json", program.display(), model.display());
    let (text, wall, cpu) = timed(Path::new("."), &command)?;
    let report: serde_json::Value = serde_json::from_str(&text).map_err(|why| format!("{why}: {text}"))?;
    let front_end = report["seconds"]["front_end"].as_f64().unwrap_or(0.0);
    Ok(Sample {
        states: report["states"].as_u64().unwrap_or(0),
        search: cpu - front_end,
        total: wall,
        mebibytes: report["bytes"]["peak_resident"].as_f64().unwrap_or(0.0) / 1048576.0,
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
    Ok(Sample {
        states: states as u64,
        search: cpu,
        total,
        mebibytes: number("total actual memory").unwrap_or(f64::NAN),
    })
}
