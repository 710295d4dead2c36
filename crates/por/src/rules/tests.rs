//! Small programs whose stubborn sets are known.

use crate::WithStubbornSets;
use tightrope_core::{Component, Field, Format, Model, Repr, Schema, Scratch, Successors};
use tightrope_ir::{
    Argument, Base, Binary, Call, Expr, Index, Parameter, Program, ProgramModel, Routine, Rule, RuleSet, Source, Stmt,
    StmtKind, Test, Type, Variable,
};

fn byte(offset: u32) -> Variable {
    Variable { base: Base::Global, offset, indices: Vec::new(), ty: Type::BYTE, declared: offset }
}

/// An element of the array of four bytes that begins at a place.
fn element(offset: u32, value: Expr) -> Variable {
    let index = Index { value, low: 0, bound: 4, stride: 1, name: String::new() };
    Variable { indices: vec![index], ..byte(offset) }
}

fn load(variable: Variable) -> Expr {
    Expr::Load(Box::new(variable))
}

fn binary(op: Binary, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, Box::new(a), Box::new(b))
}

fn is(offset: u32, value: i32) -> (u32, Test) {
    (0, Test::True(binary(Binary::Eq, load(byte(offset)), Expr::Const(value))))
}

fn set(variable: Variable, value: i32) -> Stmt {
    Stmt { kind: StmtKind::Set(variable, Expr::Const(value)), source: Source::default() }
}

fn rule(tests: Vec<(u32, Test)>, body: Vec<Stmt>) -> Rule {
    Rule { tests, body, ..Rule::default() }
}

/// The rules of the stubborn set of a state; none if all have to be taken.
fn stubborn_rules(rules: RuleSet, state: &[u8]) -> Option<Vec<usize>> {
    let size = state.len() as u32;
    let field = |offset: u32| {
        let (name, component) = (format!("g{offset}"), (Component::Globals, offset));
        Field { name, offset, repr: Repr::U8, range: (0, 255), component, format: Format::Number }
    };
    let schema = Schema { fixed_size: size, fixed: (0..size).map(field).collect(), ..Schema::default() };
    let program = Program { schema: schema.into(), fixed: state.to_vec(), rules: Some(rules), ..Program::default() };
    tightrope_ir::validate(&program).expect("a proper program");
    let interpreter = ProgramModel::new(program);
    let model = WithStubbornSets::new(&interpreter, interpreter.program().clone());
    let (mut out, mut in_set) = (Successors::new(), Vec::new());
    model.successors(state, &mut out);
    let rule = |index: usize| (out.step(index).action >> 40) as usize;
    let all: Vec<usize> = (0..out.len()).map(rule).collect();
    let satisfies_proviso = vec![true; out.len()];
    let is_reduced = model.stubborn_set(state, (&out, 0), &satisfies_proviso, &mut in_set, &mut Scratch::default());
    is_reduced.then(|| all.into_iter().zip(in_set).filter_map(|(rule, is_in)| is_in.then_some(rule)).collect())
}

#[test]
fn one_of_two_independent_rules_suffices() {
    let rules = vec![rule(vec![is(0, 0)], vec![set(byte(0), 1)]), rule(vec![is(1, 0)], vec![set(byte(1), 1)])];
    assert_eq!(stubborn_rules(RuleSet { rules, ..RuleSet::default() }, &[0, 0]), Some(vec![0]));
    // The second one writes what the first one reads.
    let rules = vec![rule(vec![is(0, 0)], vec![set(byte(1), 1)]), rule(vec![is(1, 0)], vec![set(byte(0), 1)])];
    assert_eq!(stubborn_rules(RuleSet { rules, ..RuleSet::default() }, &[0, 0]), None);
}

/// A rule that is not enabled because of its second test fails if others make its first test fail, unless still others come
/// before them.
#[test]
fn tests_before_the_one_that_is_not_passed_may_fail() {
    let program = |may_fail: bool| {
        let sum = binary(Binary::Add, load(byte(0)), load(byte(1)));
        let divided = binary(if may_fail { Binary::Div } else { Binary::Mul }, Expr::Const(2), sum);
        let first = (0, Test::True(binary(Binary::Ge, divided, Expr::Const(0))));
        let rules = vec![
            rule(vec![first, is(2, 1)], vec![set(byte(3), 1)]),
            rule(vec![is(1, 0)], vec![set(byte(1), 1)]),
            rule(vec![is(0, 1)], vec![set(byte(0), 0)]),
        ];
        RuleSet { rules, ..RuleSet::default() }
    };
    assert_eq!(stubborn_rules(program(true), &[1, 0, 0, 0]), None);
    assert_eq!(stubborn_rules(program(false), &[1, 0, 0, 0]), Some(vec![1]));
}

/// Parameters tell the elements of arrays apart, unless there are too many of them.
#[test]
fn parameters_are_told_apart_while_they_are_few() {
    let program = |most: i32| {
        let place = element(0, Expr::Slot(0));
        let small = (1, Test::True(binary(Binary::Lt, Expr::Slot(0), Expr::Const(4))));
        let zero = (1, Test::True(binary(Binary::Eq, load(place.clone()), Expr::Const(0))));
        let ranges = vec![(0, most, 1)];
        let params = vec![Parameter { name: String::new(), slot: 0, ranges, format: Format::Number }];
        let many = Rule { params, slots: 1, ..rule(vec![small, zero], vec![set(place, 1)]) };
        let rules =
            vec![many, rule(vec![is(4, 0)], vec![set(byte(4), 1)]), rule(vec![is(3, 1)], vec![set(byte(2), 0)])];
        RuleSet { rules, ..RuleSet::default() }
    };
    assert_eq!(stubborn_rules(program(3), &[0; 5]), Some(vec![0]));
    assert_eq!(stubborn_rules(program(1 << 20), &[0; 5]), Some(vec![1]));
}

/// What a routine gets and returns is followed, until the routine changes it.
#[test]
fn routines_are_followed() {
    let program = |changed: bool| {
        let at = Variable { base: Base::At(0), offset: 0, ..byte(u32::MAX) };
        let stmt = |kind: StmtKind| Stmt { kind, source: Source::default() };
        let assign = stmt(StmtKind::Set(at.clone(), load(byte(6))));
        let give = stmt(StmtKind::Return(Some(load(at))));
        let body = if changed { vec![assign, give] } else { vec![give] };
        let routine = Routine { slots: 1, body, returns: true, ..Routine::default() };
        let kept = Variable { base: Base::Frame, ..byte(0) };
        let one = |guard: u32, number: i32| {
            let args = vec![Argument::Kept(kept.clone(), Expr::Const(number))];
            let index = Expr::Call(Box::new(Call { routine: 0, args }));
            Rule { frame: vec![0], ..rule(vec![is(guard, 0)], vec![set(element(0, index), 1), set(byte(guard), 1)]) }
        };
        RuleSet { routines: vec![routine], rules: vec![one(4, 0), one(5, 1)], ..RuleSet::default() }
    };
    assert_eq!(stubborn_rules(program(false), &[0; 7]), Some(vec![0]));
    assert_eq!(stubborn_rules(program(true), &[0; 7]), None);
}
