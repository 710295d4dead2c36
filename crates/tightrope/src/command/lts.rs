//! `tightrope lts`: the labelled transition system, to a file.

use crate::advice;
use crate::amount::{bytes, counted};
use crate::arguments::LtsOptions;
use crate::output::{print, print_json, refuse_overwriting, tell, write};
use crate::report;
use crate::run::{Checks, Recorded, Run, budget, record};
use crate::watchdog::{self, Phase};
use crate::{Exit, Failure};
use serde_json::json;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use tightrope_aut::{AutWriter, Equivalence, Lts, LtsBuilder, Written, minimise};
use tightrope_core::{Budget, Model, Reason, Reservation, Verdict};

/// What was written, for the report.
struct Output {
    states: u64,
    written: Written,
}

/// Runs the command.
pub fn run(options: &LtsOptions) -> Result<Exit, Failure> {
    if tightrope_search::find(&options.search.search).is_ok_and(|search| !search.guarantees.levels) {
        return Err("error: a transition system is written breadth-first; leave `--search` out".into());
    }
    if options.search.cache.is_some() {
        return Err("error: a cache uses the numbers of evicted states again, and a transition system needs them; leave `--cache` out, or \
             use `--search snapshots`".into());
    }
    if options.search.reduce.iter().flatten().any(|name| name == "stubborn") {
        return Err("error: stubborn sets leave transitions out that belong to the transition system".into());
    }
    refuse_overwriting(&options.output, &options.search.model.model)?;
    let mut search = options.search.clone();
    // All of it, unless something else is asked for.
    search.reduce.get_or_insert_with(Vec::new);
    let mut options = LtsOptions { search, ..options.clone() };
    let mut folder = None;
    if options.output.as_os_str() == "-" {
        if options.search.json {
            return Err(
                "error: the transition system (`-o -`) and the report (`--json`) cannot both go to standard output"
                    .into(),
            );
        }
        // The first line says how many transitions there are, so the file is there before it is written.
        // Its folder is new, has a random name, and is nobody else's.
        let made = tempfile::Builder::new().prefix("tightrope-").tempdir();
        let made = made.map_err(|why| format!("error: cannot make a temporary folder: {why}"))?;
        options.output = made.path().join("system.aut");
        watchdog::note_partial(Some(made.path()));
        folder = Some(made);
    }
    let (run, output) = match options.minimise {
        None => stream(&options, folder.as_ref().map(TempDir::path))?,
        Some(equivalence) => collect(&options, equivalence)?,
    };
    if let Some(folder) = folder {
        output.as_ref().map_or(Ok(()), |_| copy(&options.output))?;
        drop(folder);
        watchdog::note_partial(None);
        options.output = "-".into();
        tell(text(&options, &run, output.as_ref()).trim_end());
    } else {
        report(&options, &run, output.as_ref())?;
    }
    Ok(if output.is_some() { Exit::Holds } else { Exit::Undecided })
}

/// Copies a file to standard output.
fn copy(path: &Path) -> Result<(), String> {
    let mut file = File::open(path).map_err(|why| format!("error: cannot read `{}`: {why}", path.display()))?;
    write(|out| io::copy(&mut file, out).map(drop))
}

fn cannot_write(path: &Path) -> impl Fn(io::Error) -> String + '_ {
    move |why| format!("error: cannot write `{}`: {why}", path.display())
}

/// Writes every transition when it is found, in the temporary folder if there is one.
fn stream(options: &LtsOptions, folder: Option<&Path>) -> Result<(Run, Option<Output>), Failure> {
    let cannot_write = cannot_write(&options.output);
    let mut writer = AutWriter::create(&options.output).map_err(&cannot_write)?;
    watchdog::note_partial(Some(folder.unwrap_or(writer.temporary())));
    let mut failure = None;
    let run = record(
        &options.search,
        Checks { output: Some(&options.output), ..Checks::default() },
        Some(Box::new(|from, label, to| match writer.transition(from, label, to) {
            Ok(()) => true,
            Err(why) => {
                failure.get_or_insert(why);
                false
            }
        })),
        None,
    )?;
    if let Some(why) = failure {
        return Err(cannot_write(why).into());
    }
    let Some(recorded) = complete(&run) else { return Ok((run, None)) };
    let (initial, states) = start(run.loaded.model.as_ref(), recorded, |from, label, to| {
        writer.transition(from, label, to).map_err(&cannot_write)
    })?;
    let written = writer.finish(initial, states).map_err(&cannot_write)?;
    watchdog::note_partial(folder);
    Ok((run, Some(Output { states, written })))
}

/// The bytes that are set aside for a transition while it is collected: vectors that grow take up to three times what is in
/// them for a moment.
const COLLECTED: u64 = 3 * 16;
/// For so many transitions at a time.
const ROOM: u64 = 4096;
/// What minimising takes for a transition and for a state, by measurement, with something to spare.
const MINIMISED: [u64; 2] = [56, 64];

/// Transitions in memory, on the budget.
struct Collected {
    builder: LtsBuilder,
    reservation: Reservation,
    /// For so many more there is memory.
    room: u64,
    /// What was taken for labels.
    labels: u64,
    /// The memory did not suffice.
    refused: bool,
}

impl Collected {
    fn new(budget: &Arc<Budget>) -> Self {
        let (builder, reservation) = (LtsBuilder::default(), Reservation::new(budget.clone()));
        Collected { builder, reservation, room: 0, labels: 0, refused: false }
    }

    /// Adds a transition; false if there is no room, or if numbers are too large.
    fn add(&mut self, from: u64, label: &str, to: u64) -> bool {
        if self.room == 0 {
            // They may double before they are looked at again.
            let labels = 3 * self.builder.labels.bytes() + 64 * ROOM;
            let more = COLLECTED * ROOM + labels.saturating_sub(self.labels);
            if self.reservation.take(more).is_err() {
                self.refused = true;
                return false;
            }
            (self.room, self.labels) = (ROOM, labels.max(self.labels));
        }
        self.room -= 1;
        let label = self.builder.labels.number(label);
        match (u32::try_from(from), u32::try_from(to)) {
            (Ok(from), Ok(to)) => self.builder.add(from, label, to),
            _ => false,
        }
    }
}

/// Collects all transitions, and writes the smallest equivalent system.
fn collect(options: &LtsOptions, equivalence: Equivalence) -> Result<(Run, Option<Output>), Failure> {
    let budget = budget(&options.search);
    let mut collected = Collected::new(&budget);
    let mut too_large = false;
    let mut run = record(
        &options.search,
        Checks { output: Some(&options.output), ..Checks::default() },
        Some(Box::new(|from, label, to| {
            let added = collected.add(from, label, to);
            too_large |= !added;
            added
        })),
        Some(budget.clone()),
    )?;
    let size = "error: more than 4,294,967,294 states or transitions cannot be minimised";
    if too_large && !collected.refused {
        return Err(size.into());
    }
    let mut start_at = None;
    if let Some(recorded) = complete(&run).filter(|_| !collected.refused) {
        let started = start(run.loaded.model.as_ref(), recorded, |from, label, to| {
            if collected.add(from, label, to) || collected.refused { Ok(()) } else { Err(size.to_string()) }
        });
        start_at = Some(started?);
    }
    let [transition, state] = MINIMISED;
    let states = run.recorded.as_ref().map_or(0, |recorded| recorded.states);
    if let Some(recorded) = &mut run.recorded {
        recorded.collected = true;
    }
    let needed = transition * run.outcome.figures.transitions + state * states;
    if collected.refused || start_at.is_some() && collected.reservation.take(needed).is_err() {
        run.outcome.verdict = Verdict::Undecided(Reason::Memory);
        run.outcome.stopped = Some(Reason::Memory);
    }
    let Some((initial, states)) = start_at.filter(|_| complete(&run).is_some()) else { return Ok((run, None)) };
    let (initial, states) = (u32::try_from(initial).unwrap_or(u32::MAX), u32::try_from(states).unwrap_or(u32::MAX));
    let lts: Lts = collected.builder.finish(initial, states).ok_or(size)?;
    watchdog::phase(Phase::Comparing);
    watchdog::count_what_is_not_touched_yet();
    let small = minimise(&lts, equivalence);
    let written = tightrope_aut::write(&options.output, &small).map_err(cannot_write(&options.output))?;
    Ok((run, Some(Output { states: u64::from(small.states()), written })))
}

/// What was recorded, if all of it was.
fn complete(run: &Run) -> Option<&Recorded> {
    run.recorded.as_ref().filter(|_| matches!(run.outcome.verdict, Verdict::Holds(_)))
}

/// The number of the initial state, and how many states there are. Where the model has several initial states, one more
/// state has steps to all of them.
fn start(
    model: &dyn Model,
    recorded: &Recorded,
    mut add: impl FnMut(u64, &str, u64) -> Result<(), String>,
) -> Result<(u64, u64), String> {
    if recorded.initial.first().is_some_and(|_| recorded.initial.iter().all(|&state| state == 0)) {
        return Ok((0, recorded.states));
    }
    let fresh = recorded.states;
    for (number, &state) in recorded.initial.iter().enumerate() {
        let mut label = String::from("start");
        if let Some(text) = model.describe_initial(number as u32) {
            label.clear();
            text.append(0, &mut label);
        }
        add(fresh, &label, state)?;
    }
    Ok((fresh, fresh + 1))
}

fn report(options: &LtsOptions, run: &Run, output: Option<&Output>) -> Result<(), String> {
    let path = options.output.display();
    if options.search.json {
        let mut value = report::json("lts", &options.search, run);
        value["output"] = match output {
            Some(output) => json!({
                "path": path.to_string(),
                "states": output.states,
                "transitions": output.written.transitions,
                "bytes": output.written.bytes,
                "minimised": options.minimise.map(Equivalence::name),
            }),
            None => serde_json::Value::Null,
        };
        return print_json(&value);
    }
    print(&text(options, run, output))
}

/// The report for people.
fn text(options: &LtsOptions, run: &Run, output: Option<&Output>) -> String {
    let path = options.output.display();
    let model = options.search.model.model.display();
    let mut text = match output {
        Some(Output { states, written }) => {
            let how =
                options.minimise.map_or(String::new(), |one| format!(" (smallest up to {} bisimilarity)", one.name()));
            format!(
                "{path}: {}, {}, {}{how}\n",
                counted(*states, "state"),
                counted(written.transitions, "transition"),
                bytes(written.bytes)
            )
        }
        None => format!("{path}: not written, since {model} was not explored completely ({})\n", why(run)),
    };
    if !options.search.quiet {
        text.push_str(&report::figures_text(run));
        if let Some(advice) = advice::advice(&options.search, run) {
            text.push_str(&advice);
            text.push('\n');
        }
    }
    text
}

fn why(run: &Run) -> &'static str {
    run.outcome.stopped.map_or("states may have been left out", Reason::name)
}
