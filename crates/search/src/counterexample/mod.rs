//! How the counterexample to a state is reconstructed in a breadth-first search.
//!
//! Where the store knows how each state was reached ([`Store::parents`]), it is asked. Elsewhere a log of answers is kept
//! ([`ParentLog`]), at a few bits per state, in memory or put aside. Where nothing is checked nothing is kept.

mod parent_log;
mod trace_steps;

pub use parent_log::ParentLog;
pub(crate) use trace_steps::TraceSteps;

use std::sync::Arc;
use tightrope_core::{Budget, Edge, Model, Refused, Reservation, Spill, StateId, Step, Steps, Store, Trace};

/// What the path to a state is reconstructed from.
pub(crate) enum Predecessors<'a> {
    /// Nothing: there will be no counterexample.
    Nothing,
    /// The log of answers.
    Log(ParentLog<'a>),
    /// The store. The reservation is for the steps of the longest path.
    Store(Reservation),
}

/// A state, by its id and by its number in the order of expansion.
#[derive(Clone, Copy)]
pub(crate) struct StateRef {
    pub id: StateId,
    pub number: u64,
}

impl<'a> Predecessors<'a> {
    /// For a search that checks, or does not. What is kept may be put aside by `spill`.
    pub fn new(checks: bool, store: &mut dyn Store, budget: &Arc<Budget>, spill: Option<Box<dyn Spill + 'a>>) -> Self {
        match (checks, store.parents().is_some()) {
            (false, _) => Predecessors::Nothing,
            (true, true) => Predecessors::Store(Reservation::new(budget.clone())),
            (true, false) => Predecessors::Log(ParentLog::new(budget, spill)),
        }
    }

    /// The next successor was seen before, or leads nowhere.
    #[inline]
    pub fn seen(&mut self) -> Result<(), Refused> {
        if let Predecessors::Log(log) = self { log.seen() } else { Ok(()) }
    }

    /// The next successor is new.
    #[inline]
    pub fn new_state(&mut self) -> Result<(), Refused> {
        if let Predecessors::Log(log) = self { log.new_state() } else { Ok(()) }
    }

    /// The answers for several successors together: see [`ParentLog::steps`].
    #[inline]
    pub fn steps(&mut self, answers: u64, bits: u64, found: u64) -> Result<(), Refused> {
        if let Predecessors::Log(log) = self { log.steps(answers, bits, found) } else { Ok(()) }
    }

    /// The state has no more successors.
    #[inline]
    pub fn end_of_state(&mut self) -> Result<(), Refused> {
        if let Predecessors::Log(log) = self { log.end_of_state() } else { Ok(()) }
    }

    /// Paths to the states that are found next are one step longer: keeps room for it.
    pub fn next_level(&mut self) -> Result<(), Refused> {
        match self {
            Predecessors::Nothing => Ok(()),
            Predecessors::Log(log) => log.next_level(),
            // A store gathers edges backwards first, in a vector that takes up to three times what is in it while it grows.
            Predecessors::Store(room) => room.take(Steps::ROOM + 3 * size_of::<Edge>() as u64),
        }
    }

    /// The path to a state, and one step more where `last` says so. What it takes beyond the room that is kept free is taken
    /// from `beyond`.
    pub fn trace(
        &mut self,
        to: StateRef,
        last: Option<Step>,
        (store, model): (&mut dyn Store, &dyn Model),
        beyond: &mut Reservation,
    ) -> Result<Trace, Refused> {
        let mut steps = TraceSteps::new(beyond);
        let initial = match self {
            Predecessors::Nothing => 0,
            Predecessors::Log(log) => log.path(to.number, model, &mut steps)?,
            Predecessors::Store(_) => {
                store.parents().map_or(Ok(0), |parents| parents.path(to.id, &mut |step| steps.push(step)))?
            }
        };
        last.map_or(Ok(()), |step| steps.push(step))?;
        Ok(Trace { initial, steps: steps.finish() })
    }

    /// The bytes it has allocated.
    pub fn bytes(&self) -> u64 {
        if let Predecessors::Log(log) = self { log.bytes() } else { 0 }
    }
}
