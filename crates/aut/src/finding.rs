//! What is wrong with a file that is too large to be kept: the lines in question only.

use crate::line::Wrong;
use std::ops::Range;
use std::path::Path;
use tightrope_syntax::{Diagnostic, Diagnostics, SourceMap, Span};

/// Reading stops after so many errors: the first ones matter, and each keeps its line.
const MOST: usize = 10;

/// The most bytes of a line that are shown on either side of the place in question.
const EXCERPT: usize = 2048;

/// The greatest number of a line that is shown as such; past it the message names the line. The lines before it are
/// empty lines of the source map's text, at five bytes each.
const MOST_LINES: u64 = 20_000_000;

/// A line of the file, cut to the part around a place in it.
#[derive(Clone, Debug)]
pub(crate) struct Excerpt {
    /// The number of the line, from 1.
    line: u64,
    text: String,
    /// The place in `text`.
    place: Range<usize>,
    /// Whether the start of the line was cut off, so that columns are not those of the file.
    cut: bool,
}

impl Excerpt {
    /// The part of `line` around `place`. What is not UTF-8 is replaced.
    pub fn new(number: u64, line: &[u8], place: Range<usize>) -> Excerpt {
        let start = place.start.min(line.len());
        let end = place.end.clamp(start, line.len()).min(start + EXCERPT);
        let first = start.saturating_sub(EXCERPT);
        let last = line.len().min(end + EXCERPT);
        let mut text = String::from_utf8_lossy(&line[first..start]).into_owned();
        let from = text.len();
        text.push_str(&String::from_utf8_lossy(&line[start..end]));
        let to = text.len();
        text.push_str(&String::from_utf8_lossy(&line[end..last]));
        Excerpt { line: number, text, place: from..to, cut: first > 0 }
    }
}

/// The errors of one file.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    list: Vec<Finding>,
    stopped: bool,
}

#[derive(Debug)]
struct Finding {
    diagnostic: Diagnostic,
    excerpt: Excerpt,
    label: String,
}

impl Findings {
    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether it is time to stop reading.
    pub fn is_stopped(&self) -> bool {
        self.stopped || self.list.len() >= MOST
    }

    /// Says that reading on would find nothing but noise.
    pub fn stop(&mut self) {
        self.stopped = true;
    }

    /// Adds an error about a place, and what to say there.
    pub fn add(&mut self, diagnostic: Diagnostic, excerpt: Excerpt, label: &str) {
        self.list.push(Finding { diagnostic, excerpt, label: label.to_string() });
    }

    /// Adds what is wrong with a line.
    pub fn add_wrong(&mut self, number: u64, line: &[u8], wrong: Wrong) {
        let diagnostic = Diagnostic::error(wrong.message).help(wrong.help);
        self.add(diagnostic, Excerpt::new(number, line, wrong.at), wrong.label);
    }

    /// Turns all of it into diagnostics, and gives the source map the lines they show.
    pub fn report(self, path: &Path, sources: &mut SourceMap, diagnostics: &mut Diagnostics) {
        let (near, far): (Vec<_>, Vec<_>) = self.list.into_iter().partition(|one| one.excerpt.line <= MOST_LINES);
        let excerpts: Vec<&Excerpt> = near.iter().map(|finding| &finding.excerpt).collect();
        let spans = place(path, &excerpts, sources);
        for (finding, span) in near.into_iter().zip(spans) {
            diagnostics.push(finding.at(span));
        }
        for mut finding in far {
            finding.diagnostic.message = format!("line {}: {}", finding.excerpt.line, finding.diagnostic.message);
            finding.excerpt.line = 1;
            for span in place(path, &[&finding.excerpt], sources) {
                diagnostics.push(finding.at(span));
            }
        }
    }
}

impl Finding {
    fn at(&self, span: Span) -> Diagnostic {
        let diagnostic = self.diagnostic.clone().at(span, &*self.label);
        if self.excerpt.cut { diagnostic.note("the line is long: what comes before is not shown") } else { diagnostic }
    }
}

/// Adds a text in which the excerpts stand in the lines they come from; gives their places.
fn place(path: &Path, excerpts: &[&Excerpt], sources: &mut SourceMap) -> Vec<Span> {
    if excerpts.is_empty() {
        return Vec::new();
    }
    let mut order: Vec<usize> = (0..excerpts.len()).collect();
    order.sort_by_key(|&at| excerpts[at].line);
    let (mut text, mut line, mut start) = (String::new(), 0, 0);
    let mut starts = vec![0; excerpts.len()];
    for at in order {
        let excerpt = excerpts[at];
        // Of two excerpts of one line the first one's text serves both.
        if excerpt.line != line {
            text.extend(std::iter::repeat_n('\n', (excerpt.line - line.max(1)) as usize));
            (line, start) = (excerpt.line, text.len());
            text.push_str(&excerpt.text);
        }
        starts[at] = start;
    }
    let file = sources.add(path, text);
    let span = |(&excerpt, start): (&&Excerpt, usize)| {
        Span::new(file, (start + excerpt.place.start) as u32, (start + excerpt.place.end) as u32)
    };
    excerpts.iter().zip(starts).map(span).collect()
}
