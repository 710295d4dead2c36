//! Random programs of loosely coupled parts: most rules access one part only, so that which of them comes first
//! often does not matter.
//!
//! A part has a few variables, and a location where there are automata. All parts share a variable and an array. A rule
//! tests and assigns to variables of its part, now and then to shared ones, and rarely to those of another part; some
//! rules with automata are meetings of two parts. Values are small, and parts tend to come to an end.

use super::{Form, Generated, World, bare};
use crate::random::Rng;
use std::ops::Range;
use tightrope_core::Format;
use tightrope_ir::StepKind;
use tightrope_ir::{
    Argument, Automaton, AutomatonLocation, Base, Binary, Domain, Expr, Index, Invariant, Parameter, Participant, Rule,
    RuleSet, Source, Stmt, StmtKind, Test, Unary, Variable, validate,
};

/// The program of a seed, with automata or without.
pub fn loose(seed: u64, automata: bool) -> Generated {
    let mut rng = Rng::new(seed ^ 0x006c_6f6f_7365);
    let parts = rng.weighted(&[(3, 2), (5, 3), (3, 4)]);
    let mut globals = vec![number(&mut rng, automata), array(&mut rng, automata)];
    let mut owned = Vec::new();
    for _ in 0..parts {
        let first = globals.len();
        if automata {
            globals.push(Form::Location { count: rng.range(2, 5) as u32, wide: rng.chance(10) });
        }
        for _ in 0..if automata { rng.below(2) } else { 1 + rng.below(2) } {
            globals.push(number(&mut rng, automata));
        }
        owned.push(first..globals.len());
    }
    let Generated { world, mut program } = bare(World::new(Vec::new(), globals));
    let mut rules = program.rules.take().unwrap_or_default();
    rules.symmetry = None;
    let faults = rng.chance(35);
    let mut author = Author { rng, world: &world, owned, automata: Vec::new(), faults, line: 0, slots: 0 };
    author.write(&mut rules, automata);
    program.files = vec![format!("seed-{seed}")];
    program.rules = Some(rules);
    if let Err(problem) = validate(&program) {
        panic!("seed {seed}: {problem}");
    }
    Generated { world, program }
}

/// A number: where there are no automata it may have no value.
fn number(rng: &mut Rng, automata: bool) -> Form {
    if automata { Form::Number(1) } else { Form::Range(0, rng.range(1, 2)) }
}

fn array(rng: &mut Rng, automata: bool) -> Form {
    Form::Array(Box::new(Form::Range(0, 1)), Box::new(number(rng, automata)))
}

struct Author<'w> {
    rng: Rng,
    world: &'w World,
    /// The variables of each part.
    owned: Vec<Range<usize>>,
    automata: Vec<Automaton>,
    faults: bool,
    line: u32,
    /// The slots of the rule under way, all of which hold 0 or 1.
    slots: u32,
}

impl Author<'_> {
    fn write(&mut self, rules: &mut RuleSet, automata: bool) {
        if automata {
            self.automata = (0..self.owned.len()).map(|part| self.automaton(part)).collect();
            let mut failed = vec![0; self.world.state_size() as usize];
            let first = &self.automata[0];
            first.repr.store(&mut failed, first.offset as usize, first.locations.len() as i32);
            rules.failed = self.rng.chance(60).then(|| failed.into());
        }
        rules.idle_is_stuck = self.rng.chance(50);
        rules.starts = vec![self.start()];
        for part in 0..self.owned.len() {
            if automata {
                for spot in 0..self.automata[part].locations.len() as u32 {
                    for _ in 0..self.rng.weighted(&[(1, 0), (6, 1), (4, 2)]) {
                        rules.rules.push(self.move_from(part, spot));
                    }
                }
            } else {
                for _ in 0..2 + self.rng.below(3) {
                    rules.rules.push(self.rule(part));
                }
            }
        }
        if automata && self.rng.chance(25) {
            let part = self.rng.below(self.owned.len());
            rules.rules.push(self.rule(part));
        }
        self.slots = 0;
        for number in 0..self.rng.weighted(&[(5, 0), (4, 1), (1, 2)]) {
            let part = self.rng.below(self.owned.len());
            let (one, two) = (self.test(part), self.test(part));
            let test = if self.rng.chance(50) { one } else { Expr::Either(Box::new(one), Box::new(two)) };
            let tests = vec![Test::True(test)];
            rules.invariants.push(Invariant { name: format!("invariant {number}"), tests, ..Invariant::default() });
        }
        rules.automata = std::mem::take(&mut self.automata);
    }

    fn automaton(&mut self, part: usize) -> Automaton {
        let global = self.owned[part].start;
        let Form::Location { count, .. } = self.world.globals[global] else {
            panic!("a part begins with its location")
        };
        let urgent = self.rng.weighted(&[(3, 0), (1, 25)]);
        let spot = |number: u32| AutomatonLocation {
            name: format!("l{number}"),
            committed: self.rng.chance(urgent),
            source: Source { file: 0, line: 1000 * (part as u32 + 1) + number },
        };
        Automaton {
            name: format!("a{part}"),
            offset: self.world.offset(global),
            repr: self.world.ty(&self.world.globals[global]).repr,
            declared: global as u32,
            locations: (0..count).map(spot).collect(),
            passive: self.rng.chance(3),
        }
    }

    fn start(&mut self) -> Rule {
        let mut body = Vec::new();
        for global in 0..self.world.globals.len() {
            for element in 0..if matches!(self.world.globals[global], Form::Array(..)) { 2 } else { 1 } {
                if self.rng.chance(93) {
                    let at_end = matches!(self.world.globals[global], Form::Location { .. }) || self.rng.chance(70);
                    let value = if at_end { 0 } else { 1 };
                    let place = self.place(global, Expr::Const(element));
                    body.push(self.stmt(StmtKind::Set(place, Expr::Const(value))));
                }
            }
        }
        Rule { name: "start".into(), body, ..Rule::default() }
    }

    fn stmt(&mut self, kind: StmtKind) -> Stmt {
        self.line += 1;
        Stmt { kind, source: Source { file: 0, line: self.line } }
    }

    fn place(&self, global: usize, element: Expr) -> Variable {
        let form = &self.world.globals[global];
        let (entry, indices) = match form {
            Form::Array(index, entry) => {
                let (low, bound) = (self.world.bounds(index).0, self.world.count(index));
                let stride = self.world.size(entry);
                (&**entry, vec![Index { value: element, low, bound, stride, name: format!("g{global}") }])
            }
            one => (one, Vec::new()),
        };
        let (offset, ty) = (self.world.offset(global), self.world.ty(entry));
        Variable { base: Base::Global, offset, indices, ty, declared: global as u32 }
    }

    /// A variable: most often one of a part, then a shared one, rarely one of somebody else. Not a location, to write.
    fn variable(&mut self, part: usize, write: bool) -> Variable {
        let globals = &self.world.globals;
        let part = if self.rng.chance(4) { self.rng.below(self.owned.len()) } else { part };
        let own = self.owned[part].clone();
        let own: Vec<usize> = own.filter(|&one| !write || !matches!(globals[one], Form::Location { .. })).collect();
        let global = if own.is_empty() || self.rng.chance(18) { self.rng.below(2) } else { *self.rng.pick(&own) };
        let element = match self.rng.below(10) {
            0..4 => Expr::Const(self.rng.range(0, 1)),
            4..8 if self.slots > 0 => Expr::Slot(self.rng.below(self.slots as usize) as u32),
            _ => self.small(part),
        };
        self.place(global, element)
    }

    /// A number that is 0 or 1, or fails, where faults are wanted.
    fn small(&mut self, part: usize) -> Expr {
        let own: Vec<usize> = self.owned[part].clone().collect();
        let global = *self.rng.pick(&own);
        let value = load(&self.place(global, Expr::Const(0)));
        if self.faults && self.rng.chance(30) { value } else { binary(Binary::And, value, 1) }
    }

    fn test(&mut self, part: usize) -> Expr {
        let variable = self.variable(part, false);
        let op = *self.rng.pick(&[Binary::Eq, Binary::Eq, Binary::Ne, Binary::Le, Binary::Gt]);
        let test = match self.rng.below(10) {
            0 if self.slots > 0 => Expr::Binary(op, Box::new(load(&variable)), Box::new(Expr::Slot(0))),
            1 | 2 if self.faults => {
                let sum =
                    Expr::Binary(Binary::Add, Box::new(load(&variable)), Box::new(load(&self.variable(part, false))));
                let quotient = Expr::Binary(Binary::Div, Box::new(Expr::Const(2)), Box::new(sum));
                binary(op, quotient, 1)
            }
            _ => binary(op, load(&variable), self.rng.range(0, 1)),
        };
        if self.faults || !matches!(variable.ty.domain, Domain::Within { .. }) {
            return test;
        }
        let undefined = Expr::Undefined(Box::new(variable));
        Expr::Both(Box::new(Expr::Unary(Unary::Not, Box::new(undefined))), Box::new(test))
    }

    fn tests(&mut self, part: usize, most: usize) -> Vec<(u32, Test)> {
        let mut tests: Vec<Expr> = (0..self.rng.below(most + 1)).map(|_| self.test(part)).collect();
        if tests.len() == 2 && self.rng.chance(40) {
            let second = tests.remove(1);
            tests = vec![Expr::Both(Box::new(tests.remove(0)), Box::new(second))];
        }
        tests.into_iter().map(|test| (0, Test::True(test))).collect()
    }

    /// An assignment, seldom something else.
    fn statement(&mut self, part: usize, block: &mut Vec<Stmt>) {
        let to = self.variable(part, true);
        let (_, most) = match to.ty.domain {
            Domain::Within { low, high } => (low, high),
            _ => to.ty.range(),
        };
        let value = match self.rng.below(10) {
            0..6 => Expr::Const(self.rng.range(0, most)),
            6 if self.slots > 0 => Expr::Slot(0),
            7 => load(&self.variable(part, false)),
            _ => binary(Binary::Add, load(&to), 1),
        };
        let fits = matches!(value, Expr::Const(_) | Expr::Slot(_)) || self.faults && self.rng.chance(40);
        let value = if fits { value } else { binary(Binary::Rem, value, most + 1) };
        let lacks = self.faults && matches!(to.ty.domain, Domain::Within { .. }) && self.rng.chance(15);
        let kind = if lacks { StmtKind::Fill(to, vec![0].into()) } else { StmtKind::Set(to, value) };
        let mut stmt = self.stmt(kind);
        if self.rng.chance(20) {
            let condition = self.test(part);
            stmt = self.stmt(StmtKind::If(vec![(condition, vec![stmt])], Vec::new()));
        }
        block.push(stmt);
        if self.faults && self.rng.chance(8) {
            let condition = self.test(part);
            block.push(self.stmt(StmtKind::Assert(condition, "assertion failed".into())));
        }
    }

    /// A rule from anywhere, perhaps with a parameter and something bound.
    fn rule(&mut self, part: usize) -> Rule {
        let (mut params, mut tests) = (Vec::new(), Vec::new());
        self.slots = 0;
        if self.rng.chance(40) {
            let ranges = vec![if self.rng.chance(80) { (0, 1, 1) } else { (1, 0, -1) }];
            params.push(Parameter { name: "s0".into(), slot: 0, ranges, format: Format::Number });
            self.slots = 1;
            if self.rng.below(400) == 0 {
                // So many values that they are not looked at one by one.
                params[0].ranges = vec![(0, 4999, 1)];
                tests.push((1, Test::True(binary(Binary::Le, Expr::Slot(0), 1))));
            }
        }
        tests.extend(self.tests(part, 2));
        if self.rng.chance(15) {
            let value = self.small(part);
            tests.push((0, Test::Bind(self.slots, Argument::Value(binary(Binary::And, value, 1)))));
            if self.rng.chance(60) {
                tests.push((0, Test::True(binary(Binary::Eq, Expr::Slot(self.slots), self.rng.range(0, 1)))));
            }
            self.slots += 1;
            tests.extend(self.tests(part, 1));
        }
        tests.iter_mut().for_each(|(needs, _)| *needs = params.len() as u32);
        let mut body = Vec::new();
        (0..1 + self.rng.below(2)).for_each(|_| self.statement(part, &mut body));
        self.line += 1;
        let source = Source { file: 0, line: self.line };
        Rule { name: format!("rule {}", self.line), params, slots: self.slots, tests, body, source, ..Rule::default() }
    }

    /// A rule from a location, and perhaps one of another part; it goes on, most often.
    fn move_from(&mut self, part: usize, spot: u32) -> Rule {
        self.slots = 0;
        let mut who = vec![(part, spot)];
        if self.rng.chance(25) {
            let other = (part + 1 + self.rng.below(self.owned.len() - 1)) % self.owned.len();
            who.push((other, self.rng.below(self.automata[other].locations.len()) as u32));
        }
        self.line += 1;
        let source = Source { file: 0, line: self.line };
        let (mut tests, mut body, mut participants) = (Vec::new(), Vec::new(), Vec::new());
        for &(part, spot) in &who {
            if self.rng.chance(60) {
                tests.extend(self.tests(part, 2));
            }
            let count = self.automata[part].locations.len() as u32;
            let to = if self.rng.chance(75) { spot + 1 } else { self.rng.below(count as usize) as u32 };
            let place = self.place(self.owned[part].start, Expr::Const(0));
            body.push(self.stmt(StmtKind::Set(place, Expr::Const((to % count) as i32))));
            if self.rng.chance(50) {
                self.statement(part, &mut body);
            }
            let actor = self.automata[part].name.clone();
            participants.push(Participant {
                actor,
                action: format!("leaves l{spot}"),
                source,
                kind: StepKind::Control,
            });
        }
        let from = who.iter().map(|&(part, spot)| (part as u32, spot)).collect();
        Rule { name: format!("move {}", source.line), tests, body, source, from, participants, ..Rule::default() }
    }
}

fn load(variable: &Variable) -> Expr {
    Expr::Load(Box::new(variable.clone()))
}

fn binary(op: Binary, a: Expr, b: i32) -> Expr {
    Expr::Binary(op, Box::new(a), Box::new(Expr::Const(b)))
}
