//! Machine code and the interpreter on the first states of the models of the corpus.
//!
//! The corpus is found through `TIGHTROPE_CORPUS`, else at `../shared`; without it there is nothing to do.

mod compare;

use compare::Compare;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tightrope_ir::Program;
use tightrope_syntax::{Diagnostics, SourceMap};

/// How many states of each model are compared.
const STATES: usize = 20_000;

fn models(language: &str, ending: &str) -> Vec<PathBuf> {
    let corpus = std::env::var_os("TIGHTROPE_CORPUS").map(PathBuf::from);
    let corpus = corpus.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"));
    let mut found = Vec::new();
    let mut folders = vec![corpus.join("models").join(language)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    if let Ok(only) = std::env::var("TIGHTROPE_MODEL") {
        found.retain(|path| path.to_string_lossy().contains(&only));
    }
    if found.is_empty() {
        eprintln!("skipped: there are no models at {}", corpus.display());
    }
    found
}

fn compare(models: &[PathBuf], states: usize, load: impl Fn(&Path) -> Option<Program>) {
    let mut times: Vec<(Duration, String)> = Vec::new();
    for path in models {
        let Some(program) = load(path) else { continue };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut compare = match Compare::new(&program) {
            Ok(compare) => compare,
            Err(why) => panic!("{name} is not compiled: {why}"),
        };
        times.push((compare.compile, name.clone()));
        if states > 0 {
            let compared = compare.explore(states);
            println!("{name}: {compared} states, compiled in {:.1?}", compare.compile);
        }
    }
    times.sort();
    if let Some((most, name)) = times.last() {
        println!("{} models: median {:.1?}, most {most:.1?} ({name})", times.len(), times[times.len() / 2].0);
        for (time, name) in times.iter().rev().take(10) {
            println!("  {time:.1?} {name}");
        }
    }
}

fn murphi(path: &Path) -> Option<Program> {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let model = tightrope_murphi::parse(path, &[], &mut sources, &mut diagnostics)?;
    tightrope_murphi::lower::lower(&model, &sources, &mut diagnostics)
}

fn dve(path: &Path) -> Option<Program> {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let model = tightrope_dve::parse(path, &[], &mut sources, &mut diagnostics)?;
    let options = tightrope_dve::lower::Options::default();
    Some(tightrope_dve::lower::lower(&model, None, options, &sources, &mut diagnostics)?.program)
}

#[test]
fn murphi_models_agree() {
    compare(&models("murphi", "m"), STATES, murphi);
}

/// Every model is compiled; every tenth is compared.
#[test]
fn dve_models_agree() {
    let models = models("dve", "dve");
    compare(&models, 0, dve);
    let step = if models.len() > 20 { 7 } else { 1 };
    let some: Vec<PathBuf> = models.into_iter().step_by(step).collect();
    compare(&some, STATES, dve);
}
