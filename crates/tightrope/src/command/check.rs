//! `tightrope check`: verifies.

use super::{print, print_json};
use crate::Exit;
use crate::arguments::CheckOptions;
use crate::report;
use crate::run::{Checks, Run, run as search};
use serde_json::{Value, json};
use std::fmt::Write;
use tightrope_core::{Reason, Verdict, Violation};
use tightrope_trace::{Replayed, Saved};

/// Runs the command.
pub fn run(options: &CheckOptions) -> Result<Exit, String> {
    let goal = options.goal.as_deref();
    let checks = Checks { check: true, deadlock: !options.no_deadlock, all: options.all, measure: false, goal };
    let mut run = search(&options.search, checks)?;
    let open = !run.loaded.unchecked.is_empty() && !run.loaded.no_claims && goal.is_none();
    if open && matches!(run.outcome.verdict, Verdict::Holds(_)) {
        // Not all that the file asks for is known.
        run.outcome.verdict = Verdict::Undecided(Reason::Property);
        run.outcome.stopped = Some(Reason::Property);
    }
    if let Some(defect) = &run.defect {
        eprintln!("tightrope: the audit found a defect of the partial-order reduction: {defect}");
        return Ok(Exit::Defect);
    }
    // Nothing is shown that the reference interpreter does not confirm.
    let replayed = match &run.outcome.verdict {
        Verdict::Violated(violation) => match run.loaded.replay(violation) {
            Ok(replayed) => Some(replayed),
            Err(why) => {
                eprintln!("tightrope: a counterexample does not replay: {why}");
                return Ok(Exit::Defect);
            }
        },
        _ => None,
    };
    if let (Some(path), Verdict::Violated(violation)) = (&options.trace, &run.outcome.verdict) {
        let text = format!("{:#}\n", saved_json(options, &run, violation));
        std::fs::write(path, text).map_err(|why| format!("error: cannot write `{}`: {why}", path.display()))?;
    }
    if options.search.json {
        let mut json = report::json("check", &options.search, &run, replayed.as_ref());
        json["unreached"] = unreached(&run).map_or(Value::Null, |steps| {
            steps.into_iter().map(|(place, text)| json!({"at": place, "text": text})).collect()
        });
        print_json(&json);
    } else {
        print(&text(options, &run, replayed.as_ref()));
    }
    Ok(match run.outcome.verdict {
        Verdict::Holds(_) => Exit::Holds,
        Verdict::Violated(_) => Exit::Violated,
        Verdict::Undecided(_) => Exit::Undecided,
    })
}

fn text(options: &CheckOptions, run: &Run, replayed: Option<&Replayed>) -> String {
    let search = &options.search;
    let mut text = report::verdict_line(run, &search.model.model.display().to_string());
    text.push('\n');
    if search.quiet {
        return text;
    }
    if let Some(replayed) = replayed {
        let _ = write!(text, "\n{}\n", report::trace_text(replayed));
        if run.outcome.figures.violations > 1 {
            let _ = writeln!(text, "{} violations in all; this is the first", run.outcome.figures.violations);
        }
        if let Some(path) = &options.trace {
            let model = search.model.model.display();
            let _ = writeln!(text, "saved; see it again with: tightrope replay {model} {}\n", path.display());
        }
    }
    text.push_str(&report::figures_text(run));
    if let Some(advice) = report::advice(search, run) {
        let _ = writeln!(text, "{advice}");
    }
    for claim in &run.loaded.unchecked {
        let _ = writeln!(text, "  not checked: {}", claim.text);
    }
    let unreached = unreached(run).unwrap_or_default();
    if !unreached.is_empty() {
        let _ = writeln!(text, "never executed:");
        for (place, what) in unreached {
            let _ = writeln!(text, "  {place}  {what}");
        }
    }
    text
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

fn saved_json(options: &CheckOptions, run: &Run, violation: &Violation) -> Value {
    let path = options.search.model.model.display().to_string();
    let saved = Saved::new(&path, run.loaded.language.name, violation);
    let steps: Vec<Value> =
        saved.steps.iter().map(|step| json!({"action": step.action, "choice": step.choice})).collect();
    json!({
        "tool": "tightrope",
        "trace": 1,
        "model": saved.model,
        "language": saved.language,
        "fault": {"kind": saved.kind, "message": saved.message, "file": saved.file, "line": saved.line},
        "goal": options.goal,
        "initial": saved.initial,
        "steps": steps,
    })
}
