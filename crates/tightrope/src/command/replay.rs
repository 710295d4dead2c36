//! `tightrope replay`: a saved counterexample, step by step.

use super::{print, print_json};
use crate::arguments::ReplayOptions;
use crate::{Exit, language, report};
use serde_json::{Value, json};
use tightrope_trace::{Saved, SavedStep};

/// Runs the command. Shown again is only what still happens: the model may have changed since.
pub fn run(options: &ReplayOptions) -> Result<Exit, String> {
    let path = options.trace.display();
    let text = std::fs::read_to_string(&options.trace).map_err(|why| format!("error: cannot read `{path}`: {why}"))?;
    let value: Value = serde_json::from_str(&text).map_err(|why| format!("error: `{path}` is not JSON: {why}"))?;
    let saved = read(&value).map_err(|why| format!("error: `{path}` is not a saved trace: {why}"))?;
    let violation = saved.violation().map_err(|why| format!("error: `{path}` is not a saved trace: {why}"))?;
    let loaded = language::load(&options.model, value["goal"].as_str())?;
    let replayed = loaded.replay(&violation).map_err(|why| {
        format!("error: the trace does not happen in `{}` (any more): {why}", options.model.model.display())
    })?;
    if options.json {
        print_json(&json!({
            "tool": "tightrope",
            "version": env!("CARGO_PKG_VERSION"),
            "command": "replay",
            "model": {"path": options.model.model.display().to_string(), "language": loaded.language.name},
            "verdict": "violated",
            "violation": report::violation_json(&violation.fault, &replayed),
        }));
    } else {
        print(&report::trace_text(&replayed));
    }
    Ok(Exit::Violated)
}

fn read(value: &Value) -> Result<Saved, String> {
    let text = |value: &Value, name: &str| {
        value[name].as_str().map(String::from).ok_or_else(|| format!("`{name}` is missing or no text"))
    };
    let number = |value: &Value, name: &str| {
        let number = value[name].as_u64().and_then(|number| u32::try_from(number).ok());
        number.ok_or_else(|| format!("`{name}` is missing or no number"))
    };
    let fault = &value["fault"];
    let steps = value["steps"].as_array().ok_or("`steps` is missing or no list")?;
    let steps: Result<Vec<SavedStep>, String> = steps
        .iter()
        .map(|step| Ok(SavedStep { action: text(step, "action")?, choice: number(step, "choice")? }))
        .collect();
    Ok(Saved {
        model: text(value, "model")?,
        language: text(value, "language")?,
        initial: number(value, "initial")?,
        steps: steps?,
        kind: text(fault, "kind")?,
        message: text(fault, "message")?,
        file: text(fault, "file")?,
        line: number(fault, "line")?,
    })
}
