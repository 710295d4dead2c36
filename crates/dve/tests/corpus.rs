//! All models of the corpus are accepted.
//!
//! The corpus lies beside the project; `TIGHTROPE_CORPUS` names another folder. Without it, the test passes.

mod well_formed;

use std::path::{Path, PathBuf};
use tightrope_dve::hir::Model;
use tightrope_dve::parse;
use tightrope_syntax::{Diagnostics, SourceMap};

fn corpus() -> Option<PathBuf> {
    let folder = match std::env::var_os("TIGHTROPE_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    let found = folder.join("models/dve").is_dir();
    if !found {
        eprintln!("no corpus at {}: skipped; set TIGHTROPE_CORPUS to its folder", folder.display());
    }
    found.then_some(folder)
}

fn models(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            models(&path, paths);
        } else if path.extension().is_some_and(|ending| ending == "dve") {
            paths.push(path);
        }
    }
}

fn read(path: &Path) -> Result<Model, String> {
    let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
    let model = parse(path, &[], &mut sources, &mut diags);
    let shown = diags.render(&sources, false);
    assert_eq!(model.is_none(), diags.has_errors());
    if std::env::var_os("TIGHTROPE_SHOW").is_some() && !shown.is_empty() {
        eprintln!("{shown}");
    }
    model.iter().for_each(well_formed::check);
    model.ok_or(shown)
}

#[test]
fn every_model_is_accepted() {
    let Some(folder) = corpus() else { return };
    let mut paths = Vec::new();
    models(&folder.join("models/dve"), &mut paths);
    paths.sort();
    let failures: Vec<String> = paths.iter().filter_map(|path| read(path).err()).collect();
    eprintln!("{} models", paths.len());
    assert!(failures.is_empty(), "{} of {} fail\n{}", failures.len(), paths.len(), failures.join("\n\n"));
}
