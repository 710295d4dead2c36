//! States for tests.

use crate::Encode;
use std::collections::HashMap;
use tightrope_core::{Component, Field, Format, ProcessKind, Repr, Schema};

fn fields(list: &[(Repr, i32, i32)]) -> (Vec<Field>, u32) {
    let mut offset = 0;
    let mut fields = Vec::new();
    for &(repr, low, high) in list {
        fields.push(Field {
            name: format!("v{offset}"),
            offset,
            repr,
            range: (low, high),
            component: if offset < 6 { (Component::Globals, 0) } else { (Component::Channel, offset / 6) },
            format: Format::Number,
        });
        offset += repr.size() as u32;
    }
    (fields, offset)
}

/// A schema with processes.
pub fn schema() -> Schema {
    let (fixed, fixed_size) = fields(&[
        (Repr::U8, 0, 1),
        (Repr::I8, -3, 4),
        (Repr::I32, i32::MIN, i32::MAX),
        (Repr::U16, 7, 7),
        (Repr::I16, -32768, 32767),
        (Repr::I32, -100_000, -99_999),
    ]);
    let (first, first_size) = fields(&[(Repr::U8, 0, 5), (Repr::I16, -2, 900)]);
    let (second, second_size) = fields(&[(Repr::U8, 0, 255)]);
    let kind = |fields, size| ProcessKind { name: "p".into(), size, fields };
    Schema { fixed_size, fixed, kinds: vec![kind(first, first_size), kind(second, second_size)] }
}

/// A state with processes of these kinds.
fn state(schema: &Schema, seed: u64, kinds: &[u8]) -> Vec<u8> {
    let mut random = seed;
    let mut state = vec![0; schema.fixed_size as usize];
    let mut fill = |bytes: &mut [u8], fields: &[Field]| {
        for field in fields {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let span = i64::from(field.range.1) - i64::from(field.range.0) + 1;
            let value = i64::from(field.range.0) + (random >> 33) as i64 % span;
            field.repr.store(bytes, field.offset as usize, value as i32);
        }
    };
    fill(&mut state, &schema.fixed);
    state.push(kinds.len() as u8);
    state.extend_from_slice(kinds);
    for &kind in kinds {
        let kind = &schema.kinds[kind as usize];
        let mut body = vec![0; kind.size as usize];
        fill(&mut body, &kind.fields);
        state.extend(body);
    }
    state
}

/// Many states, proper ones and others, and whether they are proper.
pub fn states() -> impl Iterator<Item = (bool, Vec<u8>)> {
    let schema = schema();
    (0..20_000u64).map(move |seed| {
        let kinds: Vec<u8> = (0..seed % 5).map(|at| (seed >> at & 1) as u8).collect();
        let mut state = state(&schema, seed, &kinds);
        let proper = seed % 3 != 0;
        if !proper {
            // Anything at all: out of range, a list that lies, a state cut short.
            let at = seed as usize % state.len();
            state[at] ^= (seed >> 4) as u8;
            state.truncate(state.len() - (seed / 3) as usize % 2 * (seed as usize % 4));
        }
        (proper, state)
    })
}

/// Encodes many states, proper ones and others, and asserts that all come back, and that none shares its code with another.
/// `each` is told whether a state is proper, the state and its code.
pub fn go_there_and_back(encoding: &mut dyn Encode, mut each: impl FnMut(bool, &[u8], &[u8])) {
    let mut seen: HashMap<Vec<u8>, Vec<u8>> = HashMap::new();
    let (mut room, mut back) = (Vec::new(), Vec::new());
    for (proper, state) in states() {
        let code = encoding.encode(&state, &mut room).unwrap().to_vec();
        each(proper, &state, &code);
        encoding.decode(&code, &mut back);
        assert_eq!(back, state);
        assert_eq!(*seen.entry(code).or_insert_with(|| state.clone()), state);
    }
    // Nothing that came later has changed what a state is written as.
    for (code, state) in seen {
        assert_eq!(encoding.encode(&state, &mut room).unwrap(), code);
    }
}
