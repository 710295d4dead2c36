//! The files a model was read from.

use crate::{Diagnostic, Diagnostics, FileId, Span};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The largest file that is read.
const MAX_BYTES: u64 = 64 << 20;

/// The text of a file; what is not UTF-8 in it is replaced.
pub fn read_source(path: &Path) -> std::io::Result<String> {
    let file = std::fs::File::open(path)?;
    let length = file.metadata()?.len();
    let mut bytes = Vec::new();
    if length <= MAX_BYTES {
        // A device has no length and may never end.
        bytes.reserve_exact(length as usize + 1);
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    }
    if length > MAX_BYTES || bytes.len() as u64 > MAX_BYTES {
        return Err(std::io::Error::other("the file is larger than 64 MiB"));
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}

/// All source files of one run, each with a table of its line starts.
#[derive(Debug, Default)]
pub struct SourceMap {
    files: Vec<File>,
}

#[derive(Debug)]
struct File {
    path: PathBuf,
    text: String,
    /// The offset of each line's first byte; never empty.
    lines: Vec<u32>,
}

impl SourceMap {
    /// No files yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file. Its path is only shown, never opened.
    ///
    /// Offsets have 32 bits: of a text past 4 GiB only the first part is kept.
    pub fn add(&mut self, path: impl Into<PathBuf>, text: impl Into<String>) -> FileId {
        let mut text = text.into();
        if text.len() > u32::MAX as usize {
            let cut = floor_boundary(&text, u32::MAX as usize);
            text.truncate(cut);
        }
        let newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let lines = std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect();
        self.files.push(File { path: path.into(), text, lines });
        FileId(self.files.len() as u32 - 1)
    }

    /// Reads a file and adds it; a diagnostic if it cannot be read.
    pub fn open(&mut self, path: &Path, diagnostics: &mut Diagnostics) -> Option<FileId> {
        match read_source(path) {
            Ok(text) => Some(self.add(path, text)),
            Err(why) => {
                diagnostics.push(Diagnostic::error(format!("cannot read `{}`: {why}", path.display())));
                None
            }
        }
    }

    /// The text of a file; empty for one that was never added.
    pub fn text(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("", |f| &f.text)
    }

    /// The paths of all files, in the order in which they were added.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|file| file.path.as_path())
    }

    /// The path a file was added with; empty for one that was never added.
    pub fn path(&self, file: FileId) -> &Path {
        self.files.get(file.0 as usize).map_or(Path::new(""), |f| &f.path)
    }

    /// The file that was added with this path, if any.
    pub fn find(&self, path: &Path) -> Option<FileId> {
        self.files.iter().position(|f| f.path == path).map(|at| FileId(at as u32))
    }

    /// The line and the column, in characters, of a span's start. Both count from 1.
    pub fn line_col(&self, span: Span) -> (u32, u32) {
        let Some(file) = self.files.get(span.file.0 as usize) else {
            return (1, 1);
        };
        let at = floor_boundary(&file.text, span.start as usize);
        let line = file.lines.partition_point(|&start| start as usize <= at).max(1) - 1;
        let start = file.lines[line] as usize;
        (line as u32 + 1, file.text[start..at].chars().count() as u32 + 1)
    }

    /// The text of a span, cut to what the file has.
    pub fn slice(&self, span: Span) -> &str {
        let text = self.text(span.file);
        let start = floor_boundary(text, span.start as usize);
        let end = floor_boundary(text, span.end as usize).max(start);
        &text[start..end]
    }

    /// The bytes of the 1-based lines `first..=last`, cut to what the file has.
    pub(crate) fn line_range(&self, file: FileId, first: u32, last: u32) -> std::ops::Range<usize> {
        let Some(file) = self.files.get(file.0 as usize) else {
            return 0..0;
        };
        let first = (first.max(1) as usize - 1).min(file.lines.len() - 1);
        let start = file.lines[first] as usize;
        let end = file.lines.get(last as usize).map_or(file.text.len(), |&next| next as usize);
        start..end.max(start)
    }

    /// Whether the file was added here.
    pub(crate) fn contains(&self, file: FileId) -> bool {
        (file.0 as usize) < self.files.len()
    }
}

/// The last character boundary of `text` at or before `at`.
pub(crate) fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(sources: &SourceMap, start: u32) -> (u32, u32) {
        sources.line_col(Span::new(FileId(0), start, start))
    }

    #[test]
    fn lines_and_columns() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.pml", "ab\ncd\n\nö!");
        assert_eq!(at(&sources, 0), (1, 1));
        assert_eq!(at(&sources, 2), (1, 3));
        assert_eq!(at(&sources, 3), (2, 1));
        assert_eq!(at(&sources, 6), (3, 1));
        assert_eq!(at(&sources, 9), (4, 2));
        assert_eq!(at(&sources, 900), (4, 3));
        assert_eq!(sources.slice(Span::new(file, 3, 5)), "cd");
        assert_eq!(sources.path(file), Path::new("a.pml"));
        assert_eq!(sources.find(Path::new("a.pml")), Some(file));
    }

    #[test]
    fn odd_places_do_no_harm() {
        let mut sources = SourceMap::new();
        assert_eq!(at(&sources, 7), (1, 1));
        let file = sources.add("empty", "");
        assert_eq!(at(&sources, 7), (1, 1));
        let other = sources.add("x", "äöü");
        assert_eq!(sources.slice(Span::new(other, 1, 3)), "ä");
        assert_eq!(sources.slice(Span::new(other, 5, 1)), "");
        assert_eq!(sources.slice(Span::new(file, 5, 1)), "");
        assert_eq!(sources.text(FileId(99)), "");
    }
}
