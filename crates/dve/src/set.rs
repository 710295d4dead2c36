//! Constants set on the command line: they take the place of what the model's text says.

use crate::ast::{Item, Program, Variable};
use crate::token::Interner;
use crate::{parse, scan};
use tightrope_syntax::{Diagnostic, Diagnostics, Setting, SourceMap};

/// Gives constants the values of these settings. One of a process is named `P.N`, or `N` if it is the only one of that name.
pub(crate) fn set(
    settings: &[Setting],
    program: &mut Program,
    names: &mut Interner,
    sources: &mut SourceMap,
    diags: &mut Diagnostics,
) {
    for setting in settings {
        let file = setting.source(sources);
        let tokens = scan::scan(file, sources.text(file), names, diags);
        let Some(value) = parse::parse_initial(&tokens, names, diags) else { continue };
        let mut constants = constants(program, names);
        let full: Vec<&str> = constants.iter().map(|(name, _)| name.as_str()).collect();
        let ends_so = |name: &&&str| name.rsplit_once('.').is_some_and(|(_, last)| last == setting.name);
        let alike: Vec<&str> = full.iter().filter(ends_so).copied().collect();
        let wanted = match alike.as_slice() {
            [only] if !full.contains(&setting.name.as_str()) => only,
            _ => setting.name.as_str(),
        };
        match full.iter().position(|name| *name == wanted) {
            Some(at) => constants.swap_remove(at).1.initial = Some(value),
            None if alike.len() > 1 => {
                let error = Diagnostic::error(format!("--set: several processes have a constant `{}`", setting.name));
                diags.push(error.help(format!("name one of {}", alike.join(", "))));
            }
            None => diags.push(setting.unknown(&full)),
        }
    }
}

/// The constants of a model, with their full names.
fn constants<'p>(program: &'p mut Program, names: &Interner) -> Vec<(String, &'p mut Variable)> {
    let mut found = Vec::new();
    for item in &mut program.items {
        match item {
            Item::Variable(variable) if variable.constant => {
                found.push((names.text(variable.name.sym).to_string(), variable));
            }
            Item::Process(process) => {
                let owner = names.text(process.name.sym);
                for variable in process.variables.iter_mut().filter(|variable| variable.constant) {
                    found.push((format!("{owner}.{}", names.text(variable.name.sym)), variable));
                }
            }
            _ => {}
        }
    }
    found
}
