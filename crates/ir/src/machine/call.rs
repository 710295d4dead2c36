//! Machine code in an expansion: what it is given, and what it asks back.

use super::{Expansion, Frame, MAX_LINKS, MAX_OUTCOMES, NO_PATH, Role, name};
use crate::desk::{Desk, Mode, NativeKind, NativeMoves, PIECE};
use crate::shape::Seat;
use std::cell::Cell;
use std::cmp::Reverse;
use tightrope_core::{Refusal, Step, Successor, Successors};

impl Expansion<'_> {
    /// Lets all processes begin steps from the state that is expanded, by machine code where there is some.
    pub(super) fn moves_of_all(&mut self, frame: &mut Frame, state: &[u8], native: &NativeMoves) -> bool {
        let mut copy = std::mem::take(&mut self.work.origin);
        padded(&mut copy, state);
        let (number, mut moved) = (frame.shape, false);
        let table = self.work.table_of(number, native);
        let mut call = Call::new(self, Framed::Maybe(frame, &copy), Role::Begins, 1);
        let mut desk = call.desk(&copy, number);
        let lent = call.lend(&mut desk, table.most);
        for (pid, &(seat, code)) in table.seats.iter().enumerate().rev() {
            if !lent || call.overflows {
                break;
            }
            call.seat(&mut desk, seat, pid);
            moved |= match code {
                Some(code) => {
                    // Derived anew each time: nobody but the code uses the call until it returns.
                    desk.call = (&raw mut call).cast();
                    // SAFETY: the shape fits the state, the process is of the kind that the code was made for, and there
                    // is room for what all processes can add.
                    unsafe { code(&raw mut desk) != 0 }
                }
                None => call.pause(&mut desk, |expansion, frame, role| expansion.moves(frame, pid, None, role)),
            };
        }
        call.settle(&desk);
        self.work.origin = copy;
        self.work.tables[number as usize] = table;
        moved
    }

    /// Lets a process move by machine code.
    pub(super) fn moves_native(&mut self, frame: &Frame, pid: usize, role: Role, native: NativeKind) -> bool {
        // The buffer may move while successors are added to it, so the code looks elsewhere.
        let mut copy = self.work.copies.pop().unwrap_or_default();
        padded(&mut copy, &self.out.bytes[frame.start..frame.end]);
        let statements = frame.statements + 1;
        let mut call = Call::new(self, Framed::Placed(frame), role, statements);
        let mut desk = call.desk(&copy, frame.shape);
        let mut moved = true;
        if call.lend(&mut desk, native.most) && !call.overflows {
            let seat = call.expansion.work.shapes.get(frame.shape).seats[pid];
            call.seat(&mut desk, seat, pid);
            moved = call.run(&mut desk, native);
            call.settle(&desk);
        }
        self.work.copies.push(copy);
        moved
    }
}

/// Copies a state to where machine code may read a little beyond its end.
fn padded(copy: &mut Vec<u8>, state: &[u8]) {
    copy.clear();
    copy.reserve(state.len() + PIECE);
    copy.extend_from_slice(state);
}

/// A state inside a step.
pub(super) struct Waiting {
    /// Where it begins.
    start: u32,
    /// How many statements led there.
    statements: u32,
    /// The step ends here.
    ends: bool,
}

/// The state that moves start from.
enum Framed<'e> {
    /// It is in the buffer.
    Placed(&'e Frame),
    /// It is put there when somebody needs it there; these are its bytes.
    Maybe(&'e mut Frame, &'e [u8]),
}

/// A call of machine code, for what it asks back.
///
/// Invariant: while machine code runs, the buffer of successors is lent to it: it writes behind what the buffer says is
/// there. Before anything else looks at the buffer it is settled.
pub(crate) struct Call<'e, 'a> {
    expansion: &'e mut Expansion<'a>,
    frame: Framed<'e>,
    role: Role,
    /// How many statements the steps are made of that machine code adds.
    statements: u32,
    /// Of so many steps that is noted.
    noted: usize,
    /// There was no room. Machine code writes to the tail of the buffer until it returns, and all of that is forgotten.
    overflows: bool,
}

impl<'e, 'a> Call<'e, 'a> {
    fn new(expansion: &'e mut Expansion<'a>, frame: Framed<'e>, role: Role, statements: u32) -> Self {
        Call { expansion, frame, role, statements, noted: 0, overflows: false }
    }
}

impl Call<'_, '_> {
    /// A desk for a state, which is padded. It is good for as long as both live and stay where they are.
    fn desk(&mut self, state: &[u8], shape: u32) -> Desk {
        let timeout = self.expansion.timeout && self.role == Role::Begins;
        let shape = self.expansion.work.shapes.get(shape);
        Desk {
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
            // The table stays where it is, whatever shapes are met meanwhile.
            channels: shape.table.as_ptr(),
            channel_count: shape.table.len() as u32,
            first_channel: 0,
            pid: 0,
            kind: 0,
            count: shape.count() as i32,
            timeout: i32::from(timeout),
            mode: (if self.role == Role::Begins { Mode::Begins } else { Mode::Continues }) as u32,
            pending: std::ptr::null_mut(),
            action: 0,
            choice: 0,
            gave_up: false,
            call: std::ptr::null_mut(),
        }
    }

    /// Turns to a process.
    #[inline]
    fn seat(&mut self, desk: &mut Desk, seat: Seat, pid: usize) {
        let work = &mut *self.expansion.work;
        let Seat { kind, own_at, first_channel } = seat;
        desk.own_at = u64::from(own_at);
        desk.own = desk.state.wrapping_add(own_at as usize);
        desk.first_channel = first_channel;
        desk.pid = pid as i32;
        desk.kind = u32::from(kind);
        desk.exercised = work.exercised[kind as usize].as_mut_ptr();
    }

    /// Sees to it that there is room for so many successors.
    #[inline]
    fn make_room(&mut self, desk: &mut Desk, most: usize) {
        let bytes = most * desk.len as usize + PIECE;
        let room = (desk.bytes_end as usize).wrapping_sub(desk.next as usize);
        let entries = (desk.items_end as usize).wrapping_sub(desk.item as usize);
        if room < bytes || entries < most * size_of::<Successor>() {
            self.settle(desk);
            self.lend(desk, most);
        }
        desk.most = most;
    }

    /// Calls machine code for the process that the desk is turned to.
    #[inline]
    fn run(&mut self, desk: &mut Desk, native: NativeKind) -> bool {
        self.make_room(desk, native.most);
        // Nobody but the code uses the call until it returns.
        desk.call = (&raw mut *self).cast();
        // SAFETY: the shape fits the state, the process is of the kind that the code was made for, and there is room.
        unsafe { (native.code)(desk) != 0 }
    }

    /// Lends the buffer of successors, with room for at least so many: its tail where there is no more room. False if there
    /// is not even that, and nothing is lent; there is, if as much was lent before in this call.
    #[inline]
    fn lend(&mut self, desk: &mut Desk, most: usize) -> bool {
        let out = &mut *self.expansion.out;
        let room = most * desk.len as usize + PIECE;
        if !out.keep_tail(room, most) {
            self.overflows = true;
            return false;
        }
        self.overflows = out.refused().is_some() || !out.make_room(room, most);
        let (bytes_end, items_end) = out.room_ends();
        let Successors { bytes, items, .. } = out;
        let (next, item) = if self.overflows { (bytes_end, items_end) } else { (bytes.len(), items.len()) };
        desk.most = most;
        desk.bytes = bytes.as_mut_ptr();
        desk.next = desk.bytes.wrapping_add(next);
        desk.bytes_end = desk.bytes.wrapping_add(bytes_end);
        desk.item = items.as_mut_ptr().wrapping_add(item);
        desk.items_end = items.as_mut_ptr().wrapping_add(items_end);
        self.noted = items.len();
        true
    }

    /// How many steps there are, with those that machine code added.
    #[inline]
    fn entered(&self, desk: &Desk) -> usize {
        (desk.item as usize - self.expansion.out.items.as_ptr() as usize) / size_of::<Successor>()
    }

    /// Notes of how many statements those steps are that machine code added.
    #[inline]
    fn note(&mut self, desk: &Desk) {
        if self.overflows {
            return;
        }
        let entered = self.entered(desk);
        self.expansion.out.note_statements(self.noted, entered, self.statements);
        self.noted = entered;
    }

    /// Takes the buffer back, with what was added.
    #[inline]
    fn settle(&mut self, desk: &Desk) {
        if self.overflows {
            return;
        }
        self.note(desk);
        let Successors { bytes, items, .. } = &mut *self.expansion.out;
        // SAFETY: machine code moves on in both only after it has written everything before, and no further than there
        // was room for.
        unsafe {
            bytes.set_len(desk.next.offset_from(bytes.as_ptr()) as usize);
            items.set_len(desk.item.offset_from(items.as_ptr()) as usize);
        }
    }

    /// Goes on without machine code: does something with the expansion, the state that moves start from (which is in the
    /// buffer then), and what the moves are to the step.
    fn pause(&mut self, desk: &mut Desk, what: impl FnOnce(&mut Expansion<'_>, &Frame, Role) -> bool) -> bool {
        self.settle(desk);
        let result = match &mut self.frame {
            _ if self.overflows => true,
            Framed::Placed(frame) => what(self.expansion, frame, self.role),
            Framed::Maybe(frame, state) => {
                !self.expansion.place(frame, state) || what(self.expansion, frame, self.role)
            }
        };
        self.lend(desk, desk.most);
        result
    }

    /// Goes on with the step that a move began, whose state is at [`Desk::next`], by machine code alone: as the rest of
    /// this module does, but for circles and all that goes wrong. False if there is any of that, and all is as before.
    fn link(&mut self, desk: &mut Desk, index: u32) -> bool {
        let (kind, len) = (desk.kind as usize, desk.len as usize);
        let Some(native) = self.expansion.native.and_then(|native| native.kinds[kind]) else { return false };
        if self.overflows {
            return false;
        }
        let mut links = std::mem::take(&mut self.expansion.work.links);
        let mut waiting = std::mem::take(&mut self.expansion.work.waiting);
        let mut copy = self.expansion.work.copies.pop().unwrap_or_default();
        waiting.clear();
        let first = desk.next as usize - desk.bytes as usize;
        waiting.push(Waiting { start: first as u32, statements: 1, ends: false });
        self.note(desk);
        let entered = self.noted;
        let mut inner = *desk;
        inner.next = inner.next.wrapping_add(len);
        (inner.mode, inner.timeout) = (Mode::Links as u32, 0);
        (inner.action, inner.choice) = (name(desk.pid as usize, index as usize, None), 0);
        let mut rounds = 0;
        while let Some(Waiting { start, statements, ends }) = waiting.pop() {
            if ends {
                self.end(&mut inner, start as usize, statements);
                continue;
            }
            rounds += 1;
            if rounds > MAX_LINKS {
                inner.gave_up = true;
                break;
            }
            self.make_room(&mut inner, native.most);
            if self.overflows {
                inner.gave_up = true;
                break;
            }
            // SAFETY: there is a state of that length, which machine code wrote; it is behind what the buffer says is
            // there, since it is lent.
            padded(&mut copy, unsafe { std::slice::from_raw_parts(inner.bytes.add(start as usize), len) });
            links.clear();
            links.reserve(native.most);
            inner.pending = links.spare_capacity_mut().as_mut_ptr().cast();
            inner.state = copy.as_ptr();
            inner.own = inner.state.wrapping_add(inner.own_at as usize);
            inner.call = (&raw mut *self).cast();
            // SAFETY: as in `run`; and there is room for the states to go on from.
            let moved = unsafe {
                let moved = (native.code)(&raw mut inner);
                links.set_len(inner.pending.offset_from(links.as_ptr()) as usize);
                moved
            };
            if inner.gave_up {
                break;
            }
            if moved == 0 {
                // It blocks, and the state is one after all.
                let in_vain = &mut self.expansion.out.in_vain;
                *in_vain = statements.max(*in_vain);
                self.end(&mut inner, start as usize, statements);
                continue;
            }
            self.statements = statements + 1;
            self.postpone(&mut inner, &links, &mut waiting);
            self.note(&inner);
        }
        // The buffer may have moved.
        (desk.bytes, desk.bytes_end, desk.items_end) = (inner.bytes, inner.bytes_end, inner.items_end);
        if inner.gave_up {
            desk.next = inner.bytes.wrapping_add(first);
            desk.item = self.expansion.out.items.as_mut_ptr().wrapping_add(entered);
            self.expansion.out.forget_statements(entered);
            self.noted = entered;
        } else {
            (desk.next, desk.item) = (inner.next, inner.item);
            self.expansion.work.exercised[kind][index as usize] = true;
            self.make_room(desk, desk.most);
        }
        self.statements = 1;
        self.expansion.work.links = links;
        self.expansion.work.waiting = waiting;
        self.expansion.work.copies.push(copy);
        !inner.gave_up
    }

    /// Adds the step under way, which ends in the state at `start`.
    fn end(&mut self, desk: &mut Desk, start: usize, statements: u32) {
        self.settle(desk);
        if self.overflows {
            return;
        }
        self.expansion.hide(start);
        let step = Step { action: desk.action, choice: desk.choice };
        desk.choice += 1;
        let out = &mut *self.expansion.out;
        out.note_statements(out.len(), out.len() + 1, statements);
        out.push_range(step, start, start + desk.len as usize, None);
        self.lend(desk, desk.most);
    }

    /// After machine code went on from inside a step: lets the states wait from where the step goes on next, and with them
    /// those it ended in on later ways, so that the ways come in order.
    fn postpone(&mut self, desk: &mut Desk, links: &[u32], waiting: &mut Vec<Waiting>) {
        let Some(&first) = links.first() else { return };
        let (statements, before) = (self.statements, waiting.len());
        waiting.extend(links.iter().map(|&start| Waiting { start, statements, ends: false }));
        let (from, to) = (self.noted, self.entered(desk));
        // SAFETY: machine code has written them, behind what the buffer says is there.
        let added = unsafe { std::slice::from_raw_parts(self.expansion.out.items.as_ptr().add(from), to - from) };
        let later = &added[added.partition_point(|item| item.start < first)..];
        waiting.extend(later.iter().map(|item| Waiting { start: item.start, statements, ends: true }));
        waiting[before..].sort_unstable_by_key(|waiting| Reverse(waiting.start));
        desk.choice -= later.len() as u32;
        desk.item = desk.item.wrapping_sub(later.len());
    }

    pub(crate) fn hand_over(&mut self, desk: &mut Desk, index: u32) {
        if self.role == Role::Begins && self.link(desk, index) {
            return;
        }
        if self.overflows {
            // From the beginning of the tail again.
            self.lend(desk, desk.most);
            return;
        }
        let (pid, kind, len) = (desk.pid as usize, desk.kind as u8, desk.len as usize);
        desk.next = desk.next.wrapping_add(len);
        self.settle(desk);
        let expansion = &mut *self.expansion;
        let end = expansion.out.bytes.len();
        expansion.name_step(self.role, pid, index);
        let next = Frame {
            start: end - len,
            end,
            path: NO_PATH,
            statements: self.statements,
            ..match &self.frame {
                Framed::Placed(frame) => (*frame).clone(),
                Framed::Maybe(frame, _) => Frame::of(frame.shape),
            }
        };
        if end > MAX_OUTCOMES {
            expansion.out.refuse(Refusal::Limit);
        } else {
            expansion.go_on(next, pid, kind, index, self.role);
        }
        self.lend(desk, desk.most);
    }

    pub(crate) fn slow(&mut self, desk: &mut Desk, index: u32, moved: bool) -> bool {
        if desk.mode == Mode::Links as u32 {
            desk.gave_up = true;
            return true;
        }
        let (pid, kind) = (desk.pid as usize, desk.kind as u8);
        self.pause(desk, |expansion, frame, role| {
            let transition = &expansion.program.processes[kind as usize].transitions[index as usize];
            let trouble = Cell::new(None);
            let possible = expansion.view(frame, pid, role, &trouble).possible(&transition.action, None, moved);
            match trouble.take() {
                Some(trouble) => expansion.fail(frame, pid, kind, index, role, *trouble),
                None => possible && expansion.fire(frame, pid, kind, index, None, role),
            }
        })
    }
}
