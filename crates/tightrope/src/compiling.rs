//! Machine code that is made while the search goes on.
//!
//! The search begins with the interpreter, and goes on with machine code from where it is when that is ready: both do the same. So a
//! small model does not wait for machine code that it hardly uses, nor a large one until thousands of functions are compiled.
//!
//! What the compiler takes is counted by the allocator, but for the pages of the code itself, and reserved temporarily on the account of
//! the search. Where the account runs short, the search waits for the compiler, which gives back what it needed only while it
//! worked: nothing is refused that would not be refused if machine code had been made first.

use crate::watchdog;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tightrope_core::Budget;
use tightrope_ir::ProgramModel;

/// Taken at first, and always more than is counted: for the pages of the code, and for what the allocator keeps.
const SLACK: u64 = 4 << 20;

/// Why there is no machine code where the search ended before.
const STOPPED: &str = "the search ended before";

/// So long a search that has ended waits for the compiler.
const PATIENCE: Duration = Duration::from_millis(50);

/// The stack of the compiler: that of a main thread.
const STACK: usize = 8 << 20;

/// Machine code that is being made.
pub struct Compilation(Arc<Shared>);

struct Shared {
    /// Nobody needs it any more.
    stop: AtomicBool,
    budget: Arc<Budget>,
    /// What was taken from the account.
    taken: AtomicU64,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// How long it took, or why there is none.
    outcome: OnceLock<Result<Duration, String>>,
    started: Instant,
}

impl Compilation {
    /// What is reserved temporarily; 0 once the compiler is done.
    pub fn reserved(&self) -> u64 {
        self.0.taken.load(Ordering::Relaxed)
    }

    /// Begins to make machine code for a model, unless there is no room or no thread for that; then it is never there.
    pub fn start(interpreter: &Arc<ProgramModel>, budget: &Arc<Budget>) -> Compilation {
        let shared = Arc::new(Shared {
            stop: AtomicBool::new(false),
            budget: budget.clone(),
            taken: AtomicU64::new(0),
            thread: Mutex::new(None),
            outcome: OnceLock::new(),
            started: Instant::now(),
        });
        let (working, interpreter) = (shared.clone(), interpreter.clone());
        let work = move || {
            watchdog::count_allocations();
            let made = tightrope_jit::compile_for(&interpreter, &|bytes| working.goes_on(bytes));
            watchdog::give_freed_memory_back();
            working.settle(watchdog::counted_bytes());
            let _ = working.outcome.set(made.map(|()| working.started.elapsed()));
        };
        let spawned = match shared.charge(SLACK) {
            Ok(()) => std::thread::Builder::new().stack_size(STACK).spawn(work).map_err(|why| why.to_string()),
            Err(why) => Err(why),
        };
        match spawned {
            Ok(thread) => *shared.thread() = Some(thread),
            Err(why) => {
                shared.settle(0);
                let _ = shared.outcome.set(Err(why));
            }
        }
        let short = Arc::downgrade(&shared);
        budget.on_shortage(move || {
            if let Some(shared) = short.upgrade() {
                shared.wait();
            }
        });
        Compilation(shared)
    }

    /// The search has ended: what is not ready is not needed. How long it took, or would have taken at least; the error says why there
    /// can be none. A large function is not waited for: the thread ends after it, and what it takes until then stays reserved.
    pub fn finish(&self) -> Result<Duration, String> {
        self.0.stop.store(true, Ordering::Relaxed);
        let begin = Instant::now();
        while !self.0.is_over() && begin.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(1));
        }
        if self.0.is_over() {
            self.0.wait();
        }
        match self.0.outcome.get() {
            Some(Err(why)) if why != STOPPED => Err(why.clone()),
            Some(Ok(time)) => Ok(*time),
            _ => Ok(self.0.started.elapsed()),
        }
    }
}

impl Shared {
    /// The thread is done, or there is none.
    fn is_over(&self) -> bool {
        self.thread().as_ref().is_none_or(JoinHandle::is_finished)
    }

    fn thread(&self) -> std::sync::MutexGuard<'_, Option<JoinHandle<()>>> {
        self.thread.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until it is ready.
    fn wait(&self) {
        // Whoever comes second waits at the lock.
        let mut thread = self.thread();
        if let Some(Err(panic)) = thread.take().map(JoinHandle::join) {
            std::panic::resume_unwind(panic);
        }
    }

    /// Whether there is time, and room for so many more bytes.
    fn goes_on(&self, bytes: u64) -> Result<(), String> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(STOPPED.into());
        }
        if watchdog::interrupt().raised().is_some() {
            return Err("there was no time to compile it".into());
        }
        self.charge(watchdog::counted_bytes() + watchdog::counted_bytes() / 4 + SLACK + bytes)
    }

    /// Takes so much from the account, all in all.
    fn charge(&self, bytes: u64) -> Result<(), String> {
        let more = bytes.saturating_sub(self.taken.load(Ordering::Relaxed));
        if self.budget.reserve_temporarily(more).is_err() {
            return Err("there is too little memory to compile it".into());
        }
        self.taken.fetch_add(more, Ordering::Relaxed);
        Ok(())
    }

    /// The work is done: only what is left of it stays taken.
    fn settle(&self, bytes: u64) {
        let taken = self.taken.swap(0, Ordering::Relaxed);
        self.budget.end_temporary(taken, bytes.min(taken));
    }
}
