//! An encoding and a set, put together as a store. Bytes per state: those of the set.

use crate::{Encode, Set};
use tightrope_core::{Batch, Claim, Edge, Found, Ordered, OverBudget, StateId, Store};

/// A store that keeps the codes of states in a set.
pub struct Encoded {
    encoding: Box<dyn Encode>,
    set: Box<dyn Set>,
    room: Vec<u8>,
    /// The codes of the states announced last; empty where they are the states.
    codes: Batch,
}

impl Encoded {
    /// States written down by `encoding` and kept in `set`.
    pub fn new(encoding: Box<dyn Encode>, set: Box<dyn Set>) -> Self {
        Encoded { encoding, set, room: Vec::new(), codes: Batch::new() }
    }
}

impl Store for Encoded {
    fn insert(&mut self, state: &[u8], _via: Option<Edge>) -> Result<Found, OverBudget> {
        let code = self.encoding.encode(state, &mut self.room)?;
        self.set.insert(code)
    }

    fn announce(&mut self, states: &Batch) {
        if self.encoding.is_identity() {
            return self.set.announce(states);
        }
        self.codes.clear();
        for state in states.iter() {
            // Where the encoding's tables may not grow, it is the state that meets the refusal when its turn comes.
            let Ok(code) = self.encoding.encode(state, &mut self.room) else { break };
            self.codes.push(code);
        }
        self.set.announce(&self.codes);
    }

    fn insert_announced(&mut self, index: usize, state: &[u8], via: Option<Edge>) -> Result<Found, OverBudget> {
        if self.encoding.is_identity() {
            self.set.insert_announced(index, state)
        } else if index < self.codes.len() {
            self.set.insert_announced(index, self.codes.get(index))
        } else {
            self.insert(state, via)
        }
    }

    fn read(&mut self, id: StateId, out: &mut Vec<u8>) -> bool {
        let Some(code) = self.set.read(id, &mut self.room) else { return false };
        self.encoding.decode(code, out);
        true
    }

    fn len(&self) -> u64 {
        self.set.len()
    }

    fn bytes(&self) -> u64 {
        self.set.bytes() + self.encoding.bytes()
    }

    fn claim(&self) -> Claim {
        self.set.claim()
    }

    fn ordered(&mut self) -> Option<&mut dyn Ordered> {
        match self.set.ordered() {
            Some(_) => Some(self),
            None => None,
        }
    }
}

impl Ordered for Encoded {
    fn next(&mut self, after: Option<StateId>, out: &mut Vec<u8>) -> Option<StateId> {
        let (id, code) = self.set.ordered()?.next(after, &mut self.room)?;
        self.encoding.decode(code, out);
        Some(id)
    }
}
