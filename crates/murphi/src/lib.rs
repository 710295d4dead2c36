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
mod overrides;
mod parse;
mod scan;
mod token;

use std::path::Path;
use tightrope_syntax::{Diagnostics, FrontEnd, Override, SourceMap};

/// The phases of this front end.
const FRONT_END: FrontEnd<token::Tok, ast::Program, ast::Expr, hir::Model> = FrontEnd {
    scan: scan::scan,
    parse: parse::parse,
    parse_value: parse::parse_expression,
    replace: overrides::replace,
    check: check::check,
};

/// Parses and checks the model in a file, with other values for some constants. Gives nothing if there was any error;
/// then `diags` says what is wrong.
pub fn parse(
    path: &Path,
    overrides: &[Override],
    sources: &mut SourceMap,
    diags: &mut Diagnostics,
) -> Option<hir::Model> {
    let file = sources.open(path, diags)?;
    FRONT_END.parse_model(file, overrides, sources, diags)
}

/// Parses and checks a model that is not in a file.
pub fn parse_text(name: &str, text: &str, sources: &mut SourceMap, diags: &mut Diagnostics) -> Option<hir::Model> {
    let file = sources.add(name, text);
    FRONT_END.parse_model(file, &[], sources, diags)
}

/// Parses a goal given on the command line, which messages call `--goal`, and makes it the model's: a boolean
/// expression over global variables. Gives nothing if there was any error; then `diags` says what is wrong.
///
/// The elements of a scalarset have no names, so a goal treats all of them alike: it holds in a state if and only if it
/// holds in all states that are symmetric to it.
pub fn parse_goal(text: &str, model: &mut hir::Model, sources: &mut SourceMap, diags: &mut Diagnostics) -> Option<()> {
    let (expr, mut names) = FRONT_END.parse_goal(text, parse::parse_expression, sources, diags)?;
    let mut goal = diags.unless_errors(|diags| check::check_goal(&expr, model, &mut names, diags))?;
    goal.text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    model.goal = Some(goal);
    Some(())
}
