//! The examples run, and say what they should.

use std::process::Command;

/// What an example prints; none, with a word about it, where it was not built with the tests.
fn printed(example: &str) -> Option<String> {
    let tests = std::env::current_exe().expect("a test is a program");
    let program = tests.parent()?.parent()?.join("examples").join(example);
    if !program.exists() {
        eprintln!("skipped: {} was not built (cargo test --workspace builds it)", program.display());
        return None;
    }
    let output = Command::new(program).output().expect("the example runs");
    assert!(output.status.success(), "{example}: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_store_and_a_proviso_of_ones_own() {
    let Some(text) = printed("own_store") else { return };
    let breadth_first: Vec<&str> = text.lines().filter(|line| line.starts_with("bfs")).collect();
    assert_eq!(breadth_first.len(), 2, "{text}");
    assert!(breadth_first.iter().all(|line| line.contains("deadlock after 5 steps")), "{text}");
}

#[test]
fn a_model_of_ones_own() {
    let Some(text) = printed("own_model") else { return };
    assert!(text.contains("farmer"), "{text}");
}
