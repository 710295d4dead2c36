//! Mutated models: whatever the input, the front end answers with a tree or with diagnostics that can be shown.

mod well_formed;

use std::path::Path;
use tightrope_dve::hir::Model;
use tightrope_dve::{parse_expression, parse_text};
use tightrope_testkit::corpus::{corpus, texts};
use tightrope_testkit::expectations::findings;
use tightrope_testkit::mutation::{PrintOnPanic, any_text, mutants, shuffled};

/// Pieces that are put where they do not belong.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "(", ")", "[", "]", "{", "}", ",", ";", ":", ".", "!", "?", "->", "=>", "=", "==", "!=", "<", ">=", "<<", "+",
    "++", "-", "--", "*", "/", "%", "&", "&&", "|", "||", "^", "~", "//", "/*", "*/", "\"", "\n", "\0", "\u{feff}",
    "ö", "漢", "'", "#", "0", "1", "3", "99999999999", "2147483647", "-1", "x", "y", "N", "P", "q", "true", "false",
    "and", "or", "not", "imply", "const", "int", "byte", "channel",
];

/// Parses and shows what was found: neither may panic.
fn survive(text: &str) {
    let _guard = PrintOnPanic(text);
    let (model, _) = findings(|sources, diags| parse_text("mutant.dve", text, sources, diags));
    if let Some(model) = model {
        well_formed::check(&model);
        survive_as_goal("P_0.CS or x", &model);
    }
}

/// Parses a goal and shows what was found.
fn survive_as_goal(text: &str, model: &Model) {
    let (goal, _) = findings(|sources, diags| parse_expression(text, model, sources, diags));
    if let Some(goal) = goal {
        well_formed::check_expr(model, &goal);
        assert!(!goal.text(model).is_empty());
    }
}

#[test]
fn own_models_survive() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    mutants(4000, &texts(&folder, &["dve"]), 1..8, PIECES, survive);
}

#[test]
fn the_corpus_survives() {
    let Some(folder) = corpus("models/dve") else { return };
    mutants(400, &texts(&folder, &["dve"]), 1..5, PIECES, survive);
}

#[test]
fn pieces_in_any_order_survive() {
    shuffled(400, PIECES, 0..80, survive);
}

#[test]
fn goals_survive() {
    let text = "const byte N = 3; byte x, a[2]; process P { byte y; state s, q; init s; } system async;";
    let (model, _) = findings(|sources, diags| parse_text("m.dve", text, sources, diags));
    let model = model.expect("a model");
    shuffled(400, PIECES, 0..12, |goal| survive_as_goal(goal, &model));
}

#[test]
fn any_text_survives() {
    any_text(400, ".{0,200}", survive);
}
