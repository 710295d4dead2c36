//! No model ends the program by a signal: not by what it is made of, nor by what machine code is made of it.

#![cfg(target_os = "linux")]

mod program;

use program::Folder;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Runs `check` with machine code, little stack and little memory. How it ended: the status, or that there was a signal;
/// and what it said.
fn check(model: &Path, execute: &str, stack: u32) -> (Option<i32>, String) {
    let program = env!("CARGO_BIN_EXE_tightrope");
    let limits = format!("ulimit -s {stack}; ulimit -v 2000000; exec \"$0\" \"$@\"");
    let arguments = ["check", "--quiet", "--memory", "200M", "--time", "2s", "--execute", execute];
    let output = Command::new("sh")
        .args(["-c", &limits, program])
        .args(arguments)
        .arg(model)
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text)
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|one| one == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn frames_are_bounded() {
    let mut models = files(&folder("machine_code"), "m");
    models.extend(files(&folder("machine_code"), "dve"));
    assert!(models.len() >= 9);
    for model in models {
        for (execute, stack) in [("jit", 8192), ("interpret", 8192), ("jit", 4096)] {
            let (status, text) = check(&model, execute, stack);
            let name = model.file_name().unwrap_or_default().to_string_lossy();
            let is_endless = name.starts_with("recursion_in_") || name.starts_with("recursion_with_large");
            // Time may run out on a slow machine.
            let expected = if is_endless { [3, 3] } else { [0, 3] };
            assert!(!is_endless || text.contains("undecided (limit)") || text.contains("undecided (memory)"), "{text}");
            let is_fine = status.is_some_and(|status| expected.contains(&status));
            assert!(is_fine, "{name}, {execute}, {stack}: {status:?} {text}");
            let fell_back = text.matches("note: the model is interpreted").count();
            assert!(fell_back <= usize::from(execute == "jit"), "{text}");
            if name.contains("MB_local") {
                assert_eq!(fell_back, usize::from(execute == "jit"), "{text}");
            }
            if name.starts_with("synchronous") {
                assert_eq!(fell_back, 0, "{text}");
            }
        }
    }
}

/// Numbers that look random, and are the same for the same seed (SplitMix64).
struct Rng(u64);

impl Rng {
    fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

/// A model with something changed: pieces of text that are words, numbers or signs, deleted, doubled, exchanged or replaced.
fn mutated(text: &str, rng: &mut Rng) -> String {
    let mut pieces: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = if is_word(first) { rest.find(|c| !is_word(c)) } else { Some(first.len_utf8()) };
        let (piece, others) = rest.split_at(end.unwrap_or(rest.len()));
        pieces.push(piece);
        rest = others;
    }
    let solid: Vec<usize> = (0..pieces.len()).filter(|&at| !pieces[at].trim().is_empty()).collect();
    if solid.is_empty() {
        return text.into();
    }
    let numbers = ["0", "1", "2", "255", "256", "1000", "65536", "2147483647", "-1", "4000000000"];
    for _ in 0..=rng.below(3) {
        let at = solid[rng.below(solid.len() as u64) as usize];
        let other = pieces[solid[rng.below(solid.len() as u64) as usize]];
        let is_number = pieces[at].chars().all(|c| c.is_ascii_digit());
        match rng.below(if is_number { 8 } else { 4 }) {
            0 => pieces[at] = " ",
            1 => pieces[at] = other,
            2 => pieces.insert(at, other),
            3 => {
                let with = solid[rng.below(solid.len() as u64) as usize].min(pieces.len() - 1);
                let at = at.min(pieces.len() - 1);
                pieces.swap(at, with);
            }
            _ => pieces[at] = numbers[rng.below(numbers.len() as u64) as usize],
        }
    }
    pieces.concat()
}

/// Checks so many changed models of each language.
fn changed_models(count: u64) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus = std::env::var_os("TIGHTROPE_CORPUS").map_or_else(|| root.join("../shared"), PathBuf::from);
    let work = Folder::new("hostile");
    let mut wrong = Vec::new();
    for (language, ending) in [("promela", "pml"), ("murphi", "m"), ("dve", "dve")] {
        let mut models = files(&root.join("models").join(language), ending);
        assert!(models.len() > 10);
        // Generated monsters of megabytes say nothing more.
        let is_small = |path: &PathBuf| std::fs::metadata(path).is_ok_and(|data| data.len() < 20_000);
        models.extend(files(&corpus.join("models").join(language), ending).into_iter().filter(is_small));
        let (begin, mut ran) = (Instant::now(), 0);
        for seed in 0..count {
            let mut rng = Rng::new(seed);
            let original = &models[rng.below(models.len() as u64) as usize];
            let Ok(text) = std::fs::read_to_string(original) else { continue };
            let model = work.file(&format!("m{seed}.{ending}"), &mutated(&text, &mut rng));
            let (status, text) = check(&model, "jit", 8192);
            ran += u64::from(status != Some(2));
            if !matches!(status, Some(0..=3)) {
                wrong.push(format!("{} with seed {seed}: {status:?}: {text}", original.display()));
            }
            let _ = std::fs::remove_file(model);
        }
        eprintln!("{language}: {ran} of {count} changed models ran, in {:?}", begin.elapsed());
        assert!(ran > 0, "no changed model of {language} is one");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn some_changed_models() {
    changed_models(12);
}

#[test]
#[ignore = "takes many minutes"]
fn many_changed_models() {
    changed_models(500);
}
