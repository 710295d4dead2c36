//! `tightrope replay`: a saved counterexample, step by step.

use crate::arguments::ReplayOptions;
use crate::counterexample::{Counterexample, Report, TraceFile};
use crate::output::{print_json, tell, write};
use crate::watchdog::{self, Phase};
use crate::{Exit, language};
use serde_json::json;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use tightrope_trace::text;

/// Runs the command. Shown again is only what still happens: the model may have changed since.
pub fn run(options: &ReplayOptions) -> Result<Exit, String> {
    let path = options.trace.display();
    let file = File::open(&options.trace).map_err(|why| format!("error: cannot read `{path}`: {why}"))?;
    let wrong = |why: String| format!("error: `{path}` is not a saved trace: {why}");
    let saved: TraceFile<'_> = serde_json::from_reader(BufReader::new(file)).map_err(|why| match why.classify() {
        serde_json::error::Category::Data => wrong(why.to_string()),
        serde_json::error::Category::Io => format!("error: cannot read `{path}`: {why}"),
        _ => format!("error: `{path}` is not JSON: {why}"),
    })?;
    let model_options = saved.options(&options.model).map_err(wrong)?;
    // A file that was read with --language has an ending that tells nothing.
    let by_ending = options.model.language.is_none();
    let is_alike = by_ending && options.model.model.extension() == Path::new(&saved.model).extension();
    let language = language::told(&options.model).filter(|language| !is_alike && *language != saved.language);
    if let Some(language) = language {
        let model = options.model.model.display();
        let (of, saved) = (&saved.language, &saved.model);
        return Err(format!("error: the trace is of a {of} model (`{saved}`), and `{model}` is a {language} model"));
    }
    let loaded = language::load(&model_options, saved.goal.as_deref())?;
    let model = options.model.model.display();
    if saved.hash.as_ref().is_some_and(|hash| *hash != loaded.hash) {
        if options.model.define.is_empty() && options.model.set.is_empty() {
            tell(format_args!("note: `{model}` has changed since the trace was saved (of `{}`)", saved.model));
        } else {
            tell("note: -D or --set differ from those of the trace");
        }
    }
    let violation = saved.violation().map_err(wrong)?;
    watchdog::phase(Phase::Replaying);
    loaded.replay(&violation).map_err(|why| format!("error: the trace does not happen in `{model}`: {why}"))?;
    let model = loaded.model.as_ref();
    if options.json {
        let value = json!({
            "tool": "tightrope",
            "version": env!("CARGO_PKG_VERSION"),
            "command": "replay",
            "model": {"path": options.model.model.display().to_string(), "language": loaded.language.name},
            "verdict": "violated",
            "violation": null,
        });
        let violation = Some(Counterexample { model, violation: &violation });
        print_json(&Report { value: &value, violation, shape: None })?;
    } else {
        let goes_on = watchdog::report_goes_on();
        write(|out| text::write(model, &violation, text::TextOptions { all: options.full, goes_on: &goes_on }, out))?;
    }
    Ok(Exit::Violated)
}
