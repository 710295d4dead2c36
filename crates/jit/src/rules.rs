//! Machine code for the rules of a program.

use crate::GoesOn;
use crate::calls;
use crate::code::{Address, Code, Failed};
use crate::engine::{Effort, Engine, Machine, POINTER};
use crate::facts::{self, SlotFacts};
use crate::masks::{Masks, Question};
use crate::native::{Compiled, Level, Unit};
use crate::run;
use crate::scope::{Helpers, LONG, Linker, Scope, Set, own_memory};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Type, Value, types};
use cranelift_frontend::{Switch, Variable as Register};
use cranelift_module::FuncId;
use std::mem::offset_of;
use std::sync::Arc;
use tightrope_core::Successor;
use tightrope_ir::dispatch::{Dispatch, Group};
use tightrope_ir::effects::parts::{weight, weight_of};
use tightrope_ir::{NativeRules, Parameter, Program, Rule, RuleSet, Test};

/// Rules that are no larger than this together are compiled as one function.
const TOGETHER: u32 = 250;
/// Models that are larger than this are compiled quickly instead of well.
const LARGE: u32 = 30_000;
/// Models that are larger than this are not compiled: it would take longer than most of them run.
const TOO_LARGE: u32 = 2_000_000;
/// Models with a rule or a routine that is larger than this are not compiled: each is one function.
const MAX_WEIGHT: u32 = 20_000;
/// Models with more routines than this are not compiled: reading who calls whom would take long.
const MAX_ROUTINES: usize = 10_000;

/// Compiles the rules of a program. The error says why it cannot be done.
pub(crate) fn rules(program: &Program, goes_on: GoesOn<'_>) -> Result<Arc<dyn NativeRules>, String> {
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
    let mut maker = Maker::new(program, rules, effort, goes_on)?;
    maker.routines()?;
    let dispatch = Dispatch::new(rules);
    let mut levels = Vec::new();
    for level in &dispatch.levels {
        levels.push(maker.level(level, &dispatch)?);
    }
    let check = maker.invariants()?;
    maker.finish(levels, check)
}

fn weight_of_rule(rule: &Rule) -> u32 {
    let tests = rule.tests.iter().map(|(_, test)| match test {
        Test::True(expr) => weight_of(expr),
        Test::Bind(..) => 5,
    });
    tests.sum::<u32>() + weight(&rule.body) + 10
}

/// Makes functions.
struct Maker<'a> {
    engine: Engine<'a>,
    set: Set<'a>,
    count: usize,
}

/// What a function of rules is called with: the run and the state.
const PARAMS: &[Type] = &[POINTER, POINTER];

impl<'a> Maker<'a> {
    fn new(program: &Program, rules: &'a RuleSet, effort: Effort, goes_on: GoesOn<'a>) -> Result<Maker<'a>, Failed> {
        let helpers = [
            ("grow", run::grow as *const u8),
            ("copy", run::copy as *const u8),
            ("sort", run::sort as *const u8),
            ("insert", run::insert as *const u8),
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
        let set = Set { rules, functions: vec![None; routines.len()], routines, helpers, size };
        for rule in &rules.rules {
            rule.tests.iter().try_for_each(|(_, test)| facts::only_looks(&set.routines, test))?;
        }
        for invariant in &rules.invariants {
            invariant.tests.iter().try_for_each(|test| facts::only_looks(&set.routines, test))?;
        }
        Ok(Maker { engine, set, count: 0 })
    }

    /// Declares all routines that are functions of their own, then defines them.
    fn routines(&mut self) -> Result<(), Failed> {
        let rules = self.set.rules;
        let results = [types::I32, types::I32];
        let mut signatures = Vec::new();
        let plan = calls::plan(rules, &self.set.routines)?;
        for (number, facts) in self.set.routines.iter().enumerate() {
            let mut params = PARAMS.to_vec();
            params.extend(facts.params.iter().map(|&place| if place { POINTER } else { types::I32 }));
            let signature = self.engine.signature(&params, &results);
            if !plan.in_place[number] {
                let function = self.engine.declare(&format!("routine {number}"), &signature)?;
                if facts.recursive {
                    self.engine.checks_stack(function);
                }
                self.set.functions[number] = Some(function);
            }
            signatures.push(signature);
        }
        for (number, signature) in signatures.iter().enumerate() {
            let Some(function) = self.set.functions[number] else { continue };
            let (set, facts) = (&self.set, &self.set.routines[number]);
            let frame = rules.routines[number].frame.len();
            self.engine.define(function, signature, 1, |code, module| {
                let args = params_of(code);
                let mut linker = Linker::new(module);
                let depth = facts.recursive.then(|| enter_call(code, args[0], plan.levels[number], plan.most_levels));
                let mut scope =
                    Scope::new(code, set, &mut linker, (args[0], args[1]), false, &facts.slots, frame, true)?;
                let returned = scope.routine(code, number, &args[2..])?;
                if let Some(depth) = depth {
                    code.builder.ins().store(own_memory(), depth, args[0], run::DEPTH);
                }
                let fine = code.number(0);
                code.builder.ins().return_(&[returned, fine]);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// A function of the run and the state that is filled by `build`.
    fn function(
        &mut self,
        build: impl FnOnce(&mut Code<'_>, &Set<'a>, &mut Linker<'_>, (Value, Value)) -> Result<(), Failed>,
    ) -> Result<FuncId, Failed> {
        let signature = self.engine.signature(PARAMS, &[types::I32]);
        let function = self.engine.declare(&format!("rules {}", self.count), &signature)?;
        self.count += 1;
        let set = &self.set;
        self.engine.define(function, &signature, 1, |code, module| {
            let args = params_of(code);
            build(code, set, &mut Linker::new(module), (args[0], args[1]))?;
            let fine = code.number(0);
            code.builder.ins().return_(&[fine]);
            Ok(())
        })?;
        Ok(function)
    }

    fn level(&mut self, level: &tightrope_ir::dispatch::Level, dispatch: &Dispatch) -> Result<Level<FuncId>, Failed> {
        let rules = self.set.rules;
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
            anywhere.push(self.function(|code, set, linker, here| one_by_one(code, set, linker, here, some))?);
            at = end;
        }
        let mut led = Vec::new();
        for (automaton, by_location) in rules.automata.iter().zip(&level.led) {
            let mut units = Vec::new();
            for (groups, spot) in by_location.iter().zip(&automaton.locations) {
                let function = if groups.is_empty() {
                    None
                } else {
                    Some(self.function(|code, set, linker, here| {
                        groups.iter().try_for_each(|group| led_by(code, set, linker, here, group, dispatch))
                    })?)
                };
                units.push(Unit { function, while_pressed: automaton.along || spot.urgent });
            }
            led.push((automaton.offset as usize, automaton.repr, units));
        }
        Ok(Level { anywhere, led })
    }

    /// Whether all invariants hold.
    fn invariants(&mut self) -> Result<Option<FuncId>, Failed> {
        let rules = self.set.rules;
        if rules.invariants.is_empty() {
            return Ok(None);
        }
        let function = self.function(|code, set, linker, here| {
            for invariant in &rules.invariants {
                let facts = facts::of_invariant(invariant);
                let mut scope = Scope::new(code, set, linker, here, true, &facts, invariant.frame.len(), false)?;
                scope.fill_frame(code, &invariant.frame);
                let broken = code.trouble;
                invariant.tests.iter().try_for_each(|test| scope.test(code, test, broken))?;
                scope.leave();
            }
            Ok(())
        })?;
        Ok(Some(function))
    }

    fn finish(self, levels: Vec<Level<FuncId>>, check: Option<FuncId>) -> Result<Arc<dyn NativeRules>, Failed> {
        let machine: Machine = self.engine.finish()?;
        Ok(Arc::new(Compiled::new(machine, levels, check, self.set.size as usize)))
    }
}

fn params_of(code: &Code<'_>) -> Vec<Value> {
    let entry = code.builder.current_block();
    entry.map(|entry| code.builder.block_params(entry).to_vec()).unwrap_or_default()
}

/// Makes sure that there is stack left for a recursive routine and what it calls, and counts how deep calls are nested,
/// as the interpreter does; the depth before this one.
fn enter_call(code: &mut Code<'_>, run: Value, levels: u32, most_levels: u32) -> Value {
    let stack = code.builder.ins().get_stack_pointer(POINTER);
    let limit = code.builder.ins().load(POINTER, own_memory(), run, run::STACK);
    let beyond = code.builder.ins().icmp(IntCC::UnsignedLessThan, stack, limit);
    code.trouble_if(beyond);
    let depth = code.builder.ins().load(types::I32, own_memory(), run, run::DEPTH);
    let levels = code.number(levels as i32);
    let deeper = code.builder.ins().iadd(depth, levels);
    code.trouble_unless_below(deeper, most_levels);
    code.builder.ins().store(own_memory(), deeper, run, run::DEPTH);
    depth
}

/// Rules that start from anywhere.
fn one_by_one(
    code: &mut Code<'_>,
    set: &Set<'_>,
    linker: &mut Linker<'_>,
    here: (Value, Value),
    mut numbers: &[u32],
) -> Result<(), Failed> {
    let rule = |number: u32| &set.rules.rules[number as usize];
    while let Some(&first) = numbers.first() {
        let question = Question::of(rule(first));
        let is_like = |&&number: &&u32| match (&question, Question::of(rule(number))) {
            (Some(one), Some(other)) => one.is_like(&other),
            _ => false,
        };
        let alike = numbers.iter().take_while(is_like).count().max(1);
        let (these, others) = numbers.split_at(alike);
        let masks = match &question {
            Some(question) if Masks::pay(question, alike) => {
                let facts = facts::of_rule(rule(first));
                let mut scope = Scope::new(code, set, linker, here, true, &facts, 0, false)?;
                Some(Masks::new(code, &mut scope, question)?)
            }
            _ => None,
        };
        for &number in these {
            let mask = match (&masks, Question::of(rule(number))) {
                (Some(masks), Some(question)) => Some(masks.of(code, &question)),
                _ => None,
            };
            match mask {
                Some(mask) => {
                    let (some, none) = (code.block(), code.block());
                    code.builder.ins().brif(mask, some, &[], none, &[]);
                    code.begin(some);
                    whole_rule(code, set, linker, here, number, Skip::Answered(mask))?;
                    code.builder.ins().jump(none, &[]);
                    code.begin(none);
                }
                None => whole_rule(code, set, linker, here, number, Skip::Tests(0))?,
            }
        }
        numbers = others;
    }
    Ok(())
}

/// What need not be asked.
#[derive(Clone, Copy)]
enum Skip {
    /// So many tests.
    Tests(usize),
    /// The first test: these are the positions of the first parameter's values that pass it, at least one.
    Answered(Value),
}

/// The rules of a group, as far as the automaton that leads them is where they start.
fn led_by(
    code: &mut Code<'_>,
    set: &Set<'_>,
    linker: &mut Linker<'_>,
    here: (Value, Value),
    group: &Group,
    dispatch: &Dispatch,
) -> Result<(), Failed> {
    let end = code.block();
    match group {
        Group::Single(number) => {
            is_at(code, set, here, *number, 1, dispatch, end);
            whole_rule(code, set, linker, here, *number, Skip::Tests(0))?;
        }
        Group::Joint { any, partners } => {
            let rule = &set.rules.rules[*any as usize];
            if let Some((_, first)) = rule.tests.first() {
                let facts = facts::of_rule(rule);
                let mut scope = Scope::new(code, set, linker, here, true, &facts, rule.frame.len(), false)?;
                if facts::uses_frame(rule).0 {
                    scope.fill_frame(code, &rule.frame);
                }
                scope.test(code, first, end)?;
                scope.leave();
            }
            for (second, by_location) in partners {
                let location = location(code, set, here, *second);
                let next = code.block();
                let mut switch = Switch::new();
                let mut spots = Vec::new();
                for (spot, candidates) in by_location.iter().enumerate().filter(|(_, list)| !list.is_empty()) {
                    let block = code.block();
                    switch.set_entry(spot as u128, block);
                    spots.push((block, candidates));
                }
                switch.emit(&mut code.builder, location, next);
                for (block, candidates) in spots {
                    code.begin(block);
                    for &number in candidates {
                        let on = code.block();
                        is_at(code, set, here, number, 2, dispatch, on);
                        whole_rule(code, set, linker, here, number, Skip::Tests(1))?;
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
fn location(code: &mut Code<'_>, set: &Set<'_>, (_, state): (Value, Value), automaton: u32) -> Value {
    let automaton = &set.rules.automata[automaton as usize];
    code.load(automaton.repr, Address { base: state, offset: automaton.offset as i32, constant: true })
}

/// Control goes on if a rule may make a step, by where the automata are, else to `no`.
fn is_at(
    code: &mut Code<'_>,
    set: &Set<'_>,
    here: (Value, Value),
    number: u32,
    skip: usize,
    dispatch: &Dispatch,
    no: Block,
) {
    let is_urgent = |spot: &tightrope_ir::Spot| spot.urgent;
    let urgency = set.rules.automata.iter().any(|automaton| automaton.locations.iter().any(is_urgent));
    if urgency && !dispatch.urgent[number as usize] {
        let pressed = code.builder.ins().load(types::I32, own_memory(), here.0, run::PRESSED);
        let on = code.block();
        code.builder.ins().brif(pressed, no, &[], on, &[]);
        code.begin(on);
    }
    for &(automaton, spot) in set.rules.rules[number as usize].from.iter().skip(skip) {
        let location = location(code, set, here, automaton);
        let spot = code.number(spot as i32);
        let there = code.builder.ins().icmp(IntCC::Equal, location, spot);
        let on = code.block();
        code.builder.ins().brif(there, on, &[], no, &[]);
        code.begin(on);
    }
}

/// All steps of a rule.
fn whole_rule(
    code: &mut Code<'_>,
    set: &Set<'_>,
    linker: &mut Linker<'_>,
    here: (Value, Value),
    number: u32,
    skip: Skip,
) -> Result<(), Failed> {
    let rule = &set.rules.rules[number as usize];
    let facts: Vec<SlotFacts> = facts::of_rule(rule);
    let (by_tests, by_body) = facts::uses_frame(rule);
    let frame = if by_tests || by_body { rule.frame.len() } else { 0 };
    let mut scope = Scope::new(code, set, linker, here, true, &facts, frame, false)?;
    if by_tests {
        scope.fill_frame(code, &rule.frame);
    }
    let end = code.block();
    let mut steps = Steps { scope, rule, number, positions: Vec::new(), frame: frame > 0 };
    match skip {
        Skip::Tests(skip) => steps.descend(code, 0, skip, end)?,
        Skip::Answered(mask) => steps.select(code, mask, end)?,
    }
    steps.scope.leave();
    code.begin(end);
    Ok(())
}

/// The steps of a rule.
struct Steps<'s, 'a, 'm> {
    scope: Scope<'a, 'm>,
    rule: &'s Rule,
    number: u32,
    /// The positions of the parameters that have values so far.
    positions: Vec<Register>,
    /// There is a frame. The interpreter fills it anew before every body.
    frame: bool,
}

impl Steps<'_, '_, '_> {
    /// With values for so many parameters, after so many tests. All ways out lead to `out`.
    fn descend(&mut self, code: &mut Code<'_>, depth: usize, mut test: usize, out: Block) -> Result<(), Failed> {
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
        let position = code.builder.use_var(register);
        let one = code.number(1);
        let position = code.builder.ins().iadd(position, one);
        code.builder.def_var(register, position);
        let count = code.number(count);
        let more = code.builder.ins().icmp(IntCC::UnsignedLessThan, position, count);
        code.builder.ins().brif(more, head, &[], out, &[]);
        code.builder.seal_block(head);
        self.positions.pop();
        Ok(())
    }

    /// With those values for the first parameter whose positions are in a mask, after the first test.
    fn select(&mut self, code: &mut Code<'_>, mask: Value, out: Block) -> Result<(), Failed> {
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

    /// Makes the step.
    fn step(&mut self, code: &mut Code<'_>) -> Result<(), Failed> {
        let (set, run, from) = (self.scope.set, self.scope.run, self.scope.state);
        let next = code.builder.ins().load(POINTER, own_memory(), run, run::NEXT);
        let limit = code.builder.ins().load(POINTER, own_memory(), run, run::LIMIT);
        let full = code.builder.ins().icmp(IntCC::UnsignedGreaterThan, next, limit);
        let (grow, ready) = (code.block(), code.block());
        code.builder.set_cold_block(grow);
        let to = code.builder.append_block_param(ready, POINTER);
        code.builder.ins().brif(full, grow, &[], ready, &[BlockArg::Value(next)]);
        code.begin(grow);
        self.scope.help(code, set.helpers.grow, &[run]);
        let next = code.builder.ins().load(POINTER, own_memory(), run, run::NEXT);
        code.builder.ins().jump(ready, &[BlockArg::Value(next)]);
        code.begin(ready);
        let state = to;
        let source = Address { base: from, offset: 0, constant: true };
        self.scope.copy(code, Address { base: state, offset: 0, constant: false }, source, set.size);

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
        let size = code.wide(i64::from(set.size));
        let behind = code.builder.ins().iadd(to, size);
        code.builder.ins().store(own_memory(), behind, run, run::NEXT);
        self.enter(code, to, behind);
        Ok(())
    }

    /// Enters a successor.
    fn enter(&mut self, code: &mut Code<'_>, start: Value, end: Value) {
        let run = self.scope.run;
        let action = self.action(code);
        let mut field = |offset: i32| code.builder.ins().load(POINTER, own_memory(), run, offset);
        let (item, bytes, exercised) = (field(run::ITEM), field(run::BYTES), field(run::EXERCISED));
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
        code.builder.ins().store(own_memory(), item, run, run::ITEM);
        let one = code.number(1);
        code.builder.ins().istore8(own_memory(), one, exercised, self.number as i32);
    }

    /// The step's name: the rule, and the combination of its parameters.
    fn action(&mut self, code: &mut Code<'_>) -> Value {
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
    code.load(tightrope_core::Repr::I32, Address { base, offset: 0, constant: true })
}

const _: () = assert!(LONG >= 64, "copies in line pay for some bytes");
