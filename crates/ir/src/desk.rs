//! Where machine code for the moves of processes meets the rest: what it is given, and what it can ask for.
//!
//! Machine code does what a single move means ([`crate::eval`], [`crate::exec`]); how moves combine stays in
//! [`crate::machine`]. It is called for one process in one state, looks at the transitions of its location in order, and
//! for each that is possible asks for a copy of the state ([`begin`]), changes that, and hands it over ([`end`]). What it
//! was not made for, and all that goes wrong, it leaves to the interpreter, a transition at a time ([`slow`]).

use crate::machine::Call;

/// What machine code works with. The layout is part of the contract.
#[repr(C)]
#[derive(Debug)]
pub struct Desk {
    /// The state.
    pub state: *const u8,
    /// The body of the process, inside the state.
    pub own: *const u8,
    /// The place of that body in the state.
    pub own_at: u64,
    /// The places and types of the channels: pairs.
    pub channels: *const [u32; 2],
    /// How many channels there are.
    pub channel_count: u32,
    /// How many of them come before those that the process owns.
    pub first_channel: u32,
    /// The number of the process.
    pub pid: i32,
    /// How many processes there are.
    pub count: i32,
    /// Whether no process could move otherwise.
    pub timeout: i32,
    /// The expansion under way.
    call: *mut Call<'static, 'static>,
}

/// The moves of a kind of process: whether there was one.
///
/// # Safety
/// The desk must describe a state of the program the code was made for, and a process of that kind in it.
pub type Moves = unsafe extern "C" fn(*mut Desk) -> u32;

/// Machine code for the processes of a program.
pub trait NativeMoves: Send + Sync {
    /// The code for a kind of process; none if it is left to the interpreter.
    fn of(&self, kind: u8) -> Option<Moves>;
}

impl Desk {
    /// A desk for a call. The call must outlive it.
    pub(crate) fn new(call: *mut Call<'_, '_>, state: *const u8, own_at: u64, channels: &[[u32; 2]]) -> Desk {
        Desk {
            state,
            // SAFETY: whoever calls has made sure that the body of the process is inside the state.
            own: unsafe { state.add(own_at as usize) },
            own_at,
            channels: channels.as_ptr(),
            channel_count: channels.len() as u32,
            first_channel: 0,
            pid: 0,
            count: 0,
            timeout: 0,
            call: call.cast(),
        }
    }
}

/// A copy of the state, to be changed until [`end`] or [`undo`]. Nothing else may be asked for in between.
///
/// # Safety
/// The desk must be the one that the code was called with.
pub unsafe extern "C" fn begin(desk: *mut Desk) -> *mut u8 {
    // SAFETY: the desk was made by `Expansion::moves_native`, which waits for the code to return.
    unsafe { (*(*desk).call).begin() }
}

/// The copy is the state after the transition of that number.
///
/// # Safety
/// As for [`begin`], which must have been called.
pub unsafe extern "C" fn end(desk: *mut Desk, transition: u32) {
    // SAFETY: as above.
    unsafe { (*(*desk).call).end(transition) }
}

/// The copy is not wanted after all.
///
/// # Safety
/// As for [`begin`], which must have been called.
pub unsafe extern "C" fn undo(desk: *mut Desk) {
    // SAFETY: as above.
    unsafe { (*(*desk).call).undo() }
}

/// Leaves the transition of that number to the interpreter: whether it happened. `moved` says whether one before it did.
///
/// # Safety
/// As for [`begin`]; there must be no copy.
pub unsafe extern "C" fn slow(desk: *mut Desk, transition: u32, moved: u32) -> u32 {
    // SAFETY: as above.
    u32::from(unsafe { (*(*desk).call).slow(transition, moved != 0) })
}
