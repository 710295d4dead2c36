//! Ten million transitions: how long reading, searching and writing take, and in how much memory.
//!
//! `cargo test --release -p tightrope-aut --test large -- --ignored --nocapture --test-threads 1`

use std::path::{Path, PathBuf};
use std::time::Instant;
use tightrope_aut::{AutModel, AutWriter, Lts, read, write};
use tightrope_core::{Model, Successors};
use tightrope_syntax::{Diagnostics, SourceMap};

const STATES: u64 = 2_000_000;
const TRANSITIONS: u64 = 10_000_000;

/// A line of `/proc/self/status` in megabytes; zero where there is no such file.
fn megabytes(key: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key));
    line.and_then(|line| line.split_whitespace().next()).and_then(|value| value.parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// A file of random transitions, by source or in any order, with so many labels.
fn generate(name: &str, in_order: bool, labels: u64) -> PathBuf {
    let path = std::env::temp_dir().join(format!("tightrope-{}-{name}.aut", std::process::id()));
    let mut writer = AutWriter::create(&path).expect("the temporary folder can be written to");
    let mut seed = 1u64;
    let mut random = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let start = Instant::now();
    for number in 0..TRANSITIONS {
        let from = if in_order { number * STATES / TRANSITIONS } else { random(STATES) };
        let label = format!("send({})", random(labels));
        writer.transition(from, &label, random(STATES)).expect("there is room");
    }
    let written = writer.finish(0, STATES).expect("there is room");
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("{name}: {} MB generated in {seconds:.2} s, peak {} MB", written.bytes >> 20, megabytes("VmHWM:"));
    path
}

fn load(path: &Path) -> Lts {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let (start, before) = (Instant::now(), megabytes("VmRSS:"));
    let lts = read(path, &mut sources, &mut diagnostics).expect("the file is fine");
    let seconds = start.elapsed().as_secs_f64();
    let (after, peak) = (megabytes("VmRSS:"), megabytes("VmHWM:"));
    eprintln!(
        "  read in {seconds:.2} s; resident {before} -> {after} MB, peak {peak} MB; own count {} MB",
        lts.bytes() >> 20
    );
    assert_eq!(u64::from(lts.transitions()), TRANSITIONS);
    lts
}

fn expand(lts: Lts) -> Lts {
    let model = AutModel::new(lts);
    let (mut out, mut steps, start) = (Successors::new(), 0u64, Instant::now());
    for state in 0..model.lts().states() {
        model.successors(&state.to_le_bytes(), &mut out);
        steps += out.len() as u64;
    }
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(steps, TRANSITIONS);
    eprintln!("  all states expanded in {seconds:.2} s: {:.1} M states/s", STATES as f64 / seconds / 1e6);
    model.into_lts()
}

fn run(name: &str, in_order: bool, labels: u64) {
    let path = generate(name, in_order, labels);
    let lts = expand(load(&path));
    let start = Instant::now();
    write(&path, &lts).expect("there is room");
    eprintln!("  written in {:.2} s", start.elapsed().as_secs_f64());
    std::fs::remove_file(&path).expect("it is there");
}

#[test]
#[ignore = "takes a quarter of a minute"]
fn in_order() {
    run("by source, 1000 labels", true, 1000);
}

#[test]
#[ignore = "takes a quarter of a minute"]
fn in_any_order() {
    run("in any order, 1000 labels", false, 1000);
}

#[test]
#[ignore = "takes a quarter of a minute"]
fn with_many_labels() {
    run("by source, 10 M labels", true, 10 * TRANSITIONS);
}
