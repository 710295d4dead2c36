//! What must be true of rules before they are run.

use crate::rules::{Does, Piece, Rule, RuleSet, Stmt, Test};
use crate::{Argument, Base, Call, Domain, Expr, Multiset, Program, Variable};

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
    if !rules.rules.is_sorted_by_key(|rule| std::cmp::Reverse(rule.priority)) {
        return Err("rules do not come by priority".into());
    }
    for rule in rules.starts.iter().chain(&rules.rules) {
        start(rules, rule).map_err(|why| format!("`{}`: {why}", rule.name))?;
        let scope = Scope { fixed, rules, slots: rule.slots, frame: rule.frame.len() };
        let of_rule = |why: String| format!("`{}`: {why}", rule.name);
        if rule.params.iter().any(|param| param.slot >= rule.slots) {
            return Err(of_rule("a parameter without a slot".into()));
        }
        rule.tests.iter().try_for_each(|(_, test)| scope.test(test)).map_err(of_rule)?;
        scope.block(&rule.body).map_err(of_rule)?;
    }
    for routine in &rules.routines {
        let scope = Scope { fixed, rules, slots: routine.slots, frame: routine.frame.len() };
        scope.block(&routine.body).map_err(|why| format!("`{}`: {why}", routine.name))?;
    }
    for invariant in &rules.invariants {
        let scope = Scope { fixed, rules, slots: invariant.slots, frame: invariant.frame.len() };
        let tested = invariant.tests.iter().try_for_each(|test| scope.test(test));
        tested.map_err(|why| format!("`{}`: {why}", invariant.name))?;
    }
    Ok(())
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
    Ok(())
}

/// What a rule or routine can reach.
struct Scope<'r> {
    fixed: usize,
    rules: &'r RuleSet,
    slots: u32,
    frame: usize,
}

impl Scope<'_> {
    fn test(&self, test: &Test) -> Result<(), String> {
        match test {
            Test::True(expr) => self.expr(expr),
            Test::Bind(slot, argument) => {
                self.slot(*slot)?;
                self.argument(argument)
            }
        }
    }

    fn slot(&self, slot: u32) -> Result<(), String> {
        if slot < self.slots { Ok(()) } else { Err(format!("there is no slot {slot}")) }
    }

    fn argument(&self, argument: &Argument) -> Result<(), String> {
        match argument {
            Argument::Value(expr) => self.expr(expr),
            Argument::Place(variable) => self.variable(variable, 1),
            Argument::Kept(variable, expr) => {
                self.variable(variable, 1)?;
                self.expr(expr)
            }
        }
    }

    fn call(&self, call: &Call) -> Result<(), String> {
        let routine = self.rules.routines.get(call.routine as usize).ok_or("a routine that is not there")?;
        if call.args.len() > routine.slots as usize {
            return Err(format!("`{}` has no room for its arguments", routine.name));
        }
        call.args.iter().try_for_each(|argument| self.argument(argument))
    }

    /// A variable of which so many bytes are used.
    fn variable(&self, variable: &Variable, bytes: u32) -> Result<(), String> {
        let mut most = u64::from(variable.offset) + u64::from(bytes.max(variable.ty.size()));
        for index in &variable.indices {
            self.expr(&index.value)?;
            most += u64::from(index.bound.saturating_sub(1)) * u64::from(index.stride);
        }
        if let Domain::Pieces(union) = variable.ty.domain
            && union as usize >= self.rules.unions.len()
        {
            return Err("a union that is not there".into());
        }
        let room = match variable.base {
            Base::Global => self.fixed as u64,
            Base::Frame => self.frame as u64,
            // Where that is shows only when it is known.
            Base::At(slot) => return self.slot(slot),
            Base::Own | Base::Process(..) => return Err("a rule has no processes".into()),
        };
        if most > room { Err(format!("a variable ends at byte {most} of {room}")) } else { Ok(()) }
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
            Expr::Load(variable) | Expr::Undefined(variable) => self.variable(variable, 1),
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

    fn block(&self, stmts: &[Stmt]) -> Result<(), String> {
        stmts.iter().try_for_each(|stmt| self.statement(&stmt.does))
    }

    fn statement(&self, does: &Does) -> Result<(), String> {
        match does {
            Does::Set(variable, value) => {
                self.variable(variable, 1)?;
                self.expr(value)
            }
            Does::SetSlot(slot, value) => {
                self.slot(*slot)?;
                self.expr(value)
            }
            Does::Bind(slot, variable) => {
                self.slot(*slot)?;
                self.variable(variable, 1)
            }
            Does::Copy(to, from, size) => {
                self.variable(to, *size)?;
                self.variable(from, *size)
            }
            Does::Fill(to, bytes) => self.variable(to, bytes.len() as u32),
            Does::If(options, otherwise) => {
                for (condition, block) in options {
                    self.expr(condition)?;
                    self.block(block)?;
                }
                self.block(otherwise)
            }
            Does::Switch(value, cases, otherwise) => {
                self.expr(value)?;
                for (values, block) in cases {
                    values.iter().try_for_each(|value| self.expr(value))?;
                    self.block(block)?;
                }
                self.block(otherwise)
            }
            Does::For(slot, low, high, step, body) => {
                self.slot(*slot)?;
                if *step == 0 {
                    return Err("a loop without a step".into());
                }
                self.expr(low)?;
                self.expr(high)?;
                self.block(body)
            }
            Does::While(condition, body) => {
                self.expr(condition)?;
                self.block(body)
            }
            Does::Call(call) => self.call(call),
            Does::Return(value) => value.iter().try_for_each(|value| self.expr(value)),
            Does::Assert(condition, _) => self.expr(condition),
            Does::Error(_) => Ok(()),
            Does::Print(pieces) => pieces.iter().try_for_each(|piece| match piece {
                Piece::Text(_) => Ok(()),
                Piece::Value(value, _) => self.expr(value),
                Piece::Unless(undefined, value, _) => {
                    self.expr(undefined)?;
                    self.expr(value)
                }
            }),
            Does::Insert(multiset, form, element) => {
                self.multiset(multiset, form)?;
                self.variable(element, form.size.saturating_sub(1))
            }
            Does::Remove(multiset, form, position) => {
                self.multiset(multiset, form)?;
                self.expr(position)
            }
        }
    }

    fn multiset(&self, variable: &Variable, form: &Multiset) -> Result<(), String> {
        self.variable(variable, form.count.saturating_mul(form.size))
    }
}
