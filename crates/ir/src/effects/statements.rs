//! Follows the statements of rules and routines: see `rules.rs`.

use super::rules::{Known, Reader, number, rounds};
use crate::rules::{Does, Stmt};
use crate::{Call, Expr, Multiset, Variable};
use std::collections::BTreeSet;

/// Calls deeper than this do anything.
const CALLS: u32 = 12;

impl Reader<'_> {
    /// Follows a call; what it returns.
    pub(super) fn call(&mut self, call: &Call) -> Known {
        let routine = &self.rules.routines[call.routine as usize];
        self.may_fail = true;
        if self.calls >= CALLS {
            self.everything();
            return Known::Nothing;
        }
        let mut slots: Vec<Known> = call.args.iter().map(|argument| self.argument(argument)).collect();
        slots.resize(routine.slots as usize, Known::Number(0));
        let outer = std::mem::replace(&mut self.slots, slots);
        let before = self.returned.take();
        self.calls += 1;
        self.block(&routine.body);
        self.calls -= 1;
        self.slots = outer;
        std::mem::replace(&mut self.returned, before).unwrap_or(Known::Nothing)
    }

    /// Follows statements.
    pub fn block(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            if self.patience == 0 {
                return self.everything();
            }
            self.patience -= 1;
            self.statement(&stmt.does);
        }
    }

    fn statement(&mut self, does: &Does) {
        match does {
            Does::Set(variable, expr) => {
                let value = self.value(expr);
                self.store(variable, &value);
            }
            Does::SetSlot(slot, expr) => {
                let value = self.value(expr);
                self.set_slot(*slot, value);
            }
            Does::Bind(slot, variable) => {
                let places = self.places(variable);
                self.set_slot(*slot, places);
            }
            Does::Copy(to, from, size) => {
                self.read(from, *size);
                self.change(to, *size, None);
            }
            Does::Fill(to, bytes) => self.change(to, bytes.len() as u32, None),
            Does::If(options, otherwise) => self.choice(options, otherwise),
            Does::Switch(value, cases, otherwise) => {
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
            Does::For(slot, low, high, step, body) => {
                let bounds = (self.value(low), self.value(high));
                match rounds(&bounds, *step) {
                    Some(values) => values.for_each(|value| {
                        self.set_slot(*slot, Known::Number(value));
                        self.block(body);
                    }),
                    None => self.repeat(|reader| {
                        reader.set_slot(*slot, Known::Nothing);
                        reader.block(body);
                    }),
                }
            }
            Does::While(condition, body) => self.repeat(|reader| {
                reader.value(condition);
                reader.block(body);
            }),
            Does::Call(call) => _ = self.call(call),
            Does::Return(value) => {
                let value = value.as_ref().map_or(Known::Nothing, |value| self.value(value));
                let same = self.returned.as_ref().is_none_or(|before| *before == value);
                self.returned = Some(if same { value } else { Known::Nothing });
            }
            Does::Assert(condition, _) => _ = self.value(condition),
            // Nobody listens during a search.
            Does::Error(_) | Does::Print(_) => {}
            Does::Insert(multiset, form, element) => {
                self.read(element, form.size.saturating_sub(1));
                self.reorder(multiset, form);
            }
            Does::Remove(multiset, form, position) => {
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

    /// Follows something again and again, until nothing new is known of what is left after it.
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

    /// Keeps what is known here and there.
    fn meet(&mut self, there: Vec<Known>) {
        for (here, there) in self.slots.iter_mut().zip(there) {
            if *here == there {
                continue;
            }
            let places = |known: &Known| match known {
                Known::Places(places) => Some(places.clone()),
                Known::Holding(_) => Some(Vec::new()),
                Known::Number(_) | Known::Nothing => None,
            };
            let both = places(here).zip(places(&there)).map(|(one, two)| {
                let all: BTreeSet<u32> = one.into_iter().chain(two).collect();
                all.into_iter().collect()
            });
            *here = both.map_or(Known::Nothing, Known::Places);
        }
    }
}
