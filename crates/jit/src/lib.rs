//! Machine code for programs, made by Cranelift when a model is loaded.
//!
//! [`compile`] is all there is: what it returns runs the program that it was made from, and no other.

mod calls;
mod code;
mod engine;
mod expr;
mod facts;
mod masks;
mod native;
mod processes;
mod rules;
mod run;
mod scope;
mod stmts;

use std::sync::Arc;
use tightrope_ir::{Interpreter, Program, validate};

/// Whether making machine code should go on; asked after every function. The error says why not.
pub type GoesOn = fn() -> Result<(), String>;

/// The program as a model that is executed by machine code. The error says why there is none.
pub fn compile(program: &Arc<Program>) -> Result<Interpreter, String> {
    compile_while(program, || Ok(()))
}

/// The same, as long as it should go on.
pub fn compile_while(program: &Arc<Program>, goes_on: GoesOn) -> Result<Interpreter, String> {
    // Machine code relies on what this makes sure of.
    validate(program).map_err(|why| format!("the program is not valid: {why}"))?;
    let interpreter = Interpreter::new(program.clone());
    // SAFETY: the code is made from the interpreter's own program, which is valid and never changes.
    Ok(match &program.rules {
        Some(_) => unsafe { interpreter.with_native_rules(rules::rules(program, goes_on)?) },
        None => unsafe { interpreter.with_native_moves(processes::processes(program, goes_on)?) },
    })
}
