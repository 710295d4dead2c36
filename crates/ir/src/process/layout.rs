//! Where the processes and channels of a state lie.
//!
//! States with equal process lists share a layout. It is computed once and found by the bytes of the list, so that a
//! step costs one comparison of a few bytes.

use crate::Program;
use rustc_hash::FxHashMap;

/// The places of processes and channels in states with one process list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessLayout {
    /// The process list as it stands in the state: the number of processes, then their kinds.
    pub list: Box<[u8]>,
    /// The place of each process's body.
    pub bodies: Vec<u32>,
    /// The number of channels before each process's own, global ones included.
    pub first_channel: Vec<u32>,
    /// The place and type of every channel, global ones first.
    pub channels: Vec<(u32, u32)>,
    /// The same, for machine code.
    pub table: Vec<[u32; 2]>,
    /// What machine code is told of each process.
    pub processes: Vec<ProcessSlot>,
    /// The length of the state.
    pub len: usize,
}

/// A process in a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessSlot {
    /// Its kind.
    pub kind: u8,
    /// The place of its body.
    pub own_at: u32,
    /// The number of channels before its own.
    pub first_channel: u32,
}

impl ProcessLayout {
    /// The layout of states with this process list.
    fn new(program: &Program, list: &[u8]) -> Option<ProcessLayout> {
        let mut channels: Vec<(u32, u32)> =
            program.global_channels.iter().map(|owned| (owned.offset, owned.channel)).collect();
        let mut at = program.schema.fixed_size as usize + list.len();
        let mut bodies = Vec::new();
        let mut first_channel = Vec::new();
        for &kind in list.get(1..).unwrap_or_default() {
            let process = program.processes.get(kind as usize)?;
            bodies.push(at as u32);
            first_channel.push(channels.len() as u32);
            channels.extend(process.channels.iter().map(|owned| (at as u32 + owned.offset, owned.channel)));
            at += process.body.len();
        }
        let table = channels.iter().map(|&(at, channel)| [at, channel]).collect();
        let slot = |(pid, &kind)| ProcessSlot { kind, own_at: bodies[pid], first_channel: first_channel[pid] };
        let processes = list.get(1..).unwrap_or_default().iter().enumerate().map(slot).collect();
        Some(ProcessLayout { list: list.into(), bodies, first_channel, channels, table, processes, len: at })
    }

    /// The number of processes.
    pub fn count(&self) -> usize {
        self.bodies.len()
    }

    /// The kind of a process.
    pub fn kind(&self, pid: usize) -> u8 {
        self.list[1 + pid]
    }
}

/// The layouts met so far, by number.
#[derive(Default)]
pub struct ProcessLayouts {
    all: Vec<ProcessLayout>,
    by_list: FxHashMap<Box<[u8]>, u32>,
    recent: u32,
}

impl ProcessLayouts {
    /// The number of the layout of `state`; none if these bytes are no state of the program.
    pub fn find(&mut self, program: &Program, state: &[u8]) -> Option<u32> {
        let at = program.schema.fixed_size as usize;
        let list: &[u8] = if program.processes.is_empty() {
            &[]
        } else {
            let count = *state.get(at)? as usize;
            state.get(at..=at + count)?
        };
        // Comparing empty slices takes some libraries a hundred nanoseconds, in masked loads.
        if let Some(layout) = self.all.get(self.recent as usize)
            && (list.is_empty() || *layout.list == *list)
        {
            return (layout.len == state.len()).then_some(self.recent);
        }
        let number = match self.by_list.get(list) {
            Some(&number) => number,
            None => {
                let layout = ProcessLayout::new(program, list)?;
                let number = self.all.len() as u32;
                self.by_list.insert(layout.list.clone(), number);
                self.all.push(layout);
                number
            }
        };
        self.recent = number;
        (self.all[number as usize].len == state.len()).then_some(number)
    }

    /// A layout by its number.
    #[inline]
    pub fn get(&self, number: u32) -> &ProcessLayout {
        &self.all[number as usize]
    }
}
