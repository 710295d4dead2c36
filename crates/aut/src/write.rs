//! Writing Aldebaran files, a transition at a time.

use crate::Lts;
use crate::quote::quote;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// The length of the first line with the largest numbers there are.
const HEADER: usize = "des (18446744073709551615, 18446744073709551615, 18446744073709551615)".len();

/// How much is written at a time.
const BUFFER: usize = 1 << 18;

/// Writes a file whose numbers of states and transitions are known at the end only.
///
/// The file appears under its name when it is complete. Until then it has another name in the same folder, and is
/// removed if the writer is dropped. The first line is written last, over blanks; what is left of them follows the
/// closing parenthesis, where every reader skips them.
#[derive(Debug)]
pub struct AutWriter {
    path: PathBuf,
    temporary: PathBuf,
    file: File,
    buffer: Vec<u8>,
    transitions: u64,
    greatest: u64,
    bytes: u64,
    finished: bool,
}

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The number of transitions.
    pub transitions: u64,
    /// The size of the file.
    pub bytes: u64,
}

impl AutWriter {
    /// Begins a file. What is there under that name stays until the new one is complete; it must be a regular file.
    pub fn create(path: &Path) -> io::Result<Self> {
        let path = match fs::metadata(path) {
            // A link is followed: what it points to is replaced, not the link.
            Ok(found) if found.is_file() => fs::canonicalize(path)?,
            Ok(_) => return Err(invalid("it exists and is not a regular file")),
            Err(_) => path.to_path_buf(),
        };
        let (temporary, file) = beside(&path)?;
        let mut buffer = Vec::with_capacity(BUFFER + (BUFFER >> 3));
        buffer.resize(HEADER, b' ');
        buffer.push(b'\n');
        Ok(AutWriter { path, temporary, file, buffer, transitions: 0, greatest: 0, bytes: 0, finished: false })
    }

    /// Adds a transition. Any text can be a label.
    pub fn transition(&mut self, from: u64, label: &str, to: u64) -> io::Result<()> {
        self.buffer.push(b'(');
        push_number(from, &mut self.buffer);
        self.buffer.push(b',');
        quote(label, &mut self.buffer);
        self.buffer.push(b',');
        push_number(to, &mut self.buffer);
        self.buffer.extend_from_slice(b")\n");
        self.transitions += 1;
        self.greatest = self.greatest.max(from).max(to);
        if self.buffer.len() >= BUFFER { self.flush() } else { Ok(()) }
    }

    /// The file that is written until everything is there.
    pub fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// Completes the file: writes the header and gives the file its name.
    ///
    /// It is an error if `initial` or a state of a transition is not below `states`; then there is no file.
    pub fn finish(mut self, initial: u64, states: u64) -> io::Result<Written> {
        if initial >= states || (self.transitions > 0 && self.greatest >= states) {
            return Err(invalid("a state's number is not below the number of states"));
        }
        self.flush()?;
        let header = format!("des ({initial}, {}, {states})", self.transitions);
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(header.as_bytes())?;
        fs::rename(&self.temporary, &self.path)?;
        self.finished = true;
        Ok(Written { transitions: self.transitions, bytes: self.bytes })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.write_all(&self.buffer)?;
        self.bytes += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }
}

impl Drop for AutWriter {
    fn drop(&mut self) {
        if !self.finished {
            // Nobody is left to be told that even this failed.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Writes a whole transition system to a file.
pub fn write(path: &Path, lts: &Lts) -> io::Result<Written> {
    let mut writer = AutWriter::create(path)?;
    for (from, label, to) in lts.iter() {
        writer.transition(u64::from(from), lts.labels().text(label), u64::from(to))?;
    }
    writer.finish(u64::from(lts.initial()), u64::from(lts.states()))
}

/// A new file in the folder of `path`, under a name that nobody else uses.
fn beside(path: &Path) -> io::Result<(PathBuf, File)> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = path.file_name().ok_or_else(|| invalid("there is no file name"))?;
    loop {
        let mut hidden = OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}-{}.part", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
        let temporary = path.with_file_name(hidden);
        match File::options().write(true).create_new(true).open(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(why) => return Err(why),
        }
    }
}

fn invalid(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why)
}

/// Adds a number in decimal digits.
fn push_number(mut number: u64, out: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}
