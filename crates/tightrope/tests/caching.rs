//! State-space caching as users and other programs meet it.

mod exploration;
mod program;

use exploration::{corpus, root};
use program::{Folder, code, json, path, tightrope};
use std::path::Path;

/// Processes that count and end: 18,279 states with three that count to 12, on paths of no more than 79.
const COUNTING: &str = "active [P] proctype Count() { byte i; do :: i < N -> i++ :: else -> break od }\n";

fn check(model: &Path, options: &[&str]) -> std::process::Output {
    tightrope(&[&["check", path(model), "--search", "dfs"], options].concat())
}

#[test]
fn every_state_is_visited_and_counted_on_the_side() {
    let folder = Folder::new("cache");
    let model = folder.file("m.pml", COUNTING);
    for options in [
        &["--store", "hash"][..],
        &["--store", "collapse", "--replace", "mfu:25,lru:75"],
        &["--store", "bits", "--replace", "type"],
        &["--store", "compress+hash", "--replace", "stratified:2"],
    ] {
        let cache = ["-DP=3", "-DN=12", "--json", "--cache", "12000"];
        let output = check(&model, &[&cache, options].concat());
        assert_eq!(code(&output), 0);
        let report = json(&output);
        assert_eq!((report["verdict"].as_str(), report["claim"].as_str()), (Some("holds"), Some("exact")));
        let number = |name: &str| report[name].as_u64().expect(name);
        assert_eq!(number("states"), 12_000, "so many were there at one time");
        assert_eq!(number("stored_peak"), 12_000);
        assert!(number("visits") >= 18_279);
        assert_eq!(report["audit"], serde_json::Value::Null);
        assert_eq!(report["configuration"]["cache"]["states"], 12_000);
        let cached = &report["cache"];
        assert_eq!((cached["states"].as_u64(), cached["stack_peak"].as_u64()), (Some(12_000), Some(79)));
        assert_eq!(cached["evicted"].as_u64(), Some(number("visits") - 12_000));
        assert_eq!(cached["replace"], *options.get(3).unwrap_or(&"random"));
        assert!(cached["grown"].is_null());
        let distinct = cached["distinct"].as_f64().expect("an estimate");
        assert!((distinct / 18_279.0 - 1.0).abs() < 0.08, "{distinct}");

        let audited = json(&check(&model, &[&cache, options, &["--audit"]].concat()));
        assert_eq!((audited["states"].as_u64(), audited["audit"]["states"].as_u64()), (Some(18_279), Some(18_279)));
        assert_eq!(audited["visits"], report["visits"], "the same seed gives the same numbers");
    }
    let everything = json(&check(&model, &["-DP=3", "-DN=12", "--json", "--cache", "64M"]));
    assert_eq!((everything["states"].as_u64(), everything["visits"].as_u64()), (Some(18_279), Some(18_279)));
    assert_eq!(everything["cache"]["outlook"], "everything fits");
    let plain = json(&check(&model, &["-DP=3", "-DN=12", "--json", "--audit"]));
    assert_eq!((plain["audit"]["states"].as_u64(), plain["cache"].is_null()), (Some(18_279), true));
}

#[test]
fn a_cache_that_is_too_small_says_so() {
    let folder = Folder::new("cache-small");
    let model = folder.file("m.pml", COUNTING);
    // Less than the path needs: it grows, and everything is visited all the same.
    let output = check(&model, &["-DP=2", "-DN=2", "--cache", "4", "--audit", "--json"]);
    assert_eq!(code(&output), 0);
    let report = json(&output);
    assert_eq!(report["cache"]["grown"], report["frontier_peak"]);
    let all = json(&check(&model, &["-DP=2", "-DN=2", "--json"]));
    assert_eq!(report["states"], all["states"]);
    let text = check(&model, &["-DP=2", "-DN=2", "--cache", "4"]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("so it grew to") && text.contains("visits of about"), "{text}");

    let small = ["-DP=3", "-DN=12", "--cache", "5000", "--time", "2s"];
    let output = check(&model, &[&small[..], &["--json"]].concat());
    let report = json(&output);
    assert_eq!((code(&output), report["reason"].as_str()), (3, Some("time")));
    assert_eq!(report["cache"]["outlook"], "too small");
    assert!(report["cache"]["repeated"].as_f64().is_some_and(|share| share > 0.5));
    let text = check(&model, &small);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("the cache is too small:") && text.contains("try: a larger --cache"), "{text}");
}

#[test]
fn a_cache_that_does_not_fit_forgets_earlier() {
    let folder = Folder::new("cache-memory");
    let model = folder.file("m.pml", COUNTING);
    let options = ["-DP=3", "-DN=28", "--store", "bits", "--cache", "1000000", "--memory", "12M", "--json"];
    let output = check(&model, &options);
    let report = json(&output);
    assert_eq!((code(&output), report["cache"]["short_of_memory"].as_bool()), (0, Some(true)));
    assert!(report["cache"]["distinct"].as_f64().is_some_and(|states| (states / 198_535.0 - 1.0).abs() < 0.08));
    let peak = report["bytes"]["peak_resident"].as_u64();
    assert!(peak.is_none_or(|peak| peak <= 12 << 20), "{peak:?} bytes resident");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let folder = Folder::new("cache-refused");
    let model = folder.file("m.pml", COUNTING);
    let defined = ["-DP=2", "-DN=2"];
    let refused = |options: &[&str], what: &str| {
        let output = tightrope(&[&["check", path(&model)], &defined[..], options].concat());
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(code(&output), 2, "{options:?}");
        assert!(text.contains(what) && text.lines().count() == 1, "{options:?}: {text}");
    };
    refused(&["--replace", "lru"], "needs `--cache`");
    for store in ["tree", "mdd", "collapse+mdd", "bits+bitstate", "auto:100"] {
        refused(&["--search", "dfs", "--cache", "100", "--store", store], "cannot evict states");
    }
    refused(&["--search", "dfs", "--cache", "100", "--replace", "lur"], "no replacement strategy `lur`");
    refused(&["--search", "dfs", "--cache", "100", "--replace", "lru:30,fifo:30"], "make 60, not 100");
    let output = tightrope(&["check", path(&model), "--cache", "none"]);
    assert_eq!(code(&output), 2);
    let file = folder.place("m.aut");
    let output = tightrope(&[&["lts", path(&model), "-o", &file, "--cache", "10"], &defined[..]].concat());
    assert_eq!(code(&output), 2);
    assert!(String::from_utf8_lossy(&output.stderr).contains("leave `--cache` out"));
}

/// The blow-up of the paper's figure 4: at half of the states hardly more is visited, at a third several times as much.
#[test]
fn the_data_transfer_protocol_blows_up_at_a_third() {
    let Some(corpus) = corpus() else { return };
    let model = corpus.join("models/promela/spin/dtp.pml");
    let visits = |cache: &str| {
        let report = json(&check(&model, &["--cache", cache, "--json", "--audit"]));
        assert_eq!((report["verdict"].as_str(), report["states"].as_u64()), (Some("holds"), Some(251_409)));
        report["visits"].as_f64().expect("a number") / 251_409.0
    };
    let (half, third) = (visits("125000"), visits("84000"));
    assert!(half < 1.3 && third > 3.0, "{half} and {third} times the states");
}

/// With sleep sets there is no blow-up: five hundred states in memory are enough.
#[test]
fn sleep_sets_make_small_caches_do() {
    let Some(corpus) = corpus() else { return };
    let model = corpus.join("models/promela/spin/dtp.pml");
    let report = json(&check(&model, &["--reduce", "sleep", "--cache", "500", "--json", "--audit"]));
    assert_eq!((report["verdict"].as_str(), report["states"].as_u64()), (Some("holds"), Some(251_409)));
    assert_eq!((report["stored_peak"].as_u64(), report["cache"]["grown"].is_null()), (Some(500), true));
    let times = report["visits"].as_f64().expect("a number") / 251_409.0;
    assert!(times < 5.0, "{times} times the states");
}

/// The cache of breadth-first search: everything is visited, and a counterexample is a shortest one.
#[test]
fn breadth_first_caches_visit_everything_or_say_that_they_are_too_small() {
    let folder = Folder::new("cache-bfs");
    let model = folder.file("m.pml", COUNTING);
    let run = |options: &[&str]| {
        let output = tightrope(&[&["check", path(&model), "-DP=3", "-DN=12", "--json", "--audit"], options].concat());
        (code(&output), json(&output))
    };
    for replace in ["level", "direct", "level:4", "lru", "mfu:25,lru:75"] {
        for store in ["bits", "collapse", "hash"] {
            let (status, report) = run(&["--cache", "15000", "--replace", replace, "--store", store]);
            assert_eq!((status, report["claim"].as_str()), (0, Some("exact")), "{replace}, {store}");
            assert_eq!(report["states"], 18_279);
            let cached = &report["cache"];
            let number = |name: &str| cached[name].as_f64().expect(name);
            assert!(number("evicted") > 0.0 && report["visits"].as_u64() >= Some(18_279));
            assert_eq!(cached["insertions"], report["visits"]);
            assert!((number("collision_rate") - number("evicted") / number("insertions")).abs() < 1e-3);
            assert!(cached["stack_peak"].is_null() && cached["replace"] == replace);
        }
    }
    let (status, report) = run(&["--cache", "15000", "--store", "bits+compact:48"]);
    assert_eq!((status, report["claim"].as_str(), &report["cache"]["replace"]), (0, Some("hashed"), &"level".into()));
    assert!(report["omission"].as_f64().is_some_and(|omission| omission < 1e-6));

    // Nine of ten states that come evict another one, but hardly any of those comes again.
    let (status, report) = run(&["--cache", "500"]);
    assert_eq!((status, report["states"].as_u64()), (0, Some(18_279)));
    assert!(report["cache"]["collision_rate"].as_f64() > Some(0.9), "{report}");
    let (status, report) = run(&["--cache", "20"]);
    assert_eq!((status, report["reason"].as_str()), (3, Some("collision rate")));
    assert!(report["cache"]["repeated"].as_f64() > Some(0.5), "{report}");
    assert!(report["try"].as_str().is_some_and(|advice| advice.contains("a larger --cache")), "{report}");
    let (status, report) = run(&["--cache", "20", "--max-collision", "1", "--time", "1s"]);
    assert_eq!((status, report["reason"].as_str()), (3, Some("time")), "it does not end");

    // The rate that is given decides when: of a ring, all that is evicted comes again.
    let ring = folder.file("ring.pml", "active proctype P() { short i; do :: i = (i + 1) % 3000 od }");
    for rate in [0.9, 0.95, 0.98] {
        let (text, limit) = (rate.to_string(), ["--cache", "1000", "--replace", "fifo", "--json", "--max-collision"]);
        let output = tightrope(&[&["check", path(&ring)], &limit[..], &[&text, "--time", "60s"]].concat());
        let report = json(&output);
        assert_eq!((code(&output), report["reason"].as_str()), (3, Some("collision rate")), "{report}");
        let (visits, expected) = (report["visits"].as_f64().expect("a number"), 1000.0 / (1.0 - rate));
        assert!((visits / expected - 1.0).abs() < 0.05, "{visits} visits instead of {expected}");
    }

    let refused = |options: &[&str]| {
        let output = tightrope(&[&["check", path(&model), "-DP=2", "-DN=2"], options].concat());
        assert_eq!(code(&output), 2, "{options:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    for probes in ["level:0", "direct:0", "level:10001", "direct:-1", "level:many", "level:"] {
        assert!(refused(&["--cache", "100", "--replace", probes]).contains("is no number of slots from 1 to 10000"));
    }
    for probes in ["level:1", "direct:10000"] {
        assert_eq!(run(&["--cache", "40000", "--replace", probes]).0, 0, "{probes}");
    }
    assert!(refused(&["--cache", "100", "--max-collision", "1.5"]).contains("1.5"));
    assert!(refused(&["--search", "dfs", "--cache", "100", "--replace", "level"]).contains("--search bfs"));
    assert!(refused(&["--cache", "100", "--store", "compact", "--replace", "lru"]).contains("--replace level"));
    assert!(refused(&["--cache", "100", "--store", "tree"]).contains("cannot evict"));
}

/// Codes that are much longer than the first one use up the bytes long before the slots made for short ones: what is evicted is
/// still up to the strategy, and as many states are remembered as with one that knows no slots.
#[test]
fn caches_in_bytes_fit_codes_that_grow() {
    for (model, store, cache, states) in
        [("promela/fork_join.pml", "bits", "300k", 491_791), ("dve/brp.dve", "collapse", "100k", 2_646)]
    {
        let model = root().join("models").join(model);
        let most = ["random", "level", "direct"].map(|replace| {
            let options = ["--store", store, "--cache", cache, "--replace", replace, "--json", "--audit"];
            let output = tightrope(&[&["check", path(&model)], &options[..]].concat());
            let report = json(&output);
            assert_eq!((code(&output), report["states"].as_u64()), (0, Some(states)), "{replace}: {report}");
            assert!(report["cache"]["states"].is_null(), "bytes bound it, not states");
            report["stored_peak"].as_u64().expect("a number")
        });
        assert!(most[0] <= most[1] && most[0] <= most[2], "{most:?} states at a time");
        let options = ["--store", store, "--cache", cache];
        let text = tightrope(&[&["check", path(&model)], &options[..]].concat());
        let text = String::from_utf8_lossy(&text.stdout).into_owned();
        assert!(text.contains(" states at most (`level`)"), "{text}");
    }
}

#[test]
fn a_shortest_counterexample_is_found_however_much_is_evicted() {
    let folder = Folder::new("cache-bfs-trace");
    let text = format!("byte n; {}", COUNTING.replace("i++", "{ i++; n++; assert(n < 9) }"));
    let model = folder.file("m.pml", &text);
    let length = |options: &[&str]| {
        let output = tightrope(&[&["check", path(&model), "-DP=2", "-DN=12", "--json"], options].concat());
        assert_eq!(code(&output), 1, "{options:?}");
        json(&output)["violation"]["length"].as_u64()
    };
    let shortest = length(&[]);
    for cache in ["10", "60", "1000"] {
        assert_eq!(length(&["--cache", cache, "--max-collision", "1"]), shortest, "{cache}");
    }
}
