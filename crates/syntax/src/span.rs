//! Places in source files.

/// A file of a [`SourceMap`](crate::SourceMap).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A range of bytes in a file.
///
/// The default span is the empty one at the start of the first file: a harmless place for things that stand nowhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The range `start..end` of `file`.
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Span { file, start, end }
    }

    /// Whether another one lies within this one.
    pub fn contains(self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// The smallest span that covers both. Spans of different files cannot be joined: then `self` is kept.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty span just after this one: where something is missing.
    #[must_use]
    pub fn after(self) -> Span {
        Span { start: self.end, ..self }
    }
}

/// A part of a syntax tree, and its place.
#[derive(Clone, Debug)]
pub struct Spanned<K> {
    /// What it is.
    pub kind: K,
    /// Its place.
    pub span: Span,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_join_within_a_file_only() {
        let a = Span::new(FileId(0), 3, 5);
        let b = Span::new(FileId(0), 8, 9);
        assert_eq!(a.to(b), Span::new(FileId(0), 3, 9));
        assert_eq!(b.to(a), Span::new(FileId(0), 3, 9));
        assert_eq!(a.to(Span::new(FileId(1), 0, 99)), a);
    }
}
