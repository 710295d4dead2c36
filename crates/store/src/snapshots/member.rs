//! What is known of a state in a set with snapshots, beside its code: of what it is a member.

use crate::memory::code_heap::Placed;
use crate::memory::region::Plain;

/// Its level is being expanded, and it with it.
pub const OPEN: u64 = 1;
/// It is found, and expanded with the next level.
pub const NEXT_LEVEL: u64 = 1 << 1;
/// It was there before, but a step led to it from the level that is being expanded: it belongs to the snapshot of the next level.
pub const REACHED_AGAIN: u64 = 1 << 2;
/// It is in the backtracking set.
pub const BACKTRACK: u64 = 1 << 3;
/// It is in snapshots that stay for good.
pub const PERMANENT: u64 = 1 << 4;
/// It is in snapshots that have no bit of their own.
pub const SHARED: u64 = 1 << 5;
/// The bits of single snapshots.
pub const OWN: u64 = !(OPEN | NEXT_LEVEL | REACHED_AGAIN | BACKTRACK | PERMANENT | SHARED);

/// Sixteen bytes per state.
#[derive(Clone, Copy, Debug, Default)]
pub struct Member {
    /// Of what it is a member, bit by bit; a state that is a member of nothing is removed.
    pub of: u64,
    /// The place of its code. Of a number that no state has, the next such number.
    pub place: u32,
    /// In how many snapshots it is that have no bit of their own.
    pub shared: u32,
}

impl Plain for Member {}

impl Placed for Member {
    #[inline]
    fn set_place(&mut self, place: u32) {
        self.place = place;
    }
}

impl Member {
    /// It joins a snapshot that has this bit.
    #[inline]
    pub fn join(&mut self, bit: u64) {
        self.of |= bit;
        self.shared += u32::from(bit == SHARED);
    }

    /// It leaves a snapshot that has this bit, in which it is.
    #[inline]
    pub fn leave(&mut self, bit: u64) {
        if bit == SHARED {
            self.shared -= 1;
            if self.shared > 0 {
                return;
            }
        }
        self.of &= !bit;
    }
}
