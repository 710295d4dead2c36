//! Machine code and the interpreter on random rules: the same steps, states, faults and verdicts, in the same order.
//!
//! `TIGHTROPE_SEED=17 cargo test -p tightrope-jit --test random` looks at the programs of that seed only.

mod compare;

use compare::Compare;
use std::ops::Range;
use tightrope_core::Model;
use tightrope_ir::ProgramModel;
use tightrope_testkit::random::Rng;
use tightrope_testkit::random_rules::{self, Generated, show};

const MOST_STATES: usize = 400;

fn seeds(seeds: Range<u64>) -> Range<u64> {
    match std::env::var("TIGHTROPE_SEED") {
        Ok(seed) => {
            let seed: u64 = seed.parse().expect("TIGHTROPE_SEED is a number");
            seed..seed + 1
        }
        Err(_) => seeds,
    }
}

/// Prints what was being looked at when a test panics.
struct OnPanic<'a>(u64, &'a Generated);

impl Drop for OnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("to see it again: TIGHTROPE_SEED={}\n{}", self.0, show(self.1));
        }
    }
}

fn agrees(make: fn(u64) -> Generated, range: Range<u64>) {
    let (mut compared, mut refused) = (0, Vec::new());
    for seed in seeds(range) {
        let generated = make(seed);
        let _guard = OnPanic(seed, &generated);
        let compare = match seed % 4 {
            0 => Compare::late(&generated.program, (seed / 4 % 20) as usize),
            _ => Compare::new(&generated.program),
        };
        match compare {
            Err(why) => refused.push((seed, why)),
            Ok(mut compare) => {
                compared += compare.explore(MOST_STATES);
                elsewhere(&mut compare, &generated, seed);
            }
        }
    }
    for (seed, why) in &refused {
        println!("seed {seed} is not compiled: {why}");
    }
    println!("{compared} states agree, {} programs are not compiled", refused.len());
    assert!(refused.len() as u64 <= compared as u64 / 100, "too many programs are not compiled");
}

/// States that are not reached: automata elsewhere, some of them nowhere; bytes that mean nothing.
fn elsewhere(compare: &mut Compare, generated: &Generated, seed: u64) {
    let mut rng = Rng::new(seed);
    let rules = generated.program.rules.as_ref().expect("made of rules");
    let mut states = Vec::new();
    ProgramModel::new(generated.program.clone()).initial(&mut |state| states.push(state.to_vec()));
    for state in states.iter().take(2) {
        for _ in 0..20 {
            let mut state = state.clone();
            for automaton in &rules.automata {
                let count = automaton.locations.len();
                let location = if rng.chance(10) { count } else { rng.below(count) };
                automaton.repr.store(&mut state, automaton.offset as usize, location as i32);
            }
            compare.state(&state);
        }
    }
}

#[test]
fn plain_programs() {
    agrees(random_rules::plain, 0..1000);
}

#[test]
fn symmetric_programs() {
    agrees(random_rules::symmetric, 0..1000);
}

#[test]
fn programs_with_automata() {
    agrees(random_rules::automata, 0..1000);
}

#[test]
#[ignore = "takes minutes"]
fn many_programs() {
    for make in [random_rules::plain, random_rules::symmetric, random_rules::automata] {
        agrees(make, 1_000_000..1_010_000);
    }
}
