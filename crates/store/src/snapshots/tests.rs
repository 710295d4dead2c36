//! The set compared with a naive twin, which keeps a plain set of states for each snapshot.

use super::*;
use crate::cache::Random;
use std::collections::{HashMap, HashSet};
use tightrope_core::{Schema, Step};

struct TwinSnapshot {
    level: u64,
    hits: u64,
    last: u64,
    states: HashSet<u64>,
}

struct TwinCache {
    plan: SnapshotCache,
    /// Offers until the next one is accepted, and the period after that.
    until: u64,
    period: u64,
    held: Vec<TwinSnapshot>,
}

impl TwinCache {
    fn new(plan: SnapshotCache) -> Self {
        let (Sampling::Constant(period) | Sampling::Growing(period)) = plan.sampling;
        TwinCache { plan, until: 1, period, held: Vec::new() }
    }

    fn accepts(&mut self) -> bool {
        self.until -= 1;
        if self.until > 0 {
            return false;
        }
        self.until = self.period;
        if let Sampling::Growing(more) = self.plan.sampling {
            self.period += more;
        }
        true
    }

    fn replaced(&self, random: &mut Random) -> usize {
        use SnapshotReplacement::*;
        let cost = |one: &TwinSnapshot| match self.plan.replacement {
            LowestLevel => one.level as f64,
            LeastRecent => one.last as f64,
            LeastFrequent => one.hits as f64,
            MostRecent => -(one.last as f64),
            MostFrequent => -(one.hits as f64),
            Smallest => one.states.len() as f64,
            LowestRatio => one.hits as f64 / one.states.len() as f64,
            Random => 0.0,
        };
        if self.plan.replacement == Random {
            return random.below(self.held.len());
        }
        let least = self.held.iter().map(cost).fold(f64::INFINITY, f64::min);
        let level = self.held.iter().filter(|one| cost(one) <= least).map(|one| one.level).min();
        self.held.iter().position(|one| Some(one.level) == level).expect("a full cache holds something")
    }
}

/// What lies in the backtracking set, and in snapshots that stay for good, in place of a level.
const IN_BACKTRACK: u64 = u64::MAX;
const IN_KEPT: u64 = u64::MAX - 1;

struct Twin {
    plan: SnapshotPlan,
    caches: Vec<TwinCache>,
    level: u64,
    open: HashSet<u64>,
    next: HashSet<u64>,
    again: HashSet<u64>,
    backtrack: HashSet<u64>,
    most_backtracking: u64,
    kept: HashSet<u64>,
    dropped: u64,
    kept_for_good: u64,
    now: u64,
    random: Random,
    /// The state that is being expanded, its successors, and in what all of them are.
    siblings: Option<(u64, HashSet<u64>, HashSet<u64>)>,
}

impl Twin {
    fn new(plan: &SnapshotPlan) -> Self {
        Twin {
            plan: plan.clone(),
            caches: plan.stream.caches.iter().copied().map(TwinCache::new).collect(),
            level: 0,
            open: HashSet::new(),
            next: HashSet::new(),
            again: HashSet::new(),
            backtrack: HashSet::new(),
            most_backtracking: 0,
            kept: HashSet::new(),
            dropped: 0,
            kept_for_good: 0,
            now: 0,
            random: Random::new(7),
            siblings: None,
        }
    }

    fn snapshots(&mut self) -> impl Iterator<Item = &mut TwinSnapshot> {
        self.caches.iter_mut().flat_map(|cache| &mut cache.held)
    }

    fn remembered(&mut self) -> HashSet<u64> {
        let mut all: HashSet<u64> = self.snapshots().flat_map(|one| one.states.iter().copied()).collect();
        for set in [&self.open, &self.next, &self.backtrack, &self.kept] {
            all.extend(set);
        }
        all
    }

    /// Whether a state is new.
    fn insert(&mut self, state: u64, parent: Option<u64>) -> bool {
        let new = !self.remembered().contains(&state);
        if new {
            self.next.insert(state);
        } else {
            self.again.insert(state);
            if self.snapshots().any(|one| one.states.contains(&state)) {
                self.now += 1;
            }
            let now = self.now;
            for one in self.snapshots().filter(|one| one.states.contains(&state)) {
                (one.hits, one.last) = (one.hits + 1, now);
            }
        }
        if let Some(parent) = parent.filter(|_| self.plan.backtrack) {
            let old = self.caches[1..].iter().flat_map(|cache| &cache.held);
            let mut of: HashSet<u64> = old.filter(|one| one.states.contains(&state)).map(|one| one.level).collect();
            of.extend(self.backtrack.contains(&state).then_some(IN_BACKTRACK));
            of.extend((self.kept.contains(&state) && self.plan.stream.caches[0].size.is_some()).then_some(IN_KEPT));
            if self.siblings.as_ref().is_none_or(|(known, ..)| *known != parent) {
                self.end_of_siblings();
                self.siblings = Some((parent, HashSet::from([state]), of));
            } else if let Some((_, states, common)) = &mut self.siblings {
                states.insert(state);
                common.retain(|one| of.contains(one));
            }
        }
        new
    }

    fn end_of_siblings(&mut self) {
        if let Some((parent, states, of)) = self.siblings.take()
            && states.len() > 1
            && !of.is_empty()
            && (self.backtrack.len() as u64) < self.most_backtracking
        {
            self.backtrack.insert(parent);
        }
    }

    fn next_level(&mut self) {
        self.end_of_siblings();
        self.open = std::mem::take(&mut self.next);
        let again = std::mem::take(&mut self.again);
        let level = self.level;
        self.level += 1;
        if !self.caches[0].accepts() {
            return;
        }
        let states = self.open.union(&again).copied().collect();
        let mut offered = TwinSnapshot { level, hits: 0, last: self.now, states };
        for at in 0.. {
            if at == self.caches.len() && self.plan.stream.repeats {
                let plan = self.caches[at - 1].plan;
                self.caches.push(TwinCache::new(plan));
            }
            if at == self.caches.len() || at > 0 && !self.caches[at].accepts() {
                self.dropped += 1;
                if [1, 2, 4, 8, 16, 32, 64, 128, 256, 512].contains(&self.dropped) {
                    self.kept.extend(offered.states);
                    self.kept_for_good += 1;
                }
                return;
            }
            let cache = &mut self.caches[at];
            let Some(size) = cache.plan.size else {
                self.kept.extend(offered.states);
                self.kept_for_good += 1;
                return;
            };
            let leaving = (cache.held.len() == size).then(|| cache.replaced(&mut self.random));
            let leaving = leaving.map(|at| cache.held.remove(at));
            cache.held.push(offered);
            match leaving {
                Some(leaving) => offered = leaving,
                None => return,
            }
        }
    }
}

fn set(plan: &SnapshotPlan, budget: &Arc<Budget>) -> Snapshots {
    let schema = Arc::<Schema>::default();
    Snapshots::new(plan, Site { schema: &schema, budget, seed: 7, model: None })
}

fn code(state: u64) -> Vec<u8> {
    let mut code = state.to_le_bytes().to_vec();
    code.resize(8 + state as usize % 150, 1);
    code
}

fn plan(stream: &str, backtrack: bool) -> SnapshotPlan {
    SnapshotPlan { stream: stream.parse().expect(stream), backtrack }
}

/// A breadth-first search of a graph, with the set and its twin side by side.
fn search(plan: &SnapshotPlan, edges: &[Vec<u64>], budget: &Arc<Budget>) -> (CacheStats, u64) {
    let (mut set, mut twin) = (set(plan, budget), Twin::new(plan));
    let step = Step { action: 0, choice: 0 };
    let mut ids: HashMap<u64, StateId> = HashMap::new();
    let mut room = Vec::new();
    let mut agree = |set: &mut Snapshots, found: Found, state: u64, new: bool| {
        match found {
            Found::New(id) => {
                assert!(new, "{state} is remembered");
                ids.insert(state, id);
            }
            Found::Seen(id) => {
                assert!(!new, "{state} is not remembered");
                assert_eq!(ids[&state], id);
            }
            Found::Undecided | Found::Nowhere => panic!("it knows"),
        }
        let id = ids[&state];
        assert!(set.read(id, &mut room) && room == code(state));
        new.then_some((id, state))
    };
    let found = set.insert(&code(0), None).expect("unlimited");
    let mut level: Vec<(StateId, u64)> = agree(&mut set, found, 0, twin.insert(0, None)).into_iter().collect();
    let mut visits = 0;
    while !level.is_empty() {
        set.next_level();
        twin.next_level();
        twin.most_backtracking = set.cache_stats().peak / BACKTRACKING_SHARE;
        let remembered = twin.remembered();
        assert_eq!(set.len(), remembered.len() as u64, "level {}", twin.level);
        let mut next = Vec::new();
        for parent in level {
            visits += 1;
            assert!(visits < 200_000, "it should have ended");
            let (id, number) = parent;
            let edges = &edges[number as usize];
            let mut found = Vec::new();
            if visits % 2 == 0 {
                let mut steps = Successors::new();
                edges.iter().for_each(|&to| steps.push(step, &code(to)));
                set.insert_all(&steps, &[Parent { id, end: edges.len() }], &mut found).expect("unlimited");
            } else {
                let via = Some(Edge { parent: id, step, number: 0 });
                found.extend(edges.iter().map(|&to| set.insert(&code(to), via).expect("unlimited")));
            }
            assert_eq!(found.len(), edges.len());
            for (&to, found) in edges.iter().zip(found) {
                next.extend(agree(&mut set, found, to, twin.insert(to, Some(number))));
            }
        }
        let sampled = set.cache_stats().snapshots.expect("it has snapshots");
        assert_eq!(sampled.held, twin.snapshots().count() as u64 + twin.kept_for_good);
        assert_eq!(sampled.kept_for_good, twin.kept_for_good);
        assert_eq!(set.bytes(), budget.used());
        level = next;
    }
    set.next_level();
    twin.next_level();
    let stats = set.cache_stats();
    assert_eq!(stats.inserted, visits);
    assert_eq!(stats.evicted + set.len(), visits);
    assert_eq!(stats.snapshots.map(|sampled| sampled.backtracking), Some(twin.backtrack.len() as u64));
    (stats, visits)
}

/// Graphs with short steps forward, some back, and some anywhere.
fn graph(random: &mut Random) -> Vec<Vec<u64>> {
    let states = 2 + random.below(150);
    let (far, back) = (random.below(10), random.below(30));
    (0..states)
        .map(|from| {
            let to = |random: &mut Random| match random.below(100) {
                chance if chance < far => random.below(states),
                chance if chance < far + back => from.saturating_sub(random.below(40)),
                _ => (from + 1 + random.below(4)) % states,
            };
            (0..random.below(4).max(usize::from(random.below(3) > 0))).map(|_| to(random) as u64).collect()
        })
        .collect()
}

fn stream(random: &mut Random) -> String {
    let one = |random: &mut Random, last: bool| {
        let sampling = format!("{}{}", ["c", ""][random.below(2)], 1 + random.below(4));
        let replacement = SNAPSHOT_REPLACEMENTS[random.below(SNAPSHOT_REPLACEMENTS.len())].0;
        let size = if last && random.below(6) == 0 { "inf".into() } else { (1 + random.below(6)).to_string() };
        format!("{sampling},{replacement},{size}")
    };
    let caches = 1 + random.below(3);
    let mut text: Vec<String> = (1..=caches).map(|at| one(random, at == caches)).collect();
    let keeps_all = text[caches - 1].ends_with("inf") || text[caches - 1].starts_with("c1,");
    if random.below(4) == 0 && !keeps_all {
        text.push("...".into());
    }
    text.join(" > ")
}

#[test]
fn it_remembers_what_its_twin_remembers() {
    let mut random = Random::new(11);
    let (mut evicted, mut repeated, mut backtracking) = (0, 0, 0);
    for _ in 0..400 {
        let edges = graph(&mut random);
        for text in ["frontier-safety-net".into(), "pebble".into(), stream(&mut random), stream(&mut random)] {
            let plan = plan(&text, random.below(2) == 0);
            let (stats, visits) = search(&plan, &edges, &Arc::new(Budget::unlimited()));
            evicted += stats.evicted;
            repeated += visits - stats.distinct.expect("all fit into the sample");
            backtracking += stats.snapshots.map_or(0, |sampled| sampled.backtracking);
        }
    }
    assert!(evicted > 10_000 && repeated > 1000 && backtracking > 100, "{evicted}, {repeated}, {backtracking}");
}

/// More snapshots than there are bits: those that share one are told apart by their lists.
#[test]
fn snapshots_share_the_last_bit() {
    let mut random = Random::new(3);
    for levels in [57, 58, 59, 100, 250] {
        for _ in 0..3 {
            // A long way with short cuts back.
            let edges: Vec<Vec<u64>> =
                (0..400u64).map(|from| vec![(from + 1) % 400, from.saturating_sub(random.below(300) as u64)]).collect();
            search(&plan(&format!("frontier:{levels}"), false), &edges, &Arc::new(Budget::unlimited()));
        }
    }
}

/// Cycles whose lengths and the sampling periods divide each other, and every size down to one.
#[test]
fn it_ends_whatever_is_sampled() {
    for length in 1..40u64 {
        for stream in ["c1,LLNR,1", "c2,MRU,1", "c3,LLNR,2", "1,RND,1 > c1,MFU,1", "c4,SIZE,1 > ..."] {
            for tail in [0, 1, 5, 30] {
                let ring = (0..length).map(|at| vec![tail + (at + 1) % length]);
                let edges: Vec<Vec<u64>> = (0..tail).map(|at| vec![at + 1]).chain(ring).collect();
                search(&plan(stream, true), &edges, &Arc::new(Budget::unlimited()));
            }
        }
    }
}

#[test]
fn a_refusal_changes_nothing() {
    for limit in [0, 1000, 5000, 20_000, 60_000, 200_000] {
        let budget = Arc::new(Budget::new(limit));
        let mut set = set(&plan("c2,LLNR,2 > 2,LFU,3", true), &budget);
        let mut refused = false;
        let mut number = 0;
        for level in 0..60u64 {
            set.next_level();
            for _ in 0..50 + level {
                let (before, len) = (set.bytes(), set.len());
                match set.insert(&code(number), None) {
                    Ok(_) => number += 1,
                    Err(_) => {
                        refused = true;
                        assert_eq!(set.len(), len);
                        assert!(set.bytes() >= before && set.bytes() <= limit);
                    }
                }
            }
        }
        assert_eq!(set.bytes(), budget.used());
        assert!(budget.peak() <= limit && (refused || limit == 200_000), "{limit}");
        drop(set);
        assert_eq!(budget.used(), 0);
    }
}
