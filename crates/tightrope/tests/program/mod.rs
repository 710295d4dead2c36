//! Running the program, for the tests.
#![allow(dead_code)]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder for the files of one test, removed at its end.
pub struct Folder(pub PathBuf);

impl Folder {
    /// An empty one.
    pub fn new(test: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tightrope-cli-{test}-{}", std::process::id()));
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
