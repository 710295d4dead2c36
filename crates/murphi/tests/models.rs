//! Models that are wrong, with the errors that must be found, and models that are fine although they look odd.
//!
//! Each file of `rejected` starts with lines `-- error: message`, each of `accepted` with a line that says why and
//! perhaps with lines `-- warning: message`.

mod well_formed;

use std::path::{Path, PathBuf};
use tightrope_murphi::parse;
use tightrope_syntax::{Diagnostics, Severity, SourceMap};

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let entries = std::fs::read_dir(&folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    assert!(files.len() > 10);
    files
}

/// The first comments that start with a word.
fn expected(path: &Path, word: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("readable");
    let head = text.lines().take_while(|line| line.starts_with("-- "));
    head.filter_map(|line| line.strip_prefix("-- ")?.strip_prefix(word)?.strip_prefix(": ").map(str::to_string))
        .collect()
}

/// What is found in a file: the messages, and everything as text.
fn found(path: &Path, severity: Severity) -> (Vec<String>, String, bool) {
    let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
    let model = parse(path, &[], &mut sources, &mut diags);
    model.iter().for_each(well_formed::check);
    let accepted = model.is_some();
    assert_eq!(accepted, !diags.has_errors());
    let messages = diags.iter().filter(|d| d.severity == severity).map(|d| d.message.clone()).collect();
    (messages, diags.render(&sources, false), accepted)
}

#[test]
fn mistakes_are_found() {
    let mut failures = Vec::new();
    for path in files("rejected") {
        let (messages, shown, _) = found(&path, Severity::Error);
        let expected = expected(&path, "error");
        if messages.is_empty() || messages != expected {
            failures.push(format!("{}: expected {expected:#?}\n{shown}", path.display()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn oddities_are_accepted() {
    for path in files("accepted") {
        let (messages, shown, accepted) = found(&path, Severity::Warning);
        assert!(accepted, "{shown}");
        assert_eq!(messages, expected(&path, "warning"), "{}\n{shown}", path.display());
        assert_eq!(expected(&path, "accepted").len(), 1, "{}", path.display());
    }
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
