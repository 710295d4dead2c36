//! Inlines: text with parameters.

use super::{canonical, errors, parse};
use crate::ast::{StmtKind, Unit};

/// The body of the `init` after the inlines.
fn init(text: &str) -> String {
    let form = canonical(text);
    let (_, body) = form.split_once("init { ").unwrap_or_else(|| panic!("{form}"));
    body.strip_suffix(" }").unwrap_or_else(|| panic!("{form}")).to_string()
}

#[test]
fn a_call_is_a_block() {
    assert_eq!(init("inline f(a) { a = 1; b = a } init { f(x) y = 2; f(z.w[1]) }"), {
        "{ x = 1; b = x }; y = 2; { z.w[1] = 1; b = z.w[1] }"
    });
    assert_eq!(init("inline f() { byte t; t = 1 } init { f(); f() }"), "{ byte t; t = 1 }; { byte t; t = 1 }");
}

#[test]
fn arguments_are_text() {
    assert_eq!(init("inline f(a) { x = a * 2 } init { f(y + 1) }"), "{ x = (y + (1 * 2)) }");
    assert_eq!(init("inline f(a, b) { x = a; y = b } init { f(b, a) }"), "{ x = b; y = a }");
    assert_eq!(init("inline f(a) { c!a; s.a = 1 } init { f(m) }"), "{ c ! m; s.m = 1 }");
    assert_eq!(init("inline f(a) { goto a; a: skip } init { f(l) }"), "{ goto l; l: 1 }");
    assert_eq!(init("inline f(a) { a } init { f(c?[x, y]); f((g -> 1 : 2)) }"), "{ c ? [x, y] }; { (g -> 1 : 2) }");
}

#[test]
fn calls_in_calls() {
    let text = "inline f(a) { g(a + 1); h() } inline g(a) { x = a } inline h() { y++ } init { f(2) }";
    assert_eq!(init(text), "{ { x = (2 + 1) }; { y++ } }");
}

#[test]
fn calls_are_statements_anywhere() {
    let text = "inline f(a) { a } init { if :: f(x) -> f(y) :: else fi; l: f(z)\n f(u) unless { f(v) } }";
    assert_eq!(init(text), "if :: { x }; { y } :: else fi; l: { z }; { u } unless { { v } }");
}

#[test]
fn line_ends_count_in_the_body() {
    assert_eq!(init("inline f(a)\n{\n a = 1\n b = 2\n}\n init {\n f(x)\n f(y)\n y = 1 }"), {
        "{ x = 1; b = 2 }; { y = 1; b = 2 }; y = 1"
    });
}

#[test]
fn return_assigns() {
    let text = "inline f(a) { byte t; t = a; return t + 1; t = 0 } init { x[1] = f(2); y = 3 }";
    assert_eq!(init(text), "{ byte t; t = 2; x[1] = (t + 1); t = 0 }; y = 3");
    assert!(errors("inline f() { return 1 } init { f() }").contains("returns a value, but the call drops it"));
    assert!(errors("init { return 1 }").contains("`return` outside of an inline"));
    let inner = "inline g(a) { return a } inline f(a) { byte t; t = g(a); return t } init { x = f(1) }";
    assert_eq!(init(inner), "{ byte t; { t = 1 }; x = t }");
}

#[test]
fn mistakes_in_calls() {
    let cycle = errors("inline f(a) { g(a) }\ninline g(a) { f(a) }\ninit { f(1) }");
    assert!(cycle.contains("the calls go round: `f` → `g` → `f`"), "{cycle}");
    let count = errors("inline f(a) { a = 1 }\ninit { f(1, 2) }");
    assert!(count.contains("inline `f` takes 1 argument, but 2 are given"), "{count}");
    let early = errors("init { f(x) }\ninline f(a) { a = 1 }");
    assert!(early.contains("inline `f` is called before its definition"), "{early}");
    assert!(errors("init { f(x) }").contains("there is no inline `f`"));
    assert!(errors("inline f(a) { skip } init { x = 1 + f(2) }").contains("as a statement"));
    assert!(errors("inline f(a) { skip } inline f(b) { skip } init { f(1) }").contains("is defined twice"));
    assert!(errors("inline f(a, a) { skip } init { f(1, 1) }").contains("two parameters"));
    assert!(errors("inline f(a) { skip } init { f(1; x = 1 }").contains("never ends"));
    assert!(errors("inline f(a) { skip \n init { f(1) }").contains("the body of this inline never ends"));
}

#[test]
fn an_error_in_a_body_names_the_call_and_comes_once() {
    let shown = errors("inline f(a) { a = }\ninit { f(x); f(y) }");
    assert_eq!(shown.matches("error:").count(), 1, "{shown}");
    assert!(shown.contains("in this call of inline `f`"), "{shown}");
}

#[test]
fn places_are_in_the_body_and_in_the_arguments() {
    let text = "inline f(a) { x = a }\ninit { f(y + 1) }";
    let module = parse(text).unwrap_or_else(|errors| panic!("{errors}"));
    let Unit::Proctype(process) = &module.units[1] else { panic!() };
    let slice = |span: tightrope_syntax::Span| &text[span.start as usize..span.end as usize];
    let call = &process.body.stmts[0];
    assert_eq!(slice(call.span), "f(y + 1)");
    let StmtKind::Block(block) = &call.kind else { panic!() };
    let StmtKind::Assign(target, value) = &block.stmts[0].kind else { panic!() };
    assert_eq!((slice(target.span), slice(value.span)), ("x", "y + 1"));
}
