//! Sets of codes: what keeps what an encoding wrote, or states as they are.
//!
//! A set is a [`Store`] whose states are codes. It does not know what wrote them: [`crate::Encoded`] is between the two.

mod bdd;
mod bitstate;
mod compact;
pub mod hash_table;
mod mdd;
#[cfg(test)]
mod samples;

pub use bdd::{Bdd, VariableOrder};
pub use bitstate::Bitstate;
pub use compact::{Compact, omission};
pub use hash_table::HashTable;
pub use mdd::Mdd;

use tightrope_core::{Found, Refused, Store, Successor, Successors};

/// What a set may know of the codes that it will be given.
#[derive(Clone, Copy, Debug, Default)]
pub struct Codes {
    /// They are so short that a set that has room to spare takes more for itself than for them.
    pub short: bool,
}

/// Inserts the codes of some items one by one, where there may not be room for all of them.
fn insert_items<S: Store>(
    set: &mut S,
    bytes: &[u8],
    items: &[Successor],
    found: &mut Vec<Found>,
) -> Result<(), Refused> {
    for item in items {
        let code = bytes.get(item.start as usize..item.end as usize);
        found.push(code.map_or(Ok(Found::Nowhere), |code| set.insert(code, None))?);
    }
    Ok(())
}

/// How many codes [`insert_probed`] looks for together.
const TOGETHER: usize = 64;

/// Inserts codes in two rounds: `probe` works out where each belongs and fetches the cache lines, and only then does `insert`
/// look at them.
pub fn insert_probed<S, P: Copy + Default>(
    set: &mut S,
    codes: &Successors,
    found: &mut Vec<Found>,
    probe: impl Fn(&S, &[u8]) -> P,
    mut insert: impl FnMut(&mut S, P, &[u8]) -> Result<Found, Refused>,
) -> Result<(), Refused> {
    let mut probes = [P::default(); TOGETHER];
    for first in (0..codes.len()).step_by(TOGETHER) {
        let probes = &mut probes[..TOGETHER.min(codes.len() - first)];
        for (index, to) in (first..).zip(&mut *probes) {
            if let Some(code) = codes.state(index) {
                *to = probe(set, code);
            }
        }
        for (index, &probe) in (first..).zip(&*probes) {
            found.push(codes.state(index).map_or(Ok(Found::Nowhere), |code| insert(set, probe, code))?);
        }
    }
    Ok(())
}
