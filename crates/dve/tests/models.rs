//! Models that are wrong, with the errors that must be found, and models that are fine although they look odd.

mod well_formed;

use std::path::Path;
use tightrope_dve::parse;
use tightrope_syntax::{Diagnostics, SourceMap};
use tightrope_testkit::expectations::{Findings, check_accepted, check_rejected, findings};

fn read(path: &Path) -> Findings {
    let (model, findings) = findings(|sources, diags| parse(path, &[], sources, diags));
    model.iter().for_each(well_formed::check);
    findings
}

#[test]
fn mistakes_are_found() {
    check_rejected(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rejected"), "// ", read);
}

#[test]
fn oddities_are_accepted() {
    check_accepted(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/accepted"), "// ", read);
}

#[test]
fn errors_are_shown_at_their_place() {
    let text = "channel c;\n\
        process P { state s; init s; trans s -> s { sync c!1; }; }\n\
        process Q { state s; init s; trans s -> s { sync c?; }; }\n\
        system async;\n";
    let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
    assert!(tightrope_dve::parse_text("p.dve", text, &mut sources, &mut diags).is_none());
    let expected = "\
error: `c` is used with one value and with no value
 --> p.dve:3:50
  |
2 | process P { state s; init s; trans s -> s { sync c!1; }; }
  |                                                  --- sent with one value here
3 | process Q { state s; init s; trans s -> s { sync c?; }; }
  |                                                  ^^ no value here";
    assert_eq!(diags.render(&sources, false), expected);
}
