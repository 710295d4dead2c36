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
mod overrides;
mod parse;
mod scan;
mod token;

use std::path::Path;
use tightrope_syntax::{Diagnostic, Diagnostics, FrontEnd, Override, SourceMap};

/// The phases of this front end.
const FRONT_END: FrontEnd<token::Tok, ast::Program, ast::Initial, hir::Model> = FrontEnd {
    scan: scan::scan,
    parse: parse::parse,
    parse_value: parse::parse_initial,
    replace: |constant, value, program, names| overrides::replace(constant, value, program, names),
    check: |program, names, diags| check::check(program, names, diags),
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

/// Parses an expression over all of a model's state: a goal given on the command line, which messages call `--goal`.
///
/// A variable of a process is written `P->x`, or `P.x` if there is no such state.
pub fn parse_expression(
    text: &str,
    model: &hir::Model,
    sources: &mut SourceMap,
    diags: &mut Diagnostics,
) -> Option<hir::Expr> {
    let (written, mut names) = FRONT_END.parse_goal(text, parse::parse_expression, sources, diags)?;
    diags.unless_errors(|diags| {
        let expr = check::check_expression(&written, model, &mut names, diags);
        if let Some(left_out) = model.left_out
            && let Some(span) = expr.first_use_of(left_out)
        {
            let name = &model.processes[left_out].name;
            let message = format!("the goal speaks of the property process `{name}`, which is left out by --no-claims");
            diags.push(Diagnostic::error(message).at(span, "never moves without its claim"));
        }
        expr
    })
}
