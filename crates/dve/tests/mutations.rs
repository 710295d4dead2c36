//! Mutated models: whatever the input, the front end answers with a tree or with diagnostics that can be shown.

mod well_formed;

use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tightrope_dve::hir::Model;
use tightrope_dve::{parse_expression, parse_text};
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
    ".",
    "!",
    "?",
    "->",
    "=>",
    "=",
    "==",
    "!=",
    "<",
    ">=",
    "<<",
    "+",
    "++",
    "-",
    "--",
    "*",
    "/",
    "%",
    "&",
    "&&",
    "|",
    "||",
    "^",
    "~",
    "//",
    "/*",
    "*/",
    "\"",
    "\n",
    "\0",
    "\u{feff}",
    "ö",
    "漢",
    "'",
    "#",
    "0",
    "1",
    "3",
    "99999999999",
    "2147483647",
    "-1",
    "x",
    "y",
    "N",
    "P",
    "q",
    "true",
    "false",
    "and",
    "or",
    "not",
    "imply",
    "const",
    "int",
    "byte",
    "channel",
    "channel {byte, int} c[1];",
    "process P {",
    "state s;",
    "init s;",
    "commit s;",
    "accept",
    "genbuchi (s)",
    "rabin (s; s)",
    "assert s: x;",
    "trans",
    "guard",
    "sync c!",
    "sync c?{x, y};",
    "effect x =",
    "system async;",
    "system",
    "property P",
    "s -> s {",
    "-> s { }",
    "s => {",
    "P.s",
    "P->x",
    "a[",
    "((((((((((((((((",
    "byte a[65535];",
    "{1, 2}",
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

fn collect(folder: &Path, texts: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, texts);
        } else if path.extension().is_some_and(|ending| ending == "dve") {
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
        collect(&folder.join("models/dve"), &mut texts);
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
