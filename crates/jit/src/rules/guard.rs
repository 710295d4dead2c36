//! When a rule makes a step: where automata are, its tests, and loops over its parameters.

use super::facts::{self, SlotFacts};
use super::linker::Linker;
use super::masks::{Masks, ValueTest};
use super::rule_call;
use super::scope::{CompilationUnit, RuleScope, own_memory};
use super::successor::RuleSteps;
use crate::code::{Address, Code, CompileError};
use crate::expr::{branch, value};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use tightrope_core::Repr;
use tightrope_ir::rule::{Dispatch, RuleGroup};
use tightrope_ir::{Argument, AutomatonLocation, Parameter, Test};

/// Rules that start from anywhere.
pub(super) fn one_by_one(
    code: &mut Code<'_>,
    unit: &CompilationUnit<'_>,
    linker: &mut Linker<'_>,
    here: (Value, Value),
    mut numbers: &[u32],
) -> Result<(), CompileError> {
    let rule = |number: u32| &unit.rules.rules[number as usize];
    while let Some(&first) = numbers.first() {
        let test = ValueTest::of(rule(first));
        let is_like = |&&number: &&u32| match (&test, ValueTest::of(rule(number))) {
            (Some(one), Some(other)) => one.is_like(&other),
            _ => false,
        };
        let alike = numbers.iter().take_while(is_like).count().max(1);
        let (these, others) = numbers.split_at(alike);
        let masks = match &test {
            Some(test) if Masks::pay(test, alike) => {
                let facts = facts::of_rule(rule(first));
                let mut scope = RuleScope::new(code, unit, linker, here, true, &facts, 0, false)?;
                Some(Masks::new(code, &mut scope, test)?)
            }
            _ => None,
        };
        for &number in these {
            let mask = match (&masks, ValueTest::of(rule(number))) {
                (Some(masks), Some(test)) => Some(masks.of(code, &test)),
                _ => None,
            };
            match mask {
                Some(mask) => {
                    let (some, none) = (code.block(), code.block());
                    code.builder.ins().brif(mask, some, &[], none, &[]);
                    code.begin(some);
                    whole_rule(code, unit, linker, here, number, Tested::Answered(mask))?;
                    code.builder.ins().jump(none, &[]);
                    code.begin(none);
                }
                None => whole_rule(code, unit, linker, here, number, Tested::Tests(0))?,
            }
        }
        numbers = others;
    }
    Ok(())
}

/// What was tested before.
#[derive(Clone, Copy)]
enum Tested {
    /// So many tests.
    Tests(usize),
    /// The first test: these are the positions of the first parameter's values that pass it, at least one.
    Answered(Value),
}

/// The rules of a group. The first automaton is at the location where they start.
pub(super) fn led_by(
    code: &mut Code<'_>,
    unit: &CompilationUnit<'_>,
    linker: &mut Linker<'_>,
    here: (Value, Value),
    group: &RuleGroup,
    dispatch: &Dispatch,
) -> Result<(), CompileError> {
    let end = code.block();
    match group {
        RuleGroup::Single(number) => {
            is_at(code, unit, here, *number, 1, dispatch, end);
            whole_rule(code, unit, linker, here, *number, Tested::Tests(0))?;
        }
        RuleGroup::Joint { any, partners } => {
            let rule = &unit.rules.rules[*any as usize];
            if let Some((_, first)) = rule.tests.first() {
                let facts = facts::of_rule(rule);
                let mut scope = RuleScope::new(code, unit, linker, here, true, &facts, rule.frame.len(), false)?;
                if facts::uses_frame(rule).0 {
                    scope.fill_frame(code, &rule.frame);
                }
                scope.test(code, first, end)?;
                scope.leave();
            }
            for (second, by_location) in partners {
                let location = location(code, unit, here, *second);
                let next = code.block();
                let some = by_location.iter().enumerate().filter(|(_, list)| !list.is_empty());
                let cases = some.map(|(number, list)| (number..number + 1, list));
                for (block, candidates) in code.switch(location, cases, next) {
                    code.begin(block);
                    for &number in candidates {
                        let on = code.block();
                        is_at(code, unit, here, number, 2, dispatch, on);
                        whole_rule(code, unit, linker, here, number, Tested::Tests(1))?;
                        code.builder.ins().jump(on, &[]);
                        code.begin(on);
                    }
                    code.builder.ins().jump(next, &[]);
                }
                code.begin(next);
            }
        }
    }
    code.builder.ins().jump(end, &[]);
    code.begin(end);
    Ok(())
}

/// The location of an automaton.
fn location(code: &mut Code<'_>, unit: &CompilationUnit<'_>, (_, state): (Value, Value), automaton: u32) -> Value {
    let automaton = &unit.rules.automata[automaton as usize];
    code.load(automaton.repr, Address { base: state, offset: automaton.offset as i32, constant: true })
}

/// Control continues if the locations of the automata allow the rule to make a step, else it goes to `no`.
fn is_at(
    code: &mut Code<'_>,
    unit: &CompilationUnit<'_>,
    here: (Value, Value),
    number: u32,
    skip: usize,
    dispatch: &Dispatch,
    no: Block,
) {
    let is_committed = |location: &AutomatonLocation| location.committed;
    let urgency = unit.rules.automata.iter().any(|automaton| automaton.locations.iter().any(is_committed));
    if urgency && !dispatch.committed[number as usize] {
        let committed_now = code.builder.ins().load(types::I32, own_memory(), here.0, rule_call::COMMITTED_NOW);
        let on = code.block();
        code.builder.ins().brif(committed_now, no, &[], on, &[]);
        code.begin(on);
    }
    for &(automaton, start) in unit.rules.rules[number as usize].from.iter().skip(skip) {
        let location = location(code, unit, here, automaton);
        let start = code.number(start as i32);
        let there = code.builder.ins().icmp(IntCC::Equal, location, start);
        let on = code.block();
        code.builder.ins().brif(there, on, &[], no, &[]);
        code.begin(on);
    }
}

/// All steps of a rule.
fn whole_rule(
    code: &mut Code<'_>,
    unit: &CompilationUnit<'_>,
    linker: &mut Linker<'_>,
    here: (Value, Value),
    number: u32,
    skip: Tested,
) -> Result<(), CompileError> {
    let rule = &unit.rules.rules[number as usize];
    let facts: Vec<SlotFacts> = facts::of_rule(rule);
    let (by_tests, by_body) = facts::uses_frame(rule);
    let frame = if by_tests || by_body { rule.frame.len() } else { 0 };
    let mut scope = RuleScope::new(code, unit, linker, here, true, &facts, frame, false)?;
    if by_tests {
        scope.fill_frame(code, &rule.frame);
    }
    let end = code.block();
    let mut steps = RuleSteps { scope, rule, number, positions: Vec::new(), frame: frame > 0 };
    match skip {
        Tested::Tests(skip) => steps.descend(code, 0, skip, end)?,
        Tested::Answered(mask) => steps.select(code, mask, end)?,
    }
    steps.scope.leave();
    code.begin(end);
    Ok(())
}

impl RuleSteps<'_, '_, '_> {
    /// Compiles a rule with values for the first `depth` parameters, after the first `test` tests. All paths lead to
    /// `out`.
    fn descend(&mut self, code: &mut Code<'_>, depth: usize, mut test: usize, out: Block) -> Result<(), CompileError> {
        let rule = self.rule;
        while let Some((needs, one)) = rule.tests.get(test)
            && *needs as usize <= depth
        {
            self.scope.test(code, one, out)?;
            test += 1;
        }
        let Some(param) = rule.params.get(depth) else {
            self.step(code)?;
            code.builder.ins().jump(out, &[]);
            return Ok(());
        };
        let count = i32::try_from(param.count()).map_err(|_| "a parameter has too many values")?;
        if count == 0 {
            code.builder.ins().jump(out, &[]);
            return Ok(());
        }
        let register = code.builder.declare_var(types::I32);
        self.positions.push(register);
        let zero = code.number(0);
        code.builder.def_var(register, zero);
        let (head, next) = (code.block(), code.block());
        code.builder.ins().jump(head, &[]);
        code.builder.switch_to_block(head);
        let position = code.builder.use_var(register);
        let value = value_at(code, param, count, position);
        self.scope.set_number(code, param.slot, value)?;
        self.descend(code, depth + 1, test, next)?;
        code.begin(next);
        let position = code.increment(register);
        let count = code.number(count);
        let more = code.builder.ins().icmp(IntCC::UnsignedLessThan, position, count);
        code.builder.ins().brif(more, head, &[], out, &[]);
        code.builder.seal_block(head);
        self.positions.pop();
        Ok(())
    }

    /// Compiles a rule for the values of the first parameter whose positions are in a mask, after the first test.
    fn select(&mut self, code: &mut Code<'_>, mask: Value, out: Block) -> Result<(), CompileError> {
        let param = self.rule.params.first().ok_or("there is no parameter")?;
        let count = i32::try_from(param.count()).map_err(|_| "a parameter has too many values")?;
        let (rest, register) = (code.builder.declare_var(types::I64), code.builder.declare_var(types::I32));
        self.positions.push(register);
        code.builder.def_var(rest, mask);
        let (head, next) = (code.block(), code.block());
        code.builder.ins().jump(head, &[]);
        code.builder.switch_to_block(head);
        let mask = code.builder.use_var(rest);
        let position = code.builder.ins().ctz(mask);
        let position = code.builder.ins().ireduce(types::I32, position);
        code.builder.def_var(register, position);
        let value = value_at(code, param, count, position);
        self.scope.set_number(code, param.slot, value)?;
        self.descend(code, 1, 1, next)?;
        code.begin(next);
        let mask = code.builder.use_var(rest);
        let below = code.builder.ins().iadd_imm_s(mask, -1);
        let mask = code.builder.ins().band(mask, below);
        code.builder.def_var(rest, mask);
        code.builder.ins().brif(mask, head, &[], out, &[]);
        code.builder.seal_block(head);
        self.positions.pop();
        Ok(())
    }
}

impl RuleScope<'_, '_> {
    /// Control continues if a test is passed, else it goes to `no`.
    pub fn test(&mut self, code: &mut Code<'_>, test: &Test, no: Block) -> Result<(), CompileError> {
        match test {
            Test::True(expr) => {
                let yes = code.block();
                branch(code, self, expr, yes, no)?;
                code.begin(yes);
            }
            Test::Bind(slot, Argument::Value(expr)) => {
                let number = value(code, self, expr)?;
                self.set_number(code, *slot, number)?;
            }
            Test::Bind(slot, Argument::Place(variable)) => self.set_place(code, *slot, variable)?,
            Test::Bind(slot, Argument::Kept(variable, expr)) => {
                self.set(code, variable, expr)?;
                self.set_place(code, *slot, variable)?;
            }
        }
        Ok(())
    }
}

/// The value of a parameter at a position.
fn value_at(code: &mut Code<'_>, param: &Parameter, count: i32, position: Value) -> Value {
    if let [(low, _, step)] = param.ranges[..] {
        let (low, step) = (code.number(low), code.number(step));
        let above = code.builder.ins().imul(position, step);
        return code.builder.ins().iadd(low, above);
    }
    let values = (0..count as u64).flat_map(|position| param.value(position).to_le_bytes());
    let values: Vec<u8> = values.collect();
    let base = code.bytes(values);
    let position = code.builder.ins().uextend(types::I64, position);
    let four = code.wide(4);
    let offset = code.builder.ins().imul(position, four);
    let base = code.builder.ins().iadd(base, offset);
    code.load(Repr::I32, Address { base, offset: 0, constant: true })
}
