//! What `measure` says of the shape of a state space, for people and for programs.

use crate::amount::{counted, grouped};
use crate::run::Run;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::{Value, json};
use std::fmt::Write;
use tightrope_search::{Histogram, LevelWidths, Locality, Share, StateSpaceShape};
use tightrope_store::STORES;

/// What may be long in the report of a measure, and is therefore written piece by piece.
pub struct MeasuredShape<'a> {
    /// The states of every level, if there was memory for all of them.
    level_widths: Option<&'a LevelWidths>,
    /// How many levels transitions span, if that is known.
    locality: Option<&'a Locality>,
}

impl<'a> MeasuredShape<'a> {
    /// What was measured in a run, if anything was.
    pub fn of(run: &'a Run) -> Option<MeasuredShape<'a>> {
        let shape = run.shape.as_ref()?;
        let level_widths = Some(&shape.level_widths).filter(|widths| widths.is_complete());
        Some(MeasuredShape { level_widths, locality: locality(run) })
    }

    /// The states of every level.
    pub fn widths(&self) -> impl Serialize + '_ {
        self.level_widths.map(Widths)
    }

    /// How many levels transitions span.
    pub fn locality(&self) -> impl Serialize + '_ {
        self.locality.map(LocalityReport)
    }
}

/// How many levels the transitions span, if there are levels and the ids of states tell them, also at the end.
pub fn locality(run: &Run) -> Option<&Locality> {
    run.shape.as_ref()?.locality.as_ref().filter(|_| run.ordered)
}

/// The figures of a measure; what is long is left to [`MeasuredShape`].
pub fn add_json(shape: &StateSpaceShape, value: &mut Value) {
    value["out_degree"] = json!({"mean": shape.mean_degree, "min": shape.min_degree, "max": shape.max_degree});
    value["level_widths"] = Value::Null;
    value["locality"] = Value::Null;
}

struct Widths<'a>(&'a LevelWidths);

impl Serialize for Widths<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter())
    }
}

struct LocalityReport<'a>(&'a Locality);

impl Serialize for LocalityReport<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Locality { backward, level, forward, local, loops, histogram } = self.0;
        let mut map = serializer.serialize_map(None)?;
        for (name, Share { mean, deviation }) in [("-1", backward), ("0", level), ("1", forward), ("sum", local)] {
            map.serialize_entry(name, &json!({"mean": mean, "sd": deviation}))?;
        }
        map.serialize_entry("histogram", &histogram.as_ref().map(Counts))?;
        map.serialize_entry("loops", loops)?;
        map.serialize_entry("back_edges", &histogram.as_ref().map(back_edges_json))?;
        map.end()
    }
}

/// Pairs of `k` and the number of k-transitions.
struct Counts<'a>(&'a Histogram);

impl Serialize for Counts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter())
    }
}

fn back_edges_json(histogram: &Histogram) -> Value {
    let Some(edges) = histogram.back_edges() else {
        return json!({"count": 0, "mean": null, "longest": null, "p50": null, "p90": null, "p99": null});
    };
    let [p50, p90, p99] = edges.quantiles;
    json!({"count": edges.count, "mean": edges.mean, "longest": edges.longest, "p50": p50, "p90": p90, "p99": p99})
}

/// What was measured, in lines.
pub fn text(shape: &StateSpaceShape, run: &Run) -> String {
    let figures = &run.outcome.figures;
    let mut text = String::new();
    let _ = writeln!(
        text,
        "  {}, {}; {:.2} successors on average, {} to {}",
        counted(figures.deadlocks, "deadlock"),
        counted(figures.ends, "valid end state"),
        shape.mean_degree,
        shape.min_degree,
        shape.max_degree
    );
    if figures.levels == 0 {
        return text;
    }
    let bits = run.loaded.model.schema().packed_bits(&run.loaded.initial());
    let depth = grouped(figures.depth);
    // States that are visited again have levels of their own.
    let (depth, one) = match run.eviction_stats() {
        Some(_) => (format!("{} of visits", counted(figures.levels, "level")), "visit"),
        None if run.outcome.stopped.is_some() => (format!("{depth} steps deep so far"), "state"),
        None => (format!("diameter {depth}"), "state"),
    };
    let _ = writeln!(
        text,
        "  {depth}, at most {} in a level; a state takes {}, {} with `--store bits`",
        counted(figures.widest_level, one),
        counted(run.loaded.initial().len() as u64, "byte"),
        bits.div_ceil(8)
    );
    match locality(run) {
        Some(locality) => locality_text(&mut text, locality),
        None => {
            let _ = writeln!(text, "  how many levels transitions span is not known: {}", why_unknown(run));
        }
    }
    text
}

fn locality_text(text: &mut String, locality: &Locality) {
    let percent = |share: &Share| format!("{:.1} % ± {:.1}", share.mean * 100.0, share.deviation * 100.0);
    let _ = writeln!(
        text,
        "  transitions that go one level back {}, stay {}, go one forward {}, together {}",
        percent(&locality.backward),
        percent(&locality.level),
        percent(&locality.forward),
        percent(&locality.local)
    );
    let loops = counted(locality.loops, "loop");
    let _ = match locality.histogram.as_ref().map(Histogram::back_edges) {
        None => writeln!(text, "  {loops}; there was no memory to count how far transitions go back"),
        Some(None) => writeln!(text, "  {loops}; no transition goes back"),
        Some(Some(edges)) if edges.count == 1 => {
            writeln!(text, "  {loops}; 1 transition goes back, by {}", counted(edges.longest, "level"))
        }
        Some(Some(edges)) => {
            let [half, most, nearly_all] = edges.quantiles.map(grouped);
            writeln!(
                text,
                "  {loops}; {} transitions go back, by {:.1} levels on average, {} at most: half of them by at most {half}, 90 % by at most {most}, \
                 99 % by at most {nearly_all}",
                grouped(edges.count),
                edges.mean,
                grouped(edges.longest),
            )
        }
    };
}

/// Why nobody knows how many levels the transitions span, and what to do.
pub fn why_unknown(run: &Run) -> String {
    if run.cached.is_some() {
        return "evicted states get new numbers when they are visited again; leave `--cache` out".into();
    }
    if run.sampled.is_some() {
        return "evicted states get new numbers when they are visited again; leave `--search snapshots` out".into();
    }
    let plain = STORES[0].name;
    if let Some(last) = run.history.last() {
        let form = last.to;
        return match run.changes_as_asked(last) {
            true => format!(
                "`{form}`, which the store became as asked, does not number states in order; try `--store {plain}`"
            ),
            false => format!(
                "memory ran short, and `{form}` does not number states in order; try `--store {plain}` with a larger --memory"
            ),
        };
    }
    format!("the store does not number states in the order in which they are found; try `--store {plain}`")
}
