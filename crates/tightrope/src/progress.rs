//! The line that tells how a search is getting on.

use crate::{amount, machine};
use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tightrope_core::{Budget, Observe, Progress};

/// Writes over one line of standard error, a few times a second, if that is a terminal.
pub struct ProgressLine {
    start: Instant,
    last: Instant,
    budget: Arc<Budget>,
    shown: bool,
}

impl ProgressLine {
    /// A line, where there is a terminal to show it.
    pub fn new(budget: &Arc<Budget>, wanted: bool) -> Option<ProgressLine> {
        let now = Instant::now();
        (wanted && std::io::stderr().is_terminal()).then(|| ProgressLine {
            start: now,
            last: now,
            budget: budget.clone(),
            shown: false,
        })
    }
}

impl Observe for ProgressLine {
    fn progress(&mut self, progress: Progress) {
        if self.last.elapsed() < Duration::from_millis(200) {
            return;
        }
        self.last = Instant::now();
        self.shown = true;
        let seconds = self.start.elapsed().as_secs_f64().max(1e-3);
        // With a cache they are visits, of which some may be repeated.
        let what = if progress.repeated.is_some() { "visits" } else { "states" };
        let line = format!(
            "{} {what}  {}/s  {} waiting  depth {}  {} of {}",
            amount::grouped(progress.states),
            amount::grouped((progress.states as f64 / seconds) as u64),
            amount::grouped(progress.frontier),
            amount::grouped(progress.depth),
            amount::bytes(self.budget.used()),
            amount::bytes(self.budget.limit()),
        );
        let repeated = progress.repeated.map_or_else(String::new, |share| format!("  {:.0} % repeated", share * 100.0));
        let line = fitting(format!("{line}{repeated}"), machine::terminal_width(&std::io::stderr()));
        let mut out = std::io::stderr().lock();
        let _ = write!(out, "\r\x1b[K{line}");
        let _ = out.flush();
    }
}

/// A line, as much of it as fits into so many columns.
fn fitting(line: String, columns: Option<usize>) -> String {
    match columns {
        Some(columns) if line.chars().count() >= columns => line.chars().take(columns.saturating_sub(1)).collect(),
        _ => line,
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fitting;

    #[test]
    fn a_line_fits_the_terminal() {
        assert_eq!(fitting("12,345 states".into(), Some(8)), "12,345 ");
        assert_eq!(fitting("12,345 states".into(), Some(80)), "12,345 states");
        assert_eq!(fitting("12,345 states".into(), None), "12,345 states");
    }
}
