//! Running the program, for the tests.
#![allow(dead_code)]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

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
