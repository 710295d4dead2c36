//! Memory, time and signals in every phase, seen from outside.
#![cfg(target_os = "linux")]

mod program;

use program::{Folder, path, watched as run};
use std::os::fd::AsRawFd as _;
use std::process::Command;
use std::time::Duration;

fn mebibytes(number: u64) -> u64 {
    // What the test allows itself beyond what is promised: a fiftieth.
    (number << 20) + (number << 20) / 50
}

/// A counterexample of 600,001 steps.
const LONG: &str =
    "int x; byte pad[40]; active proctype P() { do :: x < 300000 -> x++ :: else -> break od; assert(false) }";

#[test]
fn long_counterexamples_take_little_memory() {
    let folder = Folder::new("long");
    let (model, trace) = (folder.file("m.pml", LONG), folder.0.join("t.json"));
    let check = |more: &[&str]| run(&[&["check", path(&model), "--memory", "32M"], more].concat(), None);
    for more in [&[][..], &["--full"], &["--json"], &["--quiet", "--trace", path(&trace)]] {
        let seen = check(more);
        assert_eq!(seen.code, Some(1), "{more:?}: {}", seen.text.chars().take(500).collect::<String>());
        assert!(seen.peak <= mebibytes(32), "{more:?}: {} bytes", seen.peak);
        match more.first().copied() {
            None => {
                assert!(seen.text.contains("599802 steps are left out"), "{}", seen.text);
                assert!(seen.text.lines().count() < 600);
            }
            Some("--full") => assert!(seen.text.contains("\n300000  ") && !seen.text.contains("left out")),
            Some("--json") => {
                let report = seen.json();
                assert_eq!(report["violation"]["length"], 600_002);
                assert_eq!(report["violation"]["trace"].as_array().map(Vec::len), Some(600_002));
                assert!(report["bytes"]["peak_resident"].as_u64() <= Some(mebibytes(32)));
            }
            Some(_) => {}
        }
    }
    for more in [&["--json"][..], &[]] {
        let seen = run(&[&["replay", path(&model), path(&trace), "--memory", "32M"], more].concat(), None);
        assert_eq!(seen.code, Some(1));
        assert!(seen.peak <= mebibytes(32), "replay {more:?}: {} bytes", seen.peak);
    }
}

/// Models that take much to read or to compile, and whether there is an answer all the same.
fn greedy(folder: &Folder) -> Vec<(String, &'static str, Option<i32>)> {
    let file = |name: &str, text: &str| path(&folder.file(name, text)).to_string();
    let rules: String = (0..100_000).map(|at| format!("rule x = {at} ==> x := {}; end;\n", at + 1)).collect();
    vec![
        (file("chans.pml", "chan c[100000] = [255] of { int, int }\ninit { skip }"), "64M", Some(2)),
        (
            file(
                "scalar.m",
                "type s: scalarset(1000000); var a: array [s] of boolean; startstate clear a; end; rule clear a; end;",
            ),
            "64M",
            Some(3),
        ),
        (
            file(
                "starts.m",
                "var x: 0..1; ruleset i: 0..100000000 do startstate x := 0; end; end; rule x := 1 - x; end;",
            ),
            "64M",
            // A fast machine looks at all of them in time.
            None,
        ),
        (file("many.pml", &format!("int x;\ninit {{\n{}}}\n", "x = x + 1;\n".repeat(5000))), "20M", Some(0)),
        (file("many.pml", &format!("int x;\ninit {{\n{}}}\n", "x = x + 1;\n".repeat(5000))), "64M", Some(0)),
        (file("many.pml", &format!("int x;\ninit {{\n{}}}\n", "x = x + 1;\n".repeat(5000))), "128M", Some(0)),
        (file("rules.m", &format!("var x: 0..100000;\nstartstate x := 0; end;\n{rules}")), "64M", None),
        (String::from("/dev/zero"), "64M", Some(3)),
    ]
}

#[test]
fn reading_and_compiling_stay_within_the_memory() {
    let folder = Folder::new("greedy");
    for (model, memory, expected) in greedy(&folder) {
        for command in ["check", "show", "measure"] {
            let mut arguments = vec![command, &model, "--memory", memory, "--time", "20s"];
            if model == "/dev/zero" {
                arguments.extend(["--language", "promela"]);
            }
            let seen = run(&arguments, None);
            let limit: u64 = memory.trim_end_matches('M').parse().expect("a number");
            assert!(seen.peak <= mebibytes(limit), "{arguments:?}: {} bytes", seen.peak);
            assert!(matches!(seen.code, Some(0..=3)), "{arguments:?}: {:?}", seen.code);
            if command == "check" && expected.is_some() {
                assert_eq!(seen.code, expected, "{arguments:?}: {}", seen.text);
            }
        }
    }
}

/// One state has millions of combinations of parameters to try, or a step takes seconds.
fn slow(folder: &Folder) -> Vec<String> {
    let rules = "var a: array [0..199] of 0..3; startstate clear a; end;\n\
        ruleset i: 0..199; j: 0..199; k: 0..199 do rule i < j & j < k & a[i] + a[j] + a[k] < 3 ==> a[i] := a[i] + 1; end; end;";
    let nested = "byte x; int i; active proctype P() { do :: d_step { i = 0; do :: i < 900000 -> i++ :: else -> break od; x++ } od }";
    vec![path(&folder.file("rules.m", rules)).into(), path(&folder.file("nested.pml", nested)).into()]
}

#[test]
fn the_time_holds_everywhere() {
    let folder = Folder::new("slow");
    for model in slow(&folder) {
        for search in ["bfs", "dfs"] {
            for execute in ["jit", "interpret"] {
                let options = ["--search", search, "--execute", execute, "--memory", "4G"];
                let seen = run(&[&["check", &model, "--time", "1s", "--json"], &options[..]].concat(), None);
                assert!(matches!(seen.code, Some(1 | 3)), "{model} {options:?}: {}", seen.text);
                assert!(seen.code == Some(1) || seen.json()["reason"] == "time", "{model} {options:?}: {}", seen.text);
                // It used to be minutes; other tests run meanwhile.
                assert!(seen.seconds < 20.0, "{model} {options:?}: {} s", seen.seconds);
            }
        }
    }
}

#[test]
fn signals_end_with_a_report_and_leave_no_file() {
    let folder = Folder::new("signals");
    let endless = "int x, y; active [2] proctype P() { do :: x++ :: y++ od }";
    let (model, output) = (folder.file("m.pml", endless), folder.0.join("m.aut"));
    for signal in ["TERM", "HUP", "INT"] {
        let after = Some((signal, Duration::from_millis(300)));
        let seen = run(&["check", path(&model), "--json", "--memory", "2G"], after);
        assert_eq!(seen.code, Some(3), "{signal}: {}", seen.text);
        assert_eq!(seen.json()["reason"], "interrupted", "{signal}");
        let seen = run(&["lts", path(&model), "-o", path(&output), "--memory", "2G"], after);
        assert_eq!(seen.code, Some(3), "{signal}: {}", seen.text);
    }
    let left: Vec<String> = std::fs::read_dir(&folder.0)
        .expect("the folder is there")
        .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
        .filter(|name| name != "m.pml")
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn too_little_memory_is_refused() {
    let folder = Folder::new("least");
    let model = folder.file("m.pml", "init { skip }");
    assert_eq!(run(&["check", path(&model), "--memory", "7M"], None).code, Some(2));
    assert_eq!(run(&["check", path(&model), "--memory", "16M"], None).code, Some(0));
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let folder = Folder::new("full");
    let model = folder.file("m.pml", "active proctype P() { assert(false) }");
    let shell = |command: &str| {
        let command = command.replace("PROGRAM", env!("CARGO_BIN_EXE_tightrope")).replace("MODEL", path(&model));
        Command::new("sh").args(["-c", &command]).output().expect("there is a shell")
    };
    // A full disk is an error, a reader that is gone is none, and nobody needs standard error.
    assert_eq!(shell("PROGRAM check MODEL > /dev/full").status.code(), Some(2));
    assert_eq!(shell("PROGRAM check MODEL --json > /dev/full").status.code(), Some(2));
    assert_eq!(shell("PROGRAM check MODEL 2> /dev/full").status.code(), Some(1));
    assert_eq!(shell("PROGRAM check MODEL -DX 2>&-").status.code(), Some(1));
    assert_eq!(shell("(PROGRAM check MODEL; echo $? >&2) | true").stderr, b"1\n");
    // The trace is tried before the search, and a file is there only if there is something in it.
    let output = shell("PROGRAM check MODEL --trace /nowhere/t.json");
    assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(2), true));
    let (holds, trace) = (folder.file("h.pml", "init { skip }"), folder.0.join("t.json"));
    assert_eq!(run(&["check", path(&holds), "--trace", path(&trace)], None).code, Some(0));
    assert!(!trace.exists());
}

#[test]
fn a_trace_file_says_how_its_model_was_read() {
    let folder = Folder::new("recorded");
    let text = "byte x;\nactive proctype P() { do :: x < N -> x++ :: else -> break od; assert(x != N) }";
    let (model, trace) = (folder.file("my model.txt", text), folder.0.join("my trace.json"));
    let seen = run(&["check", path(&model), "--language", "promela", "-DN=3", "--trace", path(&trace)], None);
    assert_eq!(seen.code, Some(1));
    let command =
        seen.text.lines().find_map(|line| line.split("see it again with: tightrope ").nth(1)).expect("a command");
    let command = format!("{} {command}", env!("CARGO_BIN_EXE_tightrope"));
    let again = Command::new("sh").args(["-c", &command]).output().expect("there is a shell");
    assert_eq!(again.status.code(), Some(1), "{command}: {}", String::from_utf8_lossy(&again.stderr));
    assert!(again.stderr.is_empty(), "{}", String::from_utf8_lossy(&again.stderr));
    std::fs::write(&model, format!("{text}\n")).expect("it can be written");
    let changed = Command::new("sh").args(["-c", &command]).output().expect("there is a shell");
    assert_eq!(changed.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&changed.stderr).contains("has changed since"));
}

#[test]
fn too_little_address_space_is_no_crash() {
    let folder = Folder::new("space");
    let text =
        "byte a[20]; active [6] proctype P() { byte i; do :: i < 20 -> a[i] = a[i] + _pid; i++ :: else -> i = 0 od }";
    let model = folder.file("m.pml", text);
    for kilobytes in [60_000, 100_000, 150_000] {
        for options in [&[][..], &["--json"], &["--execute", "interpret"], &["--memory", "64M", "--execute", "jit"]] {
            let limited = format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\"");
            let program = env!("CARGO_BIN_EXE_tightrope");
            let output = Command::new("sh")
                .args(["-c", &limited, program, "check", path(&model), "--time", "1s"])
                .args(options)
                .output()
                .expect("a shell");
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(3), "{kilobytes} {options:?}: {error}");
            if options == ["--json"] {
                let text = String::from_utf8_lossy(&output.stdout).into_owned();
                let report: serde_json::Value = serde_json::from_str(&text).expect("one object");
                assert_eq!(report["verdict"], "undecided");
            }
        }
    }
}

#[test]
fn a_violation_that_cannot_be_confirmed_in_time_is_named() {
    let folder = Folder::new("unconfirmed");
    // Found in some seconds; putting it together takes several times as long.
    let model = folder
        .file("m.pml", "int x; active proctype P() { do :: x < 4000000 -> x++ :: else -> break od; assert(false) }");
    let seen = run(&["check", path(&model), "--memory", "2G", "--time", "4s", "--json"], None);
    // A quick machine confirms it, a slow one does not find it.
    let report = seen.json();
    match report["verdict"].as_str() {
        Some("violated") => assert_eq!(seen.code, Some(1)),
        Some("undecided") => {
            let found = &report["unconfirmed"];
            let is_replayed = report["during"].as_str().is_some_and(|during| during.contains("counterexample"));
            assert!(found == "assert(false)" || !is_replayed, "{report}");
            assert_eq!(seen.code, Some(3));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_second_signal_ends_a_report_that_nobody_reads() {
    let folder = Folder::new("unread");
    let model = folder.file("m.pml", LONG);
    let mut child = Command::new(env!("CARGO_BIN_EXE_tightrope"))
        .args(["check", path(&model), "--full"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the program runs");
    // Until the report waits for its reader: a signal that comes before that cuts the report short, and it ends by itself.
    let written = || {
        let (mut bytes, pipe) = (0i32, child.stdout.as_ref().expect("a pipe"));
        #[allow(unsafe_code)]
        // SAFETY: asks for a number, of a pipe that is open.
        let told = unsafe { libc::ioctl(pipe.as_raw_fd(), libc::FIONREAD, &mut bytes) };
        assert_eq!(told, 0);
        bytes
    };
    let mut before = 0;
    for _ in 0..100 {
        std::thread::sleep(Duration::from_millis(600));
        let now = written();
        if now >= 4096 && now == before {
            break;
        }
        before = now;
    }
    assert!(before > 0, "no report within a minute");
    let mut ended = None;
    for _ in 0..60 {
        std::thread::sleep(Duration::from_millis(500));
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(sent.is_ok());
        ended = child.try_wait().expect("a child of our own");
        if ended.is_some() {
            break;
        }
    }
    let _ = child.kill();
    assert_eq!(ended.and_then(|status| status.code()), Some(3));
}

#[test]
fn the_time_of_stores_is_for_all_of_them() {
    let folder = Folder::new("time_of_stores");
    let model = folder.named("m.pml", "int a, b; active proctype P() { do :: a++ :: b++ od }");
    let seen = run(&["stores", &model, "--only", "hash,tree,bits,collapse", "--time", "2s", "--json"], None);
    assert_eq!(seen.code, Some(3), "{}", seen.text);
    let report = seen.json();
    let seconds = report["stores"].as_array().expect("a list").iter().filter_map(|one| one["seconds"].as_f64());
    // Each for itself they would search for eight seconds.
    assert!(seconds.sum::<f64>() < 6.0, "{report}");
}
