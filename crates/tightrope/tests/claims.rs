//! A verdict never claims more than was looked at: claims about infinite runs, and reductions.

mod program;

use program::{Folder, code, json, own, path, tightrope};
use std::path::Path;

fn cases() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/claims");
    let files = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
    files.map(|file| path(&file).to_string()).collect()
}

#[test]
fn claims_that_are_not_checked_leave_a_check_undecided() {
    assert!(cases().len() >= 3);
    for case in cases() {
        let output = tightrope(&["check", &case, "--json"]);
        let report = json(&output);
        assert_eq!((code(&output), report["verdict"].as_str()), (3, Some("undecided")), "{case}");
        assert_eq!((report["reason"].as_str(), report["claim"].as_str()), (Some("property"), None), "{case}");
        let claims = report["claims"].as_array().expect("a list");
        assert_eq!((claims.len(), claims[0]["verdict"].as_str()), (1, Some("undecided")), "{case}");
        let kind = claims[0]["kind"].as_str().expect("a kind");
        assert!(case.contains(kind), "{case}: {kind}");
        for quiet in [&["--quiet"][..], &[]] {
            let output = tightrope(&[&["check", &case][..], quiet].concat());
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            assert_eq!(code(&output), 3, "{case}");
            assert!(text.contains("undecided (property)") && text.contains("not checked"), "{text}");
            assert!(!quiet.is_empty() || text.contains("try: --no-claims"), "{text}");
        }
    }
}

#[test]
fn claims_can_be_left_out_and_that_is_said() {
    for case in cases() {
        let output = tightrope(&["check", &case, "--no-claims", "--quiet"]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(code(&output), 0, "{case}");
        assert!(text.contains("holds, not counting"), "{text}");
        let report = json(&tightrope(&["check", &case, "--no-claims", "--json"]));
        assert_eq!(
            (report["verdict"].as_str(), report["claims"][0]["reason"].as_str()),
            (Some("holds"), Some("left out"))
        );
    }
}

#[test]
fn a_violation_and_a_goal_are_answers_in_spite_of_claims() {
    let folder = Folder::new("claims");
    let model = folder.named("m.pml", "byte x; active proctype P() { x = 1; assert(x == 2) } ltl p { <> (x == 1) }");
    assert_eq!(code(&tightrope(&["check", &model])), 1);
    assert_eq!(code(&tightrope(&["check", &model, "--goal", "x == 7"])), 0);
    // SPIN looks for cycles without progress only where it is asked to.
    let progress = folder.named("n.pml", "byte x; active proctype P() { progress: do :: x = 1 - x od }");
    assert_eq!(code(&tightrope(&["check", &progress])), 0);
}

/// The property blocks after the first step of the system, and would hide the second, and the deadlock after it.
#[test]
fn the_system_without_its_property_is_the_whole_system() {
    let folder = Folder::new("claims");
    for (system, states) in [("async", 3), ("sync", 3)] {
        let text = format!(
            "process P {{ state a, b, c; init a; trans a -> b {{}}, b -> c {{}}; }}\n\
             process L {{ state q, r; init q; accept r; trans q -> r {{}}; }}\nsystem {system} property L;\n"
        );
        let model = folder.named(&format!("{system}.dve"), &text);
        assert_eq!(code(&tightrope(&["check", &model])), 3, "{system}");
        let output = tightrope(&["check", &model, "--no-claims", "--json", "--all"]);
        let report = json(&output);
        assert_eq!((code(&output), report["states"].as_u64()), (1, Some(states)), "{system}");
        assert_eq!(report["violation"]["kind"], "deadlock", "{system}");
        assert_eq!(report["claims"][0]["kind"], "property", "{system}");
    }
    let property = own("dve/token_ring.prop1.dve");
    let output = tightrope(&["check", &property, "--no-claims", "--quiet"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("not counting the acceptance"));
}

#[test]
fn reductions_say_what_is_preserved() {
    let model = own("promela/peterson.pml");
    let report = json(&tightrope(&["check", &model, "--reduce", "stubborn", "--json", "--no-claims"]));
    assert_eq!((&report["claim"], &report["reduced"]), (&"exact".into(), &serde_json::json!(["stubborn"])));
    let preserves = report["preserves"].as_array().expect("a list");
    assert!(preserves.contains(&"deadlocks".into()) && !preserves.contains(&"states".into()), "{preserves:?}");
    let whole = json(&tightrope(&["check", &model, "--json", "--no-claims"]));
    assert!(whole["preserves"].as_array().is_some_and(|list| list.contains(&"states".into())));
    let text = |options: &[&str]| {
        let output = tightrope(&[&["measure", &model, "--quiet"][..], options].concat());
        String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_string()
    };
    assert!(text(&[]).ends_with(": complete"));
    assert!(text(&["--reduce", "stubborn"]).contains("reduced"));
    assert!(text(&["--reduce", "sleep", "--search", "dfs"]).contains("reduced"));
}
