//! The stream of caches at work: which levels are sampled, which snapshots leave.
//!
//! Hits are counted by bits, so those of snapshots that share the last bit are counted together, and ties are broken by age.

use super::member::{OWN, SHARED};
use super::number_list::NumberList;
use super::plan::{Sampling, SnapshotCache, SnapshotReplacement, Stream};
use crate::cache::Random;
use std::rc::Rc;

/// The states of a level.
pub struct Snapshot {
    /// The level.
    pub level: u64,
    /// The bit that its states have: one of [`OWN`], or [`SHARED`].
    pub bit: u64,
    /// Its states, each once.
    pub states: Rc<NumberList>,
}

/// What becomes of a snapshot that is offered, or of the one that makes room for it.
pub enum Offered {
    /// All are in caches.
    Held,
    /// This one is in a cache from which nothing leaves.
    Permanent(Snapshot),
    /// This one leaves the stream.
    Dropped(Snapshot),
}

/// A sampling function at work.
struct Sampler {
    sampling: Sampling,
    /// So many offers are not accepted before the next one is.
    skipped: u64,
    /// The period after that.
    period: u64,
}

impl Sampler {
    fn new(sampling: Sampling) -> Self {
        let (Sampling::Constant(period) | Sampling::Growing(period)) = sampling;
        Sampler { sampling, skipped: 0, period }
    }

    fn accepts(&mut self) -> bool {
        if self.skipped > 0 {
            self.skipped -= 1;
            return false;
        }
        self.skipped = self.period - 1;
        if let Sampling::Growing(more) = self.sampling {
            self.period = self.period.saturating_add(more);
        }
        true
    }
}

/// A cache.
struct Cache {
    plan: SnapshotCache,
    sampler: Sampler,
    held: Vec<Snapshot>,
}

impl Cache {
    fn new(plan: SnapshotCache) -> Self {
        Cache { plan, sampler: Sampler::new(plan.sampling), held: Vec::new() }
    }
}

/// How often steps led to the states with a bit.
#[derive(Clone, Copy, Default)]
struct Hits {
    count: u64,
    /// When the last did, or since when there is the snapshot.
    last: u64,
}

/// All caches.
pub struct Caches {
    stream: Vec<Cache>,
    /// Another cache like the last is added when that is full.
    repeats: bool,
    hits: [Hits; 64],
    /// The own bits that no snapshot has.
    free: u64,
    /// The steps that led to a state of a snapshot so far.
    now: u64,
    /// The snapshots that are held.
    held: u64,
    random: Random,
}

impl Caches {
    /// Empty ones.
    pub fn new(stream: &Stream, seed: u64) -> Self {
        Caches {
            stream: stream.caches.iter().copied().map(Cache::new).collect(),
            repeats: stream.repeats,
            hits: [Hits::default(); 64],
            free: OWN,
            now: 0,
            held: 0,
            random: Random::new(seed),
        }
    }

    /// Whether the next level is sampled.
    pub fn samples_next(&self) -> bool {
        self.stream[0].sampler.skipped == 0
    }

    /// The next level is there: whether it is sampled.
    pub fn sample(&mut self) -> bool {
        self.stream[0].sampler.accepts()
    }

    /// A bit for one more snapshot.
    pub fn take_bit(&mut self) -> u64 {
        let bit = if self.free == 0 { SHARED } else { 1 << self.free.trailing_zeros() };
        self.free &= !bit;
        if bit != SHARED {
            self.hits[bit.trailing_zeros() as usize] = Hits { count: 0, last: self.now };
        }
        bit
    }

    /// A step led to a state that is a member of this.
    #[inline]
    pub fn hit(&mut self, of: u64) {
        let mut bits = of & (OWN | SHARED);
        if bits != 0 {
            self.now += 1;
        }
        while bits != 0 {
            let hits = &mut self.hits[bits.trailing_zeros() as usize];
            *hits = Hits { count: hits.count + 1, last: self.now };
            bits &= bits - 1;
        }
    }

    /// Puts a snapshot that was sampled into the first cache. At most one leaves: the one that is replaced is offered to the
    /// cache behind, and so on.
    pub fn offer(&mut self, snapshot: Snapshot) -> Offered {
        let mut offered = snapshot;
        self.held += 1;
        for at in 0.. {
            if at == self.stream.len() {
                if !self.repeats {
                    return Offered::Dropped(self.release_bit(offered));
                }
                let plan = self.stream[at - 1].plan;
                self.stream.push(Cache::new(plan));
            }
            // The first cache has sampled it already.
            if at > 0 && !self.stream[at].sampler.accepts() {
                return Offered::Dropped(self.release_bit(offered));
            }
            let Some(size) = self.stream[at].plan.size else { return Offered::Permanent(self.release_bit(offered)) };
            let replaced = if self.stream[at].held.len() < size { None } else { Some(self.replaced(at)) };
            let held = &mut self.stream[at].held;
            let leaving = replaced.map(|number| held.remove(number));
            held.push(offered);
            match leaving {
                Some(snapshot) => offered = snapshot,
                None => return Offered::Held,
            }
        }
        unreachable!("a stream ends")
    }

    /// A snapshot is in no cache any more: another one may have its bit.
    fn release_bit(&mut self, snapshot: Snapshot) -> Snapshot {
        self.free |= snapshot.bit & OWN;
        self.held -= 1;
        snapshot
    }

    /// Which snapshot of a full cache is replaced: of those with the least cost the oldest.
    fn replaced(&mut self, at: usize) -> usize {
        let Caches { stream, hits, random, .. } = self;
        let Cache { plan, held, .. } = &stream[at];
        if plan.replacement == SnapshotReplacement::Random {
            return random.below(held.len());
        }
        let cost = |snapshot: &Snapshot| {
            let Hits { count, last } = hits[snapshot.bit.trailing_zeros() as usize];
            let states = snapshot.states.len();
            match plan.replacement {
                SnapshotReplacement::LowestLevel | SnapshotReplacement::Random => (0, 1),
                SnapshotReplacement::LeastRecent => (last, 1),
                SnapshotReplacement::LeastFrequent => (count, 1),
                SnapshotReplacement::MostRecent => (u64::MAX - last, 1),
                SnapshotReplacement::MostFrequent => (u64::MAX - count, 1),
                SnapshotReplacement::Smallest => (states, 1),
                SnapshotReplacement::LowestRatio => (count, states),
            }
        };
        let order = |a: &Snapshot, b: &Snapshot| {
            // Fractions are compared by their products.
            let ((cost_a, of_a), (cost_b, of_b)) = (cost(a), cost(b));
            let (left, right) = (u128::from(cost_a) * u128::from(of_b), u128::from(cost_b) * u128::from(of_a));
            left.cmp(&right).then(a.level.cmp(&b.level))
        };
        (0..held.len()).min_by(|&a, &b| order(&held[a], &held[b])).unwrap_or(0)
    }

    /// The bits of old snapshots: those that are not in the first cache.
    pub fn old(&self) -> u64 {
        let bits = |caches: &[Cache]| caches.iter().flat_map(|cache| &cache.held).fold(0, |bits, one| bits | one.bit);
        let first = bits(&self.stream[..1]);
        bits(&self.stream[1..]) & !(first & SHARED)
    }

    /// Whether the first cache keeps everything.
    pub fn first_keeps_all(&self) -> bool {
        self.stream[0].plan.size.is_none()
    }

    /// How many snapshots the caches hold.
    pub fn len(&self) -> u64 {
        self.held
    }

    /// The bytes of the lists of states.
    pub fn bytes(&self) -> u64 {
        self.stream.iter().flat_map(|cache| &cache.held).map(|snapshot| snapshot.states.bytes()).sum()
    }
}
