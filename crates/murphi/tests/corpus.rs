//! All models of the corpus are accepted, and their states are as large as CMurphi says.
//!
//! The corpus lies beside the project; `TIGHTROPE_CORPUS` names another folder. Without it, the tests pass.

mod well_formed;

use std::path::Path;
use tightrope_murphi::hir::Model;
use tightrope_murphi::parse;
use tightrope_testkit::corpus::{corpus, models};
use tightrope_testkit::expectations::{Findings, findings};

fn read(path: &Path) -> Result<Model, String> {
    let (model, Findings { shown, .. }) = findings(|sources, diags| parse(path, &[], sources, diags));
    if std::env::var_os("TIGHTROPE_SHOW").is_some() {
        eprintln!("{shown}");
    }
    model.iter().for_each(well_formed::check);
    model.ok_or(shown)
}

#[test]
fn every_model_is_accepted() {
    let Some(folder) = corpus("models/murphi") else { return };
    let paths = models(&folder, &["m"]);
    let failures: Vec<String> = paths.iter().filter_map(|path| read(path).err()).collect();
    assert!(failures.is_empty(), "{} of {} fail\n{}", failures.len(), paths.len(), failures.join("\n\n"));
}

#[test]
fn states_have_the_bits_of_cmurphi() {
    let Some(folder) = corpus("") else { return };
    let Ok(table) = std::fs::read_to_string(folder.join("expected/murphi.tsv")) else {
        eprintln!("no expected/murphi.tsv: skipped");
        return;
    };
    let mut lines = table.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let head = lines.next().expect("a head");
    let column = |name: &str| head.iter().position(|title| *title == name).expect("the column is there");
    let (model, bits) = (column("model"), column("state_bits"));
    for line in lines {
        let found = read(&folder.join("models/murphi").join(line[model])).expect(line[model]).state_bits();
        assert_eq!(found.to_string(), line[bits], "{}", line[model]);
    }
}
