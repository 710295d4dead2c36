//! The frontier of a breadth-first search as a queue of states, of which memory holds head and tail and the disk the rest.
//!
//! States lie one after the other: the distance of the id from the one before, the length, both in as few bytes as they need,
//! and the bytes of the state. This sequence of bytes is cut into blocks of one size, wherever that may be, so that a state may be larger
//! than a block. Blocks go to disk compressed and are read back in a thread of their own; while what waits fits into a few of them
//! the disk is not touched (`exchange.rs`). Keeps the bytes of states, so it serves any store.
//!
//! Memory: eight blocks of a 64th of what was left at the start, at most 1 MiB each, however many states wait. Disk: what LZ4 makes
//! of a state and two to four bytes. Not for a store that is its own queue, as long as memory suffices.
//!
//! Invariant: between head and tail there are `between` blocks, all of them full; if there are none the tail follows the head.
//! After a refusal every push and pop is refused.

use crate::exchange::{BUFFERS, Block, Exchange, THREAD_BYTES};
use crate::segments::Segments;
use crate::spill_space::{DAMAGED, SpillSpace};
use std::sync::Arc;
use tightrope_core::{Budget, Frontier, Refused, Reservation, StateId, Store, leb128};

/// A block has such a part of the memory that is left, within these sizes.
const BLOCK_PART: u64 = 64;
const LEAST_BLOCK: usize = 16 << 10;
const LARGEST_BLOCK: usize = 1 << 20;

/// Where that is refused, a block is halved down to this size.
const SMALLEST_BLOCK: usize = 1 << 10;

/// States that wait, in memory and on disk, oldest first.
pub struct DiskQueue {
    /// The blocks in between, or why there is no memory for any.
    exchange: Result<Exchange, Refused>,
    between: u64,
    head: Block,
    /// How much of the head is read.
    read: usize,
    tail: Block,
    last_pushed: u64,
    last_popped: u64,
    waiting: u64,
    reservation: Reservation,
}

impl DiskQueue {
    /// An empty queue, its blocks as large as memory suggests. If there is none for them the first push is refused.
    pub fn new(space: &Arc<SpillSpace>, budget: &Arc<Budget>) -> Self {
        let mut bytes = ((budget.left() / BLOCK_PART) as usize).clamp(LEAST_BLOCK, LARGEST_BLOCK);
        loop {
            let queue = DiskQueue::with_blocks(space, budget, bytes, true);
            if queue.exchange.is_ok() || bytes <= SMALLEST_BLOCK {
                return queue;
            }
            bytes /= 2;
        }
    }

    /// An empty queue with blocks of so many bytes, with a thread of its own or without.
    pub fn with_blocks(space: &Arc<SpillSpace>, budget: &Arc<Budget>, bytes: usize, with_thread: bool) -> Self {
        let mut reservation = Reservation::new(budget.clone());
        let made = DiskQueue::make(space, bytes, with_thread, &mut reservation);
        let (exchange, head, tail) = match made {
            Ok((exchange, head, tail)) => (Ok(exchange), head, tail),
            Err(refused) => {
                reservation = Reservation::new(budget.clone());
                (Err(refused), Block::new(), Block::new())
            }
        };
        let (between, read, last_pushed, last_popped, waiting) = (0, 0, 0, 0, 0);
        DiskQueue { exchange, between, head, read, tail, last_pushed, last_popped, waiting, reservation }
    }

    fn make(
        space: &Arc<SpillSpace>,
        bytes: usize,
        with_thread: bool,
        reservation: &mut Reservation,
    ) -> Result<(Exchange, Block, Block), Refused> {
        reservation.take(THREAD_BYTES)?;
        let segments = Segments::new(space, bytes, reservation)?;
        let buffers = (0..BUFFERS).map(|_| reservation.block([bytes; 2], 0)).collect::<Result<_, _>>()?;
        let (head, tail) = (reservation.block([bytes; 2], 0)?, reservation.block([bytes; 2], 0)?);
        Ok((Exchange::start(segments, buffers, with_thread), head, tail))
    }

    fn check(&self) -> Result<(), Refused> {
        self.exchange.as_ref().map_err(|&refused| refused)?.check()
    }

    /// Adds bytes at the end, in as many blocks as they need.
    fn put(&mut self, mut bytes: &[u8]) -> Result<(), Refused> {
        loop {
            let fit = bytes.len().min(self.tail.capacity() - self.tail.len());
            self.tail.extend_from_slice(&bytes[..fit]);
            bytes = &bytes[fit..];
            if bytes.is_empty() {
                return Ok(());
            }
            let exchange = self.exchange.as_mut().map_err(|refused| *refused)?;
            self.tail = exchange.give(std::mem::take(&mut self.tail))?;
            self.between += 1;
        }
    }

    /// Makes the next block the head.
    #[cold]
    fn next_block(&mut self) -> Result<(), Refused> {
        self.read = 0;
        if self.between == 0 {
            std::mem::swap(&mut self.head, &mut self.tail);
            self.tail.clear();
            return Ok(());
        }
        let exchange = self.exchange.as_mut().map_err(|refused| *refused)?;
        self.head = exchange.take(std::mem::take(&mut self.head))?;
        self.between -= 1;
        Ok(())
    }

    /// Reads a number, which may go on in the next block.
    fn number(&mut self) -> Result<u64, Refused> {
        if let Some((number, length)) = leb128::decode(&self.head[self.read..]) {
            self.read += length;
            return Ok(number);
        }
        let (mut bytes, mut length) = ([0; leb128::LONGEST], 0);
        loop {
            if self.read == self.head.len() {
                self.next_block()?;
            }
            *bytes.get_mut(length).ok_or(DAMAGED)? = self.head[self.read];
            self.read += 1;
            length += 1;
            if let Some((number, _)) = leb128::decode(&bytes[..length]) {
                return Ok(number);
            }
        }
    }
}

impl Frontier for DiskQueue {
    fn push(&mut self, id: StateId, state: &[u8]) -> Result<(), Refused> {
        self.check()?;
        for number in [id.0.wrapping_sub(self.last_pushed), state.len() as u64] {
            let (bytes, length) = leb128::encode(number);
            self.put(&bytes[..length])?;
        }
        self.put(state)?;
        self.last_pushed = id.0;
        self.waiting += 1;
        Ok(())
    }

    fn pop(&mut self, _store: &mut dyn Store, out: &mut Vec<u8>) -> Result<Option<StateId>, Refused> {
        if self.waiting == 0 {
            return Ok(None);
        }
        self.check()?;
        self.last_popped = self.last_popped.wrapping_add(self.number()?);
        let mut left = self.number()? as usize;
        out.clear();
        while left > 0 {
            if self.read == self.head.len() {
                self.next_block()?;
            }
            let here = &self.head[self.read..];
            let here = &here[..here.len().min(left)];
            out.extend_from_slice(here);
            self.read += here.len();
            left -= here.len();
        }
        self.waiting -= 1;
        Ok(Some(StateId(self.last_popped)))
    }

    fn len(&self) -> u64 {
        self.waiting
    }

    fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }
}
