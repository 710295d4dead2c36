//! Expansion by machine code: what the code is given ([`MoveCall`]), and what it calls back.
//!
//! Invariant: while machine code runs, the buffer of successors is lent to it ([`NativeExpansion::lend`]): the code writes
//! behind the length of the buffer. Before anything else reads the buffer, it is settled ([`NativeExpansion::settle`]).

use super::atomic::IntermediateState;
use super::expansion::{Expansion, Firing, MAX_OUTCOME_BYTES};
use super::layout::ProcessSlot;
use super::move_call::{MoveCall, MoveFunction, MoveMode, NativeMoves, NativeProcess, PIECE};
use super::move_log::NO_PATH;
use super::scratch::ProcessScratch;
use super::step::MoveRole;
use std::cell::Cell;
use tightrope_core::{Refused, Successor, Successors};

/// The machine code for the processes of a layout.
#[derive(Default)]
pub(super) struct LayoutCode {
    /// Each process with its code, where there is some.
    processes: Vec<(ProcessSlot, Option<MoveFunction>)>,
    /// The most successors that all of them add together without a call back.
    most: usize,
}

impl ProcessScratch {
    /// Takes out the code of a layout, to be put back.
    #[inline]
    fn take_layout_code(&mut self, layout: u32, native: &NativeMoves) -> LayoutCode {
        match self.layout_code.get_mut(layout as usize) {
            Some(code) if !code.processes.is_empty() => std::mem::take(code),
            _ => self.find_layout_code(layout, native),
        }
    }

    #[cold]
    fn find_layout_code(&mut self, layout: u32, native: &NativeMoves) -> LayoutCode {
        if self.layout_code.len() <= layout as usize {
            self.layout_code.resize_with(layout as usize + 1, LayoutCode::default);
        }
        let code = |slot: &ProcessSlot| native.kinds[slot.kind as usize];
        let processes = &self.layouts.get(layout).processes;
        LayoutCode {
            most: processes.iter().filter_map(code).map(|native| native.most).sum(),
            processes: processes.iter().map(|slot| (*slot, code(slot).map(|native| native.code))).collect(),
        }
    }
}

impl Expansion<'_> {
    /// Lets all processes begin steps from the expanded state, by machine code where there is some.
    pub(super) fn native_moves_of_all(
        &mut self,
        from: &mut IntermediateState,
        state: &[u8],
        code: &NativeMoves,
    ) -> bool {
        let mut copy = std::mem::take(&mut self.scratch.expanded);
        padded(&mut copy, state);
        let (number, mut moved) = (from.layout, false);
        let table = self.scratch.take_layout_code(number, code);
        let mut native = NativeExpansion::new(self, StateSource::Copied(from, &copy), MoveRole::Begins, 1);
        let mut call = native.move_call(&copy, number);
        let lent = native.lend(&mut call, table.most);
        for (pid, &(slot, code)) in table.processes.iter().enumerate().rev() {
            if !lent || native.overflows {
                break;
            }
            native.turn_to(&mut call, slot, pid);
            moved |= match code {
                Some(code) => {
                    // The pointer is derived anew for each call: only the code uses the expansion until it returns.
                    call.native = (&raw mut native).cast();
                    // SAFETY: the layout fits the state, the process is of the kind that the code was made for, and there
                    // is room for what all processes can add.
                    unsafe { code(&raw mut call) != 0 }
                }
                None => native.pause(&mut call, |expansion, from, role| expansion.moves(from, pid, None, role)),
            };
        }
        native.settle(&call);
        self.scratch.expanded = copy;
        self.scratch.layout_code[number as usize] = table;
        moved
    }

    /// Lets a process move by machine code.
    pub(super) fn native_moves(
        &mut self,
        from: &IntermediateState,
        pid: usize,
        role: MoveRole,
        code: NativeProcess,
    ) -> bool {
        // The buffer may be reallocated while successors are added, so the code reads a copy of the state.
        let mut copy = self.scratch.copies.pop().unwrap_or_default();
        padded(&mut copy, &self.out.bytes[from.start..from.end]);
        let statements = from.statements + 1;
        let mut native = NativeExpansion::new(self, StateSource::Placed(from), role, statements);
        let mut call = native.move_call(&copy, from.layout);
        let mut moved = true;
        if native.lend(&mut call, code.most) && !native.overflows {
            let slot = native.expansion.scratch.layouts.get(from.layout).processes[pid];
            native.turn_to(&mut call, slot, pid);
            moved = native.run(&mut call, code);
            native.settle(&call);
        }
        self.scratch.copies.push(copy);
        moved
    }
}

/// Copies a state to where machine code may read a little beyond its end.
pub(super) fn padded(copy: &mut Vec<u8>, state: &[u8]) {
    copy.clear();
    copy.reserve(state.len() + PIECE);
    copy.extend_from_slice(state);
}

/// The state that moves start from.
enum StateSource<'e> {
    /// It is in the buffer.
    Placed(&'e IntermediateState),
    /// It is copied there when the interpreter needs it; these are its bytes.
    Copied(&'e mut IntermediateState, &'e [u8]),
}

/// An expansion under way in machine code.
pub(super) struct NativeExpansion<'e, 'a> {
    pub expansion: &'e mut Expansion<'a>,
    from: StateSource<'e>,
    role: MoveRole,
    /// How many statements the steps have that machine code adds.
    pub statements: u32,
    /// For so many steps the number of statements is noted.
    pub noted: usize,
    /// There was no room: machine code writes to the tail of the buffer until it returns, and what it writes is dropped.
    pub overflows: bool,
}

impl<'e, 'a> NativeExpansion<'e, 'a> {
    fn new(expansion: &'e mut Expansion<'a>, from: StateSource<'e>, role: MoveRole, statements: u32) -> Self {
        NativeExpansion { expansion, from, role, statements, noted: 0, overflows: false }
    }
}

impl NativeExpansion<'_, '_> {
    /// The record for calls on a state, which is padded. It is valid while both live and are not moved.
    fn move_call(&mut self, state: &[u8], layout: u32) -> MoveCall {
        let timeout = self.expansion.timeout && self.role == MoveRole::Begins;
        let layout = self.expansion.scratch.layouts.get(layout);
        MoveCall {
            state: state.as_ptr(),
            len: state.len() as u64,
            own: state.as_ptr(),
            own_at: 0,
            bytes: std::ptr::null_mut(),
            next: std::ptr::null_mut(),
            item: std::ptr::null_mut(),
            bytes_end: std::ptr::null_mut(),
            items_end: std::ptr::null_mut(),
            most: 0,
            exercised: std::ptr::null_mut(),
            // The table is on the heap: it stays in place when layouts are added.
            channels: layout.table.as_ptr(),
            channel_count: layout.table.len() as u32,
            first_channel: 0,
            pid: 0,
            kind: 0,
            count: layout.count() as i32,
            timeout: i32::from(timeout),
            mode: (if self.role == MoveRole::Begins { MoveMode::Begins } else { MoveMode::Continues }) as u32,
            pending: std::ptr::null_mut(),
            action: 0,
            choice: 0,
            gave_up: false,
            native: std::ptr::null_mut(),
        }
    }

    /// Turns the record to another process.
    #[inline]
    fn turn_to(&mut self, call: &mut MoveCall, slot: ProcessSlot, pid: usize) {
        let scratch = &mut *self.expansion.scratch;
        let ProcessSlot { kind, own_at, first_channel } = slot;
        call.own_at = u64::from(own_at);
        call.own = call.state.wrapping_add(own_at as usize);
        call.first_channel = first_channel;
        call.pid = pid as i32;
        call.kind = u32::from(kind);
        call.exercised = scratch.exercised[kind as usize].as_mut_ptr();
    }

    /// Makes room for so many successors.
    #[inline]
    pub(super) fn make_room(&mut self, call: &mut MoveCall, most: usize) {
        let bytes = most * call.len as usize + PIECE;
        let room = (call.bytes_end as usize).wrapping_sub(call.next as usize);
        let entries = (call.items_end as usize).wrapping_sub(call.item as usize);
        if room < bytes || entries < most * size_of::<Successor>() {
            self.settle(call);
            self.lend(call, most);
        }
        call.most = most;
    }

    /// Calls machine code for the process that the record is turned to.
    #[inline]
    fn run(&mut self, call: &mut MoveCall, code: NativeProcess) -> bool {
        self.make_room(call, code.most);
        // Only the code uses the expansion until it returns.
        call.native = (&raw mut *self).cast();
        // SAFETY: the layout fits the state, the process is of the kind that the code was made for, and there is room.
        unsafe { (code.code)(call) != 0 }
    }

    /// Lends the buffer of successors, with room for at least so many; where there is no room, its tail. False, and
    /// nothing is lent, if there is no tail either; there is one if as much was lent before in this expansion.
    #[inline]
    pub(super) fn lend(&mut self, call: &mut MoveCall, most: usize) -> bool {
        let out = &mut *self.expansion.out;
        let room = most * call.len as usize + PIECE;
        if !out.keep_tail(room, most) {
            self.overflows = true;
            return false;
        }
        self.overflows = out.refused().is_some() || !out.make_room(room, most);
        let (bytes_end, items_end) = out.room_ends();
        let Successors { bytes, items, .. } = out;
        let (next, item) = if self.overflows { (bytes_end, items_end) } else { (bytes.len(), items.len()) };
        call.most = most;
        call.bytes = bytes.as_mut_ptr();
        call.next = call.bytes.wrapping_add(next);
        call.bytes_end = call.bytes.wrapping_add(bytes_end);
        call.item = items.as_mut_ptr().wrapping_add(item);
        call.items_end = items.as_mut_ptr().wrapping_add(items_end);
        self.noted = items.len();
        true
    }

    /// How many steps there are, with those that machine code added.
    #[inline]
    pub(super) fn entered(&self, call: &MoveCall) -> usize {
        (call.item as usize - self.expansion.out.items.as_ptr() as usize) / size_of::<Successor>()
    }

    /// Notes how many statements the steps have that machine code added.
    #[inline]
    pub(super) fn note(&mut self, call: &MoveCall) {
        if self.overflows {
            return;
        }
        let entered = self.entered(call);
        self.expansion.scratch.statements.note(self.noted, entered, self.statements);
        self.noted = entered;
    }

    /// Takes the buffer back, with what was added.
    #[inline]
    pub(super) fn settle(&mut self, call: &MoveCall) {
        if self.overflows {
            return;
        }
        self.note(call);
        let Successors { bytes, items, .. } = &mut *self.expansion.out;
        // SAFETY: machine code moves on in both only after it has written everything before, and no further than there
        // was room for.
        unsafe {
            bytes.set_len(call.next.offset_from(bytes.as_ptr()) as usize);
            items.set_len(call.item.offset_from(items.as_ptr()) as usize);
        }
    }

    /// Interrupts machine code: takes the buffer back, calls `what` with the state that moves start from, which is in the
    /// buffer then, and lends the buffer again.
    fn pause(
        &mut self,
        call: &mut MoveCall,
        what: impl FnOnce(&mut Expansion<'_>, &IntermediateState, MoveRole) -> bool,
    ) -> bool {
        self.settle(call);
        let result = match &mut self.from {
            _ if self.overflows => true,
            StateSource::Placed(from) => what(self.expansion, from, self.role),
            StateSource::Copied(from, state) => {
                !self.expansion.place(from, state) || what(self.expansion, from, self.role)
            }
        };
        self.lend(call, call.most);
        result
    }

    /// Continues a step whose first move machine code made: the state after it is at [`MoveCall::next`].
    pub fn hand_over(&mut self, call: &mut MoveCall, index: u32) {
        if self.role == MoveRole::Begins && self.follow_atomic(call, index) {
            return;
        }
        if self.overflows {
            // The tail is overwritten from its start.
            self.lend(call, call.most);
            return;
        }
        let (pid, kind, len) = (call.pid as usize, call.kind as u8, call.len as usize);
        call.next = call.next.wrapping_add(len);
        self.settle(call);
        let expansion = &mut *self.expansion;
        let end = expansion.out.bytes.len();
        expansion.name_step(self.role, pid, index);
        let next = IntermediateState {
            start: end - len,
            end,
            path: NO_PATH,
            statements: self.statements,
            ..match &self.from {
                StateSource::Placed(from) => (*from).clone(),
                StateSource::Copied(from, _) => IntermediateState::expanded(from.layout),
            }
        };
        if end > MAX_OUTCOME_BYTES {
            expansion.out.refuse(Refused::Limit(Successors::TOO_LARGE));
        } else {
            expansion.go_on(next, (pid, kind), index, self.role);
        }
        self.lend(call, call.most);
    }

    /// Has the interpreter try a transition; whether it happened.
    pub fn slow(&mut self, call: &mut MoveCall, index: u32, moved: bool) -> bool {
        if call.mode == MoveMode::Links as u32 {
            call.gave_up = true;
            return true;
        }
        let (pid, kind) = (call.pid as usize, call.kind as u8);
        self.pause(call, |expansion, from, role| {
            let firing = Firing { from, pid, kind, index, handshake: None, role };
            let transition = &expansion.program.processes[kind as usize].transitions[index as usize];
            let error = Cell::new(None);
            let enabled = expansion.view(from, pid, role, &error).is_enabled(&transition.action, None, moved);
            match error.take() {
                Some(error) => expansion.fail(firing, *error),
                None => enabled && expansion.fire(firing),
            }
        })
    }
}
