//! `tightrope measure`: the shape of the state space.

use crate::arguments::{MeasureOptions, SearchOptions};
use crate::counterexample::Report;
use crate::output::{Promised, print, print_json, refuse_overwriting};
use crate::plot::{self, Picture};
use crate::run::{Checks, Run, run as search};
use crate::shape::{self, MeasuredShape};
use crate::{Exit, Failure, advice, machine, report, verdict_scope};
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::path::Path;
use tightrope_core::{Claim, Verdict};
use tightrope_search::LevelWidths;

/// Where nobody says how many columns there are.
const COLUMNS: usize = 80;

/// Runs the command.
pub fn run(options: &MeasureOptions) -> Result<Exit, Failure> {
    let as_text = options.plot.as_deref().is_some_and(|path| path.as_os_str() == "-");
    let file = match options.plot.as_deref() {
        Some(path) => promise(path, &options.search)?,
        None => None,
    };
    let output = options.plot.as_deref().filter(|_| !as_text);
    let options = &options.search;
    let run = search(options, Checks { measure: true, output, ..Checks::default() })?;
    let complete = matches!(run.outcome.verdict, Verdict::Holds(_));
    if let Some(file) = file {
        let image = plot::svg(&picture(options, &run))?;
        file.keep(|out| out.write_all(image.as_bytes()))?;
    }
    if options.json {
        let mut value = report::json("measure", options, &run);
        if let Some(shape) = &run.shape {
            shape::add_json(shape, &mut value);
        }
        print_json(&Report { value: &value, violation: None, shape: MeasuredShape::of(&run) })?;
    } else {
        let columns = machine::terminal_width(&io::stdout()).unwrap_or(COLUMNS);
        let columns = (as_text || io::stdout().is_terminal()).then_some(columns);
        print(&text(options, &run, columns))?;
    }
    Ok(if complete { Exit::Holds } else { Exit::Undecided })
}

/// Makes the file of a picture before the search; none where it is drawn as text.
fn promise<'p>(path: &'p Path, options: &SearchOptions) -> Result<Option<Promised<'p>>, String> {
    if tightrope_search::find(&options.search).is_ok_and(|search| !search.guarantees.levels) {
        return Err(
            "error: `--plot` draws levels, which a depth-first search does not have; leave `--search` out".into()
        );
    }
    if path.as_os_str() != "-" {
        refuse_overwriting(path, &options.model.model)?;
        if path.extension().is_some_and(|ending| !ending.eq_ignore_ascii_case("svg")) {
            let path = path.display();
            return Err(format!(
                "error: `--plot` writes SVG, but the name `{path}` ends otherwise; try: --plot {path}.svg"
            ));
        }
        return Promised::new(path).map(Some);
    }
    match [("--json", options.json), ("--quiet", options.quiet)].into_iter().find(|(_, given)| *given) {
        None => Ok(None),
        Some((other, _)) => {
            Err(format!("error: `--plot -` draws on standard output, where `{other}` has nothing but the report"))
        }
    }
}

fn picture<'r>(options: &SearchOptions, run: &'r Run) -> Picture<'r> {
    let model = options.model.model.file_name().unwrap_or_default().to_string_lossy();
    let complete = matches!(run.outcome.verdict, Verdict::Holds(Claim::Exact));
    Picture {
        title: format!("{model}{}", if complete { "" } else { " (not complete)" }),
        level_widths: run.shape.as_ref().map(|shape| &shape.level_widths).filter(|widths| widths.is_complete()),
        locality: shape::locality(run).ok_or_else(|| shape::why_unknown(run)),
    }
}

/// The report for people, with a picture in so many columns.
fn text(options: &SearchOptions, run: &Run, columns: Option<usize>) -> String {
    let model = options.model.model.display();
    let reduced = verdict_scope::reduced(&run.reduce).map_or(String::new(), |how| format!(" (reduced: {how})"));
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
        text.push_str(&shape::text(shape, run));
        match columns {
            Some(columns) => text.push_str(&plot::terminal(&picture(options, run), columns)),
            None => text.push_str(&profile_line(&shape.level_widths)),
        }
    }
    if let Some(advice) = advice::advice(options, run) {
        let _ = writeln!(text, "{advice}");
    }
    text
}

/// The widths of the levels in one line.
fn profile_line(widths: &LevelWidths) -> String {
    if widths.is_empty() || !widths.is_complete() {
        return String::new();
    }
    let line = plot::line(widths, COLUMNS);
    format!("  levels: {line}\n")
}
