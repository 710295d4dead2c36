//! The step of a rule: its body on a copy of the state, and the entry of the successor.

use super::rule_call;
use super::scope::{RuleScope, own_memory};
use crate::code::{Address, Code, CompileError};
use crate::engine::POINTER;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};
use cranelift_frontend::Variable as Register;
use std::mem::offset_of;
use tightrope_core::Successor;
use tightrope_ir::Rule;

/// The steps of a rule.
pub(super) struct RuleSteps<'s, 'a, 'm> {
    pub scope: RuleScope<'a, 'm>,
    pub rule: &'s Rule,
    pub number: u32,
    /// The positions of the parameters that have values so far.
    pub positions: Vec<Register>,
    /// There is a frame. The interpreter fills it anew before every body.
    pub frame: bool,
}

impl RuleSteps<'_, '_, '_> {
    /// Makes the step, unless it is to be passed over: then there is no room for it, so that nothing is asked where there is.
    pub(super) fn step(&mut self, code: &mut Code<'_>) -> Result<(), CompileError> {
        let (unit, call, from) = (self.scope.unit, self.scope.call, self.scope.state);
        let next = code.builder.ins().load(POINTER, own_memory(), call, rule_call::NEXT);
        let limit = code.builder.ins().load(POINTER, own_memory(), call, rule_call::LIMIT);
        let full = code.builder.ins().icmp(IntCC::UnsignedGreaterThan, next, limit);
        let [grow, pass_over, enlarge, ready, behind] = std::array::from_fn(|_| code.block());
        [grow, pass_over, enlarge].into_iter().for_each(|block| code.builder.set_cold_block(block));
        let to = code.builder.append_block_param(ready, POINTER);
        code.builder.ins().brif(full, grow, &[], ready, &[BlockArg::Value(next)]);
        code.begin(grow);
        let skip = code.builder.ins().load(types::I32, own_memory(), call, rule_call::SKIP);
        code.builder.ins().brif(skip, pass_over, &[], enlarge, &[]);
        code.begin(pass_over);
        let left = code.builder.ins().iadd_imm_s(skip, -1);
        code.builder.ins().store(own_memory(), left, call, rule_call::SKIP);
        code.builder.ins().jump(behind, &[]);
        code.begin(enlarge);
        self.scope.help(code, unit.helpers.grow, &[call]);
        let next = code.builder.ins().load(POINTER, own_memory(), call, rule_call::NEXT);
        code.builder.ins().jump(ready, &[BlockArg::Value(next)]);
        code.begin(ready);
        let state = to;
        let source = Address { base: from, offset: 0, constant: true };
        self.scope.copy(code, Address { base: state, offset: 0, constant: false }, source, unit.size);

        (self.scope.state, self.scope.looking) = (state, false);
        if self.frame {
            self.scope.fill_frame(code, &self.rule.frame);
        }
        let done = code.block();
        self.scope.exit = Some((done, None));
        if self.scope.block(code, &self.rule.body)? {
            code.builder.ins().jump(done, &[]);
        }
        code.begin(done);
        self.scope.sort(code, state);
        (self.scope.state, self.scope.looking) = (from, true);
        let size = code.wide(i64::from(unit.size));
        let end = code.builder.ins().iadd(to, size);
        code.builder.ins().store(own_memory(), end, call, rule_call::NEXT);
        self.enter(code, to, end);
        code.builder.ins().jump(behind, &[]);
        code.begin(behind);
        Ok(())
    }

    /// Adds the entry of a successor.
    pub(super) fn enter(&mut self, code: &mut Code<'_>, start: Value, end: Value) {
        let call = self.scope.call;
        let action = self.action(code);
        let mut field = |offset: i32| code.builder.ins().load(POINTER, own_memory(), call, offset);
        let (item, bytes, exercised) = (field(rule_call::ITEM), field(rule_call::BYTES), field(rule_call::EXERCISED));
        code.builder.ins().store(own_memory(), action, item, offset_of!(Successor, action) as i32);
        let zero = code.number(0);
        code.builder.ins().store(own_memory(), zero, item, offset_of!(Successor, choice) as i32);
        for (at, offset) in [(start, offset_of!(Successor, start)), (end, offset_of!(Successor, end))] {
            let at = code.builder.ins().isub(at, bytes);
            let at = code.builder.ins().ireduce(types::I32, at);
            code.builder.ins().store(own_memory(), at, item, offset as i32);
        }
        let none = code.number(Successor::NONE as i32);
        code.builder.ins().store(own_memory(), none, item, offset_of!(Successor, fault) as i32);
        let size = code.wide(size_of::<Successor>() as i64);
        let item = code.builder.ins().iadd(item, size);
        code.builder.ins().store(own_memory(), item, call, rule_call::ITEM);
        let one = code.number(1);
        code.builder.ins().istore8(own_memory(), one, exercised, self.number as i32);
    }

    /// The step's name: the rule, and the combination of its parameters.
    pub(super) fn action(&mut self, code: &mut Code<'_>) -> Value {
        let rule = code.wide(i64::from(self.number) << 40);
        let mut combination = None;
        for (register, param) in self.positions.iter().zip(&self.rule.params) {
            let position = code.builder.use_var(*register);
            let position = code.builder.ins().uextend(types::I64, position);
            combination = Some(match combination {
                None => position,
                Some(before) => {
                    let count = code.wide(param.count() as i64);
                    let before = code.builder.ins().imul(before, count);
                    code.builder.ins().iadd(before, position)
                }
            });
        }
        combination.map_or(rule, |combination| code.builder.ins().iadd(rule, combination))
    }
}
