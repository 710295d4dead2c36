//! Breadth-first search, level by level.
//!
//! Finds every state at its least distance from the initial ones, and so a shortest counterexample. The store is its
//! own queue where it can be read in order; otherwise names of states wait in memory, or the states themselves. The way
//! back is kept by [`Ancestry`], at a few bits per state.
//!
//! Invariant: when level `d` begins, the frontier holds exactly the states at distance `d`, in the order in which they
//! were found, and no violation of length `d` or less was seen, deadlocks in level `d` excepted: those show only when
//! a state is expanded. A faulty step or a bad new state met in level `d` makes a counterexample of length `d + 1`, a
//! deadlock one of length `d`. After the first of the former, the rest of the level is therefore looked through for
//! deadlocks, and nothing else, before it is reported.
//!
//! With stubborn sets (`ahead.rs`), all this is true of the states and steps that are left: a
//! counterexample is a shortest one among their runs, and there may be shorter ones.
//!
//! Bytes per state beyond the store: less than one, and the waiting states where the store is not ordered. Not for
//! state spaces with wide levels and a store that needs a queue, nor for errors that are deep and easy to reach;
//! depth-first search is better there.

use crate::ahead::Ahead;
use crate::visit::{End, Visit};
use crate::{Ancestry, InStore, Names, Queue, Task};
use std::ops::Range;
use tightrope_core::{
    Fault, Found, Frontier, Observe, Outcome, Parent, Reason, StateId, Step, Steps, Successor, Successors, Trace,
};
use tightrope_por::QueueProviso;

/// No further state is expanded in advance when those before have so many bytes, where they are kept.
const KEPT: usize = 256 << 10;

/// The most steps of a state that are followed together: two bits each are in a word.
const MANY: usize = 32;

/// Visits all states breadth-first.
pub fn bfs<O: Observe + ?Sized>(task: Task<'_>, observer: &mut O) -> Outcome {
    let (mut visit, successors) = Visit::new(task, observer);
    visit.shortest = true;
    let frontier: Box<dyn Frontier> = match (visit.store.ordered().is_some(), visit.store.can_read()) {
        (true, _) => Box::new(InStore::default()),
        (false, true) => Box::new(Names::new(visit.budget)),
        (false, false) => Box::new(Queue::new(visit.budget)),
    };
    // Without checks there are no counterexamples, and nobody asks for the way back.
    let ancestry = visit.limits.check.then(|| Ancestry::new(visit.budget));
    let in_order = visit.store.ordered().is_some();
    let state = Vec::new();
    let mut bfs =
        Bfs { visit, frontier, in_order, ancestry, depth: 0, expanded: 0, ahead: 0, last: None, put_back: None, state };
    let result = bfs.start().and_then(|()| bfs.levels(successors));
    bfs.note_frontier();
    bfs.visit.outcome(result)
}

struct Bfs<'a, 'o, O: ?Sized> {
    visit: Visit<'a, 'o, O>,
    frontier: Box<dyn Frontier>,
    /// States are named in the order in which they are expanded.
    in_order: bool,
    ancestry: Option<Ancestry>,
    /// The level that is being expanded.
    depth: u64,
    /// How many states are expanded; the number of the one at work, since they are expanded as they were found.
    expanded: u64,
    /// How many states were taken from the frontier and wait for their turn.
    ahead: u64,
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
        self.end_of_state()
    }

    fn start_at(&mut self, number: u32, state: &[u8]) -> Result<(), End> {
        let found = match self.visit.offer_initial(state) {
            Ok(found) => found,
            Err(_) => {
                self.shrink(&mut Ahead::default())?;
                self.visit.offer_initial(state)?
            }
        };
        self.follow(found, state)?;
        if matches!(found, Found::New(_))
            && let Some(fault) = self.visit.check(state)?
        {
            self.visit.record(fault, 0, || Trace { initial: number, steps: Steps::new() })?;
        }
        Ok(())
    }

    /// Lets a state wait if it is new, and notes how it was found.
    #[inline]
    fn follow(&mut self, found: Found, state: &[u8]) -> Result<(), End> {
        match found {
            Found::New(id) => {
                if let Some(ancestry) = &mut self.ancestry {
                    ancestry.new_state()?;
                }
                self.frontier.push(id, state)?;
            }
            Found::Seen(_) | Found::Undecided => self.no_new_state()?,
        }
        Ok(())
    }

    #[inline]
    fn no_new_state(&mut self) -> Result<(), End> {
        if let Some(ancestry) = &mut self.ancestry {
            ancestry.seen()?;
        }
        Ok(())
    }

    #[inline]
    fn end_of_state(&mut self) -> Result<(), End> {
        if let Some(ancestry) = &mut self.ancestry {
            ancestry.end()?;
        }
        Ok(())
    }

    fn levels(&mut self, out: &mut Successors) -> Result<(), End> {
        let mut ahead = Ahead::default();
        while !self.frontier.is_empty() {
            let width = self.frontier.len();
            self.visit.figures.levels = self.depth + 1;
            self.visit.figures.depth = self.depth;
            self.visit.figures.widest_level = self.visit.figures.widest_level.max(width);
            self.visit.observer.level(self.depth, width);
            if self.visit.limits.depth.is_some_and(|limit| self.depth >= limit) {
                return self.look_at_last_level(width, out);
            }
            self.level(width, out, &mut ahead)?;
            self.depth += 1;
            if let Some(ancestry) = &mut self.ancestry {
                ancestry.next_level()?;
            }
        }
        Ok(())
    }

    /// Expands the `width` states of a level.
    fn level(&mut self, width: u64, out: &mut Successors, ahead: &mut Ahead) -> Result<(), End> {
        let watched = self.visit.observer.watches_steps();
        let mut left = width;
        while left > 0 {
            self.look_ahead(left, watched, out, ahead)?;
            let mut first = 0;
            for number in 0..ahead.parents.len() {
                self.tick()?;
                self.ahead -= 1;
                left -= 1;
                let Parent { id, end } = ahead.parents[number];
                if watched {
                    let degree = (first..end).filter(|&index| out.state(index).is_some()).count();
                    self.visit.observer.expand(id, ahead.state(number), degree);
                }
                if let Some(fault) = self.visit.note_expanded(end - first, ahead.stuck[number]) {
                    self.record_here(fault)?;
                }
                let result = self.successors(id, first..end, watched, out, ahead);
                self.visit.note_frontier(self.waiting(), 0);
                match result {
                    Err(End::Found) if self.visit.minds_deadlocks() => {
                        return self.look_for_deadlock(number + 1, left, ahead, out);
                    }
                    result => result?,
                }
                self.expanded += 1;
                first = end;
            }
        }
        Ok(())
    }

    /// Expands some of the next `left` states and offers what they lead to to the store.
    fn look_ahead(&mut self, left: u64, watched: bool, out: &mut Successors, ahead: &mut Ahead) -> Result<(), End> {
        ahead.clear();
        out.clear();
        let mut state = std::mem::take(&mut self.state);
        let mut kept = 0;
        while self.ahead < left && !ahead.is_full(out) && kept < KEPT {
            let id = self.next(&mut state);
            let (first, before) = (out.len(), out.extent());
            self.visit.model.expand(&state, out);
            while let Some(refused) = out.refused() {
                out.go_back(before);
                if !ahead.parents.is_empty() {
                    // Those before come first, and may be all that is needed to find something.
                    self.put_back = Some((id, std::mem::take(&mut state)));
                    break;
                }
                out.release();
                if !self.shrink(ahead)? {
                    return Err(refused.into());
                }
                self.visit.model.expand(&state, out);
            }
            if self.put_back.is_some() {
                break;
            }
            if self.visit.limits.stubborn {
                ahead.put_off(self.visit.model, &state, out, first);
            }
            ahead.parents.push(Parent { id, end: out.len() });
            ahead.stuck.push(out.stuck);
            if watched {
                ahead.keep(&state);
                kept += state.len();
            }
            self.ahead += 1;
        }
        self.state = state;
        ahead.offer(out, self.visit.store, QueueProviso { in_order: self.in_order });
        if ahead.found.len() < out.len() && self.shrink(ahead)? {
            // It is no longer in order.
            ahead.offer_rest(out, self.visit.store, QueueProviso { in_order: self.in_order });
        }
        ahead.leave_out(out);
        Ok(())
    }

    /// Lets the store take a smaller form; false if it has none. The names of the states that wait, and of those that were
    /// found in advance, are new ones then.
    fn shrink(&mut self, ahead: &mut Ahead) -> Result<bool, End> {
        let mut names = Names::new(self.visit.budget);
        let mut fresh = ahead.found.iter_mut().filter(|found| matches!(found, Found::New(_))).peekable();
        let last = self.last;
        let shrunk = self.visit.shrink_store(&mut |old, new| {
            if fresh.next_if(|found| **found == Found::New(old)).map(|found| *found = Found::New(new)).is_some() {
                return Ok(());
            }
            if last.is_none_or(|last| old > last) { names.push(new, &[]) } else { Ok(()) }
        })?;
        if shrunk {
            debug_assert_eq!(names.len(), self.frontier.len());
            self.frontier = Box::new(names);
            self.in_order = false;
        }
        Ok(shrunk)
    }

    /// Follows the steps of the state at work that lead to new states.
    fn successors(
        &mut self,
        id: StateId,
        steps: Range<usize>,
        watched: bool,
        out: &Successors,
        ahead: &Ahead,
    ) -> Result<(), End> {
        if !watched && self.follow_plainly(steps.clone(), out, ahead)? {
            return Ok(());
        }
        for index in steps {
            if let Some(fault) = self.visit.fault(out, index)? {
                self.record_after(fault, out.step(index))?;
            }
            let Some(state) = out.state(index) else {
                self.no_new_state()?;
                continue;
            };
            let Some(&found) = ahead.found.get(index) else { return Err(End::Stopped(Reason::Memory)) };
            self.visit.note_step(found);
            if watched {
                self.visit.observer.step(id, out.step(index), found, state);
            }
            self.follow(found, state)?;
            if matches!(found, Found::New(_))
                && let Some(fault) = self.visit.check(state)?
            {
                self.record_after(fault, out.step(index))?;
            }
        }
        self.end_of_state()
    }

    /// Follows the steps of the state at work where there is nothing to say about any of them. False if there is; nothing
    /// has happened then. Without branches as far as that goes, since which states are new cannot be guessed.
    fn follow_plainly(&mut self, steps: Range<usize>, out: &Successors, ahead: &Ahead) -> Result<bool, End> {
        let Some(found) = ahead.found.get(steps.clone()) else { return Ok(false) };
        let items = &out.items[steps];
        if items.len() > MANY {
            return Ok(false);
        }
        let (mut new, mut count, mut odd, mut marks, mut bits) = ([0u8; MANY], 0, false, 0, 0);
        for (number, (item, found)) in items.iter().zip(found).enumerate() {
            let is_new = matches!(found, Found::New(_));
            odd |= (item.fault != Successor::NONE) | (item.start == Successor::NONE) | (*found == Found::Undecided);
            new[count] = number as u8;
            count += usize::from(is_new);
            marks |= u64::from(is_new) << bits;
            bits += 1 + u64::from(is_new);
        }
        let state = |item: &Successor| &out.bytes[item.start as usize..item.end as usize];
        let new = &new[..count];
        let mut is_wrong = |number: u8| !matches!(self.visit.check(state(&items[number as usize])), Ok(None));
        if odd || new.iter().any(|&number| is_wrong(number)) {
            return Ok(false);
        }
        self.visit.note_steps(items.len(), count);
        if let Some(ancestry) = &mut self.ancestry {
            ancestry.steps(marks, bits, count as u64)?;
        }
        for &number in new {
            if let Found::New(id) = found[number as usize] {
                self.frontier.push(id, state(&items[number as usize]))?;
            }
        }
        self.end_of_state()?;
        Ok(true)
    }

    /// A violation is known that is one step longer than a deadlock in this level would be: looks for one in the `left`
    /// states of the level that are left, of which those from `number` on are expanded already.
    fn look_for_deadlock(&mut self, number: usize, left: u64, ahead: &Ahead, out: &mut Successors) -> Result<(), End> {
        let mut state = Vec::new();
        for number in (number..).take(left as usize) {
            self.expanded += 1;
            self.tick()?;
            let deadlock = if let Some(&stuck) = ahead.stuck.get(number) {
                self.ahead -= 1;
                self.visit.stuck(stuck)
            } else {
                self.next(&mut state);
                self.visit.look(&state, out)?.1
            };
            if let Some(fault) = deadlock {
                self.record_here(fault)?;
            }
        }
        Err(End::Found)
    }

    /// The states at the depth limit are not expanded, only looked at: whether they are deadlocks, and whether
    /// anything was left out.
    fn look_at_last_level(&mut self, width: u64, out: &mut Successors) -> Result<(), End> {
        let mut state = Vec::new();
        let mut cut = false;
        for _ in 0..width {
            self.tick()?;
            self.next(&mut state);
            let (further, deadlock) = self.visit.look(&state, out)?;
            cut |= further;
            if let Some(fault) = deadlock {
                self.record_here(fault)?;
            }
            self.expanded += 1;
        }
        if cut { Err(End::Stopped(Reason::Depth)) } else { Ok(()) }
    }

    /// Takes the next state of the level.
    fn next(&mut self, state: &mut Vec<u8>) -> StateId {
        if let Some((id, bytes)) = self.put_back.take() {
            *state = bytes;
            return id;
        }
        let id = self.frontier.pop(self.visit.store, state);
        self.last = id;
        id.expect("a frontier gives back as many states as it was given")
    }

    /// Records a violation in the state at work.
    fn record_here(&mut self, fault: Fault) -> Result<(), End> {
        let Bfs { visit, ancestry, depth, expanded, .. } = self;
        let model = visit.model;
        let way = ancestry.as_ref().expect("kept while checking");
        visit.record(fault, *depth, || way.trace(*expanded, model))
    }

    /// Records a violation one step after the state at work.
    fn record_after(&mut self, fault: Fault, step: Step) -> Result<(), End> {
        let Bfs { visit, ancestry, depth, expanded, .. } = self;
        let model = visit.model;
        let way = ancestry.as_ref().expect("kept while checking");
        visit.record(fault, *depth + 1, || {
            let mut trace = way.trace(*expanded, model);
            trace.steps.push(step);
            trace
        })
    }

    /// How many states wait.
    fn waiting(&self) -> u64 {
        self.frontier.len() + self.ahead + u64::from(self.put_back.is_some())
    }

    /// The bytes that go with them.
    fn bytes(&self) -> u64 {
        self.frontier.bytes() + self.ancestry.as_ref().map_or(0, Ancestry::bytes)
    }

    #[inline]
    fn tick(&mut self) -> Result<(), End> {
        let (frontier, ancestry, ahead) = (&self.frontier, &self.ancestry, self.ahead);
        self.visit.tick(self.depth, || {
            (frontier.len() + ahead, frontier.bytes() + ancestry.as_ref().map_or(0, Ancestry::bytes))
        })
    }

    fn note_frontier(&mut self) {
        self.visit.note_frontier(self.waiting(), self.bytes());
    }
}
