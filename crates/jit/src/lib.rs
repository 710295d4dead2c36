//! Machine code for programs, made by Cranelift when a model is loaded.

mod calls;
mod code;
mod engine;
mod expr;
mod facts;
mod masks;
mod native;
mod parts;
mod processes;
mod rules;
mod run;
mod scope;
mod stmts;

pub use processes::processes;
pub use rules::rules;
