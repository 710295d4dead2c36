//! What statements do.

use super::machine::RuleMachine;
use crate::context::{EvalContext, evaluate};
use crate::{Expr, Multiset, PrintItem, Stmt, StmtKind, Variable};
use tightrope_core::{AccessKind, FaultKind};

/// A loop of more rounds counts as endless.
pub const MAX_ROUNDS: u64 = 10_000_000;

/// How a statement ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Next,
    Return,
}

impl RuleMachine<'_> {
    pub(super) fn block(&mut self, stmts: &[Stmt]) -> Flow {
        for stmt in stmts {
            self.at = stmt.source;
            let flow = self.statement(&stmt.kind);
            if flow == Flow::Return || self.error.is_some() {
                return Flow::Return;
            }
        }
        Flow::Next
    }

    pub(super) fn statement(&mut self, kind: &StmtKind) -> Flow {
        match kind {
            StmtKind::Set(variable, expr) => self.set(variable, expr),
            StmtKind::SetSlot(slot, expr) => {
                let value = evaluate(self, expr);
                self.set_slot(*slot, value);
            }
            StmtKind::Bind(slot, variable) => {
                let place = self.place(variable).unwrap_or(0);
                self.set_slot(*slot, place);
            }
            StmtKind::Copy(to, from, size) => self.copy(to, from, *size as usize),
            StmtKind::Fill(to, bytes) => {
                if let Some(place) = self.place(to) {
                    self.note(place, bytes.len(), AccessKind::Write);
                    let (area, at) = self.area_mut(place);
                    area[at..at + bytes.len()].copy_from_slice(bytes);
                }
            }
            StmtKind::If(options, otherwise) => {
                for (condition, block) in options {
                    if evaluate(self, condition) != 0 {
                        return if self.error.is_some() { Flow::Return } else { self.block(block) };
                    }
                    if self.error.is_some() {
                        return Flow::Return;
                    }
                }
                return self.block(otherwise);
            }
            StmtKind::Switch(value, cases, otherwise) => {
                let value = evaluate(self, value);
                for (alternatives, block) in cases {
                    for alternative in alternatives {
                        if evaluate(self, alternative) == value {
                            return if self.error.is_some() { Flow::Return } else { self.block(block) };
                        }
                    }
                }
                return if self.error.is_some() { Flow::Return } else { self.block(otherwise) };
            }
            StmtKind::For(slot, low, high, step, body) => {
                let (mut value, high) = (evaluate(self, low), evaluate(self, high));
                while (*step > 0 && value <= high) || (*step < 0 && value >= high) {
                    self.set_slot(*slot, value);
                    if self.block(body) == Flow::Return {
                        return Flow::Return;
                    }
                    match value.checked_add(*step) {
                        Some(next) => value = next,
                        None => break,
                    }
                }
            }
            StmtKind::While(condition, body) => {
                while evaluate(self, condition) != 0 && self.error.is_none() {
                    self.rounds += 1;
                    if self.rounds > MAX_ROUNDS {
                        let message = format!("a loop went round more than {MAX_ROUNDS} times");
                        self.fail(FaultKind::Atomicity, message);
                        return Flow::Return;
                    }
                    if self.block(body) == Flow::Return {
                        return Flow::Return;
                    }
                }
            }
            StmtKind::Call(call) => {
                self.call(call);
            }
            StmtKind::Return(value) => {
                self.returned = value.as_ref().map_or(0, |value| evaluate(self, value));
                return Flow::Return;
            }
            StmtKind::Assert(condition, message) => {
                if evaluate(self, condition) == 0 {
                    self.fail(FaultKind::Assertion, message.clone());
                }
            }
            StmtKind::Error(message) => {
                self.fail(FaultKind::Error, message.clone());
            }
            StmtKind::Print(pieces) => self.print(pieces),
            StmtKind::Insert(multiset, form, element) => self.insert(multiset, form, element),
            StmtKind::Remove(multiset, form, position) => self.remove(multiset, form, position),
        }
        Flow::Next
    }

    pub(super) fn copy(&mut self, to: &Variable, from: &Variable, size: usize) {
        let (Some(from), Some(to)) = (self.place(from), self.place(to)) else { return };
        self.note(from, size, AccessKind::Read);
        self.note(to, size, AccessKind::Write);
        match (from >= 0, to >= 0) {
            (true, true) => {
                let from = self.start + from as usize;
                self.bytes.copy_within(from..from + size, self.start + to as usize);
            }
            (false, false) => self.memory.frames.copy_within(!from as usize..!from as usize + size, !to as usize),
            (true, false) => {
                let from = self.start + from as usize;
                self.memory.frames[!to as usize..!to as usize + size].copy_from_slice(&self.bytes[from..from + size]);
            }
            (false, true) => {
                let to = self.start + to as usize;
                self.bytes[to..to + size].copy_from_slice(&self.memory.frames[!from as usize..!from as usize + size]);
            }
        }
    }

    pub(super) fn insert(&mut self, multiset: &Variable, form: &Multiset, element: &Variable) {
        let (Some(place), Some(from)) = (self.place(multiset), self.place(element)) else { return };
        let size = form.size as usize;
        self.note(from, size - 1, AccessKind::Read);
        self.note(place, size * form.count as usize, AccessKind::Write);
        let element: Vec<u8> = {
            let (bytes, at) = self.area(from);
            bytes[at..at + size - 1].to_vec()
        };
        let count = form.count as usize;
        let (bytes, at) = self.area_mut(place);
        match (0..count).find(|slot| bytes[at + slot * size] == 0) {
            Some(slot) => {
                let at = at + slot * size;
                bytes[at] = 1;
                bytes[at + 1..at + size].copy_from_slice(&element);
            }
            None => {
                let message = format!("a multiset has no room for more than {count} elements");
                self.fail(FaultKind::Range, message);
            }
        }
    }

    pub(super) fn remove(&mut self, multiset: &Variable, form: &Multiset, position: &Expr) {
        let position = evaluate(self, position);
        let Some(place) = self.place(multiset) else { return };
        let size = form.size as usize;
        self.note(place, size * form.count as usize, AccessKind::Write);
        if position as u32 >= form.count {
            self.fail(FaultKind::Bounds, format!("a multiset has no position {position}"));
            return;
        }
        let (bytes, at) = self.area_mut(place);
        let at = at + position as usize * size;
        if bytes[at] == 0 {
            self.fail(FaultKind::Range, format!("there is nothing at position {position} of a multiset"));
            return;
        }
        bytes[at..at + size].fill(0);
    }

    pub(super) fn print(&mut self, pieces: &[PrintItem]) {
        if self.output.is_none() {
            return;
        }
        let mut text = String::new();
        for piece in pieces {
            match piece {
                PrintItem::Text(piece) => text.push_str(piece),
                PrintItem::Value(value, format) => {
                    let value = evaluate(self, value);
                    text.push_str(&format.show(value).unwrap_or_default());
                }
                PrintItem::Unless(undefined, value, format) => {
                    let value = if evaluate(self, undefined) != 0 { None } else { Some(evaluate(self, value)) };
                    let shown = value.and_then(|value| format.show(value));
                    text.push_str(&shown.unwrap_or_else(|| "undefined".into()));
                }
            }
        }
        if let Some(output) = &mut self.output {
            output.push_str(&text);
        }
    }
}
