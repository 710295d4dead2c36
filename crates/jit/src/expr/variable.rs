//! Variables: their addresses, and how values are kept there.

use super::union::{nth, ordinal};
use super::{CompileContext, constant, range, value};
use crate::code::{Address, Code, CompileError};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use tightrope_core::Repr;
use tightrope_ir::{Domain, Expr, Index, Type, Variable};

/// The address of a variable.
pub fn address(
    code: &mut Code<'_>,
    context: &mut dyn CompileContext,
    variable: &Variable,
) -> Result<Address, CompileError> {
    let mut offset = i64::from(variable.offset);
    let mut moved = None;
    for index in &variable.indices {
        if let Some(value) = constant(&index.value) {
            let position = value.wrapping_sub(index.low) as u32;
            if position < index.bound {
                offset += i64::from(position) * i64::from(index.stride);
                continue;
            }
        }
        let position = position(code, context, index)?;
        let position = code.builder.ins().uextend(types::I64, position);
        let stride = code.builder.ins().iconst(types::I64, i64::from(index.stride));
        let moves = code.builder.ins().imul(position, stride);
        moved = Some(moved.map_or(moves, |before| code.builder.ins().iadd(before, moves)));
    }
    let mut address = context.base(code, variable)?;
    if let Some(moved) = moved {
        address.base = code.builder.ins().iadd(address.base, moved);
    }
    let offset = i64::from(address.offset) + offset;
    address.offset = i32::try_from(offset).map_err(|_| "an offset beyond 2 GiB".to_string())?;
    Ok(address)
}

/// An index less that of the first element. Bails out if it is not below the bound.
pub fn position(code: &mut Code<'_>, context: &mut dyn CompileContext, index: &Index) -> Result<Value, CompileError> {
    // Undefined is kept as 0, which lies below the first element then: one comparison tests both.
    if let Expr::Load(variable) = &index.value
        && let Domain::Within { low, .. } = variable.ty.domain
        && low <= index.low
        && low.unsigned_abs() < 1 << 30
        && index.low.unsigned_abs() < 1 << 30
        && variable.ty.repr != Repr::I32
        && context.is_plain(variable)
    {
        let address = address(code, context, variable)?;
        let raw = code.load(variable.ty.repr, address);
        let less = code.number(1 + index.low - low);
        let position = code.builder.ins().isub(raw, less);
        code.bail_unless_below(position, index.bound);
        return Ok(position);
    }
    let known = range(context, &index.value);
    let value = value(code, context, &index.value)?;
    let low = code.number(index.low);
    let position = code.builder.ins().isub(value, low);
    let (least, most) = (i64::from(index.low), i64::from(index.low) + i64::from(index.bound) - 1);
    if !known.is_some_and(|(low, high)| low >= least && high <= most) {
        code.bail_unless_below(position, index.bound);
    }
    Ok(position)
}

/// The value of a variable.
pub fn load(code: &mut Code<'_>, context: &mut dyn CompileContext, variable: &Variable) -> Result<Value, CompileError> {
    if !context.is_plain(variable) {
        return context.load(code, variable);
    }
    let address = address(code, context, variable)?;
    let raw = code.load(variable.ty.repr, address);
    if has_none(variable.ty) {
        code.bail_unless(raw);
    }
    meaning(code, context, variable.ty, raw)
}

/// Whether variables of a type can be undefined, which is kept as 0.
pub fn has_none(ty: Type) -> bool {
    matches!(ty.domain, Domain::Within { .. } | Domain::Union(_))
}

/// The value that is kept as `raw`, which is not undefined.
pub fn meaning(
    code: &mut Code<'_>,
    context: &mut dyn CompileContext,
    ty: Type,
    raw: Value,
) -> Result<Value, CompileError> {
    Ok(match ty.domain {
        Domain::Cut | Domain::Checked => raw,
        Domain::Within { low, .. } => {
            let less = code.number(low.wrapping_sub(1));
            code.builder.ins().iadd(raw, less)
        }
        Domain::Union(union) => {
            let one = code.number(1);
            let position = code.builder.ins().isub(raw, one);
            let ranges = context.unions().get(union as usize).ok_or("a union that is not there")?.clone();
            nth(code, &ranges, position)
        }
    })
}

/// A variable gets a value, of which the range may be known.
pub fn store(
    code: &mut Code<'_>,
    context: &mut dyn CompileContext,
    variable: &Variable,
    value: Value,
    known: Option<(i64, i64)>,
) -> Result<(), CompileError> {
    let address = address(code, context, variable)?;
    let raw = kept(code, context, variable.ty, value, known)?;
    code.store(variable.ty.repr, raw, address);
    Ok(())
}

/// How a value is kept. Bails out if it is out of range.
pub fn kept(
    code: &mut Code<'_>,
    context: &mut dyn CompileContext,
    ty: Type,
    value: Value,
    known: Option<(i64, i64)>,
) -> Result<Value, CompileError> {
    let (low, high) = match ty.domain {
        Domain::Cut => return Ok(cut(code, ty, value)),
        Domain::Checked => ty.range(),
        Domain::Within { low, high } => (low, high),
        Domain::Union(union) => {
            let ranges = context.unions().get(union as usize).ok_or("a union that is not there")?.clone();
            let position = ordinal(code, &ranges, value);
            let one = code.number(1);
            let raw = code.builder.ins().iadd(position, one);
            code.bail_unless(raw);
            return Ok(raw);
        }
    };
    let inside = known.is_some_and(|known| known.0 >= low.into() && known.1 <= high.into());
    let least = code.number(low);
    let above = code.builder.ins().isub(value, least);
    if !inside && (low, high) != (i32::MIN, i32::MAX) {
        // Unsigned, so that values below the least are large.
        let most = code.number(high.wrapping_sub(low));
        let outside = code.builder.ins().icmp(IntCC::UnsignedGreaterThan, above, most);
        code.bail_if(outside);
    }
    if ty.domain == Domain::Checked {
        return Ok(value);
    }
    let less = code.number(low.wrapping_sub(1));
    Ok(code.builder.ins().isub(value, less))
}

/// The value that is kept of one that may be too large for its variable.
fn cut(code: &mut Code<'_>, ty: Type, value: Value) -> Value {
    // Storing cuts to whole bytes anyway.
    if u32::from(ty.bits) >= 8 * ty.size() {
        return value;
    }
    if !ty.signed {
        let mask = code.number(((1u32 << ty.bits) - 1) as i32);
        return code.builder.ins().band(value, mask);
    }
    let shift = code.number(32 - i32::from(ty.bits));
    let up = code.builder.ins().ishl(value, shift);
    code.builder.ins().sshr(up, shift)
}
