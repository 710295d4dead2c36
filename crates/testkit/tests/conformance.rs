//! Every search over every store, compared with the naive checker, on tiny models and random programs.
//!
//! `TIGHTROPE_SEED=17 cargo test -p tightrope-testkit` looks at the random program of that seed only; a failure prints
//! the seed. `cargo test -p tightrope-testkit -- --ignored` takes many more programs.

mod suite;

use tightrope_core::Model;
use tightrope_ir::Interpreter;
use tightrope_testkit::{dump, naive, random, tiny};

/// Programs with more states than this are left out: the naive checker is slow.
const MOST_STATES: usize = 3_000;
/// The same where there is time.
const MANY_STATES: usize = 20_000;

/// Prints what was being looked at when a test panics.
struct OnPanic<'a>(&'a dyn Fn() -> String);

impl Drop for OnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", (self.0)());
        }
    }
}

fn tiny_models(check: impl Fn(&dyn Model, &naive::Explored)) {
    for model in tiny::all() {
        let what = || format!("the tiny model `{}`", model.name);
        let _guard = OnPanic(&what);
        check(&model, &naive::explore(&model, MOST_STATES).expect("tiny"));
    }
}

fn random_programs(seeds: std::ops::Range<u64>, most_states: usize, check: impl Fn(&dyn Model, &naive::Explored)) {
    let seeds = match std::env::var("TIGHTROPE_SEED") {
        Ok(seed) => {
            let seed: u64 = seed.parse().expect("TIGHTROPE_SEED is a number");
            seed..seed + 1
        }
        Err(_) => seeds,
    };
    let (mut looked_at, count) = (0, seeds.end - seeds.start);
    for seed in seeds {
        let program = random::program(seed);
        let what = || format!("to see it again: TIGHTROPE_SEED={seed}\n{}", dump::dump(&program));
        let _guard = OnPanic(&what);
        let model = Interpreter::new(program.clone());
        if let Some(explored) = naive::explore(&model, most_states) {
            looked_at += 1;
            check(&model, &explored);
        }
    }
    assert!(looked_at * 10 >= count * 6, "only {looked_at} of {count} programs are small enough to be of use");
}

fn everything(model: &dyn Model, explored: &naive::Explored) {
    suite::model_is_consistent(model, explored);
    suite::encodings_are_exact(model, explored);
    suite::exploration_agrees(model, explored);
    suite::verdicts_agree(model, explored);
    suite::limits_are_honest(model, explored);
    suite::budgets_are_kept(model, explored);
}

#[test]
fn tiny_models_agree() {
    tiny_models(everything);
}

#[test]
fn random_programs_agree() {
    random_programs(0..300, MOST_STATES, everything);
}

#[test]
#[ignore = "takes minutes"]
fn many_random_programs_agree() {
    random_programs(1_000_000..1_020_000, MANY_STATES, everything);
}

/// What the random programs are like, so that a change to the generator does not quietly empty the tests.
#[test]
fn random_programs_are_varied() {
    let (mut kinds, mut ends, mut holds, mut large) = (std::collections::BTreeMap::new(), 0, 0, 0);
    let mut sizes = Vec::new();
    for seed in 0..300 {
        let model = Interpreter::new(random::program(seed));
        let Some(explored) = naive::explore(&model, MANY_STATES) else {
            sizes.push(MANY_STATES);
            continue;
        };
        sizes.push(explored.states.len());
        for kind in explored.faults.keys() {
            *kinds.entry(*kind).or_insert(0) += 1;
        }
        ends += u64::from(explored.ends > 0);
        holds += u64::from(explored.faults.is_empty());
        large += u64::from(explored.states.len() > 100);
    }
    sizes.sort_unstable();
    let deciles: Vec<usize> = (0..10).map(|tenth| sizes[tenth * sizes.len() / 10]).collect();
    println!("{kinds:?}; {ends} can end, {holds} hold, {large} have more than 100 states; sizes {deciles:?}");
    for kind in ["assertion", "deadlock", "bounds", "division", "channel", "atomicity"] {
        assert!(kinds.get(kind).is_some_and(|&count| count >= 2), "too few programs with a fault of kind {kind}");
    }
    assert!(ends > 20 && holds > 20 && large > 90);
}
