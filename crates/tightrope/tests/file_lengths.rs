//! No file of code is so long that nobody reads it to the end.

use std::path::{Path, PathBuf};

/// The most lines of a file.
const MOST: usize = 500;

/// Files that may be longer, each with a reason.
const LONGER: &[&str] = &[];

/// The files of a folder and of those in it that end in `.rs`.
fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").filter_map(Result::ok) {
        let path = entry.path();
        match path.is_dir() {
            true if entry.file_name() != "target" => sources(&path, files),
            false if path.extension().is_some_and(|ending| ending == "rs") => files.push(path),
            _ => {}
        }
    }
}

#[test]
fn files_are_short() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    ["crates", "bench", "examples"].iter().for_each(|folder| sources(&root.join(folder), &mut files));
    assert!(files.len() > 300, "only {} files", files.len());
    let mut wrong = Vec::new();
    for path in files {
        let lines = std::fs::read_to_string(&path).expect("text").lines().count();
        let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
        if (lines > MOST) != LONGER.contains(&name.as_str()) {
            wrong.push(format!("{name}: {lines} lines"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
