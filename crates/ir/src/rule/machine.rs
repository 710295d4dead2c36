//! The interpreter of rules: the state it works on, tests, expressions.

use super::memory::{RuleMemory, nth, ordinal};
use crate::access_log::AccessLog;
use crate::context::{EvalContext, EvalError, evaluate};
use crate::{Argument, Domain, Expr, Fold, Program, Quantified, Rule, RuleSet, Source, Test, Variable};
use tightrope_core::{AccessKind, FaultKind, sort_slots};

/// A rule or routine under way, on the state at `bytes[start..end]`.
///
/// A place is a number: the offset in the state, or, negative, the complement of an offset in the frames.
pub struct RuleMachine<'a> {
    pub(super) program: &'a Program,
    pub(super) rules: &'a RuleSet,
    pub(super) bytes: &'a mut Vec<u8>,
    pub(super) start: usize,
    pub(super) memory: &'a mut RuleMemory,
    pub(super) slot_base: usize,
    pub(super) frame_base: usize,
    pub(super) calls: u32,
    pub(super) levels: u32,
    pub(super) rounds: u64,
    pub(super) at: Source,
    pub(super) error: Option<Box<EvalError>>,
    pub(super) returned: i32,
    /// Where printed text goes, if it is wanted.
    pub output: Option<String>,
    /// Where accesses are logged, if they are.
    pub log: Option<&'a AccessLog>,
}

impl<'a> RuleMachine<'a> {
    /// A machine for the state that begins at `start` and ends where `bytes` ends. A state that is only read may be
    /// followed by others.
    pub fn new(
        program: &'a Program,
        rules: &'a RuleSet,
        bytes: &'a mut Vec<u8>,
        start: usize,
        memory: &'a mut RuleMemory,
    ) -> RuleMachine<'a> {
        RuleMachine {
            program,
            rules,
            bytes,
            start,
            memory,
            slot_base: 0,
            frame_base: 0,
            calls: 0,
            levels: 0,
            rounds: 0,
            at: Source::default(),
            error: None,
            returned: 0,
            output: None,
            log: None,
        }
    }

    /// Makes room for a rule with so many slots and this frame.
    pub fn enter(&mut self, slots: u32, frame: &[u8]) {
        self.memory.slots.clear();
        self.memory.slots.resize(slots as usize, 0);
        self.memory.frames.clear();
        self.memory.frames.extend_from_slice(frame);
        self.slot_base = 0;
        self.frame_base = 0;
    }

    /// Sets a slot.
    #[inline]
    pub fn set_slot(&mut self, slot: u32, value: i32) {
        self.memory.slots[self.slot_base + slot as usize] = value;
    }

    /// Takes the error out, with its place in the source.
    pub fn take_error(&mut self) -> Option<(EvalError, Source)> {
        self.error.take().map(|error| (*error, self.at))
    }

    /// Whether there was an error.
    #[inline]
    pub fn has_error(&self) -> bool {
        self.error.is_some()
    }

    /// Puts an error in.
    pub fn put_error(&mut self, (error, at): (EvalError, Source)) {
        self.error = Some(Box::new(error));
        self.at = at;
    }

    /// Turns to another state of the same buffer. Returns the start of the one before.
    pub fn turn_to(&mut self, start: usize) -> usize {
        std::mem::replace(&mut self.start, start)
    }

    /// The buffer.
    pub fn buffer(&mut self) -> &mut Vec<u8> {
        self.bytes
    }

    /// Whether a test is passed.
    #[inline]
    pub fn passes(&mut self, test: &Test, at: Source) -> bool {
        self.at = at;
        match test {
            Test::True(expr) => evaluate(self, expr) != 0 && self.error.is_none(),
            Test::Bind(slot, argument) => {
                let value = self.argument(argument);
                self.set_slot(*slot, value);
                self.error.is_none()
            }
        }
    }

    /// Executes the body of a rule whose parameters are set. False if there was an error.
    pub fn execute(&mut self, rule: &Rule) -> bool {
        self.rounds = 0;
        self.at = rule.source;
        self.memory.frames.clear();
        self.memory.frames.extend_from_slice(&rule.frame);
        self.block(&rule.body);
        if self.error.is_some() {
            return false;
        }
        for multiset in &self.rules.multisets {
            let at = self.start + multiset.offset as usize;
            let size = multiset.size as usize;
            sort_slots(&mut self.bytes[at..at + size * multiset.count as usize], size);
        }
        true
    }

    /// The value of an argument, or its place.
    pub(super) fn argument(&mut self, argument: &Argument) -> i32 {
        match argument {
            Argument::Value(expr) => evaluate(self, expr),
            Argument::Place(variable) => self.place(variable).unwrap_or(0),
            Argument::Kept(variable, expr) => {
                self.set(variable, expr);
                self.place(variable).unwrap_or(0)
            }
        }
    }

    pub(super) fn quantified(&mut self, over: &Quantified) -> i32 {
        let (mut value, high) = (evaluate(self, &over.low), evaluate(self, &over.high));
        let (mut count, mut decided) = (0, None);
        while (over.step > 0 && value <= high) || (over.step < 0 && value >= high) {
            self.set_slot(over.slot, value);
            let holds = evaluate(self, &over.body) != 0;
            if self.error.is_some() {
                return 0;
            }
            match over.fold {
                Fold::All if !holds => decided = Some(0),
                Fold::Any if holds => decided = Some(1),
                _ => count += i32::from(holds),
            }
            if let Some(answer) = decided
                && !over.every
            {
                return answer;
            }
            match value.checked_add(over.step) {
                Some(next) => value = next,
                None => break,
            }
        }
        decided.unwrap_or(match over.fold {
            Fold::All => 1,
            Fold::Any => 0,
            Fold::Count => count,
        })
    }
}

impl EvalContext for RuleMachine<'_> {
    #[inline]
    fn load(&mut self, variable: &Variable) -> i32 {
        let Some(place) = self.place(variable) else { return 0 };
        let ty = variable.ty;
        self.note(place, ty.size() as usize, AccessKind::Read);
        let (bytes, at) = self.area(place);
        let raw = ty.repr.load(bytes, at);
        match ty.domain {
            Domain::Cut | Domain::Checked => raw,
            Domain::Within { low, .. } if raw != 0 => raw - 1 + low,
            Domain::Union(union) if raw != 0 => nth(&self.rules.unions[union as usize], raw - 1),
            Domain::Within { .. } | Domain::Union(_) => {
                let message = format!("{} has no value", self.name(variable));
                self.fail(FaultKind::Undefined, message)
            }
        }
    }

    fn special(&mut self, expr: &Expr) -> i32 {
        match expr {
            Expr::Slot(slot) => self.slot(*slot),
            Expr::Undefined(variable) => match self.place(variable) {
                Some(place) => {
                    self.note(place, variable.ty.size() as usize, AccessKind::Read);
                    let (bytes, at) = self.area(place);
                    i32::from(variable.ty.repr.load(bytes, at) == 0)
                }
                None => 0,
            },
            Expr::Call(call) => self.call(call),
            Expr::Quantified(over) => self.quantified(over),
            Expr::Ordinal(value, union) => {
                let value = evaluate(self, value);
                ordinal(&self.rules.unions[*union as usize], value).unwrap_or(-1)
            }
            other => self.fail(FaultKind::Error, format!("a rule cannot evaluate {other:?}")),
        }
    }

    #[cold]
    fn fail(&mut self, kind: FaultKind, message: String) -> i32 {
        if self.error.is_none() {
            self.error = Some(Box::new(EvalError { kind, message }));
        }
        0
    }
}
