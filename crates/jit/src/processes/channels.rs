//! Channels: where they are, what is in them, and how that changes.

use super::Eyes;
use crate::code::{Address, Code, Failed};
use crate::expr;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use std::mem::offset_of;
use tightrope_core::Repr;
use tightrope_ir::desk::Desk;
use tightrope_ir::{ChanRef, Channel, Expr, Pattern, Process, Program, Receive, Send};

/// The type of a channel, where it is always the same one.
pub(super) fn known_type(program: &Program, process: &Process, chan: &ChanRef) -> Option<usize> {
    match chan {
        ChanRef::Global(position) => Some(program.global_channels.get(*position as usize)?.channel as usize),
        ChanRef::Own(position) => Some(process.channels.get(*position as usize)?.channel as usize),
        ChanRef::Named(_) => None,
    }
}

/// The type of a channel whose messages have so many fields: of one that is found by its name, the first that could be
/// meant. If it is another one when it comes to it, that is trouble.
pub(super) fn assumed_type(program: &Program, process: &Process, chan: &ChanRef, fields: usize) -> Option<usize> {
    let fits = |ty: &usize| program.channels[*ty].fields.len() == fields;
    match known_type(program, process, chan) {
        Some(known) => Some(known).filter(fits),
        None if matches!(chan, ChanRef::Named(_)) => {
            (0..program.channels.len()).find(|ty| fits(ty) && program.channels[*ty].capacity > 0)
        }
        None => None,
    }
}

/// Whether moving the messages of a channel is a matter of few instructions.
pub(super) fn is_small(channel: &Channel) -> bool {
    channel.size() <= 512
}

impl<'p> Eyes<'p> {
    fn type_of(&self, chan: &ChanRef, fields: usize) -> Result<&'p Channel, Failed> {
        let ty = assumed_type(self.program, self.process, chan, fields).ok_or("a channel of no known type")?;
        Ok(&self.program.channels[ty])
    }

    /// The place of a channel's body.
    fn body(&mut self, code: &mut Code<'_>, chan: &ChanRef, fields: usize) -> Result<Address, Failed> {
        match chan {
            ChanRef::Global(position) => {
                let owned = self.program.global_channels.get(*position as usize).ok_or("no such channel")?;
                Ok(Address { base: self.ground.state, offset: owned.offset as i32, constant: false })
            }
            ChanRef::Own(position) => {
                let owned = self.process.channels.get(*position as usize).ok_or("no such channel")?;
                Ok(Address { base: self.ground.own, offset: owned.offset as i32, constant: false })
            }
            ChanRef::Named(name) => {
                let ty = assumed_type(self.program, self.process, chan, fields).ok_or("a channel of no known type")?;
                let (body, found) = self.named(code, name)?;
                let wanted = code.number(ty as i32);
                let other = code.builder.ins().icmp(IntCC::NotEqual, found, wanted);
                code.trouble_if(other);
                Ok(body)
            }
        }
    }

    /// The place of the body of the channel of that name, and its type.
    fn named(&mut self, code: &mut Code<'_>, name: &Expr) -> Result<(Address, Value), Failed> {
        let name = expr::value(code, self, name)?;
        let one = code.number(1);
        let index = code.builder.ins().isub(name, one);
        let count = self.desk(code, offset_of!(Desk, channel_count));
        let outside = code.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, index, count);
        code.trouble_if(outside);
        let table = Address { base: self.desk, offset: offset_of!(Desk, channels) as i32, constant: true };
        let table = code.load_pointer(table);
        let index = code.builder.ins().uextend(types::I64, index);
        let three = code.wide(3);
        let moved = code.builder.ins().ishl(index, three);
        let entry = code.builder.ins().iadd(table, moved);
        let at = code.load(Repr::I32, Address { base: entry, offset: 0, constant: true });
        let ty = code.load(Repr::I32, Address { base: entry, offset: 4, constant: true });
        let at = code.builder.ins().uextend(types::I64, at);
        let base = code.builder.ins().iadd(self.ground.state, at);
        Ok((Address { base, offset: 0, constant: false }, ty))
    }

    /// The number of messages in a channel, and how many there can be.
    fn filling(&mut self, code: &mut Code<'_>, chan: &ChanRef) -> Result<(Value, Value), Failed> {
        if let ChanRef::Named(name) = chan {
            let (body, ty) = self.named(code, name)?;
            let capacities: Vec<u8> = self.program.channels.iter().map(|channel| channel.capacity).collect();
            let table = code.bytes(capacities);
            let ty = code.builder.ins().uextend(types::I64, ty);
            let entry = code.builder.ins().iadd(table, ty);
            let capacity = code.load(Repr::U8, Address { base: entry, offset: 0, constant: true });
            // One without slots has no body to look at.
            code.trouble_unless(capacity);
            return Ok((code.load(Repr::U8, body), capacity));
        }
        let ty = known_type(self.program, self.process, chan).ok_or("a channel of no known type")?;
        let channel = &self.program.channels[ty];
        let capacity = code.number(i32::from(channel.capacity.max(1)));
        if channel.capacity == 0 {
            return Ok((code.number(0), capacity));
        }
        let body = self.body(code, chan, channel.fields.len())?;
        Ok((code.load(Repr::U8, body), capacity))
    }

    /// The number of messages in a channel.
    pub(super) fn length(&mut self, code: &mut Code<'_>, chan: &ChanRef) -> Result<Value, Failed> {
        Ok(self.filling(code, chan)?.0)
    }

    /// Whether a channel has no room, as 0 or 1.
    pub(super) fn is_full(&mut self, code: &mut Code<'_>, chan: &ChanRef) -> Result<Value, Failed> {
        let (length, capacity) = self.filling(code, chan)?;
        let full = code.builder.ins().icmp(IntCC::SignedGreaterThanOrEqual, length, capacity);
        Ok(code.builder.ins().uextend(types::I32, full))
    }

    /// Whether a send can happen.
    pub(super) fn has_room(&mut self, code: &mut Code<'_>, send: &Send, yes: Block, no: Block) -> Result<(), Failed> {
        let channel = self.type_of(&send.chan, send.args.len())?;
        let body = self.body(code, &send.chan, send.args.len())?;
        let length = code.load(Repr::U8, body);
        let capacity = code.number(i32::from(channel.capacity));
        let room = code.builder.ins().icmp(IntCC::SignedLessThan, length, capacity);
        code.builder.ins().brif(room, yes, &[], no, &[]);
        Ok(())
    }

    /// Puts a message at the end of a channel with room.
    pub(super) fn send(&mut self, code: &mut Code<'_>, send: &Send) -> Result<(), Failed> {
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

    /// Whether a receive can happen: the oldest message is there and matches.
    pub(super) fn has_message(
        &mut self,
        code: &mut Code<'_>,
        receive: &Receive,
        yes: Block,
        no: Block,
    ) -> Result<(), Failed> {
        let channel = self.type_of(&receive.chan, receive.patterns.len())?;
        if channel.capacity == 0 {
            // Without a handshake there is nothing to take.
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

    /// Takes the oldest message.
    pub(super) fn receive(&mut self, code: &mut Code<'_>, receive: &Receive) -> Result<(), Failed> {
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
