//! Models that are wrong, with the errors that must be found, and models that are fine although they look odd.

mod well_formed;

use std::path::Path;
use tightrope_murphi::parse;
use tightrope_syntax::{Diagnostics, SourceMap};
use tightrope_testkit::expectations::{Findings, check_accepted, check_rejected, findings};

fn read(path: &Path) -> Findings {
    let (model, findings) = findings(|sources, diags| parse(path, &[], sources, diags));
    model.iter().for_each(well_formed::check);
    findings
}

#[test]
fn mistakes_are_found() {
    check_rejected(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rejected"), "-- ", read);
}

#[test]
fn oddities_are_accepted() {
    check_accepted(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/accepted"), "-- ", read);
}

#[test]
fn errors_are_shown_at_their_place() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rejected/assignment_to_value_parameter.m");
    let text = std::fs::read_to_string(path).expect("readable");
    let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
    assert!(tightrope_murphi::parse_text("p.m", &text, &mut sources, &mut diags).is_none());
    let expected = "\
error: the target of an assignment cannot be changed
 --> p.m:3:30
  |
3 | procedure p(a : 0..3); begin a := 1; end;
  |             - declared here  ^ a parameter without `var`
  |
  = help: write `var` before it in the routine's head";
    assert_eq!(diags.render(&sources, false), expected);
}
