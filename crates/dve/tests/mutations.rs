//! Mutated models: whatever the input, the front end answers with a tree or with diagnostics that can be shown.

mod well_formed;

use proptest::prelude::*;
use std::path::Path;
use std::sync::LazyLock;
use tightrope_dve::hir::Model;
use tightrope_dve::{parse_expression, parse_text};
use tightrope_syntax::{Diagnostics, SourceMap};
use tightrope_testkit::corpus::{corpus, texts};
use tightrope_testkit::mutation::{PrintOnPanic, cases, mutated, mutation};

/// Pieces that are put where they do not belong.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "(", ")", "[", "]", "{", "}", ",", ";", ":", ".", "!", "?", "->", "=>", "=", "==", "!=", "<", ">=", "<<", "+",
    "++", "-", "--", "*", "/", "%", "&", "&&", "|", "||", "^", "~", "//", "/*", "*/", "\"", "\n", "\0", "\u{feff}",
    "ö", "漢", "'", "#", "0", "1", "3", "99999999999", "2147483647", "-1", "x", "y", "N", "P", "q", "true", "false",
    "and", "or", "not", "imply", "const", "int", "byte", "channel",
];

static CORPUS: LazyLock<Vec<String>> =
    LazyLock::new(|| corpus("models/dve").map_or_else(Vec::new, |folder| texts(&folder, &["dve"])));

static OWN_MODELS: LazyLock<Vec<String>> =
    LazyLock::new(|| texts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"), &["dve"]));

/// Parses and shows what was found: neither may panic.
fn survive(text: &str) {
    let _guard = PrintOnPanic(text);
    let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
    let model = parse_text("mutant.dve", text, &mut sources, &mut diags);
    assert_eq!(model.is_none(), diags.has_errors());
    let shown = diags.render(&sources, false);
    assert_eq!(shown.is_empty(), diags.is_empty());
    assert!(diags.iter().all(|diagnostic| !diagnostic.message.is_empty()));
    if let Some(model) = model {
        well_formed::check(&model);
        survive_as_goal("P_0.CS or x", &model);
    }
}

/// Parses a goal and shows what was found.
fn survive_as_goal(text: &str, model: &Model) {
    let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
    let goal = parse_expression(text, model, &mut sources, &mut diags);
    assert_eq!(goal.is_none(), diags.has_errors());
    assert_eq!(diags.render(&sources, false).is_empty(), diags.is_empty());
    if let Some(goal) = goal {
        well_formed::check_expr(model, &goal);
        assert!(!goal.text(model).is_empty());
    }
}

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn own_models_survive(which in any::<prop::sample::Index>(), mutations in prop::collection::vec(mutation(), 1..8)) {
        survive(&mutated(which.get(&OWN_MODELS).as_str(), &mutations, PIECES));
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn the_corpus_survives(which in any::<prop::sample::Index>(), mutations in prop::collection::vec(mutation(), 1..5)) {
        if !CORPUS.is_empty() {
            survive(&mutated(which.get(&CORPUS).as_str(), &mutations, PIECES));
        }
    }

    #[test]
    fn pieces_in_any_order_survive(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..80)) {
        survive(&pieces.join(" "));
    }

    #[test]
    fn goals_survive(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..12)) {
        let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
        let text = "const byte N = 3; byte x, a[2]; process P { byte y; state s, q; init s; } system async;";
        let model = parse_text("m.dve", text, &mut sources, &mut diags).expect("a model");
        survive_as_goal(&pieces.join(" "), &model);
    }

    #[test]
    fn any_text_survives(text in ".{0,200}") {
        survive(&text);
    }
}
