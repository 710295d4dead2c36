//! Loops over a range of values: `for` statements and quantifiers.

use super::scope::RuleScope;
use crate::code::{Code, CompileError};
use crate::expr::{branch, constant, range, truth, value};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use tightrope_ir::effects::operations::weight_of;
use tightrope_ir::{Expr, Fold, Quantified};

/// Loops whose rounds are no larger than this together are unrolled.
const UNROLLED: u64 = 24;

impl RuleScope<'_, '_> {
    /// A slot runs over values: `round` is compiled for each, or once in a loop. It says whether control reaches its
    /// end; if so, the loop continues with the next value.
    pub fn each(
        &mut self,
        code: &mut Code<'_>,
        slot: u32,
        (low, high, step): (&Expr, &Expr, i32),
        weight: u32,
        round: &mut dyn FnMut(&mut Self, &mut Code<'_>) -> Result<bool, CompileError>,
    ) -> Result<bool, CompileError> {
        if let (Some(low), Some(high)) = (constant(low), constant(high)) {
            let (low, high, by) = (i64::from(low), i64::from(high), i64::from(step));
            let count = if (high - low) * by.signum() < 0 { 0 } else { (high - low) / by + 1 };
            if count == 0 {
                return Ok(true);
            }
            if count as u64 * u64::from(weight) <= UNROLLED || count == 1 {
                for position in 0..count {
                    let number = code.number((low + position * by) as i32);
                    self.set_number(code, slot, number)?;
                    if !round(self, code)? {
                        return Ok(false);
                    }
                }
                return Ok(true);
            }
        }
        let (known_low, known_high) = (range(self, low), range(self, high));
        let runs = match known_low.zip(known_high) {
            Some((low, high)) if step > 0 => low.1 <= high.0,
            Some((low, high)) => low.0 >= high.1,
            None => false,
        };
        let (low, high) = (value(code, self, low)?, value(code, self, high)?);
        // Wide, so that adding never wraps.
        let at = code.builder.declare_var(types::I64);
        let (low, high) = (code.builder.ins().sextend(types::I64, low), code.builder.ins().sextend(types::I64, high));
        code.builder.def_var(at, low);
        let beyond = if step > 0 { IntCC::SignedGreaterThan } else { IntCC::SignedLessThan };
        let (head, end) = (code.block(), code.block());
        if runs {
            code.builder.ins().jump(head, &[]);
        } else {
            let none = code.builder.ins().icmp(beyond, low, high);
            code.builder.ins().brif(none, end, &[], head, &[]);
        }
        code.builder.switch_to_block(head);
        let now = code.builder.use_var(at);
        let number = code.builder.ins().ireduce(types::I32, now);
        self.set_number(code, slot, number)?;
        if round(self, code)? {
            let step = code.wide(step.into());
            let now = code.builder.use_var(at);
            let next = code.builder.ins().iadd(now, step);
            code.builder.def_var(at, next);
            let done = code.builder.ins().icmp(beyond, next, high);
            code.builder.ins().brif(done, end, &[], head, &[]);
        }
        code.builder.seal_block(head);
        code.begin(end);
        Ok(true)
    }

    pub(super) fn quantified(&mut self, code: &mut Code<'_>, over: &Quantified) -> Result<Value, CompileError> {
        let result = code.builder.declare_var(types::I32);
        let first = code.number(i32::from(over.fold == Fold::All));
        code.builder.def_var(result, first);
        let end = code.block();
        let decides = !over.every && over.fold != Fold::Count;
        let bounds = (&over.low, &over.high, over.step);
        let weight = weight_of(&over.body);
        self.each(code, over.slot, bounds, weight, &mut |scope, code| {
            let holds = truth(code, scope, &over.body)?;
            let holds = code.builder.ins().uextend(types::I32, holds);
            if decides {
                code.builder.def_var(result, holds);
                let on = code.block();
                let (yes, no) = if over.fold == Fold::All { (on, end) } else { (end, on) };
                code.builder.ins().brif(holds, yes, &[], no, &[]);
                code.begin(on);
                return Ok(true);
            }
            let before = code.builder.use_var(result);
            let now = match over.fold {
                Fold::All => code.builder.ins().band(before, holds),
                Fold::Any => code.builder.ins().bor(before, holds),
                Fold::Count => code.builder.ins().iadd(before, holds),
            };
            code.builder.def_var(result, now);
            Ok(true)
        })?;
        code.builder.ins().jump(end, &[]);
        code.begin(end);
        Ok(code.builder.use_var(result))
    }

    /// A quantifier that stops where its answer is known.
    pub(super) fn decide_quantified(
        &mut self,
        code: &mut Code<'_>,
        over: &Quantified,
        yes: Block,
        no: Block,
    ) -> Result<(), CompileError> {
        let bounds = (&over.low, &over.high, over.step);
        let weight = weight_of(&over.body);
        let all = over.fold == Fold::All;
        self.each(code, over.slot, bounds, weight, &mut |scope, code| {
            let on = code.block();
            let (holds, fails) = if all { (on, no) } else { (yes, on) };
            branch(code, scope, &over.body, holds, fails)?;
            code.begin(on);
            Ok(true)
        })?;
        code.builder.ins().jump(if all { yes } else { no }, &[]);
        Ok(())
    }
}
