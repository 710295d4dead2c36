//! Every search over every store, compared with the naive checker, on tiny models and random programs.
//!
//! `TIGHTROPE_SEED=17 cargo test -p tightrope-testkit` looks at the random program of that seed only; a failure prints
//! the seed. `cargo test -p tightrope-testkit -- --ignored` takes many more programs.

mod suite;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use suite::everything;
use suite::programs::{Shown, each_program, tiny_models};
use suite::rules::rules_make_their_steps;
use suite::sleep::{footprints_are_true, sleep_sets_agree};
use suite::stubborn::{limits_are_honest, stubborn_sets_agree};
use tightrope_ir::{Automaton, Program, ProgramModel, RuleSet};
use tightrope_por::WithStubbornSets;
use tightrope_search::searches_over_any_store;
use tightrope_testkit::naive::{self, Explored};
use tightrope_testkit::naive_rules::{self, Tried};
use tightrope_testkit::random;
use tightrope_testkit::random_rules::{self, Generated};

/// Programs with more states than this are left out: the naive checker is slow.
const MOST_STATES: usize = 3_000;
/// The same where there is time.
const MANY_STATES: usize = 20_000;

fn random_program(_: &Program, model: &WithStubbornSets<'_>, explored: &Explored) {
    everything(model, explored);
}

fn program_with_automata(_: &Generated, model: &WithStubbornSets<'_>, explored: &Explored) {
    rules_make_their_steps(model, explored, 100);
    everything(model, explored);
}

#[test]
fn tiny_models_agree() {
    tiny_models(everything);
}

#[test]
fn random_programs_agree() {
    each_program(random::program, 0..300, MOST_STATES, random_program);
}

#[test]
#[ignore = "takes minutes"]
fn many_random_programs_agree() {
    each_program(random::program, 1_000_000..1_020_000, MANY_STATES, random_program);
}

#[test]
fn programs_with_automata_agree() {
    each_program(random_rules::automata, 0..150, MOST_STATES, program_with_automata);
}

#[test]
#[ignore = "takes minutes"]
fn many_programs_with_automata_agree() {
    each_program(random_rules::automata, 1_000_000..1_010_000, MANY_STATES, program_with_automata);
}

/// Steps that are said to be independent commute, and sleep sets lose nothing.
#[test]
fn sleep_sets_lose_nothing() {
    let mut pairs = 0;
    each_program(random::program, 20_000..20_400, MOST_STATES, |_, model, explored| {
        pairs += footprints_are_true(model, explored);
        sleep_sets_agree(model, explored);
    });
    each_program(random_rules::plain, 20_000..20_300, MOST_STATES, |_, model, explored| {
        pairs += footprints_are_true(model, explored);
        sleep_sets_agree(model, explored);
    });
    assert!(pairs > 10_000, "only {pairs} pairs of independent steps");
}

/// Stubborn sets keep deadlocks and faults, and leave states out: of a thousand, at least so many in every search.
fn stubborn_sets_keep_what_matters<P: Shown>(make: fn(u64) -> P, seeds: Range<u64>, most: usize, least: u64) {
    let (mut left_out, mut states, mut number) = (vec![0; searches_over_any_store().count()], 0, 0);
    each_program(make, seeds, most, |_, model, explored| {
        number += 1;
        if number % 10 == 0 {
            limits_are_honest(model, explored);
        }
        let mut scratch = tightrope_core::Scratch::default();
        for state in explored.sample(20) {
            model.audit(state, &mut scratch).unwrap_or_else(|why| panic!("{why}, in {state:?}"));
        }
        let here = stubborn_sets_agree(model, explored);
        left_out.iter_mut().zip(here).for_each(|(all, here)| *all += here);
        states += explored.states.len() as u64;
    });
    for (search, left_out) in searches_over_any_store().zip(left_out) {
        println!("{}: {left_out} of {states} states are left out", search.name);
        // Of one program alone nothing is expected.
        let enough = std::env::var("TIGHTROPE_SEED").is_ok() || left_out * 1000 >= least * states;
        assert!(enough, "{}: only {left_out} of {states} are left out", search.name);
    }
}

#[test]
fn stubborn_sets_keep_what_matters_of_processes() {
    stubborn_sets_keep_what_matters(random::program, 30_000..30_500, MOST_STATES, 20);
}

#[test]
#[ignore = "takes minutes"]
fn stubborn_sets_keep_what_matters_of_many_processes() {
    stubborn_sets_keep_what_matters(random::program, 3_000_000..3_010_000, MOST_STATES, 20);
}

#[test]
fn stubborn_sets_keep_what_matters_of_rules() {
    stubborn_sets_keep_what_matters(random_rules::plain, 30_000..30_100, MOST_STATES, 1);
    stubborn_sets_keep_what_matters(random_rules::loose, 30_000..30_400, MOST_STATES, 50);
    stubborn_sets_keep_what_matters(random_rules::parts, 30_000..30_150, 1_000, 20);
}

#[test]
#[ignore = "takes minutes"]
fn stubborn_sets_keep_what_matters_of_many_rules() {
    stubborn_sets_keep_what_matters(random_rules::plain, 3_000_000..3_002_000, MOST_STATES, 1);
    stubborn_sets_keep_what_matters(random_rules::loose, 3_000_000..3_010_000, MOST_STATES, 50);
    stubborn_sets_keep_what_matters(random_rules::parts, 3_000_000..3_010_000, 1_000, 20);
}

#[test]
fn stubborn_sets_keep_what_matters_of_automata() {
    stubborn_sets_keep_what_matters(random_rules::automata, 30_000..30_100, MOST_STATES, 1);
    stubborn_sets_keep_what_matters(random_rules::loose_automata, 30_000..30_400, MOST_STATES, 50);
    stubborn_sets_keep_what_matters(random_rules::parts_with_automata, 30_000..30_150, 1_000, 20);
}

#[test]
#[ignore = "takes minutes"]
fn stubborn_sets_keep_what_matters_of_many_automata() {
    stubborn_sets_keep_what_matters(random_rules::automata, 3_000_000..3_002_000, MOST_STATES, 1);
    stubborn_sets_keep_what_matters(random_rules::loose_automata, 3_000_000..3_010_000, MOST_STATES, 50);
    stubborn_sets_keep_what_matters(random_rules::parts_with_automata, 3_000_000..3_010_000, 1_000, 20);
}

#[test]
#[ignore = "takes minutes"]
fn sleep_sets_lose_nothing_in_many_programs() {
    each_program(random::program, 2_000_000..2_010_000, MANY_STATES, |_, model, explored| {
        footprints_are_true(model, explored);
        sleep_sets_agree(model, explored);
    });
}

/// The index over locations finds the rules that trying all of them finds.
#[test]
fn rules_are_found_by_locations() {
    each_program(random_rules::automata, 10_000..11_000, MOST_STATES, |_, model, explored| {
        rules_make_their_steps(model, explored, 30);
    });
}

/// What the random programs are like, so that a change to the generator does not quietly empty the tests.
#[test]
fn random_programs_are_varied() {
    let (mut kinds, mut ends, mut holds, mut large) = (BTreeMap::new(), 0, 0, 0);
    let mut sizes = Vec::new();
    for seed in 0..300 {
        let model = ProgramModel::new(random::program(seed));
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

/// The program with other rules.
fn with(program: &Program, change: impl Fn(&mut RuleSet)) -> Program {
    let mut program = program.clone();
    program.rules.as_mut().into_iter().for_each(change);
    program
}

/// What happens in the reached states of a program with automata, in words.
fn traits_of(program: &Program, explored: &Explored) -> BTreeSet<String> {
    let rules = program.rules.as_ref().expect("made of rules");
    let relaxed = with(program, |rules| {
        rules.automata.iter_mut().flat_map(|one| &mut one.locations).for_each(|spot| spot.committed = false);
    });
    let level = with(program, |rules| rules.rules.iter_mut().for_each(|rule| rule.priority = 0));
    let first_test = with(&level, |rules| {
        for rule in &mut rules.rules {
            rule.tests.truncate(1);
            rule.body.clear();
        }
    });
    let rule_of = |tried: &Tried| &rules.rules[(tried.step.action >> 40) as usize];
    let mut traits: BTreeSet<String> = explored.faults.keys().map(|kind| format!("fault: {kind}")).collect();
    let mut note = |holds: bool, what: &str| _ = holds.then(|| traits.insert(what.to_string()));
    note(explored.faults.is_empty(), "holds");
    note(explored.states.len() > 100, "more than 100 states");
    for state in explored.states.iter().take(200) {
        let (steps, of_level) = (naive_rules::steps(program, state), naive_rules::steps(&level, state));
        let is_failed = rules.failed.as_deref() == Some(state);
        note(is_failed, "the failed state");
        let without_urgency = naive_rules::steps(&relaxed, state);
        note(steps.is_empty() && !is_failed && without_urgency.is_empty(), "stuck");
        note(steps.is_empty() && !without_urgency.is_empty(), "stuck by urgency");
        note(steps.len() < without_urgency.len(), "fewer steps by urgency");
        note(steps.len() < of_level.len(), "fewer steps by priority");
        let nowhere = |one: &Automaton| one.location(state) as usize >= one.locations.len();
        note(!is_failed && rules.automata.iter().any(nowhere), "nowhere");
        let moves_along = |one: &Automaton| one.passive && !one.locations.iter().any(|spot| spot.committed);
        let along = rules.automata.iter().position(moves_along).map(|one| one as u32);
        for tried in &steps {
            let rule = rule_of(tried);
            let (took_part, grouped) = (rule.from.len(), rule.group.is_some());
            note(true, &format!("a step from {took_part} locations"));
            note(grouped && took_part > 1, "a step of a group");
            note(grouped && tried.fault.is_some(), "a step of a group that fails");
            note(took_part > 0 && tried.fault.is_some() && tried.to.is_none(), "a step that leads nowhere");
            let together = steps.iter().filter(|other| grouped && rule_of(other).group == rule.group);
            note(together.count() > 1, "two steps of one group");
            let comes_along = rule.from.iter().any(|(automaton, _)| Some(*automaton) == along);
            note(comes_along && steps.len() < without_urgency.len(), "along with urgent ones");
        }
        // The first test runs into trouble, and another one is not passed.
        let troubled = naive_rules::steps(&first_test, state);
        let troubled = troubled.iter().filter(|tried| tried.fault.is_some() && !rule_of(tried).from.is_empty());
        let disabled: Vec<&Tried> =
            troubled.filter(|tried| of_level.iter().all(|other| other.step != tried.step)).collect();
        note(!disabled.is_empty(), "disabled in spite of trouble");
        note(disabled.iter().any(|tried| rule_of(tried).group.is_some()), "disabled in a group in spite of trouble");
    }
    traits
}

#[test]
fn programs_with_automata_are_varied() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..300 {
        let program = random_rules::automata(seed).program;
        let Some(explored) = naive::explore(&ProgramModel::new(program.clone()), MOST_STATES) else { continue };
        traits_of(&program, &explored).into_iter().for_each(|one| *counts.entry(one).or_default() += 1);
    }
    println!("{counts:#?}");
    for (what, least) in [
        ("a step from 0 locations", 100),
        ("a step from 1 locations", 100),
        ("a step from 2 locations", 80),
        ("a step from 3 locations", 15),
        ("a step of a group", 60),
        ("a step of a group that fails", 20),
        ("a step that leads nowhere", 15),
        ("along with urgent ones", 2),
        ("disabled in a group in spite of trouble", 6),
        ("disabled in spite of trouble", 8),
        ("fault: bounds", 25),
        ("fault: deadlock", 50),
        ("fault: division", 15),
        ("fault: range", 20),
        ("fewer steps by priority", 15),
        ("fewer steps by urgency", 25),
        ("holds", 25),
        ("more than 100 states", 30),
        ("nowhere", 4),
        ("stuck", 12),
        ("stuck by urgency", 10),
        ("the failed state", 15),
        ("two steps of one group", 35),
    ] {
        let count = counts.get(what).copied().unwrap_or_default();
        assert!(count >= least, "{count} programs with: {what}");
    }
}
