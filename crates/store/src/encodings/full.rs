//! States as they are.
//!
//! The code is the state: nothing to compute, nothing to copy. Bytes per state: the whole working vector. Not for
//! models whose variables need far fewer bits than they are declared with; `bits` is smaller there at little cost.

use crate::Encode;
use tightrope_core::Refused;

/// The identity.
pub struct Full;

impl Encode for Full {
    fn encode<'a>(&mut self, state: &'a [u8], _room: &'a mut Vec<u8>) -> Result<&'a [u8], Refused> {
        Ok(state)
    }

    fn decode(&mut self, code: &[u8], out: &mut Vec<u8>) {
        out.clear();
        out.extend_from_slice(code);
    }

    fn is_identity(&self) -> bool {
        true
    }
}
