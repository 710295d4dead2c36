//! Mutated models: whatever the input, the front end answers with a tree or with diagnostics that can be shown.

mod well_formed;

use proptest::prelude::*;
use std::path::Path;
use std::sync::LazyLock;
use tightrope_murphi::{lower::lower, parse_goal, parse_text};
use tightrope_syntax::{Diagnostics, SourceMap};
use tightrope_testkit::corpus::{corpus, texts};
use tightrope_testkit::mutation::{PrintOnPanic, cases, mutated, mutation};

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

static CORPUS: LazyLock<Vec<String>> =
    LazyLock::new(|| corpus("models/murphi").map_or_else(Vec::new, |folder| texts(&folder, &["m"])));

static OWN_MODELS: LazyLock<Vec<String>> =
    LazyLock::new(|| texts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"), &["m"]));

/// Parses and shows what was found: neither may panic.
fn survive(text: &str) {
    let _guard = PrintOnPanic(text);
    let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
    let model = parse_text("mutant.m", text, &mut sources, &mut diags);
    assert_eq!(model.is_none(), diags.has_errors());
    let shown = diags.render(&sources, false);
    assert_eq!(shown.is_empty(), diags.is_empty());
    assert!(diags.iter().all(|diagnostic| !diagnostic.message.is_empty()));
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
    fn goals_survive(pieces in prop::collection::vec(prop::sample::select(GOAL_PIECES), 0..10)) {
        survive_as_goal(&pieces.join(" "));
    }

    #[test]
    fn any_text_survives(text in ".{0,200}") {
        survive(&text);
    }
}
