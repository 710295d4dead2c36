//! What the parser makes of expressions, rules and mistakes.

use super::*;
use crate::ast::{Decl, Expr, ExprKind, Prefix, RuleKind, Stmt, StmtKind};
use crate::scan::scan;
use tightrope_syntax::FileId;

struct Parse {
    program: Program,
    names: Interner,
    diags: Diagnostics,
}

fn parsed(text: &str) -> Parse {
    let (mut names, mut diags) = (Interner::default(), Diagnostics::new());
    let tokens = scan(FileId(0), text, &mut names, &mut diags);
    let program = parse(&tokens, &names, &mut diags);
    Parse { program, names, diags }
}

fn fine(text: &str) -> Parse {
    let parse = parsed(text);
    let messages: Vec<_> = parse.diags.iter().map(|d| &d.message).collect();
    assert!(!parse.diags.has_errors(), "{text}: {messages:?}");
    parse
}

/// The messages of all errors.
fn errors(text: &str) -> Vec<String> {
    parsed(text).diags.iter().map(|diagnostic| diagnostic.message.clone()).collect()
}

/// An expression with all parentheses.
fn show(expr: &Expr, names: &Interner) -> String {
    match &expr.kind {
        ExprKind::Number(value) => value.to_string(),
        ExprKind::Name(name) => names.text(name.sym).to_string(),
        ExprKind::Field(base, field) => format!("{}.{}", show(base, names), names.text(field.sym)),
        ExprKind::Index(parts) => format!("{}[{}]", show(&parts.0, names), show(&parts.1, names)),
        ExprKind::Call(name, args) => {
            let args: Vec<_> =
                args.iter().map(|arg| arg.as_ref().map_or("undefined".into(), |arg| show(arg, names))).collect();
            format!("{}({})", names.text(name.sym), args.join(", "))
        }
        ExprKind::Unary(op, operand) => {
            let op = match op {
                Prefix::Not => "!",
                Prefix::Plus => "+",
                Prefix::Minus => "-",
            };
            format!("({op}{})", show(operand, names))
        }
        ExprKind::Binary(op, parts) => {
            format!("({} {} {})", show(&parts.0, names), op.spelled(), show(&parts.1, names))
        }
        ExprKind::Cond(parts) => {
            format!("({} ? {} : {})", show(&parts.0, names), show(&parts.1, names), show(&parts.2, names))
        }
        ExprKind::Quantified(all, list, body) => {
            let word = if *all { "forall" } else { "exists" };
            format!("({word} {} {})", list.len(), show(body, names))
        }
        ExprKind::IsUndefined(what) => format!("isundefined({})", show(what, names)),
        ExprKind::IsMember(parts) => format!("ismember({})", show(&parts.0, names)),
        ExprKind::MultisetCount(parts) => {
            format!("count({}, {})", show(&parts.0.multiset, names), show(&parts.1, names))
        }
    }
}

fn grouped(text: &str) -> String {
    let parse = fine(&format!("const c : {text};"));
    match parse.program.items.as_slice() {
        [Item::Decl(Decl::Const(_, expr))] => show(expr, &parse.names),
        items => panic!("{text}: {items:?}"),
    }
}

#[test]
fn operators_bind_as_in_cmurphi() {
    for (text, expected) in [
        ("a + b * c - d", "((a + (b * c)) - d)"),
        ("a - b - c", "((a - b) - c)"),
        ("a / b % c * d", "(((a / b) % c) * d)"),
        ("a | b & c", "(a | (b & c))"),
        ("a & b | c & d", "((a & b) | (c & d))"),
        ("a -> b | c", "(a -> (b | c))"),
        ("a = b & c != d", "((a = b) & (c != d))"),
        ("!a = b", "(!(a = b))"),
        ("!a & b", "((!a) & b)"),
        ("!a = b & !c", "((!(a = b)) & (!c))"),
        ("a = !b & c", "((a = (!b)) & c)"),
        ("a * !b + c", "(a * (!(b + c)))"),
        ("!!a", "(!(!a))"),
        ("-a * b", "((-a) * b)"),
        ("-a + b", "((-a) + b)"),
        ("a * -b", "(a * (-b))"),
        ("a - -1", "(a - (-1))"),
        ("a < b + 1 & c", "((a < (b + 1)) & c)"),
        ("a -> b ? c : d", "((a -> b) ? c : d)"),
        ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
        ("a ? b ? c : d : e", "(a ? (b ? c : d) : e)"),
        ("(a -> b) -> c", "((a -> b) -> c)"),
        ("(a < b) = (c < d)", "((a < b) = (c < d))"),
        ("a[i+1].f[g(x, undefined)].h", "a[(i + 1)].f[g(x, undefined)].h"),
        ("forall i : T; j := 1 to 3 by 2 do a & b end & c", "((forall 2 (a & b)) & c)"),
        ("exists i : 0..3 : a endexists", "(exists 1 a)"),
        ("multisetcount(i : net[n], net[n][i].dst = p) < 3", "(count(net[n], (net[n][i].dst = p)) < 3)"),
        ("isundefined(a.b) | ismember(x, T)", "(isundefined(a.b) | ismember(x))"),
        ("f()", "f()"),
    ] {
        assert_eq!(grouped(text), expected, "{text}");
    }
}

#[test]
fn chains_become_balanced_trees() {
    assert_eq!(grouped("a & b & c & d"), "((a & b) & (c & d))");
    assert_eq!(grouped("a & b & c & d & e"), "(((a & b) & (c & d)) & e)");
    assert_eq!(grouped("a | (b | c) | d"), "((a | (b | c)) | d)");
    let long = vec!["x"; 100_000].join(" & ");
    fine(&format!("const c : {long};"));
}

#[test]
fn operators_that_do_not_associate() {
    assert_eq!(errors("const c : a = b = c;"), ["comparisons cannot be chained"]);
    assert_eq!(errors("const c : a < b = c;"), ["comparisons cannot be chained"]);
    assert_eq!(errors("const c : a -> b -> c;"), ["implications cannot be chained without parentheses"]);
    let parse = parsed("const c : a <> b;");
    assert_eq!(parse.diags.iter().next().map(|d| d.helps.clone()), Some(vec!["inequality is written `!=`".into()]));
}

#[test]
fn operators_of_rumur_are_taken_with_a_warning() {
    assert_eq!(grouped("a == b && c || d"), "(((a = b) & c) | d)");
    assert_eq!(errors("const c : a && b && c == d;").len(), 2);
}

/// Rules in one line each.
fn rules(text: &str) -> Vec<String> {
    fn show(rule: &crate::ast::Rule) -> String {
        let inner = |rules: &[crate::ast::Rule]| rules.iter().map(show).collect::<Vec<_>>().join(" ");
        match &rule.kind {
            RuleKind::Simple { name, priority, guard, block } => format!(
                "rule {priority} {:?} {} {} {}",
                name.as_deref().unwrap_or(""),
                guard.is_some(),
                block.decls.len(),
                block.stmts.len()
            ),
            RuleKind::Start { block, .. } => format!("start {} {}", block.decls.len(), block.stmts.len()),
            RuleKind::Invariant { name, .. } => format!("invariant {:?}", name.as_deref().unwrap_or("")),
            RuleKind::Ruleset { quantifiers, rules } => format!("ruleset {} ({})", quantifiers.len(), inner(rules)),
            RuleKind::Alias { aliases, rules } => format!("alias {} ({})", aliases.len(), inner(rules)),
            RuleKind::Choose { rules, .. } => format!("choose ({})", inner(rules)),
        }
    }
    let parse = fine(text);
    let shown = parse.program.items.iter().map(|item| match item {
        Item::Rule(rule) => show(rule),
        other => panic!("{text}: {other:?}"),
    });
    shown.collect()
}

#[test]
fn rules_in_all_their_forms() {
    for (text, expected) in [
        ("rule end;", r#"rule 0 "" false 0 0"#),
        ("rule \"a\" x ==> end", r#"rule 0 "a" true 0 0"#),
        ("RULE 7 \"a\" x = 1 ==> BEGIN y := 2; ENDRULE;", r#"rule 7 "a" true 0 1"#),
        ("rule \"a\" priority 3 x ==> end", r#"rule 3 "a" true 0 0"#),
        ("rule priority = 3 ==> end", r#"rule 0 "" true 0 0"#),
        ("rule \"a\" x ==> var y : T; const c : 2; begin y := 2; ; ; return end", r#"rule 0 "a" true 2 2"#),
        ("rule \"a\" begin x := 1 end", r#"rule 0 "a" false 0 1"#),
        ("rule \"a\" x[1].y := 1; z := 2; end", r#"rule 0 "a" false 0 2"#),
        ("rule \"a\" p(1); z := 2; end", r#"rule 0 "a" false 0 2"#),
        ("rule p() end", r#"rule 0 "" false 0 1"#),
        ("rule p() ==> end", r#"rule 0 "" true 0 0"#),
        ("rule if a then else end end", r#"rule 0 "" false 0 1"#),
        ("rule forall i : T do x[i] end ==> end", r#"rule 0 "" true 0 0"#),
        ("startstate \"s\" end;", "start 0 0"),
        ("startstate x := 1; endstartstate", "start 0 1"),
        ("startstate var x : T; begin clear x; end", "start 1 1"),
        ("invariant x", r#"invariant """#),
        ("invariant \"n\" x & y;", r#"invariant "n""#),
        ("invariant x & y \"n\";", r#"invariant "n""#),
        (
            "ruleset a : T; b := 1 to 3 do rule end; rule end end",
            r#"ruleset 2 (rule 0 "" false 0 0 rule 0 "" false 0 0)"#,
        ),
        ("ruleset a : T : rule end; endruleset", r#"ruleset 1 (rule 0 "" false 0 0)"#),
        ("alias a : x; b : y; do invariant a endalias", r#"alias 2 (invariant "")"#),
        ("choose i : net[n] do startstate end end", "choose (start 0 0)"),
    ] {
        assert_eq!(rules(text), [expected], "{text}");
    }
    assert_eq!(rules("rule end rule end; ; rule endrule").len(), 3);
}

fn statements(text: &str) -> Vec<Stmt> {
    let mut parse = fine(&format!("startstate {text} end"));
    match parse.program.items.pop() {
        Some(Item::Rule(crate::ast::Rule { kind: RuleKind::Start { block, .. }, .. })) => block.stmts,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn statements_in_all_their_forms() {
    for text in [
        "a.b[c] := d",
        "a := undefined",
        "if a then b := c",
        "if a then b := c; elsif d then elsif e then else f(); endif",
        "switch a case 1: b := c; case 2, 3: else d := e",
        "switch a endswitch; while a do b := c; endwhile",
        "for i : T do a[i] := b endfor",
        "for i := 1 to 3 by -1; j : 0..1 do",
        "alias a : b.c; d : e do a := d; endalias",
        "clear a.b; undefine c[d]",
        "error \"x\"; assert a; assert a & b \"x\"; assert \"x\" a",
        "put \"x\\n\"; put a + 1; put b",
        "return; return",
        "multisetadd(m, net[n]); multisetremove(i, net[n]); multisetremovepred(j : net[n], net[n][j].x = 1)",
        "p(); p(a, undefined, b[c])",
    ] {
        let text = match text.split(' ').next() {
            Some("if" | "switch" | "for") if !text.contains("end") => format!("{text} end"),
            _ => text.to_string(),
        };
        assert!(!statements(&text).is_empty(), "{text}");
    }
    assert!(matches!(statements("a := undefined")[0].kind, StmtKind::Assign(ref parts) if parts.1.is_none()));
    assert!(matches!(statements("switch a case 1: case 2, 3: else b := c end")[0].kind,
        StmtKind::Switch(ref switch) if switch.cases.len() == 2 && switch.otherwise.len() == 1));
}

#[test]
fn declarations_in_all_their_forms() {
    let text = "
        Const N : 3; M : N + 1; Const
        type A : 0..N; B : -N .. M * 2; C : enum { a, b, }; D : scalarset(N); E : union { D, C, enum { x } };
             F : array [A] of array [boolean] of B; G : record a, b : A; c : record d : B end; endrecord;
             H : multiset [N] of G; I : A
        var x, y : A; z : array [enum { p, q }] of 1..2
        procedure p(); end;
        procedure q(a, b : A; var c : B;); var t : A; begin a := t; endprocedure;
        function f(a : A) : boolean; begin return true; end
        var late : A;
        function g() : 0..3; return 1; endprocedure;
        rule end;
    ";
    let parse = fine(text);
    let routines = parse.program.items.iter().filter(|item| matches!(item, Item::Routine(_))).count();
    assert_eq!((parse.program.items.len(), routines), (2 + 9 + 2 + 4 + 1 + 1, 4));
}

#[test]
fn one_run_finds_several_mistakes() {
    let text = "
        const N 3; M : 4;
        type T : 0..; U : boolean;
        var x : ;
            y : boolean
        procedure p() begin x = 1; y := ; if a then b := c end; y := 3; end;
        rule \"a\" x & ==> begin x := 1; for i do end; y := 2 z := 3 end;
        rule \"b\" begin x := ]; end;
        invariant y
    ";
    let found = errors(text);
    let expected = [
        "expected `:`, found `3`",
        "expected an expression, found `;`",
        "expected a type, found `;`",
        "an assignment is written `:=`",
        "expected an expression, found `;`",
        "expected an expression, found `==>`",
        "expected `: type` or `:= first to last`, found the keyword `do`",
        "expected `;`, found `z`",
        "expected an expression, found `]`",
    ];
    assert_eq!(found, expected);
}

#[test]
fn missing_and_misplaced_ends() {
    let missing = errors("rule if a then x := 1; endrule; rule end;");
    assert_eq!(missing, ["expected `end` or `endif`, found the keyword `endrule`"]);
    let wrong = errors("rule if a then x := 1; endfor; y := 1; end; rule end;");
    assert_eq!(wrong, ["expected `end` or `endif`, found the keyword `endfor`"]);
    assert_eq!(errors("rule x := 1; rule end;"), ["expected `end` or `endrule`, found the keyword `rule`"]);
    assert_eq!(errors("rule end; end; rule end;"), ["the keyword `end` closes nothing"]);
    assert_eq!(errors("rule x := 1;"), ["expected `end` or `endrule`, found the end of the file"]);
    assert_eq!(errors("ruleset i : T do rule end; procedure p(); end;").len(), 1);
}

#[test]
fn what_is_refused_is_named() {
    for (text, word) in [
        ("liveness \"x\" a;", "liveness"),
        ("Fairness a;", "fairness"),
        ("cover a;", "cover"),
        ("assume a;", "assume"),
        ("pctl a;", "pctl"),
        ("externfun f() : T;", "externfun"),
        ("var x : real(3, 10);", "real"),
        ("const x : 1.5;", "real"),
        ("rule 0.5 ==> end;", "probabilistic"),
    ] {
        let found = errors(&format!("rule end; {text} rule end;"));
        assert!(found.len() == 1 && found[0].contains(word), "{text}: {found:?}");
    }
}

#[test]
fn hostile_nesting_is_an_error() {
    let deep = 100_000;
    let repeat = |text: &str| text.repeat(deep);
    for text in [
        format!("const c : {}1{};", repeat("("), repeat(")")),
        format!("const c : {}", repeat("(")),
        format!("const c : {}1;", repeat("a[")),
        format!("const c : {}1;", repeat("f(")),
        format!("const c : {}1;", repeat("a ? ")),
        format!("const c : {}1;", repeat("a ? b : ")),
        format!("const c : {}1;", repeat("a + ")),
        format!("const c : {}1;", repeat("- ")),
        format!("const c : {}a;", repeat("! ")),
        format!("const c : a{};", repeat(".b")),
        format!("const c : a{};", repeat("[1]")),
        format!("const c : {}a;", repeat("forall i : T do ")),
        format!("const c : {}a;", repeat("forall i : isundefined(a[")),
        format!("type t : {}T;", repeat("array [T] of ")),
        format!("type t : {}T;", repeat("record a : ")),
        format!("type t : {}T;", repeat("union { ")),
        format!("rule {}", repeat("if a then ")),
        format!("rule {} end", repeat("if a then else ")),
        format!("rule {}", repeat("for i : T do ")),
        format!("rule {}", repeat("switch a case 1: ")),
        format!("rule {}", repeat("while a do ")),
        format!("rule {}", repeat("alias a : b do ")),
        repeat("ruleset i : T do "),
        repeat("alias a : b do "),
        repeat("choose i : m do "),
    ] {
        let found = errors(&text);
        let limit = |message: &String| message.contains("levels deep") || message.contains("operators high");
        assert!(found.iter().any(limit) && found.len() < 5, "{}: {found:?}", &text[..40]);
    }
    // Long, but not deep.
    fine(&format!("rule if a then {} end end", repeat("elsif a then ")));
    fine(&format!("rule {} end", repeat("a := b; ")));
    fine(&repeat("rule end;"));
}

#[test]
fn heights_add_up_through_calls_and_quantifiers() {
    let sum = vec!["1"; 900].join(" + ");
    fine(&format!("const c : f({sum});"));
    let nested = format!("f({sum}) + {sum}");
    assert!(errors(&format!("const c : {nested};"))[0].contains("operators high"));
}
