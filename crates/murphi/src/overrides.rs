//! Constants overridden on the command line: another value takes the place of the one in the model's text.

use crate::ast::{Decl, Expr, Item, Program};
use crate::token::Interner;
use tightrope_syntax::{Diagnostic, Override};

/// Replaces the value of a constant at the top of a model.
pub(crate) fn replace(
    constant: &Override,
    value: Expr,
    program: &mut Program,
    names: &mut Interner,
) -> Result<(), Diagnostic> {
    let sym = names.intern(&constant.name);
    for (at, item) in program.items.iter_mut().enumerate() {
        if let Item::Decl(Decl::Const(constants, _)) = item
            && let Some(position) = constants.iter().position(|name| name.sym == sym)
        {
            let name = constants.remove(position);
            program.items.insert(at, Item::Decl(Decl::Const(vec![name], value)));
            return Ok(());
        }
    }
    let constants = program.items.iter().filter_map(|item| match item {
        Item::Decl(Decl::Const(constants, _)) => Some(constants),
        _ => None,
    });
    let constants: Vec<&str> = constants.flatten().map(|name| names.text(name.sym)).collect();
    Err(constant.unknown(&constants))
}
