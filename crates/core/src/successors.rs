//! The steps from states, in one buffer that stays within the budget.

use crate::{Budget, Fault, Fired, Refused, Reservation, Scratch, Step, Terminal, ask_for_memory};
use std::sync::Arc;

/// One step from a state that was expanded. The layout is part of the contract with machine code.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Successor {
    /// The name of the step: see [`Step`].
    pub action: u64,
    /// See [`Step`].
    pub choice: u32,
    /// Where the state begins that it leads to; [`Successor::NONE`] if it leads to none.
    pub start: u32,
    /// Where that state ends.
    pub end: u32,
    /// The number of what went wrong; [`Successor::NONE`] if nothing did.
    pub fault: u32,
}

impl Successor {
    /// Nothing of the kind.
    pub const NONE: u32 = NONE;
}

const NONE: u32 = u32::MAX;

/// The most bytes of a buffer: places in it are numbers of 32 bits, the greatest of which means no place.
const MOST_BYTES: usize = NONE as usize - 1;

/// The least bytes and entries for which room is made.
const LEAST: (usize, usize) = (512, 16);

/// A buffer of more bytes than this is given back when most of it is not used.
const LARGE: usize = 4 << 20;

/// What an entry takes: itself, what a model notes of it, and what a search keeps of it meanwhile.
const ENTRY_BYTES: usize = size_of::<Successor>() + size_of::<(u32, u32)>() + 32;

/// How much is in a buffer.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    items: usize,
    bytes: usize,
    faults: usize,
}

/// The steps from one state, or from several one after the other, in one flat buffer that is used again and again.
///
/// # Room
/// The buffer grows in [`Successors::make_room`] and nowhere else, so that it stays within the budget it is on, and its
/// places within 32 bits. Code that writes to it directly asks there before. When there is no room, that is noted
/// ([`Successors::refused`]), steps are missing, and what was added since the last [`Successors::extent`] is of no use.
#[derive(Default)]
pub struct Successors {
    /// The bytes of the successors; gaps between them are allowed. Models write here directly.
    pub bytes: Vec<u8>,
    /// The steps in order. Models write here directly, or with [`Successors::push`] and its like.
    pub items: Vec<Successor>,
    faults: Vec<Fault>,
    /// Whether there is a way forward from the state that was expanded last. Not the same as an empty list: where a step
    /// may lead back to where it began, a language can call a state terminal that has such steps only.
    pub terminal: Terminal,
    /// The model's working space.
    pub scratch: Scratch,
    /// Bytes and entries at the end of the room that are not given away; see [`Successors::keep_tail`].
    tail: (usize, usize),
    refused: Option<Refused>,
    account: Option<Reservation>,
    /// What is on the account besides the buffer, until it is cleared.
    charged: u64,
}

impl Successors {
    /// What a buffer says that is as large as it can be.
    pub const TOO_LARGE: &'static str = "the steps of a state take more than 4 GiB";

    /// An empty buffer that is on no budget.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives the memory back and takes all further memory from `budget`; keeps the working space.
    pub fn set_budget(&mut self, budget: &Arc<Budget>) {
        self.release();
        self.account = Some(Reservation::new(budget.clone()));
    }

    /// Removes all steps and gives the memory back; keeps the working space.
    pub fn release(&mut self) {
        self.clear();
        self.give_back_buffers();
    }

    fn give_back_buffers(&mut self) {
        (self.bytes, self.items) = (Vec::new(), Vec::new());
        self.faults = Vec::new();
        self.tail = (0, 0);
        if let Some(account) = &mut self.account {
            account.give_back(account.bytes());
        }
    }

    /// Removes all steps; keeps the memory, unless it is much more than was needed, and the working space.
    #[inline]
    pub fn clear(&mut self) {
        if self.bytes.capacity() > LARGE || self.charged > 0 {
            self.clear_large();
        }
        self.bytes.clear();
        self.items.clear();
        self.faults.clear();
        self.terminal = Terminal::No;
        self.refused = None;
    }

    #[cold]
    fn clear_large(&mut self) {
        if let Some(account) = &mut self.account {
            account.give_back(self.charged);
        }
        self.charged = 0;
        if self.bytes.capacity() > LARGE && self.bytes.len() < self.bytes.capacity() / 8 {
            self.give_back_buffers();
        }
    }

    /// Sees to it that there is room for so many more bytes and entries. False, and noted, if there is none.
    #[inline]
    pub fn make_room(&mut self, bytes: usize, items: usize) -> bool {
        let has_bytes = self.bytes.capacity() - self.bytes.len() >= bytes.saturating_add(self.tail.0);
        let has_items = self.items.capacity() - self.items.len() >= items.saturating_add(self.tail.1);
        has_bytes && has_items || self.grow(bytes, items)
    }

    #[cold]
    fn grow(&mut self, bytes: usize, items: usize) -> bool {
        let mut buffer = std::mem::take(&mut self.bytes);
        let grown = self.make_room_in(&mut buffer, bytes) && self.grow_items(items);
        self.bytes = buffer;
        grown
    }

    /// Sees to it that there is room for so many more bytes in `buffer`, which is [`Successors::bytes`], taken out for a
    /// while. False, and noted, if there is none.
    #[inline]
    pub fn make_room_in(&mut self, buffer: &mut Vec<u8>, bytes: usize) -> bool {
        let more = bytes.saturating_add(self.tail.0);
        buffer.capacity() - buffer.len() >= more || self.grow_bytes(buffer, more)
    }

    #[cold]
    fn grow_bytes(&mut self, buffer: &mut Vec<u8>, more: usize) -> bool {
        let needed = buffer.len().saturating_add(more);
        if needed > MOST_BYTES {
            return self.refuse(Refused::Limit(Successors::TOO_LARGE));
        }
        let generous = needed.max(buffer.capacity().saturating_mul(2)).max(LEAST.0).min(MOST_BYTES);
        let account = &mut self.account;
        let grown = resize(buffer, generous, 1, account) || resize(buffer, needed, 1, account);
        grown || self.refuse(Refused::Memory)
    }

    fn grow_items(&mut self, more: usize) -> bool {
        let needed = self.items.len().saturating_add(more).saturating_add(self.tail.1);
        let capacity = self.items.capacity();
        if needed <= capacity {
            return true;
        }
        let generous = needed.max(capacity.saturating_mul(2)).max(LEAST.1);
        let account = &mut self.account;
        let items = &mut self.items;
        let grown = resize(items, generous, ENTRY_BYTES, account) || resize(items, needed, ENTRY_BYTES, account);
        grown || self.refuse(Refused::Memory)
    }

    /// From now on so many bytes and entries at the end of the room, at least, are not given away. False, and noted, if there
    /// is no room for them.
    ///
    /// This is where machine code writes to after a refusal: it has to write on until it returns.
    #[inline]
    pub fn keep_tail(&mut self, bytes: usize, items: usize) -> bool {
        if self.tail.0 >= bytes && self.tail.1 >= items {
            return true;
        }
        let before = self.tail;
        self.tail = (before.0.max(bytes), before.1.max(items));
        let kept = self.make_room(0, 0);
        if !kept {
            self.tail = before;
        }
        kept
    }

    /// The ends of the room that is given away, in bytes and in entries, behind which there is the tail.
    #[inline]
    pub fn room_ends(&self) -> (usize, usize) {
        (self.bytes.capacity() - self.tail.0, self.items.capacity() - self.tail.1)
    }

    /// Takes so many bytes that do not lie in the buffer, until it is cleared. False, and noted, if they are not there.
    #[cold]
    pub fn charge(&mut self, bytes: usize) -> bool {
        if let Some(account) = &mut self.account {
            if account.take(bytes as u64).is_err() {
                return self.refuse(Refused::Memory);
            }
            self.charged += bytes as u64;
        }
        true
    }

    /// Notes that there is no room; always false.
    #[cold]
    pub fn refuse(&mut self, why: Refused) -> bool {
        self.refused.get_or_insert(why);
        false
    }

    /// How much the budget has left, where the buffer is on one.
    pub fn budget_left(&self) -> Option<u64> {
        self.account.as_ref().map(|account| account.budget().left())
    }

    /// Why steps are missing, if they are.
    #[inline]
    pub fn refused(&self) -> Option<Refused> {
        self.refused
    }

    /// How much there is now, to go back to.
    #[inline]
    pub fn extent(&self) -> Extent {
        Extent { items: self.items.len(), bytes: self.bytes.len(), faults: self.faults.len() }
    }

    /// Takes back everything that was added since, the refusal included.
    pub fn go_back(&mut self, to: Extent) {
        self.items.truncate(to.items);
        self.bytes.truncate(to.bytes);
        self.faults.truncate(to.faults);
        self.refused = None;
    }

    /// Adds a step to the state that stands at `bytes[start..end]`.
    #[inline]
    pub fn push_range(&mut self, step: Step, start: usize, end: usize, fault: Option<Fault>) {
        if end > MOST_BYTES {
            self.refuse(Refused::Limit(Successors::TOO_LARGE));
            return;
        }
        self.add(step, start as u32, end as u32, fault);
    }

    #[inline]
    fn add(&mut self, step: Step, start: u32, end: u32, fault: Option<Fault>) {
        if self.items.capacity() - self.items.len() <= self.tail.1 && !self.grow(0, 1) {
            return;
        }
        let fault = match fault {
            None => NONE,
            Some(fault) => {
                if !self.charge(2 * size_of::<Fault>() + fault.message.len() + fault.at.file.len()) {
                    return;
                }
                self.faults.push(fault);
                (self.faults.len() - 1) as u32
            }
        };
        let Step { action, choice } = step;
        self.items.push(Successor { action, choice, start, end, fault });
    }

    /// Adds a step to `state`.
    pub fn push(&mut self, step: Step, state: &[u8]) {
        if self.make_room(state.len(), 1) {
            let start = self.bytes.len();
            self.bytes.extend_from_slice(state);
            self.push_range(step, start, self.bytes.len(), None);
        }
    }

    /// Adds a step that failed and leads nowhere.
    pub fn push_failed(&mut self, step: Step, fault: Fault) {
        self.add(step, NONE, NONE, Some(fault));
    }

    /// Adds a step that leads nowhere, without a fault.
    pub fn push_nowhere(&mut self, step: Step) {
        self.add(step, NONE, NONE, None);
    }

    /// The step at `index` is not taken: it leads nowhere from now on.
    pub fn leave_out(&mut self, index: usize) {
        (self.items[index].start, self.items[index].end) = (NONE, NONE);
    }

    /// The number of steps, failed ones included.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The steps in order.
    pub fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        self.items.iter().map(|item| Step { action: item.action, choice: item.choice })
    }

    /// The step at `index`.
    #[inline]
    pub fn step(&self, index: usize) -> Step {
        let Successor { action, choice, .. } = self.items[index];
        Step { action, choice }
    }

    /// The state that the step at `index` leads to; none if it failed.
    #[inline]
    pub fn state(&self, index: usize) -> Option<&[u8]> {
        let item = self.items[index];
        (item.start != NONE).then(|| &self.bytes[item.start as usize..item.end as usize])
    }

    /// The state that the step at `index` leads to, to be changed in place; none if it failed.
    pub fn state_mut(&mut self, index: usize) -> Option<&mut [u8]> {
        let item = self.items[index];
        (item.start != NONE).then(|| &mut self.bytes[item.start as usize..item.end as usize])
    }

    /// What comes of the step at `index`, whose state goes into `to`; disabled if there is none.
    pub fn fired(&self, index: usize, to: &mut Vec<u8>) -> Fired {
        if index >= self.len() {
            return Fired::Disabled;
        }
        match (self.state(index), self.fault(index)) {
            (Some(next), fault) => {
                to.clear();
                to.extend_from_slice(next);
                fault.cloned().map_or(Fired::Done, Fired::DoneWith)
            }
            (None, Some(fault)) => Fired::Failed(fault.clone()),
            (None, None) => Fired::Disabled,
        }
    }

    /// What went wrong during the step at `index`.
    #[inline]
    pub fn fault(&self, index: usize) -> Option<&Fault> {
        self.faults.get(self.items[index].fault as usize)
    }
}

/// Gives a vector a larger capacity, if the account has that many bytes for each item. While it moves both blocks are on the
/// account, since an allocator may need both.
fn resize<T>(items: &mut Vec<T>, capacity: usize, each: usize, account: &mut Option<Reservation>) -> bool {
    let bytes = |capacity: usize| capacity.saturating_mul(each) as u64;
    let old = bytes(items.capacity());
    if let Some(account) = account
        && account.take(bytes(capacity)).is_err()
    {
        return false;
    }
    let done = ask_for_memory(|| items.try_reserve_exact(capacity - items.len())).is_ok();
    if let Some(account) = account {
        account.give_back(if done { old } else { bytes(capacity) });
    }
    done
}

#[cfg(test)]
mod tests;
