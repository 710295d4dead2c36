//! Machine code for programs, made by Cranelift when a model is loaded.
//!
//! [`compile`] gives a model that runs a program by machine code; [`compile_for`] makes machine code for a model that may be
//! running meanwhile.

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

/// Whether making machine code should go on, where the next piece of work takes so many bytes of memory at most; asked before every
/// function, and again when it is known how large it is. The error says why not.
pub type GoesOn<'g> = &'g dyn Fn(u64) -> Result<(), String>;

/// The program as a model that is executed by machine code. The error says why there is none.
pub fn compile(program: &Arc<Program>) -> Result<Interpreter, String> {
    let interpreter = Interpreter::new(program.clone());
    compile_for(&interpreter, &|_| Ok(()))?;
    Ok(interpreter)
}

/// Makes machine code for a model, which is executed by it from then on; as long as it should go on.
pub fn compile_for(interpreter: &Interpreter, goes_on: GoesOn<'_>) -> Result<(), String> {
    let program = interpreter.program();
    // Machine code relies on what this makes sure of.
    validate(program).map_err(|why| format!("the program is not valid: {why}"))?;
    // SAFETY: the code is made from the interpreter's own program, which is valid and never changes.
    match &program.rules {
        Some(_) => unsafe { interpreter.use_native_rules(rules::rules(program, goes_on)?) },
        None => unsafe { interpreter.use_native_moves(processes::processes(program, goes_on)?) },
    }
    Ok(())
}
