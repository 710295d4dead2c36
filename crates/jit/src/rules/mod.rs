//! Machine code for the rules of a program.
//!
//! Rules that start from everywhere are compiled in groups, those of an automaton by its location. `guard.rs` has the
//! tests of a rule and the loops over its parameters, `statements.rs` its body, `successor.rs` the entry of the step.

mod call_plan;
mod compiled;
mod facts;
mod guard;
mod linker;
mod loops;
mod masks;
mod routine;
mod rule_call;
mod scope;
mod statements;
mod successor;

use crate::GoesOn;
use crate::code::{Code, CompileError};
use crate::engine::{Effort, Engine, ExecutableCode, POINTER};
use compiled::{CompiledRules, LevelCode, LocationCode};
use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::{Type, Value, types};
use cranelift_module::FuncId;
use guard::{led_by, one_by_one};
use linker::Linker;
use scope::{CompilationUnit, Helpers, RuleScope};
use std::sync::Arc;
use tightrope_ir::effects::operations::{weight, weight_of};
use tightrope_ir::rule::{Dispatch, NativeRules, PriorityLevel};
use tightrope_ir::{Program, Rule, RuleSet, Test};

/// Rules that are no larger than this together are compiled as one function.
const TOGETHER: u32 = 250;

/// Models that are larger than this are compiled quickly instead of well.
const LARGE: u32 = 30_000;

/// Models that are larger than this are not compiled: it would take longer than most of them run.
const TOO_LARGE: u32 = 2_000_000;

/// Models with a rule or a routine that is larger than this are not compiled: each is one function.
const MAX_WEIGHT: u32 = 20_000;

/// Models with more routines than this are not compiled: building the call graph would take long.
const MAX_ROUTINES: usize = 10_000;

/// Compiles the rules of a program. The error says why it cannot be done.
pub(crate) fn compile(program: &Program, goes_on: GoesOn<'_>) -> Result<Arc<dyn NativeRules>, String> {
    let Some(rules) = &program.rules else { return Err("it is not made of rules".into()) };
    let of_rules = rules.rules.iter().map(weight_of_rule);
    let of_routines = rules.routines.iter().map(|routine| weight(&routine.body));
    let weight: u32 = of_rules.chain(of_routines).fold(0, u32::saturating_add);
    if weight > TOO_LARGE {
        return Err(format!("it is too large to be compiled ({} rules)", rules.rules.len()));
    }
    let largest =
        rules.rules.iter().map(weight_of_rule).chain(rules.routines.iter().map(|routine| self::weight(&routine.body)));
    if largest.max().is_some_and(|largest| largest > MAX_WEIGHT) {
        return Err("a rule or a routine of it is too large to be compiled".into());
    }
    if rules.routines.len() > MAX_ROUTINES {
        return Err(format!("it is too large to be compiled ({} functions and procedures)", rules.routines.len()));
    }
    let effort = if weight > LARGE { Effort::Little } else { Effort::Full };
    let mut compiler = RuleCompiler::new(program, rules, effort, goes_on)?;
    compiler.routines()?;
    let dispatch = Dispatch::new(rules);
    let mut levels = Vec::new();
    for level in &dispatch.levels {
        levels.push(compiler.level(level, &dispatch)?);
    }
    let check = compiler.invariants()?;
    compiler.finish(levels, check)
}

fn weight_of_rule(rule: &Rule) -> u32 {
    let tests = rule.tests.iter().map(|(_, test)| match test {
        Test::True(expr) => weight_of(expr),
        Test::Bind(..) => 5,
    });
    tests.sum::<u32>() + weight(&rule.body) + 10
}

/// Makes functions.
struct RuleCompiler<'a> {
    engine: Engine<'a>,
    unit: CompilationUnit<'a>,
    count: usize,
}

/// The parameters of a function of rules: the call record and the state.
const PARAMS: &[Type] = &[POINTER, POINTER];

impl<'a> RuleCompiler<'a> {
    fn new(
        program: &Program,
        rules: &'a RuleSet,
        effort: Effort,
        goes_on: GoesOn<'a>,
    ) -> Result<RuleCompiler<'a>, CompileError> {
        let helpers = [
            ("grow", rule_call::grow as *const u8),
            ("copy", rule_call::copy as *const u8),
            ("sort", rule_call::sort as *const u8),
            ("insert", rule_call::insert as *const u8),
        ];
        let mut engine = Engine::new(&helpers, effort, goes_on)?;
        let routines = facts::of_routines(rules)?;
        let signature = engine.signature(&[POINTER], &[]);
        let grow = engine.import("grow", &signature)?;
        let signature = engine.signature(&[POINTER; 3], &[]);
        let (copy, sort) = (engine.import("copy", &signature)?, engine.import("sort", &signature)?);
        let signature = engine.signature(&[POINTER; 4], &[types::I32]);
        let insert = engine.import("insert", &signature)?;
        let helpers = Helpers { grow, copy, sort, insert };
        let size = u32::try_from(program.fixed.len()).map_err(|_| "its states are too large")?;
        let unit = CompilationUnit { rules, functions: vec![None; routines.len()], routines, helpers, size };
        for rule in &rules.rules {
            rule.tests.iter().try_for_each(|(_, test)| facts::only_looks(&unit.routines, test))?;
        }
        for invariant in &rules.invariants {
            invariant.tests.iter().try_for_each(|test| facts::only_looks(&unit.routines, test))?;
        }
        Ok(RuleCompiler { engine, unit, count: 0 })
    }

    /// A function of the call record and the state that is filled by `build`.
    fn function(
        &mut self,
        build: impl FnOnce(&mut Code<'_>, &CompilationUnit<'a>, &mut Linker<'_>, (Value, Value)) -> Result<(), CompileError>,
    ) -> Result<FuncId, CompileError> {
        let signature = self.engine.signature(PARAMS, &[types::I32]);
        let function = self.engine.declare(&format!("rules {}", self.count), &signature)?;
        self.count += 1;
        let unit = &self.unit;
        self.engine.define(function, &signature, 1, |code, module| {
            let args = params_of(code);
            build(code, unit, &mut Linker::new(module), (args[0], args[1]))?;
            let fine = code.number(0);
            code.builder.ins().return_(&[fine]);
            Ok(())
        })?;
        Ok(function)
    }

    fn level(&mut self, level: &PriorityLevel, dispatch: &Dispatch) -> Result<LevelCode<FuncId>, CompileError> {
        let rules = self.unit.rules;
        let mut anywhere = Vec::new();
        let mut at = 0;
        while at < level.anywhere.len() {
            let mut weight = 0;
            let mut end = at;
            while let Some(&number) = level.anywhere.get(end) {
                weight += weight_of_rule(&rules.rules[number as usize]);
                if end > at && weight > TOGETHER {
                    break;
                }
                end += 1;
            }
            let some = &level.anywhere[at..end];
            anywhere.push(self.function(|code, unit, linker, here| one_by_one(code, unit, linker, here, some))?);
            at = end;
        }
        let mut by_location = Vec::new();
        for (automaton, locations) in rules.automata.iter().zip(&level.by_location) {
            let mut units = Vec::new();
            for (groups, location) in locations.iter().zip(&automaton.locations) {
                let function = if groups.is_empty() {
                    None
                } else {
                    Some(self.function(|code, unit, linker, here| {
                        groups.iter().try_for_each(|group| led_by(code, unit, linker, here, group, dispatch))
                    })?)
                };
                units.push(LocationCode { function, while_committed: automaton.passive || location.committed });
            }
            by_location.push((automaton.offset as usize, automaton.repr, units));
        }
        Ok(LevelCode { anywhere, by_location })
    }

    /// Whether all invariants hold.
    fn invariants(&mut self) -> Result<Option<FuncId>, CompileError> {
        let rules = self.unit.rules;
        if rules.invariants.is_empty() {
            return Ok(None);
        }
        let function = self.function(|code, unit, linker, here| {
            for invariant in &rules.invariants {
                let facts = facts::of_invariant(invariant);
                let mut scope = RuleScope::new(code, unit, linker, here, true, &facts, invariant.frame.len(), false)?;
                scope.fill_frame(code, &invariant.frame);
                let broken = code.bailout;
                invariant.tests.iter().try_for_each(|test| scope.test(code, test, broken))?;
                scope.leave();
            }
            Ok(())
        })?;
        Ok(Some(function))
    }

    fn finish(
        self,
        levels: Vec<LevelCode<FuncId>>,
        check: Option<FuncId>,
    ) -> Result<Arc<dyn NativeRules>, CompileError> {
        let machine: ExecutableCode = self.engine.finish()?;
        Ok(Arc::new(CompiledRules::new(machine, levels, check, self.unit.size as usize)))
    }
}

fn params_of(code: &Code<'_>) -> Vec<Value> {
    let entry = code.builder.current_block();
    entry.map(|entry| code.builder.block_params(entry).to_vec()).unwrap_or_default()
}
