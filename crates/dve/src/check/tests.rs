//! What the checker makes of names, constants and expressions, and how it is written again.

use crate::hir::*;
use proptest::prelude::*;
use tightrope_syntax::{Diagnostics, SourceMap};

fn model(text: &str) -> Model {
    let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
    let model = crate::parse_text("m.dve", text, &mut sources, &mut diags);
    model.unwrap_or_else(|| panic!("{}", diags.render(&sources, false)))
}

/// A model with many names.
fn names() -> Model {
    model(
        "const byte N = 7; const byte t[3] = {1, 2, 3}; byte a, b, c, d, e, v[4];
         process P { byte x, w[2], same; const byte K = 9, u[2] = {5, 6}; state s, r; init s; }
         process Q { byte x, s; state same, q; init q; }
         system async;",
    )
}

fn goal(text: &str, model: &Model) -> Result<Expr, String> {
    let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
    let expr = crate::parse_expression(text, model, &mut sources, &mut diags);
    assert_eq!(expr.is_none(), diags.has_errors());
    expr.ok_or_else(|| diags.render(&sources, false))
}

/// An expression with all parentheses; chains of the same `and` or `or` have one pair.
fn shape(expr: &Expr, model: &Model) -> String {
    fn connective<'e>(expr: &'e Expr, and: bool, list: &mut Vec<&'e Expr>) {
        match &expr.kind {
            ExprKind::And(parts) if and => {
                [&parts.0, &parts.1].into_iter().for_each(|part| connective(part, and, list))
            }
            ExprKind::Or(parts) if !and => {
                [&parts.0, &parts.1].into_iter().for_each(|part| connective(part, and, list))
            }
            _ => list.push(expr),
        }
    }
    let chain = |and: bool| {
        let mut list = Vec::new();
        connective(expr, and, &mut list);
        let parts: Vec<_> = list.into_iter().map(|part| shape(part, model)).collect();
        format!("({})", parts.join(if and { " and " } else { " or " }))
    };
    match &expr.kind {
        ExprKind::Unary(op, a) => format!("({op:?} {})", shape(a, model)),
        ExprKind::Binary(op, parts) => {
            format!("({} {} {})", shape(&parts.0, model), op.spelled(), shape(&parts.1, model))
        }
        ExprKind::Imply(parts) => format!("({} imply {})", shape(&parts.0, model), shape(&parts.1, model)),
        ExprKind::And(_) => chain(true),
        ExprKind::Or(_) => chain(false),
        _ => expr.text(model),
    }
}

fn grouped(text: &str) -> String {
    let model = names();
    shape(&goal(text, &model).expect(text), &model)
}

#[test]
fn operators_bind_as_in_divine() {
    for (text, expected) in [
        ("a + b * c - d", "((a + (b * c)) - d)"),
        ("a - b - c", "((a - b) - c)"),
        ("a / b % c * d", "(((a / b) % c) * d)"),
        ("a or b and c", "((a or b) and c)"),
        ("a and b or c and d", "(((a and b) or c) and d)"),
        ("a || b && c", "((a or b) and c)"),
        ("a and b and c and d", "(a and b and c and d)"),
        ("a imply b imply c", "((a imply b) imply c)"),
        ("a imply b or c", "(a imply (b or c))"),
        ("a | b & c ^ d", "(((a | b) & c) ^ d)"),
        ("a and b | c == d", "(a and (b | (c == d)))"),
        ("a == b != c", "((a == b) != c)"),
        ("a == b < c", "(a == (b < c))"),
        ("a < b <= c", "((a < b) <= c)"),
        ("a < b << c + 1", "(a < (b << (c + 1)))"),
        ("a << b >> c", "((a << b) >> c)"),
        ("not a == b", "((Not a) == b)"),
        ("not a and b", "((Not a) and b)"),
        ("not not a", "(Not (Not a))"),
        ("-a * b", "((Neg a) * b)"),
        ("a--b", "(a - (Neg b))"),
        ("a---b", "(a - (Neg (Neg b)))"),
        ("a - -1", "(a - -1)"),
        ("~a | b", "((BitNot a) | b)"),
        ("a * -b + c", "((a * (Neg b)) + c)"),
        ("(a imply b) and c", "((a imply b) and c)"),
        ("v[a + 1] == t[b]", "(v[a + 1] == t[b])"),
        ("true and false == a", "(1 and (0 == a))"),
    ] {
        assert_eq!(grouped(text), expected, "{text}");
    }
}

#[test]
fn text_has_only_the_parentheses_it_needs() {
    let model = names();
    for (text, expected) in [
        ("((a) + (b * c))", "a + b * c"),
        ("(a + b) * c", "(a + b) * c"),
        ("a - (b - c)", "a - (b - c)"),
        ("a - (b + c)", "a - (b + c)"),
        ("(a or b) and c", "a or b and c"),
        ("a or (b and c)", "a or (b and c)"),
        ("a and (b and c)", "a and b and c"),
        ("a and ((b or c) and d)", "a and (b or c) and d"),
        ("(a imply b) imply (c imply d)", "a imply b imply (c imply d)"),
        ("not (a == b)", "not (a == b)"),
        ("(not a) == b", "not a == b"),
        ("-(-a)", "-(-a)"),
        ("- -1", "1"),
        ("a - -N", "a - -7"),
        ("~(-1)", "~-1"),
        ("-(~a)", "-~a"),
        ("P.s and P->x == v[(a)]", "P.s and P->x == v[a]"),
        ("P->w[P->u[1]] + P->K", "P->w[P->u[1]] + 9"),
    ] {
        assert_eq!(goal(text, &model).expect(text).text(&model), expected, "{text}");
    }
}

#[test]
fn goals_may_name_variables_with_dots() {
    let model = names();
    for (text, expected) in [
        ("P.x == 1", "P->x == 1"),
        ("P.w[1] == P.K", "P->w[1] == 9"),
        ("P.u[0]", "P->u[0]"),
        ("P.s", "P.s"),
        ("v + 1", "v[0] + 1"),
        ("Q.s + Q.same", "Q->s + Q.same"),
        ("P.same", "P->same"),
    ] {
        assert_eq!(goal(text, &model).expect(text).text(&model), expected, "{text}");
    }
    for (text, expected) in [
        ("x == 1", "a variable of another process is written `P->x`"),
        ("q", "a state of another process is written `Q.q`"),
        ("P.t", "`P` has no state `t`"),
        ("a ==", "expected an expression, found the end"),
        ("a b", "expected an operator or the end, found `b`"),
        ("", "--goal:1:1"),
        ("R.s", "`R` is not declared"),
        ("P", "`P` is a process, not a variable"),
        ("/*", "this comment never ends"),
        ("v[4] == 1", "index 4 is out of bounds"),
        ("P->w[1 - 2] == 1", "index -1 is out of bounds"),
        ("t[N] == 1", "the indices are 0 to 2"),
    ] {
        let shown = goal(text, &model).expect_err(text);
        assert!(shown.contains(expected), "{text}: {shown}");
    }
}

#[test]
fn transitions_as_text() {
    let model = model(
        "byte x, a[2]; channel c, d; channel {byte, int} e[1];
         process P { byte l; state s, t; init s; trans
            s -> t { effect x=l; guard (x==1), (a[x] or l); sync c!(x+1); },
            t -> t { sync d?; },
            t -> s { sync e?{l, x}; effect a[0] = Q->m, l = 2; },
            -> s { };
         }
         process Q { byte m; state q; init q; trans q -> q { sync e!{P->l, -m}; }; }
         system async;",
    );
    let shown: Vec<String> = model.processes[0].transitions.iter().map(|t| t.text(&model, 0)).collect();
    let expected = [
        "s -> t { guard x == 1 and (a[x] or l); sync c!x + 1; effect x = l; }",
        "t -> t { sync d?; }",
        "t -> s { sync e?{l, x}; effect a[0] = Q->m, l = 2; }",
        "t -> s { }",
    ];
    assert_eq!(shown, expected);
    let other = &model.processes[1].transitions[0];
    assert_eq!(other.sync.as_ref().map(|sync| sync.text(&model, 1)).as_deref(), Some("e!{P->l, -m}"));
    let effect = &model.processes[0].transitions[2].effects[1];
    assert_eq!((effect.text(&model, 0).as_str(), effect.target.text(&model, None).as_str()), ("l = 2", "P->l"));
    assert_eq!(model.channels.iter().map(|channel| channel.arity).collect::<Vec<_>>(), [1, 0, 2]);
}

#[test]
fn values_of_declarations() {
    let model = model(
        "const byte N = 3, M = N * N - 1; const int t[N] = {-1, 40000}; byte x = M, a[N + 1] = {1, N, 300}; int y = -N;
         process P { const byte K = N; byte z = t[0] + K, big[K * 2]; state s; init s; }
         system sync property P;",
    );
    let constants: Vec<_> = model.constants.iter().map(|c| (c.name.as_str(), c.process, c.value)).collect();
    assert_eq!(constants, [("N", None, 3), ("M", None, 8), ("K", Some(0), 3)]);
    assert_eq!(model.tables[0].values, [-1, 40000 - 65536, 0]);
    let initial: Vec<_> = model.variables.iter().map(|v| (v.name.as_str(), v.length, v.initial.clone())).collect();
    assert_eq!(initial, [("x", None, vec![8]), ("a", Some(4), vec![1, 3, 44, 0]), ("y", None, vec![-3])]);
    let local = &model.processes[0].variables;
    assert_eq!((local[0].initial[0], local[1].length), (2, Some(6)));
    assert_eq!((model.synchronous, model.property), (true, Some(0)));
}

#[test]
fn states_and_acceptance() {
    let model = model(
        "process P { state a, b, c; init b; commit c, c; accept a, c, a; assert c: 1 == 2; }
         process Q { state a, b; init a; accept rabin (a, a; b), (; b); }
         system async;",
    );
    let states: Vec<_> = model.processes[0].states.iter().map(|s| (s.commit, s.accept)).collect();
    assert_eq!(states, [(false, true), (false, false), (true, true)]);
    assert_eq!((model.processes[0].init, model.processes[0].asserts[0].state), (1, 2));
    assert_eq!(model.processes[0].accept, Acceptance::Buchi);
    assert_eq!(model.processes[1].accept, Acceptance::Rabin(vec![(vec![0], vec![1]), (vec![], vec![1])]));
}

#[test]
fn constants_of_expressions() {
    let model = names();
    for (text, expected) in [
        ("N * 2 + (1 << 4)", Some(30)),
        ("1 / 0", None),
        ("0 and a", Some(0)),
        ("a and 0", None),
        ("a", None),
        ("2 imply 0 or 3", Some(1)),
        ("~0 == -1", Some(1)),
        ("2147483647 + 1", Some(i32::MIN)),
    ] {
        assert_eq!(goal(text, &model).expect(text).constant(), expected, "{text}");
    }
}

/// Expressions as text, with many parentheses.
fn expression() -> impl Strategy<Value = String> {
    let names = vec!["a", "b", "c", "0", "17", "N", "true", "P.s", "P->x", "Q->s"];
    let leaf = prop::sample::select(names).prop_map(str::to_string);
    leaf.prop_recursive(6, 60, 3, |inner| {
        let operators = "imply or and || && | & ^ == != < <= > >= << >> + - * / %".split(' ').collect::<Vec<_>>();
        prop_oneof![
            4 => (inner.clone(), prop::sample::select(operators), inner.clone())
                .prop_map(|(a, op, b)| format!("({a}) {op} ({b})")),
            1 => (prop::sample::select(["-", "~", "not "].as_slice()), inner.clone())
                .prop_map(|(op, a)| format!("{op}({a})")),
            1 => (prop::sample::select(["v", "t", "P->w", "P->u"].as_slice()), inner)
                .prop_map(|(array, a)| format!("{array}[a + ({a})]")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn text_reads_back_as_the_same(text in expression()) {
        let model = names();
        let first = goal(&text, &model).expect(&text);
        let written = first.text(&model);
        let second = goal(&written, &model).expect(&written);
        prop_assert_eq!(shape(&first, &model), shape(&second, &model), "{}", written);
        prop_assert_eq!(written, second.text(&model));
    }
}

#[test]
fn the_highest_expressions_are_walked() {
    let model = names();
    let sum = vec!["a"; 990].join(" + ");
    let indices = format!("{}a{}", "v[-~a + ".repeat(190), "]".repeat(190));
    let mixed = vec!["a and b or c"; 320].join(" and ");
    let chain = vec!["a == 1"; 100_000].join(" or ");
    for text in [sum, format!("{}a", "not ".repeat(990)), indices, mixed, chain] {
        let expr = goal(&text, &model).expect("not too high");
        let written = expr.text(&model);
        assert_eq!(goal(&written, &model).expect("as high").text(&model), written);
        assert!(expr.constant().is_none());
    }
}
