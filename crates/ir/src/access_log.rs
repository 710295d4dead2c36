//! A log of what steps read and write, from which footprints are made.

use crate::Program;
use crate::process::ProcessLayout;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use tightrope_core::{Access, AccessKind, Resource};

/// The accesses so far.
#[derive(Default)]
pub struct AccessLog(RefCell<Notes>);

#[derive(Default)]
struct Notes {
    accesses: Vec<Access>,
    /// Once there are many accesses, the position of each; an entry is valid only if the access is still there. An
    /// atomic sequence may run for millions of moves, but it accesses the same resources again and again.
    places: FxHashMap<Access, usize>,
}

/// Up to so many accesses, repetitions are logged as well.
const MANY: usize = 256;

impl AccessLog {
    /// Logs an access.
    pub fn add(&self, resource: Resource, kind: AccessKind) {
        let Notes { accesses, places } = &mut *self.0.borrow_mut();
        let mark = Access { resource, kind };
        if accesses.len() >= MANY {
            if places.get(&mark).is_some_and(|&at| accesses.get(at) == Some(&mark)) {
                return;
            }
            places.insert(mark, accesses.len());
        }
        accesses.push(mark);
    }

    /// How many accesses were logged.
    pub fn len(&self) -> usize {
        self.0.borrow().accesses.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Drops all but the first so many.
    pub fn forget_from(&self, len: usize) {
        self.0.borrow_mut().accesses.truncate(len);
    }

    /// Turns the accesses from there on into reads: they are sends and receives that were not made.
    pub fn only_read_from(&self, start: usize) {
        self.0.borrow_mut().accesses[start..].iter_mut().for_each(|mark| mark.kind = AccessKind::Read);
    }

    /// All accesses.
    pub fn accesses(&self) -> Vec<Access> {
        self.0.borrow().accesses.clone()
    }
}

/// The bytes of a variable at a place in a state.
pub fn bytes(program: &Program, layout: &ProcessLayout, at: usize, size: u32) -> Resource {
    let at = at as u32;
    if at < program.schema.fixed_size || layout.bodies.is_empty() {
        return Resource::Shared(at, at + size);
    }
    let pid = layout.bodies.partition_point(|&body| body <= at).saturating_sub(1);
    let start = at - layout.bodies[pid];
    Resource::Own(pid as u32, start, start + size)
}

/// The location of a process: its first bytes.
pub fn location(pid: usize) -> Resource {
    Resource::Own(pid as u32, 0, 1)
}
