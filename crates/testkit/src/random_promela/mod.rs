//! Random Promela programs, as text.
//!
//! A seed gives a text, always the same one, and a goal to look for. Programs use what the grammar allows, nested in
//! everything else, and obey what SPIN insists on, so that nearly all of them are accepted by SPIN too. They are small on
//! purpose: values are cut to small ranges, processes and statements are few. Names are unique in a program.
//!
//! A [`Profile`] says what a program is mostly about. Within a profile the features are drawn for each program, so that they
//! meet each other in all combinations and none is in every program.

mod channels;
mod compound;
mod corners;
mod declare;
mod expr;
mod monitor;
mod scope;
mod shrink;
mod stmt;
mod text;

pub use corners::SPIN_IS_WRONG;
pub use shrink::shrink;
pub use text::indent;

use crate::random::Rng;
use scope::{Proc, Scope, Ty};

/// What a program stresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Partial orders: several processes with work of their own, few shared variables, channels between two of them.
    Orders,
    /// Statements nested in statements.
    Nesting,
    /// Channels of all kinds, sent over channels, and processes that die.
    Channels,
    /// `atomic`, `d_step` and `unless`.
    Control,
    /// `trace` and `notrace`.
    Monitors,
    /// Priorities and `provided` clauses.
    Priorities,
    /// Who enables and disables whom, in tiny programs.
    Corners,
}

impl Profile {
    /// All of them.
    pub const ALL: [Profile; 7] = [
        Profile::Orders,
        Profile::Nesting,
        Profile::Channels,
        Profile::Control,
        Profile::Monitors,
        Profile::Priorities,
        Profile::Corners,
    ];

    /// The profile of a seed.
    pub fn of(seed: u64) -> Profile {
        let weights = [(6, 0), (3, 1), (4, 2), (4, 3), (2, 4), (2, 5), (7, 6)];
        Profile::ALL[Rng::new(seed ^ 0x5eed_0f0f).weighted(&weights)]
    }
}

/// A program.
#[derive(Clone, Debug)]
pub struct Generated {
    /// What it stresses.
    pub profile: Profile,
    /// Its text.
    pub text: String,
    /// A condition on its states.
    pub goal: String,
}

/// What a program may use.
#[derive(Clone, Copy, Debug)]
struct Features {
    rendezvous: bool,
    buffered: bool,
    channel_array: bool,
    local_channels: bool,
    carried: bool,
    structs: bool,
    arrays: bool,
    mtypes: bool,
    named_mtype: bool,
    hidden: bool,
    inlines: bool,
    macros: bool,
    atomic: bool,
    d_step: bool,
    unless: bool,
    timeout: bool,
    runs: bool,
    init: bool,
    provided: bool,
    priorities: bool,
    last: bool,
    enabled: bool,
    remote: bool,
    monitor: bool,
    faults: bool,
    loops: bool,
    /// Processes use disjoint parts of what there is, most of the time.
    apart: bool,
    /// `D_proctype`.
    deterministic: bool,
}

impl Features {
    fn random(rng: &mut Rng, profile: Profile) -> Features {
        use Profile::{Channels, Control, Monitors, Nesting, Orders, Priorities};
        let is = |one: Profile| profile == one;
        let mut chance = |percent: usize| rng.chance(percent);
        let priorities = is(Priorities) && chance(70);
        let enabled = !is(Orders) && chance(6);
        Features {
            rendezvous: !priorities && !enabled && chance(if is(Channels) || is(Control) { 65 } else { 45 }),
            buffered: chance(if is(Channels) || is(Monitors) || is(Orders) { 85 } else { 55 }),
            channel_array: chance(if is(Channels) { 25 } else { 10 }),
            local_channels: chance(if is(Channels) { 60 } else { 20 }),
            carried: chance(match profile {
                Channels => 60,
                Orders => 25,
                _ => 12,
            }),
            structs: chance(if is(Nesting) { 35 } else { 12 }),
            arrays: chance(if is(Nesting) { 45 } else { 25 }),
            mtypes: chance(30),
            named_mtype: chance(10),
            hidden: chance(6),
            inlines: chance(if is(Nesting) { 50 } else { 15 }),
            macros: chance(20),
            atomic: chance(if is(Control) { 80 } else { 40 }),
            d_step: chance(if is(Control) { 75 } else { 35 }),
            unless: chance(if is(Control) || is(Nesting) { 55 } else { 18 }),
            timeout: chance(20),
            runs: chance(if is(Channels) { 55 } else { 35 }),
            init: chance(30),
            provided: chance(if is(Priorities) { 60 } else { 7 }),
            priorities,
            last: chance(if is(Orders) { 2 } else { 6 }),
            enabled,
            remote: chance(if is(Orders) { 8 } else { 22 }),
            monitor: is(Monitors) || chance(5),
            faults: chance(22),
            loops: chance(70),
            apart: if is(Orders) { chance(85) } else { chance(20) },
            deterministic: chance(1),
        }
    }
}

/// What a text is written with.
struct Author {
    rng: Rng,
    profile: Profile,
    has: Features,
    globals: Scope,
    /// The proctypes written so far, which others may ask about.
    known: Vec<Proc>,
    /// The proctypes that the one at hand may start.
    startable: Vec<Startable>,
    inlines: Vec<Inline>,
    /// Names of macros for conditions, and for statements.
    conditions: Vec<String>,
    statements: Vec<String>,
    /// The constants of each mtype; the first is the one without a name.
    mtypes: Vec<(String, Vec<String>)>,
    /// The fields of channels that are sent over channels.
    carried: Vec<Ty>,
    next_name: usize,
    /// How many more statements the body at hand may have.
    fuel: i32,
    /// Whether an `else` is taken, for the choice at hand and those around it.
    else_taken: Vec<bool>,
    /// Labels of the body at hand that jumps may go to, and those that are promised.
    labels: Vec<String>,
    promised: Vec<String>,
    /// Labels of all kinds outside of `d_step`, for remote references.
    placed: Vec<String>,
    /// The text at hand is an inline.
    in_inline: bool,
}

#[derive(Clone)]
struct Startable {
    name: String,
    params: Vec<Ty>,
}

#[derive(Clone)]
struct Inline {
    name: String,
    /// Whether each parameter is written to.
    params: Vec<bool>,
    /// Whether it may stand in a `d_step`.
    simple: bool,
}

impl Author {
    fn name(&mut self, prefix: &str) -> String {
        self.next_name += 1;
        format!("{prefix}{}", self.next_name)
    }
}

/// The program of a seed.
pub fn program(seed: u64) -> Generated {
    of_profile(Profile::of(seed), seed)
}

/// The program of a seed and a profile.
pub fn of_profile(profile: Profile, seed: u64) -> Generated {
    let mut rng = Rng::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ profile as u64);
    if profile == Profile::Corners {
        let (text, goal) = corners::program(rng);
        return Generated { profile, text, goal };
    }
    let has = Features::random(&mut rng, profile);
    let mut author = Author {
        rng,
        profile,
        has,
        globals: Scope::default(),
        known: Vec::new(),
        startable: Vec::new(),
        inlines: Vec::new(),
        conditions: Vec::new(),
        statements: Vec::new(),
        mtypes: Vec::new(),
        carried: vec![Ty::Byte],
        next_name: 0,
        fuel: 0,
        else_taken: Vec::new(),
        labels: Vec::new(),
        promised: Vec::new(),
        placed: Vec::new(),
        in_inline: false,
    };
    let text = indent(&author.module());
    let goal = author.goal();
    Generated { profile, text, goal }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_text() {
        for seed in 0..50 {
            assert_eq!(program(seed).text, program(seed).text);
        }
    }

    /// Everything that programs are said to use occurs, in each profile that is not without it.
    #[test]
    fn everything_occurs() {
        let texts: Vec<String> = (0..3000).map(|seed| program(seed).text).collect();
        for part in [
            "atomic {",
            "d_step {",
            "unless {",
            "timeout",
            "else",
            "goto ",
            "break",
            "run ",
            "init {",
            "active [2]",
            "provided (",
            "priority ",
            "set_priority(",
            "get_priority(",
            "enabled(",
            "_last",
            "_nr_pr",
            "_pid",
            "!!",
            "??",
            "?[",
            "??[",
            "?<",
            "??<",
            "eval(",
            "?_",
            "len(",
            "full(",
            "empty(",
            "nfull(",
            "nempty(",
            "xr ",
            "xs ",
            "trace {",
            "notrace {",
            "typedef ",
            "mtype",
            "hidden ",
            "local ",
            "unsigned ",
            "short ",
            "int ",
            "bool ",
            "bit ",
            "pid ",
            "inline ",
            "#define ",
            "for (",
            " in ",
            "select (",
            "assert(",
            "printf(",
            "D_proctype",
            "end",
            "progress",
            "accept",
            "skip",
            "@",
            "[0]:",
            "->",
            " / ",
            " % ",
            " << ",
            " >> ",
            "of { chan",
            "_nr_pr <",
        ] {
            let count = texts.iter().filter(|text| text.contains(part)).count();
            assert!(count >= 8, "`{part}` occurs in {count} programs");
        }
    }
}
