//! Pictures of what `measure` counts: the width of the levels, and how many levels transitions span.
//!
//! What is drawn is prepared here, at a size that does not grow with the state space: columns, bars, points. `terminal.rs` draws it
//! with characters, `svg.rs` as an SVG image.

mod svg;
mod terminal;

pub use svg::svg;
pub use terminal::{line, terminal};

use crate::amount::grouped;
use tightrope_search::{Histogram, LevelWidths, Locality};

/// What is drawn.
pub struct Picture<'a> {
    /// What it is about.
    pub title: String,
    /// The states of every level, if all are known.
    pub level_widths: Option<&'a LevelWidths>,
    /// How many levels transitions span, or why that is not known.
    pub locality: Result<&'a Locality, String>,
}

/// So many levels back have a bar each; further back a bar stands for twice as many levels as the one before.
const SINGLE: u64 = 8;

const LOOPS: &str = "loops";

/// A bar: transitions that span so many levels.
#[derive(Debug, PartialEq)]
struct Bar {
    label: String,
    count: u64,
}

/// A bar for every `k` from 1 to -8, then for ever longer ranges, and one for loops if there are any.
fn bars(histogram: &Histogram, loops: u64) -> Vec<Bar> {
    let mut ends: Vec<u64> = (1..=SINGLE).collect();
    let longest = histogram.by_length().last().map_or(0, |(length, _)| length);
    ends.retain(|&end| end <= longest);
    while let Some(&end) = ends.last()
        && end < longest
    {
        ends.push((2 * end).min(longest));
    }
    let single = |label: &str| Bar { label: label.into(), count: 0 };
    let mut bars = vec![single("1"), single("0")];
    let mut before = 0;
    for &end in &ends {
        bars.push(match end - before {
            1 => single(&format!("−{}", grouped(end))),
            _ => single(&format!("−{}…−{}", grouped(before + 1), grouped(end))),
        });
        before = end;
    }
    for (k, count) in histogram.iter() {
        let bar = match u64::try_from(-k) {
            Err(_) => 0,
            Ok(back) => 1 + ends.partition_point(|&end| end < back) + usize::from(back > 0),
        };
        bars[bar].count += count;
    }
    if loops > 0 {
        bars.push(Bar { label: LOOPS.into(), count: loops });
    }
    bars
}

/// The states of the levels in at most so many columns, each the most of the levels that it stands for.
fn profile(widths: &LevelWidths, columns: usize) -> Vec<u64> {
    let (levels, columns) = (widths.len(), (columns as u64).min(widths.len()));
    let mut most = vec![0; columns as usize];
    for (level, width) in widths.iter().enumerate() {
        let column = (u128::from(columns) * level as u128 / u128::from(levels)) as usize;
        most[column] = most[column].max(width);
    }
    most
}

/// For lengths up to the longest, about `points` of them at even distances of their logarithms: the share of the back edges that
/// are not longer, in percent.
fn cumulative(histogram: &Histogram, points: f64) -> Vec<(u64, f64)> {
    let Some(edges) = histogram.back_edges() else { return Vec::new() };
    let place = |length: u64| ((length as f64).ln() / (edges.longest as f64).ln().max(1.0) * points) as u64;
    let mut found: Vec<(u64, f64)> = Vec::new();
    let mut so_far = 0;
    for (length, count) in histogram.by_length() {
        so_far += count;
        if found.last().is_some_and(|&(last, _)| place(last) == place(length)) {
            found.pop();
        }
        found.push((length, so_far as f64 / edges.count as f64 * 100.0));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tightrope_core::{Budget, Found, Observe, StateId, Step};
    use tightrope_search::{Measure, StateSpaceShape};

    /// A chain of so many states, one in each level, and steps back from the last of them to those given.
    fn chain(states: u64, back_to: &[u64]) -> StateSpaceShape {
        let mut measure = Measure::new(&Arc::new(Budget::unlimited()));
        measure.initial(Found::New(StateId(0)), &[]);
        for state in 0..states {
            measure.level(state, 1);
            measure.expand(StateId(state), &[], 1);
            if state + 1 < states {
                measure.step(StateId(state), Step::default(), Found::New(StateId(state + 1)), &[]);
                continue;
            }
            for &to in back_to {
                measure.step(StateId(state), Step::default(), Found::Seen(StateId(to)), &[]);
            }
        }
        measure.finish()
    }

    fn histogram(shape: &StateSpaceShape) -> &Histogram {
        shape.locality.as_ref().and_then(|locality| locality.histogram.as_ref()).expect("it was counted")
    }

    #[test]
    fn long_tails_are_folded() {
        let shape = chain(101, &[99, 92, 91, 84, 83, 5, 0]);
        let bars = bars(histogram(&shape), 2);
        let found: Vec<(&str, u64)> = bars.iter().map(|bar| (bar.label.as_str(), bar.count)).collect();
        let ranges = [("−9…−16", 2), ("−17…−32", 1), ("−33…−64", 0), ("−65…−100", 2), (LOOPS, 2)];
        assert_eq!((found[0], found[2], found[9]), (("1", 100), ("−1", 1), ("−8", 1)));
        assert_eq!(found[10..], ranges);
        let all: u64 = bars.iter().map(|bar| bar.count).sum();
        assert_eq!(all, histogram(&shape).total() + 2);
        let none = chain(5, &[]);
        assert_eq!(super::bars(histogram(&none), 0).len(), 2);
        assert!(cumulative(histogram(&none), 9.0).is_empty());
    }

    #[test]
    fn a_profile_has_the_most_of_each_column() {
        let mut widths = LevelWidths::new(&Arc::new(Budget::unlimited()));
        (0..1000).for_each(|level| widths.push(if level == 777 { 5000 } else { level }));
        let columns = profile(&widths, 10);
        assert_eq!(columns, [99, 199, 299, 399, 499, 599, 699, 5000, 899, 999]);
        assert_eq!(profile(&widths, 5000).len(), 1000);
        assert_eq!(profile(&chain(1, &[]).level_widths, 80), [1]);
    }

    #[test]
    fn shares_end_at_everything() {
        let shape = chain(100_000, &(0..90_000).collect::<Vec<u64>>());
        let points = cumulative(histogram(&shape), 200.0);
        assert!(points.len() <= 201 && points.is_sorted_by(|one, next| one.0 < next.0 && one.1 < next.1));
        assert_eq!(points.last(), Some(&(99_999, 100.0)));
    }

    #[test]
    fn pictures_fit() {
        let shape = chain(3_000_000, &[2_999_998, 5]);
        let locality = Ok(shape.locality.as_ref().expect("ids are in order"));
        let picture = Picture { title: "a <&> b".into(), level_widths: Some(&shape.level_widths), locality };
        for columns in [24, 40, 80, 100, 400] {
            let text = terminal(&picture, columns);
            assert!(text.lines().all(|line| line.chars().count() <= columns.max(60)), "{columns}:\n{text}");
            assert!(text.lines().take_while(|line| !line.contains("transitions")).count() <= 14, "{text}");
        }
        let image = svg(&picture).expect("it can be drawn");
        assert!(image.starts_with("<svg") && image.trim_end().ends_with("</svg>") && image.len() < 100_000);
        assert!(image.contains("a &lt;&amp;&gt; b") && image.contains("viewBox"), "{}", &image[..400]);
    }
}
