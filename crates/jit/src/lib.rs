//! Machine code for programs, made by Cranelift when a model is loaded.

mod code;
mod engine;
mod expr;
mod processes;

pub use processes::processes;
