//! Random symmetric programs whose elements are nearly independent of each other: which of two elements moves first often does
//! not matter, and which of them it was never does.
//!
//! There are arrays over one set of elements: numbers, and who points to whom. All elements share a number and a variable
//! that holds one of them. Most rules are for any one element and look at and change what is its own; few are for two.

use super::terms::{binary, both, load, not, undefined};
use super::{Form, Generated, World, bare};
use crate::random::Rng;
use tightrope_core::Format;
use tightrope_ir::{
    Base, Binary, Expr, Index, Invariant, Parameter, Rule, Source, Stmt, StmtKind, Test, Type, Variable, validate,
};

/// The shared variables: a number, and an element. All that follow are arrays, of numbers but for the last one.
const NUMBER: usize = 0;
const HOLDER: usize = 1;
const FIRST: usize = 2;

/// The program of a seed.
pub fn alike(seed: u64) -> Generated {
    let mut rng = Rng::new(seed ^ 0x0061_6c69_6b65);
    let set = Form::Set(0);
    let over_set = |form: Form| Form::Array(Box::new(set.clone()), Box::new(form));
    let mut globals = vec![Form::Range(0, rng.range(1, 2)), set.clone()];
    for _ in 0..rng.weighted(&[(1, 1), (3, 2)]) {
        globals.push(over_set(Form::Range(0, rng.range(1, 2))));
    }
    globals.push(over_set(set.clone()));
    let sizes = vec![rng.weighted(&[(1, 2), (3, 3), (2, 4)])];
    let Generated { world, mut program } = bare(World::new(sizes, globals));
    let mut rules = program.rules.take().unwrap_or_default();
    rules.idle_is_stuck = rng.chance(50);
    let (faults, pointers) = (rng.chance(35), rng.chance(40));
    let mut author = Author { rng, world: &world, faults, pointers, line: 0 };
    rules.starts = vec![author.start()];
    rules.rules = (0..3 + author.rng.below(4)).map(|_| author.rule()).collect();
    for number in 0..author.rng.weighted(&[(3, 0), (1, 1)]) {
        let tests = vec![Test::True(author.number_test())];
        rules.invariants.push(Invariant { name: format!("invariant {number}"), tests, ..Invariant::default() });
    }
    program.files = vec![format!("seed-{seed}")];
    program.rules = Some(rules);
    if let Err(problem) = validate(&program) {
        panic!("seed {seed}: {problem}");
    }
    Generated { world, program }
}

struct Author<'w> {
    rng: Rng,
    world: &'w World,
    faults: bool,
    /// Elements point to elements.
    pointers: bool,
    line: u32,
}

impl Author<'_> {
    fn source(&mut self) -> Source {
        self.line += 1;
        Source { file: 0, line: self.line }
    }

    fn stmt(&mut self, kind: StmtKind) -> Stmt {
        Stmt { kind, source: self.source() }
    }

    fn start(&mut self) -> Rule {
        let mut body = Vec::new();
        for (global, form) in self.world.globals.iter().enumerate() {
            // The least value, or none.
            let byte = u8::from(global == NUMBER || global != HOLDER && global + 1 < self.world.globals.len());
            let whole = Variable { indices: Vec::new(), ty: Type::BYTE, ..self.place(global, Expr::Const(0)) };
            body.push(self.stmt(StmtKind::Fill(whole, vec![byte; self.world.size(form) as usize].into())));
        }
        Rule { name: "start".into(), body, ..Rule::default() }
    }

    /// A variable; of an array what belongs to an element.
    fn place(&self, global: usize, element: Expr) -> Variable {
        let form = &self.world.globals[global];
        let (entry, indices) = match form {
            Form::Array(index, entry) => {
                let (low, bound) = (self.world.bounds(index).0, self.world.count(index));
                let (stride, name) = (self.world.size(entry), format!("g{global}"));
                (&**entry, vec![Index { value: element, low, bound, stride, name }])
            }
            one => (one, Vec::new()),
        };
        let (offset, ty) = (self.world.offset(global), self.world.ty(entry));
        Variable { base: Base::Global, offset, indices, ty, declared: global as u32 }
    }

    fn pointer(&self, slot: u32) -> Variable {
        self.place(self.world.globals.len() - 1, Expr::Slot(slot))
    }

    /// A number that belongs to the element in a slot, and the most it can be.
    fn own(&mut self, slot: u32) -> (Variable, i32) {
        let global = FIRST + self.rng.below(self.world.globals.len() - 1 - FIRST);
        let Form::Array(_, entry) = &self.world.globals[global] else { panic!("an array") };
        (self.place(global, Expr::Slot(slot)), self.world.bounds(entry).1)
    }

    fn comparison(&mut self, variable: &Variable) -> Expr {
        let op = *self.rng.pick(&[Binary::Eq, Binary::Eq, Binary::Ne, Binary::Gt]);
        let value = self.rng.range(0, 1);
        binary(op, load(variable), Expr::Const(value))
    }

    fn number_test(&mut self) -> Expr {
        let number = self.place(NUMBER, Expr::Const(0));
        self.comparison(&number)
    }

    /// Something that may be so of the element in a slot.
    fn test(&mut self, slot: u32) -> Expr {
        let holder = self.place(HOLDER, Expr::Const(0));
        match self.rng.below(20) {
            0 | 1 => self.number_test(),
            2 => undefined(&holder),
            3 => both(not(undefined(&holder)), binary(Binary::Eq, load(&holder), Expr::Slot(slot))),
            4 | 5 if self.pointers => undefined(&self.pointer(slot)),
            6 if self.pointers => {
                // What belongs to the one it points to.
                let pointer = self.pointer(slot);
                let (mut other, _) = self.own(slot);
                other.indices[0].value = load(&pointer);
                let test = self.comparison(&other);
                if self.faults { test } else { both(not(undefined(&pointer)), test) }
            }
            _ => {
                let (own, _) = self.own(slot);
                self.comparison(&own)
            }
        }
    }

    /// Changes something of the element in a slot, or what is shared.
    fn statement(&mut self, slot: u32, other: u32) -> Stmt {
        let holder = self.place(HOLDER, Expr::Const(0));
        let kind = match self.rng.below(20) {
            0 => StmtKind::Set(self.place(NUMBER, Expr::Const(0)), Expr::Const(self.rng.range(0, 1))),
            1 => StmtKind::Set(holder, Expr::Slot(slot)),
            2 => StmtKind::Fill(holder, vec![0].into()),
            3..6 if self.pointers => StmtKind::Set(self.pointer(slot), Expr::Slot(other)),
            6 if self.pointers => StmtKind::Fill(self.pointer(slot), vec![0].into()),
            7 if self.faults => {
                let (own, _) = self.own(slot);
                StmtKind::Assert(self.comparison(&own), "assertion failed".into())
            }
            8..14 => {
                let (own, most) = self.own(slot);
                StmtKind::Set(own, Expr::Const(self.rng.range(0, most)))
            }
            _ => {
                let (own, most) = self.own(slot);
                let more = binary(Binary::Add, load(&own), Expr::Const(1));
                let fits = self.faults && self.rng.chance(30);
                let value = if fits { more } else { binary(Binary::Rem, more, Expr::Const(most + 1)) };
                StmtKind::Set(own, value)
            }
        };
        let stmt = self.stmt(kind);
        if !self.rng.chance(15) {
            return stmt;
        }
        let condition = self.test(slot);
        self.stmt(StmtKind::If(vec![(condition, vec![stmt])], Vec::new()))
    }

    /// A rule for any element, or for any two.
    fn rule(&mut self) -> Rule {
        let slots = self.rng.weighted(&[(7, 1), (1, 2)]);
        let (low, high) = self.world.bounds(&Form::Set(0));
        let parameter = |slot: u32| {
            let (name, ranges) = (format!("s{slot}"), vec![(low, high, 1)]);
            Parameter { name, slot, ranges, format: Format::Number }
        };
        let params: Vec<Parameter> = (0..slots).map(parameter).collect();
        let (mut tests, mut body) = (Vec::new(), Vec::new());
        for slot in 0..slots {
            for _ in 0..1 + self.rng.below(2) {
                tests.push((slot + 1, Test::True(self.test(slot))));
            }
            for _ in 0..1 + self.rng.below(2) {
                body.push(self.statement(slot, slots - 1 - slot));
            }
        }
        let source = self.source();
        Rule { name: format!("rule {}", source.line), params, slots, tests, body, source, ..Rule::default() }
    }
}
