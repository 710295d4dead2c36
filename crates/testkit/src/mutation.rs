//! Mutated texts: what fuzzing feeds to the front ends.

use proptest::prelude::*;

/// A change of a text. Numbers that are too large wrap around.
#[derive(Clone, Debug)]
pub enum Mutation {
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
pub fn mutation() -> impl Strategy<Value = Mutation> {
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
pub fn mutated(text: &str, mutations: &[Mutation], pieces: &[&str]) -> String {
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

/// So many cases, unless `PROPTEST_CASES` asks for more or fewer.
pub fn cases(cases: u32) -> ProptestConfig {
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
