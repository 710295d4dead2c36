//! A program and the layout of a state.

use super::ProcessEffects;
use super::access_masks::MessageCount;
use std::cell::Cell;
use tightrope_ir::Program;
use tightrope_ir::effects::processes::SharedObject;
use tightrope_ir::process::{ProcessLayout, ProcessView};

/// A program in a state with a certain layout.
#[derive(Clone, Copy)]
pub struct ProcessContext<'a> {
    pub effects: &'a ProcessEffects,
    pub program: &'a Program,
    pub layout: &'a ProcessLayout,
}

impl ProcessContext<'_> {
    /// For each process the channels that its expressions for names of channels give in a state.
    #[cold]
    pub fn bound_channels(self, state: &[u8]) -> Vec<Vec<u32>> {
        let of_process = |pid: usize| {
            let error = Cell::new(None);
            let view = ProcessView::new(self.program, state, self.layout, pid, false, &error);
            let used = self.effects.channels_used[self.layout.kind(pid) as usize].iter();
            let name = |&number: &u32| view.eval(&self.effects.channel_exprs[number as usize]);
            used.map(|number| u32::try_from(name(number)).unwrap_or(0)).collect()
        };
        (0..self.layout.count()).map(of_process).collect()
    }

    /// Where the number of messages of a channel is, if it is known and buffered.
    pub fn message_count(self, shared: SharedObject) -> MessageCount {
        let SharedObject::Channel(name) = shared else { return None };
        let &(at, channel) = self.layout.channels.get((name as usize).checked_sub(1)?)?;
        let capacity = self.program.channels[channel as usize].capacity;
        (capacity > 0).then_some((at, capacity))
    }
}

/// The location of a process.
pub fn location(context: ProcessContext<'_>, state: &[u8], pid: usize) -> usize {
    let at = context.layout.bodies[pid] as usize;
    let is_wide = context.program.processes[context.layout.kind(pid) as usize].wide_pc;
    state[at] as usize | if is_wide { (state[at + 1] as usize) << 8 } else { 0 }
}
