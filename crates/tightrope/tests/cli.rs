//! The program as users and other programs meet it.

mod program;

use program::{BROKEN, COUNTER, Folder, code, json, path, tightrope};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

#[test]
fn a_model_that_holds() {
    let folder = Folder::new("holds");
    let model = folder.file("m.pml", COUNTER);
    let output = tightrope(&["check", path(&model), "-DN=9", "--json"]);
    assert_eq!(code(&output), 0);
    let report = json(&output);
    assert_eq!(report["tool"], "tightrope");
    assert_eq!(report["command"], "check");
    assert_eq!(report["model"]["language"], "promela");
    assert_eq!(report["verdict"], "holds");
    assert_eq!(report["claim"], "exact");
    assert_eq!(report["violation"], Value::Null);
    assert_eq!(report["states"], 20);
    assert_eq!(report["configuration"]["search"], "bfs");
    for name in
        ["visits", "transitions", "matched", "fired", "levels", "widest_level", "depth", "deadlocks", "violations"]
    {
        assert!(report[name].is_u64(), "{name}");
    }
    for name in ["peak_resident", "store", "frontier", "disk"] {
        assert!(report["bytes"][name].is_u64(), "{name}");
    }
    for name in ["front_end", "compile", "search", "total"] {
        assert!(report["seconds"][name].is_number(), "{name}");
    }
    let text = tightrope(&["check", path(&model), "-DN=9"]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("holds (exact"), "{text}");
    assert!(text.contains("never executed") && text.contains("-end-"), "{text}");
}

#[test]
fn a_model_that_does_not() {
    let folder = Folder::new("violated");
    let model = folder.file("m.pml", BROKEN);
    let trace = folder.0.join("t.json");
    for search in ["bfs", "dfs"] {
        let output = tightrope(&["check", path(&model), "--json", "--search", search, "--trace", path(&trace)]);
        assert_eq!(code(&output), 1);
        let report = json(&output);
        assert_eq!(report["verdict"], "violated");
        let violation = &report["violation"];
        assert_eq!(violation["kind"], "assertion");
        assert_eq!(violation["at"]["line"], 7);
        let steps = violation["trace"].as_array().expect("a trace");
        assert_eq!(violation["length"], steps.len());
        if search == "bfs" {
            assert_eq!(steps.len(), 6, "the shortest way: four steps to 2, then Q's two");
        }
        let again = tightrope(&["replay", path(&model), path(&trace), "--json"]);
        assert_eq!(code(&again), 1);
        assert_eq!(json(&again)["violation"], *violation);
        let shown = tightrope(&["replay", path(&model), path(&trace)]);
        let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
        assert!(shown.contains("assert(false)") && shown.contains("m.pml:7") && shown.contains("x: 1 → 2"), "{shown}");
    }
    // A trace of another model does not happen, and is not shown as if it did.
    let other = folder.file("other.pml", COUNTER);
    let output = tightrope(&["replay", path(&other), path(&trace), "-DN=2"]);
    assert_eq!(code(&output), 2);
    let nonsense = folder.file("nonsense.json", "{\"steps\": 3}");
    assert_eq!(code(&tightrope(&["replay", path(&model), path(&nonsense)])), 2);
}

#[test]
fn all_violations_are_counted() {
    let folder = Folder::new("all");
    let model =
        folder.file("m.pml", "byte x; active proctype P() { if :: x = 1 :: x = 2 :: x = 3 fi; assert(x == 2); false }");
    let output = tightrope(&["check", path(&model), "--all", "--json"]);
    assert_eq!(code(&output), 1);
    let report = json(&output);
    assert_eq!(report["violations"], 5, "two failed assertions and three deadlocks");
    assert_eq!(report["deadlocks"], 3);
    let output = tightrope(&["check", path(&model), "--all", "--no-deadlock", "--json"]);
    assert_eq!(json(&output)["violations"], 2);
}

#[test]
fn deadlocks_can_be_ignored() {
    let folder = Folder::new("deadlock");
    let model = folder.file("m.pml", "active proctype P() { false }");
    let output = tightrope(&["check", path(&model), "--json"]);
    assert_eq!((code(&output), json(&output)["violation"]["kind"].as_str()), (1, Some("deadlock")));
    assert_eq!(json(&output)["violation"]["length"], 0);
    assert_eq!(code(&tightrope(&["check", path(&model), "--no-deadlock"])), 0);
}

#[test]
fn limits_end_undecided() {
    let folder = Folder::new("limits");
    let model = folder.file("m.pml", "int x, y, z; active [3] proctype P() { do :: x++ :: y = y + x :: z = z + y od }");
    for (option, value, reason) in
        [("--depth", "4", "depth"), ("--time", "300ms", "time"), ("--memory", "12M", "memory")]
    {
        for search in ["bfs", "dfs"] {
            let output = tightrope(&["check", path(&model), option, value, "--search", search, "--json"]);
            let report = json(&output);
            assert_eq!(code(&output), 3, "{option} {search}");
            assert_eq!((report["verdict"].as_str(), report["reason"].as_str()), (Some("undecided"), Some(reason)));
            if reason == "memory" {
                let peak = report["bytes"]["peak_resident"].as_u64().expect("Linux tells");
                assert!(peak <= 12 << 20, "{peak} bytes resident");
            }
        }
    }
    let output = tightrope(&["check", path(&model), "--memory", "12M"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("try: tightrope check") && text.contains("--memory"), "{text}");
    // A limit that is not reached is none.
    let small = folder.file("small.pml", COUNTER);
    assert_eq!(
        code(&tightrope(&["check", path(&small), "-DN=5", "--depth", "1000", "--time", "1h", "--memory", "1G"])),
        0
    );
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_with_a_report() {
    let folder = Folder::new("interrupt");
    let model = folder.file("m.pml", "int x, y; active [2] proctype P() { do :: x++ :: y = y + x od }");
    let child = Command::new(env!("CARGO_BIN_EXE_tightrope"))
        .args(["check", path(&model), "--json", "--memory", "2G"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the program runs");
    std::thread::sleep(std::time::Duration::from_millis(500));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(killed.success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(code(&output), 3);
    let report = json(&output);
    assert_eq!((report["verdict"].as_str(), report["reason"].as_str()), (Some("undecided"), Some("interrupted")));
    assert!(report["states"].as_u64() > Some(0));
}

#[test]
fn claims_that_are_not_checked_are_named() {
    let folder = Folder::new("claims");
    let model = folder.file(
        "m.pml",
        "byte x; active proctype P() { x = 1 } ltl good { <> (x == 1) } never bad { do :: x == 2 -> break :: else od }",
    );
    let output = tightrope(&["check", path(&model)]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(code(&output), 3);
    assert!(text.contains("not checked: ltl good") && text.contains("not checked: never bad"), "{text}");
    let report = json(&tightrope(&["check", path(&model), "--json"]));
    assert_eq!(report["unchecked"], serde_json::json!(["ltl good", "never bad"]));
}

#[test]
fn wrong_models_are_diagnosed() {
    let folder = Folder::new("wrong");
    let cases = [
        ("syntax", "active proctype P() { x = ; }", "m.pml:1"),
        ("undeclared", "active proctype P() { count = 1 }", "`count` is not declared"),
        ("arity", "chan c = [1] of { byte }; active proctype P() { c!1,2 }", "have 1 field, but 2 are sent"),
        ("run", "proctype C(byte a) { skip } init { run C() }", "takes 1 argument"),
        ("type", "byte x; active proctype P() { x!1 }", "not a channel"),
        ("include", "#include \"nowhere.h\"\nactive proctype P() { skip }", "nowhere.h"),
        ("inline", "inline f() { f() } active proctype P() { f() }", "calls itself"),
        ("c", "c_code { int x; } active proctype P() { skip }", "c_code"),
        (
            "mtype",
            "mtype:a = { one }; mtype:b = { two }; active proctype P() { mtype:a x; x = two }",
            "different mtypes",
        ),
    ];
    for (name, text, expected) in cases {
        let model = folder.file("m.pml", text);
        let output = tightrope(&["check", path(&model), "--json"]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(code(&output), 2, "{name}: {error}");
        assert_eq!(json(&output)["verdict"], Value::Null, "{name}");
        assert!(error.contains(expected) && error.contains("m.pml"), "{name}: {error}");
    }
    let model = folder.file("m.pml", "active proctype P() { a = 1; b = 2; c!3 }\nactive proctype Q() { d = 4 }");
    let error = String::from_utf8_lossy(&tightrope(&["check", path(&model)]).stderr).into_owned();
    assert_eq!(error.matches("is not declared").count(), 4, "all in one go: {error}");
}

#[test]
fn wrong_command_lines_are_refused() {
    let folder = Folder::new("arguments");
    let model = folder.file("m.pml", "active proctype P() { skip }");
    let unknown = folder.file("m.xyz", "");
    let m = path(&model);
    let cases: &[&[&str]] = &[
        &["check"],
        &["check", m, "--search", "sideways"],
        &["check", m, "--store", "shoebox"],
        &["check", m, "--store", "bdd", "--bdd-order", "random"],
        &["check", m, "--store", "bits", "--bdd-order", "reverse"],
        &["check", m, "--memory", "lots"],
        &["check", "/nowhere/m.pml"],
        &["check", path(&unknown)],
        &["check", m, "--language", "latin"],
        &["juggle", m],
    ];
    for args in cases {
        let output = tightrope(args);
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(!output.stderr.is_empty(), "{args:?}");
    }
    let error = String::from_utf8_lossy(&tightrope(&["check", m, "--store", "shoebox"]).stderr).into_owned();
    assert!(error.contains("hash") && error.contains("bits"), "says what there is: {error}");
    assert_eq!(code(&tightrope(&["--version"])), 0);
    assert_eq!(
        code(&tightrope(&["check", path(&unknown), "--language", "promela"])),
        2,
        "an empty model has no process"
    );
}

#[test]
fn a_diagram_grows_with_the_counters_and_not_with_the_states() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/promela/counters.pml");
    for store in ["bdd", "compress+bdd", "collapse+bdd", "bits+bdd", "mdd"] {
        for search in ["bfs", "dfs"] {
            let run = |counters: &str| {
                let report =
                    json(&tightrope(&["check", model, counters, "--store", store, "--search", search, "--json"]));
                assert_eq!((&report["verdict"], &report["claim"]), (&Value::from("holds"), &Value::from("exact")));
                let figure = |name: &str| report["bytes"][name].as_u64().unwrap_or_else(|| panic!("{name}: {report}"));
                (report["states"].as_u64(), figure("nodes"), figure("store"))
            };
            let (few, many) = (run("-DN=4"), run("-DN=5"));
            assert_eq!((few.0, many.0), (Some(10_000), Some(100_000)));
            // Visser 1996 has 158 and 233.
            assert!(few.1 <= 60 && many.1 <= few.1 + 20, "{store}: {few:?} {many:?}");
            assert!(many.2 < few.2 + few.2 / 2, "{store}: {few:?} {many:?}");
        }
    }
    let ordered = json(&tightrope(&["check", model, "--store", "bits+bdd", "--bdd-order", "reverse", "--json"]));
    assert_eq!((&ordered["states"], &ordered["configuration"]["store"]), (&10_000.into(), &"bits+bdd:reverse".into()));
}

#[test]
fn measure_reports_the_shape() {
    let folder = Folder::new("measure");
    let model = folder.file("m.pml", COUNTER);
    let report = json(&tightrope(&["measure", path(&model), "-DN=9", "--json"]));
    assert_eq!(report["states"], 20);
    assert_eq!(report["levels"], 20);
    assert_eq!(report["widest_level"], 1);
    assert_eq!(report["level_widths"].as_array().map(Vec::len), Some(20));
    assert_eq!(report["out_degree"]["max"], 1);
    assert_eq!(report["locality"]["1"]["mean"], 0.95, "all but the last go one level on");
    let violated = folder.file("v.pml", BROKEN);
    assert_eq!(code(&tightrope(&["measure", path(&violated)])), 0, "nothing is checked");
}

#[test]
fn show_tells_what_was_understood() {
    let folder = Folder::new("show");
    let model = folder.file(
        "m.pml",
        "byte x = 3; chan c = [2] of { byte, bit };\nactive [2] proctype P() { bool b; c!x,1; c?_,b; end: x == 4 }",
    );
    let text = String::from_utf8_lossy(&tightrope(&["show", path(&model)]).stdout).into_owned();
    for expected in
        ["channel c: 2 slots of 2 fields", "process P", "2 from the start", "c!x,1", "reads {x, c} writes {c}", "end"]
    {
        assert!(text.contains(expected), "`{expected}` in {text}");
    }
    let value = json(&tightrope(&["show", path(&model), "--json"]));
    assert_eq!(value["processes"][0]["name"], "P");
    assert_eq!(value["channels"][0]["capacity"], 2);
    let murphi = "type P: scalarset(2); M: record tag: enum { req, ack }; who: P; ok: boolean; end;
var net: array [0..1] of M; n: 3..5; startstate undefine net; n := 3; end;
ruleset p : P do rule net[0].who := p end end;";
    let model = folder.file("m.m", murphi);
    let text = String::from_utf8_lossy(&tightrope(&["show", path(&model)]).stdout).into_owned();
    for expected in [
        "net[0].tag  undefined, req, ack\n",
        "net[1].who  undefined, P_1, P_2\n",
        "net[0].ok   undefined, false, true\n",
        "n           undefined, 3..5\n",
        "scalarset P, 2 elements\n",
        "(p)  2 instances\n",
        "\n1 rule\n",
        "\n0 invariants\n",
    ] {
        assert!(text.contains(expected), "`{expected}` in {text}");
    }
    let value = json(&tightrope(&["show", path(&model), "--json"]));
    assert_eq!(value["globals"][1]["values"][2], "P_2");
}

#[test]
fn searches_too_short_to_compare_are_not_compared() {
    let folder = Folder::new("short");
    let model = folder.file("m.pml", COUNTER);
    let options = ["stores", path(&model), "-DN=9", "--only", "hash,tree"];
    let text = String::from_utf8_lossy(&tightrope(&options).stdout).into_owned();
    assert!(text.contains("too short") && !text.contains("1.00x"), "{text}");
    let value = json(&tightrope(&[&options[..], &["--json"]].concat()));
    assert_eq!(value["stores"][1]["relative"], Value::Null);
}

const LOCK: &str = "type P: scalarset(3); var at: array [P] of enum { out, waits, inside };
startstate for p : P do at[p] := out end end;
ruleset p : P do
  rule \"asks\" at[p] = out ==> at[p] := waits end;
  rule \"enters\" at[p] = waits GUARD ==> at[p] := inside end;
  rule \"leaves\" at[p] = inside ==> at[p] := out end;
end;
invariant \"one inside\" forall p : P do forall q : P do at[p] = inside & at[q] = inside -> p = q end end;
";

#[test]
fn murphi_up_to_symmetry() {
    let folder = Folder::new("murphi");
    let guard = "& forall q : P do at[q] != inside end";
    let good = folder.file("good.m", &LOCK.replace("GUARD", guard));
    let report = json(&tightrope(&["check", path(&good), "--json"]));
    assert_eq!(report["configuration"]["reduce"], serde_json::json!(["symmetry"]));
    assert_eq!((report["verdict"].as_str(), report["states"].as_u64()), (Some("holds"), Some(7)), "orbits");
    let report = json(&tightrope(&["check", path(&good), "--json", "--reduce", "none"]));
    assert_eq!(report["configuration"]["reduce"], serde_json::json!([]));
    assert_eq!(report["states"], 20, "eight with nobody inside, twelve with one");

    let bad = folder.file("bad.m", &LOCK.replace("GUARD", ""));
    let trace = folder.0.join("t.json");
    let output = tightrope(&["check", path(&bad), "--json", "--trace", path(&trace)]);
    assert_eq!(code(&output), 1);
    let violation = json(&output)["violation"].clone();
    assert_eq!((violation["kind"].as_str(), violation["length"].as_u64()), (Some("invariant"), Some(4)));
    // The counterexample is a run of the model as written, so it replays without the reduction.
    assert_eq!(json(&tightrope(&["replay", path(&bad), path(&trace), "--json"]))["violation"], violation);
    let shown = String::from_utf8_lossy(&tightrope(&["replay", path(&bad), path(&trace)]).stdout).into_owned();
    assert!(shown.contains("Rule \"enters\", p: P_") && shown.contains("Startstate"), "{shown}");

    // With the other reductions it is the same.
    for options in [&["symmetry,stubborn"][..], &["symmetry,sleep,stubborn", "--search", "dfs"]] {
        let checked =
            |model: &Path| json(&tightrope(&[&["check", path(model), "--json", "--reduce"], options].concat()));
        let report = checked(&good);
        assert_eq!((report["verdict"].as_str(), report["states"].as_u64()), (Some("holds"), Some(7)), "{options:?}");
        assert_eq!(checked(&bad)["violation"]["kind"].as_str(), Some("invariant"), "{options:?}");
    }

    let promela = folder.file("m.pml", COUNTER);
    let output = tightrope(&["check", path(&promela), "-DN=3", "--reduce", "symmetry,stubborn", "--json"]);
    assert_eq!(code(&output), 0, "nothing to reduce by symmetry");
    assert_eq!(json(&output)["configuration"]["reduce"], serde_json::json!(["stubborn"]));
    assert!(String::from_utf8_lossy(&output.stderr).contains("declares no symmetry"));
    assert_eq!(code(&tightrope(&["check", path(&good), "--reduce", "magic"])), 2);

    // Whether a quantifier runs into an undefined value does not depend on which element comes first.
    let order = "type P: scalarset(2); var a: array[P] of 0..9; s: 0..2; startstate undefine a; s := 0; end;
        ruleset p: P do rule s = 0 ==> a[p] := N; s := 1; end; end;
        rule s = 1 & exists q: P do a[q] = N end ==> s := 2; end; rule s = 2 ==> s := 0; undefine a; end;";
    for number in ["1", "2"] {
        let model = folder.file("order.m", &order.replace('N', number));
        for reduce in ["symmetry", "none"] {
            let report = json(&tightrope(&["check", path(&model), "--json", "--reduce", reduce]));
            assert_eq!(report["violation"]["kind"], "undefined", "{number} {reduce}");
        }
    }
}

#[test]
fn a_model_too_large_for_machine_code_is_interpreted() {
    let folder = Folder::new("large");
    let statements = "x = 1 - x;\n".repeat(20_500);
    let model = folder.file("m.pml", &format!("bit x;\nactive proctype P() {{\n{statements}}}\n"));
    let output = tightrope(&["check", path(&model), "--json"]);
    assert_eq!(code(&output), 0);
    let report = json(&output);
    assert_eq!((&report["states"], &report["configuration"]["execute"]), (&20_502.into(), &"interpret".into()));
    let notes = program::error(&output);
    assert_eq!(notes.matches("the model is interpreted").count(), 1, "{notes}");
    // Nobody is told what was asked for.
    let output = tightrope(&["check", path(&model), "--json", "--execute", "interpret"]);
    assert_eq!((json(&output)["states"].as_u64(), program::error(&output).as_str()), (Some(20_502), ""));
}

#[test]
fn partial_orders_are_reduced() {
    let folder = Folder::new("orders");
    let text = "chan c = [2] of { byte }; byte x;
        active [3] proctype P() { byte i; do :: i < 4 -> i++ :: i == 4 -> break od; c!i }
        active proctype Q() { byte y; c?y; c?y; c?y; x = y; assert(x == 4) }";
    let model = folder.file("m.pml", text);
    let run = |options: &[&str]| {
        let output = tightrope(&[&["check", path(&model), "--no-deadlock", "--json"], options].concat());
        let report = json(&output);
        assert_eq!((code(&output), report["verdict"].as_str()), (0, Some("holds")), "{options:?}");
        (report["states"].as_u64(), report["transitions"].as_u64())
    };
    let (all, steps) = run(&["--search", "dfs"]);
    let (asleep, fewer) = run(&["--search", "dfs", "--reduce", "sleep"]);
    assert_eq!(asleep, all, "sleep sets leave no state out");
    assert!(fewer < steps);
    let (stubborn, _) = run(&["--search", "dfs", "--reduce", "stubborn"]);
    let (both, _) = run(&["--search", "dfs", "--reduce", "sleep,stubborn"]);
    assert!(stubborn < all && both <= stubborn);
    let (breadth_first, _) = run(&["--search", "bfs", "--reduce", "stubborn"]);
    assert!(breadth_first < all);
    for options in [&["--reduce", "sleep"][..], &["--reduce", "sleep,stubborn", "--search", "bfs"]] {
        let output = tightrope(&[&["check", path(&model)], options].concat());
        assert_eq!(code(&output), 2);
        assert!(String::from_utf8_lossy(&output.stderr).contains("--search dfs"));
    }
    let lts = folder.file("m.aut", "");
    let output = tightrope(&["lts", path(&model), "-o", path(&lts), "--reduce", "stubborn"]);
    assert_eq!(code(&output), 2);
    assert!(String::from_utf8_lossy(&output.stderr).contains("stubborn sets leave transitions out"));
}

/// What is possible only where something else is not depends on who makes that possible: by making room in a channel, or
/// by getting ready to meet.
#[test]
fn else_is_not_put_off() {
    let folder = Folder::new("else");
    let models = [
        "chan c = [1] of { byte };
        active proctype Q() { c!1; if :: c!2 :: else -> assert(false) fi }
        active proctype P() { byte x; c?x }",
        "chan c = [0] of { byte };
        active proctype Q() { if :: c!2 :: else -> assert(false) fi }
        active proctype P() { byte x; x = 1; c?x }",
    ];
    for (number, text) in models.into_iter().enumerate() {
        let model = folder.file(&format!("m{number}.pml"), text);
        for options in
            [&["--reduce", "none"][..], &["--reduce", "stubborn"], &["--reduce", "stubborn", "--search", "dfs"]]
        {
            let output = tightrope(&[&["check", path(&model), "--no-deadlock", "--json"], options].concat());
            assert_eq!(json(&output)["verdict"].as_str(), Some("violated"), "{text} with {options:?}");
        }
    }
}

/// Calls that cannot be executed leave a check undecided: they are no fault of the model.
#[test]
fn deep_recursion_is_a_limit() {
    let folder = Folder::new("recursion");
    let text = "var x : 0..3;
function f(n : 0..1000000) : 0..1000000;
begin if n = 0 then return 0; else return f(n-1); end; end;
startstate x := 0; end;
rule true ==> begin if f(1500) = 0 then x := (x + 1) % 4; end; end;
";
    let model = folder.file("m.m", text);
    for (command, options) in [("check", &[][..]), ("check", &["--search", "dfs", "--all"]), ("measure", &[])] {
        for execute in ["jit", "interpret"] {
            let fixed = [command, path(&model), "--json", "--execute", execute];
            let output = tightrope(&[&fixed[..], options].concat());
            assert_eq!(code(&output), 3, "{command} {options:?} {execute}");
            let report = json(&output);
            assert_eq!((&report["verdict"], &report["reason"]), (&"undecided".into(), &"limit".into()));
        }
    }
    // The same in an invariant.
    let text = text.replace(
        "rule true ==> begin if f(1500) = 0 then x := (x + 1) % 4; end; end;",
        "rule x < 3 ==> x := x + 1; end; invariant x = 0 | f(1500) = 0;",
    );
    let model = folder.file("i.m", &text);
    assert_eq!(json(&tightrope(&["check", path(&model), "--json"]))["reason"], "limit");
}
