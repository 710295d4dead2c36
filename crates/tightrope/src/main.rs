//! The command line.

mod amount;
mod arguments;
mod audit;
mod caching;
mod command;
mod compiling;
mod counterexample;
mod estimate;
mod guard;
mod language;
mod machine;
mod output;
mod progress;
mod report;
mod run;
mod worth;

use arguments::{Arguments, Command};
use clap::Parser;
use serde_json::json;
use std::process::ExitCode;

/// What the program ends with; `docs/report.md` has the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// What was asked holds, or was done.
    Holds = 0,
    /// A violation was found.
    Violated = 1,
    /// The command line or the model is wrong.
    Wrong = 2,
    /// The search did not finish.
    Undecided = 3,
    /// Tightrope itself is wrong.
    Defect = 4,
}

#[global_allocator]
static ALLOCATOR: guard::Allocator = guard::Allocator;

fn main() -> ExitCode {
    machine::give_memory_back();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = error.print();
            if error.use_stderr() && std::env::args().any(|argument| argument == "--json") {
                let (tool, version) = ("tightrope", env!("CARGO_PKG_VERSION"));
                let message = error.to_string();
                let report = json!({"tool": tool, "version": version, "verdict": null, "error": message.trim_end()});
                let _ = output::print_json(&report);
            }
            return ExitCode::from(if error.use_stderr() { Exit::Wrong as u8 } else { 0 });
        }
    };
    watch(&arguments.command);
    let outcome = std::panic::catch_unwind(|| match &arguments.command {
        Command::Check(options) => command::check::run(options),
        Command::Measure(options) => command::measure::run(options),
        Command::Lts(options) => command::lts::run(options),
        Command::Compare(options) => command::compare::run(options),
        Command::Show(options) => command::show::run(options),
        Command::Replay(options) => command::replay::run(options),
        Command::Stores(options) => command::stores::run(options),
    });
    let exit = match outcome {
        Ok(Ok(exit)) => exit,
        Ok(Err(message)) => {
            failed(message.trim_end_matches('\n'));
            Exit::Wrong
        }
        Err(_) => {
            failed("tightrope: this is a defect of Tightrope, not of the model; please report it with the model");
            Exit::Defect
        }
    };
    ExitCode::from(exit as u8)
}

/// Says what went wrong: on standard error, and with `--json` in the object that is promised, unless it is there already.
fn failed(message: &str) {
    output::tell(message);
    if let Some(mut report) = guard::bare_report().filter(|_| !output::json_was_printed()) {
        report["verdict"] = serde_json::Value::Null;
        report["error"] = message.into();
        let _ = output::print_json(&report);
    }
}

/// Watches over what was asked for.
fn watch(command: &Command) {
    let (name, model, json, limits) = match command {
        Command::Check(options) => ("check", &options.search.model.model, options.search.json, &options.search.limits),
        Command::Measure(options) => ("measure", &options.model.model, options.json, &options.limits),
        Command::Lts(options) => ("lts", &options.search.model.model, options.search.json, &options.search.limits),
        Command::Stores(options) => {
            ("stores", &options.search.model.model, options.search.json, &options.search.limits)
        }
        Command::Compare(options) => ("compare", &options.left, options.json, &options.limits),
        Command::Show(options) => ("show", &options.model.model, options.json, &options.limits),
        Command::Replay(options) => ("replay", &options.model.model, options.json, &options.limits),
    };
    // With `stores` the time is for each of them.
    let times = match command {
        Command::Stores(options) => u32::try_from(command::stores::names(options).len()).unwrap_or(u32::MAX),
        _ => 1,
    };
    let time = limits.time.map(|time| time.saturating_mul(times));
    guard::watch(name, model, json, time, limits.memory());
}
