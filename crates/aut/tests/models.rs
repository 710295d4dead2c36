//! The models in `models/aut`, searched through the interface that every search uses.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tightrope_aut::{AutModel, Equivalence, Lts, equivalent, minimise, read, read_text};
use tightrope_core::{Fired, Model, Scratch, Step, StepClass, Successors, Terminal, moves};
use tightrope_syntax::{Diagnostics, SourceMap};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/aut")
}

fn load(name: &str) -> Lts {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let lts = read(&folder().join(name), &mut sources, &mut diagnostics);
    lts.unwrap_or_else(|| panic!("{}", diagnostics.render(&sources, false)))
}

fn from_text(text: &str) -> AutModel {
    let lts = read_text("x.aut", text.as_bytes(), &mut SourceMap::new(), &mut Diagnostics::new());
    AutModel::new(lts.expect("the text is fine"))
}

/// The numbers of reachable states, of those without a step, and of breadth-first levels.
fn search(model: &AutModel) -> (u64, u64, u64) {
    let (mut seen, mut level) = (BTreeSet::new(), Vec::new());
    model.initial(&mut |state| {
        seen.insert(state.to_vec());
        level.push(state.to_vec());
    });
    let (mut out, mut scratch) = (Successors::new(), Scratch::default());
    let (mut deadlocks, mut levels) = (0, 0);
    while !level.is_empty() {
        levels += 1;
        let mut next = Vec::new();
        for state in &level {
            model.successors(state, &mut out);
            assert_eq!(out.is_empty(), out.terminal == Terminal::Deadlock);
            deadlocks += u64::from(out.is_empty());
            for at in 0..out.len() {
                let reached = out.state(at).expect("steps do not fail").to_vec();
                let mut fired = Vec::new();
                assert_eq!(model.fire(state, out.step(at), &mut fired, &mut scratch), Fired::Done);
                assert_eq!(fired, reached);
                assert_eq!(moves(model, state, out.step(at)).len(), 1);
                if seen.insert(reached.clone()) {
                    next.push(reached);
                }
            }
        }
        level = next;
    }
    (seen.len() as u64, deadlocks, levels)
}

#[test]
fn the_models_are_as_expected() {
    let table = std::fs::read_to_string(folder().join("expected.tsv")).expect("it is in the repository");
    let readme = std::fs::read_to_string(folder().join("README.md")).expect("it is in the repository");
    let mut listed = BTreeSet::new();
    for line in table.lines().skip(1) {
        let (name, numbers) = line.split_once('\t').expect("a name and numbers");
        let expected: Vec<u64> = numbers.split('\t').map(|number| number.parse().expect("a number")).collect();
        let model = AutModel::new(load(name));
        let (reachable, deadlocks, levels) = search(&model);
        let (states, transitions) = (u64::from(model.lts().states()), u64::from(model.lts().transitions()));
        assert_eq!([states, transitions, deadlocks, levels, reachable].as_slice(), expected, "{name}");
        let row = format!("| {} |", numbers.replace('\t', " | "));
        assert!(readme.lines().any(|line| line.contains(name) && line.ends_with(&row)), "{name} in README.md");
        listed.insert(name.to_string());
    }
    let files = std::fs::read_dir(folder()).expect("it is in the repository").flatten();
    let names = files.map(|file| file.file_name().to_string_lossy().into_owned());
    let present: BTreeSet<String> = names.filter(|name| name.ends_with(".aut")).collect();
    assert_eq!(present, listed);
}

#[test]
fn implementations_meet_their_specifications() {
    for (specification, implementation) in [
        ("alternating_bit_specification.aut", "alternating_bit_protocol.aut"),
        ("buffer.aut", "buffer_of_two_cells.aut"),
    ] {
        let (specification, implementation) = (load(specification), load(implementation));
        assert!(equivalent(&specification, &implementation, Equivalence::Branching));
        assert!(!equivalent(&specification, &implementation, Equivalence::Strong));
        let small = minimise(&implementation, Equivalence::Branching);
        assert_eq!((small.states(), small.transitions()), (specification.states(), specification.transitions()));
    }
    assert!(!equivalent(&load("buffer.aut"), &load("vending_machine.aut"), Equivalence::Branching));
}

#[test]
fn steps_are_in_the_order_of_the_file() {
    let model = from_text("des (1, 5, 3)\n(1, b, 0)\n(0, \"c d\", 2)\n(1, a, 2)\n(1, b, 0)\n(1, i, 1)\n");
    let mut out = Successors::new();
    model.successors(&1u32.to_le_bytes(), &mut out);
    let label = |step| moves(&model, &1u32.to_le_bytes(), step).remove(0).action;
    assert_eq!(out.steps().map(label).collect::<Vec<_>>(), ["b", "a", "b", "i"]);
    let targets: Vec<u8> = (0..4).map(|at| out.state(at).expect("steps do not fail")[0]).collect();
    assert_eq!(targets, [0, 2, 0, 1]);
    assert_eq!(out.steps().collect::<BTreeSet<_>>().len(), 4, "equal transitions are different steps");
    assert_eq!(model.step_class(&[1, 0, 0, 0], out.step(3)), StepClass::new(0));
    assert_eq!(model.standing(&1u32.to_le_bytes()).len(), 4);
    assert!(model.standing(&2u32.to_le_bytes()).is_empty());
    let schema = model.schema();
    assert_eq!((schema.fixed_size, schema.fixed[0].range), (4, (0, 2)));
}

#[test]
fn nonsense_is_disabled() {
    let model = from_text("des (0, 1, 2)\n(0, a, 1)\n");
    let good = Step { action: 0, choice: 0 };
    let (mut to, mut scratch, mut out) = (vec![9], Scratch::default(), Successors::new());
    for state in [&[][..], &[0], &[0, 0, 0], &[1, 0, 0, 0], &[0, 0, 0, 1], &[255; 4], &[0; 5]] {
        assert_eq!(model.fire(state, good, &mut to, &mut scratch), Fired::Disabled);
        assert!(moves(&model, state, good).is_empty() && model.standing(state).is_empty());
        model.successors(state, &mut out);
        assert!(out.is_empty());
    }
    for (action, choice) in [(1, 0), (0, 1), (u64::MAX, 0), (0, u32::MAX), (1 << 32, 0)] {
        let step = Step { action, choice };
        assert_eq!(model.fire(&[0; 4], step, &mut to, &mut scratch), Fired::Disabled);
        assert!(moves(&model, &[0; 4], step).is_empty());
        model.step_class(&[0; 4], step);
    }
    assert_eq!(model.fire(&[0; 4], good, &mut to, &mut scratch), Fired::Done);
    assert_eq!(to, [1, 0, 0, 0]);
}

#[test]
fn numbers_past_31_bits_are_states() {
    let model = from_text("des (4294967294, 1, 4294967295)\n(4294967294, a, 4294967293)\n");
    assert_eq!(search(&model), (2, 1, 2));
    assert_eq!(model.schema().fixed[0].range, (i32::MIN, i32::MAX));
}
