//! What must be true of rules before they are run.
//!
//! Machine code does not look again at any of this: an offset beyond the end of the state, or of the memory of a rule, would
//! be somebody else's memory there.

use crate::rule_places::{self, Places, To};
use crate::rules::{Automaton, Does, Piece, Rule, RuleSet, Stmt, Test};
use crate::validate::ty;
use crate::{Argument, Base, Call, Domain, Expr, Multiset, Program, Variable};
use std::cell::RefCell;

/// The most rules: a step's name has room for their numbers.
const MAX_RULES: usize = 1 << 24;
/// The most combinations of the values of a rule's parameters, for the same reason.
const MAX_COMBINATIONS: u128 = 1 << 40;

/// The first thing that is wrong with the rules of a program, in words.
pub fn validate(program: &Program, rules: &RuleSet) -> Result<(), String> {
    let fixed = program.fixed.len();
    if rules.failed.as_ref().is_some_and(|failed| failed.len() != fixed) {
        return Err("the state after a failure has another size".into());
    }
    for automaton in &rules.automata {
        if automaton.offset as usize + automaton.repr.size() > fixed || automaton.locations.is_empty() {
            return Err(format!("`{}` is nowhere in the state, or has no locations", automaton.name));
        }
    }
    let is_at_none =
        |automaton: &Automaton, state: &[u8]| automaton.location(state) as usize >= automaton.locations.len();
    let is_told = |failed: &[u8]| rules.automata.iter().any(|automaton| is_at_none(automaton, failed));
    if rules.failed.as_deref().is_some_and(|failed| !is_told(failed)) {
        return Err("the state after a failure is like others: every automaton is at one of its locations".into());
    }
    if rules.rules.len() > MAX_RULES || !rules.rules.is_sorted_by_key(|rule| std::cmp::Reverse(rule.priority)) {
        return Err("rules do not come by priority, or are too many".into());
    }
    for multiset in &rules.multisets {
        let end = u64::from(multiset.offset) + u64::from(multiset.size) * u64::from(multiset.count);
        if multiset.size == 0 || end > fixed as u64 {
            return Err(format!("a multiset ends at byte {end} of {fixed}, or its slots have no bytes"));
        }
    }
    let ranges_are_fine = |ranges: &Vec<(i32, i32)>| {
        let count: i64 = ranges.iter().map(|&(low, high)| i64::from(high) - i64::from(low) + 1).sum();
        ranges.iter().all(|(low, high)| low <= high) && count <= i64::from(i32::MAX)
    };
    if !rules.unions.iter().all(ranges_are_fine) {
        return Err("a union of ranges that are empty, or have too many values".into());
    }
    let calls = calls(rules);
    let params = rule_places::parameters(rules, &calls)?;
    let scope = |slots: u32, frame: &[u8], params: &[bool]| Scope {
        fixed,
        rules,
        slots,
        frame: frame.len(),
        places: RefCell::new(Places::of_routine(params)),
    };
    let mut places = Vec::new();
    for (routine, params) in rules.routines.iter().zip(&params) {
        let scope = scope(routine.slots, &routine.frame, params);
        scope.block(&routine.body).map_err(|why| format!("`{}`: {why}", routine.name))?;
        places.push(scope.places.into_inner());
    }
    for rule in rules.starts.iter().chain(&rules.rules) {
        let scope = scope(rule.slots, &rule.frame, &[]);
        scope.rule(rule).map_err(|why| format!("`{}`: {why}", rule.name))?;
        places.push(scope.places.into_inner());
    }
    for invariant in &rules.invariants {
        let scope = scope(invariant.slots, &invariant.frame, &[]);
        let tested = invariant.tests.iter().try_for_each(|test| scope.test(test));
        tested.map_err(|why| format!("`{}`: {why}", invariant.name))?;
        places.push(scope.places.into_inner());
    }
    let frames = rules.routines.iter().map(|routine| routine.frame.len());
    let frames = frames.chain(rules.starts.iter().chain(&rules.rules).map(|rule| rule.frame.len()));
    let frames = frames.chain(rules.invariants.iter().map(|invariant| invariant.frame.len()));
    let most = frames.max().unwrap_or(0).max(fixed);
    if most > i32::MAX as usize {
        return Err("local variables or states are too large".into());
    }
    rule_places::check(&places, most as u64)
}

/// All calls there are.
fn calls(rules: &RuleSet) -> Vec<&Call> {
    let mut calls = Vec::new();
    fn of_expr<'a>(expr: &'a Expr, calls: &mut Vec<&'a Call>) {
        expr.walk(&mut |expr| {
            if let Expr::Call(call) = expr {
                calls.push(call);
            }
        });
    }
    fn of_block<'a>(stmts: &'a [Stmt], calls: &mut Vec<&'a Call>) {
        for stmt in stmts {
            each_inside(&stmt.does, &mut |inside| match inside {
                Inside::Expr(expr) => of_expr(expr, calls),
                Inside::Variable(variable) => variable.indices.iter().for_each(|index| of_expr(&index.value, calls)),
                Inside::Call(call) => {
                    call.walk(&mut |expr| {
                        if let Expr::Call(call) = expr {
                            calls.push(call);
                        }
                    });
                    calls.push(call);
                }
                Inside::Block(block) => of_block(block, calls),
            });
        }
    }
    fn of_test<'a>(test: &'a Test, calls: &mut Vec<&'a Call>) {
        match test {
            Test::True(expr) | Test::Bind(_, Argument::Value(expr)) => of_expr(expr, calls),
            Test::Bind(_, Argument::Place(variable)) => {
                variable.indices.iter().for_each(|index| of_expr(&index.value, calls));
            }
            Test::Bind(_, Argument::Kept(variable, expr)) => {
                of_expr(expr, calls);
                variable.indices.iter().for_each(|index| of_expr(&index.value, calls));
            }
        }
    }
    rules.routines.iter().for_each(|routine| of_block(&routine.body, &mut calls));
    for rule in rules.starts.iter().chain(&rules.rules) {
        rule.tests.iter().for_each(|(_, test)| of_test(test, &mut calls));
        of_block(&rule.body, &mut calls);
    }
    rules.invariants.iter().flat_map(|invariant| &invariant.tests).for_each(|test| of_test(test, &mut calls));
    calls
}

/// What is directly inside of a statement.
enum Inside<'a> {
    Expr(&'a Expr),
    Variable(&'a Variable),
    Call(&'a Call),
    Block(&'a [Stmt]),
}

fn each_inside<'a>(does: &'a Does, each: &mut dyn FnMut(Inside<'a>)) {
    match does {
        Does::Set(variable, value) | Does::Remove(variable, _, value) => {
            each(Inside::Variable(variable));
            each(Inside::Expr(value));
        }
        Does::SetSlot(_, value) | Does::Assert(value, _) => each(Inside::Expr(value)),
        Does::Bind(_, variable) | Does::Fill(variable, _) => each(Inside::Variable(variable)),
        Does::Copy(one, other, _) | Does::Insert(one, _, other) => {
            each(Inside::Variable(one));
            each(Inside::Variable(other));
        }
        Does::If(options, otherwise) => {
            for (condition, block) in options {
                each(Inside::Expr(condition));
                each(Inside::Block(block));
            }
            each(Inside::Block(otherwise));
        }
        Does::Switch(value, cases, otherwise) => {
            each(Inside::Expr(value));
            for (values, block) in cases {
                values.iter().for_each(|value| each(Inside::Expr(value)));
                each(Inside::Block(block));
            }
            each(Inside::Block(otherwise));
        }
        Does::For(_, low, high, _, body) => {
            each(Inside::Expr(low));
            each(Inside::Expr(high));
            each(Inside::Block(body));
        }
        Does::While(condition, body) => {
            each(Inside::Expr(condition));
            each(Inside::Block(body));
        }
        Does::Call(call) => each(Inside::Call(call)),
        Does::Return(value) => value.iter().for_each(|value| each(Inside::Expr(value))),
        Does::Error(_) => {}
        Does::Print(pieces) => pieces.iter().for_each(|piece| match piece {
            Piece::Text(_) => {}
            Piece::Value(value, _) => each(Inside::Expr(value)),
            Piece::Unless(undefined, value, _) => {
                each(Inside::Expr(undefined));
                each(Inside::Expr(value));
            }
        }),
    }
}

/// Where a rule starts.
fn start(rules: &RuleSet, rule: &Rule) -> Result<(), String> {
    for &(automaton, spot) in &rule.from {
        let automaton = rules.automata.get(automaton as usize).ok_or("it starts where no automaton is")?;
        if spot as usize >= automaton.locations.len() {
            return Err(format!("`{}` has no location {spot}", automaton.name));
        }
    }
    if !rule.from.is_empty() && !rule.params.is_empty() {
        return Err("it starts from locations and has parameters".into());
    }
    let shares = !rule.from.is_empty() && matches!(rule.tests.first(), Some((_, Test::True(_))));
    if rule.group.is_some() && !shares {
        return Err("it is in a group, but shares no test".into());
    }
    if !rule.tests.is_sorted_by_key(|(needs, _)| *needs) {
        return Err("its tests do not come by the parameters they need".into());
    }
    if rule.tests.last().is_some_and(|(needs, _)| *needs as usize > rule.params.len()) {
        return Err("a test needs parameters that are not there".into());
    }
    if rule.params.iter().flat_map(|param| &param.ranges).any(|(_, _, step)| *step == 0) {
        return Err("a parameter that does not move on".into());
    }
    let combinations = rule.params.iter().try_fold(1u128, |all, param| all.checked_mul(param.count().into()));
    if combinations.is_none_or(|combinations| combinations > MAX_COMBINATIONS) {
        return Err("its parameters have too many values".into());
    }
    Ok(())
}

/// What a rule or routine can reach.
struct Scope<'r> {
    fixed: usize,
    rules: &'r RuleSet,
    slots: u32,
    frame: usize,
    places: RefCell<Places>,
}

impl Scope<'_> {
    fn rule(&self, rule: &Rule) -> Result<(), String> {
        start(self.rules, rule)?;
        if rule.params.iter().any(|param| param.slot >= rule.slots) {
            return Err("a parameter without a slot".into());
        }
        rule.tests.iter().try_for_each(|(_, test)| self.test(test))?;
        self.block(&rule.body)
    }

    fn test(&self, test: &Test) -> Result<(), String> {
        match test {
            Test::True(expr) => self.expr(expr),
            Test::Bind(slot, argument) => {
                self.slot(*slot)?;
                self.insides_of(argument)?;
                self.argument(argument, To::Slot(*slot))?;
                if !matches!(argument, Argument::Value(_)) {
                    self.places.borrow_mut().bound.insert(*slot);
                }
                Ok(())
            }
        }
    }

    fn slot(&self, slot: u32) -> Result<(), String> {
        if slot < self.slots { Ok(()) } else { Err(format!("there is no slot {slot}")) }
    }

    /// The expressions inside of an argument.
    fn insides_of(&self, argument: &Argument) -> Result<(), String> {
        let indices = |variable: &Variable| variable.indices.iter().try_for_each(|index| self.expr(&index.value));
        match argument {
            Argument::Value(expr) => self.expr(expr),
            Argument::Place(variable) => indices(variable),
            Argument::Kept(variable, expr) => {
                self.expr(expr)?;
                indices(variable)
            }
        }
    }

    /// An argument, apart from the expressions inside.
    fn argument(&self, argument: &Argument, to: To) -> Result<(), String> {
        match argument {
            Argument::Value(_) => Ok(()),
            Argument::Place(variable) => self.place(variable, to),
            Argument::Kept(variable, _) => {
                if variable.base != Base::Frame {
                    return Err("a value is kept outside of the caller's memory".into());
                }
                self.memory(variable, 0)?;
                self.place(variable, to)
            }
        }
    }

    /// A call, apart from the expressions inside.
    fn call(&self, call: &Call) -> Result<(), String> {
        let routine = self.rules.routines.get(call.routine as usize).ok_or("a routine that is not there")?;
        if call.args.len() > routine.slots as usize {
            return Err(format!("`{}` has no room for its arguments", routine.name));
        }
        let mut args = (0..).zip(&call.args);
        args.try_for_each(|(slot, argument)| self.argument(argument, To::Parameter(call.routine, slot)))
    }

    /// How far a variable's first byte may be from its base, and how much room there is: none if that is not known here.
    fn extent(&self, variable: &Variable) -> Result<(u64, Option<u64>), String> {
        let mut reach = u64::from(variable.offset);
        for index in &variable.indices {
            if index.bound == 0 {
                return Err("an array without elements".into());
            }
            let moved = u64::from(index.bound - 1) * u64::from(index.stride);
            reach = reach.checked_add(moved).ok_or("an array without end")?;
        }
        let room = match variable.base {
            Base::Global => Some(self.fixed as u64),
            Base::Frame => Some(self.frame as u64),
            Base::At(slot) => {
                self.slot(slot)?;
                None
            }
            Base::Own | Base::Process(..) => return Err("a rule has no processes".into()),
        };
        Ok((reach, room))
    }

    /// A variable whose place goes somewhere.
    fn place(&self, variable: &Variable, to: To) -> Result<(), String> {
        let (reach, room) = self.extent(variable)?;
        let mut places = self.places.borrow_mut();
        match (room, &variable.base) {
            (None, Base::At(slot)) => {
                places.uses(*slot, 0)?;
                places.hands(Some(*slot), reach, to);
            }
            (room, _) => {
                let room = room.unwrap_or(0);
                let left = room.checked_sub(reach).ok_or_else(|| format!("a place at byte {reach} of {room}"))?;
                places.hands(None, left, to);
            }
        }
        Ok(())
    }

    /// A variable of which so many bytes are used, at least those of its type; apart from the expressions inside.
    fn memory(&self, variable: &Variable, bytes: u64) -> Result<(), String> {
        ty(variable.ty)?;
        if let Domain::Pieces(union) = variable.ty.domain
            && union as usize >= self.rules.unions.len()
        {
            return Err("a union that is not there".into());
        }
        let (reach, room) = self.extent(variable)?;
        let end = reach.saturating_add(bytes.max(variable.ty.size().into()));
        match (room, &variable.base) {
            (None, Base::At(slot)) => self.places.borrow_mut().uses(*slot, end),
            (Some(room), _) if end <= room => Ok(()),
            (room, _) => Err(format!("a variable ends at byte {end} of {}", room.unwrap_or(0))),
        }
    }

    /// A variable of which so many bytes are used.
    fn variable(&self, variable: &Variable, bytes: u64) -> Result<(), String> {
        variable.indices.iter().try_for_each(|index| self.expr(&index.value))?;
        self.memory(variable, bytes)
    }

    fn expr(&self, expr: &Expr) -> Result<(), String> {
        let mut found = Ok(());
        expr.walk(&mut |expr| {
            if found.is_ok() {
                found = self.node(expr);
            }
        });
        found
    }

    /// One node; what is below it is looked at by itself.
    fn node(&self, expr: &Expr) -> Result<(), String> {
        match expr {
            Expr::Load(variable) | Expr::Undefined(variable) => self.memory(variable, 0),
            Expr::Slot(slot) => self.slot(*slot),
            Expr::Call(call) => self.call(call),
            Expr::Over(over) if over.step != 0 => self.slot(over.slot),
            Expr::Ordinal(_, union) if (*union as usize) < self.rules.unions.len() => Ok(()),
            Expr::Table(table) if table.0.bound as usize == table.1.len() => Ok(()),
            Expr::Const(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Both(..)
            | Expr::Either(..)
            | Expr::Choose(_)
            | Expr::Bounded(_) => Ok(()),
            other => Err(format!("a rule cannot evaluate {other:?}")),
        }
    }

    /// Statements. Slots that get a place here have it for certain only here.
    fn block(&self, stmts: &[Stmt]) -> Result<(), String> {
        let before = self.places.borrow().bound.clone();
        stmts.iter().try_for_each(|stmt| self.statement(&stmt.does))?;
        self.places.borrow_mut().bound = before;
        Ok(())
    }

    fn statement(&self, does: &Does) -> Result<(), String> {
        match does {
            Does::Set(variable, value) => {
                self.expr(value)?;
                self.variable(variable, 0)
            }
            Does::SetSlot(slot, value) => {
                self.slot(*slot)?;
                self.expr(value)
            }
            Does::Bind(slot, variable) => {
                self.slot(*slot)?;
                variable.indices.iter().try_for_each(|index| self.expr(&index.value))?;
                self.place(variable, To::Slot(*slot))?;
                self.places.borrow_mut().bound.insert(*slot);
                Ok(())
            }
            Does::Copy(to, from, size) => {
                self.variable(to, (*size).into())?;
                self.variable(from, (*size).into())
            }
            Does::Fill(to, bytes) => self.variable(to, bytes.len() as u64),
            Does::For(slot, _, _, step, _) if *step == 0 => Err(format!("slot {slot} runs without moving on")),
            Does::For(slot, low, high, _, body) => {
                self.slot(*slot)?;
                self.expr(low)?;
                self.expr(high)?;
                self.block(body)
            }
            Does::Insert(multiset, form, element) => {
                self.multiset(multiset, form)?;
                self.variable(element, u64::from(form.size) - 1)
            }
            Does::Remove(multiset, form, position) => {
                self.multiset(multiset, form)?;
                self.expr(position)
            }
            Does::Call(call) => {
                call.args.iter().try_for_each(|argument| self.insides_of(argument))?;
                self.call(call)
            }
            others => {
                let mut found = Ok(());
                each_inside(others, &mut |inside| {
                    if found.is_ok() {
                        found = match inside {
                            Inside::Expr(expr) => self.expr(expr),
                            Inside::Block(block) => self.block(block),
                            Inside::Variable(_) | Inside::Call(_) => Err("a statement that is not known".into()),
                        };
                    }
                });
                found
            }
        }
    }

    fn multiset(&self, variable: &Variable, form: &Multiset) -> Result<(), String> {
        if form.size == 0 {
            return Err("a multiset whose slots have no bytes".into());
        }
        self.variable(variable, u64::from(form.count) * u64::from(form.size))
    }
}
