//! Diagnostics as text: source excerpts with marks, in the manner of rustc.

use crate::source::floor_boundary;
use crate::{Diagnostic, FileId, Severity, SourceMap, Span};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::ops::Range;

/// Of a place that covers more lines than this only the first line is marked: the rest would bury the message.
const MOST_LINES: u32 = 6;

/// Renders one diagnostic; any span is fine, also one outside its file.
pub(crate) fn render(diagnostic: &Diagnostic, sources: &SourceMap, color: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = Group::with_title(level.primary_title(diagnostic.message.as_str()));
    for excerpt in excerpts(diagnostic, sources) {
        let mut snippet = Snippet::source(excerpt.text)
            .path(sources.path(excerpt.file).display().to_string())
            .line_start(excerpt.first_line as usize);
        for mark in excerpt.marks {
            let kind = if mark.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let label = (!mark.label.is_empty()).then_some(mark.label);
            snippet = snippet.annotation(kind.span(mark.range).label(label));
        }
        group = group.element(snippet);
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    for help in &diagnostic.helps {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group])
}

/// The lines of one file that a diagnostic talks about.
struct Excerpt {
    file: FileId,
    first_line: u32,
    text: String,
    marks: Vec<Mark>,
}

struct Mark {
    range: Range<usize>,
    label: String,
    primary: bool,
}

/// One excerpt per file, in the order the labels name the files. Only the lines that matter are handed on, so that a
/// diagnostic about a large file costs no more than one about a small file.
fn excerpts(diagnostic: &Diagnostic, sources: &SourceMap) -> Vec<Excerpt> {
    let mut files: Vec<FileId> = Vec::new();
    for (span, _) in &diagnostic.labels {
        if sources.contains(span.file) && !files.contains(&span.file) {
            files.push(span.file);
        }
    }
    files.into_iter().map(|file| excerpt(file, diagnostic, sources)).collect()
}

fn excerpt(file: FileId, diagnostic: &Diagnostic, sources: &SourceMap) -> Excerpt {
    let here = || diagnostic.labels.iter().enumerate().filter(|(_, (span, _))| span.file == file);
    let (mut first, mut last) = (u32::MAX, 1);
    for (_, (span, _)) in here() {
        first = first.min(sources.line_col(*span).0);
        last = last.max(sources.line_col(shortened(*span, sources).after()).0);
    }
    let lines = sources.line_range(file, first, last);
    let source = &sources.text(file)[lines.clone()];
    let text = source.trim_end_matches(['\n', '\r']);
    let marks = here()
        .map(|(index, (span, label))| {
            let span = shortened(*span, sources);
            let place = |at: u32| floor_boundary(text, (at as usize).saturating_sub(lines.start));
            let start = place(span.start);
            Mark { range: start..place(span.end).max(start), label: label.clone(), primary: index == 0 }
        })
        .collect();
    Excerpt { file, first_line: first, text: text.to_string(), marks }
}

/// The part of a span that is marked.
fn shortened(span: Span, sources: &SourceMap) -> Span {
    let end = span.end.max(span.start).min(sources.text(span.file).len() as u32);
    let span = Span { end: end.max(span.start), ..span };
    let (first, _) = sources.line_col(span);
    let (last, _) = sources.line_col(span.after());
    if last - first <= MOST_LINES {
        return span;
    }
    let line = sources.line_range(span.file, first, first);
    let text = sources.text(span.file)[line.clone()].trim_end_matches(['\n', '\r']);
    Span { end: ((line.start + text.len()) as u32).max(span.start), ..span }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str, start: u32, end: u32) -> String {
        let mut sources = SourceMap::new();
        let file = sources.add("m.pml", text);
        Diagnostic::error("wrong").at(Span::new(file, start, end), "here").render(&sources, false)
    }

    #[test]
    fn a_plain_excerpt() {
        let mut sources = SourceMap::new();
        let file = sources.add("m.pml", "byte x;\ninit {\n\tx = y\n}\n");
        let text = Diagnostic::error("`y` is not declared")
            .at(Span::new(file, 20, 21), "not found")
            .also(Span::new(file, 8, 12), "in this process")
            .note("names are case-sensitive")
            .help("declare it: `byte y;`")
            .render(&sources, false);
        let expected = "\
error: `y` is not declared
 --> m.pml:3:6
  |
2 | init {
  | ---- in this process
3 |     x = y
  |         ^ not found
  |
  = note: names are case-sensitive
  = help: declare it: `byte y;`";
        assert_eq!(text, expected);
    }

    #[test]
    fn windows_line_ends_and_wide_text() {
        assert!(one("byte x;\r\nint y;\r\n", 9, 12).contains("2 | int y;"));
        assert!(one("/* äöü 漢字 */ x\r\n", 3, 5).contains("here"));
    }

    #[test]
    fn a_long_span_is_cut_to_its_first_line() {
        let text = "a\n".repeat(100);
        let shown = one(&text, 2, 199);
        assert!(shown.contains("2 | a") && !shown.contains("9 | a"), "{shown}");
    }

    #[test]
    fn odd_places_are_shown_somehow() {
        for text in ["", "\n", "x", "\r\n", "ö", "a\tb\n", "\u{feff}x", "\0\u{7f}\u{1b}[31m"] {
            for start in 0..8 {
                for end in [0, 1, 2, 5, u32::MAX] {
                    assert!(one(text, start, end).starts_with("error: wrong"));
                }
            }
        }
        let nowhere = Diagnostic::warning("w").at(Span::new(FileId(7), 1, 2), "x");
        assert_eq!(nowhere.render(&SourceMap::new(), false), "warning: w");
    }

    mod any_place {
        use super::super::*;
        use proptest::prelude::*;

        proptest! {
            #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

            #[test]
            fn is_shown(
                texts in prop::collection::vec("[ -~\\t\\r\\n\\x00\\x1b\u{e4}\u{6f22}\u{200d}\u{1f600}]{0,60}", 1..3),
                labels in prop::collection::vec((0..4u32, 0..80u32, 0..80u32), 0..5),
                color in any::<bool>(),
            ) {
                let mut sources = SourceMap::new();
                for text in texts {
                    sources.add("file", text);
                }
                let mut diagnostic = Diagnostic::error("message").note("note");
                for (file, start, end) in labels {
                    diagnostic = diagnostic.also(Span::new(FileId(file), start, end), "label");
                }
                prop_assert!(diagnostic.render(&sources, color).contains("message"));
            }
        }
    }
}
