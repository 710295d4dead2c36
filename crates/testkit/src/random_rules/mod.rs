//! Random small programs made of rules.
//!
//! A seed gives a program, always the same one. Symmetric ones have sets of interchangeable elements, and treat them
//! alike; the others have the same sets and do with them what they like. Some have automata, whose locations say which
//! rules make steps.

mod alike;
mod author;
mod form;
mod loose;
mod show;
mod terms;

pub use form::{Form, Renaming, World, permutations};
pub use show::show;

use crate::naive;
use crate::random::Rng;
use author::Author;
use std::sync::Arc;
use tightrope_core::Schema;
use tightrope_ir::{Program, ProgramModel, Rule, RuleSet, StmtKind, validate};

/// A program and the forms of its variables.
#[derive(Clone, Debug)]
pub struct Generated {
    /// Where elements of sets occur.
    pub world: World,
    /// The program. Its symmetry is described if it has one.
    pub program: Program,
}

/// What kind of program is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    symmetric: bool,
    automata: bool,
    /// It has parts, and most rules are about one of them.
    loose: bool,
}

impl Kind {
    const PLAIN: Kind = Kind { symmetric: false, automata: false, loose: false };
}

/// The program of a seed that treats the elements of its sets alike. Some have automata.
pub fn symmetric(seed: u64) -> Generated {
    lively(seed, Kind { symmetric: true, automata: seed % 4 == 3, ..Kind::PLAIN })
}

/// The program of a seed that has no symmetry, and no automata.
pub fn plain(seed: u64) -> Generated {
    lively(seed ^ 0x7065_6c61_696e, Kind::PLAIN)
}

/// The program of a seed that has automata, and no symmetry.
pub fn automata(seed: u64) -> Generated {
    lively(seed ^ 0x6175_746f_6d61, Kind { automata: true, ..Kind::PLAIN })
}

/// The program of a seed whose parts are nearly independent of each other. It has no automata.
pub fn loose(seed: u64) -> Generated {
    loose::loose(seed, false)
}

/// The program of a seed with nearly independent automata.
pub fn loose_automata(seed: u64) -> Generated {
    loose::loose(seed, true)
}

/// The program of a seed that treats the elements of a set alike, which are nearly independent of each other.
pub fn loose_symmetric(seed: u64) -> Generated {
    alike::alike(seed)
}

/// The program of a seed that has everything that rules can have, in nearly independent parts.
pub fn parts(seed: u64) -> Generated {
    lively(seed ^ 0x0070_6172_7473, Kind { loose: true, ..Kind::PLAIN })
}

/// The same with automata.
pub fn parts_with_automata(seed: u64) -> Generated {
    lively(seed ^ 0x7061_7274_7361, Kind { loose: true, automata: true, ..Kind::PLAIN })
}

/// The same, treating the elements of its sets alike. Some have automata.
pub fn symmetric_parts(seed: u64) -> Generated {
    lively(seed ^ 0x7379_6d70_6172, Kind { loose: true, symmetric: true, automata: seed % 4 == 3 })
}

/// The first of a few programs in which something happens.
fn lively(seed: u64, kind: Kind) -> Generated {
    let mut seeds = Rng::new(seed);
    let mut generated = generate(seeds.bits(), kind);
    let few = if kind.automata { 20 } else { 5 };
    for _ in 0..5 {
        if naive::explore(&ProgramModel::new(generated.program.clone()), few).is_none() {
            break;
        }
        generated = generate(seeds.bits(), kind);
    }
    generated
}

/// A program without rules whose states have this form.
fn bare(world: World) -> Generated {
    let (fields, multisets) = world.fields();
    let size = world.state_size();
    let rules = RuleSet {
        unions: world.unions.iter().map(|union| world.ranges(union)).collect(),
        multisets,
        symmetry: Some(Arc::new(world.symmetry())),
        ..RuleSet::default()
    };
    let program = Program {
        schema: Schema { fixed_size: size, fixed: fields, kinds: Vec::new() }.into(),
        globals: (0..world.globals.len()).map(|global| format!("g{global}")).collect(),
        fixed: vec![0; size as usize],
        rules: Some(rules),
        ..Program::default()
    };
    Generated { world, program }
}

fn generate(seed: u64, kind: Kind) -> Generated {
    let mut rng = Rng::new(seed);
    let sets: Vec<u32> = match rng.below(10) {
        0..5 => vec![rng.range(2, 4) as u32],
        5..9 => vec![rng.range(2, 4) as u32, rng.range(2, 3) as u32],
        _ => vec![2, rng.range(2, 3) as u32, 2],
    };
    let (globals, parts) = match kind.loose {
        true => globals_in_parts(&mut rng, &sets, kind.automata),
        false => (all_globals(&mut rng, &sets, kind.automata), Vec::new()),
    };
    let world = World::new(sets, globals);
    let Generated { world, mut program } = bare(world);
    let faults = rng.chance(55);
    let mut author = Author::new(rng, &world, kind.symmetric, faults);
    author.parts = parts;
    let mut rules = program.rules.take().unwrap_or_default();
    if !kind.symmetric {
        rules.symmetry = None;
    }
    rules.idle_is_stuck = author.rng.chance(50);
    if kind.automata {
        author.automata = author.found_automata();
        rules.failed = failed(&mut author);
    }
    rules.starts = (0..author.rng.weighted(&[(4, 1), (1, 2)])).map(|number| author.start(number)).collect();
    add_rules(&mut author, &mut rules, kind);
    if author.rng.chance(25) {
        author.turn_to_a_part();
        rules.invariants.push(author.goal());
    }
    let most = if author.faults { 2 } else { 1 };
    for number in 0..author.rng.below(most + 1) {
        author.turn_to_a_part();
        rules.invariants.push(author.invariant(number));
    }
    (rules.routines, rules.automata) = (author.routines, author.automata);
    program.files = vec![format!("seed-{seed}")];
    program.rules = Some(rules);
    if let Err(problem) = validate(&program) {
        panic!("seed {seed}: {problem}");
    }
    Generated { world, program }
}

fn add_rules(author: &mut Author<'_>, rules: &mut RuleSet, kind: Kind) {
    let priorities = author.rng.chance(match (kind.loose, kind.automata) {
        (true, _) => 4,
        (_, true) => 30,
        _ => 15,
    });
    if kind.automata {
        rules.rules = author.led_rules(priorities);
    }
    let count = match (kind.automata, author.parts.len()) {
        (true, _) => author.rng.below(4),
        (false, 0) => 2 + author.rng.below(5),
        (false, parts) => parts + 1 + author.rng.below(parts + 2),
    };
    for number in 0..count {
        author.turn_to_a_part();
        let priority = if priorities { author.rng.range(-1, 1) } else { 0 };
        let rule = if kind.automata { author.roving_rule(number, priority) } else { author.rule(number, priority) };
        rules.rules.push(rule);
    }
    if kind.automata && author.rng.chance(30) {
        // Rules of one group need not stand together.
        for left in (1..rules.rules.len()).rev() {
            rules.rules.swap(left, author.rng.below(left + 1));
        }
    }
    rules.rules.sort_by_key(|rule| std::cmp::Reverse(rule.priority));
    if author.rng.chance(if kind.loose {
        5
    } else if kind.automata {
        15
    } else {
        40
    }) {
        // Something that can always happen.
        let restart =
            rules.starts[0].body.iter().filter(|stmt| matches!(stmt.kind, StmtKind::Fill(..))).cloned().collect();
        let priority = rules.rules.last().map_or(0, |rule| rule.priority);
        rules.rules.push(Rule { name: "again".into(), body: restart, priority, ..Rule::default() });
    }
}

/// Where failing steps lead, in some programs: a state in which the first automaton is nowhere.
fn failed(author: &mut Author<'_>) -> Option<Box<[u8]>> {
    let mut bytes = vec![0; author.world.state_size() as usize];
    let first = &author.automata[0];
    first.repr.store(&mut bytes, first.offset as usize, first.locations.len() as i32);
    author.rng.chance(50).then(|| bytes.into())
}

/// The variables of a program in which everything may be about everything.
fn all_globals(rng: &mut Rng, sets: &[u32], automata: bool) -> Vec<Form> {
    let count = 1 + rng.below(4);
    let mut globals = globals(rng, sets, count);
    if automata {
        globals.truncate(1 + rng.below(2));
        add_locations(rng, &mut globals);
    }
    globals
}

/// A variable that all share, or none, and the variables of each part.
fn globals_in_parts(rng: &mut Rng, sets: &[u32], automata: bool) -> (Vec<Form>, Vec<Vec<usize>>) {
    let count = rng.below(2);
    let mut all = globals(rng, sets, count);
    let mut parts = Vec::new();
    for _ in 0..rng.weighted(&[(3, 2), (5, 3), (1, 4)]) {
        let first = all.len();
        if automata {
            all.push(Form::Location { count: rng.range(2, 4) as u32, wide: rng.chance(15) });
            if rng.chance(40) {
                all.push(Form::Number(rng.range(1, 2) as u8));
            }
        }
        if !automata || rng.chance(40) {
            all.extend(globals(rng, sets, 1));
        }
        parts.push((first..all.len()).collect());
    }
    (all, parts)
}

/// Adds what automata need among the other variables: their locations, and numbers.
fn add_locations(rng: &mut Rng, globals: &mut Vec<Form>) {
    let mut more = Vec::new();
    for _ in 0..rng.weighted(&[(2, 1), (5, 2), (4, 3), (2, 4)]) {
        more.push(Form::Location { count: rng.range(1, 5) as u32, wide: rng.chance(15) });
    }
    for _ in 0..rng.weighted(&[(1, 0), (4, 1), (3, 2)]) {
        more.push(Form::Number(rng.range(1, 2) as u8));
    }
    for form in more {
        let at = rng.below(globals.len() + 1);
        globals.insert(at, form);
    }
}

fn globals(rng: &mut Rng, sets: &[u32], count: usize) -> Vec<Form> {
    let boxed = |form: Form| Box::new(form);
    let mut globals = Vec::new();
    for _ in 0..count {
        let set = |rng: &mut Rng| Form::Set(rng.below(sets.len()));
        globals.push(match rng.below(20) {
            0..5 => simple(rng, sets),
            5..10 => Form::Array(boxed(set(rng)), boxed(simple(rng, sets))),
            10..12 => {
                let entry = Form::Record(vec![simple(rng, sets), simple(rng, sets)]);
                Form::Array(boxed(set(rng)), boxed(entry))
            }
            12..14 => {
                let first = set(rng);
                let second = if rng.chance(60) { first.clone() } else { set(rng) };
                let entry = if rng.chance(60) { Form::Range(0, 1) } else { simple(rng, sets) };
                Form::Array(boxed(first), boxed(Form::Array(boxed(second), boxed(entry))))
            }
            14 => Form::Array(boxed(Form::Range(0, 1)), boxed(set(rng))),
            15 => Form::Array(boxed(Form::Union(vec![Form::Range(10, 10), set(rng)])), boxed(simple(rng, sets))),
            16 => {
                let field = Form::Array(boxed(set(rng)), boxed(Form::Range(0, 1)));
                Form::Record(vec![simple(rng, sets), field])
            }
            17 => Form::Multiset(2, boxed(simple(rng, sets))),
            18 => Form::Multiset(rng.range(2, 3) as u32, boxed(Form::Record(vec![simple(rng, sets), set(rng)]))),
            _ => Form::Array(boxed(set(rng)), boxed(Form::Multiset(rng.range(1, 2) as u32, boxed(simple(rng, sets))))),
        });
    }
    globals
}

fn simple(rng: &mut Rng, sets: &[u32]) -> Form {
    let set = Form::Set(rng.below(sets.len()));
    let other = Form::Set(rng.below(sets.len()));
    match rng.below(16) {
        0..6 => set,
        6..9 => Form::Range(0, 1),
        9..11 => Form::Range(1, 3),
        11 => Form::Range(-1, 1),
        12 => Form::Union(vec![Form::Range(10, 11), set]),
        13 if set != other => Form::Union(vec![set, other]),
        14 => Form::Union(vec![set, Form::Range(1000, 1300)]),
        15 if rng.chance(50) => Form::Range(0, 300),
        15 => Form::Range(-1, 70_000),
        _ => Form::Union(vec![set, Form::Range(10, 10)]),
    }
}
