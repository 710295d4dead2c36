//! From the resolved tree to a program of rules.

mod exprs;
mod layout;
mod stmts;
mod symmetry;

use crate::hir::{self, Binder, Domain, Expr, ExprKind, Slot, SlotKind, TypeId, Types};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tightrope_core::{FaultKind, Format, Schema};
use tightrope_ir::{self as ir, Fold, Parameter, Program, Quantified, RuleSet, Source, Test};
use tightrope_syntax::{Diagnostic, Diagnostics, SourceMap, Span};

/// The largest state that is accepted.
const MAX_BYTES: u64 = 1 << 22;

/// Lowers a model. Gives nothing if it cannot be represented; then `diags` says why.
pub fn lower(model: &hir::Model, sources: &SourceMap, diags: &mut Diagnostics) -> Option<Program> {
    let mut lower = Lower {
        model,
        types: &model.types,
        sources,
        rules: RuleSet { idle_is_stuck: true, ..RuleSet::default() },
        schema: Schema::default(),
        offsets: Vec::new(),
        sizes: FxHashMap::default(),
        value_names: layout::value_names(&model.types),
    };
    let mut bytes = 0;
    for (number, global) in model.globals.iter().enumerate() {
        let size = lower.size(global.ty);
        if bytes + size > MAX_BYTES {
            let message = format!("`{}` makes the state larger than {} MiB", global.name, MAX_BYTES >> 20);
            diags.push(Diagnostic::error(message).at(global.span, "declared here"));
            return None;
        }
        lower.offsets.push(bytes as u32);
        lower.fields(&global.name, global.ty, bytes as u32, number as u32);
        bytes += size;
    }
    lower.schema.fixed_size = bytes as u32;
    lower.rules.symmetry = lower.symmetry();
    for routine in &model.routines {
        let routine = lower.routine(routine);
        lower.rules.routines.push(routine);
    }
    for start in &model.start_states {
        let rule = lower.rule(&start.name, &start.binders, None, &start.slots, &start.body, start.span);
        lower.rules.starts.push(rule);
    }
    for rule in &model.rules {
        let mut lowered =
            lower.rule(&rule.name, &rule.binders, rule.guard.as_ref(), &rule.slots, &rule.body, rule.span);
        // Murphi prefers the least number.
        lowered.priority = rule.priority.saturating_neg();
        lower.rules.rules.push(lowered);
    }
    // Rules are tried as CMurphi tries them, the last one first, so that a search that stops at an error has seen as much.
    lower.rules.rules.reverse();
    lower.rules.rules.sort_by_key(|rule| std::cmp::Reverse(rule.priority));
    match &model.goal {
        Some(goal) => {
            // With a goal, nothing else is checked: a violated invariant would hide the goal in the same state.
            let goal = lower.goal(goal);
            lower.rules.invariants.push(goal);
        }
        None => {
            for invariant in &model.invariants {
                let invariant = lower.invariant(invariant);
                lower.rules.invariants.push(invariant);
            }
        }
    }
    for rule in lower.rules.rules.iter().chain(&lower.rules.starts) {
        let combinations = rule.params.iter().map(Parameter::count).try_fold(1u64, u64::checked_mul);
        if combinations.is_none_or(|count| count >= 1 << 40) {
            let message = format!("the rule \"{}\" has too many combinations of parameters", rule.name);
            diags.push(Diagnostic::error(message));
            return None;
        }
    }
    let program = Program {
        files: sources.paths().map(|path| path.display().to_string()).collect(),
        schema: lower.schema.into(),
        globals: model.globals.iter().map(|global| global.name.clone()).collect(),
        fixed: vec![0; bytes as usize],
        rules: Some(lower.rules),
        ..Program::default()
    };
    if let Err(why) = ir::validate(&program) {
        diags.push(Diagnostic::error(format!("the model cannot be represented: {why}")));
        return None;
    }
    Some(program)
}

struct Lower<'m> {
    model: &'m hir::Model,
    types: &'m Types,
    sources: &'m SourceMap,
    rules: RuleSet,
    schema: Schema,
    /// The places of the globals.
    offsets: Vec<u32>,
    sizes: FxHashMap<TypeId, u64>,
    value_names: Arc<[String]>,
}

/// Where a slot is stored at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SlotStorage {
    /// In the slot of the same number: a value.
    Number,
    /// In the slot of the same number: a place.
    Reference,
    /// In memory.
    Memory(u32),
}

/// A rule or routine being lowered.
struct Body<'m> {
    slots: &'m [Slot],
    storage: Vec<SlotStorage>,
    frame: Vec<u8>,
}

impl<'m> Lower<'m> {
    fn body(&mut self, slots: &'m [Slot]) -> Body<'m> {
        let mut body = Body { slots, storage: Vec::new(), frame: Vec::new() };
        for slot in slots {
            let storage = match slot.kind {
                SlotKind::ValueParam | SlotKind::VarParam => SlotStorage::Reference,
                SlotKind::Local => SlotStorage::Memory(self.reserve(&mut body, slot.ty)),
                SlotKind::Counter | SlotKind::Element | SlotKind::Let => SlotStorage::Number,
            };
            body.storage.push(storage);
        }
        body
    }

    fn routine(&mut self, routine: &'m hir::Routine) -> ir::Routine {
        let mut body = self.body(&routine.slots);
        let block = self.block(&routine.body, &mut body);
        ir::Routine {
            name: routine.name.clone(),
            slots: routine.slots.len() as u32,
            frame: body.frame,
            body: block,
            returns: routine.returns.is_some(),
        }
    }

    fn rule(
        &mut self,
        name: &str,
        binders: &[Binder],
        guard: Option<&Expr>,
        slots: &'m [Slot],
        stmts: &[hir::Stmt],
        span: Span,
    ) -> ir::Rule {
        let mut body = self.body(slots);
        let mut params: Vec<Parameter> = Vec::new();
        let mut tests: Vec<(u32, Test)> = Vec::new();
        // As in CMurphi the outermost parameter runs fastest, unless something is bound in between.
        let mut binders: Vec<&Binder> = binders.iter().collect();
        if binders.iter().all(|binder| matches!(binder, Binder::Each(..))) {
            binders.reverse();
        }
        // How many parameters must have a value before a slot has one.
        let mut levels: FxHashMap<u32, u32> = FxHashMap::default();
        for binder in binders {
            match binder {
                Binder::Each(slot, domain) => {
                    let (ranges, format) = self.parameter(domain, slots[*slot as usize].ty);
                    params.push(Parameter { name: slots[*slot as usize].name.clone(), slot: *slot, ranges, format });
                    levels.insert(*slot, params.len() as u32);
                }
                Binder::Choose(slot, multiset) => {
                    let count = self.multiset(multiset.ty).count as i32;
                    let (ranges, format) = (vec![(0, count - 1, 1)], Format::Number);
                    params.push(Parameter { name: slots[*slot as usize].name.clone(), slot: *slot, ranges, format });
                    levels.insert(*slot, params.len() as u32);
                    let used = self.used(multiset, ir::Expr::Slot(*slot), &mut body);
                    tests.push((params.len() as u32, Test::True(used)));
                }
                Binder::Let(slot, value) => {
                    let value = self.expr(value, &mut body);
                    let value = self.bounded(value, slots[*slot as usize].ty);
                    levels.insert(*slot, params.len() as u32);
                    tests.push((params.len() as u32, Test::Bind(*slot, ir::Argument::Value(value))));
                }
            }
        }
        // The parts of the guard, each as early as it can be tried without changing their order.
        let mut parts = Vec::new();
        if let Some(guard) = guard {
            conjuncts(guard, &mut parts);
        }
        let mut level = 0;
        for part in parts {
            let part = self.expr(part, &mut body);
            part.walk(&mut |expr| {
                if let ir::Expr::Slot(slot) = expr {
                    level = level.max(levels.get(slot).copied().unwrap_or(0));
                }
            });
            tests.push((level, Test::True(part)));
        }
        tests.sort_by_key(|(level, _)| *level);
        let block = self.block(stmts, &mut body);
        ir::Rule {
            name: name.to_string(),
            params,
            slots: slots.len() as u32,
            frame: body.frame,
            tests,
            body: block,
            source: self.source(span),
            ..ir::Rule::default()
        }
    }

    fn parameter(&mut self, domain: &Domain, ty: TypeId) -> (Vec<(i32, i32, i32)>, Format) {
        match domain {
            Domain::All(ty) => {
                let ranges = self.types.ranges(*ty).into_iter().map(|(low, high)| (low, high, 1)).collect();
                (ranges, self.value_format(*ty))
            }
            Domain::Steps(low, high, step) => {
                let (low, high) = (low.as_const().unwrap_or(0), high.as_const().unwrap_or(-1));
                (vec![(low, high, *step)], self.value_format(ty))
            }
        }
    }

    fn invariant(&mut self, invariant: &'m hir::Invariant) -> ir::Invariant {
        let mut body = self.body(&invariant.slots);
        let mut condition = self.expr(&invariant.condition, &mut body);
        for binder in invariant.binders.iter().rev() {
            let once = |slot: u32, low: ir::Expr, high: ir::Expr, body: ir::Expr| {
                ir::Expr::Quantified(Box::new(Quantified {
                    fold: Fold::All,
                    slot,
                    low,
                    high,
                    step: 1,
                    every: false,
                    body,
                }))
            };
            condition = match binder {
                Binder::Each(slot, domain) => self.over(Fold::All, *slot, domain, condition, &mut body),
                Binder::Choose(slot, multiset) => {
                    let used = self.used(multiset, ir::Expr::Slot(*slot), &mut body);
                    let unused = ir::Expr::Unary(ir::Unary::Not, Box::new(used));
                    let condition = ir::Expr::Either(Box::new(unused), Box::new(condition));
                    let high = ir::Expr::Const(self.multiset(multiset.ty).count as i32 - 1);
                    once(*slot, ir::Expr::Const(0), high, condition)
                }
                Binder::Let(slot, value) => {
                    // A range of one value: the slot has it while the condition is evaluated.
                    let value = self.expr(value, &mut body);
                    let value = self.bounded(value, body.slots[*slot as usize].ty);
                    once(*slot, value.clone(), value, condition)
                }
            };
        }
        ir::Invariant {
            name: invariant.name.clone(),
            slots: invariant.slots.len() as u32,
            frame: body.frame,
            tests: vec![Test::True(condition)],
            source: self.source(invariant.span),
            fault: None,
        }
    }

    /// A goal is lowered as an invariant: its negation.
    fn goal(&mut self, goal: &'m hir::Goal) -> ir::Invariant {
        let mut body = self.body(&goal.slots);
        let holds = self.expr(&goal.condition, &mut body);
        ir::Invariant {
            name: goal.text.clone(),
            slots: goal.slots.len() as u32,
            frame: body.frame,
            tests: vec![Test::True(ir::Expr::Unary(ir::Unary::Not, Box::new(holds)))],
            source: Source::default(),
            fault: Some((FaultKind::Goal, format!("the goal is reached: {}", goal.text))),
        }
    }

    fn source(&self, span: Span) -> Source {
        Source { file: span.file.0, line: self.sources.line_col(span).0 }
    }
}

/// The parts of a condition that must all be true, in order.
fn conjuncts<'e>(expr: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Binary(hir::Binary::And, operands) => {
            conjuncts(&operands.0, parts);
            conjuncts(&operands.1, parts);
        }
        _ => parts.push(expr),
    }
}
