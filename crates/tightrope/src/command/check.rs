//! `tightrope check`: verifies.

use crate::advice::{self, quoted};
use crate::arguments::CheckOptions;
use crate::counterexample::{Counterexample, Report, TraceFile};
use crate::language::Loaded;
use crate::output::{Promised, print_json, refuse_overwriting, tell, write};
use crate::report;
use crate::run::{Checks, Run, run as search};
use crate::watchdog;
use crate::{Exit, Failure};
use serde_json::{Value, json};
use std::io;
use tightrope_core::{Claim, Reason, Verdict, Violation, resident_bytes};
use tightrope_trace::text;

/// Runs the command.
pub fn run(options: &CheckOptions) -> Result<Exit, Failure> {
    let goal = options.goal.as_deref();
    let checks = Checks {
        check: true,
        deadlock: !options.no_deadlock,
        all: options.all,
        goal,
        output: options.trace.as_deref(),
        ..Checks::default()
    };
    if let Some(trace) = &options.trace {
        refuse_overwriting(trace, &options.search.model.model)?;
    }
    let file = options.trace.as_deref().map(Promised::new).transpose()?;
    let mut run = search(&options.search, checks)?;
    if let Verdict::Holds(Claim::Hashed { omission }) = run.outcome.verdict
        && omission > options.omission
    {
        run.omission = Some(omission);
        run.outcome.verdict = Verdict::Undecided(Reason::Omission);
        run.outcome.stopped = Some(Reason::Omission);
    }
    let open = !run.loaded.unchecked.is_empty() && !run.loaded.no_claims && goal.is_none();
    if open && matches!(run.outcome.verdict, Verdict::Holds(_)) {
        // Not all that the file asks for is known.
        run.outcome.verdict = Verdict::Undecided(Reason::Property);
        run.outcome.stopped = Some(Reason::Property);
    }
    if let Verdict::Violated(violation) = &mut run.outcome.verdict {
        confirm(&run.loaded, violation)?;
        if let Some(file) = file {
            file.keep(|out| {
                let saved = TraceFile::new(&options.search.model, goal, &run.loaded, violation);
                serde_json::to_writer_pretty(out, &saved).map_err(Into::into)
            })?;
        }
    }
    if let (Verdict::Holds(_) | Verdict::Undecided(_), Some(trace)) = (&run.outcome.verdict, &options.trace)
        && trace.is_file()
        && std::fs::metadata(trace).is_ok_and(|data| data.len() > 0)
    {
        tell(format_args!(
            "note: there is no counterexample; `{}` is left unchanged from an earlier run",
            trace.display()
        ));
    }
    run.peak_resident = resident_bytes().map(|(_, peak)| peak);
    let violation = match &run.outcome.verdict {
        Verdict::Violated(violation) => Some(Counterexample { model: run.loaded.model.as_ref(), violation }),
        _ => None,
    };
    if options.search.json {
        let mut value = report::json("check", &options.search, &run);
        value["unreached"] = unreached(&run).map_or(Value::Null, |steps| {
            steps.into_iter().map(|(place, text)| json!({"at": place, "text": text})).collect()
        });
        print_json(&Report { value: &value, violation, shape: None })?;
    } else {
        write(|out| page(options, &run, violation, out))?;
    }
    Ok(match run.outcome.verdict {
        Verdict::Holds(_) => Exit::Holds,
        Verdict::Violated(_) => Exit::Violated,
        Verdict::Undecided(_) => Exit::Undecided,
    })
}

/// Nothing is shown that the reference interpreter does not confirm: the fault becomes the one that the replay shows.
fn confirm(loaded: &Loaded, violation: &mut Violation) -> Result<(), Failure> {
    let shown = loaded.replay(violation);
    violation.fault =
        shown.map_err(|why| Failure::Defect(format!("tightrope: a counterexample does not replay: {why}")))?;
    Ok(())
}

fn page(
    options: &CheckOptions,
    run: &Run,
    violation: Option<Counterexample<'_>>,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let search = &options.search;
    writeln!(out, "{}", report::verdict_line(run, &search.model.model.display().to_string()))?;
    if search.quiet {
        return Ok(());
    }
    if let Some(Counterexample { model, violation }) = violation {
        writeln!(out)?;
        let goes_on = watchdog::report_goes_on();
        text::write(model, violation, text::TextOptions { all: options.full, goes_on: &goes_on }, out)?;
        writeln!(out)?;
        if run.outcome.figures.violations > 1 {
            writeln!(out, "{}", report::faults_text(run))?;
        }
        if let Some(path) = &options.trace {
            let [model, path] = [&search.model.model, path].map(|path| quoted(&path.display().to_string()));
            writeln!(out, "saved; see it again with: tightrope replay {model} {path}\n")?;
        }
    }
    write!(out, "{}", report::figures_text(run))?;
    if let Some(advice) = advice::advice(search, run) {
        writeln!(out, "{advice}")?;
    }
    for claim in &run.loaded.unchecked {
        writeln!(out, "  not checked: {}", claim.text)?;
    }
    let unreached = unreached(run).unwrap_or_default();
    if !unreached.is_empty() {
        writeln!(out, "never executed:")?;
    }
    unreached.iter().try_for_each(|(place, what)| writeln!(out, "  {place}  {what}"))
}

/// What no run executes: known only after every state was visited for certain.
fn unreached(run: &Run) -> Option<Vec<(String, String)>> {
    let open = run.outcome.stopped.is_some_and(|reason| reason != Reason::Property);
    let holds = matches!(run.outcome.verdict, Verdict::Holds(_) | Verdict::Undecided(Reason::Property));
    if run.reduce.contains(&"stubborn") || open || !holds || !run.is_exact {
        return None;
    }
    let steps = run.unreached();
    let line = |step: tightrope_core::StepText| {
        let actor = if step.actor.is_empty() { String::new() } else { format!("{}: ", step.actor) };
        (format!("{}:{}", step.at.file, step.at.line), format!("{actor}{}", step.action))
    };
    Some(steps.into_iter().map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Exit;
    use crate::arguments::ModelOptions;
    use crate::language;
    use std::path::Path;
    use tightrope_core::{Fault, FaultKind, Place, Trace};

    #[test]
    fn what_does_not_replay_is_a_defect_and_never_shown() {
        let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/murphi/rw_upgrade_deadlock.m");
        let loaded = language::load(&ModelOptions::only(model), None).expect("a model");
        // Its initial state is no deadlock.
        let fault = Fault { kind: FaultKind::Deadlock, message: "stuck".into(), at: Place::default() };
        let failure = confirm(&loaded, &mut Violation { fault, trace: Trace::default() }).expect_err("no such fault");
        assert_eq!(failure.exit(), Exit::Defect);
        assert!(failure.message().contains("does not replay"), "{failure:?}");
    }
}
