//! Channels: where they lie, of which type they are, how many messages they hold.

use super::context::ProcessContext;
use crate::code::{Address, Code, CompileError};
use crate::expr;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use std::mem::offset_of;
use tightrope_core::Repr;
use tightrope_ir::process::move_call::MoveCall;
use tightrope_ir::{ChanRef, Channel, Expr, Process, Program};

/// The type of a channel, where it is always the same one.
pub(super) fn known_type(program: &Program, process: &Process, chan: &ChanRef) -> Option<usize> {
    match chan {
        ChanRef::Global(position) => Some(program.global_channels.get(*position as usize)?.channel as usize),
        ChanRef::Own(position) => Some(process.channels.get(*position as usize)?.channel as usize),
        ChanRef::Named(_) => None,
    }
}

/// The type of a channel whose messages have so many fields: of one that is found by its name, the first that fits. If
/// the channel has another type at run time, the code bails out.
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

/// Whether moving the messages of a channel takes few instructions.
pub(super) fn is_small(channel: &Channel) -> bool {
    channel.size() <= 512
}

impl<'p> ProcessContext<'p> {
    pub(super) fn type_of(&self, chan: &ChanRef, fields: usize) -> Result<&'p Channel, CompileError> {
        let ty = assumed_type(self.program, self.process, chan, fields).ok_or("a channel of no known type")?;
        Ok(&self.program.channels[ty])
    }

    /// The place of a channel's body.
    pub(super) fn body(&mut self, code: &mut Code<'_>, chan: &ChanRef, fields: usize) -> Result<Address, CompileError> {
        match chan {
            ChanRef::Global(position) => {
                let owned = self.program.global_channels.get(*position as usize).ok_or("no such channel")?;
                Ok(Address { base: self.at.state, offset: owned.offset as i32, constant: false })
            }
            ChanRef::Own(position) => {
                let owned = self.process.channels.get(*position as usize).ok_or("no such channel")?;
                Ok(Address { base: self.at.own, offset: owned.offset as i32, constant: false })
            }
            ChanRef::Named(name) => {
                let ty = assumed_type(self.program, self.process, chan, fields).ok_or("a channel of no known type")?;
                let (body, found) = self.named(code, name)?;
                let wanted = code.number(ty as i32);
                let other = code.builder.ins().icmp(IntCC::NotEqual, found, wanted);
                code.bail_if(other);
                Ok(body)
            }
        }
    }

    /// The place of the body of the channel of that name, and its type.
    pub(super) fn named(&mut self, code: &mut Code<'_>, name: &Expr) -> Result<(Address, Value), CompileError> {
        let name = expr::value(code, self, name)?;
        let one = code.number(1);
        let index = code.builder.ins().isub(name, one);
        let count = self.field(code, offset_of!(MoveCall, channel_count));
        let outside = code.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, index, count);
        code.bail_if(outside);
        let table = Address { base: self.call, offset: offset_of!(MoveCall, channels) as i32, constant: true };
        let table = code.load_pointer(table);
        let index = code.builder.ins().uextend(types::I64, index);
        let three = code.wide(3);
        let moved = code.builder.ins().ishl(index, three);
        let entry = code.builder.ins().iadd(table, moved);
        let at = code.load(Repr::I32, Address { base: entry, offset: 0, constant: true });
        let ty = code.load(Repr::I32, Address { base: entry, offset: 4, constant: true });
        let at = code.builder.ins().uextend(types::I64, at);
        let base = code.builder.ins().iadd(self.at.state, at);
        Ok((Address { base, offset: 0, constant: false }, ty))
    }

    /// The number of messages in a channel, and how many there can be.
    pub(super) fn filling(&mut self, code: &mut Code<'_>, chan: &ChanRef) -> Result<(Value, Value), CompileError> {
        if let ChanRef::Named(name) = chan {
            let (body, ty) = self.named(code, name)?;
            let capacities: Vec<u8> = self.program.channels.iter().map(|channel| channel.capacity).collect();
            let table = code.bytes(capacities);
            let ty = code.builder.ins().uextend(types::I64, ty);
            let entry = code.builder.ins().iadd(table, ty);
            let capacity = code.load(Repr::U8, Address { base: entry, offset: 0, constant: true });
            // One without slots has no body to look at.
            code.bail_unless(capacity);
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
    pub(super) fn length(&mut self, code: &mut Code<'_>, chan: &ChanRef) -> Result<Value, CompileError> {
        Ok(self.filling(code, chan)?.0)
    }

    /// Whether a channel has no room, as 0 or 1.
    pub(super) fn is_full(&mut self, code: &mut Code<'_>, chan: &ChanRef) -> Result<Value, CompileError> {
        let (length, capacity) = self.filling(code, chan)?;
        let full = code.builder.ins().icmp(IntCC::SignedGreaterThanOrEqual, length, capacity);
        Ok(code.builder.ins().uextend(types::I32, full))
    }
}
