//! `--queue disk`: what waits on disk, and what happens where the disk is full, ends, or the program does.

mod exploration;
mod program;

use program::{Folder, code, error, json, path, tightrope, watched};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tightrope_core::{Budget, Frontier, Interrupt, Observe, Reason, SearchConfig, StateId};
use tightrope_disk::{DiskQueue, SpillSpace};

/// Ninety thousand states of 600 bytes wait at one time, and hardly anything repeats itself in three quarters of these.
const WIDE: &str = "const N: 299; W: 149;
type index: 0..N;
var phase: 0..3; x, y: index; pad: array [0..W] of 0..99999999;
function mixed(n: 0..46336): 0..99999999; begin return n * n % 16777213; end;
procedure fill(); begin for i: 0..W do pad[i] := mixed((x * 7919 + y * 10477 + i * 331 + phase) % 46337); end; end;
startstate begin phase := 0; x := 0; y := 0; fill(); end;
ruleset i: index do
  rule \"x\" phase = 0 ==> begin phase := 1; x := i; fill(); end;
  rule \"y\" phase = 1 ==> begin phase := 2; y := i; fill(); end;
end;
rule \"end\" phase = 2 ==> begin phase := 3; end;";

/// How many states it has.
const STATES: u64 = 1 + 300 + 2 * 300 * 300;

fn wide(folder: &Folder) -> String {
    folder.named("wide.m", WIDE)
}

/// Checks the model with a queue on disk and a small store.
fn check<'a>(model: &'a str, options: &[&'a str]) -> Vec<&'a str> {
    let always = ["check", model, "--no-deadlock", "--store", "compact:64", "--omission", "1", "--queue", "disk"];
    [&always, options].concat()
}

fn files(folder: &Path) -> usize {
    std::fs::read_dir(folder).expect("it is there").count()
}

#[test]
fn a_queue_larger_than_the_memory_stays_within_it() {
    const MEMORY: u64 = 16 << 20;
    let folder = Folder::new("disk-memory");
    let model = wide(&folder);
    let seen = watched(&check(&model, &["--json", "--memory", "16M", "--disk", path(&folder.0)]), None);
    let report = seen.json();
    assert_eq!(
        (seen.code, &report["verdict"], &report["states"]),
        (Some(0), &"holds".into(), &STATES.into()),
        "{report}"
    );
    let number = |at: &str| report["bytes"][at].as_u64().unwrap_or_else(|| panic!("{at} in {report}"));
    let peak = number("peak_resident").max(seen.peak);
    assert!(peak <= MEMORY, "{peak} bytes resident");
    let vector = report["model"]["vector_bytes"].as_u64().expect("a number");
    let waiting = report["frontier_peak"].as_u64().expect("a number") * vector;
    assert!(waiting > 3 * MEMORY, "{waiting} bytes wait");
    // Of what was read, one file may still be there.
    assert!(number("disk") > MEMORY && number("disk") <= waiting + (8 << 20), "{report}");
    assert_eq!(report["configuration"]["queue"], "disk");
    assert_eq!(report["configuration"]["disk"], path(&folder.0));
    assert_eq!(files(&folder.0), 1, "the model");
    let text = tightrope(&check(&model, &["--memory", "16M"]));
    assert_eq!(code(&text), 0);
    assert!(String::from_utf8_lossy(&text.stdout).contains("on disk at most"), "{text:?}");
}

/// The same states, violations and figures as in memory, by every command and over stores of all kinds.
#[test]
fn it_finds_the_same_as_in_memory() {
    let folder = Folder::new("disk-same");
    // 22,500 states of 600 bytes wait at one time.
    let text = WIDE.replacen("N: 299", "N: 149", 1) + "\ninvariant \"end\" phase < 3 | x < 149 | y < 148;";
    let model = folder.named("wide.m", &text);
    let limit = ["--memory", "64M"];
    for store in ["auto", "hash", "tree", "collapse", "compact:64", "bitstate"] {
        for command in [&["check", "--no-deadlock"][..], &["check", "--all"], &["measure"]] {
            let run = |queue: &str| {
                let arguments = [command, &[&model, "--json", "--store", store, "--queue", queue], &limit].concat();
                let output = tightrope(&arguments);
                (code(&output), json(&output))
            };
            let ((ram_code, ram), (disk_code, disk)) = (run("ram"), run("disk"));
            assert_eq!(ram_code, disk_code, "{store} {command:?}: {disk}");
            assert!(disk["bytes"]["disk"].as_u64() > Some(0), "{store} {command:?}: {disk}");
            for figure in [
                "verdict",
                "claim",
                "states",
                "visits",
                "transitions",
                "levels",
                "widest_level",
                "violations",
                "violation",
                "level_widths",
            ] {
                assert_eq!(ram[figure], disk[figure], "{store} {command:?}: {figure}");
            }
        }
    }
    let [ram, disk] = ["ram", "disk"].map(|queue| {
        let place = folder.place(&format!("{queue}.aut"));
        let output = tightrope(&["lts", &model, "-o", &place, "--queue", queue, "--memory", "64M", "--json"]);
        assert_eq!(code(&output), 0, "{}", error(&output));
        assert_eq!(json(&output)["bytes"]["disk"].as_u64() > Some(0), queue == "disk");
        std::fs::read(place).expect("it was written")
    });
    assert!(ram == disk, "the same transition system");
    let output = tightrope(&["stores", &model, "--only", "hash,tree,compact", "--queue", "disk", "--json"]);
    assert_eq!((code(&output), &json(&output)["configuration"]["queue"]), (0, &Value::from("disk")));
}

#[test]
fn a_quota_that_is_used_up_is_undecided() {
    let folder = Folder::new("disk-quota");
    let model = wide(&folder);
    let output = tightrope(&check(&model, &["--json", "--memory", "16M", "--disk-quota", "300K"]));
    let report = json(&output);
    assert_eq!((code(&output), &report["verdict"], &report["reason"]), (3, &"undecided".into(), &"disk".into()));
    assert!(report["bytes"]["disk"].as_u64().is_some_and(|bytes| bytes > 0 && bytes <= 300 << 10), "{report}");
    assert_eq!(
        (&report["try"], &report["configuration"]["disk_quota"]),
        (&"a larger --disk-quota".into(), &307_200.into())
    );
    let output = tightrope(&check(&model, &["--memory", "16M", "--disk-quota", "300K"]));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("undecided (disk): the 300.0 KiB of `--disk-quota` are used up"), "{text}");
}

/// The quota decides: with a byte nothing may lie on disk, with what an unlimited search needs everything.
#[test]
fn a_quota_is_exactly_what_may_lie_on_disk() {
    let folder = Folder::new("disk-quotas");
    let model = wide(&folder);
    let run = |quota: &str| json(&tightrope(&check(&model, &["--json", "--memory", "16M", "--disk-quota", quota])));
    let whole = run("1G");
    assert_eq!(whole["verdict"], "holds", "{whole}");
    let needed = whole["bytes"]["disk"].as_u64().expect("a number");
    for (quota, verdict) in [(1, "undecided"), (needed / 4, "undecided"), (needed / 2, "undecided"), (needed, "holds")]
    {
        let report = run(&quota.to_string());
        assert_eq!(report["verdict"], verdict, "{quota} of {needed}: {report}");
        assert!(report["bytes"]["disk"].as_u64() <= Some(quota), "{quota} of {needed}: {report}");
    }
}

#[test]
fn a_limit_of_the_size_of_files_is_undecided() {
    let folder = Folder::new("disk-ulimit");
    let model = wide(&folder);
    let command = format!("ulimit -f 300; exec {} \"$@\"", env!("CARGO_BIN_EXE_tightrope"));
    let arguments = [&["-c", &command, "sh"], &check(&model, &["--memory", "16M"])[..]].concat();
    let output = Command::new("sh").args(arguments).output().expect("there is a shell");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(code(&output), 3, "{text} {}", error(&output));
    assert!(text.contains("may not become larger (`ulimit -f`)"), "{text}");
}

/// A small file system in memory, where the test may make one.
struct Mounted(Folder);

impl Mounted {
    fn new(test: &str, options: &str) -> Option<Mounted> {
        let folder = Folder::new(test);
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs", path(&folder.0)]).output();
        if mount.is_ok_and(|output| output.status.success()) {
            return Some(Mounted(folder));
        }
        eprintln!("skipped: no file system can be mounted here");
        None
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0.0).status();
    }
}

#[test]
fn a_full_disk_is_undecided() {
    let Some(Mounted(small)) = &Mounted::new("disk-full", "size=512k") else { return };
    let folder = Folder::new("disk-full-model");
    let model = wide(&folder);
    let output = tightrope(&check(&model, &["--memory", "16M", "--disk", path(&small.0)]));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(code(&output), 3, "{text}");
    assert!(text.contains("undecided (disk): the disk of") && text.contains("is full; no violation"), "{text}");
    assert!(text.contains("try: --disk with a folder on a disk with more room"), "{text}");
    assert_eq!(files(&small.0), 0);
}

#[test]
fn a_folder_that_cannot_be_written_to_is_found_before_the_search() {
    let folder = Folder::new("disk-folder");
    let model = wide(&folder);
    let refused = |disk: &str, why: &str| {
        let output = tightrope(&check(&model, &["--disk", disk]));
        assert_eq!(code(&output), 2);
        let text = error(&output);
        assert!(
            text.contains(&format!("no states can wait in `{disk}`: {why}")) && text.contains("try: --disk"),
            "{text}"
        );
    };
    refused(&folder.place("missing"), "there is no such folder");
    refused(&model, "it is not a folder");
    if let Some(Mounted(fixed)) = &Mounted::new("disk-fixed", "ro") {
        refused(path(&fixed.0), "it can only be read");
    }
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let folder = Folder::new("disk-options");
    let model = wide(&folder);
    let refused = |options: &[&str], why: &str| {
        let output = tightrope(&[&["check", &model], options].concat());
        assert_eq!(code(&output), 2, "{options:?}");
        assert!(error(&output).contains(why), "{options:?}: {}", error(&output));
    };
    refused(&["--disk", "/tmp"], "`--disk` says where states wait on disk, so it needs `--queue disk`");
    refused(
        &["--disk-quota", "1G"],
        "`--disk-quota` says how much of the disk may be used, so it needs `--queue disk`",
    );
    refused(&["--queue", "disk", "--search", "dfs"], "in `dfs` no states wait");
    refused(&["--queue", "disk", "--disk-quota", "much"], "`much` is not a size");
}

/// How many files in a folder a process has open, those without names included.
fn open_files(process: u32, folder: &Path) -> usize {
    let Ok(list) = std::fs::read_dir(format!("/proc/{process}/fd")) else { return 0 };
    let targets = list.filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok());
    targets.filter(|target| target.starts_with(folder)).count()
}

/// A process that is killed leaves nothing behind, and the next one is not disturbed.
#[test]
#[cfg(target_os = "linux")]
fn a_crash_leaves_nothing_behind() {
    let (folder, disk) = (Folder::new("disk-crash"), Folder::new("disk-crash-files"));
    let model = wide(&folder);
    let arguments = check(&model, &["--json", "--memory", "16M", "--disk", path(&disk.0)]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_tightrope"))
        .args(&arguments)
        .stdout(Stdio::null())
        .spawn()
        .expect("the program runs");
    let start = Instant::now();
    while open_files(child.id(), &disk.0) == 0 {
        assert!(child.try_wait().expect("a child of our own").is_none(), "it ended without writing anything");
        assert!(start.elapsed() < Duration::from_secs(300), "nothing is written");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("it is still there");
    assert_eq!(child.wait().expect("a child of our own").code(), None, "it was killed");
    assert_eq!(files(&disk.0), 0);
    let output = tightrope(&arguments);
    assert_eq!((code(&output), &json(&output)["states"]), (0, &STATES.into()));
    assert_eq!(files(&disk.0), 0);
}

/// Ctrl-C in the middle of it.
#[test]
fn an_interrupt_ends_it_at_once() {
    let folder = Folder::new("disk-interrupt");
    let model = wide(&folder);
    let arguments = check(&model, &["--json", "--memory", "16M", "--execute", "interpret", "--disk", path(&folder.0)]);
    let seen = watched(&arguments, Some(("INT", Duration::from_millis(400))));
    let report = seen.json();
    assert_eq!((seen.code, &report["reason"]), (Some(3), &"interrupted".into()), "{report}");
    assert!(report["during"].is_null(), "the search ended by itself, with its whole report");
    assert_eq!(files(&folder.0), 1, "the model");
}

/// Puts every state that is expanded into a queue, and takes none out.
struct Queued<'q> {
    queue: DiskQueue,
    bytes: u64,
    interrupt: &'q Interrupt,
}

impl Observe for Queued<'_> {
    fn expand(&mut self, id: StateId, state: &[u8], _degree: usize) {
        self.queue.push(id, state).expect("there is room on the disk");
        self.bytes += state.len() as u64;
        if self.bytes > 24 << 20 {
            self.interrupt.raise(Reason::Interrupted);
        }
    }
}

/// The figures of `docs/disk.md`: what states take on disk, their lengths and numbers included.
#[test]
#[ignore = "measures"]
fn what_blocks_of_states_take() {
    let models = exploration::corpus().expect("a corpus").join("models");
    for (name, load) in [
        ("murphi/sym/cache3.m", exploration::load_murphi as fn(&Path) -> _),
        ("murphi/sym/list6.m", exploration::load_murphi),
        ("promela/beem/brp.3.pm", exploration::load),
        ("dve/lamport/lamport.6.dve", |path| exploration::load_dve(path, None)),
        ("dve/at/at.4.dve", |path| exploration::load_dve(path, None)),
    ] {
        let model = load(&models.join(name)).expect("a model");
        let space = SpillSpace::open(&std::env::temp_dir(), None).expect("temporary files");
        for block in [16 << 10, 1 << 20] {
            let config = SearchConfig::measuring();
            let queue = DiskQueue::with_blocks(&space, &Arc::new(Budget::unlimited()), block, false);
            let (before, interrupt) = (space.written(), config.interrupt.clone());
            let mut queued = Queued { queue, bytes: 0, interrupt: &interrupt };
            exploration::finish(&model, "bfs", "hash", &config, &mut queued);
            // What still is in memory.
            let most = queued.bytes.saturating_sub(5 * block as u64);
            let share = (space.written() - before) as f64 / most as f64 * 100.0;
            println!("{name}, blocks of {block}: {share:.0} % of {} KiB", most >> 10);
        }
    }
}
