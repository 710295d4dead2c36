//! Mutated models: whatever the input, the front end answers with a tree or with diagnostics that can be shown.

mod well_formed;

use std::path::Path;
use tightrope_murphi::{lower::lower, parse_goal, parse_text};
use tightrope_syntax::{Diagnostics, SourceMap};
use tightrope_testkit::corpus::{corpus, texts};
use tightrope_testkit::expectations::findings;
use tightrope_testkit::mutation::{PrintOnPanic, any_text, mutants, shuffled};

/// Pieces that are put where they do not belong.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "(", ")", "[", "]", "{", "}", ",", ";", ":", ":=", ".", "..", "?", "==>", "->", "|", "&", "!", "=", "!=", "<",
    ">=", "+", "-", "*", "/", "%", "--", "/*", "*/", "\"", "\n", "\0", "\u{feff}", "ö", "漢", "'", "0", "1", "3.14",
    "99999999999", "2147483647", "-1", "x", "y", "N", "true", "boolean", "undefined", "alias", "array [0..3] of ",
    "assert", "begin", "by", "case", "choose i : net do", "clear", "const c :", "do", "else", "elsif", "end", "endif",
    "endrule", "endfor", "enum {", "error", "exists i : 0..1 do", "for i : 0..3 do", "forall", "function f() :",
    "if x then", "invariant", "ismember(", "isundefined(", "multiset [2] of ", "multisetadd(",
    "multisetcount(i : net,", "multisetremove(", "multisetremovepred(", "of", "procedure p(", "put", "record",
    "return", "rule", "ruleset i : T do", "scalarset(3)", "startstate", "switch x", "then", "to", "type T :",
    "undefine", "union { A, B }", "var v :", "while", "((((((((((((((((", "liveness", "real(1, 2)", "&&", "==", "x[",
    "x.", "f(",
];

/// Parses and shows what was found: neither may panic.
fn survive(text: &str) {
    let _guard = PrintOnPanic(text);
    let (model, _) = findings(|sources, diags| parse_text("mutant.m", text, sources, diags));
    if let Some(model) = model {
        well_formed::check(&model);
    }
}

/// What goals are made of.
#[rustfmt::skip]
const GOAL_PIECES: &[&str] = &[
    "x", "a[", "p", "]", ")", "(", "&", "|", "->", "=", "!=", "!", "1", "N", "B", "true", "f(", "g(", ",", "m", "i", "P_1",
    "exists p : P do", "forall p : 0 .. 2 do", "forall i : enum { C, D } do", "exists i : scalarset(2) do", "end",
    "multisetcount(i : m,", "isundefined(x)", "isundefined(", "ismember(u, P)", "u", "?", ":", "% 0",
];

/// Parses and lowers a goal and shows what was found.
fn survive_as_goal(goal: &str) {
    let text = "const N : 2; type P : scalarset(3); E : enum { A, B }; U : union { P, E }; \
                var x : 0..N; a : array [P] of E; u : U; m : multiset [2] of P; \
                function f(y : 0..N) : boolean; begin return y = 1; end; \
                function g(y : 0..N) : boolean; begin x := y; return true; end; \
                startstate begin x := 0; end; rule begin x := 1; end; invariant x < 2;";
    let _guard = PrintOnPanic(goal);
    let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
    let mut model = parse_text("m.m", text, &mut sources, &mut diags).expect("a proper model");
    let accepted = parse_goal(goal, &mut model, &mut sources, &mut diags).is_some();
    assert_eq!((accepted, accepted), (!diags.has_errors(), model.goal.is_some()));
    assert_eq!(diags.render(&sources, false).is_empty(), diags.is_empty());
    if accepted {
        well_formed::check(&model);
        let program = lower(&model, &sources, &mut diags).expect("a small model");
        assert_eq!(program.rules.map(|rules| rules.invariants.len()), Some(1));
    }
}

#[test]
fn own_models_survive() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    mutants(4000, &texts(&folder, &["m"]), 1..8, PIECES, survive);
}

#[test]
fn the_corpus_survives() {
    let Some(folder) = corpus("models/murphi") else { return };
    mutants(400, &texts(&folder, &["m"]), 1..5, PIECES, survive);
}

#[test]
fn pieces_in_any_order_survive() {
    shuffled(400, PIECES, 0..80, survive);
}

#[test]
fn goals_survive() {
    shuffled(400, GOAL_PIECES, 0..10, survive_as_goal);
}

#[test]
fn any_text_survives() {
    any_text(400, ".{0,200}", survive);
}
