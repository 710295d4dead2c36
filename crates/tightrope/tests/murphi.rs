//! Murphi models: the corpus with CMurphi's figures, and the project's own.

mod exploration;

use exploration::{corpus, finish, load_murphi, root};
use std::path::{Path, PathBuf};
use tightrope::core::{Figures, Model, Outcome, SearchConfig, Verdict};
use tightrope::ir::ProgramModel;
use tightrope::reduce::Symmetric;

/// Explores everything, up to symmetry or not.
fn measure(model: &ProgramModel, symmetry: bool) -> Figures {
    let symmetric = Symmetric::new(model).filter(|_| symmetry);
    let model: &dyn Model = symmetric.as_ref().map_or(model, |symmetric| symmetric);
    finish(model, "bfs", "hash", &SearchConfig::measuring(), &mut ()).figures
}

/// Checks, up to symmetry where there is one; stops at the first violation.
fn check(model: &ProgramModel, search: &str, store: &str, deadlock: bool) -> Outcome {
    let symmetric = Symmetric::new(model);
    let config = SearchConfig { deadlock, ..SearchConfig::checking() };
    let reduced: &dyn Model = symmetric.as_ref().map_or(model, |symmetric| symmetric);
    let mut outcome = finish(reduced, search, store, &config, &mut ());
    if let Verdict::Violated(violation) = &mut outcome.verdict {
        if let Some(symmetric) = &symmetric {
            **violation = symmetric.unfold(violation).expect("a run of the model itself");
        }
        tightrope::trace::replay(model, &violation.trace, &violation.fault).expect("it can be replayed");
    }
    outcome
}

struct Row {
    name: String,
    symmetry: bool,
    columns: Vec<String>,
    path: PathBuf,
}

impl Row {
    fn number(&self, column: usize) -> Option<u64> {
        self.columns[column].parse().ok()
    }
}

/// model symmetry states rules_fired diameter max_level_width state_bits canonical_states canonical_rules verdict …
fn rows() -> Vec<Row> {
    let Some(corpus) = corpus() else { return Vec::new() };
    let table = std::fs::read_to_string(corpus.join("expected/murphi.tsv")).expect("beside the other table");
    let row = |line: &str| {
        let columns: Vec<String> = line.split('\t').map(String::from).collect();
        let path = corpus.join("models/murphi").join(&columns[0]);
        Row { name: format!("{} {}", columns[0], columns[1]), symmetry: columns[1] == "on", columns, path }
    };
    let rows: Vec<Row> = table.lines().skip(1).map(row).collect();
    assert!(rows.len() > 30, "the table has only {} rows", rows.len());
    rows
}

/// The paper's Fig. 4 and the orbit counts: the whole state space where it has no error.
#[test]
fn corpus_counts_as_in_cmurphi() {
    let rows = rows();
    let mut wrong = Vec::new();
    for row in &rows {
        let verdicts: Vec<&str> = rows
            .iter()
            .filter(|other| other.columns[0] == row.columns[0])
            .flat_map(|other| [other.columns[9].as_str(), other.columns[10].as_str()])
            .collect();
        // Where an invariant fails, CMurphi's counts end there.
        let fails = verdicts.iter().any(|verdict| verdict.starts_with("Invariant"));
        let (Some(mut states), Some(mut rules)) = (row.number(2), row.number(3)) else { continue };
        let model = load_murphi(&row.path).unwrap_or_else(|why| panic!("{}: {why}", row.name));
        let mut initial = Vec::new();
        model.initial(&mut |state| initial = state.to_vec());
        if Some(model.schema().packed_bits(&initial)) != row.number(6) {
            wrong.push(format!("{}: {} bits", row.name, model.schema().packed_bits(&initial)));
        }
        if fails {
            continue;
        }
        let figures = measure(&model, row.symmetry);
        let mut width = row.number(5);
        if row.symmetry
            && let (Some(orbits), Some(fired)) = (row.number(7), row.number(8))
        {
            // CMurphi's own reduction is a heuristic: where it leaves more states, its levels are wider, too.
            width = width.filter(|_| states == orbits);
            (states, rules) = (orbits, fired);
        }
        let found = (figures.states, figures.transitions, Some(figures.levels - 1));
        if found != (states, rules, row.number(4)) || width.is_some_and(|width| width != figures.widest_level) {
            wrong.push(format!("{}: {found:?} widest {}", row.name, figures.widest_level));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn corpus_verdicts_are_cmurphis() {
    let mut wrong = Vec::new();
    for row in rows().iter().filter(|row| row.columns[9] != "-") {
        let model = load_murphi(&row.path).unwrap_or_else(|why| panic!("{}: {why}", row.name));
        for (deadlock, column) in [(true, 9), (false, 10)] {
            let outcome = check(&model, "bfs", "bits", deadlock);
            let found = match &outcome.verdict {
                Verdict::Holds(_) => "No error found.".to_string(),
                Verdict::Violated(violation) if violation.fault.kind.name() == "deadlock" => {
                    "Deadlocked state found.".into()
                }
                Verdict::Violated(violation) => violation.fault.message.clone(),
                Verdict::Undecided(_) => "undecided".into(),
            };
            let expected = &row.columns[column];
            let agrees = match expected.strip_prefix("Invariant ").and_then(|rest| rest.strip_suffix(" failed.")) {
                Some(name) => found.contains(name),
                None => found == *expected,
            };
            // Rules are tried in CMurphi's order, so even a search that stops early has the same figures.
            let stopped = expected.starts_with("Invariant") && !deadlock;
            let same = !stopped
                || (Some(outcome.figures.states), Some(outcome.figures.transitions)) == (row.number(2), row.number(3));
            if !agrees || !same {
                let figures = (outcome.figures.states, outcome.figures.transitions);
                wrong.push(format!("{}: {found} {figures:?}, expected {expected}", row.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn own_models_are_as_their_comments_say() {
    let folder = root().join("models/murphi");
    let mut models: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap_or_else(|why| panic!("{}: {why}", folder.display()))
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "m"))
        .collect();
    models.sort();
    assert!(models.len() >= 8, "only {} models", models.len());
    let wrong: Vec<String> = models.iter().filter_map(|path| difference(path)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is different from what the first comment of a model says:
/// `-- expect: holds; states: 12; transitions: 34; unreduced: 56` or `-- expect: violated invariant`.
fn difference(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).expect("just listed");
    let line = text.lines().next().and_then(|line| line.strip_prefix("-- expect:"));
    let Some(line) = line else { return Some(format!("{}: says nothing", path.display())) };
    let model = match load_murphi(path) {
        Ok(model) => model,
        Err(why) => return Some(format!("{}: {why}", path.display())),
    };
    let mut parts = line.split(';').map(str::trim);
    let verdict = parts.next().unwrap_or_default();
    for (search, store) in [("bfs", "hash"), ("dfs", "bits")] {
        let found = match check(&model, search, store, true).verdict {
            Verdict::Holds(_) => "holds".to_string(),
            Verdict::Violated(violation) => format!("violated {}", violation.fault.kind.name()),
            Verdict::Undecided(reason) => format!("undecided {}", reason.name()),
        };
        if found != verdict {
            return Some(format!("{} ({search}): {found}, expected {verdict}", path.display()));
        }
    }
    for part in parts {
        let (name, number) = part.split_once(':')?;
        let number: u64 = number.trim().parse().ok()?;
        let found = match name {
            "states" => measure(&model, true).states,
            "transitions" => measure(&model, true).transitions,
            "unreduced" => measure(&model, false).states,
            _ => continue,
        };
        if found != number {
            return Some(format!("{}: {found} {name}, expected {number}", path.display()));
        }
    }
    None
}
