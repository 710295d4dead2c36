//! Calls of routines, and the limits of what they may take.

use super::height::of_routine;
use super::machine::RuleMachine;
use super::statements::Flow;
use crate::Call;
use crate::context::EvalContext;
use tightrope_core::FaultKind;

/// Calls that are nested deeper are not executed.
pub const MAX_CALLS: u32 = 1_000;

/// The most levels of nesting of statements and expressions, over all calls under way. This bounds the interpreter's
/// stack: a level takes less than 200 bytes.
pub const MAX_LEVELS: u32 = 10_000;

/// The most bytes of local variables of all calls under way.
pub const MAX_FRAMES: usize = 64 << 20;

/// Larger frames get exactly the memory that they need.
const LARGE_FRAME: usize = 1 << 16;

impl RuleMachine<'_> {
    pub(super) fn call(&mut self, call: &Call) -> i32 {
        let rules = self.rules;
        let routine = &rules.routines[call.routine as usize];
        if self.calls >= MAX_CALLS {
            return self.fail(FaultKind::Limit, format!("`{}` calls itself more than {MAX_CALLS} deep", routine.name));
        }
        if self.memory.heights.len() != rules.routines.len() {
            self.memory.heights = rules.routines.iter().map(|routine| of_routine(&routine.body)).collect();
        }
        let height = self.memory.heights[call.routine as usize];
        if self.levels + height > MAX_LEVELS {
            let message = format!("`{}` is called too deep inside of other calls", routine.name);
            return self.fail(FaultKind::Limit, message);
        }
        let (slots, frames) = (self.memory.slots.len(), self.memory.frames.len());
        if self.memory.most_frames.is_some_and(|most| frames + routine.frame.len() > most) {
            self.memory.short_of_memory = true;
        }
        if self.memory.short_of_memory || frames + routine.frame.len() > MAX_FRAMES {
            let most = MAX_FRAMES >> 20;
            let message = format!("`{}` is called, and local variables take more than {most} MB then", routine.name);
            return self.fail(FaultKind::Limit, message);
        }
        for argument in &call.args {
            // Calls in arguments use the slots behind those pushed so far, and remove them again.
            let value = self.argument(argument);
            self.memory.slots.push(value);
        }
        if self.error.is_some() {
            self.memory.slots.truncate(slots);
            return 0;
        }
        self.memory.slots.resize(slots + routine.slots as usize, 0);
        if routine.frame.len() > LARGE_FRAME {
            self.memory.frames.reserve_exact(routine.frame.len());
        }
        self.memory.frames.extend_from_slice(&routine.frame);
        let outer = (self.slot_base, self.frame_base, self.at);
        (self.slot_base, self.frame_base) = (slots, frames);
        self.calls += 1;
        self.levels += height;
        self.returned = 0;
        let flow = self.block(&routine.body);
        self.calls -= 1;
        self.levels -= height;
        (self.slot_base, self.frame_base) = (outer.0, outer.1);
        if self.error.is_none() {
            self.at = outer.2;
            if routine.returns && flow == Flow::Next {
                return self.fail(FaultKind::Error, format!("`{}` ends without returning a value", routine.name));
            }
        }
        self.memory.slots.truncate(slots);
        self.memory.frames.truncate(frames);
        self.returned
    }
}
