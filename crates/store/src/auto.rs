//! A store that begins fast and becomes small when memory runs out.
//!
//! It begins as `hash`. Before that has taken all of the budget it refuses, and [`Store::shrink`] writes everything that
//! it holds into the smallest exact store there is for these states, found out with a sample of them. Nothing is
//! searched again. While it moves, the table of the old form is gone, and its states are given back as they are read, so
//! that both forms together are never larger than the old one was, unless the new one is no smaller.
//!
//! Bytes per state: those of `hash` as long as they can be had, then those of `tree` or `collapse`.

use crate::hash::Members;
use crate::table::plan_bytes;
use crate::tree::Tree;
use crate::{Hash, OrderedSet, Sample, Set, Site, make};
use std::sync::Arc;
use tightrope_core::{
    Budget, Claim, Edge, Found, Holding, Ordered, OverBudget, Parent, Renamed, Schema, Shrunk, StateId, Store,
    Successors,
};

/// What it may become.
const SMALLER: [&str; 2] = ["tree", "collapse"];
/// The number of states on which they are tried.
const SAMPLE: u64 = 16 << 10;
/// The share of the budget that is left for everybody else when it refuses: one of so many.
const RESERVE: u64 = 64;
/// Where the second form takes more than this share of the budget before there is a state in it, it is the only one.
const LARGE: u64 = 8;

/// A store that changes its form when memory runs out.
pub struct Auto {
    form: Form,
    schema: Arc<Schema>,
    budget: Arc<Budget>,
    seed: u64,
    /// The number of states at which it changes, whatever there is left of the budget.
    most: u64,
    history: Vec<Shrunk>,
    /// It changes when less than this is left: others need it until then, and the second form needs it before there is a state in it.
    reserve: u64,
}

enum Form {
    First(Hash),
    Small(Box<dyn Store>),
}

impl Auto {
    /// An empty store that changes at `most` states, if there is memory for so many.
    pub fn new(most: u64, site: Site<'_>) -> Self {
        let (limit, fixed) = (site.budget.limit(), plan_bytes(site.schema) + Tree::fixed_bytes(site.schema));
        // States so large that there would be no room for the second form beside the first are written in that one at once.
        let large = fixed > limit / LARGE && fixed < limit / 4 * 3;
        let form = match make(SMALLER[0], site) {
            Ok(store) if large => Form::Small(store),
            _ => Form::First(Hash::new(site.budget)),
        };
        Auto {
            reserve: (limit / RESERVE).max(if fixed > limit / LARGE { 0 } else { fixed }),
            form,
            schema: site.schema.clone(),
            budget: site.budget.clone(),
            seed: site.seed,
            most,
            history: Vec::new(),
        }
    }

    /// The first form, unless it is time to change: if there is enough left of the budget for what others need until then.
    fn first<'a>(hash: &'a mut Hash, budget: &Budget, (most, reserve): (u64, u64)) -> Result<&'a mut Hash, OverBudget> {
        let left = budget.left();
        let enough = left >= reserve && hash.len() < most;
        if enough || hash.is_empty() { Ok(hash) } else { Err(OverBudget { asked: reserve, left }) }
    }

    /// What it should become: the smallest for a sample of its states, as large as there is room for.
    fn choose(&self, members: &Members, states: u64) -> &'static str {
        let mean = members.bytes() / states.max(1) + size_of::<usize>() as u64;
        let most = SAMPLE.min(self.budget.left() / 4 / mean);
        let mut aside = Holding::new(self.budget.clone());
        // Vectors that grow take up to twice what is in them.
        if aside.take(2 * mean * (most + Sample::RUN)).is_err() {
            return SMALLER[0];
        }
        let mut sample = Sample::new();
        for ((_, state), position) in members.iter().zip(0..) {
            if Sample::wants(position, states, most) && !sample.push(state) {
                break;
            }
        }
        let site = Site { schema: &self.schema, budget: &self.budget, seed: self.seed };
        let needs = |spec: &str| sample.bytes_per_state(spec, site, &|| false).unwrap_or(f64::INFINITY);
        let least = SMALLER.into_iter().map(|spec| (needs(spec), spec)).min_by(|one, two| one.0.total_cmp(&two.0));
        least.map_or(SMALLER[0], |(_, spec)| spec)
    }

    /// Writes all states into a store of another form, which is what this becomes, even if it does not hold all of them.
    fn fill(&mut self, mut members: Members, renamed: &mut Renamed<'_>) -> Result<(), OverBudget> {
        let Form::Small(store) = &mut self.form else { return Ok(()) };
        while let Some((old, state)) = members.next() {
            match store.insert(state, None)? {
                Found::New(new) | Found::Seen(new) => renamed(old, new)?,
                Found::Undecided => {}
            }
        }
        Ok(())
    }
}

impl Store for Auto {
    fn insert(&mut self, state: &[u8], via: Option<Edge>) -> Result<Found, OverBudget> {
        match &mut self.form {
            Form::First(hash) => Auto::first(hash, &self.budget, (self.most, self.reserve))?.insert(state),
            Form::Small(store) => store.insert(state, via),
        }
    }

    fn insert_all(&mut self, steps: &Successors, parents: &[Parent], found: &mut Vec<Found>) -> Result<(), OverBudget> {
        match &mut self.form {
            Form::First(hash) => Auto::first(hash, &self.budget, (self.most, self.reserve))?.insert_all(steps, found),
            Form::Small(store) => store.insert_all(steps, parents, found),
        }
    }

    fn read(&mut self, id: StateId, out: &mut Vec<u8>) -> bool {
        match &mut self.form {
            Form::First(hash) => {
                let mut room = Vec::new();
                let Some(state) = hash.read(id, &mut room) else { return false };
                out.clear();
                out.extend_from_slice(state);
                true
            }
            Form::Small(store) => store.read(id, out),
        }
    }

    fn len(&self) -> u64 {
        match &self.form {
            Form::First(hash) => hash.len(),
            Form::Small(store) => store.len(),
        }
    }

    fn bytes(&self) -> u64 {
        match &self.form {
            Form::First(hash) => hash.bytes(),
            Form::Small(store) => store.bytes(),
        }
    }

    fn claim(&self) -> Claim {
        Claim::Exact
    }

    fn at_limit(&self) -> Option<&'static str> {
        match &self.form {
            Form::First(hash) => hash.at_limit(),
            Form::Small(store) => store.at_limit(),
        }
    }

    fn can_read(&self) -> bool {
        true
    }

    fn shrink(&mut self, renamed: &mut Renamed<'_>) -> Result<bool, OverBudget> {
        let Form::First(hash) = &mut self.form else { return Ok(false) };
        let (states, before) = (hash.len(), hash.bytes());
        if states == 0 {
            return Ok(false);
        }
        let members = std::mem::replace(hash, Hash::new(&self.budget)).into_members();
        let to = self.choose(&members, states);
        let site = Site { schema: &self.schema, budget: &self.budget, seed: self.seed };
        let store = make(to, site).expect("a name from the table");
        self.form = Form::Small(store);
        let filled = self.fill(members, renamed);
        self.history.push(Shrunk { from: "hash", to, states, before, after: self.bytes() });
        filled.map(|()| true)
    }

    fn history(&self) -> &[Shrunk] {
        &self.history
    }

    fn ordered(&mut self) -> Option<&mut dyn Ordered> {
        match &self.form {
            Form::First(_) => Some(self),
            Form::Small(_) => None,
        }
    }
}

impl Ordered for Auto {
    fn next(&mut self, after: Option<StateId>, out: &mut Vec<u8>) -> Option<StateId> {
        let Form::First(hash) = &mut self.form else { return None };
        let mut room = Vec::new();
        let (id, state) = OrderedSet::next(hash, after, &mut room)?;
        out.clear();
        out.extend_from_slice(state);
        Some(id)
    }
}
