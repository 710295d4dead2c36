//! Programs made of rules as text, to look at when a test fails.

use super::Generated;
use std::fmt::Write;
use tightrope_ir::{Argument, Base, Binary, Call, Expr, Stmt, StmtKind, Test, Variable};

/// The whole program.
pub fn show(generated: &Generated) -> String {
    let Generated { world, program } = generated;
    let mut text = String::new();
    for (set, size) in world.sets.iter().enumerate() {
        let (low, _) = world.bounds(&super::Form::Set(set));
        let _ = writeln!(text, "set {set}: {size} elements from {low}");
    }
    for (global, form) in world.globals.iter().enumerate() {
        let _ = writeln!(text, "g{global} at {}: {form:?}", world.offset(global));
    }
    let Some(rules) = &program.rules else { return text };
    let _ = writeln!(text, "idle is stuck: {}; unions: {:?}", rules.idle_is_stuck, rules.unions);
    for (number, automaton) in rules.automata.iter().enumerate() {
        let urgent: Vec<usize> =
            (0..automaton.locations.len()).filter(|&location| automaton.locations[location].committed).collect();
        let count = automaton.locations.len();
        let _ = writeln!(text, "automaton {number}: g{}, {count} locations, urgent {urgent:?}", automaton.declared);
    }
    if let Some(failed) = &rules.failed {
        let _ = writeln!(text, "failing steps lead to {failed:?}");
    }
    for (number, routine) in rules.routines.iter().enumerate() {
        let _ = writeln!(text, "routine {number} {}, {} bytes:", routine.name, routine.frame.len());
        block(&mut text, &routine.body, 1);
    }
    for (what, rule) in
        rules.starts.iter().map(|rule| ("start", rule)).chain(rules.rules.iter().map(|rule| ("rule", rule)))
    {
        let params: Vec<String> =
            rule.params.iter().map(|param| format!("{}: {:?}", param.name, param.ranges)).collect();
        let _ = writeln!(text, "{what} `{}` ({}) priority {}", rule.name, params.join(", "), rule.priority);
        if !rule.from.is_empty() {
            let group = rule.group.map(|group| format!(", group {group}")).unwrap_or_default();
            let _ = writeln!(text, "  from {:?}{group}", rule.from);
        }
        for (needs, one) in &rule.tests {
            let _ = writeln!(text, "  when ({needs}) {}", test(one));
        }
        block(&mut text, &rule.body, 1);
    }
    for invariant in &rules.invariants {
        let tests: Vec<String> = invariant.tests.iter().map(test).collect();
        let _ = writeln!(text, "invariant `{}` {}", invariant.name, tests.join("; "));
    }
    text
}

fn test(test: &Test) -> String {
    match test {
        Test::True(condition) => expr(condition),
        Test::Bind(slot, value) => format!("s{slot} is {}", argument(value)),
    }
}

fn block(text: &mut String, stmts: &[Stmt], depth: usize) {
    let indent = "  ".repeat(depth);
    for stmt in stmts {
        let line = match &stmt.kind {
            StmtKind::Set(to, value) => format!("{} := {}", variable(to), expr(value)),
            StmtKind::SetSlot(slot, value) => format!("s{slot} := {}", expr(value)),
            StmtKind::Bind(slot, to) => format!("s{slot} refers to {}", variable(to)),
            StmtKind::Copy(to, from, size) => format!("{} := {} ({size} bytes)", variable(to), variable(from)),
            StmtKind::Fill(to, bytes) => format!("{} := bytes {bytes:?}", variable(to)),
            StmtKind::If(options, otherwise) => {
                for (condition, then) in options {
                    let _ = writeln!(text, "{indent}if {}", expr(condition));
                    block(text, then, depth + 1);
                }
                let _ = writeln!(text, "{indent}else");
                block(text, otherwise, depth + 1);
                continue;
            }
            StmtKind::Switch(value, cases, otherwise) => {
                let _ = writeln!(text, "{indent}switch {}", expr(value));
                for (values, then) in cases {
                    let values: Vec<String> = values.iter().map(expr).collect();
                    let _ = writeln!(text, "{indent}case {}", values.join(", "));
                    block(text, then, depth + 1);
                }
                let _ = writeln!(text, "{indent}else");
                block(text, otherwise, depth + 1);
                continue;
            }
            StmtKind::For(slot, low, high, step, body) => {
                let _ = writeln!(text, "{indent}for s{slot} from {} to {} by {step}", expr(low), expr(high));
                block(text, body, depth + 1);
                continue;
            }
            StmtKind::While(condition, body) => {
                let _ = writeln!(text, "{indent}while {}", expr(condition));
                block(text, body, depth + 1);
                continue;
            }
            StmtKind::Call(one) => call(one),
            StmtKind::Return(value) => format!("return {}", value.as_ref().map(expr).unwrap_or_default()),
            StmtKind::Assert(condition, _) => format!("assert {}", expr(condition)),
            StmtKind::Error(message) => format!("error {message}"),
            StmtKind::Print(_) => String::from("print"),
            StmtKind::Insert(multiset, _, element) => {
                format!("insert {} into {}", variable(element), variable(multiset))
            }
            StmtKind::Remove(multiset, _, position) => format!("remove {} from {}", expr(position), variable(multiset)),
        };
        let _ = writeln!(text, "{indent}{line}");
    }
}

fn call(call: &Call) -> String {
    let args: Vec<String> = call.args.iter().map(argument).collect();
    format!("routine{}({})", call.routine, args.join(", "))
}

fn argument(argument: &Argument) -> String {
    match argument {
        Argument::Value(value) => expr(value),
        Argument::Place(place) => format!("var {}", variable(place)),
        Argument::Kept(place, value) => format!("{} := {}", variable(place), expr(value)),
    }
}

fn variable(variable: &Variable) -> String {
    let base = match &variable.base {
        Base::Global => format!("g{}", variable.declared),
        Base::Frame => String::from("frame"),
        Base::At(slot) => format!("*s{slot}"),
        other => format!("{other:?}"),
    };
    let indices = variable.indices.iter().map(|index| format!("[{}]", expr(&index.value)));
    format!("{base}@{}{}", variable.offset, indices.collect::<String>())
}

fn expr(one: &Expr) -> String {
    match one {
        Expr::Const(value) => value.to_string(),
        Expr::Load(from) => variable(from),
        Expr::Unary(op, a) => format!("{op:?}({})", expr(a)),
        Expr::Binary(op, a, b) => {
            let sign = match op {
                Binary::Add => "+",
                Binary::Eq => "=",
                Binary::Ne => "!=",
                Binary::Lt => "<",
                Binary::Le => "<=",
                Binary::Gt => ">",
                Binary::Ge => ">=",
                other => &format!("{other:?}"),
            };
            format!("({} {sign} {})", expr(a), expr(b))
        }
        Expr::Both(a, b) => format!("({} & {})", expr(a), expr(b)),
        Expr::Either(a, b) => format!("({} | {})", expr(a), expr(b)),
        Expr::Choose(parts) => format!("({} ? {} : {})", expr(&parts.0), expr(&parts.1), expr(&parts.2)),
        Expr::Slot(slot) => format!("s{slot}"),
        Expr::Undefined(what) => format!("undefined({})", variable(what)),
        Expr::Call(one) => call(one),
        Expr::Ordinal(value, union) => format!("position({}, {union})", expr(value)),
        Expr::Table(table) => format!("{:?}[{} - {}]", table.1, expr(&table.0.value), table.0.low),
        Expr::Quantified(over) => format!(
            "{:?} s{} {}..{} by {} {{{}}}",
            over.fold,
            over.slot,
            expr(&over.low),
            expr(&over.high),
            over.step,
            expr(&over.body)
        ),
        other => format!("{other:?}"),
    }
}
