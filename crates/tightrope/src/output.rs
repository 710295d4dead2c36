//! Standard output and standard error.

use crate::watchdog::{self, Phase};
use serde::Serialize;
use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Writes to standard output. A reader that has gone away (`| head`) is no error; a disk that is full is one.
pub fn write(what: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    watchdog::phase(Phase::Reporting);
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

/// Refuses to write a file over the model that it is made from.
pub fn refuse_overwriting(written: &Path, model: &Path) -> Result<(), String> {
    match are_same_file(written, model) {
        true => Err(format!("error: the output file `{}` is the model itself", written.display())),
        false => Ok(()),
    }
}

/// Refuses to write a file over one of those that were read for a model: itself and what it includes.
pub fn refuse_overwriting_any(written: &Path, read: &[PathBuf]) -> Result<(), String> {
    let Some(same) = read.iter().find(|read| are_same_file(written, read)) else { return Ok(()) };
    let (written, read) = (written.display(), same.display());
    Err(format!("error: the output file `{written}` is part of the model: `{read}` was read"))
}

/// Whether both names are of one file that is there, also by links.
fn are_same_file(one: &Path, other: &Path) -> bool {
    let path = |path: &Path| path.canonicalize().ok();
    // A hard link is the same file under another name.
    let file = |path: &Path| {
        let data = path.metadata().ok().filter(|data| data.is_file())?;
        Some((data.dev(), data.ino()))
    };
    path(one).is_some_and(|one| Some(one) == path(other)) || file(one).is_some_and(|one| Some(one) == file(other))
}

/// Writes a line to standard error, if anybody is there to read it.
pub fn tell(text: impl Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// A file that is written only if there is something to write, but made before, so that it is known that it can be written.
pub struct Promised<'p> {
    path: &'p Path,
    file: File,
    /// It was not there before.
    fresh: bool,
}

impl<'p> Promised<'p> {
    /// Makes the file, unless it is there.
    pub fn new(path: &'p Path) -> Result<Promised<'p>, String> {
        let fresh = !path.exists();
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
        let file = file.map_err(|why| format!("error: cannot write `{}`: {why}", path.display()))?;
        watchdog::note_partial(fresh.then_some(path));
        Ok(Promised { path, file, fresh })
    }

    /// Writes it after all.
    pub fn keep(mut self, what: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> Result<(), String> {
        // What is no file, as a pipe, has no length.
        let _ = self.file.set_len(0);
        let mut out = BufWriter::new(&self.file);
        let written = what(&mut out).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush());
        // What could not be written to its end is removed.
        self.fresh &= written.is_err();
        drop(out);
        watchdog::note_partial(None);
        written.map_err(|why| format!("error: cannot write `{}`: {why}", self.path.display()))
    }
}

impl Drop for Promised<'_> {
    fn drop(&mut self) {
        if self.fresh {
            let _ = std::fs::remove_file(self.path);
        }
    }
}
