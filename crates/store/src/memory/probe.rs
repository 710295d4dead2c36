//! Linear probing: where a hash belongs in a table, and what comes after a slot.
//!
//! All tables of the crate place hashes like this. Beyond that they differ in what a slot is and what has to be done with it,
//! and each says so in its head:
//! - [`super::slots`]: a tag and a place, grows where it is without a look at what the places lead to, no removal; the visited
//!   set and the nodes of the tree;
//! - [`super::number_set`]: numbers, nothing else; what overflows in the tree, and the sample of a cache;
//! - `encodings/numbering`: four bytes, no tag: there are few entries, and they are looked for in a table in front of it first;
//! - [`super::hash_index`]: 32 bits of the hash, which is enough to move slots back when one is removed;
//! - `sets/mdd/unique_table`: distances from home, so that a table that is nearly full is left early, and entries are removed;
//! - `sets/compact`: signatures of any width, which can neither be moved nor compared with anything;
//! - `designs/tree/roots`: buckets of remainders.

/// The slot where a search for a hash begins, in a table of so many slots: the hash scaled to their number (Lemire's range
/// reduction), which allows tables of any size and keeps the order of hashes.
#[inline(always)]
pub fn home(hash: u64, slots: usize) -> usize {
    ((u128::from(hash) * slots as u128) >> 64) as usize
}

/// The slot after `at`, the first one after the last.
#[inline(always)]
pub fn after(at: usize, slots: usize) -> usize {
    if at + 1 == slots { 0 } else { at + 1 }
}

/// How many slots `at` is behind `from`, around the end if need be.
#[inline(always)]
pub fn distance(from: usize, at: usize, slots: usize) -> usize {
    if at >= from { at - from } else { at + slots - from }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn homes_are_slots_in_the_order_of_hashes() {
        for slots in [1, 2, 3, 100, 1 << 20, (1 << 20) + 7] {
            let homes = (0..1000u64).map(|step| home(step * (u64::MAX / 1000), slots));
            assert!(homes.clone().is_sorted() && homes.clone().all(|home| home < slots));
            assert_eq!((home(0, slots), home(u64::MAX, slots)), (0, slots - 1));
            assert_eq!(after(slots - 1, slots), 0);
            assert_eq!(distance(slots - 1, 0, slots), if slots == 1 { 0 } else { 1 });
        }
    }
}
