//! `tightrope measure`: the shape of the state space.

use crate::Exit;
use crate::amount::counted;
use crate::arguments::SearchOptions;
use crate::counterexample::Report;
use crate::output::{print, print_json};
use crate::report::{self, share_json};
use crate::run::{Checks, Run, run as search};
use crate::worth;
use serde_json::json;
use std::fmt::Write;
use tightrope_core::{Claim, Verdict};
use tightrope_search::Shape;

/// Runs the command.
pub fn run(options: &SearchOptions) -> Result<Exit, String> {
    let run = search(options, Checks { measure: true, ..Checks::default() })?;
    let complete = matches!(run.outcome.verdict, Verdict::Holds(_));
    if options.json {
        let mut value = report::json("measure", options, &run);
        if let Some(shape) = &run.shape {
            value["out_degree"] = json!({"mean": shape.mean_degree, "min": shape.min_degree, "max": shape.max_degree});
            value["level_widths"] = serde_json::Value::Null;
            value["locality"] = if run.outcome.figures.levels > 0 && run.ordered {
                json!({
                    "-1": share_json(&shape.backward),
                    "0": share_json(&shape.level),
                    "1": share_json(&shape.forward),
                    "sum": share_json(&shape.local),
                })
            } else {
                serde_json::Value::Null
            };
        }
        let widths = run.shape.as_ref().map(|shape| &shape.level_widths).filter(|widths| widths.is_complete());
        print_json(&Report { value: &value, violation: None, level_widths: widths })?;
    } else {
        print(&text(options, &run))?;
    }
    Ok(if complete { Exit::Holds } else { Exit::Undecided })
}

fn text(options: &SearchOptions, run: &Run) -> String {
    let model = options.model.model.display();
    let reduced = worth::reduced(&run.reduce).map_or(String::new(), |how| format!(" (reduced: {how})"));
    let mut text = match &run.outcome.verdict {
        Verdict::Undecided(reason) => format!("{model}: not complete ({}){reduced}\n", reason.name()),
        Verdict::Holds(Claim::Exact) => format!("{model}: complete{reduced}\n"),
        _ => format!("{model}: explored to the end, but states may have been left out{reduced}\n"),
    };
    if options.quiet {
        return text;
    }
    text.push_str(&report::figures_text(run));
    if let Some(shape) = &run.shape {
        shape_text(&mut text, shape, run);
    }
    if let Some(advice) = report::advice(options, run) {
        let _ = writeln!(text, "{advice}");
    }
    text
}

fn shape_text(text: &mut String, shape: &Shape, run: &Run) {
    let figures = &run.outcome.figures;
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
        return;
    }
    let percent =
        |share: &tightrope_search::Share| format!("{:.1} % ± {:.1}", share.mean * 100.0, share.deviation * 100.0);
    if run.ordered {
        let _ = writeln!(
            text,
            "  transitions that go one level back {}, stay {}, go one forward {}, together {}",
            percent(&shape.backward),
            percent(&shape.level),
            percent(&shape.forward),
            percent(&shape.local)
        );
    }
    let widths = &shape.level_widths;
    if !widths.is_complete() {
        return;
    }
    let bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let group = widths.len().div_ceil(80).max(1) as usize;
    let mut line = String::new();
    let mut widths_left = widths.iter();
    while let Some(width) = widths_left.by_ref().take(group).max() {
        line.push(bars[((width * 7).div_ceil(widths.widest().max(1)) as usize).min(7)]);
    }
    let _ = writeln!(text, "  levels: {line}");
}
