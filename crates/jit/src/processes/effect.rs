//! What an action changes, on a copy of the state.

use super::context::{ProcessContext, StatePointers};
use super::function::MoveCompiler;
use crate::code::{Address, Code, CompileError};
use crate::expr;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, types};
use cranelift_frontend::Variable as Register;
use tightrope_core::Repr;
use tightrope_ir::{Action, IndivisibleCode, Pattern, Receive, Send};

/// After so many actions an indivisible sequence is left to the interpreter, which says when it is endless.
const MAX_ACTIONS: i32 = 1_000_000;

impl MoveCompiler<'_> {
    /// What an action changes.
    pub(super) fn effect(&self, code: &mut Code<'_>, at: StatePointers, action: &Action) -> Result<(), CompileError> {
        let mut context = self.context(at);
        match action {
            Action::Assign(variable, value) => {
                let known = expr::range(&context, value);
                let value = expr::value(code, &mut context, value)?;
                expr::store(code, &mut context, variable, value, known)?;
            }
            Action::Assert(test) => {
                let holds = expr::truth(code, &mut context, test)?;
                code.bail_unless(holds);
            }
            Action::Send(send) => context.send(code, send)?,
            Action::Receive(receive) => context.receive(code, receive)?,
            Action::Print(print) => {
                // The text is not made, but an argument may be an error.
                for arg in &print.args {
                    expr::value(code, &mut context, arg)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Runs an indivisible sequence to its end. If its first node blocks, control goes to `refused`.
    pub(super) fn indivisible(
        &self,
        code: &mut Code<'_>,
        at: StatePointers,
        sequence: &IndivisibleCode,
        refused: Block,
    ) -> Result<(), CompileError> {
        let done = code.block();
        let actions = code.builder.declare_var(types::I32);
        let zero = code.number(0);
        code.builder.def_var(actions, zero);
        let nodes: Vec<Block> = sequence.nodes.iter().map(|_| code.block()).collect();
        let Some(&first) = nodes.first() else { return Err("an indivisible sequence of nothing".into()) };
        code.builder.ins().jump(first, &[]);
        let go = |next: &Option<u32>| next.map_or(done, |next| nodes[next as usize]);
        for (node, &block) in sequence.nodes.iter().zip(&nodes) {
            // Later nodes may jump here, so it is sealed at the end.
            code.builder.switch_to_block(block);
            for (action, next) in node.actions.iter().filter(|(action, _)| *action != Action::Else) {
                let (possible, otherwise) = (code.block(), code.block());
                self.guard(code, at, action, possible, otherwise)?;
                code.begin(possible);
                self.effect(code, at, action)?;
                count_action(code, actions);
                code.builder.ins().jump(go(next), &[]);
                code.begin(otherwise);
            }
            if let Some((_, next)) = node.actions.iter().find(|(action, _)| *action == Action::Else) {
                count_action(code, actions);
                code.builder.ins().jump(go(next), &[]);
            } else {
                // It blocks. At the first node this means that it is not enabled.
                let before = code.builder.use_var(actions);
                code.builder.ins().brif(before, code.bailout, &[], refused, &[]);
            }
        }
        for block in nodes {
            code.builder.seal_block(block);
        }
        code.begin(done);
        Ok(())
    }
}

impl ProcessContext<'_> {
    /// Puts a message at the end of a channel with room.
    pub(super) fn send(&mut self, code: &mut Code<'_>, send: &Send) -> Result<(), CompileError> {
        let channel = self.type_of(&send.chan, send.args.len())?;
        let body = self.body(code, &send.chan, send.args.len())?;
        let mut values = Vec::new();
        for (arg, ty) in send.args.iter().zip(&channel.fields) {
            let value = expr::value(code, self, arg)?;
            values.push(expr::kept(code, self, *ty, value, None)?);
        }
        let length = code.load(Repr::U8, body);
        let slots = code.number(channel.slot_size() as i32);
        let moved = code.builder.ins().imul(length, slots);
        let moved = code.builder.ins().uextend(types::I64, moved);
        let base = code.builder.ins().iadd(body.base, moved);
        let mut offset = body.offset + 1;
        for (ty, value) in channel.fields.iter().zip(values) {
            code.store(ty.repr, value, Address { base, offset, constant: false });
            offset += ty.size() as i32;
        }
        let one = code.number(1);
        let more = code.builder.ins().iadd(length, one);
        code.store(Repr::U8, more, body);
        Ok(())
    }

    /// Takes the oldest message.
    pub(super) fn receive(&mut self, code: &mut Code<'_>, receive: &Receive) -> Result<(), CompileError> {
        let channel = self.type_of(&receive.chan, receive.patterns.len())?;
        if channel.capacity == 0 {
            // Control never comes here.
            return Ok(());
        }
        let body = self.body(code, &receive.chan, receive.patterns.len())?;
        let mut offset = body.offset + 1;
        let mut fields = Vec::new();
        for (pattern, ty) in receive.patterns.iter().zip(&channel.fields) {
            if let Pattern::Bind(variable) = pattern {
                fields.push((variable, code.load(ty.repr, Address { offset, ..body })));
            }
            offset += ty.size() as i32;
        }
        for (variable, value) in fields {
            expr::store(code, self, variable, value, None)?;
        }
        if receive.keep {
            return Ok(());
        }
        // What is behind the last message is zero, so everything can be moved.
        let (slot, capacity) = (channel.slot_size(), u32::from(channel.capacity));
        let first = Address { offset: body.offset + 1, ..body };
        let second = Address { offset: first.offset + slot as i32, ..body };
        code.copy(first, second, (capacity - 1) * slot);
        let last = Address { offset: first.offset + ((capacity - 1) * slot) as i32, ..body };
        code.fill(last, &vec![0; slot as usize]);
        let length = code.load(Repr::U8, body);
        let one = code.number(1);
        let fewer = code.builder.ins().isub(length, one);
        code.store(Repr::U8, fewer, body);
        Ok(())
    }
}

/// Counts an action of an indivisible sequence, and leaves where there are too many.
fn count_action(code: &mut Code<'_>, actions: Register) {
    let more = code.increment(actions);
    let limit = code.number(MAX_ACTIONS);
    let endless = code.builder.ins().icmp(IntCC::SignedGreaterThan, more, limit);
    code.bail_if(endless);
}
