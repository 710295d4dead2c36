//! Small programs on which stubborn sets were wrong once: every search, store and reduction agrees with no reduction.

mod program;

use program::Folder;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const STORES: &[&str] = &["hash", "bits", "collapse", "tree", "mdd", "auto", "compact:40"];

fn reductions(search: &str) -> &'static [&'static str] {
    if search == "dfs" { &["none", "sleep", "stubborn", "sleep,stubborn"] } else { &["none", "stubborn"] }
}

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stubborn");
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("readable").path()).collect();
    all.sort();
    all
}

/// What a check says: the verdict, the kind of violation, deadlocks.
fn check(program: &Path, options: &[&str]) -> (String, String, u64) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tightrope"));
    command.arg("check").arg(program).arg("--json").args(options);
    if program.ends_with("goal_sees_partner.pml") {
        command.args(["--goal", "y==0 && w==1"]);
    }
    let output = command.output().expect("it starts");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)));
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_string();
    (text(&report["verdict"]), text(&report["violation"]["kind"]), report["deadlocks"].as_u64().expect("a number"))
}

#[test]
fn reductions_agree() {
    let programs = programs();
    assert!(programs.len() >= 28, "{programs:?}");
    for program in &programs {
        let (verdict, kind, _) = check(program, &["--no-deadlock", "--reduce", "none"]);
        let all = check(program, &["--all", "--reduce", "none"]);
        for search in ["bfs", "dfs"] {
            for reduce in reductions(search) {
                for store in STORES {
                    let options = ["--search", search, "--reduce", reduce, "--store", store];
                    let found = check(program, &[&["--no-deadlock"], &options[..]].concat());
                    assert_eq!((&found.0, &found.1), (&verdict, &kind), "{program:?} {options:?}");
                }
                let found = check(program, &["--all", "--search", search, "--reduce", reduce]);
                assert_eq!(found.2, all.2, "{program:?} --search {search} --reduce {reduce}: deadlocks");
                let cached = check(program, &["--no-deadlock", "--search", "dfs", "--reduce", reduce, "--cache", "3"]);
                assert_eq!((&cached.0, &cached.1), (&verdict, &kind), "{program:?} --reduce {reduce} --cache 3");
            }
        }
    }
}

/// The programs of the folder that were wrong with assertions and the like are violated, so that the comparison means
/// something.
#[test]
fn most_are_violated() {
    let violated = programs()
        .iter()
        .filter(|program| check(program, &["--no-deadlock", "--reduce", "none"]).0 == "violated")
        .count();
    assert!(violated >= 10, "{violated}");
}

/// What a program may do is found out in little time, also within one atomic sequence.
#[test]
fn long_processes_take_no_long_analysis() {
    let folder = Folder::new("stubborn");
    let (mut steps, mut atomic) = (String::new(), String::new());
    for at in 0..3000 {
        let _ = writeln!(steps, "L{at}: if :: atomic {{ x = {} -> goto L{} }} fi;", at % 200, at + 1);
    }
    for _ in 0..700 {
        atomic.push_str("if :: x < 200 -> c!x :: c?x fi;\n");
    }
    let steps = format!("byte x; active proctype P() {{\n{steps}L3000: skip }}");
    let atomic = format!("byte x; chan c = [1] of {{ byte }}; active [2] proctype P() {{ atomic {{\n{atomic}}} }}");
    for (name, text) in [("steps.pml", steps), ("atomic.pml", atomic)] {
        let model = folder.file(name, &text);
        let (verdict, ..) = check(&model, &["--reduce", "stubborn", "--time", "30s", "--no-deadlock"]);
        assert_eq!(verdict, "holds", "{name}");
    }
}
