//! Machine code for expressions: what `ir::context` is to the interpreter.
//!
//! Where the interpreter would note an error, control leaves for [`Code::bailout`] and does not come back: the interpreter
//! then does everything again. So machine code never says what went wrong, and a value that is computed here is one
//! without errors.

mod condition;
mod range;
mod union;
mod variable;

pub use condition::{branch, truth};
pub use range::{constant, range};
pub use union::ordinal;
pub use variable::{address, has_none, kept, load, meaning, position, store};

use crate::code::{Address, Code, CompileError};
use condition::comparison;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};
use range::is_cheap;
use tightrope_core::Repr;
use tightrope_ir::{Binary, Expr, Unary, Variable};

/// What expressions are compiled in: where variables lie, and what the expressions of processes or rules mean.
pub trait CompileContext {
    /// The address of a variable whose offset and indices are all zero.
    fn base(&mut self, code: &mut Code<'_>, variable: &Variable) -> Result<Address, CompileError>;

    /// The value of an expression that has a meaning in some contexts only.
    fn special(&mut self, code: &mut Code<'_>, expr: &Expr) -> Result<Value, CompileError>;

    /// Control goes to `yes` if such an expression is not zero, else to `no`.
    fn decide(&mut self, code: &mut Code<'_>, expr: &Expr, yes: Block, no: Block) -> Result<(), CompileError> {
        let value = self.special(code, expr)?;
        code.builder.ins().brif(value, yes, &[], no, &[]);
        Ok(())
    }

    /// Whether a variable is read by a load from its address.
    fn is_plain(&self, _variable: &Variable) -> bool {
        true
    }

    /// The value of a variable that is not plain ([`CompileContext::is_plain`]).
    fn load(&mut self, _code: &mut Code<'_>, _variable: &Variable) -> Result<Value, CompileError> {
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

/// The value of an expression, 32 bits.
pub fn value(code: &mut Code<'_>, context: &mut dyn CompileContext, expr: &Expr) -> Result<Value, CompileError> {
    if let Some(value) = constant(expr) {
        return Ok(code.number(value));
    }
    Ok(match expr {
        Expr::Load(variable) => load(code, context, variable)?,
        Expr::Unary(Unary::Neg, a) => {
            let a = value(code, context, a)?;
            code.builder.ins().ineg(a)
        }
        Expr::Unary(Unary::Complement, a) => {
            let a = value(code, context, a)?;
            code.builder.ins().bnot(a)
        }
        Expr::Unary(Unary::Not, _) => {
            let truth = truth(code, context, expr)?;
            code.builder.ins().uextend(types::I32, truth)
        }
        Expr::Binary(op, a, b) => {
            if comparison(*op).is_some() {
                let truth = truth(code, context, expr)?;
                return Ok(code.builder.ins().uextend(types::I32, truth));
            }
            arithmetic(code, context, *op, a, b)?
        }
        Expr::Both(_, b) | Expr::Either(_, b) if is_cheap(b) => {
            let truth = truth(code, context, expr)?;
            code.builder.ins().uextend(types::I32, truth)
        }
        Expr::Both(..) | Expr::Either(..) => {
            let (yes, no) = (code.block(), code.block());
            branch(code, context, expr, yes, no)?;
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
        Expr::Choose(parts) if is_cheap(&parts.1) && is_cheap(&parts.2) => {
            let which = truth(code, context, &parts.0)?;
            let (a, b) = (value(code, context, &parts.1)?, value(code, context, &parts.2)?);
            code.builder.ins().select(which, a, b)
        }
        Expr::Choose(parts) => {
            let (yes, no) = (code.block(), code.block());
            branch(code, context, &parts.0, yes, no)?;
            let end = code.block();
            let result = code.builder.append_block_param(end, types::I32);
            for (block, arm) in [(yes, &parts.1), (no, &parts.2)] {
                code.begin(block);
                let arm = value(code, context, arm)?;
                code.builder.ins().jump(end, &[BlockArg::Value(arm)]);
            }
            code.begin(end);
            result
        }
        Expr::Bounded(index) => {
            let position = position(code, context, index)?;
            let low = code.number(index.low);
            code.builder.ins().iadd(position, low)
        }
        Expr::Table(table) => {
            let (index, numbers) = &**table;
            if numbers.len() != index.bound as usize {
                return Err("a table has another size than its index".into());
            }
            let position = position(code, context, index)?;
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            let base = code.bytes(bytes);
            let position = code.builder.ins().uextend(types::I64, position);
            let two = code.builder.ins().iconst(types::I64, 2);
            let offset = code.builder.ins().ishl(position, two);
            let at = code.builder.ins().iadd(base, offset);
            code.load(Repr::I32, Address { base: at, offset: 0, constant: true })
        }
        other => context.special(code, other)?,
    })
}

/// Two operands that are both evaluated.
fn arithmetic(
    code: &mut Code<'_>,
    context: &mut dyn CompileContext,
    op: Binary,
    a: &Expr,
    b: &Expr,
) -> Result<Value, CompileError> {
    let divisor = constant(b);
    let (a, b) = (value(code, context, a)?, value(code, context, b)?);
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
        code.bail_if(is_zero);
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
