//! Standard output and standard error.

use crate::guard::{self, Phase};
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Writes to standard output. A reader that has gone away (`| head`) is no error; a disk that is full is one.
pub fn write(what: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    guard::phase(Phase::Reporting);
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    match what(&mut out).and_then(|()| out.flush()) {
        Err(why) if why.kind() != ErrorKind::BrokenPipe => {
            Err(format!("error: cannot write to standard output: {why}"))
        }
        _ => Ok(()),
    }
}

/// Writes a text to standard output.
pub fn print(text: &str) -> Result<(), String> {
    write(|out| out.write_all(text.as_bytes()))
}

static JSON_PRINTED: AtomicBool = AtomicBool::new(false);

/// Whether an object was written to standard output, or its beginning.
pub fn json_was_printed() -> bool {
    JSON_PRINTED.load(Ordering::Relaxed)
}

/// Writes one JSON object to standard output.
pub fn print_json(value: &impl Serialize) -> Result<(), String> {
    JSON_PRINTED.store(true, Ordering::Relaxed);
    write(|mut out| {
        serde_json::to_writer_pretty(&mut out, value)?;
        out.write_all(b"\n")
    })
}

/// Refuses to write a file over the model that it is made from, or another file that is read.
pub fn refuse_overwriting(written: &Path, read: &Path) -> Result<(), String> {
    let same = |one: &Path, other: &Path| Some(one.canonicalize().ok()? == other.canonicalize().ok()?);
    match same(written, read) {
        Some(true) => Err(format!("error: `{}` would be overwritten by what is made from it", read.display())),
        _ => Ok(()),
    }
}

/// Writes a line to standard error, if anybody is there to read it.
pub fn tell(text: impl Display) {
    let _ = writeln!(io::stderr(), "{text}");
}
