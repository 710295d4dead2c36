//! `check --goal`, on the project's own models in every language that has variables to ask about.

mod program;

use program::{Folder, code, json, own, tightrope};

/// The length of the way to a goal; none if it cannot be reached.
fn length(model: &str, goal: &str, options: &[&str]) -> Option<u64> {
    let output = tightrope(&[&["check", model, "--json", "--goal", goal], options].concat());
    let report = json(&output);
    let violation = &report["violation"];
    let expected = if violation.is_null() { 0 } else { 1 };
    assert_eq!(output.status.code(), Some(expected), "{model}: {goal}");
    if violation.is_null() {
        assert_eq!(report["verdict"], "holds", "{model}: {goal}");
        return None;
    }
    assert_eq!((report["verdict"].as_str(), violation["kind"].as_str()), (Some("violated"), Some("goal")), "{goal}");
    violation["length"].as_u64()
}

/// A goal is found with every search and store, on a shortest way by those that go in breadth, and shown again.
fn reachable(model: &str, goal: &str, shortest: u64) {
    let model = own(model);
    for store in ["hash", "bits"] {
        assert_eq!(length(&model, goal, &["--search", "bfs", "--store", store]), Some(shortest), "{model}: {goal}");
        let deep = length(&model, goal, &["--search", "dfs", "--store", store]);
        assert!(deep.is_some_and(|deep| deep >= shortest), "{model}: {goal}: {deep:?}");
    }
    let folder = Folder::new("goals");
    let trace = folder.place("trace.json");
    for search in ["bfs", "dfs"] {
        let found =
            json(&tightrope(&["check", &model, "--goal", goal, "--search", search, "--trace", &trace, "--json"]));
        let again = tightrope(&["replay", &model, &trace, "--json"]);
        assert_eq!(again.status.code(), Some(1), "{goal}");
        assert_eq!(json(&again)["violation"], found["violation"], "{goal}");
    }
    let shown = tightrope(&["replay", &model, &trace]);
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains(&format!("the goal is reached: {goal}")), "{shown}");
}

/// No state satisfies a goal, whatever else is wrong with the model.
fn unreachable(model: &str, goal: &str) {
    for (search, store) in [("bfs", "hash"), ("dfs", "bits")] {
        assert_eq!(length(&own(model), goal, &["--search", search, "--store", store]), None, "{model}: {goal}");
    }
}

/// A goal is refused, with its place and these words.
fn refused(model: &str, goal: &str, words: &[&str]) {
    let output = tightrope(&["check", model, "--goal", goal]);
    let shown = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{goal}: {shown}");
    for word in [&["--> --goal:1:"], words].concat() {
        assert!(shown.contains(word), "{goal}: `{word}` is missing in\n{shown}");
    }
}

#[test]
fn promela_goals_are_reached() {
    // Macros of the model, and of macros in them.
    reachable("promela/river_crossing.pml", "across", 21);
    reachable("promela/traffic_light.pml", "!safe || walk == green && turn == 2", 10);
    // Arrays, channels, what is in them, symbolic names.
    reachable("promela/two_phase_commit.pml", "yeses == N && outcome[0] == commit", 32);
    reachable("promela/two_phase_commit.pml", "full(to[1]) && to[1]?[abort] && nempty(votes) && len(votes) == 2", 27);
    // Into processes.
    reachable("promela/two_phase_commit.pml", "participant[2]@failed && coordinator:count == 2", 22);
    // Where the model's own assertions fail as well.
    reachable("promela/mutex_bug.pml", "inside == 3 && taken", 9);
    reachable("promela/peterson.pml", "user[0]:other == 1 && inside == 1", 4);
    // The initial state.
    reachable("promela/peterson.pml", "!want[0]", 0);
}

#[test]
fn promela_goals_are_not_reached() {
    unreachable("promela/peterson.pml", "inside == 2");
    unreachable("promela/traffic_light.pml", "!safe");
    unreachable("promela/mutex_bug.pml", "inside == 4");
    unreachable("promela/philosophers_deadlock.pml", "_nr_pr > 200");
    // What would be an error does not hold.
    unreachable("promela/peterson.pml", "want[2 + inside] || 1 / (inside - inside)");
}

#[test]
fn promela_goals_that_make_no_sense() {
    let model = own("promela/peterson.pml");
    refused(&model, "inside ==", &["expected an expression"]);
    refused(&model, "inside == 1 turn", &["expected an operator or the end"]);
    refused(&model, "inside = 1", &["to compare, write `==`"]);
    refused(&model, "inside++", &["expected an operator or the end"]);
    refused(&model, "insid == 1", &["`insid` is not declared", "did you mean `inside`?"]);
    refused(&model, "other == 1", &["`other` is a variable of `user`", "`user[pid]:other`"]);
    refused(&model, "user@cs", &["`user` has no label `cs`"]);
    refused(&model, "run user()", &["a goal cannot change the state"]);
    refused(&model, "timeout", &["a goal cannot ask for `timeout`"]);
    refused(&model, "want[_pid]", &["a goal cannot use `_pid`"]);
    refused(&model, "", &["expected an expression"]);
    refused(&model, "<> (inside == 2)", &["not a formula about runs"]);
    refused(&own("promela/two_phase_commit.pml"), "votes?[_pid]", &["a goal cannot use `_pid`"]);
    let folder = Folder::new("goals");
    let model = folder.named("m.pml", "hidden byte h; active proctype P() { h = 1 }");
    refused(&model, "h == 1", &["cannot read the hidden variable `h`"]);
    let model = folder.named("a.pml", "byte a[3]; active proctype P() { a[1] = 1 }");
    refused(&model, "a[7] == 1", &["index 7 is out of bounds", "the indices are 0 to 2"]);
    // A model that is wrong itself is what is shown.
    let model = folder.named("wrong.pml", "active proctype P() { x = 1 }");
    let output = tightrope(&["check", &model, "--goal", "y == 1"]);
    let shown = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(shown.contains("`x` is not declared") && shown.contains("wrong.pml:1:"), "{shown}");
}

#[test]
fn promela_goals_and_the_command_line() {
    let folder = Folder::new("goals");
    let model = folder.named(
        "m.pml",
        "#define is(v) (x == v)\nbyte x; int gone;\nproctype Q(byte id) { byte mine = id; end: false }\n\
         active proctype P() { do :: x < N -> x++ :: x == N -> break od; run Q(x); x = 0 }\n",
    );
    assert_eq!(length(&model, "is(N)", &["-DN=3"]), Some(6));
    assert_eq!(length(&model, "is(4)", &["-DN=3"]), None);
    assert_eq!(length(&model, "Q:mine == 3 && Q@end && is(0)", &["-DN=3"]), Some(9));
    // A goal that names who moved last makes that a part of states.
    assert_eq!(length(&model, "_last == 0 && _nr_pr == 2 && is(0)", &["-DN=3"]), Some(9));
    // Macros and -D are needed again to show the way again.
    let trace = folder.place("t.json");
    tightrope(&["check", &model, "-DN=3", "--goal", "is(N)", "--trace", &trace]);
    assert_eq!(tightrope(&["replay", &model, &trace, "-DN=3"]).status.code(), Some(1));
    assert_eq!(tightrope(&["replay", &model, &trace, "-DN=4"]).status.code(), Some(2));
}

#[test]
fn murphi_goals_are_reached() {
    reachable("murphi/hanoi.m", "forall d : Disc do on[d] = PEGS end", 31);
    reachable("murphi/hanoi.m", "exists p : Peg do p != 1 & may_move(p, 1) & on[DISCS] = p end", 16);
    // Undefined values, and a range that the model has no name for.
    reachable("murphi/philosophers.m", "forall s : 0 .. 2 do !isundefined(fork[s]) end & mood[4] = Thinking", 3);
    // Up to symmetry, and with every state.
    let waits = "!isundefined(node[p].next) & node[p].next = q & at[q] = Spin";
    let goal = format!("exists p : Proc do exists q : Proc do at[p] = Critical & {waits} end end");
    let model = own("murphi/mcs_lock.m");
    for reduce in ["symmetry", "none"] {
        assert_eq!(length(&model, &goal, &["--reduce", reduce]), Some(5), "{reduce}");
    }
    reachable(
        "murphi/mcs_lock.m",
        "exists p : Proc do at[p] = Critical end & forall p : Proc do at[p] = Spin | at[p] = Critical end",
        14,
    );
}

#[test]
fn murphi_goals_are_not_reached() {
    unreachable("murphi/hanoi.m", "on[1] = 2 & on[2] = 2 & on[3] = 2 & on[1] = 3");
    unreachable("murphi/philosophers.m", "mood[0] = Eating & mood[1] = Eating");
    unreachable(
        "murphi/mcs_lock.m",
        "exists p : Proc do exists q : Proc do p != q & at[p] = Critical & at[q] = Critical end end",
    );
    // Where something is undefined, a goal that reads it does not hold, and nor does its negation.
    unreachable("murphi/philosophers.m", "isundefined(fork[0]) & fork[0] = 0");
    unreachable("murphi/philosophers.m", "isundefined(fork[0]) & !(fork[0] = 0)");
    // One element for which it is undefined is enough, whatever the order of elements.
    let goal = "exists p : Proc do exists q : Proc do at[p] = Critical & pred[q] = p & at[q] = Spin end end";
    for reduce in ["symmetry", "none"] {
        assert_eq!(length(&own("murphi/mcs_lock.m"), goal, &["--reduce", reduce]), None, "{reduce}");
    }
}

#[test]
fn murphi_goals_that_make_no_sense() {
    let model = own("murphi/mcs_lock.m");
    refused(&model, "forall p : Proc do", &["expected an expression"]);
    refused(&model, "PROCS = 5 PROCS", &["expected an operator or the end"]);
    refused(&model, "PROCS", &["a goal must be boolean"]);
    refused(&model, "last := last", &["to compare, write `=`"]);
    refused(&model, "lost = last", &["`lost` is not declared", "`last`"]);
    refused(&model, "at[1] = Critical", &["expected `Proc`"]);
    // Elements cannot be told apart, so states that differ by renaming them cannot either.
    refused(&model, "at[Proc_1] = Critical", &["elements of the scalarset `Proc` are all alike", "exists x : Proc"]);
    let folder = Folder::new("goals");
    let model = folder.named(
        "m.m",
        "var x : 0..3; function f() : boolean; begin x := 1; return true; end; \
         startstate begin x := 0; end; rule begin x := 2; end;",
    );
    refused(&model, "f()", &["a goal"]);
}

/// Only the goal is looked for, and what is wrong in the state that satisfies it does not hide it.
#[test]
fn a_goal_beside_violations() {
    let folder = Folder::new("goals");
    let murphi = folder.named(
        "m.m",
        "var x : 0..9; y : 0..9; startstate begin x := 0; end; \
         rule x < 9 ==> begin x := x + 1; end; invariant \"small\" x < 4; invariant \"y\" y = 1;",
    );
    assert_eq!(length(&murphi, "x = 6", &[]), Some(6));
    assert_eq!(length(&murphi, "y = 0", &[]), None);
    assert_eq!(length(&murphi, "isundefined(y) & x = 9", &[]), Some(9));
    let promela = folder.named("m.pml", "byte x; active proctype P() { do :: x < 9 -> x++; assert(x < 4) od }");
    assert_eq!(length(&promela, "x == 6", &[]), Some(17));
    assert_eq!(length(&promela, "x == 10", &[]), None);
    let dve = folder.named(
        "m.dve",
        "byte x; process P { state s; init s; assert s: x < 4; trans s -> s { guard x < 9; effect x = x + 1; }; } \
         system async;",
    );
    assert_eq!(length(&dve, "x == 6", &[]), Some(6));
}

#[test]
fn goals_and_atomic_sequences() {
    let folder = Folder::new("goals");
    let model =
        folder.named("m.pml", "byte x; active proctype P() { atomic { x = 1; x = 2 }; d_step { x = 3; x = 4 } }");
    for (goal, expected) in [("x == 1", None), ("x == 2", Some(1)), ("x == 3", None), ("x == 4", Some(2))] {
        assert_eq!(length(&model, goal, &[]), expected, "{goal}");
    }
    // Where the sequence blocks, others see the state.
    let model = folder.named("b.pml", "byte x, y; active proctype P() { atomic { x = 1; y == 1; x = 2 } }");
    assert_eq!(length(&model, "x == 1", &[]), Some(1));
}

#[test]
fn dve_goals() {
    reachable("dve/water_jugs.dve", "jug[0] == 12", 11);
    unreachable("dve/water_jugs.dve", "jug[0] == 14");
    let model = own("dve/water_jugs.dve");
    refused(&model, "jug[0] ==", &["expected"]);
    refused(&model, "jog[0] == 1", &["`jog`"]);
}

#[test]
fn files_without_variables_have_no_goals() {
    let output = tightrope(&["check", &own("aut/buffer.aut"), "--goal", "x"]);
    let shown = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(shown.contains("Promela, Murphi and DVE"), "{shown}");
}

/// A goal about a process that was left out has no answer.
#[test]
fn a_goal_about_a_property_that_is_left_out() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/dve/token_ring.prop1.dve");
    assert_eq!(code(&tightrope(&["check", model, "--goal", "Never.starved", "-q"])), 1);
    let output = tightrope(&["check", model, "--goal", "Station_1.idle and Never.starved", "--no-claims", "-q"]);
    assert_eq!(code(&output), 2);
    assert!(String::from_utf8_lossy(&output.stderr).contains("left out by --no-claims"));
}
