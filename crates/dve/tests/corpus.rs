//! All models of the corpus are accepted.
//!
//! The corpus lies beside the project; `TIGHTROPE_CORPUS` names another folder. Without it, the test passes.

mod well_formed;

use std::path::Path;
use tightrope_dve::hir::Model;
use tightrope_dve::parse;
use tightrope_testkit::corpus::{corpus, models};
use tightrope_testkit::expectations::{Findings, findings};

fn read(path: &Path) -> Result<Model, String> {
    let (model, Findings { shown, .. }) = findings(|sources, diags| parse(path, &[], sources, diags));
    if std::env::var_os("TIGHTROPE_SHOW").is_some() && !shown.is_empty() {
        eprintln!("{shown}");
    }
    model.iter().for_each(well_formed::check);
    model.ok_or(shown)
}

#[test]
fn every_model_is_accepted() {
    let Some(folder) = corpus("models/dve") else { return };
    let paths = models(&folder, &["dve"]);
    let failures: Vec<String> = paths.iter().filter_map(|path| read(path).err()).collect();
    assert!(failures.is_empty(), "{} of {} fail\n{}", failures.len(), paths.len(), failures.join("\n\n"));
}
