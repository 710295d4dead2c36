//! Rules with the same first test of their parameter, for different values.
//!
//! In many models a ruleset runs over the processes, and the first test of each rule is the location of the process:
//! `P[i] = L3`. Instead of testing this for every rule and every process, the variable is loaded once per process: for
//! each value there is a mask of the processes that have it. A rule takes the mask of its value.

use super::scope::{RuleScope, own_memory};
use crate::code::{Code, CompileError};
use crate::expr;
use cranelift_codegen::ir::{InstBuilder, StackSlotData, StackSlotKind, Value, types};
use tightrope_ir::{Base, Binary, Domain, Expr, Parameter, Rule, Test, Type, Variable};

/// The first test of a rule: a variable, indexed by the first parameter, has a value.
#[derive(Clone, Copy)]
pub struct ValueTest<'r> {
    param: &'r Parameter,
    variable: &'r Variable,
    value: i32,
}

impl<'r> ValueTest<'r> {
    /// The first test of a rule, if it has that form. No test comes before it, so it is evaluated for every value of
    /// the parameter.
    pub fn of(rule: &'r Rule) -> Option<ValueTest<'r>> {
        let param = rule.params.first()?;
        let Some((1, Test::True(Expr::Binary(Binary::Eq, a, b)))) = rule.tests.first() else { return None };
        let (variable, value) = match (&**a, &**b) {
            (Expr::Load(variable), other) | (other, Expr::Load(variable)) => (&**variable, expr::constant(other)?),
            _ => return None,
        };
        let is_simple = |value: &Expr| *value == Expr::Slot(param.slot) || expr::constant(value).is_some();
        let simple = variable.base == Base::Global && variable.indices.iter().all(|index| is_simple(&index.value));
        (rule.from.is_empty() && simple).then_some(ValueTest { param, variable, value })
    }

    /// Whether another rule tests the same variable, perhaps for another value.
    pub fn is_like(&self, other: &ValueTest<'_>) -> bool {
        let (one, two) = (self.param, other.param);
        one.slot == two.slot && one.ranges == two.ranges && self.variable == other.variable
    }
}

/// The least value of a type and how many there are from it on, if they are few.
fn span(ty: Type) -> Option<(i32, u32)> {
    let (low, high) = match ty.domain {
        Domain::Cut | Domain::Checked => ty.range(),
        Domain::Within { low, high } => (low, high),
        Domain::Union(_) => return None,
    };
    let span = i64::from(high) - i64::from(low) + 1;
    (1..=64).contains(&span).then_some((low, span as u32))
}

/// Masks of the values of a parameter, by the values of a variable.
pub struct Masks {
    low: i32,
    span: u32,
    count: u32,
    storage: MaskStorage,
}

enum MaskStorage {
    /// All masks one behind the other.
    Number(Value),
    /// The same in memory, which begins here.
    Memory(Value),
}

impl Masks {
    /// Whether masks are less work than so many tests.
    pub fn pay(test: &ValueTest<'_>, rules: usize) -> bool {
        let count = test.param.count();
        let few = |(_, span): (i32, u32)| count * u64::from(span) <= 64 || u64::from(span) <= count * rules as u64 / 2;
        rules > 1 && (2..=16).contains(&count) && span(test.variable.ty).is_some_and(few)
    }

    /// Looks the variable up for every value of the parameter.
    pub fn new(
        code: &mut Code<'_>,
        scope: &mut RuleScope<'_, '_>,
        test: &ValueTest<'_>,
    ) -> Result<Masks, CompileError> {
        let count = test.param.count() as u32;
        let (low, span) = span(test.variable.ty).ok_or("a variable has too many values")?;
        let mut all = code.wide(0);
        let slot = (count * span > 64).then(|| {
            let data = StackSlotData::new(StackSlotKind::ExplicitSlot, span * 8, 3);
            code.builder.create_sized_stack_slot(data)
        });
        let base = slot.map(|slot| code.builder.ins().stack_addr(types::I64, slot, 0));
        if let Some(base) = base {
            for at in 0..span {
                code.builder.ins().store(own_memory(), all, base, (at * 8) as i32);
            }
        }
        for position in 0..count {
            let parameter = code.number(test.param.value(position.into()));
            scope.set_number(code, test.param.slot, parameter)?;
            let value = expr::load(code, scope, test.variable)?;
            let low = code.number(low);
            let value = code.builder.ins().isub(value, low);
            if let Some(base) = base {
                code.bail_unless_below(value, span);
                let value = code.builder.ins().uextend(types::I64, value);
                let at = code.builder.ins().ishl_imm_u(value, 3);
                let at = code.builder.ins().iadd(base, at);
                let mask = code.builder.ins().load(types::I64, own_memory(), at, 0);
                let mask = code.builder.ins().bor_imm_u(mask, 1 << position);
                code.builder.ins().store(own_memory(), mask, at, 0);
            } else {
                let shift = code.builder.ins().imul_imm_u(value, i64::from(count));
                let one = code.wide(1 << position);
                let bit = code.builder.ins().ishl(one, shift);
                all = code.builder.ins().bor(all, bit);
            }
        }
        Ok(Masks { low, span, count, storage: base.map_or(MaskStorage::Number(all), MaskStorage::Memory) })
    }

    /// The positions of the parameter's values that pass a test.
    pub fn of(&self, code: &mut Code<'_>, test: &ValueTest<'_>) -> Value {
        let value = i64::from(test.value) - i64::from(self.low);
        let Some(value) = u32::try_from(value).ok().filter(|&value| value < self.span) else { return code.wide(0) };
        match self.storage {
            MaskStorage::Memory(base) => code.builder.ins().load(types::I64, own_memory(), base, (value * 8) as i32),
            MaskStorage::Number(all) => {
                let mask = code.builder.ins().ushr_imm_u(all, i64::from(value * self.count));
                code.builder.ins().band_imm_u(mask, (1 << self.count) - 1)
            }
        }
    }
}
