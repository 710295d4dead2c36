//! Random programs to look at, one after the other.

use std::ops::Range;
use tightrope_ir::{Program, ProgramModel};
use tightrope_por::WithStubbornSets;
use tightrope_testkit::naive::{self, Explored};
use tightrope_testkit::random_rules::{Generated, show};

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
