//! Tests of the preprocessor: its output as text, tokens separated by blanks.

use super::preprocess;
use crate::ParseOptions;
use tightrope_syntax::{Diagnostics, SourceMap, Span};

fn run(text: &str, options: &ParseOptions) -> (Vec<(String, Span)>, String) {
    let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
    let file = sources.add("m.pml", text);
    let out = preprocess(file, options, &mut sources, &mut diags);
    let tokens = out.tokens.iter().map(|token| (out.names.text(token.text).to_string(), token.span)).collect();
    (tokens, diags.render(&sources, false))
}

fn words(text: &str) -> String {
    let (tokens, errors) = run(text, &ParseOptions::default());
    assert_eq!(errors, "", "in {text}");
    let words: Vec<String> = tokens.into_iter().map(|(word, _)| word).collect();
    words.join(" ").trim_end().to_string()
}

fn errors(text: &str) -> String {
    let (_, errors) = run(text, &ParseOptions::default());
    assert!(!errors.is_empty(), "no error in {text}");
    errors
}

#[test]
fn objects() {
    assert_eq!(words("#define N 3\n#define M N + 1\nx = M;"), "x = 3 + 1 ;");
    assert_eq!(words("#define EMPTY\na EMPTY b"), "a b");
    assert_eq!(words("#define N 1\n#undef N\nN"), "N");
    assert_eq!(words("N\n#define N 1\nN"), "N 1");
    assert_eq!(words("#define A /* one */ 1 // rest\nA"), "1");
    assert_eq!(words("# define\tN\t3\n  #define M 4\nN M"), "3 4");
    assert_eq!(words("for (i : 1..N)\n#define N 3\n1..N"), "for ( i : 1 .. N ) 1 .. 3");
}

#[test]
fn functions() {
    assert_eq!(words("#define F(a,b) a-b\nF(1,2) F(x y, (z,w))"), "1 - 2 x y - ( z , w )");
    assert_eq!(words("#define F(a) a\nF F(F)(1) F"), "F F ( 1 ) F");
    assert_eq!(words("#define F() x\nF() F ( )"), "x x");
    assert_eq!(words("#define F(a) [a]\nF() F( )"), "[ ] [ ]");
    assert_eq!(words("#define F(a,b) a b\nF(1,\n2\n) y"), "1 2 y");
    assert_eq!(words("#define F (a)\nF(1)"), "( a ) ( 1 )");
    assert_eq!(words("#define F(x) x\n#define G F\nG(1) G (2)"), "1 2");
    assert_eq!(words("#define F(...) <__VA_ARGS__>\nF() F(1,2)"), "< > < 1 , 2 >");
    assert_eq!(words("#define F(a,r...) a: r\nF(1,2,3)"), "1 : 2 , 3");
    assert_eq!(words("#define F(a, ...) p(a, ## __VA_ARGS__)\nF(1) F(1,2,3)"), "p ( 1 ) p ( 1 , 2 , 3 )");
}

#[test]
fn the_rule_against_endless_expansion() {
    assert_eq!(words("#define x x + 1\nx"), "x + 1");
    assert_eq!(words("#define a b\n#define b a\na b"), "a b");
    assert_eq!(words("#define f(x) x f\nf(1)(2)"), "1 f ( 2 )");
    assert_eq!(words("#define foo() bar\nfoo()()"), "bar ( )");
    assert_eq!(words("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)"), "2 * 9 * g");
    assert_eq!(words("#define NIL(xxx) xxx\n#define G_0(arg) NIL(G_1)(arg)\n#define G_1(arg) NIL(arg)\nG_0(42)"), "42");
}

#[test]
fn the_examples_of_the_standard() {
    let text = "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n\
                #define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n\
                #define str(x) # x\nf(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m(f)^m(m);\n\
                p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\nchar c[2][6] = { str(hello), str() };";
    assert_eq!(
        words(text),
        "f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t ( 1 ) ; \
         f ( 2 * ( 2 + ( 3 , 4 ) - 0 , 1 ) ) | f ( 2 * ( ~ 5 ) ) & f ( 2 * ( 0 , 1 ) ) ^ m ( 0 , 1 ) ; \
         int i [ ] = { 1 , 23 , 4 , 5 , } ; char c [ 2 ] [ 6 ] = { \"hello\" , \"\" } ;"
    );
}

#[test]
fn strings_and_pastes() {
    assert_eq!(words("#define S(x) #x\nS(a +  b) S( \"q\\n\" )"), r#""a + b" "\"q\\n\"""#);
    assert_eq!(words("#define N 3\n#define S(x) #x\n#define T(x) S(x)\nS(N) T(N)"), "\"N\" \"3\"");
    assert_eq!(words("#define C(a,b) a ## b\nC(x,1) C(1,2) C(+,+) C(,y) C(x,)"), "x1 12 ++ y x");
    assert_eq!(words("#define C(a) x_##a##_y\nC(1) C()"), "x_1_y x__y");
    assert_eq!(words("#define ab 7\n#define C(a,b) a##b\nC(a,b)"), "7");
    assert!(errors("#define C(a,b) a##b\nC(x,+)").contains("which is not one token"));
    assert!(errors("#define C ## x").contains("`##` has nothing to join"));
    assert!(errors("#define C(a) #b").contains("`#` must stand before a parameter"));
}

#[test]
fn conditions() {
    assert_eq!(words("#ifdef A\na\n#else\nb\n#endif\nc"), "b c");
    assert_eq!(words("#define A\n#ifndef A\na\n#elif defined(A) && !defined B\nb\n#else\nc\n#endif"), "b");
    assert_eq!(words("#if 0\n#if 1\na\n#else\nb\n#endif\n#elif 0\nc\n#elif 1\nd\n#elif 1\ne\n#else\nf\n#endif"), "d");
    assert_eq!(words("#if 0\n#error no\n#bogus\n\"open\n#endif\nx"), "x");
    assert_eq!(words("#if 1\n#elif 1 / 0 )\n#endif\nx"), "x");
}

#[test]
fn conditions_compute() {
    let holds =
        |condition: &str| words(&format!("#define N 3\n#define F(x) x+1\n#if {condition}\nyes\n#endif")) == "yes";
    for condition in [
        "N == 3",
        "F(2) == N",
        "1 + 2 * 3 == 7",
        "(1 + 2) * 3 == 9",
        "-1 < 0",
        "!X",
        "~0 == -1",
        "0x10 == 16",
        "010 == 8",
        "10UL == 10",
        "'a' == 97",
        "1 ? 2 : 0",
        "0 ? 0 : 5",
        "0 && 1 / 0 || 1",
        "1 || 1 / 0",
        "7 % 4 == 3",
        "1 << 4 == 16",
        "(5 & 4) == 4",
        "(5 | 2) == 7",
        "(5 ^ 1) == 4",
        "defined N",
        "defined(N)",
        "!defined(M)",
        "10 - 4 - 3 == 3",
        "1 ? 1 : 1 / 0",
    ] {
        assert!(holds(condition), "{condition}");
    }
    for condition in ["X", "0", "N > 3", "1 == 2", "1 && 0"] {
        assert!(!holds(condition), "{condition}");
    }
    for condition in
        ["", "1 +", "(1", "1 2", "1 / 0", "1 % 0", "\"a\"", "1.5", "0x", "? 1", "1 ? 2", "defined", "defined(", "'ab'"]
    {
        assert!(errors(&format!("#if {condition}\n#endif")).starts_with("error: "), "{condition}");
    }
}

#[test]
fn built_in_macros() {
    assert_eq!(words("__LINE__\n\n__LINE__ __FILE__"), "1 3 \"m.pml\"");
    assert_eq!(words("#define L __LINE__\n\nL"), "3");
}

#[test]
fn directives_that_change_nothing() {
    assert_eq!(words("#pragma once\n#line 12 \"x\"\n# 12 \"y\" 1\n#ident \"z\"\n#\nx"), "x");
}

#[test]
fn messages() {
    assert!(errors("#error no luck today").starts_with("error: #error no luck today"));
    assert!(errors("#warning  careful").starts_with("warning: #warning careful"));
    assert!(errors("#define A 1\n#define A 2\n").contains("warning: macro `A` is redefined"));
    assert_eq!(words("#define A 1 + 1\n#define A 1   +   1\nA"), "1 + 1");
}

#[test]
fn malformed_directives() {
    for text in [
        "#bogus",
        "#define",
        "#define 3",
        "#define F(",
        "#define F(a",
        "#define F(a,",
        "#define F(a,a) a",
        "#define F(1) a",
        "#define defined",
        "#undef",
        "#undef 3",
        "#ifdef\n#endif",
        "#ifdef 1\n#endif",
        "#endif",
        "#else",
        "#elif 1",
        "#if 1",
        "#if 0",
        "#if 1\n#else\n#else\n#endif",
        "#if 1\n#else\n#elif 1\n#endif",
        "#include",
        "#include x",
        "#include <x",
        "#include \"\"",
        "#define F(a) a\nF(",
        "#define F(a) a\nF(1",
        "#define F(a) a\nF(1,2)",
        "#define F(a,b) a\nF(1)",
        "#define F() 1\nF(1)",
        "#define F(a,...) a\nF(",
        "#if (\n#endif",
    ] {
        assert!(errors(text).starts_with("error: "), "{text}");
    }
}

#[test]
fn places() {
    let text = "#define N 3 + x\n#define F(a) (a, N)\nN F(y)";
    let (tokens, _) = run(text, &ParseOptions::default());
    let shown: Vec<(&str, &str)> =
        tokens.iter().map(|(word, span)| (word.as_str(), &text[span.start as usize..span.end as usize])).collect();
    let expected = [("3", "N"), ("+", "N"), ("x", "N"), ("(", "F(y)"), ("y", "y"), (",", "F(y)"), ("3", "F(y)")];
    assert_eq!(shown[..7], expected);
}

#[test]
fn options_define_macros() {
    let options = ParseOptions {
        defines: vec![("N".into(), "3".into()), ("F(a)".into(), "a+N".into()), ("E".into(), String::new())],
        ..ParseOptions::default()
    };
    let (tokens, errors) = run("N F(1) E;", &options);
    let words: Vec<&str> = tokens.iter().map(|(word, _)| word.as_str()).collect();
    assert_eq!((words, errors.as_str()), (vec!["3", "1", "+", "3", ";", ""], ""));
    let bad = ParseOptions { defines: vec![("3".into(), "x".into())], ..ParseOptions::default() };
    assert!(run("x", &bad).1.contains("<command line>"));
}

#[test]
fn included_files() {
    let folder = std::env::temp_dir().join(format!("tightrope-include-{}", std::process::id()));
    let inner = folder.join("inner");
    std::fs::create_dir_all(&inner).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("a.h", "#define A 1\n#include \"inner/b.h\"\na");
    write("inner/b.h", "#include \"c.h\"\nb");
    write("inner/c.h", "c");
    write("self.h", "#include \"self.h\"\n");
    write("guard.h", "#ifndef G\n#define G\n#include \"guard.h\"\ng\n#endif\n");
    write("open.h", "#if 1\n");
    let main = folder.join("m.pml");
    let include = |text: &str, dirs: Vec<std::path::PathBuf>| {
        let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
        let file = sources.add(&main, text);
        let options = ParseOptions { include_dirs: dirs, ..ParseOptions::default() };
        let out = preprocess(file, &options, &mut sources, &mut diags);
        let words: Vec<&str> = out.tokens.iter().map(|token| out.names.text(token.text)).collect();
        (words.join(" ").trim_end().to_string(), diags.render(&sources, false))
    };
    assert_eq!(include("#include \"a.h\"\nA", vec![]), ("c b a 1".into(), String::new()));
    assert_eq!(include("#define H \"inner/c.h\"\n#include H\nx", vec![]), ("c x".into(), String::new()));
    assert_eq!(include("#include <c.h>\nx", vec![inner.clone()]), ("c x".into(), String::new()));
    assert_eq!(include("#include \"guard.h\"\n#include \"guard.h\"\nx", vec![]), ("g x".into(), String::new()));
    let missing = include("\n#include \"none.h\"\nx", vec![inner]).1;
    assert!(missing.contains("cannot read included file `none.h`") && missing.contains("m.pml:2:1"), "{missing}");
    assert_eq!(missing.matches("looked for").count(), 2, "{missing}");
    let cycle = include("#include \"self.h\"", vec![]).1;
    assert!(cycle.contains("include each other without end"), "{cycle}");
    assert!(include("#include \"open.h\"\nx", vec![]).1.contains("never closed"));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn bombs_end_in_a_diagnostic() {
    let mut text = String::from("#define A0 x x\n");
    for level in 1..60 {
        text.push_str(&format!("#define A{level} A{} A{}\n", level - 1, level - 1));
    }
    assert!(errors(&format!("{text}A59")).contains("tokens after preprocessing"));
    assert!(errors(&format!("{text}#if A59\n#endif")).contains("tokens after preprocessing"));

    let mut text = String::from("#define E0\n#define F0(x) x x\n");
    for level in 1..60 {
        text.push_str(&format!("#define E{level} E{} E{}\n", level - 1, level - 1));
        text.push_str(&format!("#define F{level}(x) F{}(x) F{}(x x)\n", level - 1, level - 1));
    }
    assert!(errors(&format!("{text}E59")).contains("tokens after preprocessing"));
    assert!(errors(&format!("{text}F59(y)")).contains("tokens after preprocessing"));
}

#[test]
fn deep_nesting_ends_in_a_diagnostic() {
    let calls = |depth: usize| format!("#define F(x) x\n{}1{}", "F(".repeat(depth), ")".repeat(depth));
    assert!(errors(&calls(300)).contains("nested more than"));
    assert!(errors(&calls(100_000)).starts_with("error: "));
    assert!(errors(&format!("#if {}1\n#endif", "(".repeat(100_000))).contains("nested too deeply"));
    assert!(errors(&format!("#if 1{}\n#endif", " ? 1".repeat(100_000))).contains("nested too deeply"));
    assert_eq!(words(&format!("#if {}1\nx\n#endif", "!".repeat(100_000))), "x");
    assert_eq!(words(&format!("#if 1{}\nx\n#endif", " + 1".repeat(10_000))), "x");
    assert_eq!(words(&format!("{}x\n{}", "#if 1\n".repeat(10_000), "#endif\n".repeat(10_000))), "x");
    let chain: String = (0..5000).map(|n| format!("#define M{n} M{}\n", n + 1)).collect();
    assert_eq!(words(&format!("{chain}M0")), "M5000");
}
