//! A function under construction.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Value, types};
use cranelift_frontend::{FunctionBuilder, Switch, Variable};
use std::ops::Range;
use tightrope_core::Repr;
use tightrope_ir::process::move_call::PIECE;

/// Why something is not compiled, in words.
pub type CompileError = String;

/// Bytes that machine code refers to by their addresses. They live as long as the code.
#[derive(Default)]
pub struct Constants(Vec<Box<[u8]>>);

impl Constants {
    /// Keeps bytes; their address.
    pub fn keep(&mut self, bytes: impl Into<Box<[u8]>>) -> *const u8 {
        let bytes = bytes.into();
        let address = bytes.as_ptr();
        self.0.push(bytes);
        address
    }
}

/// An address.
#[derive(Clone, Copy)]
pub struct Address {
    /// A pointer.
    pub base: Value,
    /// What is added to it.
    pub offset: i32,
    /// What is there does not change while the function runs.
    pub constant: bool,
}

impl Address {
    fn flags(self) -> MemFlagsData {
        // Addresses are checked before they are used, and nothing is aligned.
        let flags = MemFlagsData::new().with_notrap();
        if self.constant { flags.with_readonly() } else { flags }
    }
}

/// A function under construction, and where control goes when it leaves the rest to the interpreter.
pub struct Code<'f> {
    /// Builds it.
    pub builder: FunctionBuilder<'f>,
    /// Where control goes on an error. The block takes no arguments.
    pub bailout: Block,
    /// The bytes it refers to.
    pub constants: &'f mut Constants,
}

impl Code<'_> {
    /// A number of 32 bits.
    pub fn number(&mut self, number: i32) -> Value {
        self.builder.ins().iconst(types::I32, i64::from(number))
    }

    /// A number as large as a pointer.
    pub fn wide(&mut self, number: i64) -> Value {
        self.builder.ins().iconst(types::I64, number)
    }

    /// The address of bytes that do not change.
    pub fn bytes(&mut self, bytes: impl Into<Box<[u8]>>) -> Value {
        let address = self.constants.keep(bytes) as i64;
        self.wide(address)
    }

    /// Adds one to a register; its new value.
    pub fn increment(&mut self, register: Variable) -> Value {
        let before = self.builder.use_var(register);
        let one = self.number(1);
        let after = self.builder.ins().iadd(before, one);
        self.builder.def_var(register, after);
        after
    }

    /// A new block.
    pub fn block(&mut self) -> Block {
        self.builder.create_block()
    }

    /// Continues in a block, and seals it: all jumps to it are there.
    pub fn begin(&mut self, block: Block) {
        self.builder.seal_block(block);
        self.builder.switch_to_block(block);
    }

    /// Bails out if a truth value is not zero.
    pub fn bail_if(&mut self, truth: Value) {
        let on = self.block();
        self.builder.ins().brif(truth, self.bailout, &[], on, &[]);
        self.begin(on);
    }

    /// Bails out if a value is zero.
    pub fn bail_unless(&mut self, value: Value) {
        let on = self.block();
        self.builder.ins().brif(value, on, &[], self.bailout, &[]);
        self.begin(on);
    }

    /// Bails out unless a number is at least zero and below a bound.
    pub fn bail_unless_below(&mut self, number: Value, bound: u32) {
        let bound = self.number(bound as i32);
        let outside = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, number, bound);
        self.bail_if(outside);
    }

    /// Jumps by the value of a number. Each case has a range of numbers; all others go to `otherwise`. Returns the
    /// blocks of the cases, to be filled in.
    pub fn switch<T>(
        &mut self,
        on: Value,
        cases: impl Iterator<Item = (Range<usize>, T)>,
        otherwise: Block,
    ) -> Vec<(Block, T)> {
        let mut switch = Switch::new();
        let mut blocks = Vec::new();
        for (numbers, case) in cases {
            let block = self.block();
            numbers.for_each(|number| switch.set_entry(number as u128, block));
            blocks.push((block, case));
        }
        switch.emit(&mut self.builder, on, otherwise);
        blocks
    }

    /// The number at an address, 32 bits.
    pub fn load(&mut self, repr: Repr, at: Address) -> Value {
        let (flags, Address { base, offset, .. }) = (at.flags(), at);
        let ins = self.builder.ins();
        match repr {
            Repr::U8 => ins.uload8(types::I32, flags, base, offset),
            Repr::I8 => ins.sload8(types::I32, flags, base, offset),
            Repr::U16 => ins.uload16(types::I32, flags, base, offset),
            Repr::I16 => ins.sload16(types::I32, flags, base, offset),
            Repr::I32 => ins.load(types::I32, flags, base, offset),
        }
    }

    /// The pointer at an address, or a number as large as one.
    pub fn load_pointer(&mut self, at: Address) -> Value {
        self.builder.ins().load(types::I64, at.flags(), at.base, at.offset)
    }

    /// Stores a pointer, or a number as large as one.
    pub fn store_pointer(&mut self, value: Value, at: Address) {
        self.builder.ins().store(at.flags(), value, at.base, at.offset);
    }

    /// Copies so many bytes, in whole pieces of [`PIECE`]: there is room for the last one, and one at least is copied.
    pub fn copy_pieces(&mut self, to: Value, from: Value, len: Value) {
        let (piece, on) = (self.block(), self.block());
        let at = self.builder.append_block_param(piece, types::I64);
        let zero = self.wide(0);
        self.builder.ins().jump(piece, &[zero.into()]);
        self.builder.switch_to_block(piece);
        let from = self.builder.ins().iadd(from, at);
        let to = self.builder.ins().iadd(to, at);
        let flags = MemFlagsData::new().with_notrap();
        let words: Vec<Value> =
            (0..PIECE as i32).step_by(16).map(|at| self.builder.ins().load(types::I8X16, flags, from, at)).collect();
        for (word, at) in words.into_iter().zip((0..).step_by(16)) {
            self.builder.ins().store(flags, word, to, at);
        }
        let size = self.wide(PIECE as i64);
        let next = self.builder.ins().iadd(at, size);
        let more = self.builder.ins().icmp(IntCC::UnsignedLessThan, next, len);
        self.builder.ins().brif(more, piece, &[next.into()], on, &[]);
        self.builder.seal_block(piece);
        self.begin(on);
    }

    /// Stores the low bytes of a number of 32 bits.
    pub fn store(&mut self, repr: Repr, value: Value, at: Address) {
        let (flags, Address { base, offset, .. }) = (at.flags(), at);
        let ins = self.builder.ins();
        match repr {
            Repr::U8 | Repr::I8 => ins.istore8(flags, value, base, offset),
            Repr::U16 | Repr::I16 => ins.istore16(flags, value, base, offset),
            Repr::I32 => ins.store(flags, value, base, offset),
        };
    }

    /// Copies bytes in line; the two places may overlap.
    pub fn copy(&mut self, to: Address, from: Address, size: u32) {
        let mut pieces = Vec::new();
        for (at, ty) in pieces_of(size) {
            let offset = from.offset + at as i32;
            pieces.push((at, self.builder.ins().load(ty, from.flags(), from.base, offset)));
        }
        for (at, value) in pieces {
            self.builder.ins().store(to.flags(), value, to.base, to.offset + at as i32);
        }
    }

    /// Writes bytes.
    pub fn fill(&mut self, to: Address, bytes: &[u8]) {
        for (at, ty) in pieces_of(bytes.len() as u32) {
            let piece = &bytes[at as usize..(at + ty.bytes()) as usize];
            let offset = to.offset + at as i32;
            let value = if ty == types::I8X16 {
                let constant = self.builder.func.dfg.constants.insert(piece.into());
                self.builder.ins().vconst(ty, constant)
            } else {
                let mut wide = [0; 8];
                wide[..piece.len()].copy_from_slice(piece);
                self.builder.ins().iconst(ty, i64::from_le_bytes(wide))
            };
            self.builder.ins().store(to.flags(), value, to.base, offset);
        }
    }
}

/// Pieces that cover so many bytes, wide ones; the last ones may overlap.
fn pieces_of(size: u32) -> Vec<(u32, cranelift_codegen::ir::Type)> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < size {
        let left = size - at;
        let (ty, width) = match left {
            16.. => (types::I8X16, 16),
            9..16 if size >= 16 => (types::I8X16, 16),
            8.. => (types::I64, 8),
            5..8 if size >= 8 => (types::I64, 8),
            4.. => (types::I32, 4),
            3 if size >= 4 => (types::I32, 4),
            2.. => (types::I16, 2),
            _ => (types::I8, 1),
        };
        let begin = at.min(size - width);
        pieces.push((begin, ty));
        at = begin + width;
    }
    pieces
}
