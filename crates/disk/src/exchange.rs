//! Blocks on their way between the search and the disk.
//!
//! From the front to the end of the queue there are: blocks that were read ahead, those on disk, and those that are to be
//! written. A thread writes when few buffers are free, and reads ahead while there is something on disk, so that compression and
//! the disk work beside the search. Where nothing is on disk, blocks to be written are the next ones to be read: a short queue
//! never touches the disk. Where there is no thread, the search does its work when it would wait for it.
//!
//! Invariant: all buffers there are were allocated at the start; [`AHEAD`] of them at most hold what was read ahead, so that one at
//! least can be written, and whoever waits for a buffer or a block gets it, or an error.

use crate::segments::Segments;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use tightrope_core::Refused;

/// The blocks that are read ahead.
const AHEAD: usize = 2;

/// With fewer free buffers than this, blocks are written.
const SPARE: usize = 2;

/// The buffers between head and tail: those that are read ahead, the spare ones, and one to be written.
pub(crate) const BUFFERS: usize = AHEAD + SPARE + 1;

/// The stack of the thread. It takes little of it.
const STACK_BYTES: usize = 128 << 10;

/// What the thread takes in memory: some of its stack, and what the system keeps for a thread.
pub(crate) const THREAD_BYTES: u64 = 96 << 10;

/// A block of bytes, or an empty buffer for one.
pub(crate) type Block = Vec<u8>;

/// What is between the search and the disk.
struct State {
    free: Vec<Block>,
    /// Read ahead.
    read_ahead: VecDeque<Block>,
    /// How many blocks are on disk, one that is being read included.
    on_disk: u64,
    /// A block is being written.
    writing: bool,
    /// To be written.
    write_behind: VecDeque<Block>,
    /// Why nothing more is written or read.
    refused: Option<Refused>,
    /// Nobody needs the blocks any more.
    closed: bool,
}

/// Something to do at the disk.
enum Work {
    Write(Block),
    Read(Block),
}

impl State {
    /// Without anything on disk, what is to be written is what is read next.
    fn pass_by_the_disk(&mut self) {
        while self.on_disk == 0
            && !self.writing
            && self.read_ahead.len() < AHEAD
            && let Some(block) = self.write_behind.pop_front()
        {
            self.read_ahead.push_back(block);
        }
    }

    /// What to do next at the disk.
    fn work(&mut self) -> Option<Work> {
        if self.refused.is_some() {
            return None;
        }
        let is_short = self.free.len() < SPARE;
        let can_read = self.on_disk > 0 && self.read_ahead.len() < AHEAD;
        if can_read
            && (self.read_ahead.is_empty() || !is_short || self.write_behind.is_empty())
            && let Some(buffer) = self.free.pop()
        {
            return Some(Work::Read(buffer));
        }
        if !is_short {
            return None;
        }
        let block = self.write_behind.pop_front()?;
        self.writing = true;
        Some(Work::Write(block))
    }

    /// Notes that a piece of work is done.
    fn done(&mut self, work: Work, result: Result<(), Refused>) {
        if let Err(refused) = result {
            self.refused = Some(refused);
        }
        match work {
            Work::Write(mut block) => {
                self.writing = false;
                self.on_disk += 1;
                block.clear();
                self.free.push(block);
            }
            Work::Read(block) => {
                self.on_disk -= 1;
                self.read_ahead.push_back(block);
            }
        }
    }
}

impl Work {
    fn run(&mut self, segments: &mut Segments) -> Result<(), Refused> {
        match self {
            Work::Write(block) => segments.write(block),
            Work::Read(block) => segments.read(block),
        }
    }
}

/// What the search and the thread share.
struct Shared {
    state: Mutex<State>,
    /// Something has failed: asked for without taking the lock.
    failed: AtomicBool,
    /// The thread has something to do.
    work: Condvar,
    /// The search need not wait any longer.
    done: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does a piece of work, without the lock meanwhile. None if there is nothing to do.
    fn do_some<'s>(
        &'s self,
        mut state: MutexGuard<'s, State>,
        segments: &mut Segments,
    ) -> (MutexGuard<'s, State>, bool) {
        let Some(mut work) = state.work() else { return (state, false) };
        drop(state);
        let result = work.run(segments);
        let mut state = self.lock();
        state.done(work, result);
        self.failed.store(state.refused.is_some(), Ordering::Relaxed);
        self.done.notify_one();
        (state, true)
    }

    /// What the thread does.
    fn serve(&self, segments: &mut Segments) {
        let _end = EndOfThread(self);
        let mut state = self.lock();
        while !state.closed {
            let worked;
            (state, worked) = self.do_some(state, segments);
            if !worked && !state.closed {
                state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

/// A search does not wait for a thread that has ended too early.
struct EndOfThread<'s>(&'s Shared);

impl Drop for EndOfThread<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        if !state.closed {
            state.refused = Some(Refused::Other("the thread that writes the queue to disk has ended"));
            self.0.failed.store(true, Ordering::Relaxed);
            self.0.done.notify_one();
        }
    }
}

/// The side of the search.
pub(crate) struct Exchange {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    /// The files, where there is no thread.
    segments: Option<Segments>,
}

impl Exchange {
    /// Starts the thread, if wanted and possible. `buffers` are empty blocks.
    pub fn start(segments: Segments, buffers: Vec<Block>, with_thread: bool) -> Self {
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                free: buffers,
                read_ahead: VecDeque::with_capacity(AHEAD),
                on_disk: 0,
                writing: false,
                write_behind: VecDeque::with_capacity(BUFFERS + 1),
                refused: None,
                closed: false,
            }),
            failed: AtomicBool::new(false),
            work: Condvar::new(),
            done: Condvar::new(),
        });
        // If the thread cannot be started the files stay here.
        let place = Arc::new(Mutex::new(Some(segments)));
        let (serving, taken) = (shared.clone(), place.clone());
        let thread = std::thread::Builder::new().name("disk queue".into()).stack_size(STACK_BYTES);
        let thread = with_thread.then(|| {
            thread.spawn(move || {
                let segments = taken.lock().unwrap_or_else(PoisonError::into_inner).take();
                if let Some(mut segments) = segments {
                    serving.serve(&mut segments);
                }
            })
        });
        let thread = thread.and_then(Result::ok);
        let segments =
            if thread.is_none() { place.lock().unwrap_or_else(PoisonError::into_inner).take() } else { None };
        Exchange { shared, thread, segments }
    }

    /// An error if something has failed at the disk.
    #[inline]
    pub fn check(&self) -> Result<(), Refused> {
        if self.shared.failed.load(Ordering::Relaxed) { self.failure() } else { Ok(()) }
    }

    #[cold]
    fn failure(&self) -> Result<(), Refused> {
        self.shared.lock().refused.map_or(Ok(()), Err)
    }

    /// Takes a full block behind the others. Returns an empty one.
    pub fn give(&mut self, block: Block) -> Result<Block, Refused> {
        self.wait_for(Some(block), |state| state.free.pop())
    }

    /// Takes an empty block. Returns the one at the front; there must be one.
    pub fn take(&mut self, mut empty: Block) -> Result<Block, Refused> {
        empty.clear();
        self.shared.lock().free.push(empty);
        self.wait_for(None, |state| state.read_ahead.pop_front())
    }

    /// Waits until there is what is asked for.
    fn wait_for(
        &mut self,
        behind: Option<Block>,
        mut ask: impl FnMut(&mut State) -> Option<Block>,
    ) -> Result<Block, Refused> {
        let Exchange { shared, segments, .. } = self;
        let mut state = shared.lock();
        state.write_behind.extend(behind);
        loop {
            state.pass_by_the_disk();
            if let Some(refused) = state.refused {
                return Err(refused);
            }
            let found = ask(&mut state);
            if found.is_some() {
                state.pass_by_the_disk();
            }
            if segments.is_none() {
                shared.work.notify_one();
            }
            if let Some(block) = found {
                return Ok(block);
            }
            state = match segments {
                Some(segments) => shared.do_some(state, segments).0,
                None => shared.done.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.work.notify_one();
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has nothing more to say.
            let _ = thread.join();
        }
    }
}
