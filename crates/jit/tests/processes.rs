//! Machine code and interpreter agree on what processes do, state by state.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tightrope_core::{Model, Successors};
use tightrope_ir::{Program, ProgramModel};
use tightrope_syntax::{Diagnostics, SourceMap};

/// Walks through a program with both, with machine code from the state of that number on; what differs, and how many states were
/// compared.
fn difference(program: Program, most: usize, from: usize) -> Result<usize, String> {
    let program = Arc::new(program);
    let slow = ProgramModel::new(program.clone());
    let fast = ProgramModel::new(program);
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    let mut waiting = Vec::new();
    slow.initial(&mut |state| waiting.push(state.to_vec()));
    let (mut expected, mut found) = (Successors::new(), Successors::new());
    let mut count = 0;
    while let Some(state) = waiting.pop() {
        if count == from {
            tightrope_jit::compile_for(&fast, &|_| Ok(())).map_err(|why| format!("not compiled: {why}"))?;
        }
        count += 1;
        if count > most {
            break;
        }
        slow.successors(&state, &mut expected);
        fast.successors(&state, &mut found);
        let list = |model: &ProgramModel, out: &Successors| -> (Vec<_>, u32) {
            let lengths = model.statements().expect("a model of processes");
            let one = |at| {
                (out.step(at), out.state(at).map(<[u8]>::to_vec), out.fault(at).cloned(), lengths.of_step(out, at))
            };
            ((0..out.len()).map(one).collect(), lengths.of_failed_attempt(out))
        };
        let (expected_list, expected_attempt) = list(&slow, &expected);
        let (found_list, found_attempt) = list(&fast, &found);
        if expected_list != found_list || (expected.terminal, expected_attempt) != (found.terminal, found_attempt) {
            return Err(format!("in {state:?}:\ninterpreter {expected_list:?}\nmachine code {found_list:?}"));
        }
        for (_, next, ..) in expected_list {
            waiting.extend(next.filter(|next| seen.insert(next.clone())));
        }
    }
    let unreached = |model: &ProgramModel, out: &Successors| model.unreached(&out.scratch);
    if unreached(&slow, &expected) != unreached(&fast, &found) {
        return Err("other transitions were executed".into());
    }
    Ok(count)
}

fn agree_on(seeds: std::ops::Range<u64>) {
    let mut states = 0;
    for seed in seeds {
        match difference(tightrope_testkit::random::program(seed), 400, (seed % 4 * 7) as usize) {
            Ok(count) => states += count,
            Err(why) => panic!("seed {seed}: {why}"),
        }
    }
    assert!(states > 1_000, "only {states} states");
}

#[test]
fn random_programs() {
    agree_on(0..600);
}

#[test]
#[ignore = "takes minutes"]
fn many_random_programs() {
    agree_on(1_000..60_000);
}

fn load(path: &Path) -> Option<Program> {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let module = tightrope_promela::parse(path, &Default::default(), &mut sources, &mut diagnostics)?;
    Some(tightrope_promela::lower::lower(&module, &sources, &mut diagnostics)?.program)
}

/// All Promela models below a folder.
fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|ending| ["pml", "pm", "prom"].iter().any(|one| ending == *one)) {
            found.push(path);
        }
    }
}

fn agree_below(folder: &Path, most: usize) -> usize {
    let mut paths = Vec::new();
    models(folder, &mut paths);
    paths.sort();
    let mut wrong = Vec::new();
    let mut compared = HashMap::new();
    for path in paths {
        let Some(program) = load(&path) else { continue };
        if program.processes.is_empty() {
            continue;
        }
        match difference(program, most, 0) {
            Ok(count) => {
                compared.insert(path, count);
            }
            Err(why) => wrong.push(format!("{}: {why}", path.display())),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    compared.len()
}

#[test]
fn own_models() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    assert!(agree_below(&root.join("models/promela"), 20_000) > 20);
    assert!(agree_below(&root.join("crates/promela/tests/semantics"), 2_000) > 300);
}

#[test]
fn corpus() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus = std::env::var_os("TIGHTROPE_CORPUS").map_or_else(|| root.join("../shared"), PathBuf::from);
    let folder = corpus.join("models/promela");
    if !folder.exists() {
        eprintln!("skipped: no corpus at {} (set TIGHTROPE_CORPUS)", corpus.display());
        return;
    }
    assert!(agree_below(&folder, 5_000) > 50);
}
