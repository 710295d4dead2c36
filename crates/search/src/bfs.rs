//! Breadth-first search, level by level.
//!
//! Finds every state at its least distance from the initial ones, and so a shortest counterexample. The store is its
//! own queue where it can be read in order; otherwise ids of states wait in memory, or the states themselves, in memory or on
//! disk. How paths are reconstructed is in `counterexample/`.
//!
//! Invariant: when level `d` begins, the frontier holds exactly the states at distance `d`, in the order in which they
//! were found, and no violation of length `d` or less was seen, deadlocks in level `d` excepted: those show only when
//! a state is expanded. A faulty step or a bad new state met in level `d` makes a counterexample of length `d + 1`, a
//! deadlock one of length `d`. After a violation of length `d + 1` the rest of the level is searched for deadlocks only, which
//! would be shorter.
//!
//! States are expanded in batches (`batch.rs`). A store may decide later whether a state is new ([`tightrope_core::Delays`]): it
//! is asked when its candidates are full and at the end of every level, so that the invariant holds then, too. With stubborn
//! sets all this is true of the reduced state space: a counterexample is a shortest one there, and there may be shorter ones.
//!
//! A store may evict states ([`tightrope_core::Evicts`]; Tronci et al. 2001, Fig. 2): a state that comes again is found again, and
//! expanded again, at a later level. Every state is still found first at its least distance, since its predecessor on a shortest
//! path is: what is said above holds of the first time. The search is stopped where it might not end. A set that remembers snapshots
//! (Mateescu & Wijs 2009) is such a store, which keeps the level that is expanded, and with which the search ends.
//!
//! Bytes per state beyond the store: less than one, and the waiting states where the store is not ordered. Not for
//! state spaces with wide levels and a store that needs a queue, nor for errors that are deep and easy to reach;
//! depth-first search is better there.

use crate::batch::{BYTES, Batch, BatchProviso, RenamedIds};
use crate::counterexample::{Predecessors, StateRef};
use crate::exploration::{End, Exploration};
use crate::frontier::frontier_over;
use crate::{IdQueue, Task};
use std::ops::Range;
use tightrope_core::{
    Fault, Found, Frontier, Observe, Outcome, Parent, Reason, Refused, Scratch, StateId, Step, Steps, Successor,
    Successors, Trace,
};
use tightrope_por::AnswerProviso;

/// The most steps of a state that are followed together: two bits each are in a word.
const MANY: usize = 32;

/// What such a store needs.
const NO_PARENTS: &str = "a store that decides later must know the parents of its states";
/// Why a store is refused that breaks the contract of [`tightrope_core::Store::reencode`].
const LOST: &str = "the store re-encoded its states so that it cannot be told which of them wait";

/// Visits all states breadth-first.
pub fn bfs<O: Observe + ?Sized>(mut task: Task<'_>, observer: &mut O) -> Outcome {
    let proviso = task.provisos.answer;
    let (given, spill) = (task.frontier.take(), task.spill.take());
    let (mut visit, successors) = Exploration::new(task, observer);
    visit.shortest = true;
    let keeps_states = given.is_some();
    let frontier = given.unwrap_or_else(|| frontier_over(visit.store, visit.budget));
    // The proviso of stubborn sets needs to know at once which states are new.
    if !visit.config.stubborn
        && visit.observer.takes_undecided()
        && let Some(delays) = visit.store.delays()
    {
        delays.begin();
        if visit.config.check && visit.store.parents().is_none() {
            return visit.outcome(Err(Refused::Other(NO_PARENTS).into()));
        }
    }
    let predecessors = Predecessors::new(visit.config.check, visit.store, visit.budget, spill);
    let in_order = visit.store.ordered().is_some();
    let mut bfs = Bfs {
        visit,
        frontier,
        keeps_states,
        in_order,
        proviso,
        predecessors,
        depth: 0,
        at: StateRef { id: StateId::NAMELESS, number: 0 },
        in_batch: 0,
        last: None,
        put_back: None,
        state: Vec::new(),
    };
    let result = bfs.start().and_then(|()| bfs.levels(successors));
    bfs.note_frontier();
    bfs.visit.outcome(result)
}

struct Bfs<'a, 'o, O: ?Sized> {
    visit: Exploration<'a, 'o, O>,
    frontier: Box<dyn Frontier + 'a>,
    /// The frontier keeps the bytes of states, whatever becomes of their ids.
    keeps_states: bool,
    /// Ids grow in the order in which states are expanded.
    in_order: bool,
    proviso: &'static dyn AnswerProviso,
    predecessors: Predecessors<'a>,
    /// The level that is being expanded.
    depth: u64,
    /// The state at work. Its number is how many were expanded before, since they are expanded as they were found.
    at: StateRef,
    /// How many states were taken from the frontier and wait for their turn in the batch.
    in_batch: u64,
    /// The state that was taken last.
    last: Option<StateId>,
    /// The state that was taken last, if it is to be taken again.
    put_back: Option<(StateId, Vec<u8>)>,
    /// Room for a state.
    state: Vec<u8>,
}

impl<O: Observe + ?Sized> Bfs<'_, '_, O> {
    /// Finds the initial states.
    fn start(&mut self) -> Result<(), End> {
        let model = self.visit.model;
        let mut result = Ok(());
        let mut number = 0;
        model.initial(&mut |state| {
            if result.is_ok() {
                result = self.start_at(number, state);
                number += 1;
            }
        });
        result?;
        self.resolve(0)?;
        Ok(self.predecessors.end_of_state()?)
    }

    fn start_at(&mut self, number: u32, state: &[u8]) -> Result<(), End> {
        let found = match self.visit.offer_initial(state) {
            Ok(found) => found,
            Err(_) => {
                self.reencode(&mut Batch::default())?;
                self.visit.offer_initial(state)?
            }
        };
        self.follow(found, state)?;
        if matches!(found, Found::New(_))
            && let Some(fault) = self.visit.check(state)?
        {
            self.visit.record(fault, 0, |_, _| Ok(Trace { initial: number, steps: Steps::new() }))?;
        }
        Ok(())
    }

    /// Puts a state into the frontier if it is new, and notes how it was found.
    #[inline]
    fn follow(&mut self, found: Found, state: &[u8]) -> Result<(), End> {
        match found {
            Found::New(id) => {
                self.predecessors.new_state()?;
                self.frontier.push(id, state)?;
            }
            Found::Seen(_) | Found::Undecided | Found::Nowhere => self.predecessors.seen()?,
        }
        Ok(())
    }

    /// Has the store decide its candidates: those that are new, `length` steps from an initial state, are checked and wait.
    fn resolve(&mut self, length: u64) -> Result<(), End> {
        let Bfs { visit, frontier, predecessors, .. } = self;
        let (model, checks) = (visit.model, visit.config.check);
        let mut scratch = Scratch::default();
        let mut faults: Vec<(Fault, StateId, u64)> = Vec::new();
        visit.resolve(&mut |id, _, state| {
            if let Some(fault) = checks.then(|| model.check(state, &mut scratch)).flatten() {
                match faults.iter_mut().find(|(known, ..)| *known == fault) {
                    Some((_, _, times)) => *times += 1,
                    None => faults.push((fault, id, 1)),
                }
            }
            frontier.push(id, state)
        })?;
        for (fault, id, times) in faults {
            let Some(fault) = visit.counted(Some(fault))? else { continue };
            let at = StateRef { id, number: 0 };
            visit.record_times(times, fault, length, |store, beyond| {
                predecessors.trace(at, None, (store, model), beyond)
            })?;
        }
        Ok(())
    }

    fn levels(&mut self, out: &mut Successors) -> Result<(), End> {
        let mut batch = Batch::default();
        while !self.frontier.is_empty() {
            let width = self.frontier.len();
            self.visit.figures.levels = self.depth + 1;
            self.visit.figures.depth = self.depth;
            self.visit.figures.widest_level = self.visit.figures.widest_level.max(width);
            self.visit.observer.level(self.depth, width);
            self.visit.next_level();
            if self.visit.config.depth.is_some_and(|limit| self.depth >= limit) {
                return self.look_at_last_level(width, out);
            }
            self.level(width, out, &mut batch)?;
            self.depth += 1;
            if !self.frontier.is_empty() {
                self.predecessors.next_level()?;
            }
        }
        Ok(())
    }

    /// Expands the `width` states of a level.
    fn level(&mut self, width: u64, out: &mut Successors, batch: &mut Batch) -> Result<(), End> {
        let watched = self.visit.is_watched;
        let mut left = width;
        while left > 0 {
            self.expand_batch(left, watched, out, batch)?;
            self.visit.watch_collisions()?;
            let mut first = 0;
            for number in 0..batch.parents.len() {
                self.tick()?;
                self.in_batch -= 1;
                left -= 1;
                let Parent { id, end } = batch.parents[number];
                self.at.id = id;
                if watched {
                    let degree = (first..end).filter(|&index| out.state(index).is_some()).count();
                    self.visit.observer.expand(id, batch.state(number), degree);
                }
                if let Some(fault) = self.visit.note_expanded(end - first, batch.terminal[number]) {
                    self.record(fault, None)?;
                }
                let result = self.successors(id, first..end, watched, out, batch);
                self.visit.note_frontier(self.waiting(), 0);
                match result {
                    Err(End::Found) if self.visit.deadlock_is_violation() => {
                        return self.look_for_deadlock(number + 1, left, batch, out);
                    }
                    result => result?,
                }
                self.at.number += 1;
                first = end;
            }
            if left == 0 || self.visit.candidates_are_full() {
                match self.resolve(self.depth + 1) {
                    Err(End::Found) if left > 0 && self.visit.deadlock_is_violation() => {
                        return self.look_for_deadlock(batch.parents.len(), left, batch, out);
                    }
                    result => result?,
                }
            }
        }
        Ok(())
    }

    /// Expands some of the next `left` states and offers their successors to the store.
    fn expand_batch(&mut self, left: u64, watched: bool, out: &mut Successors, batch: &mut Batch) -> Result<(), End> {
        batch.clear();
        out.clear();
        let mut state = std::mem::take(&mut self.state);
        let mut kept = 0;
        while self.in_batch < left && !batch.is_full(out) && kept < BYTES {
            let mut id = self.next(&mut state)?;
            let (first, before) = (out.len(), out.extent());
            self.visit.model.expand(&state, out);
            while let Some(refused) = out.refused() {
                out.go_back(before);
                if !batch.parents.is_empty() {
                    // Those before come first, and may be all that is needed to find something.
                    self.put_back = Some((id, std::mem::take(&mut state)));
                    break;
                }
                out.release();
                if !self.reencode(batch)? {
                    return Err(refused.into());
                }
                id = self.last.unwrap_or(id);
                self.visit.model.expand(&state, out);
            }
            if self.put_back.is_some() {
                break;
            }
            if self.visit.config.stubborn {
                batch.choose_stubborn_set(self.visit.model, &state, out, first);
            }
            batch.parents.push(Parent { id, end: out.len() });
            batch.terminal.push(out.terminal);
            if watched {
                batch.keep(&state);
                kept += state.len();
            }
            self.in_batch += 1;
        }
        self.state = state;
        let proviso = BatchProviso { proviso: self.proviso, in_order: self.in_order };
        batch.offer(out, self.visit.store, proviso);
        if batch.found.len() < out.len() && self.reencode(batch)? {
            // It is no longer in order.
            batch.offer_rest(out, self.visit.store, BatchProviso { in_order: self.in_order, ..proviso });
        }
        batch.leave_out(out);
        Ok(())
    }

    /// Has the store re-encode its states; false if it has no smaller form. The ids of the states that wait, of the state at work, and
    /// of those in the batch, are new ones then.
    fn reencode(&mut self, batch: &mut Batch) -> Result<bool, End> {
        let mut ids = IdQueue::new(self.visit.budget);
        let put_back = self.put_back.as_ref().map(|(id, _)| *id);
        let mut renamed = RenamedIds::new(batch, [Some(self.at.id), self.last, put_back].into_iter().flatten());
        let (last, keeps_states) = (self.last, self.keeps_states);
        let reencoded = self.visit.reencode_store(&mut |old, new| {
            let is_in_batch = renamed.note(old, new);
            // Ids grow in the order in which states are expanded.
            let waits = !keeps_states && !is_in_batch && last.is_none_or(|last| old > last);
            if waits { ids.push(new, &[]) } else { Ok(()) }
        })?;
        if !reencoded {
            return Ok(false);
        }
        if !keeps_states {
            if !self.in_order || ids.len() != self.frontier.len() {
                return Err(Refused::Other(LOST).into());
            }
            self.frontier = Box::new(ids);
        }
        self.in_order = false;
        batch.rename(&renamed);
        self.at.id = renamed.of(self.at.id);
        self.last = self.last.map(|id| renamed.of(id));
        if let Some((id, _)) = &mut self.put_back {
            *id = renamed.of(*id);
        }
        Ok(true)
    }

    /// Follows the steps of the state at work that lead to new states.
    fn successors(
        &mut self,
        id: StateId,
        steps: Range<usize>,
        watched: bool,
        out: &Successors,
        batch: &Batch,
    ) -> Result<(), End> {
        if !watched && self.follow_plainly(steps.clone(), out, batch)? {
            return Ok(());
        }
        for index in steps {
            if let Some(fault) = self.visit.fault(out, index)? {
                self.record(fault, Some(out.step(index)))?;
            }
            let Some(state) = out.state(index) else {
                self.predecessors.seen()?;
                continue;
            };
            let Some(&found) = batch.found.get(index) else {
                return Err(batch.refused.unwrap_or(Refused::Memory).into());
            };
            self.visit.note_step(found);
            if watched {
                self.visit.observer.step(id, out.step(index), found, state);
            }
            self.follow(found, state)?;
            if matches!(found, Found::New(_))
                && let Some(fault) = self.visit.check(state)?
            {
                self.record(fault, Some(out.step(index)))?;
            }
        }
        Ok(self.predecessors.end_of_state()?)
    }

    /// Follows the steps of the state at work where there is nothing to say about any of them. False if there is; nothing
    /// has happened then. Without branches as far as that goes, since which states are new cannot be guessed.
    fn follow_plainly(&mut self, steps: Range<usize>, out: &Successors, batch: &Batch) -> Result<bool, End> {
        let Some(found) = batch.found.get(steps.clone()) else { return Ok(false) };
        let items = &out.items[steps];
        if items.len() > MANY {
            return Ok(false);
        }
        let (mut new, mut count, mut odd, mut answers, mut bits) = ([0u8; MANY], 0, false, 0, 0);
        for (number, (item, found)) in items.iter().zip(found).enumerate() {
            let is_new = matches!(found, Found::New(_));
            odd |= (item.fault != Successor::NONE)
                | (item.start == Successor::NONE)
                | matches!(found, Found::Undecided | Found::Nowhere);
            new[count] = number as u8;
            count += usize::from(is_new);
            answers |= u64::from(is_new) << bits;
            bits += 1 + u64::from(is_new);
        }
        let state = |item: &Successor| &out.bytes[item.start as usize..item.end as usize];
        let new = &new[..count];
        let mut is_wrong = |number: u8| !matches!(self.visit.check(state(&items[number as usize])), Ok(None));
        if odd || new.iter().any(|&number| is_wrong(number)) {
            return Ok(false);
        }
        self.visit.note_steps(items.len(), count);
        self.predecessors.steps(answers, bits, count as u64)?;
        for &number in new {
            if let Found::New(id) = found[number as usize] {
                self.frontier.push(id, state(&items[number as usize]))?;
            }
        }
        self.predecessors.end_of_state()?;
        Ok(true)
    }

    /// A violation is known that is one step longer than a deadlock in this level would be: looks for one in the `left`
    /// states of the level that are left, of which those from `number` on are expanded already.
    fn look_for_deadlock(
        &mut self,
        number: usize,
        left: u64,
        batch: &mut Batch,
        out: &mut Successors,
    ) -> Result<(), End> {
        let mut state = Vec::new();
        for number in (number..).take(left as usize) {
            // Behind the state at work; stores that decide later go by ids, not by numbers.
            self.at.number += 1;
            self.tick()?;
            let deadlock = if let Some(&terminal) = batch.terminal.get(number) {
                self.in_batch -= 1;
                self.at.id = batch.parents[number].id;
                self.visit.terminal(terminal)
            } else {
                self.at.id = self.next(&mut state)?;
                self.look(&state, out, batch)?;
                self.visit.terminal(out.terminal)
            };
            if let Some(fault) = deadlock {
                self.record(fault, None)?;
            }
        }
        Err(End::Found)
    }

    /// The states at the depth limit are only looked at: whether they are deadlocks, and whether anything was left out.
    fn look_at_last_level(&mut self, width: u64, out: &mut Successors) -> Result<(), End> {
        let mut state = Vec::new();
        let mut cut = false;
        for _ in 0..width {
            self.tick()?;
            self.at.id = self.next(&mut state)?;
            self.look(&state, out, &mut Batch::default())?;
            let (further, deadlock) = self.visit.looked_at_limit(self.at.id, &state, out);
            cut |= further;
            if let Some(fault) = deadlock {
                self.record(fault, None)?;
            }
            self.at.number += 1;
        }
        if cut { Err(End::Stopped(Reason::Depth)) } else { Ok(()) }
    }

    /// Looks at the steps of a state that is not to be expanded.
    fn look(&mut self, state: &[u8], out: &mut Successors, batch: &mut Batch) -> Result<(), End> {
        while let Err(refused) = self.visit.look(state, out) {
            out.release();
            if !self.reencode(batch)? {
                return Err(refused.into());
            }
        }
        Ok(())
    }

    /// Takes the next state of the level.
    fn next(&mut self, state: &mut Vec<u8>) -> Result<StateId, End> {
        if let Some((id, bytes)) = self.put_back.take() {
            *state = bytes;
            return Ok(id);
        }
        self.last = self.frontier.pop(self.visit.store, state)?;
        Ok(self.last.expect("a frontier gives back as many states as it was given"))
    }

    /// Records a violation in the state at work, or one step after it.
    fn record(&mut self, fault: Fault, last: Option<Step>) -> Result<(), End> {
        let Bfs { visit, predecessors, depth, at, .. } = self;
        let model = visit.model;
        let length = *depth + u64::from(last.is_some());
        visit.record(fault, length, |store, beyond| predecessors.trace(*at, last, (store, model), beyond))
    }

    /// How many states wait.
    fn waiting(&self) -> u64 {
        self.frontier.len() + self.in_batch + u64::from(self.put_back.is_some())
    }

    /// The bytes that go with them.
    fn bytes(&self) -> u64 {
        self.frontier.bytes() + self.predecessors.bytes()
    }

    #[inline]
    fn tick(&mut self) -> Result<(), End> {
        let (frontier, predecessors, in_batch) = (&self.frontier, &self.predecessors, self.in_batch);
        self.visit.tick(self.depth, || (frontier.len() + in_batch, frontier.bytes() + predecessors.bytes()))
    }

    fn note_frontier(&mut self) {
        self.visit.note_frontier(self.waiting(), self.bytes());
    }
}
