//! Random programs to look at, one after the other.
#![allow(dead_code)]

use std::ops::Range;
use tightrope_core::Model;
use tightrope_ir::{Program, ProgramModel};
use tightrope_por::WithStubbornSets;
use tightrope_reduce::Symmetric;
use tightrope_testkit::naive::{self, Explored};
use tightrope_testkit::random_rules::{self, Generated, show};
use tightrope_testkit::{random, tiny};

/// Programs with a symmetry that have more states than this are left out, and tiny models have fewer.
const MOST_TO_REDUCE: usize = 3_000;

/// Prints what was being looked at when a test panics.
pub struct OnPanic<'a>(pub &'a dyn Fn() -> String);

impl Drop for OnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", (self.0)());
        }
    }
}

/// A program, and how it is shown.
pub trait Shown {
    fn program(&self) -> &Program;
    fn text(&self) -> String;
}

impl Shown for Program {
    fn program(&self) -> &Program {
        self
    }

    fn text(&self) -> String {
        tightrope_testkit::dump::dump(self)
    }
}

impl Shown for Generated {
    fn program(&self) -> &Program {
        &self.program
    }

    fn text(&self) -> String {
        show(self)
    }
}

/// Calls `check` with every tiny model, and says which one it was if that panics.
pub fn tiny_models(check: impl Fn(&dyn Model, &Explored)) {
    for model in tiny::all() {
        let what = || format!("the tiny model `{}`", model.name);
        let _guard = OnPanic(&what);
        check(&model, &naive::explore(&model, MOST_TO_REDUCE).expect("tiny"));
    }
}

/// Calls `check` with random programs of every kind: without rules, with rules, with rules over automata, and with rules
/// up to renaming; so many of each, with seeds from `first` on. Programs with more than `most_states` states are left out.
pub fn every_kind(most_states: usize, first: u64, counts: [u64; 4], mut check: impl FnMut(&dyn Model, &Explored)) {
    let [plain, rules, automata, symmetric] = counts.map(|count| first..first + count);
    each_program(random::program, plain, most_states, |_, model, explored| check(model, explored));
    each_program(random_rules::loose, rules, most_states, |_, model, explored| check(model, explored));
    each_program(random_rules::loose_automata, automata, most_states, |_, model, explored| check(model, explored));
    each_program(random_rules::loose_symmetric, symmetric, MOST_TO_REDUCE, |_, model, _| {
        let reduced = Symmetric::new(model).expect("it has a symmetry");
        check(&reduced, &naive::explore(&reduced, MOST_TO_REDUCE).expect("fewer than without"));
    });
}

/// Calls `check` with the program of every seed, or of `TIGHTROPE_SEED` alone, and says which one it was if that panics.
/// Programs with more than `most_states` states are left out.
pub fn each_program<P: Shown>(
    make: fn(u64) -> P,
    seeds: Range<u64>,
    most_states: usize,
    mut check: impl FnMut(&P, &WithStubbornSets<'_>, &Explored),
) {
    let seeds = match std::env::var("TIGHTROPE_SEED") {
        Ok(seed) => {
            let seed: u64 = seed.parse().expect("TIGHTROPE_SEED is a number");
            seed..seed + 1
        }
        Err(_) => seeds,
    };
    let (mut looked_at, count) = (0, seeds.end - seeds.start);
    for seed in seeds {
        let made = make(seed);
        let what = || format!("to see it again: TIGHTROPE_SEED={seed}\n{}", made.text());
        let _guard = OnPanic(&what);
        let interpreter = ProgramModel::new(made.program().clone());
        let model = WithStubbornSets::new(&interpreter, interpreter.program().clone());
        if let Some(explored) = naive::explore(&model, most_states) {
            looked_at += 1;
            check(&made, &model, &explored);
        }
    }
    assert!(looked_at * 10 >= count * 6, "only {looked_at} of {count} programs are small enough to be of use");
}
