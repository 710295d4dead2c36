//! The DVE front end: from a model's text to a resolved tree, and from there to rules.
//!
//! [`parse`] reads a file and gives a [`hir::Model`], or says what is wrong with it. The language is that of DiVinE 2;
//! probabilistic transitions are refused. Where there is only one thing the author can mean, a missing `,` or `;` does
//! no harm.

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
use tightrope_syntax::{Diagnostic, Diagnostics, FileId, Setting, SourceMap};

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

/// Parses an expression over all of a model's state: a goal given on the command line, which messages call `--goal`.
///
/// A variable of a process is written `P->x`, or `P.x` if there is no such state.
pub fn parse_expression(
    text: &str,
    model: &hir::Model,
    sources: &mut SourceMap,
    diags: &mut Diagnostics,
) -> Option<hir::Expr> {
    let file = sources.add("--goal", text);
    let before = diags.error_count();
    let mut names = token::Interner::default();
    let tokens = scan::scan(file, sources.text(file), &mut names, diags);
    let expr = parse::parse_expression(&tokens, &names, diags);
    if diags.error_count() > before {
        return None;
    }
    let expr = check::check_expression(&expr?, model, &mut names, diags);
    if let Some(left_out) = model.left_out
        && let Some(span) = expr.mention_of(left_out)
    {
        let name = &model.processes[left_out].name;
        let message = format!("the goal speaks of the property process `{name}`, which is left out by --no-claims");
        diags.push(Diagnostic::error(message).at(span, "never moves without its claim"));
    }
    (diags.error_count() == before).then_some(expr)
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
    let model = check::check(&program, &names, diags);
    (diags.error_count() == before).then_some(model)
}
