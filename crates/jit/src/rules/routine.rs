//! Routines: functions of their own, or compiled where they are called.

use super::call_plan;
use super::linker::Linker;
use super::rule_call;
use super::scope::{RuleScope, own_memory, pointer};
use super::{PARAMS, RuleCompiler, params_of};
use crate::code::{Code, CompileError};
use crate::engine::POINTER;
use crate::expr::{self, value};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use tightrope_ir::{Argument, Call};

impl RuleCompiler<'_> {
    /// Declares all routines that are functions of their own, then defines them.
    pub(super) fn routines(&mut self) -> Result<(), CompileError> {
        let rules = self.unit.rules;
        let results = [types::I32, types::I32];
        let mut signatures = Vec::new();
        let plan = call_plan::plan(rules, &self.unit.routines)?;
        for (number, facts) in self.unit.routines.iter().enumerate() {
            let mut params = PARAMS.to_vec();
            params.extend(facts.params.iter().map(|&place| if place { POINTER } else { types::I32 }));
            let signature = self.engine.signature(&params, &results);
            if !plan.in_place[number] {
                let function = self.engine.declare(&format!("routine {number}"), &signature)?;
                if facts.recursive {
                    self.engine.checks_stack(function);
                }
                self.unit.functions[number] = Some(function);
            }
            signatures.push(signature);
        }
        for (number, signature) in signatures.iter().enumerate() {
            let Some(function) = self.unit.functions[number] else { continue };
            let (unit, facts) = (&self.unit, &self.unit.routines[number]);
            let frame = rules.routines[number].frame.len();
            self.engine.define(function, signature, 1, |code, module| {
                let args = params_of(code);
                let mut linker = Linker::new(module);
                let depth = facts.recursive.then(|| enter_call(code, args[0], plan.levels[number], plan.most_levels));
                let mut scope =
                    RuleScope::new(code, unit, &mut linker, (args[0], args[1]), false, &facts.slots, frame, true)?;
                let returned = scope.routine(code, number, &args[2..])?;
                if let Some(depth) = depth {
                    code.builder.ins().store(own_memory(), depth, args[0], rule_call::DEPTH);
                }
                let fine = code.number(0);
                code.builder.ins().return_(&[returned, fine]);
                Ok(())
            })?;
        }
        Ok(())
    }
}

impl RuleScope<'_, '_> {
    /// Calls a routine; what it returns.
    pub fn call(&mut self, code: &mut Code<'_>, call: &Call) -> Result<Value, CompileError> {
        let mut args = vec![self.call, self.state];
        for argument in &call.args {
            args.push(match argument {
                Argument::Value(expr) => value(code, self, expr)?,
                Argument::Place(variable) => {
                    let address = expr::address(code, self, variable)?;
                    pointer(code, address)
                }
                Argument::Kept(variable, expr) => {
                    self.set(code, variable, expr)?;
                    let address = expr::address(code, self, variable)?;
                    pointer(code, address)
                }
            });
        }
        let unit = self.unit;
        match unit.functions.get(call.routine as usize).ok_or("a routine that is not there")? {
            None => self.in_place(code, call.routine as usize, &args[2..]),
            Some(function) => {
                let function = self.linker.find(code, *function);
                let done = code.builder.ins().call(function, &args);
                let &[returned, bailed_out] = code.builder.inst_results(done) else {
                    return Err("a routine returns something else".into());
                };
                code.bail_if(bailed_out);
                Ok(returned)
            }
        }
    }

    /// Compiles a routine where it is called.
    pub(super) fn in_place(
        &mut self,
        code: &mut Code<'_>,
        number: usize,
        args: &[Value],
    ) -> Result<Value, CompileError> {
        if self.depth > 50 {
            return Err("routines are nested too deep".into());
        }
        let (unit, here) = (self.unit, (self.call, self.state));
        let (routine, facts) = (&unit.rules.routines[number], &unit.routines[number]);
        let mut inner =
            RuleScope::new(code, unit, self.linker, here, self.looking, &facts.slots, routine.frame.len(), true)?;
        inner.depth = self.depth + 1;
        let returned = inner.routine(code, number, args)?;
        inner.leave();
        Ok(returned)
    }

    /// The body of a routine in its own scope; what it returns.
    pub fn routine(&mut self, code: &mut Code<'_>, number: usize, args: &[Value]) -> Result<Value, CompileError> {
        let unit = self.unit;
        let (routine, facts) = (&unit.rules.routines[number], &unit.routines[number]);
        for (slot, (&argument, &place)) in args.iter().zip(&facts.params).enumerate() {
            let slot_registers = self.slots.get(slot).ok_or("there is no such slot")?;
            code.builder.def_var(if place { slot_registers.place } else { slot_registers.number }, argument);
        }
        self.fill_frame(code, &routine.frame);
        let returned = code.builder.declare_var(types::I32);
        let nothing = code.number(0);
        code.builder.def_var(returned, nothing);
        let exit = code.block();
        self.exit = Some((exit, Some(returned)));
        if self.block(code, &routine.body)? {
            let to = if routine.returns { code.bailout } else { exit };
            code.builder.ins().jump(to, &[]);
        }
        code.begin(exit);
        Ok(code.builder.use_var(returned))
    }
}

/// Checks that there is stack left for a recursive routine and its callees, and counts the nesting of calls as the
/// interpreter does. Returns the depth before this call.
fn enter_call(code: &mut Code<'_>, call: Value, levels: u32, most_levels: u32) -> Value {
    let stack = code.builder.ins().get_stack_pointer(POINTER);
    let limit = code.builder.ins().load(POINTER, own_memory(), call, rule_call::STACK);
    let beyond = code.builder.ins().icmp(IntCC::UnsignedLessThan, stack, limit);
    code.bail_if(beyond);
    let depth = code.builder.ins().load(types::I32, own_memory(), call, rule_call::DEPTH);
    let levels = code.number(levels as i32);
    let deeper = code.builder.ins().iadd(depth, levels);
    code.bail_unless_below(deeper, most_levels);
    code.builder.ins().store(own_memory(), deeper, call, rule_call::DEPTH);
    depth
}
