//! Constants set on the command line: they take the place of what the model's text says.

use crate::ast::{Decl, Item, Program};
use crate::token::Interner;
use crate::{parse, scan};
use tightrope_syntax::{Diagnostic, Diagnostics, Setting, SourceMap};

/// Gives constants at the top of a model the values of these settings.
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
        let Some(value) = parse::parse_expression(&tokens, names, diags) else { continue };
        let sym = names.intern(&setting.name);
        let mut found = None;
        for (at, item) in program.items.iter_mut().enumerate() {
            if let Item::Decl(Decl::Const(constants, _)) = item
                && let Some(position) = constants.iter().position(|name| name.sym == sym)
            {
                found = Some((at, constants.remove(position)));
                break;
            }
        }
        match found {
            Some((at, name)) => program.items.insert(at, Item::Decl(Decl::Const(vec![name], value))),
            None => diags.push(unknown(setting, program, names)),
        }
    }
}

fn unknown(setting: &Setting, program: &Program, names: &Interner) -> Diagnostic {
    let constants = program.items.iter().filter_map(|item| match item {
        Item::Decl(Decl::Const(constants, _)) => Some(constants),
        _ => None,
    });
    let constants: Vec<&str> = constants.flatten().map(|name| names.text(name.sym)).collect();
    setting.unknown(&constants)
}
