//! Unions of ranges: from positions to values and back.

use crate::code::Code;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};

/// The value at a position of a union of ranges.
pub(super) fn nth(code: &mut Code<'_>, ranges: &[(i32, i32)], position: Value) -> Value {
    let mut result = code.number(0);
    let mut end: i32 =
        ranges.iter().map(|&(low, high)| high.wrapping_sub(low).wrapping_add(1)).fold(0, i32::wrapping_add);
    for &(low, high) in ranges.iter().rev() {
        let count = high.wrapping_sub(low).wrapping_add(1);
        let begin = end.wrapping_sub(count);
        let (limit, more) = (code.number(end), code.number(low.wrapping_sub(begin)));
        let here = code.builder.ins().icmp(IntCC::SignedLessThan, position, limit);
        let value = code.builder.ins().iadd(position, more);
        result = code.builder.ins().select(here, value, result);
        end = begin;
    }
    result
}

/// The position of a value in a union of ranges; -1 if it is not in it.
pub fn ordinal(code: &mut Code<'_>, ranges: &[(i32, i32)], value: Value) -> Value {
    let mut result = code.number(-1);
    let mut before: i32 =
        ranges.iter().map(|&(low, high)| high.wrapping_sub(low).wrapping_add(1)).fold(0, i32::wrapping_add);
    for &(low, high) in ranges.iter().rev() {
        before = before.wrapping_sub(high.wrapping_sub(low).wrapping_add(1));
        let (least, most) = (code.number(low), code.number(high.wrapping_sub(low)));
        let above = code.builder.ins().isub(value, least);
        let inside = code.builder.ins().icmp(IntCC::UnsignedLessThanOrEqual, above, most);
        let first = code.number(before);
        let position = code.builder.ins().iadd(above, first);
        result = code.builder.ins().select(inside, position, result);
    }
    result
}
