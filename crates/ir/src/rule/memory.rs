//! What rules and routines store: variables in the state and in frames, slots, references.

use super::machine::RuleMachine;
use crate::access_log::AccessLog;
use crate::context::{EvalContext, evaluate, out_of_bounds};
use crate::{Base, Domain, Expr, Variable};
use tightrope_core::{AccessKind, FaultKind, Resource};

/// The slots and frames of what is under way, used again for every rule.
#[derive(Default)]
pub struct RuleMemory {
    pub(super) slots: Vec<i32>,
    pub(super) frames: Vec<u8>,
    /// The nesting of each routine, computed at the first call.
    pub(super) heights: Vec<u32>,
    /// The most bytes that frames may take now, where there is a budget.
    pub most_frames: Option<usize>,
    /// A call was not executed because its frame exceeds that.
    pub short_of_memory: bool,
    /// A copy of the state that is checked.
    pub state: Vec<u8>,
}

impl RuleMemory {
    /// The bytes that are allocated for frames.
    pub fn held_bytes(&self) -> usize {
        self.frames.capacity()
    }
}

impl RuleMachine<'_> {
    pub(super) fn slot(&self, slot: u32) -> i32 {
        self.memory.slots[self.slot_base + slot as usize]
    }

    /// The place of a variable; none if there was an error.
    #[inline]
    pub(super) fn place(&mut self, variable: &Variable) -> Option<i32> {
        let mut offset = variable.offset as i32;
        for index in &variable.indices {
            let value = evaluate(self, &index.value);
            let position = value.wrapping_sub(index.low);
            if position as u32 >= index.bound {
                if self.error.is_none() {
                    self.fail(FaultKind::Bounds, out_of_bounds(index, value));
                }
                return None;
            }
            offset += position * index.stride as i32;
        }
        Some(match &variable.base {
            Base::Global => offset,
            Base::Frame => !(self.frame_base as i32 + offset),
            Base::At(slot) => {
                let base = self.slot(*slot);
                if base >= 0 { base + offset } else { base - offset }
            }
            Base::Own | Base::Process(..) => {
                self.fail(FaultKind::Error, "a rule has no processes".into());
                return None;
            }
        })
    }

    /// Logs an access to bytes of the state. Frames are not shared.
    #[inline]
    pub(super) fn note(&self, place: i32, size: usize, kind: AccessKind) {
        if let (Some(log), true) = (self.log, place >= 0) {
            self.tell(log, place as u32, place as u32 + size as u32, kind);
        }
    }

    #[cold]
    pub(super) fn tell(&self, log: &AccessLog, from: u32, to: u32, kind: AccessKind) {
        log.add(Resource::Shared(from, to), kind);
        // The elements of a multiset are sorted, so a change of one may move the others.
        for multiset in &self.rules.multisets {
            let (start, end) = (multiset.offset, multiset.offset + multiset.size * multiset.count);
            if from < end && start < to {
                log.add(Resource::Shared(start, end), kind);
            }
        }
    }

    pub(super) fn area(&self, place: i32) -> (&[u8], usize) {
        if place >= 0 { (&self.bytes[self.start..], place as usize) } else { (&self.memory.frames, !place as usize) }
    }

    pub(super) fn area_mut(&mut self, place: i32) -> (&mut [u8], usize) {
        if place >= 0 {
            (&mut self.bytes[self.start..], place as usize)
        } else {
            (&mut self.memory.frames, !place as usize)
        }
    }

    /// Assigns the value of an expression to a variable. Copying an undefined variable makes it undefined.
    pub(super) fn set(&mut self, variable: &Variable, expr: &Expr) {
        if let Expr::Load(from) = expr
            && matches!(from.ty.domain, Domain::Within { .. } | Domain::Union(_))
        {
            let Some(place) = self.place(from) else { return };
            self.note(place, from.ty.size() as usize, AccessKind::Read);
            let (bytes, at) = self.area(place);
            if from.ty.repr.load(bytes, at) == 0 {
                let Some(place) = self.place(variable) else { return };
                self.note(place, variable.ty.size() as usize, AccessKind::Write);
                let (bytes, at) = self.area_mut(place);
                return variable.ty.repr.store(bytes, at, 0);
            }
        }
        let value = evaluate(self, expr);
        if self.error.is_none() {
            self.store(variable, value);
        }
    }

    pub(super) fn store(&mut self, variable: &Variable, value: i32) {
        let Some(place) = self.place(variable) else { return };
        let ty = variable.ty;
        self.note(place, ty.size() as usize, AccessKind::Write);
        let raw = match ty.domain {
            Domain::Cut => ty.wrap(value),
            Domain::Checked => {
                let (low, high) = ty.range();
                if value < low || value > high {
                    return self.out_of_range(variable, value, low, high);
                }
                value
            }
            Domain::Within { low, high } => {
                if value < low || value > high {
                    return self.out_of_range(variable, value, low, high);
                }
                value - low + 1
            }
            Domain::Union(union) => match ordinal(&self.rules.unions[union as usize], value) {
                Some(position) => position + 1,
                None => {
                    let message = format!("{value} is not a value of {}", self.name(variable));
                    self.fail(FaultKind::Range, message);
                    return;
                }
            },
        };
        let (bytes, at) = self.area_mut(place);
        ty.repr.store(bytes, at, raw);
    }

    #[cold]
    pub(super) fn out_of_range(&mut self, variable: &Variable, value: i32, low: i32, high: i32) {
        let message = format!("{value} is out of range for {}, which holds {low} to {high}", self.name(variable));
        self.fail(FaultKind::Range, message);
    }

    /// The name in the schema of what is at a variable's place.
    pub(super) fn name(&mut self, variable: &Variable) -> String {
        let fields = &self.program.schema.fixed;
        let at = self.place(variable).and_then(|place| u32::try_from(place).ok());
        let field = at.and_then(|at| fields.binary_search_by_key(&at, |field| field.offset).ok());
        field.map_or_else(|| "a local variable".to_string(), |field| format!("`{}`", fields[field].name))
    }
}

/// The position of a value in a union of ranges.
pub(crate) fn ordinal(ranges: &[(i32, i32)], value: i32) -> Option<i32> {
    let mut before = 0;
    for &(low, high) in ranges {
        if (low..=high).contains(&value) {
            return Some(before + value - low);
        }
        before += high - low + 1;
    }
    None
}

/// The value at a position of a union of ranges.
pub(super) fn nth(ranges: &[(i32, i32)], mut position: i32) -> i32 {
    for &(low, high) in ranges {
        if position <= high - low {
            return low + position;
        }
        position -= high - low + 1;
    }
    0
}
