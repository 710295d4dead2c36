//! Every field in just the bits that its range needs.
//!
//! Murphi's bit compression (Dill, Drexler, Hu & Yang 1992), extended to states whose processes come and go: a code is
//! one bit that says how it is written, the number of the process list, and then each field less the low end of its
//! range. A state that breaks the schema's promises (a value outside its range, bytes of the wrong length) is written
//! in full, marked by that first bit: exact whatever the bytes are.
//!
//! Invariant: the first bit is 1 exactly for codes written in full, and whether a state is depends on the state only,
//! so that equal states have equal codes.
//!
//! Bytes per state: one bit, four for the list where there are processes (more beyond eight lists), and the bits of
//! the fields, rounded up to whole bytes. Costs some nanoseconds for every eight bytes of the state. Not where variables
//! are declared as wide as they are used already, as with `int`s that no range is known for.

use crate::Encode;
use crate::encodings::bitio::{BitReader, BitWriter};
use crate::encodings::process_list::ProcessLists;
use crate::encodings::squeeze::Squeeze;
use std::sync::Arc;
use tightrope_core::{Budget, Refused, Schema};

/// How the fixed part or a body is packed; none where the fields do not cover it.
type Plan = Option<Vec<Squeeze>>;

/// Packs states by the ranges of their fields.
pub struct Bits {
    fixed: Plan,
    kinds: Vec<Plan>,
    fixed_size: usize,
    lists: ProcessLists,
}

/// The eight bytes at `at`, zeros beyond the end.
#[inline]
fn load(state: &[u8], at: usize) -> u64 {
    let rest = &state[at..];
    match rest.first_chunk() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => {
            let mut chunk = [0; 8];
            chunk[..rest.len()].copy_from_slice(rest);
            u64::from_le_bytes(chunk)
        }
    }
}

/// Packs the part that begins at `base`; false if a value is outside its range.
#[inline]
fn pack(plan: &[Squeeze], state: &[u8], base: usize, writer: &mut BitWriter) -> bool {
    for word in plan {
        let Some(squeezed) = word.squeeze(load(state, base + word.offset as usize)) else { return false };
        writer.put(squeezed, word.bits);
    }
    true
}

/// Unpacks the part that begins at `base`. Writes whole words: bytes beyond the part are for those that come later.
#[inline]
fn unpack(plan: &[Squeeze], reader: &mut BitReader, base: usize, out: &mut [u8]) {
    for word in plan {
        let at = base + word.offset as usize;
        out[at..at + 8].copy_from_slice(&word.stretch(reader.get(word.bits)).to_le_bytes());
    }
}

impl Bits {
    /// Packs states of that schema.
    pub fn new(schema: &Schema, budget: &Arc<Budget>) -> Self {
        Bits {
            fixed: Squeeze::plan(&schema.fixed, schema.fixed_size),
            kinds: schema.kinds.iter().map(|kind| Squeeze::plan(&kind.fields, kind.size)).collect(),
            fixed_size: schema.fixed_size as usize,
            lists: ProcessLists::new(schema, budget),
        }
    }

    /// Writes the packed form behind what is in `room`; false if the state has none.
    fn pack(&self, state: &[u8], number: u32, room: &mut Vec<u8>) -> bool {
        let Some(fixed) = &self.fixed else { return false };
        let mut writer = BitWriter::new(room);
        writer.put(0, 1);
        if !self.kinds.is_empty() {
            writer.put_number(number);
        }
        if !pack(fixed, state, 0, &mut writer) {
            return false;
        }
        for &(kind, at) in &self.lists.get(number).bodies {
            let Some(plan) = &self.kinds[kind as usize] else { return false };
            if !pack(plan, state, at as usize, &mut writer) {
                return false;
            }
        }
        writer.finish();
        true
    }
}

impl Encode for Bits {
    fn encode<'a>(&mut self, state: &'a [u8], room: &'a mut Vec<u8>) -> Result<&'a [u8], Refused> {
        room.clear();
        let packed = match self.lists.find(state)? {
            Some(number) => self.pack(state, number, room),
            None => false,
        };
        if !packed {
            room.clear();
            room.push(1);
            room.extend_from_slice(state);
        }
        Ok(room)
    }

    fn decode(&mut self, code: &[u8], out: &mut Vec<u8>) {
        out.clear();
        let mut reader = BitReader::new(code);
        if reader.get(1) == 1 {
            out.extend_from_slice(&code[1..]);
            return;
        }
        let number = if self.kinds.is_empty() { 0 } else { reader.get_number() };
        let list = self.lists.get(number);
        out.resize(list.len + 8, 0);
        if let Some(fixed) = &self.fixed {
            unpack(fixed, &mut reader, 0, out);
        }
        out[self.fixed_size..][..list.bytes.len()].copy_from_slice(&list.bytes);
        for &(kind, at) in &list.bodies {
            if let Some(plan) = &self.kinds[kind as usize] {
                unpack(plan, &mut reader, at as usize, out);
            }
        }
        out.truncate(list.len);
    }

    fn bytes(&self) -> u64 {
        self.lists.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encodings::samples::{go_there_and_back, schema};

    #[test]
    fn every_state_comes_back_and_has_a_code_of_its_own() {
        let schema = schema();
        let mut bits = Bits::new(&schema, &Arc::new(Budget::unlimited()));
        go_there_and_back(&mut bits, |proper, state, code| {
            if proper {
                let packed = 1 + 8 + schema.packed_bits(state);
                assert!(code.len() as u64 <= packed.div_ceil(8), "{} bytes for {packed} bits", code.len());
                assert_eq!(code[0] & 1, 0);
            }
        });
    }

    #[test]
    fn a_schema_that_does_not_cover_the_state_loses_nothing() {
        let schema = Schema { fixed_size: 3, ..Schema::default() };
        let mut bits = Bits::new(&schema, &Arc::new(Budget::unlimited()));
        let (mut room, mut back) = (Vec::new(), Vec::new());
        let code = bits.encode(&[1, 2, 3], &mut room).unwrap().to_vec();
        bits.decode(&code, &mut back);
        assert_eq!(back, [1, 2, 3]);
    }
}
