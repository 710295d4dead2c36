//! What each construct parses to.

use super::{body, canonical, expr, messages, parse};
use crate::ast::{ExprKind, StmtKind, Unit};

#[test]
fn precedence() {
    assert_eq!(expr("a || b && c | d ^ e & f == g < h << i + j * k"), {
        "(a || (b && (c | (d ^ (e & (f == (g < (h << (i + (j * k))))))))))"
    });
    assert_eq!(expr("a * b + c << d < e == f & g ^ h | i && j || k"), {
        "((((((((((a * b) + c) << d) < e) == f) & g) ^ h) | i) && j) || k)"
    });
}

#[test]
fn operators_associate_to_the_left() {
    assert_eq!(expr("a - b - c"), "((a - b) - c)");
    assert_eq!(expr("a / b % c * d"), "(((a / b) % c) * d)");
    assert_eq!(expr("a == b != c"), "((a == b) != c)");
    assert_eq!(expr("a << b >> c"), "((a << b) >> c)");
    assert_eq!(expr("a && b && c || d || e"), "((((a && b) && c) || d) || e)");
}

#[test]
fn unary_operators_bind_tightest() {
    assert_eq!(expr("!a == b"), "((! a) == b)");
    assert_eq!(expr("- a * ~ b"), "((- a) * (~ b))");
    assert_eq!(expr("! - ~ a.b[1]"), "(! (- (~ a.b[1])))");
    assert_eq!(expr("a - -1"), "(a - (- 1))");
}

#[test]
fn conditional_expressions() {
    assert_eq!(expr("(a > b -> a : b)"), "((a > b) -> a : b)");
    assert_eq!(expr("(a -> (b -> 1 : 2) : c + 1) * 2"), "((a -> (b -> 1 : 2) : (c + 1)) * 2)");
}

#[test]
fn constants() {
    assert_eq!(expr("true + false + skip + 12 + 'a' + '\\n' + '\\\\' + '\\0'"), {
        "(((((((1 + 0) + 1) + 12) + 97) + 10) + 92) + 48)"
    });
    assert_eq!(expr("010"), "10");
    assert_eq!(expr("2147483647"), "2147483647");
    assert!(messages("x = 0x10")[0].contains("is not a number"));
    assert!(messages("x = 99999999999999999999")[0].contains("too large"));
    assert!(messages("x = 'ab'")[0].contains("not one character"));
}

#[test]
fn functions() {
    assert_eq!(expr("len(c) + len(a[1].c)"), "(len(c) + len(a[1].c))");
    assert_eq!(body("full(c) && nfull(d) || (empty(e) && nempty(f)) && x"), {
        "((full(c) && nfull(d)) || ((empty(e) && nempty(f)) && x))"
    });
    assert_eq!(expr("enabled(1) + pc_value(p) + get_priority(_pid)"), {
        "((enabled(1) + pc_value(p)) + get_priority(_pid))"
    });
    assert_eq!(body("set_priority(_pid, 2)"), "set_priority(_pid, 2)");
    assert_eq!(body("timeout && np_ || _last == _nr_pr"), "((timeout && np_) || (_last == _nr_pr))");
}

#[test]
fn probes_cannot_be_negated_or_compared() {
    for text in ["!full(c)", "full(c) == 0", "-empty(c)", "! (x && nfull(c))", "x + nempty(c)"] {
        assert_eq!(
            messages(text),
            ["`full`, `empty`, `nfull` and `nempty` can be operands of `&&` and `||` only"],
            "{text}"
        );
    }
}

#[test]
fn processes() {
    let text = "proctype P(byte a, b; chan c) { skip } active [2] proctype Q() { skip } D_proctype R() { skip } \
                active D_proctype S() priority 3 provided (x == 1) { skip } init priority 2 { skip }";
    let form = canonical(text);
    assert!(form.starts_with("proctype P(byte a, b; chan c) { 1 } active [2] proctype Q() { 1 }"), "{form}");
    assert!(
        form.ends_with("active D_proctype S() priority 3 provided ((x == 1)) { 1 } init priority 2 { 1 }"),
        "{form}"
    );
    assert!(super::errors("active proctype P() provided (x) priority 3 { skip }").contains("before `provided`"));
    assert!(super::errors("proctype P(byte a = 3) { skip }").contains("has an initial value"));
}

#[test]
fn run() {
    let form =
        canonical("proctype P(byte x) { skip } init { run P(1); pid p = run P(1 + 2) priority 4; run Q(); skip }");
    assert!(form.ends_with("{ run P(1); pid p = run P((1 + 2)) priority 4; run Q(); 1 }"), "{form}");
}

#[test]
fn remote_references() {
    let text = "proctype P() { skip } init { P@l && P[1]@l; P:x == P[y]:a[1]; (x -> y : z); Q@m; Q[1]@m }";
    assert!(canonical(text).ends_with("{ (P@l && P[1]@l); (P:x == P[y]:a[1]); (x -> y : z); Q@m; Q[1]@m }"));
    assert!(
        super::errors("proctype P() { skip } init { P = 1 }").contains("a process type cannot be used as a variable")
    );
    assert!(super::errors("proctype P() { byte P; skip }").contains("a process type cannot be used as a variable"));
}

#[test]
fn declarations() {
    assert_eq!(
        canonical(
            "hidden byte x = 3, y[4]; show bool b; local bit c; unsigned u : 3 = 5; short a[2] = { 1, 2 }; pid p; int i"
        ),
        "hidden byte x = 3, y[4]; show bool b; local bit c; unsigned u : 3 = 5; short a[2] = { 1, 2 }; pid p; int i;"
    );
    assert_eq!(
        canonical("chan c = [2] of { mtype, byte, chan, mtype:m, bool }; chan e, d[3] = [0] of { int }"),
        "chan c = [2] of { mtype, byte, chan, mtype:m, bool }; chan e, d[3] = [0] of { int };"
    );
}

#[test]
fn a_braced_initialiser_ends_its_declaration() {
    assert!(super::errors("chan a = [1] of { byte }, b;").contains("expected `;`, found `,`"));
    assert!(super::errors("byte a[2] = { 1, 2 }, b;").contains("declare the next variable on its own"));
}

#[test]
fn symbolic_names() {
    assert_eq!(canonical("mtype = { a, b } mtype { c d, e, } mtype:m = { f }; mtype x = a; mtype:m y[2]"), {
        "mtype = { a, b }; mtype = { c, d, e }; mtype:m = { f }; mtype x = a; mtype:m y[2];"
    });
    assert!(messages("mtype = { a }; skip")[0].contains("outside of processes"));
}

#[test]
fn types() {
    let text =
        "typedef A { byte x; bool y[2] } typedef B { A a[3]; chan c = [1] of { A }; } B b; chan d = [1] of { B }";
    assert_eq!(
        canonical(text),
        "typedef A { byte x; bool y[2] } typedef B { A a[3]; chan c = [1] of { A } } B b; chan d = [1] of { B };"
    );
    assert!(super::errors("typedef T { T x }").contains("expected a field"));
}

#[test]
fn messages_are_sent() {
    assert_eq!(body("c!1; c!a,b+1; c!a(b,1); c!!x, 2; a[1].c!-1"), {
        "c ! 1; c ! a, (b + 1); c ! a, b, 1; c !! x, 2; a[1].c ! (- 1)"
    });
    assert!(messages("c!(a, b)")[0].contains("expected `)`, found `,`"));
}

#[test]
fn messages_are_received() {
    assert_eq!(body("c?x; c?x,_,3; c?a(b,_); c?(x,y); c??-1; c?eval(x+1),true"), {
        "c ? x; c ? x, _, 3; c ? a, b, _; c ? x, y; c ?? -1; c ? eval((x + 1)), 1"
    });
    assert_eq!(body("c?<x,y>; c??<a(b)>; c?[x,1] && y; c??[_]; (c?[a(b)])"), {
        "c ? < x, y >; c ?? < a, b >; (c ? [x, 1] && y); c ?? [_]; c ? [a, b]"
    });
}

#[test]
fn choices_and_loops() {
    assert_eq!(body("if :: x -> y = 1 :: else -> skip fi; do :: x; break :: goto l od; l: skip"), {
        "if :: x; y = 1 :: else; 1 fi; do :: x; break :: goto l od; l: 1"
    });
    assert_eq!(body("for (i : 1..N-1) { skip } for (x in a.b) { y = x }; select (z : 0 .. n)"), {
        "for (i : 1 .. (N - 1)) { 1 }; for (x in a.b) { y = x }; select (z : 0 .. n)"
    });
    assert_eq!(body("in = 1; for (in in in) { skip }"), "in = 1; for (in in in) { 1 }");
}

#[test]
fn plain_selects_are_written_out() {
    assert_eq!(body("select (x : 1 .. 3)"), "if :: x = 1 :: x = 2 :: x = 3 fi");
    assert_eq!(body("select\n(x:7..7)"), "if :: x = 7 fi");
    for text in ["select (x : 0 .. 33)", "select (x_y : 1 .. 2)", "select (x : (- 1) .. 2)", "select (x : a .. 2)"] {
        assert_eq!(body(text), text);
    }
    // In one line these would be plain: their canonical forms say something else.
    for text in ["init { select (x : 1 ..\n 2) }", "inline f() { select (x : 1 .. 2) } init { f() }"] {
        let module = parse(text).unwrap_or_else(|errors| panic!("{errors}"));
        assert!(super::print::module(&module).contains("select (x : 1 .. 2)"), "{text}");
    }
    assert_eq!(messages("select (x : 3 .. 1)"), ["this range is empty"]);
}

#[test]
fn labels() {
    assert_eq!(body("a: b: x = 1; c: { d: skip; e: }"), "a: b: x = 1; c: { d: 1; e: 1 }");
    assert_eq!(body("if :: x; l: fi; m: unless { n: }"), "if :: x; l: 1 fi; m: 1 unless { n: 1 }");
    assert_eq!(messages("skip; l: byte x; skip"), ["label `l` stands before a declaration"]);
}

#[test]
fn other_statements() {
    assert_eq!(body("x++; a[i].b--; assert(x) ; assert x == 1; printm(m)"), {
        "x++; a[i].b--; assert(x); assert((x == 1)); printm(m)"
    });
    assert_eq!(
        body(r#"printf("a\tb\"\n"); printf("%d %d", x, y + 1)"#),
        r#"printf("a\tb\"\n"); printf("%d %d", x, (y + 1))"#
    );
    assert_eq!(body("xr c, d[1]; xs e; byte x; _ = 3; x"), "xr c, d[1]; xs e; byte x; _ = 3; x");
    assert_eq!(body("{ a unless b } unless c"), "{ a unless b } unless c");
    assert_eq!(messages("a unless b unless c"), ["a second `unless`"]);
}

#[test]
fn claims_and_formulas() {
    let text = "never { do :: skip od } never n { skip } trace { c!1 } notrace { do :: c?_ od } \
                ltl { [](p -> <> q) } ltl f { a U b <-> !c /\\ d \\/ <>e }";
    assert_eq!(
        canonical(text),
        "never { do :: 1 od } never n { 1 } trace { c ! 1 } notrace { do :: c ? _ od } \
         ltl { [] ( p -> <> q ) } ltl f { a U b <-> ! c /\\ d \\/ <> e }"
    );
}

#[test]
fn places() {
    let text = "byte x;\nactive proctype P() {\n  l: x = x + 1\n}\n";
    let module = parse(text).unwrap_or_else(|errors| panic!("{errors}"));
    let Unit::Proctype(process) = &module.units[1] else { panic!() };
    let slice = |span: tightrope_syntax::Span| &text[span.start as usize..span.end as usize];
    assert_eq!(slice(process.end), "}");
    assert!(slice(process.span).starts_with("active") && slice(process.span).ends_with('}'));
    let stmt = &process.body.stmts[0];
    assert_eq!((slice(stmt.span), slice(stmt.labels[0].span)), ("x = x + 1", "l"));
    let StmtKind::Assign(_, value) = &stmt.kind else { panic!() };
    assert!(matches!(value.kind, ExprKind::Binary(..)));
    assert_eq!(slice(value.span), "x + 1");
}
