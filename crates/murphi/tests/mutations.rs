//! Mutated models: whatever the input, the front end answers with a tree or with diagnostics that can be shown.

mod well_formed;

use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tightrope_murphi::{lower::lower, parse_goal, parse_text};
use tightrope_syntax::{Diagnostics, SourceMap};

/// Pieces that are put where they do not belong.
const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    ":",
    ":=",
    ".",
    "..",
    "?",
    "==>",
    "->",
    "|",
    "&",
    "!",
    "=",
    "!=",
    "<",
    ">=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "--",
    "/*",
    "*/",
    "\"",
    "\n",
    "\0",
    "\u{feff}",
    "ö",
    "漢",
    "'",
    "0",
    "1",
    "3.14",
    "99999999999",
    "2147483647",
    "-1",
    "x",
    "y",
    "N",
    "true",
    "boolean",
    "undefined",
    "alias",
    "array [0..3] of ",
    "assert",
    "begin",
    "by",
    "case",
    "choose i : net do",
    "clear",
    "const c :",
    "do",
    "else",
    "elsif",
    "end",
    "endif",
    "endrule",
    "endfor",
    "enum {",
    "error",
    "exists i : 0..1 do",
    "for i : 0..3 do",
    "forall",
    "function f() :",
    "if x then",
    "invariant",
    "ismember(",
    "isundefined(",
    "multiset [2] of ",
    "multisetadd(",
    "multisetcount(i : net,",
    "multisetremove(",
    "multisetremovepred(",
    "of",
    "procedure p(",
    "put",
    "record",
    "return",
    "rule",
    "ruleset i : T do",
    "scalarset(3)",
    "startstate",
    "switch x",
    "then",
    "to",
    "type T :",
    "undefine",
    "union { A, B }",
    "var v :",
    "while",
    "((((((((((((((((",
    "liveness",
    "real(1, 2)",
    "&&",
    "==",
    "x[",
    "x.",
    "f(",
];

#[derive(Clone, Debug)]
enum Mutation {
    DeleteWord(usize),
    RepeatWord(usize),
    SwapWords(usize, usize),
    /// Puts one word in the place of another: names become other names.
    CopyWord(usize, usize),
    InsertPiece(usize, usize),
    DeleteBytes(usize, usize),
    CopyBytes(usize, usize, usize),
    ReplaceByte(usize, u8),
    Truncate(usize),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let at = any::<usize>;
    prop_oneof![
        1 => at().prop_map(Mutation::DeleteWord),
        1 => at().prop_map(Mutation::RepeatWord),
        1 => (at(), at()).prop_map(|(a, b)| Mutation::SwapWords(a, b)),
        3 => (at(), at()).prop_map(|(a, b)| Mutation::CopyWord(a, b)),
        2 => (at(), at()).prop_map(|(a, piece)| Mutation::InsertPiece(a, piece)),
        1 => (at(), 1..20usize).prop_map(|(a, length)| Mutation::DeleteBytes(a, length)),
        1 => (at(), 1..200usize, at()).prop_map(|(from, length, to)| Mutation::CopyBytes(from, length, to)),
        1 => (at(), any::<u8>()).prop_map(|(a, byte)| Mutation::ReplaceByte(a, byte)),
        1 => at().prop_map(Mutation::Truncate),
    ]
}

/// Where words and single other characters stand.
fn words(text: &[u8]) -> Vec<(usize, usize)> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut ranges = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let start = at;
        at += 1;
        while is_word(text[start]) && at < text.len() && is_word(text[at]) {
            at += 1;
        }
        if !text[start].is_ascii_whitespace() {
            ranges.push((start, at));
        }
    }
    ranges
}

fn mutate(text: &mut Vec<u8>, mutation: &Mutation) {
    if text.is_empty() {
        return;
    }
    let length = text.len();
    let words = words(text);
    let word = |n: usize| words.get(n % words.len().max(1)).copied().unwrap_or((0, 1));
    match *mutation {
        Mutation::DeleteWord(n) => {
            let (start, end) = word(n);
            text.drain(start..end);
        }
        Mutation::RepeatWord(n) => {
            let (start, end) = word(n);
            let mut copy = text[start..end].to_vec();
            copy.push(b' ');
            text.splice(start..start, copy);
        }
        Mutation::SwapWords(a, b) => {
            let (first, second) = (word(a).min(word(b)), word(a).max(word(b)));
            if first.1 <= second.0 {
                let (one, other) = (text[first.0..first.1].to_vec(), text[second.0..second.1].to_vec());
                text.splice(second.0..second.1, one);
                text.splice(first.0..first.1, other);
            }
        }
        Mutation::CopyWord(a, b) => {
            let (from, to) = (word(a), word(b));
            let copy = text[from.0..from.1].to_vec();
            text.splice(to.0..to.1, copy);
        }
        Mutation::InsertPiece(a, piece) => {
            let at = word(a).0;
            let piece = format!(" {} ", PIECES[piece % PIECES.len()]);
            text.splice(at..at, piece.into_bytes());
        }
        Mutation::DeleteBytes(a, count) => {
            let start = a % length;
            text.drain(start..(start + count).min(length));
        }
        Mutation::CopyBytes(from, count, to) => {
            let start = from % length;
            let copy = text[start..(start + count).min(length)].to_vec();
            let to = to % length;
            text.splice(to..to, copy);
        }
        Mutation::ReplaceByte(a, byte) => text[a % length] = byte,
        Mutation::Truncate(a) => text.truncate(a % length),
    }
}

fn mutated(text: &str, mutations: &[Mutation]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for mutation in mutations {
        mutate(&mut bytes, mutation);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Prints the model that was being looked at when a test panics.
struct OnPanic<'a>(&'a str);

impl Drop for OnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.0);
        }
    }
}

/// Parses and shows what was found: neither may panic.
fn survive(text: &str) {
    let _guard = OnPanic(text);
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
    let _guard = OnPanic(goal);
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

fn collect(folder: &Path, texts: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, texts);
        } else if path.extension().is_some_and(|ending| ending == "m") {
            texts.extend(std::fs::read(&path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
}

fn corpus() -> &'static [String] {
    static TEXTS: OnceLock<Vec<String>> = OnceLock::new();
    TEXTS.get_or_init(|| {
        let folder = match std::env::var_os("TIGHTROPE_CORPUS") {
            Some(folder) => PathBuf::from(folder),
            None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        };
        let mut texts = Vec::new();
        collect(&folder.join("models/murphi"), &mut texts);
        texts
    })
}

fn own_models() -> &'static [String] {
    static TEXTS: OnceLock<Vec<String>> = OnceLock::new();
    TEXTS.get_or_init(|| {
        let mut texts = Vec::new();
        collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"), &mut texts);
        texts
    })
}

/// So many cases, unless `PROPTEST_CASES` asks for more or fewer.
fn config(cases: u32) -> ProptestConfig {
    let default = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_some() { default } else { ProptestConfig { cases, ..default } }
}

proptest! {
    #![proptest_config(config(4000))]

    #[test]
    fn own_models_survive(which in any::<prop::sample::Index>(), mutations in prop::collection::vec(mutation(), 1..8)) {
        let texts = own_models();
        survive(&mutated(which.get(texts).as_str(), &mutations));
    }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn the_corpus_survives(which in any::<prop::sample::Index>(), mutations in prop::collection::vec(mutation(), 1..5)) {
        let texts = corpus();
        if !texts.is_empty() {
            survive(&mutated(which.get(texts).as_str(), &mutations));
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
