//! Random small programs.
//!
//! A seed gives a program, always the same one. Programs are valid, and small on purpose: values are cut to small
//! ranges, processes and locations are few. They use everything that programs can: processes that start and die,
//! shared variables of all types, arrays with indices that are sometimes out of bounds, channels with and without
//! slots, global, owned and passed on, sequences that keep control, indivisible code, escapes, `else`, `timeout`,
//! assertions, `provided` clauses, priorities, monitors. Most have faults; that is what they are for.

mod code;
mod expr;
mod layout;
mod rng;

pub use rng::Rng;

use layout::Layout;
use tightrope_core::Schema;
use tightrope_ir::{Action, Expr, InitialProcess, Program, Type, validate};

/// What a program may use. Chosen per program, so that features meet each other in all combinations, and none is in
/// every program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Features {
    pub channels: bool,
    pub owned_channels: bool,
    pub starts_processes: bool,
    pub keeps_control: bool,
    pub indivisible: bool,
    pub escapes: bool,
    pub timeout: bool,
    pub provided: bool,
    pub priorities: bool,
    pub asks_others: bool,
    pub faults: bool,
    pub last_mover: bool,
    pub monitor: bool,
}

impl Features {
    fn random(rng: &mut Rng) -> Features {
        Features {
            channels: rng.chance(75),
            owned_channels: rng.chance(30),
            starts_processes: rng.chance(40),
            keeps_control: rng.chance(50),
            indivisible: rng.chance(35),
            escapes: rng.chance(25),
            timeout: rng.chance(20),
            provided: rng.chance(15),
            priorities: rng.chance(12),
            asks_others: rng.chance(30),
            faults: rng.chance(50),
            last_mover: rng.chance(8),
            monitor: rng.chance(8),
        }
    }
}

/// The program of a seed.
///
/// # Panics
/// If it is not valid, which is a defect of this generator.
pub fn program(seed: u64) -> Program {
    let mut rng = Rng::new(seed);
    let features = Features::random(&mut rng);
    let layout = Layout::random(&mut rng, features);
    let mut program = Program {
        files: vec![format!("seed-{seed}")],
        schema: Schema {
            fixed_size: layout.fixed.len() as u32,
            fixed: layout.fixed_fields.clone(),
            kinds: layout.kinds.iter().map(|kind| kind.schema.clone()).collect(),
        }
        .into(),
        globals: layout.globals.iter().map(|variable| variable.name.clone()).collect(),
        fixed: layout.fixed.clone(),
        channels: layout.channels.clone(),
        global_channels: layout.global_channels.clone(),
        last_mover: layout.last_mover,
        priorities: features.priorities,
        ..Program::default()
    };
    let mut author = code::Author { rng, features, layout: &layout };
    program.processes = (0..layout.kinds.len()).map(|kind| author.process(kind)).collect();
    program.monitor = layout.monitor.map(|offset| author.monitor(offset));
    let mut rng = author.rng;
    for (declared, variable) in layout.globals.iter().enumerate() {
        if variable.is_channel || rng.chance(40) {
            let most = if variable.is_channel { layout.global_channels.len() as i32 } else { variable.modulus - 1 };
            let value = Expr::Const(rng.range(i32::from(variable.is_channel), most));
            program.initialisers.push(Action::Assign(Box::new(variable.global(declared, Vec::new())), value));
        }
    }
    // In turn, so that processes of different kinds meet.
    let first = rng.below(layout.kinds.len());
    for number in 0..rng.weighted(&[(1, 1), (4, 2), (3, 3), (1, 4)]) {
        let kind = ((first + number) % layout.kinds.len()) as u8;
        program.start.push(InitialProcess { kind, priority: rng.range(1, 3) as u8 });
    }
    if let Err(problem) = validate(&program) {
        panic!("seed {seed}: {problem}\n{}", crate::dump::dump(&program));
    }
    program
}

/// The types that variables have.
pub(crate) fn types() -> [Type; 7] {
    [Type::BIT, Type::BYTE, Type::BYTE, Type::SHORT, Type::INT, Type::unsigned(3), Type::unsigned(11)]
}
