//! No input makes the reader panic, and whatever it refuses it says where.

use proptest::prelude::*;
use tightrope_aut::{AutModel, Equivalence, equivalent, minimise, read_text};
use tightrope_core::{Model, Successors};
use tightrope_syntax::{Diagnostics, SourceMap};

/// Reads anything: either there is a system, or an error with a place. A system is then used.
fn try_out(bytes: &[u8]) {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let Some(lts) = read_text("x.aut", bytes, &mut sources, &mut diagnostics) else {
        assert!(diagnostics.has_errors());
        for diagnostic in &diagnostics {
            assert!(diagnostic.span().is_some(), "{}", diagnostic.message);
            let shown = diagnostic.render(&sources, false);
            assert!(shown.contains("x.aut:"), "{shown}");
        }
        return;
    };
    assert!(diagnostics.is_empty());
    for equivalence in Equivalence::ALL {
        let small = minimise(&lts, equivalence);
        assert!(small.states() <= lts.states() && equivalent(&lts, &small, equivalence));
    }
    let model = AutModel::new(lts);
    model.initial(&mut |state| model.successors(state, &mut Successors::new()));
}

/// A good file, made of parts that a careless hand may mix up.
fn files() -> impl Strategy<Value = Vec<u8>> {
    let label = prop_oneof![
        Just("i".to_string()),
        Just("\"tau\"".to_string()),
        Just("\"a \\\"b\\\" c\"".to_string()),
        Just("c(1,2)".to_string()),
        "\"[a-c,() ]{0,5}\"",
    ];
    let end = prop_oneof![Just("\n"), Just("\r\n"), Just(" \n\n")];
    (1..6u32, end).prop_flat_map(move |(states, end)| {
        let transition = (0..states, label.clone(), 0..states);
        prop::collection::vec(transition, 0..8).prop_map(move |transitions| {
            let mut text = format!("des (0, {}, {states}){end}", transitions.len());
            for (from, label, to) in transitions {
                text.push_str(&format!("({from}, {label}, {to}){end}"));
            }
            text.into_bytes()
        })
    })
}

/// Pieces that are put in somewhere.
const PIECES: [&[u8]; 16] = [
    b"\"",
    b"\\",
    b",",
    b"(",
    b")",
    b"\n",
    b"\r",
    b" ",
    b"0",
    b"-",
    b"4294967296",
    b"99999999999999999999",
    b"des (0, 0, 1)",
    b"\xff\xfe",
    b"\0",
    "ö".as_bytes(),
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn good_files_are_accepted(file in files()) {
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let lts = read_text("x.aut", &file, &mut sources, &mut diagnostics);
        prop_assert!(lts.is_some(), "{}", diagnostics.render(&sources, false));
        try_out(&file);
    }

    #[test]
    fn truncated_files(file in files(), at in any::<prop::sample::Index>()) {
        try_out(&file[..at.index(file.len() + 1)]);
    }

    #[test]
    fn changed_files(
        mut file in files(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..PIECES.len(), 0..4usize), 1..4),
    ) {
        for (at, piece, removed) in changes {
            let at = at.index(file.len() + 1);
            let end = (at + removed).min(file.len());
            file.splice(at..end, PIECES[piece].iter().copied());
        }
        try_out(&file);
    }

    #[test]
    fn wrong_counts(file in files(), counts in prop::array::uniform3(prop_oneof![0..9u64, any::<u64>()])) {
        let rest = file.iter().position(|&byte| byte == b'\n').map_or(&[][..], |at| &file[at..]);
        let [initial, transitions, states] = counts;
        try_out(&[format!("des ({initial}, {transitions}, {states})").as_bytes(), rest].concat());
    }

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        try_out(&bytes);
        try_out(&[b"des (0, 2, 3)\n(0, ".as_slice(), &bytes].concat());
    }
}
