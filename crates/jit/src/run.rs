//! What machine code for rules works with while it runs, and what it calls.
//!
//! This is where machine code meets Rust, so nearly all that is unsafe is here. What makes it sound:
//! - Machine code reads the state it is given, which has [`Layout::size`] bytes, and memory of its own.
//! - It writes to its own stack, to the [`Run`], and to the place of one successor at a time, behind which it was told
//!   that there is room.
//! - Indices are compared with their bounds before they are used, whatever the bytes of the state are.

use std::mem::offset_of;
use tightrope_core::sort_slots;

/// How successors lie in the buffer: the action of each, then its state.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// The bytes of a state.
    pub size: usize,
}

impl Layout {
    /// The bytes of an action.
    pub const ACTION: usize = 8;

    /// The bytes of a successor.
    pub fn stride(self) -> usize {
        Layout::ACTION + self.size
    }
}

/// One state being expanded. Machine code knows where its fields are.
#[repr(C)]
pub struct Run<'b> {
    /// Where the next successor goes.
    next: *mut u8,
    /// The last place that has room for one.
    limit: *mut u8,
    /// How often loops went round.
    rounds: u64,
    /// How deep calls of recursive routines are nested.
    depth: u32,
    /// Whether an automaton is at an urgent location.
    pressed: u32,
    buffer: &'b mut Vec<u8>,
    /// Where the successors begin in it.
    begin: usize,
    layout: Layout,
}

/// Where the fields of a [`Run`] are.
pub const NEXT: i32 = offset_of!(Run<'static>, next) as i32;
/// See [`NEXT`].
pub const LIMIT: i32 = offset_of!(Run<'static>, limit) as i32;
/// See [`NEXT`].
pub const ROUNDS: i32 = offset_of!(Run<'static>, rounds) as i32;
/// See [`NEXT`].
pub const DEPTH: i32 = offset_of!(Run<'static>, depth) as i32;
/// See [`NEXT`].
pub const PRESSED: i32 = offset_of!(Run<'static>, pressed) as i32;

/// Machine code for some rules. Not zero if there was trouble.
pub type Function = unsafe extern "C" fn(*mut Run<'_>, *const u8) -> u32;

impl<'b> Run<'b> {
    /// Adds to a buffer.
    pub fn new(buffer: &'b mut Vec<u8>, layout: Layout, pressed: bool) -> Run<'b> {
        if buffer.capacity() - buffer.len() < layout.stride() {
            buffer.reserve(16 * layout.stride());
        }
        let (null, begin) = (std::ptr::null_mut(), buffer.len());
        let pressed = pressed.into();
        let mut run = Run { next: null, limit: null, rounds: 0, depth: 0, pressed, buffer, begin, layout };
        run.point();
        run
    }

    /// For functions that make no successors.
    pub fn looking(buffer: &'b mut Vec<u8>, layout: Layout) -> Run<'b> {
        let null = std::ptr::null_mut();
        Run { next: null, limit: null, rounds: 0, depth: 0, pressed: 0, buffer, begin: 0, layout }
    }

    /// Points behind what is in the buffer, which has room for at least one successor.
    fn point(&mut self) {
        let (used, room) = (self.buffer.len(), self.buffer.capacity());
        debug_assert!(room - used >= self.layout.stride());
        // SAFETY: both are within what is allocated, as `used + stride <= room`.
        unsafe {
            let start = self.buffer.as_mut_ptr();
            self.next = start.add(used);
            self.limit = start.add(room - self.layout.stride());
        }
    }

    /// The buffer gets the length of what was written to it.
    pub fn settle(&mut self) {
        // SAFETY: machine code moves `next` from successor to successor after it has written all bytes of one, and only
        // from places up to `limit`; so everything before it is within the allocation, and has a value.
        unsafe {
            let used = self.next.offset_from(self.buffer.as_ptr());
            self.buffer.set_len(used as usize);
        }
    }

    /// Calls machine code. Whether there was no trouble.
    ///
    /// # Safety
    /// The function must have been made for states of the layout's size, and its memory must still be there.
    pub unsafe fn call(&mut self, function: Function, state: &[u8]) -> bool {
        assert_eq!(state.len(), self.layout.size);
        // SAFETY: as above.
        unsafe { function(self, state.as_ptr()) == 0 }
    }

    /// Whether there is a successor.
    pub fn is_empty(&self) -> bool {
        std::ptr::eq(self.next, self.buffer.as_ptr().wrapping_add(self.begin))
    }
}

/// Makes room for more successors.
pub unsafe extern "C" fn grow(run: *mut Run<'_>) {
    // SAFETY: machine code passes on the run that it was called with, and nobody else uses that meanwhile.
    let run = unsafe { &mut *run };
    run.settle();
    let more = run.buffer.len().max(16 * run.layout.stride());
    run.buffer.reserve(more);
    run.point();
}

/// Copies bytes; the two places may overlap.
pub unsafe extern "C" fn copy(to: *mut u8, from: *const u8, size: usize) {
    // SAFETY: machine code passes places in the state or in its own memory that have so many bytes.
    unsafe { std::ptr::copy(from, to, size) }
}

/// Sorts the slots of a multiset.
pub unsafe extern "C" fn sort(at: *mut u8, bytes: usize, size: usize) {
    // SAFETY: the successor that machine code is writing has these bytes.
    let slots = unsafe { std::slice::from_raw_parts_mut(at, bytes) };
    sort_slots(slots, size);
}

/// Puts an element into a multiset of so many slots of so many bytes. 0 if there is no room.
pub unsafe extern "C" fn insert(at: *mut u8, count: usize, size: usize, element: *const u8) -> u32 {
    // SAFETY: a multiset has so many bytes, and its element has one less than a slot. The element may lie in the same
    // multiset, so there are only pointers here.
    unsafe {
        let Some(slot) = (0..count).find(|slot| *at.add(slot * size) == 0) else { return 0 };
        let slot = at.add(slot * size);
        *slot = 1;
        std::ptr::copy(element, slot.add(1), size - 1);
        1
    }
}
