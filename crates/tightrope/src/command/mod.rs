//! The commands, one file each.

pub mod check;
pub mod compare;
pub mod lts;
pub mod measure;
pub mod replay;
pub mod show;
pub mod stores;

/// Writes text to standard output; a reader that has gone away (`| head`) is no error.
fn print(text: &str) {
    use std::io::Write;
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

/// Writes one JSON object to standard output.
fn print_json(value: &serde_json::Value) {
    print(&format!("{value:#}\n"));
}
