//! Machine code for expressions, whoever evaluates them: what `ir::context` is to the interpreter.
//!
//! Where the interpreter would note trouble, control leaves for [`Code::trouble`] and does not come back: whoever waits
//! there has the interpreter do everything again. So machine code never has to say what went wrong, and a value that is
//! computed here is one that no trouble spoiled.

use crate::code::{Address, Code, Failed};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};
use tightrope_core::Repr;
use tightrope_ir::{Binary, Domain, Expr, Index, Type, Unary, Variable};

/// What only those know who evaluate: where variables are, and what the expressions mean that not everybody has.
pub trait Places {
    /// The address of a variable whose offset and indices are all zero.
    fn base(&mut self, code: &mut Code<'_>, variable: &Variable) -> Result<Address, Failed>;

    /// The value of an expression that not everybody can evaluate.
    fn special(&mut self, code: &mut Code<'_>, expr: &Expr) -> Result<Value, Failed>;

    /// Control goes to `yes` if such an expression is not zero, else to `no`.
    fn decide(&mut self, code: &mut Code<'_>, expr: &Expr, yes: Block, no: Block) -> Result<(), Failed> {
        let value = self.special(code, expr)?;
        code.builder.ins().brif(value, yes, &[], no, &[]);
        Ok(())
    }

    /// Whether reading a variable is just a matter of its address.
    fn is_plain(&self, _variable: &Variable) -> bool {
        true
    }

    /// The value of a variable of which [`Places::is_plain`] says that there is more to reading it.
    fn load(&mut self, _code: &mut Code<'_>, _variable: &Variable) -> Result<Value, Failed> {
        Err("a variable that cannot be read".into())
    }

    /// The least and the greatest value of such an expression, if they are known for certain.
    fn range(&self, _expr: &Expr) -> Option<(i64, i64)> {
        None
    }

    /// The ranges of values of union types, by number.
    fn unions(&self) -> &[Vec<(i32, i32)>] {
        &[]
    }
}

/// The value of an expression, if it is always the same and there is no trouble.
pub fn constant(expr: &Expr) -> Option<i32> {
    match expr {
        Expr::Const(value) => Some(*value),
        Expr::Unary(op, a) => constant(a).map(|a| match op {
            Unary::Neg => a.wrapping_neg(),
            Unary::Not => i32::from(a == 0),
            Unary::Complement => !a,
        }),
        Expr::Binary(op, a, b) => tightrope_ir::context::calculate(*op, constant(a)?, constant(b)?),
        Expr::Both(a, b) => match constant(a)? {
            0 => Some(0),
            _ => constant(b).map(|b| i32::from(b != 0)),
        },
        Expr::Either(a, b) => match constant(a)? {
            0 => constant(b).map(|b| i32::from(b != 0)),
            _ => Some(1),
        },
        Expr::Choose(parts) => constant(if constant(&parts.0)? != 0 { &parts.1 } else { &parts.2 }),
        _ => None,
    }
}

/// The least and the greatest value, as far as they are certain whatever the bytes of the state are.
pub fn range(places: &dyn Places, expr: &Expr) -> Option<(i64, i64)> {
    if let Some(value) = constant(expr) {
        return Some((value.into(), value.into()));
    }
    let fits = |(low, high): (i64, i64)| (low >= i32::MIN.into() && high <= i32::MAX.into()).then_some((low, high));
    match expr {
        Expr::Load(variable) => {
            let (low, high) = match variable.ty.repr {
                Repr::U8 => (0, 0xff),
                Repr::I8 => (-0x80, 0x7f),
                Repr::U16 => (0, 0xffff),
                Repr::I16 => (-0x8000, 0x7fff),
                Repr::I32 => return None,
            };
            match variable.ty.domain {
                Domain::Cut | Domain::Checked => Some((low, high)),
                Domain::Within { low: least, .. } if low == 0 => fits((i64::from(least), high - 1 + i64::from(least))),
                Domain::Within { .. } | Domain::Pieces(_) => None,
            }
        }
        Expr::Unary(Unary::Not, _) | Expr::Both(..) | Expr::Either(..) | Expr::Undefined(_) => Some((0, 1)),
        Expr::Binary(op, a, b) => match op {
            Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge | Binary::Eq | Binary::Ne => Some((0, 1)),
            Binary::Add => {
                let (a, b) = (range(places, a)?, range(places, b)?);
                fits((a.0 + b.0, a.1 + b.1))
            }
            Binary::Sub => {
                let (a, b) = (range(places, a)?, range(places, b)?);
                fits((a.0 - b.1, a.1 - b.0))
            }
            Binary::Rem => {
                let (a, b) = (range(places, a)?, constant(b)?);
                (b > 0 && a.0 >= 0).then(|| (0, a.1.min(i64::from(b) - 1)))
            }
            Binary::Div => {
                let (a, b) = (range(places, a)?, i64::from(constant(b)?));
                (b > 0 && a.0 >= 0).then(|| (a.0 / b, a.1 / b))
            }
            Binary::And => {
                let mask = constant(b).or_else(|| constant(a))?;
                (mask >= 0).then_some((0, mask.into()))
            }
            _ => None,
        },
        Expr::Choose(parts) => {
            let (a, b) = (range(places, &parts.1)?, range(places, &parts.2)?);
            Some((a.0.min(b.0), a.1.max(b.1)))
        }
        Expr::Bounded(index) => {
            let bounds = (i64::from(index.low), i64::from(index.low) + i64::from(index.bound) - 1);
            let inner = range(places, &index.value);
            fits(inner.map_or(bounds, |inner| (inner.0.max(bounds.0), inner.1.min(bounds.1))))
        }
        Expr::Table(table) => {
            let numbers = &table.1;
            Some((i64::from(*numbers.iter().min()?), i64::from(*numbers.iter().max()?)))
        }
        other => places.range(other),
    }
}

/// Whether an expression is so small, and so sure to have a value, that evaluating it costs less than a branch around it.
fn is_plain(expr: &Expr) -> bool {
    fn cost(expr: &Expr) -> Option<u32> {
        match expr {
            Expr::Const(_) | Expr::Slot(_) => Some(0),
            Expr::Load(variable) => {
                let sure = matches!(variable.ty.domain, Domain::Cut | Domain::Checked)
                    && matches!(variable.base, tightrope_ir::Base::Global | tightrope_ir::Base::Frame)
                    && variable.indices.is_empty();
                sure.then_some(1)
            }
            Expr::Undefined(variable) => variable.indices.is_empty().then_some(1),
            Expr::Unary(_, a) => Some(cost(a)? + 1),
            Expr::Binary(op, a, b) if !matches!(op, Binary::Div | Binary::Rem) => Some(cost(a)? + cost(b)? + 1),
            Expr::Both(a, b) | Expr::Either(a, b) => Some(cost(a)? + cost(b)? + 1),
            _ => None,
        }
    }
    cost(expr).is_some_and(|cost| cost <= 6)
}

fn comparison(op: Binary) -> Option<IntCC> {
    Some(match op {
        Binary::Lt => IntCC::SignedLessThan,
        Binary::Le => IntCC::SignedLessThanOrEqual,
        Binary::Gt => IntCC::SignedGreaterThan,
        Binary::Ge => IntCC::SignedGreaterThanOrEqual,
        Binary::Eq => IntCC::Equal,
        Binary::Ne => IntCC::NotEqual,
        _ => return None,
    })
}

/// The value of an expression, 32 bits.
pub fn value(code: &mut Code<'_>, places: &mut dyn Places, expr: &Expr) -> Result<Value, Failed> {
    if let Some(value) = constant(expr) {
        return Ok(code.number(value));
    }
    Ok(match expr {
        Expr::Load(variable) => load(code, places, variable)?,
        Expr::Unary(Unary::Neg, a) => {
            let a = value(code, places, a)?;
            code.builder.ins().ineg(a)
        }
        Expr::Unary(Unary::Complement, a) => {
            let a = value(code, places, a)?;
            code.builder.ins().bnot(a)
        }
        Expr::Unary(Unary::Not, _) => {
            let truth = truth(code, places, expr)?;
            code.builder.ins().uextend(types::I32, truth)
        }
        Expr::Binary(op, a, b) => {
            if comparison(*op).is_some() {
                let truth = truth(code, places, expr)?;
                return Ok(code.builder.ins().uextend(types::I32, truth));
            }
            arithmetic(code, places, *op, a, b)?
        }
        Expr::Both(_, b) | Expr::Either(_, b) if is_plain(b) => {
            let truth = truth(code, places, expr)?;
            code.builder.ins().uextend(types::I32, truth)
        }
        Expr::Both(..) | Expr::Either(..) => {
            let (yes, no) = (code.block(), code.block());
            branch(code, places, expr, yes, no)?;
            let end = code.block();
            let result = code.builder.append_block_param(end, types::I32);
            for (block, answer) in [(yes, 1), (no, 0)] {
                code.begin(block);
                let answer = code.number(answer);
                code.builder.ins().jump(end, &[BlockArg::Value(answer)]);
            }
            code.begin(end);
            result
        }
        Expr::Choose(parts) if is_plain(&parts.1) && is_plain(&parts.2) => {
            let which = truth(code, places, &parts.0)?;
            let (a, b) = (value(code, places, &parts.1)?, value(code, places, &parts.2)?);
            code.builder.ins().select(which, a, b)
        }
        Expr::Choose(parts) => {
            let (yes, no) = (code.block(), code.block());
            branch(code, places, &parts.0, yes, no)?;
            let end = code.block();
            let result = code.builder.append_block_param(end, types::I32);
            for (block, arm) in [(yes, &parts.1), (no, &parts.2)] {
                code.begin(block);
                let arm = value(code, places, arm)?;
                code.builder.ins().jump(end, &[BlockArg::Value(arm)]);
            }
            code.begin(end);
            result
        }
        Expr::Bounded(index) => {
            let position = position(code, places, index)?;
            let low = code.number(index.low);
            code.builder.ins().iadd(position, low)
        }
        Expr::Table(table) => {
            let (index, numbers) = &**table;
            if numbers.len() != index.bound as usize {
                return Err("a table has another size than its index".into());
            }
            let position = position(code, places, index)?;
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            let base = code.bytes(bytes);
            let position = code.builder.ins().uextend(types::I64, position);
            let two = code.builder.ins().iconst(types::I64, 2);
            let offset = code.builder.ins().ishl(position, two);
            let at = code.builder.ins().iadd(base, offset);
            code.load(Repr::I32, Address { base: at, offset: 0, constant: true })
        }
        other => places.special(code, other)?,
    })
}

/// Two operands that are both evaluated.
fn arithmetic(code: &mut Code<'_>, places: &mut dyn Places, op: Binary, a: &Expr, b: &Expr) -> Result<Value, Failed> {
    let divisor = constant(b);
    let (a, b) = (value(code, places, a)?, value(code, places, b)?);
    let ins = |code: &mut Code<'_>| match op {
        Binary::Add => code.builder.ins().iadd(a, b),
        Binary::Sub => code.builder.ins().isub(a, b),
        Binary::Mul => code.builder.ins().imul(a, b),
        // Like the interpreter's, these shifts take their amount modulo 32.
        Binary::Shl => code.builder.ins().ishl(a, b),
        Binary::Shr => code.builder.ins().sshr(a, b),
        Binary::And => code.builder.ins().band(a, b),
        Binary::Or => code.builder.ins().bor(a, b),
        _ => code.builder.ins().bxor(a, b),
    };
    if !matches!(op, Binary::Div | Binary::Rem) {
        return Ok(ins(code));
    }
    let zero = code.number(0);
    if divisor.is_none_or(|divisor| divisor == 0) {
        let is_zero = code.builder.ins().icmp(IntCC::Equal, b, zero);
        code.trouble_if(is_zero);
    }
    // The least number divided by -1 wraps; the machine would trap.
    let minus = code.number(-1);
    let one = code.number(1);
    let turns = divisor.is_none_or(|divisor| divisor == -1).then(|| code.builder.ins().icmp(IntCC::Equal, b, minus));
    let by = turns.map_or(b, |turns| code.builder.ins().select(turns, one, b));
    if op == Binary::Rem {
        return Ok(code.builder.ins().srem(a, by));
    }
    let quotient = code.builder.ins().sdiv(a, by);
    Ok(match turns {
        None => quotient,
        Some(turns) => {
            let negated = code.builder.ins().ineg(a);
            code.builder.ins().select(turns, negated, quotient)
        }
    })
}

/// A value, perhaps less a constant: what is kept in the state is often the value less something.
fn shifted(code: &mut Code<'_>, places: &mut dyn Places, expr: &Expr) -> Result<(Value, i32), Failed> {
    if let Expr::Load(variable) = expr
        && let Domain::Within { low, .. } = variable.ty.domain
        && variable.ty.repr != Repr::I32
        && low.unsigned_abs() < 1 << 30
        && places.is_plain(variable)
    {
        let address = address(code, places, variable)?;
        let raw = code.load(variable.ty.repr, address);
        code.trouble_unless(raw);
        return Ok((raw, low - 1));
    }
    Ok((value(code, places, expr)?, 0))
}

/// The operands of a comparison, such that comparing them gives the same as comparing the values of the expressions.
fn operands(
    code: &mut Code<'_>,
    places: &mut dyn Places,
    op: Binary,
    a: &Expr,
    b: &Expr,
) -> Result<(Value, Value), Failed> {
    let of_equality = matches!(op, Binary::Eq | Binary::Ne);
    if let Some(wanted) = constant(b) {
        let (a, less) = shifted(code, places, a)?;
        // Both sides are moved down by the same amount, which must not move the constant beyond the least number.
        let moved = wanted.wrapping_sub(less);
        if of_equality || wanted.checked_sub(less).is_some() {
            let b = code.number(moved);
            return Ok((a, b));
        }
        let less = code.number(less);
        let a = code.builder.ins().iadd(a, less);
        let b = code.number(wanted);
        return Ok((a, b));
    }
    let (first, a_less) = shifted(code, places, a)?;
    let (second, b_less) = shifted(code, places, b)?;
    if a_less == b_less {
        return Ok((first, second));
    }
    let mut whole = |value: Value, less: i32| {
        let less = code.number(less);
        code.builder.ins().iadd(value, less)
    };
    Ok((whole(first, a_less), whole(second, b_less)))
}

/// Whether an expression is not zero, as 0 or 1 in 8 bits.
pub fn truth(code: &mut Code<'_>, places: &mut dyn Places, expr: &Expr) -> Result<Value, Failed> {
    match expr {
        Expr::Binary(op, a, b) if comparison(*op).is_some() && constant(expr).is_none() => {
            let (left, right) = operands(code, places, *op, a, b)?;
            Ok(code.builder.ins().icmp(comparison(*op).unwrap_or(IntCC::Equal), left, right))
        }
        Expr::Unary(Unary::Not, a) if constant(expr).is_none() => {
            let a = truth(code, places, a)?;
            let one = code.builder.ins().iconst(types::I8, 1);
            Ok(code.builder.ins().bxor(a, one))
        }
        Expr::Both(a, b) | Expr::Either(a, b) if is_plain(b) && constant(expr).is_none() => {
            let (a, b) = (truth(code, places, a)?, truth(code, places, b)?);
            Ok(if matches!(expr, Expr::Both(..)) {
                code.builder.ins().band(a, b)
            } else {
                code.builder.ins().bor(a, b)
            })
        }
        _ => {
            let value = value(code, places, expr)?;
            let zero = code.number(0);
            Ok(code.builder.ins().icmp(IntCC::NotEqual, value, zero))
        }
    }
}

/// Control goes to `yes` if an expression is not zero, else to `no`. Ends the present block; seals neither of those.
pub fn branch(code: &mut Code<'_>, places: &mut dyn Places, expr: &Expr, yes: Block, no: Block) -> Result<(), Failed> {
    if let Some(value) = constant(expr) {
        code.builder.ins().jump(if value != 0 { yes } else { no }, &[]);
        return Ok(());
    }
    match expr {
        Expr::Unary(Unary::Not, a) => branch(code, places, a, no, yes)?,
        Expr::Both(a, b) => {
            let both = code.block();
            branch(code, places, a, both, no)?;
            code.begin(both);
            branch(code, places, b, yes, no)?;
        }
        Expr::Either(a, b) => {
            let neither = code.block();
            branch(code, places, a, yes, neither)?;
            code.begin(neither);
            branch(code, places, b, yes, no)?;
        }
        Expr::Choose(parts) => {
            let (first, second) = (code.block(), code.block());
            branch(code, places, &parts.0, first, second)?;
            code.begin(first);
            branch(code, places, &parts.1, yes, no)?;
            code.begin(second);
            branch(code, places, &parts.2, yes, no)?;
        }
        Expr::Binary(op, ..) if comparison(*op).is_some() => {
            let truth = truth(code, places, expr)?;
            code.builder.ins().brif(truth, yes, &[], no, &[]);
        }
        Expr::Load(_) | Expr::Binary(..) | Expr::Unary(..) | Expr::Bounded(_) | Expr::Table(_) => {
            let value = value(code, places, expr)?;
            code.builder.ins().brif(value, yes, &[], no, &[]);
        }
        other => places.decide(code, other, yes, no)?,
    }
    Ok(())
}

/// An index less that of the first element: below the bound, or control has left.
pub fn position(code: &mut Code<'_>, places: &mut dyn Places, index: &Index) -> Result<Value, Failed> {
    // No value at all is kept as 0, which then lies below the first element: one test for both.
    if let Expr::Load(variable) = &index.value
        && let Domain::Within { low, .. } = variable.ty.domain
        && low <= index.low
        && low.unsigned_abs() < 1 << 30
        && index.low.unsigned_abs() < 1 << 30
        && variable.ty.repr != Repr::I32
        && places.is_plain(variable)
    {
        let address = address(code, places, variable)?;
        let raw = code.load(variable.ty.repr, address);
        let less = code.number(1 + index.low - low);
        let position = code.builder.ins().isub(raw, less);
        code.trouble_unless_below(position, index.bound);
        return Ok(position);
    }
    let known = range(places, &index.value);
    let value = value(code, places, &index.value)?;
    let low = code.number(index.low);
    let position = code.builder.ins().isub(value, low);
    let (least, most) = (i64::from(index.low), i64::from(index.low) + i64::from(index.bound) - 1);
    if !known.is_some_and(|(low, high)| low >= least && high <= most) {
        code.trouble_unless_below(position, index.bound);
    }
    Ok(position)
}

/// The address of a variable.
pub fn address(code: &mut Code<'_>, places: &mut dyn Places, variable: &Variable) -> Result<Address, Failed> {
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
        let position = position(code, places, index)?;
        let position = code.builder.ins().uextend(types::I64, position);
        let stride = code.builder.ins().iconst(types::I64, i64::from(index.stride));
        let moves = code.builder.ins().imul(position, stride);
        moved = Some(moved.map_or(moves, |before| code.builder.ins().iadd(before, moves)));
    }
    let mut address = places.base(code, variable)?;
    if let Some(moved) = moved {
        address.base = code.builder.ins().iadd(address.base, moved);
    }
    let offset = i64::from(address.offset) + offset;
    address.offset = i32::try_from(offset).map_err(|_| "an offset beyond 2 GiB".to_string())?;
    Ok(address)
}

/// The value of a variable.
pub fn load(code: &mut Code<'_>, places: &mut dyn Places, variable: &Variable) -> Result<Value, Failed> {
    if !places.is_plain(variable) {
        return places.load(code, variable);
    }
    let address = address(code, places, variable)?;
    let raw = code.load(variable.ty.repr, address);
    if has_none(variable.ty) {
        code.trouble_unless(raw);
    }
    meaning(code, places, variable.ty, raw)
}

/// Whether variables of a type can be without a value, which is kept as 0.
pub fn has_none(ty: Type) -> bool {
    matches!(ty.domain, Domain::Within { .. } | Domain::Pieces(_))
}

/// The value that is kept as `raw`, which is one.
pub fn meaning(code: &mut Code<'_>, places: &mut dyn Places, ty: Type, raw: Value) -> Result<Value, Failed> {
    Ok(match ty.domain {
        Domain::Cut | Domain::Checked => raw,
        Domain::Within { low, .. } => {
            let less = code.number(low.wrapping_sub(1));
            code.builder.ins().iadd(raw, less)
        }
        Domain::Pieces(union) => {
            let one = code.number(1);
            let position = code.builder.ins().isub(raw, one);
            let ranges = places.unions().get(union as usize).ok_or("a union that is not there")?.clone();
            nth(code, &ranges, position)
        }
    })
}

/// A variable gets a value, of which the range may be known.
pub fn store(
    code: &mut Code<'_>,
    places: &mut dyn Places,
    variable: &Variable,
    value: Value,
    known: Option<(i64, i64)>,
) -> Result<(), Failed> {
    let address = address(code, places, variable)?;
    let raw = kept(code, places, variable.ty, value, known)?;
    code.store(variable.ty.repr, raw, address);
    Ok(())
}

/// How a value is kept, if it can be.
pub fn kept(
    code: &mut Code<'_>,
    places: &mut dyn Places,
    ty: Type,
    value: Value,
    known: Option<(i64, i64)>,
) -> Result<Value, Failed> {
    let (low, high) = match ty.domain {
        Domain::Cut => return Ok(cut(code, ty, value)),
        Domain::Checked => ty.range(),
        Domain::Within { low, high } => (low, high),
        Domain::Pieces(union) => {
            let ranges = places.unions().get(union as usize).ok_or("a union that is not there")?.clone();
            let position = ordinal(code, &ranges, value);
            let one = code.number(1);
            let raw = code.builder.ins().iadd(position, one);
            code.trouble_unless(raw);
            return Ok(raw);
        }
    };
    let inside = known.is_some_and(|known| known.0 >= low.into() && known.1 <= high.into());
    let least = code.number(low);
    let above = code.builder.ins().isub(value, least);
    if !inside && (low, high) != (i32::MIN, i32::MAX) {
        // Unsigned, so that what is below the least counts as far above it.
        let most = code.number(high.wrapping_sub(low));
        let outside = code.builder.ins().icmp(IntCC::UnsignedGreaterThan, above, most);
        code.trouble_if(outside);
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

/// The value at a position of a union of ranges.
fn nth(code: &mut Code<'_>, ranges: &[(i32, i32)], position: Value) -> Value {
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
