//! Random rules and automata: every search with every reduction, with and without a cache, compared with the naive checker.
//!
//! `TIGHTROPE_SEED=17 cargo test -p tightrope-testkit --test rules_random` looks at the programs of one seed;
//! `TIGHTROPE_PROGRAMS=N … -- --ignored` looks at many, from `TIGHTROPE_FIRST` on.

mod suite;

use suite::programs::{OnPanic, Shown};
use suite::promela::reductions_agree;
use tightrope_ir::ProgramModel;
use tightrope_por::WithStubbornSets;
use tightrope_testkit::naive;
use tightrope_testkit::random_rules::{self, Generated};

/// Programs with more states than this are left out: the naive checker is slow.
const MOST_STATES: usize = 500;

/// A generator, by its name.
type Kind = (&'static str, fn(u64) -> Generated);

const KINDS: [Kind; 8] = [
    ("loose", random_rules::loose),
    ("loose automata", random_rules::loose_automata),
    ("parts", random_rules::parts),
    ("parts with automata", random_rules::parts_with_automata),
    ("symmetric parts", random_rules::symmetric_parts),
    ("loose symmetric", random_rules::loose_symmetric),
    ("plain", random_rules::plain),
    ("automata", random_rules::automata),
];

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// Looks at the programs of these seeds, or of `TIGHTROPE_SEED` alone: one kind after the other.
fn look_at(seeds: std::ops::Range<u64>) {
    let seeds = number("TIGHTROPE_SEED").map_or(seeds, |seed| seed..seed + 1);
    let (mut compared, mut too_large, mut states, mut left_out) = (0, 0, 0, Vec::new());
    for seed in seeds {
        let (name, make) = KINDS[(seed % KINDS.len() as u64) as usize];
        let made = make(seed);
        let what = || format!("to see it again: TIGHTROPE_SEED={seed} ({name})\n{}", made.text());
        let _guard = OnPanic(&what);
        let interpreter = ProgramModel::new(made.program().clone());
        let model = WithStubbornSets::new(&interpreter, interpreter.program().clone());
        let Some(explored) = naive::explore(&model, MOST_STATES) else {
            too_large += 1;
            continue;
        };
        let here = reductions_agree(&model, &explored).unwrap_or_else(|failure| panic!("{failure:?}"));
        compared += 1;
        states += explored.states.len() as u64;
        left_out.resize(here.len(), 0);
        left_out.iter_mut().zip(here).for_each(|(all, here): (&mut u64, u64)| *all += here);
    }
    println!("{compared} programs compared, {too_large} too large, {states} states, left out {left_out:?}");
    assert!(number("TIGHTROPE_SEED").is_some() || compared * 10 > too_large * 20, "most are too large");
}

#[test]
fn random_rules_agree() {
    look_at(0..300);
}

/// A condition behind one that fails, with an index out of bounds, is no reason for its rule to be disabled.
#[test]
fn conditions_behind_one_that_fails() {
    look_at(5_001_415..5_001_416);
}

#[test]
#[ignore = "takes minutes; TIGHTROPE_PROGRAMS says how many"]
fn many_random_rules_agree() {
    let first = number("TIGHTROPE_FIRST").unwrap_or(1_000_000);
    look_at(first..first + number("TIGHTROPE_PROGRAMS").unwrap_or(20_000));
}
