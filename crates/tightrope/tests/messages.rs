//! Every message about faulty models, to be read in one place: `messages/*.txt` hold models, each with one slip, and what the
//! program says about them.
//!
//! `TIGHTROPE_BLESS=1 cargo test -p tightrope --test messages` writes what the program says now. New models go anywhere in the
//! files, without an answer; `messages/not_shown.txt` lists the messages of the front ends that no model there brings out.

mod program;

use program::Folder;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The languages: the file of models, the folder of the crate, and how names of models end.
const LANGUAGES: &[(&str, &str)] = &[("promela", "pml"), ("murphi", "m"), ("dve", "dve")];

/// A model with a slip, and what is said about it.
struct Case {
    title: String,
    /// An option and its value.
    option: Option<(String, String)>,
    model: String,
    answer: String,
}

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/messages").join(name)
}

/// The head of a file of models, and its cases.
fn cases(language: &str) -> (String, Vec<Case>) {
    let text = std::fs::read_to_string(place(&format!("{language}.txt"))).expect("a file of models");
    let mut parts = text.split("\n==== ");
    let head = parts.next().unwrap_or_default().to_string();
    let case = |part: &str| {
        let (title, rest) = part.split_once('\n').unwrap_or((part, ""));
        let (model, answer) = rest.split_once("\n----\n").unwrap_or((rest, ""));
        let (option, model) = match model.strip_prefix("--goal ") {
            Some(goal) => {
                let (goal, model) = goal.split_once('\n').expect("a model after its goal");
                (Some(("--goal".to_string(), goal.to_string())), model)
            }
            None => (None, model),
        };
        let (title, model) = (title.to_string(), format!("{}\n", model.trim_end()));
        Case { title, option, model, answer: answer.trim_end().to_string() }
    };
    (head, parts.map(case).collect())
}

/// What the program says about a model.
fn answer(case: &Case, folder: &Folder, extension: &str) -> String {
    let name = format!("model.{extension}");
    folder.file(&name, &case.model);
    let mut command = Command::new(env!("CARGO_BIN_EXE_tightrope"));
    command.current_dir(&folder.0).args(["check", &name]);
    if let Some((option, value)) = &case.option {
        command.args([option, value]);
    }
    let output = command.output().expect("the program runs");
    String::from_utf8_lossy(&output.stderr).trim_end().to_string()
}

fn blessed() -> bool {
    std::env::var_os("TIGHTROPE_BLESS").is_some()
}

/// The cases of a file with the present answers, as text.
fn written(head: &str, cases: &[(Case, String)]) -> String {
    let mut text = head.to_string();
    for (case, answer) in cases {
        text += &format!("\n==== {}\n", case.title);
        if let Some((option, value)) = &case.option {
            text += &format!("{option} {value}\n");
        }
        text += &format!("{}----\n{answer}\n", case.model);
    }
    text
}

fn language(language: &str, extension: &str) -> Vec<String> {
    let folder = Folder::new("messages");
    let (head, cases) = cases(language);
    assert!(cases.len() > 60, "{language}: {} models", cases.len());
    let answered: Vec<(Case, String)> = cases
        .into_iter()
        .map(|case| {
            let answer = answer(&case, &folder, extension);
            (case, answer)
        })
        .collect();
    let mut failures = Vec::new();
    for (case, answer) in &answered {
        let errors = answer.lines().filter(|line| line.starts_with("error")).count();
        if errors > 1 {
            failures.push(format!("{language}: {}: one slip, {errors} errors:\n{answer}", case.title));
        } else if answer.is_empty() {
            failures.push(format!("{language}: {}: nothing is said", case.title));
        } else if *answer != case.answer && !blessed() {
            failures.push(format!("{language}: {}: expected\n{}\nfound\n{answer}", case.title, case.answer));
        }
    }
    if blessed() {
        std::fs::write(place(&format!("{language}.txt")), written(&head, &answered))
            .expect("a file that can be written");
    }
    failures
}

/// The source files below a folder that are no tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).expect("sources").flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.file_stem().is_some_and(|name| name == "tests") {
            continue;
        }
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The text of the first string that starts in `source` before a `;`, as it is written.
fn first_string(source: &str) -> Option<String> {
    let start = source.find(['"', ';']).filter(|&at| source.as_bytes()[at] == b'"')? + 1;
    let mut text = String::new();
    let mut chars = source[start..].chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => return Some(text),
            '\\' => text.extend(chars.next()),
            _ => text.push(c),
        }
    }
    None
}

/// The titles of messages that a source file makes, with `{…}` where something is filled in.
fn titles(source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let mut found = Vec::new();
    for start in ["Diagnostic::error(", "Diagnostic::warning(", "self.error(", "let message = "] {
        for (at, _) in source.match_indices(start) {
            let rest = &source[at + start.len()..];
            let inner = rest.trim_start();
            // The message is made elsewhere, or is not the first thing.
            let elsewhere = ["message", "Diagnostic::", "error", "*"].iter().any(|word| inner.starts_with(word));
            let later =
                start == "self.error(" && inner.split('"').next().is_some_and(|head| head.contains(" message,"));
            // A message of an error at run time.
            let head = inner.get(..400).unwrap_or(inner);
            let at_run_time =
                start == "let message = " && !head.contains("Diagnostic::") && !head.contains("self.error(");
            if !elsewhere && !later && !at_run_time {
                found.extend(first_string(rest).map(|title| (at, title)));
            }
        }
    }
    found.sort();
    found.dedup();
    found.into_iter().map(|(_, title)| title).collect()
}

/// Whether a title is made from a pattern with `{…}`.
fn fits(pattern: &str, title: &str) -> bool {
    let pattern = pattern.replace("{{", "\u{1}").replace("}}", "\u{2}");
    let mut fixed: Vec<String> = Vec::new();
    for part in pattern.split('{') {
        let part = if fixed.is_empty() { part } else { part.split_once('}').map_or("", |(_, after)| after) };
        fixed.push(part.replace('\u{1}', "{").replace('\u{2}', "}"));
    }
    let Some(mut rest) = title.strip_prefix(fixed[0].as_str()) else { return false };
    if fixed.len() == 1 {
        return rest.is_empty();
    }
    for (at, part) in fixed.iter().enumerate().skip(1) {
        if at + 1 == fixed.len() {
            return rest.ends_with(part.as_str());
        }
        match rest.find(part.as_str()) {
            Some(found) => rest = &rest[found + part.len()..],
            None => return false,
        }
    }
    true
}

#[test]
fn models_with_a_slip_get_their_message() {
    let failures: Vec<String> = LANGUAGES.iter().flat_map(|(name, extension)| language(name, extension)).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    list_what_is_not_shown();
}

/// Compares the list of messages that no model brings out. Those of `syntax` are shared by the languages.
fn list_what_is_not_shown() {
    let mut text = String::from("Messages of the front ends that no model beside this file brings out.\n");
    let mut by_any_language = Vec::new();
    for (language, _) in LANGUAGES {
        let (_, cases) = cases(language);
        let lines = cases.iter().flat_map(|case| case.answer.lines());
        let titles = lines.filter_map(|line| line.strip_prefix("error: ").or(line.strip_prefix("warning: ")));
        let shown: Vec<String> = titles.map(str::to_string).collect();
        text += &not_shown(language, &shown);
        by_any_language.extend(shown);
    }
    text += &not_shown("syntax", &by_any_language);
    if blessed() {
        std::fs::write(place("not_shown.txt"), &text).expect("a file that can be written");
    }
    let listed = std::fs::read_to_string(place("not_shown.txt")).expect("the list");
    assert_eq!(listed, text);
}

/// The messages in the source of a crate that are not among those shown.
fn not_shown(package: &str, shown: &[String]) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(package).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut text = format!("\n==== {package}\n");
    for file in files {
        let source = std::fs::read_to_string(&file).expect("a source file");
        let name = file.strip_prefix(&root).unwrap_or(&file).display().to_string();
        for title in titles(&source) {
            if !shown.iter().any(|shown| fits(&title, shown)) {
                text += &format!("{name}: {title}\n");
            }
        }
    }
    text
}

#[test]
fn titles_are_compared_with_what_is_filled_in() {
    assert!(fits("`{text}` is {}, not {expected}", "`a` is a variable, not a channel"));
    assert!(fits("expected `}}`, found {found}", "expected `}`, found `x`"));
    assert!(!fits("`{}` is not declared", "`a` is declared twice"));
    assert!(!fits("an array has one dimension", "an array has one dimension too many"));
}
