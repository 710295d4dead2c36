//! Stubborn sets against SPIN's partial-order reduction, over the Promela models of the corpus.

use crate::timed;
use serde_json::Value;
use std::path::Path;

/// Models with more states than this, without a reduction, are left out.
const MOST: u64 = 700_000;
/// More states than SPIN has, by this factor, is listed as an exception.
const MARGIN: f64 = 1.10;

/// Runs both on every model, and prints a table and the exceptions.
pub fn run(tightrope: &Path, corpus: &Path) -> Result<(), String> {
    let table = std::fs::read_to_string(corpus.join("expected/promela.tsv")).map_err(|why| why.to_string())?;
    println!("| model | states | reduced | SPIN's | ratio | verdict | SPIN's errors |");
    println!("|---|---|---|---|---|---|---|");
    let (mut compared, mut exceptions) = (0, Vec::new());
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let (name, full) = (columns[0], columns[2].parse().unwrap_or(u64::MAX));
        if columns[1] != "full" || full > MOST {
            continue;
        }
        let model = corpus.join("models/promela").join(name).canonicalize().map_err(|why| format!("{name}: {why}"))?;
        let ours = run_tightrope(tightrope, &model).map_err(|why| format!("{name}: {why}"))?;
        let states = ours["states"].as_u64().unwrap_or(0);
        let verdict = ours["verdict"].as_str().unwrap_or("—");
        match run_spin(&model) {
            Ok((theirs, errors)) => {
                let ratio = states as f64 / theirs as f64;
                println!("| {name} | {full} | {states} | {theirs} | {ratio:.2} | {verdict} | {errors} |");
                compared += 1;
                if ratio > MARGIN {
                    exceptions.push(format!("{name} ({states}, SPIN {theirs})"));
                }
            }
            Err(why) => {
                println!("| {name} | {full} | {states} | — | | {verdict} | |");
                eprintln!("{name}: SPIN: {why}");
            }
        }
    }
    println!("\n{compared} models compared; more than {MARGIN:.2} times SPIN's states: {}", exceptions.join(", "));
    Ok(())
}

fn run_tightrope(program: &Path, model: &Path) -> Result<Value, String> {
    let options = "--all --search dfs --reduce stubborn --no-claims --json";
    let command = format!("'{}' check '{}' {options}", program.display(), model.display());
    let (text, ..) = timed(Path::new("."), &command)?;
    serde_json::from_str(&text).map_err(|why| format!("{why}: {text}"))
}

/// The states that SPIN stores with its reduction, as its authors compare: without merging of steps, without a claim. And the
/// errors it counts.
fn run_spin(model: &Path) -> Result<(u64, u64), String> {
    let folder = std::env::temp_dir().join(format!("tightrope-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|why| why.to_string())?;
    let compile = format!(
        "spin -o1 -o2 -o3 -a '{}' >/dev/null && gcc -O2 -w -DSAFETY -DNOCLAIM -DVECTORSZ=8192 -o pan pan.c",
        model.display()
    );
    timed(&folder, &compile)?;
    let (text, ..) = timed(&folder, "timeout 600 ./pan -c0 -n -m2000000")?;
    let _ = std::fs::remove_dir_all(&folder);
    let stored = text.lines().find(|line| line.contains("states, stored"));
    let stored = stored.and_then(|line| line.split_whitespace().next()?.parse().ok());
    let errors = text.split("errors: ").nth(1).and_then(|rest| rest.split_whitespace().next()?.parse().ok());
    stored.zip(errors).ok_or_else(|| String::from("no figures from pan"))
}
