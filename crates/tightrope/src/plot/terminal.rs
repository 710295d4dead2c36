//! The picture in characters, for a terminal.

use super::{Bar, LOOPS, Picture, bars, profile};
use crate::amount::grouped;
use std::fmt::Write;
use tightrope_search::{Histogram, LevelWidths};

/// The lines of the profile of levels, without its axis.
const HEIGHT: u64 = 8;
/// A level takes at most so many columns, and a picture at most so many.
const LEVEL_COLUMNS: usize = 6;
const MOST_COLUMNS: usize = 160;
const LEAST_COLUMNS: usize = 24;

/// A column that is filled by so many eighths, from below.
const RISING: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// From the left.
const GROWING: [&str; 9] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"];

/// Draws the picture in lines of so many columns.
pub fn terminal(picture: &Picture<'_>, columns: usize) -> String {
    let columns = columns.clamp(LEAST_COLUMNS, MOST_COLUMNS);
    let mut text = String::new();
    if let Some(widths) = picture.level_widths.filter(|widths| !widths.is_empty()) {
        draw_levels(&mut text, widths, columns);
    }
    if let Ok(locality) = &picture.locality
        && let Some(histogram) = &locality.histogram
    {
        draw_spans(&mut text, histogram, locality.loops, columns);
    }
    text
}

/// A column of characters for each level, or for a few levels the widest of them.
fn draw_levels(text: &mut String, widths: &LevelWidths, columns: usize) {
    let label = grouped(widths.widest());
    let indent = label.chars().count().max(1) + 2;
    let room = columns.saturating_sub(indent + 2).max(1);
    let profile = profile(widths, room);
    let each = (room / profile.len()).clamp(1, LEVEL_COLUMNS);
    let widest = widths.widest().max(1);
    let _ = writeln!(text, "\n  states per level");
    for line in (0..HEIGHT).rev() {
        let label = if line == HEIGHT - 1 { label.as_str() } else { "" };
        let mut row = format!("{label:>indent$} │");
        for &width in &profile {
            // No level is empty, so each shows.
            let eighths = (u128::from(width) * u128::from(8 * HEIGHT)).div_ceil(u128::from(widest)) as u64;
            let block = RISING[eighths.saturating_sub(8 * line).min(8) as usize];
            row.extend(std::iter::repeat_n(block, each));
        }
        let _ = writeln!(text, "{}", row.trim_end());
    }
    let drawn = profile.len() * each;
    let _ = writeln!(text, "{:>indent$} └{}", "0", "─".repeat(drawn));
    let last = grouped(widths.len() - 1);
    let gap = drawn.saturating_sub(1 + last.len());
    let _ = match widths.len() {
        1 => writeln!(text, "{:>indent$}  0", ""),
        _ => writeln!(text, "{:>indent$}  0{}{last}", "", " ".repeat(gap.max(1))),
    };
}

/// A line for each bar; lengths are logarithms.
fn draw_spans(text: &mut String, histogram: &Histogram, loops: u64, columns: usize) {
    let total = histogram.total();
    let bars = bars(histogram, loops);
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(0);
    let labels = bars.iter().map(|bar| bar.label.chars().count()).max().unwrap_or(0);
    let counts = grouped(most).len();
    // Label, count, share, and the spaces between them.
    let room = columns.saturating_sub(2 + labels + 2 + counts + 2 + 7 + 2).max(4);
    let _ = writeln!(text, "\n  transitions by the levels they span (bars are logarithms)");
    for Bar { label, count } in &bars {
        let scale = ((*count + 1) as f64).ln() / ((most + 1) as f64).ln().max(f64::MIN_POSITIVE);
        let eighths = (scale * (8 * room) as f64).round() as usize;
        let bar = format!("{}{}", "█".repeat(eighths / 8), GROWING[eighths % 8]);
        let share = match label.as_str() {
            LOOPS => String::new(),
            _ => format!("{:.2} %", *count as f64 / total.max(1) as f64 * 100.0),
        };
        let line = format!("  {label:>labels$}  {:>counts$}  {share:>8} {bar}", grouped(*count));
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

/// The states of the levels in one line of at most so many columns.
pub fn line(widths: &LevelWidths, columns: usize) -> String {
    let eighths = |&width: &u64| (width * 8).div_ceil(widths.widest().max(1)).min(8) as usize;
    profile(widths, columns).iter().map(eighths).map(|eighths| RISING[eighths]).collect()
}
