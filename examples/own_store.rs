//! A store and a proviso of one's own under the searches of the library: `cargo run --release --example own_store`.
//!
//! The store is a sorted map that also knows how each state was reached ([`Parents`]), so that breadth-first search keeps no log of
//! its own. Inside the project a store is one file in `crates/store/src` and one line in `STORES`; from outside it is passed to a
//! search in a [`Task`], as here.

use std::collections::BTreeMap;
use std::sync::Arc;
use tightrope::core::{
    Budget, Claim, Edge, Found, Parents, Refused, Reservation, SearchConfig, StateId, Step, Store, Successors, Verdict,
};
use tightrope::ir::ProgramModel;
use tightrope::por::{AnswerProviso, WithStubbornSets};
use tightrope::promela;
use tightrope::search::{Provisos, Task, searches_over_any_store};
use tightrope::syntax::{Diagnostics, SourceMap};
use tightrope::trace::replay;

/// What a state takes at most in the map and in the list, beside its bytes, which are there twice.
const BYTES_BESIDE: u64 = 160;

/// States in a sorted map.
struct Sorted {
    ids: BTreeMap<Vec<u8>, u64>,
    /// Each with how it was reached: the number of an initial state, or an edge.
    states: Vec<(Vec<u8>, Result<u32, Edge>)>,
    /// How many initial states were offered.
    initial: u32,
    reservation: Reservation,
}

impl Sorted {
    fn new(budget: &Arc<Budget>) -> Sorted {
        let reservation = Reservation::new(budget.clone());
        Sorted { ids: BTreeMap::new(), states: Vec::new(), initial: 0, reservation }
    }
}

impl Store for Sorted {
    fn insert(&mut self, state: &[u8], via: Option<Edge>) -> Result<Found, Refused> {
        let known = self.ids.get(state).copied();
        if known.is_none() {
            // Ask first: a refusal leaves the store as it was.
            self.reservation.take(2 * state.len() as u64 + BYTES_BESIDE)?;
        }
        let origin = via.map_or(Ok(self.initial), Err);
        self.initial += u32::from(via.is_none());
        if let Some(id) = known {
            return Ok(Found::Seen(StateId(id)));
        }
        let id = self.states.len() as u64;
        self.ids.insert(state.to_vec(), id);
        self.states.push((state.to_vec(), origin));
        Ok(Found::New(StateId(id)))
    }

    fn read(&mut self, id: StateId, out: &mut Vec<u8>) -> bool {
        let Some((state, _)) = self.states.get(id.0 as usize) else { return false };
        out.clone_from(state);
        true
    }

    fn can_read(&self) -> bool {
        true
    }

    fn len(&self) -> u64 {
        self.states.len() as u64
    }

    fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }

    fn claim(&self) -> Claim {
        Claim::Exact
    }

    fn parents(&mut self) -> Option<&mut dyn Parents> {
        Some(self)
    }
}

impl Parents for Sorted {
    fn path(&mut self, to: StateId, each: &mut dyn FnMut(Step) -> Result<(), Refused>) -> Result<u32, Refused> {
        let (mut at, mut backwards) = (to, Vec::new());
        let initial = loop {
            match self.states[at.0 as usize].1 {
                Ok(initial) => break initial,
                Err(edge) => {
                    backwards.push(edge.step);
                    at = edge.parent;
                }
            }
        };
        backwards.into_iter().rev().try_for_each(each)?;
        Ok(initial)
    }
}

/// A proviso: a set of steps must lead to a new state, or to the state that was found right after the present one.
struct NewOrNext;

impl AnswerProviso for NewOrNext {
    fn is_satisfied_by_seen(&self, from: StateId, seen: StateId, _in_order: bool) -> bool {
        // This store's ids grow in the order of insertion, which is that of expansion.
        seen.0 == from.0 + 1
    }
}

fn main() -> Result<(), String> {
    let path =
        std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/promela/philosophers_deadlock.pml"));
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let module = promela::parse(path, &Default::default(), &mut sources, &mut diagnostics);
    let lowered = module.and_then(|module| promela::lower::lower(&module, &sources, &mut diagnostics));
    let program = Arc::new(lowered.ok_or_else(|| diagnostics.render(&sources, false))?.program);
    let model = ProgramModel::new(program.clone());
    let model = WithStubbornSets::new(&model, program);
    for search in searches_over_any_store() {
        for stubborn in [false, true] {
            let budget = Arc::new(Budget::new(64 << 20));
            let mut store = Sorted::new(&budget);
            let config = SearchConfig { stubborn, ..SearchConfig::checking() };
            let mut successors = Successors::new();
            let mut task = Task::new(&model, &mut store, &config, &budget, &mut successors);
            task.provisos = Provisos { answer: &NewOrNext, ..Provisos::default() };
            let outcome = (search.run)(task, &mut ());
            let Verdict::Violated(violation) = &outcome.verdict else {
                return Err("the deadlock was not found".into());
            };
            replay(&model, &violation.trace, &violation.fault)?;
            println!(
                "{:4} {}: {} after {} steps, {} states in {} bytes",
                search.name,
                if stubborn { "with stubborn sets" } else { "without reduction " },
                violation.fault.kind.name(),
                violation.trace.steps.len(),
                outcome.figures.states,
                store.bytes()
            );
        }
    }
    Ok(())
}
