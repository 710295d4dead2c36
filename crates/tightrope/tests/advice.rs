//! What the report says of a search that did not finish or did not suit the model, and what it advises.

mod exploration;
mod program;

use program::{Folder, code, error, json, path, tightrope};

/// Processes that count and end: 18,279 states with three that count to 12.
const COUNTING: &str = "active [P] proctype Count() { byte i; do :: i < N -> i++ :: else -> break od }\n";

fn text(options: &[&str]) -> String {
    String::from_utf8_lossy(&tightrope(options).stdout).into_owned()
}

#[test]
fn another_strategy_is_named() {
    let folder = Folder::new("advice-replace");
    let model = folder.file("m.pml", COUNTING);
    let advice = |options: &[&str]| {
        let report = json(&tightrope(&[&["check", path(&model), "-DP=3", "-DN=12", "--json"], options].concat()));
        assert_eq!(report["verdict"], "undecided", "{report}");
        report["try"].as_str().expect("advice").to_string()
    };
    assert!(advice(&["--cache", "20"]).contains("--replace fifo"));
    assert!(advice(&["--cache", "20", "--replace", "fifo"]).contains("--replace level"));
    assert!(advice(&["--cache", "20", "--store", "bits+compact:40"]).contains("--replace direct"));
    let small = advice(&["--search", "dfs", "--cache", "5000", "--time", "1s"]);
    assert_eq!(small, "a larger --cache, --replace stratified");
}

#[test]
fn snapshots_are_for_deep_models() {
    let folder = Folder::new("advice-snapshots");
    let deep = folder.file("deep.pml", &format!("int pad[40]; {COUNTING}"));
    let wide = folder.file("wide.pml", "active [9] proctype P() { byte i; do :: i < 5 -> i++ :: else -> break od }");
    let lts = folder.place("m.aut");
    let advice = |command: &[&str]| {
        let output = tightrope(&[command, &["--memory", "16M", "--json"]].concat());
        assert_eq!(code(&output), 3, "{}", error(&output));
        let report = json(&output);
        assert_eq!(report["reason"], "memory");
        report["try"].as_str().expect("advice").to_string()
    };
    let deep = ["-DP=2", "-DN=250", path(&deep)];
    let check = advice(&[&["check", "--store", "hash"], &deep[..]].concat());
    assert!(check.contains("--search snapshots"), "{check}");
    let written = advice(&[&["lts", "-o", &lts], &deep[..]].concat());
    assert!(written.contains("--search snapshots"), "{written}");
    let collected = advice(&[&["lts", "--minimise", "strong", "-o", &lts], &deep[..]].concat());
    assert!(!collected.contains("--search snapshots"), "transitions take the memory: {collected}");
    let wide = advice(&["check", path(&wide), "--store", "hash"]);
    assert!(!wide.contains("--search snapshots"), "{wide}");
}

#[test]
fn a_cache_that_memory_limits_needs_memory() {
    let folder = Folder::new("advice-memory");
    let model = folder.file("m.pml", COUNTING);
    let options = ["-DP=3", "-DN=60", "--search", "dfs", "--cache", "100M", "--memory", "10M", "--time", "5s"];
    let text = text(&[&["check", path(&model)], &options[..]].concat());
    assert!(text.contains("no more states fit into the memory"), "{text}");
    assert!(text.contains("the cache is too small: "), "{text}");
    assert!(text.contains("with a larger --memory or a denser store (--store bits or collapse) it would be"), "{text}");
    assert!(text.contains("try: a larger --memory, a denser store") && !text.contains("larger --cache"), "{text}");
}

#[test]
fn the_figure_that_decided_is_given() {
    let folder = Folder::new("advice-figures");
    let model = folder.file("m.pml", COUNTING);
    let run = |options: &[&str]| text(&[&["check", path(&model), "-DP=3", "-DN=12"], options].concat());
    let crowded = run(&["--cache", "500"]);
    let line = "the cache is hardly large enough: 1 % of the insertions are repeated, but the collision rate is 0.9";
    assert!(crowded.contains(line), "{crowded}");
    let small = run(&["--cache", "20"]);
    assert!(small.contains("of the insertions are repeated") && small.contains("levels of visits"), "{small}");
    assert!(small.contains(" visits; about ") && small.contains(" states were found"), "{small}");
    let all = run(&[]);
    assert!(all.contains(" levels, widest"), "{all}");
}

#[test]
fn a_change_that_was_asked_for_is_no_shortage() {
    let folder = Folder::new("advice-auto");
    let model = folder.file("m.pml", COUNTING);
    let text = text(&["check", path(&model), "-DP=3", "-DN=12", "--store", "auto:5000"]);
    assert!(text.contains("states, as asked: re-encoded as `") && !text.contains("memory ran short"), "{text}");
}

#[test]
fn bounds_that_say_nothing_are_not_given() {
    let folder = Folder::new("advice-bounds");
    // Four million states in a field that is made for fewer.
    let grid = "active proctype P() { int a; int b; do :: a < 2000 -> a++ :: b < 2000 -> b++ \
                :: a == 2000 && b == 2000 -> break od }";
    let model = folder.file("m.pml", grid);
    // How large the field is depends on what the process holds already; the states that wait may not fit beside it.
    let texts =
        ["16M", "20M", "32M"].map(|memory| text(&["check", path(&model), "--store", "bitstate", "--memory", memory]));
    assert!(texts.iter().any(|text| text.contains("there is no useful bound")), "{texts:?}");
    assert!(texts.iter().all(|text| !text.contains("0.00 %")), "{texts:?}");
}

#[test]
fn a_lone_back_edge_has_one_length() {
    let folder = Folder::new("advice-edge");
    let model = folder.file("m.pml", "active proctype P() { do :: skip; skip; skip od }");
    let text = text(&["measure", path(&model)]);
    assert!(text.contains("1 transition goes back, by 1 level\n"), "{text}");
}

#[test]
fn a_trace_is_replayed_in_its_language_only() {
    let folder = Folder::new("advice-replay");
    let murphi =
        folder.file("m.m", "var x: 0..3; startstate x := 0; end; rule x < 3 ==> x := x + 1; end; invariant x < 2;");
    let promela = folder.file("m.pml", COUNTING);
    let trace = folder.place("bug.json");
    assert_eq!(code(&tightrope(&["check", path(&murphi), "--trace", &trace])), 1);
    assert_eq!(code(&tightrope(&["replay", path(&murphi), &trace])), 1);
    let output = tightrope(&["replay", path(&promela), &trace]);
    assert_eq!(code(&output), 2);
    let text = error(&output);
    assert!(text.contains("the trace is of a murphi model") && text.lines().count() == 1, "{text}");
    // A file that was read with --language is not told by its ending.
    let odd = folder.file("odd.pml", &std::fs::read_to_string(&murphi).expect("the model"));
    assert_eq!(code(&tightrope(&["check", path(&odd), "--language", "murphi", "--trace", &trace])), 1);
    assert_eq!(code(&tightrope(&["replay", path(&odd), &trace])), 1);
}

#[test]
fn rates_and_stores_are_named_as_what_they_are() {
    let folder = Folder::new("advice-words");
    let model = folder.file("m.pml", COUNTING);
    let refused = |options: &[&str]| error(&tightrope(&[&["check", path(&model), "-DP=1", "-DN=1"], options].concat()));
    let rate = refused(&["--cache", "9", "--max-collision", "2"]);
    assert!(rate.contains("`2` is not a rate from 0 to 1"), "{rate}");
    let stores = refused(&["--cache", "9", "--store", "tree"]);
    assert!(stores.contains("with `full`, `bits`, `compress`, `collapse`, `hash`, `compact`"), "{stores}");
}
