//! Machine code for programs, made by Cranelift when a model is loaded.
//!
//! [`compile`] gives a model that executes a program by machine code; [`compile_for`] makes machine code for a model
//! that may be in use meanwhile. The interpreter in `ir` remains the reference: machine code leaves to it what is not
//! compiled, and bails out to it on every error.

mod call_graph;
mod code;
mod engine;
mod expr;
mod processes;
mod rules;

use std::sync::Arc;
use tightrope_ir::{Program, ProgramModel, validate};

/// Whether compilation should continue, where the next piece of work takes at most so many bytes of memory. Called
/// before every function, and again when its size is known. The error says why not.
pub type GoesOn<'g> = &'g dyn Fn(u64) -> Result<(), String>;

/// The program as a model that is executed by machine code. The error says why there is none.
pub fn compile(program: &Arc<Program>) -> Result<ProgramModel, String> {
    let model = ProgramModel::new(program.clone());
    compile_for(&model, &|_| Ok(()))?;
    Ok(model)
}

/// Makes machine code for a model, which is executed by it from then on; as long as it should go on.
pub fn compile_for(model: &ProgramModel, goes_on: GoesOn<'_>) -> Result<(), String> {
    let program = model.program();
    // Machine code relies on this.
    validate(program).map_err(|why| format!("the program is not valid: {why}"))?;
    // SAFETY: the code is made from the model's own program, which is valid and never changes.
    match model {
        ProgramModel::Rules(model) => unsafe { model.use_native_rules(rules::compile(program, goes_on)?) },
        ProgramModel::Processes(model) => unsafe { model.use_native_moves(processes::compile(program, goes_on)?) },
    }
    Ok(())
}
