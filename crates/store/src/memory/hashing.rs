//! The hash of byte strings for tables that compare what they find: fast for the few dozen bytes of a state, good enough to
//! spread states, not to tell them apart by it alone.

use rustc_hash::FxHasher;
use std::hash::Hasher;

/// The hash of a string.
#[inline]
pub fn hash_of(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}
