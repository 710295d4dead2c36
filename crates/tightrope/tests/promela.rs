//! Promela models: the project's own, the corners of the language, and the corpus, all with known figures.

mod exploration;

use exploration::{corpus, differences, finish, load, models_in, past_violations, root};
use tightrope::core::Verdict;

fn all_agree(folder: &str, at_least: usize, searches: &[(&str, &str)]) {
    let models = models_in(&root().join(folder));
    assert!(models.len() >= at_least, "{folder} has only {} models", models.len());
    let mut wrong = Vec::new();
    for model in &models {
        for (search, store) in searches {
            wrong.extend(differences(model, search, store));
        }
    }
    assert!(wrong.is_empty(), "{} of {} models:\n{}", wrong.len(), models.len(), wrong.join("\n"));
}

#[test]
fn own_models_are_as_their_comments_say() {
    all_agree("models/promela", 15, &[("bfs", "hash"), ("dfs", "bits")]);
}

/// One file per corner of the language; the figures are SPIN's (`expectations-from-spin.sh` makes them anew).
#[test]
fn corners_of_the_language_are_as_in_spin() {
    all_agree("crates/promela/tests/semantics", 100, &[("bfs", "hash"), ("dfs", "bits")]);
}

/// Random models on which something was wrong once: also as many errors as in SPIN, and depth-first as deep.
#[test]
fn random_models_are_as_in_spin() {
    all_agree("crates/promela/tests/random", 8, &[("bfs", "hash"), ("dfs", "bits")]);
}

/// Models on which SPIN is wrong; `docs/promela.md` says why.
#[test]
fn where_spin_is_wrong_it_is_not_followed() {
    all_agree("crates/promela/tests/unlike_spin", 2, &[("bfs", "hash"), ("dfs", "bits")]);
}

#[test]
fn what_is_no_promela_is_rejected() {
    all_agree("crates/promela/tests/rejected", 20, &[("bfs", "hash")]);
}

/// SPIN refuses these; there is no reason to.
#[test]
fn some_of_what_spin_refuses_is_accepted() {
    for path in models_in(&root().join("crates/promela/tests/lenient")) {
        if let Err(why) = load(&path) {
            panic!("{}: {why}", path.display());
        }
    }
}

/// Every model of the corpus that SPIN explored without reduction: the same states, the same transitions (SPIN counts
/// the initial state as one more), the same verdict; depth-first the same depth.
fn corpus_agrees(search: &str, store: &str) {
    let Some(corpus) = corpus() else { return };
    let table = std::fs::read_to_string(corpus.join("expected/promela.tsv")).expect("just found");
    let mut wrong = Vec::new();
    let mut seen = 0;
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [name, "full", states, transitions, _, depth, _, verdict] = columns[..] else { continue };
        seen += 1;
        let model = match load(&corpus.join("models/promela").join(name)) {
            Ok(model) => model,
            Err(why) => {
                wrong.push(format!("{name}: {why}"));
                continue;
            }
        };
        let outcome = finish(&model, search, store, &past_violations(), &mut ());
        let holds = matches!(outcome.verdict, Verdict::Holds(_));
        let found = (outcome.figures.states, outcome.figures.transitions + 1, holds);
        let expected = (states.parse().unwrap(), transitions.parse().unwrap(), verdict == "ok");
        if found != expected {
            wrong.push(format!("{name}: {found:?}, expected {expected:?}"));
        }
        let (deep, as_deep) = (outcome.figures.depth, depth.parse().unwrap());
        if search == "dfs" && deep != as_deep {
            wrong.push(format!("{name}: depth {deep}, expected {depth}"));
        }
    }
    assert!(seen > 40, "the table has only {seen} rows");
    assert!(wrong.is_empty(), "{search} {store}:\n{}", wrong.join("\n"));
}

#[test]
fn corpus_breadth_first() {
    corpus_agrees("bfs", "hash");
}

#[test]
fn corpus_depth_first() {
    corpus_agrees("dfs", "bits");
}

/// SPIN runs to its depth limit here. Cycles are noticed, however many branches they have.
#[test]
fn atomic_sequences_in_a_circle_end() {
    let folder = std::env::temp_dir().join(format!("tightrope-cycles-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let path = folder.join("cycles.pml");
    let text = "byte x;
        active proctype P() { atomic { do :: skip :: skip :: skip :: x = 1 - x :: x == 1 -> break od }; x = 2 }
        active proctype Q() { x == 2; atomic { do :: skip :: x = x od } }";
    std::fs::write(&path, text).expect("a temporary file");
    let explored = exploration::explore(&load(&path).expect("a model"), "bfs", "hash");
    let _ = std::fs::remove_dir_all(&folder);
    assert_eq!(
        explored.outcome.figures.states, 4,
        "the start, x = 1, x = 2, and P gone after that: {:?}",
        explored.kinds
    );
    assert_eq!(explored.kinds, ["atomicity"]);
}
