//! Input that would overflow a stack or a memory. The default stack of a test's thread, 2 MiB, is part of the test.

use super::{errors, parse};

fn refuses(text: &str) {
    let shown = errors(text);
    assert!(shown.lines().count() < 200, "too many lines");
}

#[test]
fn deep_nesting_is_refused() {
    for (open, close) in [
        ("(", ")"),
        ("{ ", " }"),
        ("a[", "]"),
        ("if :: ", " fi"),
        ("do :: atomic { ", " } od"),
        ("(x -> ", " : 1)"),
        ("enabled(", ")"),
        ("run P(", ")"),
        ("c?(", ")"),
        ("c?x(", ")"),
        ("c?[eval(", ")]"),
        ("l: { x unless ", " }"),
        ("for (i : 1 .. 2) { ", " }"),
        ("{ d_step { ", " } }"),
        ("P[", "]@l"),
        ("a.b[", "].c"),
    ] {
        for depth in [1000, 100_000] {
            refuses(&format!("init {{ {}x{} }}", open.repeat(depth), close.repeat(depth)));
            refuses(&format!("init {{ {}", open.repeat(depth)));
            refuses(&format!("init {{ x = {}", open.repeat(depth)));
        }
    }
}

#[test]
fn moderate_nesting_is_fine() {
    for (open, close) in [("(", ")"), ("{ ", " }"), ("if :: ", " fi"), ("a[", "]")] {
        let text = format!("init {{ {}x{} }}", open.repeat(80), close.repeat(80));
        assert!(parse(&text).is_ok(), "{open}");
    }
}

#[test]
fn long_chains() {
    assert!(parse(&format!("init {{ x = a{} }}", " + a".repeat(900))).is_ok());
    refuses(&format!("init {{ x = a{} }}", " + a".repeat(100_000)));
    refuses(&format!("init {{ x = {}a }}", "- ".repeat(100_000)));
    refuses(&format!("init {{ x = {}a }}", "! ".repeat(100_000)));
    // Heights add up: each index alone would pass.
    let chain = format!("]{}", " + b".repeat(500));
    refuses(&format!("init {{ x = {}1{} }}", "a[".repeat(100), chain.repeat(100)));
    let chain = format!("){}", " && b".repeat(500));
    refuses(&format!("init {{ x = {}1{} }}", "(".repeat(100), chain.repeat(100)));
}

#[test]
fn long_lists_are_fine() {
    let many = 20_000;
    assert!(parse(&format!("init {{ {} }}", "x = 1; ".repeat(many))).is_ok());
    assert!(parse(&format!("init {{ if {} fi }}", ":: x ".repeat(many))).is_ok());
    assert!(parse(&format!("init {{ c!1{} }}", ", 1".repeat(many))).is_ok());
    assert!(parse(&format!("init {{ c?x{} }}", ", x".repeat(many))).is_ok());
    assert!(parse(&format!("byte x{};", ", x".repeat(many))).is_ok());
    assert!(parse(&format!("init {{ x = a{} }}", ".b".repeat(many))).is_ok());
    assert!(parse(&format!("init {{ {} skip }}", "l: ".repeat(many))).is_ok());
    assert!(parse(&format!("init {{ x = 1{} }}", ";".repeat(many))).is_ok());
    assert!(parse(&"byte x; ".repeat(many)).is_ok());
}

#[test]
fn inline_bombs_are_refused() {
    let mut text = String::from("inline f0(a) { a = 1; a = 2 }\n");
    for level in 1..40 {
        text.push_str(&format!("inline f{level}(a) {{ f{}(a); f{}(a) }}\n", level - 1, level - 1));
    }
    text.push_str("init { f39(x) }");
    assert!(errors(&text).contains("inline calls expand to more than"));

    let mut deep = String::from("inline f0(a) { a = 1 }\n");
    for level in 1..300 {
        deep.push_str(&format!("inline f{level}(a) {{ f{}(a) }}\n", level - 1));
    }
    deep.push_str("init { f299(x) }");
    assert!(errors(&deep).contains("nested more than"));
}

#[test]
fn the_number_of_errors_is_limited() {
    let shown = errors(&format!("init {{ {} }}", "x = ; ".repeat(1000)));
    assert_eq!(shown.matches("error: ").count(), tightrope_syntax::Diagnostics::LIMIT);
}
