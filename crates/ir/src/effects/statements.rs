//! Follows the statements of rules and routines: see `rules.rs`.

use super::rules::{AbstractValue, RuleAnalysis, number, rounds};
use crate::rule::{Stmt, StmtKind};
use crate::{Call, Expr, Multiset, Variable};
use std::collections::BTreeSet;

/// Calls nested deeper than this are not followed: they may access everything.
const CALLS: u32 = 12;

impl RuleAnalysis<'_> {
    /// Follows a call; what it returns.
    pub(super) fn call(&mut self, call: &Call) -> AbstractValue {
        let routine = &self.rules.routines[call.routine as usize];
        self.may_fail = true;
        if self.calls >= CALLS {
            self.everything();
            return AbstractValue::Unknown;
        }
        let mut slots: Vec<AbstractValue> = call.args.iter().map(|argument| self.argument(argument)).collect();
        slots.resize(routine.slots as usize, AbstractValue::Number(0));
        let outer = std::mem::replace(&mut self.slots, slots);
        let before = self.returned.take();
        self.calls += 1;
        self.block(&routine.body);
        self.calls -= 1;
        self.slots = outer;
        std::mem::replace(&mut self.returned, before).unwrap_or(AbstractValue::Unknown)
    }

    /// Follows statements.
    pub fn block(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            if self.patience == 0 {
                return self.everything();
            }
            self.patience -= 1;
            self.statement(&stmt.kind);
        }
    }

    fn statement(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::Set(variable, expr) => {
                let value = self.value(expr);
                self.store(variable, &value);
            }
            StmtKind::SetSlot(slot, expr) => {
                let value = self.value(expr);
                self.set_slot(*slot, value);
            }
            StmtKind::Bind(slot, variable) => {
                let places = self.places(variable);
                self.set_slot(*slot, places);
            }
            StmtKind::Copy(to, from, size) => {
                self.read(from, *size);
                self.change(to, *size, None);
            }
            StmtKind::Fill(to, bytes) => self.change(to, bytes.len() as u32, None),
            StmtKind::If(options, otherwise) => self.choice(options, otherwise),
            StmtKind::Switch(value, cases, otherwise) => {
                self.value(value);
                cases.iter().flat_map(|(values, _)| values).for_each(|value| _ = self.value(value));
                let before = self.slots.clone();
                self.block(otherwise);
                for (_, block) in cases {
                    let after = std::mem::replace(&mut self.slots, before.clone());
                    self.block(block);
                    self.meet(after);
                }
            }
            StmtKind::For(slot, low, high, step, body) => {
                let bounds = (self.value(low), self.value(high));
                match rounds(&bounds, *step) {
                    Some(values) => values.for_each(|value| {
                        self.set_slot(*slot, AbstractValue::Number(value));
                        self.block(body);
                    }),
                    None => self.repeat(|analysis| {
                        analysis.set_slot(*slot, AbstractValue::Unknown);
                        analysis.block(body);
                    }),
                }
            }
            StmtKind::While(condition, body) => self.repeat(|analysis| {
                analysis.value(condition);
                analysis.block(body);
            }),
            StmtKind::Call(call) => _ = self.call(call),
            StmtKind::Return(value) => {
                let value = value.as_ref().map_or(AbstractValue::Unknown, |value| self.value(value));
                let same = self.returned.as_ref().is_none_or(|before| *before == value);
                self.returned = Some(if same { value } else { AbstractValue::Unknown });
            }
            StmtKind::Assert(condition, _) => _ = self.value(condition),
            // Text is not made during a search.
            StmtKind::Error(_) | StmtKind::Print(_) => {}
            StmtKind::Insert(multiset, form, element) => {
                self.read(element, form.size.saturating_sub(1));
                self.reorder(multiset, form);
            }
            StmtKind::Remove(multiset, form, position) => {
                self.value(position);
                self.reorder(multiset, form);
            }
        }
    }

    fn reorder(&mut self, multiset: &Variable, form: &Multiset) {
        self.read(multiset, form.size * form.count);
        self.change(multiset, form.size * form.count, None);
    }

    fn choice(&mut self, options: &[(Expr, Vec<Stmt>)], otherwise: &[Stmt]) {
        let mut ends = Vec::new();
        let mut decided = false;
        for (condition, block) in options {
            let truth = number(&self.value(condition)).map(|value| value != 0);
            if truth == Some(false) {
                continue;
            }
            let before = self.slots.clone();
            self.block(block);
            ends.push(std::mem::replace(&mut self.slots, before));
            if truth == Some(true) {
                decided = true;
                break;
            }
        }
        if decided {
            self.slots = ends.pop().expect("the block that was decided for");
        } else {
            self.block(otherwise);
        }
        ends.into_iter().for_each(|end| self.meet(end));
    }

    /// Follows a loop to a fixed point of what is known of the slots.
    fn repeat(&mut self, once: impl Fn(&mut Self)) {
        loop {
            let before = self.slots.clone();
            once(self);
            self.meet(before.clone());
            if self.slots == before {
                return;
            }
        }
    }

    /// Joins two abstract states: keeps what is known in both.
    fn meet(&mut self, there: Vec<AbstractValue>) {
        for (here, there) in self.slots.iter_mut().zip(there) {
            if *here == there {
                continue;
            }
            let places = |known: &AbstractValue| match known {
                AbstractValue::Places(places) => Some(places.clone()),
                AbstractValue::Local(_) => Some(Vec::new()),
                AbstractValue::Number(_) | AbstractValue::Unknown => None,
            };
            let both = places(here).zip(places(&there)).map(|(one, two)| {
                let all: BTreeSet<u32> = one.into_iter().chain(two).collect();
                all.into_iter().collect()
            });
            *here = both.map_or(AbstractValue::Unknown, AbstractValue::Places);
        }
    }
}
