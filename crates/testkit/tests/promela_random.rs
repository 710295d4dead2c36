//! Random Promela texts: every search with every reduction, with and without a cache, by the interpreter and as machine
//! code, compared with the naive checker.
//!
//! `TIGHTROPE_SEED=17 cargo test -p tightrope-testkit --test promela_random` looks at one program; a failure prints the
//! seed and a smaller program that fails in the same way. `TIGHTROPE_PROGRAMS=N … -- --ignored` looks at many, from
//! `TIGHTROPE_FIRST` on; with `TIGHTROPE_FOUND=DIR` small failing programs are written there.

mod suite;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use suite::promela::{Failure, Looked, compare, smaller};
use tightrope_testkit::random_promela::{self, Generated, Profile};

/// Programs with more states than this are left out: the naive checker is slow.
const MOST_STATES: usize = 3_000;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// What a run saw.
#[derive(Default)]
struct Tally {
    programs: u64,
    refused: Vec<(u64, String)>,
    too_large: u64,
    states: u64,
    left_out: Vec<u64>,
    failed: BTreeMap<String, Vec<u64>>,
}

impl Tally {
    fn look(&mut self, seed: u64, made: &Generated, machine_code: bool) -> Option<Failure> {
        self.programs += 1;
        match compare(&made.text, &made.goal, MOST_STATES, machine_code) {
            Ok(Looked::Refused(why)) => self.refused.push((seed, why)),
            Ok(Looked::TooLarge) => self.too_large += 1,
            Ok(Looked::Compared { states, left_out }) => {
                self.states += states;
                self.left_out.resize(left_out.len(), 0);
                self.left_out.iter_mut().zip(left_out).for_each(|(all, here)| *all += here);
            }
            Err(failure) => {
                self.failed.entry(failure.class.clone()).or_default().push(seed);
                return Some(failure);
            }
        }
        None
    }

    fn report(&self) -> String {
        let mut text = format!(
            "{} programs: {} refused, {} too large, {} states, left out by stubborn sets {:?}\n",
            self.programs,
            self.refused.len(),
            self.too_large,
            self.states,
            self.left_out
        );
        for (class, seeds) in &self.failed {
            let _ = writeln!(text, "{:5} × {class}: {:?}", seeds.len(), &seeds[..seeds.len().min(12)]);
        }
        text
    }
}

fn shown(seed: u64, made: &Generated, failure: &Failure, patience: Duration) -> String {
    let small = smaller(made, failure, MOST_STATES, patience);
    let Failure { class, detail } = failure;
    format!("/* TIGHTROPE_SEED={seed} ({:?}) {class}: {detail}; goal '{}' */\n{small}", made.profile, made.goal)
}

/// Looks at the programs of these seeds, or of `TIGHTROPE_SEED` alone. All that fail are counted, by class, and the first
/// of each class are shown.
fn look_at(seeds: std::ops::Range<u64>, machine_code_every: u64, shown_per_class: usize, shown_in_all: usize) {
    let alone = number("TIGHTROPE_SEED");
    let seeds = alone.map_or(seeds, |seed| seed..seed + 1);
    let found = std::env::var("TIGHTROPE_FOUND").ok();
    // What panics is reported with the program; a backtrace for each attempt to make it smaller is of no use.
    std::panic::set_hook(Box::new(|_| {}));
    let (mut tally, mut texts) = (Tally::default(), Vec::new());
    let start = Instant::now();
    for seed in seeds {
        let made = random_promela::program(seed);
        let machine_code = alone.is_some() || seed % machine_code_every == 0;
        if let Some(failure) = tally.look(seed, &made, machine_code)
            && tally.failed[&failure.class].len() <= shown_per_class
            && texts.len() < shown_in_all
        {
            let text = shown(seed, &made, &failure, Duration::from_secs(10));
            if let Some(folder) = &found {
                std::fs::write(format!("{folder}/random_{seed}.pml"), &text).expect("TIGHTROPE_FOUND is a folder");
            }
            texts.push(text);
        }
    }
    let _ = std::panic::take_hook();
    let seconds = start.elapsed().as_secs_f64();
    println!("{}{:.1} s", tally.report(), seconds);
    let refused = tally.refused.len() as u64;
    for (seed, why) in tally.refused.iter().take(5) {
        println!("refused, TIGHTROPE_SEED={seed}: {why}");
    }
    assert!(texts.is_empty(), "{}\n{}", tally.report(), texts.join("\n"));
    assert!(refused * 100 <= tally.programs * 3, "{refused} of {} programs are refused", tally.programs);
    let left = tally.too_large + refused;
    assert!(alone.is_some() || left * 4 <= tally.programs, "{left} of {} programs are of no use", tally.programs);
}

#[test]
fn random_texts_agree() {
    look_at(0..1000, 4, 1, 6);
}

#[test]
#[ignore = "takes minutes; TIGHTROPE_PROGRAMS says how many"]
fn many_random_texts_agree() {
    let first = number("TIGHTROPE_FIRST").unwrap_or(1_000_000);
    look_at(first..first + number("TIGHTROPE_PROGRAMS").unwrap_or(20_000), 10, 5, 200);
}

/// What the random programs are like, so that a change to the generator does not quietly empty the test.
#[test]
fn random_texts_are_varied() {
    let (mut kinds, mut sizes, mut profiles) = (BTreeMap::new(), Vec::new(), BTreeMap::new());
    for seed in 0..1500 {
        let made = random_promela::program(seed);
        let Ok(program) = suite::promela::load(&made.text, Some(&made.goal)) else { continue };
        let model = tightrope_ir::ProgramModel::new(program);
        let Some(explored) = tightrope_testkit::naive::explore(&model, MOST_STATES) else { continue };
        sizes.push(explored.states.len());
        *profiles.entry(format!("{:?}", made.profile)).or_insert(0) += 1;
        for kind in explored.faults.keys() {
            *kinds.entry(*kind).or_insert(0) += 1;
        }
        *kinds.entry("holds").or_insert(0) += u64::from(explored.violations(true) == 0);
    }
    sizes.sort_unstable();
    let deciles: Vec<usize> = (0..10).map(|tenth| sizes[tenth * sizes.len() / 10]).collect();
    println!("{kinds:?}; {profiles:?}; sizes {deciles:?}");
    for kind in ["assertion", "deadlock", "channel", "atomicity", "event", "goal", "holds", "bounds", "division"] {
        assert!(kinds.get(kind).is_some_and(|&count| count >= 2), "too few programs with: {kind}");
    }
    assert_eq!(profiles.len(), Profile::ALL.len());
    assert!(deciles[7] > 30, "too small: {deciles:?}");
}
