//! Mutated models: whatever the input, the front end answers with a tree or with diagnostics that can be shown.

use tightrope_promela::{ParseOptions, parse_text};
use tightrope_testkit::corpus::{corpus, texts};
use tightrope_testkit::expectations::findings;
use tightrope_testkit::mutation::{PrintOnPanic, any_text, mutants, shuffled};

/// Models that between them use every construct.
const SNIPPETS: &[&str] = &[
    "#define N 3\n#define MAX(a,b) ((a) > (b) -> (a) : (b))\nmtype = { ping, pong }\nmtype:m = { red green, blue }\n\
     typedef In { byte v[2]; bool f }\ntypedef Msg { In i; short k\n int z }\nhidden int s; show byte t = 3\n\
     chan q = [N] of { mtype, byte, chan }; chan qs[2] = [1] of { Msg }\nbyte arr[4] = { 1, 2, 3, 4 }\n\
     active [2] proctype P(byte a, c; chan ch) priority 2 provided (s == 0)\n{ byte i, j = a + 1; Msg m\n xr ch; xs q\n\
     L0: L1: do\n :: i < N -> i++\n :: ch?ping -> break\n :: ch?pong(i, _) ; i--\n :: q?eval(ping), i, -1\n\
     :: q??<ping, i, ch> -> goto L1\n :: q?[ping, 3, ch] && nfull(q) -> q!!ping, i, ch\n :: timeout\n :: else\n od\n\
     m.i.v[i % 2] = MAX(i,\n j); qs[0]!m; unless: skip }\n",
    "inline add(x, y) { x = x + y }\ninline twice(x)\n{\n add(x, 1)\n if\n :: x > 4 -> skip\n :: else\n fi\n}\n\
     inline val(a) { byte loc; loc = a * 2; return loc + 1 }\ninit {\n byte i; i = val(3)\n atomic { twice(i); add(i, (2)) }\n\
     d_step { i = (i > 2 -> 1 : 0); assert(i >= 0 && i < 2 || !i) }\n for (i : 0 .. 3) { skip }\n for (i in arr)\n { i = 1 }\n\
     select (i : 1 .. 3); { i = 1 } unless { i == 2 -> i = 3 }\n printf(\"x %d\\n\", i); printm(red)\n r!-1; end: run P(1) priority 3 }\n",
    "byte x; proctype P() { w: x = len(q) } D_proctype D() { skip }\nnever foo { do :: np_ -> break :: P@w && P[1]:x == 2 od }\n\
     trace { do :: c!1, _ od } notrace { c?1 }\nltl p { [] (x -> <> (y == 1)) && !<>[](P@w) /\\ a <-> b }\n\
     init { set_priority(_pid, get_priority(0)); enabled(1); pc_value(2); _nr_pr == 'a'; c_code { x = 1; } }\n",
    "#ifdef A\n#if defined(B) && (1 + 2 * 3 == 7 ? 1 : 0)\nbyte a;\n#elif !A\nbyte b;\n#else\nbyte c;\n#endif\n#else\n\
     #define CAT(a, b) a ## b\n#define STR(a) #a\n#define V(f, ...) f(__VA_ARGS__)\nbyte CAT(x, 1) = __LINE__; \n#undef CAT\n\
     #endif\n#include \"none.h\"\n#line 3 \"x\"\n#error stop\ninit { printf(STR(a \"b\" c)); V(printf, \"%d\", x1) }\n",
];

/// Pieces that are put where they do not belong.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "{", "}", "(", ")", "[", "]", ";", "->", "::", ":", ",", ".", "..", "@", "!", "?", "!!", "??", "<", ">", "=",
    "==", "-", "--", "#", "##", "\n#if 1\n", "\n#endif\n", "\n#else\n", "\n#define P ", "\n#define N(", "\\\n", "\"",
    "'", "/*", "*/", "//", "\n", "\r\n", "\t", "\0", "\u{feff}", "ö", "漢", "if", "fi", "do", "od", "else", "unless",
    "atomic", "inline", "inline f(a) {", "f(", "proctype", "active", "init", "never", "ltl", "typedef", "return",
    "run", "c_code", "x", "0", "99999999999", "P", "P@", "P:", "skip", "goto", "eval", "timeout", "full(", "byte",
    "mtype", "of", "in", "for (", "__LINE__", "((((((((((((((((", "{{{{{{{{{{{{{{{{",
];

/// What goals are made of.
#[rustfmt::skip]
const GOAL_PIECES: &[&str] = &[
    "x", "v", "p", "f(", "a[", "1", "]", ")", "(", "&&", "||", "==", "!", "len(c)", "full(c)", "c?[1]", "c?[_]", "P@here",
    "P[0]:y", "P:y", "P", "y", "h", "_pid", "_last", "_nr_pr", "np_", "enabled(0)", "-", "%", "0", "timeout", "<>",
];

/// Parses and shows what was found: neither may panic.
fn survive(text: &str) {
    let _guard = PrintOnPanic(text);
    findings(|sources, diags| parse_text("mutant.pml", text, &ParseOptions::default(), sources, diags));
}

/// Parses and lowers a goal and shows what was found.
fn survive_as_goal(goal: &str) {
    let model = "#define p (x == v)\n#define f(a) (a + 1)\nmtype = { v }; mtype x; byte a[2]; chan c = [1] of { byte };\n\
                 hidden byte h; active proctype P() { byte y; here: c!1; c?y }";
    let options = ParseOptions { goal: Some(goal.into()), ..ParseOptions::default() };
    let (lowered, _) = findings(|sources, diags| {
        let module = parse_text("m.pml", model, &options, sources, diags);
        assert_eq!(module.is_none(), diags.has_errors());
        let module = module?;
        assert!(module.goal.is_some());
        tightrope_promela::lower::lower(&module, sources, diags)
    });
    if let Some(lowered) = lowered {
        assert!(lowered.program.goal.is_some());
    }
}

#[test]
fn mutated_snippets() {
    mutants(2000, SNIPPETS, 1..8, PIECES, survive);
}

#[test]
fn mutated_corpus() {
    let Some(folder) = corpus("") else { return };
    mutants(1000, &texts(&folder, &["pml", "pm"]), 1..6, PIECES, survive);
}

#[test]
fn pieces_in_any_order() {
    shuffled(2000, PIECES, 0..40, |text| {
        survive(text);
        survive(&format!("inline f(a) {{ a }} active proctype P() {{ {text}"));
    });
}

#[test]
fn goals_survive() {
    shuffled(2000, &[GOAL_PIECES, PIECES].concat(), 0..12, survive_as_goal);
}

#[test]
fn any_text_survives() {
    any_text(2000, "\\PC*", survive);
}

#[test]
fn the_snippets_themselves() {
    for snippet in SNIPPETS {
        survive(snippet);
    }
}
