//! A store that begins fast and becomes small when memory runs out.
//!
//! It begins as `hash`. Before that has taken all of the budget it refuses, and [`Store::reencode`] writes everything that
//! it holds into the smallest exact store there is for these states, found out with a sample of them. Nothing is
//! searched again. While it moves, the table of the old stage is gone, and its states are given back as they are read, so
//! that both forms together are never larger than the old one was, unless the new one is no smaller.
//!
//! Bytes per state: those of `hash` as long as they can be had, then those of `tree` or `collapse`.

use crate::sets::hash_table::Members;
use crate::table::plan_bytes;
use crate::{HashTable, STORES, Sample, Site, StoreEntry, make};
use tightrope_core::{
    Claim, Edge, Found, Ordered, Parent, Reencoded, Refused, Remap, Reservation, StateId, Store, Successors,
};

/// The number of states on which smaller stores are tried.
const SAMPLE: u64 = 16 << 10;
/// The share of the budget that is left for everybody else when it refuses: one of so many.
const RESERVE: u64 = 64;
/// A sample shows less than all states of what they have in common in the usual store, the tree: another one is taken if it is smaller
/// by this factor for the sample. On a sliding window protocol of 3.9 million states `tree` took 23 bytes per state of a sample and
/// `collapse` 20.5, but 3.5 and 13.4 of all; on BEEM's anderson.6 and bakery.7 it was 36 and 28, 38 and 24 of samples, 30 and 16, 34
/// and 17 of all.
const HANDICAP: f64 = 1.2;
/// Where the second store takes more than this share of the budget before there is a state in it, it is the only one.
const LARGE: u64 = 8;

/// What it may become, the smallest as a rule first: the table goes from fast ones to small ones.
fn fallbacks() -> impl Iterator<Item = &'static StoreEntry> {
    STORES.iter().rev().filter(|entry| entry.fallback.is_some())
}

/// What it becomes where nothing can be tried, and about what that takes before there is a state in it.
fn usual_fallback(site: Site<'_>) -> (&'static str, u64) {
    let entry = fallbacks().next().expect("the table has one");
    (entry.name, plan_bytes(site.schema) + entry.fallback.map_or(0, |bytes| bytes(site.schema)))
}

/// A store that re-encodes its states when memory runs out.
pub struct Auto<'a> {
    stage: Stage<'a>,
    site: Site<'a>,
    /// The number of states at which it re-encodes, whatever there is left of the budget.
    most: u64,
    history: Vec<Reencoded>,
    /// It re-encodes when less than this is left: others need it until then, and the second store needs it before there is a
    /// state in it.
    reserve: u64,
}

enum Stage<'a> {
    First(HashTable),
    Small(Box<dyn Store + 'a>),
}

impl<'a> Auto<'a> {
    /// An empty store that re-encodes at `most` states, if there is memory for so many.
    pub fn new(most: u64, site: Site<'a>) -> Self {
        let (limit, (small, fixed)) = (site.budget.limit(), usual_fallback(site));
        // States so large that there would be no room for the second store beside the first go to that one at once.
        let large = fixed > limit / LARGE && fixed < limit / 4 * 3;
        let stage = match make(small, site) {
            Ok(store) if large => Stage::Small(store),
            _ => Stage::First(HashTable::new(site.budget)),
        };
        let reserve = (limit / RESERVE).max(if fixed > limit / LARGE { 0 } else { fixed });
        Auto { stage, site, most, history: Vec::new(), reserve }
    }

    fn store(&self) -> &dyn Store {
        match &self.stage {
            Stage::First(hash) => hash,
            Stage::Small(store) => store.as_ref(),
        }
    }

    /// The store to insert into, unless it is time to re-encode: if too little is left of the budget for what others need
    /// until then.
    fn open(&mut self) -> Result<&mut (dyn Store + 'a), Refused> {
        match &mut self.stage {
            Stage::First(hash) => {
                let enough = self.site.budget.left() >= self.reserve && hash.len() < self.most;
                if enough || hash.is_empty() { Ok(hash) } else { Err(Refused::Memory) }
            }
            Stage::Small(store) => Ok(store.as_mut()),
        }
    }

    /// What it should become: the smallest for a sample of its states, as large as there is room for.
    fn choose(&self, members: &Members, states: u64) -> &'static str {
        let usual = usual_fallback(self.site).0;
        let mean = members.bytes() / states.max(1) + size_of::<usize>() as u64;
        let most = SAMPLE.min(self.site.budget.left() / 4 / mean);
        let mut aside = Reservation::new(self.site.budget.clone());
        // Vectors that grow take up to twice what is in them.
        if aside.take(2 * mean * most.max(1)).is_err() {
            return usual;
        }
        let mut sample = Sample::new();
        for ((_, state), position) in members.iter().zip(0..) {
            if Sample::wants(position, states, most) && !sample.push(state) {
                break;
            }
        }
        let needs = |spec: &str| sample.bytes_per_state(spec, self.site, &|| false);
        // Where one of them cannot be tried for want of memory nothing is known.
        let tried: Option<Vec<_>> = fallbacks().map(|entry| Some((needs(entry.name)?, entry.name))).collect();
        let weighed = tried.into_iter().flatten().map(|(needs, spec)| {
            let handicap = if spec == usual { 1.0 } else { HANDICAP };
            (needs * handicap, spec)
        });
        weighed.min_by(|one, two| one.0.total_cmp(&two.0)).map_or(usual, |(_, spec)| spec)
    }

    /// Inserts all members of the first store into the second, which is what this has become, even if it does not take all.
    fn fill(&mut self, mut members: Members, remap: &mut Remap<'_>) -> Result<(), Refused> {
        let Stage::Small(store) = &mut self.stage else { return Ok(()) };
        while let Some((old, state)) = members.next() {
            match store.insert(state, None)? {
                Found::New(new) | Found::Seen(new) => remap(old, new)?,
                Found::Undecided | Found::Nowhere => {}
            }
        }
        Ok(())
    }
}

impl Store for Auto<'_> {
    fn insert(&mut self, state: &[u8], via: Option<Edge>) -> Result<Found, Refused> {
        self.open()?.insert(state, via)
    }

    fn insert_all(&mut self, steps: &Successors, parents: &[Parent], found: &mut Vec<Found>) -> Result<(), Refused> {
        self.open()?.insert_all(steps, parents, found)
    }

    fn read(&mut self, id: StateId, out: &mut Vec<u8>) -> bool {
        match &mut self.stage {
            Stage::First(hash) => hash.read(id, out),
            Stage::Small(store) => store.read(id, out),
        }
    }

    fn len(&self) -> u64 {
        self.store().len()
    }

    fn bytes(&self) -> u64 {
        self.store().bytes()
    }

    fn claim(&self) -> Claim {
        self.store().claim()
    }

    fn can_read(&self) -> bool {
        true
    }

    fn reencode(&mut self, remap: &mut Remap<'_>) -> Result<bool, Refused> {
        let Stage::First(hash) = &mut self.stage else { return Ok(false) };
        let (states, before) = (hash.len(), hash.bytes());
        if states == 0 {
            return Ok(false);
        }
        let members = std::mem::replace(hash, HashTable::new(self.site.budget)).into_members();
        let to = self.choose(&members, states);
        self.stage = Stage::Small(make(to, self.site).expect("a name from the table"));
        let filled = self.fill(members, remap);
        self.history.push(Reencoded { from: STORES[0].name, to, states, before, after: self.bytes() });
        filled.map(|()| true)
    }

    fn history(&self) -> &[Reencoded] {
        &self.history
    }

    fn ordered(&mut self) -> Option<&mut dyn Ordered> {
        match &mut self.stage {
            Stage::First(hash) => hash.ordered(),
            Stage::Small(_) => None,
        }
    }
}
