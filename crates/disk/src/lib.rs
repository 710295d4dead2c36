//! What a search keeps on disk: the states that wait ([`DiskQueue`]), and the log that counterexamples are reconstructed from
//! ([`DiskLog`]).
//!
//! Both write into a [`SpillSpace`]: a folder, a quota, and the account of what lies there. Files have no names, so that nothing is
//! left behind however the program ends. Every block has a checksum that covers its place, too: what comes back is what was
//! written, or a refusal ([`tightrope_core::Refused::Disk`]).
//!
//! The queue is that of Tronci, Della Penna, Intrigila & Venturini Zilli 2001 (§3, Fig. 3): head and tail in memory, the rest in
//! files. `queue.rs` has the states, as bytes in blocks; `exchange.rs` hands blocks over between the search and the thread that
//! writes and reads; `segments.rs` has them in files.

#![forbid(unsafe_code)]

mod exchange;
mod log;
mod queue;
mod segments;
mod spill_space;
#[cfg(test)]
mod tests;

pub use log::DiskLog;
pub use queue::DiskQueue;
pub use spill_space::SpillSpace;

use rapidhash::v3::{DEFAULT_RAPID_SECRETS, rapidhash_v3_seeded};

/// A checksum over bytes, which number among others they have, and how they are written.
fn checksum(bytes: &[u8], number: u64, form: u64) -> u64 {
    let hash = |bytes: &[u8]| rapidhash_v3_seeded(bytes, &DEFAULT_RAPID_SECRETS);
    hash([hash(bytes), number, form].map(u64::to_le_bytes).as_flattened())
}
