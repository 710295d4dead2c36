//! Whole trees: states of all forms, many and few, together and one by one, with memory and without.

use super::Tree;
use std::sync::Arc;
use tightrope_core::{Budget, Component, Field, Format, Found, ProcessKind, Repr, Schema, Step, Store, Successors};

fn fields(list: &[(Repr, i32, i32)]) -> (Vec<Field>, u32) {
    let mut offset = 0;
    let mut fields = Vec::new();
    for (number, &(repr, low, high)) in list.iter().enumerate() {
        fields.push(Field {
            name: format!("v{offset}"),
            offset,
            repr,
            range: (low, high),
            component: (Component::Globals, number as u32 / 3),
            format: Format::Number,
        });
        offset += repr.size() as u32;
    }
    (fields, offset)
}

fn schema() -> Arc<Schema> {
    let (fixed, fixed_size) = fields(&[
        (Repr::U8, 0, 1),
        (Repr::I8, -3, 4),
        (Repr::I32, i32::MIN, i32::MAX),
        (Repr::I32, i32::MIN, i32::MAX),
        (Repr::U16, 7, 7),
        (Repr::I16, -32768, 32767),
        (Repr::I32, -100_000, -99_999),
    ]);
    let (first, first_size) = fields(&[(Repr::U8, 0, 5), (Repr::I16, -2, 900)]);
    let (second, second_size) = fields(&[(Repr::U8, 0, 255), (Repr::I32, 0, 70_000), (Repr::I32, -1, 1)]);
    let kind = |fields, size| ProcessKind { name: "p".into(), size, fields };
    Arc::new(Schema { fixed_size, fixed, kinds: vec![kind(first, first_size), kind(second, second_size)] })
}

/// A state, not always of the form that the schema describes.
fn state(schema: &Schema, number: u64) -> Vec<u8> {
    let mut random = number;
    let mut fill = |bytes: &mut [u8], fields: &[Field]| {
        for field in fields {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let span = (i64::from(field.range.1) - i64::from(field.range.0) + 1).min(40);
            let value = i64::from(field.range.0) + (random >> 33) as i64 % span;
            field.repr.store(bytes, field.offset as usize, value as i32);
        }
    };
    let mut state = vec![0; schema.fixed_size as usize];
    fill(&mut state, &schema.fixed);
    if !schema.kinds.is_empty() {
        let kinds: Vec<u8> = (0..number % 7).map(|at| (number >> at & 1) as u8).collect();
        state.push(kinds.len() as u8);
        state.extend_from_slice(&kinds);
        for &kind in &kinds {
            let kind = &schema.kinds[kind as usize];
            let mut body = vec![0; kind.size as usize];
            fill(&mut body, &kind.fields);
            state.extend(body);
        }
    }
    if number.is_multiple_of(10) {
        let at = number as usize / 10 % state.len();
        state[at] ^= (number >> 4) as u8;
        state.truncate(state.len() - (number / 3) as usize % 2 * (number as usize % 4).min(state.len()));
    }
    state
}

fn schemas() -> Vec<Arc<Schema>> {
    let bytes = |count: usize| fields(&vec![(Repr::U8, 0, 255); count]);
    let fixed = |(fixed, fixed_size)| Arc::new(Schema { fixed_size, fixed, kinds: Vec::new() });
    vec![
        schema(),
        fixed(bytes(3)),
        fixed(bytes(8)),
        fixed(bytes(9)),
        fixed(bytes(133)),
        fixed(fields(&[(Repr::I32, -5, i32::MAX)])),
        fixed(fields(&[(Repr::U8, 0, 0); 40])),
        // One that does not cover its states.
        Arc::new(Schema { fixed_size: 5, ..Schema::default() }),
    ]
}

#[test]
fn members_are_found_again_and_read_back() {
    for schema in schemas() {
        let budget = Arc::new(Budget::unlimited());
        let mut tree = Tree::new(&schema, &budget);
        let mut ids = std::collections::HashMap::new();
        let mut back = Vec::new();
        for number in 0..30_000 {
            let state = state(&schema, number);
            match tree.insert(&state, None).unwrap() {
                Found::New(id) => assert_eq!(ids.insert(state, id), None),
                Found::Seen(id) => assert_eq!(ids.get(&state), Some(&id)),
                Found::Undecided | Found::Nowhere => panic!("undecided"),
            }
        }
        assert_eq!(tree.len(), ids.len() as u64);
        for (state, &id) in &ids {
            assert!(tree.read(id, &mut back));
            assert_eq!(back, *state);
            assert_eq!(tree.insert(state, None).unwrap(), Found::Seen(id));
        }
        assert_eq!(tree.bytes(), budget.used());
        drop(tree);
        assert_eq!(budget.used(), 0);
    }
}

#[test]
fn what_comes_together_is_inserted_alike() {
    for schema in schemas() {
        let budget = Arc::new(Budget::unlimited());
        let (mut one, mut other) = (Tree::new(&schema, &budget), Tree::new(&schema, &budget));
        let (mut steps, mut found) = (Successors::new(), Vec::new());
        for round in 0..100u64 {
            steps.clear();
            found.clear();
            for number in 0..round * 7 {
                match number % 50 {
                    49 => steps.push_nowhere(Step::default()),
                    _ => steps.push(Step::default(), &state(&schema, (number * number + round * 77) % (100 * round))),
                }
            }
            one.insert_all(&steps, &[], &mut found).unwrap();
            assert_eq!(found.len(), steps.len());
            for (index, &found) in found.iter().enumerate() {
                let expected = steps.state(index).map_or(Found::Nowhere, |state| other.insert(state, None).unwrap());
                assert_eq!(found, expected);
            }
        }
        assert_eq!(one.len(), other.len());
    }
}

#[test]
fn refusal_leaves_the_store_intact() {
    for limit in [0, 1000, 20_000, 100_000, 300_000] {
        for schema in schemas() {
            let budget = Arc::new(Budget::new(limit));
            let mut tree = Tree::new(&schema, &budget);
            let mut ids = Vec::new();
            let mut number = 0;
            while number < 200_000
                && let Ok(found) = tree.insert(&state(&schema, number), None)
            {
                if let Found::New(id) | Found::Seen(id) = found {
                    ids.push(id);
                }
                number += 1;
            }
            assert!(budget.peak() <= limit);
            assert_eq!(tree.bytes(), budget.used());
            let mut back = Vec::new();
            for (number, &id) in ids.iter().enumerate() {
                let state = state(&schema, number as u64);
                assert!(tree.read(id, &mut back));
                assert_eq!(back, state);
                assert_eq!(tree.insert(&state, None).unwrap(), Found::Seen(id));
            }
        }
    }
}

#[test]
fn what_comes_together_is_refused_as_a_whole_or_in_part() {
    let schema = schema();
    for limit in [0, 5000, 100_000, 200_000] {
        let budget = Arc::new(Budget::new(limit));
        let mut tree = Tree::new(&schema, &budget);
        let (mut steps, mut found) = (Successors::new(), Vec::new());
        (0..50_000).for_each(|number| steps.push(Step::default(), &state(&schema, number)));
        assert!(tree.insert_all(&steps, &[], &mut found).is_err());
        assert!(budget.peak() <= limit);
        let new = found.iter().filter(|found| matches!(found, Found::New(_))).count();
        assert_eq!(tree.len(), new as u64);
        for number in 0..found.len() {
            assert!(matches!(tree.insert(steps.state(number).unwrap(), None), Ok(Found::Seen(_))));
        }
    }
}
