//! The Promela front end: from a model's files to its syntax tree.
//!
//! [`parse`] reads a file with its includes, expands macros and `inline` calls, and gives an [`ast::Module`]. The
//! language is that of SPIN 6.5, down to where it inserts semicolons; embedded C is refused.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod ast;
pub mod lower;
mod parse;
mod preprocess;
mod scan;
mod token;

use std::path::{Path, PathBuf};
use tightrope_syntax::{Diagnostics, FileId, SourceMap};

/// What the command line says about reading a model.
#[derive(Clone, Debug, Default)]
pub struct ParseOptions {
    /// `-DNAME=VALUE`: macros defined before the first line. The name may have parameters: `F(x)`.
    pub defines: Vec<(String, String)>,
    /// `-IDIR`: where included files are looked for, after the including file's own folder.
    pub include_dirs: Vec<PathBuf>,
    /// The goal, which messages call `--goal`: a condition on states. Macros have their definitions at the end of the
    /// model.
    pub goal: Option<String>,
}

/// Parses the model in a file. Gives nothing if there was any error; then `diags` says what is wrong.
pub fn parse(
    path: &Path,
    options: &ParseOptions,
    sources: &mut SourceMap,
    diags: &mut Diagnostics,
) -> Option<ast::Module> {
    let file = sources.open(path, diags)?;
    parse_file(file, options, sources, diags)
}

/// Parses a model that is not in a file. Includes are looked for beside `name`, as if it were a path.
pub fn parse_text(
    name: &str,
    text: &str,
    options: &ParseOptions,
    sources: &mut SourceMap,
    diags: &mut Diagnostics,
) -> Option<ast::Module> {
    let file = sources.add(name, text);
    parse_file(file, options, sources, diags)
}

/// `1 field`, `2 fields`
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// `1 is`, `2 are`
fn are(count: usize) -> String {
    format!("{count} {}", if count == 1 { "is" } else { "are" })
}

fn parse_file(
    file: FileId,
    options: &ParseOptions,
    sources: &mut SourceMap,
    diags: &mut Diagnostics,
) -> Option<ast::Module> {
    let before = diags.error_count();
    let tokens = preprocess::preprocess(file, options, sources, diags);
    // Where text is missing or macros are unknown, the parser would find follow-on errors only.
    if diags.error_count() > before {
        return None;
    }
    let module = parse::parse(tokens, diags);
    (diags.error_count() == before).then_some(module)
}
