//! Where SPIN adds and drops separators. Each expectation was checked against SPIN 6.5.2.

use super::{body, canonical, messages};

#[test]
fn arrows_and_semicolons_are_the_same() {
    assert_eq!(body("x = 1; y = 2 -> z = 3"), "x = 1; y = 2; z = 3");
}

#[test]
fn repeated_and_trailing_separators_do_no_harm() {
    assert_eq!(body("x = 1;; y = 2;"), "x = 1; y = 2");
    assert_eq!(body("x = 1 -> ; y = 2 ->"), "x = 1; y = 2");
    assert_eq!(body("if :: x;; fi; do :: y -> od;"), "if :: x fi; do :: y od");
}

#[test]
fn a_line_ends_a_statement_that_can_end() {
    assert_eq!(body("x = 1\n y = 2\n x++\n c?[a]\n skip"), "x = 1; y = 2; x++; c ? [a]; 1");
    assert_eq!(body("if :: a fi\n do :: break od\n timeout\n x = 1"), "if :: a fi; do :: break od; timeout; x = 1");
}

#[test]
fn a_line_that_ends_in_an_operator_goes_on() {
    assert_eq!(body("x = a +\n b"), "x = (a + b)");
    assert_eq!(body("x =\n a; c !\n b,\n d"), "x = a; c ! b, d");
    assert_eq!(body("(a\n && b)"), "(a && b)");
}

#[test]
fn an_operator_on_the_next_line_starts_a_statement() {
    assert_eq!(body("x = y\n - 1"), "x = y; (- 1)");
    assert!(messages("x = y\n + 1")[0].starts_with("expected an expression, found `+`"));
}

#[test]
fn comments_and_splices_count_as_new_lines() {
    assert_eq!(body("x = y /* \n */ z = 1"), "x = y; z = 1");
    assert_eq!(body("x = y // comment\n z = 1"), "x = y; z = 1");
    assert_eq!(body("x = y \\\n z = 1"), "x = y; z = 1");
}

#[test]
fn the_lines_of_a_macro_do_not_count() {
    let one_line = canonical("#define M x = y ; \\\n z = 2\ninit { M }");
    assert_eq!(one_line, "init { x = y; z = 2 }");
    assert!(super::errors("#define M x = y \\\n z = 2\ninit { M }").contains("expected `;` or `->`, found `z`"));
    assert!(super::errors("#define M(a) a\ninit { M(x = y\n z = 2) }").contains("expected `;` or `->`, found `z`"));
    assert_eq!(canonical("#define E\ninit { x = 1\nE y = 2 }"), "init { x = 1; y = 2 }");
    assert_eq!(canonical("#define M(a) a\ninit { M(x = 1\n) y = 2 }"), "init { x = 1; y = 2 }");
}

#[test]
fn a_closing_brace_ends_a_statement() {
    assert_eq!(body("{ x = 1 } y = 2"), "{ x = 1 }; y = 2");
    assert_eq!(body("atomic { x = 1 } d_step { y = 2 }"), "atomic { x = 1 }; d_step { y = 2 }");
    assert_eq!(messages("if :: x fi y = 1"), ["expected `;` or `->`, found `y`"]);
    assert_eq!(messages("do :: x od y = 1"), ["expected `;` or `->`, found `y`"]);
}

#[test]
fn else_needs_no_arrow() {
    assert_eq!(body("if :: x :: else y = 1 fi"), "if :: x :: else; y = 1 fi");
    assert_eq!(body("if :: x :: else fi"), "if :: x :: else fi");
    assert_eq!(body("do :: x :: else -> od"), "do :: x :: else od");
}

#[test]
fn unless_may_stand_on_the_next_line() {
    assert_eq!(body("{ x = 1 }\n unless\n { y }"), "{ x = 1 } unless { y }");
    assert_eq!(body("do :: x od\n unless { y }"), "do :: x od unless { y }");
}

#[test]
fn the_body_of_a_for_may_stand_on_the_next_line() {
    assert_eq!(body("for (i : 1 .. 3)\n { x = i }\n y = 1"), "for (i : 1 .. 3) { x = i }; y = 1");
}

#[test]
fn names_that_cannot_end_a_statement() {
    let text = "typedef T { byte x\n byte y } inline f(a) { a = 1 } init { T\n t; f\n (x); x = 1 }";
    assert_eq!(canonical(text).split_once("init").map(|(_, body)| body), Some(" { T t; { x = 1 }; x = 1 }"));
}

#[test]
fn no_separators_between_units() {
    assert_eq!(canonical("byte x byte y chan c init { skip }"), "byte x; byte y; chan c; init { 1 }");
    assert_eq!(
        canonical(";; mtype = { a } ; active proctype P() { skip };"),
        "mtype = { a }; active proctype P() { 1 }"
    );
}

#[test]
fn a_separator_cannot_come_first() {
    assert_eq!(messages("; x = 1"), ["expected a statement, found `;`"]);
    assert_eq!(messages(""), ["a statement is missing here"]);
    assert_eq!(messages("{ }"), ["a statement is missing here"]);
    assert_eq!(messages("if :: fi"), ["a statement is missing here"]);
}
