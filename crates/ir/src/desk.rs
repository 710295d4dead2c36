//! Where machine code for the moves of processes meets the rest: what it is given, and what it can ask for.
//!
//! Machine code does what a single move means ([`crate::eval`], [`crate::exec`]); how moves combine stays in
//! [`crate::machine`]. It is called for one process in one state and looks at the transitions of its location in order.
//! For each that is possible it makes a copy of the state where the next successor goes ([`Desk::next`]) and changes that.
//! If the move is a step by itself, it enters the successor and moves on to the next place; if not, it hands the copy over
//! ([`hand_over`]). In the middle of a step it adds to that step, or to the states that it goes on from ([`Mode`]). What it was not made for, and all that goes wrong, it leaves to the interpreter, a transition at a time
//! ([`slow`]); a copy that was begun is then left where it is, to be overwritten.

use crate::machine::Call;
use std::any::Any;
use tightrope_core::Successor;

/// States are copied in pieces of so many bytes: behind a state and behind a copy there is room for a whole piece.
pub const PIECE: usize = 32;

/// What machine code works with. The layout is part of the contract.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Desk {
    /// The state.
    pub state: *const u8,
    /// The length of the state.
    pub len: u64,
    /// The body of the process, inside the state.
    pub own: *const u8,
    /// The place of that body in the state.
    pub own_at: u64,
    /// Where the buffer begins that successors are written to.
    pub bytes: *mut u8,
    /// Where the next successor goes. There is room for as many as a process can have.
    pub next: *mut u8,
    /// Where its entry goes.
    pub item: *mut Successor,
    /// Where there is no more room for successors.
    pub(crate) bytes_end: *mut u8,
    /// Where there is no more room for entries.
    pub(crate) items_end: *mut Successor,
    /// For how many successors there is room, at least, when machine code is called or goes on.
    pub(crate) most: usize,
    /// In [`Mode::Links`]: where the beginning goes of the next state that the step goes on from. There is room.
    pub pending: *mut u32,
    /// In [`Mode::Links`]: the name of the step, and how many outcomes it has so far.
    pub action: u64,
    /// See [`Desk::action`].
    pub choice: u32,
    /// What moves are to the step: one of [`Mode`].
    pub mode: u32,
    /// In [`Mode::Links`]: machine code came to its limits.
    pub(crate) gave_up: bool,
    /// Where to note which transitions of the kind of process happened: a byte each.
    pub exercised: *mut bool,
    /// The places and types of the channels: pairs.
    pub channels: *const [u32; 2],
    /// How many channels there are.
    pub channel_count: u32,
    /// How many of them come before those that the process owns.
    pub first_channel: u32,
    /// The number of the process.
    pub pid: i32,
    /// Its kind.
    pub(crate) kind: u32,
    /// How many processes there are.
    pub count: i32,
    /// Whether no process could move otherwise.
    pub timeout: i32,
    /// The expansion under way.
    pub(crate) call: *mut Call<'static, 'static>,
}

/// What a move is to a step.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It begins one. If the process gives up control, it is the whole step; if not, it is handed over.
    Begins,
    /// It goes on with one, and is handed over.
    Continues,
    /// It goes on with one. If the process gives up control, there is an outcome; if not, there is a state more to go on
    /// from.
    Links,
}

/// The moves of a kind of process: whether there was one.
///
/// # Safety
/// The desk must describe a state of the program the code was made for, and a process of that kind in it.
pub type Moves = unsafe extern "C" fn(*mut Desk) -> u32;

/// Machine code for a kind of process.
#[derive(Clone, Copy)]
pub struct NativeKind {
    /// The code.
    pub code: Moves,
    /// The most successors that it adds without asking back.
    pub most: usize,
}

/// Machine code for the processes of a program.
pub struct NativeMoves {
    /// The code for each kind of process; none if it is left to the interpreter.
    pub kinds: Vec<Option<NativeKind>>,
    /// What the code lies in.
    pub memory: Box<dyn Any + Send + Sync>,
}

/// The copy at [`Desk::next`] is the state after the transition of that number.
///
/// # Safety
/// The desk must be the one that the code was called with.
pub unsafe extern "C" fn hand_over(desk: *mut Desk, transition: u32) {
    // SAFETY: the desk was made in `machine`, which waits for the code to return.
    unsafe { (*(*desk).call).hand_over(&mut *desk, transition) }
}

/// Leaves the transition of that number to the interpreter: whether it happened. `moved` says whether one before it did.
///
/// # Safety
/// As for [`hand_over`].
pub unsafe extern "C" fn slow(desk: *mut Desk, transition: u32, moved: u32) -> u32 {
    // SAFETY: as above.
    u32::from(unsafe { (*(*desk).call).slow(&mut *desk, transition, moved != 0) })
}
