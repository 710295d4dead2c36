//! The successor of a transition: a copy of the state that the effect changes, and its entry.

use super::context::StatePointers;
use super::function::MoveCompiler;
use crate::code::{Address, Code, CompileError};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use std::mem::offset_of;
use tightrope_core::{Repr, Successor};
use tightrope_ir::process::move_call::{MoveCall, MoveMode};
use tightrope_ir::{Action, Transition};

impl MoveCompiler<'_> {
    /// The address of a field of the call record.
    pub(super) fn field(&self, offset: usize) -> Address {
        Address { base: self.call, offset: offset as i32, constant: false }
    }

    /// Executes a transition on a copy of the state.
    pub(super) fn fire(
        &self,
        code: &mut Code<'_>,
        index: u32,
        transition: &Transition,
        on: Block,
        slow: Block,
    ) -> Result<(), CompileError> {
        let state = code.load_pointer(self.field(offset_of!(MoveCall, next)));
        let len = code.load_pointer(self.field(offset_of!(MoveCall, len)));
        code.copy_pieces(state, self.at.state, len);
        let own = code.builder.ins().iadd(state, self.own_at);
        let at = StatePointers { state, own };
        code.bailout = slow;
        match &transition.action {
            Action::Indivisible(sequence) => self.indivisible(code, at, sequence, on)?,
            action => self.effect(code, at, action)?,
        }
        let target = code.number(transition.target as i32);
        let repr = if self.process.wide_pc { Repr::U16 } else { Repr::U8 };
        code.store(repr, target, Address { base: own, offset: 0, constant: false });
        let pid = Address { base: self.call, offset: offset_of!(MoveCall, pid) as i32, constant: true };
        let pid = code.load(Repr::I32, pid);
        if let Some(offset) = self.program.last_mover {
            code.store(Repr::U8, pid, Address { base: state, offset: offset as i32, constant: false });
        }
        let (part, whole) = (code.block(), code.block());
        let mode = Address { base: self.call, offset: offset_of!(MoveCall, mode) as i32, constant: true };
        let mode = code.load(Repr::I32, mode);
        if transition.keeps_control {
            let links = code.number(MoveMode::Links as i32);
            let links = code.builder.ins().icmp(IntCC::Equal, mode, links);
            code.builder.ins().brif(links, whole, &[], part, &[]);
            code.begin(whole);
            self.go_on_from(code, index, state, len);
        } else {
            let continues = code.number(MoveMode::Continues as i32);
            let continues = code.builder.ins().icmp(IntCC::Equal, mode, continues);
            code.builder.ins().brif(continues, part, &[], whole, &[]);
            code.begin(whole);
            self.enter(code, index, pid, mode, state, len);
        }
        self.moved(code, on);
        code.builder.set_cold_block(part);
        code.begin(part);
        let number = code.number(index as i32);
        code.builder.ins().call(self.callbacks.hand_over, &[self.call, number]);
        self.moved(code, on);
        Ok(())
    }

    /// Adds an intermediate state of the step.
    pub(super) fn go_on_from(&self, code: &mut Code<'_>, index: u32, state: Value, len: Value) {
        let bytes = code.load_pointer(self.field(offset_of!(MoveCall, bytes)));
        let pending = code.load_pointer(self.field(offset_of!(MoveCall, pending)));
        let start = code.builder.ins().isub(state, bytes);
        let start = code.builder.ins().ireduce(types::I32, start);
        code.store(Repr::I32, start, Address { base: pending, offset: 0, constant: false });
        let size = code.wide(size_of::<u32>() as i64);
        let pending = code.builder.ins().iadd(pending, size);
        code.store_pointer(pending, self.field(offset_of!(MoveCall, pending)));
        self.move_on(code, index, state, len);
    }

    /// Moves to where the next successor goes, and notes that the transition was executed.
    pub(super) fn move_on(&self, code: &mut Code<'_>, index: u32, state: Value, len: Value) {
        let next = code.builder.ins().iadd(state, len);
        code.store_pointer(next, self.field(offset_of!(MoveCall, next)));
        let exercised = code.load_pointer(self.field(offset_of!(MoveCall, exercised)));
        let one = code.number(1);
        code.store(Repr::U8, one, Address { base: exercised, offset: index as i32, constant: false });
    }

    /// Continues behind a transition that was executed.
    pub(super) fn moved(&self, code: &mut Code<'_>, on: Block) {
        let one = code.number(1);
        code.builder.def_var(self.moved, one);
        code.builder.ins().jump(on, &[]);
    }

    /// Adds the entry of a successor: the transition is a whole step, or ends one.
    pub(super) fn enter(&self, code: &mut Code<'_>, index: u32, pid: Value, mode: Value, state: Value, len: Value) {
        for &(from, to) in &self.program.hidden {
            let hidden = Address { base: state, offset: from as i32, constant: false };
            code.fill(hidden, &self.program.fixed[from as usize..to as usize]);
        }
        let bytes = code.load_pointer(self.field(offset_of!(MoveCall, bytes)));
        let item = code.load_pointer(self.field(offset_of!(MoveCall, item)));
        let start = code.builder.ins().isub(state, bytes);
        let end = code.builder.ins().iadd(start, len);
        // The name of the step, as in `ir/process/step.rs`.
        let by = code.wide(i64::from(index) << 8);
        let pid = code.builder.ins().uextend(types::I64, pid);
        let own = code.builder.ins().bor(pid, by);
        let begun = code.load_pointer(self.field(offset_of!(MoveCall, action)));
        let action = code.builder.ins().select(mode, begun, own);
        let choice = code.load(Repr::I32, self.field(offset_of!(MoveCall, choice)));
        let field = |offset: usize| Address { base: item, offset: offset as i32, constant: false };
        code.store_pointer(action, field(offset_of!(Successor, action)));
        code.store(Repr::I32, choice, field(offset_of!(Successor, choice)));
        for (value, offset) in [(start, offset_of!(Successor, start)), (end, offset_of!(Successor, end))] {
            let value = code.builder.ins().ireduce(types::I32, value);
            code.store(Repr::I32, value, field(offset));
        }
        let none = code.number(Successor::NONE as i32);
        code.store(Repr::I32, none, field(offset_of!(Successor, fault)));
        let size = code.wide(size_of::<Successor>() as i64);
        let item = code.builder.ins().iadd(item, size);
        code.store_pointer(item, self.field(offset_of!(MoveCall, item)));
        // Outcomes are counted only inside a step.
        let zero = code.number(0);
        let linked = code.builder.ins().icmp(IntCC::NotEqual, mode, zero);
        let linked = code.builder.ins().uextend(types::I32, linked);
        let choice = code.builder.ins().iadd(choice, linked);
        code.store(Repr::I32, choice, self.field(offset_of!(MoveCall, choice)));
        self.move_on(code, index, state, len);
    }
}
