//! The nodes at one place of the tree, each once, numbered in the order of arrival.
//!
//! The [`Keys`] are what nodes are: pairs of numbers of other nodes, or the bits of a leaf. An index leads from the hash
//! of a key to its number: a table of [`bucket`]s whose members are a number and some bits of the hash. What finds its
//! bucket full is in the next that is not. Before it there is a small memo of what was asked last.
//!
//! Invariant: everything is in the keys. The index is thrown away before a larger one is made from them.
//!
//! Bytes per node: the key, and three or four for the index.

use super::bucket::{self, HEAD, Run, SLOTS};
use super::form::{ones, width};
use super::keys::Keys;
use crate::prefetch::prefetch;
use crate::region::Region;
use std::sync::Arc;
use tightrope_core::{Budget, Holding, OverBudget};

/// The bits of the hash in a member of the index.
const TAG: u32 = 4;
/// From so many buckets on the index grows in small steps.
const LARGE: usize = 1 << 8;
/// The memo has an entry for every 16 slots of the index, within these bounds.
const MEMO_BITS: [u32; 2] = [6, 12];
/// How many keys are entered together when an index is made.
const BATCH: usize = 32;

/// Nodes by number.
pub struct Nodes<K> {
    keys: K,
    index: Region<u64>,
    buckets: usize,
    /// The bits of a member of the index.
    width: u32,
    /// The index grows before there are more nodes.
    most: usize,
    memo: Vec<Memo>,
    memo_bits: u32,
    holding: Holding,
}

/// Some bits of the hash of a key, and its number.
#[derive(Clone, Copy)]
struct Memo {
    tag: u32,
    number: u32,
}

/// No node has that number.
const EMPTY: Memo = Memo { tag: 0, number: u32::MAX };

fn index_words(buckets: usize, width: u32) -> usize {
    buckets * bucket::words(width) + 1
}

impl<K: Keys> Nodes<K> {
    /// No nodes yet.
    pub fn new(keys: K, budget: &Arc<Budget>) -> Result<Self, OverBudget> {
        let mut holding = Holding::new(budget.clone());
        holding.take((size_of::<Memo>() << MEMO_BITS[0]) as u64)?;
        Ok(Nodes {
            keys,
            index: Region::new(),
            buckets: 0,
            width: 0,
            most: 0,
            memo: vec![EMPTY; 1 << MEMO_BITS[0]],
            memo_bits: MEMO_BITS[0],
            holding,
        })
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        self.holding.bytes()
    }

    /// The key of a node.
    #[inline]
    pub fn key(&self, number: u32) -> K::Key {
        self.keys.get(number as usize)
    }

    #[inline]
    fn memo_at(&self, hash: u64) -> usize {
        (hash >> (64 - self.memo_bits)) as usize
    }

    /// Where the bucket of a hash begins, and its home there.
    #[inline]
    fn place(&self, hash: u64) -> (usize, u32) {
        let home = ((u128::from(hash) * (self.buckets * SLOTS) as u128) >> 64) as usize;
        (home / SLOTS * bucket::words(self.width), (home % SLOTS) as u32)
    }

    /// The bucket after the one that begins at `at`.
    #[inline]
    fn after(&self, at: usize) -> usize {
        let next = at + bucket::words(self.width);
        if next + 1 == self.index.len() { 0 } else { next }
    }

    /// Brings near what will be looked at for a key of that hash.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        let (at, home) = self.place(hash);
        prefetch(&self.index, at);
        prefetch(&self.index, at + HEAD + (home * self.width) as usize / 64);
    }

    /// A node whose key probably has that hash, if there is any; its key is brought near.
    #[inline]
    pub fn guess(&mut self, hash: u64) -> Option<u32> {
        if self.buckets == 0 {
            return None;
        }
        let memo_at = self.memo_at(hash);
        let memo = self.memo[memo_at];
        if memo.tag == hash as u32 && memo.number != EMPTY.number {
            self.keys.prefetch(memo.number as usize);
            return Some(memo.number);
        }
        let (at, home) = self.place(hash);
        let run = Run::of(&self.index, at, home);
        let mut members =
            (run.first..run.first + run.len).map(|slot| bucket::get(&self.index, at, slot as usize, self.width));
        let number = (members.find(|member| (member ^ hash) & ones(TAG) == 0)? >> TAG) as u32;
        self.keys.prefetch(number as usize);
        // What is in the memo is looked at before it is believed.
        self.memo[memo_at] = Memo { tag: hash as u32, number };
        Some(number)
    }

    /// The number of the node with that key; a new one if there is none.
    pub fn number(&mut self, key: K::Key) -> Result<u32, OverBudget> {
        self.number_of(key, K::hash(key))
    }

    /// The same, given the hash of the key.
    pub fn number_of(&mut self, key: K::Key, hash: u64) -> Result<u32, OverBudget> {
        let memo = self.memo[self.memo_at(hash)];
        if memo.tag == hash as u32 && memo.number != EMPTY.number && self.keys.get(memo.number as usize) == key {
            return Ok(memo.number);
        }
        let number = match self.find(key, hash) {
            Some(number) => number,
            None => self.add(key, hash)?,
        };
        let at = self.memo_at(hash);
        self.memo[at] = Memo { tag: hash as u32, number };
        Ok(number)
    }

    #[inline]
    fn find(&self, key: K::Key, hash: u64) -> Option<u32> {
        if self.buckets == 0 {
            return None;
        }
        let (mut at, home) = self.place(hash);
        loop {
            let run = Run::of(&self.index, at, home);
            for slot in run.first..run.first + run.len {
                let member = bucket::get(&self.index, at, slot as usize, self.width);
                if (member ^ hash) & ones(TAG) == 0 && self.keys.get((member >> TAG) as usize) == key {
                    return Some((member >> TAG) as u32);
                }
            }
            if !run.is_full() {
                return None;
            }
            at = self.after(at);
        }
    }

    #[inline(never)]
    fn add(&mut self, key: K::Key, hash: u64) -> Result<u32, OverBudget> {
        if self.keys.len() >= self.most {
            self.grow()?;
        }
        let number = self.keys.push(key, &mut self.holding)?;
        self.enter(hash, number);
        Ok(number as u32)
    }

    /// Enters a number at the first bucket that is not full. There is one.
    #[inline]
    fn enter(&mut self, hash: u64, number: usize) {
        let (mut at, home) = self.place(hash);
        loop {
            let run = Run::of(&self.index, at, home);
            if !run.is_full() {
                let member = (number as u64) << TAG | hash & ones(TAG);
                return run.add(&mut self.index, at, member, self.width);
            }
            at = self.after(at);
        }
    }

    /// Makes the index longer; where the budget refuses, it is filled further than is good for speed.
    #[cold]
    fn grow(&mut self) -> Result<(), OverBudget> {
        let buckets = self.buckets;
        let wanted = if buckets < LARGE { (2 * buckets).max(1) } else { buckets + buckets / 2 };
        let result = self.make_index(wanted).or_else(|_| self.make_index(buckets + buckets / 16 + 1));
        let brim = buckets * SLOTS * 31 / 32;
        if result.is_err() && self.keys.len() < brim {
            self.most = (self.most + self.most / 32 + 1).min(brim);
            return Ok(());
        }
        result
    }

    /// Makes the memo as large as is good beside an index of so many slots, if the budget allows.
    fn enlarge_memo(&mut self, slots: usize) {
        let bits = (slots.ilog2().saturating_sub(4)).clamp(MEMO_BITS[0], MEMO_BITS[1]);
        let more = size_of::<Memo>() * ((1 << bits) - self.memo.len());
        if more > 0 && self.holding.take(more as u64).is_ok() {
            self.memo = vec![EMPTY; 1 << bits];
            self.memo_bits = bits;
        }
    }

    fn make_index(&mut self, buckets: usize) -> Result<(), OverBudget> {
        let slots = buckets * SLOTS;
        // Numbers are below 2³², and the members of a bucket are shorter than a word.
        let refused = OverBudget { asked: 0, left: 0 };
        if slots > u32::MAX as usize {
            return Err(refused);
        }
        let width = TAG + width(slots as u64 - 1);
        let words = index_words(buckets, width);
        let asked = 8 * (words - self.index.len()) as u64;
        self.holding.take(asked)?;
        if !self.index.grow(words) {
            self.holding.give_back(asked);
            return Err(refused);
        }
        self.index.fill(0);
        (self.buckets, self.width, self.most) = (buckets, width, slots * 13 / 16);
        self.enlarge_memo(slots);
        let mut hashes = [0; BATCH];
        let mut from = 0;
        while from < self.keys.len() {
            let count = BATCH.min(self.keys.len() - from);
            for (at, hash) in hashes[..count].iter_mut().enumerate() {
                *hash = K::hash(self.keys.get(from + at));
                self.prefetch(*hash);
            }
            for (at, &hash) in hashes[..count].iter().enumerate() {
                self.enter(hash, from + at);
            }
            from += count;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::keys::Pairs;
    use super::*;

    #[test]
    fn keys_keep_their_numbers() {
        let budget = Arc::new(Budget::unlimited());
        let mut nodes = Nodes::new(Pairs::new(), &budget).unwrap();
        let key = |number: u64| (number.wrapping_mul(number) << 32) | (number % 1000);
        let numbers: Vec<u32> = (0..60_000).map(|number| nodes.number(key(number)).unwrap()).collect();
        assert!(numbers.iter().copied().eq(0..60_000));
        for number in 0..60_000 {
            assert_eq!(nodes.number(key(number)).unwrap(), number as u32);
            assert_eq!(nodes.key(number as u32), key(number));
        }
        assert_eq!(nodes.bytes(), budget.used());
    }

    #[test]
    fn a_refusal_changes_nothing() {
        for limit in [5000, 10_000, 100_000, 1_000_000] {
            let budget = Arc::new(Budget::new(limit));
            let mut nodes = Nodes::new(Pairs::new(), &budget).unwrap();
            let mut count = 0;
            while nodes.number(u64::from(count) << 20).is_ok() {
                count += 1;
            }
            assert!(count > (limit / 20) as u32 - 200, "{count} with {limit}");
            assert!(budget.peak() <= limit);
            assert!((0..count).all(|number| nodes.number(u64::from(number) << 20) == Ok(number)));
        }
    }
}
