//! What a verdict is about: what reductions preserve, and which claims were not checked.

use crate::report;
use crate::run::{Checks, Run};
use serde_json::{Value, json};
use tightrope_core::RunClaim;

/// What every search preserves, whatever the reductions.
const ALWAYS: [&str; 5] = ["deadlocks", "assertions", "run-time errors", "invariants", "goals"];

const RENAMING: &str = "up to renaming of scalarset elements";

/// What a search looked for: all that there is, or less where the user asked for less.
pub fn checked(checks: &Checks<'_>, deadlock: bool) -> Vec<&'static str> {
    let looked_for = |what: &&str| match *what {
        _ if !checks.check => false,
        "goals" => checks.goal.is_some(),
        _ if checks.goal.is_some() => false,
        "deadlocks" => deadlock,
        _ => true,
    };
    ALWAYS.into_iter().filter(looked_for).collect()
}

/// What a `holds` is about under these reductions, of what was looked for.
pub fn preserves(reduce: &[&str], checked: &[&str]) -> Vec<String> {
    let has = |name: &str| reduce.contains(&name);
    let mut preserved = Vec::new();
    let mut add = |what: &str, all: bool| {
        if all {
            preserved.push(if has("symmetry") { format!("{what} {RENAMING}") } else { what.to_string() });
        }
    };
    add("states", !has("stubborn"));
    add("transitions", !has("stubborn") && !has("sleep"));
    preserved.extend(checked.iter().map(ToString::to_string));
    preserved
}

/// What an exact verdict is worth, in words.
pub fn exact(reduce: &[&str]) -> String {
    let renaming = if reduce.contains(&"symmetry") { format!(", {RENAMING}") } else { String::new() };
    if reduce.contains(&"stubborn") {
        format!("exact; reduced by stubborn sets{renaming}")
    } else {
        format!("exact: every reachable state was visited{renaming}")
    }
}

/// What a measured state space lacks, in words; none if it is all of it.
pub fn reduced(reduce: &[&str]) -> Option<String> {
    let mut parts = Vec::new();
    if reduce.contains(&"stubborn") {
        parts.push("stubborn sets leave states and transitions out".to_string());
    }
    if reduce.contains(&"sleep") {
        parts.push("sleep sets leave transitions out".to_string());
    }
    if reduce.contains(&"symmetry") {
        parts.push("states that differ by renaming of scalarset elements are one".to_string());
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn list(words: &[&str]) -> String {
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => words.join(""),
    }
}

/// Claims in words, for people.
pub fn texts(claims: &[RunClaim]) -> Vec<&str> {
    claims.iter().map(|claim| claim.text.as_str()).collect()
}

/// What a verdict leaves out, to stand behind `holds`.
pub fn left_out(run: &Run) -> String {
    let mut left_out = Vec::new();
    if run.goal.is_none() && !run.checked.contains(&"deadlocks") {
        left_out.push("deadlocks");
    }
    if run.goal.is_none() && run.loaded.no_claims {
        left_out.extend(texts(&run.loaded.unchecked));
    }
    if left_out.is_empty() { String::new() } else { format!(", not counting {}", list(&left_out)) }
}

/// Why claims leave a check undecided.
pub fn why_open(run: &Run) -> String {
    let claims = texts(&run.loaded.unchecked);
    format!("{} {} not checked yet", list(&claims), if claims.len() == 1 { "is" } else { "are" })
}

/// Why a store leaves a check undecided.
pub fn why_omitted(run: &Run) -> String {
    let omission = run.omission.unwrap_or(1.0);
    let likely = match report::is_certain(omission) {
        true => "there is no useful bound on how likely that is".into(),
        false => format!("with a probability of up to {}", report::probability(omission)),
    };
    format!("the store may have taken states for others and left them out, {likely}")
}

/// The claims of a model, for programs.
pub fn claims_json(run: &Run) -> Value {
    let claim = |claim: &RunClaim| {
        json!({
            "name": claim.name,
            "kind": claim.kind,
            "text": claim.text,
            "verdict": "undecided",
            "reason": if run.loaded.no_claims { "left out" } else { "property" },
        })
    };
    run.loaded.unchecked.iter().map(claim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_preserve_what_they_say() {
        let preserves = |reduce: &[&str]| super::preserves(reduce, &ALWAYS);
        assert_eq!(preserves(&[])[..2], ["states", "transitions"]);
        assert_eq!(preserves(&["sleep"])[..2], ["states", "deadlocks"]);
        assert_eq!(preserves(&["stubborn", "sleep"])[0], "deadlocks");
        assert_eq!(preserves(&["symmetry"])[0], "states up to renaming of scalarset elements");
        assert!(preserves(&["stubborn"]).iter().all(|what| ALWAYS.contains(&what.as_str())));
    }

    #[test]
    fn a_verdict_is_about_what_was_looked_for() {
        let goal = Checks { check: true, deadlock: true, goal: Some("x == 1"), ..Checks::default() };
        assert_eq!(checked(&goal, false), ["goals"]);
        let all = Checks { check: true, deadlock: true, ..Checks::default() };
        assert_eq!(checked(&all, true), ["deadlocks", "assertions", "run-time errors", "invariants"]);
        assert_eq!(checked(&all, false), ["assertions", "run-time errors", "invariants"]);
    }

    #[test]
    fn a_reduced_state_space_is_called_so() {
        assert_eq!(reduced(&[]), None);
        assert!(reduced(&["stubborn"]).is_some_and(|text| text.contains("leave states")));
        assert!(!exact(&["stubborn"]).contains("every"));
        assert!(exact(&["sleep"]).contains("every"));
    }
}
