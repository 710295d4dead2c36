//! Encodings: how a state is written down as a code.

mod bitio;
mod bits;
mod collapse;
mod compress;
mod family;
mod full;
mod numbered;
mod numbering;
pub mod process_list;
#[cfg(test)]
mod samples;
mod squeeze;

pub use bits::Bits;
pub use collapse::collapse;
pub use compress::compress;
pub use full::Full;
pub use numbered::Numbered;

use tightrope_core::{Refused, Successors};

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
    fn encode<'a>(&mut self, state: &'a [u8], room: &'a mut Vec<u8>) -> Result<&'a [u8], Refused>;

    /// Adds the codes of the states that steps lead to, in order, as [`Encode::encode`] would one by one. The content of `room`
    /// does not matter. After a refusal the codes of the states before are there.
    fn encode_all(&mut self, states: &Successors, room: &mut Vec<u8>, codes: &mut Successors) -> Result<(), Refused> {
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

    /// Whether it has tables that grow with the states.
    fn has_tables(&self) -> bool {
        false
    }

    /// The bytes of its tables.
    fn bytes(&self) -> u64 {
        0
    }
}
