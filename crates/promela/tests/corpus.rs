//! Every model of the corpus parses. The corpus is not part of this repository: without it nothing is tested here.

use std::path::{Path, PathBuf};
use tightrope_promela::{ParseOptions, parse};
use tightrope_syntax::{Diagnostics, SourceMap};

/// The folder of the corpus: `TIGHTROPE_CORPUS`, or beside the repository.
fn corpus() -> Option<PathBuf> {
    let folder = match std::env::var_os("TIGHTROPE_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    folder.is_dir().then_some(folder)
}

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "pml" || ending == "pm") {
            found.push(path);
        }
    }
}

#[test]
fn every_model_parses() {
    let Some(folder) = corpus() else {
        eprintln!("skipped: no corpus; set TIGHTROPE_CORPUS to its folder");
        return;
    };
    let mut paths = Vec::new();
    models(&folder, &mut paths);
    paths.sort();
    let mut failures = Vec::new();
    for path in &paths {
        let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
        let module = parse(path, &ParseOptions::default(), &mut sources, &mut diags);
        if module.is_none_or(|module| module.units.is_empty()) {
            failures.push(diags.render(&sources, false));
        }
    }
    eprintln!("{} models", paths.len());
    assert!(failures.is_empty(), "{} of {} fail\n{}", failures.len(), paths.len(), failures.join("\n\n"));
}
