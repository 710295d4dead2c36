//! A bucket: 32 slots for the remainders of 32 homes.
//!
//! It is a word that says how many members each home has, then the members, remainders of `width` bits, grouped by home into
//! runs: for each home as many zeros as it has members, and a one. (The 32 ones at the low end of an empty bucket are kept as
//! zeros, so that fresh memory is empty buckets.) So a member need not say what its home is: two bits do for that. This is the
//! idea of Cleary (1984) in the form of Pandey et al. (2021), "Vector quotient filters".

use super::quotient::ones;
use super::select::select;

/// The slots of a bucket, and its homes.
pub const SLOTS: usize = 32;
/// The words before the members.
pub const HEAD: usize = 1;
const EMPTY: u64 = u32::MAX as u64;
/// The most words of a bucket; members have less than 64 bits.
pub const MOST_WORDS: usize = HEAD + SLOTS;

/// The words of a bucket.
#[inline(always)]
pub fn words(width: u32) -> usize {
    HEAD + (SLOTS * width as usize).div_ceil(64)
}

/// Where the members of one home are.
#[derive(Clone, Copy)]
pub struct Run {
    counts: u64,
    /// Its first slot.
    pub first: u32,
    /// Its slots.
    pub len: u32,
    /// Where the counts have the one of the home.
    end: u32,
}

impl Run {
    /// The run of the home of that number, in the bucket that begins at `at`.
    #[inline(always)]
    pub fn of(table: &[u64], at: usize, home: u32) -> Run {
        let counts = table[at] ^ EMPTY;
        // A one for what is before the first home; the one of the last is never needed.
        let start = select(counts << 1 | 1, home);
        let len = (counts >> start).trailing_zeros();
        Run { counts, first: start - home, len, end: start + len }
    }

    /// Whether there is no free slot in the bucket.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.counts >> 63 != 0
    }

    /// How many slots of the bucket are taken.
    #[inline(always)]
    fn taken(&self) -> u32 {
        SLOTS as u32 - self.counts.leading_zeros()
    }

    /// Adds `member` to the run, in the bucket that begins at `at` and is not full.
    #[inline]
    pub fn add(&self, table: &mut [u64], at: usize, member: u64, width: u32) {
        let below = ones(self.end);
        let bucket = &mut table[at..at + words(width)];
        bucket[0] = (self.counts & below | (self.counts & !below) << 1) ^ EMPTY;
        if width > 0 {
            insert(&mut bucket[HEAD..], (self.first + self.len) as usize, self.taken() as usize, member, width);
        }
    }
}

/// The member in a slot of the bucket that begins at `at`. The table has a word beyond the last
/// bucket, and two where members have no bits.
#[inline(always)]
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

/// Calls `each` with the home of every member and the member, in the order of homes. The bucket is followed by a word.
#[inline(always)]
pub fn visit(bucket: &[u64], width: u32, mut each: impl FnMut(u32, u64)) {
    let counts = bucket[0] ^ EMPTY;
    // Below the highest one, each zero is a member.
    let mut members = !counts & (u64::MAX >> counts.leading_zeros());
    let mut slot = 0;
    while members != 0 {
        each(members.trailing_zeros() - slot, get(bucket, 0, slot as usize, width));
        members &= members - 1;
        slot += 1;
    }
}

/// A bucket that is written from its first slot to its last.
pub struct BucketWriter {
    words: [u64; MOST_WORDS + 1],
    home: u32,
    len: usize,
}

impl BucketWriter {
    /// An empty bucket.
    pub const fn new() -> Self {
        BucketWriter { words: [0; MOST_WORDS + 1], home: 0, len: 0 }
    }

    /// Adds a member. False if the bucket is full, or the home comes before that of a member.
    #[inline(always)]
    pub fn push(&mut self, home: u32, member: u64, width: u32) -> bool {
        if self.len == SLOTS || home < self.home {
            return false;
        }
        // The counts have a one for each home that is over; before them are as many bits as homes and members.
        self.words[0] |= ones(home - self.home) << (self.home as usize + self.len);
        let bit = self.len * width as usize;
        let (word, shift) = (HEAD + bit / 64, bit % 64);
        self.words[word] |= member << shift;
        self.words[word + 1] |= member >> 1 >> (63 - shift);
        self.home = home;
        self.len += 1;
        true
    }

    /// Writes the bucket to where it begins at `at`, and begins an empty one.
    #[inline]
    pub fn write(&mut self, table: &mut [u64], at: usize, width: u32) {
        self.words[0] |= (u32::MAX as u64 >> self.home) << (self.home as usize + self.len);
        self.words[0] ^= EMPTY;
        let words = words(width);
        // Some words only: a loop is quicker than a call.
        for (to, word) in table[at..at + words].iter_mut().zip(&mut self.words) {
            *to = std::mem::take(word);
        }
        (self.home, self.len) = (0, 0);
    }
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
                    let home = (hash >> 59) as u32 / (1 + seed as u32 % 4);
                    let member = hash & ones(width);
                    let run = Run::of(&table, at, home);
                    assert_eq!((u64::from(run.taken()), run.is_full()), (number, false));
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
                assert!(Run::of(&table, at, 3).is_full());
                let mut writer = BucketWriter::new();
                let mut all = vec![Vec::new(); SLOTS];
                visit(&table[at..], width, |home, member| {
                    all[home as usize].push(member);
                    assert!(writer.push(home, member, width));
                });
                assert_eq!(all, expected);
                assert!(!writer.push(31, 0, width));
                let mut copy = vec![u64::MAX; table.len()];
                writer.write(&mut copy, at, width);
                assert_eq!(copy[at..2 * at], table[at..2 * at]);
                writer.write(&mut copy, at, width);
                assert!(copy[at..2 * at].iter().all(|&word| word == 0));
                assert!(table[..at].iter().chain(&table[2 * at..]).all(|&word| word == 0));
            }
        }
    }
}
