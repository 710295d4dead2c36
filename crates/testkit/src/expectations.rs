//! Models whose first comments say what a front end must find in them.
//!
//! A file of a folder `rejected` starts with lines `error: message`, one of `accepted` with one line `accepted: why` and
//! perhaps lines `warning: message`, each in a comment of its language.

use std::path::{Path, PathBuf};
use tightrope_syntax::{Diagnostics, Severity, SourceMap};

/// What a front end finds in a model.
pub struct Findings {
    /// Whether the model can be used.
    pub accepted: bool,
    /// The messages of its errors.
    pub errors: Vec<String>,
    /// The messages of its warnings.
    pub warnings: Vec<String>,
    /// All diagnostics as text.
    pub shown: String,
}

/// What a front end finds, and what it makes of it. Panics unless there are errors if and only if it makes nothing, and
/// everything it found can be shown.
pub fn findings<M>(read: impl FnOnce(&mut SourceMap, &mut Diagnostics) -> Option<M>) -> (Option<M>, Findings) {
    let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
    let made = read(&mut sources, &mut diags);
    assert_eq!(made.is_none(), diags.has_errors());
    let shown = diags.render(&sources, false);
    assert_eq!(shown.is_empty(), diags.is_empty());
    assert!(diags.iter().all(|diagnostic| !diagnostic.message.is_empty()));
    let (errors, warnings) = (diags.messages(Severity::Error), diags.messages(Severity::Warning));
    let findings = Findings { accepted: made.is_some(), errors, warnings, shown };
    (made, findings)
}

/// Panics unless each model in a folder has exactly the errors that it announces. Comments start with `comment`.
pub fn check_rejected(folder: impl AsRef<Path>, comment: &str, read: impl Fn(&Path) -> Findings) {
    let mut failures = Vec::new();
    for path in files(folder.as_ref()) {
        let found = read(&path);
        let expected = announced(&path, comment, "error");
        if found.accepted || found.errors.is_empty() || found.errors != expected {
            failures.push(format!("{}: expected {expected:#?}\n{}", path.display(), found.shown));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Panics unless each model in a folder is accepted with exactly the warnings that it announces.
pub fn check_accepted(folder: impl AsRef<Path>, comment: &str, read: impl Fn(&Path) -> Findings) {
    for path in files(folder.as_ref()) {
        let found = read(&path);
        assert!(found.accepted && found.errors.is_empty(), "{}", found.shown);
        assert_eq!(found.warnings, announced(&path, comment, "warning"), "{}\n{}", path.display(), found.shown);
        assert_eq!(announced(&path, comment, "accepted").len(), 1, "{}", path.display());
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    assert!(files.len() > 10);
    files
}

/// What the comments at the start of a file say after a word.
fn announced(path: &Path, comment: &str, word: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("readable");
    let comments = text.lines().map_while(|line| line.strip_prefix(comment));
    comments.filter_map(|line| line.strip_prefix(word)?.strip_prefix(": ").map(str::to_string)).collect()
}
