//! Breadth-first search, level by level.
//!
//! Finds every state at its least distance from the initial ones, and so a shortest counterexample. The store is its
//! own queue where it can be read in order; otherwise states wait in memory. The way back is kept by [`Ancestry`], at
//! a few bits per state.
//!
//! Invariant: when level `d` begins, the frontier holds exactly the states at distance `d`, in the order in which they
//! were found, and no violation of length `d` or less was seen, deadlocks in level `d` excepted: those show only when
//! a state is expanded. A faulty step or a bad new state met in level `d` makes a counterexample of length `d + 1`, a
//! deadlock one of length `d`. After the first of the former, the rest of the level is therefore looked through for
//! deadlocks, and nothing else, before it is reported.
//!
//! Bytes per state beyond the store: less than one, and the waiting states where the store is not ordered. Not for
//! state spaces with wide levels and a store that needs a queue, nor for errors that are deep and easy to reach;
//! depth-first search is better there.

use crate::ahead::Ahead;
use crate::visit::{End, Visit};
use crate::{Ancestry, InStore, Queue, Task};
use std::ops::Range;
use tightrope_core::{Edge, Fault, Found, Frontier, Observe, Outcome, Reason, StateId, Step, Successors, Trace};

/// Visits all states breadth-first.
pub fn bfs<O: Observe + ?Sized>(task: Task<'_>, observer: &mut O) -> Outcome {
    let (visit, successors) = Visit::new(task, observer);
    let frontier: Box<dyn Frontier> = match visit.store.ordered() {
        Some(_) => Box::new(InStore::default()),
        None => Box::new(Queue::new(visit.budget)),
    };
    // Without checks there are no counterexamples, and nobody asks for the way back.
    let ancestry = visit.limits.check.then(|| Ancestry::new(visit.budget));
    let mut bfs = Bfs { visit, frontier, ancestry, depth: 0, expanded: 0, ahead: 0 };
    let result = bfs.start().and_then(|()| bfs.levels(successors));
    bfs.note_frontier();
    bfs.visit.outcome(result)
}

struct Bfs<'a, 'o, O: ?Sized> {
    visit: Visit<'a, 'o, O>,
    frontier: Box<dyn Frontier>,
    ancestry: Option<Ancestry>,
    /// The level that is being expanded.
    depth: u64,
    /// How many states are expanded; the number of the one at work, since they are expanded as they were found.
    expanded: u64,
    /// How many states were taken from the frontier and wait for their turn.
    ahead: u64,
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
        let found = self.visit.offer_initial(state)?;
        self.follow(found, state)?;
        if matches!(found, Found::New(_))
            && let Some(fault) = self.visit.check(state)
        {
            self.visit.record(fault, 0, || Trace { initial: number, steps: Vec::new() })?;
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
        }
        Ok(())
    }

    /// Expands the `width` states of a level.
    fn level(&mut self, width: u64, out: &mut Successors, ahead: &mut Ahead) -> Result<(), End> {
        let mut left = width;
        while left > 0 {
            self.look_ahead(left, out, ahead);
            for number in 0..ahead.len() {
                self.tick()?;
                self.ahead -= 1;
                left -= 1;
                let (expanded, state) = ahead.expanded(number);
                let fired = expanded.steps().len();
                if let Some(fault) =
                    self.visit.note_expanded(expanded.id, state, fired, expanded.degree, expanded.stuck)
                {
                    self.record_here(fault)?;
                }
                let result = self.successors(expanded.id, expanded.steps(), ahead);
                self.visit.note_frontier(self.waiting(), 0);
                match result {
                    Err(End::Found) if self.visit.minds_deadlocks() => {
                        return self.look_for_deadlock(number + 1, left, ahead, out);
                    }
                    result => result?,
                }
                self.expanded += 1;
            }
        }
        Ok(())
    }

    /// Expands some of the next `left` states and announces their successors to the store.
    fn look_ahead(&mut self, left: u64, out: &mut Successors, ahead: &mut Ahead) {
        ahead.clear();
        let mut state = Vec::new();
        while self.ahead < left && !ahead.is_full() {
            let id = self.next(&mut state);
            self.visit.model.successors(&state, out);
            ahead.push(id, &state, out, |index| self.visit.fault(out, index));
            self.ahead += 1;
        }
        self.visit.store.announce(&ahead.to);
    }

    /// Offers the successors of the state at work to the store and follows the new ones.
    fn successors(&mut self, id: StateId, steps: Range<usize>, ahead: &mut Ahead) -> Result<(), End> {
        for index in steps {
            let step = ahead.step(index);
            if let Some(fault) = ahead.take_fault(index) {
                self.record_after(fault, step)?;
            }
            let Some((announced, state)) = ahead.state(index) else {
                self.no_new_state()?;
                continue;
            };
            let found = self.visit.offer_announced(announced, Edge { parent: id, step }, state)?;
            self.follow(found, state)?;
            if matches!(found, Found::New(_))
                && let Some(fault) = self.visit.check(state)
            {
                self.record_after(fault, step)?;
            }
        }
        self.end_of_state()
    }

    /// A violation is known that is one step longer than a deadlock in this level would be: looks for one in the `left`
    /// states of the level that are left, of which those from `number` on are expanded already.
    fn look_for_deadlock(&mut self, number: usize, left: u64, ahead: &Ahead, out: &mut Successors) -> Result<(), End> {
        let mut state = Vec::new();
        for number in (number..).take(left as usize) {
            self.expanded += 1;
            self.tick()?;
            let deadlock = if number < ahead.len() {
                self.ahead -= 1;
                self.visit.stuck(ahead.expanded(number).0.stuck)
            } else {
                self.next(&mut state);
                self.visit.look(&state, out).1
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
            let (further, deadlock) = self.visit.look(&state, out);
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
        self.frontier.pop(self.visit.store, state).expect("a frontier gives back as many states as it was given")
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
        self.frontier.len() + self.ahead
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
