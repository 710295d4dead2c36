//! Tests of the parser. Trees are compared as text: every construct is written out in one canonical form.

mod errors;
mod grammar;
mod hostile;
mod inlines;
mod print;
mod separators;

use crate::ast::Module;
use crate::{ParseOptions, parse_text};
use tightrope_syntax::{Diagnostics, SourceMap};

/// Parses a model; the diagnostics as text where there is an error.
fn parse(text: &str) -> Result<Module, String> {
    let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
    let module = parse_text("m.pml", text, &ParseOptions::default(), &mut sources, &mut diags);
    module.ok_or_else(|| diags.render(&sources, false))
}

/// A model in canonical form. What the form says must parse to the same form.
fn canonical(text: &str) -> String {
    let form = print::module(&parse(text).unwrap_or_else(|errors| panic!("{errors}\nin {text}")));
    let again = print::module(&parse(&form).unwrap_or_else(|errors| panic!("{errors}\nin canonical {form}")));
    assert_eq!(form, again, "the canonical form of {text} is not stable");
    form
}

/// A process's body in canonical form.
fn body(text: &str) -> String {
    let form = canonical(&format!("active proctype main() {{ {text} }}"));
    let inner = form.strip_prefix("active proctype main() { ").and_then(|form| form.strip_suffix(" }"));
    inner.unwrap_or_else(|| panic!("{form}")).to_string()
}

/// An expression in canonical form.
fn expr(text: &str) -> String {
    let form = body(&format!("v = {text}"));
    form.strip_prefix("v = ").unwrap_or_else(|| panic!("{form}")).to_string()
}

/// The diagnostics of a model that must not parse.
fn errors(text: &str) -> String {
    match parse(text) {
        Ok(module) => panic!("no error in {text}\n{}", print::module(&module)),
        Err(errors) => errors,
    }
}

/// The first lines of the diagnostics of a body that must not parse.
fn messages(text: &str) -> Vec<String> {
    let shown = errors(&format!("active proctype main() {{ {text} }}"));
    shown.lines().filter(|line| line.starts_with("error: ")).map(|line| line[7..].to_string()).collect()
}
