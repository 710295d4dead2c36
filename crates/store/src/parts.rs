//! The two halves of a store.

use tightrope_core::{Claim, Forgets, Found, OverBudget, StateId, Successors};

/// A way of writing a state down.
///
/// # Contract
/// - Equal states have equal codes, different states different ones: for every state, whatever its bytes, also where
///   they break the promises of the schema.
/// - `decode` gives back the state that `encode` was given, as long as the encoding lives. Codes may refer to tables
///   that the encoding keeps; they mean nothing to another instance.
/// - Tables that grow with the number of states are on the budget; a refusal leaves the encoding as it was.
pub trait Encode {
    /// The code of `state`: put into `room`, whose content does not matter, or `state` itself.
    fn encode<'a>(&mut self, state: &'a [u8], room: &'a mut Vec<u8>) -> Result<&'a [u8], OverBudget>;

    /// Adds the codes of the states that steps lead to, in order, as [`Encode::encode`] would one by one. The content of `room`
    /// does not matter. After a refusal the codes of the states before are there.
    fn encode_all(
        &mut self,
        states: &Successors,
        room: &mut Vec<u8>,
        codes: &mut Successors,
    ) -> Result<(), OverBudget> {
        for index in 0..states.len() {
            match states.state(index) {
                Some(state) => codes.push(states.step(index), self.encode(state, room)?),
                None => codes.push_nowhere(states.step(index)),
            }
        }
        Ok(())
    }

    /// Puts the state that is written as `code` into `out`. The code came from this encoding.
    fn decode(&mut self, code: &[u8], out: &mut Vec<u8>);

    /// Whether every code is the state itself, so that nothing need be written to have it.
    fn is_identity(&self) -> bool {
        false
    }

    /// From now on what is encoded stands at fixed places in codes, as far as that can be, for a set that is a diagram.
    /// Called before anything is encoded.
    fn align(&mut self) {}

    /// Whether codes are so short that a set that has room to spare takes more for itself than for them.
    fn is_short(&self) -> bool {
        false
    }

    /// The bytes of its tables.
    fn bytes(&self) -> u64 {
        0
    }

    /// See [`tightrope_core::Store::at_limit`].
    fn at_limit(&self) -> Option<&'static str> {
        None
    }
}

/// A set of byte strings. The contract is that of [`tightrope_core::Store`], for codes instead of states.
pub trait Set {
    /// Adds `code`.
    fn insert(&mut self, code: &[u8]) -> Result<Found, OverBudget>;

    /// Adds codes, in order, as [`Set::insert`] would one by one; see [`tightrope_core::Store::insert_all`]. The codes
    /// stand where states would.
    fn insert_all(&mut self, codes: &Successors, found: &mut Vec<Found>) -> Result<(), OverBudget> {
        for index in 0..codes.len() {
            found.push(codes.state(index).map_or(Ok(Found::Undecided), |code| self.insert(code))?);
        }
        Ok(())
    }

    /// The member named `id`, where it lies or put into `room`; none if the set does not keep enough to tell.
    fn read<'a>(&'a mut self, id: StateId, room: &'a mut Vec<u8>) -> Option<&'a [u8]>;

    /// How many members it has.
    fn len(&self) -> u64;

    /// Whether it has none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes it has allocated.
    fn bytes(&self) -> u64;

    /// What a search that relies on it is worth.
    fn claim(&self) -> Claim;

    /// The probability with which it takes a code that is new, now, for one that it has, where it may do so at every code.
    fn loss(&self) -> Option<f64> {
        None
    }

    /// Whether it can give its members back ([`Set::read`]).
    fn can_read(&self) -> bool {
        false
    }

    /// The nodes of a diagram that has all members, where it is one.
    fn nodes(&mut self) -> Option<u64> {
        None
    }

    /// See [`tightrope_core::Store::at_limit`].
    fn at_limit(&self) -> Option<&'static str> {
        None
    }

    /// Says that so many bytes belong to its members and lie elsewhere, for a set with a bound in bytes.
    fn count_beside(&mut self, _bytes: u64) {}

    /// Whether it is a diagram, which is small where codes look alike at the same places.
    fn is_diagram(&self) -> bool {
        false
    }

    /// An empty set of this kind that takes less memory for itself, even if it is slower, if there is one.
    fn frugal(&self) -> Option<Box<dyn Set>> {
        None
    }

    /// The set as one that can be read in the order of insertion, if it can.
    fn ordered(&mut self) -> Option<&mut dyn OrderedSet> {
        None
    }

    /// The set as one that forgets, if it does.
    fn forgets(&mut self) -> Option<&mut dyn Forgets> {
        None
    }
}

/// A set that can be read in the order of insertion.
pub trait OrderedSet {
    /// The member that came right after `after` (the first one, for none); none at the end.
    fn next<'a>(&'a mut self, after: Option<StateId>, room: &'a mut Vec<u8>) -> Option<(StateId, &'a [u8])>;
}
