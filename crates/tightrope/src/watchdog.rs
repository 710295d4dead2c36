//! What holds whatever the program is doing: the time and the memory that are allowed, and requests to stop.
//!
//! A search looks at its limits itself. But reading a model, making machine code, or a single step may take longer, or more,
//! than is allowed. So a thread watches the clock and the signals, and ends the program where nobody else does within
//! [`GRACE`]; and the allocator watches the memory of the process. A search has an account of its own, and ends by itself when that
//! refuses; the allocator ends it only where the process holds more than the account says, by more than [`SLACK`] allows.
//! Either way the verdict is `undecided`, and the report says what was going on.

use crate::amount::counted;
use crate::{Exit, output};
use serde_json::{Value, json};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fs::File;
use std::io::IsTerminal as _;
use std::os::fd::IntoRawFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicI64, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tightrope_core::{Budget, Fault, Interrupt, Reason, is_asking_for_memory};

/// So long those at work have to notice that they should stop.
const GRACE: Duration = Duration::from_millis(350);

/// So much longer a search has that has ended, and found a violation that is not confirmed yet.
const REPLAY_GRACE: Duration = Duration::from_millis(150);

/// A search may hold more memory than is allowed by this share of it: an account is not exact to the page.
const SLACK: u64 = 100;

/// Kept free for the report of a program that ends, and for what the system counts late.
const LAST_WORDS: u64 = 512 << 10;

/// What the program is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Phase {
    /// Reading the model.
    Reading,
    /// Making machine code.
    Compiling,
    /// Searching.
    Searching,
    /// Giving back what the search took: it has ended.
    Ending,
    /// Asking what other stores would need.
    Estimating,
    /// Putting together or replaying a counterexample.
    Replaying,
    /// Comparing or minimising transition systems.
    Comparing,
    /// Writing the report: the answer is there.
    Reporting,
}

impl Phase {
    const ALL: [(Phase, &'static str); 8] = [
        (Phase::Reading, "while the model was read"),
        (Phase::Compiling, "while the model was compiled"),
        (Phase::Searching, "within a single step of the search"),
        (Phase::Ending, "at the end of the search"),
        (Phase::Estimating, "while other stores were tried"),
        (Phase::Replaying, "while a counterexample was put together or replayed"),
        (Phase::Comparing, "while transition systems were compared"),
        (Phase::Reporting, "while the report was written"),
    ];

    /// What the program is doing now, in words.
    fn words() -> &'static str {
        Phase::ALL[PHASE.load(Ordering::Relaxed) as usize].1
    }
}

/// The account of a search, and what is held besides.
struct Account {
    budget: Arc<Budget>,
    /// What the account has to have left for the report.
    report: u64,
    /// What was taken from it because the process holds it although nobody asked.
    taken: u64,
}

impl Account {
    /// Sees to it that the account has at least what the process holds, so that what grows next is refused in good order.
    fn settle(&mut self, resident: u64) {
        let asked = self.budget.used().saturating_sub(self.taken);
        let besides = resident.saturating_add(self.report).saturating_sub(asked);
        if besides > self.taken {
            self.taken += self.budget.take_what_is_left(besides - self.taken);
        } else if besides < self.taken {
            self.budget.release(self.taken - besides);
            self.taken = besides;
        }
    }
}

static ACCOUNT: Mutex<Option<Account>> = Mutex::new(None);

/// The account of the search that begins, of which so much is for the report; none when it has ended.
pub fn note_account(account: Option<(&Arc<Budget>, u64)>) {
    let mut noted = ACCOUNT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(Account { budget, taken, .. }) = noted.take() {
        budget.release(taken);
    }
    *noted = account.map(|(budget, report)| Account { budget: budget.clone(), report, taken: 0 });
}

/// Compares the account with what the process holds.
pub fn settle_account() {
    if !HAS_ACCOUNT.load(Ordering::Relaxed) || IS_AUDITED.load(Ordering::Relaxed) {
        return;
    }
    if let (Some(resident), Ok(mut account)) = (resident(), ACCOUNT.try_lock()) {
        account.iter_mut().for_each(|account| account.settle(resident));
    }
}

/// The run that is watched.
struct Watched {
    command: &'static str,
    model: String,
    json: bool,
}

static WATCHED: OnceLock<Watched> = OnceLock::new();
static PHASE: AtomicU8 = AtomicU8::new(Phase::Reading as u8);
static STATES: AtomicU64 = AtomicU64::new(0);
/// States are visited again: their number is that of visits.
static COUNTS_VISITS: AtomicBool = AtomicBool::new(false);
/// The memory that is allowed, where it can be watched.
static MEMORY: AtomicU64 = AtomicU64::new(u64::MAX);
/// The memory of the process at which it ends.
static MOST: AtomicU64 = AtomicU64::new(u64::MAX);
/// An audit counts states in memory that no limit is applied to.
static IS_AUDITED: AtomicBool = AtomicBool::new(false);
/// What is done has an account of its memory.
static HAS_ACCOUNT: AtomicBool = AtomicBool::new(false);
static ALLOCATED: AtomicUsize = AtomicUsize::new(0);
static IS_WATCHING: AtomicBool = AtomicBool::new(false);
static STATM: AtomicI32 = AtomicI32::new(-1);
static PAGE: AtomicU64 = AtomicU64::new(4096);
/// A file that is not complete, or a folder of such files, which is removed at the end.
static PARTIAL: Mutex<Option<PathBuf>> = Mutex::new(None);
/// A violation that was found and not confirmed yet.
static FOUND: Mutex<Option<String>> = Mutex::new(None);
/// Address space for the report of a program that ends for want of it; never touched.
static BALLAST: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static ENDING: AtomicBool = AtomicBool::new(false);

/// Raised by Ctrl-C, by a request to terminate, and when the time is up. A second signal ends the program at once.
pub fn interrupt() -> Interrupt {
    static RAISED: OnceLock<Interrupt> = OnceLock::new();
    RAISED.get_or_init(Interrupt::default).clone()
}

/// Watches a run from now on: it ends when this much time is over, or when it holds this much memory.
pub fn watch(command: &'static str, model: &Path, json: bool, time: Option<Duration>, memory: u64) {
    let _ = WATCHED.set(Watched { command, model: model.display().to_string(), json });
    *BALLAST.lock().unwrap_or_else(PoisonError::into_inner) = Vec::with_capacity(1 << 20);
    if let Ok(file) = File::open("/proc/self/statm") {
        STATM.store(file.into_raw_fd(), Ordering::Relaxed);
        MEMORY.store(memory, Ordering::Relaxed);
        #[allow(unsafe_code)]
        // SAFETY: `sysconf` takes and gives plain numbers, for any argument.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        PAGE.store(u64::try_from(page).unwrap_or(4096), Ordering::Relaxed);
    }
    let deadline = time.and_then(|time| Instant::now().checked_add(time));
    let interrupt = interrupt();
    let raised = interrupt.clone();
    static ASKED: (Mutex<bool>, Condvar) = (Mutex::new(false), Condvar::new());
    // Without a handler a signal ends the program, which is what it does everywhere.
    let _ = ctrlc::set_handler(move || {
        if raised.raised().is_some() {
            if is_answered() || ENDING.load(Ordering::SeqCst) {
                // The report may wait for a reader that never comes.
                exit(Exit::Undecided);
            }
            end(Reason::Interrupted);
        }
        raised.raise(Reason::Interrupted);
        *ASKED.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        ASKED.1.notify_all();
    });
    let watching = std::thread::Builder::new().stack_size(256 << 10).spawn(move || {
        let mut asked = ASKED.0.lock().unwrap_or_else(PoisonError::into_inner);
        while !*asked {
            let now = Instant::now();
            asked = match deadline {
                Some(deadline) if deadline <= now => break,
                Some(deadline) => ASKED.1.wait_timeout(asked, deadline - now).unwrap_or_else(PoisonError::into_inner).0,
                None => ASKED.1.wait(asked).unwrap_or_else(PoisonError::into_inner),
            };
        }
        drop(asked);
        if interrupt.raised().is_none() {
            interrupt.raise(Reason::Time);
        }
        std::thread::sleep(GRACE);
        let mut is_replaying = false;
        while !is_answered() {
            match PHASE.load(Ordering::Relaxed) {
                phase if phase == Phase::Ending as u8 => {}
                // A search that found a violation although it was cut short has a little more time to confirm it.
                phase if phase == Phase::Replaying as u8 && !is_replaying => is_replaying = true,
                _ => end(interrupt.raised().unwrap_or(Reason::Time)),
            }
            std::thread::sleep(REPLAY_GRACE);
        }
    });
    // Without the thread, limits are looked at less often.
    drop(watching);
    phase(Phase::Reading);
}

/// Whether there is time to write more of a report that is begun now: until the time is up, and a little longer if it is already.
pub fn report_goes_on() -> impl Fn() -> bool {
    let (interrupt, begun) = (interrupt(), Instant::now());
    move || interrupt.raised().is_none() || begun.elapsed() < GRACE
}

/// Whether the answer is there, and is being written.
fn is_answered() -> bool {
    PHASE.load(Ordering::Relaxed) == Phase::Reporting as u8
}

/// Notes the violation that a search found and that is to be confirmed.
pub fn note_found(fault: &Fault) {
    *FOUND.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault.message.clone());
}

/// Notes that what the search allocates is partly an audit's, so that only the search's own account can be held to the limit.
pub fn note_audit() {
    IS_AUDITED.store(true, Ordering::Relaxed);
}

/// Says what the program is doing from now on.
pub fn phase(phase: Phase) {
    if ENDING.load(Ordering::SeqCst) {
        // What is written last is not watched.
        return;
    }
    PHASE.store(phase as u8, Ordering::Relaxed);
    let memory = MEMORY.load(Ordering::Relaxed);
    let has_account = matches!(phase, Phase::Searching | Phase::Ending | Phase::Estimating);
    let most = match has_account {
        true if IS_AUDITED.load(Ordering::Relaxed) => u64::MAX,
        true => memory.saturating_add(memory / SLACK),
        false => memory.saturating_sub(LAST_WORDS),
    };
    MOST.store(most, Ordering::Relaxed);
    HAS_ACCOUNT.store(has_account, Ordering::Relaxed);
    // A report that has begun is written to its end.
    let is_watching = STATM.load(Ordering::Relaxed) >= 0 && phase != Phase::Reporting;
    IS_WATCHING.store(is_watching, Ordering::Relaxed);
}

/// Notes whether states are visited again, so that what is noted are visits.
pub fn note_visits(counts_visits: bool) {
    COUNTS_VISITS.store(counts_visits, Ordering::Relaxed);
}

/// Notes how many states were found so far.
pub fn note_states(states: u64) {
    STATES.store(states, Ordering::Relaxed);
}

/// A file that is being written, or a folder for such files, to be removed if the program ends before it is complete; none once it
/// is.
pub fn note_partial(path: Option<&Path>) {
    let path = path.map(Path::to_path_buf);
    *PARTIAL.lock().unwrap_or_else(PoisonError::into_inner) = path;
}

/// What is known of a run that did not come to its report, if one was asked for as JSON.
pub fn bare_report() -> Option<Value> {
    let Watched { command, model, .. } = WATCHED.get().filter(|watched| watched.json)?;
    Some(json!({
        "tool": "tightrope",
        "version": env!("CARGO_PKG_VERSION"),
        "command": command,
        "model": {"path": model},
        "verdict": "undecided",
        "claim": null,
        "reason": null,
        "states": null,
        "visits": null,
        "violations": null,
        "violation": null,
    }))
}

/// Whether messages on standard error are coloured: where a person reads them there, and nowhere else.
pub fn colours() -> bool {
    std::io::stderr().is_terminal() && WATCHED.get().is_none_or(|watched| !watched.json)
}

/// Ends the program, undecided, with a report.
fn end(reason: Reason) -> ! {
    if ENDING.swap(true, Ordering::SeqCst) {
        // Another thread is at it.
        loop {
            std::thread::sleep(GRACE);
        }
    }
    // What the report takes is not watched.
    MOST.store(u64::MAX, Ordering::Relaxed);
    IS_WATCHING.store(false, Ordering::Relaxed);
    drop(BALLAST.try_lock().map(|mut ballast| std::mem::take(&mut *ballast)));
    if let Some(partial) = PARTIAL.lock().unwrap_or_else(PoisonError::into_inner).take() {
        let _ = if partial.is_dir() { std::fs::remove_dir_all(partial) } else { std::fs::remove_file(partial) };
    }
    let (states, phase) = (STATES.load(Ordering::Relaxed), Phase::words());
    let found = FOUND.try_lock().ok().and_then(|mut found| found.take());
    if let Some(Watched { model, json, .. }) = WATCHED.get() {
        let what = match reason {
            Reason::Time => "the time was up",
            Reason::Memory => "the memory did not suffice",
            _ => "interrupted",
        };
        let _ = match (json, bare_report()) {
            (true, Some(mut report)) => {
                report["reason"] = reason.name().into();
                report["during"] = phase.into();
                let field = if COUNTS_VISITS.load(Ordering::Relaxed) { "visits" } else { "states" };
                report[field] = states.into();
                report["unconfirmed"] = found.into();
                output::print_json(&report)
            }
            _ => {
                let states = match states {
                    0 => String::new(),
                    visits if COUNTS_VISITS.load(Ordering::Relaxed) => {
                        format!("  more than {}\n", counted(visits, "visit"))
                    }
                    states => format!("  more than {}\n", counted(states, "state")),
                };
                let found = found.map(|found| format!("  found, but not confirmed by the interpreter: {found}\n"));
                let (name, found) = (reason.name(), found.unwrap_or_default());
                output::print(&format!("{model}: undecided ({name}): {what} {phase}\n{found}{states}"))
            }
        };
    }
    exit(Exit::Undecided)
}

/// Ends the process at once.
fn exit(exit: Exit) -> ! {
    #[allow(unsafe_code)]
    // SAFETY: nothing of it is needed any more, and other threads may be in the midst of things.
    unsafe {
        libc::_exit(exit as i32)
    }
}

/// Whether there is memory for so many more bytes, and time until then, to make more machine code. Some is left for the search.
pub fn compiling_goes_on(bytes: u64, deadline: Option<Instant>) -> Result<(), String> {
    if interrupt().raised().is_some() || deadline.is_some_and(|deadline| deadline <= Instant::now()) {
        return Err("there was no time to compile it".into());
    }
    match resident() {
        Some(resident) if resident.saturating_add(bytes) > MEMORY.load(Ordering::Relaxed) / 5 * 4 => {
            Err("there is too little memory to compile it".into())
        }
        _ => Ok(()),
    }
}

thread_local! {
    /// What this thread allocates is counted.
    static COUNTS: Cell<bool> = const { Cell::new(false) };
}

/// The bytes that were allocated and not freed by threads that are counted.
static COUNTED: AtomicI64 = AtomicI64::new(0);

/// From now on, what this thread allocates and frees is counted, from zero.
pub fn count_allocations() {
    COUNTED.store(0, Ordering::Relaxed);
    COUNTS.set(true);
}

/// What the process held when [`count_what_is_not_touched_yet`] was called; 0 before.
static HELD_BEFORE: AtomicU64 = AtomicU64::new(0);

/// From now on, what this thread allocates counts as held before it is written to.
pub fn count_what_is_not_touched_yet() {
    count_allocations();
    HELD_BEFORE.store(resident().unwrap_or(0), Ordering::Relaxed);
}

/// What such a thread holds.
pub fn counted_bytes() -> u64 {
    u64::try_from(COUNTED.load(Ordering::Relaxed)).unwrap_or(0)
}

/// Notes that the present thread holds so much more, or less.
#[inline]
fn count(bytes: i64) {
    if COUNTS.get() {
        COUNTED.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// Gives what was freed back to the system.
pub fn give_freed_memory_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[allow(unsafe_code)]
    // SAFETY: the allocator takes its own locks.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// After so many bytes were asked for, the memory of the process is looked at.
const OFTEN: usize = 64 << 10;

/// Looks whether there is memory for so many more bytes.
#[inline]
fn look(bytes: usize) {
    if IS_WATCHING.load(Ordering::Relaxed) && ALLOCATED.fetch_add(bytes, Ordering::Relaxed) + bytes >= OFTEN {
        ALLOCATED.store(0, Ordering::Relaxed);
        look_closely(bytes);
    }
}

#[cold]
fn look_closely(bytes: usize) {
    // Less is asked for at a time than is asked about, except by large requests. What a search asks for by `ask_for_memory` is
    // reserved on its budget, and may be address space that it never touches.
    settle_account();
    let is_reserved = HAS_ACCOUNT.load(Ordering::Relaxed) && is_asking_for_memory();
    let is_large = bytes >= OFTEN && !is_reserved;
    let more = if is_large { bytes as u64 } else { OFTEN as u64 };
    let before = HELD_BEFORE.load(Ordering::Relaxed);
    let held = if before == 0 { 0 } else { before + counted_bytes() };
    if resident().is_some_and(|resident| resident.max(held).saturating_add(more) > MOST.load(Ordering::Relaxed)) {
        end(Reason::Memory);
    }
}

/// The memory of the process, found without allocating any.
fn resident() -> Option<u64> {
    let mut text = [0u8; 64];
    if STATM.load(Ordering::Relaxed) < 0 {
        return None;
    }
    #[allow(unsafe_code)]
    // SAFETY: reads into an array that is as long as it says, from a file that stays open.
    let read = unsafe { libc::pread(STATM.load(Ordering::Relaxed), text.as_mut_ptr().cast(), text.len(), 0) };
    let number = |bytes: &[u8]| bytes.iter().fold(0u64, |number, byte| number * 10 + u64::from(byte - b'0'));
    let mut words = text[..read.max(0) as usize].split(|byte| !byte.is_ascii_digit());
    let pages = words.nth(1).filter(|word| !word.is_empty() && word.len() < 16)?;
    Some(number(pages) * PAGE.load(Ordering::Relaxed))
}

/// What the system gave. Where it gave nothing (`ulimit -v`), the program ends with a report, unless who asked can do without.
#[inline]
fn granted(pointer: *mut u8) -> *mut u8 {
    if pointer.is_null() && !is_asking_for_memory() && !ENDING.load(Ordering::SeqCst) {
        end(Reason::Memory);
    }
    pointer
}

/// The allocator of the system, watched.
pub struct Allocator;

#[allow(unsafe_code)]
// SAFETY: all is left to the allocator of the system. Looking at the memory does not unwind; where there is too little, it ends
// the process, and what it allocates for that is allocated while nobody watches.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        look(layout.size());
        count(layout.size() as i64);
        // SAFETY: the caller's promise.
        granted(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        look(layout.size());
        count(layout.size() as i64);
        // SAFETY: the caller's promise.
        granted(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        look(size.saturating_sub(layout.size()));
        count(size as i64 - layout.size() as i64);
        // SAFETY: the caller's promise.
        granted(unsafe { System.realloc(pointer, layout, size) })
    }
}
