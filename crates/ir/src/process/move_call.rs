//! The interface to machine code for the moves of processes: what it is given, and what it calls back.
//!
//! A function is called for one process in one state. It tries the transitions of the process's location in order. For
//! each that is enabled it copies the state to where the next successor goes ([`MoveCall::next`]) and changes the copy.
//! If the move is a whole step, the function adds the entry of the successor; if not, it hands the copy over
//! ([`hand_over`]). Inside a step it adds outcomes, or intermediate states ([`MoveMode`]). Transitions that are not
//! compiled, and all errors, are left to the interpreter one at a time ([`slow`]); a copy that was begun is overwritten
//! then.

use super::native_expansion::NativeExpansion;
use std::any::Any;
use tightrope_core::Successor;

/// States are copied in pieces of so many bytes: behind a state and behind a copy there is room for a whole piece.
pub const PIECE: usize = 32;

/// The record that machine code is called with. Machine code knows the offsets of its fields.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MoveCall {
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
    pub(super) bytes_end: *mut u8,
    /// Where there is no more room for entries.
    pub(super) items_end: *mut Successor,
    /// There is room for at least so many successors when machine code is called or continues.
    pub(super) most: usize,
    /// In [`MoveMode::Links`]: where to write the offset of the next intermediate state. There is room.
    pub pending: *mut u32,
    /// In [`MoveMode::Links`]: the name of the step, and how many outcomes it has so far.
    pub action: u64,
    /// See [`MoveCall::action`].
    pub choice: u32,
    /// The role of moves in the step: one of [`MoveMode`].
    pub mode: u32,
    /// In [`MoveMode::Links`]: the interpreter must follow the step.
    pub(super) gave_up: bool,
    /// Where to note which transitions of the kind of process were executed: a byte each.
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
    pub(super) kind: u32,
    /// How many processes there are.
    pub count: i32,
    /// Whether nothing else is enabled.
    pub timeout: i32,
    /// The expansion under way.
    pub(super) native: *mut NativeExpansion<'static, 'static>,
}

/// The role of a move in a step.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveMode {
    /// It begins the step. If the process gives up control, it is the whole step; if not, it is handed over.
    Begins,
    /// It continues the step, and is handed over.
    Continues,
    /// It continues the step. If the process gives up control, it gives an outcome; if not, an intermediate state.
    Links,
}

/// The moves of a kind of process. Not zero if there was one.
///
/// # Safety
/// The record must describe a state of the program that the code was made for, and a process of that kind in
/// it.
pub type MoveFunction = unsafe extern "C" fn(*mut MoveCall) -> u32;

/// Machine code for a kind of process.
#[derive(Clone, Copy)]
pub struct NativeProcess {
    /// The code.
    pub code: MoveFunction,
    /// The most successors that it adds without a call back.
    pub most: usize,
}

/// Machine code for the processes of a program.
pub struct NativeMoves {
    /// The code for each kind of process; none if it is left to the interpreter.
    pub kinds: Vec<Option<NativeProcess>>,
    /// The memory of the code.
    pub memory: Box<dyn Any + Send + Sync>,
}

/// The copy at [`MoveCall::next`] is the state after the transition of that number.
///
/// # Safety
/// The record must be the one that the code was called with.
pub unsafe extern "C" fn hand_over(call: *mut MoveCall, transition: u32) {
    // SAFETY: the record was made in `native_expansion.rs`, which waits for the code to return.
    unsafe { (*(*call).native).hand_over(&mut *call, transition) }
}

/// Leaves the transition of that number to the interpreter: whether it happened. `moved` says whether one before it did.
///
/// # Safety
/// As for [`hand_over`].
pub unsafe extern "C" fn slow(call: *mut MoveCall, transition: u32, moved: u32) -> u32 {
    // SAFETY: as above.
    u32::from(unsafe { (*(*call).native).slow(&mut *call, transition, moved != 0) })
}
