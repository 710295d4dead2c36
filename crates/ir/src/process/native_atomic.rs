//! Atomic sequences followed by machine code alone, without the interpreter in between.

use super::move_call::{MoveCall, MoveMode};
use super::native_expansion::{NativeExpansion, padded};
use super::step::name;
use std::cmp::Reverse;
use tightrope_core::Step;

/// After so many moves that keep control, a sequence is left to the interpreter, which notices cycles.
const MAX_LINKS: u32 = 64;

/// An intermediate state of the step under way that waits to be followed, or ends the step.
pub(super) struct UnfinishedState {
    /// Where it begins.
    start: u32,
    /// How many statements led there.
    statements: u32,
    /// The step ends here.
    ends: bool,
}

impl NativeExpansion<'_, '_> {
    /// Follows the atomic sequence that a move began, whose state is at [`MoveCall::next`], by machine code alone. False,
    /// with everything as before, if the sequence is long, since it may be a cycle, or if the code had to leave a transition
    /// to the interpreter.
    pub(super) fn follow_atomic(&mut self, call: &mut MoveCall, index: u32) -> bool {
        let (kind, len) = (call.kind as usize, call.len as usize);
        let Some(native) = self.expansion.native.and_then(|native| native.kinds[kind]) else { return false };
        if self.overflows {
            return false;
        }
        let mut links = std::mem::take(&mut self.expansion.scratch.links);
        let mut unfinished = std::mem::take(&mut self.expansion.scratch.unfinished);
        let mut copy = self.expansion.scratch.copies.pop().unwrap_or_default();
        unfinished.clear();
        let first = call.next as usize - call.bytes as usize;
        unfinished.push(UnfinishedState { start: first as u32, statements: 1, ends: false });
        self.note(call);
        let entered = self.noted;
        let mut inner = *call;
        inner.next = inner.next.wrapping_add(len);
        (inner.mode, inner.timeout) = (MoveMode::Links as u32, 0);
        (inner.action, inner.choice) = (name(call.pid as usize, index as usize, None), 0);
        let mut rounds = 0;
        while let Some(UnfinishedState { start, statements, ends }) = unfinished.pop() {
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
            inner.native = (&raw mut *self).cast();
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
                // The process blocks: the state is a state of the model.
                self.expansion.scratch.statements.note_in_vain(statements);
                self.end(&mut inner, start as usize, statements);
                continue;
            }
            self.statements = statements + 1;
            self.postpone(&mut inner, &links, &mut unfinished);
            self.note(&inner);
        }
        // The buffer may have been reallocated.
        (call.bytes, call.bytes_end, call.items_end) = (inner.bytes, inner.bytes_end, inner.items_end);
        if inner.gave_up {
            call.next = inner.bytes.wrapping_add(first);
            call.item = self.expansion.out.items.as_mut_ptr().wrapping_add(entered);
            self.expansion.scratch.statements.truncate(entered);
            self.noted = entered;
        } else {
            (call.next, call.item) = (inner.next, inner.item);
            self.expansion.scratch.exercised[kind][index as usize] = true;
            self.make_room(call, call.most);
        }
        self.statements = 1;
        self.expansion.scratch.links = links;
        self.expansion.scratch.unfinished = unfinished;
        self.expansion.scratch.copies.push(copy);
        !inner.gave_up
    }

    /// Adds an outcome of the step: the state at `start`.
    fn end(&mut self, call: &mut MoveCall, start: usize, statements: u32) {
        self.settle(call);
        if self.overflows {
            return;
        }
        self.expansion.reset_hidden(start);
        let step = Step { action: call.action, choice: call.choice };
        call.choice += 1;
        let out = &mut *self.expansion.out;
        self.expansion.scratch.statements.note(out.len(), out.len() + 1, statements);
        out.push_range(step, start, start + call.len as usize, None);
        self.lend(call, call.most);
    }

    /// After a call from an intermediate state: queues the states from which the step goes on, and the outcomes on later
    /// paths, so that outcomes come in the order of paths.
    fn postpone(&mut self, call: &mut MoveCall, links: &[u32], unfinished: &mut Vec<UnfinishedState>) {
        let Some(&first) = links.first() else { return };
        let (statements, before) = (self.statements, unfinished.len());
        unfinished.extend(links.iter().map(|&start| UnfinishedState { start, statements, ends: false }));
        let (from, to) = (self.noted, self.entered(call));
        // SAFETY: machine code has written them, behind what the buffer says is there.
        let added = unsafe { std::slice::from_raw_parts(self.expansion.out.items.as_ptr().add(from), to - from) };
        let later = &added[added.partition_point(|item| item.start < first)..];
        unfinished.extend(later.iter().map(|item| UnfinishedState { start: item.start, statements, ends: true }));
        unfinished[before..].sort_unstable_by_key(|state| Reverse(state.start));
        call.choice -= later.len() as u32;
        call.item = call.item.wrapping_sub(later.len());
    }
}
