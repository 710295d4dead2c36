//! Machine code for the moves of processes.
//!
//! One function per kind of process (`function.rs`). It jumps to the location the process is at, and tries its transitions
//! in order: the guard on the state (`guard.rs`), then, on a copy, the effect (`effect.rs`), then the entry of the successor
//! (`successor.rs`). What is not compiled (`supported.rs`), and all errors, are left to the interpreter, a transition at a
//! time.

mod channels;
mod context;
mod effect;
mod function;
mod guard;
mod successor;
mod supported;

use crate::GoesOn;
use crate::code::CompileError;
use crate::engine::{Effort, Engine, POINTER};
use cranelift_codegen::ir::types;
use cranelift_module::FuncId;
use std::ops::Range;
use std::sync::Arc;
use supported::is_compiled;
use tightrope_ir::process::move_call::{self, MoveFunction, NativeMoves, NativeProcess};
use tightrope_ir::{Action, Process, Program};

/// The most statements of a program that is compiled.
const MAX_ACTIONS: usize = 20_000;

/// How many statements there are in an action.
fn actions(action: &Action) -> usize {
    match action {
        Action::Indivisible(code) => {
            code.nodes.iter().flat_map(|node| &node.actions).map(|(action, _)| actions(action)).sum()
        }
        _ => 1,
    }
}

/// Machine code for the processes of a program. The error says why there is none.
pub(crate) fn compile(program: &Program, goes_on: GoesOn<'_>) -> Result<Arc<NativeMoves>, CompileError> {
    if program.processes.is_empty() {
        return Err("there are no processes".into());
    }
    let transitions = program.processes.iter().flat_map(|process| &process.transitions);
    let count: usize = transitions.map(|transition| actions(&transition.action)).sum();
    if count > MAX_ACTIONS {
        return Err(format!("it is too large to be compiled ({count} statements; at most {MAX_ACTIONS} are)"));
    }
    let helpers = [("hand_over", move_call::hand_over as *const u8), ("slow", move_call::slow as *const u8)];
    let mut engine = Engine::new(&helpers, Effort::Full, goes_on)?;
    let signature = engine.signature(&[POINTER], &[types::I32]);
    let mut ids = Vec::new();
    for (kind, process) in program.processes.iter().enumerate() {
        if !is_compiled(program, process) {
            ids.push(None);
            continue;
        }
        let mut define = |part: Option<usize>, locations: Range<usize>| {
            let name = format!("moves{kind}{}", part.map_or(String::new(), |part| format!("_{part}")));
            let id = engine.declare(&name, &signature)?;
            function::define(&mut engine, id, &signature, program, process, locations)?;
            Ok::<FuncId, CompileError>(id)
        };
        let parts = parts(process);
        if parts.len() < 2 {
            ids.push(Some(define(None, 0..process.locations.len())?));
            continue;
        }
        let mut functions = Vec::new();
        for (part, locations) in parts.into_iter().enumerate() {
            functions.push((define(Some(part), locations.clone())?, locations));
        }
        let id = engine.declare(&format!("moves{kind}"), &signature)?;
        function::define_switch(&mut engine, id, &signature, process, &functions)?;
        ids.push(Some(id));
    }
    let machine = engine.finish()?;
    let native = |(id, process): (Option<FuncId>, &Process)| {
        let address = machine.address(id?);
        // SAFETY: the function was just made with this signature.
        let code = unsafe { std::mem::transmute::<*const u8, MoveFunction>(address) };
        let most = process.locations.iter().map(|location| location.count as usize).max().unwrap_or(0);
        Some(NativeProcess { code, most })
    };
    let kinds = ids.into_iter().zip(&program.processes).map(native).collect();
    Ok(Arc::new(NativeMoves { kinds, memory: Box::new(machine) }))
}

/// A function has so many statements at most, unless they are at one location: making code takes longer than in proportion to
/// the size of a function.
const MAX_IN_FUNCTION: usize = 300;

/// The locations of a process, in parts for a function each.
fn parts(process: &Process) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut first, mut count) = (0, 0);
    for (number, location) in process.locations.iter().enumerate() {
        let here = process.transitions[location.transitions()].iter();
        let here: usize = here.map(|transition| actions(&transition.action)).sum();
        if count + here > MAX_IN_FUNCTION && number > first {
            parts.push(first..number);
            (first, count) = (number, 0);
        }
        count += here;
    }
    parts.push(first..process.locations.len());
    parts
}
