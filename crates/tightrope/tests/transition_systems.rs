//! Transition systems and DVE models on the command line.

mod program;

use program::{Folder, code, error, json, own, path, tightrope};

#[test]
fn written_read_minimised_and_compared() {
    let folder = Folder::new("lts");
    let (whole, small) = (folder.0.join("whole.aut"), folder.0.join("small.aut"));
    let elevator = own("dve/elevator.dve");
    let output = tightrope(&["lts", &elevator, "-o", path(&whole), "--json"]);
    assert_eq!(code(&output), 0, "{}", error(&output));
    let report = json(&output);
    assert_eq!((&report["command"], &report["verdict"]), (&"lts".into(), &"holds".into()));
    assert_eq!(report["output"]["states"], report["states"]);
    assert_eq!(report["output"]["transitions"], report["transitions"]);
    let text = std::fs::read_to_string(&whole).expect("just written");
    let header = format!("des (0, {}, {})", report["transitions"], report["states"]);
    assert_eq!(text.lines().next().map(str::trim_end), Some(header.as_str()));
    assert_eq!(text.lines().count() as u64, report["transitions"].as_u64().unwrap_or(0) + 1);
    assert!(text.contains("People: around -> around"), "labels are readable");

    let measured = json(&tightrope(&["measure", path(&whole), "--json"]));
    for name in ["states", "transitions", "deadlocks", "levels", "widest_level"] {
        assert_eq!(measured[name], json(&tightrope(&["measure", &elevator, "--json"]))[name], "{name}");
    }

    let output = tightrope(&["lts", &elevator, "-o", path(&small), "--minimise", "strong", "--json"]);
    assert_eq!(code(&output), 0, "{}", error(&output));
    assert!(json(&output)["output"]["states"].as_u64() <= report["states"].as_u64());
    let output = tightrope(&["compare", path(&whole), path(&small), "--json"]);
    assert_eq!((code(&output), &json(&output)["equivalent"]), (0, &true.into()));
    assert!(error(&output).is_empty());
}

#[test]
fn branching_but_not_strong() {
    let (implementation, specification) =
        (own("aut/alternating_bit_protocol.aut"), own("aut/alternating_bit_specification.aut"));
    let output = tightrope(&["compare", &implementation, &specification]);
    assert_eq!(code(&output), 1);
    assert!(String::from_utf8_lossy(&output.stdout).contains("not equivalent (strong"));
    let output = tightrope(&["compare", &implementation, &specification, "--equivalence", "branching", "--json"]);
    assert_eq!((code(&output), &json(&output)["verdict"]), (0, &"holds".into()));
    assert_eq!(code(&tightrope(&["compare", &implementation, &specification, "--equivalence", "loose"])), 2);
}

#[test]
fn a_model_with_several_initial_states() {
    let folder = Folder::new("starts");
    let file = folder.file(
        "m.m",
        "var x: 0..3; ruleset i: 1..3 do startstate \"from\" begin x := i; end; end; \
         rule x > 0 ==> begin x := x - 1; end;",
    );
    let target = folder.0.join("m.aut");
    assert_eq!(code(&tightrope(&["lts", path(&file), "-o", path(&target), "-q"])), 0);
    let text = std::fs::read_to_string(&target).expect("just written");
    assert!(text.starts_with("des (4, 6, 5)"), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains("from")).count(), 3, "{text}");
}

#[test]
fn what_is_not_complete_is_not_written() {
    let folder = Folder::new("incomplete");
    let target = folder.file("m.aut", "what was there before");
    let output = tightrope(&["lts", &own("dve/elevator.dve"), "-o", path(&target), "--depth", "2"]);
    assert_eq!(code(&output), 3);
    assert_eq!(std::fs::read_to_string(&target).expect("still there"), "what was there before");
    assert_eq!(std::fs::read_dir(&folder.0).expect("a folder").count(), 1, "nothing else is left");
    let output = tightrope(&["lts", &own("dve/elevator.dve"), "-o", "/nowhere/at/all.aut"]);
    assert_eq!(code(&output), 2);
    assert!(error(&output).contains("/nowhere/at/all.aut"));
    assert_eq!(code(&tightrope(&["lts", &own("dve/elevator.dve"), "-o", path(&target), "--search", "dfs"])), 2);
}

#[test]
fn deadlocks_of_files_are_found() {
    let output = tightrope(&["check", &own("aut/philosophers_deadlock.aut"), "--json"]);
    assert_eq!(code(&output), 1);
    let report = json(&output);
    assert_eq!((&report["violation"]["kind"], &report["model"]["language"]), (&"deadlock".into(), &"aut".into()));
    assert!(report["violation"]["trace"].as_array().is_some_and(|steps| !steps.is_empty()));
    assert_eq!(code(&tightrope(&["check", &own("aut/vending_machine.aut")])), 0);
    assert_eq!(code(&tightrope(&["show", &own("aut/vending_machine.aut")])), 0);
}

#[test]
fn malformed_files_are_diagnosed() {
    let folder = Folder::new("malformed");
    let cases: &[(&str, &str, &str)] = &[
        ("empty.aut", "", "empty.aut"),
        ("header.aut", "des 0, 1, 2\n", "header.aut:1"),
        ("truncated.aut", "des (0, 3, 2)\n(0, a, 1)\n(1, b, 0)\n", "truncated.aut"),
        ("more.aut", "des (0, 1, 2)\n(0, a, 1)\n(1, b, 0)\n", "more.aut"),
        ("state.aut", "des (0, 1, 2)\n(0, a, 2)\n", "state.aut:2"),
        ("number.aut", "des (0, 1, 2)\n(0, a, 99999999999999999999999)\n", "number.aut:2"),
        ("count.aut", "des (0, 99999999999999999999999, 2)\n(0, a, 1)\n", "count.aut:1"),
        ("quote.aut", "des (0, 1, 2)\n(0, \"a, 1)\n", "quote.aut:2"),
        ("open.aut", "des (0, 1, 2)\n(0, a, 1\n", "open.aut:2"),
        ("syntax.dve", "process P { state s; init s; trans s -> t { guard x = 1; }; }\nsystem async;", "syntax.dve:1"),
        ("cut.dve", "byte x;\nprocess P { state s; init", "cut.dve:2"),
        ("big.dve", "byte x = 99999999999999999999;\nprocess P { state s; init s; }\nsystem async;", "big.dve:1"),
        ("name.dve", "process P { state s; init s; trans s -> s { effect y = 1; }; }\nsystem async;", "name.dve:1"),
        ("empty.dve", "", "empty.dve"),
    ];
    for (name, text, place) in cases {
        let file = folder.file(name, text);
        for command in ["check", "measure"] {
            let output = tightrope(&[command, path(&file)]);
            assert_eq!(code(&output), 2, "{name}: {}", error(&output));
            assert!(error(&output).contains(place), "{name}: {}", error(&output));
        }
        if name.ends_with(".aut") {
            assert_eq!(code(&tightrope(&["compare", path(&file), path(&file)])), 2, "{name}");
        }
    }
}

#[test]
fn errors_lead_to_one_state_that_is_reported_with_its_place() {
    let overflow = own("dve/session_overflow.dve");
    let output = tightrope(&["check", &overflow, "--json"]);
    assert_eq!(code(&output), 1);
    let violation = &json(&output)["violation"];
    assert_eq!(violation["kind"], "range");
    assert!(violation["at"]["line"].as_u64().is_some_and(|line| line > 1), "{violation}");
    assert!(violation["message"].as_str().is_some_and(|text| text.contains("served")), "{violation}");
    // With wrapping there is no error, and more to explore.
    let output = tightrope(&["measure", &overflow, "--json", "--dve-wrap"]);
    let wrapped = json(&output);
    assert_eq!((code(&output), &wrapped["deadlocks"]), (0, &0.into()));
    assert!(wrapped["states"].as_u64() > json(&tightrope(&["measure", &overflow, "--json"]))["states"].as_u64());
}

#[test]
fn a_property_of_infinite_runs_is_not_called_true() {
    let property = own("dve/token_ring.prop1.dve");
    let output = tightrope(&["check", &property, "--json"]);
    let report = json(&output);
    assert_eq!((code(&output), &report["verdict"], &report["reason"]), (3, &"undecided".into(), &"property".into()));
    assert_eq!(report["unchecked"].as_array().map(Vec::len), Some(1));
    assert_eq!(code(&tightrope(&["measure", &property])), 0);
    let text = String::from_utf8_lossy(&tightrope(&["check", &property]).stdout).into_owned();
    assert!(text.contains("--goal"), "{text}");
}
