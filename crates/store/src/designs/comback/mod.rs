//! ComBack: exact, at a handful of bytes per state however large a state is (Westergaard, Kristensen, Brodal & Arge 2007; Evangelista,
//! Westergaard & Kristensen 2009).
//!
//! No state is kept but those that strategies choose. The [`StateTable`] leads from hashes to identifiers, the [`Backedges`] from each
//! state to its parent and the step from there. Where a state has the hash of others that are not kept, those are rebuilt by executing
//! the steps that lead to them ([`Rebuilder`]), and compared: no state is ever taken for another.
//!
//! Kept in full are the initial states, those found last (strategy F), those of former levels that strategies R, H and D choose
//! ([`StateCache`]), and those that wait to be expanded as far as there is memory for them; where there is not, they are rebuilt in
//! blocks when their turn comes. With delayed duplicate detection states that would have to be compared with rebuilt ones are
//! gathered ([`Candidates`]), and those are rebuilt together.
//!
//! Bytes per state: about 4.9 for the state table, and 0.6 to 1.2 for the backedge table. Not for depth-first search of deep state
//! spaces, where the paths from which states are rebuilt are long, nor where states are small or made of parts that recur: `tree` takes
//! less then, and no steps.

mod backedges;
mod block;
mod candidates;
mod detection;
mod kept;
mod overflow;
mod plan;
mod rebuild;
mod sizes;
mod state_cache;
mod state_table;
mod window;

pub use plan::ComBackPlan;

use crate::Site;
use crate::memory::hashing::hash_of;
use backedges::Backedges;
use block::Block;
use candidates::Candidates;
use kept::{Initial, Kept};
use plan::{ANCESTORS, Second};
use rebuild::Rebuilder;
use state_cache::StateCache;
use state_table::{MOST_KEY_BITS, StateTable};
use std::collections::VecDeque;
use std::sync::Arc;
use tightrope_core::{
    Budget, Claim, Delays, Edge, Edges, Found, Ordered, Parent, Parents, Rebuilding, Refused, Reservation, StateId,
    Step, Store, Successors, ask_for_memory,
};
use window::Window;

/// One of so many parts of the budget is left to others.
const RESERVE: u64 = 32;
/// The most states that a search reads before it inserts their successors, for the strategies that choose among them.
const MOST_EXPANDING: usize = 1 << 10;
/// Hashes are looked for together, so many.
const TOGETHER: usize = 64;
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The store.
pub struct ComBack<'a> {
    plan: ComBackPlan,
    table: StateTable,
    kept: Kept,
    rebuilder: Rebuilder<'a>,
    candidates: Candidates,
    /// The search has candidates decided.
    delays_detection: bool,
    detections: u64,
    len: u32,
    /// How many initial states were offered.
    initial_offered: u32,
    /// The bytes of all states together: what one takes on average.
    total_bytes: u64,
    /// How often what is kept was halved because memory ran short.
    halvings: u32,
    /// The states that wait stay in memory.
    keeps_queue: bool,
    /// The state that is read next in the order of insertion; none before the first is read.
    reading: Option<u32>,
    /// The state whose successors are being inserted.
    turn: Option<Turn>,
    /// The states that were read and whose turn has not ended, for the strategies that choose among them.
    expanding: VecDeque<(u32, Box<[u8]>)>,
    /// The first states of the level that is being expanded, and of the next one.
    levels: [u32; 2],
    /// How many levels were begun: one more than the distance of the states that are being expanded.
    depth: u32,
    ids: Vec<u32>,
    state: Vec<u8>,
    budget: Arc<Budget>,
    reservation: Reservation,
}

/// A state whose successors are being inserted.
struct Turn {
    id: u32,
    /// How many of them were new.
    children: u32,
}

impl<'a> ComBack<'a> {
    /// An empty store of the states of the site's model. The error is a sentence for people.
    pub fn new(plan: ComBackPlan, site: Site<'a>) -> Result<Self, String> {
        let model = site.model.ok_or("`comback` rebuilds states by the steps of a model, and there is none")?;
        let budget = site.budget;
        // As many bits as tell apart the states that there is memory for, and some more.
        let key_bits = (budget.limit().max(1).ilog2() + 3).clamp(24, MOST_KEY_BITS);
        let cache = plan.strategy.second.map(|second| StateCache::new(second, site.seed, budget));
        Ok(ComBack {
            plan,
            table: StateTable::new(key_bits, budget),
            kept: Kept {
                edges: Backedges::new(budget),
                initial: Vec::new(),
                window: Window::new(0, budget),
                block: Block::new(budget),
                cache,
            },
            rebuilder: Rebuilder::new(model, budget),
            candidates: Candidates::new(budget),
            delays_detection: false,
            detections: 0,
            len: 0,
            initial_offered: 0,
            total_bytes: 0,
            halvings: 0,
            keeps_queue: !plan.rebuild_queue,
            reading: None,
            turn: None,
            expanding: VecDeque::new(),
            levels: [0, 0],
            depth: 0,
            ids: Vec::new(),
            state: Vec::new(),
            budget: budget.clone(),
            reservation: Reservation::new(budget.clone()),
        })
    }

    #[inline]
    fn hash(&self, state: &[u8]) -> u64 {
        hash_with(state, self.plan.hash_bits)
    }

    /// The turn of a state has come: that of the one before is over.
    fn turn_to(&mut self, parent: u32) {
        if self.turn.as_ref().is_some_and(|turn| turn.id == parent) {
            return;
        }
        if let Some(turn) = self.turn.take() {
            self.end_turn(turn);
        }
        self.turn = Some(Turn { id: parent, children: 0 });
        if self.reading.is_some() && parent >= self.levels[1] {
            self.levels = [self.levels[1], self.len];
            self.depth += 1;
        }
    }

    /// Offers a state whose successors are all there to the strategies H and D.
    fn end_turn(&mut self, turn: Turn) {
        let size = self.second_size();
        while self.expanding.front().is_some_and(|(id, _)| *id < turn.id) {
            self.forget_expanding();
        }
        let Kept { edges, window, cache, .. } = &mut self.kept;
        let Some(cache) = cache.as_mut().filter(|cache| cache.strategy() != Second::Random) else { return };
        let state = match self.expanding.front() {
            Some((id, state)) if *id == turn.id => Some(&**state),
            _ => window.get(turn.id),
        };
        let width = self.levels[1] - self.levels[0];
        if let Some(state) = state
            && turn.children > 0
            && self.depth > 1
        {
            let value = (self.depth - 1) as f32 * turn.children as f32 / width as f32;
            let wants_distance = cache.strategy() == Second::Distance;
            cache.offer(turn.id, value, state, size, |cache| {
                let mut at = turn.id;
                wants_distance
                    && (0..ANCESTORS).any(|_| {
                        at = edges.get(at).0;
                        cache.contains(at)
                    })
            });
        }
    }

    fn forget_expanding(&mut self) {
        if let Some((_, state)) = self.expanding.pop_front() {
            self.reservation.give_back(state.len() as u64);
        }
    }

    /// Adds a state that is not there.
    fn add(&mut self, key: u64, state: &[u8], via: Option<Edge>) -> Result<u32, Refused> {
        if self.len == u32::MAX {
            return Err(Refused::Limit("a ComBack store holds no more than 4,294,967,295 states"));
        }
        while let Err(refused) = self.make_room(state, via) {
            if !self.squeeze() {
                return Err(refused);
            }
        }
        let id = self.len;
        let edge = match via {
            Some(Edge { parent, number, .. }) => (parent.0 as u32, number),
            // Any that lets the parents ascend.
            None => (self.kept.initial.last().map_or(0, |_| id.saturating_sub(1)), 0),
        };
        self.table.add(key, id);
        self.kept.edges.push(edge);
        self.kept.window.push(state);
        if via.is_none() {
            let number = self.initial_offered - 1;
            self.kept.initial.push(Initial { id, number, state: state.into() });
        }
        self.len += 1;
        self.total_bytes += state.len() as u64;
        if self.len.is_power_of_two() || self.len.is_multiple_of(64) {
            self.trim();
            // Others need memory, too, and what is kept here can be given up.
            if self.budget.left() < self.budget.limit() / RESERVE {
                self.squeeze();
            }
        }
        if let Some(turn) = &mut self.turn
            && via.is_some_and(|via| via.parent.0 as u32 == turn.id)
        {
            turn.children += 1;
        }
        let size = self.second_size();
        if let Some(cache) = self.kept.cache.as_mut().filter(|cache| cache.strategy() == Second::Random) {
            cache.offer_new(id, state, size);
        }
        Ok(id)
    }

    /// Makes sure that one more state can be added. A refusal changes nothing.
    fn make_room(&mut self, state: &[u8], via: Option<Edge>) -> Result<(), Refused> {
        self.table.make_room()?;
        self.kept.edges.make_room()?;
        self.kept.window.make_room(state.len())?;
        if via.is_none() {
            if self.kept.initial.len() == self.kept.initial.capacity() {
                let more = self.kept.initial.len().max(4);
                self.reservation.take(2 * (more * size_of::<Initial>()) as u64)?;
                ask_for_memory(|| self.kept.initial.try_reserve_exact(more)).map_err(|_| Refused::Memory)?;
            }
            self.reservation.take(state.len() as u64 + 16)?;
        }
        Ok(())
    }

    fn insert_hashed(&mut self, state: &[u8], hash: u64, via: Option<Edge>) -> Result<Found, Refused> {
        match via {
            Some(edge) => self.turn_to(edge.parent.0 as u32),
            None => self.initial_offered += 1,
        }
        if self.candidates.contains(hash, state) {
            return Ok(Found::Undecided);
        }
        let key = self.table.key(hash);
        self.ids.clear();
        let (kept, ids, mut seen) = (&self.kept, &mut self.ids, None);
        self.table.find(key, |id| {
            match kept.get(id) {
                Some(other) if other == state => seen = Some(id),
                Some(_) => {}
                None => ids.push(id),
            }
            seen.is_some()
        });
        if let Some(id) = seen {
            return Ok(Found::Seen(StateId(u64::from(id))));
        }
        if !self.ids.is_empty() {
            if via.is_some() && self.delays_detection && self.candidates.add(hash, state, via, &self.ids).is_ok() {
                return Ok(Found::Undecided);
            }
            if let Some(id) = self.compare(state)? {
                return Ok(Found::Seen(StateId(u64::from(id))));
            }
        }
        Ok(Found::New(StateId(u64::from(self.add(key, state, via)?))))
    }

    /// Rebuilds the states of the same hash that are not kept, one after the other: the one that is this state, if one is.
    fn compare(&mut self, state: &[u8]) -> Result<Option<u32>, Refused> {
        let (ids, mut other) = (std::mem::take(&mut self.ids), std::mem::take(&mut self.state));
        let mut answer = Ok(None);
        for &id in &ids {
            match self.rebuild(id, &mut other) {
                Ok(()) if other == state => answer = Ok(Some(id)),
                Ok(()) => continue,
                Err(refused) => answer = Err(refused),
            }
            break;
        }
        (self.ids, self.state) = (ids, other);
        answer
    }

    /// Puts a state into `out`, whether it is kept or has to be rebuilt.
    fn rebuild(&mut self, id: u32, out: &mut Vec<u8>) -> Result<(), Refused> {
        loop {
            match self.rebuilder.one(&self.kept, id, out) {
                Err(Refused::Memory) if self.squeeze() => {}
                other => return other,
            }
        }
    }

    /// Rebuilds a block of states that wait, from `first` on.
    fn rebuild_block(&mut self, first: u32) -> Result<(), Refused> {
        self.kept.block = Block::new(&self.budget);
        let end = self.kept.window.first().min(self.len);
        let most = u64::from(end.saturating_sub(first).max(1));
        let mut count = self.block_size().min(most) as u32;
        loop {
            match self.fill_block(first, count) {
                Err(Refused::Memory) if count > 1 => count = count.div_ceil(4),
                Err(Refused::Memory) if self.squeeze() => {}
                other => return other,
            }
        }
    }

    fn fill_block(&mut self, first: u32, count: u32) -> Result<(), Refused> {
        let ids: Vec<u32> = (first..first + count).collect();
        let mut block = Block::for_states(first, count, &self.budget)?;
        self.rebuilder.all(&self.kept, &ids, &mut |id, state| block.add(id, state))?;
        self.kept.block = block;
        Ok(())
    }

    /// The state of that identifier, in the order of insertion, into `out`.
    fn read_next(&mut self, id: u32, out: &mut Vec<u8>) -> Result<(), Refused> {
        let is_there = self.kept.window.get(id).is_some() || self.kept.block.get(id).is_some();
        if !is_there {
            self.rebuild_block(id)?;
        }
        self.rebuild(id, out)?;
        if self.expanding.len() == MOST_EXPANDING {
            self.forget_expanding();
        }
        if self.kept.cache.as_ref().is_some_and(|cache| cache.strategy() != Second::Random)
            && self.reservation.take(out.len() as u64).is_ok()
        {
            self.expanding.push_back((id, out.as_slice().into()));
        }
        Ok(())
    }
}

/// The hash of a state, of which so many bits are used. All bits of what [`hash_of`] gives are mixed into the upper ones.
fn hash_with(state: &[u8], bits: u32) -> u64 {
    let hash = hash_of(state);
    (hash ^ hash >> 32).wrapping_mul(SPREAD) & u64::MAX << (64 - bits)
}

impl Store for ComBack<'_> {
    fn insert(&mut self, state: &[u8], via: Option<Edge>) -> Result<Found, Refused> {
        self.insert_hashed(state, self.hash(state), via)
    }

    fn insert_all(&mut self, steps: &Successors, parents: &[Parent], found: &mut Vec<Found>) -> Result<(), Refused> {
        let mut edges = Edges::of(parents);
        for start in (0..steps.len()).step_by(TOGETHER) {
            let together = start..steps.len().min(start + TOGETHER);
            let mut hashes = [0; TOGETHER];
            for (hash, index) in hashes.iter_mut().zip(together.clone()) {
                if let Some(state) = steps.state(index) {
                    *hash = self.hash(state);
                    self.table.prefetch(self.table.key(*hash));
                }
            }
            // Where the first state of each hash is kept, it is brought near as well.
            for &hash in &hashes[..together.len()] {
                let window = &self.kept.window;
                self.table.find(self.table.key(hash), |id| {
                    window.prefetch(id);
                    true
                });
            }
            for (hash, index) in hashes.into_iter().zip(together) {
                let via = edges.next(steps, index);
                let insert = |state| self.insert_hashed(state, hash, via);
                found.push(steps.state(index).map_or(Ok(Found::Nowhere), insert)?);
            }
        }
        Ok(())
    }

    fn read(&mut self, id: StateId, out: &mut Vec<u8>) -> bool {
        id.0 < u64::from(self.len) && self.rebuild(id.0 as u32, out).is_ok()
    }

    fn len(&self) -> u64 {
        u64::from(self.len)
    }

    fn bytes(&self) -> u64 {
        let spent = self.spent();
        spent.tables + spent.kept + spent.candidates
    }

    fn claim(&self) -> Claim {
        Claim::Exact
    }

    fn can_read(&self) -> bool {
        true
    }

    fn ordered(&mut self) -> Option<&mut dyn Ordered> {
        Some(self)
    }

    fn delays(&mut self) -> Option<&mut dyn Delays> {
        (!self.plan.candidates.is_none()).then_some(self)
    }

    fn parents(&mut self) -> Option<&mut dyn Parents> {
        Some(self)
    }

    fn rebuilding(&self) -> Option<Rebuilding> {
        Some(self.spent())
    }
}

impl ComBack<'_> {
    fn spent(&self) -> Rebuilding {
        let Kept { edges, window, block, cache, .. } = &self.kept;
        let cache = cache.as_ref().map_or(0, |cache| cache.bytes());
        Rebuilding {
            states: self.rebuilder.rebuilt,
            steps: self.rebuilder.executed,
            tables: self.table.bytes() + edges.bytes(),
            kept: window.bytes() + block.memory() + cache + self.reservation.bytes() + self.rebuilder.bytes(),
            candidates: self.candidates.memory(),
            detections: self.detections,
        }
    }
}

impl Ordered for ComBack<'_> {
    fn next(&mut self, after: Option<StateId>, out: &mut Vec<u8>) -> Result<Option<StateId>, Refused> {
        let id = after.map_or(0, |after| after.0 as u32 + 1);
        if id >= self.len {
            return Ok(None);
        }
        self.reading = Some(id);
        self.read_next(id, out)?;
        Ok(Some(StateId(u64::from(id))))
    }
}

impl Parents for ComBack<'_> {
    fn path(&mut self, to: StateId, each: &mut dyn FnMut(Step) -> Result<(), Refused>) -> Result<u32, Refused> {
        self.rebuilder.path(&self.kept, to.0 as u32, each)
    }
}
