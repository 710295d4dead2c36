//! An encoding and a set, put together as a store. Bytes per state: those of the set, and the tables of the encoding.
//!
//! A set is a [`Store`] as well, one whose states are codes: there is no second trait that repeats the first. What handles
//! bytes goes through the encoding here (insertion, reading); everything else is what the set says, and is passed on as it is:
//! ids are the set's, so capabilities that speak of ids need no wrapping. A capability that is added to [`Store`] is
//! forwarded here (a lint sees to it), and nothing at all where the encoding is `full`: the set then is the store ([`crate::make`]).
//!
//! A state that is read is copied once more than it would be from a set that lent its codes: a few bytes, next to what decoding
//! them takes.

use crate::Encode;
use tightrope_core::{
    Claim, Delays, Edge, Evicts, Found, Ordered, Parent, Parents, Pins, Rebuilding, Reencoded, Refused, Remap,
    Resolved, StateId, Store, Successors, insert_each,
};

/// States that have more bytes together are encoded one by one, so that their codes take little: half a megabyte, and as much again
/// while the buffer grows. No budget counts them; they are among the buffers that do not grow with the state space.
const TOGETHER_BYTES: usize = 256 << 10;

/// A store that keeps the codes of states in a set.
pub struct Encoded<'a> {
    encoding: Box<dyn Encode>,
    set: Box<dyn Store + 'a>,
    /// The code of one state.
    code: Vec<u8>,
    /// The codes of the states that are inserted together, of [`TOGETHER_BYTES`] at most.
    codes: Successors,
    /// The set evicts, and may have a bound in bytes, which counts the tables of the encoding.
    evicts: bool,
}

impl<'a> Encoded<'a> {
    /// States written down by `encoding` and kept in `set`.
    pub fn new(encoding: Box<dyn Encode>, mut set: Box<dyn Store + 'a>) -> Self {
        let evicts = set.evicts().is_some();
        Encoded { encoding, set, code: Vec::new(), codes: Successors::new(), evicts }
    }

    /// Tells a set that evicts what the tables of the encoding take.
    #[inline]
    fn count_tables(&mut self) {
        if self.evicts
            && let Some(cache) = self.set.evicts()
        {
            cache.count_beside(self.encoding.bytes());
        }
    }
}

#[deny(clippy::missing_trait_methods)]
impl Store for Encoded<'_> {
    fn insert(&mut self, state: &[u8], via: Option<Edge>) -> Result<Found, Refused> {
        let code = self.encoding.encode(state, &mut self.code)?;
        let found = self.set.insert(code, via)?;
        self.count_tables();
        Ok(found)
    }

    fn insert_all(&mut self, steps: &Successors, parents: &[Parent], found: &mut Vec<Found>) -> Result<(), Refused> {
        if steps.bytes.len() > TOGETHER_BYTES || steps.len() > TOGETHER_BYTES / 64 {
            return insert_each(self, steps, parents, found);
        }
        self.codes.clear();
        let encoded = self.encoding.encode_all(steps, &mut self.code, &mut self.codes);
        self.count_tables();
        // Where the encoding's tables may not grow, those before the state that was refused have their codes.
        self.set.insert_all(&self.codes, parents, found)?;
        encoded
    }

    fn read(&mut self, id: StateId, out: &mut Vec<u8>) -> bool {
        let read = self.set.read(id, &mut self.code);
        if read {
            self.encoding.decode(&self.code, out);
        }
        read
    }

    fn ordered(&mut self) -> Option<&mut dyn Ordered> {
        self.set.ordered().is_some().then_some(self)
    }

    fn bytes(&self) -> u64 {
        self.set.bytes() + self.encoding.bytes()
    }

    fn len(&self) -> u64 {
        self.set.len()
    }

    fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    fn claim(&self) -> Claim {
        self.set.claim()
    }

    fn loss(&self) -> Option<f64> {
        self.set.loss()
    }

    fn nodes(&mut self) -> Option<u64> {
        self.set.nodes()
    }

    fn rebuilding(&self) -> Option<Rebuilding> {
        self.set.rebuilding()
    }

    fn can_read(&self) -> bool {
        self.set.can_read()
    }

    fn evicts(&mut self) -> Option<&mut dyn Evicts> {
        self.set.evicts()
    }

    fn pins(&mut self) -> Option<&mut dyn Pins> {
        self.set.pins()
    }

    fn parents(&mut self) -> Option<&mut dyn Parents> {
        self.set.parents()
    }

    fn delays(&mut self) -> Option<&mut dyn Delays> {
        self.set.delays().is_some().then_some(self)
    }

    fn reencode(&mut self, remap: &mut Remap<'_>) -> Result<bool, Refused> {
        self.set.reencode(remap)
    }

    fn history(&self) -> &[Reencoded] {
        self.set.history()
    }
}

impl Delays for Encoded<'_> {
    fn begin(&mut self) {
        if let Some(delays) = self.set.delays() {
            delays.begin();
        }
    }

    fn is_full(&mut self) -> bool {
        self.set.delays().is_some_and(|delays| delays.is_full())
    }

    fn resolve(&mut self, new: &mut Resolved<'_>) -> Result<(), Refused> {
        let Encoded { encoding, set, code: state, .. } = self;
        let Some(delays) = set.delays() else { return Ok(()) };
        delays.resolve(&mut |id, via, code| {
            encoding.decode(code, state);
            new(id, via, state)
        })
    }
}

impl Ordered for Encoded<'_> {
    fn next(&mut self, after: Option<StateId>, out: &mut Vec<u8>) -> Result<Option<StateId>, Refused> {
        let Some(ordered) = self.set.ordered() else { return Ok(None) };
        let id = ordered.next(after, &mut self.code)?;
        if id.is_some() {
            self.encoding.decode(&self.code, out);
        }
        Ok(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Full, HashTable};
    use std::sync::Arc;
    use tightrope_core::{Budget, Step};

    #[test]
    fn the_codes_of_states_that_come_together_take_little() {
        let set = HashTable::new(&Arc::new(Budget::unlimited()));
        let mut store = Encoded::new(Box::new(Full), Box::new(set));
        for count in [200, 2000, 20_000] {
            let (mut steps, mut found) = (Successors::new(), Vec::new());
            (0..count).for_each(|number: u64| steps.push(Step::default(), &[number.to_le_bytes(); 16].concat()));
            store.insert_all(&steps, &[], &mut found).unwrap();
            assert_eq!((found.len() as u64, store.len()), (count, count));
            let room = store.codes.bytes.capacity();
            assert!(room <= 2 * TOGETHER_BYTES, "{room} bytes for the codes of {count} states");
            assert!(count < 20_000 || store.codes.bytes.len() < steps.bytes.len(), "one by one");
        }
    }
}
