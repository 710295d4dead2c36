//! What a function under construction calls, and the frames of what is compiled into it.

use crate::call_graph::MAX_FRAMES;
use crate::code::{Code, CompileError};
use cranelift_codegen::ir::{FuncRef, StackSlot, StackSlotData, StackSlotKind};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Module};
use std::collections::HashMap;

/// Finds functions for calls from the function under construction.
///
/// It also allocates the frames of the rules and routines that are compiled into that function. A frame that was given
/// back is used again, so that a function takes stack only for frames in use at the same time.
pub struct Linker<'m> {
    module: &'m mut JITModule,
    known: HashMap<FuncId, FuncRef>,
    /// Frames that are not in use.
    pub(super) free: Vec<StackSlot>,
    /// The bytes of all frames together.
    frames: u64,
}

impl<'m> Linker<'m> {
    /// For one function.
    pub fn new(module: &'m mut JITModule) -> Linker<'m> {
        Linker { module, known: HashMap::new(), free: Vec::new(), frames: 0 }
    }

    /// A frame of so many bytes. Fails where the frames of the function would take more than [`MAX_FRAMES`].
    pub(super) fn take_frame(&mut self, code: &mut Code<'_>, size: usize) -> Result<StackSlot, CompileError> {
        let size = u32::try_from(size).unwrap_or(u32::MAX);
        let slots = &mut code.builder.func.sized_stack_slots;
        // The largest one grows least.
        let largest = (0..self.free.len()).max_by_key(|&at| slots[self.free[at]].size);
        let (slot, before) = match largest.map(|at| self.free.swap_remove(at)) {
            Some(slot) => (slot, slots[slot].size),
            None => (slots.push(StackSlotData::new(StackSlotKind::ExplicitSlot, 0, 3)), 0),
        };
        slots[slot].size = before.max(size);
        self.frames += u64::from(size.saturating_sub(before));
        if self.frames > u64::from(MAX_FRAMES) {
            return Err(format!("its local variables are too large for machine code (more than {MAX_FRAMES} bytes)"));
        }
        Ok(slot)
    }

    /// A function to be called.
    pub fn find(&mut self, code: &mut Code<'_>, id: FuncId) -> FuncRef {
        *self.known.entry(id).or_insert_with(|| self.module.declare_func_in_func(id, code.builder.func))
    }
}
