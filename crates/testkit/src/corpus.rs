//! The corpus of third-party models, which is no part of the project, and other folders of models.

use std::path::{Path, PathBuf};

/// A folder of the corpus, if it is there; says so if not. The corpus lies beside the project, or where
/// `TIGHTROPE_CORPUS` says.
pub fn corpus(part: &str) -> Option<PathBuf> {
    let folder = match std::env::var_os("TIGHTROPE_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    let folder = folder.join(part);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: no corpus at {} (set TIGHTROPE_CORPUS)", folder.display());
    None
}

/// The files with one of these endings in a folder and those below it, sorted.
pub fn models(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| endings.iter().any(|one| ending == *one)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The texts of [`models`]; bytes that are no text are replaced.
pub fn texts(folder: &Path, endings: &[&str]) -> Vec<String> {
    let read = |path: PathBuf| std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    models(folder, endings).into_iter().filter_map(|path| read(path).ok()).collect()
}
