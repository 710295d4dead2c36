//! Breadth-first search with snapshots as users and other programs meet it.

mod exploration;
mod program;

use program::{Folder, code, error, json, path, tightrope};

/// Processes that count and begin again now and then: steps lead back far.
const COUNTING: &str = "active [3] proctype Count() { byte i; do :: i < N -> i++ :: i == N -> i = 0 od }\n";

#[test]
fn every_state_is_visited_within_less_memory() {
    let folder = Folder::new("snapshots");
    let model = folder.file("m.pml", COUNTING);
    // Each of the three is at one of two places with one of 24 numbers.
    let states = 48 * 48 * 48;
    for options in [
        &[][..],
        &["--snapshots", "pebble", "--store", "collapse"],
        &["--snapshots", "frontier:8", "--backtrack", "off", "--store", "bits"],
        &["--snapshots", "c3,LLNR,2 > 1,RATIO,inf", "--backtrack"],
    ] {
        let common = ["check", path(&model), "-DN=23", "--search", "snapshots", "--json"];
        let output = tightrope(&[&common, options].concat());
        assert_eq!(code(&output), 0, "{}", error(&output));
        let report = json(&output);
        assert_eq!((report["verdict"].as_str(), report["claim"].as_str()), (Some("holds"), Some("exact")));
        let number = |name: &str| report[name].as_u64().expect(name);
        let sampled = |name: &str| report["snapshots"][name].as_u64().expect(name);
        assert!(number("visits") >= states && sampled("remembered_peak") < states, "{report}");
        assert!(sampled("removed") > 0, "{report}");
        assert_eq!(number("stored_peak"), sampled("remembered_peak"));
        assert!(sampled("taken") >= sampled("held_peak") && sampled("held_peak") >= sampled("kept_for_good"));
        assert!(report["snapshots"]["redundant_visits"].is_null());
        let backtrack = options.get(3) != Some(&"off");
        assert_eq!(report["configuration"]["backtrack"], backtrack);
        assert!(backtrack || sampled("backtracking_states") == 0);
        assert!(report["cache"].is_null() && report["configuration"]["search"] == "snapshots");

        let audited = json(&tightrope(&[&common, options, &["--audit"]].concat()));
        assert_eq!((audited["states"].as_u64(), audited["audit"]["states"].as_u64()), (Some(states), Some(states)));
        assert_eq!(audited["visits"], report["visits"], "the same seed gives the same numbers");
        assert_eq!(audited["snapshots"]["redundant_visits"].as_u64(), Some(number("visits") - states));
    }
    let text = tightrope(&["check", path(&model), "-DN=23", "--search", "snapshots", "--audit"]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    for part in ["visits of 110,592 states", "c2,LLNR,5 > 2,LFU,10", "remembered at a time", "in the backtracking set"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn counterexamples_are_shortest() {
    let folder = Folder::new("snapshots-shortest");
    let model = folder.file("m.pml", COUNTING);
    for goal in ["Count[0]:i == 9 && Count[1]:i == 9 && Count[2]:i == 9", "Count[1]:i == 23"] {
        let run = |search: &str| {
            let output = tightrope(&["check", path(&model), "-DN=23", "--search", search, "--goal", goal, "--json"]);
            assert_eq!(code(&output), 1, "{}", error(&output));
            json(&output)["violation"]["length"].as_u64().expect("a length")
        };
        assert_eq!(run("snapshots"), run("bfs"), "{goal}");
    }
}

#[test]
fn options_that_do_not_go_together_are_refused_in_a_sentence() {
    let folder = Folder::new("snapshots-refused");
    let model = folder.file("m.pml", COUNTING);
    for (options, why) in [
        (&["--snapshots", "pebble"][..], "`--search snapshots`"),
        (&["--search", "dfs", "--backtrack", "off"], "`--search snapshots`"),
        (&["--search", "snapshots", "--cache", "100"], "leave one out"),
        (&["--search", "snapshots", "--replace", "lru"], "needs `--cache`"),
        (&["--search", "snapshots", "--store", "tree"], "`tree` cannot evict states: snapshots go with"),
        (&["--search", "snapshots", "--store", "bits+compact"], "`compact` cannot evict states"),
        (&["--search", "snapshots", "--reduce", "sleep"], "sleep"),
        (&["--search", "snapshots", "--snapshots", "c2,LLNR,5 > 2,LFO,10"], "there are LLNR, LRU"),
        (&["--search", "snapshots", "--snapshots", "pepple"], "frontier-safety-net, pebble"),
        (&["--search", "snapshots", "--backtrack", "maybe"], "maybe"),
    ] {
        let output = tightrope(&[&["check", path(&model), "-DN=3"], options].concat());
        assert_eq!(code(&output), 2, "{options:?}");
        assert!(error(&output).contains(why), "{options:?}: {}", error(&output));
    }
    let marked = tightrope(&["check", path(&model), "-DN=3", "--search", "snapshots", "--snapshots", "c2,LLNR,5 > x"]);
    assert!(error(&marked).contains("\n  c2,LLNR,5 > x\n              ^\n"), "{}", error(&marked));
    let stores = tightrope(&["stores", path(&model), "-DN=3", "--search", "snapshots"]);
    assert!(code(&stores) == 2 && error(&stores).contains("leave `--search snapshots` out"), "{}", error(&stores));
}

/// A transition system with redundant states is strongly bisimilar to the one without.
#[test]
fn transition_systems_are_bisimilar() {
    let folder = Folder::new("snapshots-lts");
    let model = folder.file("m.pml", COUNTING);
    let (plain, small, minimal) = (folder.place("plain.aut"), folder.place("small.aut"), folder.place("minimal.aut"));
    let write = |file: &str, options: &[&str]| {
        let output = tightrope(&[&["lts", path(&model), "-DN=9", "-o", file, "--json"], options].concat());
        assert_eq!(code(&output), 0, "{}", error(&output));
        json(&output)
    };
    let all = write(&plain, &[]);
    for stream in ["frontier-safety-net", "pebble", "frontier:2", "c1,RND,1"] {
        let report = write(&small, &["--search", "snapshots", "--snapshots", stream, "--audit"]);
        assert_eq!(report["output"]["states"], report["visits"]);
        assert_eq!(report["audit"]["states"], all["states"]);
        assert_eq!(report["output"]["transitions"], report["transitions"]);
        let compared = tightrope(&["compare", &plain, &small]);
        assert_eq!(code(&compared), 0, "{stream}: {}", error(&compared));
    }
    let visits = json(&tightrope(&[
        "lts",
        path(&model),
        "-DN=9",
        "-o",
        &small,
        "--json",
        "--search",
        "snapshots",
        "--snapshots",
        "frontier:2",
    ]));
    assert!(visits["visits"].as_u64() > all["visits"].as_u64(), "something was visited again");
    write(&minimal, &["--search", "snapshots", "--snapshots", "frontier:2", "--minimise", "strong"]);
    assert_eq!(code(&tightrope(&["compare", &plain, &minimal])), 0);
}
