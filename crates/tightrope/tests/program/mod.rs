//! Running the program, for the tests.
#![allow(dead_code)]

use serde_json::Value;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A counter up to `N`, to be defined.
pub const COUNTER: &str = "byte x;\nactive proctype P() { do :: x < N -> x++ :: x >= N -> x = 0 od }\n";

/// A lost update, and an assertion that fails.
pub const BROKEN: &str = "byte x;\nactive [2] proctype P() {\n  byte t;\n  t = x; x = t + 1;\n  assert(x != 1 || _pid == 1 || x == 1)\n}\nactive proctype Q() { x == 2; assert(false) }\n";

/// A folder for the files of one test, removed at its end.
pub struct Folder(pub PathBuf);

impl Folder {
    /// An empty one.
    pub fn new(test: &str) -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let (process, number) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(format!("tightrope-{test}-{process}-{number}"));
        std::fs::create_dir_all(&path).expect("a temporary folder");
        Folder(path)
    }

    /// Writes a file into it.
    pub fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a temporary file");
        path
    }
}

impl Folder {
    /// Writes a file into it; its name as an argument.
    pub fn named(&self, name: &str, text: &str) -> String {
        path(&self.file(name, text)).to_string()
    }

    /// The name of a file in it, as an argument.
    pub fn place(&self, name: &str) -> String {
        path(&self.0.join(name)).to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs the program.
pub fn tightrope(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tightrope")).args(args).output().expect("the program runs")
}

/// The exit status.
pub fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

/// What was printed, as JSON.
pub fn json(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text)
        .unwrap_or_else(|why| panic!("{why}: {text}\n{}", String::from_utf8_lossy(&output.stderr)))
}

/// A path as an argument.
pub fn path(path: &Path) -> &str {
    path.to_str().expect("plain names")
}

/// What was printed as an error.
pub fn error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// One of the project's own models, as an argument.
pub fn own(model: &str) -> String {
    path(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(model)).to_string()
}

/// A run as it is seen from outside.
pub struct Seen {
    pub code: Option<i32>,
    pub text: String,
    /// The most memory it held, as often as it was looked at.
    pub peak: u64,
    pub seconds: f64,
}

impl Seen {
    /// What it printed, as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {}", self.text))
    }
}

/// Runs the program, and looks at its memory meanwhile; `signal` is sent after so long.
pub fn watched(arguments: &[&str], signal: Option<(&str, Duration)>) -> Seen {
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_tightrope"))
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs");
    let (status, id) = (format!("/proc/{}/status", child.id()), child.id().to_string());
    let mut pipe = child.stdout.take().expect("a pipe");
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        pipe.read_to_end(&mut text).map(|_| String::from_utf8_lossy(&text).into_owned())
    });
    let (mut peak, mut signal) = (0, signal);
    let ended = loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = kib.map_or(0, |kib| kib * 1024).max(peak);
        if let Some(ended) = child.try_wait().expect("a child of our own") {
            break ended;
        }
        if let Some((name, _)) = signal.take_if(|(_, after)| start.elapsed() > *after) {
            let sent = Command::new("kill").args([&format!("-{name}"), &id]).status();
            assert!(sent.is_ok_and(|sent| sent.success()));
        }
        assert!(start.elapsed() < Duration::from_secs(900), "{arguments:?} does not end");
        std::thread::sleep(Duration::from_millis(1));
    };
    let text = reader.join().expect("it ends with the program").expect("text");
    Seen { code: ended.code(), text, peak, seconds: start.elapsed().as_secs_f64() }
}
