//! What is wrong with a model, where, and what to try.

use crate::{SourceMap, Span, render};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The model cannot be used.
    Error,
    /// The model can be used, but may not mean what its author thinks.
    Warning,
}

/// One finding. The first label is the primary one: the place the message is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one line without a full stop.
    pub message: String,
    /// Places and what to say there.
    pub labels: Vec<(Span, String)>,
    /// Facts that explain.
    pub notes: Vec<String>,
    /// What to try.
    pub helps: Vec<String>,
}

impl Diagnostic {
    /// An error with this message.
    pub fn error(message: impl Into<String>) -> Self {
        Self::new(Severity::Error, message.into())
    }

    /// A warning with this message.
    pub fn warning(message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, message.into())
    }

    fn new(severity: Severity, message: String) -> Self {
        Diagnostic { severity, message, labels: Vec::new(), notes: Vec::new(), helps: Vec::new() }
    }

    /// Sets the primary label.
    #[must_use]
    pub fn at(mut self, span: Span, label: impl Into<String>) -> Self {
        self.labels.insert(0, (span, label.into()));
        self
    }

    /// Adds a secondary label.
    #[must_use]
    pub fn also(mut self, span: Span, label: impl Into<String>) -> Self {
        self.labels.push((span, label.into()));
        self
    }

    /// Adds a fact that explains.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds what to try.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.helps.push(text.into());
        self
    }

    /// The primary place, if there is one.
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|(span, _)| *span)
    }

    /// The diagnostic as text for a terminal: message, source excerpts with marks, notes, helps; no newline at the end.
    pub fn render(&self, sources: &SourceMap, color: bool) -> String {
        render::render(self, sources, color)
    }
}

/// Collects diagnostics. Past a number of errors nothing more is kept: the first ones matter, the rest is noise.
#[derive(Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
    dropped: usize,
}

impl Diagnostics {
    /// How many errors are kept, and how many warnings.
    pub const LIMIT: usize = 50;

    /// Nothing found yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a diagnostic, unless there are too many already.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let is_error = diagnostic.severity == Severity::Error;
        let kept = if is_error { self.errors } else { self.list.len() - self.errors };
        if kept >= Self::LIMIT {
            self.dropped += 1;
            return;
        }
        self.errors += usize::from(is_error);
        self.list.push(diagnostic);
    }

    /// Runs a phase; what it gives, unless it reported an error.
    pub fn unless_errors<T>(&mut self, phase: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let before = self.errors;
        let result = phase(self);
        (self.errors == before).then_some(result)
    }

    /// Whether there is at least one error.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Whether further errors will be dropped: time to stop looking for them.
    pub fn is_full(&self) -> bool {
        self.errors >= Self::LIMIT
    }

    /// How many diagnostics were dropped.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// How many errors are kept.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The diagnostics in the order they came.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// The messages of this severity.
    pub fn messages(&self, severity: Severity) -> Vec<String> {
        self.list.iter().filter(|d| d.severity == severity).map(|d| d.message.clone()).collect()
    }

    /// All of them as text, separated by blank lines, with a last line about those that were dropped.
    pub fn render(&self, sources: &SourceMap, color: bool) -> String {
        let mut parts: Vec<String> = self.list.iter().map(|d| d.render(sources, color)).collect();
        if self.dropped > 0 {
            parts.push(format!("{} more not shown", self.dropped));
        }
        parts.join("\n\n")
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileId;

    #[test]
    fn the_primary_label_comes_first() {
        let first = Span::new(FileId(0), 0, 1);
        let second = Span::new(FileId(0), 2, 3);
        let d = Diagnostic::error("x").also(second, "there").at(first, "here");
        assert_eq!(d.span(), Some(first));
    }

    #[test]
    fn errors_are_capped_and_warnings_do_not_crowd_them_out() {
        let mut diags = Diagnostics::new();
        for _ in 0..200 {
            diags.push(Diagnostic::warning("w"));
        }
        assert!(!diags.has_errors());
        for _ in 0..200 {
            diags.push(Diagnostic::error("e"));
        }
        assert!(diags.has_errors() && diags.is_full());
        assert_eq!(diags.iter().count(), 2 * Diagnostics::LIMIT);
        assert_eq!(diags.dropped(), 300);
        assert!(diags.render(&SourceMap::new(), false).ends_with("300 more not shown"));
    }
}
