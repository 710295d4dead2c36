//! Programs of processes: what they are, and how they are executed as SPIN's verifier does.
//!
//! | question | file |
//! |---|---|
//! | what a program is made of | `proctype.rs`, `action.rs`, `channel.rs`, `monitor.rs`; `validate.rs` says what must be true of it |
//! | where processes and channels lie in a state | `layout.rs` |
//! | what an expression means | `eval.rs` |
//! | when an action is enabled | `enabled.rs` |
//! | what an action does | `exec.rs`, `send_receive.rs`, `run.rs`, `monitor.rs`, `print.rs` |
//! | how moves combine into steps | `expansion.rs`, `atomic.rs`, `rendezvous.rs`; `step.rs` names steps |
//! | what steps depend on | `footprints.rs` |
//! | where machine code takes part | `move_call.rs`, `native_expansion.rs`, `native_atomic.rs` |
//! | the model | `model.rs`, with `describe.rs` for words and `move_log.rs` for the moves of a step |
//!
//! Machine code replaces what a single action means and when it is enabled; how moves combine is the same for both.

mod action;
mod atomic;
mod channel;
mod describe;
mod enabled;
mod eval;
mod exec;
mod expansion;
mod footprints;
mod layout;
mod model;
mod monitor;
pub mod move_call;
mod move_log;
mod native_atomic;
mod native_expansion;
mod print;
mod proctype;
mod rendezvous;
mod run;
mod scratch;
mod send_receive;
mod statement_counts;
mod step;
mod validate;

pub use action::{Action, IndivisibleCode, IndivisibleNode, Pattern, Print, Receive, Send};
pub use channel::{Channel, OwnedChannel};
pub use eval::ProcessView;
pub use layout::{ProcessLayout, ProcessLayouts};
pub use model::ProcessModel;
pub use monitor::{Monitor, MonitorEvent};
pub use proctype::{Escape, InitialProcess, Location, Process, Transition};
pub use step::transitions_of;
pub(crate) use validate::ty;
pub use validate::validate;
