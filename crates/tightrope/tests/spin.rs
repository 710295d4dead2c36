//! The real SPIN on the project's own models: whatever it counts, we count. A new model needs no stored number.

mod exploration;

use exploration::{explore, load, models_in, root};
use std::path::Path;
use std::process::Command;
use tightrope::core::Verdict;

/// What SPIN's verifier says: states, transitions, whether there were errors.
fn spin(model: &Path, folder: &Path) -> Result<(u64, u64, bool), String> {
    let run = |program: &str, args: &[&str]| {
        let output = Command::new(program).args(args).current_dir(folder).output().map_err(|why| why.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        if output.status.success() { Ok(text) } else { Err(format!("{program} {args:?}: {text}")) }
    };
    let model = model.canonicalize().map_err(|why| why.to_string())?;
    run("spin", &["-o1", "-o2", "-o3", "-a", &model.display().to_string()])?;
    let flags = ["-O1", "-w", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-DVECTORSZ=8192", "-o", "pan", "pan.c"];
    run("gcc", &flags)?;
    let text = run("./pan", &["-c0", "-n", "-m1000000"])?;
    let before = |mark: &str| {
        let line = text.lines().find(|line| line.contains(mark)).ok_or_else(|| format!("no `{mark}` in {text}"))?;
        let number = line.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
        number.map(|number| number as u64).ok_or_else(|| format!("no number in `{line}`"))
    };
    let errors = text.lines().find_map(|line| line.split("errors: ").nth(1)).ok_or("no errors line")?;
    Ok((before("states, stored")?, before("transitions (=")? - 1, errors.trim() != "0"))
}

fn installed() -> bool {
    let found = ["spin", "gcc"].iter().all(|name| {
        let answers = Command::new(name).arg(if *name == "spin" { "-V" } else { "--version" }).output();
        answers.is_ok_and(|output| output.status.success())
    });
    if !found {
        eprintln!("skipped: spin or gcc is not installed");
    }
    found
}

fn agree_in(folder: &str) {
    if !installed() {
        return;
    }
    let temporary =
        std::env::temp_dir().join(format!("tightrope-spin-{}-{}", folder.replace('/', "-"), std::process::id()));
    std::fs::create_dir_all(&temporary).expect("a temporary folder");
    let mut wrong = Vec::new();
    for path in models_in(&root().join(folder)) {
        let model = match load(&path) {
            Ok(model) => model,
            Err(why) => {
                wrong.push(format!("{}: {why}", path.display()));
                continue;
            }
        };
        let explored = explore(&model, "bfs", "hash");
        // Past an error that is no failed assertion and no deadlock, SPIN's verifier reads memory it should not.
        let figures = &explored.outcome.figures;
        let comparable = explored.kinds.iter().all(|kind| ["assertion", "deadlock"].contains(kind));
        let violated = matches!(explored.outcome.verdict, Verdict::Violated(_));
        match spin(&path, &temporary) {
            Ok((states, transitions, errors)) => {
                if comparable && (states, transitions, errors) != (figures.states, figures.transitions, violated) {
                    let found = (figures.states, figures.transitions, violated);
                    wrong.push(format!("{}: {found:?}, SPIN {:?}", path.display(), (states, transitions, errors)));
                }
            }
            Err(why) if comparable => wrong.push(format!("{}: {why}", path.display())),
            Err(_) => {}
        }
    }
    let _ = std::fs::remove_dir_all(&temporary);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn own_models_count_as_in_spin() {
    agree_in("models/promela");
}

/// Takes a quarter of an hour: SPIN compiles each of some five hundred models.
#[test]
#[ignore = "long; the stored expectations are checked in `promela.rs`"]
fn corners_count_as_in_spin() {
    agree_in("crates/promela/tests/semantics");
}
