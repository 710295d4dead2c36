//! What the checker makes of names, types, aliases and rules.

use crate::hir::*;
use tightrope_syntax::{Diagnostics, SourceMap};

fn model(text: &str) -> Model {
    let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
    let model = crate::parse_text("m.m", text, &mut sources, &mut diags);
    model.unwrap_or_else(|| panic!("{}", diags.render(&sources, false)))
}

/// A model with these declarations and one rule that does this.
fn with_rule(decls: &str, rule: &str) -> Model {
    model(&format!("{decls} startstate begin end; {rule}"))
}

/// The body of the only rule.
fn body(decls: &str, statements: &str) -> (Model, Vec<Stmt>) {
    let model = with_rule(decls, &format!("rule begin {statements} end;"));
    let body = model.rules[0].body.clone();
    (model, body)
}

fn place(place: &Place) -> String {
    let mut text = match place.base {
        Base::Global(at) => format!("g{at}"),
        Base::Slot(at) => format!("s{at}"),
    };
    for step in &place.path {
        match step {
            Step::Field(at) => text += &format!(".{at}"),
            Step::Index(index) => text += &format!("[{}]", expr(index)),
            Step::Element(index) => text += &format!("{{{}}}", expr(index)),
        }
    }
    text
}

fn args(list: &[Argument]) -> String {
    let shown = list.iter().map(|arg| match arg {
        Argument::Value(value) => expr(value),
        Argument::Undefined => "undefined".to_string(),
        Argument::Var(target) => format!("&{}", place(target)),
    });
    shown.collect::<Vec<_>>().join(", ")
}

fn domain(domain: &Domain) -> String {
    match domain {
        Domain::All(ty) => format!("t{}", ty.0),
        Domain::Steps(from, to, by) => format!("{}..{} by {by}", expr(from), expr(to)),
    }
}

fn expr(value: &Expr) -> String {
    match &value.kind {
        ExprKind::Const(value) => value.to_string(),
        ExprKind::Load(from) => place(from),
        ExprKind::Unary(op, a) => format!("({op:?} {})", expr(a)),
        ExprKind::Binary(op, parts) => format!("({op:?} {} {})", expr(&parts.0), expr(&parts.1)),
        ExprKind::Cond(parts) => format!("({} ? {} : {})", expr(&parts.0), expr(&parts.1), expr(&parts.2)),
        ExprKind::Quantified(which, slot, parts) => {
            format!("({which:?} s{slot} in {} {})", domain(&parts.0), expr(&parts.1))
        }
        ExprKind::Call(callee, list) => format!("f{callee}({})", args(list)),
        ExprKind::IsUndefined(what) => format!("undefined?({})", place(what)),
        ExprKind::IsMember(what, _) => format!("member?({})", expr(what)),
        ExprKind::MultisetCount(slot, parts) => format!("(count s{slot} in {} {})", place(&parts.0), expr(&parts.1)),
    }
}

fn stmts(list: &[Stmt]) -> String {
    list.iter().map(|statement| stmt(&statement.kind)).collect::<Vec<_>>().join("; ")
}

fn stmt(kind: &StmtKind) -> String {
    match kind {
        StmtKind::Assign(target, value) => format!("{} := {}", place(target), expr(value)),
        StmtKind::Let(slot, value) => format!("let s{slot} = {}", expr(value)),
        StmtKind::If(clauses, otherwise) => {
            let clauses: Vec<_> =
                clauses.iter().map(|(c, body)| format!("if {} {{{}}}", expr(c), stmts(body))).collect();
            format!("{} else {{{}}}", clauses.join(" "), stmts(otherwise))
        }
        StmtKind::Switch(switch) => {
            let cases: Vec<_> =
                switch.cases.iter().map(|(values, body)| format!("{values:?} {{{}}}", stmts(body))).collect();
            format!("switch {} {} else {{{}}}", expr(&switch.value), cases.join(" "), stmts(&switch.otherwise))
        }
        StmtKind::For(slot, over, body) => format!("for s{slot} in {} {{{}}}", domain(over), stmts(body)),
        StmtKind::While(condition, body) => format!("while {} {{{}}}", expr(condition), stmts(body)),
        StmtKind::Call(callee, list) => format!("p{callee}({})", args(list)),
        StmtKind::Clear(target) => format!("clear {}", place(target)),
        StmtKind::Undefine(target) => format!("undefine {}", place(target)),
        StmtKind::MultisetAdd(value, to) => format!("add {} to {}", expr(value), place(to)),
        StmtKind::MultisetRemove(index, from) => format!("remove {} from {}", expr(index), place(from)),
        StmtKind::MultisetRemoveAll(slot, from, c) => format!("remove s{slot} from {} if {}", place(from), expr(c)),
        StmtKind::Error(text) => format!("error {text:?}"),
        StmtKind::Assert(condition, text) => format!("assert {} {text:?}", expr(condition)),
        StmtKind::PutText(text) => format!("put {text:?}"),
        StmtKind::Put(value) => format!("put {}", expr(value)),
        StmtKind::Return(value) => format!("return {}", value.as_ref().map_or(String::new(), |value| expr(value))),
    }
}

fn binders(list: &[Binder]) -> String {
    let shown = list.iter().map(|binder| match binder {
        Binder::Each(slot, over) => format!("s{slot} in {}", domain(over)),
        Binder::Choose(slot, from) => format!("s{slot} of {}", place(from)),
        Binder::Let(slot, value) => format!("s{slot} = {}", expr(value)),
    });
    shown.collect::<Vec<_>>().join("; ")
}

#[test]
fn values_are_numbered_across_types() {
    let model = with_rule(
        "type A : enum { a, b, c }; P : scalarset(2); B : enum { d }; U : union { B, P }; var u : U; x : A;",
        "rule u = d ==> begin x := c; end;",
    );
    let ranges = |name: &str| {
        let (id, _) = model.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name)).expect(name);
        model.types.ranges(id)
    };
    assert_eq!((ranges("A"), ranges("P"), ranges("B")), (vec![(2, 4)], vec![(5, 6)], vec![(7, 7)]));
    assert_eq!(ranges("U"), [(7, 7), (5, 6)]);
    assert_eq!(model.rules[0].guard.as_ref().map(expr).as_deref(), Some("(Eq g0 7)"));
    assert_eq!(stmts(&model.rules[0].body), "g1 := 4");
    assert_eq!(model.state_bits(), 2 + 2);
}

#[test]
fn constants_are_folded() {
    let (model, found) = body(
        "const N : 3; E : N * 2 - 1; B : N < 4; var x : 0..9; b : boolean;",
        "x := E + 1; b := B & !false; x := B ? N : 0; b := x = N -> B; x := -(-2) % N; alias k : N + 1 do x := k; end;",
    );
    let expected = "g0 := 6; g1 := 1; g0 := 3; g1 := (Implies (Eq g0 3) 1); g0 := 2; g0 := 4";
    assert_eq!(stmts(&found), expected);
    let constants: Vec<_> = model.constants.iter().map(|c| (c.name.as_str(), c.value, c.ty)).collect();
    assert_eq!(constants, [("N", 3, Types::INT), ("E", 5, Types::INT), ("B", 1, Types::BOOL)]);
}

#[test]
fn aliases_of_designators_are_references() {
    let decls = "type T : 0..3; var i : T; a : array [T] of record f : array [T] of T; g : T; end;";
    let (_, found) = body(decls, "alias r : a[1].f do r[2] := r[i]; end;");
    assert_eq!(stmts(&found), "g1[1].0[2] := g1[1].0[g0]");
    // What the index is, is decided where the alias is declared.
    let (model, found) = body(decls, "alias r : a[i]; q : r.f[i + 1] do i := 2; q := r.g; end; i := 0;");
    assert_eq!(stmts(&found), "let s0 = g0; let s1 = (Add g0 1); g0 := 2; g1[s0].0[s1] := g1[s0].1; g0 := 0");
    let kinds: Vec<_> = model.rules[0].slots.iter().map(|slot| (slot.kind, slot.ty == model.globals[0].ty)).collect();
    assert_eq!(kinds, [(SlotKind::Let, true), (SlotKind::Let, true)]);
    // A loop's variable cannot change, but it may be outside the array.
    let (_, found) = body(decls, "for j : T do alias r : a[j] do r.g := j; end; end;");
    assert_eq!(stmts(&found), "for s0 in t3 {g1[s0].1 := s0}");
    let (_, found) = body(decls, "for j : 0..9 do alias r : a[j] do r.g := 1; end; end;");
    assert_eq!(stmts(&found), "for s0 in t7 {let s1 = s0; g1[s1].1 := 1}");
    let (_, found) = body(decls, "for j := 0 to 3 do alias r : a[j]; q : a[7] do r.g := q.g; end; end;");
    assert_eq!(stmts(&found), "for s0 in 0..3 by 1 {let s1 = s0; let s2 = 7; g1[s1].1 := g1[s2].1}");
}

#[test]
fn aliases_of_expressions_are_values() {
    let (_, found) = body("var x : 0..9;", "alias a : x + 1; b : a * 2 do x := 3; x := a + b; end;");
    assert_eq!(stmts(&found), "let s0 = (Add g0 1); let s1 = (Mul s0 2); g0 := 3; g0 := (Add s0 s1)");
}

#[test]
fn rules_carry_what_they_stand_in() {
    let model = model(
        "type P : scalarset(2); T : 0..3;
         var a : array [P] of T; m : array [P] of multiset [2] of T; b : boolean; k : T;
         startstate begin end;
         ruleset p : P; n := 0 to 4 by 2 do
           alias x : a[p]; y : a[p] + n; z : m[p] do
             rule \"r\" x = n ==> var t : T; begin t := y; x := t; end;
             choose e : z do
               rule var t : boolean; begin multisetremove(e, z); x := z[e]; b := t; end;
               invariant z[e] < 3;
             end;
             startstate begin x := 1; end;
           end;
           invariant \"i\" a[p] < 4;
         end;
         rule begin end;
         rule begin end;
         invariant b;",
    );
    let rules: Vec<_> = model.rules.iter().map(|rule| (rule.name.as_str(), rule.slots.len())).collect();
    assert_eq!(rules, [("r", 4), ("Rule 0", 5), ("Rule 1", 0), ("Rule 2", 0)]);
    assert_eq!(binders(&model.rules[0].binders), "s0 in t3; s1 in 0..4 by 2; s2 = (Add g0[s0] s1)");
    assert_eq!(stmts(&model.rules[0].body), "s3 := s2; g0[s0] := s3");
    assert_eq!(binders(&model.rules[1].binders), "s0 in t3; s1 in 0..4 by 2; s2 = (Add g0[s0] s1); s3 of g1[s0]");
    assert_eq!(stmts(&model.rules[1].body), "remove s3 from g1[s0]; g0[s0] := g1[s0]{s3}; g2 := s4");
    let names: Vec<_> =
        model.invariants.iter().map(|i| (i.name.as_str(), expr(&i.condition), i.binders.len())).collect();
    let expected = [
        ("Invariant 0", "(Lt g1[s0]{s3} 3)".to_string(), 4),
        ("i", "(Lt g0[s0] 4)".to_string(), 2),
        ("Invariant 1", "g2".to_string(), 0),
    ];
    assert_eq!(names, expected);
    let starts: Vec<_> = model.start_states.iter().map(|s| (s.name.as_str(), s.binders.len())).collect();
    assert_eq!(starts, [("Startstate 0", 0), ("Startstate 1", 3)]);
}

#[test]
fn quantifiers_nest_in_the_order_they_are_written() {
    let (_, found) = body(
        "type T : 0..3; var a : array [T] of T; b : boolean;",
        "for i : T; j := i to 3 do a[i] := j; end; b := forall i : T; j : T do exists k : boolean do k end & i = j end;",
    );
    let expected = "for s0 in t3 {for s1 in s0..3 by 1 {g0[s0] := s1}}; \
                    g1 := (All s2 in t3 (All s3 in t3 (And (Exists s4 in t2 s4) (Eq s2 s3))))";
    assert_eq!(stmts(&found), expected);
}

#[test]
fn routines_know_what_they_change() {
    let model = with_rule(
        "type T : 0..3; var g : T; h : array [T] of T;
         procedure reads(v : T); begin put v; end;
         procedure writes(v : T; var w, x : T); begin w := v; end;
         procedure through(v : T; var w : T); var l : T; begin writes(v, l, w); writes(v, w, l); end;
         procedure global(); begin clear h; end;
         function deep(var w : T) : T; begin global(); return w; end;
         procedure again(n : T; var w : T); begin if n > 0 then again(n - 1, w); end; end;
         procedure passes(); begin writes(1, g, h[1]); end;",
        "rule begin through(undefined, h[g]); end;",
    );
    let facts: Vec<_> = model
        .routines
        .iter()
        .map(|r| (r.name.as_str(), r.recursive, r.writes_globals, r.writes_param.clone()))
        .collect();
    let expected = [
        ("reads", false, false, vec![false]),
        ("writes", false, false, vec![false, true, false]),
        ("through", false, false, vec![false, true]),
        ("global", false, true, vec![]),
        ("deep", false, true, vec![false]),
        ("again", true, false, vec![false, true]),
        ("passes", false, true, vec![]),
    ];
    assert_eq!(facts, expected);
    assert_eq!(stmts(&model.rules[0].body), "p2(undefined, &g1[g0])");
    let slots: Vec<_> = model.routines[2].slots.iter().map(|slot| slot.kind).collect();
    assert_eq!(slots, [SlotKind::ValueParam, SlotKind::VarParam, SlotKind::Local]);
    assert_eq!(model.routines[2].param_count, 2);
}

#[test]
fn scopes_end_where_they_should() {
    let (_, found) = body(
        "type T : 0..3; var x, y : T;",
        "for x : T do y := x; end; alias x : y do x := 1; end; y := x; if exists y : T do y = x end then end;",
    );
    let expected = "for s0 in t3 {g1 := s0}; g1 := 1; g1 := g0; if (Exists s1 in t3 (Eq s1 g0)) {} else {}";
    assert_eq!(stmts(&found), expected);
}

#[test]
fn statements_are_carried_over() {
    let (_, found) = body(
        "type E : enum { a, b }; U : union { E, enum { c } }; var e : E; u : U; m : multiset [2] of E; n : 0..3;",
        "switch u case a, c: n := 1; case b: else n := 2; end;
         e := undefined; undefine u; clear n; multisetadd(e, m); multisetadd(a, m);
         multisetremovepred(i : m, m[i] = a); n := multisetcount(i : m, true);
         if ismember(u, E) then u := e; elsif isundefined(n) then else return; end;
         while n < 3 do n := n + 1; end; assert n > 0 \"x\"; assert false; error \"y\"; put \"z\\n\"; put m;",
    );
    let expected = [
        "switch g1 [2, 4] {g3 := 1} [3] {} else {g3 := 2}",
        "undefine g0",
        "undefine g1",
        "clear g3",
        "add g0 to g2",
        "add 2 to g2",
        "remove s0 from g2 if (Eq g2{s0} 2)",
        "g3 := (count s1 in g2 1)",
        "if member?(g1) {g1 := g0} if undefined?(g3) {} else {return }",
        "while (Lt g3 3) {g3 := (Add g3 1)}",
        "assert (Gt g3 0) Some(\"x\")",
        "assert 0 None",
        "error \"y\"",
        "put \"z\\n\"",
        "put g2",
    ];
    let found: Vec<_> = found.iter().map(|statement| stmt(&statement.kind)).collect();
    assert_eq!(found, expected);
}

#[test]
fn types_of_expressions() {
    let (model, found) = body(
        "type A : 0..3; U : union { enum { a }, enum { z } }; var x, y : A; u : U; b : boolean; f : 0..9;",
        "x := y; x := y + 1; u := b ? a : u; f := b ? x : y; f := b ? x : f;",
    );
    let ty = |at: usize| match &found[at].kind {
        StmtKind::Assign(_, value) => value.ty,
        other => panic!("{other:?}"),
    };
    let (a, u) = (model.globals[0].ty, model.globals[2].ty);
    assert_eq!([ty(0), ty(1), ty(2), ty(3), ty(4)], [a, Types::INT, u, a, Types::INT]);
}

#[test]
fn long_and_high_expressions_do_not_fill_the_stack() {
    let sum = vec!["x"; 990].join(" + ");
    let chain = vec!["x = 1"; 50_000].join(" | ");
    let nested = format!("{}x{}", "(".repeat(190), ")".repeat(190));
    let ifs = format!("{}{}", "if x = 1 then ".repeat(190), "end;".repeat(190));
    let index = format!("{}1{}", "a[".repeat(190), "]".repeat(190));
    let (_, found) = body(
        "var x : 0..3; a : array [0..3] of 0..3;",
        &format!("x := {sum}; if {chain} then end; x := {nested}; {ifs} x := {index};"),
    );
    assert_eq!(found.len(), 5);
}

/// The warnings about a model whose rule does this.
fn warnings(statements: &str) -> Vec<String> {
    let decls = "
        type P : scalarset(3); Q : union { P, enum { home } };
        type R : record f : 0..9; g : array [P] of boolean; end;
        var a, b : array [P] of 0..9; m : array [P] of array [P] of boolean; r : array [P] of R; s : R;
        var x, y : 0..9; t : boolean; p : P; bag : multiset [4] of P; bags : array [P] of multiset [4] of P;
        procedure set(i : P; v : 0..9); begin a[i] := v; end;
        procedure both(i : P; j : P); begin a[i] := a[j]; end;
        procedure change(var v : 0..9); begin v := v + 1; end;
        procedure put_in(i : P); begin multisetadd(i, bag); end;
        function look(i : P) : boolean; begin return a[i] = 1; end;
        function found() : boolean; begin return exists i : P do a[i] = 1 end; end;";
    let text = format!("{decls} startstate begin end; rule var l : 0..9; begin {statements} end;");
    let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
    let model = crate::parse_text("m.m", &text, &mut sources, &mut diags);
    assert!(model.is_some(), "{}", diags.render(&sources, false));
    diags.iter().map(|warning| warning.labels[1].1.clone()).collect()
}

#[test]
fn loops_over_scalarsets_whose_order_is_nothing_to_anyone() {
    for body in [
        "a[i] := 0",
        "a[i] := b[i] + 1; b[i] := a[i]",
        "undefine a[i]; clear b[i]",
        "for j : P do m[i][j] := i = j; end",
        "for j : Q do if ismember(j, P) then m[i][i] := true; end; end",
        "r[i].f := x; r[i].g[i] := r[i].f = 1",
        "alias e : r[i] do e.f := 1; e.g[i] := t; end",
        "s.g[i] := s.f = 1",
        "x := x + 1",
        "if a[i] = 1 then x := 2 + x; end",
        "x := x - 1; y := y + 1",
        "t := t | i = i",
        "if a[i] = 1 then t := true; end",
        "s.f := 3",
        "multisetadd(i, bag)",
        "multisetremovepred(k : bag, bag[k] = i)",
        "multisetadd(i, bags[i])",
        "set(i, 1); b[i] := 2",
        "change(a[i])",
        "put_in(i)",
        "if look(i) then b[i] := 1; end",
        "if found() then b[i] := 1; end",
        "assert a[i] = 1; put a[i]",
        "if a[i] = 1 then error \"one\"; end",
        "l := 1; b[i] := 2",
        "while a[i] < 3 do a[i] := a[i] + 1; end",
    ] {
        assert_eq!(warnings(&format!("for i : P do {body}; end;")), [""; 0], "{body}");
    }
    assert_eq!(warnings("for i : 0..2 do x := i; end;"), [""; 0]);
    assert_eq!(warnings("for i : P; j : P do m[i][j] := true; end;"), [""; 0]);
}

#[test]
fn loops_over_scalarsets_whose_order_may_matter() {
    let change = "another iteration may change the same variable";
    let read = "another iteration may read what this changes";
    let first = "the first iteration that comes here ends the loop";
    for (body, why) in [
        ("p := i", change),
        ("x := a[i]", change),
        ("x := x * 2", change),
        ("x := x + a[i]", change),
        ("x := x + 1; x := x - 1", change),
        ("x := x + 1; a[i] := x", read),
        ("t := true; t := false", change),
        ("if !t then t := true; a[i] := 1; end", read),
        ("a[i] := 0; b[i] := a[p]", read),
        ("for j : P do m[i][j] := m[j][i]; end", read),
        ("a[p] := a[i]", change),
        ("s.g[i] := true; clear s", change),
        ("t := t | m[i][i]; if t then x := 1; end", change),
        ("l := a[i]; b[i] := l", change),
        ("both(i, p)", read),
        ("both(p, i)", change),
        ("change(x); a[i] := x", read),
        ("multisetadd(i, bag); if multisetcount(k : bag, true) = 1 then a[i] := 1; end", read),
        ("if a[i] = 1 then a[i] := 2; return; end", first),
        ("if a[i] = 1 then return; end; if b[i] = 1 then error \"two\"; end", first),
        // What is not evaluated any more may be undefined, or divide by zero.
        ("t := t | a[i] = 1", change),
        ("t := t & 1 / a[i] = 1", change),
        ("t := (exists j : P do m[i][j] end) & t", change),
        ("multisetremovepred(k : bag, bag[k] = i & multisetcount(j : bag, true) > 1)", read),
    ] {
        assert_eq!(warnings(&format!("for i : P do {body}; end;")), [why], "{body}");
    }
    assert_eq!(warnings("for i : P; j : P do m[i][p] := true; a[j] := 1; x := x * 2; end;"), [change]);
    // Two parameters may be the same variable, and one may be a global variable.
    for (body, why) in
        [("u[i] := 1; if v[p] = 2 then t := true; end", read), ("u[i] := 1; if a[p] = 2 then t := true; end", read)]
    {
        let text = format!(
            "type P : scalarset(3); A : array [P] of 0..9; var a, b : A; p : P; t : boolean;
            procedure do_it(var u, v : A); begin for i : P do {body}; end; end;
            startstate begin end; rule do_it(a, b); end;"
        );
        let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
        assert!(
            crate::parse_text("m.m", &text, &mut sources, &mut diags).is_some(),
            "{}",
            diags.render(&sources, false)
        );
        let found: Vec<String> = diags.iter().map(|warning| warning.labels[1].1.clone()).collect();
        assert_eq!(found, [why], "{body}");
    }
}
