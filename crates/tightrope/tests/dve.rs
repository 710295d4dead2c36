//! DVE models: the corpus with DiVinE's figures, and the project's own.

mod exploration;

use exploration::{corpus, finish, load_dve, root};
use std::collections::HashMap;
use std::path::PathBuf;
use tightrope::core::{Figures, Model, Outcome, SearchConfig, Verdict};

struct Row {
    instance: String,
    columns: Vec<String>,
    path: PathBuf,
}

impl Row {
    fn number(&self, column: usize) -> Option<u64> {
        self.columns[column].parse().ok()
    }

    /// The figures that are listed and differ.
    fn difference(&self, figures: &Figures) -> Option<String> {
        let found = [figures.states, figures.transitions, figures.deadlocks, figures.levels, figures.widest_level];
        let names = ["states", "transitions", "deadlocks", "levels", "widest level"];
        // A depth-first search has no levels.
        let known = if figures.levels > 0 { 5 } else { 3 };
        let wrong: Vec<String> = (0..known)
            .filter_map(|at| Some((at, self.number(at + 1)?)))
            .filter(|&(at, listed)| listed != found[at])
            .map(|(at, listed)| format!("{} {}, listed {listed}", found[at], names[at]))
            .collect();
        (!wrong.is_empty()).then(|| format!("{}: {}", self.instance, wrong.join("; ")))
    }
}

/// instance states transitions deadlocks bfs_levels max_level properties
fn rows() -> Vec<Row> {
    let Some(corpus) = corpus() else { return Vec::new() };
    let table = std::fs::read_to_string(corpus.join("expected/dve.tsv")).expect("beside the other table");
    let row = |line: &str| {
        let columns: Vec<String> = line.split('\t').map(String::from).collect();
        let instance = columns[0].clone();
        let family = instance.rsplit_once('.').map_or(instance.as_str(), |(family, _)| family);
        let path = corpus.join("models/dve").join(family).join(format!("{instance}.dve"));
        Row { instance, columns, path }
    };
    let rows: Vec<Row> = table.lines().skip(1).map(row).collect();
    assert!(rows.len() > 100, "the table has only {} rows", rows.len());
    rows
}

/// Explores the instances with a number of states in a range; what differs.
fn differences(states: std::ops::RangeInclusive<u64>, search: &str, store: &str) -> Vec<String> {
    let rows = rows();
    let rows = rows.iter().filter(|row| row.number(1).is_some_and(|number| states.contains(&number)));
    rows.filter_map(|row| {
        let model = match load_dve(&row.path, None) {
            Ok(model) => model,
            Err(why) => return Some(format!("{}: {why}", row.instance)),
        };
        let outcome = finish(&model, search, store, &SearchConfig::measuring(), &mut ());
        assert!(matches!(outcome.verdict, Verdict::Holds(_)));
        row.difference(&outcome.figures)
    })
    .collect()
}

#[test]
fn corpus_counts_as_in_divine() {
    let wrong = differences(0..=1_500_000, "bfs", "hash");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn corpus_counts_depth_first_and_packed() {
    let wrong = differences(0..=120_000, "dfs", "bits");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "takes minutes and gigabytes"]
fn large_instances_count_as_in_divine() {
    let wrong = differences(1_500_001..=20_000_000, "bfs", "bits");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The answers that are listed as `reach:1=yes(len 16)`: the property's number, the answer, and the states on the way.
fn answers(properties: &str) -> HashMap<&str, (&str, u64)> {
    let one = |text| {
        let (number, rest) = str::strip_prefix(text, "reach:")?.split_once('=')?;
        let (answer, length) = rest.split_once("(len ")?;
        Some((number, (answer, length.trim_end_matches(')').parse().ok()?)))
    };
    properties.split(';').filter_map(one).collect()
}

#[test]
fn goals_are_reached_as_listed() {
    let rows = rows();
    if rows.is_empty() {
        return;
    }
    let rows: HashMap<&str, &Row> = rows.iter().map(|row| (row.instance.as_str(), row)).collect();
    let goals = include_str!("beem_goals.tsv");
    let mut wrong = Vec::new();
    let mut asked = 0;
    for line in goals.lines().skip(1) {
        let [instance, property, goal] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let row = rows[instance];
        let (answer, length) = answers(&row.columns[6])[property];
        let model = load_dve(&row.path, Some(goal)).unwrap_or_else(|why| panic!("{instance}: {why}"));
        let found = match ask(&model).verdict {
            Verdict::Holds(_) => ("no", 0),
            Verdict::Violated(violation) => ("yes", violation.trace.steps.len() as u64 + 1),
            Verdict::Undecided(_) => ("unknown", 0),
        };
        asked += 1;
        if found != (answer, length) {
            wrong.push(format!("{instance}, {goal}: {found:?}, listed {answer} {length}"));
        }
    }
    assert!(asked > 50, "only {asked} goals");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Looks for the goal only.
fn ask(model: &dyn Model) -> Outcome {
    let only = Some(tightrope::core::FaultKind::Goal);
    let config = SearchConfig { deadlock: false, only, ..SearchConfig::checking() };
    let outcome = finish(model, "bfs", "hash", &config, &mut ());
    if let Verdict::Violated(violation) = &outcome.verdict {
        tightrope::trace::replay(model, &violation.trace, &violation.fault).expect("it can be replayed");
    }
    outcome
}

#[test]
fn own_models_are_as_their_comments_say() {
    let folder = root().join("models/dve");
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    let mut models: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    models.retain(|path| path.extension().is_some_and(|ending| ending == "dve"));
    models.sort();
    assert!(models.len() >= 8, "only {} models", models.len());
    let wrong: Vec<String> = models.iter().flat_map(difference_from_comment).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is different from what the first comments of a model say:
/// `// expect: holds; states: 12; transitions: 34; deadlocks: 0` and `// goal: EXPR => reachable in 5 steps`.
fn difference_from_comment(path: &PathBuf) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("just listed");
    let name = path.display();
    let Some(line) = text.lines().next().and_then(|line| line.strip_prefix("// expect:")) else {
        return vec![format!("{name}: says nothing")];
    };
    let model = load_dve(path, None).unwrap_or_else(|why| panic!("{name}: {why}"));
    let mut wrong = Vec::new();
    let mut parts = line.split(';').map(str::trim);
    let verdict = parts.next().unwrap_or_default();
    for (search, store) in [("bfs", "hash"), ("dfs", "bits")] {
        // A property that blocks is no deadlock of the system, and its acceptance is not checked.
        let property = text.contains(" property ");
        let config = SearchConfig { deadlock: !property, ..SearchConfig::checking() };
        let outcome = finish(&model, search, store, &config, &mut ());
        let found = match outcome.verdict {
            Verdict::Holds(_) if property => "undecided property".to_string(),
            Verdict::Holds(_) => "holds".to_string(),
            Verdict::Violated(violation) => {
                tightrope::trace::replay(&model, &violation.trace, &violation.fault).expect("it can be replayed");
                format!("violated {}", violation.fault.kind.name())
            }
            Verdict::Undecided(reason) => format!("undecided {}", reason.name()),
        };
        if found != verdict {
            wrong.push(format!("{name} ({search}): {found}, expected {verdict}"));
        }
        let figures = finish(&model, search, store, &SearchConfig::measuring(), &mut ()).figures;
        for part in parts.clone() {
            let (what, number) = part.split_once(':').unwrap_or_else(|| panic!("{name}: {part}"));
            let found = match what {
                "states" => figures.states,
                "transitions" => figures.transitions,
                "deadlocks" => figures.deadlocks,
                _ => panic!("{name}: nobody knows `{what}`"),
            };
            if number.trim().parse() != Ok(found) {
                wrong.push(format!("{name} ({search}): {found} {what}, expected {number}"));
            }
        }
    }
    for line in text.lines().filter_map(|line| line.strip_prefix("// goal: ")) {
        let (goal, expected) = line.split_once(" => ").unwrap_or_else(|| panic!("{name}: {line}"));
        let model = load_dve(path, Some(goal)).unwrap_or_else(|why| panic!("{name}: {why}"));
        let found = match ask(&model).verdict {
            Verdict::Violated(violation) => format!("reachable in {} steps", violation.trace.steps.len()),
            _ => "unreachable".to_string(),
        };
        if found != expected {
            wrong.push(format!("{name}, {goal}: {found}, expected {expected}"));
        }
    }
    wrong
}
