//! Representatives of successors, compared with those of the same states alone; and states with much in them: wide numbers, many
//! elements, many owners.

#[path = "suite/programs.rs"]
mod programs;

use programs::each_program;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use tightrope_core::{Model, Successors, Symmetry};
use tightrope_por::WithStubbornSets;
use tightrope_reduce::{Canonical, Symmetric};
use tightrope_testkit::naive::Explored;
use tightrope_testkit::random::Rng;
use tightrope_testkit::random_rules::{self, Form, Generated, Renaming, World};

fn alone(canonical: &mut Canonical, state: &[u8]) -> Vec<u8> {
    let mut renamed = state.to_vec();
    canonical.canonicalize(&mut renamed);
    renamed
}

/// Each state has the same representative as a successor of each representative, whatever was canonicalized there before.
fn successors_are_as_alone(symmetry: &Symmetry, example: &[u8], representatives: &[Vec<u8>], states: &[Vec<u8>]) {
    let mut canonical = Canonical::new(symmetry, example);
    let expected: Vec<Vec<u8>> = states.iter().map(|state| alone(&mut canonical, state)).collect();
    for representative in representatives {
        let mut successors = canonical.for_successors_of(representative);
        for (state, expected) in states.iter().zip(&expected) {
            let mut renamed = state.clone();
            successors.canonicalize(&mut renamed);
            assert_eq!(renamed, *expected, "{state:?} after {representative:?}");
        }
    }
}

/// Successors have the representatives that their renaming alone gives; so have states that are further away.
fn successors_are_renamed(_: &Generated, model: &WithStubbornSets<'_>, explored: &Explored) {
    let reduced = Symmetric::new(model).expect("it has a symmetry");
    let symmetry: &Arc<Symmetry> = model.symmetry().expect("it has one");
    let mut states: Vec<Vec<u8>> = explored.states.iter().cloned().collect();
    states.sort();
    let mut first = Vec::new();
    model.initial(&mut |state| first.push(state.to_vec()));
    let mut canonical = Canonical::new(symmetry, &first[0]);
    let (mut plain, mut out) = (Successors::new(), Successors::new());
    let representatives: HashSet<Vec<u8>> = states.iter().map(|state| alone(&mut canonical, state)).collect();
    for state in &representatives {
        model.successors(state, &mut plain);
        reduced.successors(state, &mut out);
        assert_eq!(plain.len(), out.len());
        for index in 0..plain.len() {
            let expected = plain.state(index).map(|successor| alone(&mut canonical, successor));
            assert_eq!(out.state(index), expected.as_deref(), "a successor of {state:?}");
        }
    }
    let few: Vec<Vec<u8>> = representatives.into_iter().take(5).collect();
    let step = states.len().div_ceil(40);
    let some: Vec<Vec<u8>> = states.into_iter().step_by(step).collect();
    successors_are_as_alone(symmetry, &first[0], &few, &some);
}

#[test]
fn successors_are_renamed_as_alone() {
    each_program(random_rules::symmetric, 0..300, 1_000, successors_are_renamed);
}

/// A random state; most of its places hold one of two values.
fn random_state(world: &World, rng: &mut Rng) -> Vec<u8> {
    let mut state = vec![0; world.state_size() as usize];
    for field in world.fields().0 {
        let value = match rng.below(10) {
            0..6 => field.range.0,
            6..8 => field.range.0 + 1,
            _ => rng.range(field.range.0, field.range.1),
        };
        field.repr.store(&mut state, field.offset as usize, value);
    }
    state
}

/// The state with few places changed.
fn changed(world: &World, state: &[u8], rng: &mut Rng) -> Vec<u8> {
    let (mut changed, fields) = (state.to_vec(), world.fields().0);
    for _ in 0..rng.below(4) {
        let field = rng.pick(&fields);
        field.repr.store(&mut changed, field.offset as usize, rng.range(field.range.0, field.range.1));
    }
    changed
}

fn random_renaming(world: &World, rng: &mut Rng) -> Renaming {
    let mut order = |size: u32| {
        let mut order: Vec<usize> = (0..size as usize).collect();
        (1..order.len()).for_each(|at| order.swap(at, rng.below(at + 1)));
        order
    };
    world.sets.iter().map(|&size| order(size)).collect()
}

fn array(index: Form, entry: Form) -> Form {
    Form::Array(Box::new(index), Box::new(entry))
}

/// Whatever a state is renamed to, and whatever was taken for usual, it has one representative, which is one of them.
fn one_representative(world: &World, seeds: u64) {
    let symmetry = world.symmetry();
    let renamings = if world.sets.iter().all(|&size| size < 5) { world.renamings() } else { Vec::new() };
    for seed in 0..seeds {
        let mut rng = Rng::new(seed);
        let example = if seed % 3 == 0 { Vec::new() } else { random_state(world, &mut rng) };
        let mut canonical = Canonical::new(&symmetry, &example);
        let state = random_state(world, &mut rng);
        let representative = alone(&mut canonical, &state);
        assert_eq!(alone(&mut canonical, &representative), representative);
        for _ in 0..20 {
            let renamed = world.rename(&state, &random_renaming(world, &mut rng));
            assert_eq!(alone(&mut canonical, &renamed), representative, "{state:?}, of which {example:?} is usual");
        }
        let is_the = |renaming: &Renaming| world.rename(&state, renaming) == representative;
        assert!(renamings.is_empty() || renamings.iter().any(is_the), "{state:?} becomes {representative:?}");
        let others: Vec<Vec<u8>> = (0..10).map(|_| changed(world, &representative, &mut rng)).collect();
        successors_are_as_alone(&symmetry, &example, &[representative], &others);
    }
}

#[test]
fn wide_numbers() {
    let (one, other) = (Form::Set(0), Form::Set(1));
    let numbers = Form::Record(vec![Form::Range(0, 40), Form::Range(0, 1_000), Form::Range(0, 100_000)]);
    let either = Form::Union(vec![Form::Range(0, 500), one.clone(), other.clone()]);
    // With numbers that belong to nobody in between, and across the ends of words.
    let globals = vec![
        Form::Range(0, 7),
        array(one.clone(), numbers.clone()),
        Form::Range(0, 70_000),
        array(other.clone(), Form::Record(vec![either.clone(), Form::Range(0, 3)])),
        array(Form::Range(0, 4), either),
        array(one, array(other, numbers)),
    ];
    one_representative(&World::new(vec![3, 4], globals), 300);
}

#[test]
fn many_owners() {
    let (one, other) = (Form::Set(0), Form::Set(1));
    let deep = |entry| array(one.clone(), array(other.clone(), array(one.clone(), entry)));
    let globals =
        vec![deep(Form::Range(0, 2)), deep(one.clone()), array(one.clone(), array(one.clone(), other.clone()))];
    one_representative(&World::new(vec![3, 2], globals), 300);
    let four = array(one.clone(), array(one.clone(), array(one.clone(), array(one.clone(), one.clone()))));
    one_representative(&World::new(vec![3], vec![four]), 100);
}

/// More elements than a word has bits, and more than are sorted by insertion.
#[test]
fn many_elements() {
    for size in [16, 17, 64, 65, 130] {
        let set = Form::Set(0);
        let entry = Form::Record(vec![Form::Range(0, 9), set.clone(), Form::Range(0, 300)]);
        let world = World::new(vec![size], vec![array(set, entry)]);
        one_representative(&world, 6);
    }
}

/// States of all lengths: none of their bytes is overlooked.
#[test]
fn all_lengths() {
    for length in 1..140 {
        let set = Form::Set(0);
        let kept = (length > 2).then(|| array(Form::Range(1, length - 2), Form::Range(0, 5)));
        let globals = kept.into_iter().chain([set.clone(), set.clone()]).collect();
        let world = World::new(vec![3], globals);
        one_representative(&world, 4);
        // And with owners: every place counts.
        let world = World::new(vec![3], vec![array(set, array(Form::Range(1, length), Form::Range(0, 5)))]);
        one_representative(&world, 2);
    }
}

/// Which orbits there are does not depend on what is taken for usual.
#[test]
fn any_example_will_do() {
    each_program(random_rules::symmetric, 500..560, 300, |made, model, explored| {
        let symmetry = model.symmetry().expect("it has one");
        let mut rng = Rng::new(explored.states.len() as u64);
        let states: Vec<&Vec<u8>> = explored.states.iter().collect();
        let mut before: HashMap<&[u8], usize> = HashMap::new();
        for nth in 0..4 {
            // Any bytes will do; states are more likely to have much in common with others.
            let example: Vec<u8> = match nth {
                0 => Vec::new(),
                1 => (0..made.world.state_size()).map(|_| rng.below(4) as u8).collect(),
                _ => rng.pick(&states).to_vec(),
            };
            let mut canonical = Canonical::new(symmetry, &example);
            let mut numbers: HashMap<Vec<u8>, usize> = HashMap::new();
            for state in &states {
                let fresh = numbers.len();
                let number = *numbers.entry(alone(&mut canonical, state)).or_insert(fresh);
                assert_eq!(*before.entry(state).or_insert(number), number, "{state:?} with {example:?}");
            }
        }
    });
}
