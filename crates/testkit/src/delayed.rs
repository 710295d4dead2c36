//! A store that decides later, by definition: candidates wait in a list, and are compared with all states when it is asked to.
//!
//! The plainest store with [`Delays`] and [`Parents`], to test searches with.

use std::collections::HashMap;
use std::sync::Arc;
use tightrope_core::{
    Budget, Claim, Delays, Edge, Found, Parents, Refused, Reservation, Resolved, StateId, Step, Store,
};

/// What a state takes at most beside its bytes, which are there twice.
const BYTES_BESIDE: usize = 256;

/// An exact store that answers nothing at once, if the search has candidates decided.
pub struct Delayed {
    /// Each with how it was reached: the number of an initial state, or an edge.
    states: Vec<(Vec<u8>, Result<u32, Edge>)>,
    ids: HashMap<Vec<u8>, StateId>,
    candidates: Vec<(Vec<u8>, Option<Edge>, u32)>,
    has_begun: bool,
    /// So many candidates make it full.
    most: usize,
    /// How many initial states were offered.
    initial: u32,
    reservation: Reservation,
}

impl Delayed {
    /// An empty store, full with `most` candidates.
    pub fn new(most: usize, budget: &Arc<Budget>) -> Self {
        let reservation = Reservation::new(budget.clone());
        Delayed {
            states: Vec::new(),
            ids: HashMap::new(),
            candidates: Vec::new(),
            has_begun: false,
            most,
            initial: 0,
            reservation,
        }
    }

    fn add(&mut self, state: Vec<u8>, via: Option<Edge>, initial: u32) -> StateId {
        let id = StateId(self.states.len() as u64);
        self.ids.insert(state.clone(), id);
        self.states.push((state, via.map_or(Ok(initial), Err)));
        id
    }
}

impl Store for Delayed {
    fn insert(&mut self, state: &[u8], via: Option<Edge>) -> Result<Found, Refused> {
        let number = self.initial;
        self.initial += u32::from(via.is_none());
        if !self.has_begun
            && let Some(&id) = self.ids.get(state)
        {
            return Ok(Found::Seen(id));
        }
        self.reservation.take((2 * state.len() + BYTES_BESIDE) as u64)?;
        if !self.has_begun {
            return Ok(Found::New(self.add(state.to_vec(), via, number)));
        }
        self.candidates.push((state.to_vec(), via, number));
        Ok(Found::Undecided)
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

    fn delays(&mut self) -> Option<&mut dyn Delays> {
        Some(self)
    }

    fn parents(&mut self) -> Option<&mut dyn Parents> {
        Some(self)
    }
}

impl Delays for Delayed {
    fn begin(&mut self) {
        self.has_begun = true;
    }

    fn is_full(&mut self) -> bool {
        self.candidates.len() >= self.most
    }

    fn resolve(&mut self, new: &mut Resolved<'_>) -> Result<(), Refused> {
        for (state, via, initial) in std::mem::take(&mut self.candidates) {
            if self.ids.contains_key(&state) {
                self.reservation.give_back((2 * state.len() + BYTES_BESIDE) as u64);
                continue;
            }
            let id = self.add(state, via, initial);
            new(id, via, &self.states[id.0 as usize].0)?;
        }
        Ok(())
    }
}

impl Parents for Delayed {
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
