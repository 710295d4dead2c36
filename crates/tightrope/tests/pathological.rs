//! Every command on models that are hard on one of its phases: never above `--memory`, never long after `--time`, always an exit
//! status that says what happened.
//!
//! `cargo test -p tightrope --test pathological -- --ignored --nocapture` prints the table of all peaks.
#![cfg(target_os = "linux")]

mod program;

use program::{Folder, Seen, watched};
use std::fmt::Write;

/// What the test allows itself beyond what is promised.
fn limit(mebibytes: u64) -> u64 {
    (mebibytes << 20) + (mebibytes << 20) / 50
}

/// Models that are hard to read, to compile, to search, to replay or to write, and what is hard about each.
fn models(folder: &Folder) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    let mut add = |name: &'static str, file: &str, text: &str| found.push((name, folder.named(file, text)));
    add(
        "600,001 steps to the violation",
        "long.pml",
        "int x; byte pad[40]; active proctype P() { do :: x < 300000 -> x++ :: else -> break od; assert(false) }",
    );
    add(
        "atomic steps of 60,000 moves",
        "moves.pml",
        "int x; byte y; active proctype P() { do :: atomic { x = 0; do :: x < 30000 -> x++ :: else -> break od; y++ } assert(y < 20) od }",
    );
    add(
        "an atomic step of 600,000 moves",
        "atomic.pml",
        "int x; active proctype P() { atomic { do :: x < 300000 -> x++ :: else -> break od; assert(false) } }",
    );
    add("an endless atomic sequence", "endless.pml", "active proctype P() { atomic { do :: skip od } }");
    add("an endless d_step that counts", "counting.pml", "int x; active proctype P() { d_step { do :: x++ od } }");
    add(
        "many outcomes of one step",
        "outcomes.pml",
        "int x, y; active proctype P() { atomic { select(x : 1..30000); skip; y = x } } active proctype Q() { y = 1; y = 2 }",
    );
    add("15,000 statements", "statements.pml", &format!("int x; init {{\n{}}}", "x = x + 1;\n".repeat(15_000)));
    add("channels of 5 GB", "channels.pml", "chan c[100000] = [255] of { int, int }\ninit { skip }");
    add(
        "a state of 250 KB",
        "wide.pml",
        "int a[60000]; int i; active proctype P() { do :: i < 60000 -> a[i] = 1; i++ od }",
    );
    let doubled: String = (1..40).map(|at| format!("#define A{at} A{} A{}\n", at - 1, at - 1)).collect();
    add("macros that double", "macros.pml", &format!("#define A0 x = 1;\n{doubled}byte x; init {{ A39 skip }}"));
    let inlines: String = (1..24).map(|at| format!("inline f{at}() {{ f{}(); f{}() }}\n", at - 1, at - 1)).collect();
    add("inlines that double", "inlines.pml", &format!("byte x; inline f0() {{ x = 1 }}\n{inlines}init {{ f23() }}"));
    add("50,000 errors", "errors.pml", &format!("init {{\n{}}}", "nothing = 1;\n".repeat(50_000)));
    add(
        "200 processes",
        "processes.pml",
        "byte x; proctype P() { x++; x++; x++ } init { byte i; do :: i < 200 -> run P(); i++ :: else -> break od }",
    );
    let changes = "if a = 3 then b := 1 - b; end;\n".repeat(7_000);
    add(
        "a rule of 7,000 statements",
        "rule.m",
        &format!(
            "var a, b, c: 0..99; startstate a := 0; b := 0; c := 0; end;\n\
            rule a < 99 ==> a := a + 1; end; rule b < 99 ==> b := b + 1; end; rule c < 99 ==> c := c + 1; end;\n\
            rule b < 2 ==> {changes} end; rule a := 0; end;"
        ),
    );
    add(
        "60,000 bytes that never change",
        "fields.pml",
        "byte pad[60000]; byte a, b; active proctype P() { end: do :: a < 90 -> a++ od } active proctype Q() { end: do :: b < 90 -> b++ od }",
    );
    let rules: String = (0..30_000).map(|at| format!("rule x = {at} ==> x := {}; end;\n", at + 1)).collect();
    add("30,000 rules", "rules.m", &format!("var x: 0..30000; startstate x := 0; end;\n{rules}"));
    add(
        "2,000,000 levels",
        "levels.m",
        "var x: 0..2000000; startstate x := 0; end; rule x < 2000000 ==> x := x + 1; end; rule x = 2000000 ==> x := 0; end;",
    );
    add(
        "1,000,000 start states",
        "starts.m",
        "var x: 0..1000000; ruleset i: 0..1000000 do startstate x := i; end; end; rule x := 0; end;",
    );
    add(
        "100,000,000 start states that are one",
        "start.m",
        "var x: 0..1; ruleset i: 0..100000000 do startstate x := 0; end; end; rule x := 1 - x; end;",
    );
    add(
        "1,000,000 successors of one state",
        "successors.m",
        "var x: 0..1000000; startstate x := 0; end; ruleset i: 0..1000000 do rule x = 0 ==> x := i; end; end; rule x > 0 ==> x := 0; end;",
    );
    add(
        "8,000,000 guards in every state",
        "guards.m",
        "var a: array [0..199] of 0..3; startstate clear a; end; ruleset i: 0..199; j: 0..199; k: 0..199 do rule i < j & j < k & a[i] + a[j] + a[k] < 3 ==> a[i] := a[i] + 1; end; end;",
    );
    add(
        "a scalarset of 1,000,000",
        "scalarset.m",
        "type s: scalarset(1000000); var a: array [s] of boolean; startstate clear a; end; rule clear a; end;",
    );
    add(
        "a scalarset of 65,536 in a small state",
        "elements.m",
        "type s: scalarset(65536); var a: array [s] of 0..3; startstate for t: s do a[t] := 0; end; end; ruleset t: s do rule a[t] = 0 ==> a[t] := 1; end; end;",
    );
    add(
        "a scalarset of 200, all values different",
        "renaming.m",
        "type s: scalarset(200); var a: array [s] of 0..200; startstate clear a; end; ruleset i: s do rule a[i] < 200 ==> a[i] := a[i] + 1; end; end;",
    );
    add(
        "a local variable of 10 MB",
        "local.m",
        "var x: 0..1; startstate x := 0; end; rule var l: array [0..9999999] of 0..200; begin l[x] := 1; x := 1 - x; end;",
    );
    add(
        "a function that calls itself",
        "recursion.m",
        "var x: 0..9; function f(n: 0..100000000): 0..9; begin return f(n + 1); end; startstate x := 0; end; rule x := f(0); end;",
    );
    add(
        "a state of 5 MB",
        "state.m",
        "var a: array [0..4999999] of 0..200; x: 0..4999999; startstate clear a; x := 0; end; rule x < 4999999 ==> a[x] := 1; x := x + 1; end;",
    );
    add(
        "arrays of 65,535",
        "arrays.dve",
        "int a[65535]; byte i; process P { state q; init q; trans q -> q { guard i < 200; effect a[i] = i, i = i + 1; }; } system async;",
    );
    let transitions: String = (0..3_000).map(|at| format!("s{at} -> s{} {{ effect x = x + 1; }},\n", at + 1)).collect();
    let states: Vec<String> = (0..=3_000).map(|at| format!("s{at}")).collect();
    let process = format!("state {}; init s0; trans {}", states.join(", "), transitions.trim_end_matches(",\n"));
    add(
        "3,000 states of two processes",
        "automata.dve",
        &format!("int x; process P {{ {process}; }}\nprocess Q {{ {process}; }}\nsystem async;"),
    );
    let mut lts = String::from("des (0, 1000000, 1000000)\n");
    for at in 0..1_000_000 {
        let _ = writeln!(lts, "({at}, \"a{}\", {})", at % 7, (at * 7 + 1) % 1_000_000);
    }
    add("a transition system of 1,000,000", "large.aut", &lts);
    let mut lts = String::from("des (0, 300000, 300001)\n");
    for at in 0..300_000 {
        let _ = writeln!(lts, "({at}, \"label number {at}\", {})", at + 1);
    }
    add("300,000 labels in a row", "labels.aut", &lts);
    found.push(("a device that never ends", "/dev/zero".into()));
    found
}

/// The commands for a model; those after the first use the files that those before have written.
fn commands(model: &str, folder: &Folder) -> Vec<Vec<String>> {
    let (trace, lts) = (folder.place("trace.json"), folder.place("model.aut"));
    let (small, plot, language) = (folder.place("small.aut"), folder.place("plot.svg"), ["--language", "promela"]);
    let mut commands: Vec<Vec<&str>> = vec![
        vec!["check", model],
        vec!["check", model, "--json", "--trace", &trace],
        vec!["replay", model, &trace],
        vec!["replay", model, &trace, "--json"],
        vec!["check", model, "--full", "--search", "dfs", "--all", "--no-deadlock"],
        vec!["check", model, "--search", "dfs", "--reduce", "sleep,stubborn"],
        vec!["check", model, "--search", "dfs", "--cache", "1000"],
        vec!["check", model, "--cache", "1000"],
        vec!["check", model, "--search", "snapshots", "--store", "bits"],
        vec!["lts", model, "-o", &small, "--search", "snapshots", "--snapshots", "pebble"],
        vec!["check", model, "--store", "compact:64", "--queue", "disk", "--disk-quota", "100M"],
        vec!["measure", model, "--plot", &plot],
        vec!["check", model, "--store", "collapse+bdd", "--execute", "interpret"],
        vec!["measure", model],
        vec!["measure", model, "--json"],
        vec!["show", model],
        vec!["show", model, "--json"],
        vec!["stores", model, "--only", "hash,tree,collapse,bitstate,auto"],
        vec!["lts", model, "-o", &lts],
        vec!["lts", model, "-o", &small, "--minimise", "branching"],
        vec!["compare", &lts, &small, "--equivalence", "branching"],
        vec!["check", &lts],
    ];
    if model.starts_with("/dev") {
        commands.retain(|command| command[1] == model);
        commands.iter_mut().for_each(|command| command.extend(language));
    }
    commands.into_iter().map(|command| command.into_iter().map(String::from).collect()).collect()
}

/// What is wrong with a run.
fn wrong(seen: &Seen, memory: u64, seconds: f64) -> Vec<String> {
    let mut wrong = Vec::new();
    if seen.peak > limit(memory) {
        wrong.push(format!("{:.1} MiB", seen.peak as f64 / 1_048_576.0));
    }
    if !matches!(seen.code, Some(0..=3)) {
        wrong.push(format!("exit {:?}", seen.code));
    }
    if seen.seconds > seconds {
        wrong.push(format!("{:.1} s", seen.seconds));
    }
    wrong
}

/// Runs all commands on all models, or every so many of them, within so much memory and so many seconds. What went wrong; `slack` is for a machine that does other things.
fn run(memory: u64, time: u64, slack: f64, every: usize) -> Vec<String> {
    let folder = Folder::new("pathological");
    let (mut runs, mut failures, mut table) = (0, Vec::new(), String::new());
    for (number, (name, model)) in models(&folder).into_iter().enumerate() {
        let _ = writeln!(table, "{name}");
        for (at, mut command) in commands(&model, &folder).into_iter().enumerate() {
            if !(number + at).is_multiple_of(every) {
                continue;
            }
            command.extend(["--memory".into(), format!("{memory}M"), "--time".into(), format!("{time}s")]);
            let arguments: Vec<&str> = command.iter().map(String::as_str).collect();
            let seen = watched(&arguments, None);
            let wrong = wrong(&seen, memory, time as f64 + slack);
            let told: Vec<&str> = arguments.iter().map(|one| one.rsplit('/').next().unwrap_or(one)).collect();
            let _ = writeln!(
                table,
                "  {:7.1} MiB  {:5.2} s  exit {}  {}  {}",
                seen.peak as f64 / 1_048_576.0,
                seen.seconds,
                seen.code.map_or("?".into(), |code| code.to_string()),
                told.join(" "),
                wrong.join(", ")
            );
            runs += 1;
            if !wrong.is_empty() {
                failures.push(format!("{name}: {}: {}\n", told.join(" "), wrong.join(", ")));
            }
        }
    }
    println!("{table}{runs} runs within {memory} MiB and {time} s");
    failures
}

#[test]
fn some_commands_within_the_memory() {
    // Times are for the long run: other tests run meanwhile.
    let failures = run(48, 1, 60.0, 7);
    assert!(failures.is_empty(), "{}", failures.concat());
}

#[test]
#[ignore = "takes half an hour"]
fn all_commands_within_memory_and_time() {
    let failures: Vec<String> = [24, 64, 200].into_iter().flat_map(|memory| run(memory, 2, 1.0, 1)).collect();
    assert!(failures.is_empty(), "{}", failures.concat());
}
