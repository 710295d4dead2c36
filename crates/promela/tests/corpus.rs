//! Every model of the corpus parses. The corpus is not part of this repository: without it nothing is tested here.

use tightrope_promela::{ParseOptions, parse};
use tightrope_syntax::{Diagnostics, SourceMap};
use tightrope_testkit::corpus::{corpus, models};

#[test]
fn every_model_parses() {
    let Some(folder) = corpus("") else { return };
    let paths = models(&folder, &["pml", "pm"]);
    let mut failures = Vec::new();
    for path in &paths {
        let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
        let module = parse(path, &ParseOptions::default(), &mut sources, &mut diags);
        if module.is_none_or(|module| module.units.is_empty()) {
            failures.push(diags.render(&sources, false));
        }
    }
    assert!(failures.is_empty(), "{} of {} fail\n{}", failures.len(), paths.len(), failures.join("\n\n"));
}
