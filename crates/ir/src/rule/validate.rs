//! What must be true of rules before they are executed.
//!
//! Machine code does not check any of this again: there, an offset beyond the end of the state, or of a frame, would
//! access foreign memory.

use super::references::{self, ReferenceTarget, References};
use super::walk::{Inside, calls, each_inside};
use crate::process::ty;
use crate::{
    Argument, Automaton, Base, Call, Domain, Expr, Multiset, Program, Rule, RuleSet, Stmt, StmtKind, Test, Variable,
};
use std::cell::RefCell;

/// The most rules: a step's name has room for their numbers.
const MAX_RULES: usize = 1 << 24;

/// The most combinations of the values of a rule's parameters, for the same reason.
const MAX_COMBINATIONS: u128 = 1 << 40;

/// The first error in the rules of a program, in words.
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
    let params = references::parameters(rules, &calls)?;
    let scope = |slots: u32, frame: &[u8], params: &[bool]| RuleValidator {
        fixed,
        rules,
        slots,
        frame: frame.len(),
        places: RefCell::new(References::of_routine(params)),
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
    references::check(&places, most as u64)
}

/// Where a rule starts.
fn start(rules: &RuleSet, rule: &Rule) -> Result<(), String> {
    for &(automaton, location) in &rule.from {
        let automaton = rules.automata.get(automaton as usize).ok_or("it starts where no automaton is")?;
        if location as usize >= automaton.locations.len() {
            return Err(format!("`{}` has no location {location}", automaton.name));
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

/// Checks one rule or routine.
struct RuleValidator<'r> {
    fixed: usize,
    rules: &'r RuleSet,
    slots: u32,
    frame: usize,
    places: RefCell<References>,
}

impl RuleValidator<'_> {
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
                self.argument(argument, ReferenceTarget::Slot(*slot))?;
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
    fn argument(&self, argument: &Argument, to: ReferenceTarget) -> Result<(), String> {
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
        args.try_for_each(|(slot, argument)| self.argument(argument, ReferenceTarget::Parameter(call.routine, slot)))
    }

    /// The largest offset of a variable from its base, and how much room there is; none if that is not known here.
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

    /// A variable whose place is put into a slot.
    fn place(&self, variable: &Variable, to: ReferenceTarget) -> Result<(), String> {
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
        if let Domain::Union(union) = variable.ty.domain
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

    /// One node, without those below it.
    fn node(&self, expr: &Expr) -> Result<(), String> {
        match expr {
            Expr::Load(variable) | Expr::Undefined(variable) => self.memory(variable, 0),
            Expr::Slot(slot) => self.slot(*slot),
            Expr::Call(call) => self.call(call),
            Expr::Quantified(over) if over.step != 0 => self.slot(over.slot),
            Expr::Ordinal(_, union) if (*union as usize) < self.rules.unions.len() => Ok(()),
            Expr::Table(table) if table.0.bound as usize == table.1.len() => Ok(()),
            other if other.is_calculation() && !matches!(other, Expr::Table(_)) => Ok(()),
            other => Err(format!("a rule cannot evaluate {other:?}")),
        }
    }

    /// Statements. Slots that get a place in a block certainly hold it only in that block.
    fn block(&self, stmts: &[Stmt]) -> Result<(), String> {
        let before = self.places.borrow().bound.clone();
        stmts.iter().try_for_each(|stmt| self.statement(&stmt.kind))?;
        self.places.borrow_mut().bound = before;
        Ok(())
    }

    fn statement(&self, kind: &StmtKind) -> Result<(), String> {
        match kind {
            StmtKind::Set(variable, value) => {
                self.expr(value)?;
                self.variable(variable, 0)
            }
            StmtKind::SetSlot(slot, value) => {
                self.slot(*slot)?;
                self.expr(value)
            }
            StmtKind::Bind(slot, variable) => {
                self.slot(*slot)?;
                variable.indices.iter().try_for_each(|index| self.expr(&index.value))?;
                self.place(variable, ReferenceTarget::Slot(*slot))?;
                self.places.borrow_mut().bound.insert(*slot);
                Ok(())
            }
            StmtKind::Copy(to, from, size) => {
                self.variable(to, (*size).into())?;
                self.variable(from, (*size).into())
            }
            StmtKind::Fill(to, bytes) => self.variable(to, bytes.len() as u64),
            StmtKind::For(slot, _, _, step, _) if *step == 0 => Err(format!("slot {slot} runs without moving on")),
            StmtKind::For(slot, low, high, _, body) => {
                self.slot(*slot)?;
                self.expr(low)?;
                self.expr(high)?;
                self.block(body)
            }
            StmtKind::Insert(multiset, form, element) => {
                self.multiset(multiset, form)?;
                self.variable(element, u64::from(form.size) - 1)
            }
            StmtKind::Remove(multiset, form, position) => {
                self.multiset(multiset, form)?;
                self.expr(position)
            }
            StmtKind::Call(call) => {
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
