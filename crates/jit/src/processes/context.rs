//! What expressions of a process refer to.

use crate::code::{Address, Code, CompileError};
use crate::expr::CompileContext;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use std::mem::offset_of;
use tightrope_core::Repr;
use tightrope_ir::process::move_call::MoveCall;
use tightrope_ir::{Base, Expr, Process, Program, Variable};

/// A state, and the body of the process in it.
#[derive(Clone, Copy)]
pub(super) struct StatePointers {
    pub state: Value,
    pub own: Value,
}

/// A process in a state, as the context of its expressions.
pub(super) struct ProcessContext<'p> {
    pub program: &'p Program,
    pub process: &'p Process,
    pub call: Value,
    pub at: StatePointers,
}

impl ProcessContext<'_> {
    /// A field of the call record, 32 bits.
    pub fn field(&self, code: &mut Code<'_>, offset: usize) -> Value {
        code.load(Repr::I32, Address { base: self.call, offset: offset as i32, constant: true })
    }
}

impl CompileContext for ProcessContext<'_> {
    fn base(&mut self, _code: &mut Code<'_>, variable: &Variable) -> Result<Address, CompileError> {
        let base = match variable.base {
            Base::Global => self.at.state,
            Base::Own => self.at.own,
            _ => return Err("a variable of another process".into()),
        };
        Ok(Address { base, offset: 0, constant: false })
    }

    fn special(&mut self, code: &mut Code<'_>, expr: &Expr) -> Result<Value, CompileError> {
        match expr {
            Expr::OwnPid => Ok(self.field(code, offset_of!(MoveCall, pid))),
            Expr::ProcessCount => Ok(self.field(code, offset_of!(MoveCall, count))),
            Expr::Timeout => Ok(self.field(code, offset_of!(MoveCall, timeout))),
            Expr::OwnChannel(position) => {
                let first = self.field(code, offset_of!(MoveCall, first_channel));
                let more = code.number(*position as i32 + 1);
                Ok(code.builder.ins().iadd(first, more))
            }
            Expr::Length(chan) => self.length(code, chan),
            Expr::Full(chan) => self.is_full(code, chan),
            other => Err(format!("{other:?} is left to the interpreter")),
        }
    }

    fn decide(&mut self, code: &mut Code<'_>, expr: &Expr, yes: Block, no: Block) -> Result<(), CompileError> {
        let value = self.special(code, expr)?;
        code.builder.ins().brif(value, yes, &[], no, &[]);
        Ok(())
    }
}
