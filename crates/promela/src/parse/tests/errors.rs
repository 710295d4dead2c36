//! What the diagnostics say.

use super::{errors, messages};

#[test]
fn a_missing_separator() {
    let expected = "\
error: expected `;` or `->`, found `y`
 --> m.pml:1:14
  |
1 | init { x = 1 y = 2 }
  |              ^ expected `;` or `->`";
    assert_eq!(errors("init { x = 1 y = 2 }"), expected);
}

#[test]
fn an_assignment_in_a_condition() {
    let expected = "\
error: expected `)`, found `=`
 --> m.pml:1:16
  |
1 | init { if :: (x = 1) -> skip fi }
  |                 ^ expected `)`
  |
  = help: to compare, write `==`; an assignment is a statement of its own";
    assert_eq!(errors("init { if :: (x = 1) -> skip fi }"), expected.replace("1:16", "1:17"));
}

#[test]
fn the_wrong_end_of_a_loop() {
    let expected = "\
error: expected `od`, found the keyword `fi`
 --> m.pml:3:3
  |
2 |   do :: x -> skip
  |   -- this `do` ends with `od`
3 |   fi; y = 1
  |   ^^ `od` is missing before this";
    assert_eq!(errors("init {\n  do :: x -> skip\n  fi; y = 1\n}"), expected);
}

#[test]
fn a_missing_alternative_mark() {
    let shown = errors("init { if x == 1 -> skip fi }");
    assert!(shown.starts_with("error: expected `::`, found `x`"), "{shown}");
    assert!(shown.contains("help: `if :: condition -> … :: else -> … fi`"), "{shown}");
}

#[test]
fn several_errors_in_one_run() {
    let text = "\
active proctype A() {
  x = ;
  y = 1;
  if :: z = + 1 :: else -> ] fi;
  w = 2
}
byte 3;
active proctype B() {
  do :: x -> skip
}
init { c ? }
";
    let shown = errors(text);
    let found: Vec<&str> = shown.lines().filter(|line| line.starts_with("error")).collect();
    assert_eq!(
        found,
        [
            "error: expected an expression, found `;`",
            "error: expected an expression, found `+`",
            "error: expected an expression, found `]`",
            "error: expected the name of a variable, found `3`",
            "error: expected `od`, found `}`",
            "error: expected a variable, a constant, `eval(…)` or `_`, found `}`",
        ]
    );
}

#[test]
fn a_missing_brace_is_found_at_the_next_unit() {
    let shown = errors("active proctype A() {\n  { x = 1;\n  y = 2\n}\nactive proctype B() { skip }\n");
    assert_eq!(shown.matches("error:").count(), 1, "{shown}");
    assert!(shown.contains("expected `}`, found the keyword `active`"), "{shown}");
    assert!(shown.contains("this body starts here"), "{shown}");
}

#[test]
fn stray_ends() {
    assert_eq!(messages("skip; fi; x = 1"), ["the keyword `fi` without `if`"]);
    assert_eq!(messages("od; x = 1"), ["the keyword `od` without `do`"]);
    assert_eq!(messages("skip :: x = 1"), ["`::` without `if` or `do`"]);
    assert!(errors("init { skip } }").contains("this `}` closes nothing"));
}

#[test]
fn words_of_other_languages() {
    assert!(errors("init { while (x) { skip } }").contains("loops are written `do"));
    assert!(errors("init { if :: x then y = 1 fi }").contains("separated by `->`"));
    assert!(errors("init { x == 1 and y }").contains("conjunction is written `&&`"));
    assert!(errors("boolean x; init { skip }").contains("the type is called `bool`"));
    assert!(errors("init { x += 1 }").contains("write `x = x + 1`"));
    assert!(errors("init { x = y ? 1 : 2 }").contains("`(condition -> value : other)`"));
    assert!(errors("init { ++x }").contains("stand after the variable"));
    assert!(errors("init { !!x }").contains("sorted send"));
    assert!(errors("init { x = y\n + 1 }").contains("put the operator at the end of that line"));
    assert!(errors("proctype P(byte a, byte b) { skip }").contains("separated by `;`"));
    assert!(errors("proctype P(byte a byte b) { skip }").contains("separated by `;`"));
    assert!(errors("proctype P() { skip } init { P() }").contains("`run P()` starts a process"));
}

#[test]
fn embedded_c_is_refused_and_skipped() {
    let text = "c_decl { int x = '}'; }\nc_state \"int y\" \"Global\"\nc_track \"&x\" \"4\" \"Matched\"\n\
                init { c_code [x > 0] { if (x) { y = 1; } }; x = 1; if :: c_expr { x == 1 } -> skip fi }\nc_code { }";
    let shown = errors(text);
    let found: Vec<&str> = shown.lines().filter(|line| line.starts_with("error")).collect();
    let expected: Vec<String> = ["c_decl", "c_state", "c_track", "c_code", "c_expr", "c_code"]
        .iter()
        .map(|name| format!("error: embedded C (`{name}`) is not supported: its effects cannot be checked"))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn odd_characters() {
    assert!(errors("init { x = “a” }").contains("found the character `“`"));
    assert!(errors("init { printf(\"abc) }").contains("this string never ends"));
    assert!(errors("init { x = 'a }").contains("this character constant never ends"));
    assert!(errors("init { skip } /* ").contains("this comment never ends"));
    assert!(errors("init { skip # }").contains("must be the first thing on its line"));
}

#[test]
fn empty_models() {
    assert!(errors("").contains("the model is empty"));
    assert!(errors("/* nothing */\n;\n").contains("the model is empty"));
}

#[test]
fn unfinished_models() {
    for text in [
        "init",
        "init {",
        "proctype",
        "proctype P",
        "proctype P(",
        "proctype P(byte",
        "active [",
        "mtype =",
        "mtype = {",
        "typedef",
        "typedef T {",
        "typedef T { byte",
        "inline",
        "inline f",
        "inline f(",
        "inline f(a",
        "inline f(a) {",
        "ltl",
        "ltl {",
        "ltl p { x",
        "never {",
        "trace {",
        "chan c = [",
        "chan c = [1] of",
        "chan c = [1] of {",
        "byte x =",
        "byte x[",
        "byte a[2] = {",
        "init { if",
        "init { do ::",
        "init { x",
        "init { x =",
        "init { (",
        "init { x[",
        "init { c!",
        "init { c?",
        "init { c?<",
        "init { c?[",
        "init { for (",
        "init { for (i :",
        "init { for (i : 1 ..",
        "init { select (",
        "init { run",
        "init { run P(",
        "init { l:",
        "init { goto",
        "init { printf(",
        "init { atomic",
        "init { atomic {",
        "init { x unless",
        "init { (a -> b :",
        "c_code {",
        "unsigned x :",
        "hidden",
        "init priority",
        "#define",
        "#if",
        "#if 1",
        "#else",
        "#include",
        "#define F(x",
        "#define F(x) x\nF(",
    ] {
        let shown = errors(text);
        assert!(shown.starts_with("error: "), "{text}: {shown}");
    }
}
