//! Rules that start from the locations of automata, alone or in groups.
//!
//! They have no parameters, and their tests bind nothing: whoever takes part brings a test of its own, and each is made
//! whatever becomes of the others. Elements of sets occur in them only as in other conditions and statements, so they
//! treat them alike where a program is to be symmetric.

use super::*;
use tightrope_ir::StepKind;
use tightrope_ir::{self as ir, Participant};

/// An automaton, and one of its locations.
type Start = (u32, u32);

/// What the rules of a group have in common.
struct Common {
    body: Body,
    test: Test,
    source: Source,
}

impl Author<'_> {
    /// The automata: every variable that is a location belongs to one.
    pub fn found_automata(&mut self) -> Vec<Automaton> {
        let urgent = self.rng.weighted(&[(4, 0), (4, 12), (2, 40)]);
        let mut automata = Vec::new();
        for (global, form) in self.world.globals.iter().enumerate() {
            let Form::Location { count, .. } = form else { continue };
            let spot = |number: u32| ir::AutomatonLocation {
                name: format!("l{number}"),
                committed: self.rng.chance(urgent),
                source: Source { file: 0, line: 1000 * (global as u32 + 1) + number },
            };
            automata.push(Automaton {
                name: format!("a{}", automata.len()),
                offset: self.world.offset(global),
                repr: self.world.ty(form).repr,
                declared: global as u32,
                locations: (0..*count).map(spot).collect(),
                passive: self.rng.chance(10),
            });
        }
        if self.rng.chance(20) {
            let one = self.rng.below(automata.len());
            automata[one].passive = true;
        }
        automata
    }

    /// The rules that start from locations: for most locations one or two, or groups of them.
    pub fn led_rules(&mut self, priorities: bool) -> Vec<Rule> {
        let mut rules = Vec::new();
        let mut groups = 0;
        for automaton in 0..self.automata.len() {
            for location in 0..self.automata[automaton].locations.len() {
                let first = (automaton as u32, location as u32);
                for _ in 0..self.rng.weighted(&[(1, 0), (5, 1), (3, 2)]) {
                    let priority = if priorities { self.rng.range(-1, 1) } else { 0 };
                    if self.automata.len() > 1 && self.rng.chance(35) {
                        groups += 1;
                        rules.extend(self.group(groups, first, priority, priorities));
                    } else {
                        let others = self.rng.weighted(&[(6, 0), (2, 1), (1, 2)]);
                        let from = self.with_others(first, others);
                        rules.push(self.rule_from(&from, None, priority));
                    }
                }
            }
        }
        rules
    }

    /// Rules that begin alike: what the first one tests is the same, with whom it moves is not.
    fn group(&mut self, group: u32, first: Start, priority: i32, priorities: bool) -> Vec<Rule> {
        self.stay_near(&[first]);
        let mut body = Body::default();
        let test = if self.rng.chance(15) { Expr::Const(1) } else { self.check(&mut body) };
        self.line += 1;
        let common = Common { body, test: Test::True(test), source: Source { file: 0, line: self.line } };
        let mut rules = Vec::new();
        for _ in 0..2 + self.rng.below(3) {
            // Rarely one of them moves alone, or has another priority.
            let others = self.rng.weighted(&[(1, 0), (14, 1), (5, 2)]);
            let from = self.with_others(first, others);
            let priority = if priorities && self.rng.chance(10) { self.rng.range(-1, 1) } else { priority };
            let rule = self.rule_from(&from, Some(&common), priority);
            rules.push(Rule { group: Some(group), ..rule });
        }
        rules
    }

    /// What is written next is about the parts that these automata belong to.
    fn stay_near(&mut self, from: &[Start]) {
        let declared = |&(automaton, _): &Start| self.automata[automaton as usize].declared as usize;
        let near: Vec<usize> = from.iter().map(declared).collect();
        self.turn_to(|part| part.iter().any(|global| near.contains(global)));
    }

    /// A location, and those of up to so many other automata.
    fn with_others(&mut self, first: Start, others: usize) -> Vec<Start> {
        let mut from = vec![first];
        for _ in 0..others {
            let left: Vec<u32> = (0..self.automata.len() as u32)
                .filter(|other| from.iter().all(|(automaton, _)| automaton != other))
                .collect();
            if !left.is_empty() {
                let other = *self.rng.pick(&left);
                from.push((other, self.rng.below(self.automata[other as usize].locations.len()) as u32));
            }
        }
        from
    }

    /// A rule that starts from these locations.
    fn rule_from(&mut self, from: &[Start], common: Option<&Common>, priority: i32) -> Rule {
        self.stay_near(from);
        let mut body = common.map(|common| common.body.clone()).unwrap_or_default();
        let mut tests: Vec<(u32, Test)> = common.iter().map(|common| (0, common.test.clone())).collect();
        for _ in tests.len()..from.len() {
            if self.rng.chance(65) {
                tests.push((0, Test::True(self.check(&mut body))));
            }
        }
        self.line += 1;
        let source = common.map_or(Source { file: 0, line: self.line }, |common| common.source);
        let mut block = Vec::new();
        for &(automaton, location) in from {
            if self.rng.chance(88) {
                let to = self.destination(automaton, location);
                let place = self.location(automaton);
                block.push(self.stmt(StmtKind::Set(place, to)));
            }
            if self.rng.chance(40) {
                self.count(&mut block);
            }
        }
        if self.rng.chance(35) {
            let rest = self.block(&mut body, 2, 1);
            let at = if self.rng.chance(50) { block.len() } else { 0 };
            block.splice(at..at, rest);
        }
        let named = |&(automaton, location): &Start| {
            let automaton = &self.automata[automaton as usize];
            (automaton.name.clone(), automaton.locations[location as usize].name.clone())
        };
        let names: Vec<(String, String)> = from.iter().map(named).collect();
        let name = names.iter().map(|(actor, spot)| format!("{actor} from {spot}")).collect::<Vec<_>>().join(", ");
        let part = |(actor, spot): (String, String)| {
            let action = format!("leaves {spot} (line {})", source.line);
            Participant { actor, action, source, kind: StepKind::Control }
        };
        let participants = if self.rng.chance(70) { names.into_iter().map(part).collect() } else { Vec::new() };
        Rule {
            name,
            slots: body.slots,
            frame: body.frame,
            tests,
            body: block,
            priority,
            source,
            from: from.to_vec(),
            participants,
            ..Rule::default()
        }
    }

    /// A rule from anywhere that looks at where an automaton is.
    pub fn roving_rule(&mut self, number: usize, priority: i32) -> Rule {
        let mut rule = self.rule(number, priority);
        if self.rng.chance(50) {
            rule.tests.insert(0, (0, Test::True(self.whereabouts())));
        }
        if self.rng.chance(50) {
            self.count(&mut rule.body);
        }
        if self.rng.chance(25) {
            let automaton = self.reached_automaton();
            let (place, to) = (self.location(automaton), self.destination(automaton, u32::MAX));
            rule.body.push(self.stmt(StmtKind::Set(place, to)));
        }
        rule
    }

    /// A test that may fail, where faults are wanted.
    fn check(&mut self, body: &mut Body) -> Expr {
        match self.rng.below(10) {
            0..3 => self.condition(body, 1),
            3..8 => self.comparison(),
            8 => both(self.whereabouts(), self.comparison()),
            _ => self.whereabouts(),
        }
    }

    fn comparison(&mut self) -> Expr {
        let op = *self.rng.pick(&[Binary::Eq, Binary::Ne, Binary::Le, Binary::Gt]);
        binary(op, self.amount(), Expr::Const(self.rng.range(0, 2)))
    }

    /// Whether an automaton is at one of its locations.
    fn whereabouts(&mut self) -> Expr {
        let automaton = self.reached_automaton();
        let location = self.rng.below(self.automata[automaton as usize].locations.len()) as i32;
        let op = if self.rng.chance(60) { Binary::Eq } else { Binary::Ne };
        binary(op, load(&self.location(automaton)), Expr::Const(location))
    }

    /// Where an automaton goes from a location: somewhere else, most often; very rarely nowhere.
    fn destination(&mut self, automaton: u32, location: u32) -> Expr {
        let count = self.automata[automaton as usize].locations.len() as i32;
        if self.rng.chance(12) {
            let locations: Vec<i32> = (0..count).collect();
            return self.table(&locations);
        }
        if self.rng.chance(1) {
            return Expr::Const(count);
        }
        let others: Vec<i32> = (0..count).filter(|&other| other as u32 != location).collect();
        Expr::Const(if others.is_empty() { 0 } else { *self.rng.pick(&others) })
    }

    /// A number gets a value that may not fit, where faults are wanted.
    fn count(&mut self, block: &mut Vec<Stmt>) {
        let numbers = self.numbers();
        if numbers.is_empty() {
            return;
        }
        let to = self.rng.pick(&numbers).clone();
        let value = match self.rng.below(4) {
            0 => self.amount(),
            1 => Expr::Const(self.rng.range(0, to.ty.range().1)),
            _ => binary(if self.rng.chance(60) { Binary::Add } else { Binary::Sub }, load(&to), Expr::Const(1)),
        };
        let value = match self.faults && self.rng.chance(50) {
            true => value,
            false => binary(Binary::And, value, Expr::Const(to.ty.range().1)),
        };
        let stmt = self.stmt(StmtKind::Set(to, value));
        block.push(stmt);
    }

    /// A small number, made of the numbers and the locations.
    fn amount(&mut self) -> Expr {
        let (figure, _) = self.figure();
        let fails = self.faults && self.rng.chance(60);
        match self.rng.below(6) {
            0 => figure,
            1 => binary(Binary::Add, figure, Expr::Const(self.rng.range(-1, 2))),
            2 | 3 => {
                let divisor = if fails { figure } else { binary(Binary::Add, figure, Expr::Const(1)) };
                let op = if self.rng.chance(50) { Binary::Div } else { Binary::Rem };
                binary(op, Expr::Const(self.rng.range(1, 5)), divisor)
            }
            _ => self.table(&[0, 1, 2, 3]),
        }
    }

    /// One of these values, by a table. The index may be out of bounds, where faults are wanted.
    fn table(&mut self, values: &[i32]) -> Expr {
        let (value, most) = self.figure();
        let (mut low, mut bound) = (0, most as u32 + 1);
        if self.faults && self.rng.chance(60) {
            low = self.rng.range(0, 1);
            bound = 1 + self.rng.below(bound as usize) as u32;
        }
        let entries = (0..bound).map(|_| *self.rng.pick(values)).collect();
        Expr::Table(Box::new((Index { value, low, bound, stride: 1, name: String::from("table") }, entries)))
    }

    /// A number or a location, and the greatest value it can have.
    fn figure(&mut self) -> (Expr, i32) {
        let numbers = self.numbers();
        let automaton = self.reached_automaton();
        let (variable, most) = match numbers.is_empty() || self.rng.chance(25) {
            true => (self.location(automaton), self.automata[automaton as usize].locations.len() as i32),
            false => {
                let number = self.rng.pick(&numbers).clone();
                (number.clone(), number.ty.range().1)
            }
        };
        (load(&variable), most)
    }

    fn location(&self, automaton: u32) -> Variable {
        self.whole(self.automata[automaton as usize].declared as usize)
    }

    fn numbers(&self) -> Vec<Variable> {
        let globals = self.world.globals.iter().enumerate();
        let numbers = globals.filter(|(global, form)| matches!(form, Form::Number(_)) && self.reaches(*global));
        numbers.map(|(global, _)| self.whole(global)).collect()
    }

    /// An automaton that what is being written may be about; any where there is none.
    fn reached_automaton(&mut self) -> u32 {
        let reached = |one: &&usize| self.reaches(self.automata[**one].declared as usize);
        let all: Vec<usize> = (0..self.automata.len()).collect();
        let near: Vec<usize> = all.iter().filter(reached).copied().collect();
        *self.rng.pick(if near.is_empty() { &all } else { &near }) as u32
    }

    /// A global variable that is one number.
    fn whole(&self, global: usize) -> Variable {
        let (offset, ty) = (self.world.offset(global), self.world.ty(&self.world.globals[global]));
        Variable { base: Base::Global, offset, indices: Vec::new(), ty, declared: global as u32 }
    }
}
