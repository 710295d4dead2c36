//! The Murphi front end: from a model's text to a resolved, typed tree.
//!
//! [`parse`] reads a file and gives a [`hir::Model`], or says what is wrong with it. The language is that of CMurphi 5.4;
//! real numbers, probabilistic rules and external functions are refused. Where Rumur is more lenient and there is only
//! one thing the author can mean, so is this.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod ast;
mod check;
pub mod hir;
pub mod lower;
mod parse;
mod scan;
mod set;
mod token;

use std::path::Path;
use tightrope_syntax::{Diagnostics, FileId, Setting, SourceMap};

/// Parses and checks the model in a file, with constants set to other values than it says. Gives nothing if there was any error;
/// then `diags` says what is wrong.
pub fn parse(
    path: &Path,
    settings: &[Setting],
    sources: &mut SourceMap,
    diags: &mut Diagnostics,
) -> Option<hir::Model> {
    let file = sources.open(path, diags)?;
    parse_file(file, settings, sources, diags)
}

/// Parses and checks a model that is not in a file.
pub fn parse_text(name: &str, text: &str, sources: &mut SourceMap, diags: &mut Diagnostics) -> Option<hir::Model> {
    let file = sources.add(name, text);
    parse_file(file, &[], sources, diags)
}

/// Parses a goal given on the command line, which messages call `--goal`, and makes it the model's: a boolean
/// expression over global variables. Gives nothing if there was any error; then `diags` says what is wrong.
///
/// The elements of a scalarset have no names, so a goal speaks of all of them alike, and states that differ by renaming
/// them satisfy it or not together.
pub fn parse_goal(text: &str, model: &mut hir::Model, sources: &mut SourceMap, diags: &mut Diagnostics) -> Option<()> {
    let file = sources.add("--goal", text);
    let before = diags.error_count();
    let mut names = token::Interner::default();
    let tokens = scan::scan(file, sources.text(file), &mut names, diags);
    let expr = parse::parse_expression(&tokens, &names, diags);
    if diags.error_count() > before {
        return None;
    }
    let mut goal = check::check_goal(&expr?, model, &mut names, diags);
    if diags.error_count() > before {
        return None;
    }
    goal.text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    model.goal = Some(goal);
    Some(())
}

fn parse_file(
    file: FileId,
    settings: &[Setting],
    sources: &mut SourceMap,
    diags: &mut Diagnostics,
) -> Option<hir::Model> {
    let before = diags.error_count();
    let mut names = token::Interner::default();
    let tokens = scan::scan(file, sources.text(file), &mut names, diags);
    let mut program = parse::parse(&tokens, &names, diags);
    if diags.error_count() == before {
        set::set(settings, &mut program, &mut names, sources, diags);
    }
    if diags.error_count() > before {
        return None;
    }
    let model = check::check(&program, &mut names, diags);
    (diags.error_count() == before).then_some(model)
}
