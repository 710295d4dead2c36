//! Symmetry reduction, compared with orbits that are computed by trying all renamings; and rules without symmetry,
//! compared with the naive checker like everything else.
//!
//! `TIGHTROPE_SEED=17 cargo test -p tightrope-testkit --test symmetry` looks at the random program of that seed only.

mod suite;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;
use suite::programs::each_program;
use suite::rules::rules_make_their_steps;
use suite::sleep::{footprints_are_true, sleep_sets_agree};
use suite::stubborn::{check_persistence, stubborn_searches_agree};
use suite::{everything, everything_but_names, exact_stores};
use tightrope_core::{Budget, Claim, Model, Scratch, SearchConfig, Successors, Symmetry, Terminal, Verdict, Violation};
use tightrope_ir::ProgramModel;
use tightrope_por::WithStubbornSets;
use tightrope_reduce::{Canonical, Symmetric};
use tightrope_search::{Task, searches_over_any_store};
use tightrope_store::{Site, make};
use tightrope_testkit::naive::{self, Explored};
use tightrope_testkit::random::Rng;
use tightrope_testkit::random_rules::{self, Form, Generated, Renaming, World, permutations};
use tightrope_trace::replay;

/// Programs with more states than this are left out: the naive checker is slow.
const MOST_STATES: usize = 1_000;
/// The same where there is time.
const MANY_STATES: usize = 3_000;

/// Sleep sets, stubborn sets, and both.
const REDUCED: [(bool, bool); 3] = [(true, false), (false, true), (true, true)];

/// The orbit of each state, by its least member.
fn orbits(world: &World, states: &HashSet<Vec<u8>>) -> HashMap<Vec<u8>, Vec<u8>> {
    let renamings = world.renamings();
    let mut orbits = HashMap::new();
    for state in states {
        if orbits.contains_key(state) {
            continue;
        }
        let members: HashSet<Vec<u8>> = renamings.iter().map(|renaming| world.rename(state, renaming)).collect();
        let least = members.iter().min().expect("at least the state itself").clone();
        orbits.extend(members.into_iter().map(|member| (member, least.clone())));
    }
    orbits
}

fn random_renaming(world: &World, rng: &mut Rng) -> Renaming {
    world.sets.iter().map(|&size| rng.pick(&permutations(size as usize)).clone()).collect()
}

/// The steps of a state as a sorted list: where they lead, or how they fail; and whether it is stuck.
fn steps(model: &dyn Model, state: &[u8], name: impl Fn(&[u8]) -> Vec<u8>) -> (Vec<(Vec<u8>, &'static str)>, Terminal) {
    let mut out = Successors::new();
    model.successors(state, &mut out);
    let step = |index: usize| {
        let kind = out.fault(index).map_or("", |fault| fault.kind.name());
        (out.state(index).map(&name).unwrap_or_default(), kind)
    };
    let mut steps: Vec<_> = (0..out.len()).map(step).collect();
    steps.sort();
    (steps, out.terminal)
}

fn complaint(model: &dyn Model, state: &[u8]) -> Option<&'static str> {
    model.check(state, &mut Scratch::default()).map(|fault| fault.kind.name())
}

/// The generator keeps its promise: a renamed state behaves like the state.
fn program_is_symmetric(world: &World, model: &dyn Model, explored: &Explored) {
    let mut rng = Rng::new(explored.states.len() as u64);
    let mut initial = HashSet::new();
    model.initial(&mut |state| _ = initial.insert(state.to_vec()));
    for renaming in world.renamings() {
        assert!(initial.iter().all(|state| initial.contains(&world.rename(state, &renaming))), "one start is special");
    }
    let mut states: Vec<&Vec<u8>> = explored.states.iter().collect();
    states.sort();
    for state in states.iter().take(400) {
        let renaming = random_renaming(world, &mut rng);
        let renamed = world.rename(state, &renaming);
        assert!(explored.states.contains(&renamed), "{state:?} is reached, {renamed:?} is not");
        let expected = steps(model, state, |state| world.rename(state, &renaming));
        assert_eq!(steps(model, &renamed, <[u8]>::to_vec), expected, "{state:?} and {renamed:?}");
        assert_eq!(complaint(model, state), complaint(model, &renamed), "{state:?} and {renamed:?}");
    }
}

/// Blocks cover the state, leaves lie in it, and owners and paths are those of the same places everywhere.
fn symmetry_is_well_formed(world: &World, symmetry: &Symmetry) {
    let mut covered = vec![0; world.state_size() as usize];
    for block in &symmetry.blocks {
        covered[block.offset as usize..(block.offset + block.size) as usize].iter_mut().for_each(|count| *count += 1);
    }
    assert!(covered.iter().all(|&count| count == 1), "blocks cover the state once");
    assert_eq!(symmetry.sets, world.sets);
    let (fields, multisets) = world.fields();
    let used: u32 = multisets.iter().map(|multiset| multiset.count).sum();
    assert_eq!(symmetry.leaves.len() + used as usize, fields.len());
    assert_eq!(symmetry.bags.len(), multisets.len());
}

/// All members of an orbit have one and the same representative, which is one of them.
fn representatives_are_unique(world: &World, symmetry: &Arc<Symmetry>, orbits: &HashMap<Vec<u8>, Vec<u8>>) {
    // Paths may be equal where no renaming leads from one to the other, at a price in time only.
    let mut vague = (**symmetry).clone();
    vague.leaves.iter_mut().for_each(|leaf| leaf.path = 7);
    vague.bags.iter_mut().for_each(|bag| bag.path = 7);
    let example = orbits.keys().min().cloned().unwrap_or_default();
    for symmetry in [symmetry, &Arc::new(vague)] {
        let mut canonical = Canonical::new(symmetry, &example);
        let mut representatives: HashMap<&[u8], Vec<u8>> = HashMap::new();
        for (state, orbit) in orbits {
            let mut renamed = state.clone();
            canonical.canonicalize(&mut renamed);
            assert_eq!(orbits.get(&renamed), Some(orbit), "{state:?} becomes {renamed:?}, of another orbit");
            let mut again = renamed.clone();
            canonical.canonicalize(&mut again);
            assert_eq!(again, renamed, "a representative stands for itself");
            let known = representatives.entry(orbit).or_insert_with(|| renamed.clone());
            assert_eq!(*known, renamed, "two representatives of the orbit of {state:?}");
        }
    }
    assert!(orbits.keys().all(|state| state.len() == world.state_size() as usize));
}

/// What the reduced model shows is what the model does, up to renaming.
fn reduction_is_exact(
    model: &WithStubbornSets<'_>,
    reduced: &Symmetric<'_>,
    explored: &Explored,
    orbits: &HashMap<Vec<u8>, Vec<u8>>,
) -> Explored {
    let less = naive::explore(reduced, MANY_STATES).expect("not more states than without reduction");
    let count = orbits.values().collect::<HashSet<_>>().len();
    assert_eq!(less.states.len(), count, "one state for each orbit");
    assert!(less.states.is_subset(&explored.states), "only states that are reached");
    let names: HashSet<&Vec<u8>> = less.states.iter().map(|state| &orbits[state]).collect();
    assert_eq!(names.len(), count, "each orbit once");
    assert_eq!(less.faults.keys().collect::<Vec<_>>(), explored.faults.keys().collect::<Vec<_>>());
    assert_eq!(less.shortest, explored.shortest);
    assert_eq!(less.levels.len(), explored.levels.len());
    let (mut transitions, mut fired) = (0, 0);
    let mut out = Successors::new();
    for state in &less.states {
        model.successors(state, &mut out);
        fired += out.len() as u64;
        transitions += (0..out.len()).filter(|&index| out.state(index).is_some()).count() as u64;
    }
    assert_eq!((less.transitions, less.fired), (transitions, fired));
    less
}

/// Remembers the violations' kinds by running each search to the end, and unfolds every trace.
fn violations_unfold(
    model: &WithStubbornSets<'_>,
    reduced: &Symmetric<'_>,
    explored: &Explored,
    reductions: &[(bool, bool)],
) {
    for search in searches_over_any_store() {
        let stores = exact_stores().into_iter().flat_map(|spec| reductions.iter().map(move |&how| (spec.clone(), how)));
        for (spec, (sleep, stubborn)) in stores.filter(|(_, (sleep, _))| !sleep || search.guarantees.pins) {
            for (deadlock, all) in [(true, false), (false, false), (true, true)] {
                let what = format!("deadlock {deadlock}, all {all}, sleep {sleep}, stubborn {stubborn}");
                let label = format!("{} over {spec}, {what}", search.name);
                let budget = Arc::new(Budget::unlimited());
                let mut store =
                    make(&spec, Site { schema: reduced.schema(), budget: &budget, seed: 1, model: Some(reduced) })
                        .expect("every combination can be made");
                let config = SearchConfig { deadlock, all, sleep, stubborn, ..SearchConfig::checking() };
                let mut successors = Successors::new();
                let store = store.as_mut();
                let task = Task::new(reduced, store, &config, &budget, &mut successors);
                let outcome = (search.run)(task, &mut ());
                let shortest = explored.shortest_fault(deadlock);
                match outcome.verdict {
                    Verdict::Holds(claim) => assert_eq!((claim, shortest), (Claim::Exact, None), "{label}"),
                    Verdict::Undecided(reason) => panic!("{label}: {reason:?} without a limit"),
                    Verdict::Violated(violation) => {
                        let length = violation.trace.steps.len() as u64;
                        assert!(Some(length) >= shortest, "{label}");
                        assert!(!search.guarantees.levels || stubborn || Some(length) == shortest, "{label}");
                        unfolds(model, reduced, &violation, &label);
                    }
                }
            }
        }
    }
}

fn unfolds(model: &WithStubbornSets<'_>, reduced: &Symmetric<'_>, violation: &Violation, label: &str) {
    let unfolded = reduced.unfold(violation).unwrap_or_else(|e| panic!("{label}: {e}"));
    assert_eq!(unfolded.trace.steps.len(), violation.trace.steps.len(), "{label}");
    assert_eq!(unfolded.fault.kind, violation.fault.kind, "{label}");
    let replayed = replay(model, &unfolded.trace, &unfolded.fault).unwrap_or_else(|e| panic!("{label}: {e}"));
    assert_eq!(replayed, unfolded.fault, "{label}: what is stated is what the trace shows");
}

fn symmetric_program(generated: &Generated, model: &WithStubbornSets<'_>, explored: &Explored) {
    let world = &generated.world;
    assert_eq!(ProgramModel::new(model.program().clone()).start_fault(), None);
    program_is_symmetric(world, model, explored);
    rules_make_their_steps(model, explored, 100);
    let symmetry = model.symmetry().expect("it has one");
    symmetry_is_well_formed(world, symmetry);
    let orbits = orbits(world, &explored.states);
    assert_eq!(orbits.len(), explored.states.len(), "whole orbits are reached");
    representatives_are_unique(world, symmetry, &orbits);
    let reduced = Symmetric::new(model).expect("it has a symmetry");
    let less = reduction_is_exact(model, &reduced, explored, &orbits);
    check_persistence(model, explored);
    everything_but_names(&reduced, &less);
    violations_unfold(model, &reduced, explored, &[(false, false)]);
}

/// Nearly independent elements: symmetry with sleep sets and with stubborn sets. Both leave out something.
fn reductions_combine(seeds: Range<u64>, most: usize) {
    let (mut states, mut transitions, mut tried, mut left_out) = (0, 0, 0, vec![0; searches_over_any_store().count()]);
    let mut pairs = 0;
    each_program(random_rules::loose_symmetric, seeds, most, |generated, model, explored| {
        let world = &generated.world;
        program_is_symmetric(world, model, explored);
        check_persistence(model, explored);
        let reduced = Symmetric::new(model).expect("it has a symmetry");
        let less = reduction_is_exact(model, &reduced, explored, &orbits(world, &explored.states));
        pairs += footprints_are_true(&reduced, &less);
        tried += sleep_sets_agree(&reduced, &less);
        let here = stubborn_searches_agree(&reduced, &less);
        left_out.iter_mut().zip(here).for_each(|(all, here)| *all += here);
        states += less.states.len() as u64;
        transitions += less.transitions;
        violations_unfold(model, &reduced, explored, &REDUCED);
    });
    println!("{states} states, {left_out:?} left out; {transitions} transitions, {tried} tried; {pairs} pairs");
    if std::env::var("TIGHTROPE_SEED").is_err() {
        assert!(left_out.iter().all(|left_out| left_out * 50 > states), "{left_out:?} of {states} states");
        assert!(tried * 100 < transitions * 98, "{tried} of {transitions} transitions");
    }
}

#[test]
fn reductions_combine_with_symmetry() {
    reductions_combine(0..400, MOST_STATES);
}

#[test]
#[ignore = "takes minutes"]
fn reductions_combine_with_symmetry_in_many_programs() {
    reductions_combine(1_000_000..1_010_000, MANY_STATES);
}

fn plain_program(_: &Generated, model: &WithStubbornSets<'_>, explored: &Explored) {
    assert!(model.symmetry().is_none() && Symmetric::new(model).is_none());
    rules_make_their_steps(model, explored, 100);
    everything(model, explored);
}

#[test]
fn symmetric_programs_agree() {
    each_program(random_rules::symmetric, 0..200, MOST_STATES, symmetric_program);
}

#[test]
fn rules_agree() {
    each_program(random_rules::plain, 0..200, MOST_STATES, plain_program);
}

#[test]
#[ignore = "takes minutes"]
fn many_symmetric_programs_agree() {
    each_program(random_rules::symmetric, 1_000_000..1_005_000, MANY_STATES, symmetric_program);
}

#[test]
#[ignore = "takes minutes"]
fn many_rules_agree() {
    each_program(random_rules::plain, 1_000_000..1_005_000, MANY_STATES, plain_program);
}

/// What the random programs are like, so that a change to the generator does not quietly empty the tests.
#[test]
fn random_programs_are_varied() {
    for (what, make) in [("symmetric", random_rules::symmetric as fn(u64) -> Generated), ("plain", random_rules::plain)]
    {
        let (mut kinds, mut holds, mut sizes, mut saved, mut with_automata) = (BTreeMap::new(), 0, Vec::new(), 0, 0);
        for seed in 0..100 {
            let generated = make(seed);
            let model = ProgramModel::new(generated.program);
            let Some(explored) = naive::explore(&model, MANY_STATES) else {
                sizes.push(MANY_STATES);
                continue;
            };
            sizes.push(explored.states.len());
            explored.faults.keys().for_each(|kind| *kinds.entry(*kind).or_insert(0) += 1);
            holds += u64::from(explored.faults.is_empty());
            if what == "symmetric" {
                let reduced = Symmetric::new(&model).expect("it has a symmetry");
                let less = naive::explore(&reduced, MANY_STATES).expect("fewer");
                let much = less.states.len() * 3 < explored.states.len();
                saved += u64::from(much);
                let rules = model.program().rules.as_ref().expect("made of rules");
                with_automata += u64::from(much && !rules.automata.is_empty());
            }
        }
        sizes.sort_unstable();
        let deciles: Vec<usize> = (0..10).map(|tenth| sizes[tenth * sizes.len() / 10]).collect();
        println!("{what}: {kinds:?}; {holds} hold; sizes {deciles:?}");
        println!("{saved} shrink to less than a third, {with_automata} of them with automata");
        for kind in ["assertion", "deadlock", "invariant", "range", "undefined", "error"] {
            assert!(kinds.get(kind).is_some_and(|&count| count >= 1), "no program with a fault of kind {kind}");
        }
        assert!(holds >= 10 && sizes[50] >= 10);
        assert!(what == "plain" || saved >= 20 && with_automata >= 3);
    }
}

// States that are hard to rename: regular ones, in which colours tell no elements apart that are not interchangeable.
// How many there are up to renaming is known: the sequences are those of the On-Line Encyclopedia (oeis.org).

fn array(index: &Form, entry: Form) -> Form {
    Form::Array(Box::new(index.clone()), Box::new(entry))
}

/// All states of `length` bytes from `low` to `high`.
fn all_states(length: usize, low: u8, high: u8) -> Vec<Vec<u8>> {
    (0..length).fold(vec![Vec::new()], |shorter, _| {
        shorter.iter().flat_map(|state| (low..=high).map(|byte| [&state[..], &[byte]].concat())).collect()
    })
}

/// How many representatives the states have. Each is idempotent; where orbits are small they are compared in full.
fn count(world: &World, states: &[Vec<u8>]) -> usize {
    let symmetry = Arc::new(world.symmetry());
    symmetry_is_well_formed(world, &symmetry);
    let mut canonical = Canonical::new(&symmetry, &states[0]);
    let mut representatives = HashSet::new();
    for state in states {
        let mut renamed = state.clone();
        canonical.canonicalize(&mut renamed);
        representatives.insert(renamed);
    }
    for representative in &representatives {
        let mut again = representative.clone();
        canonical.canonicalize(&mut again);
        assert_eq!(again, *representative);
    }
    if world.renamings().len() <= 720 {
        // Some of the states, and all that they can be renamed to.
        let step = states.len().div_ceil(400);
        let some: HashSet<Vec<u8>> = states.iter().step_by(step).cloned().collect();
        representatives_are_unique(world, &symmetry, &orbits(world, &some));
    }
    representatives.len()
}

#[test]
fn pointers_up_to_renaming() {
    for (size, permutations_up_to, functions_up_to) in [(3, 3, 7), (4, 5, 19), (5, 7, 47), (6, 11, 130), (7, 15, 343)] {
        let set = Form::Set(0);
        let world = World::new(vec![size], vec![array(&set, set.clone())]);
        let kept = |order: &Vec<usize>| order.iter().map(|&to| to as u8 + 1).collect();
        // Cycles of all lengths: partitions, A000041.
        let cycles: Vec<Vec<u8>> = permutations(size as usize).iter().map(kept).collect();
        assert_eq!(count(&world, &cycles), permutations_up_to, "cycles of {size}");
        // Each points to one: A001372.
        if size < 6 {
            assert_eq!(
                count(&world, &all_states(size as usize, 1, size as u8)),
                functions_up_to,
                "functions of {size}"
            );
        }
        // The same with data that says nothing, and with a variable that singles out one element: rooted cycles.
        let entry = Form::Record(vec![set.clone(), Form::Range(0, 3)]);
        let world = World::new(vec![size], vec![array(&set, entry), set.clone()]);
        let dull = cycles.iter().map(|state| state.iter().flat_map(|&to| [to, 3]).chain([0]).collect());
        assert_eq!(count(&world, &dull.collect::<Vec<Vec<u8>>>()), permutations_up_to, "cycles of {size} with data");
        let rooted = cycles.iter().map(|state| state.iter().flat_map(|&to| [to, 3]).chain([1]).collect());
        // The length of the cycle that it is on, and the rest: sums of the numbers of partitions, A000070.
        let expected = [1, 1, 2, 3, 5, 7, 11, 15][..size as usize].iter().sum::<usize>();
        assert_eq!(count(&world, &rooted.collect::<Vec<Vec<u8>>>()), expected, "rooted cycles of {size}");
    }
}

/// One cycle over six and two over three: alike as long as nobody is singled out.
#[test]
fn one_cycle_is_not_two() {
    let set = Form::Set(0);
    let world = World::new(vec![6], vec![array(&set, set.clone())]);
    assert_eq!(count(&world, &[vec![2, 3, 4, 5, 6, 1]]), 1);
    assert_eq!(count(&world, &[vec![2, 3, 4, 5, 6, 1], vec![2, 3, 1, 5, 6, 4], vec![3, 4, 5, 6, 1, 2]]), 2);
    // The same as a multiset of edges.
    let edge = Form::Record(vec![set.clone(), set.clone()]);
    let world = World::new(vec![6], vec![Form::Multiset(7, Box::new(edge))]);
    let edges = |next: [u8; 6]| {
        let mut slots: Vec<Vec<u8>> = next.iter().enumerate().map(|(from, &to)| vec![1, from as u8 + 1, to]).collect();
        slots.push(vec![0; 3]);
        slots.sort();
        slots.reverse();
        slots.concat()
    };
    assert_eq!(count(&world, &[edges([2, 3, 4, 5, 6, 1]), edges([2, 3, 1, 5, 6, 4]), edges([3, 4, 5, 6, 1, 2])]), 2);
    // And of multisets that belong to elements: who is next to each.
    let world = World::new(vec![6], vec![array(&set, Form::Multiset(2, Box::new(set.clone())))]);
    let around = |next: [u8; 6]| {
        let neighbours = |one: usize| {
            let before = next.iter().position(|&to| to as usize == one + 1).expect("a cycle") as u8 + 1;
            [1, next[one].max(before), 1, next[one].min(before)]
        };
        (0..6).flat_map(neighbours).collect::<Vec<u8>>()
    };
    assert_eq!(count(&world, &[around([2, 3, 4, 5, 6, 1]), around([2, 3, 1, 5, 6, 4]), around([3, 4, 5, 6, 1, 2])]), 2);
}

#[test]
fn tables_up_to_renaming() {
    let (one, other, third) = (Form::Set(0), Form::Set(1), Form::Set(2));
    let bit = || Form::Range(0, 1);
    // Relations: A000595.
    for (size, expected) in [(2, 10), (3, 104), (4, 3044)] {
        let world = World::new(vec![size], vec![array(&one, array(&one, bit()))]);
        assert_eq!(count(&world, &all_states((size * size) as usize, 1, 2)), expected, "relations of {size}");
    }
    // Graphs: A000088.
    for (size, expected) in [(3, 4), (4, 11), (5, 34), (6, 156)] {
        let world = World::new(vec![size], vec![array(&one, array(&one, bit()))]);
        let size = size as usize;
        let pairs: Vec<(usize, usize)> = (0..size).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
        let graphs = all_states(pairs.len(), 1, 2).into_iter().map(|edges| {
            let mut state = vec![1; size * size];
            for (&(a, b), edge) in pairs.iter().zip(edges) {
                (state[a * size + b], state[b * size + a]) = (edge, edge);
            }
            state
        });
        assert_eq!(count(&world, &graphs.collect::<Vec<_>>()), expected, "graphs of {size}");
    }
    // Matrices up to the order of rows and columns: A002724.
    for (size, expected) in [(2, 7), (3, 36), (4, 317)] {
        let world = World::new(vec![size, size], vec![array(&one, array(&other, bit()))]);
        assert_eq!(count(&world, &all_states((size * size) as usize, 1, 2)), expected, "matrices of {size}");
    }
    // Operations: A001329.
    let operations = World::new(vec![3], vec![array(&one, array(&one, one.clone()))]);
    assert_eq!(count(&operations, &all_states(9, 1, 3)), 3330);
    // Latin squares, with rows, columns and entries of one set (A057991) and of three (A040082).
    for (size, of_one, of_three) in [(3, 5, 1), (4, 35, 2)] {
        let world = World::new(vec![size], vec![array(&one, array(&one, one.clone()))]);
        assert_eq!(count(&world, &latin_squares(size as usize)), of_one, "latin squares of {size}");
        let world = World::new(vec![size; 3], vec![array(&one, array(&other, third.clone()))]);
        assert_eq!(count(&world, &latin_squares(size as usize)), of_three, "latin squares of {size}");
    }
}

fn latin_squares(size: usize) -> Vec<Vec<u8>> {
    let rows: Vec<Vec<u8>> =
        permutations(size).iter().map(|row| row.iter().map(|&entry| entry as u8 + 1).collect()).collect();
    (0..size).fold(vec![Vec::new()], |squares, _| {
        let longer = |square: &Vec<u8>| {
            let fits = |row: &&Vec<u8>| square.chunks(size).all(|above| above.iter().zip(*row).all(|(a, b)| a != b));
            rows.iter().filter(fits).map(|row| [&square[..], row].concat()).collect::<Vec<_>>()
        };
        squares.iter().flat_map(longer).collect()
    })
}

/// The seven points of the Fano plane: for two points the third on their line. Any can take the place of any other, but
/// no two can be exchanged alone.
#[test]
fn fano_plane() {
    let set = Form::Set(0);
    let world = World::new(vec![7], vec![array(&set, array(&set, set.clone()))]);
    let lines = [[0, 1, 2], [0, 3, 4], [0, 5, 6], [1, 3, 5], [1, 4, 6], [2, 3, 6], [2, 4, 5]];
    let third = |a: usize, b: usize| {
        let line = lines.iter().find(|line| line.contains(&a) && line.contains(&b)).expect("two points, one line");
        if a == b { a } else { *line.iter().find(|&&c| c != a && c != b).expect("three points") }
    };
    let plane: Vec<u8> = (0..49).map(|at| third(at / 7, at % 7) as u8 + 1).collect();
    let mut spoilt = plane.clone();
    spoilt[9] = 2;
    // 5040 / 168, the number of its automorphisms; spoilt at one place, only those count that leave the place alone.
    for (state, different) in [(plane, 30), (spoilt, 1260)] {
        let images: HashSet<Vec<u8>> =
            world.renamings().iter().map(|renaming| world.rename(&state, renaming)).collect();
        assert_eq!(images.len(), different);
        let images: Vec<Vec<u8>> = images.into_iter().collect();
        assert_eq!(count(&world, &images), 1);
    }
}
