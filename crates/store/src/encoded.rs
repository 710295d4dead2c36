//! An encoding and a set, put together as a store. Bytes per state: those of the set.

use crate::{Encode, Set};
use tightrope_core::{Claim, Edge, Forgets, Found, Ordered, OverBudget, Parent, StateId, Store, Successors};

/// States that have more bytes together are encoded one by one, so that their codes take little.
const TOGETHER_BYTES: usize = 1 << 20;

/// A store that keeps the codes of states in a set.
pub struct Encoded {
    encoding: Box<dyn Encode>,
    set: Box<dyn Set>,
    room: Vec<u8>,
    /// The codes of the states that are inserted together, where they are not the states.
    codes: Successors,
    /// The set forgets, and may have a bound in bytes that counts the encoding's tables.
    bounded: bool,
}

impl Encoded {
    /// States written down by `encoding` and kept in `set`.
    pub fn new(mut encoding: Box<dyn Encode>, mut set: Box<dyn Set>) -> Self {
        if set.is_diagram() {
            encoding.align();
        }
        if encoding.is_short()
            && let Some(frugal) = set.frugal()
        {
            set = frugal;
        }
        let bounded = set.forgets().is_some() && !encoding.is_identity();
        Encoded { encoding, set, room: Vec::new(), codes: Successors::new(), bounded }
    }
}

impl Store for Encoded {
    fn insert(&mut self, state: &[u8], _via: Option<Edge>) -> Result<Found, OverBudget> {
        let code = self.encoding.encode(state, &mut self.room)?;
        let found = self.set.insert(code)?;
        if self.bounded && matches!(found, Found::New(_)) {
            self.set.count_beside(self.encoding.bytes());
        }
        Ok(found)
    }

    fn insert_all(
        &mut self,
        steps: &Successors,
        _parents: &[Parent],
        found: &mut Vec<Found>,
    ) -> Result<(), OverBudget> {
        if self.encoding.is_identity() {
            return self.set.insert_all(steps, found);
        }
        if steps.bytes.len() > TOGETHER_BYTES || steps.len() > TOGETHER_BYTES / 64 {
            for index in 0..steps.len() {
                found.push(steps.state(index).map_or(Ok(Found::Undecided), |state| self.insert(state, None))?);
            }
            return Ok(());
        }
        self.codes.clear();
        let encoded = self.encoding.encode_all(steps, &mut self.room, &mut self.codes);
        // Where the encoding's tables may not grow, those before the state that was refused have their codes.
        self.set.insert_all(&self.codes, found)?;
        encoded
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

    fn at_limit(&self) -> Option<&'static str> {
        self.set.at_limit().or(self.encoding.at_limit())
    }

    fn loss(&self) -> Option<f64> {
        self.set.loss()
    }

    fn nodes(&mut self) -> Option<u64> {
        self.set.nodes()
    }

    fn can_read(&self) -> bool {
        self.set.can_read()
    }

    fn ordered(&mut self) -> Option<&mut dyn Ordered> {
        match self.set.ordered() {
            Some(_) => Some(self),
            None => None,
        }
    }

    fn forgets(&mut self) -> Option<&mut dyn Forgets> {
        self.set.forgets()
    }
}

impl Ordered for Encoded {
    fn next(&mut self, after: Option<StateId>, out: &mut Vec<u8>) -> Option<StateId> {
        let (id, code) = self.set.ordered()?.next(after, &mut self.room)?;
        self.encoding.decode(code, out);
        Some(id)
    }
}
