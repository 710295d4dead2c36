//! The interface to machine code for rules: the record that it is called with, and what it calls back.
//!
//! Nearly all unsafe code for rules is here. It is sound because:
//! - Machine code reads the state that it is given, whose size it was made for, and its own memory.
//! - It writes to its own stack, to the [`RuleCall`], and to the place of one successor at a time, up to the limit that
//!   the record gives.
//! - Indices are compared with their bounds before they are used, whatever the bytes of the state are.

use std::mem::offset_of;
use tightrope_core::{Successor, Successors, sort_slots};

/// The record of an expansion. Machine code knows the offsets of its fields.
#[repr(C)]
pub struct RuleCall<'b> {
    /// Where the next successor goes.
    next: *mut u8,
    /// The last place that has room for one.
    limit: *mut u8,
    /// Where its entry goes. There is room for as many as there is for successors.
    item: *mut Successor,
    /// Where the buffer of successors begins.
    bytes: *mut u8,
    /// Where to note which rules were exercised: a byte each.
    exercised: *mut bool,
    /// How many rounds loops made.
    rounds: u64,
    /// Recursive routines do not go on where the stack reaches below this.
    stack: usize,
    /// How many levels deep calls of recursive routines are nested, as the interpreter counts them.
    depth: u32,
    /// Whether an automaton is at a committed location.
    committed_now: u32,
    /// So many steps are passed over, before one is taken; looked at where `limit` says that there is no room.
    skip: u32,
    /// Where successors go; none for functions that make none.
    out: Option<&'b mut Successors>,
    /// There was no room: machine code writes to the tail of the buffer, and what it writes is dropped.
    overflows: bool,
    /// The bytes of a state.
    size: usize,
}

/// The offsets of the fields of a [`RuleCall`].
pub const NEXT: i32 = offset_of!(RuleCall<'static>, next) as i32;
/// See [`NEXT`].
pub const LIMIT: i32 = offset_of!(RuleCall<'static>, limit) as i32;
/// See [`NEXT`].
pub const ITEM: i32 = offset_of!(RuleCall<'static>, item) as i32;
/// See [`NEXT`].
pub const BYTES: i32 = offset_of!(RuleCall<'static>, bytes) as i32;
/// See [`NEXT`].
pub const EXERCISED: i32 = offset_of!(RuleCall<'static>, exercised) as i32;
/// See [`NEXT`].
pub const ROUNDS: i32 = offset_of!(RuleCall<'static>, rounds) as i32;
/// See [`NEXT`].
pub const STACK: i32 = offset_of!(RuleCall<'static>, stack) as i32;
/// See [`NEXT`].
pub const DEPTH: i32 = offset_of!(RuleCall<'static>, depth) as i32;
/// See [`NEXT`].
pub const SKIP: i32 = offset_of!(RuleCall<'static>, skip) as i32;
/// See [`NEXT`].
pub const COMMITTED_NOW: i32 = offset_of!(RuleCall<'static>, committed_now) as i32;

/// The stack that recursive routines may use before the interpreter takes over.
const MAX_STACK: usize = 128 << 10;

/// Machine code for some rules. Not zero if it bailed out.
pub type RuleFunction = unsafe extern "C" fn(*mut RuleCall<'_>, *const u8) -> u32;

impl<'b> RuleCall<'b> {
    /// Adds to successors of so many bytes, not none, and notes which rules were exercised. None if there is no room.
    pub fn new(
        out: &'b mut Successors,
        exercised: &'b mut [bool],
        size: usize,
        committed_now: bool,
    ) -> Option<RuleCall<'b>> {
        if !out.keep_tail(size, 1) {
            return None;
        }
        let mut call = RuleCall::looking(size);
        call.exercised = exercised.as_mut_ptr();
        call.committed_now = committed_now.into();
        call.out = Some(out);
        call.point(1);
        Some(call)
    }

    /// For functions that make no successors.
    pub fn looking(size: usize) -> RuleCall<'b> {
        use std::ptr::null_mut;
        let (next, limit, item, bytes, exercised) = (null_mut(), null_mut(), null_mut(), null_mut(), null_mut());
        let here = 0u8;
        let stack = (&raw const here as usize).saturating_sub(MAX_STACK);
        RuleCall {
            next,
            limit,
            item,
            bytes,
            exercised,
            rounds: 0,
            stack,
            depth: 0,
            committed_now: 0,
            skip: 0,
            out: None,
            size,
            overflows: false,
        }
    }

    /// Points behind what is in the buffer, where room is made for so many successors; or to its tail, which has room for one.
    fn point(&mut self, count: usize) {
        let (size, Some(out)) = (self.size, &mut self.out) else { return };
        self.overflows = self.overflows || !out.make_room(count * size, count);
        let (bytes_end, items_end) = out.room_ends();
        let (used, entered, room) = match self.overflows {
            false => {
                let (used, entered) = (out.bytes.len(), out.items.len());
                (used, entered, ((bytes_end - used) / size).min(items_end - entered))
            }
            true => (bytes_end, items_end, 1),
        };
        // SAFETY: all are within what is allocated: there is room for one at least.
        unsafe {
            self.bytes = out.bytes.as_mut_ptr();
            self.next = self.bytes.add(used);
            self.limit = self.next.add((room - 1) * size);
            self.item = out.items.as_mut_ptr().add(entered);
        }
    }

    /// The buffer gets the length of what was written to it.
    pub fn settle(&mut self) {
        let Some(out) = self.out.as_mut().filter(|_| !self.overflows) else { return };
        // SAFETY: machine code moves on from successor to successor after it has written all bytes of one and its entry,
        // and only from places up to `limit`; so everything before is within the allocation, and has a value.
        unsafe {
            out.bytes.set_len(self.next.offset_from(out.bytes.as_ptr()) as usize);
            out.items.set_len(self.item.offset_from(out.items.as_ptr()) as usize);
        }
    }

    /// Calls machine code. False if it bailed out.
    ///
    /// # Safety
    /// The function must have been made for states of this size, and its memory must still be there.
    #[inline]
    pub unsafe fn run(&mut self, function: RuleFunction, state: &[u8]) -> bool {
        assert_eq!(state.len(), self.size);
        // SAFETY: as above.
        unsafe { function(self, state.as_ptr()) == 0 }
    }

    /// Passes over so many steps before it takes one.
    pub fn pass_over(&mut self, steps: u32) {
        self.skip = steps;
        self.limit = std::ptr::null_mut();
    }

    /// How many steps are still to be passed over.
    pub fn to_pass_over(&self) -> u32 {
        self.skip
    }

    /// Where the next entry goes.
    pub fn mark(&self) -> *const Successor {
        self.item
    }
}

/// Makes room for more successors.
pub unsafe extern "C" fn grow(call: *mut RuleCall<'_>) {
    // SAFETY: machine code passes the record that it was called with, which nothing else uses meanwhile.
    let call = unsafe { &mut *call };
    call.settle();
    call.point(16);
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
