//! Mutated texts: what fuzzing feeds to the front ends.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::ops::Range;

/// A change of a text. Numbers that are too large wrap around.
#[derive(Clone, Debug)]
enum Mutation {
    /// Leaves out a word.
    DeleteWord(usize),
    /// Writes a word twice.
    RepeatWord(usize),
    /// Exchanges two words.
    SwapWords(usize, usize),
    /// Puts one word in the place of another: names become other names.
    CopyWord(usize, usize),
    /// Puts one of some pieces of text before a word, and blanks around it or not.
    InsertPiece(usize, usize, bool),
    /// Leaves out some bytes.
    DeleteBytes(usize, usize),
    /// Copies some bytes to another place.
    CopyBytes(usize, usize, usize),
    /// Changes a byte.
    ReplaceByte(usize, u8),
    /// Leaves out the rest.
    Truncate(usize),
}

/// Any mutation; those that are likely to give something that parses come more often.
fn mutation() -> impl Strategy<Value = Mutation> {
    let at = any::<usize>;
    prop_oneof![
        1 => at().prop_map(Mutation::DeleteWord),
        1 => at().prop_map(Mutation::RepeatWord),
        1 => (at(), at()).prop_map(|(a, b)| Mutation::SwapWords(a, b)),
        3 => (at(), at()).prop_map(|(a, b)| Mutation::CopyWord(a, b)),
        2 => (at(), at(), any::<bool>()).prop_map(|(a, piece, blanks)| Mutation::InsertPiece(a, piece, blanks)),
        1 => (at(), 1..20usize).prop_map(|(a, length)| Mutation::DeleteBytes(a, length)),
        1 => (at(), 1..200usize, at()).prop_map(|(from, length, to)| Mutation::CopyBytes(from, length, to)),
        1 => (at(), any::<u8>()).prop_map(|(a, byte)| Mutation::ReplaceByte(a, byte)),
        1 => at().prop_map(Mutation::Truncate),
    ]
}

/// A text after some mutations; `pieces` are what may be inserted.
fn mutated(text: &str, mutations: &[Mutation], pieces: &[&str]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for mutation in mutations {
        mutate(&mut bytes, mutation, pieces);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn mutate(text: &mut Vec<u8>, mutation: &Mutation, pieces: &[&str]) {
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
        Mutation::InsertPiece(a, piece, blanks) => {
            let at = word(a).0;
            let piece = pieces[piece % pieces.len()];
            let piece = if blanks { format!(" {piece} ") } else { piece.to_string() };
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

/// The places of words and of single other characters.
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

/// Gives so many mutants of some texts to a check that panics if something is wrong, each after so many mutations.
pub fn mutants<T: AsRef<str>>(count: u32, texts: &[T], mutations: Range<usize>, pieces: &[&str], check: impl Fn(&str)) {
    if texts.is_empty() {
        return;
    }
    let mutant = (0..texts.len(), prop::collection::vec(mutation(), mutations));
    each(count, mutant, |(which, mutations)| check(&mutated(texts[which].as_ref(), &mutations, pieces)));
}

/// Gives so many texts to a check that panics if something is wrong, each so many pieces in any order.
pub fn shuffled(count: u32, pieces: &[&str], length: Range<usize>, check: impl Fn(&str)) {
    let text = prop::collection::vec(0..pieces.len(), length);
    each(count, text, |text| check(&text.iter().map(|&at| pieces[at]).collect::<Vec<_>>().join(" ")));
}

/// Gives so many texts that match a regular expression to a check that panics if something is wrong.
pub fn any_text(count: u32, pattern: &str, check: impl Fn(&str)) {
    each(count, pattern, |text: String| check(&text));
}

fn each<S: Strategy>(count: u32, strategy: S, check: impl Fn(S::Value)) {
    let outcome = TestRunner::new(cases(count)).run(&strategy, |value| {
        check(value);
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

/// So many cases, unless `PROPTEST_CASES` asks for more or fewer.
fn cases(cases: u32) -> ProptestConfig {
    let default = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_some() { default } else { ProptestConfig { cases, ..default } }
}

/// Prints a text if the test panics while this lives: the input that made it fail.
pub struct PrintOnPanic<'a>(pub &'a str);

impl Drop for PrintOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.0);
        }
    }
}
