//! Random Promela texts through the real SPIN, without reduction: the same states, transitions, errors and depth.
//!
//! `TIGHTROPE_SEED=17` looks at one program, `TIGHTROPE_PROGRAMS=N … -- --ignored` at many, from `TIGHTROPE_FIRST` on. With
//! `TIGHTROPE_FOUND=DIR` small programs that differ are written there. Skipped where `spin` or `gcc` is not installed.

mod suite;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tightrope_core::{Budget, SearchConfig, Successors};
use tightrope_ir::ProgramModel;
use tightrope_search::{Task, find};
use tightrope_store::{Site, make};
use tightrope_testkit::naive;
use tightrope_testkit::random_promela::{self, SPIN_IS_WRONG, shrink};

/// Programs with more states than this are left out.
const MOST_STATES: usize = 20_000;
/// Beside these SPIN's verifier stops, or reads memory that it should not.
const COMPARABLE: [&str; 3] = ["assertion", "deadlock", "event"];

/// States, transitions, errors, depth.
type Figures = (u64, u64, u64, u64);

fn output(program: &str, arguments: &[&str], folder: &Path) -> Option<String> {
    let all: Vec<&str> = ["10", program].iter().chain(arguments).copied().collect();
    let output = Command::new("timeout").args(all).current_dir(folder).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    output.status.success().then_some(text)
}

/// What SPIN counts; none where it refuses, crashes or gives up.
fn spin(text: &str, folder: &Path) -> Option<Figures> {
    std::fs::write(folder.join("m.pml"), text).ok()?;
    let _ = std::fs::remove_file(folder.join("pan.c"));
    let told = output("spin", &["-o1", "-o2", "-o3", "-a", "m.pml"], folder)?;
    if told.contains("Error") {
        return None;
    }
    let flags = ["-O0", "-w", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-DVECTORSZ=4096", "-o", "pan", "pan.c"];
    output("gcc", &flags, folder)?;
    let told = output("./pan", &["-c0", "-n", "-m100000"], folder)?;
    let troubled =
        ["max search depth", "not completed", "self-loop", "inherits 2", "VECTORSZ", "poll", "uninitialized"];
    if troubled.iter().any(|words| told.contains(words)) {
        return None;
    }
    let before = |mark: &str| {
        let line = told.lines().find(|line| line.contains(mark))?;
        line.split_whitespace().next()?.parse::<f64>().ok().map(|number| number as u64)
    };
    let after = |mark: &str| {
        let rest = told.split(mark).nth(1)?;
        rest.split(|one: char| !one.is_ascii_digit()).next()?.parse::<u64>().ok()
    };
    let transitions = before("transitions (=")?.checked_sub(1)?;
    Some((before("states, stored")?, transitions, after("errors: ")?, after("depth reached ")?))
}

/// What we count; none where it cannot be compared.
fn own(text: &str) -> Option<Figures> {
    let model = ProgramModel::new(suite::promela::load(text, None).ok()?);
    if model.start_fault().is_some() {
        return None;
    }
    let explored = naive::explore(&model, MOST_STATES)?;
    if !explored.faults.keys().all(|kind| COMPARABLE.contains(kind)) {
        return None;
    }
    let budget = Arc::new(Budget::unlimited());
    use tightrope_core::Model as _;
    let mut store = make("hash", Site { schema: model.schema(), budget: &budget, seed: 1, model: None }).ok()?;
    let config = SearchConfig { all: true, ..SearchConfig::checking() };
    let mut successors = Successors::new();
    let task = Task::new(&model, store.as_mut(), &config, &budget, &mut successors);
    let figures = (find("dfs").ok()?.run)(task, &mut ()).figures;
    Some((figures.states, figures.transitions, figures.violations, figures.depth))
}

/// Which figures differ.
fn differs(text: &str, folder: &Path) -> Option<(Figures, Figures)> {
    let (ours, theirs) = (own(text)?, spin(text, folder)?);
    (ours != theirs).then_some((ours, theirs))
}

/// In which of the figures two runs differ, for programs that differ alike.
fn class((ours, theirs): (Figures, Figures)) -> [bool; 4] {
    [ours.0 != theirs.0, ours.1 != theirs.1, ours.2 != theirs.2, ours.3 != theirs.3]
}

fn installed() -> bool {
    let answers = |name: &str, argument: &str| {
        Command::new(name).arg(argument).output().is_ok_and(|output| output.status.success())
    };
    let found = answers("spin", "-V") && answers("gcc", "--version") && answers("timeout", "--version");
    if !found {
        eprintln!("skipped: spin, gcc or timeout is not installed");
    }
    found
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Compares the programs of seeds from `first` on until so many were compared, and makes those that differ smaller for
/// as long as `patience` allows.
fn look_at(first: u64, wanted: u64, patience: Duration) {
    if !installed() {
        return;
    }
    let folder = Folder(std::env::temp_dir().join(format!("tightrope-spin-random-{}-{first}", std::process::id())));
    std::fs::create_dir_all(&folder.0).expect("a temporary folder");
    let (first, wanted) = number("TIGHTROPE_SEED").map_or((first, wanted), |seed| (seed, 1));
    let found = std::env::var("TIGHTROPE_FOUND").ok();
    let (mut compared, mut skipped, mut texts) = (0, 0, Vec::new());
    for seed in first.. {
        if compared >= wanted || skipped > 5 * wanted + 50 {
            break;
        }
        let text = random_promela::program(seed).text;
        if text.contains(SPIN_IS_WRONG) && wanted > 1 {
            skipped += 1;
            continue;
        }
        let Some(ours) = own(&text).filter(|ours| ours.0 > 4 || wanted == 1) else {
            skipped += 1;
            if wanted == 1 { break } else { continue }
        };
        let Some(theirs) = spin(&text, &folder.0) else {
            skipped += 1;
            if wanted == 1 { break } else { continue }
        };
        compared += 1;
        if ours == theirs {
            continue;
        }
        let kind = class((ours, theirs));
        let deadline = Instant::now() + patience;
        let small =
            shrink(&text, deadline, |text| differs(text, &folder.0).is_some_and(|figures| class(figures) == kind));
        let (ours, theirs) = differs(&small, &folder.0).unwrap_or((ours, theirs));
        let text = format!(
            "/* TIGHTROPE_SEED={seed}: check F --all --search dfs: states, transitions, errors, depth {ours:?}; SPIN {theirs:?} */\n{small}"
        );
        if let Some(found) = &found {
            std::fs::write(format!("{found}/spin_{seed}.pml"), &text).expect("TIGHTROPE_FOUND is a folder");
        }
        texts.push(text);
    }
    println!("{compared} programs compared with SPIN, {skipped} skipped, {} differ", texts.len());
    assert!(texts.is_empty(), "{} of {compared} programs differ:\n{}", texts.len(), texts.join("\n"));
}

#[test]
fn random_texts_count_as_in_spin() {
    look_at(0, 40, Duration::from_secs(20));
}

#[test]
#[ignore = "takes minutes; TIGHTROPE_PROGRAMS says how many"]
fn many_random_texts_count_as_in_spin() {
    let first = number("TIGHTROPE_FIRST").unwrap_or(1_000_000);
    look_at(first, number("TIGHTROPE_PROGRAMS").unwrap_or(1000), Duration::from_secs(20));
}
