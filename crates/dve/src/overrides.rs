//! Constants overridden on the command line: another value takes the place of the one in the model's text.

use crate::ast::{Initial, Item, Program, Variable};
use crate::token::Interner;
use tightrope_syntax::{Diagnostic, Override};

/// Replaces the value of a constant. One of a process is named `P.N`, or `N` if it is the only one of that name.
pub(crate) fn replace(
    constant: &Override,
    value: Initial,
    program: &mut Program,
    names: &Interner,
) -> Result<(), Diagnostic> {
    let mut constants = constants(program, names);
    let qualified: Vec<&str> = constants.iter().map(|(name, _)| name.as_str()).collect();
    let is_local = |name: &&&str| name.rsplit_once('.').is_some_and(|(_, last)| last == constant.name);
    let local: Vec<&str> = qualified.iter().filter(is_local).copied().collect();
    let wanted = match local.as_slice() {
        [only] if !qualified.contains(&constant.name.as_str()) => only,
        _ => constant.name.as_str(),
    };
    match qualified.iter().position(|name| *name == wanted) {
        Some(at) => {
            constants.swap_remove(at).1.initial = Some(value);
            Ok(())
        }
        None if local.len() > 1 => {
            let error = Diagnostic::error(format!("--set: several processes have a constant `{}`", constant.name));
            Err(error.help(format!("name one of {}", local.join(", "))))
        }
        None => Err(constant.unknown(&qualified)),
    }
}

/// The constants of a model, with their qualified names.
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
