//! The function of a kind of process: one block per location, in which its transitions are tried in order.

use super::context::{ProcessContext, StatePointers};
use super::supported::has_code;
use crate::code::{Address, Code, CompileError};
use crate::engine::{Engine, POINTER};
use crate::expr::CompileContext;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{FuncRef, InstBuilder, Signature, Value, types};
use cranelift_frontend::Variable as Register;
use cranelift_module::{FuncId, Module};
use std::mem::offset_of;
use std::ops::Range;
use tightrope_core::Repr;
use tightrope_ir::process::move_call::MoveCall;
use tightrope_ir::{Action, Expr, Process, Program, Transition};

/// What the code calls back.
#[derive(Clone, Copy)]
pub(super) struct Callbacks {
    pub hand_over: FuncRef,
    pub slow: FuncRef,
}

/// Defines the function of a kind of process that calls others, each for its locations.
pub(super) fn define_switch(
    engine: &mut Engine<'_>,
    id: FuncId,
    signature: &Signature,
    process: &Process,
    functions: &[(FuncId, Range<usize>)],
) -> Result<(), CompileError> {
    engine.define(id, signature, 0, |code, module| {
        let entry = code.builder.current_block().expect("a function has begun");
        let call = code.builder.block_params(entry)[0];
        let own = code.load_pointer(Address { base: call, offset: offset_of!(MoveCall, own) as i32, constant: true });
        let location = load_location(code, process, own);
        let done = code.block();
        let cases = functions.iter().map(|(function, locations)| (locations.clone(), *function));
        for (block, function) in code.switch(location, cases, done) {
            code.begin(block);
            let function = module.declare_func_in_func(function, code.builder.func);
            let call = code.builder.ins().call(function, &[call]);
            let moved = code.builder.inst_results(call)[0];
            code.builder.ins().return_(&[moved]);
        }
        code.begin(done);
        let zero = code.number(0);
        code.builder.ins().return_(&[zero]);
        Ok(())
    })
}

/// Where a process is.
fn load_location(code: &mut Code<'_>, process: &Process, own: Value) -> Value {
    let repr = if process.wide_pc { Repr::U16 } else { Repr::U8 };
    code.load(repr, Address { base: own, offset: 0, constant: true })
}

/// Defines the function of a kind of process at some of its locations.
pub(super) fn define(
    engine: &mut Engine<'_>,
    id: FuncId,
    signature: &Signature,
    program: &Program,
    process: &Process,
    locations: Range<usize>,
) -> Result<(), CompileError> {
    let mut import = |name: &str, params: &[_], returns: &[_]| {
        let signature = engine.signature(params, returns);
        engine.import(name, &signature)
    };
    let hand_over = import("hand_over", &[POINTER, types::I32], &[])?;
    let slow = import("slow", &[POINTER, types::I32, types::I32], &[types::I32])?;
    engine.define(id, signature, 0, |code, module| {
        let mut refer = |id| module.declare_func_in_func(id, code.builder.func);
        let callbacks = Callbacks { hand_over: refer(hand_over), slow: refer(slow) };
        let bailout = code.bailout;
        MoveCompiler::new(code, program, process, callbacks).build(code, locations)?;
        code.bailout = bailout;
        Ok(())
    })
}

/// Compiles the function of a kind of process.
pub(super) struct MoveCompiler<'p> {
    pub program: &'p Program,
    pub process: &'p Process,
    pub callbacks: Callbacks,
    pub call: Value,
    pub at: StatePointers,
    /// The place of the body in the state.
    pub own_at: Value,
    /// Whether a transition happened.
    pub moved: Register,
}

impl<'p> MoveCompiler<'p> {
    pub(super) fn new(
        code: &mut Code<'_>,
        program: &'p Program,
        process: &'p Process,
        callbacks: Callbacks,
    ) -> MoveCompiler<'p> {
        let entry = code.builder.current_block().expect("a function has begun");
        let call = code.builder.block_params(entry)[0];
        let mut field =
            |offset: usize| code.load_pointer(Address { base: call, offset: offset as i32, constant: true });
        let state = field(offset_of!(MoveCall, state));
        let own = field(offset_of!(MoveCall, own));
        let own_at = field(offset_of!(MoveCall, own_at));
        let moved = code.builder.declare_var(types::I32);
        let zero = code.number(0);
        code.builder.def_var(moved, zero);
        MoveCompiler { program, process, callbacks, call, at: StatePointers { state, own }, own_at, moved }
    }

    pub(super) fn context(&self, at: StatePointers) -> ProcessContext<'p> {
        ProcessContext { program: self.program, process: self.process, call: self.call, at }
    }

    pub(super) fn build(&mut self, code: &mut Code<'_>, locations: Range<usize>) -> Result<(), CompileError> {
        let location = load_location(code, self.process, self.at.own);
        let done = code.block();
        let here = self.process.locations.iter().enumerate().take(locations.end).skip(locations.start);
        let cases =
            here.filter(|(_, location)| location.count > 0).map(|(number, location)| (number..number + 1, location));
        for (block, location) in code.switch(location, cases, done) {
            code.begin(block);
            for index in location.first..location.first + location.count {
                self.transition(code, index, &self.process.transitions[index as usize])?;
            }
            code.builder.ins().jump(done, &[]);
        }
        code.begin(done);
        let moved = code.builder.use_var(self.moved);
        code.builder.ins().return_(&[moved]);
        Ok(())
    }

    /// Compiles one transition; control continues behind it.
    pub(super) fn transition(
        &self,
        code: &mut Code<'_>,
        index: u32,
        transition: &Transition,
    ) -> Result<(), CompileError> {
        let (on, slow) = (code.block(), code.block());
        code.builder.set_cold_block(slow);
        if has_code(self.program, self.process, &transition.action) {
            let enabled = code.block();
            code.bailout = slow;
            self.guard(code, self.at, &transition.action, enabled, on)?;
            code.begin(enabled);
            self.fire(code, index, transition, on, slow)?;
        } else if transition.action == Action::End {
            // Only the youngest process can end.
            let mut context = self.context(self.at);
            let pid = context.special(code, &Expr::OwnPid)?;
            let count = context.special(code, &Expr::ProcessCount)?;
            let one = code.number(1);
            let next = code.builder.ins().iadd(pid, one);
            let youngest = code.builder.ins().icmp(IntCC::Equal, next, count);
            code.builder.ins().brif(youngest, slow, &[], on, &[]);
        } else {
            code.builder.ins().jump(slow, &[]);
        }
        code.begin(slow);
        let number = code.number(index as i32);
        let moved = code.builder.use_var(self.moved);
        let call = code.builder.ins().call(self.callbacks.slow, &[self.call, number, moved]);
        let happened = code.builder.inst_results(call)[0];
        let moved = code.builder.ins().bor(moved, happened);
        code.builder.def_var(self.moved, moved);
        code.builder.ins().jump(on, &[]);
        code.begin(on);
        Ok(())
    }
}
