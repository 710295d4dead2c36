//! When an action is enabled.

use super::context::{ProcessContext, StatePointers};
use super::function::MoveCompiler;
use crate::code::{Address, Code, CompileError};
use crate::expr;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder};
use tightrope_core::Repr;
use tightrope_ir::{Action, Pattern, Receive, Send};

impl MoveCompiler<'_> {
    /// Control goes to `yes` if an action is enabled, else to `no`.
    pub(super) fn guard(
        &self,
        code: &mut Code<'_>,
        at: StatePointers,
        action: &Action,
        yes: Block,
        no: Block,
    ) -> Result<(), CompileError> {
        let mut context = self.context(at);
        match action {
            Action::Test(test) => expr::branch(code, &mut context, test, yes, no)?,
            Action::Send(send) => context.has_room(code, send, yes, no)?,
            Action::Receive(receive) => context.has_message(code, receive, yes, no)?,
            Action::Else => {
                let moved = code.builder.use_var(self.moved);
                code.builder.ins().brif(moved, no, &[], yes, &[]);
            }
            // Whether an indivisible sequence is enabled shows when it is executed.
            _ => {
                code.builder.ins().jump(yes, &[]);
            }
        }
        Ok(())
    }
}

impl ProcessContext<'_> {
    /// Whether a send can happen.
    pub(super) fn has_room(
        &mut self,
        code: &mut Code<'_>,
        send: &Send,
        yes: Block,
        no: Block,
    ) -> Result<(), CompileError> {
        let channel = self.type_of(&send.chan, send.args.len())?;
        let body = self.body(code, &send.chan, send.args.len())?;
        let length = code.load(Repr::U8, body);
        let capacity = code.number(i32::from(channel.capacity));
        let room = code.builder.ins().icmp(IntCC::SignedLessThan, length, capacity);
        code.builder.ins().brif(room, yes, &[], no, &[]);
        Ok(())
    }

    /// Whether a receive can happen: the oldest message is there and matches.
    pub(super) fn has_message(
        &mut self,
        code: &mut Code<'_>,
        receive: &Receive,
        yes: Block,
        no: Block,
    ) -> Result<(), CompileError> {
        let channel = self.type_of(&receive.chan, receive.patterns.len())?;
        if channel.capacity == 0 {
            // The interpreter does rendezvous; without one there is no message.
            code.builder.ins().jump(no, &[]);
            return Ok(());
        }
        let body = self.body(code, &receive.chan, receive.patterns.len())?;
        let length = code.load(Repr::U8, body);
        let mut next = code.block();
        code.builder.ins().brif(length, next, &[], no, &[]);
        code.begin(next);
        let mut offset = body.offset + 1;
        for (pattern, ty) in receive.patterns.iter().zip(&channel.fields) {
            if let Pattern::Equal(wanted) = pattern {
                let wanted = expr::value(code, self, wanted)?;
                let field = code.load(ty.repr, Address { offset, ..body });
                let same = code.builder.ins().icmp(IntCC::Equal, field, wanted);
                next = code.block();
                code.builder.ins().brif(same, next, &[], no, &[]);
                code.begin(next);
            }
            offset += ty.size() as i32;
        }
        code.builder.ins().jump(yes, &[]);
        Ok(())
    }
}
