//! What reports, notes and refusals say.

mod program;

use program::{BROKEN, COUNTER, Folder, code, json, path, tightrope};
use serde_json::Value;
use std::path::Path;

/// A verdict says what it is about: a goal alone, or all but deadlocks.
#[test]
fn a_verdict_says_what_was_looked_for() {
    let folder = Folder::new("looked-for");
    let model = folder.file("m.pml", "byte x; active proctype P() { x = 1; assert(x == 0); x == 5 }");
    let output = tightrope(&["check", path(&model), "--goal", "x == 2", "--json"]);
    assert_eq!(code(&output), 0);
    let report = json(&output);
    assert_eq!(report["preserves"], serde_json::json!(["states", "transitions", "goals"]));
    assert_eq!(report["configuration"]["goal"], "x == 2");
    let text = tightrope(&["check", path(&model), "--goal", "x == 2", "-q"]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("the goal is not reachable: x == 2 (exact"), "{text}");

    let model = folder.file("d.pml", "byte x; active proctype P() { x == 5 }");
    let output = tightrope(&["check", path(&model), "--no-deadlock"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("holds, not counting deadlocks (exact"), "{text}");
    let report = json(&tightrope(&["check", path(&model), "--no-deadlock", "--json"]));
    assert!(report["preserves"].as_array().is_some_and(|all| all.iter().all(|what| what != "deadlocks")));
}

/// What was never executed is known only where every state was visited for certain.
#[test]
fn what_was_never_executed_needs_every_state() {
    let folder = Folder::new("unreached");
    let model = folder.file("m.pml", "byte x; active [2] proctype P() { if :: x == 9 -> x = 2 :: else -> x = 1 fi }");
    let unreached = |options: &[&str]| {
        json(&tightrope(&[&["check", path(&model), "--json"], options].concat()))["unreached"].clone()
    };
    assert!(unreached(&[]).as_array().is_some_and(|all| !all.is_empty()));
    assert!(unreached(&["--search", "dfs", "--reduce", "sleep"]).is_array());
    for options in [&["--reduce", "stubborn"][..], &["--store", "bitstate"], &["--store", "compact:40"]] {
        assert!(unreached(options).is_null(), "{options:?}");
    }
}

/// Partial orders need a program: nothing is claimed to be reduced where there is none.
#[test]
fn a_transition_system_is_not_reduced() {
    let folder = Folder::new("aut-reduce");
    let model = folder.file("m.aut", "des (0, 2, 2)\n(0, \"a\", 1)\n(1, \"b\", 0)\n");
    let output = tightrope(&["check", path(&model), "--reduce", "stubborn", "--json"]);
    assert_eq!(json(&output)["reduced"], serde_json::json!([]));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no stubborn sets"));
}

/// A statement that stands at several locations, as the first one of a loop does, is executed if it is at one of them.
#[test]
fn what_is_executed_somewhere_is_not_listed() {
    let folder = Folder::new("several-locations");
    let text =
        "byte x = 2, y;\nactive proctype P() { y = 1; atomic { do :: x > 0 -> x--; y++ :: else -> break od; y = 0 } }";
    let report = json(&tightrope(&["check", path(&folder.file("m.pml", text)), "--json"]));
    assert_eq!(report["unreached"], serde_json::json!([]));
}

/// The local variables of calls are within the memory that is allowed.
#[test]
fn local_variables_ask_for_memory() {
    let folder = Folder::new("locals");
    let text = "type A : array [0..99999] of 0..255;
var x : 0..3;
procedure g(n : 0..1000; var r : A);
var loc : A;
begin loc[n] := 1; if n > 0 then g(n-1, loc); end; r[n] := 2; end;
startstate x := 0; end;
rule true ==> var q : A; begin g(200, q); x := (x + 1) % 4; end;
";
    let model = folder.file("m.m", text);
    let report = json(&tightrope(&["check", path(&model), "--json", "--memory", "20M"]));
    assert_eq!((&report["verdict"], &report["reason"]), (&"undecided".into(), &"memory".into()));
    assert!(report["bytes"]["peak_resident"].as_u64().is_none_or(|peak| peak <= 20 << 20), "{}", report["bytes"]);
    assert_eq!(code(&tightrope(&["check", path(&model), "--memory", "200M"])), 0);
}

/// The text of a statement out of an inline, or of a macro, is that of the statement, with what parameters stand for.
#[test]
fn statements_out_of_inlines_read_as_they_are() {
    let folder = Folder::new("inlines");
    folder.file("more.h", "inline add(v, n) { v = v + n }\n");
    let text = "#include \"more.h\"\nbyte x, y;\n#define TWICE(a) a = a * 2; a = a + 1\n\
        inline set(v, n) { v = n; v++ }\ninline outer(w) { set(w, 3); if :: w > 2 -> w = 0 :: else fi }\n\
        active proctype P() { set(y, 5); outer(x); TWICE(x); add(x, y); assert(x == 9) }\n";
    let model = folder.file("m.pml", text);
    let report = json(&tightrope(&["check", path(&model), "--json"]));
    let moves: Vec<(String, u64)> = report["violation"]["trace"]
        .as_array()
        .expect("a trace")
        .iter()
        .map(|step| {
            let one = &step["moves"][0];
            (one["statement"].as_str().expect("text").to_string(), one["line"].as_u64().expect("a number"))
        })
        .collect();
    let expected = [
        ("y = 5", 4),
        ("y++", 4),
        ("x = 3", 4),
        ("x++", 4),
        ("x > 2", 5),
        ("x = 0", 5),
        ("x = x * 2", 6),
        ("x = x + 1", 6),
        ("x = x + y", 1),
        ("assert(x == 9)", 6),
    ];
    assert_eq!(moves, expected.map(|(text, line)| (text.to_string(), line)));

    // Bounds, counters and initial values, too.
    let text = "typedef T { byte x; byte a[3] };\nT t; byte y, i;\n\
        inline count(p, n) { for (p.x : n .. n+1) { y = n } }\ninline any(v, n) { select(v : n-1 .. 3*n) }\n\
        inline fresh(n) { byte own = n * 2; y = own }\ninline each(v, q) { for (v in q.a) { y = v } }\n\
        active proctype P() { count(t, 1); any(t.a[1], 1); fresh(i); each(i, t) }\n";
    let model = folder.file("bounds.pml", text);
    let report = json(&tightrope(&["show", path(&model), "--json"]));
    let locations = report["processes"][0]["locations"].as_array().expect("locations");
    let shown: Vec<&str> = locations
        .iter()
        .flat_map(|location| location["transitions"].as_array().into_iter().flatten())
        .filter_map(|transition| transition["statement"].as_str())
        .collect();
    for expected in ["t.x = 1", "t.x <= 1+1", "t.a[1] = 1-1", "t.a[1] < 3*1", "own = i * 2", "i = i + 1", "i <= 2"] {
        assert!(shown.contains(&expected), "`{expected}` in {shown:?}");
    }
}

/// Stores that may leave states out: `holds` only where that is unlikely enough.
#[test]
fn what_is_likely_left_out_is_undecided() {
    let folder = Folder::new("omission");
    let model = folder
        .file("m.pml", "byte a, b; active proctype P() { do :: a < 200 -> a++ :: b < 200 -> b++ :: else -> break od }");
    let check = |options: &[&str]| {
        let output = tightrope(&[&["check", path(&model), "--json", "--memory", "100M"], options].concat());
        (code(&output), json(&output))
    };
    let (status, report) = check(&["--store", "compact:8"]);
    assert_eq!((status, report["reason"].as_str()), (3, Some("omission")), "{report}");
    assert!(report["omission"].as_f64() > Some(0.9));
    let (status, report) = check(&["--store", "compact:8", "--omission", "1"]);
    assert_eq!((status, report["verdict"].as_str(), report["claim"].as_str()), (0, Some("holds"), Some("hashed")));
    for store in ["compact", "bitstate"] {
        let (status, report) = check(&["--store", store]);
        assert_eq!((status, report["claim"].as_str()), (0, Some("hashed")), "{store}: {report}");
        assert!(report["omission"].as_f64() < Some(0.01), "{store}");
        let (status, report) = check(&["--store", store, "--omission", "0"]);
        assert_eq!((status, report["reason"].as_str()), (3, Some("omission")), "{store}");
    }
    assert_eq!(code(&tightrope(&["check", path(&model), "--omission", "2"])), 2);
}

#[test]
fn options_that_do_not_apply_are_refused_and_constants_that_are_cut_are_told() {
    let folder = Folder::new("apply");
    let promela = folder.file("m.pml", "byte x = 300; active proctype P() { x = 256; x = 255 }");
    let dve = folder.file("m.dve", "process P { state a; init a; } system async;");
    assert_eq!(code(&tightrope(&["check", path(&dve), "-DN=1"])), 2);
    assert_eq!(code(&tightrope(&["check", path(&dve), "-I", "."])), 2);
    assert_eq!(code(&tightrope(&["check", path(&promela), "--dve-wrap"])), 2);
    let told = String::from_utf8_lossy(&tightrope(&["check", path(&promela)]).stderr).into_owned();
    assert!(told.contains("300 does not fit") && told.contains("stored as 44"), "{told}");
    assert!(told.contains("256 does not fit") && !told.contains("255 does not"), "{told}");
}

#[test]
fn a_transition_system_goes_to_standard_output() {
    let folder = Folder::new("to-output");
    let (model, file) = (folder.file("m.pml", COUNTER), folder.0.join("m.aut"));
    let output = tightrope(&["lts", path(&model), "-DN=3", "-o", "-"]);
    assert_eq!(code(&output), 0);
    assert!(String::from_utf8_lossy(&output.stderr).contains("8 states"));
    assert_eq!(code(&tightrope(&["lts", path(&model), "-DN=3", "-o", path(&file)])), 0);
    assert_eq!(output.stdout, std::fs::read(&file).expect("it was written"));
    assert_eq!(code(&tightrope(&["lts", path(&model), "-DN=3", "-o", "-", "--json"])), 2);
}

#[test]
fn short_help_is_one_screen() {
    for command in ["check", "measure", "lts", "stores", "show", "replay", "compare"] {
        let help = tightrope(&[command, "-h"]);
        let lines = String::from_utf8_lossy(&help.stdout).lines().count();
        assert!((5..=30).contains(&lines), "{command}: {lines} lines");
    }
    let folder = Folder::new("none");
    let model = folder.file("m.pml", COUNTER);
    assert_eq!(code(&tightrope(&["check", path(&model), "-DN=3", "--reduce", "none,stubborn"])), 2);
    let quiet = tightrope(&["measure", path(&model), "-DN=3", "-q"]);
    assert_eq!(String::from_utf8_lossy(&quiet.stdout).lines().count(), 1);
}

#[test]
fn constants_are_set() {
    let folder = Folder::new("set");
    let murphi = folder.file(
        "m.m",
        "const N : 3; M : N + 1;\nvar x : 0..M;\nstartstate x := 0; end;\nrule x < M ==> x := x + 1; end;\nrule x = M ==> x := 0; end;\ninvariant \"small\" x < 6;\n",
    );
    let dve = folder.file(
        "m.dve",
        "const int N = 3;\nconst byte T[2] = {1, 2};\nbyte x = 0;\nprocess P { const int K = 2; state a; init a; trans a -> a { guard x < N * K; effect x = x + T[0]; }; }\nprocess Q { const int K = 9; const byte L = 1; state a; init a; }\nsystem async;\n",
    );
    let states = |model: &Path, options: &[&str]| {
        let output = tightrope(&[&["measure", path(model), "--json"], options].concat());
        json(&output)["states"].as_u64().expect("a number of states")
    };
    assert_eq!(states(&murphi, &[]), 5);
    assert_eq!(states(&murphi, &["--set", "N=2*3"]), 8, "M is N + 1");
    assert_eq!(states(&murphi, &["--set", "N=9", "--set", "M=1"]), 2);
    assert_eq!(states(&dve, &[]), 7);
    assert_eq!(states(&dve, &["--set", "N=10", "--set", "P.K=4", "--set", "T={2}"]), 21);

    let refused = |options: &[&str]| {
        let output = tightrope(options);
        assert_eq!(code(&output), 2, "{options:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let why = refused(&["check", path(&murphi), "--set", "n=3"]);
    assert!(why.contains("no constant `n`") && why.contains("did you mean `N`?"), "{why}");
    let why = refused(&["check", path(&dve), "--set", "K=3"]);
    assert!(why.contains("several processes") && why.contains("P.K, Q.K"), "there are two: {why}");
    assert!(refused(&["check", path(&dve), "--set", "x=3"]).contains("its constants are N, T, P.K, Q.K, Q.L"));
    assert!(refused(&["check", path(&murphi), "--set", "N=3", "--set", "N=4"]).contains("two values"));
    assert_eq!(states(&dve, &["--set", "L=3"]), 7, "there is one");
    let why = refused(&["check", path(&murphi), "--set", "N=x"]);
    assert!(why.contains("--set N:1:1"), "{why}");
    refused(&["check", path(&murphi), "--set", "N"]);
    let promela = folder.file("m.pml", COUNTER);
    assert!(refused(&["check", path(&promela), "--set", "N=3"]).contains("-D"));

    // The trace file keeps what was set.
    let trace = folder.0.join("t.json");
    let output = tightrope(&["check", path(&murphi), "--set", "N=7", "--trace", path(&trace), "--json"]);
    assert_eq!(code(&output), 1);
    assert_eq!(json(&output)["configuration"]["set"][0], "N=7");
    assert_eq!(code(&tightrope(&["replay", path(&murphi), path(&trace)])), 1);
    assert_eq!(code(&tightrope(&["replay", path(&murphi), path(&trace), "--set", "N=2"])), 2);
}

#[test]
fn a_faulty_model_is_an_object_too() {
    let folder = Folder::new("faulty");
    let model = folder.file("m.pml", "active proctype P() { x = 1 }\n");
    for command in ["check", "measure", "show", "stores"] {
        let output = tightrope(&[command, path(&model), "--json"]);
        assert_eq!(code(&output), 2);
        let report = json(&output);
        assert_eq!((&report["command"], &report["verdict"]), (&Value::from(command), &Value::Null));
        assert!(report["error"].as_str().is_some_and(|error| error.contains("`x` is not declared")), "{report}");
    }
}

#[test]
fn no_file_of_a_model_is_overwritten() {
    let folder = Folder::new("overwritten");
    let (outer, inner) = ("#include \"inner.h\"\n", "byte included;\n");
    let texts =
        [("m.pml", format!("#include \"outer.h\"\n{BROKEN}")), ("outer.h", outer.into()), ("inner.h", inner.into())];
    let files: Vec<_> = texts.iter().map(|(name, text)| (folder.file(name, text), text)).collect();
    let model = &files[0].0;
    for (number, (file, text)) in files.iter().enumerate() {
        let (hard, soft) = (folder.place(&format!("hard{number}.svg")), folder.place(&format!("soft{number}.svg")));
        std::fs::hard_link(file, &hard).expect("a link");
        std::os::unix::fs::symlink(file, &soft).expect("a link");
        for written in [path(file), &hard, &soft] {
            for [command, option] in
                [["lts", "-o"], ["check", "--trace"], ["measure", "--plot"], ["lts", "--minimise=strong"]]
            {
                let mut options = vec![command, path(model), option, written];
                if option.starts_with("--minimise") {
                    options.insert(3, "-o");
                } else if option == "--plot" && !written.ends_with("svg") {
                    continue;
                }
                let output = tightrope(&options);
                assert_eq!(code(&output), 2, "{options:?}");
                let error = String::from_utf8_lossy(&output.stderr);
                let why = if number == 0 { "is the model itself" } else { "is part of the model" };
                assert!(error.contains(why) && error.contains(written), "{options:?}: {error}");
                assert!(files.iter().all(|(file, text)| std::fs::read_to_string(file).expect("it is there") == **text));
                assert_eq!(std::fs::read_to_string(written).expect("it is there"), **text);
            }
        }
    }
    // Another file with the same text is none of them.
    let other = folder.named("other.h", inner);
    assert_eq!(code(&tightrope(&["check", path(model), "--trace", &other])), 1);
    assert_ne!(std::fs::read_to_string(&other).expect("it is there"), inner);
}

#[test]
fn a_wrong_option_is_an_object_too() {
    let folder = Folder::new("option");
    let model = folder.file("m.pml", COUNTER);
    for (option, value) in [("--memory", "1"), ("--omission", "2"), ("--cache", "0"), ("--threads", "0"), ("--no", "1")]
    {
        let output = tightrope(&["check", path(&model), "--json", option, value]);
        assert_eq!(code(&output), 2, "{option}");
        assert!(json(&output)["error"].is_string(), "{option}");
    }
    let error = String::from_utf8_lossy(&tightrope(&["check", path(&model), "--memory", "99999999999999G"]).stderr)
        .into_owned();
    assert!(error.contains("more than there can be"), "{error}");
}

#[test]
fn a_search_that_was_cut_short_claims_no_coverage() {
    let folder = Folder::new("coverage");
    let model = folder.file("m.pml", "byte a, b, c; active proctype P() { end: do :: a++ :: b++ :: c++ od }");
    let options = ["check", path(&model), "--store", "bitstate", "--json"];
    let cut = json(&tightrope(&[&options[..], &["--depth", "9"]].concat()));
    assert_eq!((&cut["reason"], &cut["coverage"]), (&Value::from("depth"), &Value::Null));
    let small = folder.file("small.pml", "byte a; active proctype P() { end: do :: a++ od }");
    let whole = json(&tightrope(&["check", path(&small), "--store", "bitstate", "--json"]));
    assert!(whole["coverage"].as_f64().is_some_and(|coverage| coverage > 0.9), "{whole}");
}

#[test]
fn advice_can_be_followed() {
    let folder = Folder::new("advice");
    let model = folder.file(
        "m.pml",
        "byte a[12]; active [4] proctype P() { byte i; do :: select(i : 0 .. 11); a[i] = (a[i] + 1) % 9 od }",
    );
    let lts = folder.place("m.aut");
    let output = tightrope(&["lts", path(&model), "-o", &lts, "--memory", "64M", "--json"]);
    assert_eq!(code(&output), 3);
    let report = json(&output);
    assert_eq!(report["reason"], "memory");
    let advice = report["try"].as_str().expect("there is something to try");
    // Neither numbers states in order, nor has all transitions.
    assert!(!advice.contains("tree") && !advice.contains("dd") && !advice.contains("stubborn"), "{advice}");
    let stores = report["estimates"].as_array().expect("estimates");
    assert!(stores.iter().any(|one| one["store"] == "collapse"), "{stores:?}");
    assert!(stores.iter().all(|one| one["store"] != "tree"), "{stores:?}");
}

#[test]
fn bitstate_is_reproducible() {
    let folder = Folder::new("bitstate");
    let model = folder.file("m.pml", "byte a, b, c; active [3] proctype P() { do :: a++ :: b++ :: c < 5 -> c++ od }");
    let run = || {
        let report = json(&tightrope(&["measure", path(&model), "--store", "bitstate", "--memory", "20M", "--json"]));
        (report["bytes"]["store"].clone(), report["states"].clone())
    };
    let first = run();
    assert!((0..4).all(|_| run() == first));
}

#[test]
fn macros_that_are_not_used_are_told() {
    let folder = Folder::new("macros");
    let text =
        "#if N > 2\nbyte x[N];\n#endif\n#ifdef M\nbyte y;\n#endif\n#ifndef K\n#define K 1\n#endif\ninit { skip }";
    let model = folder.file("m.pml", text);
    let output = tightrope(&["check", path(&model), "-DN=3", "-DM", "-DK=3", "-DZ", "-DF(x)=x"]);
    assert_eq!(code(&output), 0);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(told.matches("warning").count(), 2, "{told}");
    assert!(told.contains("`Z`") && told.contains("`F`"), "{told}");
}

#[test]
fn variables_of_the_same_name_are_told_apart() {
    let folder = Folder::new("same_names");
    let text = "byte x; inline add(v) { byte tmp; tmp = v; x = x + tmp } active proctype P() { add(1); add(2); assert(x != 3) }";
    let model = folder.file("m.pml", text);
    let text = String::from_utf8_lossy(&tightrope(&["check", path(&model)]).stdout).into_owned();
    assert!(text.contains("P[0].tmp: 0 → 1") && text.contains("P[0].tmp#2: 0 → 2"), "{text}");
}

#[test]
fn an_error_of_dve_is_one_violation() {
    let folder = Folder::new("error_state");
    let text = "int x; process P { state a, b; init a; trans a -> b { effect x = 1 / x; }; } system async;";
    let model = folder.file("m.dve", text);
    for execute in ["jit", "interpret"] {
        let report = json(&tightrope(&["check", path(&model), "--all", "--json", "--execute", execute]));
        assert_eq!(report["violations"], 1);
        assert_eq!(report["deadlocks"], 1, "as DiVinE counts");
        assert_eq!(report["violation"]["kind"], "division");
    }
}

/// Under symmetry the search sees another element of the scalarset than the run that is shown.
#[test]
fn a_fault_is_that_of_its_trace_under_symmetry() {
    let folder = Folder::new("symmetric-fault");
    let model = folder.file(
        "m.m",
        "type pid: scalarset(3); var a: array[pid] of 0..2;
         startstate begin for i: pid do a[i] := 0; end; end;
         ruleset i: pid do rule \"inc\" true ==> begin a[i] := a[i] + 1; end; end;",
    );
    let saved = folder.place("trace.json");
    let output = tightrope(&["check", path(&model), "--json", "--trace", &saved]);
    assert_eq!(code(&output), 1);
    let report = json(&output);
    let stated = report["violation"]["message"].as_str().expect("a message").to_string();
    let saved: Value = serde_json::from_str(&std::fs::read_to_string(saved).expect("a trace")).expect("JSON");
    let shown = String::from_utf8_lossy(&tightrope(&["check", path(&model), "--full"]).stdout).into_owned();
    let named = |text: &str| text.split_whitespace().find(|word| word.contains("a[pid_")).map(String::from);
    let element = named(&stated).unwrap_or_else(|| panic!("{stated}"));
    // The last step is the one that fails, and it names its element.
    let last = report["violation"]["trace"].as_array().and_then(|trace| trace.last()).expect("a step").to_string();
    let of =
        element.trim_matches(|c: char| "`,".contains(c)).trim_start_matches("a[").trim_end_matches(']').to_string();
    assert!(last.contains(&of), "{stated}, but the last step is {last}");
    assert!(saved.to_string().contains(&stated), "{stated}: {saved}");
    assert!(shown.lines().next().is_some_and(|line| line.contains(&of)), "{stated}: {shown}");
}
