//! What machine code relies on is looked at before there is any: each of these programs is broken in one place.

use std::path::Path;
use std::sync::Arc;
use tightrope_core::Repr;
use tightrope_ir::{
    Action, Argument, Base, ChanRef, Domain, Expr, Index, Multiset, Pattern, Program, RuleSet, Stmt, StmtKind, Test,
    Variable, validate,
};
use tightrope_syntax::{Diagnostics, SourceMap};

const PROMELA: &str = "chan g = [2] of { byte, short };\nhidden byte h;\nbyte a[4];\n\
    proctype P(byte n; short m) provided (a[0] < 4) { chan own = [1] of { byte }; byte x;\n\
    own!n; own?x; x = 1; d_step { x = 1; a[x] = 2 }; if :: len(own) == 0 -> skip :: g?[1, 2] -> skip fi }\n\
    trace { do :: g!1, _ :: g!2, _ od }\n\
    init { run P(1, 2); g!1, 2 }\n";

const MURPHI: &str = "type e: 0..3; k: enum {p, q}; l: enum {r, s}; u: union {k, l};\nvar a: array [e] of e; m: multiset [3] of e; x: u;\n\
    procedure set(var t: e; n: e); begin t := n; end;\n\
    procedure outer(var t: e); begin set(t, 1); end;\n\
    procedure never(var t: e); begin outer(t); t := 0; end;\n\
    startstate begin for i: e do a[i] := 0; end; undefine m; x := p; end;\n\
    ruleset i: e do rule \"r\" a[i] = 0 ==> var l: array [e] of e; begin l[0] := 1; outer(a[i]); outer(l[i]);\n\
    a[l[0]] := 1; end; end;\n\
    rule \"add\" multisetcount(c: m, true) < 2 ==> var n: e; begin n := 1; multisetadd(n, m); end;\n\
    choose c: m do rule \"take\" begin multisetremove(c, m); end; end;\n\
    invariant \"i\" forall j: e do a[j] < 3 end;\n";

fn with_file<T>(name: &str, text: &str, load: impl FnOnce(&Path) -> Option<T>) -> T {
    let path = std::env::temp_dir().join(format!("tightrope-validation-{}-{name}", std::process::id()));
    std::fs::write(&path, text).expect("a file");
    let loaded = load(&path);
    let _ = std::fs::remove_file(path);
    loaded.expect("a model")
}

fn promela() -> Program {
    with_file("p.pml", PROMELA, |path| {
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let module = tightrope_promela::parse(path, &Default::default(), &mut sources, &mut diagnostics)?;
        let lowered = tightrope_promela::lower::lower(&module, &sources, &mut diagnostics);
        assert!(lowered.is_some(), "{}", diagnostics.render(&sources, false));
        Some(lowered?.program)
    })
}

fn murphi() -> Program {
    with_file("m.m", MURPHI, |path| {
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let model = tightrope_murphi::parse(path, &[], &mut sources, &mut diagnostics);
        assert!(model.is_some(), "{}", diagnostics.render(&sources, false));
        tightrope_murphi::lower::lower(&model?, &sources, &mut diagnostics)
    })
}

/// What is broken, and how.
type Change<'c> = (&'c str, &'c dyn Fn(&mut Program));

/// A program is valid and compiled until one of these changes is made, each by itself.
fn breaks(program: &Program, changes: &[Change<'_>]) {
    assert_eq!(validate(program), Ok(()));
    assert!(tightrope_jit::compile(&Arc::new(program.clone())).is_ok());
    for (what, change) in changes {
        let mut broken = program.clone();
        change(&mut broken);
        assert!(validate(&broken).is_err(), "{what}");
        assert!(tightrope_jit::compile(&Arc::new(broken)).is_err(), "{what}");
    }
}

fn proctype(program: &mut Program) -> &mut tightrope_ir::Process {
    program.processes.iter_mut().find(|process| process.name == "P").expect("P")
}

/// The first transition whose action has what is looked for.
fn action(program: &mut Program, is_it: impl Fn(&Action) -> bool) -> &mut Action {
    let transitions = program.processes.iter_mut().flat_map(|process| &mut process.transitions);
    let mut actions = transitions.map(|transition| &mut transition.action);
    actions.find(|action| is_it(action)).expect("an action")
}

fn own(offset: u32) -> Variable {
    let ty = tightrope_ir::Type::BYTE;
    Variable { base: Base::Own, offset, indices: Vec::new(), ty, declared: 0 }
}

#[test]
fn processes() {
    let program = promela();
    assert!(program.monitor.is_some() && !program.hidden.is_empty());
    let test = |expr: Expr| {
        move |program: &mut Program| {
            *action(program, |action| matches!(action, Action::Test(_))) = Action::Test(expr.clone())
        }
    };
    let index = |bound: u32, stride: u32| Index { value: Expr::Const(0), low: 0, bound, stride, name: String::new() };
    let array = |index: Index| Variable { indices: vec![index], ..own(0) };
    let load = |variable: Variable| Expr::Load(Box::new(variable));
    breaks(
        &program,
        &[
            ("a channel of a process lies behind it", &|p| proctype(p).channels[0].offset = 5000),
            ("a channel's place wraps", &|p| proctype(p).channels[0].offset = u32::MAX),
            ("a channel of a process is of no type", &|p| proctype(p).channels[0].channel = 9),
            ("a global channel lies behind the state", &|p| p.global_channels[0].offset = u32::MAX),
            ("a channel becomes larger than its place", &|p| p.channels[0].capacity = 200),
            ("a parameter lies behind the body", &|p| proctype(p).params[1].0 = 5000),
            ("a parameter's last byte lies behind the body", &|p| {
                let size = proctype(p).body.len() as u32;
                proctype(p).params[1].0 = size - 1;
            }),
            ("hidden bytes lie behind the state", &|p| p.hidden[0].1 = 5000),
            ("hidden bytes end before they begin", &|p| p.hidden[0] = (2, 1)),
            ("who moved last is behind the state", &|p| p.last_mover = Some(p.fixed.len() as u32)),
            ("the monitor is behind the state", &|p| p.monitor.as_mut().expect("one").offset = 5000),
            ("the monitor leads nowhere", &|p| {
                let locations = &mut p.monitor.as_mut().expect("one").locations;
                locations.iter_mut().flat_map(|(events, _)| events).for_each(|(_, target)| *target = 99);
            }),
            ("the monitor watches nothing", &|p| p.monitor.as_mut().expect("one").sends = vec![7]),
            ("`provided` looks behind the body", &|p| proctype(p).provided = Some(Expr::Load(Box::new(own(5000))))),
            ("`provided` asks for a slot", &|p| proctype(p).provided = Some(Expr::Slot(0))),
            ("a priority behind the body", &|p| proctype(p).priority = Some(5000)),
            ("a location too wide for the body", &|p| {
                let kind = p.processes.iter().position(|process| process.name == "P").expect("P");
                proctype(p).wide_pc = true;
                proctype(p).body.truncate(1);
                let schema = Arc::make_mut(&mut p.schema);
                schema.kinds[kind].size = 1;
                schema.kinds[kind].fields.truncate(1);
            }),
            ("transitions that wrap", &|p| proctype(p).locations[0].first = u32::MAX),
            ("two locations with the same transitions", &|p| {
                proctype(p).locations[1] = proctype(p).locations[0].clone()
            }),
            ("two variables at the same place", &|p| {
                let Action::Assign(variable, _) = action(p, |action| matches!(action, Action::Assign(..))) else {
                    return;
                };
                variable.declared += 1;
            }),
            ("a transition that leads nowhere", &|p| proctype(p).transitions[0].target = 5000),
            ("an indivisible sequence that leads nowhere", &|p| {
                let found = action(p, |action| matches!(action, Action::Indivisible(_)));
                let Action::Indivisible(code) = found else { return };
                code.nodes[0].actions[0].1 = Some(99);
            }),
            ("an indivisible sequence of nothing", &|p| {
                let found = action(p, |action| matches!(action, Action::Indivisible(_)));
                let Action::Indivisible(code) = found else { return };
                code.nodes.clear();
            }),
            ("a variable behind the body", &test(load(own(5000)))),
            ("an array that goes on behind the body", &test(load(array(index(100_000, 1))))),
            ("an array whose size wraps", &test(load(array(index(u32::MAX, u32::MAX))))),
            ("an array of nothing", &test(load(array(index(0, 1))))),
            ("a channel that is not there", &test(Expr::Length(ChanRef::Own(9)))),
            ("the name of a channel that is not there", &test(Expr::OwnChannel(9))),
            ("a table that is too short", &test(Expr::Table(Box::new((index(4, 1), vec![1]))))),
            ("a process of no kind", &test(Expr::FirstOf(99))),
            ("a type of no bits", &|p| {
                let mut wrong = own(0);
                wrong.ty.bits = 0;
                *action(p, |action| matches!(action, Action::Test(_))) = Action::Test(Expr::Load(Box::new(wrong)));
            }),
            ("a message is stored behind the body", &|p| {
                let found = action(p, |action| matches!(action, Action::Receive(_)));
                let Action::Receive(receive) = found else { return };
                receive.patterns[0] = Pattern::Bind(own(5000));
            }),
        ],
    );
}

fn rules(program: &mut Program) -> &mut RuleSet {
    program.rules.as_mut().expect("rules")
}

/// Changes the first statement, in a rule or routine, that is one of those looked for.
fn statement(program: &mut Program, change: &mut dyn FnMut(&mut StmtKind) -> bool) {
    let rules = rules(program);
    let bodies = rules.rules.iter_mut().map(|rule| &mut rule.body);
    let mut bodies: Vec<&mut Vec<Stmt>> =
        bodies.chain(rules.routines.iter_mut().map(|routine| &mut routine.body)).collect();
    let changed = bodies.iter_mut().flat_map(|body| body.iter_mut()).any(|stmt| change(&mut stmt.kind));
    assert!(changed, "there is no such statement");
}

#[test]
fn rules_and_routines() {
    let program = murphi();
    let changed_set = |change: &'static dyn Fn(&mut Variable)| {
        move |program: &mut Program| {
            statement(program, &mut |kind| match kind {
                StmtKind::Set(variable, _) => {
                    change(variable);
                    true
                }
                _ => false,
            })
        }
    };
    let argument = |change: &'static dyn Fn(&mut Argument)| {
        move |program: &mut Program| {
            statement(program, &mut |kind| match kind {
                StmtKind::Call(call) => {
                    change(&mut call.args[0]);
                    true
                }
                _ => false,
            })
        }
    };
    breaks(
        &program,
        &[
            ("a multiset lies behind the state", &|p| rules(p).multisets[0].offset = 5000),
            ("a multiset's size wraps", &|p| rules(p).multisets[0].count = u32::MAX),
            ("a multiset's slots have no bytes", &|p| rules(p).multisets[0].size = 0),
            ("an element is added to a multiset that is larger than its place", &|p| {
                statement(p, &mut |kind| match kind {
                    StmtKind::Insert(_, form, _) => {
                        *form = Multiset { count: 1000, ..*form };
                        true
                    }
                    _ => false,
                });
            }),
            ("an element is taken from a multiset without bytes", &|p| {
                statement(p, &mut |kind| match kind {
                    StmtKind::Remove(_, form, _) => {
                        *form = Multiset { size: 0, ..*form };
                        true
                    }
                    _ => false,
                });
            }),
            ("a variable lies behind the memory", &changed_set(&|variable| variable.offset = 5000)),
            ("a union that is not there", &changed_set(&|variable| variable.ty.domain = Domain::Union(9))),
            (
                "a type without room",
                &changed_set(&|variable| {
                    variable.ty.domain = Domain::Within { low: 0, high: 70_000 };
                    variable.ty.repr = Repr::U8;
                }),
            ),
            (
                "a place behind the state is handed over",
                &argument(&|argument| {
                    if let Argument::Place(variable) = argument {
                        variable.offset = 5000;
                    }
                }),
            ),
            ("more is used behind a place than there is, two calls further", &|p| {
                let rules = rules(p);
                let set = rules.routines.iter_mut().find(|routine| routine.name == "set").expect("set");
                let StmtKind::Set(variable, _) = &mut set.body[0].kind else { panic!("a statement") };
                assert!(matches!(variable.base, Base::At(_)));
                variable.offset = 40;
            }),
            ("a place is used that was never set", &|p| {
                let set = rules(p).routines.iter_mut().find(|routine| routine.name == "set").expect("set");
                set.slots += 1;
                let StmtKind::Set(variable, _) = &mut set.body[0].kind else { panic!("a statement") };
                variable.base = Base::At(set.slots - 1);
            }),
            ("a routine is called in two ways", &argument(&|argument| *argument = Argument::Value(Expr::Const(0)))),
            ("a routine that is not there", &|p| {
                statement(p, &mut |kind| match kind {
                    StmtKind::Call(call) => {
                        call.routine = 99;
                        true
                    }
                    _ => false,
                });
            }),
            ("a routine without slots for its parameters", &|p| {
                rules(p).routines.iter_mut().for_each(|routine| routine.slots = 0);
            }),
            ("a parameter of a rule without a slot", &|p| {
                let rule = rules(p).rules.iter_mut().find(|rule| !rule.params.is_empty()).expect("a rule");
                rule.params[0].slot = 99;
            }),
            ("a parameter that does not move on", &|p| {
                let rule = rules(p).rules.iter_mut().find(|rule| !rule.params.is_empty()).expect("a rule");
                rule.params[0].ranges[0].2 = 0;
            }),
            ("a test that needs more parameters than there are", &|p| {
                let rule = rules(p).rules.iter_mut().find(|rule| !rule.tests.is_empty()).expect("a rule");
                rule.tests.last_mut().expect("a test").0 = 99;
            }),
            ("an invariant looks behind the state", &|p| {
                let variable = Variable { base: Base::Global, ..own(5000) };
                rules(p).invariants[0].tests.push(Test::True(Expr::Load(Box::new(variable))));
            }),
            ("a rule has processes", &|p| {
                rules(p).invariants[0].tests.push(Test::True(Expr::OwnPid));
            }),
        ],
    );
}
