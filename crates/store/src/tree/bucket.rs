//! 64 slots and their 64 homes.
//!
//! A bucket is two words that say how many members each home has, then the members, `width` bits each, grouped by home:
//! for each home as many zeros as it has members, and a one. (The 64 ones at the low end of an empty bucket are kept
//! as zeros, so that fresh memory is empty buckets.) So a member need not say what its home is: two bits do for that.
//! This is the idea of Cleary (1984) in the form of Pandey et al. (2021), "Vector quotient filters".

use super::form::ones;
use super::select::select;

/// The slots of a bucket, and its homes.
pub const SLOTS: usize = 64;
/// The words before the members.
pub const HEAD: usize = 2;
const EMPTY: u128 = u64::MAX as u128;

/// The words of a bucket.
#[inline]
pub fn words(width: u32) -> usize {
    HEAD + width as usize
}

/// Where the members of one home are.
#[derive(Clone, Copy)]
pub struct Run {
    counts: u128,
    /// Its first slot.
    pub first: u32,
    /// Its slots.
    pub len: u32,
    /// Where the counts have the one of the home.
    end: u32,
}

impl Run {
    /// The run of the home of that number, in the bucket that begins at `at`.
    #[inline]
    pub fn of(table: &[u64], at: usize, home: u32) -> Run {
        let counts = (u128::from(table[at + 1]) << 64 | u128::from(table[at])) ^ EMPTY;
        let start = if home == 0 { 0 } else { select(counts, home - 1) + 1 };
        let len = (counts >> start).trailing_zeros();
        Run { counts, first: start - home, len, end: start + len }
    }

    /// How many slots of the bucket are taken.
    #[inline]
    pub fn taken(&self) -> u32 {
        64 - self.counts.leading_zeros()
    }

    /// Adds `member` to the run, in the bucket that begins at `at` and is not full.
    #[inline]
    pub fn add(&self, table: &mut [u64], at: usize, member: u64, width: u32) {
        let below = (1u128 << self.end) - 1;
        let counts = (self.counts & below | (self.counts & !below) << 1) ^ EMPTY;
        let bucket = &mut table[at..at + words(width)];
        bucket[0] = counts as u64;
        bucket[1] = (counts >> 64) as u64;
        if width > 0 {
            insert(&mut bucket[HEAD..], (self.first + self.len) as usize, self.taken() as usize, member, width);
        }
    }
}

/// The member in a slot of the bucket that begins at `at`. The table has a word beyond the last bucket.
#[inline]
pub fn get(table: &[u64], at: usize, slot: usize, width: u32) -> u64 {
    let bit = slot * width as usize;
    let (word, shift) = (at + HEAD + bit / 64, bit % 64);
    (table[word] >> shift | table[word + 1] << 1 << (63 - shift)) & ones(width)
}

/// Puts `member` into the slot `slot` and moves those from there to just before `taken` up by one.
#[inline]
fn insert(members: &mut [u64], slot: usize, taken: usize, member: u64, width: u32) {
    let (from, until) = (slot * width as usize, taken * width as usize);
    let (first, last) = (from / 64, (until + width as usize - 1) / 64);
    for word in (first + 1..=last).rev() {
        members[word] = members[word] << width | members[word - 1] >> (64 - width);
    }
    let shift = from % 64;
    let kept = ones(shift as u32);
    members[first] = members[first] & kept | (members[first] & !kept) << width | member << shift;
    if shift + width as usize > 64 {
        let over = (shift + width as usize - 64) as u32;
        members[first + 1] = members[first + 1] & !ones(over) | member >> (width - over);
    }
}

/// Calls `each` with every home that has members and each of its members, in the order of homes.
#[inline]
pub fn visit(table: &[u64], at: usize, width: u32, mut each: impl FnMut(u32, u64)) {
    let mut counts = (u128::from(table[at + 1]) << 64 | u128::from(table[at])) ^ EMPTY;
    let (mut home, mut slot) = (0, 0);
    while counts != 0 {
        // Ones are homes that are over, zeros are members of the present one.
        let over = counts.trailing_ones();
        home += over;
        counts = counts.checked_shr(over).unwrap_or(0);
        if counts == 0 {
            break;
        }
        let members = counts.trailing_zeros();
        for _ in 0..members {
            each(home, get(table, at, slot, width));
            slot += 1;
        }
        counts >>= members;
    }
}

/// Writes a bucket anew, with `members`, of which there are not too many, in the order of their homes.
#[inline]
pub fn write(table: &mut [u64], at: usize, width: u32, members: &[(u32, u64)]) {
    let bucket = &mut table[at..at + words(width)];
    bucket.fill(0);
    let mut counts = 0u128;
    let (mut place, mut home) = (0, 0);
    for (slot, &(goal, member)) in members.iter().enumerate() {
        counts |= (ones(goal - home) as u128) << place;
        place += goal - home + 1;
        home = goal;
        if width > 0 {
            let bit = slot * width as usize;
            let (word, shift) = (HEAD + bit / 64, bit % 64);
            bucket[word] |= member << shift;
            if shift + width as usize > 64 {
                bucket[word + 1] |= member >> (64 - shift);
            }
        }
    }
    counts |= u128::from(u64::MAX >> home) << place;
    counts ^= EMPTY;
    bucket[0] = counts as u64;
    bucket[1] = (counts >> 64) as u64;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_stay_with_their_homes() {
        for width in [0, 1, 7, 8, 13, 31, 32, 33, 50, 55] {
            for seed in 0..20u64 {
                let mut table = vec![0; 3 * words(width) + 1];
                let at = words(width);
                let mut expected: Vec<Vec<u64>> = vec![Vec::new(); SLOTS];
                for number in 0..SLOTS as u64 {
                    let hash = (number + seed * 64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    let home = (hash >> 58) as u32 / (1 + seed as u32 % 4);
                    let member = hash & ones(width);
                    let run = Run::of(&table, at, home);
                    assert_eq!(run.taken() as u64, number);
                    run.add(&mut table, at, member, width);
                    expected[home as usize].push(member);
                    for (home, members) in expected.iter().enumerate() {
                        let run = Run::of(&table, at, home as u32);
                        let found: Vec<u64> = (run.first..run.first + run.len)
                            .map(|slot| get(&table, at, slot as usize, width))
                            .collect();
                        assert_eq!(found, *members);
                    }
                }
                assert_eq!(Run::of(&table, at, 3).taken(), 64);
                let mut all = Vec::new();
                visit(&table, at, width, |home, member| all.push((home, member)));
                let flat: Vec<(u32, u64)> = (0..64u32)
                    .flat_map(|home| expected[home as usize].iter().map(move |&member| (home, member)))
                    .collect();
                assert_eq!(all, flat);
                let mut copy = vec![u64::MAX; table.len()];
                write(&mut copy, at, width, &flat);
                assert_eq!(copy[at..2 * at], table[at..2 * at]);
                assert!(table[..at].iter().chain(&table[2 * at..]).all(|&word| word == 0));
            }
        }
    }
}
