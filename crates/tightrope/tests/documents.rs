//! Every command in the documents can be typed as it is written.

mod exploration;
mod program;

use exploration::root;
use program::Folder;
use std::process::Command;

/// The lines of code blocks that begin with the name of the program, without what is said about them.
fn commands(text: &str) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if inside && line.starts_with("tightrope ") {
            found.push(line.split(" #").next().unwrap_or(line).trim().to_string());
        }
    }
    found
}

/// Small models under the names that the documents use.
fn stand_ins() -> Folder {
    let folder = Folder::new("documents");
    folder.file("cache.m", "type p: scalarset(2); var a: array [p] of boolean; startstate clear a; end;\nruleset i: p do rule a[i] := !a[i]; end; end;");
    let dve = "process Consumer { state idle, st_error; init idle; trans idle -> st_error {}, st_error -> idle {}; }\nsystem async;";
    for name in ["model.dve", "brp.2.dve", "at.1.prop2.dve"] {
        folder.file(name, dve);
    }
    std::fs::create_dir_all(folder.0.join("include")).expect("a folder");
    // The models of the project have the names they have here.
    std::os::unix::fs::symlink(root().join("models"), folder.0.join("models")).expect("a link");
    folder
}

#[test]
fn commands_work_as_written() {
    let folder = stand_ins();
    let mut pages = vec![root().join("README.md")];
    let docs = std::fs::read_dir(root().join("docs")).expect("the documents are there");
    pages.extend(docs.map(|entry| entry.expect("readable").path()));
    pages.sort();
    let mut count = 0;
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("a page");
        for command in commands(&text) {
            count += 1;
            let program = command.replacen("tightrope", env!("CARGO_BIN_EXE_tightrope"), 1);
            let output = Command::new("sh").args(["-c", &program]).current_dir(&folder.0).output().expect("a shell");
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(matches!(output.status.code(), Some(0 | 1)), "{}: {command}: {error}", page.display());
        }
    }
    assert!(count >= 25, "only {count} commands");
}

#[test]
fn the_first_example_says_what_it_says() {
    let text = std::fs::read_to_string(root().join("README.md")).expect("a page");
    let block = |begin: &str| {
        let (_, rest) = text.split_once(begin).expect("a block");
        rest.split_once("```").map(|(block, _)| block.trim_matches('\n').to_string()).expect("its end")
    };
    let command = block("```sh\ncargo run --release -- ");
    let output = Command::new(env!("CARGO_BIN_EXE_tightrope"))
        .args(command.split_whitespace())
        .current_dir(root())
        .output()
        .expect("the program runs");
    let page = String::from_utf8_lossy(&output.stdout).into_owned();
    for line in block("```text").lines().filter(|line| line.trim() != "…") {
        assert!(page.lines().any(|printed| printed == line), "`{line}` is not in\n{page}");
    }
}

/// All files of the project below a folder.
fn files(folder: &std::path::Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        let name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        match path.is_dir() {
            true if name != "target" && !name.starts_with('.') => files(&path, found),
            true => {}
            false => found.push(path.to_string_lossy().replace("/src/", "/")),
        }
    }
}

#[test]
fn files_that_documents_name_are_there() {
    let mut all = Vec::new();
    ["crates", "bench", "examples", "docs"].iter().for_each(|folder| files(&root().join(folder), &mut all));
    let mut pages = vec![root().join("ARCHITECTURE.md"), root().join("CONTRIBUTING.md")];
    pages.extend(
        std::fs::read_dir(root().join("docs")).expect("documents").map(|entry| entry.expect("readable").path()),
    );
    let mut count = 0;
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("a page");
        // What stands between backquotes.
        for name in text.split('`').skip(1).step_by(2).filter(|name| name.ends_with(".rs") && !name.contains(' ')) {
            count += 1;
            let wanted = format!("/{}", name.replace("/src/", "/"));
            assert!(all.iter().any(|file| file.ends_with(&wanted)), "{} names `{name}`", page.display());
        }
    }
    assert!(count > 30, "{count} files are named");
}
