//! Listening to what steps look at and change.

use crate::Program;
use crate::shape::Shape;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use tightrope_core::{How, Mark, Thing};

/// What was looked at and changed so far.
#[derive(Default)]
pub struct Trace(RefCell<Notes>);

#[derive(Default)]
struct Notes {
    marks: Vec<Mark>,
    /// Once there are many marks, where each was noted; an entry counts only if the mark is still there. An atomic sequence may run
    /// for millions of moves, but looks at the same things again and again.
    places: FxHashMap<Mark, usize>,
}

/// So many marks may be there repeatedly.
const MANY: usize = 256;

impl Trace {
    /// Notes something.
    pub fn add(&self, thing: Thing, how: How) {
        let Notes { marks, places } = &mut *self.0.borrow_mut();
        let mark = Mark { thing, how };
        if marks.len() >= MANY {
            if places.get(&mark).is_some_and(|&at| marks.get(at) == Some(&mark)) {
                return;
            }
            places.insert(mark, marks.len());
        }
        marks.push(mark);
    }

    /// How much was noted.
    pub fn len(&self) -> usize {
        self.0.borrow().marks.len()
    }

    /// Whether nothing was.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets all but the first so many.
    pub fn forget_from(&self, len: usize) {
        self.0.borrow_mut().marks.truncate(len);
    }

    /// What was noted from there on was only looked at: sends and receives that were not made.
    pub fn only_read_from(&self, start: usize) {
        self.0.borrow_mut().marks[start..].iter_mut().for_each(|mark| mark.how = How::Read);
    }

    /// Everything that was noted.
    pub fn marks(&self) -> Vec<Mark> {
        self.0.borrow().marks.clone()
    }
}

/// The bytes of a variable at a place in a state.
pub fn bytes(program: &Program, shape: &Shape, at: usize, size: u32) -> Thing {
    let at = at as u32;
    if at < program.schema.fixed_size || shape.bodies.is_empty() {
        return Thing::Shared(at, at + size);
    }
    let pid = shape.bodies.partition_point(|&body| body <= at).saturating_sub(1);
    let start = at - shape.bodies[pid];
    Thing::Own(pid as u32, start, start + size)
}

/// Where a process is in its code: its first bytes.
pub fn location(pid: usize) -> Thing {
    Thing::Own(pid as u32, 0, 1)
}
