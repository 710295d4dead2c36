//! What a verdict is about: what reductions preserve, and which claims were not checked.

use crate::run::Run;
use serde_json::{Value, json};
use tightrope_core::RunClaim;

/// What every search preserves, whatever the reductions.
const ALWAYS: [&str; 5] = ["deadlocks", "assertions", "run-time errors", "invariants", "goals"];

const RENAMING: &str = "up to renaming of scalarset elements";

/// What a `holds` is about under these reductions.
pub fn preserves(reduce: &[&str]) -> Vec<String> {
    let has = |name: &str| reduce.contains(&name);
    let mut preserved = Vec::new();
    let mut add = |what: &str, all: bool| {
        if all {
            preserved.push(if has("symmetry") { format!("{what} {RENAMING}") } else { what.to_string() });
        }
    };
    add("states", !has("stubborn"));
    add("transitions", !has("stubborn") && !has("sleep"));
    preserved.extend(ALWAYS.map(String::from));
    preserved
}

/// What an exact search has visited, in words.
pub fn visited(reduce: &[&str]) -> String {
    let renaming = if reduce.contains(&"symmetry") { format!(", {RENAMING}") } else { String::new() };
    if reduce.contains(&"stubborn") {
        format!("stubborn sets leave states out, none that {} need{renaming}", list(&ALWAYS))
    } else {
        format!("every reachable state was visited{renaming}")
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

/// Which claims a verdict leaves out, to stand behind `holds`.
pub fn left_out(run: &Run) -> String {
    if run.loaded.unchecked.is_empty() || !run.loaded.no_claims {
        return String::new();
    }
    format!(", not counting {}", list(&texts(&run.loaded.unchecked)))
}

/// Why claims leave a check undecided.
pub fn why_open(run: &Run) -> String {
    format!("{} is not checked: claims about infinite runs are not supported yet", list(&texts(&run.loaded.unchecked)))
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
        assert_eq!(preserves(&[])[..2], ["states", "transitions"]);
        assert_eq!(preserves(&["sleep"])[..2], ["states", "deadlocks"]);
        assert_eq!(preserves(&["stubborn", "sleep"])[0], "deadlocks");
        assert_eq!(preserves(&["symmetry"])[0], "states up to renaming of scalarset elements");
        assert!(preserves(&["stubborn"]).iter().all(|what| ALWAYS.contains(&what.as_str())));
    }

    #[test]
    fn a_reduced_state_space_is_called_so() {
        assert_eq!(reduced(&[]), None);
        assert!(reduced(&["stubborn"]).is_some_and(|text| text.contains("leave states")));
        assert!(!visited(&["stubborn"]).contains("every"));
        assert!(visited(&["sleep"]).contains("every"));
    }
}
